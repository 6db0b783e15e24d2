//! Effect sizes of one 2×2 table.

use super::estimate::{Estimate, Measure, Unknown};
use crate::count::{Count, Stratum};

/// What a cause does, on three scales.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effects {
    /// The risk with it less the risk without it.
    pub risk_difference: Measure,
    /// The risk with it by the risk without it.
    pub risk_ratio: Measure,
    /// The odds with it by the odds without it.
    pub odds_ratio: Measure,
}

impl Effects {
    /// The effects in one table, with the rows of a cause and of target 1 as in a/b, c/d.
    ///
    /// Where a ratio or its interval would not be finite, because a count it rests on is 0, ½ is added to all four
    /// counts (Haldane 1956, Anscombe 1956) and the estimate is marked.
    pub fn of(table: &Stratum) -> Self {
        let ratio = |of: fn([f64; 4]) -> Estimate, lacks: bool| {
            comparable(table)?;
            let all = table.all();
            if all.positive == 0 || all.negative == 0 {
                return Err(Unknown::OneOutcome);
            }
            let add = if lacks { 0.5 } else { 0.0 };
            Ok(of(cells(table).map(|count| count + add)).corrected_if(lacks))
        };
        let lacks_positive = table.with.positive == 0 || table.without.positive == 0;
        let lacks_negative = table.with.negative == 0 || table.without.negative == 0;
        Effects {
            risk_difference: comparable(table).map(|()| risk_difference(table)),
            risk_ratio: ratio(risk_ratio, lacks_positive),
            odds_ratio: ratio(odds_ratio, lacks_positive || lacks_negative),
        }
    }
}

/// The share of target 1 among some rows.
pub(super) fn risk(rows: Count) -> Measure {
    match rows.total() {
        0 => Err(Unknown::MissingCell),
        total => Ok(Estimate::share(rows.positive as f64, total as f64)),
    }
}

fn comparable(table: &Stratum) -> Result<(), Unknown> {
    match (table.with.total(), table.without.total()) {
        (0, _) => Err(Unknown::NeverHolds),
        (_, 0) => Err(Unknown::AlwaysHolds),
        _ => Ok(()),
    }
}

/// a, b, c, d: rows with the cause by target, then rows without it.
pub(super) fn cells(table: &Stratum) -> [f64; 4] {
    let Stratum { with, without } = table;
    [with.positive, with.negative, without.positive, without.negative].map(|count| count as f64)
}

/// Newcombe's (1998) hybrid of the Wilson intervals of both risks, his method 10.
fn risk_difference(table: &Stratum) -> Estimate {
    let share = |rows: Count| Estimate::share(rows.positive as f64, rows.total() as f64);
    let (with, without) = (share(table.with), share(table.without));
    let value = with.value - without.value;
    Estimate {
        value,
        low: value - (with.value - with.low).hypot(without.high - without.value),
        high: value + (with.high - with.value).hypot(without.value - without.low),
        corrected: false,
    }
}

/// With the interval of Katz, Baptista, Azen and Pike (1978).
fn risk_ratio([a, b, c, d]: [f64; 4]) -> Estimate {
    let variance = b / (a * (a + b)) + d / (c * (c + d));
    Estimate::logarithmic(a / (a + b) / (c / (c + d)), variance)
}

/// With the interval of Woolf (1955).
fn odds_ratio([a, b, c, d]: [f64; 4]) -> Estimate {
    Estimate::logarithmic(a / b / (c / d), 1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe (1998), Statistics in Medicine 17, table II: his eight contrasts by method 10.
    #[test]
    fn differences_as_newcombe_gives_them() {
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
            let found = Effects::of(&cells.into()).risk_difference.unwrap();
            assert!(
                (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5,
                "{cells:?}: {found:?}"
            );
        }
    }

    #[test]
    fn what_cannot_be_told_has_its_reason() {
        let of = |cells: [u64; 4]| Effects::of(&cells.into());
        let none = |reason: Unknown| Effects {
            risk_difference: Err(reason),
            risk_ratio: Err(reason),
            odds_ratio: Err(reason),
        };
        assert_eq!(of([0, 0, 3, 4]), none(Unknown::NeverHolds));
        assert_eq!(of([3, 4, 0, 0]), none(Unknown::AlwaysHolds));
        for cells in [[0, 5, 0, 5], [5, 0, 5, 0]] {
            assert_eq!(of(cells).risk_ratio, Err(Unknown::OneOutcome));
            assert_eq!(of(cells).odds_ratio, Err(Unknown::OneOutcome));
            assert_eq!(of(cells).risk_difference.unwrap().value, 0.0);
        }
        // A risk of 1 needs no correction, odds do.
        let sure = of([5, 0, 3, 5]);
        assert!(!sure.risk_ratio.unwrap().corrected && sure.odds_ratio.unwrap().corrected);
    }

    #[test]
    fn counts_of_any_size_give_numbers() {
        let large = 1u64 << 60;
        for cells in [[large, 1, 1, large], [large, 0, 0, large], [1, 0, 0, 1], [large, large, large, large]]
        {
            let Effects { risk_difference, risk_ratio, odds_ratio } = Effects::of(&cells.into());
            for estimate in [risk_difference, risk_ratio, odds_ratio].map(Result::unwrap) {
                let Estimate { value, low, high, .. } = estimate;
                assert!(low.is_finite() && high.is_finite() && low <= value && value <= high, "{estimate:?}");
            }
        }
    }
}
