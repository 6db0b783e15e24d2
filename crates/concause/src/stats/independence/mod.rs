//! The tests of independence X ⟂ T | S on a 2×2×2^|S| table, behind one trait.
//!
//! To add a test, write a file like `g2.rs` that implements [`IndependenceTest`], and add a line to `register_tests!`
//! below. Flags, help, reports and JSON read the descriptor.

mod exact;
mod g2;
mod g2_adjusted;
mod statistic;
mod x2;
mod x2_adjusted;

use std::fmt;
use std::str::FromStr;

pub(crate) use exact::convolve;

use super::{TestOutcome, TestResult};
use crate::count::Stratum;

/// How a test is described to users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestDescriptor {
    /// The name in settings and results.
    pub name: &'static str,
    /// The name in running text.
    pub title: &'static str,
    /// The symbol of the statistic.
    pub symbol: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The source.
    pub citation: &'static str,
}

/// A test of X ⟂ T | S on a 2×2×2^|S| table, given as one 2×2 table per stratum of S.
pub trait IndependenceTest: Sync {
    /// How the test is described to users.
    fn descriptor(&self) -> &'static TestDescriptor;

    /// The statistic. It orders candidates by strength of association.
    fn statistic(&self, table: &[Stratum]) -> f64;

    /// The degrees of freedom, which may depend only on the margins; `None` if the chi-square distribution does not
    /// apply to the table.
    fn degrees_of_freedom(&self, table: &[Stratum]) -> Option<u32>;

    /// The exact p-value of a table without degrees of freedom; `None` if the table is not testable at level alpha.
    fn exact_p_value(&self, _table: &[Stratum], _alpha: f64) -> Option<f64> {
        None
    }

    /// Whether the statistic is G², which [`DecisionRule`](super::DecisionRule) evaluates by table look-up.
    fn statistic_is_g2(&self) -> bool {
        false
    }
}

/// A registered test of independence.
#[derive(Clone, Copy)]
pub struct Test(&'static dyn IndependenceTest);

macro_rules! register_tests {
    ($($constant:ident => $implementation:expr;)+) => {
        impl Test {
            $(
                #[doc = concat!("See the descriptor of `", stringify!($constant), "`.")]
                pub const $constant: Test = Test(&$implementation);
            )+

            /// All tests, in the order of help texts.
            pub const ALL: &'static [Test] = &[$(Test::$constant),+];
        }
    };
}

register_tests! {
    G2 => g2::G2;
    X2 => x2::X2;
    G2_ADJUSTED => g2_adjusted::G2Adjusted;
    X2_ADJUSTED => x2_adjusted::X2Adjusted;
    EXACT => exact::Exact;
}

impl Test {
    /// How the test is described to users.
    pub fn descriptor(self) -> &'static TestDescriptor {
        self.0.descriptor()
    }

    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        self.descriptor().name
    }

    /// The symbol of the statistic.
    pub fn symbol(self) -> &'static str {
        self.descriptor().symbol
    }

    /// Tests a table. For an exact test, a table is not testable if no table with the same margins could be
    /// significant at level alpha.
    pub fn assess(self, table: &[Stratum], alpha: f64) -> TestOutcome {
        let result = match self.0.degrees_of_freedom(table) {
            Some(df) => Some(TestResult::new(self.0.statistic(table), df)),
            None => {
                let p_value = self.0.exact_p_value(table, alpha);
                p_value.map(|p_value| TestResult::exact(self.0.statistic(table), p_value))
            }
        };
        result.map_or(TestOutcome::NotTestable, TestOutcome::Tested)
    }

    pub(super) fn degrees_of_freedom(self, table: &[Stratum]) -> Option<u32> {
        self.0.degrees_of_freedom(table)
    }

    pub(super) fn statistic_is_g2(self) -> bool {
        self.0.statistic_is_g2()
    }
}

impl Default for Test {
    fn default() -> Self {
        Test::G2
    }
}

impl PartialEq for Test {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Test {}

impl fmt::Debug for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no test with this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTest(pub String);

impl fmt::Display for UnknownTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Test::ALL.iter().map(|test| test.name()).collect();
        write!(f, "there is no test '{}'; choose one of {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownTest {}

impl FromStr for Test {
    type Err = UnknownTest;

    fn from_str(name: &str) -> Result<Self, UnknownTest> {
        let found = Test::ALL.iter().copied().find(|test| test.name() == name);
        found.ok_or_else(|| UnknownTest(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::ContingencyTable;
    use crate::random::Random;

    #[test]
    fn statistics_agree_with_a_calculation_by_hand() {
        // X² of (10, 20 / 30, 5): expected 18.4615…, 11.5384…, 21.5384…, 13.4615…
        let table = ContingencyTable { strata: vec![[10, 20, 30, 5].into()] };
        let x2 = Test::X2.assess(&table, 0.05).tested().unwrap();
        let by_hand = 65.0 * (10.0f64 * 5.0 - 20.0 * 30.0).powi(2) / (30.0 * 35.0 * 40.0 * 25.0);
        assert!((x2.statistic - by_hand).abs() < 1e-12 * by_hand);
        let g2 = Test::G2.assess(&table, 0.05).tested().unwrap();
        let by_hand: f64 = [(10.0, 30.0, 40.0), (20.0, 30.0, 25.0), (30.0, 35.0, 40.0), (5.0, 35.0, 25.0)]
            .iter()
            .map(|(n, row, column): &(f64, f64, f64)| 2.0 * n * (n * 65.0 / (row * column)).ln())
            .sum();
        assert!((g2.statistic - by_hand).abs() < 1e-12 * by_hand);
        assert_eq!((g2.df, x2.df), (1, 1));
    }

    #[test]
    fn statistics_are_accurate_near_independence() {
        // The expected values were computed with 40 digits.
        for (cells, statistic) in [
            ([75012, 74988, 75003, 74997], 0.0010800000114480001),
            ([18568, 280717, 9300, 140300], 0.02657865776793899),
            ([3, 299000, 1, 99990], 7.872004207611852e-06),
        ] {
            let table = ContingencyTable { strata: vec![cells.into()] };
            let found = Test::G2.assess(&table, 0.05).tested().unwrap().statistic;
            assert!((found - statistic).abs() < 1e-11 * statistic, "{cells:?}: {found}");
        }
    }

    #[test]
    fn adjusted_tests_need_five_rows_per_cell_and_no_more() {
        let two = [[5, 5, 5, 5].into(), [9, 3, 6, 2].into()];
        for test in [Test::G2_ADJUSTED, Test::X2_ADJUSTED] {
            let outcome = |strata: &[Stratum]| {
                test.assess(&ContingencyTable { strata: strata.to_vec() }, 0.05)
                    .tested()
                    .map(|tested| tested.df)
            };
            assert_eq!(outcome(&two[..1]), Some(1), "{test}");
            assert_eq!(outcome(&two), Some(2), "{test}");
            assert_eq!(outcome(&[[5, 5, 5, 4].into()]), None, "{test}");
            assert_eq!(outcome(&[two[0], [9, 3, 6, 1].into()]), None, "{test}");
        }
    }

    #[test]
    fn doubling_the_rows_doubles_the_statistic() {
        let one = ContingencyTable { strata: vec![[10, 20, 30, 5].into(), [17, 6, 13, 19].into()] };
        let two = ContingencyTable { strata: vec![[20, 40, 60, 10].into(), [34, 12, 26, 38].into()] };
        for &test in Test::ALL {
            let (one, two) = (test.assess(&one, 0.05).tested(), test.assess(&two, 0.05).tested());
            let (one, two) = (one.unwrap(), two.unwrap());
            assert!((2.0 * one.statistic - two.statistic).abs() < 1e-12 * two.statistic, "{test}");
            assert_eq!(one.df, two.df);
        }
    }

    #[test]
    fn adjusted_tests_report_tables_that_are_not_testable() {
        // Strata without cases and empty strata have no degrees of freedom.
        let table = ContingencyTable {
            strata: vec![[10, 20, 30, 5].into(), [0, 30, 0, 30].into(), [0, 0, 0, 0].into()],
        };
        assert_eq!(Test::G2.assess(&table, 0.05).tested().unwrap().df, 3);
        assert_eq!(Test::G2_ADJUSTED.assess(&table, 0.05).tested().unwrap().df, 1);
        assert_eq!(Test::X2_ADJUSTED.assess(&table, 0.05).tested().unwrap().df, 1);
        let constant = ContingencyTable { strata: vec![[0, 0, 30, 30].into()] };
        assert_eq!(Test::G2_ADJUSTED.assess(&constant, 0.05), TestOutcome::NotTestable);
        assert_eq!(Test::G2.assess(&constant, 0.05).tested().unwrap().p_value, 1.0);
        let few = ContingencyTable { strata: vec![[5, 4, 5, 5].into()] };
        assert_eq!(Test::G2_ADJUSTED.assess(&few, 0.05), TestOutcome::NotTestable);
        assert!(Test::G2.assess(&few, 0.05).tested().is_some());
    }

    #[test]
    fn in_small_samples_the_exact_test_holds_its_level_but_g2_does_not() {
        // Fifty rows in eight strata, all variables independent.
        let mut random = Random::new(7);
        let mut rejected = [0; 2];
        for _ in 0..2000 {
            let mut strata = [[0; 4]; 8];
            for _ in 0..50 {
                strata[random.below(8)][random.below(4)] += 1;
            }
            let table = strata.map(Stratum::from);
            for (test, rejected) in [Test::G2, Test::EXACT].into_iter().zip(&mut rejected) {
                *rejected += usize::from(test.assess(&table, 0.05).tested().unwrap().p_value <= 0.05);
            }
        }
        // The standard error of a rejection rate of .05 is .005.
        assert!(rejected[0] > 200, "G² rejects {} of 2000", rejected[0]);
        assert!((40..=110).contains(&rejected[1]), "the exact test rejects {} of 2000", rejected[1]);
    }

    #[test]
    fn the_exact_test_applies_to_small_counts_only() {
        let small = ContingencyTable { strata: vec![[3, 0, 1, 9].into()] };
        let exact = Test::EXACT.assess(&small, 0.05).tested().unwrap();
        assert_eq!(
            (exact.df, exact.statistic),
            (0, Test::G2.assess(&small, 0.05).tested().unwrap().statistic)
        );
        assert_eq!(exact.ln_p, exact.p_value.ln());
        // Two strata, of which one varies.
        let large = ContingencyTable { strata: [[[40, 20, 30, 50].into()], [[0, 7, 0, 9].into()]].concat() };
        let (exact, adjusted) = (Test::EXACT.assess(&large, 0.05), Test::G2_ADJUSTED.assess(&large, 0.05));
        assert_eq!(exact, adjusted);
        assert_eq!(exact.tested().unwrap().df, 1);
    }
}
