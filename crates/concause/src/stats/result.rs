//! The result of a test.

use super::chi_square::{ln_upper_tail, upper_tail};

/// The outcome of a test on one table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TestOutcome {
    /// A statistic and its p-value.
    Tested(TestResult),
    /// There are too few rows or no degrees of freedom, so the test does not decide.
    NotTestable,
}

impl TestOutcome {
    /// The result, if the table is testable.
    pub fn tested(self) -> Option<TestResult> {
        match self {
            TestOutcome::Tested(result) => Some(result),
            TestOutcome::NotTestable => None,
        }
    }
}

/// A statistic and its p-value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TestResult {
    /// The value of the statistic.
    pub statistic: f64,
    /// Its degrees of freedom; 0 if the p-value is exact and does not follow from the statistic.
    pub df: u32,
    /// The probability of a statistic at least this large under independence; 0 if it underflows.
    pub p_value: f64,
    /// The natural logarithm of the p-value. It does not underflow.
    #[cfg_attr(feature = "serde", serde(rename = "ln_p_value"))]
    pub ln_p: f64,
}

impl TestResult {
    /// The result of a chi-square statistic.
    pub fn new(statistic: f64, df: u32) -> Self {
        let ln_p = ln_upper_tail(statistic, df);
        TestResult { statistic, df, p_value: upper_tail(statistic, df), ln_p }
    }

    /// An exact p-value. The statistic of the same table only orders candidates by strength.
    pub fn exact(statistic: f64, p_value: f64) -> Self {
        TestResult { statistic, df: 0, p_value, ln_p: p_value.ln() }
    }

    /// The statistic rounded to ten significant digits. Statistics that differ only in the order of summation, such
    /// as those of a column and its complement, must be equal.
    pub fn strength(&self) -> f64 {
        round_to_ten_digits(self.statistic)
    }
}

/// Rounds to ten significant digits.
pub fn round_to_ten_digits(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(9 - value.abs().log10().floor() as i32);
    // The scale of very small values would overflow. All callers can treat them as 0.
    if scale.is_finite() { (value * scale).round() / scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_to_ten_significant_digits() {
        assert_eq!(round_to_ten_digits(123.456_789_012_34), 123.456_789_0);
        assert_eq!(round_to_ten_digits(0.0), 0.0);
        assert_eq!(round_to_ten_digits(1e-310), 0.0);
        assert_eq!(round_to_ten_digits(48.333_612_345_1), round_to_ten_digits(48.333_612_345_100_7));
    }
}
