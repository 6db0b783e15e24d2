//! The log posterior of the coefficients of a regression, with its gradient and its Hessian.
//!
//! On scales with bounds on both sides, the search for the mode climbs the log posterior with a barrier. This module
//! does not know how the search chooses the direction of a step.

use crate::model::groups::Design;
use crate::model::matrix::Matrix;
use crate::model::scale::{Derivatives, Scale};

/// Newton steps are halved at most this often.
const MAX_HALVINGS: usize = 30;

/// Pseudo-observations of each class in each group, which keep risks inside (0, 1) on scales with bounds on both sides.
/// They only steer the search for the mode.
const BARRIER: f64 = 0.05;

/// The value and derivatives of the log posterior at some coefficients.
pub(crate) struct LogPosterior {
    /// The log-likelihood and log prior, and the same with the barrier.
    pub(crate) value: f64,
    pub(super) with_barrier: f64,
    pub(super) classes: Vec<[Derivatives; 2]>,
    /// The risk without any term, which a barrier keeps from 0 and 1, if no row shows it.
    baseline: Option<[Derivatives; 2]>,
}

impl LogPosterior {
    pub(crate) fn new(scale: Scale, groups: &impl Design, coefficients: &[f64]) -> Option<Self> {
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

    pub(crate) fn gradient(&self, scale: Scale, groups: &impl Design, coefficients: &[f64]) -> Vec<f64> {
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
    pub(crate) fn hessian(&self, scale: Scale, groups: &impl Design, coefficients: &[f64]) -> Matrix {
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
    pub(super) fn line_search(
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

/// The log posterior with the barrier if the coefficients of all terms are 0.
pub(super) fn value_without_terms(
    scale: Scale,
    groups: &impl Design,
    intercept: f64,
    terms: usize,
) -> Option<f64> {
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

#[cfg(test)]
mod tests {
    use super::super::Regression;
    use super::*;
    use crate::model::groups::Groups;

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
}
