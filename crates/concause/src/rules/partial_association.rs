//! CR-PA: the association that is left within strata, by the test of Mantel and Haenszel (1959).

use std::cmp::Ordering;

use super::LEAST_ODDS_RATIO;
use crate::count::Stratum;
use crate::independence::{Tested, rounded};

/// The partial association of a candidate and the target over strata.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartialAssociation {
    /// The test with continuity correction, on one degree of freedom.
    pub tested: Tested,
    /// Σ ad/n over the strata, where a and b are the rows with the candidate, c and d those without it, and a and c
    /// those with the target.
    concordant: f64,
    /// Σ bc/n
    discordant: f64,
}

impl PartialAssociation {
    /// The pooled odds ratio Σ(ad/n) / Σ(bc/n); infinite if only the lower sum is 0, none if both are.
    pub fn odds_ratio(&self) -> Option<f64> {
        (self.concordant > 0.0 || self.discordant > 0.0).then(|| self.concordant / self.discordant)
    }

    /// Whether there are more rows with both the candidate and the target than expected, or fewer.
    pub fn direction(&self) -> Ordering {
        // Σ(ad − bc)/n is Σ(a − E).
        rounded(self.concordant).total_cmp(&rounded(self.discordant))
    }

    /// Whether the pooled odds ratio or its inverse exceeds [`LEAST_ODDS_RATIO`]; what is equal to ten digits does not.
    pub fn is_strong(&self) -> bool {
        let exceeds = |one: f64, other: f64| rounded(one) > rounded(LEAST_ODDS_RATIO * other);
        exceeds(self.concordant, self.discordant) || exceeds(self.discordant, self.concordant)
    }
}

/// The Mantel-Haenszel test and its odds ratio, or `None` if no stratum has anything to compare.
///
/// The statistic is max(|Σ(a − E)| − ½, 0)² / ΣV with E = (a+b)(a+c)/n and
/// V = (a+b)(c+d)(a+c)(b+d) / (n²(n−1)) in each stratum. R's `mantelhaen.test` gives the same, but for |Σ(a − E)| < ½,
/// where it leaves out the correction.
pub fn mantel_haenszel(strata: &[Stratum]) -> Option<PartialAssociation> {
    let (mut excess, mut variance, mut concordant, mut discordant) = (0.0, 0.0, 0.0, 0.0);
    for stratum in strata {
        let all = stratum.all();
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
    Some(PartialAssociation { tested: Tested::new(statistic, 1), concordant, discordant })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(strata: &[[u64; 4]]) -> Option<PartialAssociation> {
        let strata: Vec<Stratum> = strata.iter().map(|&cells| cells.into()).collect();
        mantel_haenszel(&strata)
    }

    #[test]
    fn two_strata_by_hand() {
        // Stratum 1: 10 2 / 4 8, n = 24: a − E = 10 − 12·14/24 = 3, V = 12·12·14·10/(24²·23) = 20160/13248,
        //            ad/n = 80/24, bc/n = 8/24.
        // Stratum 2: 3 3 / 2 8, n = 16: a − E = 3 − 6·5/16 = 1.125, V = 6·10·5·11/(16²·15) = 3300/3840,
        //            ad/n = 24/16, bc/n = 6/16.
        let found = test(&[[10, 2, 4, 8], [3, 3, 2, 8]]).unwrap();
        let statistic = (4.125f64 - 0.5).powi(2) / (20160.0 / 13248.0 + 3300.0 / 3840.0);
        assert!((found.tested.statistic - statistic).abs() < 1e-12, "{found:?}");
        let odds_ratio = (80.0 / 24.0 + 24.0 / 16.0) / (8.0 / 24.0 + 6.0 / 16.0);
        assert!((found.odds_ratio().unwrap() - odds_ratio).abs() < 1e-12);
        assert_eq!(found.tested.df, 1);
        assert!(found.is_strong());
    }

    /// Agresti (1990), Categorical Data Analysis, pages 231 to 237: penicillin given to rabbits at once or after 1½
    /// hours, cured or dead, at five doses. R's `mantelhaen.test(Rabbits)`, whose first example it is, prints
    /// X-squared = 3.9286, p-value = 0.04747 and a common odds ratio of 7.
    #[test]
    fn rabbits_and_penicillin() {
        let strata = [[0, 6, 0, 5], [3, 3, 0, 6], [6, 0, 2, 4], [5, 1, 6, 0], [2, 0, 5, 0]];
        let found = test(&strata).unwrap();
        assert!((found.tested.statistic - 3.9286).abs() < 5e-5, "{found:?}");
        assert!((found.tested.p_value - 0.04747).abs() < 5e-6);
        assert!((found.odds_ratio().unwrap() - 7.0).abs() < 1e-12);
    }

    /// Bickel, Hammel and O'Connell (1975), Science 187: admission of men and women to six departments of Berkeley.
    /// R's `mantelhaen.test(UCBAdmissions)` prints X-squared = 1.4269, p-value = 0.2323 and a common odds ratio of
    /// 0.9046968.
    #[test]
    fn admissions_to_berkeley() {
        // Men admitted and rejected, women admitted and rejected.
        let strata = [
            [512, 313, 89, 19],
            [353, 207, 17, 8],
            [120, 205, 202, 391],
            [138, 279, 131, 244],
            [53, 138, 94, 299],
            [22, 351, 24, 317],
        ];
        let found = test(&strata).unwrap();
        assert!((found.tested.statistic - 1.4269).abs() < 5e-5, "{found:?}");
        assert!((found.tested.p_value - 0.2323).abs() < 5e-5);
        assert!((found.odds_ratio().unwrap() - 0.904_696_8).abs() < 5e-8);
        assert!(!found.is_strong());
    }

    #[test]
    fn where_nothing_varies_there_is_nothing_to_test() {
        assert_eq!(test(&[]), None);
        assert_eq!(test(&[[0, 0, 3, 4], [5, 6, 0, 0], [0, 4, 0, 4], [1, 0, 0, 0]]), None);
        // No odds ratio can be told although something varies: a d = b c = 0 takes an empty cell in each product.
        let one_sided = test(&[[4, 0, 0, 4]]).unwrap();
        assert_eq!(one_sided.odds_ratio(), Some(f64::INFINITY));
        assert!(one_sided.is_strong());
        let other_side = test(&[[0, 4, 4, 0]]).unwrap();
        assert_eq!((other_side.odds_ratio(), other_side.is_strong()), (Some(0.0), true));
        // Less than half a row off is no evidence: E = 1·1/2.
        let even = test(&[[1, 0, 0, 1]]).unwrap();
        assert_eq!((even.tested.statistic, even.tested.p_value), (0.0, 1.0));
    }

    #[test]
    fn an_odds_ratio_of_just_one_and_a_half_is_not_enough() {
        for scale in 1..200 {
            // 3·1/(2·1) in any proportion, and its inverse.
            assert!(!test(&[[3 * scale, 2 * scale, scale, scale]]).unwrap().is_strong(), "{scale}");
            assert!(!test(&[[2 * scale, 3 * scale, scale, scale]]).unwrap().is_strong(), "{scale}");
        }
        assert!(test(&[[3001, 2000, 1000, 1000]]).unwrap().is_strong());
    }

    #[test]
    fn the_direction_is_that_of_the_excess() {
        let direction = |strata: &[[u64; 4]]| test(strata).unwrap().direction();
        assert_eq!(direction(&[[10, 2, 4, 8], [3, 3, 2, 8]]), Ordering::Greater);
        assert_eq!(direction(&[[4, 8, 10, 2], [3, 3, 2, 8]]), Ordering::Less);
        assert_eq!(direction(&[[3, 3, 2, 2]]), Ordering::Equal);
    }

    #[test]
    fn counts_of_any_size() {
        let large = 1u64 << 60;
        let found = test(&[[large, large / 2, large / 2, large]]).unwrap();
        assert!(found.tested.statistic.is_finite() && found.tested.statistic > 1e16);
        assert!((found.odds_ratio().unwrap() - 4.0).abs() < 1e-12);
    }
}
