//! MH-PC-X, the default method: HITON-PC, then a search over sets of terms in which conjunctions may replace their
//! parts.
//!
//! If the target depends on A = A₁ ∧ A₂ and A is not rare, then A₁ and A₂ themselves are associated with the target,
//! and HITON-PC reports them as single causes. Algorithm 2 then never considers A₁&A₂. This method considers every
//! pair:
//!
//! 1. HITON-PC finds single causes. They are the first terms.
//! 2. Pairs (and triples) are *screened*: they must be associated with the target, and so must each of their parts in
//!    the rows where the other parts hold ([`screened`]).
//! 3. A local search over sets of terms ([`local_search`]) maximises an objective: twice the maximised log-likelihood
//!    of a logistic model of the target on the terms ([`logistic_score`]) minus a penalty ([`penalty`]). The first
//!    penalty favours few terms.
//! 4. A table with a free risk per configuration of these terms is compared with the logistic model. If the evidence
//!    for the table is very strong, the causes interact. The search is then repeated with twice the log marginal
//!    likelihood of tables instead of the logistic model ([`table_score`], [`table_search`]), and its terms are the
//!    causes.
//! 5. Otherwise the search continues with a penalty under which a conjunction costs as much as its parts, so
//!    conjunctions that fit no better than their parts are split. Conjunctions whose parts pass a false discovery rate
//!    among all conjunctions of their level may then enter at a lower penalty, and terms that are not significant
//!    given the others are removed. On small data, tables are searched as well; their terms are used instead if the
//!    evidence for them is very strong.
//! 6. If all selected terms together gain no more than noise does with probability alpha, there are no causes.

mod local_search;
mod logistic_score;
mod penalty;
mod score;
mod screened;
mod table_score;
mod table_search;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Mutex;

use local_search::LocalSearch;
use logistic_score::LogisticScore;
use penalty::Penalty;
use rustc_hash::FxHashSet;
use screened::Screened;
use table_score::TableScore;
use table_search::TableSearch;

use super::candidacy::Candidacy;
use super::candidates::in_table;
use super::context::Context;
use super::findings::{Findings, LevelSummary, Reason};
use super::knowledge::Role;
use super::method::{Levels, MethodDescriptor, SearchMethod};
use super::mh_pc::search_first_level;
use crate::count::{Count, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::stats::{MaxP, TestOutcome, TestResult};

/// The number of conjunctions of a level, the best ones, that may become terms.
const MOST_SCREENED: usize = 1000;

/// The number of pairs, the best ones, that are extended to triples.
const EXTENDED: usize = 400;

/// The false discovery rate of the conjunctions that may enter at a lower penalty.
const FALSE_DISCOVERIES: f64 = 0.05;

/// The least gain of a move, so that rounding cannot cause cycles.
const LEAST_GAIN: f64 = 0.01;

/// MH-PC-X.
pub(super) struct MhPcX;

impl SearchMethod for MhPcX {
    fn descriptor(&self) -> &'static MethodDescriptor {
        &MethodDescriptor {
            name: "mh-pc-x",
            title: "MH-PC-X",
            help: "also finds conjunctions whose parts are associated with the target",
            citation: "this software; HITON-PC: Aliferis et al. 2010",
            levels: Levels::UpTo(3),
            settings: &[
                "test",
                "alpha",
                "fdr",
                "max_k",
                "max_level",
                "overlap",
                "duplicates",
                "max_candidates",
                "require",
            ],
            counts_remotely: true,
            follows_listings: false,
        }
    }

    fn search(&self, context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
        *findings = search_first_level(context)?;
        if context.settings.deepest_level() > 1 {
            *findings = TermSearch { context }.run(findings)?;
        }
        Ok(())
    }

    fn explain(
        &self,
        context: &Context<'_>,
        findings: &Findings,
        candidate: &Candidate,
    ) -> Result<Option<Reason>, Error> {
        TermSearch { context }.explain(findings, candidate).map(Some)
    }

    fn prefetch_explanations(&self, context: &Context<'_>, findings: &Findings, candidates: &[Candidate]) {
        let selected = TermSearch { context }.selected_terms(findings);
        context.counter().prefetch(&selected.terms, candidates);
    }
}

/// The search over sets of terms.
struct TermSearch<'a> {
    context: &'a Context<'a>,
}

/// The terms at the end of the search.
struct SelectedTerms {
    /// The fixed terms, then the others.
    terms: Vec<Candidate>,
    /// Whether they were scored by tables.
    interacting: bool,
}

/// The conjunctions that may become terms.
#[derive(Default)]
struct Conjunctions {
    screened: Vec<Candidate>,
    /// The screened conjunctions whose parts pass the false discovery rate [`FALSE_DISCOVERIES`].
    discovered: Vec<Candidate>,
    /// The pairs of columns of which at least one holds in every row.
    covering: FxHashSet<Candidate>,
}

impl Conjunctions {
    /// Adds the conjunctions of a level, the best first.
    fn add_level(&mut self, best_first: Vec<Screened>, level: &LevelSummary) {
        let discoveries = screened::count_discoveries(&best_first, FALSE_DISCOVERIES, level.candidates);
        self.discovered.extend(best_first[..discoveries].iter().map(|screened| screened.candidate.clone()));
        self.screened.extend(best_first.into_iter().map(|screened| screened.candidate));
    }
}

impl TermSearch<'_> {
    /// Continues from the causes of level 1.
    fn run(&self, first: &Findings) -> Result<Findings, Error> {
        let offered: Vec<u32> = self.context.offered().collect();
        let mut levels = vec![first.levels[0], LevelSummary { level: 2, ..LevelSummary::default() }];
        let mut pairs = self.screen_pairs(&offered, &mut levels[1])?;
        let covering = pairs.iter().filter(|pair| self.is_covering(pair)).map(|pair| pair.candidate.clone());
        let mut conjunctions = Conjunctions { covering: covering.collect(), ..Conjunctions::default() };
        if self.context.settings.deepest_level() > 2 {
            let mut level = LevelSummary { level: 3, ..LevelSummary::default() };
            let extended = &pairs[..pairs.len().min(EXTENDED)];
            let mut triples = self.screen_triples(&offered, extended, &mut level)?;
            self.retain_associated(&mut triples, &mut level);
            conjunctions.add_level(triples, &level);
            levels.push(level);
        }
        self.retain_associated(&mut pairs, &mut levels[1]);
        conjunctions.add_level(pairs, &levels[1]);
        let selected = self.select_terms(first, &offered, &conjunctions)?;
        self.findings(first, levels, &conjunctions.screened, &selected)
    }

    fn check_stopped(&self) -> Result<(), Error> {
        if self.context.progress.stopped() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Retains the conjunctions that are associated with the target, at most [`MOST_SCREENED`] of them.
    fn retain_associated(&self, best_first: &mut Vec<Screened>, level: &mut LevelSummary) {
        let alpha = self.context.settings.alpha;
        let p_value = |screened: &Screened| match self.association(&screened.counts) {
            TestOutcome::Tested(result) => result.p_value,
            TestOutcome::NotTestable => 1.0,
        };
        level.tests += best_first.len() as u64;
        let mut found: Vec<(f64, Screened)> =
            std::mem::take(best_first).into_iter().map(|screened| (p_value(&screened), screened)).collect();
        found.retain(|(p_value, _)| *p_value <= alpha);
        if let Some(fdr) = self.context.settings.fdr {
            let p_values = found.iter().map(|(p_value, _)| *p_value).collect();
            let threshold = fdr.threshold(alpha, p_values, level.candidates);
            found.retain(|(p_value, _)| *p_value <= threshold);
            level.threshold = Some(threshold);
        }
        level.associated = found.len() as u64;
        best_first.extend(found.into_iter().map(|(_, screened)| screened));
        best_first.truncate(MOST_SCREENED);
    }

    fn association(&self, counts: &[Count]) -> TestOutcome {
        in_table(counts, self.context.strata.rows(), |table| self.context.decision_rule.assess(table))
    }

    /// Selects the terms: steps 3 to 6 of the module documentation.
    fn select_terms(
        &self,
        first: &Findings,
        offered: &[u32],
        conjunctions: &Conjunctions,
    ) -> Result<SelectedTerms, Error> {
        let context = self.context;
        let fixed = self.fixed_terms(first);
        let singles: Vec<Candidate> = first
            .causes
            .iter()
            .map(|cause| cause.candidate.clone())
            .filter(|candidate| !fixed.contains(candidate))
            .collect();
        let known: FxHashSet<u32> = singles.iter().flat_map(|single| single.columns()).copied().collect();
        let penalty = Penalty::new(context.settings.alpha, offered.len(), known.clone())
            .with_covering(conjunctions.covering.clone());
        let logistic = LogisticScore::new(context);
        let search = LocalSearch {
            score: &logistic,
            progress: context.progress,
            penalty: &penalty,
            screened: &conjunctions.screened,
            singles: &known,
            pair_moves: &[],
            fixed: &fixed,
        };
        let few = LocalSearch { penalty: &penalty.favouring_few_terms(), ..search }.run(&singles)?;
        let tables = TableScore::new(context);
        let table_search = TableSearch { context, tables: &tables, logistic: &logistic, offered };
        if table_search.is_better(&few, &few)? {
            let terms = table_search.run(&search, &[&few, &singles])?;
            return Ok(SelectedTerms { terms, interacting: true });
        }
        // With the ordinary penalty, conjunctions that fit no better than their parts are split.
        let terms = search.run(&few)?;
        // Discovered conjunctions may enter at a lower penalty. Other terms may then lose their significance.
        let penalty = penalty.per_conjunction();
        let further =
            LocalSearch { penalty: &penalty, screened: &conjunctions.discovered, fixed: &terms, ..search };
        let terms = logistic.retain_significant(further.run(&[])?, fixed.len(), context.settings.alpha)?;
        let terms = search.drop_if_noise(terms, context.settings.alpha)?;
        if table_search.is_small() {
            let found = table_search.run(&search, &[&few, &singles])?;
            if table_search.replaces(&found, &terms)? {
                return Ok(SelectedTerms { terms: found, interacting: true });
            }
        }
        Ok(SelectedTerms { terms, interacting: false })
    }

    /// The terms that are never removed: covariates, required causes, and forbidden columns that passed the tests of
    /// HITON-PC.
    fn fixed_terms(&self, first: &Findings) -> Vec<Candidate> {
        let context = self.context;
        let covariates = context.settings.knowledge.covariates.iter().copied();
        let varies = |&column: &u32| {
            let count = context.singles.counts[column as usize];
            count.total() > 0 && count != context.counter().rows()
        };
        let mut fixed: Vec<Candidate> = covariates.filter(varies).map(Candidate::single).collect();
        fixed.extend(context.required.iter().cloned());
        let forbidden = |(candidate, reason): (&Candidate, &Reason)| match reason {
            Reason::Excluded { role: Role::Forbidden, .. } => Some(candidate.clone()),
            _ => None,
        };
        fixed.extend(first.reasons.iter().filter_map(forbidden));
        fixed
    }

    /// The terms that led to some findings.
    fn selected_terms(&self, findings: &Findings) -> SelectedTerms {
        let mut terms = self.fixed_terms(findings);
        let causes = findings.causes.iter().map(|cause| cause.candidate.clone());
        terms.extend(causes.filter(|cause| !self.context.required.contains(cause)));
        SelectedTerms { terms, interacting: findings.interacting }
    }

    /// Reports the terms as causes, each tested given all others.
    fn findings(
        &self,
        first: &Findings,
        mut levels: Vec<LevelSummary>,
        screened: &[Candidate],
        selected: &SelectedTerms,
    ) -> Result<Findings, Error> {
        let context = self.context;
        let reasons = self.reasons(first, screened, selected)?;
        let given_others = selected.test_given_others(context)?;
        let counts = context.strata.counts(context.counter(), &selected.terms)?;
        let mut causes: Vec<Candidacy> = Vec::new();
        for level in levels.iter_mut().skip(1) {
            causes.extend(context.required_causes(level)?);
        }
        for ((term, counts), given_others) in selected.terms.iter().zip(&counts).zip(given_others) {
            let single_required = first.causes.iter().any(|cause| &cause.candidate == term);
            let is_required = context.required.contains(term);
            if self.is_covariate(term) || (is_required && !single_required) {
                continue;
            }
            let TestOutcome::Tested(association) = self.association(counts) else { continue };
            let cause = Candidacy::new(term.clone(), counts.iter().sum(), association);
            let mut cause = Candidacy { is_required, ..cause };
            // Interacting causes need not be associated with the target marginally.
            if selected.interacting {
                cause.max_p = MaxP::default();
            }
            let others = || selected.terms.iter().filter(|other| *other != term).cloned().collect();
            cause.max_p.record_other_kind(given_others, others);
            causes.push(cause);
        }
        let mut findings = Findings { reasons, interacting: selected.interacting, ..Findings::default() };
        findings.accept(causes, levels, &context.singles);
        Ok(findings)
    }

    fn is_covariate(&self, term: &Candidate) -> bool {
        term.columns().iter().any(|column| self.context.settings.knowledge.covariates.contains(column))
    }

    /// The reasons for the causes of level 1 and the screened conjunctions that were not selected.
    fn reasons(
        &self,
        first: &Findings,
        screened: &[Candidate],
        selected: &SelectedTerms,
    ) -> Result<BTreeMap<Candidate, Reason>, Error> {
        let mut reasons = first.reasons.clone();
        let considered = first.causes.iter().map(|cause| &cause.candidate).chain(screened);
        let rejected: Vec<Candidate> =
            considered.filter(|candidate| !selected.terms.contains(candidate)).cloned().collect();
        reasons.extend(selected.explain_rejected(self.context, &rejected)?);
        self.check_stopped()?;
        Ok(reasons)
    }

    /// The reason for a conjunction that the search did not record.
    fn explain(&self, findings: &Findings, candidate: &Candidate) -> Result<Reason, Error> {
        let context = self.context;
        if self.same_attribute(candidate) {
            return Ok(Reason::SameAttribute);
        }
        if candidate.level() > findings.levels.len() {
            return Ok(Reason::NotReached);
        }
        let candidates = std::slice::from_ref(candidate);
        let count = context.counter().counts(candidates)?[0];
        if count.total() == 0 || count == context.counter().rows() {
            return Ok(Reason::Constant);
        }
        let counts = context.strata.counts(context.counter(), candidates)?.remove(0);
        if let Some(reason) = self.redundant_part(candidate, &counts)? {
            return Ok(reason);
        }
        let threshold = findings.levels[candidate.level() - 1].threshold.unwrap_or(context.settings.alpha);
        match self.association(&counts) {
            TestOutcome::NotTestable => return Ok(Reason::NotTestable),
            TestOutcome::Tested(result) if result.p_value > threshold => {
                return Ok(Reason::NotAssociated { p_value: result.p_value });
            }
            TestOutcome::Tested(_) => {}
        }
        Ok(self.selected_terms(findings).explain_rejected(context, candidates)?.remove(0).1)
    }
}

impl SelectedTerms {
    /// Tests each term given all others.
    fn test_given_others(&self, context: &Context<'_>) -> Result<Vec<TestResult>, Error> {
        if self.interacting {
            return table_search::test_given_others(context, &self.terms);
        }
        let fitted = LogisticScore::new(context).fitted(&self.terms)?;
        let ratio = |term| TestResult::new(fitted.model.likelihood_ratio(&fitted.groups, term), 1);
        Ok((0..self.terms.len()).map(ratio).collect())
    }

    /// Why candidates are not among the terms.
    fn explain_rejected(
        &self,
        context: &Context<'_>,
        candidates: &[Candidate],
    ) -> Result<Vec<(Candidate, Reason)>, Error> {
        let fitted = LogisticScore::new(context).fitted(&self.terms)?;
        let found = Mutex::new(Vec::new());
        context.counter().configurations(&self.terms, candidates, &|number, configurations, with| {
            let candidate = &candidates[number];
            let reason = match self.terms.iter().find(|term| candidate.is_part_of(term)) {
                Some(by) => Reason::Replaced { by: by.clone() },
                None => {
                    let held = with.iter().map(|count| (count.positive as f64, count.total() as f64));
                    let added = if self.interacting {
                        table_search::test_in_strata(with, configurations.counts())
                    } else {
                        TestResult::new(fitted.model.score_statistic(&fitted.groups, held), 1)
                    };
                    Reason::AddsNothing { p_value: added.p_value }
                }
            };
            lock(&found).push((candidate.clone(), reason));
        })?;
        Ok(into_inner(found))
    }
}
