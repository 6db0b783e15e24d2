//! What became of the candidates that are no causes, as it is told.

use std::collections::BTreeMap;

use concause::dataset::{Candidate, Column};
use concause::search::{Findings, Reason, Rejected};
use serde::{Deserialize, Serialize};

use super::Figures;
use super::assembly::{figures, names};
use crate::reason::{sentence, tag};

/// The candidates that are no causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidatesSummary {
    /// How many have which reason, as far as the search noted it or they are listed.
    pub reasons: Vec<ReasonCount>,
    /// The strongest of each level, each with its reason.
    pub listed: Vec<CandidateEntry>,
}

/// How many candidates of a level have a reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonCount {
    /// The number of columns in a candidate of this level.
    pub level: u64,
    /// The tag of the reason.
    pub reason: String,
    /// How many have it.
    pub candidates: u64,
}

/// A candidate that is no cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateEntry {
    /// The columns' names joined by `&`.
    pub name: String,
    /// The names of its columns, in data order.
    pub columns: Vec<String>,
    /// The number of its columns.
    pub level: u64,
    /// The test of its association without a conditioning set; none if that cannot be tested.
    pub association: Option<Figures>,
    /// The tag of the reason, such as `not-associated`.
    pub reason: String,
    /// The reason in words.
    pub sentence: String,
}

impl CandidatesSummary {
    pub(super) fn new(rejected: &[Rejected], findings: &Findings, columns: &[Column], target: &str) -> Self {
        let noted = findings.reasons.iter().filter(|(candidate, _)| !findings.is_cause(candidate));
        let worked_out = rejected
            .iter()
            .filter(|it| !findings.reasons.contains_key(&it.candidate))
            .map(|it| (&it.candidate, &it.reason));
        CandidatesSummary {
            reasons: counted(noted.chain(worked_out)),
            listed: rejected.iter().map(|it| entry(it, columns, target)).collect(),
        }
    }
}

fn counted<'a>(reasons: impl Iterator<Item = (&'a Candidate, &'a Reason)>) -> Vec<ReasonCount> {
    let mut counts: BTreeMap<(usize, &str), u64> = BTreeMap::new();
    for (candidate, reason) in reasons {
        *counts.entry((candidate.level(), tag(reason))).or_default() += 1;
    }
    let entry = |((level, reason), candidates): ((usize, &str), u64)| ReasonCount {
        level: level as u64,
        reason: reason.to_owned(),
        candidates,
    };
    counts.into_iter().map(entry).collect()
}

fn entry(rejected: &Rejected, columns: &[Column], target: &str) -> CandidateEntry {
    let candidate = &rejected.candidate;
    CandidateEntry {
        name: candidate.name(columns),
        columns: names(&candidate.singles(), columns),
        level: candidate.level() as u64,
        association: rejected.association.as_ref().map(figures),
        reason: tag(&rejected.reason).to_owned(),
        sentence: sentence(&rejected.reason, candidate, columns, target),
    }
}
