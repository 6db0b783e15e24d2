//! The joint posterior: one probability distribution over sets of causes.
//!
//! A *model* is a set of terms, conjunctions of literals, and a scale of risk. Its score is its log marginal likelihood
//! plus its log prior ([`space`]). A search over models, best first ([`model_search`], [`neighbours`], [`sweep`]),
//! collects the models that compete with the best one. Their weighted average gives the probability of every term,
//! column and scale ([`posterior`]). The causes are the sets of attributes with probability at least ½, the median
//! probability model (Barbieri and Berger 2004), each shown in its most probable
//! form.

mod average;
mod effort;
mod forms;
mod joint_sets;
mod model_search;
mod neighbours;
mod path;
mod posterior;
mod prior_changes;
mod rule_table;
mod separation;
mod space;
mod sweep;
mod tables;

#[cfg(test)]
mod oracle;

use model_search::ModelSearch;
use neighbours::Expansion;
use posterior::average_models;
use rule_table::RuleTable;
use separation::find_separated;
use space::ModelSpace;
use tables::{score_additions, score_table};

use rayon::prelude::*;

use super::context::{Candidacy, Context, in_table};
use super::findings::{AttributeSet, Findings, LevelSummary, Posterior, Reason};
use crate::combinatorics::choose;
use crate::count::Count;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::Scale;
use crate::model::groups::Groups;
use crate::model::logistic::LogisticModel;
use crate::stats::TestResult;

/// Finds the probable sets of columns. If it is stopped, the probabilities are averages over the models scored so far.
pub(super) fn search(context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
    check_budget(context)?;
    let space = ModelSpace::new(context)?;
    let mut search = ModelSearch::new(&space);
    let outcome = match search.run() {
        // The empty model by itself says nothing about the candidates.
        Err(Error::Stopped) if search.scores.len() > 1 => Err(Error::Stopped),
        outcome => outcome.map(Ok)?,
    };
    let separated = find_separated(&search)?;
    let posterior = average_models(&search, &separated)?;
    *findings = report(&space, posterior, separated)?;
    outcome
}

/// The reasons for conjunctions that the search did not record.
pub(super) fn explain_all(
    context: &Context<'_>,
    findings: &Findings,
    candidates: &[Candidate],
) -> Result<Vec<Reason>, Error> {
    match &findings.posterior {
        Some(posterior) => explain_terms(&ModelSpace::new(context)?, posterior, candidates),
        None => Ok(vec![Reason::NotReached; candidates.len()]),
    }
}

/// The best model, if it is a table.
fn best_table(posterior: &Posterior) -> RuleTable {
    let is_rule = |term: &Candidate| posterior.best_rules.contains(term);
    let (rules, tabled) = posterior.best_terms.iter().cloned().partition(is_rule);
    RuleTable { tabled, rules }
}

/// Rejects a search with too many pairs of columns. Larger conjunctions are not enumerated.
fn check_budget(context: &Context<'_>) -> Result<(), Error> {
    let offered = (0..context.columns().len() as u32).filter(|&column| context.singles.is_offered(column));
    let (level, budget) = (2, context.settings.max_candidates);
    let candidates = choose(offered.count(), level);
    if context.settings.deepest_level() >= level && candidates > u128::from(budget) {
        return Err(Error::TooManyCandidates { level, candidates, budget });
    }
    Ok(())
}

/// The findings: the probable sets of columns and the required causes.
fn report(
    space: &ModelSpace<'_>,
    posterior: Posterior,
    separated: Vec<(Candidate, Reason)>,
) -> Result<Findings, Error> {
    let context = space.context;
    let probable_sets = || posterior.attribute_sets.iter().filter(|set| set.is_cause);
    let mut candidates = context.required.clone();
    candidates.extend(probable_sets().filter_map(|set| Some(set.terms.first()?.0.clone())));
    let given_others = test_given_others(space, &candidates)?;
    let is_undecided: Vec<bool> =
        context.required.iter().map(|_| false).chain(probable_sets().map(|set| set.is_undecided)).collect();
    // A single cause is named by the value that raises the risk.
    let free = candidates.iter_mut().zip(&given_others).skip(context.required.len());
    for (candidate, (_, coefficient)) in free {
        if let ([literal], true) = (candidate.literals(), *coefficient < 0.0) {
            *candidate = Candidate::single(literal.negate());
        }
    }
    let counts = context.strata.counts(context.counter(), &candidates)?;
    let mut causes = Vec::new();
    for (place, (candidate, (test, _))) in candidates.iter().zip(given_others).enumerate() {
        let counts = &counts[place];
        let outcome = in_table(counts, context.strata.rows(), |table| context.decision_rule.assess(table));
        let association = outcome.tested().unwrap_or(TestResult::new(0.0, 1));
        let mut cause = Candidacy::new(candidate.clone(), counts.iter().sum::<Count>(), association);
        cause.is_required = context.required.contains(candidate);
        cause.is_undecided = is_undecided[place];
        // A term need not be associated with the target marginally.
        cause.max_p = Default::default();
        let others = || candidates.iter().filter(|other| *other != candidate).cloned().collect();
        cause.max_p.record_other_kind(test, others);
        causes.push(cause);
    }
    let mut findings = Findings::default();
    for (&column, reason) in &context.singles.excluded {
        findings.reasons.insert(Candidate::single(column), reason.clone());
    }
    let singles: Vec<Candidate> = space.singles.iter().map(|&column| Candidate::single(column)).collect();
    let reasons = explain_terms(space, &posterior, &singles)?;
    findings.reasons.extend(singles.into_iter().zip(reasons));
    findings.reasons.extend(separated);
    let level = |level: usize| LevelSummary {
        level,
        candidates: match level {
            1 => context.columns().len() as u64,
            _ => u64::try_from(choose(space.parts.len(), level)).unwrap_or(u64::MAX),
        },
        ..LevelSummary::default()
    };
    context.accept(&mut findings, causes, (1..=space.max_level).map(level));
    for cause in &findings.causes {
        if let (Some(set), Some(reason @ Reason::Cause)) = (
            posterior.attribute_set(&cause.candidate, context.columns()),
            findings.reasons.get_mut(&cause.candidate),
        ) {
            *reason = probable(set);
        }
    }
    findings.posterior = Some(posterior);
    Ok(findings)
}

fn probable(set: &AttributeSet) -> Reason {
    Reason::Probable { probability: set.probability, alternative: set.alternative().cloned() }
}

/// The likelihood ratio test of each cause in the logistic model of all causes and covariates, and its coefficient.
fn test_given_others(space: &ModelSpace<'_>, causes: &[Candidate]) -> Result<Vec<(TestResult, f64)>, Error> {
    let mut terms = causes.to_vec();
    terms.extend(space.fixed.iter().filter(|term| !causes.contains(term)).cloned());
    let groups = Groups::from(&space.context.counter().configurations_of(&terms)?);
    let model = LogisticModel::fit(&groups, terms.len(), None);
    let test = |place: usize| {
        let result = TestResult::new(model.likelihood_ratio(&groups, place), 1);
        (result, model.coefficients[place + 1])
    };
    Ok((0..causes.len()).into_par_iter().map(test).collect())
}

/// Why each term is a cause or not: its probability, and what it would add to the best model. A term with other signs
/// than a cause is the same finding.
fn explain_terms(
    space: &ModelSpace<'_>,
    posterior: &Posterior,
    terms: &[Candidate],
) -> Result<Vec<Reason>, Error> {
    let is_possible = |term: &&Candidate| space.level(term) <= space.max_level && space.allows(term);
    let possible: Vec<Candidate> = terms.iter().filter(is_possible).cloned().collect();
    let mut gains = gains_of_terms(space, posterior, &possible)?.into_iter();
    let reason = |term: &Candidate| {
        let set = posterior.attribute_set(term, space.context.columns());
        let probability = set.map_or(0.0, |set| set.probability);
        if space.level(term) > space.max_level {
            return Reason::NotReached;
        }
        if !space.allows(term) {
            return Reason::SameAttribute;
        }
        let gain = gains.next().unwrap_or(f64::NEG_INFINITY);
        if let Some(set) = set.filter(|set| set.is_cause) {
            return probable(set);
        }
        let alternative = set.and_then(|set| set.alternative()).map(|(other, _)| other.clone());
        Reason::Improbable { probability, gain, alternative }
    };
    Ok(terms.iter().map(reason).collect())
}

/// What each term would add to the log posterior of the best model, as predicted by its score test; 0 for the terms of
/// the model.
fn gains_of_terms(
    space: &ModelSpace<'_>,
    posterior: &Posterior,
    terms: &[Candidate],
) -> Result<Vec<f64>, Error> {
    let scale = posterior.best_scale;
    let canonical: Vec<Candidate> = terms.iter().map(|term| space.canonical(term.clone(), scale)).collect();
    let best = &posterior.best_terms;
    if scale == Scale::Table {
        let table = best_table(posterior);
        let own = score_table(space, &table)?;
        let scores = score_additions(space, &table, &canonical)?;
        let gain = |(term, score): (&Candidate, f64)| if best.contains(term) { 0.0 } else { score - own };
        return Ok(canonical.iter().zip(scores).map(gain).collect());
    }
    let expansion = Expansion::new(space, scale, best.clone(), canonical.clone(), None)?;
    let gain = |(place, term): (usize, &Candidate)| match best.contains(term) {
        true => 0.0,
        false => expansion.predict_addition(place),
    };
    Ok(canonical.iter().enumerate().map(gain).collect())
}
