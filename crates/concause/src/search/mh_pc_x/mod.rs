//! MH-PC-X: HITON-PC, and then conjunctions that may take the place of their parts.
//!
//! If the target follows A = A₁ ∧ A₂ and A is not rare, then A₁ and A₂ are associated with the target themselves, and
//! HITON-PC takes them for single causes. Algorithm 2 never looks at A₁&A₂ then. Here every pair is looked at, and
//! terms of a logistic model of the target are formed, joined, taken apart and exchanged as long as the model
//! explains the target better:
//!
//! 1. The terms are at first the causes that HITON-PC finds among the single columns.
//! 2. The *promising* pairs (and triples) are those of which every part matters where the others hold, and which
//!    are associated with the target.
//! 3. A local search over the terms ([`rearrange`]): columns move from term to term, as long as what
//!    moves makes a promising conjunction or a single column and the model gains.

mod logistic;
mod promising;
mod rearrange;

use std::collections::BTreeMap;
use std::sync::Mutex;

use logistic::{Groups, Model};
use promising::Promising;
use rearrange::Rearrange;
use rustc_hash::{FxHashMap, FxHashSet};

use super::contender::Contender;
use super::context::Context;
use super::findings::{Findings, Level, Reason};
use super::mh_pc::first_level;
use crate::count::{Configurations, Count, Stratum, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::independence::{Tested, critical_value};

/// The best conjunctions of a level, which may become terms.
const MOST_PROMISING: usize = 1000;

/// The share of false ones among the conjunctions that count as chosen.
const FALSE_DISCOVERIES: f64 = 0.05;

/// The best pairs, which are extended to triples.
const EXTENDED: usize = 400;

/// MH-PC-X.
pub(super) fn search(context: &Context<'_>) -> Result<Findings, Error> {
    let Some(mut findings) = first_level(context)? else { return Ok(Findings::default()) };
    if context.settings.deepest_level() < 2 {
        findings.complete = true;
        return Ok(findings);
    }
    let x = MhPcX { context };
    match x.replace(&findings) {
        Some(replaced) => Ok(replaced),
        None => Ok(findings),
    }
}

struct MhPcX<'a> {
    context: &'a Context<'a>,
}

impl MhPcX<'_> {
    /// Goes on from the causes of level 1; none if stopped.
    fn replace(&self, first: &Findings) -> Option<Findings> {
        let context = self.context;
        let offered: Vec<u32> = context.offered().collect();
        let mut levels = vec![first.levels[0], Level { level: 2, ..Level::default() }];
        let mut pairs = self.pairs(&offered, &mut levels[1])?;
        let mut promising: FxHashMap<Candidate, Count> = FxHashMap::default();
        let mut chosen: FxHashSet<Candidate> =
            first.causes.iter().map(|cause| cause.candidate.clone()).collect();
        if context.settings.deepest_level() > 2 {
            let mut level = Level { level: 3, ..Level::default() };
            let best = &pairs[..pairs.len().min(EXTENDED)];
            let mut triples = self.triples(&offered, best, &mut level)?;
            let n = offered.len() as u128;
            let all = n * n.saturating_sub(1) * n.saturating_sub(2) / 6;
            let kept = promising::discoveries(&triples, FALSE_DISCOVERIES, all);
            chosen.extend(triples[..kept].iter().map(|it| it.candidate.clone()));
            self.keep_best(&mut triples, &mut level);
            promising.extend(triples.into_iter().map(|it| (it.candidate, it.count)));
            levels.push(level);
        }
        let all = offered.len() as u128 * offered.len().saturating_sub(1) as u128 / 2;
        let kept = promising::discoveries(&pairs, FALSE_DISCOVERIES, all);
        chosen.extend(pairs[..kept].iter().map(|it| it.candidate.clone()));
        self.keep_best(&mut pairs, &mut levels[1]);
        promising.extend(pairs.into_iter().map(|it| (it.candidate, it.count)));
        let terms: Vec<Candidate> = first.causes.iter().map(|cause| cause.candidate.clone()).collect();
        let (per_term, per_column) = self.costs(offered.len());
        let rearrange = Rearrange {
            context,
            promising: &promising,
            columns: &offered,
            chosen: &chosen,
            per_term,
            per_column,
        };
        let terms = rearrange.run(terms)?;
        Some(self.finish(first, levels, &terms, &promising))
    }

    /// What a term costs, and what each of its columns does, in units of twice the log-likelihood: a term must be
    /// significant, and a column chosen among so many must beat what the best of them gains by chance every other time.
    fn costs(&self, columns: usize) -> (f64, f64) {
        let even_chance = 1.0 - 0.5f64.powf(1.0 / columns.max(1) as f64);
        (critical_value(self.context.settings.alpha, 1), critical_value(even_chance, 1))
    }

    /// Keeps the best that are associated with the target.
    fn keep_best(&self, best_first: &mut Vec<Promising>, level: &mut Level) {
        best_first.retain(|it| {
            level.tests += 1;
            let tested = self.associated(it.count);
            let kept = tested.is_some_and(|tested| tested.p_value <= self.context.settings.alpha);
            level.associated += u64::from(kept);
            kept
        });
        best_first.truncate(MOST_PROMISING);
    }

    fn associated(&self, count: Count) -> Option<Tested> {
        let table = [Stratum::marginal(count, self.context.counter.rows())];
        self.context.judge.test().assess(&table).tested()
    }

    /// The terms as causes, with the figures of each beside all others.
    fn finish(
        &self,
        first: &Findings,
        levels: Vec<Level>,
        terms: &[Candidate],
        promising: &FxHashMap<Candidate, Count>,
    ) -> Findings {
        let context = self.context;
        let configurations = context.counter.configurations(terms, &[], &|_, _, _| ());
        let groups = groups(&configurations);
        let model = Model::fit(&groups, terms.len(), None);
        let mut causes = Vec::new();
        for (number, term) in terms.iter().enumerate() {
            let count = match term.columns() {
                &[column] => context.singles.counts[column as usize],
                _ => promising.get(term).copied().unwrap_or_default(),
            };
            let Some(association) = self.associated(count) else { continue };
            let mut cause = Contender::new(term.clone(), count, association);
            let others = || terms.iter().filter(|other| *other != term).cloned().collect();
            let beside = Tested::new(model.likelihood_ratio(&groups, number), 1);
            cause.weakest.offer_apart(beside, others);
            causes.push(cause);
        }
        let mut findings =
            Findings { reasons: self.reasons(first, terms, &model, &groups), ..Findings::default() };
        findings.accept(causes, levels, &context.singles);
        findings.complete = true;
        findings
    }

    /// The reasons of the columns that are causes no longer.
    fn reasons(
        &self,
        first: &Findings,
        terms: &[Candidate],
        model: &Model,
        groups: &Groups,
    ) -> BTreeMap<Candidate, Reason> {
        let mut reasons = first.reasons.clone();
        let gone: Vec<Candidate> = first
            .causes
            .iter()
            .map(|cause| cause.candidate.clone())
            .filter(|candidate| !terms.contains(candidate))
            .collect();
        let found = Mutex::new(Vec::new());
        self.context.counter.configurations(terms, &gone, &|number, _, with| {
            let reason = why_not(&gone[number], terms, model, groups, with);
            lock(&found).push((gone[number].clone(), reason));
        });
        reasons.extend(into_inner(found));
        reasons
    }
}

/// Why a candidate is none of the terms; it holds in `with` rows of each configuration of theirs.
fn why_not(
    candidate: &Candidate,
    terms: &[Candidate],
    model: &Model,
    groups: &Groups,
    with: &[Count],
) -> Reason {
    if let Some(by) = terms.iter().find(|term| candidate.is_part_of(term)) {
        return Reason::Replaced { by: by.clone() };
    }
    let held = with.iter().map(|count| (count.positive as f64, count.total() as f64));
    Reason::AddsNothing { p_value: Tested::new(model.score(groups, held), 1).p_value }
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
    if let Some(reason) = x.part_without_effect(candidate, count) {
        return reason;
    }
    match x.associated(count) {
        None => return Reason::NotTestable,
        Some(tested) if tested.p_value > context.settings.alpha => {
            return Reason::NotAssociated { p_value: tested.p_value };
        }
        Some(_) => {}
    }
    let terms: Vec<Candidate> = findings.causes.iter().map(|cause| cause.candidate.clone()).collect();
    let found = Mutex::new(Reason::NotReached);
    context.counter.configurations(&terms, std::slice::from_ref(candidate), &|_, configurations, with| {
        let groups = groups(configurations);
        let model = Model::fit(&groups, terms.len(), None);
        *lock(&found) = why_not(candidate, &terms, &model, &groups, with);
    });
    into_inner(found)
}

/// The groups of a model on all terms of the configurations.
fn groups(configurations: &Configurations) -> Groups {
    let mut groups = Groups::default();
    for (number, count) in configurations.counts().iter().enumerate() {
        groups.push(configurations.held(number), count.positive as f64, count.total() as f64);
    }
    groups
}
