//! Regression of the target on binary terms, on any [`Scale`] with a predictor.
//!
//! The posterior mode of the coefficients is found by Newton's method. The marginal likelihood, the probability of the
//! outcomes with the coefficients integrated out, follows by Laplace's approximation (Tierney and Kadane 1986):
//! ln m = ln L(β̂) + ln π(β̂) + (d/2) ln 2π − ½ ln |H|, where H is minus the Hessian of ln L + ln π at the mode β̂. The
//! priors are proper, so separation needs no special treatment.

mod log_posterior;
mod predictions;
mod score;
mod starting_point;
#[cfg(test)]
mod test_groups;

use super::groups::Design;
use super::matrix::Matrix;
use super::scale::{Derivatives, LN_2_PI, Scale};
pub(super) use log_posterior::LogPosterior;
pub use predictions::{FurtherTerm, Prediction};
use starting_point::starting_point;

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

    /// The slopes and curvatures of the log-likelihood of one case and one control in each group.
    pub(crate) fn classes(&self) -> &[[Derivatives; 2]] {
        &self.classes
    }
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

#[cfg(test)]
mod tests {
    use super::test_groups::{random_groups, two_groups};
    use super::*;
    use crate::model::groups::Groups;
    use crate::random::Random;

    #[test]
    fn the_marginal_likelihood_agrees_with_numerical_integration() {
        let groups = two_groups((60.0, 200.0), (80.0, 150.0));
        for scale in Scale::REGRESSIONS {
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
        for scale in Scale::REGRESSIONS {
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

    /// A neighbour is fitted from its prediction, or given up if it is clearly too low.
    #[test]
    fn neighbours_agree_with_fits_of_their_own() {
        let mut random = Random::new(5);
        for scale in Scale::REGRESSIONS {
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
}
