//! Sums over strata, and the Mantel-Haenszel measures that follow from them.
//!
//! The estimates and the variances used here are valid for many small strata.

use super::crude::cells;
use super::estimate::{Estimate, Measure, Unknown};
use crate::count::Stratum;

/// The sums over strata from which the pooled estimates are computed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PooledSums {
    /// Σ n₁n₀/n and Σ (a n₀ − c n₁)/n, where a of n₁ rows with the cause and c of n₀ rows without it have the target.
    weight: f64,
    difference: f64,
    /// Sato's (1989) sums P and Q for the variance of the difference.
    sato: [f64; 2],
    /// Σ a n₀/n, Σ c n₁/n, and the sum of Greenland and Robins (1985) for the variance of the ratio.
    risks: [f64; 2],
    risks_variance: f64,
    /// R = Σ ad/n and S = Σ bc/n, and the sums of Robins, Breslow and Greenland (1986).
    odds: [f64; 2],
    odds_variance: [f64; 3],
}

impl PooledSums {
    /// Adds a stratum.
    pub(super) fn add(&mut self, stratum: &Stratum) {
        let [a, b, c, d] = cells(stratum);
        let (with, without) = (a + b, c + d);
        let n = with + without;
        // One factor is divided by n before multiplying, so that products of large counts stay accurate.
        self.weight += with * (without / n);
        self.difference += a * (without / n) - c * (with / n);
        let (w, o) = (with / n, without / n);
        self.sato[0] += c * w * w - a * o * o + w * o * (without - with) / 2.0;
        self.sato[1] += (a * (d / n) + c * (b / n)) / 2.0;
        self.risks[0] += a * o;
        self.risks[1] += c * w;
        self.risks_variance += (a + c) * w * o - a * (c / n);
        let (r, s) = (a * (d / n), b * (c / n));
        let (p, q) = ((a + d) / n, (b + c) / n);
        self.odds[0] += r;
        self.odds[1] += s;
        self.odds_variance[0] += p * r;
        self.odds_variance[1] += p * s + q * r;
        self.odds_variance[2] += q * s;
    }

    /// The pooled risk difference.
    pub(super) fn risk_difference(&self) -> Measure {
        self.check_informative()?;
        let difference = self.difference / self.weight;
        let (one, other) = (difference * self.sato[0], self.sato[1]);
        // If all risks are 0 or 1, the variance consists of rounding errors only, and an interval would be meaningless.
        if one + other > 1e-9 * (one.abs() + other) {
            let variance = (one + other) / (self.weight * self.weight);
            Ok(clamp_difference(Estimate::with_normal_interval(difference, variance)))
        } else {
            Err(Unknown::NoVariance)
        }
    }

    /// The pooled risk ratio.
    pub(super) fn risk_ratio(&self) -> Measure {
        self.ratio(self.risks, self.risks_variance / (self.risks[0] * self.risks[1]))
    }

    /// The pooled odds ratio.
    pub(super) fn odds_ratio(&self) -> Measure {
        let [r, s] = self.odds;
        let [pr, mixed, qs] = self.odds_variance;
        self.ratio(self.odds, pr / (2.0 * r * r) + mixed / (2.0 * r * s) + qs / (2.0 * s * s))
    }

    fn ratio(&self, [upper, lower]: [f64; 2], variance: f64) -> Measure {
        self.check_informative()?;
        if upper > 0.0 && lower > 0.0 {
            Ok(Estimate::with_log_normal_interval(upper / lower, variance))
        } else {
            Err(Unknown::EmptyCells)
        }
    }

    fn check_informative(&self) -> Result<(), Unknown> {
        if self.weight <= 0.0 { Err(Unknown::NothingToCompare) } else { Ok(()) }
    }
}

/// Limits the interval of a risk difference to −1 … 1.
fn clamp_difference(estimate: Estimate) -> Estimate {
    Estimate { low: estimate.low.max(-1.0), high: estimate.high.min(1.0), ..estimate }
}
