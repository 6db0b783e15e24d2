//! Regression of the target on binary terms, on any [`Scale`] with a predictor.
//!
//! The posterior mode of the coefficients is found by Newton's method. The marginal likelihood, the probability of the
//! outcomes with the coefficients integrated out, follows by Laplace's approximation (Tierney and Kadane 1986):
//! ln m = ln L(β̂) + ln π(β̂) + (d/2) ln 2π − ½ ln |H|, where H is minus the Hessian of ln L + ln π at the mode β̂. The
//! priors are proper, so separation needs no special treatment.

use super::logistic::Groups;
use super::scale::{Derivatives, LN_2_PI, Scale};

/// The search for the mode ends when half the Newton decrement, the expected gain of a step, is below this.
const TOLERANCE: f64 = 1e-10;
const MAX_STEPS: usize = 100;

/// The largest change of a coefficient in one step: where the curvature is small, Newton's step is far too long.
const LONGEST_STEP: f64 = 2.0;

/// Newton steps are halved at most this often.
const MAX_HALVINGS: usize = 30;

/// The ridge that keeps a Hessian non-singular if terms sum to a constant, as a share of its diagonal.
const RIDGE: f64 = 1e-9;

/// A pivot below this share of the diagonal is 0 apart from rounding.
const SINGULAR: f64 = 1e-8;

/// Pseudo-observations of each class in each group, which keep risks inside (0, 1) on scales with bounds on both sides.
/// They only steer the search for the mode.
const BARRIER: f64 = 0.05;

/// A fitted regression.
#[derive(Clone, Debug)]
pub struct Regression {
    scale: Scale,
    /// The mode: the intercept, then the coefficient of each term.
    pub coefficients: Vec<f64>,
    /// The log marginal likelihood.
    pub ln_marginal: f64,
    /// The derivatives of one case and one control in each group.
    classes: Vec<[Derivatives; 2]>,
    hessian: Matrix,
    ln_determinant: f64,
    factor: Matrix,
}

/// The score and information of a term that is not in a regression.
#[derive(Clone, Debug)]
pub struct TermScore {
    score: f64,
    information: f64,
    /// The information that the term shares with each coefficient.
    shared: Vec<f64>,
}

impl TermScore {
    /// The information of the term.
    pub fn information(&self) -> f64 {
        self.information
    }
}

/// The value and derivatives of the log posterior at some coefficients.
struct Posterior {
    /// The log-likelihood and log prior, and the same with the barrier.
    value: f64,
    with_barrier: f64,
    classes: Vec<[Derivatives; 2]>,
}

impl Regression {
    /// Fits a regression with this number of terms, starting from the given coefficients if they are possible. Returns
    /// `None` if a smaller model is the same model: if a term does not raise the risk on the sufficient scale, or if
    /// the terms are linearly dependent and the prior does not distinguish their coefficients.
    pub fn fit(scale: Scale, groups: &Groups, terms: usize, start: Option<&[f64]>) -> Option<Regression> {
        let mut coefficients = vec![0.0; terms + 1];
        let share = share_of_cases(groups);
        coefficients[0] = scale.predictor(share);
        let mut at = Posterior::new(scale, groups, &coefficients)?;
        if let Some(start) = start {
            debug_assert_eq!(start.len(), terms + 1);
            if let Some(better) =
                Posterior::new(scale, groups, start).filter(|found| found.with_barrier > at.with_barrier)
            {
                coefficients.copy_from_slice(start);
                at = better;
            }
        }
        for _ in 0..MAX_STEPS {
            let mut step = at.gradient(scale, groups, &coefficients);
            let is_bound = scale == Scale::Sufficient && coefficients[0] <= 0.0 && step[0] < 0.0;
            let mut factor = at.hessian(scale, groups, &coefficients);
            if is_bound {
                step[0] = 0.0;
                factor.isolate(0);
            }
            let gradient = step.clone();
            factor.factorise();
            factor.solve(&mut step);
            let decrement: f64 = gradient.iter().zip(&step).map(|(gradient, step)| gradient * step).sum();
            if decrement < 2.0 * TOLERANCE {
                break;
            }
            let longest = step.iter().fold(0.0f64, |longest, change| longest.max(change.abs()));
            if longest > LONGEST_STEP {
                step.iter_mut().for_each(|change| *change *= LONGEST_STEP / longest);
            }
            let Some((next, found)) = at.line_search(scale, groups, &coefficients, &step) else { break };
            let gain = found.with_barrier - at.with_barrier;
            (coefficients, at) = (next, found);
            if gain < TOLERANCE {
                break;
            }
        }
        if scale == Scale::Sufficient && coefficients[1..].iter().any(|&coefficient| coefficient <= 0.0) {
            return None;
        }
        Self::at_mode(scale, groups, coefficients, at)
    }

    fn at_mode(scale: Scale, groups: &Groups, coefficients: Vec<f64>, at: Posterior) -> Option<Self> {
        let mut hessian = at.hessian(scale, groups, &coefficients);
        let mut dimensions = coefficients.len() as f64;
        let mut ln_marginal = at.value;
        let slope = at.gradient(scale, groups, &coefficients)[0];
        if scale == Scale::Sufficient && coefficients[0] <= 0.0 && slope < 0.0 {
            // The mode is at the bound: ∫ exp(slope · β₀) dβ₀ over β₀ ≥ 0.
            ln_marginal -= (-slope).ln();
            hessian.isolate(0);
            dimensions -= 1.0;
        }
        let mut factor = hessian.clone();
        if !factor.factorise() && scale.coefficient_prior(0.0).curvature == 0.0 {
            return None;
        }
        let ln_determinant = factor.ln_determinant();
        ln_marginal += 0.5 * (dimensions * LN_2_PI - ln_determinant);
        Some(Self { scale, coefficients, ln_marginal, classes: at.classes, hessian, ln_determinant, factor })
    }

    /// The score and information of a further term. `counts` has, for each group, the number of cases and of controls
    /// in which the term holds.
    pub fn addition(&self, groups: &Groups, counts: impl Iterator<Item = (f64, f64)>) -> TermScore {
        let (mut score, mut information) = (0.0, 0.0);
        let mut shared = vec![0.0; self.coefficients.len()];
        for (group, (positive, negative)) in counts.enumerate() {
            if positive + negative == 0.0 {
                continue;
            }
            let [case, control] = &self.classes[group];
            score += positive * case.slope + negative * control.slope;
            let weight = positive * case.curvature + negative * control.curvature;
            information += weight;
            shared[0] += weight;
            groups.terms_in(group).for_each(|term| shared[term + 1] += weight);
        }
        TermScore { score, information, shared }
    }

    /// The slopes and curvatures of the log-likelihood of one case and one control in each group.
    pub(crate) fn classes(&self) -> &[[Derivatives; 2]] {
        &self.classes
    }

    /// The predicted gain in log marginal likelihood from removing some terms and adding others, from the quadratic
    /// approximation of the log posterior at the mode. `overlap` is the information shared by two added terms.
    pub fn predict_gain(&self, removed: &[usize], added: &[&TermScore], overlap: f64) -> f64 {
        if let ([], [one]) = (removed, added) {
            return self.predict_addition(one);
        }
        let size = self.coefficients.len();
        let kept: Vec<usize> =
            (0..size).filter(|&place| place == 0 || !removed.contains(&(place - 1))).collect();
        let free = kept.len() + added.len();
        let mut matrix = Matrix::new(free);
        let mut linear = vec![0.0; free];
        let prior = self.scale.coefficient_prior(0.0);
        for (row, &i) in kept.iter().enumerate() {
            for (column, &j) in kept[..=row].iter().enumerate() {
                *matrix.at(row, column) = self.hessian.get(i, j);
            }
            for &term in removed {
                linear[row] += self.hessian.get(i, term + 1) * self.coefficients[term + 1];
            }
        }
        for (number, new) in added.iter().enumerate() {
            let row = kept.len() + number;
            for (column, &j) in kept.iter().enumerate() {
                *matrix.at(row, column) = new.shared[j];
            }
            if number == 1 {
                *matrix.at(row, row - 1) = overlap;
            }
            *matrix.at(row, row) = new.information + prior.curvature;
            linear[row] = new.score + prior.slope;
            for &term in removed {
                linear[row] += new.shared[term + 1] * self.coefficients[term + 1];
            }
        }
        matrix.factorise();
        let mut step = linear.clone();
        matrix.solve(&mut step);
        if !self.scale.is_signed() {
            let moved = kept.iter().zip(&step).skip(1).map(|(&place, step)| self.coefficients[place] + step);
            if moved.chain(step[kept.len()..].iter().copied()).any(|coefficient| coefficient <= 0.0) {
                return f64::NEG_INFINITY;
            }
        }
        let mut gain = 0.5 * linear.iter().zip(&step).map(|(linear, step)| linear * step).sum::<f64>();
        for &term in removed {
            for &other in removed {
                gain -= 0.5
                    * self.coefficients[term + 1]
                    * self.coefficients[other + 1]
                    * self.hessian.get(term + 1, other + 1);
            }
        }
        let change = added.len() as f64 - removed.len() as f64;
        gain + change * (prior.value + 0.5 * LN_2_PI) - 0.5 * (matrix.ln_determinant() - self.ln_determinant)
    }

    fn predict_addition(&self, new: &TermScore) -> f64 {
        let mut lower = new.shared.clone();
        self.factor.solve_lower(&mut lower);
        let explained: f64 = lower.iter().map(|value| value * value).sum();
        self.gain_of_score(new.score, new.information, explained)
    }

    /// The predicted gain of a term with this score and information, of which the model explains a part.
    pub(crate) fn gain_of_score(&self, score: f64, information: f64, explained: f64) -> f64 {
        let prior = self.scale.coefficient_prior(0.0);
        let score = score + prior.slope;
        if information <= 0.0 || (!self.scale.is_signed() && score <= 0.0) {
            return f64::NEG_INFINITY;
        }
        let precision = (information - explained).max(1e-6 * information) + prior.curvature;
        0.5 * (score * score / precision - precision.ln() + LN_2_PI) + prior.value
    }

    /// The share of the information of a term that some coefficients explain, if the term implies all of them: then it
    /// shares all its information with each of them.
    pub(crate) fn explained_by_implied(&self, information: f64, implied: &[usize]) -> f64 {
        let mut matrix = Matrix::new(implied.len());
        for (row, &i) in implied.iter().enumerate() {
            for (column, &j) in implied[..=row].iter().enumerate() {
                *matrix.at(row, column) = self.hessian.get(i, j);
            }
        }
        matrix.factorise();
        let mut lower = vec![information; implied.len()];
        matrix.solve_lower(&mut lower);
        lower.iter().map(|value| value * value).sum()
    }
}

impl Posterior {
    fn new(scale: Scale, groups: &Groups, coefficients: &[f64]) -> Option<Self> {
        if scale == Scale::Sufficient && coefficients[0] < 0.0 {
            return None;
        }
        let mut value = scale.intercept_prior(coefficients[0]).value;
        value += coefficients[1..].iter().map(|&beta| scale.coefficient_prior(beta).value).sum::<f64>();
        let (mut barrier, mut classes) = (0.0, Vec::with_capacity(groups.len()));
        for group in 0..groups.len() {
            let terms = groups.terms_in(group).map(|term| coefficients[term + 1]);
            let found = scale.classes(coefficients[0] + terms.sum::<f64>())?;
            let (positive, total) = groups.rows(group);
            value += positive * found[0].value + (total - positive) * found[1].value;
            barrier += found[0].value + found[1].value;
            classes.push(found);
        }
        let with_barrier = value + barrier_weight(scale) * barrier;
        with_barrier.is_finite().then_some(Self { value, with_barrier, classes })
    }

    fn gradient(&self, scale: Scale, groups: &Groups, coefficients: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> =
            coefficients.iter().map(|&beta| scale.coefficient_prior(beta).slope).collect();
        gradient[0] = scale.intercept_prior(coefficients[0]).slope;
        let barrier = barrier_weight(scale);
        for (group, [case, control]) in self.classes.iter().enumerate() {
            let (positive, total) = groups.rows(group);
            let slope = (positive + barrier) * case.slope + (total - positive + barrier) * control.slope;
            gradient[0] += slope;
            groups.terms_in(group).for_each(|term| gradient[term + 1] += slope);
        }
        gradient
    }

    /// Minus the Hessian of the log posterior.
    fn hessian(&self, scale: Scale, groups: &Groups, coefficients: &[f64]) -> Matrix {
        let mut matrix = Matrix::new(coefficients.len());
        *matrix.at(0, 0) = scale.intercept_prior(coefficients[0]).curvature;
        for (place, &beta) in coefficients.iter().enumerate().skip(1) {
            *matrix.at(place, place) = scale.coefficient_prior(beta).curvature;
        }
        let barrier = barrier_weight(scale);
        for (group, [case, control]) in self.classes.iter().enumerate() {
            let (positive, total) = groups.rows(group);
            let weight =
                (positive + barrier) * case.curvature + (total - positive + barrier) * control.curvature;
            *matrix.at(0, 0) += weight;
            for term in groups.terms_in(group) {
                *matrix.at(term + 1, 0) += weight;
                let smaller = groups.terms_in(group).take_while(|&other| other <= term);
                smaller.for_each(|other| *matrix.at(term + 1, other + 1) += weight);
            }
        }
        matrix
    }

    /// The coefficients after the longest of the steps 1, ½, ¼, … that increases the log posterior.
    fn line_search(
        &self,
        scale: Scale,
        groups: &Groups,
        coefficients: &[f64],
        step: &[f64],
    ) -> Option<(Vec<f64>, Posterior)> {
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            let mut next: Vec<f64> =
                coefficients.iter().zip(step).map(|(beta, step)| beta + length * step).collect();
            if scale == Scale::Sufficient {
                next[0] = next[0].max(0.0);
            }
            match Posterior::new(scale, groups, &next) {
                Some(found) if found.with_barrier > self.with_barrier => return Some((next, found)),
                _ => length /= 2.0,
            }
        }
        None
    }
}

fn barrier_weight(scale: Scale) -> f64 {
    if matches!(scale, Scale::Additive | Scale::Multiplicative) { BARRIER } else { 0.0 }
}

/// The share of cases, with one more case and one more control.
fn share_of_cases(groups: &Groups) -> f64 {
    let rows = (0..groups.len()).map(|group| groups.rows(group));
    let (positive, total) = rows.fold((1.0, 2.0), |sum, rows| (sum.0 + rows.0, sum.1 + rows.1));
    positive / total
}

/// A symmetric matrix; only the lower triangle is stored. [`Matrix::factorise`] turns it into its Cholesky factor.
#[derive(Clone, Debug)]
struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    fn new(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }

    fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[row.max(column) * self.size + row.min(column)]
    }

    /// Replaces a row and its column by those of the identity matrix.
    fn isolate(&mut self, place: usize) {
        for other in 0..self.size {
            *self.at(place.max(other), place.min(other)) = 0.0;
        }
        *self.at(place, place) = 1.0;
    }

    /// Replaces the matrix by its Cholesky factor; whether the matrix was regular.
    fn factorise(&mut self) -> bool {
        let size = self.size;
        let mut is_regular = true;
        for i in 0..size {
            let diagonal = self.entries[i * size + i];
            for j in 0..=i {
                let (row, other) =
                    (&self.entries[i * size..i * size + j], &self.entries[j * size..j * size + j]);
                let sum: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
                let rest = self.entries[i * size + j] - sum;
                is_regular &= i != j || rest > SINGULAR * diagonal;
                self.entries[i * size + j] = match i == j {
                    true => rest.max(RIDGE * diagonal).max(f64::MIN_POSITIVE).sqrt(),
                    false => rest / self.entries[j * size + j],
                };
            }
        }
        is_regular
    }

    /// The log determinant of the matrix whose Cholesky factor this is.
    fn ln_determinant(&self) -> f64 {
        2.0 * (0..self.size).map(|i| self.entries[i * self.size + i].ln()).sum::<f64>()
    }

    /// Solves L y = b in place.
    fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.size {
            let row = &self.entries[i * self.size..];
            let sum: f64 = row[..i].iter().zip(&*b).map(|(a, b)| a * b).sum();
            b[i] = (b[i] - sum) / row[i];
        }
    }

    /// Solves L Lᵀ x = b in place.
    fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        for i in (0..self.size).rev() {
            let sum: f64 = (i + 1..self.size).map(|k| self.entries[k * self.size + i] * b[k]).sum();
            b[i] = (b[i] - sum) / self.entries[i * self.size + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const REGRESSIONS: [Scale; 5] =
        [Scale::Logistic, Scale::Probit, Scale::Sufficient, Scale::Additive, Scale::Multiplicative];

    /// Two groups: without the term and with it.
    fn two_groups(without: (f64, f64), with: (f64, f64)) -> Groups {
        let mut groups = Groups::default();
        groups.push(std::iter::empty(), without.0, without.1);
        groups.push(std::iter::once(0), with.0, with.1);
        groups
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for scale in REGRESSIONS {
            for eta in [-2.5, -0.7, -0.1, 0.2, 0.6, 3.0] {
                let step = 1e-5;
                let at = |eta: f64| scale.classes(eta);
                let (Some(before), Some(here), Some(after)) = (at(eta - step), at(eta), at(eta + step))
                else {
                    continue;
                };
                for class in 0..2 {
                    let slope = (after[class].value - before[class].value) / (2.0 * step);
                    let curvature = -(after[class].slope - before[class].slope) / (2.0 * step);
                    assert!((slope - here[class].slope).abs() < 1e-5, "{scale:?} {eta}");
                    assert!((curvature - here[class].curvature).abs() < 1e-4, "{scale:?} {eta}");
                }
            }
            for beta in [-1.5, -0.2, 0.3, 2.0] {
                let step = 1e-5;
                for prior in [Scale::intercept_prior, Scale::coefficient_prior] {
                    let slope =
                        (prior(scale, beta + step).value - prior(scale, beta - step).value) / (2.0 * step);
                    assert!((slope - prior(scale, beta).slope).abs() < 1e-5, "{scale:?} {beta}");
                }
            }
        }
    }

    #[test]
    fn the_marginal_likelihood_agrees_with_numerical_integration() {
        let groups = two_groups((60.0, 200.0), (80.0, 150.0));
        for scale in REGRESSIONS {
            let found = Regression::fit(scale, &groups, 1, None).unwrap();
            // The midpoint rule over a square around the mode.
            let (steps, half) = (400, if scale == Scale::Additive { 0.35 } else { 2.0 });
            let mut sum = 0.0;
            for i in 0..steps {
                for j in 0..steps {
                    let at = |k: i32| half * (2.0 * (f64::from(k) + 0.5) / f64::from(steps) - 1.0);
                    let beta = [found.coefficients[0] + at(i), found.coefficients[1] + at(j)];
                    let is_possible = scale.is_signed() || beta[1] >= 0.0;
                    if let Some(posterior) = Posterior::new(scale, &groups, &beta).filter(|_| is_possible) {
                        sum += (posterior.value - found.ln_marginal).exp();
                    }
                }
            }
            let integral = sum * (2.0 * half / f64::from(steps)).powi(2);
            assert!(integral.ln().abs() < 0.05, "{scale:?}: {}", integral.ln());
        }
    }

    #[test]
    fn separation_gives_finite_coefficients() {
        for scale in REGRESSIONS {
            let groups = two_groups((0.0, 100.0), (80.0, 80.0));
            let found = Regression::fit(scale, &groups, 1, None).unwrap();
            assert!(found.coefficients.iter().all(|coefficient| coefficient.is_finite()), "{scale:?}");
            assert!(found.ln_marginal.is_finite(), "{scale:?}");
        }
        // The exact marginal likelihood of two free risks is 1/101 · 1/81.
        let groups = two_groups((0.0, 100.0), (80.0, 80.0));
        let found = Regression::fit(Scale::Sufficient, &groups, 1, None).unwrap();
        assert!((found.ln_marginal + (101.0f64 * 81.0).ln()).abs() < 0.2, "{found:?}");
    }

    #[test]
    fn a_cause_that_lowers_the_risk_is_impossible_on_the_sufficient_scale() {
        let groups = two_groups((60.0, 100.0), (20.0, 100.0));
        assert!(Regression::fit(Scale::Sufficient, &groups, 1, None).is_none());
    }

    /// Groups of three terms with random counts, and the same without the last term.
    fn random_groups(random: &mut Random) -> (Groups, Groups, Vec<(f64, f64)>) {
        let (mut larger, mut smaller, mut counts) = (Groups::default(), Groups::default(), Vec::new());
        for key in 0..4usize {
            let held = || (0..2).filter(move |term| key >> term & 1 == 1);
            let risk = 0.2 + 0.1 * (key & 1) as f64 + 0.15 * (key >> 1) as f64;
            let cells = [0.0, 0.08].map(|more| {
                let total = 200.0 + (200.0 * random.unit()).floor();
                ((total * (risk + more)).round(), total)
            });
            larger.push(held(), cells[0].0, cells[0].1);
            larger.push(held().chain([2]), cells[1].0, cells[1].1);
            smaller.push(held(), cells[0].0 + cells[1].0, cells[0].1 + cells[1].1);
            counts.push((cells[1].0, cells[1].1 - cells[1].0));
        }
        (larger, smaller, counts)
    }

    #[test]
    fn predicted_gains_are_close_to_fitted_ones() {
        let mut random = Random::new(3);
        for scale in REGRESSIONS {
            for _ in 0..20 {
                let (larger, smaller, counts) = random_groups(&mut random);
                let base = Regression::fit(scale, &smaller, 2, None).unwrap();
                let full = Regression::fit(scale, &larger, 3, None).unwrap();
                let addition = base.addition(&smaller, counts.iter().copied());
                let gain = full.ln_marginal - base.ln_marginal;
                let predicted = base.predict_gain(&[], &[&addition], 0.0);
                assert!((predicted - gain).abs() < 1.0, "{scale:?}: {predicted} {gain}");
                let removed = full.predict_gain(&[2], &[], 0.0);
                assert!((removed + gain).abs() < 1.0, "{scale:?}: {removed} {gain}");
            }
        }
    }
}
