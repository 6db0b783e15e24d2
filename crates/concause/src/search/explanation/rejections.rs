//! The rejected candidates and their reasons.

use std::collections::BTreeMap;

use super::explain_all;
use crate::combinatorics::choose;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::search::context::{Context, in_data_order, in_table};
use crate::search::findings::{Findings, Reason};
use crate::stats::TestResult;

/// The limit on conjunctions × rows that are counted to explain candidates the search did not record.
const MOST_COUNTED_ROWS: u128 = 100_000_000;

/// A rejected candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// The column or conjunction.
    pub candidate: Candidate,
    /// Its association with the target, without a conditioning set; `None` if that cannot be tested.
    pub association: Option<TestResult>,
    /// Why it was rejected.
    pub reason: Reason,
}

/// The rejected candidates by level, the strongest first, at most `most` per level.
///
/// These are the candidates that the search recorded. At levels with at most `most` conjunctions that are cheap to
/// count, the other candidates are included as well, so small data has a reason for every candidate.
pub(crate) fn rejections(
    context: &Context<'_>,
    findings: &Findings,
    most: usize,
) -> Result<Vec<Rejection>, Error> {
    let mut levels: BTreeMap<usize, Vec<(Candidate, Reason)>> = BTreeMap::new();
    for (candidate, reason) in
        recorded_rejections(findings).chain(unrecorded_candidates(context, findings, most)?)
    {
        levels.entry(candidate.level()).or_default().push((candidate, reason));
    }
    let mut found = Vec::new();
    for level in levels.into_values() {
        found.extend(strongest_rejections(context, level, most)?);
    }
    Ok(found)
}

fn is_rejection(reason: &Reason) -> bool {
    !reason.is_of_a_cause()
}

fn recorded_rejections(findings: &Findings) -> impl Iterator<Item = (Candidate, Reason)> {
    let rejections = findings.reasons.iter().filter(|(_, reason)| is_rejection(reason));
    rejections.map(|(candidate, reason)| (candidate.clone(), reason.clone()))
}

/// The candidates that the search did not record, level by level, up to the first level that is expensive to count.
fn unrecorded_candidates(
    context: &Context<'_>,
    findings: &Findings,
    most: usize,
) -> Result<Vec<(Candidate, Reason)>, Error> {
    let rows = u128::from(context.counter().rows().total());
    let deepest = context.settings.deepest_level().min(findings.levels.len());
    let mut candidates = Vec::new();
    for level in 2..=deepest {
        let conjunctions = choose(context.columns().len(), level);
        if conjunctions > most as u128 || conjunctions.saturating_mul(rows) > MOST_COUNTED_ROWS {
            break;
        }
        append_conjunctions(&mut candidates, &mut Vec::new(), context.columns().len() as u32, level);
    }
    candidates.retain(|candidate| !findings.reasons.contains_key(candidate));
    let reasons = explain_all(context, findings, &candidates)?;
    // A conjunction with other signs than a cause is the same finding.
    Ok(candidates.into_iter().zip(reasons).filter(|(_, reason)| is_rejection(reason)).collect())
}

/// Appends all conjunctions of the columns of `prefix` and `more` later columns.
fn append_conjunctions(conjunctions: &mut Vec<Candidate>, prefix: &mut Vec<u32>, columns: u32, more: usize) {
    if more == 0 {
        conjunctions.push(Candidate::new(prefix.clone()));
        return;
    }
    for column in prefix.last().map_or(0, |last| last + 1)..columns {
        prefix.push(column);
        append_conjunctions(conjunctions, prefix, columns, more - 1);
        prefix.pop();
    }
}

/// The candidates of a level with their associations, the strongest first.
fn strongest_rejections(
    context: &Context<'_>,
    level: Vec<(Candidate, Reason)>,
    most: usize,
) -> Result<Vec<Rejection>, Error> {
    let (candidates, reasons): (Vec<Candidate>, Vec<Reason>) = level.into_iter().unzip();
    let counts = context.strata.counts(context.counter(), &candidates)?;
    let mut rejected: Vec<Rejection> = (candidates.into_iter().zip(counts).zip(reasons))
        .map(|((candidate, counts), reason)| {
            let rows = context.strata.rows();
            let outcome = in_table(&counts, rows, |table| context.decision_rule.assess(table));
            Rejection { candidate, association: outcome.tested(), reason }
        })
        .collect();
    let strength =
        |rejection: &Rejection| rejection.association.map_or(f64::NEG_INFINITY, |result| result.strength());
    rejected.sort_by(|a, b| {
        strength(b).total_cmp(&strength(a)).then_with(|| in_data_order(&a.candidate, &b.candidate))
    });
    rejected.truncate(most);
    Ok(rejected)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::count::LocalCounter;
    use crate::dataset::{Dataset, DatasetBuilder, Target};
    use crate::progress::NoProgress;
    use crate::search::{Method, Settings, search};

    fn data() -> Dataset {
        let outcome: Vec<bool> = (0..512).map(|row: usize| row & 3 == 3 || row & 4 == 4).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        // The last column is weaker than the third and independent of the outcome given it.
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

    fn context(data: &Dataset, settings: Settings) -> Context<'_> {
        let counter = Arc::new(LocalCounter::new(data));
        Context::new(counter, data, settings, &NoProgress).unwrap()
    }

    #[test]
    fn reasons_of_all_candidates_of_small_data_agree_with_explain_all() {
        let data = data();
        for &method in Method::ALL {
            let context = context(&data, Settings { method, ..Settings::default() });
            let findings = search(&context).unwrap();
            let rejected = rejections(&context, &findings, 100).unwrap();
            let at_level =
                |level| rejected.iter().filter(|rejection| rejection.candidate.level() == level).count();
            let causes =
                |level| findings.causes.iter().filter(|cause| cause.candidate.level() == level).count();
            assert_eq!(at_level(1) + causes(1), 6, "{method}");
            let pairs = if context.settings.deepest_level() > 1 { 15 } else { 0 };
            assert_eq!(at_level(2) + causes(2), pairs, "{method}");
            for rejection in &rejected {
                let candidates = std::slice::from_ref(&rejection.candidate);
                let reasons = explain_all(&context, &findings, candidates).unwrap();
                assert_eq!(reasons, std::slice::from_ref(&rejection.reason), "{method}");
            }
        }
    }

    #[test]
    fn strongest_rejections_come_first_and_the_list_is_truncated() {
        let data = data();
        let context = context(&data, Settings::default());
        let findings = search(&context).unwrap();
        let rejections = |most| rejections(&context, &findings, most).unwrap();
        let all = rejections(15);
        let singles = all.iter().filter(|rejection| rejection.candidate.level() == 1);
        let strengths: Vec<f64> =
            singles.map(|rejection| rejection.association.unwrap().strength()).collect();
        assert!(strengths.is_sorted_by(|a, b| a >= b) && strengths[0] > 1.0, "{strengths:?}");
        // There are 15 pairs, more than 2, so only recorded ones are listed.
        let few = rejections(2);
        assert_eq!(
            few.iter().filter(|rejection| rejection.candidate.level() == 1).collect::<Vec<_>>(),
            [&all[0], &all[1]]
        );
        assert!(few.iter().filter(|rejection| rejection.candidate.level() == 2).count() <= 2);
        assert!(rejections(0).is_empty());
    }
}
