//! The candidates that are not causes, with the reason for each.

use std::collections::BTreeMap;

use concause::dataset::{Candidate, Column};
use concause::search::{Findings, Reason, Rejection};
use concause::stats::TestResult;
use serde::{Deserialize, Serialize};

use super::assembly::{candidate_names, finite_test};
use crate::reason::{reason_sentence, reason_tag};

/// The candidates that are not causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidatesSummary {
    /// The number of candidates per reason, among those whose reason the search recorded and those listed.
    pub reasons: Vec<ReasonCount>,
    /// The strongest candidates of each level, each with its reason.
    pub listed: Vec<CandidateEntry>,
}

/// The number of candidates of a level with a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonCount {
    /// The level.
    pub level: u64,
    /// The tag of the reason.
    pub reason: String,
    /// The number of candidates.
    pub candidates: u64,
}

/// A candidate that is not a cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateEntry {
    /// The names of the columns joined by `&`.
    pub name: String,
    /// The names of the columns, in data order.
    pub columns: Vec<String>,
    /// The number of columns.
    pub level: u64,
    /// The test of association without a conditioning set; none if that cannot be tested.
    #[serde(default)]
    pub association: Option<TestResult>,
    /// The tag of the reason, such as `not-associated`.
    pub reason: String,
    /// The reason as a sentence, without a full stop.
    pub sentence: String,
}

impl CandidatesSummary {
    pub(super) fn new(rejected: &[Rejection], findings: &Findings, columns: &[Column], target: &str) -> Self {
        let recorded = findings.reasons.iter().filter(|(candidate, _)| !findings.is_cause(candidate));
        let derived = rejected
            .iter()
            .filter(|it| !findings.reasons.contains_key(&it.candidate))
            .map(|it| (&it.candidate, &it.reason));
        CandidatesSummary {
            reasons: count_reasons(recorded.chain(derived)),
            listed: rejected.iter().map(|it| candidate_entry(it, columns, target)).collect(),
        }
    }
}

fn count_reasons<'a>(reasons: impl Iterator<Item = (&'a Candidate, &'a Reason)>) -> Vec<ReasonCount> {
    let mut counts: BTreeMap<(usize, &str), u64> = BTreeMap::new();
    for (candidate, reason) in reasons {
        *counts.entry((candidate.level(), reason_tag(reason))).or_default() += 1;
    }
    let entry = |((level, reason), candidates): ((usize, &str), u64)| ReasonCount {
        level: level as u64,
        reason: reason.to_owned(),
        candidates,
    };
    counts.into_iter().map(entry).collect()
}

fn candidate_entry(rejected: &Rejection, columns: &[Column], target: &str) -> CandidateEntry {
    let candidate = &rejected.candidate;
    CandidateEntry {
        name: candidate.name(columns),
        columns: candidate_names(&candidate.singles(), columns),
        level: candidate.level() as u64,
        association: rejected.association.as_ref().map(finite_test),
        reason: reason_tag(&rejected.reason).to_owned(),
        sentence: reason_sentence(&rejected.reason, candidate, columns, target),
    }
}
