//! The quadratic approximation of a log posterior at the mode of a regression, in the coefficients of its terms and of
//! further ones. It predicts the marginal likelihood of every regression on a subset of these terms.
//!
//! The symmetric tableau of the sweep operator (Goodnight 1979) has the covariance of the coefficients in the
//! regression, the precision of the others given those, and a right-hand side: the coefficients in the regression, and
//! the slopes in the direction of the others. Terms enter and leave by pivots.

use super::groups::Groups;
use super::regression::LogPosterior;
use super::scale::Scale;

/// A term is a linear function of others if less than this share of its information is its own.
const LEAST_OWN: f64 = 1e-6;

/// The most terms that enter or leave at a time.
const MOST_CHANGED: usize = 3;

/// A quadratic log posterior.
#[derive(Clone)]
pub struct Quadratic {
    size: usize,
    tableau: Vec<f64>,
    right: Vec<f64>,
    is_in: Vec<bool>,
    /// The information of each term by itself.
    information: Vec<f64>,
    /// Whether the squared correlation of two terms is at least the least correlation.
    correlated: Vec<bool>,
    scale: Scale,
}

impl Quadratic {
    /// The approximation at the mode of a regression on some terms of the groups: the intercept, then their
    /// coefficients. `size` is the number of all terms of the groups. `None` if the mode is outside the scale.
    pub fn new(
        scale: Scale,
        groups: &Groups,
        size: usize,
        members: &[usize],
        mode: &[f64],
        least_correlation: f64,
    ) -> Option<Self> {
        let size = size + 1;
        let mut coefficients = vec![0.0; size];
        coefficients[0] = mode[0];
        members.iter().zip(&mode[1..]).for_each(|(&term, &beta)| coefficients[term + 1] = beta);
        let at = LogPosterior::new(scale, groups, &coefficients)?;
        let hessian = at.hessian(scale, groups, &coefficients);
        let gradient = at.gradient(scale, groups, &coefficients);
        let entry = |i: usize, j: usize| hessian.get(i, j);
        let mut tableau = vec![0.0; size * size];
        let mut correlated = vec![false; size * size];
        for i in 0..size {
            for j in 0..size {
                tableau[i * size + j] = entry(i, j);
                let own = |i: usize| entry(i, i) * entry(0, 0) - entry(i, 0).powi(2);
                let shared = entry(i, j) * entry(0, 0) - entry(i, 0) * entry(j, 0);
                correlated[i * size + j] = shared * shared > least_correlation * own(i) * own(j);
            }
        }
        // With b = H β + gradient, the posterior of a subset S is highest at the solution of H_S β_S = b_S.
        let right = (0..size)
            .map(|i| gradient[i] + (0..size).map(|j| entry(i, j) * coefficients[j]).sum::<f64>())
            .collect();
        let mut found = Self {
            size,
            tableau,
            right,
            is_in: vec![false; size],
            information: (0..size).map(|i| entry(i, i)).collect(),
            correlated,
            scale,
        };
        if !scale.bound(&coefficients, &gradient).contains(&0) {
            found.pivot(0);
        }
        found.change(members);
        Some(found)
    }

    /// Whether two terms are correlated.
    pub fn are_correlated(&self, one: usize, two: usize) -> bool {
        self.correlated[(one + 1) * self.size + two + 1]
    }

    /// The intercept and the coefficients of some terms in the regression.
    pub fn coefficients(&self, terms: &[usize]) -> Vec<f64> {
        let intercept = if self.is_in[0] { self.right[0] } else { 0.0 };
        std::iter::once(intercept).chain(terms.iter().map(|&term| self.right[term + 1])).collect()
    }

    /// The predicted gain in log marginal likelihood if each of these terms enters or leaves.
    pub fn predict(&self, changed: &[usize]) -> f64 {
        debug_assert!(changed.len() <= MOST_CHANGED);
        let size = changed.len();
        let mut block = [[0.0; MOST_CHANGED]; MOST_CHANGED];
        let mut right = [0.0; MOST_CHANGED];
        let mut gain = 0.0;
        for (i, &one) in changed.iter().enumerate() {
            right[i] = self.right[one + 1];
            for (j, &two) in changed.iter().enumerate() {
                block[i][j] = self.tableau[(one + 1) * self.size + two + 1];
            }
        }
        for k in 0..size {
            let (place, pivot) = (changed[k] + 1, block[k][k]);
            let is_in = self.is_in[place];
            let is_possible = if is_in { pivot < 0.0 } else { pivot > LEAST_OWN * self.information[place] };
            if !is_possible {
                return f64::NEG_INFINITY;
            }
            gain += 0.5 * (right[k] * right[k] / pivot - pivot.abs().ln());
            gain += if is_in { -self.scale.ln_unit() } else { self.scale.ln_unit() };
            let (row, own) = (block[k], right[k]);
            for (entries, right) in block.iter_mut().zip(&mut right).skip(k + 1) {
                let factor = entries[k] / pivot;
                *right -= factor * own;
                entries
                    .iter_mut()
                    .zip(&row)
                    .skip(k + 1)
                    .for_each(|(entry, shared)| *entry -= factor * shared);
            }
        }
        if !self.scale.is_signed() {
            // Back substitution: a cause that enters must raise the risk.
            for k in (0..size).rev() {
                let later: f64 = (k + 1..size).map(|j| block[k][j] * right[j]).sum();
                right[k] = (right[k] - later) / block[k][k];
                if !self.is_in[changed[k] + 1] && right[k] <= 0.0 {
                    return f64::NEG_INFINITY;
                }
            }
        }
        gain
    }

    /// Lets each of these terms enter or leave.
    pub fn change(&mut self, changed: &[usize]) {
        changed.iter().for_each(|&term| self.pivot(term + 1));
    }

    fn pivot(&mut self, k: usize) {
        let size = self.size;
        let row: Vec<f64> = self.tableau[k * size..(k + 1) * size].to_vec();
        let (pivot, right) = (row[k], self.right[k]);
        let sign = if self.is_in[k] { -1.0 } else { 1.0 };
        for i in (0..size).filter(|&i| i != k) {
            let factor = row[i] / pivot;
            let entries = &mut self.tableau[i * size..(i + 1) * size];
            entries.iter_mut().zip(&row).for_each(|(entry, shared)| *entry -= factor * shared);
            entries[k] = sign * factor;
            self.tableau[k * size + i] = sign * factor;
            self.right[i] -= factor * right;
        }
        self.tableau[k * size + k] = -1.0 / pivot;
        self.right[k] = sign * right / pivot;
        self.is_in[k] = !self.is_in[k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Regression;
    use crate::random::Random;

    const TERMS: usize = 4;

    /// Groups of all configurations of four terms, with only the terms in `kept`.
    fn groups(kept: &[usize], seed: u64) -> Groups {
        let mut random = Random::new(seed);
        let mut groups = Groups::default();
        for key in 0..1usize << TERMS {
            let holds = |term: usize| key >> term & 1 == 1;
            let risk = 0.15 + 0.05 * f64::from(holds(0)) + 0.06 * f64::from(holds(1) && holds(2));
            let total = 300.0 + (300.0 * random.unit()).floor();
            let terms = kept.iter().enumerate().filter(|(_, term)| holds(**term)).map(|(place, _)| place);
            groups.push(terms, (total * risk).round(), total);
        }
        groups
    }

    #[test]
    fn predictions_are_close_to_fits_and_do_not_depend_on_the_path() {
        for scale in [Scale::Logistic, Scale::Probit, Scale::Additive] {
            for seed in 1..=5 {
                let fit = |terms: &[usize]| {
                    Regression::fit(scale, &groups(terms, seed), terms.len(), None).unwrap()
                };
                let base = fit(&[0, 1]);
                let all = groups(&[0, 1, 2, 3], seed);
                let quadratic =
                    || Quadratic::new(scale, &all, TERMS, &[0, 1], &base.coefficients, 0.05).unwrap();
                for changed in [vec![2], vec![0], vec![0, 3], vec![0, 1, 2], vec![1, 2, 3]] {
                    let after: Vec<usize> =
                        (0..TERMS).filter(|term| (*term < 2) != changed.contains(term)).collect();
                    let gain = fit(&after).ln_marginal - base.ln_marginal;
                    let predicted = quadratic().predict(&changed);
                    assert!((predicted - gain).abs() < 1.5, "{scale:?} {changed:?}: {predicted} {gain}");
                    // One change after the other comes to the same.
                    let mut path = quadratic();
                    let mut sum = 0.0;
                    for term in &changed {
                        sum += path.predict(&[*term]);
                        path.change(&[*term]);
                    }
                    assert!((sum - predicted).abs() < 1e-8, "{changed:?}: {sum} {predicted}");
                    let (found, fitted) = (path.coefficients(&after), fit(&after).coefficients);
                    for (found, fitted) in found.iter().zip(&fitted) {
                        assert!((found - fitted).abs() < 0.05, "{scale:?} {changed:?}: {found} {fitted}");
                    }
                    // And back.
                    path.change(&changed);
                    let known = quadratic().coefficients(&[0, 1]);
                    for (found, known) in path.coefficients(&[0, 1]).iter().zip(&known) {
                        assert!((found - known).abs() < 1e-8);
                    }
                }
            }
        }
    }

    #[test]
    fn a_cause_must_raise_the_risk_on_the_sufficient_scale() {
        let mut groups = Groups::default();
        groups.push([].into_iter(), 60.0, 200.0);
        groups.push([0].into_iter(), 20.0, 200.0);
        let mut all = Groups::default();
        all.push([].into_iter(), 80.0, 400.0);
        let base = Regression::fit(Scale::Sufficient, &all, 0, None).unwrap();
        let quadratic = Quadratic::new(Scale::Sufficient, &groups, 1, &[], &base.coefficients, 0.05).unwrap();
        assert_eq!(quadratic.predict(&[0]), f64::NEG_INFINITY);
    }
}
