//! Effect sizes where the other causes are held fixed: Mantel and Haenszel's estimates over the strata of the others.
//!
//! They and the variances used here stay valid where strata are many and small.

use super::effects::{Effects, cells};
use super::estimate::{Estimate, Measure, Unknown};
use crate::count::{Configurations, Count, Stratum};

/// What a cause does where the other causes are held fixed.
///
/// Strata in which the cause always holds, or never, tell nothing of it and weigh nothing. So it is with other causes
/// that share columns with it: beside `a`, the effect of `a&b` is that of `b` in the rows with `a`, and beside `a&b`
/// the effect of `a` is that in the rows without `b`, those without `a` included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjusted {
    /// The strata: configurations of the other causes that occur.
    pub strata: u64,
    /// Those in which some rows have the cause and some have not.
    pub informative_strata: u64,
    /// The rows in these.
    pub informative_rows: u64,
    /// The pooled effects.
    pub effects: Effects,
}

impl Adjusted {
    /// The effects of one of the terms over the strata of the others.
    pub(super) fn over(configurations: &Configurations, term: usize) -> Self {
        let mut pooled = Pooled::default();
        let mut informative_rows = 0;
        let informative = informative(configurations, term);
        for stratum in &informative {
            informative_rows += stratum.all().total();
            pooled.add(stratum);
        }
        let informative_strata = informative.len() as u64;
        // Two configurations are an informative stratum, any other is one by itself.
        let strata = configurations.len() as u64 - informative_strata;
        Self { strata, informative_strata, informative_rows, effects: pooled.effects() }
    }
}

/// The strata of the other terms in which some rows have a term and some have not.
pub(super) fn informative(configurations: &Configurations, term: usize) -> Vec<Stratum> {
    let mut other = vec![0; configurations.words()];
    let mut strata = Vec::new();
    for number in (0..configurations.len()).filter(|&number| configurations.holds(number, term)) {
        other.copy_from_slice(configurations.key(number));
        other[term / 64] &= !(1 << (term % 64));
        let count = |number: usize| -> Count { configurations.counts()[number] };
        strata.extend(
            configurations
                .find(&other)
                .map(|without| Stratum { with: count(number), without: count(without) }),
        );
    }
    strata
}

/// The sums over the strata of which the estimates are made.
#[derive(Clone, Copy, Debug, Default)]
struct Pooled {
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

impl Pooled {
    fn add(&mut self, stratum: &Stratum) {
        let [a, b, c, d] = cells(stratum);
        let (with, without) = (a + b, c + d);
        let n = with + without;
        // Shares of n instead of products, so that no count is too large.
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
        // Nothing but rounding is left where all risks are 0 or 1; an interval without width would be a lie.
        let risk_difference = if one + other > 1e-9 * (one.abs() + other) {
            let variance = (one + other) / (self.weight * self.weight);
            Ok(within_one(Estimate::normal(difference, variance)))
        } else {
            Err(Unknown::NoVariance)
        };
        let ratio = |[upper, lower]: [f64; 2], variance: f64| {
            if upper > 0.0 && lower > 0.0 {
                Ok(Estimate::logarithmic(upper / lower, variance))
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

/// No difference of risks is beyond −1 and 1.
fn within_one(estimate: Estimate) -> Estimate {
    Estimate { low: estimate.low.max(-1.0), high: estimate.high.min(1.0), ..estimate }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pooled(strata: &[[u64; 4]]) -> Effects {
        let mut pooled = Pooled::default();
        strata.iter().for_each(|&cells| pooled.add(&cells.into()));
        pooled.effects()
    }

    /// The estimate with an interval of 90 %, to so many decimals.
    fn at_ninety(measure: Measure, scale: impl Fn(f64) -> f64) -> [f64; 3] {
        let Estimate { value, low, high, .. } = measure.unwrap();
        let (value, low, high) = (scale(value), scale(low), scale(high));
        let shorter = 1.644_853_626_951_472_2 / 1.959_963_984_540_054;
        [value, value + (low - value) * shorter, value + (high - value) * shorter]
            .map(|figure| (figure * 1e4).round() / 1e4)
    }

    /// Rothman, Greenland and Lash (2008), Modern Epidemiology, table 15-1: deaths under tolbutamide and placebo, below
    /// the age of 55 and above it. The figures are those that the tests of the R package metafor hold for its `rma.mh`
    /// with level = 90 (which takes Sato's variance of the difference, too), ratios as logarithms.
    #[test]
    fn tolbutamide() {
        let found = pooled(&[[8, 98, 5, 115], [22, 76, 16, 69]]);
        assert_eq!(at_ninety(found.risk_difference, |it| it), [0.0349, -0.0176, 0.0874]);
        assert_eq!(at_ninety(found.risk_ratio, f64::ln), [0.2818, -0.1442, 0.7078]);
        assert_eq!(at_ninety(found.odds_ratio, f64::ln), [0.3387, -0.1731, 0.8505]);
    }

    /// Bickel, Hammel and O'Connell (1975): R's `mantelhaen.test(UCBAdmissions)` prints a common odds ratio of 0.9046968
    /// and the interval from 0.7719074 to 1.0603298.
    #[test]
    fn admissions_to_berkeley() {
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

    /// Agresti (1990): R's `mantelhaen.test(Rabbits)` prints a common odds ratio of 7 and the interval from 1.026713 to
    /// 47.725133, although two of the strata have no one to compare and all have an empty cell.
    #[test]
    fn rabbits_and_penicillin() {
        let found = pooled(&[[0, 6, 0, 5], [3, 3, 0, 6], [6, 0, 2, 4], [5, 1, 6, 0], [2, 0, 5, 0]])
            .odds_ratio
            .unwrap();
        assert!((found.value - 7.0).abs() < 1e-12);
        assert!((found.low - 1.026_713).abs() < 5e-7 && (found.high - 47.725_133).abs() < 5e-7, "{found:?}");
    }

    #[test]
    fn one_stratum_is_the_plain_table() {
        let cells = [12, 30, 7, 80];
        let (plain, pooled) = (Effects::of(&cells.into()), pooled(&[cells]));
        for (plain, pooled) in [(plain.risk_ratio, pooled.risk_ratio), (plain.odds_ratio, pooled.odds_ratio)]
        {
            let (plain, pooled) = (plain.unwrap(), pooled.unwrap());
            for (one, other) in
                [(plain.value, pooled.value), (plain.low, pooled.low), (plain.high, pooled.high)]
            {
                assert!((one - other).abs() < 1e-12 * one, "{plain:?} {pooled:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_pooled_has_its_reason() {
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
