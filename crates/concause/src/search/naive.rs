//! PC-select over the single columns, and the naïve methods of the paper, which treat conjunctions as columns: Naïve-H
//! is HITON-PC and Naïve-S is PC-select over all single columns and all their conjunctions.
//!
//! The paper compares its methods with these. Nothing is pruned: conjunctions of a cause with any other column are
//! candidates as well. The number of candidates grows exponentially with the largest level.

use std::collections::BTreeMap;

use super::candidates::{Generator, NonCauses, max_associated_candidates, refuse_conjunctions, refuse_tests};
use super::context::{Candidacy, Context, in_data_order, sort_open};
use super::elimination::{Covered, Elimination, Reject};
use super::findings::{Findings, LevelSummary, Reason};
use crate::dataset::Candidate;
use crate::error::Error;

/// Naïve-H.
pub(super) fn search_hiton_pc(context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
    search(context, findings, hiton_pc)
}

/// PC-select over the single columns, or Naïve-S.
pub(super) fn search_pc_select(context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
    search(context, findings, pc_select)
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
    context.accept(findings, causes, levels);
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
    let mut generator = Generator::new(context, None, NonCauses::from_columns(context, context.offered()));
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
    let elimination = Elimination::new(context);
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
    let elimination = Elimination::new(context);
    for size in 1..=context.settings.max_k {
        if context.required.len() + neighbours.len() <= size {
            break;
        }
        neighbours =
            elimination.backward(Covered::Smaller(size), neighbours, &context.required, levels, reject)?;
    }
    Ok(neighbours)
}
