//! The candidates in OPEN and their order.

use crate::count::Count;
use crate::dataset::Candidate;
use crate::search::findings::LevelSummary;
use crate::stats::{FalseDiscovery, MaxP, TestResult};

/// A candidate that is associated with the target, with the largest p-value of its tests so far.
#[derive(Clone, Debug)]
pub(crate) struct Candidacy {
    pub candidate: Candidate,
    pub count: Count,
    pub association: TestResult,
    /// The conditioning sets of the tests with the largest p-values.
    pub max_p: MaxP<Vec<Candidate>>,
    /// Whether background knowledge requires it as a cause, regardless of the tests.
    pub is_required: bool,
    /// Whether its attribute matters in a form that is undecided.
    pub is_undecided: bool,
}

impl Candidacy {
    pub fn new(candidate: Candidate, count: Count, association: TestResult) -> Self {
        let mut max_p = MaxP::default();
        max_p.record(association, Vec::new);
        Self { candidate, count, association, max_p, is_required: false, is_undecided: false }
    }
}

/// Controls the false discovery rate of a level at alpha. OPEN holds all candidates with p ≤ alpha; those above the
/// threshold are removed and returned.
///
/// The hypotheses are all candidates of the level. Constant, equivalent and redundant ones never enter OPEN; they count
/// as p-values of 1, which is conservative.
pub(crate) fn control_false_discoveries(
    fdr: Option<FalseDiscovery>,
    alpha: f64,
    open: &mut Vec<Candidacy>,
    level: &mut LevelSummary,
) -> Vec<Candidacy> {
    let Some(fdr) = fdr else { return Vec::new() };
    let p_values = open.iter().map(|candidacy| candidacy.association.p_value).collect();
    let threshold = fdr.threshold(alpha, p_values, level.candidates);
    let is_discovery = |candidacy: &Candidacy| candidacy.association.p_value <= threshold;
    let (kept, dropped) = std::mem::take(open).into_iter().partition(is_discovery);
    *open = kept;
    level.associated = open.len() as u64;
    level.threshold = Some(threshold);
    dropped
}

/// Sorts by association, the strongest first; ties are broken by level, then by column order.
pub(crate) fn sort_open(open: &mut [Candidacy]) {
    open.sort_by(|a, b| {
        let strength = |candidacy: &Candidacy| candidacy.association.strength();
        strength(b).total_cmp(&strength(a)).then_with(|| in_data_order(&a.candidate, &b.candidate))
    });
}

/// Compares candidates by level, then by column order.
pub(crate) fn in_data_order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    a.level().cmp(&b.level()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_in_open_are_in_data_order() {
        let candidacy = |columns: &[u32], statistic: f64| {
            let candidate = Candidate::new(columns.to_vec());
            Candidacy::new(candidate, Count::default(), TestResult::new(statistic, 1))
        };
        let sorted = [
            candidacy(&[5], 9.0),
            candidacy(&[1], 4.0),
            candidacy(&[3], 4.0),
            candidacy(&[0, 2], 4.0),
            candidacy(&[0, 4], 4.0),
            candidacy(&[1, 2], 4.0),
            candidacy(&[0], 1.0),
        ];
        let candidates =
            |open: &[Candidacy]| open.iter().map(|it| it.candidate.clone()).collect::<Vec<Candidate>>();
        let mut random = crate::random::Random::new(1);
        for _ in 0..50 {
            let mut open = sorted.to_vec();
            random.shuffle(&mut open);
            sort_open(&mut open);
            assert_eq!(candidates(&open), candidates(&sorted));
        }
    }
}
