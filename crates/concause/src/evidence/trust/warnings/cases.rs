//! Checks that there are enough cases for the settings.

use super::{Warning, WarningContext};
use crate::search::Settings;
use crate::stats::convolve;

/// The smallest expected number of rows of the rarer class in a cell (Cochran 1954).
const LEAST_EXPECTED: f64 = 5.0;

/// The share of conjunctions that must reach that number. It is small because data with hundreds of rare columns may
/// still have enough common ones.
const LEAST_SHARE: f64 = 0.1;

/// The bin width of the histogram of the logarithms of shares.
const WIDTH: f64 = 0.01;

/// The requested settings, and the largest ones that the number of cases allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseShortage {
    /// The number of rows of the rarer class.
    pub cases: u64,
    /// Whether the rarer class is target 1.
    pub positive: bool,
    /// The deepest level of the search.
    pub level: usize,
    /// The deepest level for which there are enough cases; 0 if there are too few even for single columns.
    pub affordable_level: usize,
    /// The largest conditioning set of the search; `None` if the method has no conditioning sets.
    pub max_k: Option<usize>,
    /// The largest conditioning set for which there are enough cases.
    pub affordable_max_k: Option<usize>,
}

pub(super) fn check_cases(context: &WarningContext<'_>) -> Option<Warning> {
    let Settings { max_k, method, .. } = *context.settings;
    let rows = context.rows;
    let cases = rows.positive.min(rows.negative);
    let level = context.settings.deepest_level();
    let share = |&column: &u32| context.count(column).total() as f64 / rows.total() as f64;
    let shares: Vec<f64> = context.free.iter().map(share).collect();
    let max_k = method.descriptor().honours("max_k").then_some(max_k);
    let shortage = CaseShortage {
        cases,
        positive: rows.positive <= rows.negative,
        level,
        affordable_level: affordable_level(cases as f64, &shares, level),
        max_k,
        affordable_max_k: max_k.map(|max_k| affordable_max_k(cases as f64, max_k)),
    };
    let is_enough = shares.is_empty()
        || shortage.affordable_level == shortage.level && shortage.affordable_max_k == shortage.max_k;
    (!is_enough).then_some(Warning::TooFewCases(shortage))
}

/// The deepest level, at most `level`, at which enough conjunctions have enough expected cases. The columns, which
/// hold in these shares of the rows, are assumed to be independent.
fn affordable_level(cases: f64, shares: &[f64], level: usize) -> usize {
    // cases · Π shares ≥ 5 if and only if Σ −ln share ≤ ln(cases/5).
    let limit = (cases / LEAST_EXPECTED).ln();
    if limit < 0.0 {
        return 0;
    }
    let bins = (limit / WIDTH) as usize + 1;
    let mut single = vec![0.0; bins];
    for share in shares {
        if let Some(bin) = single.get_mut((-share.ln() / WIDTH) as usize) {
            *bin += 1.0 / shares.len() as f64;
        }
    }
    let mut joined = single.clone();
    let mut deepest = 0;
    while deepest < level && joined.iter().sum::<f64>() >= LEAST_SHARE {
        deepest += 1;
        joined = convolve(&joined, &single);
        joined.truncate(bins);
    }
    deepest
}

/// The largest conditioning set, at most `max_k`, for which a column has enough expected cases in each stratum. All
/// columns are assumed to be independent and to hold in half of the rows.
fn affordable_max_k(cases: f64, max_k: usize) -> usize {
    (0..=max_k).rev().find(|&k| cases / 2f64.powi(k as i32 + 1) >= LEAST_EXPECTED).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affordable_levels_match_hand_computed_values() {
        let fair = [0.5; 10];
        // 5 · 2^level cases are needed; rounding of the logarithms to bins is in favour of deeper levels.
        assert_eq!(affordable_level(4.9, &fair, 3), 0);
        assert_eq!(affordable_level(9.8, &fair, 3), 0);
        assert_eq!(affordable_level(10.1, &fair, 3), 1);
        assert_eq!(affordable_level(39.0, &fair, 3), 2);
        assert_eq!(affordable_level(41.0, &fair, 3), 3);
        assert_eq!(affordable_level(1e9, &fair, 3), 3);
        // If half of the columns are rare, a quarter of the pairs has two common columns, …
        let mixed = [0.5, 0.5, 0.5, 0.001, 0.001, 0.001];
        assert_eq!(affordable_level(100.0, &mixed, 2), 2);
        // … but only 1/16 of the conjunctions of four columns, which is too few.
        assert_eq!(affordable_level(100.0, &mixed, 4), 3);
        assert_eq!(affordable_level(100.0, &[0.01; 4], 2), 0);
    }

    /// The share of pairs with enough cases is compared with a count of all pairs.
    #[test]
    fn share_of_pairs_matches_enumeration() {
        let shares: Vec<f64> = (1..=60).map(|i| (i as f64 / 61.0).powi(3)).collect();
        for cases in [20.0, 50.0, 100.0, 200.0, 400.0, 1000.0] {
            let partners = |a: &f64| shares.iter().filter(|b| cases * a * *b >= LEAST_EXPECTED).count();
            let share = shares.iter().map(partners).sum::<usize>() as f64 / 3600.0;
            if (share - LEAST_SHARE).abs() > 0.02 {
                assert_eq!(affordable_level(cases, &shares, 2) == 2, share >= LEAST_SHARE, "{cases} {share}");
            }
        }
    }

    #[test]
    fn affordable_conditioning_sets_match_hand_computed_values() {
        assert_eq!(
            [9.0, 10.0, 20.0, 79.0, 80.0, 1e6].map(|cases| affordable_max_k(cases, 3)),
            [0, 0, 1, 2, 3, 3]
        );
    }
}
