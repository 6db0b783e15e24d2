//! Scales of risk: how the effects of several causes combine if they do not interact.
//!
//! On each scale, a predictor η = β₀ + Σ β_t t of the terms that hold determines the risk p. The log-likelihood of a
//! group of rows is concave in η on every scale. With Cauchy priors a posterior can still have several modes if terms
//! overlap.

/// A scale of risk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scale {
    /// Log odds: p = 1/(1 + e^−η).
    Logistic,
    /// Probit: p = Φ(η).
    Probit,
    /// Sufficient causes (noisy-OR; Rothman 1986): p = 1 − e^−η with β ≥ 0. Each cause that holds produces the outcome
    /// independently of the others.
    Sufficient,
    /// Additive risks: p = η.
    Additive,
    /// Multiplicative risks: p = e^η.
    Multiplicative,
    /// A free risk for each configuration of the terms.
    Table,
}

impl Scale {
    /// All scales.
    pub const ALL: [Scale; 6] = [
        Scale::Logistic,
        Scale::Probit,
        Scale::Sufficient,
        Scale::Additive,
        Scale::Multiplicative,
        Scale::Table,
    ];

    /// The scales with a predictor, the most common first.
    pub const REGRESSIONS: [Scale; 5] =
        [Scale::Logistic, Scale::Sufficient, Scale::Probit, Scale::Additive, Scale::Multiplicative];

    /// Whether causes are expected to act on this scale. Without strong evidence, effects that interact on a common
    /// scale are an interaction, not effects without interaction on a rare scale.
    pub(crate) fn is_common(self) -> bool {
        matches!(self, Scale::Logistic | Scale::Sufficient | Scale::Table)
    }

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Logistic => "logistic",
            Scale::Probit => "probit",
            Scale::Sufficient => "sufficient",
            Scale::Additive => "additive",
            Scale::Multiplicative => "multiplicative",
            Scale::Table => "table",
        }
    }

    /// Whether a term and its coefficient have a sign: on the sufficient scale a cause only raises the risk.
    pub(crate) fn is_signed(self) -> bool {
        self != Scale::Sufficient
    }

    /// Whether the fitted risks are kept from 0 and 1 by a barrier.
    pub(crate) fn has_barrier(self) -> bool {
        matches!(self, Scale::Additive | Scale::Multiplicative)
    }

    /// Whether coefficients are log odds ratios, or nearly so.
    pub(crate) fn is_of_odds(self) -> bool {
        matches!(self, Scale::Logistic | Scale::Probit)
    }

    /// What a coefficient adds to a log marginal likelihood, apart from its effect and its precision.
    pub(super) fn ln_unit(self) -> f64 {
        self.coefficient_prior(0.0).value + 0.5 * LN_2_PI
    }

    /// The coefficients at their bound that the log posterior with this gradient does not move away from it: on the
    /// sufficient scale no coefficient is negative.
    pub(super) fn bound(self, coefficients: &[f64], gradient: &[f64]) -> Vec<usize> {
        let is_bound = |place: &usize| coefficients[*place] <= 0.0 && gradient[*place] < 0.0;
        let places = if self == Scale::Sufficient { 0..coefficients.len() } else { 0..0 };
        places.filter(is_bound).collect()
    }

    /// Moves coefficients outside their bounds to them.
    pub(super) fn keep_in_bounds(self, coefficients: &mut [f64]) {
        if self == Scale::Sufficient {
            coefficients.iter_mut().for_each(|coefficient| *coefficient = coefficient.max(0.0));
        }
    }

    /// The risk at a predictor. A sum of coefficients that did not occur together may be outside the scale.
    pub(super) fn risk(self, eta: f64) -> f64 {
        match self {
            Scale::Logistic => 1.0 / (1.0 + (-eta).exp()),
            Scale::Probit => 0.5 * libm::erfc(-eta / std::f64::consts::SQRT_2),
            Scale::Sufficient => -(-eta.max(0.0)).exp_m1(),
            Scale::Multiplicative => eta.min(0.0).exp(),
            Scale::Additive | Scale::Table => eta.clamp(0.0, 1.0),
        }
    }

    /// The predictor at which the risk is p.
    pub(super) fn predictor(self, p: f64) -> f64 {
        match self {
            Scale::Logistic => (p / (1.0 - p)).ln(),
            Scale::Probit => normal_quantile(p),
            Scale::Sufficient => -(-p).ln_1p(),
            Scale::Multiplicative => p.ln(),
            Scale::Additive | Scale::Table => p,
        }
    }

    /// The log-likelihood of one case and of one control, with the derivatives; `None` if η is outside the scale.
    pub(crate) fn classes(self, eta: f64) -> Option<[Derivatives; 2]> {
        let new = |value, slope, curvature| Derivatives { value, slope, curvature };
        match self {
            Scale::Logistic => {
                let smaller_odds = (-eta.abs()).exp();
                let ln_one_plus = eta.max(0.0) + smaller_odds.ln_1p();
                let (smaller, larger) = (smaller_odds / (1.0 + smaller_odds), 1.0 / (1.0 + smaller_odds));
                let (p, q) = if eta < 0.0 { (smaller, larger) } else { (larger, smaller) };
                Some([new(eta - ln_one_plus, q, p * q), new(-ln_one_plus, -p, p * q)])
            }
            Scale::Probit => {
                let tail = |x: f64| {
                    // ln Φ(x) and φ(x)/Φ(x); far in the tail Mills' ratio is its asymptotic value.
                    let cdf = 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
                    if cdf > 1e-290 {
                        (cdf.ln(), (-0.5 * (x * x + LN_2_PI)).exp() / cdf)
                    } else {
                        (-0.5 * (x * x + LN_2_PI) - (-x).ln(), -x - 1.0 / x)
                    }
                };
                let ((case, up), (control, down)) = (tail(eta), tail(-eta));
                Some([new(case, up, up * (up + eta)), new(control, -down, down * (down - eta))])
            }
            Scale::Sufficient => {
                // A sum of coefficients of 0 or more can be below 0 by rounding.
                if eta < -SMALLEST_RISK {
                    return None;
                }
                // At η = 0 a case is impossible. A tiny risk in its place keeps the numbers finite.
                let p = (-(-eta).exp_m1()).max(SMALLEST_RISK);
                let odds = (1.0 - p) / p;
                Some([new(p.ln(), odds, odds / p), new(-eta, -1.0, 0.0)])
            }
            Scale::Multiplicative => {
                if eta > 0.0 {
                    return None;
                }
                let q = (-eta.exp_m1()).max(SMALLEST_RISK);
                let odds = (1.0 - q) / q;
                Some([new(eta, 1.0, 0.0), new(q.ln(), -odds, odds / q)])
            }
            Scale::Additive | Scale::Table => {
                if !(0.0..=1.0).contains(&eta) {
                    return None;
                }
                let (p, q) = (eta.max(SMALLEST_RISK), (1.0 - eta).max(SMALLEST_RISK));
                Some([new(p.ln(), 1.0 / p, 1.0 / (p * p)), new(q.ln(), -1.0 / q, 1.0 / (q * q))])
            }
        }
    }

    /// The log density of the intercept: the risk without any term is uniform between 0 and 1.
    pub(super) fn intercept_prior(self, intercept: f64) -> Derivatives {
        let new = |value, slope, curvature| Derivatives { value, slope, curvature };
        match self {
            Scale::Logistic => {
                let ln_one_plus = intercept.max(0.0) + (-intercept.abs()).exp().ln_1p();
                let p = (intercept - ln_one_plus).exp();
                new(intercept - 2.0 * ln_one_plus, 1.0 - 2.0 * p, 2.0 * p * (1.0 - p))
            }
            Scale::Probit => new(-0.5 * (intercept * intercept + LN_2_PI), -intercept, 1.0),
            Scale::Sufficient => new(-intercept, -1.0, 0.0),
            Scale::Multiplicative => new(intercept, 1.0, 0.0),
            Scale::Additive | Scale::Table => new(0.0, 0.0, 0.0),
        }
    }

    /// The log density of a coefficient: standard Cauchy for log odds ratios and log risk ratios, so that a very strong
    /// cause is possible (Jeffreys 1961); for sufficient causes standard exponential, so that the probability of
    /// producing the outcome is uniform; uniform between −1 and 1 for risk differences.
    ///
    /// The curvature of the Cauchy density is that of the normal density which touches it from below here: it is always
    /// positive.
    pub(super) fn coefficient_prior(self, coefficient: f64) -> Derivatives {
        let new = |value, slope, curvature| Derivatives { value, slope, curvature };
        match self {
            Scale::Logistic | Scale::Probit | Scale::Multiplicative => {
                let unit = if self == Scale::Probit { PROBIT_UNIT } else { 1.0 };
                let x = coefficient * unit;
                let curvature = 2.0 * unit * unit / (1.0 + x * x);
                new((unit / std::f64::consts::PI).ln() - (x * x).ln_1p(), -coefficient * curvature, curvature)
            }
            Scale::Sufficient => new(-coefficient, -1.0, 0.0),
            Scale::Additive | Scale::Table => new(-std::f64::consts::LN_2, 0.0, 0.0),
        }
    }
}

/// The quantile of the standard normal distribution, by Newton's method on ln Φ.
fn normal_quantile(p: f64) -> f64 {
    let (target, mut x) = (p.ln(), 0.0);
    for _ in 0..60 {
        let Some([case, _]) = Scale::Probit.classes(x) else { return x };
        let step: f64 = (target - case.value) / case.slope;
        x += step.clamp(-1.0, 1.0);
        if step.abs() < 1e-12 {
            break;
        }
    }
    x
}

pub(super) const LN_2_PI: f64 = 1.837_877_066_409_345_6;

/// The ratio of logistic to probit coefficients (Amemiya 1981).
const PROBIT_UNIT: f64 = 1.6;

const SMALLEST_RISK: f64 = 1e-12;

/// A log density or log-likelihood, its slope, and its curvature (minus the second derivative).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Derivatives {
    pub value: f64,
    pub slope: f64,
    pub curvature: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_agree_with_likelihoods_and_predictors() {
        for scale in Scale::REGRESSIONS {
            for p in [0.001, 0.2, 0.5, 0.93] {
                let eta = scale.predictor(p);
                assert!((scale.risk(eta) - p).abs() < 1e-9, "{scale:?} {p}");
                let [case, control] = scale.classes(eta).unwrap();
                assert!((case.value.exp() - p).abs() < 1e-9 && (control.value.exp() - 1.0 + p).abs() < 1e-9);
            }
            assert!([-50.0, 50.0].iter().all(|&eta| (0.0..=1.0).contains(&scale.risk(eta))), "{scale:?}");
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for scale in Scale::REGRESSIONS {
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
}
