//! Where the search for the mode of a regression starts: at given coefficients, for example those of a similar model,
//! or at the risk of all rows.

use super::log_posterior::{LogPosterior, value_without_terms};
use crate::model::groups::Design;
use crate::model::scale::Scale;

/// The given coefficients if they are possible and better than none, and otherwise only an intercept.
pub(super) fn starting_point(
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
    use super::super::Regression;
    use super::*;
    use crate::model::groups::Groups;

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
}
