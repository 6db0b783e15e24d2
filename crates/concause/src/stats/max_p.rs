//! The largest p-value of a series of tests.

use super::{TestResult, round_to_ten_digits};

/// The largest p-value of a series of tests, with the source of its test. If p-values are equal to ten digits, the
/// first counts. For equal degrees of freedom, the smallest statistic has the largest p, so p-values are only
/// compared between different degrees of freedom.
#[derive(Clone, Debug)]
pub struct MaxP<S> {
    by_df: Vec<(TestResult, u64, S)>,
    recorded: u64,
}

impl<S> Default for MaxP<S> {
    fn default() -> Self {
        MaxP { by_df: Vec::new(), recorded: 0 }
    }
}

impl<S: Clone> MaxP<S> {
    /// The smallest statistic so far with these degrees of freedom. A test has a larger p only if its statistic is
    /// smaller.
    pub fn bound(&self, df: u32) -> f64 {
        self.by_df
            .iter()
            .find(|(result, ..)| result.df == df)
            .map_or(f64::INFINITY, |(result, ..)| result.statistic)
    }

    /// Records a test; `source` identifies it.
    pub fn record(&mut self, result: TestResult, source: impl FnOnce() -> S) {
        self.recorded += 1;
        // Exact p-values do not follow from the statistic.
        let has_larger_p = |best: &TestResult| match result.df {
            0 => round_to_ten_digits(result.ln_p) > round_to_ten_digits(best.ln_p),
            _ => result.strength() < best.strength(),
        };
        match self.by_df.iter_mut().find(|(best, ..)| best.df == result.df) {
            Some((best, ..)) if !has_larger_p(best) => {}
            Some(entry) => *entry = (result, self.recorded, source()),
            None => self.by_df.push((result, self.recorded, source())),
        }
    }

    /// Records a test whose statistic is not comparable with the other statistics of the same degrees of freedom.
    pub fn record_other_kind(&mut self, result: TestResult, source: impl FnOnce() -> S) {
        self.recorded += 1;
        self.by_df.push((result, self.recorded, source()));
    }

    /// The test with the largest p-value; `None` if no test was recorded.
    pub fn largest(&self) -> Option<(&TestResult, &S)> {
        let key = |(result, number, _): &(TestResult, u64, S)| (-round_to_ten_digits(result.ln_p), *number);
        let best = self.by_df.iter().min_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        best.map(|(result, _, source)| (result, source))
    }

    /// The sources of the tests that may have the largest p-value.
    pub fn sources(&self) -> impl Iterator<Item = &S> {
        self.by_df.iter().map(|(.., source)| source)
    }
}
