//! Sums of row weights over the rows of conjunctions, for the score tests of a model.
//!
//! All rows of one class and one configuration of the terms have the same weight. Weights are whole numbers, so the
//! sums are exact: they do not depend on the order of the rows, and sums over disjoint subsets of the rows add up.

use std::ops::{Add, AddAssign, Sub};

use rayon::prelude::*;

use super::grouped::Grouped;
use super::{Configurations, LocalCounter};
use crate::dataset::{BLOCK_BITS, Block, Candidate, ones};

/// The score and the information of a row, or of all rows of a conjunction, in fixed-point numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// The slope of the log-likelihood.
    pub score: i64,
    /// Minus its second derivative.
    pub information: i64,
}

impl Weight {
    /// The sum, unless it overflows.
    pub fn checked_add(self, other: Weight) -> Option<Weight> {
        Some(Weight {
            score: self.score.checked_add(other.score)?,
            information: self.information.checked_add(other.information)?,
        })
    }

    /// The larger of the absolute values of the score and of the information.
    pub(super) fn magnitude(self) -> u64 {
        self.score.unsigned_abs().max(self.information.unsigned_abs())
    }
}

impl Add for Weight {
    type Output = Weight;
    fn add(self, other: Weight) -> Weight {
        Weight { score: self.score + other.score, information: self.information + other.information }
    }
}

impl AddAssign for Weight {
    fn add_assign(&mut self, other: Weight) {
        *self = *self + other;
    }
}

impl Sub for Weight {
    type Output = Weight;
    fn sub(self, other: Weight) -> Weight {
        Weight { score: self.score - other.score, information: self.information - other.information }
    }
}

/// The weights of the rows: for each configuration of the terms, the weight of a case and of a control.
#[derive(Clone, Debug)]
pub struct RowWeights {
    /// The terms.
    pub terms: Vec<Candidate>,
    /// Their configurations.
    pub configurations: Configurations,
    /// The weight of a case and of a control of each configuration.
    pub weights: Vec<[Weight; 2]>,
}

impl RowWeights {
    /// No sum over this many rows has a larger magnitude.
    pub(super) fn largest_sum(&self, rows: u64) -> u128 {
        let largest = self.weights.iter().flatten().map(|weight| weight.magnitude()).max();
        u128::from(largest.unwrap_or(0)) * u128::from(rows)
    }
}

/// Receives the sums of a left candidate with each right column: `on_sums(left, sums)`. Calls come in any order and
/// from any thread.
pub type OnSums<'a> = dyn Fn(usize, &[Weight]) + Sync + 'a;

impl LocalCounter<'_> {
    /// The weight of each row, by position in a bitmap.
    fn weigh_rows(&self, weights: &RowWeights) -> Vec<Weight> {
        let counted = self.counted();
        let bitmaps: Vec<_> = weights
            .terms
            .iter()
            .map(|term| {
                self.rows_of(term, Some(&counted)).map_or_else(|| counted.clone(), |rows| rows.into_owned())
            })
            .collect();
        let grouped = Grouped::new(self.layout(), &counted, &bitmaps, true);
        let local = &grouped.configurations;
        let of_configuration: Vec<[Weight; 2]> = (0..local.len())
            .map(|place| {
                weights
                    .configurations
                    .find(local.key(place))
                    .map_or_else(Default::default, |at| weights.weights[at])
            })
            .collect();
        let split = self.layout().positive_blocks() * BLOCK_BITS as usize;
        let mut by_row = vec![Weight::default(); 64 * Block::words(&counted).len()];
        for position in ones(Block::words(&counted)) {
            by_row[position] =
                of_configuration[grouped.configuration(position)][usize::from(position >= split)];
        }
        by_row
    }

    /// Sums the weights of the rows in which a left candidate and a right literal hold. A left candidate is combined
    /// with the right literals from the given position on.
    pub(super) fn sum_weights(
        &self,
        weights: &RowWeights,
        left: &[(Candidate, usize)],
        right: &[u32],
        on_sums: &OnSums<'_>,
    ) {
        let by_row = self.weigh_rows(weights);
        let counted = self.counted();
        left.par_iter().enumerate().for_each(|(number, (candidate, from))| {
            let rows = self.rows_of(candidate, Some(&counted));
            let rows = Block::words(rows.as_deref().unwrap_or(&counted));
            let sum = |&column: &u32| {
                let bits = Block::words(self.dataset().bits(column as usize));
                let mut sum = Weight::default();
                for (word, (&rows, &bits)) in rows.iter().zip(bits).enumerate() {
                    let mut both = rows & bits;
                    while both != 0 {
                        sum += by_row[64 * word + both.trailing_zeros() as usize];
                        both &= both - 1;
                    }
                }
                sum
            };
            let sums: Vec<Weight> = right[*from..].iter().map(sum).collect();
            on_sums(number, &sums);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Count, Counter};
    use crate::dataset::{DatasetBuilder, Target};
    use crate::random::Random;

    #[test]
    fn sums_agree_with_adding_row_by_row() {
        let mut random = Random::new(5);
        let rows: Vec<(bool, [bool; 5])> =
            (0..1500).map(|_| (random.chance(0.3), std::array::from_fn(|_| random.chance(0.4)))).collect();
        let outcome = rows.iter().map(|row| row.0).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        for column in 0..5 {
            let held = rows.iter().map(|row| row.1[column].then_some(0));
            builder.attribute("V", vec![format!("V{column}")], held);
        }
        let data = builder.finish();
        let counter = LocalCounter::new(&data);
        let terms = vec![Candidate::single(0), Candidate::new(vec![1, 7])];
        let configurations = counter.configurations_of(&terms).unwrap();
        let weight = |place: i64, class: i64| Weight { score: 3 * place - 7 * class, information: 1 + place };
        let weights =
            (0..configurations.len() as i64).map(|place| [weight(place, 0), weight(place, 1)]).collect();
        let weights = RowWeights { terms, configurations: configurations.clone(), weights };
        let left = [(Candidate::default(), 0), (Candidate::new(vec![2, 8]), 1), (Candidate::single(4), 2)];
        let right = [0, 3, 9];
        let holds = |row: &[bool; 5], literal: u32| row[literal as usize % 5] != (literal >= 5);
        let found = std::sync::Mutex::new(Vec::new());
        counter
            .weighted_sums(&weights, &left, &right, &|number, sums| {
                found.lock().unwrap().push((number, sums.to_vec()));
            })
            .unwrap();
        let mut found = found.into_inner().unwrap();
        found.sort_by_key(|(number, _)| *number);
        for (number, sums) in found {
            let (candidate, from) = &left[number];
            for (&literal, &sum) in right[*from..].iter().zip(&sums) {
                let mut wanted = Weight::default();
                for (is_case, row) in &rows {
                    if holds(row, literal) && candidate.columns().iter().all(|&other| holds(row, other)) {
                        let key = u64::from(row[0]) | u64::from(row[1] && !row[2]) << 1;
                        let place = configurations.find(&[key]).unwrap();
                        wanted += weights.weights[place][usize::from(!is_case)];
                    }
                }
                assert_eq!(sum, wanted);
            }
        }
        assert_eq!(counter.rows(), Count { positive: data.positive(), negative: data.negative() });
    }
}
