//! Rows grouped by the values of some terms, for regression models and strata.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::Count;
use crate::dataset::ones;

/// The configurations of some terms (which of them hold) that occur in the data, with their counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configurations {
    terms: usize,
    /// One bit per term that holds; [`Configurations::words`] words per configuration, in ascending order.
    keys: Vec<u64>,
    counts: Vec<Count>,
}

impl Configurations {
    /// The configurations of this number of terms; `keys` has their concatenated keys, in ascending order.
    pub fn new(terms: usize, keys: Vec<u64>, counts: Vec<Count>) -> Self {
        debug_assert_eq!(keys.len(), counts.len() * Self::words_for(terms));
        Self { terms, keys, counts }
    }

    /// The number of configurations.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are no configurations, because there are no rows.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The number of terms.
    pub fn terms(&self) -> usize {
        self.terms
    }

    /// The counts of each configuration.
    pub fn counts(&self) -> &[Count] {
        &self.counts
    }

    /// The key of a configuration: a bit for each term that holds. Term 0 is the lowest bit of the first word.
    pub fn key(&self, configuration: usize) -> &[u64] {
        let words = self.words();
        &self.keys[configuration * words..(configuration + 1) * words]
    }

    /// Whether a term holds in a configuration.
    pub fn holds(&self, configuration: usize, term: usize) -> bool {
        self.key(configuration)[term / 64] >> (term % 64) & 1 == 1
    }

    /// The index of the configuration with this key, if it occurs.
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

    /// The count of a term: the rows in which it holds.
    pub fn total(&self, term: usize) -> Count {
        let with_term = (0..self.len()).filter(|&configuration| self.holds(configuration, term));
        with_term.fold(Count::default(), |sum, configuration| sum + self.counts[configuration])
    }

    /// Numbers the configurations of some of the terms, in the order of their first occurrence: the number of each
    /// configuration, and how many numbers there are.
    pub fn merged(&self, terms: &[usize]) -> (Vec<u32>, usize) {
        let mut mask = vec![0u64; self.words()];
        terms.iter().for_each(|&term| mask[term / 64] |= 1 << (term % 64));
        let mut numbers = vec![0u32; self.len()];
        let mut count = self.len().min(1);
        for word in (0..self.words()).filter(|&word| mask[word] != 0) {
            let mut known: FxHashMap<(u32, u64), u32> = FxHashMap::default();
            for (configuration, number) in numbers.iter_mut().enumerate() {
                let key = (*number, self.key(configuration)[word] & mask[word]);
                let next = known.len() as u32;
                *number = *known.entry(key).or_insert(next);
            }
            count = known.len();
        }
        (numbers, count)
    }

    /// The number of words of a key.
    pub fn words(&self) -> usize {
        Self::words_for(self.terms)
    }

    /// The number of words of a key for this number of terms.
    pub fn words_for(terms: usize) -> usize {
        terms.div_ceil(64).max(1)
    }

    /// The terms that hold in a configuration.
    pub fn held(&self, configuration: usize) -> impl Iterator<Item = usize> {
        ones(self.key(configuration))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_that_differ_in_other_terms_have_one_number() {
        // Three terms in two words, with empty words between them.
        let keys = [[0, 0, 0], [1, 0, 0], [0, 0, 1], [3, 0, 1], [1, 0, 1]].concat();
        let configurations = Configurations::new(130, keys, vec![Count::default(); 5]);
        assert_eq!(configurations.merged(&[0, 1, 128]), (vec![0, 1, 2, 3, 4], 5));
        assert_eq!(configurations.merged(&[0, 128]), (vec![0, 1, 2, 3, 3], 4));
        assert_eq!(configurations.merged(&[128]), (vec![0, 0, 1, 1, 1], 2));
        assert_eq!(configurations.merged(&[]), (vec![0; 5], 1));
        assert_eq!(Configurations::default().merged(&[]), (vec![], 0));
    }
}
