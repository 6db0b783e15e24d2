//! Effect sizes adjusted for the other causes: Mantel-Haenszel estimates over the strata of the other causes.

use super::effects::Effects;
use super::pooled::PooledSums;
use crate::count::{Configurations, Count, Stratum};

/// The effects of a cause adjusted for the other causes.
///
/// Strata in which the cause holds in every row or in no row are not informative and have no weight. This matters for
/// causes that share columns: adjusted for `a`, the effect of `a&b` is that of `b` in the rows with `a`; adjusted for
/// `a&b`, the effect of `a` comes from the rows in which `a&b` does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Adjusted {
    /// The number of strata: configurations of the other causes that occur.
    pub strata: u64,
    /// The number of informative strata: some rows have the cause and some do not.
    pub informative_strata: u64,
    /// The number of rows in informative strata.
    pub informative_rows: u64,
    /// The pooled effects.
    #[cfg_attr(feature = "serde", serde(flatten))]
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
        Self { strata, informative_strata, informative_rows, effects: Effects::from_strata(&pooled) }
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

#[cfg(test)]
mod tests {
    use super::super::estimate::{Estimate, Measure, Unknown};
    use super::*;

    fn pooled(strata: &[[u64; 4]]) -> Effects {
        let mut pooled = PooledSums::default();
        strata.iter().for_each(|&cells| pooled.add(&cells.into()));
        Effects::from_strata(&pooled)
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
        assert_eq!(
            with_90_percent_interval(found.risk_difference(), |value| value),
            [0.0349, -0.0176, 0.0874]
        );
        assert_eq!(with_90_percent_interval(found.risk_ratio(), f64::ln), [0.2818, -0.1442, 0.7078]);
        assert_eq!(with_90_percent_interval(found.odds_ratio(), f64::ln), [0.3387, -0.1731, 0.8505]);
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
        let odds_ratio = found.odds_ratio().unwrap();
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
            .odds_ratio()
            .unwrap();
        assert!((found.value - 7.0).abs() < 1e-12);
        assert!((found.low - 1.026_713).abs() < 5e-7 && (found.high - 47.725_133).abs() < 5e-7, "{found:?}");
    }

    #[test]
    fn one_stratum_gives_the_crude_effects() {
        let cells = [12, 30, 7, 80];
        let (crude, pooled) = (Effects::from_table(&cells.into()), pooled(&[cells]));
        for (crude, pooled) in
            [(crude.risk_ratio(), pooled.risk_ratio()), (crude.odds_ratio(), pooled.odds_ratio())]
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
        assert_eq!(pooled(&[]).risk_difference(), Err(Unknown::NothingToCompare));
        assert_eq!(pooled(&[[1, 2, 0, 0]]).odds_ratio(), Err(Unknown::NothingToCompare));
        let one_sided = pooled(&[[3, 0, 0, 4], [2, 2, 0, 3]]);
        assert_eq!(one_sided.risk_ratio(), Err(Unknown::EmptyCells));
        assert_eq!(one_sided.odds_ratio(), Err(Unknown::EmptyCells));
        assert!(one_sided.risk_difference().unwrap().value > 0.5);
        for strata in [[[3, 0, 0, 4], [2, 0, 0, 3]], [[0, 3, 0, 4], [0, 2, 0, 3]]] {
            assert_eq!(pooled(&strata).risk_difference(), Err(Unknown::NoVariance));
        }
    }
}
