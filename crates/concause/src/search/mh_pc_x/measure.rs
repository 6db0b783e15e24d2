//! How well terms explain the target, as the search over terms sees it.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::count::{Count, Counter, into_inner, lock};
use crate::dataset::Candidate;

/// Some terms in the place of others; at most two new ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Move {
    pub gone: Vec<Candidate>,
    pub new: Vec<Candidate>,
}

/// A way to tell how well terms explain the target.
pub(super) trait Measure: Sync {
    /// Twice the logarithm of the likelihood of the target given the terms.
    fn value(&self, terms: &[Candidate]) -> f64;

    /// What each move gains in value and in what it saves, as far as it can be seen; minus infinity or a guess where
    /// others gain more.
    fn gains(&self, terms: &[Candidate], moves: &[Move], savings: &[f64]) -> Vec<f64>;
}

impl Move {
    /// The terms after some moves.
    pub fn apply(moves: &[&Move], terms: &[Candidate]) -> Vec<Candidate> {
        let mut after: Vec<Candidate> =
            terms.iter().filter(|term| moves.iter().all(|it| !it.gone.contains(term))).cloned().collect();
        for new in moves.iter().flat_map(|it| &it.new) {
            if !after.contains(new) {
                after.push(new.clone());
            }
        }
        after
    }
}

/// Every new term of some moves, and every two that come together as one conjunction, each once, in order.
pub(super) fn new_terms<'a>(moves: impl Iterator<Item = &'a Move>) -> Vec<Candidate> {
    let mut found: BTreeSet<Candidate> = BTreeSet::new();
    for it in moves {
        found.extend(it.new.iter().cloned());
        if let [one, two] = &it.new[..] {
            found.insert(one.join(two));
        }
    }
    found.into_iter().collect()
}

/// In how many rows of each configuration of the terms candidates hold.
pub(super) struct Holding {
    candidates: Vec<Candidate>,
    counts: Vec<Vec<Count>>,
}

impl Holding {
    /// Counts the new terms of some moves.
    pub fn new<'a>(
        counter: &dyn Counter,
        terms: &[Candidate],
        moves: impl Iterator<Item = &'a Move>,
    ) -> Self {
        let candidates = new_terms(moves);
        let counts: Vec<Mutex<Vec<Count>>> = candidates.iter().map(|_| Mutex::default()).collect();
        if !candidates.is_empty() {
            counter.configurations(terms, &candidates, &|number, _, with| {
                *lock(&counts[number]) = with.to_vec();
            });
        }
        Self { candidates, counts: counts.into_iter().map(into_inner).collect() }
    }

    /// The rows of each configuration in which a candidate holds.
    pub fn of(&self, candidate: &Candidate) -> &[Count] {
        self.candidates.binary_search(candidate).map_or(&[], |place| &self.counts[place])
    }

    /// The rows of one configuration in which the new terms of a move hold: by those that do, the first as bit 0.
    pub fn cells(&self, new: &[Candidate], configuration: usize, all: Count) -> [Count; 4] {
        let count = |candidate: &Candidate| self.of(candidate)[configuration];
        match new {
            [] => [all, Count::default(), Count::default(), Count::default()],
            [one] => [all - count(one), count(one), Count::default(), Count::default()],
            [one, two, ..] => {
                let (both, one, two) = (count(&one.join(two)), count(one), count(two));
                [all + both - one - two, one - both, two - both, both]
            }
        }
    }
}
