//! The predictors of a risk model: independent, or from a random network.

use std::ops::Bound;

use concause::random::Random;

use super::causes::{MAX_VALUES, PredictorKind, value_name};
use super::planted::logistic;
use super::{AllowedRange, SimulateError, Uniform, Variable};

/// How the predictors of a [risk model](super::RiskModel) are drawn.
///
/// With `neighbours` above 0, binary predictors form a random network: they are drawn in a random order, and each
/// earlier one is a parent of each later one with probability `neighbours`/(predictors − 1). The log odds of a
/// predictor are those of its share plus the sum of weight·(parent − share of the parent's ones in the sample).
#[derive(Clone, Debug, PartialEq)]
pub struct Predictors {
    /// The share of ones in each binary predictor.
    pub shares: Uniform,
    /// The number of nominal predictors. There are more if the causes need more.
    pub nominal: usize,
    /// The numbers of values that a nominal predictor can have, all equally likely. The values have random weights
    /// between 1 and 2.
    pub values: Vec<usize>,
    /// The number of numeric predictors. There are more if the causes need more. Each has a standard normal
    /// distribution, rounded to two decimals.
    pub numeric: usize,
    /// The mean number of edges of a binary predictor in the network, to parents and to children.
    pub neighbours: f64,
    /// The weight of each edge as a log odds ratio; its sign is random.
    pub edges: Uniform,
    /// The probability that a cell is empty, regardless of everything else.
    pub missing: f64,
}

impl Default for Predictors {
    fn default() -> Self {
        Self {
            shares: Uniform { low: 0.3, high: 0.7 },
            nominal: 0,
            values: vec![3, 4, 5],
            numeric: 0,
            neighbours: 0.0,
            edges: Uniform { low: 0.8, high: 1.6 },
            missing: 0.0,
        }
    }
}

impl Predictors {
    pub(crate) fn check(&self) -> Result<(), SimulateError> {
        self.shares.check("shares", 0.0, 1.0)?;
        let values = AllowedRange { low: Bound::Included(2.0), high: Bound::Included(MAX_VALUES as f64) };
        for &number in &self.values {
            values.check_count("values", number)?;
        }
        AllowedRange::at_least(0.0).check("neighbours", self.neighbours)?;
        self.edges.check("edges", -50.0, 50.0)?;
        AllowedRange::HALF_OPEN_UNIT.check("missing", self.missing)
    }

    /// The numbers of nominal and numeric predictors beyond those that the causes need.
    fn count_others(&self, kinds: &[PredictorKind]) -> [(PredictorKind, usize); 2] {
        [(PredictorKind::Nominal, self.nominal), (PredictorKind::Numeric, self.numeric)].map(
            |(kind, wanted)| {
                (kind, wanted.saturating_sub(kinds.iter().filter(|&&held| held == kind).count()))
            },
        )
    }

    /// The smallest number of predictors that holds those of the causes, given by their kinds, and those requested.
    pub(crate) fn count_needed(&self, kinds: &[PredictorKind]) -> usize {
        self.count_others(kinds).iter().fold(kinds.len(), |sum, (_, others)| sum.saturating_add(*others))
    }

    /// The kinds of all predictors, first those that the causes need.
    pub(crate) fn complete(&self, mut kinds: Vec<PredictorKind>, predictors: usize) -> Vec<PredictorKind> {
        for (kind, others) in self.count_others(&kinds) {
            kinds.extend(std::iter::repeat_n(kind, others));
        }
        kinds.extend(std::iter::repeat_n(PredictorKind::Binary, predictors.saturating_sub(kinds.len())));
        kinds
    }

    /// Draws predictors of these kinds. `predictors` is their number with those that are drawn later.
    pub(crate) fn draw(
        &self,
        kinds: &[PredictorKind],
        predictors: usize,
        rows: usize,
        random: &mut Random,
    ) -> Vec<Variable> {
        let shares: Vec<f64> = kinds.iter().map(|_| self.shares.draw(random)).collect();
        let mut order: Vec<usize> = (0..kinds.len()).collect();
        if self.neighbours > 0.0 {
            random.shuffle(&mut order);
        }
        let mut drawn: Vec<(usize, Variable)> = Vec::with_capacity(kinds.len());
        for column in order {
            let variable = match kinds[column] {
                PredictorKind::Binary => {
                    let parents =
                        self.draw_parents(drawn.iter().map(|(_, variable)| variable), predictors, random);
                    draw_binary(shares[column], &parents, rows, random)
                }
                PredictorKind::Nominal => self.draw_nominal(rows, random),
                PredictorKind::Numeric => {
                    let hundredths = |_| libm::round(100.0 * random.normal()) as i32;
                    Variable::hundredths(&(0..rows).map(hundredths).collect::<Vec<i32>>())
                }
            };
            drawn.push((column, variable));
        }
        drawn.sort_by_key(|(column, _)| *column);
        drawn.into_iter().map(|(_, variable)| variable).collect()
    }

    /// Draws a predictor that comes after the others and possibly after the target, of which it may be an effect.
    pub(crate) fn draw_later(
        &self,
        earlier: &[Variable],
        target: Option<&Variable>,
        predictors: usize,
        random: &mut Random,
    ) -> Variable {
        let rows = earlier.first().or(target).map_or(0, |variable| variable.codes.len());
        let share = self.shares.draw(random);
        let mut parents = self.draw_parents(earlier.iter(), predictors, random);
        if let Some(target) = target {
            parents.push((self.draw_weight(random), target));
        }
        draw_binary(share, &parents, rows, random)
    }

    /// Draws the parents of a binary predictor among those drawn before it, with their weights.
    fn draw_parents<'a>(
        &self,
        earlier: impl Iterator<Item = &'a Variable>,
        predictors: usize,
        random: &mut Random,
    ) -> Vec<(f64, &'a Variable)> {
        let mut parents = Vec::new();
        if self.neighbours > 0.0 {
            let edge = self.neighbours / predictors.saturating_sub(1).max(1) as f64;
            for variable in earlier.filter(|variable| variable.code_of_true().is_some()) {
                if random.chance(edge) {
                    parents.push((self.draw_weight(random), variable));
                }
            }
        }
        parents
    }

    fn draw_weight(&self, random: &mut Random) -> f64 {
        let weight = self.edges.draw(random);
        if random.chance(0.5) { -weight } else { weight }
    }

    fn draw_nominal(&self, rows: usize, random: &mut Random) -> Variable {
        let number = self.values.get(random.below(self.values.len())).copied().unwrap_or(2);
        let weights: Vec<f64> = (0..number).map(|_| 1.0 + random.unit()).collect();
        let codes = (0..rows).map(|_| random.weighted(&weights) as u16).collect();
        Variable::nominal(String::new(), (0..number).map(value_name).collect(), codes)
    }

    /// Empties cells.
    pub(crate) fn remove_cells(&self, columns: &mut [Variable], random: &mut Random) {
        if self.missing > 0.0 {
            for code in columns.iter_mut().flat_map(|variable| &mut variable.codes) {
                if random.chance(self.missing) {
                    *code = Variable::MISSING;
                }
            }
        }
    }
}

fn draw_binary(share: f64, parents: &[(f64, &Variable)], rows: usize, random: &mut Random) -> Variable {
    let bits: Vec<bool> = if parents.is_empty() {
        (0..rows).map(|_| random.chance(share)).collect()
    } else {
        let mut logits = vec![libm::log(share) - libm::log(1.0 - share); rows];
        for (weight, parent) in parents {
            let ones = parent.codes.iter().filter(|&&code| code == 1).count() as f64;
            let mean = ones / rows as f64;
            for (logit, &code) in logits.iter_mut().zip(&parent.codes) {
                *logit += weight * (f64::from(code) - mean);
            }
        }
        logits.into_iter().map(|logit| random.chance(logistic(logit))).collect()
    };
    Variable::binary(String::new(), &bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: usize = 100_000;

    /// The share of rows in which the column has the code, among those in which the other has its own.
    fn share_where(column: &Variable, code: u16, other: &Variable, given: u16) -> f64 {
        let rows = column.codes.iter().zip(&other.codes).filter(|(_, held)| **held == given);
        let all = rows.clone().count() as f64;
        rows.filter(|(held, _)| **held == code).count() as f64 / all
    }

    #[test]
    fn kinds_are_completed() {
        use PredictorKind::{Binary, Nominal, Numeric};
        let predictors = Predictors { nominal: 2, numeric: 1, ..Predictors::default() };
        let kinds = predictors.complete(vec![Nominal, Numeric, Numeric, Binary], 7);
        assert_eq!(kinds, [Nominal, Numeric, Numeric, Binary, Nominal, Binary, Binary]);
        assert_eq!(predictors.count_needed(&[Numeric, Numeric]), 4);
        let many = Predictors { nominal: usize::MAX, ..predictors };
        assert_eq!(many.count_needed(&[Numeric]), usize::MAX);
    }

    #[test]
    fn numbers_are_normal_and_values_have_similar_shares() {
        let predictors = Predictors { values: vec![4], ..Predictors::default() };
        let kinds = [PredictorKind::Numeric, PredictorKind::Nominal];
        let [numeric, nominal] =
            predictors.draw(&kinds, 2, ROWS, &mut Random::new(41)).try_into().expect("two predictors");
        let numbers: Vec<f64> = numeric.values.iter().map(|value| value.parse().unwrap()).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
        let drawn = numeric.codes.iter().map(|&code| numbers[usize::from(code)]);
        let mean = drawn.clone().sum::<f64>() / ROWS as f64;
        let variance = drawn.clone().map(|number| number * number).sum::<f64>() / ROWS as f64;
        let above = drawn.filter(|&number| number >= 1.0).count() as f64 / ROWS as f64;
        let error = (ROWS as f64).sqrt().recip();
        assert!(mean.abs() < 6.0 * error && (variance - 1.0).abs() < 9.0 * error, "{mean} {variance}");
        // P(x ≥ .995) of a normal variable.
        assert!((above - 0.159_87).abs() < 3.0 * error, "{above}");
        assert_eq!(nominal.values, ["a", "b", "c", "d"]);
        for code in 0..4 {
            let share = nominal.codes.iter().filter(|&&held| held == code).count() as f64 / ROWS as f64;
            // Weights of 1 to 2 among four.
            assert!(share > 0.13 && share < 0.41, "{share}");
        }
    }

    #[test]
    fn children_depend_on_parents_with_the_weights_of_the_edges() {
        let predictors = Predictors {
            shares: Uniform::always(0.5),
            neighbours: 1.0,
            edges: Uniform::always(1.2),
            ..Predictors::default()
        };
        // With two predictors an edge is certain.
        for seed in 0..4 {
            let columns = predictors.draw(&[PredictorKind::Binary; 2], 2, ROWS, &mut Random::new(seed));
            let logit = |given| {
                let share = share_where(&columns[0], 1, &columns[1], given);
                (share / (1.0 - share)).ln()
            };
            assert!(((logit(1) - logit(0)).abs() - 1.2).abs() < 0.1, "{}", logit(1) - logit(0));
            for column in &columns {
                let ones = column.codes.iter().filter(|&&code| code == 1).count() as f64 / ROWS as f64;
                assert!((ones - 0.5).abs() < 0.01, "{ones}");
            }
        }
    }

    #[test]
    fn the_mean_number_of_edges_is_that_of_neighbours() {
        let predictors = Predictors { neighbours: 2.0, ..Predictors::default() };
        let earlier: Vec<Variable> = (0..39).map(|_| Variable::binary(String::new(), &[true])).collect();
        let mut random = Random::new(42);
        let draws = 2000;
        let edges: usize =
            (0..draws).map(|_| predictors.draw_parents(earlier.iter(), 40, &mut random).len()).sum();
        // Each of 39 pairs is an edge with probability 2/39.
        assert!((edges as f64 / f64::from(draws) - 2.0).abs() < 6.0 * 1.38 / f64::from(draws).sqrt());
    }

    #[test]
    fn cells_are_missing_at_random() {
        let predictors = Predictors { missing: 0.1, ..Predictors::default() };
        let mut columns = predictors.draw(&[PredictorKind::Binary; 2], 2, ROWS, &mut Random::new(43));
        let before = columns.clone();
        predictors.remove_cells(&mut columns, &mut Random::new(44));
        for (column, before) in columns.iter().zip(&before) {
            let missing = column.codes.iter().filter(|&&code| code == Variable::MISSING).count() as f64;
            assert!((missing / ROWS as f64 - 0.1).abs() < 6.0 * 0.3 / (ROWS as f64).sqrt());
            let held = |(code, before): (&u16, &u16)| code == before || *code == Variable::MISSING;
            assert!(column.codes.iter().zip(&before.codes).all(held));
            // As often where the value was 1 as where it was 0.
            for value in [0, 1] {
                assert!((share_where(column, Variable::MISSING, before, value) - 0.1).abs() < 0.01);
            }
        }
    }
}
