//! Refuses infeasible searches before they start: more candidates or more tests than the settings allow.

use rustc_hash::FxHashSet;

use crate::combinatorics::choose;
use crate::error::Error;
use crate::search::context::{Candidacy, Context};
use crate::search::findings::LevelSummary;
use crate::search::settings::Settings;

/// Refuses a search before level 1 is searched if level 2 is certain to exceed the budget: all columns that are not
/// associated with the target will be non-causes.
pub(crate) fn refuse_pairs_early(context: &Context<'_>, open: &[Candidacy]) -> Result<(), Error> {
    let count_pairs = |columns: u128| columns * columns.saturating_sub(1) / 2;
    let associated: FxHashSet<u32> =
        open.iter().map(|single| single.candidate.literals()[0].column()).collect();
    let certain_non_causes =
        context.offered().filter(|&column| !associated.contains(&context.singles.representative(column)));
    let budget = context.settings.max_candidates;
    if context.settings.deepest_level() > 1
        && count_pairs(certain_non_causes.count() as u128) > u128::from(budget)
    {
        let candidates = count_pairs(context.offered().count() as u128);
        return Err(Error::TooManyCandidates { level: 2, candidates, budget });
    }
    Ok(())
}

/// Refuses a search with a level that has too many conjunctions of columns of different attributes.
pub(crate) fn refuse_conjunctions(context: &Context<'_>) -> Result<(), Error> {
    let budget = context.settings.max_candidates;
    let conjunctions = count_conjunctions(context, context.settings.deepest_level());
    for (level, &candidates) in conjunctions.iter().enumerate().skip(2) {
        if candidates > u128::from(budget) {
            return Err(Error::TooManyCandidates { level, candidates, budget });
        }
    }
    Ok(())
}

/// The number of conjunctions of 0, 1, 2, … columns, all of different attributes.
fn count_conjunctions(context: &Context<'_>, deepest: usize) -> Vec<u128> {
    let mut numbers = vec![0u128; deepest + 1];
    numbers[0] = 1;
    let offered: Vec<usize> =
        context.offered().map(|column| context.columns()[column as usize].attribute).collect();
    // The columns of an attribute are adjacent. A conjunction has at most one column of each attribute.
    for columns in offered.chunk_by(|a, b| a == b) {
        for level in (1..=deepest).rev() {
            numbers[level] =
                numbers[level].saturating_add(numbers[level - 1].saturating_mul(columns.len() as u128));
        }
    }
    numbers
}

/// Refuses a search in which the associated candidates of these levels may need too many tests against one another.
pub(crate) fn refuse_tests(context: &Context<'_>, levels: &[LevelSummary]) -> Result<(), Error> {
    let candidates = levels.iter().map(|level| level.associated).sum();
    let Settings { method, max_k, max_tests: budget, .. } = context.settings;
    let tests = worst_case_tests(candidates, max_k);
    if tests > u128::from(budget) {
        let all = levels.len() == context.settings.deepest_level();
        let method = method.descriptor();
        let reduce = ["max_k", "max_level"].into_iter().filter(|setting| method.honours(setting)).collect();
        return Err(Error::TooManyTests { method: method.name, candidates, all, tests, budget, reduce });
    }
    Ok(())
}

/// The largest number of associated candidates whose tests against one another fit the budget.
pub(crate) fn max_associated_candidates(settings: &Settings) -> usize {
    let affordable =
        |candidates: u64| worst_case_tests(candidates, settings.max_k) <= u128::from(settings.max_tests);
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

/// The number of tests of every candidate against every set of up to `max_k` of the others.
fn worst_case_tests(candidates: u64, max_k: usize) -> u128 {
    let others = candidates.saturating_sub(1) as usize;
    let sets = (0..=max_k).fold(0u128, |sets, size| sets.saturating_add(choose(others, size)));
    sets.saturating_mul(u128::from(candidates))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Method, Preset};

    #[test]
    fn worst_case_is_every_candidate_against_every_set_of_others() {
        // 5 candidates, each against the empty set and 4 single others, 6 pairs and 4 triples of them.
        assert_eq!(worst_case_tests(5, 0), 5);
        assert_eq!(worst_case_tests(5, 1), 5 * (1 + 4));
        assert_eq!(worst_case_tests(5, 2), 5 * (1 + 4 + 6));
        assert_eq!(worst_case_tests(5, 3), 5 * (1 + 4 + 6 + 4));
        assert_eq!(worst_case_tests(5, 10), 5 * 16);
        assert_eq!((worst_case_tests(0, 3), worst_case_tests(1, 3)), (0, 1));
        assert!(worst_case_tests(u64::MAX, 10) > 1 << 100);
    }

    /// With 10^13 tests, Naïve-S on hundreds of columns was admitted and did not end.
    #[test]
    fn pc_select_is_refused_where_it_would_not_end() {
        let most = |method: Method| {
            let max_tests = method.descriptor().max_tests;
            max_associated_candidates(&Settings { method, max_tests, ..Preset::Default.settings() })
        };
        assert_eq!([Method::NAIVE_S, Method::PC_SELECT, Method::NAIVE_H].map(most), [880, 880, 2783]);
    }

    #[test]
    fn max_associated_candidates_is_the_largest_affordable_number() {
        for (max_tests, max_k) in [(1, 3), (79, 3), (80, 3), (1_000_000, 2), (u64::MAX, 0), (u64::MAX, 10)] {
            let settings = Settings { max_tests, max_k, ..Preset::Paper.settings() };
            let most = max_associated_candidates(&settings) as u64;
            assert!(worst_case_tests(most, max_k) <= u128::from(max_tests));
            let more = worst_case_tests(most + 1, max_k) > u128::from(max_tests);
            assert!(more || most + 1 == u64::from(u32::MAX), "{max_tests} {max_k}: {most}");
        }
    }
}
