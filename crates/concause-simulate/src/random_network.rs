//! Random Bayesian networks: structure and tables.

use concause::random::Random;

use super::planted::{Planted, Sample, logistic, shift_to_share};
use super::unnamed::UnnamedData;
use super::{AllowedRange, SimulateError};

/// A random Bayesian network of binary columns, and a target that has some of them as parents.
///
/// The network has m columns before any is split, in a random order. Each pair of columns has an edge from the earlier
/// to the later with probability `neighbours`/(m − 1). A column with more than `most_parents` parents loses random
/// ones. Every row of every probability table is u₁/(u₁ + u₂) with uniform u₁ and u₂. The target has random parents
/// and a random table of the same kind, whose logits are shifted to the requested share.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomNetwork {
    /// The target and its causes.
    pub planted: Planted,
    /// The mean number of edges of a column, to parents and to children.
    pub neighbours: f64,
    /// The largest number of parents of a column.
    pub most_parents: usize,
}

/// The largest number of parents: a table has a row for each of their configurations.
const MAX_TABLE_PARENTS: usize = 16;

impl RandomNetwork {
    pub(crate) fn check(&self, predictors: usize) -> Result<(), SimulateError> {
        self.planted.check(predictors)?;
        let causes = self.planted.causes();
        if causes > MAX_TABLE_PARENTS {
            return Err(SimulateError::TooManyCauses { causes, limit: MAX_TABLE_PARENTS });
        }
        AllowedRange::at_most(MAX_TABLE_PARENTS as f64).check_count("most-parents", self.most_parents)?;
        AllowedRange::at_least(0.0).check("neighbours", self.neighbours)
    }

    pub(crate) fn generate(
        &self,
        rows: usize,
        predictors: usize,
        random: &mut Random,
    ) -> Result<UnnamedData, SimulateError> {
        self.planted.generate(predictors, random, |columns, random| self.sample(rows, columns, random))
    }

    fn sample(&self, rows: usize, columns: usize, random: &mut Random) -> Sample {
        let mut data: Vec<Vec<bool>> = Vec::with_capacity(columns);
        for parents in self.draw_structure(columns, random) {
            let table: Vec<f64> = (0..1 << parents.len())
                .map(|_| {
                    let (one, zero) = (1.0 - random.unit(), 1.0 - random.unit());
                    one / (one + zero)
                })
                .collect();
            data.push(
                (0..rows).map(|row| random.chance(table[configuration(&data, &parents, row)])).collect(),
            );
        }
        let mut parents: Vec<usize> = (0..columns).collect();
        random.shuffle(&mut parents);
        parents.truncate(self.planted.causes());
        let outcome = self.outcome(rows, &data, &parents, random);
        Sample { columns: data, parents, outcome }
    }

    /// Draws the parents of every column.
    fn draw_structure(&self, columns: usize, random: &mut Random) -> Vec<Vec<usize>> {
        let edge = self.neighbours / columns.saturating_sub(1).max(1) as f64;
        (0..columns)
            .map(|column| {
                let mut parents: Vec<usize> = (0..column).filter(|_| random.chance(edge)).collect();
                if parents.len() > self.most_parents {
                    random.shuffle(&mut parents);
                    parents.truncate(self.most_parents);
                }
                parents
            })
            .collect()
    }

    fn outcome(&self, rows: usize, data: &[Vec<bool>], parents: &[usize], random: &mut Random) -> Vec<bool> {
        let configurations: Vec<usize> = (0..rows).map(|row| configuration(data, parents, row)).collect();
        // The logit of u1/(u1 + u2) is ln(u1/u2); the weight of a configuration is its number of rows.
        let mut logits: Vec<(f64, f64)> = (0..1 << parents.len())
            .map(|_| (libm::log(1.0 - random.unit()) - libm::log(1.0 - random.unit()), 0.0))
            .collect();
        for &configuration in &configurations {
            logits[configuration].1 += 1.0;
        }
        let shift = shift_to_share(&logits, self.planted.share);
        let table: Vec<f64> = logits.iter().map(|(logit, _)| logistic(logit + shift)).collect();
        configurations.into_iter().map(|configuration| random.chance(table[configuration])).collect()
    }
}

/// The bits of the given columns in a row, as a number.
fn configuration(data: &[Vec<bool>], columns: &[usize], row: usize) -> usize {
    columns.iter().enumerate().map(|(place, &column)| usize::from(data[column][row]) << place).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recipe, RecipeKind};

    fn network() -> RandomNetwork {
        let RecipeKind::Network(network) = Recipe::named("syn-20").unwrap().kind else {
            panic!("not a network")
        };
        network
    }

    #[test]
    fn structures_are_sparse_and_bounded() {
        let network = network();
        let mut random = Random::new(9);
        let (columns, draws) = (16, 2000);
        let mut edges = 0;
        for _ in 0..draws {
            for (column, parents) in network.draw_structure(columns, &mut random).iter().enumerate() {
                edges += parents.len();
                assert!(parents.len() <= 4 && parents.iter().all(|&parent| parent < column));
            }
        }
        // 120 pairs at 1/15: 8 edges a network, a few less because a column has at most 4 parents.
        let mean = edges as f64 / f64::from(draws);
        assert!((mean - 8.0).abs() < 0.4, "{mean}");
        let dense = RandomNetwork { neighbours: 15.0, most_parents: 3, ..network };
        let lengths: Vec<usize> = dense.draw_structure(6, &mut random).iter().map(Vec::len).collect();
        assert_eq!(lengths, [0, 1, 2, 3, 3, 3]);
    }

    #[test]
    fn tables_are_ratios_of_uniform_numbers() {
        let network = network();
        let mut random = Random::new(10);
        // A column without parents is 1 with probability u1/(u1 + u2): at most 1/4 in 1/6 of all networks, and
        // its mean is 1/2.
        let (mut small, mut sum) = (0.0, 0.0);
        let draws = 3000;
        for _ in 0..draws {
            let ones = network.sample(400, 8, &mut random).columns[0].iter().filter(|&&one| one).count();
            small += f64::from(u8::from(ones <= 100));
            sum += ones as f64 / 400.0;
        }
        let (small, mean) = (small / f64::from(draws), sum / f64::from(draws));
        assert!((small - 1.0 / 6.0).abs() < 0.04, "{small}");
        assert!((mean - 0.5).abs() < 6.0 * 0.23 / f64::from(draws).sqrt(), "{mean}");
    }

    #[test]
    fn the_target_has_a_random_table_too() {
        let network = network();
        let mut random = Random::new(20);
        let (rows, draws) = (4000, 2000);
        let data = [(0..rows).map(|row| row % 2 == 0).collect::<Vec<bool>>()];
        let mut far = 0;
        for _ in 0..draws {
            let outcome = network.outcome(rows, &data, &[0], &mut random);
            let logit = |parity: usize| {
                let cases = outcome.iter().skip(parity).step_by(2).filter(|&&case| case).count() as f64;
                (cases + 0.5).ln() - (rows as f64 / 2.0 - cases + 0.5).ln()
            };
            far += u32::from((logit(0) - logit(1)).abs() > 2.0);
        }
        // The logit of u1/(u1 + u2) has Laplace's distribution, and the difference X of two of them
        // P(|X| > x) = e^−x (1 + x/2): .271 for x = 2.
        let share = f64::from(far) / f64::from(draws);
        assert!((share - 0.271).abs() < 0.05, "{share}");
    }

    #[test]
    fn children_depend_on_their_parents_and_unrelated_columns_do_not() {
        let mut network = network();
        network.neighbours = 0.0;
        let mut random = Random::new(11);
        let correlation = |sample: &Sample| {
            let [left, right] = [&sample.columns[0], &sample.columns[1]];
            let n = left.len() as f64;
            let mean = |bits: &[bool]| bits.iter().filter(|&&bit| bit).count() as f64 / n;
            let both = left.iter().zip(right).filter(|(left, right)| **left && **right).count() as f64 / n;
            let (left, right) = (mean(left), mean(right));
            (both - left * right) / (left * (1.0 - left) * right * (1.0 - right)).sqrt()
        };
        let unrelated = correlation(&network.sample(20_000, 8, &mut random));
        assert!(unrelated.abs() < 6.0 / 20_000f64.sqrt(), "{unrelated}");
        network.neighbours = 7.0;
        let mut related: Vec<f64> =
            (0..9).map(|_| correlation(&network.sample(20_000, 8, &mut random)).abs()).collect();
        related.sort_by(f64::total_cmp);
        assert!(related[4] > 0.1, "{related:?}");
    }
}
