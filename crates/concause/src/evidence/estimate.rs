//! Estimates with 95 % intervals, and the reasons why a measure cannot be estimated.

use std::fmt;

/// The standard normal quantile of a two-sided 95 % interval.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The lower limit of the interval.
    pub low: f64,
    /// The upper limit of the interval.
    pub high: f64,
    /// Whether ½ was added to every count because one of them is 0.
    pub corrected: bool,
}

/// An estimate, or the reason why there is none.
pub type Measure = Result<Estimate, Unknown>;

/// Why a measure cannot be estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The cause holds in no row.
    NeverHolds,
    /// The cause holds in every row.
    AlwaysHolds,
    /// All rows have the same outcome.
    OneOutcome,
    /// No stratum of the other causes has both rows with and rows without the cause.
    NothingToCompare,
    /// The pooled ratio over the informative strata would be 0 or infinite.
    EmptyCells,
    /// The outcome varies too little in the informative strata to estimate the variance of a difference.
    NoVariance,
    /// A configuration of the parts occurs in no row.
    MissingCell,
    /// The risk is not raised by the parts alone, or not by all parts together.
    NoExcess,
    /// The measure is defined for conjunctions of two parts only.
    MoreThanTwoParts,
    /// A result that was read does not contain the measure, or not in a form that this version knows.
    NotRecorded,
}

impl Unknown {
    /// All reasons.
    pub const ALL: [Unknown; 10] = [
        Unknown::NeverHolds,
        Unknown::AlwaysHolds,
        Unknown::OneOutcome,
        Unknown::NothingToCompare,
        Unknown::EmptyCells,
        Unknown::NoVariance,
        Unknown::MissingCell,
        Unknown::NoExcess,
        Unknown::MoreThanTwoParts,
        Unknown::NotRecorded,
    ];
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
            Unknown::NotRecorded => "the result does not contain it",
        })
    }
}

impl Estimate {
    /// An estimate with a normal interval.
    pub(super) fn with_normal_interval(value: f64, variance: f64) -> Self {
        let margin = Z * variance.max(0.0).sqrt();
        Estimate { value, low: value - margin, high: value + margin, corrected: false }
    }

    /// A ratio whose logarithm has a normal interval.
    pub(super) fn with_log_normal_interval(value: f64, variance: f64) -> Self {
        let margin = (Z * variance.max(0.0).sqrt()).exp();
        Estimate { value, low: value / margin, high: value * margin, corrected: false }
    }

    /// The same estimate, marked as corrected or not.
    pub(super) fn mark_corrected(self, corrected: bool) -> Self {
        Estimate { corrected, ..self }
    }

    /// A share with the interval of Wilson (1927), which is valid for shares of 0 and 1 as well.
    pub(super) fn from_share(positive: f64, total: f64) -> Self {
        let value = positive / total;
        let square = Z * Z / total;
        let middle = (value + square / 2.0) / (1.0 + square);
        let margin = Z / (1.0 + square) * (value * (1.0 - value) / total + square / (4.0 * total)).sqrt();
        // Rounding errors must not exclude the value from its interval.
        let (low, high) = ((middle - margin).clamp(0.0, value), (middle + margin).clamp(value, 1.0));
        Estimate { value, low, high, corrected: false }
    }
}

/// The probability that a standard normal variable is at least z.
pub(super) fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}
