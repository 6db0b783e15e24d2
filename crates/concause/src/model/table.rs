//! The saturated model: each configuration of the terms has its own risk of the target.
//!
//! The marginal likelihood has a uniform prior on each risk. A configuration with a cases and b controls contributes
//! a! b! / (a + b + 1)! (Cooper and Herskovits 1992, the K2 score). Irrelevant terms lower the marginal likelihood,
//! because they add configurations, each with its own risk.

use crate::count::Count;

/// The largest number of precomputed log factorials.
const MAX_TABULATED: usize = 1 << 20;

/// Computes marginal likelihoods of saturated models.
#[derive(Clone, Debug)]
pub struct TableModel {
    ln_factorial: Vec<f64>,
}

impl TableModel {
    /// Prepares the model for data with this number of rows.
    pub fn new(rows: u64) -> Self {
        let tabulated = MAX_TABULATED.min(rows as usize + 2);
        let sums = (0..tabulated).scan(0.0, |sum, n| {
            *sum += (n.max(1) as f64).ln();
            Some(*sum)
        });
        Self { ln_factorial: sums.collect() }
    }

    fn ln_factorial(&self, n: u64) -> f64 {
        self.ln_factorial.get(n as usize).copied().unwrap_or_else(|| libm::lgamma(n as f64 + 1.0))
    }

    /// The log marginal likelihood of the target, from the counts of each configuration.
    pub fn ln_marginal_likelihood(&self, configurations: &[Count]) -> f64 {
        let ln_cell = |count: &Count| {
            self.ln_factorial(count.positive) + self.ln_factorial(count.negative)
                - self.ln_factorial(count.total() + 1)
        };
        configurations.iter().map(ln_cell).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marginal_likelihood_is_the_integral_over_the_risk() {
        let model = TableModel::new(100);
        for (positive, negative) in [(0, 0), (1, 0), (3, 2), (7, 20)] {
            // ∫ p^a (1 − p)^b dp by the midpoint rule.
            let steps = 200_000;
            let midpoints = (0..steps).map(|step| (f64::from(step) + 0.5) / f64::from(steps));
            let likelihood = |p: f64| p.powi(positive) * (1.0 - p).powi(negative);
            let integral: f64 = midpoints.map(likelihood).sum::<f64>() / f64::from(steps);
            let count = Count { positive: positive as u64, negative: negative as u64 };
            let found = model.ln_marginal_likelihood(&[count]);
            assert!((found - integral.ln()).abs() < 1e-7, "{positive} {negative}: {found}");
        }
    }

    #[test]
    fn factorials_beyond_the_table_agree_with_tabulated_ones() {
        let (small, large) = (TableModel::new(10), TableModel::new(5000));
        let counts = [Count { positive: 1234, negative: 3000 }, Count { positive: 5, negative: 4 }];
        let (small, large) = (small.ln_marginal_likelihood(&counts), large.ln_marginal_likelihood(&counts));
        assert!((small - large).abs() < 1e-9 * large.abs());
    }
}
