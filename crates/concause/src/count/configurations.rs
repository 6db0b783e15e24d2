//! Rows grouped by which of some terms hold in them: what regression models and strata are made of.

use std::cmp::Ordering;

use super::Count;
use crate::dataset::ones;

/// The configurations of some terms that occur in the data: which of the terms hold, and in how many rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configurations {
    terms: usize,
    /// The bits of the terms that hold, [`Configurations::words`] words for each configuration, in ascending order.
    keys: Vec<u64>,
    counts: Vec<Count>,
}

impl Configurations {
    /// The configurations of so many terms, with their keys in ascending order, one after the other.
    pub(super) fn new(terms: usize, keys: Vec<u64>, counts: Vec<Count>) -> Self {
        debug_assert_eq!(keys.len(), counts.len() * words(terms));
        Self { terms, keys, counts }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are none, for want of rows.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The number of terms.
    pub fn terms(&self) -> usize {
        self.terms
    }

    /// The rows of each configuration.
    pub fn counts(&self) -> &[Count] {
        &self.counts
    }

    /// The bits of the terms that hold in a configuration: term 0 is the lowest bit of the first word.
    pub fn key(&self, configuration: usize) -> &[u64] {
        let words = words(self.terms);
        &self.keys[configuration * words..(configuration + 1) * words]
    }

    /// Whether a term holds in a configuration.
    pub fn holds(&self, configuration: usize, term: usize) -> bool {
        self.key(configuration)[term / 64] >> (term % 64) & 1 == 1
    }

    /// The configuration with these bits, if it occurs.
    pub fn find(&self, key: &[u64]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.key(middle).cmp(key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The rows in which a term holds.
    pub fn total(&self, term: usize) -> Count {
        let held = (0..self.len()).filter(|&configuration| self.holds(configuration, term));
        held.fold(Count::default(), |sum, configuration| sum + self.counts[configuration])
    }

    /// The words of a key.
    pub fn words(&self) -> usize {
        words(self.terms)
    }

    /// The terms that hold in a configuration.
    pub fn held(&self, configuration: usize) -> impl Iterator<Item = usize> {
        ones(self.key(configuration))
    }
}

/// The words that the bits of so many terms take.
pub(super) fn words(terms: usize) -> usize {
    terms.div_ceil(64).max(1)
}
