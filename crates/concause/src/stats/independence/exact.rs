//! Exact conditional tests, for counts that are too small for the chi-square distribution.
//!
//! Let a be the number of rows in which both the candidate and the target hold. Given the margins of a 2×2 table, a
//! has a hypergeometric distribution under independence (Fisher 1935). With several strata, the sum of all a has the
//! convolution of the distributions of the strata. This sum is the statistic of the exact test of a common odds ratio
//! of 1 (Mantel and Haenszel's hypothesis; Gart 1970, Agresti 1992). The two-sided p-value is the total probability
//! of all sums that are no more probable than the observed one.

use super::statistic;
use super::{IndependenceTest, TestDescriptor};
use crate::count::Stratum;

/// The exact test given the margins if counts are small; otherwise G² with one degree of freedom per varying stratum.
pub(super) struct Exact;

impl IndependenceTest for Exact {
    fn descriptor(&self) -> &'static TestDescriptor {
        &TestDescriptor {
            name: "exact",
            title: "exact test where counts are small, G² elsewhere",
            symbol: "G²",
            help: "exact conditional test if expected counts are small, G² otherwise",
            citation: "Fisher 1935; Gart 1970; Agresti 1992",
        }
    }

    fn statistic(&self, table: &[Stratum]) -> f64 {
        statistic::g2(table)
    }

    fn degrees_of_freedom(&self, table: &[Stratum]) -> Option<u32> {
        (!has_small_counts(table)).then(|| statistic::varying_strata(table))
    }

    fn exact_p_value(&self, table: &[Stratum], alpha: f64) -> Option<f64> {
        exact_p_value(table, alpha)
    }

    fn statistic_is_g2(&self) -> bool {
        true
    }
}

/// The largest total number of values of a in all strata for an exact test. With more values, there are enough rows
/// for the chi-square distribution.
const MAX_VALUES: u64 = 2000;

/// Probabilities within this factor of the observed one count as equal, because of rounding.
const TIE: f64 = 1.0 + 1e-7;

/// Whether counts are too small for the chi-square distribution by Cochran's rule (1954): an expected count is below
/// 1, or more than a fifth of them are below 5. Strata in which the candidate or the target is constant are ignored.
/// Counts are also small if all strata are ignored.
fn has_small_counts(table: &[Stratum]) -> bool {
    let (mut cells, mut below_five, mut below_one, mut values) = (0, 0, 0, 0);
    for stratum in table {
        let (low, high) = range(stratum);
        if low == high {
            continue;
        }
        values += high - low + 1;
        let (with, without, all) = (stratum.with.total(), stratum.without.total(), stratum.total_count());
        for (row, column) in
            [with, without].into_iter().flat_map(|row| [(row, all.positive), (row, all.negative)])
        {
            let expected = row as f64 * column as f64 / all.total() as f64;
            cells += 1;
            below_five += u32::from(expected < 5.0);
            below_one += u32::from(expected < 1.0);
        }
    }
    cells == 0 || ((below_one > 0 || 5 * below_five > cells) && values <= MAX_VALUES)
}

/// The exact p-value of a table; `None` if no table with these margins has p ≤ alpha, so that the test could not have
/// been significant.
fn exact_p_value(table: &[Stratum], alpha: f64) -> Option<f64> {
    let mut sums = vec![1.0];
    let mut observed = 0;
    for stratum in table {
        sums = convolve(&sums, &hypergeometric(stratum));
        observed += (stratum.with.positive - range(stratum).0) as usize;
    }
    let smallest = two_sided(&sums, 0).min(two_sided(&sums, sums.len() - 1));
    (smallest <= alpha).then(|| two_sided(&sums, observed))
}

/// The smallest and the largest possible value of a.
fn range(stratum: &Stratum) -> (u64, u64) {
    let (with, without, all) = (stratum.with.total(), stratum.without.total(), stratum.total_count());
    (all.positive.saturating_sub(without), with.min(all.positive))
}

/// The probability of each value of a in its range. Computed from the mode outwards by the ratios of neighbouring
/// probabilities, so that only very small probabilities underflow to 0.
fn hypergeometric(stratum: &Stratum) -> Vec<f64> {
    let (low, high) = range(stratum);
    let (with, all) = (stratum.with.total() as f64, stratum.total_count());
    let (positive, rows) = (all.positive as f64, all.total() as f64);
    // P(a + 1) / P(a)
    let step = |a: f64| (with - a) * (positive - a) / ((a + 1.0) * (rows - with - positive + a + 1.0));
    let mode = ((with + 1.0) * (positive + 1.0) / (rows + 2.0)).floor().clamp(low as f64, high as f64);
    let mode_place = (mode as u64 - low) as usize;
    let mut weights = vec![1.0; (high - low + 1) as usize];
    for place in mode_place + 1..weights.len() {
        weights[place] = weights[place - 1] * step((low + place as u64 - 1) as f64);
    }
    for place in (0..mode_place).rev() {
        weights[place] = weights[place + 1] / step((low + place as u64) as f64);
    }
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// The distribution of the sum of two independent integer variables with these distributions.
pub(crate) fn convolve(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        sum[i..].iter_mut().zip(b).for_each(|(sum, b)| *sum += a * b);
    }
    sum
}

/// The total probability of all values that are no more probable than the observed one.
fn two_sided(probabilities: &[f64], observed: usize) -> f64 {
    let bound = probabilities[observed] * TIE;
    let sum: f64 = probabilities.iter().filter(|probability| **probability <= bound).sum();
    sum.clamp(f64::MIN_POSITIVE, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{ContingencyTable, Count};
    use crate::random::Random;

    fn table(strata: &[[u64; 4]]) -> ContingencyTable {
        ContingencyTable { strata: strata.iter().map(|cells| (*cells).into()).collect() }
    }

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9 * expected
    }

    /// The p-value by enumeration of all tables with the same margins.
    fn p_value_by_enumeration(table: &[Stratum]) -> f64 {
        fn choose(n: u64, k: u64) -> f64 {
            if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() }
        }
        fn add_tables(table: &[Stratum], sum: u64, weight: f64, by_sum: &mut Vec<f64>) {
            let Some((stratum, rest)) = table.split_first() else {
                by_sum.resize(by_sum.len().max(sum as usize + 1), 0.0);
                by_sum[sum as usize] += weight;
                return;
            };
            let (with, without, positive) =
                (stratum.with.total(), stratum.without.total(), stratum.total_count().positive);
            for a in 0..=with.min(positive) {
                let ways = choose(with, a) * choose(without, positive - a);
                if ways > 0.0 {
                    add_tables(rest, sum + a, weight * ways, by_sum);
                }
            }
        }
        let mut by_sum = Vec::new();
        add_tables(table, 0, 1.0, &mut by_sum);
        let observed = by_sum[table.iter().map(|stratum| stratum.with.positive).sum::<u64>() as usize];
        let as_rare = by_sum.iter().filter(|weight| **weight <= observed * (1.0 + 1e-9)).sum::<f64>();
        as_rare / by_sum.iter().sum::<f64>()
    }

    #[test]
    fn published_examples_are_reproduced() {
        // The lady tasting tea (Fisher 1935). Three of four cups right: 34 of 70 ways. All four right: 2 of 70.
        assert!(close(exact_p_value(&table(&[[3, 1, 1, 3]]), 0.05).unwrap(), 34.0 / 70.0));
        assert!(close(exact_p_value(&table(&[[4, 0, 0, 4]]), 0.05).unwrap(), 2.0 / 70.0));
        // Criminal twins (Fisher 1935): of the twins of convicts, 10 of 13 monozygotic and 2 of 17 dizygotic ones
        // were convicted. The probabilities are C(13, a) C(17, 12 − a) / C(30, 12). Those of a = 10, 11, 12 and 0 are
        // no larger than the observed one.
        let choose = |n: u64, k: u64| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
        let chance = |a: u64| choose(13, a) * choose(17, 12 - a) / choose(30, 12);
        let expected = chance(0) + chance(10) + chance(11) + chance(12);
        let found = exact_p_value(&table(&[[10, 3, 2, 15]]), 0.05).unwrap();
        assert!(close(found, expected) && (found - 0.0005367).abs() < 1e-7, "{found}");
        // From the documentation of scipy.stats.fisher_exact.
        assert!(close(exact_p_value(&table(&[[8, 2, 1, 5]]), 0.05).unwrap(), 0.034_965_034_965));
    }

    #[test]
    fn the_published_rabbit_data_are_reproduced() {
        // Penicillin given immediately or later, at five doses (Mantel 1963). R's mantelhaen.test with exact = TRUE
        // gives S = 16, p = 0.03994.
        let rabbits = [[0, 6, 0, 5], [3, 3, 0, 6], [6, 0, 2, 4], [5, 1, 6, 0], [2, 0, 5, 0]];
        let found = exact_p_value(&table(&rabbits), 0.05).unwrap();
        assert!((found - 0.03994).abs() < 5e-6, "{found}");
    }

    #[test]
    fn p_values_agree_with_enumeration() {
        let mut random = Random::new(3);
        let mut tested = 0;
        for round in 0..400 {
            let mut cell = || Count { positive: random.next_u64() % 6, negative: random.next_u64() % 6 };
            let strata: Vec<Stratum> =
                (0..1 + round % 4).map(|_| Stratum { with: cell(), without: cell() }).collect();
            if let Some(found) = exact_p_value(&strata, 0.05) {
                let expected = p_value_by_enumeration(&strata);
                assert!((found - expected).abs() < 1e-9, "{strata:?}: {found}, not {expected}");
                tested += 1;
            }
        }
        assert!(tested > 300, "only {tested} tables were testable");
    }

    #[test]
    fn tables_that_cannot_be_significant_are_not_testable() {
        // The candidate holds in one row, and half of the rows are positive: p is 1 for every table with these
        // margins.
        assert_eq!(exact_p_value(&table(&[[1, 0, 4, 5]]), 0.05), None);
        assert_eq!(exact_p_value(&table(&[[2, 0, 0, 2]]), 0.05), None);
        assert!(exact_p_value(&table(&[[3, 0, 0, 4]]), 0.05).is_some());
        // Nothing varies.
        assert_eq!(exact_p_value(&table(&[[0, 0, 30, 30]]), 0.05), None);
        assert!(has_small_counts(&table(&[[0, 0, 30, 30]])));
        // Each of the two strata is too small by itself, but not both combined.
        assert_eq!(exact_p_value(&table(&[[2, 0, 0, 3]]), 0.05), None);
        assert!(exact_p_value(&table(&[[2, 0, 0, 3], [2, 0, 0, 3]]), 0.05).is_some());
    }

    #[test]
    fn small_counts_follow_cochrans_rule() {
        assert!(!has_small_counts(&table(&[[10, 10, 10, 10]])));
        assert!(has_small_counts(&table(&[[4, 4, 10, 10]])), "two of four expected counts are below 5");
        assert!(has_small_counts(&table(&[[0, 3, 300, 5000]])), "one expected count is below 1");
        // Four of twenty cells below 5 are a fifth, but not more. Strata that do not vary are ignored.
        let large = [[10, 10, 10, 10]; 4];
        assert!(!has_small_counts(&table(&[&large[..], &[[4, 4, 4, 4]]].concat())));
        assert!(has_small_counts(&table(&[&large[..3], &[[4, 4, 4, 4], [0, 9, 0, 9]]].concat())));
        // The number of values exceeds the limit of the exact test.
        assert!(!has_small_counts(&table(&[[3, 0, 3, 3], [2000, 2000, 2000, 2000]])));
    }

    #[test]
    fn with_many_rows_the_p_value_approaches_mantel_haenszel() {
        let strata = table(&[[60, 40, 45, 55], [30, 70, 22, 78]]);
        let exact = exact_p_value(&strata, 0.05).unwrap();
        // The Mantel-Haenszel statistic tests the same hypothesis.
        let (mut excess, mut variance) = (0.0, 0.0);
        for stratum in strata.iter() {
            let all = stratum.total_count();
            let (n, row, column) = (all.total() as f64, stratum.with.total() as f64, all.positive as f64);
            excess += stratum.with.positive as f64 - row * column / n;
            variance += row * (n - row) * column * (n - column) / (n * n * (n - 1.0));
        }
        // With continuity correction.
        let chi_square = crate::stats::upper_tail((excess.abs() - 0.5f64).powi(2) / variance, 1);
        assert!((exact / chi_square - 1.0).abs() < 0.02, "{exact} {chi_square}");
    }
}
