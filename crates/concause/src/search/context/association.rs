//! Tests whether a candidate is associated with the target.

use crate::count::{ContingencyTable, Count, Stratum};
use crate::search::findings::{LevelSummary, Reason};
use crate::stats::{Decision, DecisionRule, TestOutcome, TestResult};

/// Whether a candidate is associated with the target.
pub(crate) enum Association {
    Open(TestResult),
    NotAssociated,
    NotTestable,
}

/// Applies a function to the table of rows with a candidate (`with`) among the rows in `all`, by stratum. A table with
/// a single stratum needs no allocation.
pub(crate) fn in_table<T>(with: &[Count], all: &[Count], apply: impl FnOnce(&[Stratum]) -> T) -> T {
    match (with, all) {
        (&[with], &[all]) => apply(&[Stratum::marginal(with, all)]),
        _ => apply(&ContingencyTable::in_strata(with, all)),
    }
}

/// Tests whether a candidate is associated with the target.
pub(crate) fn associate(
    counts: &[Count],
    rows: &[Count],
    decision_rule: &DecisionRule,
    summary: &mut LevelSummary,
) -> Association {
    summary.tests += 1;
    in_table(counts, rows, |table| match decision_rule.decide(table) {
        Decision::Dependent => match decision_rule.assess(table) {
            TestOutcome::Tested(result) => Association::Open(result),
            TestOutcome::NotTestable => Association::NotTestable,
        },
        Decision::Independent => Association::NotAssociated,
        Decision::NotTestable => {
            summary.not_testable += 1;
            Association::NotTestable
        }
    })
}

/// The reason for a candidate that is not associated with the target.
pub(crate) fn not_associated(counts: &[Count], rows: &[Count], decision_rule: &DecisionRule) -> Reason {
    let outcome = in_table(counts, rows, |table| decision_rule.assess(table));
    outcome.tested().map_or(Reason::NotTestable, |result| Reason::NotAssociated { p_value: result.p_value })
}
