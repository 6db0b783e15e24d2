//! Logistic regression of the target on binary terms without a prior, fitted to grouped rows by Newton's method, with
//! likelihood ratio tests of its terms and score tests of others.

use super::changed_groups::ChangedGroups;
use super::groups::{Design, Groups};
use super::matrix::Matrix;

/// The fit stops when a step changes the log-likelihood by less than this share.
const TOLERANCE: f64 = 1e-10;
const MAX_STEPS: usize = 30;

/// Keeps the information matrix non-singular if terms sum to a constant, as the values of one attribute do.
const RIDGE: f64 = 1e-7;

/// A term is determined by those of a model if no larger share of its information is its own.
const MIN_FREE_SHARE: f64 = 1e-6;

/// A fitted logistic model.
#[derive(Clone, Debug)]
pub struct LogisticModel {
    /// The intercept, then the coefficient of each term.
    pub coefficients: Vec<f64>,
    /// The maximised log-likelihood.
    pub log_likelihood: f64,
    /// The fitted probability of each group.
    pub fitted: Vec<f64>,
    /// The Cholesky factor of the information matrix.
    factor: Matrix,
}

impl LogisticModel {
    /// Fits a model with this number of terms, starting from the given coefficients, if any.
    pub fn fit(groups: &impl Design, terms: usize, start: Option<&[f64]>) -> LogisticModel {
        let mut model = Self::maximise(groups, terms, start);
        model.factorise(groups);
        model
    }

    /// The same with the information matrix of an earlier step.
    fn maximise(groups: &impl Design, terms: usize, start: Option<&[f64]>) -> LogisticModel {
        let size = terms + 1;
        let mut model = LogisticModel {
            coefficients: vec![0.0; size],
            log_likelihood: f64::NEG_INFINITY,
            fitted: vec![0.0; groups.cells()],
            factor: Matrix::new(size),
        };
        match start {
            Some(start) => {
                let known = start.len().min(size);
                model.coefficients[..known].copy_from_slice(&start[..known]);
            }
            None => model.coefficients[0] = log_odds(groups),
        }
        model.log_likelihood = model.update_fitted(groups);
        for _ in 0..MAX_STEPS {
            let mut step = model.gradient(groups);
            model.factorise(groups);
            model.factor.solve(&mut step);
            let before = (model.coefficients.clone(), model.log_likelihood);
            let mut length = 1.0;
            // A full Newton step may overshoot the maximum; halving it repeatedly ensures an increase.
            loop {
                for (coefficient, (start, step)) in
                    model.coefficients.iter_mut().zip(before.0.iter().zip(&step))
                {
                    *coefficient = start + length * step;
                }
                model.log_likelihood = model.update_fitted(groups);
                if model.log_likelihood >= before.1 || length < 1e-4 {
                    break;
                }
                length /= 2.0;
            }
            if (model.log_likelihood - before.1).abs() <= TOLERANCE * (model.log_likelihood.abs() + 1.0) {
                break;
            }
        }
        model
    }

    /// Updates the fitted probabilities and returns the log-likelihood.
    fn update_fitted(&mut self, groups: &impl Design) -> f64 {
        let mut log_likelihood = 0.0;
        for (group, score) in groups.predictors(&self.coefficients).enumerate() {
            let (positive, total) = groups.rows(group);
            // ln(1 + e^s) without overflow.
            let ln_one_plus = score.max(0.0) + (-score.abs()).exp().ln_1p();
            log_likelihood += positive * score - total * ln_one_plus;
            self.fitted[group] = (score - ln_one_plus).exp();
        }
        log_likelihood
    }

    fn gradient(&self, groups: &impl Design) -> Vec<f64> {
        let excess = |(group, fitted): (usize, &f64)| {
            let (positive, total) = groups.rows(group);
            positive - total * fitted
        };
        let excess: Vec<f64> = self.fitted.iter().enumerate().map(excess).collect();
        groups.sums(&excess, self.coefficients.len() - 1)
    }

    /// Computes the Cholesky factor L of the information matrix.
    fn factorise(&mut self, groups: &impl Design) {
        let size = self.coefficients.len();
        let weight = |(group, p): (usize, &f64)| groups.rows(group).1 * p * (1.0 - p);
        let weights: Vec<f64> = self.fitted.iter().enumerate().map(weight).collect();
        let products = groups.cross_products(&weights, size - 1);
        self.factor = products;
        for place in 0..size {
            let diagonal = self.factor.at(place, place);
            *diagonal += RIDGE * (1.0 + *diagonal);
        }
        self.factor.factorise();
    }

    /// The score statistic (one degree of freedom) of adding a term; 0 if the terms of the model determine it. `counts`
    /// has, for each group, the number of cases and the number of rows in which the term holds.
    pub fn score_statistic(&self, groups: &Groups, counts: impl Iterator<Item = (f64, f64)>) -> f64 {
        let mut score = 0.0;
        let mut weights = Vec::new();
        for (group, (positive, total)) in counts.enumerate().filter(|(_, (_, total))| *total > 0.0) {
            let p = self.fitted[group];
            score += positive - total * p;
            weights.push((group, total * p * (1.0 - p)));
        }
        // The information that the term shares with each coefficient; all of it with the intercept.
        let shared = groups.sums_over(weights.into_iter(), self.coefficients.len() - 1);
        let mut solved = shared.clone();
        self.factor.solve(&mut solved);
        let explained: f64 = shared.iter().zip(&solved).map(|(shared, solved)| shared * solved).sum();
        let free = shared[0] - explained;
        if free > MIN_FREE_SHARE * shared[0] { score * score / free } else { 0.0 }
    }

    /// The likelihood ratio statistic of a term: the loss in twice the log-likelihood without it.
    pub fn likelihood_ratio(&self, groups: &Groups, term: usize) -> f64 {
        let others: Vec<usize> = (0..self.coefficients.len() - 1).filter(|&other| other != term).collect();
        let without = ChangedGroups::new(groups, self.coefficients.len() - 1, others, 0, Vec::new());
        // The other coefficients at the maximum, if the log-likelihood were quadratic.
        let place = term + 1;
        let mut covariance = vec![0.0; self.coefficients.len()];
        covariance[place] = 1.0;
        self.factor.solve(&mut covariance);
        let pull = self.coefficients[place] / covariance[place];
        let mut start: Vec<f64> =
            self.coefficients.iter().zip(&covariance).map(|(beta, shared)| beta - shared * pull).collect();
        start.remove(place);
        let model = LogisticModel::maximise(&without, start.len() - 1, Some(&start));
        (2.0 * (self.log_likelihood - model.log_likelihood)).max(0.0)
    }
}

/// The log odds of the target in all rows, with ½ added to both classes so that they are finite.
fn log_odds(groups: &impl Design) -> f64 {
    let (positive, total) = groups.all_rows();
    ((positive + 0.5) / (total - positive + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups() -> Groups {
        let mut groups = Groups::default();
        for (a, b, positive, total) in
            [(0, 0, 10.0, 100.0), (1, 0, 30.0, 90.0), (0, 1, 25.0, 110.0), (1, 1, 60.0, 95.0)]
        {
            groups.push(
                [(a, 0), (b, 1)].into_iter().filter(|(value, _)| *value == 1).map(|(_, term)| term),
                positive,
                total,
            );
        }
        groups
    }

    #[test]
    fn a_saturated_model_reproduces_the_log_odds() {
        let mut groups = Groups::default();
        groups.push(std::iter::empty(), 20.0, 80.0);
        groups.push(std::iter::once(0), 45.0, 60.0);
        let model = LogisticModel::fit(&groups, 1, None);
        assert!((model.coefficients[0] - (20.0f64 / 60.0).ln()).abs() < 1e-5);
        assert!((model.coefficients[1] - (45.0f64 / 15.0 * 3.0).ln()).abs() < 1e-5);
        let ll = 20.0 * 0.25f64.ln() + 60.0 * 0.75f64.ln() + 45.0 * 0.75f64.ln() + 15.0 * 0.25f64.ln();
        assert!((model.log_likelihood - ll).abs() < 1e-8);
        // Without the term, the fitted probability is the share of cases.
        let none = 65.0 * (65.0f64 / 140.0).ln() + 75.0 * (75.0f64 / 140.0).ln();
        assert!((model.likelihood_ratio(&groups, 0) - 2.0 * (ll - none)).abs() < 1e-6);
    }

    #[test]
    fn the_score_statistic_in_an_empty_model_is_pearsons_x2() {
        let mut groups = Groups::default();
        groups.push(std::iter::empty(), 65.0, 140.0);
        let model = LogisticModel::fit(&groups, 0, None);
        let found = model.score_statistic(&groups, std::iter::once((45.0, 60.0)));
        let by_hand = 140.0 * (45.0f64 * 60.0 - 15.0 * 20.0).powi(2) / (60.0 * 80.0 * 65.0 * 75.0);
        assert!((found - by_hand).abs() < 1e-5 * by_hand, "{found} {by_hand}");
    }

    #[test]
    fn the_fit_maximises_the_likelihood() {
        let groups = groups();
        let model = LogisticModel::fit(&groups, 2, None);
        assert!(model.gradient(&groups).iter().all(|slope| slope.abs() < 1e-4));
        for term in 0..3 {
            for step in [-1e-3, 1e-3] {
                let mut other = model.clone();
                other.coefficients[term] += step;
                assert!(other.update_fitted(&groups) < model.log_likelihood);
            }
        }
        // Another starting point leads to the same maximum.
        let other = LogisticModel::fit(&groups, 2, Some(&[1.0, -1.0, 1.0]));
        assert!((other.log_likelihood - model.log_likelihood).abs() < 1e-6);
    }

    #[test]
    fn separation_and_repeated_terms_give_finite_coefficients() {
        let mut groups = Groups::default();
        groups.push(std::iter::empty(), 0.0, 50.0);
        groups.push(0..2, 50.0, 50.0);
        let model = LogisticModel::fit(&groups, 2, None);
        assert!(model.log_likelihood > -1e-3 && model.coefficients.iter().all(|c| c.is_finite()));
        assert!(model.score_statistic(&groups, [(0.0, 0.0), (50.0, 50.0)].into_iter()) < 1e-6);
    }
}
