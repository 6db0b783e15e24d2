//! The searches that treat conjunctions as if they were columns: Naïve-H is HITON-PC, Naïve-S is PC-select over
//! all single columns and all their conjunctions; and PC-select over the single columns alone.
//!
//! They are the paper's points of comparison. Nothing is pruned, so the conjunctions of a cause with anything
//! else are candidates too, and the number of candidates is exponential in the largest level.

use std::collections::BTreeMap;

use super::budget::{most_contenders, refuse_conjunctions, refuse_tests};
use super::contender::{Contender, in_data_order, sort_open};
use super::context::Context;
use super::elimination::Met;
use super::findings::{Findings, Level, Reason};
use super::settings::Method;
use crate::dataset::Candidate;
use crate::error::Error;

/// PC-select, Naïve-H or Naïve-S.
pub(super) fn search(context: &Context<'_>) -> Result<Findings, Error> {
    refuse_conjunctions(context)?;
    let mut findings = Findings::default();
    let mut levels = Vec::new();
    let Some(open) = candidates(context, &mut findings, &mut levels)? else {
        return Ok(findings);
    };
    let mut rejected = BTreeMap::new();
    let mut reject = |candidate: Candidate, reason: Reason| {
        rejected.insert(candidate, reason);
    };
    let eliminate = if context.settings.method == Method::NaiveH { hiton_pc } else { pc_select };
    if let Some(mut causes) = eliminate(context, open, &mut levels, &mut reject) {
        causes.extend(levels.iter_mut().flat_map(|level| context.required_causes(level)));
        findings.reasons.extend(rejected);
        findings.accept(causes, levels, &context.singles);
        findings.complete = true;
    }
    Ok(findings)
}

/// All candidates of all levels that are associated with the target; `None` if stopped.
fn candidates(
    context: &Context<'_>,
    findings: &mut Findings,
    levels: &mut Vec<Level>,
) -> Result<Option<Vec<Contender>>, Error> {
    let (mut open, level) = context.associated_singles(findings);
    levels.push(level);
    refuse_tests(context, levels)?;
    let mut generator = context.generator(None, context.offer(context.offered()));
    // Both are refused here, by what there is and not by what there may be.
    generator.max_candidates = u64::MAX;
    generator.max_open = most_contenders(context.settings);
    let deepest = context.settings.deepest_level();
    for level in 2..=deepest {
        let Some(formed) = generator.level(level, level < deepest)? else {
            return Ok(None);
        };
        levels.push(formed.tally);
        refuse_tests(context, levels)?;
        if level < deepest {
            generator
                .non_causes
                .push_level(formed.associated.into_iter().chain(formed.not_associated).collect());
        }
        open.extend(formed.open);
    }
    Ok(Some(open))
}

/// Algorithm 1 over all candidates in one OPEN list.
fn hiton_pc(
    context: &Context<'_>,
    mut open: Vec<Contender>,
    levels: &mut [Level],
    reject: &mut dyn FnMut(Candidate, Reason),
) -> Option<Vec<Contender>> {
    sort_open(&mut open);
    let elimination = context.elimination();
    let entered = elimination.forward(Met::Entered, open, &context.required, levels, reject)?;
    elimination.backward(Met::Entered, entered, &context.required, levels, reject)
}

/// pcalg's `pcSelect` (Kalisch et al. 2012; Bühlmann, Kalisch and Maathuis 2010), with our test in place of partial
/// correlation: for each size of conditioning sets and each neighbour of the target, in the order of the data, drop
/// it at once if a set of that many other neighbours separates it. Sets of size 0 were the test of association.
fn pc_select(
    context: &Context<'_>,
    mut neighbours: Vec<Contender>,
    levels: &mut [Level],
    reject: &mut dyn FnMut(Candidate, Reason),
) -> Option<Vec<Contender>> {
    neighbours.sort_by(|a, b| in_data_order(&a.candidate, &b.candidate));
    let elimination = context.elimination();
    for size in 1..=context.settings.max_k {
        if context.required.len() + neighbours.len() <= size {
            break;
        }
        neighbours =
            elimination.backward(Met::Smaller(size), neighbours, &context.required, levels, reject)?;
    }
    Some(neighbours)
}
