//! MH-PC-X: HITON-PC, and then conjunctions that may take the place of their parts.
//!
//! If the target follows A = A₁ ∧ A₂ and A is not rare, then A₁ and A₂ are associated with the target themselves, and
//! HITON-PC takes them for single causes. Algorithm 2 never looks at A₁&A₂ then. Here every pair is looked at, and
//! terms of a model of the target are formed, joined, taken apart and exchanged as long as the model explains the
//! target better:
//!
//! 1. The terms are at first the causes that HITON-PC finds among the single columns.
//! 2. The *promising* pairs (and triples) are those of which every part matters where the others hold, and which
//!    are associated with the target ([`promising`]).
//! 3. A local search over the terms ([`rearrange`]): columns move from term to term, as long as what moves makes a
//!    promising conjunction or a column that was a cause, and the model gains more than the terms cost ([`prices`]). The
//!    model is logistic: each term adds its own to the log odds ([`additive`]). Few terms are preferred at first.
//! 4. If a table of the target by all terms explains it clearly better than they do one by one, causes work together in
//!    ways that no sum tells, and the search is made again with tables ([`tables`], [`together`]).
//! 5. If not, conjunctions that explain the target no better than their parts do fall apart again; and others that stand
//!    out among all of their level may still come to the terms, for less. If the data is small, the search with tables is
//!    made all the same, and counts if it overturns the terms.
//! 6. If all terms together gain no more than chance would where there is nothing to find, there are none.

mod additive;
mod logistic;
mod measure;
mod prices;
mod promising;
mod rearrange;
mod tables;
mod together;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Mutex;

use additive::Additive;
use logistic::Groups;
use prices::Prices;
use promising::Promising;
use rearrange::Rearrange;
use rustc_hash::FxHashSet;
use tables::Tables;
use together::Together;

use super::candidates::in_table;
use super::contender::Contender;
use super::context::Context;
use super::findings::{Findings, Level, Reason};
use super::knowledge::Role;
use super::mh_pc::first_level;
use crate::count::{Configurations, Count, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::independence::{Outcome, Tested, Weakest};

/// The best conjunctions of a level, which may become terms.
const MOST_PROMISING: usize = 1000;

/// The best pairs, which are extended to triples.
const EXTENDED: usize = 400;

/// The share of false ones among the conjunctions that count as chosen.
const FALSE_DISCOVERIES: f64 = 0.05;

/// What a change must gain at least, so that rounding cannot lead in circles.
const LEAST_GAIN: f64 = 0.01;

/// MH-PC-X.
pub(super) fn search(context: &Context<'_>) -> Result<Findings, Error> {
    let Some(mut findings) = first_level(context)? else { return Ok(Findings::default()) };
    if context.settings.deepest_level() < 2 {
        findings.complete = true;
        return Ok(findings);
    }
    let x = MhPcX { context };
    Ok(x.replace(&findings).unwrap_or(findings))
}

struct MhPcX<'a> {
    context: &'a Context<'a>,
}

/// The terms that the search ended with.
struct Ended {
    /// Those that stay whatever happens, then the others.
    terms: Vec<Candidate>,
    /// Whether they are judged by the table of all of them.
    work_together: bool,
}

/// The conjunctions that may become terms.
#[derive(Default)]
struct Conjunctions {
    promising: Vec<Candidate>,
    /// Those whose parts matter so clearly that few of them are false, however many were tested.
    chosen: Vec<Candidate>,
    /// The pairs of which every row has a part.
    covering: FxHashSet<Candidate>,
}

impl Conjunctions {
    /// Takes in those of a level, the best first.
    fn take(&mut self, best_first: Vec<Promising>, level: &Level) {
        let chosen = promising::discoveries(&best_first, FALSE_DISCOVERIES, level.candidates);
        self.chosen.extend(best_first[..chosen].iter().map(|it| it.candidate.clone()));
        self.promising.extend(best_first.into_iter().map(|it| it.candidate));
    }
}

impl MhPcX<'_> {
    /// Goes on from the causes of level 1; none if stopped.
    fn replace(&self, first: &Findings) -> Option<Findings> {
        let offered: Vec<u32> = self.context.offered().collect();
        let mut levels = vec![first.levels[0], Level { level: 2, ..Level::default() }];
        let mut pairs = self.pairs(&offered, &mut levels[1])?;
        let covering = pairs.iter().filter(|pair| self.is_covering(pair)).map(|pair| pair.candidate.clone());
        let mut conjunctions = Conjunctions { covering: covering.collect(), ..Conjunctions::default() };
        if self.context.settings.deepest_level() > 2 {
            let mut level = Level { level: 3, ..Level::default() };
            let mut triples = self.triples(&offered, &pairs[..pairs.len().min(EXTENDED)], &mut level)?;
            self.keep_best(&mut triples, &mut level);
            conjunctions.take(triples, &level);
            levels.push(level);
        }
        self.keep_best(&mut pairs, &mut levels[1]);
        conjunctions.take(pairs, &levels[1]);
        let ended = self.rearrange(first, &offered, &conjunctions)?;
        self.finish(first, levels, &conjunctions.promising, &ended)
    }

    /// Keeps the best that are associated with the target.
    fn keep_best(&self, best_first: &mut Vec<Promising>, level: &mut Level) {
        let alpha = self.context.settings.alpha;
        let p_value = |it: &Promising| match self.association(&it.counts) {
            Outcome::Tested(tested) => tested.p_value,
            Outcome::NotTestable => 1.0,
        };
        level.tests += best_first.len() as u64;
        let mut found: Vec<(f64, Promising)> =
            std::mem::take(best_first).into_iter().map(|it| (p_value(&it), it)).collect();
        found.retain(|(p_value, _)| *p_value <= alpha);
        if let Some(fdr) = self.context.settings.fdr {
            let p_values = found.iter().map(|(p_value, _)| *p_value).collect();
            let threshold = fdr.threshold(alpha, p_values, level.candidates);
            found.retain(|(p_value, _)| *p_value <= threshold);
            level.threshold = Some(threshold);
        }
        level.associated = found.len() as u64;
        best_first.extend(found.into_iter().map(|(_, it)| it));
        best_first.truncate(MOST_PROMISING);
    }

    fn association(&self, counts: &[Count]) -> Outcome {
        in_table(counts, self.context.strata.rows(), |table| self.context.judge.test().assess(table))
    }

    /// The terms that explain the target best; none if stopped.
    fn rearrange(&self, first: &Findings, offered: &[u32], conjunctions: &Conjunctions) -> Option<Ended> {
        let context = self.context;
        let fixed = self.fixed(first);
        let singles: Vec<Candidate> = first
            .causes
            .iter()
            .map(|cause| cause.candidate.clone())
            .filter(|it| !fixed.contains(it))
            .collect();
        let known: FxHashSet<u32> = singles.iter().flat_map(|single| single.columns()).copied().collect();
        let prices = Prices::new(context.settings.alpha, offered.len(), known.clone())
            .with_covering(conjunctions.covering.clone());
        let additive = Additive::new(context);
        let search = Rearrange {
            measure: &additive,
            watch: context.watch,
            prices: &prices,
            promising: &conjunctions.promising,
            singles: &known,
            twos: &[],
            fixed: &fixed,
        };
        let few = Rearrange { prices: &prices.of_few_terms(), ..search }.run(&singles)?;
        let tables = Tables::new(context);
        let together = Together { context, tables: &tables, additive: &additive, offered };
        if together.is_better(&few, &few) {
            let terms = together.run(&search, &[&few, &singles])?;
            return Some(Ended { terms, work_together: true });
        }
        // Conjunctions that explain no more than their parts fall apart.
        let terms = search.run(&few)?;
        // What was chosen by itself may come to what there is, for less, and may make some of that superfluous.
        let prices = prices.of_whole_conjunctions();
        let further = Rearrange { prices: &prices, promising: &conjunctions.chosen, fixed: &terms, ..search };
        let terms = additive.significant(further.run(&[])?, fixed.len(), context.settings.alpha);
        let terms = search.unless_by_chance(terms, context.settings.alpha);
        if together.is_small() {
            let found = together.run(&search, &[&few, &singles])?;
            if together.overturns(&found, &terms) {
                return Some(Ended { terms: found, work_together: true });
            }
        }
        Some(Ended { terms, work_together: false })
    }

    /// The terms that stay: covariates, what is required, and what is forbidden but explains others away.
    fn fixed(&self, first: &Findings) -> Vec<Candidate> {
        let context = self.context;
        let covariates = context.settings.knowledge.covariates.iter().copied();
        let varies = |&column: &u32| {
            let count = context.singles.counts[column as usize];
            count.total() > 0 && count != context.counter.rows()
        };
        let mut fixed: Vec<Candidate> = covariates.filter(varies).map(Candidate::single).collect();
        fixed.extend(context.required.iter().cloned());
        let explains = |(candidate, reason): (&Candidate, &Reason)| match reason {
            Reason::SetAside { role: Role::Forbidden, .. } => Some(candidate.clone()),
            _ => None,
        };
        fixed.extend(first.reasons.iter().filter_map(explains));
        fixed
    }

    /// The terms behind what was found.
    fn ended(&self, findings: &Findings) -> Ended {
        let mut terms = self.fixed(findings);
        let causes = findings.causes.iter().map(|cause| cause.candidate.clone());
        terms.extend(causes.filter(|cause| !self.context.required.contains(cause)));
        Ended { terms, work_together: findings.work_together }
    }

    /// The terms as causes, with the figures of each beside all others; none if stopped.
    fn finish(
        &self,
        first: &Findings,
        mut levels: Vec<Level>,
        promising: &[Candidate],
        ended: &Ended,
    ) -> Option<Findings> {
        let context = self.context;
        let reasons = self.reasons(first, promising, ended)?;
        let beside = ended.beside(context);
        let counts = context.strata.counts(context.counter, &ended.terms);
        let mut causes: Vec<Contender> =
            levels.iter_mut().skip(1).flat_map(|level| context.required_causes(level)).collect();
        for ((term, counts), beside) in ended.terms.iter().zip(&counts).zip(beside) {
            let single_required = first.causes.iter().any(|cause| &cause.candidate == term);
            let is_required = context.required.contains(term);
            if self.is_covariate(term) || (is_required && !single_required) {
                continue;
            }
            let Outcome::Tested(association) = self.association(counts) else { continue };
            let cause = Contender::new(term.clone(), counts.iter().sum(), association);
            let mut cause = Contender { is_required, ..cause };
            // What causes do together they need not do alone.
            if ended.work_together {
                cause.weakest = Weakest::default();
            }
            let others = || ended.terms.iter().filter(|other| *other != term).cloned().collect();
            cause.weakest.offer_apart(beside, others);
            causes.push(cause);
        }
        let mut findings = Findings { reasons, work_together: ended.work_together, ..Findings::default() };
        findings.accept(causes, levels, &context.singles);
        findings.complete = true;
        Some(findings)
    }

    fn is_covariate(&self, term: &Candidate) -> bool {
        term.columns().iter().any(|column| self.context.settings.knowledge.covariates.contains(column))
    }

    /// The reasons of the columns that are causes no longer, and of what was promising; none if stopped.
    fn reasons(
        &self,
        first: &Findings,
        promising: &[Candidate],
        ended: &Ended,
    ) -> Option<BTreeMap<Candidate, Reason>> {
        let mut reasons = first.reasons.clone();
        let held = first.causes.iter().map(|cause| &cause.candidate).chain(promising);
        let gone: Vec<Candidate> =
            held.filter(|candidate| !ended.terms.contains(candidate)).cloned().collect();
        reasons.extend(ended.why_not(self.context, &gone));
        (!self.context.watch.stopped()).then_some(reasons)
    }
}

impl Ended {
    /// What each term tells beside all others.
    fn beside(&self, context: &Context<'_>) -> Vec<Tested> {
        if self.work_together {
            return together::beside(context, &self.terms);
        }
        let fitted = Additive::new(context).fitted(&self.terms);
        let ratio = |term| Tested::new(fitted.model.likelihood_ratio(&fitted.groups, term), 1);
        (0..self.terms.len()).map(ratio).collect()
    }

    /// Why candidates are none of the terms.
    fn why_not(&self, context: &Context<'_>, candidates: &[Candidate]) -> Vec<(Candidate, Reason)> {
        let fitted = Additive::new(context).fitted(&self.terms);
        let found = Mutex::new(Vec::new());
        context.counter.configurations(&self.terms, candidates, &|number, configurations, with| {
            let candidate = &candidates[number];
            let reason = match self.terms.iter().find(|term| candidate.is_part_of(term)) {
                Some(by) => Reason::Replaced { by: by.clone() },
                None => {
                    let held = with.iter().map(|count| (count.positive as f64, count.total() as f64));
                    let added = if self.work_together {
                        together::tested(with, configurations.counts())
                    } else {
                        Tested::new(fitted.model.score(&fitted.groups, held), 1)
                    };
                    Reason::AddsNothing { p_value: added.p_value }
                }
            };
            lock(&found).push((candidate.clone(), reason));
        });
        into_inner(found)
    }
}

/// The reason of a conjunction that MH-PC-X had no need to note.
pub(super) fn explain(context: &Context<'_>, findings: &Findings, candidate: &Candidate) -> Reason {
    let x = MhPcX { context };
    if x.same_attribute(candidate) {
        return Reason::SameAttribute;
    }
    if candidate.level() > findings.levels.len() {
        return Reason::NotReached;
    }
    let count = context.counter.counts(std::slice::from_ref(candidate))[0];
    if count.total() == 0 || count == context.counter.rows() {
        return Reason::Constant;
    }
    let counts = context.strata.counts(context.counter, std::slice::from_ref(candidate)).remove(0);
    if let Some(reason) = x.part_without_effect(candidate, &counts) {
        return reason;
    }
    let threshold = findings.levels[candidate.level() - 1].threshold.unwrap_or(context.settings.alpha);
    match x.association(&counts) {
        Outcome::NotTestable => return Reason::NotTestable,
        Outcome::Tested(tested) if tested.p_value > threshold => {
            return Reason::NotAssociated { p_value: tested.p_value };
        }
        Outcome::Tested(_) => {}
    }
    x.ended(findings).why_not(context, std::slice::from_ref(candidate)).remove(0).1
}

/// Says what `explain` will ask for these conjunctions.
pub(super) fn foresee(context: &Context<'_>, findings: &Findings, candidates: &[Candidate]) {
    context.counter.foresee(&MhPcX { context }.ended(findings).terms, candidates);
}

/// The groups of a model on all terms of the configurations.
fn groups(configurations: &Configurations) -> Groups {
    let mut groups = Groups::default();
    for (number, count) in configurations.counts().iter().enumerate() {
        groups.push(configurations.held(number), count.positive as f64, count.total() as f64);
    }
    groups
}
