//! Rows grouped by the values of all terms of a model: the design matrix of a regression, one row for each group.
//!
//! Most terms hold in few groups, and some in nearly all. A term has a *usual* value, and a group lists only the terms
//! with the other value, so that sums take few steps. With z = 1 − x for the terms that usually hold, sums over x
//! follow from those over z.

use super::matrix::Matrix;
use crate::count::{Configurations, Count};
use crate::dataset::ones;

/// The design matrix of a regression: cells of rows with the same terms.
pub trait Design {
    /// The number of cells.
    fn cells(&self) -> usize;

    /// The number of cases and the number of rows of a cell.
    fn rows(&self, cell: usize) -> (f64, f64);

    /// Whether no term holds in a cell.
    fn holds_none(&self, cell: usize) -> bool;

    /// The linear predictor β₀ + Σ β_t t of each cell.
    fn predictors(&self, coefficients: &[f64]) -> impl Iterator<Item = f64>;

    /// The sum of weights over all cells, then over those in which each term holds.
    fn sums(&self, weights: &[f64], terms: usize) -> Vec<f64>;

    /// The weighted cross products Xᵀ W X, with a weight for each cell; the first column of X is 1 everywhere.
    fn cross_products(&self, weights: &[f64], terms: usize) -> Matrix;

    /// The number of cases and the number of rows of all cells.
    fn all_rows(&self) -> (f64, f64) {
        (0..self.cells())
            .map(|cell| self.rows(cell))
            .fold((0.0, 0.0), |sum, rows| (sum.0 + rows.0, sum.1 + rows.1))
    }
}

/// Rows grouped by the values of all terms of a model.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Whether each term usually holds; terms beyond the end usually do not.
    usual: Vec<bool>,
    /// The terms of each group without their usual value, as concatenated lists; `start` has the bounds of each list.
    terms: Vec<u32>,
    start: Vec<u32>,
    positive: Vec<f64>,
    total: Vec<f64>,
}

impl Groups {
    /// No groups yet, of terms that usually hold or not.
    pub(crate) fn with_usual(usual: Vec<bool>) -> Self {
        Self { usual, ..Self::default() }
    }

    /// Adds a group: the terms without their usual value, the number of cases and the number of rows.
    pub fn push(&mut self, terms: impl Iterator<Item = usize>, positive: f64, total: f64) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.terms.extend(terms.map(|term| term as u32));
        self.start.push(self.terms.len() as u32);
        self.positive.push(positive);
        self.total.push(total);
    }

    /// The groups of some terms of configurations, in ascending order.
    pub(crate) fn of_terms(configurations: &Configurations, terms: &[usize]) -> Self {
        let (numbers, count) = configurations.merged(terms);
        let usual = usual_values(configurations);
        let mut rows = vec![Count::default(); count];
        numbers.iter().zip(configurations.counts()).for_each(|(&number, &own)| {
            rows[number as usize] = rows[number as usize] + own;
        });
        let mut groups = Groups::with_usual(terms.iter().map(|&term| usual[term]).collect());
        for (configuration, &number) in numbers.iter().enumerate() {
            // The first configuration of each group stands for it.
            if number as usize == groups.total.len() {
                let differs = |term: usize| configurations.holds(configuration, term) != usual[term];
                let listed = terms.iter().enumerate().filter(|(_, term)| differs(**term));
                let count = rows[number as usize];
                let (positive, total) = (count.positive as f64, count.total() as f64);
                groups.push(listed.map(|(place, _)| place), positive, total);
            }
        }
        groups
    }

    /// The terms of a group without their usual value.
    fn listed(&self, group: usize) -> &[u32] {
        &self.terms[self.start[group] as usize..self.start[group + 1] as usize]
    }

    fn usually_holds(&self, term: usize) -> bool {
        self.usual.get(term).is_some_and(|&usual| usual)
    }

    /// The terms that usually hold.
    pub(crate) fn usual_terms(&self) -> impl Iterator<Item = usize> {
        (0..self.usual.len()).filter(|&term| self.usual[term])
    }

    /// Whether none of some terms holds in a group.
    pub(super) fn holds_none_of(&self, group: usize, terms: &[bool]) -> bool {
        let is_among = |term: usize| terms.get(term).is_some_and(|&is_among| is_among);
        let listed = || self.listed(group).iter().map(|&term| term as usize).filter(|&term| is_among(term));
        listed().all(|term| self.usually_holds(term))
            && listed().count() == self.usual_terms().filter(|&term| is_among(term)).count()
    }

    /// The sum of weights over all given groups, then over those in which each term holds.
    pub(super) fn sums_over(&self, weights: impl Iterator<Item = (usize, f64)>, terms: usize) -> Vec<f64> {
        let mut sums = vec![0.0; terms + 1];
        for (group, weight) in weights {
            sums[0] += weight;
            self.listed(group).iter().for_each(|&term| sums[term as usize + 1] += weight);
        }
        for term in self.usual_terms() {
            sums[term + 1] = sums[0] - sums[term + 1];
        }
        sums
    }
}

impl Design for Groups {
    fn cells(&self) -> usize {
        self.total.len()
    }

    fn rows(&self, group: usize) -> (f64, f64) {
        (self.positive[group], self.total[group])
    }

    fn holds_none(&self, group: usize) -> bool {
        let listed = self.listed(group);
        listed.len() == self.usual_terms().count()
            && listed.iter().all(|&term| self.usually_holds(term as usize))
    }

    fn predictors(&self, coefficients: &[f64]) -> impl Iterator<Item = f64> {
        let usual: f64 = self.usual_terms().map(|term| coefficients[term + 1]).sum();
        let intercept = coefficients[0] + usual;
        let sign = |(term, &beta): (usize, &f64)| if self.usually_holds(term) { -beta } else { beta };
        let signed: Vec<f64> = coefficients[1..].iter().enumerate().map(sign).collect();
        (0..self.cells()).map(move |group| {
            intercept + self.listed(group).iter().map(|&term| signed[term as usize]).sum::<f64>()
        })
    }

    fn sums(&self, weights: &[f64], terms: usize) -> Vec<f64> {
        self.sums_over(weights.iter().copied().enumerate(), terms)
    }

    fn cross_products(&self, weights: &[f64], terms: usize) -> Matrix {
        let mut matrix = Matrix::new(terms + 1);
        for (group, &weight) in weights.iter().enumerate() {
            *matrix.at(0, 0) += weight;
            let listed = self.listed(group);
            for (place, &term) in listed.iter().enumerate() {
                let row = matrix.row_mut(term as usize + 1);
                row[0] += weight;
                listed[..=place].iter().for_each(|&other| row[other as usize + 1] += weight);
            }
        }
        // The entries of x = 1 − z follow from those of z: first all other terms, then the sums of the term itself.
        for term in self.usual_terms() {
            let place = term + 1;
            for other in (1..=terms).filter(|&other| other != place) {
                let with_all = matrix.get(other, 0);
                let entry = matrix.at(place.max(other), place.min(other));
                *entry = with_all - *entry;
            }
            let own = matrix.get(0, 0) - matrix.get(place, 0);
            *matrix.at(place, 0) = own;
            *matrix.at(place, place) = own;
        }
        matrix
    }
}

impl From<&Configurations> for Groups {
    fn from(configurations: &Configurations) -> Self {
        let usual = usual_values(configurations);
        let mut mask = vec![0u64; configurations.words()];
        let usual_terms = (0..usual.len()).filter(|&term| usual[term]);
        usual_terms.for_each(|term| mask[term / 64] |= 1 << (term % 64));
        let mut groups = Groups::with_usual(usual);
        let mut key = mask.clone();
        for (number, count) in configurations.counts().iter().enumerate() {
            let own = configurations.key(number);
            key.iter_mut().zip(own).zip(&mask).for_each(|((key, own), mask)| *key = own ^ mask);
            groups.push(ones(&key), count.positive as f64, count.total() as f64);
        }
        groups
    }
}

/// Whether each term holds in most configurations.
fn usual_values(configurations: &Configurations) -> Vec<bool> {
    let mut held = vec![0usize; configurations.terms()];
    for number in 0..configurations.len() {
        configurations.held(number).for_each(|term| held[term] += 1);
    }
    held.into_iter().map(|held| 2 * held > configurations.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Counter, LocalCounter};
    use crate::dataset::{Candidate, random_dataset};
    use crate::model::{Regression, Scale};
    use crate::random::Random;

    /// Sums over groups that list the terms that hold, and over groups with other usual values.
    #[test]
    fn sums_do_not_depend_on_the_usual_values() {
        let mut random = Random::new(7);
        for terms in 1..=5 {
            let cells: Vec<Vec<bool>> =
                (0..20).map(|_| (0..terms).map(|_| random.unit() < 0.6).collect()).collect();
            let weights: Vec<f64> = cells.iter().map(|_| random.unit()).collect();
            let coefficients: Vec<f64> = (0..=terms).map(|_| random.unit() - 0.5).collect();
            let groups = |usual: Vec<bool>| {
                let mut groups = Groups::with_usual(usual.clone());
                for cell in &cells {
                    groups.push((0..terms).filter(|&term| cell[term] != usual[term]), 1.0, 2.0);
                }
                groups
            };
            let direct = |groups: &Groups| {
                let sums = groups.sums(&weights, terms);
                let products = groups.cross_products(&weights, terms);
                let places = || (0..=terms).flat_map(|i| (0..=terms).map(move |j| (i, j)));
                let products = places().map(|(i, j)| products.get(i, j));
                let predictors = groups.predictors(&coefficients);
                let none = (0..groups.cells()).map(|group| f64::from(u8::from(groups.holds_none(group))));
                sums.into_iter().chain(products).chain(predictors).chain(none).collect::<Vec<f64>>()
            };
            let expected = direct(&groups(vec![false; terms]));
            for _ in 0..5 {
                let usual: Vec<bool> = (0..terms).map(|_| random.unit() < 0.5).collect();
                let found = direct(&groups(usual.clone()));
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-12, "{usual:?}: {found} {expected}");
                }
            }
        }
    }

    /// A regression on some of the terms by which rows were grouped is that on rows grouped by these terms only.
    #[test]
    fn groups_of_some_terms_agree_with_new_groups() {
        let data = random_dataset(1, 2000, 12);
        let counter = LocalCounter::new(&data);
        let mut terms: Vec<Candidate> = (0..8).map(Candidate::single).collect();
        terms.push(Candidate::new(vec![8, 9]));
        let all = counter.configurations_of(&terms).unwrap();
        for kept in [vec![], vec![8], vec![0, 3, 5], (0..9).collect()] {
            let some: Vec<Candidate> = kept.iter().map(|&place| terms[place].clone()).collect();
            let new = Groups::from(&counter.configurations_of(&some).unwrap());
            let found = Groups::of_terms(&all, &kept);
            assert_eq!(found.cells(), new.cells());
            for scale in [Scale::Logistic, Scale::Additive] {
                let fit = |groups: &Groups| Regression::fit(scale, groups, kept.len(), None).unwrap();
                let (found, new) = (fit(&found), fit(&new));
                assert!((found.ln_marginal - new.ln_marginal).abs() < 1e-6, "{kept:?}");
            }
        }
    }
}
