//! Causal rules: association rules X → T that hold where other columns are held fixed.
//!
//! Rules are made of single columns, then of pairs of columns that are no causes. A rule must be associated with the
//! target and hold in at least [`LEAST_SUPPORT`] of the rows with the target. It is then examined in the strata of its
//! control variables: the columns associated with the target, the strongest [`MOST_CONTROLS`] of them, without those
//! that have to do with the rule itself. CR-PA (Jin et al. 2012) tests the partial association
//! ([`partial_association`]), CR-CS (Li et al. 2013, 2015) compares matched pairs ([`cohort`]).
//!
//! Like the searches, rules see the data through a [`Counter`](crate::count::Counter) only.

pub mod cohort;
mod controls;
pub mod partial_association;

use std::ops::ControlFlow;
use std::sync::Mutex;

use controls::Controls;

use crate::count::{Base, Batch, Cells, Count, Family, Stratum, Table, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::independence::Tested;
use crate::search::{Contender, Context, Findings, Level, Method, Reason, refuse_pairs_early, sort_open};
use crate::simulate::Random;

/// The share of the rows with the target in which a rule must hold: its local support.
pub const LEAST_SUPPORT: f64 = 0.05;

/// The most columns that are held fixed at once.
pub const MOST_CONTROLS: usize = 10;

/// The odds ratio, or its inverse, that a causal rule must exceed.
pub const LEAST_ODDS_RATIO: f64 = 1.5;

/// CR-PA or CR-CS.
pub(crate) fn search(context: &Context<'_>) -> Result<Findings, Error> {
    let mut findings = Findings::default();
    let (mut open, level) = context.associated_singles(&mut findings);
    refuse_pairs_early(context, &open)?;
    sort_open(&mut open);
    let controls = Controls::new(context, &open);
    findings.controls = controls.all().to_vec();
    if examine(context, &controls, open, level, &mut findings).is_none() {
        return Ok(findings);
    }
    if context.settings.deepest_level() > 1 {
        let Some((open, level)) = context.associated_pairs(&findings)? else { return Ok(findings) };
        if examine(context, &controls, open, level, &mut findings).is_none() {
            return Ok(findings);
        }
    }
    findings.complete = true;
    Ok(findings)
}

/// Examines the rules of a level; `None` if stopped.
fn examine(
    context: &Context<'_>,
    controls: &Controls<'_>,
    open: Vec<Contender>,
    mut level: Level,
    findings: &mut Findings,
) -> Option<()> {
    let positive = context.counter.rows().positive as f64;
    let (mut rules, mut causes, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
    for rule in open {
        let support = rule.count.positive as f64 / positive;
        if support >= LEAST_SUPPORT {
            rules.push(rule);
        } else {
            rejected.push((rule.candidate, Reason::LowSupport { support }));
        }
    }
    context.watch.begin(&format!("rules of level {}", level.level), rules.len() as u64);
    for (controls, rules) in controls.shared(rules) {
        let effects = effects(context, &controls, &rules)?;
        for (mut rule, effect) in rules.into_iter().zip(effects) {
            level.tests += 1;
            level.not_testable += u64::from(effect.tested.is_none());
            match effect.tested {
                Some(tested) if effect.is_causal => {
                    rule.weakest.offer(tested, || controls.clone());
                    causes.push(rule);
                }
                tested => rejected.push((
                    rule.candidate,
                    Reason::NoEffect {
                        controls: controls.clone(),
                        odds_ratio: effect.odds_ratio,
                        p_value: tested.map_or(1.0, |tested| tested.p_value),
                        discordant: effect.discordant,
                    },
                )),
            }
        }
    }
    findings.reasons.extend(rejected);
    findings.accept(causes, [level], &context.singles);
    Some(())
}

/// What a rule does where its controls are held fixed.
#[derive(Clone, Debug, Default)]
struct Effect {
    is_causal: bool,
    odds_ratio: Option<f64>,
    /// None if nothing is left to compare.
    tested: Option<Tested>,
    discordant: Option<u64>,
}

/// The effects of rules that share their controls; `None` if stopped.
///
/// The strata, within those of the covariates, follow from the counts of all subsets of the controls: 1,024 for ten of them, for each rule one base of
/// a batch. A rule is judged as soon as its counts are there, so that they need not all be held.
fn effects(context: &Context<'_>, controls: &[Candidate], rules: &[Contender]) -> Option<Vec<Effect>> {
    let family = Family::new(0..controls.len(), controls.len());
    let everywhere = Candidate::default();
    let count = |bases: &[Base<'_>], answer: &(dyn Fn(usize, &[&[Count]]) + Sync)| {
        let batch = Batch { bases, pool: controls, family: &family };
        context.strata.count(context.counter, &batch, &|base, _, counts| {
            if counts[0].len() == family.len() {
                answer(base, counts);
            }
            if context.watch.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    };
    let cells = Mutex::new(Cells::default());
    count(&[Base::from(&everywhere)], &|_, counts| *lock(&cells) = Cells::new(&family, counts));
    let cells = into_inner(cells);
    let found: Vec<Mutex<Effect>> = rules.iter().map(|_| Mutex::default()).collect();
    if context.watch.stopped() {
        return None;
    }
    let bases: Vec<Base<'_>> = rules.iter().map(|rule| Base::from(&rule.candidate)).collect();
    count(&bases, &|rule, counts| {
        let mut table = Table::default();
        table.fill(&family, family.len() - 1, counts, &cells);
        *lock(&found[rule]) = effect(context, &table);
        context.watch.advance(1);
    });
    (!context.watch.stopped()).then(|| found.into_iter().map(into_inner).collect())
}

/// The effect of a rule in the strata of its controls.
fn effect(context: &Context<'_>, strata: &[Stratum]) -> Effect {
    let settings = context.settings;
    if settings.method == Method::CrPa {
        let partial = partial_association::mantel_haenszel(strata);
        let tested = partial.map(|partial| partial.tested);
        let is_clear = tested.is_some_and(|tested| tested.p_value <= settings.alpha);
        Effect {
            is_causal: is_clear && partial.is_some_and(|partial| partial.is_strong()),
            odds_ratio: partial.and_then(|partial| partial.odds_ratio()),
            tested,
            discordant: None,
        }
    } else {
        // Every rule begins the stream anew, so that no rule hangs on another.
        let pairs = cohort::matched_pairs(strata, &mut Random::new(settings.seed));
        Effect {
            is_causal: pairs.is_causal(),
            odds_ratio: pairs.odds_ratio(),
            tested: pairs.mc_nemar(),
            discordant: Some(pairs.discordant()),
        }
    }
}
