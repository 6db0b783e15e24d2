//! A figure with its uncertainty, or why there is none.

use std::fmt;

/// The normal deviate of a two-sided 95 % interval.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Whether ½ was added to every count because one of them is 0.
    pub corrected: bool,
}

/// An estimate, or why there is none.
pub type Measure = Result<Estimate, Unknown>;

/// Why a figure cannot be estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The cause holds in no row.
    NeverHolds,
    /// It holds in every row.
    AlwaysHolds,
    /// All rows have the same outcome.
    OneOutcome,
    /// No stratum of the other causes has rows with and without it.
    NothingToCompare,
    /// In the strata that can be compared, a pooled ratio would be 0 or infinite.
    EmptyCells,
    /// In the strata that can be compared the outcome varies too little to tell how uncertain a difference is.
    NoVariance,
    /// A configuration of the parts occurs in no row.
    MissingCell,
    /// The parts by themselves, or all together, do not raise the risk.
    NoExcess,
    /// It is defined for conjunctions of two parts only.
    MoreThanTwoParts,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unknown::NeverHolds => "it holds in no row",
            Unknown::AlwaysHolds => "it holds in every row",
            Unknown::OneOutcome => "all rows have the same outcome",
            Unknown::NothingToCompare => "no stratum of the other causes has rows both with and without it",
            Unknown::EmptyCells => "the ratio is 0 or infinite in the strata of the other causes",
            Unknown::NoVariance => "the outcome varies too little in the strata of the other causes",
            Unknown::MissingCell => "a combination of the parts occurs in no row",
            Unknown::NoExcess => "the parts alone, or all together, do not raise the risk",
            Unknown::MoreThanTwoParts => "it is defined for two parts only",
        })
    }
}

impl Estimate {
    /// A figure with a normal interval.
    pub(super) fn normal(value: f64, variance: f64) -> Self {
        let reach = Z * variance.max(0.0).sqrt();
        Estimate { value, low: value - reach, high: value + reach, corrected: false }
    }

    /// A ratio whose logarithm has a normal interval.
    pub(super) fn logarithmic(value: f64, variance: f64) -> Self {
        let reach = (Z * variance.max(0.0).sqrt()).exp();
        Estimate { value, low: value / reach, high: value * reach, corrected: false }
    }

    /// The same, with the word whether counts were corrected.
    pub(super) fn corrected_if(self, corrected: bool) -> Self {
        Estimate { corrected, ..self }
    }

    /// A share: its interval is that of Wilson (1927), which is right also for shares of 0 and 1.
    pub(super) fn share(positive: f64, total: f64) -> Self {
        let value = positive / total;
        let square = Z * Z / total;
        let middle = (value + square / 2.0) / (1.0 + square);
        let reach = Z / (1.0 + square) * (value * (1.0 - value) / total + square / (4.0 * total)).sqrt();
        // What rounding leaves beyond the share itself would be an interval without its value.
        let (low, high) = ((middle - reach).clamp(0.0, value), (middle + reach).clamp(value, 1.0));
        Estimate { value, low, high, corrected: false }
    }
}

/// The chance of a normal deviate of at least z.
pub(super) fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}
