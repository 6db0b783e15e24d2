//! A candidate in the race, and the order of the race.

use crate::count::Count;
use crate::dataset::Candidate;
use crate::independence::{Tested, Weakest};

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
