//! What to know before relying on a result, as it is told.

use concause::count::Count;
use concause::dataset::{Candidate, Column};
use concause::evidence::warnings::{Decider, NearDuplicate, Relation, Warning};
use serde::{Deserialize, Serialize};

use super::assembly::{finite, names};
use crate::caution;

/// Something to know before relying on a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarningEntry {
    /// What it is about: `target-decided`, `too-few-cases`, `not-testable`, `near-duplicates` or `deterministic`.
    pub kind: String,
    /// The warning in words.
    pub sentence: String,
    /// The facts behind it, by kind.
    #[serde(flatten)]
    pub facts: Facts,
}

/// The facts behind a warning. Lists hold the first ten, `total` counts all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Facts {
    /// `target-decided`
    Decided {
        /// How many columns and causes all but give the target away.
        total: u64,
        /// The strongest of them.
        by: Vec<DeciderEntry>,
    },
    /// `too-few-cases`
    Cases {
        /// The rows of the rarer class.
        cases: u64,
        /// Which class that is: 1 or 0.
        class: u8,
        /// The deepest level asked for.
        level: u64,
        /// The deepest for which there are enough.
        affordable_level: u64,
        /// The largest conditioning set asked for; none if the method has no conditioning sets.
        max_k: Option<u64>,
        /// The largest for which there are enough.
        affordable_max_k: Option<u64>,
    },
    /// `not-testable`
    Tests {
        /// The tests of all levels.
        tests: u64,
        /// Those that could not tell.
        not_testable: u64,
    },
    /// `near-duplicates`
    Duplicates {
        /// How many pairs differ in few rows.
        total: u64,
        /// Whether all pairs of columns were compared; if not, those with a column of a cause.
        all_pairs: bool,
        /// First those with a cause, then the most alike.
        pairs: Vec<DuplicateEntry>,
    },
    /// `deterministic`
    Relations {
        /// How many relations there are.
        total: u64,
        /// The first of them.
        relations: Vec<RelationEntry>,
    },
    /// Of a kind that this version does not know.
    Other {},
}

/// A column or cause that all but gives the target away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeciderEntry {
    /// The columns' names joined by `&`.
    pub name: String,
    /// The names of its columns, in data order.
    pub columns: Vec<String>,
    /// Its correlation with the target.
    pub phi: f64,
    /// The share of the rows with target 1 in which it holds.
    pub positive_share: f64,
    /// The share of the rows with target 0 in which it holds.
    pub negative_share: f64,
}

/// Two columns, or a combined cause and a column, that differ in few rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DuplicateEntry {
    /// The names of both.
    pub names: Vec<String>,
    /// Their correlation; below 0 if the one holds where the other does not.
    pub phi: f64,
    /// The rows that are exceptions from that.
    pub exceptions: u64,
    /// Whether one of them is in a cause.
    pub in_cause: bool,
}

/// A relation without exception.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationEntry {
    /// The column.
    pub column: String,
    /// `conjunction`, `disjunction`, `function` or `implication`.
    pub relation: String,
    /// The columns that it is tied to.
    pub to: Vec<String>,
}

impl WarningEntry {
    pub(super) fn new(warning: &Warning, columns: &[Column], target: &str) -> Self {
        WarningEntry {
            kind: kind(warning).to_owned(),
            sentence: caution::sentence(warning, columns, target),
            facts: facts(warning, columns),
        }
    }
}

fn kind(warning: &Warning) -> &'static str {
    match warning {
        Warning::TargetDecided { .. } => "target-decided",
        Warning::TooFewCases(_) => "too-few-cases",
        Warning::NotTestable { .. } => "not-testable",
        Warning::NearDuplicates { .. } => "near-duplicates",
        Warning::Deterministic { .. } => "deterministic",
    }
}

fn facts(warning: &Warning, columns: &[Column]) -> Facts {
    match warning {
        Warning::TargetDecided { by, total } => Facts::Decided {
            total: *total,
            by: by.iter().map(|decider| DeciderEntry::new(decider, columns)).collect(),
        },
        Warning::TooFewCases(shortage) => Facts::Cases {
            cases: shortage.cases,
            class: u8::from(shortage.positive),
            level: shortage.level as u64,
            affordable_level: shortage.affordable_level as u64,
            max_k: shortage.max_k.map(|max_k| max_k as u64),
            affordable_max_k: shortage.affordable_max_k.map(|max_k| max_k as u64),
        },
        Warning::NotTestable { tests, not_testable } => {
            Facts::Tests { tests: *tests, not_testable: *not_testable }
        }
        Warning::NearDuplicates { pairs, total, all_pairs } => Facts::Duplicates {
            total: *total,
            all_pairs: *all_pairs,
            pairs: pairs.iter().map(|pair| DuplicateEntry::new(pair, columns)).collect(),
        },
        Warning::Deterministic { relations, total } => Facts::Relations {
            total: *total,
            relations: relations.iter().map(|relation| RelationEntry::new(relation, columns)).collect(),
        },
    }
}

impl DeciderEntry {
    fn new(decider: &Decider, columns: &[Column]) -> Self {
        let share = |count: fn(Count) -> u64| {
            count(decider.table.with) as f64 / count(decider.table.all()).max(1) as f64
        };
        DeciderEntry {
            name: decider.candidate.name(columns),
            columns: names(&decider.candidate.singles(), columns),
            phi: finite(decider.phi, 0.0).clamp(-1.0, 1.0),
            positive_share: share(|count| count.positive),
            negative_share: share(|count| count.negative),
        }
    }
}

impl DuplicateEntry {
    fn new(pair: &NearDuplicate, columns: &[Column]) -> Self {
        DuplicateEntry {
            names: vec![pair.one.name(columns), pair.other.name(columns)],
            phi: finite(pair.phi, 0.0).clamp(-1.0, 1.0),
            exceptions: pair.exceptions,
            in_cause: pair.in_cause,
        }
    }
}

impl RelationEntry {
    fn new(relation: &Relation, columns: &[Column]) -> Self {
        RelationEntry {
            column: Candidate::single(relation.column).name(columns),
            relation: relation.tie.name().to_owned(),
            to: names(&relation.to, columns),
        }
    }
}
