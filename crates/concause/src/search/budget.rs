//! What is refused before it is tried: more candidates or more tests than the settings allow.

use rustc_hash::FxHashSet;

use super::contender::Contender;
use super::context::Context;
use super::findings::Level;
use super::settings::Settings;
use crate::error::Error;

/// Refuses a level 2 of non-causes that will be too large, before level 1 is worked out: the columns that are not
/// associated with the target will all be non-causes.
pub(crate) fn refuse_pairs_early(context: &Context<'_>, open: &[Contender]) -> Result<(), Error> {
    let pairs = |columns: u128| columns * columns.saturating_sub(1) / 2;
    let associated: FxHashSet<u32> = open.iter().map(|single| single.candidate.columns()[0]).collect();
    let certain =
        context.offered().filter(|&column| !associated.contains(&context.singles.representative(column)));
    let budget = context.settings.max_candidates;
    if context.settings.deepest_level() > 1 && pairs(certain.count() as u128) > u128::from(budget) {
        let candidates = pairs(context.offered().count() as u128);
        return Err(Error::TooManyCandidates { level: 2, candidates, budget });
    }
    Ok(())
}

/// Refuses the first level that has too many conjunctions of columns of different attributes.
pub(super) fn refuse_conjunctions(context: &Context<'_>) -> Result<(), Error> {
    let budget = context.settings.max_candidates;
    let conjunctions = conjunctions(context, context.settings.deepest_level());
    for (level, &candidates) in conjunctions.iter().enumerate().skip(2) {
        if candidates > u128::from(budget) {
            return Err(Error::TooManyCandidates { level, candidates, budget });
        }
    }
    Ok(())
}

/// How many conjunctions there are of 0, 1, 2, … columns, each of another attribute.
fn conjunctions(context: &Context<'_>, deepest: usize) -> Vec<u128> {
    let mut found = vec![0u128; deepest + 1];
    found[0] = 1;
    let offered: Vec<usize> =
        context.offered().map(|column| context.columns[column as usize].attribute).collect();
    // The columns of an attribute lie side by side. Each attribute takes part with one of its columns, or not at all.
    for columns in offered.chunk_by(|a, b| a == b) {
        for level in (1..=deepest).rev() {
            found[level] =
                found[level].saturating_add(found[level - 1].saturating_mul(columns.len() as u128));
        }
    }
    found
}

/// Refuses to hold the candidates of these levels against one another.
pub(super) fn refuse_tests(context: &Context<'_>, levels: &[Level]) -> Result<(), Error> {
    let candidates = levels.iter().map(|level| level.associated).sum();
    let Settings { method, max_k, max_tests: budget, .. } = *context.settings;
    let tests = tests_at_worst(candidates, max_k);
    if tests > u128::from(budget) {
        let all = levels.len() == context.settings.deepest_level();
        return Err(Error::TooManyTests { method: method.name(), candidates, all, tests, budget });
    }
    Ok(())
}

/// The most candidates that may be held against one another.
pub(super) fn most_contenders(settings: &Settings) -> usize {
    let affordable =
        |candidates: u64| tests_at_worst(candidates, settings.max_k) <= u128::from(settings.max_tests);
    let (mut most, mut too_many) = (0, u64::from(u32::MAX));
    while most + 1 < too_many {
        let middle = most.midpoint(too_many);
        if affordable(middle) {
            most = middle;
        } else {
            too_many = middle;
        }
    }
    most as usize
}

/// Every candidate against every set of up to `max_k` of the others.
fn tests_at_worst(candidates: u64, max_k: usize) -> u128 {
    let others = u128::from(candidates.saturating_sub(1));
    let (mut sets, mut of_size) = (1u128, 1u128);
    for size in 1..=max_k as u128 {
        of_size = of_size.saturating_mul(others.saturating_sub(size - 1)) / size;
        sets = sets.saturating_add(of_size);
    }
    sets.saturating_mul(u128::from(candidates))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Preset;

    #[test]
    fn the_worst_case_is_every_candidate_against_every_set_of_others() {
        // 5 candidates, each with the empty set, 4 single others, 6 pairs and 4 triples of them.
        assert_eq!(tests_at_worst(5, 0), 5);
        assert_eq!(tests_at_worst(5, 1), 5 * (1 + 4));
        assert_eq!(tests_at_worst(5, 2), 5 * (1 + 4 + 6));
        assert_eq!(tests_at_worst(5, 3), 5 * (1 + 4 + 6 + 4));
        assert_eq!(tests_at_worst(5, 10), 5 * 16);
        assert_eq!((tests_at_worst(0, 3), tests_at_worst(1, 3)), (0, 1));
        assert!(tests_at_worst(u64::MAX, 10) > 1 << 100);
    }

    #[test]
    fn the_most_contenders_are_just_affordable() {
        for (max_tests, max_k) in [(1, 3), (79, 3), (80, 3), (1_000_000, 2), (u64::MAX, 0), (u64::MAX, 10)] {
            let settings = Settings { max_tests, max_k, ..Preset::Paper.settings() };
            let most = most_contenders(&settings) as u64;
            assert!(tests_at_worst(most, max_k) <= u128::from(max_tests));
            let more = tests_at_worst(most + 1, max_k) > u128::from(max_tests);
            assert!(more || most + 1 == u64::from(u32::MAX), "{max_tests} {max_k}: {most}");
        }
    }
}
