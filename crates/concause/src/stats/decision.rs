//! A fast decision for many tables: dependent or not at one significance level.
//!
//! G² is computed from a look-up table of n ln n and compared with the critical value. In large data this loses a few
//! digits, so the exact statistic decides where the approximation is close to the critical value. Other statistics are
//! always computed exactly.

use std::sync::OnceLock;

use super::n_ln_n::NLnN;
use super::{Test, TestOutcome, critical_value};
use crate::count::{Count, Stratum};

/// The decision of a test at a significance level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// p ≤ alpha.
    Dependent,
    /// p > alpha.
    Independent,
    /// The table is not testable.
    NotTestable,
}

impl Decision {
    /// The decision for an outcome at this significance level.
    pub fn at_level(outcome: TestOutcome, alpha: f64) -> Decision {
        match outcome {
            TestOutcome::Tested(result) if result.p_value <= alpha => Decision::Dependent,
            TestOutcome::Tested(_) => Decision::Independent,
            TestOutcome::NotTestable => Decision::NotTestable,
        }
    }

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Dependent => "dependent",
            Decision::Independent => "independent",
            Decision::NotTestable => "not testable",
        }
    }
}

/// One test at one significance level, prepared for many tables.
#[derive(Clone, Debug)]
pub struct DecisionRule {
    test: Test,
    statistic_is_g2: bool,
    alpha: f64,
    /// Critical values by degrees of freedom, computed at first use.
    critical: Vec<OnceLock<f64>>,
    n_ln_n: NLnN,
    /// The absolute error of an approximate statistic, in addition to its relative error. A stratum has nine terms,
    /// whose arguments sum to at most nine times the number of rows; each term has an error of a few units in the
    /// last place.
    error: f64,
}

/// The largest degrees of freedom with a cached critical value: those of conditioning sets of up to three members in
/// 64 strata.
const CACHED_DEGREES: usize = 512;

impl DecisionRule {
    /// The rule for data with this number of rows.
    pub fn new(test: Test, alpha: f64, rows: u64) -> Self {
        let critical = vec![OnceLock::new(); CACHED_DEGREES + 1];
        let n_ln_n = NLnN::new(rows);
        let error = 128.0 * f64::EPSILON * n_ln_n.get(rows);
        Self { test, statistic_is_g2: test.statistic_is_g2(), alpha, critical, n_ln_n, error }
    }

    /// The test.
    pub fn test(&self) -> Test {
        self.test
    }

    /// The significance level.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The exact outcome of the test.
    pub fn assess(&self, strata: &[Stratum]) -> TestOutcome {
        self.test.assess(strata, self.alpha)
    }

    /// Whether the candidate and the target are dependent.
    pub fn decide(&self, strata: &[Stratum]) -> Decision {
        self.decide_within(strata, |stratum| self.margin(strata[stratum].total_count()), |_| 0.0).0
    }

    /// Whether the candidate and the target are dependent, and whether the statistic may be below the bound for its
    /// degrees of freedom. If it cannot be, the caller need not compute the exact statistic. `margin(stratum)`
    /// returns [`DecisionRule::margin`] of all rows of the stratum.
    #[inline]
    pub fn decide_within(
        &self,
        strata: &[Stratum],
        margin: impl Fn(usize) -> f64,
        bound: impl Fn(u32) -> f64,
    ) -> (Decision, bool) {
        let exact = || Decision::at_level(self.assess(strata), self.alpha);
        if !self.statistic_is_g2 {
            return (exact(), true);
        }
        let Some(df) = self.test.degrees_of_freedom(strata) else { return (exact(), true) };
        let (critical, bound) = (self.critical(df), bound(df));
        let upper_bound = critical.max(bound);
        let (mut statistic, mut error) = (0.0, self.error);
        for (number, stratum) in strata.iter().enumerate() {
            let (with, without) = (stratum.with.total(), stratum.without.total());
            // The contribution is 0 if the candidate does not vary, as in most strata of data with rare columns.
            if with == 0 || without == 0 {
                continue;
            }
            let f = |n: u64| self.n_ln_n.get(n);
            let cells = f(stratum.with.positive)
                + f(stratum.with.negative)
                + f(stratum.without.positive)
                + f(stratum.without.negative);
            statistic += 2.0 * (cells - f(with) - f(without) + margin(number));
            error = self.error + 1e-9 * statistic.abs();
            // The contributions of the remaining strata are not negative.
            if statistic - error > upper_bound {
                return (Decision::Dependent, false);
            }
        }
        let decision = if statistic > critical + error {
            Decision::Dependent
        } else if statistic < critical - error {
            Decision::Independent
        } else {
            exact()
        };
        (decision, statistic - error < bound)
    }

    /// The contribution of a stratum's class totals to half of its G², which is the same for every candidate: n ln n
    /// of all rows minus that of each class.
    pub fn margin(&self, all: Count) -> f64 {
        self.n_ln_n.get(all.total()) - self.n_ln_n.get(all.positive) - self.n_ln_n.get(all.negative)
    }

    fn critical(&self, df: u32) -> f64 {
        let value = || critical_value(self.alpha, df);
        self.critical.get(df as usize).map_or_else(value, |cached| *cached.get_or_init(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::ContingencyTable;
    use crate::random::Random;
    use crate::stats::{MaxP, TestResult};

    fn random_table(random: &mut Random, strata: usize, size: u64) -> ContingencyTable {
        let mut cell = || Count { positive: random.next_u64() % size, negative: random.next_u64() % size };
        ContingencyTable { strata: (0..strata).map(|_| Stratum { with: cell(), without: cell() }).collect() }
    }

    #[test]
    fn the_fast_decision_equals_the_exact_decision() {
        let mut random = Random::new(11);
        for &test in Test::ALL {
            for (size, alpha) in [(3, 0.05), (10, 0.2), (1000, 0.01), (50_000_000, 0.05)] {
                let decision_rule = DecisionRule::new(test, alpha, 4 * 8 * size);
                for strata in [1, 2, 4, 8] {
                    for _ in 0..200 {
                        let table = random_table(&mut random, strata, size);
                        let exact = test.assess(&table, alpha);
                        assert_eq!(decision_rule.decide(&table), Decision::at_level(exact, alpha));
                        if let Some(tested) = exact.tested() {
                            // A statistic below the bound must be reported as such.
                            let margin = |stratum: usize| decision_rule.margin(table[stratum].total_count());
                            let bound = tested.statistic * (1.0 + 1e-8) + 1e-12;
                            assert!(decision_rule.decide_within(&table, margin, |_| bound).1);
                        }
                    }
                }
            }
        }
    }

    /// The margin of error must widen the range in which the exact statistic decides, on both sides.
    #[test]
    fn decisions_at_the_critical_value_are_exact() {
        let mut random = Random::new(12);
        for size in [10, 1000, 50_000_000] {
            for _ in 0..300 {
                let strata = [1, 2, 4][random.below(3)];
                let table = random_table(&mut random, strata, size);
                let Some(tested) = Test::G2.assess(&table, 0.05).tested() else { continue };
                let p = tested.p_value;
                if !(1e-200..1.0).contains(&p) {
                    continue;
                }
                for alpha in [p, p.next_down(), p * (1.0 - 1e-12), p * (1.0 + 1e-12)] {
                    let rule = DecisionRule::new(Test::G2, alpha, 4 * 4 * size);
                    let exact = Decision::at_level(Test::G2.assess(&table, alpha), alpha);
                    assert_eq!(rule.decide(&table), exact, "{alpha} {table:?}");
                }
                let rule = DecisionRule::new(Test::G2, 0.05, 4 * 4 * size);
                let margin = |stratum: usize| rule.margin(table[stratum].total_count());
                let bound = tested.statistic.next_up();
                assert!(rule.decide_within(&table, margin, |_| bound).1, "{table:?}");
            }
        }
    }

    #[test]
    fn the_first_of_equal_largest_p_values_is_reported() {
        let mut max_p = MaxP::default();
        // The p-values are .0027, .0183 (e^−4), .0027 with a rounding error, and .0183.
        max_p.record(TestResult::new(9.0, 1), || "first");
        assert_eq!(max_p.largest().map(|(_, source)| *source), Some("first"));
        max_p.record(TestResult::new(8.0, 2), || "second");
        max_p.record(TestResult::new(9.0 - 1e-14, 1), || "third");
        max_p.record(TestResult::new(8.0, 2), || "fourth");
        assert_eq!(max_p.largest().map(|(_, source)| *source), Some("second"));
        assert_eq!(max_p.bound(1), 9.0);
        assert_eq!(max_p.bound(3), f64::INFINITY);
    }
}
