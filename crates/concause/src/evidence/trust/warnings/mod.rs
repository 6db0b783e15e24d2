//! Warnings about the data and the settings that affect a result: near-duplicate columns, deterministic relations,
//! near-perfect predictors of the target, and too few cases for the settings.
//!
//! Each check compares the data with thresholds that data without the problem do not reach (the constants below; their
//! reasons are in `docs/method.md`). Warnings do not change a result.

mod cases;
mod deterministic;
mod near_duplicates;
mod near_perfect;

use std::collections::BTreeSet;

use crate::count::{Count, Counter};
use crate::dataset::{Candidate, Column, Literal};
use crate::error::Error;
use crate::search::{Findings, Reason, Settings};

pub use cases::CaseShortage;
pub use deterministic::{Relation, RelationKind};
pub use near_duplicates::{LEAST_PHI_OF_DUPLICATES, NearDuplicate};
pub use near_perfect::{LEAST_PHI_OF_PREDICTOR, LEAST_SHARE_OF_CLASS, NearPerfectPredictor};

/// The largest number of pairs, relations or columns that a warning lists.
pub const MOST_NAMED: usize = 10;

/// A column is compared with others only if each of its values occurs in at least this many rows.
const LEAST_ROWS: u64 = 10;

/// The largest number of columns of causes that are checked, those of the first causes.
const MOST_CAUSE_COLUMNS: usize = 256;

/// The smallest share of impossible tests that gives a warning.
const MANY_NOT_TESTABLE: f64 = 0.05;

/// A problem that affects a result. Lists contain the first [`MOST_NAMED`] entries; `total` counts all.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Near-perfect predictors of the target among columns and causes, the strongest first.
    NearPerfectPrediction {
        /// The listed entries.
        by: Vec<NearPerfectPredictor>,
        /// The number of all entries.
        total: u64,
    },
    /// Fewer cases (or controls) than the settings need.
    TooFewCases(CaseShortage),
    /// Many tests were not possible for lack of rows.
    NotTestable {
        /// The number of tests at all levels.
        tests: u64,
        /// The number of tests that were not possible.
        not_testable: u64,
    },
    /// Pairs that differ in few rows: first those with a column of a cause, then the most similar.
    NearDuplicates {
        /// The listed entries.
        pairs: Vec<NearDuplicate>,
        /// The number of all entries.
        total: u64,
        /// Whether all pairs of columns were compared; otherwise only those with a column of a cause.
        all_pairs: bool,
    },
    /// Deterministic relations that affect the result.
    Deterministic {
        /// The listed entries.
        relations: Vec<Relation>,
        /// The number of all entries.
        total: u64,
    },
}

/// The warnings about a result, the most serious first.
///
/// The main cost is the comparison of all pairs of columns or, if that would take long, of all pairs with a column of a
/// cause. The other checks need few counts.
pub fn warnings(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    findings: &Findings,
) -> Result<Vec<Warning>, Error> {
    let context = WarningContext::new(counter, columns, settings, findings)?;
    let found = [
        near_perfect::check_predictors(&context),
        cases::check_cases(&context),
        check_testability(findings),
        near_duplicates::check_duplicates(&context)?,
        deterministic::check_relations(&context)?,
    ];
    Ok(found.into_iter().flatten().collect())
}

fn check_testability(findings: &Findings) -> Option<Warning> {
    let tests = findings.tests();
    let not_testable = findings.levels.iter().map(|level| level.not_testable).sum();
    let is_frequent = not_testable > 0 && not_testable as f64 >= MANY_NOT_TESTABLE * tests as f64;
    is_frequent.then_some(Warning::NotTestable { tests, not_testable })
}

/// The data that all checks share.
struct WarningContext<'a> {
    counter: &'a dyn Counter,
    columns: &'a [Column],
    settings: &'a Settings,
    findings: &'a Findings,
    rows: Count,
    /// The counts of each column.
    counts: Vec<Count>,
    /// The columns recorded after the target.
    after: BTreeSet<u32>,
    /// The columns that vary, except those after the target and those that another column represents: equivalent
    /// columns and the second value of attributes with two values.
    free: Vec<u32>,
    /// For each column, whether it is part of a cause.
    in_cause: Vec<bool>,
}

impl<'a> WarningContext<'a> {
    fn new(
        counter: &'a dyn Counter,
        columns: &'a [Column],
        settings: &'a Settings,
        findings: &'a Findings,
    ) -> Result<Self, Error> {
        let singles: Vec<Candidate> = (0..columns.len() as u32).map(Candidate::single).collect();
        let (rows, counts) = (counter.rows(), counter.counts(&singles)?);
        let (free, in_cause) = (Vec::new(), vec![false; columns.len()]);
        let after = settings.knowledge.after.iter().copied().collect();
        let mut context =
            WarningContext { counter, columns, settings, findings, rows, counts, after, free, in_cause };
        context.free = (0..columns.len() as u32).filter(|&column| context.is_free(column)).collect();
        let literals = findings.causes.iter().flat_map(|cause| cause.candidate.literals());
        for column in literals.map(|literal| literal.column()) {
            let representative = context.representative(column);
            [column, representative].iter().for_each(|&column| context.in_cause[column as usize] = true);
        }
        Ok(context)
    }

    fn is_free(&self, column: u32) -> bool {
        let count = self.count(column);
        let varies = count.total() > 0 && count != self.rows;
        varies && !self.after.contains(&column) && self.representative(column) == column
    }

    /// The column that represents it: an equivalent column, the first value of an attribute with two values, or itself.
    fn representative(&self, column: u32) -> u32 {
        if let Some(Reason::Equivalent { to, .. }) = self.findings.reasons.get(&Candidate::single(column)) {
            return to.literals()[0].column();
        }
        // Values of one attribute are mutually exclusive, so two of them whose counts add up to all rows are
        // complementary.
        let attribute = |column: u32| self.columns[column as usize].attribute;
        let is_other_value = |&other: &u32| {
            attribute(other) == attribute(column) && self.count(other) + self.count(column) == self.rows
        };
        column.checked_sub(1).filter(is_other_value).unwrap_or(column)
    }

    /// The count of a column.
    fn count(&self, column: u32) -> Count {
        self.counts[column as usize]
    }

    /// Whether a literal comes from the attribute of a column.
    fn shares_attribute(&self, literal: Literal, column: u32) -> bool {
        literal.attribute(self.columns) == self.columns[column as usize].attribute
    }

    /// The columns of the wanted causes, in data order, that occur often enough to be compared with others.
    fn cause_columns(&self, wanted: impl Fn(&Candidate) -> bool) -> Vec<u32> {
        let causes = self.findings.causes.iter().map(|cause| cause.candidate.unsigned());
        let columns = causes.filter(|cause| wanted(cause)).flat_map(|cause| cause.literals().to_vec());
        let columns = columns.map(Literal::column);
        let mut found: Vec<u32> = Vec::new();
        for column in columns.filter(|&column| self.is_common(column)) {
            if found.len() < MOST_CAUSE_COLUMNS && !found.contains(&column) {
                found.push(column);
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether both values of a column occur in at least [`LEAST_ROWS`] rows.
    fn is_common(&self, column: u32) -> bool {
        let holds = self.count(column).total();
        holds.min(self.rows.total() - holds) >= LEAST_ROWS
    }
}

/// The phi coefficient of two events among `rows` rows; they hold in `x`, `y` and `both` rows. 0 if one of them does
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
    fn phi_matches_hand_computed_values() {
        assert_eq!(phi(100, 50, 50, 50), 1.0);
        assert_eq!(phi(100, 50, 50, 0), -1.0);
        assert_eq!(phi(100, 50, 50, 25), 0.0);
        assert_eq!(phi(100, 100, 50, 50), 0.0);
        // 40, 10, 5, 45: (40·45 − 10·5)/√(50·50·45·55)
        assert!((phi(100, 50, 45, 40) - 1750.0 / 6_187_500f64.sqrt()).abs() < 1e-12);
    }
}
