//! Regression of the target on binary terms, on any [`Scale`] with a predictor.
//!
//! The posterior mode of the coefficients is found by Newton's method. The marginal likelihood, the probability of the
//! outcomes with the coefficients integrated out, follows by Laplace's approximation (Tierney and Kadane 1986):
//! ln m = ln L(β̂) + ln π(β̂) + (d/2) ln 2π − ½ ln |H|, where H is minus the Hessian of ln L + ln π at the mode β̂. The
//! priors are proper, so separation needs no special treatment.

use std::f64::consts::LN_2;

use super::groups::{Design, Groups};
use super::matrix::Matrix;
use super::scale::{Derivatives, LN_2_PI, Scale};

/// The search for the mode ends when half the Newton decrement, the expected gain of a step, is below this share of the
/// log posterior. Smaller gains are lost in rounding.
const TOLERANCE: f64 = 1e-13;
const MAX_STEPS: usize = 100;

/// The largest change of a coefficient in one step: where the curvature is small, Newton's step is far too long.
const LONGEST_STEP: f64 = 2.0;

/// Below this share of that gain, a step does not change the determinant of the Hessian either: the fit started from
/// the mode.
const STANDSTILL: f64 = 1e-4;

/// A factor of the Hessian is used again if the Newton decrement fell by this factor.
const FAST: f64 = 0.02;

/// Half the logarithm of the determinant of a Hessian is predicted with at most this error.
const DETERMINANT_ERROR: f64 = 1.0;

/// Newton steps are halved at most this often.
const MAX_HALVINGS: usize = 30;

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
    factor: Matrix,
    /// The covariance of the coefficients, the inverse of the Hessian, row by row.
    covariance: Vec<f64>,
    /// Whether the intercept is at its bound 0.
    is_bound: bool,
    /// The information of all rows.
    all_information: f64,
    /// The prior of a coefficient at 0.
    prior_at_zero: Derivatives,
}

/// The fit of a neighbour of a regression.
pub(crate) enum Fit {
    Regression(Box<Regression>),
    /// A smaller model is the same model.
    Smaller,
    /// The log marginal likelihood is below the least of interest.
    Low,
}

impl From<Option<Regression>> for Fit {
    fn from(fitted: Option<Regression>) -> Self {
        fitted.map_or(Fit::Smaller, |regression| Fit::Regression(Box::new(regression)))
    }
}

/// What is expected where a fit starts.
struct Expected {
    /// The Cholesky factor of the Hessian, with the coefficients at their bounds isolated.
    factor: Matrix,
    bound: Vec<usize>,
    /// The least log marginal likelihood of interest.
    least: f64,
}

/// A term that is not in a regression, and how it would change the coefficients.
#[derive(Clone, Debug)]
pub struct FurtherTerm {
    /// The slope of the log posterior in the direction of the new coefficient.
    slope: f64,
    /// The precision of the new coefficient, given all others.
    precision: f64,
    /// The change of each coefficient if the new one is 1, with the opposite sign.
    shift: Vec<f64>,
    /// The information of the term, and the part that it shares with each coefficient.
    information: f64,
    shared: Vec<f64>,
}

impl FurtherTerm {
    /// The information of the term.
    pub fn information(&self) -> f64 {
        self.information
    }
}

/// A predicted change of the log marginal likelihood.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// The gain.
    pub gain: f64,
    /// The loss in log posterior from the removed terms plus the gain from the added ones. The error of the prediction
    /// grows with it, even if the two nearly cancel.
    pub size: f64,
    /// The largest of the coefficients of these terms. The approximation is close if it is small.
    pub coefficient: f64,
}

impl Prediction {
    /// A change that is not possible.
    pub const IMPOSSIBLE: Prediction = Prediction { gain: f64::NEG_INFINITY, size: 0.0, coefficient: 0.0 };
}

/// An added term, and the shifts of the removed coefficients.
struct NewTerm {
    slope: f64,
    precision: f64,
    shift: [f64; 2],
}

/// The value and derivatives of the log posterior at some coefficients.
pub(super) struct LogPosterior {
    /// The log-likelihood and log prior, and the same with the barrier.
    pub(super) value: f64,
    with_barrier: f64,
    classes: Vec<[Derivatives; 2]>,
    /// The risk without any term, which a barrier keeps from 0 and 1, if no row shows it.
    baseline: Option<[Derivatives; 2]>,
}

impl Regression {
    /// Fits a regression with this number of terms, starting from the given coefficients if they are possible. Returns
    /// `None` if a smaller model is the same model: if a term does not raise the risk on the sufficient scale, or if
    /// the terms are linearly dependent and the prior does not distinguish their coefficients.
    pub fn fit(
        scale: Scale,
        groups: &impl Design,
        terms: usize,
        start: Option<&[f64]>,
    ) -> Option<Regression> {
        match Self::climb(scale, groups, starting_point(scale, groups, terms, start)?, None) {
            Fit::Regression(found) => Some(*found),
            Fit::Smaller | Fit::Low => None,
        }
    }

    /// Fits a neighbour of this regression: some terms are removed and one may be added, as its last term. The fit ends
    /// early if the log marginal likelihood is clearly below the least of interest.
    pub(crate) fn fit_neighbour(
        &self,
        groups: &impl Design,
        removed: &[usize],
        added: Option<&FurtherTerm>,
        least: f64,
    ) -> Fit {
        let start = self.predict_mode(removed, added);
        let mut factor = self.predict_hessian(removed, added);
        factor.factorise();
        let Some(start) = starting_point(self.scale, groups, start.len() - 1, Some(&start)) else {
            return Fit::Smaller;
        };
        let bound = if self.is_bound { vec![0] } else { Vec::new() };
        Self::climb(self.scale, groups, start, Some(Expected { factor, bound, least }))
    }

    /// Climbs to the mode from a start, where the Hessian may be known approximately.
    fn climb(
        scale: Scale,
        groups: &impl Design,
        start: (Vec<f64>, LogPosterior),
        expected: Option<Expected>,
    ) -> Fit {
        let (mut coefficients, mut at) = start;
        let least = expected.as_ref().map(|expected| expected.least);
        // The factor of the Hessian serves several steps, as long as they converge fast.
        let mut last: Option<(Matrix, Vec<usize>, f64)> =
            expected.map(|expected| (expected.factor, expected.bound, f64::INFINITY));
        // The Hessian at the present coefficients, if it was needed.
        let mut hessian: Option<Matrix> = None;
        for _ in 0..MAX_STEPS {
            let mut step = at.gradient(scale, groups, &coefficients);
            let bound = scale.bound(&coefficients, &step);
            bound.iter().for_each(|&place| step[place] = 0.0);
            let gradient = step.clone();
            let decrement = |factor: &Matrix, step: &mut Vec<f64>| -> f64 {
                factor.solve(step);
                gradient.iter().zip(&*step).map(|(gradient, step)| gradient * step).sum()
            };
            let reused = last.take().filter(|(_, was_bound, _)| *was_bound == bound);
            let mut found = reused.map(|(factor, _, before)| {
                let now = decrement(&factor, &mut step);
                (factor, now, now < FAST * before)
            });
            if let (Some(least), Some((factor, decrement, _))) = (least, &found) {
                // Newton's step gains half the decrement, so that the mode is hardly higher than this.
                let laplace = 0.5 * (coefficients.len() as f64 * LN_2_PI - factor.ln_determinant());
                if bound.is_empty() && at.value + decrement + laplace < least - DETERMINANT_ERROR {
                    return Fit::Low;
                }
            }
            if found.as_ref().is_none_or(|(_, _, is_fast)| !is_fast) {
                let mut factor = at.hessian(scale, groups, &coefficients);
                hessian = Some(factor.clone());
                bound.iter().for_each(|&place| factor.isolate(place));
                factor.factorise();
                step.copy_from_slice(&gradient);
                let now = decrement(&factor, &mut step);
                found = Some((factor, now, true));
            }
            let Some((factor, decrement, _)) = found else { break };
            let least_gain = TOLERANCE * (1.0 + at.value.abs());
            if decrement < STANDSTILL * least_gain && hessian.is_some() {
                break;
            }
            hessian = None;
            if decrement < 2.0 * least_gain {
                // The last step does not change the log posterior, but ln |H| to the first order.
                let mut next: Vec<f64> =
                    coefficients.iter().zip(&step).map(|(beta, step)| beta + step).collect();
                scale.keep_in_bounds(&mut next);
                if let Some(last) = LogPosterior::new(scale, groups, &next) {
                    (coefficients, at) = (next, last);
                }
                break;
            }
            let longest = step.iter().fold(0.0f64, |longest, change| longest.max(change.abs()));
            if longest > LONGEST_STEP {
                step.iter_mut().for_each(|change| *change *= LONGEST_STEP / longest);
            }
            let Some((next, better)) = at.line_search(scale, groups, &coefficients, &step) else { break };
            let gain = better.with_barrier - at.with_barrier;
            (coefficients, at) = (next, better);
            if gain < least_gain {
                break;
            }
            last = Some((factor, bound, decrement));
        }
        if scale == Scale::Sufficient && coefficients[1..].iter().any(|&coefficient| coefficient <= 0.0) {
            return Fit::Smaller;
        }
        let hessian = hessian.unwrap_or_else(|| at.hessian(scale, groups, &coefficients));
        Fit::from(Self::at_mode(scale, groups, coefficients, at, hessian))
    }

    fn at_mode(
        scale: Scale,
        groups: &impl Design,
        coefficients: Vec<f64>,
        at: LogPosterior,
        mut hessian: Matrix,
    ) -> Option<Self> {
        let shared: Vec<f64> = (0..coefficients.len()).map(|place| hessian.get(place, 0)).collect();
        let all_information = shared[0] - scale.intercept_prior(coefficients[0]).curvature;
        let mut dimensions = coefficients.len() as f64;
        let mut ln_marginal = at.value;
        // The slope in the direction of the intercept, if it is at its bound.
        let is_at_bound = scale == Scale::Sufficient && coefficients[0] <= 0.0;
        let slope = is_at_bound.then(|| at.gradient(scale, groups, &coefficients)[0]);
        let slope = slope.filter(|slope| *slope < 0.0);
        if slope.is_some() {
            hessian.isolate(0);
            dimensions -= 1.0;
        }
        let mut factor = hessian.clone();
        if !factor.factorise() && scale.coefficient_prior(0.0).curvature == 0.0 {
            return None;
        }
        ln_marginal += 0.5 * (dimensions * LN_2_PI - factor.ln_determinant());
        if let Some(slope) = slope {
            // The mode is at the bound: the intercept is integrated over β₀ ≥ 0.
            ln_marginal += ln_half_normal(slope, factor.intercept_precision(shared));
        }
        let covariance = Vec::new();
        Some(Self {
            scale,
            coefficients,
            ln_marginal,
            classes: at.classes,
            hessian,
            factor,
            covariance,
            is_bound: slope.is_some(),
            all_information,
            prior_at_zero: scale.coefficient_prior(0.0),
        })
    }

    /// Prepares for predictions.
    pub fn prepare_predictions(&mut self) {
        let size = self.coefficients.len();
        self.covariance = vec![0.0; size * size];
        for (place, row) in self.covariance.chunks_mut(size).enumerate() {
            row[place] = 1.0;
            self.factor.solve(row);
        }
    }

    /// A further term. `counts` has, for each group, the number of cases and of controls in which the term holds.
    /// `None` if the data say nothing of it.
    pub fn addition(&self, groups: &Groups, counts: impl Iterator<Item = (f64, f64)>) -> Option<FurtherTerm> {
        let mut slope = 0.0;
        let mut weights = Vec::new();
        for (group, (positive, negative)) in counts.enumerate() {
            if positive + negative == 0.0 {
                continue;
            }
            let [case, control] = &self.classes[group];
            slope += positive * case.slope + negative * control.slope;
            weights.push((group, positive * case.curvature + negative * control.curvature));
        }
        let terms = self.coefficients.len() - 1;
        let mut shared = groups.sums_over(weights.into_iter(), terms);
        let information = shared[0];
        if information <= 0.0 {
            return None;
        }
        if self.is_bound {
            shared[0] = 0.0;
        }
        let mut shift = shared.clone();
        self.factor.solve(&mut shift);
        let explained: f64 = shift.iter().zip(&shared).map(|(shift, shared)| shift * shared).sum();
        let prior = &self.prior_at_zero;
        let precision = (information - explained).max(1e-6 * information) + prior.curvature;
        Some(FurtherTerm { slope: slope + prior.slope, precision, shift, information, shared })
    }

    /// Whether the squared correlation of a further term with a term of the regression, in rows weighted by their
    /// information, is at least this.
    pub fn are_correlated(&self, new: &FurtherTerm, term: usize, least: f64) -> bool {
        let (all, own) = (self.information(None), self.information(Some(term)));
        let covariance = new.shared[term + 1] * all - own * new.information;
        let variances = own * (all - own) * new.information * (all - new.information);
        covariance * covariance > least * variances
    }

    /// The slopes and curvatures of the log-likelihood of one case and one control in each group.
    pub(crate) fn classes(&self) -> &[[Derivatives; 2]] {
        &self.classes
    }

    /// The predicted gain in log marginal likelihood from removing up to two terms and adding up to one, from the
    /// quadratic approximation of the log posterior at the mode.
    pub fn predict_change(&self, removed: &[usize], added: Option<&FurtherTerm>) -> Prediction {
        let size = self.coefficients.len();
        let mut beta = [0.0; 2];
        let mut covariance = [[0.0; 2]; 2];
        for (row, &i) in removed.iter().enumerate() {
            beta[row] = self.coefficients[i + 1];
            for (column, &j) in removed.iter().enumerate() {
                covariance[row][column] = self.covariance[(i + 1) * size + j + 1];
            }
        }
        let shift = |new: &FurtherTerm| {
            let mut shift = [0.0; 2];
            removed.iter().zip(&mut shift).for_each(|(&term, shift)| *shift = new.shift[term + 1]);
            shift
        };
        let added =
            added.map(|new| NewTerm { slope: new.slope, precision: new.precision, shift: shift(new) });
        self.predict(removed.len(), beta, covariance, added)
    }

    /// The predicted coefficients if some terms are removed and one is added: those of the terms that stay, then the
    /// new one.
    pub fn predict_mode(&self, removed: &[usize], added: Option<&FurtherTerm>) -> Vec<f64> {
        let size = self.coefficients.len();
        let mut mode = self.coefficients.clone();
        let mut covariance = self.covariance.clone();
        if let Some(added) = added {
            let change = added.slope / added.precision;
            mode.iter_mut().zip(&added.shift).for_each(|(beta, shift)| *beta -= shift * change);
            // The new coefficient is one more row of the covariance.
            covariance = vec![0.0; (size + 1) * (size + 1)];
            let shift = |i: usize| added.shift.get(i).copied().unwrap_or(-1.0);
            for i in 0..=size {
                for j in 0..=size {
                    let known = if i < size && j < size { self.covariance[i * size + j] } else { 0.0 };
                    covariance[i * (size + 1) + j] = known + shift(i) * shift(j) / added.precision;
                }
            }
            mode.push(change);
        }
        let size = mode.len();
        for &term in removed {
            // Conditions on a coefficient of 0.
            let place = term + 1;
            let row: Vec<f64> = covariance[place * size..(place + 1) * size].to_vec();
            let pull = mode[place] / row[place];
            mode.iter_mut().zip(&row).for_each(|(beta, shared)| *beta -= shared * pull);
            for (i, shared) in row.iter().enumerate() {
                let factor = shared / row[place];
                let entries = &mut covariance[i * size..(i + 1) * size];
                entries.iter_mut().zip(&row).for_each(|(entry, other)| *entry -= factor * other);
            }
        }
        let stays = |(place, _): &(usize, f64)| *place == 0 || !removed.contains(&(place - 1));
        mode.into_iter().enumerate().filter(stays).map(|(_, beta)| beta).collect()
    }

    /// The predicted gain from replacing a term by two others that share `overlap` of their information.
    pub fn predict_split(
        &self,
        term: usize,
        one: &FurtherTerm,
        two: &FurtherTerm,
        overlap: f64,
    ) -> Prediction {
        let size = self.coefficients.len();
        let explained: f64 = one.shift.iter().zip(&two.shared).map(|(shift, shared)| shift * shared).sum();
        let share = (overlap - explained) / one.precision;
        let (place, change) = (term + 1, one.slope / one.precision);
        let beta = [self.coefficients[place] - one.shift[place] * change, 0.0];
        let variance = self.covariance[place * size + place] + one.shift[place].powi(2) / one.precision;
        let second = NewTerm {
            slope: two.slope - share * one.slope,
            precision: (two.precision - share * share * one.precision).max(1e-6 * two.precision),
            shift: [two.shift[place] - share * one.shift[place], 0.0],
        };
        let first = 0.5 * (one.slope * change - one.precision.ln()) + self.scale.ln_unit();
        let rest = self.predict(1, beta, [[variance, 0.0], [0.0; 2]], Some(second));
        Prediction {
            gain: first + rest.gain,
            size: 0.5 * one.slope * change + rest.size,
            coefficient: rest.coefficient.max(change.abs()),
        }
    }

    /// Wald's statistic of a term: the square of its coefficient over its variance.
    pub fn wald(&self, term: usize) -> f64 {
        let size = self.coefficients.len();
        self.coefficients[term + 1].powi(2) / self.covariance[(term + 1) * (size + 1)]
    }

    /// The information of a term of the regression, or that of all rows.
    pub fn information(&self, term: Option<usize>) -> f64 {
        let Some(place) = term.map(|term| term + 1) else { return self.all_information };
        let prior = self.scale.coefficient_prior(self.coefficients[place]);
        self.hessian.get(place, place) - prior.curvature
    }

    fn predict(
        &self,
        removed: usize,
        mut beta: [f64; 2],
        mut covariance: [[f64; 2]; 2],
        added: Option<NewTerm>,
    ) -> Prediction {
        let mut gain = -(removed as f64) * self.scale.ln_unit();
        if let Some(new) = &added {
            // The removed coefficients after the addition, and their covariance.
            for (row, &shift) in new.shift.iter().enumerate().take(removed) {
                beta[row] -= shift * new.slope / new.precision;
                for (cell, &other) in covariance[row].iter_mut().zip(&new.shift).take(removed) {
                    *cell += shift * other / new.precision;
                }
            }
        }
        // `pull` solves covariance · pull = beta.
        let (pull, determinant) = match removed {
            0 => ([0.0; 2], 1.0),
            1 => ([beta[0] / covariance[0][0], 0.0], covariance[0][0]),
            _ => {
                let determinant = covariance[0][0] * covariance[1][1] - covariance[0][1] * covariance[1][0];
                let solve = |one: usize, two: usize| {
                    (covariance[two][two] * beta[one] - covariance[one][two] * beta[two]) / determinant
                };
                ([solve(0, 1), solve(1, 0)], determinant)
            }
        };
        let mut coefficient = beta[0].abs().max(beta[1].abs());
        let mut size = 0.5 * (beta[0] * pull[0] + beta[1] * pull[1]);
        gain -= size + 0.5 * determinant.max(f64::MIN_POSITIVE).ln();
        if let Some(new) = added {
            let back = new.shift[0] * pull[0] + new.shift[1] * pull[1];
            if !self.scale.is_signed() && new.slope + back <= 0.0 {
                return Prediction::IMPOSSIBLE;
            }
            let added = 0.5 * new.slope * new.slope / new.precision;
            size += added;
            coefficient = coefficient.max((new.slope / new.precision).abs());
            gain += added - 0.5 * new.precision.ln() + self.scale.ln_unit();
        }
        Prediction { gain, size, coefficient }
    }

    /// Minus the Hessian after a change, at the present coefficients.
    fn predict_hessian(&self, removed: &[usize], added: Option<&FurtherTerm>) -> Matrix {
        let stays = |place: &usize| *place == 0 || !removed.contains(&(place - 1));
        let kept: Vec<usize> = (0..self.coefficients.len()).filter(stays).collect();
        let mut hessian = Matrix::new(kept.len() + usize::from(added.is_some()));
        for (row, &i) in kept.iter().enumerate() {
            for (column, &j) in kept[..=row].iter().enumerate() {
                *hessian.at(row, column) = self.hessian.get(i, j);
            }
        }
        if let Some(added) = added {
            let last = kept.len();
            for (column, &j) in kept.iter().enumerate() {
                *hessian.at(last, column) = added.shared[j];
            }
            *hessian.at(last, last) = added.information + self.prior_at_zero.curvature;
        }
        hessian
    }

    /// The predicted gain of a term with this score and information, of which the model explains a part.
    pub(crate) fn gain_of_score(&self, score: f64, information: f64, explained: f64) -> f64 {
        let prior = &self.prior_at_zero;
        let score = score + prior.slope;
        if information <= 0.0 || (!self.scale.is_signed() && score <= 0.0) {
            return f64::NEG_INFINITY;
        }
        let precision = (information - explained).max(1e-6 * information) + prior.curvature;
        0.5 * (score * score / precision - precision.ln() + LN_2_PI) + prior.value
    }

    /// Whether that gain may be at least this large: a bound without a logarithm or a division, for candidates of which
    /// only the intercept explains a part. `variance` is the inverse of the information of the intercept.
    pub(crate) fn may_gain(&self, score: f64, information: f64, variance: f64, least: f64) -> bool {
        let prior = &self.prior_at_zero;
        let score = score + prior.slope;
        if information <= 0.0 || (!self.scale.is_signed() && score <= 0.0) {
            return false;
        }
        let explained = information * information * variance;
        let precision = (information - explained).max(1e-6 * information) + prior.curvature;
        let least_ln_precision = ((precision.to_bits() >> 52) as f64 - 1023.0) * LN_2;
        score * score >= precision * (2.0 * (least - prior.value) + least_ln_precision - LN_2_PI)
    }

    /// The inverse of the information of the intercept; 0 if the intercept is at its bound.
    pub(crate) fn intercept_variance(&self) -> f64 {
        if self.is_bound { 0.0 } else { 1.0 / self.hessian.get(0, 0) }
    }

    /// The part of the information of a term that some coefficients explain, if the term implies all of them: then it
    /// shares all its information with each of them.
    pub(crate) fn explained_by_implied(&self, information: f64, implied: &[usize]) -> f64 {
        let implied = if self.is_bound { &implied[1..] } else { implied };
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

impl LogPosterior {
    pub(super) fn new(scale: Scale, groups: &impl Design, coefficients: &[f64]) -> Option<Self> {
        if scale == Scale::Sufficient && coefficients[0] < 0.0 {
            return None;
        }
        let mut value = scale.intercept_prior(coefficients[0]).value;
        value += coefficients[1..].iter().map(|&beta| scale.coefficient_prior(beta).value).sum::<f64>();
        let (mut barrier, mut classes) = (0.0, Vec::with_capacity(groups.cells()));
        let mut has_baseline = false;
        for (group, predictor) in groups.predictors(coefficients).enumerate() {
            has_baseline |= scale.has_barrier() && groups.holds_none(group);
            let found = scale.classes(predictor)?;
            let (positive, total) = groups.rows(group);
            value += positive * found[0].value + (total - positive) * found[1].value;
            barrier += found[0].value + found[1].value;
            classes.push(found);
        }
        let baseline = match scale.has_barrier() && !has_baseline {
            true => Some(scale.classes(coefficients[0])?),
            false => None,
        };
        barrier += baseline.map_or(0.0, |[case, control]| case.value + control.value);
        let with_barrier = value + barrier_weight(scale) * barrier;
        with_barrier.is_finite().then_some(Self { value, with_barrier, classes, baseline })
    }

    pub(super) fn gradient(&self, scale: Scale, groups: &impl Design, coefficients: &[f64]) -> Vec<f64> {
        let barrier = barrier_weight(scale);
        let slope = |(group, [case, control]): (usize, &[Derivatives; 2])| {
            let (positive, total) = groups.rows(group);
            (positive + barrier) * case.slope + (total - positive + barrier) * control.slope
        };
        let slopes: Vec<f64> = self.classes.iter().enumerate().map(slope).collect();
        let mut gradient = groups.sums(&slopes, coefficients.len() - 1);
        gradient[0] += scale.intercept_prior(coefficients[0]).slope;
        for (slope, &beta) in gradient.iter_mut().zip(coefficients).skip(1) {
            *slope += scale.coefficient_prior(beta).slope;
        }
        gradient[0] += self.baseline.map_or(0.0, |[case, control]| barrier * (case.slope + control.slope));
        gradient
    }

    /// Minus the Hessian of the log posterior.
    pub(super) fn hessian(&self, scale: Scale, groups: &impl Design, coefficients: &[f64]) -> Matrix {
        let barrier = barrier_weight(scale);
        let weight = |(group, [case, control]): (usize, &[Derivatives; 2])| {
            let (positive, total) = groups.rows(group);
            (positive + barrier) * case.curvature + (total - positive + barrier) * control.curvature
        };
        let weights: Vec<f64> = self.classes.iter().enumerate().map(weight).collect();
        let mut matrix = groups.cross_products(&weights, coefficients.len() - 1);
        *matrix.at(0, 0) += scale.intercept_prior(coefficients[0]).curvature;
        for (place, &beta) in coefficients.iter().enumerate().skip(1) {
            *matrix.at(place, place) += scale.coefficient_prior(beta).curvature;
        }
        let baseline = |[case, control]: [Derivatives; 2]| barrier * (case.curvature + control.curvature);
        *matrix.at(0, 0) += self.baseline.map_or(0.0, baseline);
        matrix
    }

    /// The coefficients after the longest of the steps 1, ½, ¼, … that increases the log posterior.
    fn line_search(
        &self,
        scale: Scale,
        groups: &impl Design,
        coefficients: &[f64],
        step: &[f64],
    ) -> Option<(Vec<f64>, LogPosterior)> {
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            let mut next: Vec<f64> =
                coefficients.iter().zip(step).map(|(beta, step)| beta + length * step).collect();
            scale.keep_in_bounds(&mut next);
            match LogPosterior::new(scale, groups, &next) {
                Some(found) if found.with_barrier > self.with_barrier => return Some((next, found)),
                _ => length /= 2.0,
            }
        }
        None
    }
}

/// The given coefficients if they are possible and better than none, and otherwise only an intercept.
fn starting_point(
    scale: Scale,
    groups: &impl Design,
    terms: usize,
    start: Option<&[f64]>,
) -> Option<(Vec<f64>, LogPosterior)> {
    let intercept = scale.predictor(share_of_cases(groups));
    let better = start.and_then(|start| {
        debug_assert_eq!(start.len(), terms + 1);
        let mut start = start.to_vec();
        scale.keep_in_bounds(&mut start);
        if scale == Scale::Sufficient && start[0] == 0.0 {
            start[0] = scale.predictor(share_without_terms(groups));
        }
        let found = LogPosterior::new(scale, groups, &start)?;
        (found.with_barrier > value_without_terms(scale, groups, intercept, terms)?).then_some((start, found))
    });
    better.or_else(|| {
        let mut coefficients = vec![0.0; terms + 1];
        coefficients[0] = intercept;
        let at = LogPosterior::new(scale, groups, &coefficients)?;
        Some((coefficients, at))
    })
}

/// The log posterior with the barrier if the coefficients of all terms are 0.
fn value_without_terms(scale: Scale, groups: &impl Design, intercept: f64, terms: usize) -> Option<f64> {
    let [case, control] = scale.classes(intercept)?;
    let (positive, total) = groups.all_rows();
    let likelihood = positive * case.value + (total - positive) * control.value;
    let prior = scale.intercept_prior(intercept).value + terms as f64 * scale.coefficient_prior(0.0).value;
    let barrier = barrier_weight(scale) * groups.cells() as f64 * (case.value + control.value);
    Some(likelihood + prior + barrier)
}

fn barrier_weight(scale: Scale) -> f64 {
    if scale.has_barrier() { BARRIER } else { 0.0 }
}

/// ln ∫ exp(slope · x − ½ precision · x²) dx over x ≥ 0, for a negative slope.
fn ln_half_normal(slope: f64, precision: f64) -> f64 {
    let ratio = precision / (slope * slope);
    if ratio < 1e-3 {
        // The asymptotic series of Mills' ratio.
        return (-ratio + 3.0 * ratio.powi(2) - 15.0 * ratio.powi(3)).ln_1p() - (-slope).ln();
    }
    let tail = 0.5 * libm::erfc((0.5 / ratio).sqrt());
    0.5 / ratio + tail.ln() + 0.5 * (LN_2_PI - precision.ln())
}

/// The share of cases among the rows in which no term holds. With a case there, the intercept of a sufficient model is
/// not 0, and Newton's method would leave this bound in tiny steps only.
fn share_without_terms(groups: &impl Design) -> f64 {
    let without =
        (0..groups.cells()).filter(|&group| groups.holds_none(group)).map(|group| groups.rows(group));
    let (positive, total) = without.fold((0.0, 0.0), |sum, rows| (sum.0 + rows.0, sum.1 + rows.1));
    if positive > 0.0 { positive / (total + 1.0) } else { 0.0 }
}

/// The share of cases, with one more case and one more control.
fn share_of_cases(groups: &impl Design) -> f64 {
    let (positive, total) = groups.all_rows();
    (positive + 1.0) / (total + 2.0)
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
    fn a_risk_that_no_row_shows_is_a_risk() {
        // Every row has one of the three terms, so that only the prior holds the intercept.
        let mut groups = Groups::default();
        for (term, positive) in [(0, 2.0), (1, 5.0), (2, 9.0)] {
            groups.push(std::iter::once(term), positive, 1e5);
        }
        for scale in Scale::REGRESSIONS {
            let Some(fit) = Regression::fit(scale, &groups, 3, Some(&[30.0, -40.8, -39.9, -39.3])) else {
                continue;
            };
            assert!(fit.ln_marginal < 0.0, "{scale:?} {}", fit.ln_marginal);
            assert!(scale.classes(fit.coefficients[0]).is_some(), "{scale:?} {:?}", fit.coefficients);
        }
    }

    /// The bound without a logarithm holds, and is no more than half of ln 2 above the gain.
    #[test]
    fn a_term_may_gain_what_it_is_predicted_to_gain() {
        let groups = two_groups((20.0, 100.0), (60.0, 100.0));
        let mut random = Random::new(4);
        for scale in REGRESSIONS {
            let fit = Regression::fit(scale, &groups, 1, None).unwrap();
            let variance = fit.intercept_variance();
            for _ in 0..1000 {
                let (score, information) = (40.0 * random.unit() - 20.0, 30.0 * random.unit().powi(4));
                let explained = information * information * variance;
                let gain = fit.gain_of_score(score, information, explained);
                let may = |least: f64| fit.may_gain(score, information, variance, least);
                if gain == f64::NEG_INFINITY {
                    assert!(!may(-1e3), "{scale:?} {score} {information}");
                    continue;
                }
                let rounding = 1e-9 * gain.abs().max(1.0);
                assert!(may(gain - rounding), "{scale:?} {score} {information}");
                assert!(!may(gain + 0.5 * LN_2 + rounding), "{scale:?} {score} {information}");
            }
        }
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
                    if let Some(posterior) = LogPosterior::new(scale, &groups, &beta).filter(|_| is_possible)
                    {
                        sum += (posterior.value - found.ln_marginal).exp();
                    }
                }
            }
            let integral = sum * (2.0 * half / f64::from(steps)).powi(2);
            assert!(integral.ln().abs() < 0.05, "{scale:?}: {}", integral.ln());
        }
    }

    /// Every row has a term, so the data decide little between the intercept and the coefficients. The mode of the
    /// intercept is at its bound or close to it.
    #[test]
    fn marginal_likelihoods_near_the_bound_of_the_intercept_agree_with_numerical_integration() {
        // Laplace's approximation does not cut the normal density at the bound if the mode is inside.
        for (both, least, most) in [(62, -0.2, 0.0), (70, -0.7, 0.0), (71, 0.0, 0.05), (78, 0.0, 0.05)] {
            let mut groups = Groups::default();
            groups.push(std::iter::once(0), 39.0, 100.0);
            groups.push(std::iter::once(1), 50.0, 100.0);
            groups.push(0..2, f64::from(both), 100.0);
            let found = Regression::fit(Scale::Sufficient, &groups, 2, None).unwrap();
            let (mut sum, step) = (0.0, 0.03);
            let at = |place: i32| (f64::from(place) + 0.5) * step;
            for cell in 0..50 * 50 * 50 {
                let beta = [at(cell % 50), at(cell / 50 % 50), at(cell / 50 / 50)];
                let posterior = LogPosterior::new(Scale::Sufficient, &groups, &beta).unwrap();
                sum += (posterior.value - found.ln_marginal).exp();
            }
            let error: f64 = (sum * step.powi(3)).ln();
            assert!((least..most).contains(&error), "{both} cases with both: {error}");
        }
        let [below, above] = [0.999e-3, 1.001e-3].map(|ratio| ln_half_normal(-1.0, ratio));
        assert!((below - above).abs() < 1e-5);
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

    /// No case has only the third term, so its mode is at the bound, and the intercept cannot be lowered either.
    #[test]
    fn a_coefficient_at_its_bound_does_not_stop_the_fit_of_the_others() {
        let mut groups = Groups::default();
        let counts: [(&[usize], f64, f64); 6] = [
            (&[], 0.0, 114.0),
            (&[0, 1], 25.0, 25.0),
            (&[0, 1, 2], 53.0, 53.0),
            (&[1], 23.0, 23.0),
            (&[1, 2], 52.0, 52.0),
            (&[2], 0.0, 225.0),
        ];
        counts.iter().for_each(|(terms, cases, rows)| groups.push(terms.iter().copied(), *cases, *rows));
        for start in [[0.1; 4], [0.1, 2.0, 0.0, 0.0], [0.1, 0.0, 2.0, 0.0], [0.0, 1.0, 1.0, 1.0]] {
            assert!(Regression::fit(Scale::Sufficient, &groups, 3, Some(&start)).is_none(), "{start:?}");
        }
        assert!(Regression::fit(Scale::Sufficient, &groups, 3, None).is_none());
    }

    /// Cases without any term are all but impossible if the intercept is 0. From there, Newton's steps are tiny.
    #[test]
    fn a_fit_leaves_the_bound_of_the_intercept() {
        let mut groups = Groups::default();
        groups.push(std::iter::once(0), 900.0, 2000.0);
        groups.push(std::iter::once(1), 600.0, 1500.0);
        groups.push(0..2, 650.0, 800.0);
        let start = Regression::fit(Scale::Sufficient, &groups, 2, None).unwrap().coefficients;
        assert_eq!(start[0], 0.0);
        groups.push(std::iter::empty(), 3.0, 60.0);
        let expected = Regression::fit(Scale::Sufficient, &groups, 2, None).unwrap().ln_marginal;
        let found = Regression::fit(Scale::Sufficient, &groups, 2, Some(&start)).map(|fit| fit.ln_marginal);
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-6), "{found:?} {expected}");
    }

    /// A neighbour is fitted from its prediction, or given up if it is clearly too low.
    #[test]
    fn neighbours_agree_with_fits_of_their_own() {
        let mut random = Random::new(5);
        for scale in REGRESSIONS {
            let (larger, smaller, counts) = random_groups(&mut random);
            let mut base = Regression::fit(scale, &smaller, 2, None).unwrap();
            base.prepare_predictions();
            let addition = base.addition(&smaller, counts.iter().copied());
            let expected = Regression::fit(scale, &larger, 3, None).unwrap().ln_marginal;
            let fit = |least: f64| base.fit_neighbour(&larger, &[], addition.as_ref(), least);
            for least in [f64::NEG_INFINITY, expected] {
                let Fit::Regression(found) = fit(least) else { panic!("{scale:?}: not fitted") };
                assert!((found.ln_marginal - expected).abs() < 1e-6, "{scale:?}: {}", found.ln_marginal);
            }
            assert!(matches!(fit(expected + 10.0), Fit::Low), "{scale:?}");
        }
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
    fn predicted_coefficients_are_close_to_fitted_ones() {
        let mut random = Random::new(4);
        for scale in REGRESSIONS {
            let (larger, smaller, counts) = random_groups(&mut random);
            let mut base = Regression::fit(scale, &smaller, 2, None).unwrap();
            let mut full = Regression::fit(scale, &larger, 3, None).unwrap();
            base.prepare_predictions();
            full.prepare_predictions();
            let addition = base.addition(&smaller, counts.iter().copied());
            let close = |found: &[f64], fitted: &[f64]| {
                assert_eq!(found.len(), fitted.len());
                let error = found.iter().zip(fitted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error < 0.05, "{scale:?}: {found:?} {fitted:?}");
            };
            close(&base.predict_mode(&[], addition.as_ref()), &full.coefficients);
            close(&full.predict_mode(&[2], None), &base.coefficients);
            // The third term in place of the second.
            let swapped = base.predict_mode(&[1], addition.as_ref());
            close(&swapped, &full.predict_mode(&[1], None));
        }
    }

    #[test]
    fn predicted_gains_are_close_to_fitted_ones() {
        let mut random = Random::new(3);
        for scale in REGRESSIONS {
            for _ in 0..20 {
                let (larger, smaller, counts) = random_groups(&mut random);
                let base = Regression::fit(scale, &smaller, 2, None).unwrap();
                let mut full = Regression::fit(scale, &larger, 3, None).unwrap();
                let addition = base.addition(&smaller, counts.iter().copied());
                let gain = full.ln_marginal - base.ln_marginal;
                let predicted = base.predict_change(&[], addition.as_ref()).gain;
                assert!((predicted - gain).abs() < 1.0, "{scale:?}: {predicted} {gain}");
                full.prepare_predictions();
                let removed = full.predict_change(&[2], None).gain;
                assert!((removed + gain).abs() < 1.0, "{scale:?}: {removed} {gain}");
            }
        }
    }
}
