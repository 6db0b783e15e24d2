//! Scores of sets of terms, and the moves of the local search.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::count::{Count, Counter, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;

/// A move: replaces some terms by at most two others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Move {
    pub removed: Vec<Candidate>,
    pub added: Vec<Candidate>,
}

/// A score of sets of terms.
pub(super) trait ModelScore: Sync {
    /// Twice the log-likelihood (or log marginal likelihood) of the target given the terms.
    fn score(&self, terms: &[Candidate]) -> Result<f64, Error>;

    /// The gain of each move in the objective: the increase of the score plus the saved penalty. For moves that are not
    /// among the best, the gain may be approximate or minus infinity.
    fn gains(&self, terms: &[Candidate], moves: &[Move], savings: &[f64]) -> Result<Vec<f64>, Error>;
}

impl Move {
    /// The terms after some moves.
    pub fn apply(moves: &[&Move], terms: &[Candidate]) -> Vec<Candidate> {
        let mut after: Vec<Candidate> = terms
            .iter()
            .filter(|term| moves.iter().all(|step| !step.removed.contains(term)))
            .cloned()
            .collect();
        for new in moves.iter().flat_map(|step| &step.added) {
            if !after.contains(new) {
                after.push(new.clone());
            }
        }
        after
    }
}

/// Every added term of some moves, and the conjunction of every two that one move adds; sorted, without duplicates.
pub(super) fn added_terms<'a>(moves: impl Iterator<Item = &'a Move>) -> Vec<Candidate> {
    let mut found: BTreeSet<Candidate> = BTreeSet::new();
    for step in moves {
        found.extend(step.added.iter().cloned());
        if let [one, two] = &step.added[..] {
            found.insert(one.join(two));
        }
    }
    found.into_iter().collect()
}

/// The counts of candidates in each configuration of the terms.
pub(super) struct TermCounts {
    candidates: Vec<Candidate>,
    counts: Vec<Vec<Count>>,
}

impl TermCounts {
    /// Counts the added terms of some moves.
    pub fn new<'a>(
        counter: &dyn Counter,
        terms: &[Candidate],
        moves: impl Iterator<Item = &'a Move>,
    ) -> Result<Self, Error> {
        let candidates = added_terms(moves);
        let counts: Vec<Mutex<Vec<Count>>> = candidates.iter().map(|_| Mutex::default()).collect();
        if !candidates.is_empty() {
            counter.configurations(terms, &candidates, &|number, _, with| {
                *lock(&counts[number]) = with.to_vec();
            })?;
        }
        Ok(Self { candidates, counts: counts.into_iter().map(into_inner).collect() })
    }

    /// The counts of a candidate in each configuration.
    pub fn counts(&self, candidate: &Candidate) -> &[Count] {
        self.candidates.binary_search(candidate).map_or(&[], |place| &self.counts[place])
    }

    /// The rows of one configuration, by which of the added terms of a move hold: the first term is bit 0.
    pub fn cells(&self, added: &[Candidate], configuration: usize, all: Count) -> [Count; 4] {
        let count = |candidate: &Candidate| self.counts(candidate)[configuration];
        match added {
            [] => [all, Count::default(), Count::default(), Count::default()],
            [one] => [all - count(one), count(one), Count::default(), Count::default()],
            [one, two, ..] => {
                let (both, one, two) = (count(&one.join(two)), count(one), count(two));
                [all + both - one - two, one - both, two - both, both]
            }
        }
    }
}
