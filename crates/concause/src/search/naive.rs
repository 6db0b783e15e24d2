//! PC-select over the single columns, and the naïve methods of the paper, which treat conjunctions as columns: Naïve-H
//! is HITON-PC and Naïve-S is PC-select over all single columns and all their conjunctions.
//!
//! The paper compares its methods with these. Nothing is pruned: conjunctions of a cause with any other column are
//! candidates as well. The number of candidates grows exponentially with the largest level.

use std::collections::BTreeMap;

use super::budget::{max_associated_candidates, refuse_conjunctions, refuse_tests};
use super::candidacy::{Candidacy, in_data_order, sort_open};
use super::context::Context;
use super::elimination::{Covered, Reject};
use super::findings::{Findings, LevelSummary, Reason};
use super::method::{Levels, MethodDescriptor, SearchMethod};
use crate::dataset::Candidate;
use crate::error::Error;

/// PC-select over the single columns.
pub(super) struct PcSelect;

impl SearchMethod for PcSelect {
    fn descriptor(&self) -> &'static MethodDescriptor {
        &MethodDescriptor {
            name: "pc-select",
            title: "PC-select",
            help: "single causes only, pcSelect of the R package pcalg",
            citation: "Bühlmann, Kalisch and Maathuis 2010",
            levels: Levels::Single,
            settings: &["test", "alpha", "fdr", "max_k", "overlap", "duplicates", "max_tests", "require"],
            counts_remotely: true,
            follows_listings: false,
        }
    }

    fn search(&self, context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
        search(context, findings, pc_select)
    }
}

/// The settings that Naïve-H and Naïve-S honour.
const NAIVE_SETTINGS: &[&str] = &[
    "test",
    "alpha",
    "fdr",
    "max_k",
    "max_level",
    "overlap",
    "duplicates",
    "max_candidates",
    "max_tests",
    "require",
];

/// HITON-PC over single columns and conjunctions.
pub(super) struct NaiveH;

impl SearchMethod for NaiveH {
    fn descriptor(&self) -> &'static MethodDescriptor {
        &MethodDescriptor {
            name: "naive-h",
            title: "Naïve-H",
            help: "HITON-PC over all conjunctions as if they were columns",
            citation: "Ma, Li, Liu and Le 2016",
            levels: Levels::Any,
            settings: NAIVE_SETTINGS,
            counts_remotely: true,
            follows_listings: false,
        }
    }

    fn search(&self, context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
        search(context, findings, hiton_pc)
    }

    fn treats_conjunctions_as_columns(&self) -> bool {
        true
    }
}

/// PC-select over single columns and conjunctions.
pub(super) struct NaiveS;

impl SearchMethod for NaiveS {
    fn descriptor(&self) -> &'static MethodDescriptor {
        &MethodDescriptor {
            name: "naive-s",
            title: "Naïve-S",
            help: "PC-select over all conjunctions as if they were columns",
            citation: "Ma, Li, Liu and Le 2016",
            levels: Levels::Any,
            settings: NAIVE_SETTINGS,
            counts_remotely: true,
            follows_listings: false,
        }
    }

    fn search(&self, context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
        search(context, findings, pc_select)
    }

    fn treats_conjunctions_as_columns(&self) -> bool {
        true
    }
}

/// The elimination phase of a naïve method.
type Eliminate =
    fn(&Context<'_>, Vec<Candidacy>, &mut [LevelSummary], &mut Reject<'_>) -> Result<Vec<Candidacy>, Error>;

fn search(context: &Context<'_>, findings: &mut Findings, eliminate: Eliminate) -> Result<(), Error> {
    refuse_conjunctions(context)?;
    let mut levels = Vec::new();
    let open = associated_candidates(context, findings, &mut levels)?;
    let mut rejected = BTreeMap::new();
    let mut reject = |candidate: Candidate, reason: Reason| {
        rejected.insert(candidate, reason);
    };
    let mut causes = eliminate(context, open, &mut levels, &mut reject)?;
    for level in &mut levels {
        causes.extend(context.required_causes(level)?);
    }
    findings.reasons.extend(rejected);
    findings.accept(causes, levels, &context.singles);
    Ok(())
}

/// All candidates of all levels that are associated with the target.
fn associated_candidates(
    context: &Context<'_>,
    findings: &mut Findings,
    levels: &mut Vec<LevelSummary>,
) -> Result<Vec<Candidacy>, Error> {
    let (mut open, level) = context.associated_singles(findings);
    levels.push(level);
    refuse_tests(context, levels)?;
    let mut generator = context.generator(None, context.conjunction_parts(context.offered()));
    // The budgets are checked here with the actual numbers instead of upper bounds.
    generator.max_candidates = u64::MAX;
    generator.max_open = max_associated_candidates(&context.settings);
    let deepest = context.settings.deepest_level();
    for level in 2..=deepest {
        let formed = generator.form_level(level, level < deepest)?;
        levels.push(formed.summary);
        refuse_tests(context, levels)?;
        if level < deepest {
            let candidates = formed.associated.into_iter().chain(formed.not_associated);
            generator.non_causes.push_level(candidates.collect());
        }
        open.extend(formed.open);
    }
    Ok(open)
}

/// Algorithm 1 over all candidates in one OPEN list.
fn hiton_pc(
    context: &Context<'_>,
    mut open: Vec<Candidacy>,
    levels: &mut [LevelSummary],
    reject: &mut Reject<'_>,
) -> Result<Vec<Candidacy>, Error> {
    sort_open(&mut open);
    let elimination = context.elimination();
    let entered = elimination.forward(Covered::AtEntry, open, &context.required, levels, reject)?;
    elimination.backward(Covered::AtEntry, entered, &context.required, levels, reject)
}

/// pcalg's `pcSelect` (Kalisch et al. 2012; Bühlmann, Kalisch and Maathuis 2010), with the chosen test instead of
/// partial correlation. For each size of conditioning sets and each neighbour of the target in data order, the
/// neighbour is dropped immediately if a set of that many other neighbours separates it. Sets of size 0 are the test
/// of association.
fn pc_select(
    context: &Context<'_>,
    mut neighbours: Vec<Candidacy>,
    levels: &mut [LevelSummary],
    reject: &mut Reject<'_>,
) -> Result<Vec<Candidacy>, Error> {
    neighbours.sort_by(|a, b| in_data_order(&a.candidate, &b.candidate));
    let elimination = context.elimination();
    for size in 1..=context.settings.max_k {
        if context.required.len() + neighbours.len() <= size {
            break;
        }
        neighbours =
            elimination.backward(Covered::Smaller(size), neighbours, &context.required, levels, reject)?;
    }
    Ok(neighbours)
}
