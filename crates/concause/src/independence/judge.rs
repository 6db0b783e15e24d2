//! Decides thousands of tables a millisecond: dependent or not at one significance level.
//!
//! The statistic is worked out from a table of n ln n and compared with the critical value. That loses a few
//! digits in large data, so wherever it is close to what matters the exact statistic decides.

use std::sync::OnceLock;

use super::n_ln_n::NLnN;
use super::{Outcome, Test, Tested, critical_value, rounded};
use crate::count::{Count, Stratum};

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
    /// Critical values by degrees of freedom, worked out when first met; beyond them, each time.
    critical: Vec<OnceLock<f64>>,
    n_ln_n: NLnN,
    /// How far a quick statistic may be off, beside a share of itself: nine terms for every stratum, which add up to
    /// nine of all rows at most, each off by a few units in the last place.
    error: f64,
}

/// Degrees of freedom with a critical value at hand: conditioning sets of up to three members in 64 strata.
const KNOWN_DEGREES: usize = 512;

impl Judge {
    /// A judge for data with that many rows.
    pub fn new(test: Test, alpha: f64, rows: u64) -> Self {
        let critical = vec![OnceLock::new(); KNOWN_DEGREES + 1];
        let n_ln_n = NLnN::new(rows);
        let error = 128.0 * f64::EPSILON * n_ln_n.of(rows);
        Self { test, alpha, critical, n_ln_n, error }
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
    pub fn verdict(&self, strata: &[Stratum]) -> Verdict {
        self.examine(strata, |stratum| self.margin(strata[stratum].all()), |_| 0.0).0
    }

    /// Dependent or not, and whether the statistic may be below the bound of its degrees of freedom: if not, the
    /// exact one need not be worked out. `margin` gives [`Judge::margin`] of all rows of a stratum.
    #[inline]
    pub fn examine(
        &self,
        strata: &[Stratum],
        margin: impl Fn(usize) -> f64,
        bound: impl Fn(u32) -> f64,
    ) -> (Verdict, bool) {
        let exact = || Verdict::of(self.test.assess(strata), self.alpha);
        if matches!(self.test, Test::X2 | Test::X2Adjusted) {
            return (exact(), true);
        }
        let Some(df) = self.test.degrees_of_freedom(strata) else { return (exact(), true) };
        let (critical, bound) = (self.critical(df), bound(df));
        let decided = critical.max(bound);
        let (mut statistic, mut error) = (0.0, self.error);
        for (number, stratum) in strata.iter().enumerate() {
            let (with, without) = (stratum.with.total(), stratum.without.total());
            // Where the candidate does not vary its terms cancel; in data with rare columns that is most strata.
            if with == 0 || without == 0 {
                continue;
            }
            let f = |n: u64| self.n_ln_n.of(n);
            let cells = f(stratum.with.positive)
                + f(stratum.with.negative)
                + f(stratum.without.positive)
                + f(stratum.without.negative);
            statistic += 2.0 * (cells - f(with) - f(without) + margin(number));
            error = self.error + 1e-9 * statistic.abs();
            // No stratum takes anything away from the statistic.
            if statistic - error > decided {
                return (Verdict::Dependent, false);
            }
        }
        let verdict = if statistic > critical + error {
            Verdict::Dependent
        } else if statistic < critical - error {
            Verdict::Independent
        } else {
            exact()
        };
        (verdict, statistic - error < bound)
    }

    /// What the rows of a stratum add to half of its G², whatever the candidate: n ln n less that of each class.
    pub fn margin(&self, all: Count) -> f64 {
        self.n_ln_n.of(all.total()) - self.n_ln_n.of(all.positive) - self.n_ln_n.of(all.negative)
    }

    fn critical(&self, df: u32) -> f64 {
        let value = || critical_value(self.alpha, df);
        self.critical.get(df as usize).map_or_else(value, |known| *known.get_or_init(value))
    }
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
        // Exact p-values do not follow from the statistic.
        let is_weaker = |held: &Tested| match tested.df {
            0 => rounded(tested.ln_p) > rounded(held.ln_p),
            _ => tested.strength() < held.strength(),
        };
        match self.by_df.iter_mut().find(|(held, ..)| held.df == tested.df) {
            Some((held, ..)) if !is_weaker(held) => {}
            Some(entry) => *entry = (tested, self.met, source()),
            None => self.by_df.push((tested, self.met, source())),
        }
    }

    /// Takes in a test of another kind, which is not to be measured against those of the same degrees of freedom by its
    /// statistic alone.
    pub fn offer_apart(&mut self, tested: Tested, source: impl FnOnce() -> S) {
        self.met += 1;
        self.by_df.push((tested, self.met, source()));
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
    use crate::count::Table;
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
                let judge = Judge::new(test, alpha, 4 * 8 * size);
                for strata in [1, 2, 4, 8] {
                    for _ in 0..200 {
                        let table = random_table(&mut random, strata, size);
                        let exact = test.assess(&table);
                        assert_eq!(judge.verdict(&table), Verdict::of(exact, alpha));
                        if let Some(tested) = exact.tested() {
                            // Never overlook a statistic below the bound.
                            let margin = |stratum: usize| judge.margin(table[stratum].all());
                            let bound = tested.statistic * (1.0 + 1e-8) + 1e-12;
                            assert!(judge.examine(&table, margin, |_| bound).1);
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
