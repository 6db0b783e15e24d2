//! The candidates that are no causes, for a result that is to tell why.

use std::collections::BTreeMap;

use super::contender::in_data_order;
use super::context::Context;
use super::explain::explain_all;
use super::findings::{Findings, Reason};
use super::settings::Settings;
use super::watch::Unwatched;
use crate::count::{Counter, Table};
use crate::dataset::{Candidate, Column};
use crate::independence::Tested;

/// The most rows, summed over candidates, that are looked at to explain what the search had no need to note.
const EFFORT: u128 = 100_000_000;

/// A candidate that is no cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// The column or conjunction.
    pub candidate: Candidate,
    /// Its association with the target, without a conditioning set; none if that cannot be tested.
    pub association: Option<Tested>,
    /// Why it is no cause.
    pub reason: Reason,
}

/// The candidates that are no causes, by level and then the strongest first, at most so many of each level.
///
/// These are all that the search noted, and at the levels with no more conjunctions than are asked for (and rows that
/// do not make it long) the others too, so that in small data every question has its answer.
pub fn rejected(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    findings: &Findings,
    most: usize,
) -> Vec<Rejected> {
    // What is refused here was refused when the search began.
    let Ok(context) = Context::new(counter, columns, settings, &Unwatched) else { return Vec::new() };
    let mut levels: BTreeMap<usize, Vec<(Candidate, Reason)>> = BTreeMap::new();
    for (candidate, reason) in noted(findings).chain(unnoted(&context, findings, most)) {
        levels.entry(candidate.level()).or_default().push((candidate, reason));
    }
    levels.into_values().flat_map(|level| strongest(&context, level, most)).collect()
}

fn is_rejection(reason: &Reason) -> bool {
    !matches!(reason, Reason::Cause | Reason::Required)
}

fn noted(findings: &Findings) -> impl Iterator<Item = (Candidate, Reason)> {
    let rejections = findings.reasons.iter().filter(|(_, reason)| is_rejection(reason));
    rejections.map(|(candidate, reason)| (candidate.clone(), reason.clone()))
}

/// What the search had no need to note, level by level as far as that is not too much.
fn unnoted(context: &Context<'_>, findings: &Findings, most: usize) -> Vec<(Candidate, Reason)> {
    let rows = u128::from(context.counter.rows().total());
    let deepest = context.settings.deepest_level().min(findings.levels.len());
    let mut candidates = Vec::new();
    for level in 2..=deepest {
        let conjunctions = combinations(context.columns.len(), level);
        if conjunctions > most as u128 || conjunctions.saturating_mul(rows) > EFFORT {
            break;
        }
        extend(&mut candidates, &mut Vec::new(), context.columns.len() as u32, level);
    }
    candidates.retain(|candidate| !findings.reasons.contains_key(candidate));
    let reasons = explain_all(context.counter, context.columns, context.settings, findings, &candidates);
    candidates.into_iter().zip(reasons).collect()
}

/// n choose k.
fn combinations(n: usize, k: usize) -> u128 {
    (0..k).fold(1, |product: u128, i| product.saturating_mul(n.saturating_sub(i) as u128) / (i as u128 + 1))
}

/// Adds the conjunctions of `open` and so many columns more, all of them later ones.
fn extend(conjunctions: &mut Vec<Candidate>, open: &mut Vec<u32>, columns: u32, more: usize) {
    if more == 0 {
        conjunctions.push(Candidate::new(open.clone()));
        return;
    }
    for column in open.last().map_or(0, |last| last + 1)..columns {
        open.push(column);
        extend(conjunctions, open, columns, more - 1);
        open.pop();
    }
}

/// The candidates of a level with their association, the strongest first.
fn strongest(context: &Context<'_>, level: Vec<(Candidate, Reason)>, most: usize) -> Vec<Rejected> {
    let (candidates, reasons): (Vec<Candidate>, Vec<Reason>) = level.into_iter().unzip();
    let counts = context.strata.counts(context.counter, &candidates);
    let test = context.judge.test();
    let mut rejected: Vec<Rejected> = (candidates.into_iter().zip(counts).zip(reasons))
        .map(|((candidate, counts), reason)| {
            let table = Table::in_strata(&counts, context.strata.rows());
            Rejected { candidate, association: test.assess(&table).tested(), reason }
        })
        .collect();
    let strength = |it: &Rejected| it.association.map_or(f64::NEG_INFINITY, |tested| tested.strength());
    rejected.sort_by(|a, b| {
        strength(b).total_cmp(&strength(a)).then_with(|| in_data_order(&a.candidate, &b.candidate))
    });
    rejected.truncate(most);
    rejected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::LocalCounter;
    use crate::dataset::{Dataset, DatasetBuilder, Target};
    use crate::search::{Method, explain, mine};

    fn data() -> Dataset {
        let outcome: Vec<bool> = (0..512).map(|row: usize| row & 3 == 3 || row & 4 == 4).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        // The last column says less of the outcome than the third does, and nothing beside it.
        let held = |row: usize, column: usize| match column {
            5 => row & 4 == 4 && row.is_multiple_of(3),
            column => row >> column & 1 == 1,
        };
        for column in 0..6 {
            let values = (0..512).map(|row| held(row, column).then_some(0));
            builder.attribute(&format!("V{column}"), vec![format!("V{column}")], values);
        }
        builder.finish()
    }

    #[test]
    fn every_candidate_of_small_data_has_the_reason_that_explain_gives() {
        let data = data();
        let counter = LocalCounter::new(&data);
        for method in Method::ALL {
            let settings = Settings { method, ..Settings::default() };
            let findings = mine(&counter, data.columns(), &settings, &Unwatched).unwrap();
            let rejected = rejected(&counter, data.columns(), &settings, &findings, 100);
            let of_level = |level| rejected.iter().filter(|it| it.candidate.level() == level).count();
            let causes = |level| findings.causes.iter().filter(|it| it.candidate.level() == level).count();
            assert_eq!(of_level(1) + causes(1), 6, "{method}");
            let pairs = if settings.deepest_level() > 1 { 15 } else { 0 };
            assert_eq!(of_level(2) + causes(2), pairs, "{method}");
            for it in &rejected {
                let reason = explain(&counter, data.columns(), &settings, &findings, &it.candidate);
                assert_eq!(it.reason, reason, "{method}");
            }
        }
    }

    #[test]
    fn the_strongest_come_first_and_the_rest_is_cut() {
        let data = data();
        let counter = LocalCounter::new(&data);
        let settings = Settings::default();
        let findings = mine(&counter, data.columns(), &settings, &Unwatched).unwrap();
        let all = rejected(&counter, data.columns(), &settings, &findings, 15);
        let singles = all.iter().filter(|it| it.candidate.level() == 1);
        let strengths: Vec<f64> = singles.map(|it| it.association.unwrap().strength()).collect();
        assert!(strengths.is_sorted_by(|a, b| a >= b) && strengths[0] > 1.0, "{strengths:?}");
        // 15 pairs are more than 2, so none is told of but those noted.
        let few = rejected(&counter, data.columns(), &settings, &findings, 2);
        assert_eq!(few.iter().filter(|it| it.candidate.level() == 1).collect::<Vec<_>>(), [&all[0], &all[1]]);
        assert!(few.iter().filter(|it| it.candidate.level() == 2).count() <= 2);
        assert!(rejected(&counter, data.columns(), &settings, &findings, 0).is_empty());
    }

    #[test]
    fn combinations_of_any_size() {
        assert_eq!((combinations(45, 2), combinations(3, 2), combinations(1, 2)), (990, 3, 0));
        assert!(combinations(usize::MAX, 9) > 1 << 100);
    }
}
