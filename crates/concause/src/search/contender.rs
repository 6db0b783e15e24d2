//! A candidate in the race, and the order of the race.

use super::findings::Level;
use crate::count::Count;
use crate::dataset::Candidate;
use crate::independence::{FalseDiscovery, Tested, Weakest};

/// A candidate that is associated with the target, and how it has fared so far.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    pub candidate: Candidate,
    pub count: Count,
    pub association: Tested,
    /// The conditioning sets of the tests with the largest p-values.
    pub weakest: Weakest<Vec<Candidate>>,
    /// Whether it is a cause whatever the tests say.
    pub is_required: bool,
}

impl Contender {
    pub fn new(candidate: Candidate, count: Count, association: Tested) -> Self {
        let mut weakest = Weakest::default();
        weakest.offer(association, Vec::new);
        Self { candidate, count, association, weakest, is_required: false }
    }
}

/// Keeps the false discovery rate of a level at alpha: takes those that are not associated clearly enough out of OPEN,
/// which holds all with p ≤ alpha, and returns them.
///
/// The hypotheses are all candidates of the level. Those that are constant, equivalent to another or redundant never
/// enter OPEN; they count with a p-value of 1, which makes the others no easier to discover.
pub(super) fn control(
    fdr: Option<FalseDiscovery>,
    alpha: f64,
    open: &mut Vec<Contender>,
    level: &mut Level,
) -> Vec<Contender> {
    let Some(fdr) = fdr else { return Vec::new() };
    let p_values = open.iter().map(|contender| contender.association.p_value).collect();
    let threshold = fdr.threshold(alpha, p_values, level.candidates);
    let is_clear = |contender: &Contender| contender.association.p_value <= threshold;
    let (kept, dropped) = std::mem::take(open).into_iter().partition(is_clear);
    *open = kept;
    level.associated = open.len() as u64;
    level.threshold = Some(threshold);
    dropped
}

/// Puts the strongest association first; ties go by level, then by column order.
pub(crate) fn sort_open(open: &mut [Contender]) {
    open.sort_by(|a, b| {
        let strength = |contender: &Contender| contender.association.strength();
        strength(b).total_cmp(&strength(a)).then_with(|| in_data_order(&a.candidate, &b.candidate))
    });
}

/// The order of candidates as if they were columns: single columns first, then pairs, and so on.
pub(crate) fn in_data_order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    a.level().cmp(&b.level()).then_with(|| a.cmp(b))
}
