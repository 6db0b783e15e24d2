//! Warnings about a result.

use concause::count::Count;
use concause::dataset::{Candidate, Column};
use concause::evidence::trust::warnings::{NearDuplicate, NearPerfectPredictor, Relation, Warning};
use serde::{Deserialize, Deserializer, Serialize};

use super::assembly::{candidate_names, finite};
use crate::notices::warning_sentence;

/// A problem of the data or settings that limits the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarningEntry {
    /// `near-perfect-predictor`, `too-few-cases`, `not-testable`, `near-duplicates` or `deterministic`.
    #[serde(deserialize_with = "read_kind")]
    pub kind: String,
    /// The warning as a sentence, without a full stop.
    pub sentence: String,
    /// The facts behind it, by kind.
    #[serde(flatten)]
    pub facts: WarningFacts,
}

/// Reads a kind by its current or its former name.
fn read_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let kind = String::deserialize(deserializer)?;
    Ok(if kind == "target-decided" { NEAR_PERFECT_PREDICTOR.to_owned() } else { kind })
}

const NEAR_PERFECT_PREDICTOR: &str = "near-perfect-predictor";

/// The facts behind a warning. Lists hold at most ten items; `total` is the full number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WarningFacts {
    /// `near-perfect-predictor`
    Predictors {
        /// The number of columns and causes that predict the target almost perfectly.
        total: u64,
        /// The strongest of them.
        #[serde(alias = "by")]
        predictors: Vec<PredictorEntry>,
    },
    /// `too-few-cases`
    Cases {
        /// The number of rows in the rarer class.
        cases: u64,
        /// The rarer class: 1 or 0.
        class: u8,
        /// The deepest level requested.
        level: u64,
        /// The deepest level for which there are enough cases.
        #[serde(alias = "affordable_level")]
        feasible_level: u64,
        /// The largest conditioning set requested; none if the method uses none.
        max_k: Option<u64>,
        /// The largest conditioning set for which there are enough cases.
        #[serde(alias = "affordable_max_k")]
        feasible_max_k: Option<u64>,
    },
    /// `not-testable`
    Tests {
        /// The number of tests at all levels.
        tests: u64,
        /// The number of tests that could not be decided.
        not_testable: u64,
    },
    /// `near-duplicates`
    Duplicates {
        /// The number of pairs that differ in few rows.
        total: u64,
        /// Whether all pairs of columns were compared; if not, only pairs with a column of a cause were.
        all_pairs: bool,
        /// Pairs with a cause first, then the most similar.
        pairs: Vec<DuplicateEntry>,
    },
    /// `deterministic`
    Relations {
        /// The number of relations.
        total: u64,
        /// The first of them.
        relations: Vec<RelationEntry>,
    },
    /// A kind that this version does not know.
    Unknown {},
}

/// A column or cause that predicts the target almost perfectly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictorEntry {
    /// The names of the columns joined by `&`.
    pub name: String,
    /// The names of the columns, in data order.
    pub columns: Vec<String>,
    /// The correlation with the target.
    pub phi: f64,
    /// The proportion of rows with target 1 in which it holds.
    pub positive_share: f64,
    /// The proportion of rows with target 0 in which it holds.
    pub negative_share: f64,
}

/// Two columns, or a combined cause and a column, that differ in few rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DuplicateEntry {
    /// The names of both.
    pub names: Vec<String>,
    /// Their correlation; negative if one is almost the complement of the other.
    pub phi: f64,
    /// The number of rows in which they differ from equality or complementarity.
    pub exceptions: u64,
    /// Whether one of them is part of a cause.
    pub in_cause: bool,
}

/// A relation without exceptions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationEntry {
    /// The column.
    pub column: String,
    /// `conjunction`, `disjunction`, `function` or `implication`.
    pub relation: String,
    /// The columns it is related to.
    pub to: Vec<String>,
}

impl WarningEntry {
    pub(super) fn new(warning: &Warning, columns: &[Column], target: &str) -> Self {
        WarningEntry {
            kind: warning_kind(warning).to_owned(),
            sentence: warning_sentence(warning, columns, target),
            facts: warning_facts(warning, columns),
        }
    }
}

fn warning_kind(warning: &Warning) -> &'static str {
    match warning {
        Warning::NearPerfectPrediction { .. } => NEAR_PERFECT_PREDICTOR,
        Warning::TooFewCases(_) => "too-few-cases",
        Warning::NotTestable { .. } => "not-testable",
        Warning::NearDuplicates { .. } => "near-duplicates",
        Warning::Deterministic { .. } => "deterministic",
    }
}

fn warning_facts(warning: &Warning, columns: &[Column]) -> WarningFacts {
    match warning {
        Warning::NearPerfectPrediction { by, total } => WarningFacts::Predictors {
            total: *total,
            predictors: by.iter().map(|predictor| PredictorEntry::new(predictor, columns)).collect(),
        },
        Warning::TooFewCases(shortage) => WarningFacts::Cases {
            cases: shortage.cases,
            class: u8::from(shortage.positive),
            level: shortage.level as u64,
            feasible_level: shortage.affordable_level as u64,
            max_k: shortage.max_k.map(|max_k| max_k as u64),
            feasible_max_k: shortage.affordable_max_k.map(|max_k| max_k as u64),
        },
        Warning::NotTestable { tests, not_testable } => {
            WarningFacts::Tests { tests: *tests, not_testable: *not_testable }
        }
        Warning::NearDuplicates { pairs, total, all_pairs } => WarningFacts::Duplicates {
            total: *total,
            all_pairs: *all_pairs,
            pairs: pairs.iter().map(|pair| DuplicateEntry::new(pair, columns)).collect(),
        },
        Warning::Deterministic { relations, total } => WarningFacts::Relations {
            total: *total,
            relations: relations.iter().map(|relation| RelationEntry::new(relation, columns)).collect(),
        },
    }
}

impl PredictorEntry {
    fn new(predictor: &NearPerfectPredictor, columns: &[Column]) -> Self {
        let share = |count: fn(Count) -> u64| {
            count(predictor.table.with) as f64 / count(predictor.table.total_count()).max(1) as f64
        };
        PredictorEntry {
            name: predictor.candidate.name(columns),
            columns: candidate_names(&predictor.candidate.singles(), columns),
            phi: finite(predictor.phi, 0.0).clamp(-1.0, 1.0),
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
            relation: relation.kind.name().to_owned(),
            to: candidate_names(&relation.to, columns),
        }
    }
}
