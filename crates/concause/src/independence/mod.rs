//! Tests of independence: from a contingency table to a statistic, its degrees of freedom and its p-value, or
//! the word that it cannot be tested.
//!
//! This module knows nothing of searches; what follows from a p-value is for others to say.

mod chi_square;
mod exact;
mod false_discovery;
mod fisher_z;
mod judge;
mod n_ln_n;
mod question;
mod statistic;

use std::fmt;
use std::str::FromStr;

pub use chi_square::{critical_value, ln_upper_tail, upper_tail};
pub(crate) use exact::convolution;
pub use false_discovery::FalseDiscovery;
pub use fisher_z::fisher_z;
pub use judge::{Judge, Verdict, Weakest};
pub use question::{Answer, Question};

use crate::count::Stratum;

/// The tests of X ⟂ T | S on a 2×2×2^|S| table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Test {
    /// G² with 2^|S| degrees of freedom, empty strata included (bnlearn's `mi`).
    #[default]
    G2,
    /// Pearson's X² with 2^|S| degrees of freedom (bnlearn's `x2`).
    X2,
    /// G² with the degrees of freedom of the non-empty rows and columns (bnlearn's `mi-adf`).
    G2Adjusted,
    /// X² with the degrees of freedom of the non-empty rows and columns (bnlearn's `x2-adf`).
    X2Adjusted,
    /// Where counts are small the exact test given the margins: Fisher's, or in strata that of a common odds ratio.
    /// Elsewhere G² with the degrees of freedom of the strata that vary.
    Exact,
}

impl Test {
    /// All tests, for help texts and error messages.
    pub const ALL: [Test; 5] = [Test::G2, Test::X2, Test::G2Adjusted, Test::X2Adjusted, Test::Exact];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Test::G2 => "g2",
            Test::X2 => "x2",
            Test::G2Adjusted => "g2-adjusted",
            Test::X2Adjusted => "x2-adjusted",
            Test::Exact => "exact",
        }
    }

    /// Tests a table.
    pub fn assess(self, table: &[Stratum]) -> Outcome {
        let statistic = || match self {
            Test::G2 | Test::G2Adjusted | Test::Exact => statistic::g2(table),
            Test::X2 | Test::X2Adjusted => statistic::x2(table),
        };
        let tested = match self.degrees_of_freedom(table) {
            Some(df) => Some(Tested::new(statistic(), df)),
            None if self == Test::Exact => exact::p_value(table).map(|p| Tested::exact(statistic(), p)),
            None => None,
        };
        tested.map_or(Outcome::NotTestable, Outcome::Tested)
    }

    /// The degrees of freedom of a table, which depend on its margins alone, or `None` if the chi-square distribution is
    /// not to be applied: where an adjusted test has none left, or fewer than five rows a cell, or the exact test applies.
    fn degrees_of_freedom(self, table: &[Stratum]) -> Option<u32> {
        let adjusted = || statistic::adjusted_degrees_of_freedom(table);
        match self {
            Test::G2 | Test::X2 => Some(table.len() as u32),
            Test::G2Adjusted | Test::X2Adjusted => {
                let cells = 4 * table.len() as u64;
                let rows: u64 = table.iter().map(|stratum| stratum.all().total()).sum();
                Some(adjusted()).filter(|df| *df > 0 && rows >= 5 * cells)
            }
            Test::Exact => (!exact::is_small(table)).then(adjusted),
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Test {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Test::ALL.into_iter().find(|test| test.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Test::ALL.iter().map(|test| test.name()).collect();
            format!("there is no test '{name}'; choose one of {}", names.join(", "))
        })
    }
}

/// What a test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// A statistic and its p-value.
    Tested(Tested),
    /// Too few rows, or no degrees of freedom left: neither dependent nor independent.
    NotTestable,
}

impl Outcome {
    /// The figures, if it could be tested.
    pub fn tested(self) -> Option<Tested> {
        match self {
            Outcome::Tested(tested) => Some(tested),
            Outcome::NotTestable => None,
        }
    }
}

/// The figures of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// The value of the statistic.
    pub statistic: f64,
    /// Its degrees of freedom; 0 if the p-value is exact and owes nothing to the statistic.
    pub df: u32,
    /// The chance of a statistic at least this large if X and T are independent; 0 where it underflows.
    pub p_value: f64,
    /// The natural logarithm of the p-value, also where that underflows.
    pub ln_p: f64,
}

impl Tested {
    /// The p-value of a chi-square statistic.
    pub fn new(statistic: f64, df: u32) -> Self {
        let ln_p = ln_upper_tail(statistic, df);
        Tested { statistic, df, p_value: upper_tail(statistic, df), ln_p }
    }

    /// An exact p-value, beside the statistic of the same table, which tells the strength.
    fn exact(statistic: f64, p_value: f64) -> Self {
        Tested { statistic, df: 0, p_value, ln_p: p_value.ln() }
    }

    /// The statistic rounded to ten significant digits: what is equal but for the order of summation (a column
    /// and its complement) must tie.
    pub fn strength(&self) -> f64 {
        rounded(self.statistic)
    }
}

/// Rounds to ten significant digits.
pub fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(9 - value.abs().log10().floor() as i32);
    // Tiny values would overflow the scale; they are all the same to every use of this.
    if scale.is_finite() { (value * scale).round() / scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Table;
    use crate::simulate::Random;

    #[test]
    fn a_table_by_hand() {
        // X² of (10, 20 / 30, 5): expected 18.4615…, 11.5384…, 21.5384…, 13.4615…
        let table = Table { strata: vec![[10, 20, 30, 5].into()] };
        let x2 = Test::X2.assess(&table).tested().unwrap();
        let by_hand = 65.0 * (10.0f64 * 5.0 - 20.0 * 30.0).powi(2) / (30.0 * 35.0 * 40.0 * 25.0);
        assert!((x2.statistic - by_hand).abs() < 1e-12 * by_hand);
        let g2 = Test::G2.assess(&table).tested().unwrap();
        let by_hand: f64 = [(10.0, 30.0, 40.0), (20.0, 30.0, 25.0), (30.0, 35.0, 40.0), (5.0, 35.0, 25.0)]
            .iter()
            .map(|(n, row, column): &(f64, f64, f64)| 2.0 * n * (n * 65.0 / (row * column)).ln())
            .sum();
        assert!((g2.statistic - by_hand).abs() < 1e-12 * by_hand);
        assert_eq!((g2.df, x2.df), (1, 1));
    }

    #[test]
    fn near_independence_keeps_its_digits() {
        // Worked out with 40 digits.
        for (cells, statistic) in [
            ([75012, 74988, 75003, 74997], 0.0010800000114480001),
            ([18568, 280717, 9300, 140300], 0.02657865776793899),
            ([3, 299000, 1, 99990], 7.872004207611852e-06),
        ] {
            let table = Table { strata: vec![cells.into()] };
            let found = Test::G2.assess(&table).tested().unwrap().statistic;
            assert!((found - statistic).abs() < 1e-11 * statistic, "{cells:?}: {found}");
        }
    }

    #[test]
    fn doubling_the_rows_doubles_the_statistic() {
        let one = Table { strata: vec![[10, 20, 30, 5].into(), [17, 6, 13, 19].into()] };
        let two = Table { strata: vec![[20, 40, 60, 10].into(), [34, 12, 26, 38].into()] };
        for test in Test::ALL {
            let (one, two) = (test.assess(&one).tested(), test.assess(&two).tested());
            let (one, two) = (one.unwrap(), two.unwrap());
            assert!((2.0 * one.statistic - two.statistic).abs() < 1e-12 * two.statistic, "{test}");
            assert_eq!(one.df, two.df);
        }
    }

    #[test]
    fn adjusted_tests_know_when_they_cannot_tell() {
        // A stratum without a case has no degrees of freedom; empty ones neither.
        let table =
            Table { strata: vec![[10, 20, 30, 5].into(), [0, 30, 0, 30].into(), [0, 0, 0, 0].into()] };
        assert_eq!(Test::G2.assess(&table).tested().unwrap().df, 3);
        assert_eq!(Test::G2Adjusted.assess(&table).tested().unwrap().df, 1);
        assert_eq!(Test::X2Adjusted.assess(&table).tested().unwrap().df, 1);
        let constant = Table { strata: vec![[0, 0, 30, 30].into()] };
        assert_eq!(Test::G2Adjusted.assess(&constant), Outcome::NotTestable);
        assert_eq!(Test::G2.assess(&constant).tested().unwrap().p_value, 1.0);
        let few = Table { strata: vec![[5, 4, 5, 5].into()] };
        assert_eq!(Test::G2Adjusted.assess(&few), Outcome::NotTestable);
        assert!(Test::G2.assess(&few).tested().is_some());
    }

    #[test]
    fn in_small_samples_the_exact_test_keeps_its_level_where_g2_does_not() {
        // Fifty rows in eight strata, everything independent.
        let mut random = Random::new(7);
        let mut rejected = [0; 2];
        for _ in 0..2000 {
            let mut strata = [[0; 4]; 8];
            for _ in 0..50 {
                strata[random.below(8)][random.below(4)] += 1;
            }
            let table = strata.map(Stratum::from);
            for (test, rejected) in [Test::G2, Test::Exact].into_iter().zip(&mut rejected) {
                *rejected += usize::from(test.assess(&table).tested().unwrap().p_value <= 0.05);
            }
        }
        // The standard error of a share of .05 is .005.
        assert!(rejected[0] > 200, "G² rejects {} of 2000", rejected[0]);
        assert!((40..=110).contains(&rejected[1]), "the exact test rejects {} of 2000", rejected[1]);
    }

    #[test]
    fn the_exact_test_is_for_small_counts_only() {
        let small = Table { strata: vec![[3, 0, 1, 9].into()] };
        let exact = Test::Exact.assess(&small).tested().unwrap();
        assert_eq!((exact.df, exact.statistic), (0, Test::G2.assess(&small).tested().unwrap().statistic));
        assert_eq!(exact.ln_p, exact.p_value.ln());
        // Two strata of which one varies.
        let large = Table { strata: [[[40, 20, 30, 50].into()], [[0, 7, 0, 9].into()]].concat() };
        let (exact, adjusted) = (Test::Exact.assess(&large), Test::G2Adjusted.assess(&large));
        assert_eq!(exact, adjusted);
        assert_eq!(exact.tested().unwrap().df, 1);
    }

    #[test]
    fn rounding_keeps_ten_digits() {
        assert_eq!(rounded(123.456_789_012_34), 123.456_789_0);
        assert_eq!(rounded(0.0), 0.0);
        assert_eq!(rounded(1e-310), 0.0);
        assert_eq!(rounded(48.333_612_345_1), rounded(48.333_612_345_100_7));
    }
}
