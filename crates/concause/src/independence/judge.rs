//! Decides thousands of tables a millisecond: dependent or not at one significance level.
//!
//! The statistic is worked out from a table of n ln n and compared with the critical value. That loses a few
//! digits in large data, so wherever it is close to what matters the exact statistic decides.

use super::{Outcome, Test, Tested, critical_value, rounded};
use crate::count::Table;

/// What a test says at a significance level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// p ≤ alpha.
    Dependent,
    /// p > alpha.
    Independent,
    /// The test cannot tell.
    NotTestable,
}

impl Verdict {
    /// The verdict on an exact outcome.
    pub fn of(outcome: Outcome, alpha: f64) -> Verdict {
        match outcome {
            Outcome::Tested(tested) if tested.p_value <= alpha => Verdict::Dependent,
            Outcome::Tested(_) => Verdict::Independent,
            Outcome::NotTestable => Verdict::NotTestable,
        }
    }
}

/// One test at one significance level, ready for many tables.
#[derive(Clone, Debug)]
pub struct Judge {
    test: Test,
    alpha: f64,
    /// Critical values by degrees of freedom; further ones are worked out when met.
    critical: Vec<f64>,
    n_ln_n: Vec<f64>,
}

/// Degrees of freedom with a critical value at hand: conditioning sets of up to six members.
const KNOWN_DEGREES: u32 = 64;

/// n ln n is looked up below this and worked out above.
const LONGEST_LOOKUP: u64 = 1 << 20;

impl Judge {
    /// A judge for data with that many rows.
    pub fn new(test: Test, alpha: f64, rows: u64) -> Self {
        let critical = (0..=KNOWN_DEGREES).map(|df| critical_value(alpha, df)).collect();
        let n_ln_n = (0..=rows.min(LONGEST_LOOKUP)).map(n_ln_n).collect();
        Self { test, alpha, critical, n_ln_n }
    }

    /// The test it applies.
    pub fn test(&self) -> Test {
        self.test
    }

    /// The significance level.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Dependent or not.
    pub fn verdict(&self, table: &Table) -> Verdict {
        self.examine(table, |_| 0.0).0
    }

    /// Dependent or not, and whether the statistic may be below the bound of its degrees of freedom: if not, the
    /// exact one need not be worked out.
    pub fn examine(&self, table: &Table, bound: impl Fn(u32) -> f64) -> (Verdict, bool) {
        let Some((quick, df, error)) = self.quick(table) else {
            return (Verdict::of(self.test.assess(table), self.alpha), true);
        };
        let critical = self.critical(df);
        let verdict = if quick > critical + error {
            Verdict::Dependent
        } else if quick < critical - error {
            Verdict::Independent
        } else {
            Verdict::of(self.test.assess(table), self.alpha)
        };
        (verdict, quick - error < bound(df))
    }

    /// The quick statistic, its degrees of freedom and how far it may be off.
    fn quick(&self, table: &Table) -> Option<(f64, u32, f64)> {
        if !matches!(self.test, Test::G2 | Test::G2Adjusted) {
            return None;
        }
        let df = self.test.degrees_of_freedom(table)?;
        let f = |n: u64| self.n_ln_n(n);
        let (mut sum, mut scale) = (0.0, 0.0);
        for stratum in &table.strata {
            let (with, without) = (stratum.with.total(), stratum.without.total());
            // Where the candidate does not vary its terms cancel; in data with rare columns that is most strata.
            if with == 0 || without == 0 {
                continue;
            }
            let all = stratum.all();
            let whole = f(with + without);
            sum += f(stratum.with.positive)
                + f(stratum.with.negative)
                + f(stratum.without.positive)
                + f(stratum.without.negative)
                + whole
                - f(with)
                - f(without)
                - f(all.positive)
                - f(all.negative);
            scale += whole;
        }
        // Nine terms of at most `whole` each, every one off by half a unit in the last place at most; and the
        // exact statistic is rounded to ten digits wherever two are compared.
        let quick = 2.0 * sum;
        Some((quick, df, 64.0 * f64::EPSILON * scale + 1e-9 * quick.abs()))
    }

    fn n_ln_n(&self, n: u64) -> f64 {
        self.n_ln_n.get(n as usize).copied().unwrap_or_else(|| n_ln_n(n))
    }

    fn critical(&self, df: u32) -> f64 {
        self.critical.get(df as usize).copied().unwrap_or_else(|| critical_value(self.alpha, df))
    }
}

fn n_ln_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() }
}

/// Keeps the largest p-value of a series of tests, and which of them gave it: among equals (to ten digits) the
/// first. Within the same degrees of freedom the smallest statistic has the largest p, so p itself is only
/// worked out at the end.
#[derive(Clone, Debug)]
pub struct Weakest<S> {
    by_df: Vec<(Tested, u64, S)>,
    met: u64,
}

impl<S> Default for Weakest<S> {
    fn default() -> Self {
        Weakest { by_df: Vec::new(), met: 0 }
    }
}

impl<S: Clone> Weakest<S> {
    /// The statistic that a test with these degrees of freedom must stay below to be the weakest of them.
    pub fn bound(&self, df: u32) -> f64 {
        self.by_df
            .iter()
            .find(|(tested, ..)| tested.df == df)
            .map_or(f64::INFINITY, |(tested, ..)| tested.statistic)
    }

    /// Takes in the next test; `source` says where it came from.
    pub fn offer(&mut self, tested: Tested, source: impl FnOnce() -> S) {
        self.met += 1;
        match self.by_df.iter_mut().find(|(held, ..)| held.df == tested.df) {
            Some((held, ..)) if tested.strength() >= held.strength() => {}
            Some(entry) => *entry = (tested, self.met, source()),
            None => self.by_df.push((tested, self.met, source())),
        }
    }

    /// The test with the largest p-value, if there was any.
    pub fn weakest(&self) -> Option<(&Tested, &S)> {
        let key = |(tested, met, _): &(Tested, u64, S)| (-rounded(tested.ln_p), *met);
        let best = self.by_df.iter().min_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        best.map(|(tested, _, source)| (tested, source))
    }

    /// All that may yet turn out the weakest.
    pub fn sources(&self) -> impl Iterator<Item = &S> {
        self.by_df.iter().map(|(.., source)| source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Count, Stratum};
    use crate::simulate::Random;

    fn random_table(random: &mut Random, strata: usize, size: u64) -> Table {
        let mut cell = || Count { positive: random.next_u64() % size, negative: random.next_u64() % size };
        Table { strata: (0..strata).map(|_| Stratum { with: cell(), without: cell() }).collect() }
    }

    #[test]
    fn the_quick_verdict_is_the_exact_one() {
        let mut random = Random::new(11);
        for test in Test::ALL {
            for (size, alpha) in [(3, 0.05), (10, 0.2), (1000, 0.01), (50_000_000, 0.05)] {
                let judge = Judge::new(test, alpha, 1000);
                for strata in [1, 2, 4, 8] {
                    for _ in 0..200 {
                        let table = random_table(&mut random, strata, size);
                        let exact = test.assess(&table);
                        assert_eq!(judge.verdict(&table), Verdict::of(exact, alpha));
                        if let Some(tested) = exact.tested() {
                            // Never overlook a statistic below the bound.
                            assert!(judge.examine(&table, |_| tested.statistic * (1.0 + 1e-8) + 1e-12).1);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_weakest_test_has_the_largest_p_and_comes_first_among_equals() {
        let mut weakest = Weakest::default();
        // p = .0027, .0183 (e^−4), .0027 again but for a rounding error, .0183 again.
        weakest.offer(Tested::new(9.0, 1), || "first");
        assert_eq!(weakest.weakest().map(|(_, source)| *source), Some("first"));
        weakest.offer(Tested::new(8.0, 2), || "second");
        weakest.offer(Tested::new(9.0 - 1e-14, 1), || "third");
        weakest.offer(Tested::new(8.0, 2), || "fourth");
        assert_eq!(weakest.weakest().map(|(_, source)| *source), Some("second"));
        assert_eq!(weakest.bound(1), 9.0);
        assert_eq!(weakest.bound(3), f64::INFINITY);
    }
}
