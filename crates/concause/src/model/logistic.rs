//! Logistic regression of the target on binary terms, fitted to grouped rows by Newton's method.

use super::changed_groups::ChangedGroups;
use super::groups::{Design, Groups};

/// The fit stops when a step changes the log-likelihood by less than this share.
const TOLERANCE: f64 = 1e-10;
const MAX_STEPS: usize = 30;

/// Keeps the information matrix non-singular if terms sum to a constant, as the values of one attribute do.
const RIDGE: f64 = 1e-7;

/// A fitted logistic model.
#[derive(Clone, Debug)]
pub struct LogisticModel {
    /// The intercept, then the coefficient of each term.
    pub coefficients: Vec<f64>,
    /// The maximised log-likelihood.
    pub log_likelihood: f64,
    /// The fitted probability of each group.
    pub fitted: Vec<f64>,
    /// The Cholesky factor of the information matrix, row by row.
    factor: Vec<f64>,
}

impl LogisticModel {
    /// Fits a model with this number of terms, starting from the given coefficients, if any.
    pub fn fit(groups: &impl Design, terms: usize, start: Option<&[f64]>) -> LogisticModel {
        Self::fit_steps(groups, terms, start, MAX_STEPS)
    }

    /// Fits a model with at most `steps` Newton steps. The likelihood is a lower bound of its maximum.
    pub fn fit_steps(
        groups: &impl Design,
        terms: usize,
        start: Option<&[f64]>,
        steps: usize,
    ) -> LogisticModel {
        let size = terms + 1;
        let mut model = LogisticModel {
            coefficients: vec![0.0; size],
            log_likelihood: f64::NEG_INFINITY,
            fitted: vec![0.0; groups.cells()],
            factor: vec![0.0; size * size],
        };
        match start {
            Some(start) => {
                let known = start.len().min(size);
                model.coefficients[..known].copy_from_slice(&start[..known]);
            }
            None => model.coefficients[0] = log_odds(groups),
        }
        model.log_likelihood = model.update_fitted(groups);
        for _ in 0..steps {
            let mut step = model.gradient(groups);
            model.factorise(groups);
            model.solve(&mut step);
            let before = model.clone_state();
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
        model.factorise(groups);
        model
    }

    fn clone_state(&self) -> (Vec<f64>, f64) {
        (self.coefficients.clone(), self.log_likelihood)
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
        let matrix = &mut self.factor;
        for i in 0..size {
            (0..=i).for_each(|j| matrix[i * size + j] = products.get(i, j));
        }
        for i in 0..size {
            matrix[i * size + i] += RIDGE * (1.0 + matrix[i * size + i]);
        }
        for i in 0..size {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| matrix[i * size + k] * matrix[j * size + k]).sum();
                let rest = matrix[i * size + j] - sum;
                matrix[i * size + j] =
                    if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / matrix[j * size + j] };
            }
        }
    }

    /// Solves L y = b in place.
    fn solve_lower(&self, b: &mut [f64]) {
        let size = self.coefficients.len();
        for i in 0..size {
            let sum: f64 = (0..i).map(|k| self.factor[i * size + k] * b[k]).sum();
            b[i] = (b[i] - sum) / self.factor[i * size + i];
        }
    }

    /// Solves L Lᵀ x = b in place; L Lᵀ is the information matrix.
    fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }

    /// Solves Lᵀ x = b in place.
    fn solve_upper(&self, b: &mut [f64]) {
        let size = self.coefficients.len();
        for i in (0..size).rev() {
            let sum: f64 = (i + 1..size).map(|k| self.factor[k * size + i] * b[k]).sum();
            b[i] = (b[i] - sum) / self.factor[i * size + i];
        }
    }

    /// The score and information of a term that is not in the model. `counts` has, for each group, the number of cases
    /// and the number of rows in which the term holds.
    pub fn addition(&self, groups: &Groups, counts: impl Iterator<Item = (f64, f64)>) -> Addition {
        let mut score = 0.0;
        let mut weights = Vec::new();
        for (group, (positive, total)) in counts.enumerate() {
            if total == 0.0 {
                continue;
            }
            let p = self.fitted[group];
            score += positive - total * p;
            weights.push((group, total * p * (1.0 - p)));
        }
        let mut lower_solved = groups.sums_over(weights.into_iter(), self.coefficients.len() - 1);
        let information = lower_solved[0];
        self.solve_lower(&mut lower_solved);
        let mut solved = lower_solved.clone();
        self.solve_upper(&mut solved);
        Addition { score, information, lower_solved, solved }
    }

    /// The score statistic (one degree of freedom) of adding a term, with `counts` as in [`LogisticModel::addition`].
    pub fn score_statistic(&self, groups: &Groups, counts: impl Iterator<Item = (f64, f64)>) -> f64 {
        Step::new(&[&self.addition(groups, counts)], 0.0).gain
    }

    /// The approximate gain in twice the log-likelihood from removing up to two terms and adding up to two others,
    /// whose common information is `shared`. From the quadratic approximation at the maximum: the score statistic of
    /// the added terms minus the Wald statistic of the removed terms given the added ones.
    pub fn approximate_gain(&self, removed: &[usize], added: &[&Addition], shared: f64) -> f64 {
        let step = Step::new(added, shared);
        let size = removed.len();
        // The coefficients of the removed terms after the added terms enter, and their covariance.
        let mut updated: Vec<f64> = removed.iter().map(|&term| self.coefficients[term + 1]).collect();
        let mut covariance = vec![0.0; size * size];
        for (i, &term) in removed.iter().enumerate() {
            let mut column = vec![0.0; self.coefficients.len()];
            column[term + 1] = 1.0;
            self.solve(&mut column);
            updated[i] -= step
                .coefficients_of(added)
                .map(|(new, coefficient)| new.solved[term + 1] * coefficient)
                .sum::<f64>();
            for (j, &other) in removed.iter().enumerate() {
                let solved = |new: &Addition| (new.solved[term + 1], new.solved[other + 1]);
                covariance[i * size + j] = column[other + 1] + step.added_covariance(added, solved);
            }
        }
        let wald = match (&updated[..], &covariance[..]) {
            ([a], [aa]) => a * a / aa,
            ([a, b], [aa, ab, _, bb]) => {
                (a * a * bb - 2.0 * a * b * ab + b * b * aa) / (aa * bb - ab * ab).max(f64::MIN_POSITIVE)
            }
            _ => 0.0,
        };
        step.gain - wald
    }

    /// The likelihood ratio statistic of a term: the loss in twice the log-likelihood without it.
    pub fn likelihood_ratio(&self, groups: &Groups, term: usize) -> f64 {
        let others: Vec<usize> = (0..self.coefficients.len() - 1).filter(|&other| other != term).collect();
        let without = ChangedGroups::new(groups, self.coefficients.len() - 1, others, 0, Vec::new());
        // The other coefficients at the maximum, if the log-likelihood were quadratic.
        let place = term + 1;
        let mut covariance = vec![0.0; self.coefficients.len()];
        covariance[place] = 1.0;
        self.solve(&mut covariance);
        let pull = self.coefficients[place] / covariance[place];
        let mut start: Vec<f64> =
            self.coefficients.iter().zip(&covariance).map(|(beta, shared)| beta - shared * pull).collect();
        start.remove(place);
        let model = LogisticModel::fit(&without, start.len() - 1, Some(&start));
        (2.0 * (self.log_likelihood - model.log_likelihood)).max(0.0)
    }
}

/// A lower bound of the share of a term's information that is not shared with the model.
const MIN_FREE_SHARE: f64 = 1e-6;

/// The score and information of a term that is not in a model.
#[derive(Clone, Debug)]
pub struct Addition {
    /// The score: observed minus expected cases among the rows in which the term holds.
    score: f64,
    information: f64,
    /// L⁻¹ v, where v is the information that the term shares with each coefficient.
    lower_solved: Vec<f64>,
    /// The inverse of the information matrix times v.
    solved: Vec<f64>,
}

impl Addition {
    /// The information of the term.
    pub fn information(&self) -> f64 {
        self.information
    }

    /// The information of the term given the terms of the model. It has a positive lower bound, because a term that
    /// the model determines can still replace some of its terms. `None` if the term has no information.
    fn free_information(&self) -> Option<f64> {
        let free = self.information - dot(&self.lower_solved, &self.lower_solved);
        (self.information > 0.0).then_some(free.max(MIN_FREE_SHARE * self.information))
    }
}

/// The Newton step from a fitted model to one with up to two more terms.
struct Step {
    /// The gain in twice the log-likelihood.
    gain: f64,
    /// The coefficients of the added terms; 0 for a term without information.
    coefficients: [f64; 2],
    /// The covariance of the coefficients.
    covariance: [[f64; 2]; 2],
}

impl Step {
    fn new(added: &[&Addition], shared: f64) -> Self {
        let none = Step { gain: 0.0, coefficients: [0.0; 2], covariance: [[0.0; 2]; 2] };
        let single = |index: usize| {
            let mut step = Step { ..none };
            if let Some(free) = added[index].free_information() {
                step.coefficients[index] = added[index].score / free;
                step.covariance[index][index] = 1.0 / free;
                step.gain = added[index].score * step.coefficients[index];
            }
            step
        };
        let [one, two] = added else {
            return if added.is_empty() { none } else { single(0) };
        };
        let (Some(a), Some(b)) = (one.free_information(), two.free_information()) else {
            return if one.free_information().is_some() { single(0) } else { single(1) };
        };
        let both = shared - dot(&one.lower_solved, &two.lower_solved);
        let determinant = a * b - both * both;
        // The two terms are collinear: use the one with the larger gain.
        if determinant <= 1e-6 * a * b {
            return if one.score * one.score / a >= two.score * two.score / b {
                single(0)
            } else {
                single(1)
            };
        }
        let covariance = [[b / determinant, -both / determinant], [-both / determinant, a / determinant]];
        let coefficients = covariance.map(|row| row[0] * one.score + row[1] * two.score);
        let gain = coefficients[0] * one.score + coefficients[1] * two.score;
        Step { gain, coefficients, covariance }
    }

    /// The added terms and their coefficients.
    fn coefficients_of<'a>(&self, added: &'a [&Addition]) -> impl Iterator<Item = (&'a Addition, f64)> {
        added.iter().copied().zip(self.coefficients)
    }

    /// The increase in the covariance of two old coefficients due to the added terms; `solved` gives the entries of
    /// [`Addition::solved`] for the two coefficients.
    fn added_covariance(&self, added: &[&Addition], solved: impl Fn(&Addition) -> (f64, f64)) -> f64 {
        let mut sum = 0.0;
        for (one, row) in added.iter().zip(&self.covariance) {
            for (two, covariance) in added.iter().zip(row) {
                sum += solved(one).0 * covariance * solved(two).1;
            }
        }
        sum
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
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

    /// Eight groups by the values of three terms; the third is in the model only if requested.
    fn eight_groups(with_third: bool) -> Groups {
        let mut groups = Groups::default();
        for (a, b, c, positive, total) in [
            (0, 0, 0, 6.0, 60.0),
            (0, 0, 1, 4.0, 40.0),
            (1, 0, 0, 14.0, 50.0),
            (1, 0, 1, 16.0, 40.0),
            (0, 1, 0, 11.0, 60.0),
            (0, 1, 1, 14.0, 50.0),
            (1, 1, 0, 30.0, 50.0),
            (1, 1, 1, 30.0, 45.0),
        ] {
            let terms = [(a, 0), (b, 1), (c, 2)].into_iter().filter(|&(value, _)| value == 1);
            let terms = terms.map(|(_, term)| term).filter(|&term| with_third || term < 2);
            groups.push(terms, positive, total);
        }
        groups
    }

    #[test]
    fn the_approximate_gain_of_a_move_is_close_to_the_fitted_gain() {
        let groups = eight_groups(false);
        let model = LogisticModel::fit(&groups, 2, None);
        let third = || (0..8).map(|group| if group % 2 == 1 { groups.rows(group) } else { (0.0, 0.0) });
        let addition = model.addition(&groups, third());
        let assert_close = |approximate: f64, fitted: f64| {
            assert!((approximate - fitted).abs() < 0.15 * (1.0 + fitted.abs()), "{approximate} {fitted}");
        };
        // Add a term.
        let with_third = LogisticModel::fit(&eight_groups(true), 3, None);
        assert_close(
            model.approximate_gain(&[], &[&addition], 0.0),
            2.0 * (with_third.log_likelihood - model.log_likelihood),
        );
        assert_eq!(model.approximate_gain(&[], &[&addition], 0.0), model.score_statistic(&groups, third()));
        // Remove a term; then replace it.
        assert_close(model.approximate_gain(&[1], &[], 0.0), -model.likelihood_ratio(&groups, 1));
        let without_second = with_third.likelihood_ratio(&eight_groups(true), 1);
        assert_close(
            model.approximate_gain(&[1], &[&addition], 0.0),
            2.0 * (with_third.log_likelihood - model.log_likelihood) - without_second,
        );
        // A term that the model determines gains nothing if it is added, but may replace the terms that determine it.
        // Here at least one of two parts holds in every row, so their conjunction is their sum minus one.
        let mut part_groups = Groups::default();
        for (terms, positive, total) in [([0, 2], 14.0, 50.0), ([1, 2], 11.0, 60.0), ([0, 1], 30.0, 50.0)] {
            part_groups.push(terms.into_iter().filter(|&term| term < 2), positive, total);
        }
        let parts = LogisticModel::fit(&part_groups, 2, None);
        let conjunction = parts.addition(&part_groups, [(0.0, 0.0), (0.0, 0.0), (30.0, 50.0)].into_iter());
        assert!(parts.approximate_gain(&[], &[&conjunction], 0.0) < 1e-6);
        let mut conjunction_groups = Groups::default();
        conjunction_groups.push([].into_iter(), 25.0, 110.0);
        conjunction_groups.push([0].into_iter(), 30.0, 50.0);
        let replaced = LogisticModel::fit(&conjunction_groups, 1, None);
        assert_close(
            parts.approximate_gain(&[0, 1], &[&conjunction], 0.0),
            2.0 * (replaced.log_likelihood - parts.log_likelihood),
        );
        // A term that is added twice gains as much as once.
        let twice = model.approximate_gain(&[], &[&addition, &addition], addition.information());
        assert!((twice - model.score_statistic(&groups, third())).abs() < 1e-9);
    }
}
