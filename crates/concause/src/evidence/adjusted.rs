//! Effect sizes adjusted for the other causes: Mantel-Haenszel estimates over the strata of the other causes.
//!
//! The estimates and the variances used here are valid for many small strata.

use super::effects::{Effects, cells};
use super::estimate::{Estimate, Measure, Unknown};
use crate::count::{Configurations, Count, Stratum};

/// The effects of a cause adjusted for the other causes.
///
/// Strata in which the cause holds in every row or in no row are not informative and have no weight. This matters for
/// causes that share columns: adjusted for `a`, the effect of `a&b` is that of `b` in the rows with `a`; adjusted for
/// `a&b`, the effect of `a` comes from the rows in which `a&b` does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjusted {
    /// The number of strata: configurations of the other causes that occur.
    pub strata: u64,
    /// The number of informative strata: some rows have the cause and some do not.
    pub informative_strata: u64,
    /// The number of rows in informative strata.
    pub informative_rows: u64,
    /// The pooled effects.
    pub effects: Effects,
}

impl Adjusted {
    /// The effects of one term over the strata of the others.
    pub(super) fn estimate(configurations: &Configurations, term: usize) -> Self {
        let mut pooled = PooledSums::default();
        let mut informative_rows = 0;
        let informative = informative_strata(configurations, term);
        for stratum in &informative {
            informative_rows += stratum.total_count().total();
            pooled.add(stratum);
        }
        let informative_strata = informative.len() as u64;
        // An informative stratum consists of two configurations, any other stratum of one.
        let strata = configurations.len() as u64 - informative_strata;
        Self { strata, informative_strata, informative_rows, effects: pooled.effects() }
    }
}

/// The strata of the other terms in which some rows have the term and some do not.
pub(super) fn informative_strata(configurations: &Configurations, term: usize) -> Vec<Stratum> {
    let mut without_term = vec![0; configurations.words()];
    let mut strata = Vec::new();
    for number in (0..configurations.len()).filter(|&number| configurations.holds(number, term)) {
        without_term.copy_from_slice(configurations.key(number));
        without_term[term / 64] &= !(1 << (term % 64));
        let count = |number: usize| -> Count { configurations.counts()[number] };
        strata.extend(
            configurations
                .find(&without_term)
                .map(|without| Stratum { with: count(number), without: count(without) }),
        );
    }
    strata
}

/// The sums over strata from which the pooled estimates are computed.
#[derive(Clone, Copy, Debug, Default)]
struct PooledSums {
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
    fn add(&mut self, stratum: &Stratum) {
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

    fn effects(&self) -> Effects {
        if self.weight <= 0.0 {
            let unknown: Measure = Err(Unknown::NothingToCompare);
            return Effects { risk_difference: unknown, risk_ratio: unknown, odds_ratio: unknown };
        }
        let difference = self.difference / self.weight;
        let (one, other) = (difference * self.sato[0], self.sato[1]);
        // If all risks are 0 or 1, the variance consists of rounding errors only, and an interval would be meaningless.
        let risk_difference = if one + other > 1e-9 * (one.abs() + other) {
            let variance = (one + other) / (self.weight * self.weight);
            Ok(clamp_difference(Estimate::with_normal_interval(difference, variance)))
        } else {
            Err(Unknown::NoVariance)
        };
        let ratio = |[upper, lower]: [f64; 2], variance: f64| {
            if upper > 0.0 && lower > 0.0 {
                Ok(Estimate::with_log_normal_interval(upper / lower, variance))
            } else {
                Err(Unknown::EmptyCells)
            }
        };
        let [r, s] = self.odds;
        let [pr, mixed, qs] = self.odds_variance;
        Effects {
            risk_difference,
            risk_ratio: ratio(self.risks, self.risks_variance / (self.risks[0] * self.risks[1])),
            odds_ratio: ratio(self.odds, pr / (2.0 * r * r) + mixed / (2.0 * r * s) + qs / (2.0 * s * s)),
        }
    }
}

/// Limits the interval of a risk difference to −1 … 1.
fn clamp_difference(estimate: Estimate) -> Estimate {
    Estimate { low: estimate.low.max(-1.0), high: estimate.high.min(1.0), ..estimate }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pooled(strata: &[[u64; 4]]) -> Effects {
        let mut pooled = PooledSums::default();
        strata.iter().for_each(|&cells| pooled.add(&cells.into()));
        pooled.effects()
    }

    /// The estimate with its 90 % interval on the given scale, rounded to four decimals.
    fn with_90_percent_interval(measure: Measure, scale: impl Fn(f64) -> f64) -> [f64; 3] {
        let Estimate { value, low, high, .. } = measure.unwrap();
        let (value, low, high) = (scale(value), scale(low), scale(high));
        let shorter = 1.644_853_626_951_472_2 / 1.959_963_984_540_054;
        [value, value + (low - value) * shorter, value + (high - value) * shorter]
            .map(|figure| (figure * 1e4).round() / 1e4)
    }

    /// Rothman, Greenland and Lash (2008), Modern Epidemiology, table 15-1: deaths under tolbutamide and placebo, by
    /// age below 55 or not. The expected values come from the tests of the R package metafor for `rma.mh` with level =
    /// 90 (which also uses Sato's variance of the difference); ratios are logarithms.
    #[test]
    fn pooled_effects_match_metafor_on_tolbutamide() {
        let found = pooled(&[[8, 98, 5, 115], [22, 76, 16, 69]]);
        assert_eq!(with_90_percent_interval(found.risk_difference, |value| value), [0.0349, -0.0176, 0.0874]);
        assert_eq!(with_90_percent_interval(found.risk_ratio, f64::ln), [0.2818, -0.1442, 0.7078]);
        assert_eq!(with_90_percent_interval(found.odds_ratio, f64::ln), [0.3387, -0.1731, 0.8505]);
    }

    /// Bickel, Hammel and O'Connell (1975): R's `mantelhaen.test(UCBAdmissions)` prints a common odds ratio of
    /// 0.9046968 with the interval 0.7719074 to 1.0603298.
    #[test]
    fn odds_ratio_matches_r_on_berkeley_admissions() {
        let found = pooled(&[
            [512, 313, 89, 19],
            [353, 207, 17, 8],
            [120, 205, 202, 391],
            [138, 279, 131, 244],
            [53, 138, 94, 299],
            [22, 351, 24, 317],
        ]);
        let odds_ratio = found.odds_ratio.unwrap();
        for (found, expected) in
            [(odds_ratio.value, 0.904_696_8), (odds_ratio.low, 0.771_907_4), (odds_ratio.high, 1.060_329_8)]
        {
            assert!((found - expected).abs() < 5e-8, "{found} {expected}");
        }
    }

    /// Agresti (1990): R's `mantelhaen.test(Rabbits)` prints a common odds ratio of 7 with the interval 1.026713 to
    /// 47.725133. All strata have an empty cell, and the outcome does not vary in two of them.
    #[test]
    fn odds_ratio_matches_r_on_strata_with_empty_cells() {
        let found = pooled(&[[0, 6, 0, 5], [3, 3, 0, 6], [6, 0, 2, 4], [5, 1, 6, 0], [2, 0, 5, 0]])
            .odds_ratio
            .unwrap();
        assert!((found.value - 7.0).abs() < 1e-12);
        assert!((found.low - 1.026_713).abs() < 5e-7 && (found.high - 47.725_133).abs() < 5e-7, "{found:?}");
    }

    #[test]
    fn one_stratum_gives_the_crude_effects() {
        let cells = [12, 30, 7, 80];
        let (crude, pooled) = (Effects::from_table(&cells.into()), pooled(&[cells]));
        for (crude, pooled) in [(crude.risk_ratio, pooled.risk_ratio), (crude.odds_ratio, pooled.odds_ratio)]
        {
            let (crude, pooled) = (crude.unwrap(), pooled.unwrap());
            for (one, other) in
                [(crude.value, pooled.value), (crude.low, pooled.low), (crude.high, pooled.high)]
            {
                assert!((one - other).abs() < 1e-12 * one, "{crude:?} {pooled:?}");
            }
        }
    }

    #[test]
    fn pooled_measures_that_cannot_be_estimated_have_a_reason() {
        assert_eq!(pooled(&[]).risk_difference, Err(Unknown::NothingToCompare));
        assert_eq!(pooled(&[[1, 2, 0, 0]]).odds_ratio, Err(Unknown::NothingToCompare));
        let one_sided = pooled(&[[3, 0, 0, 4], [2, 2, 0, 3]]);
        assert_eq!(one_sided.risk_ratio, Err(Unknown::EmptyCells));
        assert_eq!(one_sided.odds_ratio, Err(Unknown::EmptyCells));
        assert!(one_sided.risk_difference.unwrap().value > 0.5);
        for strata in [[[3, 0, 0, 4], [2, 0, 0, 3]], [[0, 3, 0, 4], [0, 2, 0, 3]]] {
            assert_eq!(pooled(&strata).risk_difference, Err(Unknown::NoVariance));
        }
    }
}
