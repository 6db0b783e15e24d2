//! Causes planted in data: some parents of the target remain single causes, others are split into combined causes.

use std::ops::Bound;

use concause::random::Random;

use super::bisection::bisect;
use super::unnamed::{SignedVariable, UnnamedData};
use super::{AllowedRange, SimulateError, Split, Variable};

/// The largest number of samples to draw in search of parents that are strong enough.
const MAX_DRAWS: usize = 2000;

/// Which parents of the target are split into combined causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Parents {
    /// Random parents.
    #[default]
    Random,
    /// The parents with the largest G²(A, T) in the sample. The sample is redrawn until each of them has at least
    /// [`Planted::least_g2`].
    Strongest,
}

impl Parents {
    /// All choices.
    pub const ALL: [Parents; 2] = [Parents::Random, Parents::Strongest];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Parents::Random => "random",
            Parents::Strongest => "strongest",
        }
    }
}

/// The target and its causes, in data whose other columns are drawn first.
#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    /// The expected share of T=1: the logits of P(T=1 | parents) are shifted until the mean probability over the rows
    /// equals the share.
    pub share: f64,
    /// The number of single causes.
    pub singles: usize,
    /// The number of combined causes.
    pub combined: usize,
    /// The number of columns in a combined cause.
    pub parts: usize,
    /// How a parent is split into the parts of a combined cause.
    pub split: Split,
    /// Which parents are split.
    pub parents: Parents,
    /// The smallest G²(A, T) of the parents that are split, for [`Parents::Strongest`]; 10.83 is significant at .001.
    pub least_g2: f64,
}

/// The columns before any is split, the parents of the target among them in random order, and the outcome.
pub(crate) struct Sample {
    pub columns: Vec<Vec<bool>>,
    pub parents: Vec<usize>,
    pub outcome: Vec<bool>,
}

impl Planted {
    /// The number of parents of the target.
    pub fn causes(&self) -> usize {
        self.singles.saturating_add(self.combined)
    }

    /// The number of columns before the split, which adds `parts` − 1 columns for each combined cause.
    fn columns_before(&self, predictors: usize) -> Option<usize> {
        predictors.checked_sub(self.combined.checked_mul(self.parts.checked_sub(1)?)?)
    }

    /// Returns the first error among these parameters.
    pub(crate) fn check(&self, predictors: usize) -> Result<(), SimulateError> {
        AllowedRange::OPEN_UNIT.check("share", self.share)?;
        let parts = AllowedRange { low: Bound::Included(2.0), high: Bound::Included(8.0) };
        parts.check_count("parts", self.parts)?;
        let needed = self.combined.saturating_mul(self.parts).saturating_add(self.singles);
        if needed > predictors {
            return Err(SimulateError::TooFewPredictors {
                singles: self.singles,
                combined: self.combined,
                parts: self.parts,
                needed,
                predictors,
            });
        }
        AllowedRange::at_least(0.0).check("least-g2", self.least_g2)
    }

    /// Draws samples until the parents to be split are strong enough, and splits them.
    pub(crate) fn generate(
        &self,
        predictors: usize,
        random: &mut Random,
        mut sample: impl FnMut(usize, &mut Random) -> Sample,
    ) -> Result<UnnamedData, SimulateError> {
        let columns = self.columns_before(predictors).unwrap_or(0);
        if self.parents == Parents::Random {
            let sample = sample(columns, random);
            return Ok(self.split_parents(sample, random));
        }
        for _ in 0..MAX_DRAWS {
            let mut sample = sample(columns, random);
            let strength = |&parent: &usize| g2(&sample.columns[parent], &sample.outcome);
            let mut parents: Vec<(f64, usize)> =
                sample.parents.iter().map(|parent| (strength(parent), *parent)).collect();
            parents.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
            if parents[..self.combined].iter().all(|(strength, _)| *strength >= self.least_g2) {
                sample.parents = parents.into_iter().map(|(_, parent)| parent).collect();
                return Ok(self.split_parents(sample, random));
            }
        }
        Err(SimulateError::WeakParents { draws: MAX_DRAWS, least_g2: self.least_g2, needed: self.combined })
    }

    /// Splits the first parents; the others remain single causes.
    fn split_parents(&self, sample: Sample, random: &mut Random) -> UnnamedData {
        let Sample { mut columns, parents, outcome } = sample;
        let (split, single) = parents.split_at(self.combined);
        let mut causes: Vec<Vec<SignedVariable>> =
            single.iter().map(|&column| vec![SignedVariable::positive(column)]).collect();
        for &parent in split {
            // The first part replaces the parent; the others are appended.
            let mut parts =
                self.split.split_column(&columns[parent], &outcome, self.parts, random).into_iter();
            columns[parent] = parts.next().unwrap_or_default();
            let appended = columns.len()..columns.len() + parts.len();
            columns.extend(parts);
            causes.push(std::iter::once(parent).chain(appended).map(SignedVariable::positive).collect());
        }
        let columns = columns.iter().map(|bits| Variable::binary(String::new(), bits)).collect();
        UnnamedData { columns, causes, outcome }
    }
}

/// G² of a column and the target. (The search uses the logarithm of the platform. Redraws must be the same on every
/// machine, so this one uses `libm`.)
fn g2(column: &[bool], outcome: &[bool]) -> f64 {
    let mut counts = [[0.0f64; 2]; 2];
    for (&one, &case) in column.iter().zip(outcome) {
        counts[usize::from(one)][usize::from(case)] += 1.0;
    }
    let all = column.len() as f64;
    let mut sum = 0.0;
    for one in 0..2 {
        for case in 0..2 {
            let observed = counts[one][case];
            let expected = (counts[one][0] + counts[one][1]) * (counts[0][case] + counts[1][case]) / all;
            if observed > 0.0 {
                sum += observed * libm::log(observed / expected);
            }
        }
    }
    2.0 * sum
}

/// The probability of a logit.
pub(crate) fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// The shift of all logits that makes their weighted mean probability equal to the share.
pub(crate) fn shift_to_share(logits: &[(f64, f64)], share: f64) -> f64 {
    let weight: f64 = logits.iter().map(|(_, weight)| weight).sum();
    let share_logit = libm::log(share) - libm::log(1.0 - share);
    let extreme =
        |pick: fn(f64, f64) -> f64| logits.iter().map(|(logit, _)| *logit).reduce(pick).unwrap_or(0.0);
    // With the largest logit at the share the mean is at most the share; with the smallest it is at least the share.
    let (low, high) = (share_logit - extreme(f64::max), share_logit - extreme(f64::min));
    // Sixty halvings reduce the interval to rounding error.
    bisect(low, high, 60, |shift| {
        let sum: f64 = logits.iter().map(|(logit, weight)| weight * logistic(logit + shift)).sum();
        sum < share * weight
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause::count::{Count, Stratum};
    use concause::stats::{Test, TestOutcome};

    #[test]
    fn the_shift_gives_the_share() {
        // One logit: the shift is the difference of logits.
        let shift = shift_to_share(&[(2.0, 5.0)], 0.3);
        assert!((shift - ((0.3f64 / 0.7).ln() - 2.0)).abs() < 1e-12, "{shift}");
        let logits: Vec<(f64, f64)> =
            (0..100).map(|i| (f64::from(i) * 0.3 - 9.0, f64::from(1 + i % 3))).collect();
        for share in [0.001, 0.05, 0.5, 0.9] {
            let shift = shift_to_share(&logits, share);
            let (mut mean, mut all) = (0.0, 0.0);
            for (logit, weight) in &logits {
                mean += weight / (1.0 + (-logit - shift).exp());
                all += weight;
            }
            assert!((mean / all - share).abs() < 1e-12, "{share} {}", mean / all);
        }
    }

    #[test]
    fn g2_equals_that_of_the_search() {
        let mut random = Random::new(6);
        for _ in 0..50 {
            let outcome: Vec<bool> = (0..200).map(|_| random.chance(0.4)).collect();
            let column: Vec<bool> =
                outcome.iter().map(|&case| random.chance(if case { 0.5 } else { 0.3 })).collect();
            let count = |one: bool| {
                let rows = || column.iter().zip(&outcome).filter(|&(&bit, _)| bit == one);
                let positive = rows().filter(|(_, case)| **case).count() as u64;
                Count { positive, negative: rows().count() as u64 - positive }
            };
            let table = [Stratum { with: count(true), without: count(false) }];
            let TestOutcome::Tested(tested) = Test::G2.assess(&table, 0.05) else { panic!("not tested") };
            assert!((g2(&column, &outcome) - tested.statistic).abs() < 1e-9);
        }
        assert_eq!(g2(&[true; 4], &[true, false, true, true]), 0.0);
    }
}
