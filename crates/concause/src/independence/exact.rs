//! Exact conditional tests: where counts are too small for the chi-square distribution.
//!
//! Given the margins of a 2×2 table, a, the rows in which both the candidate and the target hold, follows under
//! independence the hypergeometric distribution (Fisher 1935). In strata each has its own, and the sum of all a follows
//! their convolution; it is the statistic of the exact test of a common odds ratio of 1 (Mantel and Haenszel's
//! question; Gart 1970, Agresti 1992). The p-value is two-sided: the chance of all sums that are no more probable than the
//! one observed.

use crate::count::Stratum;

/// How many values all a together can take, up to which the distribution of their sum is worked out. Where there are
/// more, the rows are so many that the chi-square distribution serves.
const MOST_VALUES: u64 = 2000;

/// Sums that are as probable as the one observed but for rounding count as such.
const TIE: f64 = 1.0 + 1e-7;

/// Whether counts are too small for the chi-square distribution, by Cochran's rule (1954): one is expected to be below 1, or
/// more than a fifth below 5. Strata in which the candidate or the target does not vary tell nothing and do not count;
/// a table of nothing else is small.
pub fn is_small(table: &[Stratum]) -> bool {
    let (mut cells, mut below_five, mut below_one, mut values) = (0, 0, 0, 0);
    for stratum in table {
        let (low, high) = range(stratum);
        if low == high {
            continue;
        }
        values += high - low + 1;
        let (with, without, all) = (stratum.with.total(), stratum.without.total(), stratum.all());
        for (row, column) in
            [with, without].into_iter().flat_map(|row| [(row, all.positive), (row, all.negative)])
        {
            let expected = row as f64 * column as f64 / all.total() as f64;
            cells += 1;
            below_five += u32::from(expected < 5.0);
            below_one += u32::from(expected < 1.0);
        }
    }
    cells == 0 || ((below_one > 0 || 5 * below_five > cells) && values <= MOST_VALUES)
}

/// The exact p-value of a table; none if not even the most extreme counts with its margins would have p ≤ .05, so that
/// nothing that could have been observed would have told anything.
pub fn p_value(table: &[Stratum]) -> Option<f64> {
    let mut sums = vec![1.0];
    let mut observed = 0;
    for stratum in table {
        sums = convolution(&sums, &hypergeometric(stratum));
        observed += (stratum.with.positive - range(stratum).0) as usize;
    }
    let least = two_sided(&sums, 0).min(two_sided(&sums, sums.len() - 1));
    (least <= 0.05).then(|| two_sided(&sums, observed))
}

/// The least and the largest that a can be.
fn range(stratum: &Stratum) -> (u64, u64) {
    let (with, without, all) = (stratum.with.total(), stratum.without.total(), stratum.all());
    (all.positive.saturating_sub(without), with.min(all.positive))
}

/// The probability of each a in its range, in order. From the most probable on by the quotients of neighbours, so that
/// nothing but rare values is ever rounded to 0.
fn hypergeometric(stratum: &Stratum) -> Vec<f64> {
    let (low, high) = range(stratum);
    let (with, all) = (stratum.with.total() as f64, stratum.all());
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

/// The distribution of the sum of two whole numbers that follow these.
pub(crate) fn convolution(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        sum[i..].iter_mut().zip(b).for_each(|(sum, b)| *sum += a * b);
    }
    sum
}

/// The chance of what is no more probable than the observed.
fn two_sided(probabilities: &[f64], observed: usize) -> f64 {
    let bound = probabilities[observed] * TIE;
    let sum: f64 = probabilities.iter().filter(|probability| **probability <= bound).sum();
    sum.clamp(f64::MIN_POSITIVE, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Count, Table};
    use crate::simulate::Random;

    fn table(strata: &[[u64; 4]]) -> Table {
        Table { strata: strata.iter().map(|cells| (*cells).into()).collect() }
    }

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9 * expected
    }

    /// Every table with the margins of each stratum, by brute force over the ways to share out the rows.
    fn by_enumeration(table: &[Stratum]) -> f64 {
        fn choose(n: u64, k: u64) -> f64 {
            if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() }
        }
        fn ways(table: &[Stratum], sum: u64, weight: f64, by_sum: &mut Vec<f64>) {
            let Some((stratum, rest)) = table.split_first() else {
                by_sum.resize(by_sum.len().max(sum as usize + 1), 0.0);
                by_sum[sum as usize] += weight;
                return;
            };
            let (with, without, positive) =
                (stratum.with.total(), stratum.without.total(), stratum.all().positive);
            for a in 0..=with.min(positive) {
                let here = choose(with, a) * choose(without, positive - a);
                if here > 0.0 {
                    ways(rest, sum + a, weight * here, by_sum);
                }
            }
        }
        let mut by_sum = Vec::new();
        ways(table, 0, 1.0, &mut by_sum);
        let observed = by_sum[table.iter().map(|stratum| stratum.with.positive).sum::<u64>() as usize];
        let as_rare = by_sum.iter().filter(|weight| **weight <= observed * (1.0 + 1e-9)).sum::<f64>();
        as_rare / by_sum.iter().sum::<f64>()
    }

    #[test]
    fn published_examples() {
        // The lady tasting tea, three cups of four right (Fisher 1935): 34 of 70 ways. All four right: 2 of 70.
        assert!(close(p_value(&table(&[[3, 1, 1, 3]])).unwrap(), 34.0 / 70.0));
        assert!(close(p_value(&table(&[[4, 0, 0, 4]])).unwrap(), 2.0 / 70.0));
        // Criminal twins (Fisher 1935): 10 of 13 monozygotic and 2 of 17 dizygotic twins of convicts were convicted. The
        // probabilities are C(13, a) C(17, 12 − a) / C(30, 12); those of a = 10, 11, 12 and of a = 0 are no larger.
        let choose = |n: u64, k: u64| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
        let chance = |a: u64| choose(13, a) * choose(17, 12 - a) / choose(30, 12);
        let expected = chance(0) + chance(10) + chance(11) + chance(12);
        let found = p_value(&table(&[[10, 3, 2, 15]])).unwrap();
        assert!(close(found, expected) && (found - 0.0005367).abs() < 1e-7, "{found}");
        // From the documentation of scipy.stats.fisher_exact.
        assert!(close(p_value(&table(&[[8, 2, 1, 5]])).unwrap(), 0.034_965_034_965));
    }

    #[test]
    fn mantel_s_rabbits() {
        // Penicillin given at once or later, at five doses (Mantel 1963); R's mantelhaen.test with exact = TRUE: S = 16,
        // p = 0.03994.
        let rabbits = [[0, 6, 0, 5], [3, 3, 0, 6], [6, 0, 2, 4], [5, 1, 6, 0], [2, 0, 5, 0]];
        let found = p_value(&table(&rabbits)).unwrap();
        assert!((found - 0.03994).abs() < 5e-6, "{found}");
    }

    #[test]
    fn strata_add_up_as_by_enumeration() {
        let mut random = Random::new(3);
        let mut tested = 0;
        for round in 0..400 {
            let mut cell = || Count { positive: random.next_u64() % 6, negative: random.next_u64() % 6 };
            let strata: Vec<Stratum> =
                (0..1 + round % 4).map(|_| Stratum { with: cell(), without: cell() }).collect();
            if let Some(found) = p_value(&strata) {
                let expected = by_enumeration(&strata);
                assert!((found - expected).abs() < 1e-9, "{strata:?}: {found}, not {expected}");
                tested += 1;
            }
        }
        assert!(tested > 300, "only {tested} were tested");
    }

    #[test]
    fn what_could_not_have_been_significant_is_not_testable() {
        // With one row in which the candidate holds, and half the rows positive, p is 1 whatever is observed.
        assert_eq!(p_value(&table(&[[1, 0, 4, 5]])), None);
        assert_eq!(p_value(&table(&[[2, 0, 0, 2]])), None);
        assert!(p_value(&table(&[[3, 0, 0, 4]])).is_some());
        // Nothing varies.
        assert_eq!(p_value(&table(&[[0, 0, 30, 30]])), None);
        assert!(is_small(&table(&[[0, 0, 30, 30]])));
        // Two strata that are too small each are enough together.
        assert_eq!(p_value(&table(&[[2, 0, 0, 3]])), None);
        assert!(p_value(&table(&[[2, 0, 0, 3], [2, 0, 0, 3]])).is_some());
    }

    #[test]
    fn small_is_by_cochran_s_rule() {
        assert!(!is_small(&table(&[[10, 10, 10, 10]])));
        assert!(is_small(&table(&[[4, 4, 10, 10]])), "two of four cells below 5");
        assert!(is_small(&table(&[[0, 3, 300, 5000]])), "one below 1");
        // Four cells of twenty below 5 are a fifth, and not more; strata that do not vary do not count.
        let large = [[10, 10, 10, 10]; 4];
        assert!(!is_small(&table(&[&large[..], &[[4, 4, 4, 4]]].concat())));
        assert!(is_small(&table(&[&large[..3], &[[4, 4, 4, 4], [0, 9, 0, 9]]].concat())));
        // Too many values to work out, for which there are enough rows.
        assert!(!is_small(&table(&[[3, 0, 3, 3], [2000, 2000, 2000, 2000]])));
    }

    #[test]
    fn with_many_rows_it_is_what_chi_square_says() {
        let strata = table(&[[60, 40, 45, 55], [30, 70, 22, 78]]);
        let exact = p_value(&strata).unwrap();
        // Mantel and Haenszel's statistic asks the same question.
        let (mut excess, mut variance) = (0.0, 0.0);
        for stratum in strata.iter() {
            let all = stratum.all();
            let (n, row, column) = (all.total() as f64, stratum.with.total() as f64, all.positive as f64);
            excess += stratum.with.positive as f64 - row * column / n;
            variance += row * (n - row) * column * (n - column) / (n * n * (n - 1.0));
        }
        // Continuity is corrected by half a count.
        let chi_square = super::super::upper_tail((excess.abs() - 0.5f64).powi(2) / variance, 1);
        assert!((exact / chi_square - 1.0).abs() < 0.02, "{exact} {chi_square}");
    }
}
