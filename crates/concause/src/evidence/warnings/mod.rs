//! What a reader should know before relying on a result: columns that all but repeat one another, relations without
//! exception, an outcome that one column all but gives away, too few cases for what was asked.
//!
//! A warning is a fact about the data and the settings, checked against thresholds that data without such a fault
//! does not reach (the constants below, with their reasons in `docs/method.md`). No warning changes a result.

mod cases;
mod decided;
mod deterministic;
mod near_duplicates;

use std::collections::BTreeSet;

use crate::count::{Count, Counter};
use crate::dataset::{Candidate, Column};
use crate::search::{Findings, Reason, Settings};

pub use cases::Shortage;
pub use decided::{Decider, LEAST_PHI_OF_DECIDER, LEAST_SHARE_OF_CLASS};
pub use deterministic::{Relation, Tie};
pub use near_duplicates::{LEAST_PHI_OF_DUPLICATES, NearDuplicate};

/// The most pairs, relations or columns that a warning names.
pub const MOST_NAMED: usize = 10;

/// Fewer rows of one value say nothing about how two columns go together.
const LEAST_ROWS: u64 = 10;

/// The most columns of causes that are looked at, those of the first causes.
const MOST_CAUSE_COLUMNS: usize = 256;

/// Columns that are compared with all others in one grid.
const STRIPE: usize = 32;

/// The share of tests that could not tell from which on that is worth a word.
const MANY_NOT_TESTABLE: f64 = 0.05;

/// Something to know before relying on a result. Lists hold the first [`MOST_NAMED`], `total` counts all.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Columns or causes that all but give the target away, the strongest first.
    TargetDecided {
        /// Those named.
        by: Vec<Decider>,
        /// How many there are.
        total: u64,
    },
    /// Fewer cases (or controls) than the settings need.
    TooFewCases(Shortage),
    /// Many tests could not tell.
    NotTestable {
        /// The tests of all levels.
        tests: u64,
        /// Those that could not tell.
        not_testable: u64,
    },
    /// Pairs that differ in few rows: first those with a column of a cause, then the most alike.
    NearDuplicates {
        /// Those named.
        pairs: Vec<NearDuplicate>,
        /// How many there are.
        total: u64,
        /// Whether all pairs of columns were compared; if not, only those with a column of a cause.
        all_pairs: bool,
    },
    /// Relations without exception that bear on the result.
    Deterministic {
        /// Those named.
        relations: Vec<Relation>,
        /// How many there are.
        total: u64,
    },
}

/// The warnings on a result, the gravest first.
///
/// What it costs is a sweep over all pairs of columns, or, where that would take long, over the pairs with a column of a
/// cause; all else follows from few counts.
pub fn warnings(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    findings: &Findings,
) -> Vec<Warning> {
    let scene = Scene::new(counter, columns, settings, findings);
    let all = [
        decided::warning(&scene),
        cases::warning(&scene),
        not_testable(findings),
        near_duplicates::warning(&scene),
        deterministic::warning(&scene),
    ];
    all.into_iter().flatten().collect()
}

fn not_testable(findings: &Findings) -> Option<Warning> {
    let tests = findings.tests();
    let not_testable = findings.levels.iter().map(|level| level.not_testable).sum();
    let many = not_testable > 0 && not_testable as f64 >= MANY_NOT_TESTABLE * tests as f64;
    many.then_some(Warning::NotTestable { tests, not_testable })
}

/// What all warnings look at.
struct Scene<'a> {
    counter: &'a dyn Counter,
    columns: &'a [Column],
    settings: &'a Settings,
    findings: &'a Findings,
    rows: Count,
    /// The rows in which each column holds.
    counts: Vec<Count>,
    /// The columns after the target.
    after: BTreeSet<u32>,
    /// The columns that vary, but for those after the target and those that another stands for: equivalent ones and the
    /// second of an attribute of two values.
    free: Vec<u32>,
    /// By column, whether it is in a cause.
    in_cause: Vec<bool>,
}

impl<'a> Scene<'a> {
    fn new(
        counter: &'a dyn Counter,
        columns: &'a [Column],
        settings: &'a Settings,
        findings: &'a Findings,
    ) -> Self {
        let all: Vec<Candidate> = (0..columns.len() as u32).map(Candidate::single).collect();
        let (rows, counts) = (counter.rows(), counter.counts(&all));
        let (free, in_cause) = (Vec::new(), vec![false; columns.len()]);
        let after = settings.knowledge.after.iter().copied().collect();
        let mut scene = Scene { counter, columns, settings, findings, rows, counts, after, free, in_cause };
        scene.free = (0..columns.len() as u32).filter(|&column| scene.is_free(column)).collect();
        for &column in findings.causes.iter().flat_map(|cause| cause.candidate.columns()) {
            let stand_in = scene.stand_in(column);
            [column, stand_in].iter().for_each(|&column| scene.in_cause[column as usize] = true);
        }
        scene
    }

    fn is_free(&self, column: u32) -> bool {
        let count = self.count(column);
        let varies = count.total() > 0 && count != self.rows;
        varies && !self.after.contains(&column) && self.stand_in(column) == column
    }

    /// The column that stands for it: an equivalent one, or the first of an attribute of two values.
    fn stand_in(&self, column: u32) -> u32 {
        if let Some(Reason::Equivalent { to, .. }) = self.findings.reasons.get(&Candidate::single(column)) {
            return to.columns()[0];
        }
        // Values of one attribute exclude one another, so two of them that add up to all rows are complementary.
        let is_other_value = |&other: &u32| {
            self.attribute(other) == self.attribute(column)
                && self.count(other) + self.count(column) == self.rows
        };
        column.checked_sub(1).filter(is_other_value).unwrap_or(column)
    }

    fn count(&self, column: u32) -> Count {
        self.counts[column as usize]
    }

    fn attribute(&self, column: u32) -> usize {
        self.columns[column as usize].attribute
    }

    /// The columns of such causes, in data order, as far as they can be compared with others.
    fn cause_columns(&self, wanted: impl Fn(&Candidate) -> bool) -> Vec<u32> {
        let causes = self.findings.causes.iter().map(|cause| &cause.candidate);
        let columns = causes.filter(|cause| wanted(cause)).flat_map(Candidate::columns);
        let mut found: Vec<u32> = Vec::new();
        for &column in columns.filter(|&&column| self.is_common(column)) {
            if found.len() < MOST_CAUSE_COLUMNS && !found.contains(&column) {
                found.push(column);
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether both values of a column occur often enough for it to be compared with others.
    fn is_common(&self, column: u32) -> bool {
        let holds = self.count(column).total();
        holds.min(self.rows.total() - holds) >= LEAST_ROWS
    }
}

/// The correlation of two events among so many rows, of which they hold in `x`, `y` and `both`; 0 if one of them does
/// not vary.
fn phi(rows: u64, x: u64, y: u64, both: u64) -> f64 {
    let [rows, x, y, both] = [rows, x, y, both].map(|count| count as f64);
    let spread = (x * (rows - x)).sqrt() * (y * (rows - y)).sqrt();
    if spread > 0.0 { (rows * both - x * y) / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phi_is_the_correlation() {
        assert_eq!(phi(100, 50, 50, 50), 1.0);
        assert_eq!(phi(100, 50, 50, 0), -1.0);
        assert_eq!(phi(100, 50, 50, 25), 0.0);
        assert_eq!(phi(100, 100, 50, 50), 0.0);
        // 40, 10, 5, 45: (40·45 − 10·5)/√(50·50·45·55)
        assert!((phi(100, 50, 45, 40) - 1750.0 / 6_187_500f64.sqrt()).abs() < 1e-12);
    }
}
