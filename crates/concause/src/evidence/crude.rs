//! Crude measures of a 2×2 table.

use super::estimate::{Estimate, Measure, Unknown};
use crate::count::{Count, Stratum};

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
pub(super) fn risk_difference(table: &Stratum) -> Measure {
    check_comparable(table)?;
    let share = |rows: Count| Estimate::from_share(rows.positive as f64, rows.total() as f64);
    let (with, without) = (share(table.with), share(table.without));
    let value = with.value - without.value;
    Ok(Estimate {
        value,
        low: value - (with.value - with.low).hypot(without.high - without.value),
        high: value + (with.high - with.value).hypot(without.value - without.low),
        corrected: false,
    })
}

/// The risk ratio with the interval of Katz, Baptista, Azen and Pike (1978).
pub(super) fn risk_ratio(table: &Stratum) -> Measure {
    ratio(table, has_no_positive(table), |[a, b, c, d]| {
        let variance = b / (a * (a + b)) + d / (c * (c + d));
        Estimate::with_log_normal_interval(a / (a + b) / (c / (c + d)), variance)
    })
}

/// The odds ratio with the interval of Woolf (1955).
pub(super) fn odds_ratio(table: &Stratum) -> Measure {
    let has_no_negative = table.with.negative == 0 || table.without.negative == 0;
    ratio(table, has_no_positive(table) || has_no_negative, |[a, b, c, d]| {
        Estimate::with_log_normal_interval(a / b / (c / d), 1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d)
    })
}

fn has_no_positive(table: &Stratum) -> bool {
    table.with.positive == 0 || table.without.positive == 0
}

/// A ratio. If it or its interval would not be finite because a count is 0, ½ is added to all four counts (Haldane
/// 1956, Anscombe 1956) and the estimate is marked as corrected.
fn ratio(table: &Stratum, has_zero: bool, estimate: impl Fn([f64; 4]) -> Estimate) -> Measure {
    check_comparable(table)?;
    let all = table.total_count();
    if all.positive == 0 || all.negative == 0 {
        return Err(Unknown::OneOutcome);
    }
    let add = if has_zero { 0.5 } else { 0.0 };
    Ok(estimate(cells(table).map(|count| count + add)).mark_corrected(has_zero))
}
