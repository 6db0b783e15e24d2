//! Crude effect sizes from a 2×2 table.

use super::estimate::{Estimate, Measure, Unknown};
use crate::count::{Count, Stratum};

/// The effect of a cause on three scales.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effects {
    /// The risk with the cause minus the risk without it.
    pub risk_difference: Measure,
    /// The risk with the cause divided by the risk without it.
    pub risk_ratio: Measure,
    /// The odds with the cause divided by the odds without it.
    pub odds_ratio: Measure,
}

impl Effects {
    /// The effects in one table with a, b rows with the cause and c, d rows without it, by target.
    ///
    /// If a ratio or its interval would not be finite because a count is 0, ½ is added to all four counts (Haldane
    /// 1956, Anscombe 1956) and the estimate is marked as corrected.
    pub fn from_table(table: &Stratum) -> Self {
        let ratio = |estimate: fn([f64; 4]) -> Estimate, has_zero: bool| {
            check_comparable(table)?;
            let all = table.total_count();
            if all.positive == 0 || all.negative == 0 {
                return Err(Unknown::OneOutcome);
            }
            let add = if has_zero { 0.5 } else { 0.0 };
            Ok(estimate(cells(table).map(|count| count + add)).mark_corrected(has_zero))
        };
        let no_positive = table.with.positive == 0 || table.without.positive == 0;
        let no_negative = table.with.negative == 0 || table.without.negative == 0;
        Effects {
            risk_difference: check_comparable(table).map(|()| risk_difference(table)),
            risk_ratio: ratio(risk_ratio, no_positive),
            odds_ratio: ratio(odds_ratio, no_positive || no_negative),
        }
    }
}

/// The share of target 1 among some rows.
pub(super) fn estimate_risk(rows: Count) -> Measure {
    match rows.total() {
        0 => Err(Unknown::MissingCell),
        total => Ok(Estimate::from_share(rows.positive as f64, total as f64)),
    }
}

/// Fails unless there are rows with and without the cause.
fn check_comparable(table: &Stratum) -> Result<(), Unknown> {
    match (table.with.total(), table.without.total()) {
        (0, _) => Err(Unknown::NeverHolds),
        (_, 0) => Err(Unknown::AlwaysHolds),
        _ => Ok(()),
    }
}

/// The counts a, b, c, d: rows with the cause and target 1, target 0, then rows without the cause.
pub(super) fn cells(table: &Stratum) -> [f64; 4] {
    let Stratum { with, without } = table;
    [with.positive, with.negative, without.positive, without.negative].map(|count| count as f64)
}

/// The risk difference with the interval of Newcombe (1998), method 10: a hybrid of the Wilson intervals of both risks.
fn risk_difference(table: &Stratum) -> Estimate {
    let share = |rows: Count| Estimate::from_share(rows.positive as f64, rows.total() as f64);
    let (with, without) = (share(table.with), share(table.without));
    let value = with.value - without.value;
    Estimate {
        value,
        low: value - (with.value - with.low).hypot(without.high - without.value),
        high: value + (with.high - with.value).hypot(without.value - without.low),
        corrected: false,
    }
}

/// The risk ratio with the interval of Katz, Baptista, Azen and Pike (1978).
fn risk_ratio([a, b, c, d]: [f64; 4]) -> Estimate {
    let variance = b / (a * (a + b)) + d / (c * (c + d));
    Estimate::with_log_normal_interval(a / (a + b) / (c / (c + d)), variance)
}

/// The odds ratio with the interval of Woolf (1955).
fn odds_ratio([a, b, c, d]: [f64; 4]) -> Estimate {
    Estimate::with_log_normal_interval(a / b / (c / d), 1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The eight contrasts of Newcombe (1998), Statistics in Medicine 17, table II, method 10.
    #[test]
    fn risk_differences_match_newcombe_1998() {
        for (cells, low, high) in [
            ([56, 14, 48, 32], 0.0524, 0.3339),
            ([9, 1, 3, 7], 0.1705, 0.8090),
            ([6, 1, 2, 5], 0.0582, 0.8062),
            ([5, 51, 0, 29], -0.0381, 0.1926),
            ([0, 10, 0, 20], -0.1611, 0.2775),
            ([0, 10, 0, 10], -0.2775, 0.2775),
            ([10, 0, 0, 20], 0.6791, 1.0),
            ([10, 0, 0, 10], 0.6075, 1.0),
        ] {
            let found = Effects::from_table(&cells.into()).risk_difference.unwrap();
            assert!(
                (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5,
                "{cells:?}: {found:?}"
            );
        }
    }

    #[test]
    fn measures_that_cannot_be_estimated_have_a_reason() {
        let effects = |cells: [u64; 4]| Effects::from_table(&cells.into());
        let all_unknown = |reason: Unknown| Effects {
            risk_difference: Err(reason),
            risk_ratio: Err(reason),
            odds_ratio: Err(reason),
        };
        assert_eq!(effects([0, 0, 3, 4]), all_unknown(Unknown::NeverHolds));
        assert_eq!(effects([3, 4, 0, 0]), all_unknown(Unknown::AlwaysHolds));
        for cells in [[0, 5, 0, 5], [5, 0, 5, 0]] {
            assert_eq!(effects(cells).risk_ratio, Err(Unknown::OneOutcome));
            assert_eq!(effects(cells).odds_ratio, Err(Unknown::OneOutcome));
            assert_eq!(effects(cells).risk_difference.unwrap().value, 0.0);
        }
        // A risk of 1 needs no correction, but infinite odds do.
        let certain = effects([5, 0, 3, 5]);
        assert!(!certain.risk_ratio.unwrap().corrected && certain.odds_ratio.unwrap().corrected);
    }

    #[test]
    fn estimates_are_finite_for_counts_of_any_size() {
        let large = 1u64 << 60;
        for cells in [[large, 1, 1, large], [large, 0, 0, large], [1, 0, 0, 1], [large, large, large, large]]
        {
            let Effects { risk_difference, risk_ratio, odds_ratio } = Effects::from_table(&cells.into());
            for estimate in [risk_difference, risk_ratio, odds_ratio].map(Result::unwrap) {
                let Estimate { value, low, high, .. } = estimate;
                assert!(low.is_finite() && high.is_finite() && low <= value && value <= high, "{estimate:?}");
            }
        }
    }
}
