//! The predicted gain of a further term from its score and its information alone, for a sweep over many candidates.
//!
//! It does not know what the term shares with each coefficient, as a [`FurtherTerm`](super::FurtherTerm) does: the
//! caller says how much of the information the regression explains.

use std::f64::consts::LN_2;

use super::Regression;
use crate::model::matrix::Matrix;
use crate::model::scale::LN_2_PI;

impl Regression {
    /// The predicted gain of a term with this score and information, of which the model explains a part.
    pub(crate) fn gain_of_score(&self, score: f64, information: f64, explained: f64) -> f64 {
        let prior = &self.prior_at_zero;
        let score = score + prior.slope;
        if information <= 0.0 || (!self.scale.is_signed() && score <= 0.0) {
            return f64::NEG_INFINITY;
        }
        let precision = self.precision(information, explained);
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
        let precision = self.precision(information, explained);
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
        self.copy_hessian(implied, &mut matrix);
        matrix.factorise();
        let mut lower = vec![information; implied.len()];
        matrix.solve_lower(&mut lower);
        lower.iter().map(|value| value * value).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_groups::two_groups;
    use super::*;
    use crate::model::scale::Scale;
    use crate::random::Random;

    /// The bound without a logarithm holds, and is no more than half of ln 2 above the gain.
    #[test]
    fn a_term_may_gain_what_it_is_predicted_to_gain() {
        let groups = two_groups((20.0, 100.0), (60.0, 100.0));
        let mut random = Random::new(4);
        for scale in Scale::REGRESSIONS {
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
}
