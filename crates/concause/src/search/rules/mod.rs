//! Causal rules: association rules X → T that hold within strata of other columns.
//!
//! Rules are formed from single columns, then from pairs of columns that are not causes. A rule must be associated
//! with the target and hold in at least [`LEAST_SUPPORT`] of the rows with the target. It is then examined in the
//! strata of its control variables: the strongest [`MOST_CONTROLS`] columns that are associated with the target and
//! unrelated to the rule. CR-PA (Jin et al. 2012) tests the partial association ([`mantel_haenszel`]); CR-CS (Li et
//! al. 2013, 2015) compares matched pairs ([`cohort`]).
//!
//! Like the other methods, rules read the data only through a [`Counter`](crate::count::Counter).

pub mod cohort;
mod controls;

use std::ops::ControlFlow;
use std::sync::Mutex;

use controls::Controls;

use super::candidates::{Generator, NonCauses, refuse_pairs_early};
use super::context::{Candidacy, Context, sort_open};
use super::findings::{Findings, LevelSummary, Reason};
use crate::count::{Base, Batch, ContingencyTable, Count, Family, SetCells, Stratum, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::random::Random;
use crate::stats::{TestResult, mantel_haenszel};

/// The smallest local support of a rule: the share of the rows with the target in which it holds.
pub const LEAST_SUPPORT: f64 = 0.05;

/// The largest number of control variables of a rule.
pub const MOST_CONTROLS: usize = 10;

/// The odds ratio, or its inverse, that a causal rule must exceed.
pub const LEAST_ODDS_RATIO: f64 = 1.5;

/// CR-PA: causal rules by partial association.
pub(super) fn search_partial_association(
    context: &Context<'_>,
    findings: &mut Findings,
) -> Result<(), Error> {
    search(context, findings, partial_association)
}

/// CR-CS: causal rules by retrospective cohort studies.
pub(super) fn search_cohort_study(context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
    search(context, findings, cohort_study)
}

/// Estimates the effect of a rule in the strata of its controls.
type Examine = fn(&Context<'_>, &[Stratum]) -> Effect;

fn search(context: &Context<'_>, findings: &mut Findings, examine: Examine) -> Result<(), Error> {
    let (mut open, level) = context.associated_singles(findings);
    refuse_pairs_early(context, &open)?;
    sort_open(&mut open);
    let controls = Controls::new(context, &open);
    findings.controls = controls.columns().to_vec();
    examine_level(context, &controls, open, level, examine, findings)?;
    if context.settings.deepest_level() > 1 {
        // The pairs of non-causes that are associated with the target, including redundant ones.
        let non_causes = NonCauses::of_level_1(context, findings);
        let formed = Generator::new(context, None, non_causes).form_level(2, false)?;
        examine_level(context, &controls, formed.open, formed.summary, examine, findings)?;
    }
    Ok(())
}

/// Examines the rules of a level that have enough support.
fn examine_level(
    context: &Context<'_>,
    controls: &Controls<'_>,
    open: Vec<Candidacy>,
    mut level: LevelSummary,
    examine: Examine,
    findings: &mut Findings,
) -> Result<(), Error> {
    let positive = context.counter().rows().positive as f64;
    let (mut rules, mut causes, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
    for rule in open {
        let support = rule.count.positive as f64 / positive;
        if support >= LEAST_SUPPORT {
            rules.push(rule);
        } else {
            rejected.push((rule.candidate, Reason::LowSupport { support }));
        }
    }
    context.progress.begin(&format!("rules of level {}", level.level), rules.len() as u64);
    for (controls, rules) in controls.group_by_controls(rules) {
        let effects = estimate_effects(context, &controls, &rules, examine)?;
        for (mut rule, effect) in rules.into_iter().zip(effects) {
            level.tests += 1;
            level.not_testable += u64::from(effect.result.is_none());
            match effect.result {
                Some(result) if effect.is_causal => {
                    rule.max_p.record(result, || controls.clone());
                    causes.push(rule);
                }
                result => rejected.push((
                    rule.candidate,
                    Reason::NoEffect {
                        controls: controls.clone(),
                        odds_ratio: effect.odds_ratio,
                        p_value: result.map_or(1.0, |result| result.p_value),
                        discordant: effect.discordant,
                    },
                )),
            }
        }
    }
    findings.reasons.extend(rejected);
    context.accept(findings, causes, [level]);
    Ok(())
}

/// The effect of a rule given its controls.
#[derive(Clone, Debug, Default)]
struct Effect {
    is_causal: bool,
    odds_ratio: Option<f64>,
    /// `None` if no stratum allows a comparison.
    result: Option<TestResult>,
    discordant: Option<u64>,
}

/// The effects of rules that share their controls.
///
/// The strata, within those of the covariates, follow from the counts of all subsets of the controls: 1,024 for ten
/// controls. Each rule is one base of the batch. A rule is examined as soon as its counts arrive, so the counts of all
/// rules are never in memory together.
fn estimate_effects(
    context: &Context<'_>,
    controls: &[Candidate],
    rules: &[Candidacy],
    examine: Examine,
) -> Result<Vec<Effect>, Error> {
    let family = Family::new(0..controls.len(), controls.len());
    let all_rows = Candidate::default();
    let count = |bases: &[Base<'_>], on_counts: &(dyn Fn(usize, &[&[Count]]) + Sync)| {
        let batch = Batch { bases, pool: controls, family: &family };
        context.strata.count(context.counter(), &batch, &|base, _, counts| {
            if counts[0].len() == family.len() {
                on_counts(base, counts);
            }
            if context.progress.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    };
    let cells = Mutex::new(SetCells::default());
    count(&[Base::from(&all_rows)], &|_, counts| *lock(&cells) = SetCells::new(&family, counts))?;
    let cells = into_inner(cells);
    let effects: Vec<Mutex<Effect>> = rules.iter().map(|_| Mutex::default()).collect();
    if context.progress.stopped() {
        return Err(Error::Stopped);
    }
    let bases: Vec<Base<'_>> = rules.iter().map(|rule| Base::from(&rule.candidate)).collect();
    count(&bases, &|rule, counts| {
        let mut table = ContingencyTable::default();
        table.fill(&family, family.len() - 1, counts, &cells);
        *lock(&effects[rule]) = examine(context, &table);
        context.progress.advance(1);
    })?;
    if context.progress.stopped() {
        return Err(Error::Stopped);
    }
    Ok(effects.into_iter().map(into_inner).collect())
}

fn partial_association(context: &Context<'_>, strata: &[Stratum]) -> Effect {
    let partial = mantel_haenszel(strata);
    let is_significant = |result: TestResult| result.p_value <= context.settings.alpha;
    Effect {
        is_causal: partial.is_some_and(|partial| {
            is_significant(partial.result) && partial.exceeds_odds_ratio(LEAST_ODDS_RATIO)
        }),
        odds_ratio: partial.and_then(|partial| partial.odds_ratio()),
        result: partial.map(|partial| partial.result),
        discordant: None,
    }
}

fn cohort_study(context: &Context<'_>, strata: &[Stratum]) -> Effect {
    // Every rule restarts the random stream, so its pairs do not depend on other rules.
    let pairs = cohort::matched_pairs(strata, &mut Random::new(context.settings.seed));
    Effect {
        is_causal: pairs.is_causal(),
        odds_ratio: pairs.odds_ratio(),
        result: pairs.mc_nemar(),
        discordant: Some(pairs.discordant()),
    }
}
