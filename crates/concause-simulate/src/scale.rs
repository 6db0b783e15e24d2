//! The scales on which causes act.

use std::ops::Bound;

use super::logistic::normal_quantile;
use super::planted::logistic;
use super::{AllowedRange, Uniform};

/// The scale on which causes act: link(P(T=1)) = link(baseline) + Σ coefficient·cause.
///
/// The *baseline* is the risk of a row without any cause. The unit of an *effect* depends on the scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RiskScale {
    /// Log odds add up. An effect is a log odds ratio.
    #[default]
    Logistic,
    /// Each cause present produces T=1 with a probability of its own, independently of the others (noisy-OR; the
    /// sufficient causes of Rothman 1976): P(T=1) = 1 − (1 − baseline)·Π(1 − effect). An effect is this probability.
    Sufficient,
    /// Risks add up: P(T=1) = baseline + Σ effect. An effect is a risk difference.
    Additive,
    /// Risks are multiplied: P(T=1) = baseline·Π effect. An effect is a risk ratio.
    Multiplicative,
    /// Quantiles of the normal distribution add up: P(T=1) = Φ(Φ⁻¹(baseline) + Σ effect).
    Probit,
}

impl RiskScale {
    /// All scales.
    pub const ALL: [RiskScale; 5] = [
        RiskScale::Logistic,
        RiskScale::Sufficient,
        RiskScale::Additive,
        RiskScale::Multiplicative,
        RiskScale::Probit,
    ];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            RiskScale::Logistic => "logistic",
            RiskScale::Sufficient => "sufficient",
            RiskScale::Additive => "additive",
            RiskScale::Multiplicative => "multiplicative",
            RiskScale::Probit => "probit",
        }
    }

    /// The effects that a cause can have.
    pub(crate) fn allowed_effects(self) -> AllowedRange {
        match self {
            RiskScale::Logistic | RiskScale::Probit => {
                AllowedRange { low: Bound::Excluded(-50.0), high: Bound::Excluded(50.0) }
            }
            RiskScale::Sufficient => AllowedRange::CLOSED_UNIT,
            RiskScale::Additive => AllowedRange { low: Bound::Included(-1.0), high: Bound::Included(1.0) },
            RiskScale::Multiplicative => AllowedRange { low: Bound::Excluded(0.0), high: Bound::Unbounded },
        }
    }

    /// The risks that a row without any cause can have.
    pub(crate) fn allowed_baselines(self) -> AllowedRange {
        match self {
            RiskScale::Logistic | RiskScale::Probit | RiskScale::Multiplicative => AllowedRange::OPEN_UNIT,
            RiskScale::Sufficient | RiskScale::Additive => AllowedRange::HALF_OPEN_UNIT,
        }
    }

    /// The link of a risk.
    pub(crate) fn link(self, risk: f64) -> f64 {
        match self {
            RiskScale::Logistic => libm::log(risk) - libm::log(1.0 - risk),
            RiskScale::Sufficient => -libm::log1p(-risk),
            RiskScale::Additive => risk,
            RiskScale::Multiplicative => libm::log(risk),
            RiskScale::Probit => normal_quantile(risk),
        }
    }

    /// The risk of a link: the inverse of [`RiskScale::link`].
    pub(crate) fn risk(self, link: f64) -> f64 {
        match self {
            RiskScale::Logistic => logistic(link),
            RiskScale::Sufficient => -libm::expm1(-link),
            RiskScale::Additive => link,
            RiskScale::Multiplicative => libm::exp(link),
            RiskScale::Probit => 0.5 * libm::erfc(-link * std::f64::consts::FRAC_1_SQRT_2),
        }
    }

    /// What an effect adds to the link.
    pub(crate) fn coefficient(self, effect: f64) -> f64 {
        match self {
            RiskScale::Logistic | RiskScale::Additive | RiskScale::Probit => effect,
            RiskScale::Sufficient | RiskScale::Multiplicative => self.link(effect),
        }
    }

    /// The smallest and the largest risk that causes with such effects can give, whichever of them are present.
    pub(crate) fn extreme_risks(self, baseline: f64, effects: impl Iterator<Item = Uniform>) -> [f64; 2] {
        let mut links = [self.link(baseline); 2];
        for effect in effects {
            links[0] += self.coefficient(effect.low).min(0.0);
            links[1] += self.coefficient(effect.high).max(0.0);
        }
        links.map(|link| self.risk(link))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_follow_the_formula_of_each_scale() {
        let baseline = 0.1;
        for (scale, effects, expected) in [
            (RiskScale::Logistic, [0.7, 1.1], 1.0 / (1.0 + 9.0 * (-1.8f64).exp())),
            (RiskScale::Sufficient, [0.3, 0.5], 1.0 - 0.9 * 0.7 * 0.5),
            (RiskScale::Additive, [0.2, 0.4], 0.7),
            (RiskScale::Multiplicative, [2.0, 3.0], 0.6),
            // Φ(x) = 1/2 + (x − x³/6 + …)/√(2π) at x = 1.3 − 1.2815516.
            (RiskScale::Probit, [0.6, 0.7], 0.507_359_44),
        ] {
            let link =
                scale.link(baseline) + effects.map(|effect| scale.coefficient(effect)).iter().sum::<f64>();
            let risk = scale.risk(link);
            assert!((risk - expected).abs() < 1e-7, "{scale:?}: {risk}");
            assert!((scale.risk(scale.link(0.3)) - 0.3).abs() < 1e-12);
        }
        assert_eq!(RiskScale::Sufficient.risk(RiskScale::Sufficient.coefficient(1.0)), 1.0);
        assert_eq!(RiskScale::Sufficient.risk(RiskScale::Sufficient.link(0.0)), 0.0);
    }

    #[test]
    fn extreme_risks_are_those_of_all_raising_or_all_lowering_causes() {
        let effects = [Uniform { low: -0.2, high: 0.1 }, Uniform::always(0.3)];
        let [low, high] = RiskScale::Additive.extreme_risks(0.25, effects.into_iter());
        assert!((low - 0.05).abs() < 1e-12 && (high - 0.65).abs() < 1e-12, "{low} {high}");
    }
}
