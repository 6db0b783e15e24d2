//! The test of partial association within strata (Mantel and Haenszel 1959).

use std::cmp::Ordering;

use super::{TestResult, round_to_ten_digits};
use crate::count::Stratum;

/// The partial association of a candidate and the target over strata.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MantelHaenszel {
    /// The test with continuity correction, with one degree of freedom.
    pub result: TestResult,
    /// Σ ad/n over the strata. The candidate holds in the rows a and b and not in c and d; the target holds in a and
    /// c.
    concordant: f64,
    /// Σ bc/n
    discordant: f64,
}

impl MantelHaenszel {
    /// The pooled odds ratio Σ(ad/n) / Σ(bc/n); infinite if only the denominator is 0, `None` if both sums are 0.
    pub fn odds_ratio(&self) -> Option<f64> {
        (self.concordant > 0.0 || self.discordant > 0.0).then(|| self.concordant / self.discordant)
    }

    /// Whether the rows with both the candidate and the target are more (`Greater`) or fewer (`Less`) than expected.
    pub fn direction(&self) -> Ordering {
        // Σ(ad − bc)/n is Σ(a − E).
        round_to_ten_digits(self.concordant).total_cmp(&round_to_ten_digits(self.discordant))
    }

    /// Whether the pooled odds ratio or its inverse exceeds `least`. A ratio that equals it to ten digits does not.
    pub fn exceeds_odds_ratio(&self, least: f64) -> bool {
        let exceeds = |one: f64, other: f64| round_to_ten_digits(one) > round_to_ten_digits(least * other);
        exceeds(self.concordant, self.discordant) || exceeds(self.discordant, self.concordant)
    }
}

/// The Mantel-Haenszel test and odds ratio; `None` if the candidate or the target is constant in every stratum.
///
/// The statistic is max(|Σ(a − E)| − ½, 0)² / ΣV with E = (a+b)(a+c)/n and
/// V = (a+b)(c+d)(a+c)(b+d) / (n²(n−1)) in each stratum. R's `mantelhaen.test` gives the same result, except that it
/// omits the correction if |Σ(a − E)| < ½.
pub fn mantel_haenszel(strata: &[Stratum]) -> Option<MantelHaenszel> {
    let (mut excess, mut variance, mut concordant, mut discordant) = (0.0, 0.0, 0.0, 0.0);
    for stratum in strata {
        let all = stratum.total_count();
        if all.total() < 2 {
            continue;
        }
        let float = |count: u64| count as f64;
        let n = float(all.total());
        let (with, without) = (float(stratum.with.total()), float(stratum.without.total()));
        let (positive, negative) = (float(all.positive), float(all.negative));
        excess += float(stratum.with.positive) - with * (positive / n);
        variance += with / n * without * (positive / n) * (negative / (n - 1.0));
        concordant += float(stratum.with.positive) * (float(stratum.without.negative) / n);
        discordant += float(stratum.with.negative) * (float(stratum.without.positive) / n);
    }
    if variance <= 0.0 {
        return None;
    }
    let statistic = (excess.abs() - 0.5).max(0.0).powi(2) / variance;
    Some(MantelHaenszel { result: TestResult::new(statistic, 1), concordant, discordant })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(strata: &[[u64; 4]]) -> Option<MantelHaenszel> {
        let strata: Vec<Stratum> = strata.iter().map(|&cells| cells.into()).collect();
        mantel_haenszel(&strata)
    }

    #[test]
    fn two_strata_agree_with_a_calculation_by_hand() {
        // Stratum 1: 10 2 / 4 8, n = 24: a − E = 10 − 12·14/24 = 3, V = 12·12·14·10/(24²·23) = 20160/13248,
        //            ad/n = 80/24, bc/n = 8/24.
        // Stratum 2: 3 3 / 2 8, n = 16: a − E = 3 − 6·5/16 = 1.125, V = 6·10·5·11/(16²·15) = 3300/3840,
        //            ad/n = 24/16, bc/n = 6/16.
        let found = test(&[[10, 2, 4, 8], [3, 3, 2, 8]]).unwrap();
        let statistic = (4.125f64 - 0.5).powi(2) / (20160.0 / 13248.0 + 3300.0 / 3840.0);
        assert!((found.result.statistic - statistic).abs() < 1e-12, "{found:?}");
        let odds_ratio = (80.0 / 24.0 + 24.0 / 16.0) / (8.0 / 24.0 + 6.0 / 16.0);
        assert!((found.odds_ratio().unwrap() - odds_ratio).abs() < 1e-12);
        assert_eq!(found.result.df, 1);
        assert!(found.exceeds_odds_ratio(1.5));
    }

    /// Agresti (1990), Categorical Data Analysis, pages 231 to 237: penicillin given to rabbits immediately or after
    /// 1½ hours, cured or died, at five doses. This is the first example of R's `mantelhaen.test`, which prints
    /// X-squared = 3.9286, p-value = 0.04747 and a common odds ratio of 7.
    #[test]
    fn the_published_rabbit_data_are_reproduced() {
        let strata = [[0, 6, 0, 5], [3, 3, 0, 6], [6, 0, 2, 4], [5, 1, 6, 0], [2, 0, 5, 0]];
        let found = test(&strata).unwrap();
        assert!((found.result.statistic - 3.9286).abs() < 5e-5, "{found:?}");
        assert!((found.result.p_value - 0.04747).abs() < 5e-6);
        assert!((found.odds_ratio().unwrap() - 7.0).abs() < 1e-12);
    }

    /// Bickel, Hammel and O'Connell (1975), Science 187: admission of men and women to six departments at Berkeley.
    /// R's `mantelhaen.test(UCBAdmissions)` prints X-squared = 1.4269, p-value = 0.2323 and a common odds ratio of
    /// 0.9046968.
    #[test]
    fn the_published_berkeley_admissions_are_reproduced() {
        // Each row: men admitted and rejected, women admitted and rejected.
        let strata = [
            [512, 313, 89, 19],
            [353, 207, 17, 8],
            [120, 205, 202, 391],
            [138, 279, 131, 244],
            [53, 138, 94, 299],
            [22, 351, 24, 317],
        ];
        let found = test(&strata).unwrap();
        assert!((found.result.statistic - 1.4269).abs() < 5e-5, "{found:?}");
        assert!((found.result.p_value - 0.2323).abs() < 5e-5);
        assert!((found.odds_ratio().unwrap() - 0.904_696_8).abs() < 5e-8);
        assert!(!found.exceeds_odds_ratio(1.5));
    }

    #[test]
    fn constant_strata_are_not_testable_and_empty_cells_give_infinite_odds_ratios() {
        assert_eq!(test(&[]), None);
        assert_eq!(test(&[[0, 0, 3, 4], [5, 6, 0, 0], [0, 4, 0, 4], [1, 0, 0, 0]]), None);
        // Empty cells make one of the two sums 0.
        let infinite = test(&[[4, 0, 0, 4]]).unwrap();
        assert_eq!(infinite.odds_ratio(), Some(f64::INFINITY));
        assert!(infinite.exceeds_odds_ratio(1.5));
        let zero = test(&[[0, 4, 4, 0]]).unwrap();
        assert_eq!((zero.odds_ratio(), zero.exceeds_odds_ratio(1.5)), (Some(0.0), true));
        // The continuity correction removes an excess of half a row: a − E = 1 − 1·1/2.
        let even = test(&[[1, 0, 0, 1]]).unwrap();
        assert_eq!((even.result.statistic, even.result.p_value), (0.0, 1.0));
    }

    #[test]
    fn an_odds_ratio_of_exactly_one_and_a_half_does_not_exceed_it() {
        for scale in 1..200 {
            // The odds ratio is 3·1/(2·1) for every scale; below, its inverse.
            assert!(
                !test(&[[3 * scale, 2 * scale, scale, scale]]).unwrap().exceeds_odds_ratio(1.5),
                "{scale}"
            );
            assert!(
                !test(&[[2 * scale, 3 * scale, scale, scale]]).unwrap().exceeds_odds_ratio(1.5),
                "{scale}"
            );
        }
        assert!(test(&[[3001, 2000, 1000, 1000]]).unwrap().exceeds_odds_ratio(1.5));
    }

    #[test]
    fn the_direction_is_the_sign_of_the_excess() {
        let direction = |strata: &[[u64; 4]]| test(strata).unwrap().direction();
        assert_eq!(direction(&[[10, 2, 4, 8], [3, 3, 2, 8]]), Ordering::Greater);
        assert_eq!(direction(&[[4, 8, 10, 2], [3, 3, 2, 8]]), Ordering::Less);
        assert_eq!(direction(&[[3, 3, 2, 2]]), Ordering::Equal);
    }

    #[test]
    fn large_counts_do_not_overflow() {
        let large = 1u64 << 60;
        let found = test(&[[large, large / 2, large / 2, large]]).unwrap();
        assert!(found.result.statistic.is_finite() && found.result.statistic > 1e16);
        assert!((found.odds_ratio().unwrap() - 4.0).abs() < 1e-12);
    }
}
