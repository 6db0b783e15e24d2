//! Causes planted in data: some parents of the target stay single causes, others are split into combined ones.

use super::draft::{Draft, Literal};
use super::{Random, Split, Variable};

/// So many samples are drawn at most until the strongest parents are strong enough.
const MOST_DRAWS: usize = 2000;

/// Which parents of the target are split into combined causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Parents {
    /// Random ones.
    #[default]
    Random,
    /// Those with the largest G²(A, T) in the rows; network and rows are drawn again until each has at least
    /// [`Planted::least_g2`].
    Strongest,
}

impl Parents {
    /// Both.
    pub const ALL: [Parents; 2] = [Parents::Random, Parents::Strongest];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Parents::Random => "random",
            Parents::Strongest => "strongest",
        }
    }
}

/// The target and its causes in a network whose other columns are drawn first.
#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    /// The share of T=1, met in expectation: the logits of P(T=1 | parents) are shifted until their mean probability
    /// over the rows drawn is the share.
    pub share: f64,
    /// The number of single causes.
    pub singles: usize,
    /// The number of combined causes.
    pub combined: usize,
    /// The number of columns in a combined cause.
    pub parts: usize,
    /// How a parent becomes the parts of a combined cause.
    pub split: Split,
    /// Which parents do.
    pub parents: Parents,
    /// The least G²(A, T) of those, for [`Parents::Strongest`]; 10.83 is significant at .001.
    pub least_g2: f64,
}

/// Columns before any is split, the target, and which columns are its parents, in random order.
pub(super) struct Sample {
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
    pub(super) fn columns_before(&self, predictors: usize) -> Option<usize> {
        predictors.checked_sub(self.combined.checked_mul(self.parts.checked_sub(1)?)?)
    }

    /// The first thing that is wrong with these parameters, as a sentence.
    pub(super) fn check(&self, predictors: usize) -> Result<(), String> {
        if !(self.share > 0.0 && self.share < 1.0) {
            return Err(format!("share must lie between 0 and 1, both excluded, but is {}", self.share));
        }
        if !(2..=8).contains(&self.parts) {
            return Err(format!("parts must be 2 to 8, but is {}", self.parts));
        }
        let needed = self.combined.saturating_mul(self.parts).saturating_add(self.singles);
        if needed > predictors {
            return Err(format!(
                "{} single causes and {} combined ones of {} parts need {needed} predictors, but there are {predictors}",
                self.singles, self.combined, self.parts
            ));
        }
        if !(self.least_g2 >= 0.0 && self.least_g2.is_finite()) {
            return Err(format!("least-g2 must be a number that is not negative, but is {}", self.least_g2));
        }
        Ok(())
    }

    /// Draws samples until the parents to be split are as asked, and splits them.
    pub(super) fn draft(
        &self,
        random: &mut Random,
        mut sample: impl FnMut(&mut Random) -> Sample,
    ) -> Result<Draft, String> {
        if self.parents == Parents::Random {
            let sample = sample(random);
            return Ok(self.split(sample, random));
        }
        for _ in 0..MOST_DRAWS {
            let mut sample = sample(random);
            let strength = |&parent: &usize| g2(&sample.columns[parent], &sample.outcome);
            let mut parents: Vec<(f64, usize)> =
                sample.parents.iter().map(|parent| (strength(parent), *parent)).collect();
            parents.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
            if parents[..self.combined].iter().all(|(strength, _)| *strength >= self.least_g2) {
                sample.parents = parents.into_iter().map(|(_, parent)| parent).collect();
                return Ok(self.split(sample, random));
            }
        }
        Err(format!(
            "none of {MOST_DRAWS} random networks had enough parents of the target with a G² of {} or more ({} needed): ask \
             for more rows, fewer combined causes, a smaller least-g2, or random parents",
            self.least_g2, self.combined
        ))
    }

    /// Splits the first parents; the others are single causes.
    fn split(&self, sample: Sample, random: &mut Random) -> Draft {
        let Sample { mut columns, parents, outcome } = sample;
        let (split, single) = parents.split_at(self.combined);
        let mut causes: Vec<Vec<Literal>> =
            single.iter().map(|&column| vec![Literal::plain(column)]).collect();
        for &parent in split {
            // The first part takes the place of the parent, the others come behind all columns.
            let mut parts = self.split.parts(&columns[parent], &outcome, self.parts, random).into_iter();
            columns[parent] = parts.next().unwrap_or_default();
            let behind = columns.len()..columns.len() + parts.len();
            columns.extend(parts);
            causes.push(std::iter::once(parent).chain(behind).map(Literal::plain).collect());
        }
        let columns = columns.iter().map(|bits| Variable::binary(String::new(), bits)).collect();
        Draft { columns, causes, outcome }
    }
}

/// G² of a column and the target. (The search has its own, whose logarithms are those of the platform; the redraws
/// must not hang on their last bit.)
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
pub(super) fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// The number that added to all logits makes their mean probability the share; each logit counts with its weight.
pub(super) fn shift_to_share(logits: &[(f64, f64)], share: f64) -> f64 {
    let weight: f64 = logits.iter().map(|(_, weight)| weight).sum();
    let share_logit = libm::log(share) - libm::log(1.0 - share);
    let extreme = |of: fn(f64, f64) -> f64| logits.iter().map(|(logit, _)| *logit).reduce(of).unwrap_or(0.0);
    // With the largest logit at the share the mean is at most the share, with the smallest it is at least that.
    let (mut low, mut high) = (share_logit - extreme(f64::max), share_logit - extreme(f64::min));
    // Halved so often, an interval of any logits in use is a rounding error wide.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let mean: f64 = logits.iter().map(|(logit, weight)| weight * logistic(logit + middle)).sum();
        if mean < share * weight {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Count, Stratum};
    use crate::independence::{Outcome, Test};

    #[test]
    fn the_shift_meets_the_share() {
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
    fn g2_is_that_of_the_search() {
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
            let Outcome::Tested(tested) = Test::G2.assess(&table) else { panic!("not tested") };
            assert!((g2(&column, &outcome) - tested.statistic).abs() < 1e-9);
        }
        assert_eq!(g2(&[true; 4], &[true, false, true, true]), 0.0);
    }
}
