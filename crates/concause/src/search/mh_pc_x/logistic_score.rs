//! Scores terms by a logistic model: log odds = β₀ + Σ β_t t.
//!
//! A search evaluates thousands of moves and makes few, so the gain of a move is approximated first. Near its maximum
//! the log-likelihood is approximately quadratic, so the gain of added terms (the score statistic) and the loss of
//! removed terms (the Wald statistic) follow from its curvature. Only the moves with the largest approximate gains are
//! fitted.

use std::sync::{Arc, Mutex, OnceLock};

use rayon::prelude::*;

use super::LEAST_GAIN;
use super::score::{ModelScore, Move, TermCounts, added_terms};
use crate::count::{Configurations, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::groups::{Design, Groups};
use crate::model::logistic::{Addition, LogisticModel};
use crate::search::context::Context;
use crate::stats::critical_value;

/// The number of Newton steps of a fit that decides whether a move is made.
const STEPS: usize = 3;

/// The number of moves that are fitted, the best ones.
const FITTED: usize = 24;

/// The number of moves that are fitted if a fit is expensive.
const FITTED_IF_EXPENSIVE: usize = 8;

/// A fit is expensive with more groups than this.
const EXPENSIVE: usize = 10_000;

/// A move with an approximate loss of less than this may turn out to be a gain when it is fitted.
const APPROXIMATION_ERROR: f64 = 10.0;

/// Twice the maximised log-likelihood of logistic models ([`LogisticModel`]).
pub(super) struct LogisticScore<'a> {
    context: &'a Context<'a>,
    /// The model fitted last, which the next call often needs.
    last: Mutex<Option<Arc<Fitted>>>,
}

/// The model of the target on some terms.
pub(super) struct Fitted {
    terms: Vec<Candidate>,
    configurations: Configurations,
    pub groups: Groups,
    pub model: LogisticModel,
}

impl<'a> LogisticScore<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        Self { context, last: Mutex::default() }
    }

    /// The model on these terms.
    pub fn fitted(&self, terms: &[Candidate]) -> Result<Arc<Fitted>, Error> {
        let mut last = lock(&self.last);
        match &*last {
            Some(fitted) if fitted.terms == terms => Ok(fitted.clone()),
            _ => {
                let configurations = self.context.counter().configurations_of(terms)?;
                let groups = Groups::from(&configurations);
                let model = LogisticModel::fit(&groups, terms.len(), None);
                let fitted = Arc::new(Fitted { terms: terms.to_vec(), configurations, groups, model });
                *last = Some(fitted.clone());
                Ok(fitted)
            }
        }
    }

    /// Removes terms that are not significant given the others by the likelihood-ratio test, the least significant
    /// first. The first `fixed` terms are never removed.
    pub fn retain_significant(
        &self,
        mut terms: Vec<Candidate>,
        fixed: usize,
        alpha: f64,
    ) -> Result<Vec<Candidate>, Error> {
        let least = critical_value(alpha, 1);
        loop {
            let Fitted { model, groups, .. } = &*self.fitted(&terms)?;
            // The Wald statistic is cheap, but it is also small for a near-perfect predictor. So it only selects the
            // terms for which the likelihood ratio is computed.
            let is_doubtful = |&place: &usize| -model.approximate_gain(&[place], &[], 0.0) < least;
            let doubtful = (fixed..terms.len()).filter(is_doubtful);
            let ratios = doubtful.map(|place| (place, model.likelihood_ratio(groups, place)));
            match ratios.min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((place, ratio)) if ratio < least => {
                    terms.remove(place);
                }
                _ => return Ok(terms),
            }
        }
    }

    /// The gain of each move, approximated from the curvature of the log-likelihood.
    fn approximate_gains(&self, base: &Fitted, moves: &[Move]) -> Result<Vec<f64>, Error> {
        let candidates = added_terms(moves.iter());
        let additions: Vec<OnceLock<Addition>> = candidates.iter().map(|_| OnceLock::new()).collect();
        self.context.counter().configurations(&base.terms, &candidates, &|number, _, with| {
            let held = with.iter().map(|count| (count.positive as f64, count.total() as f64));
            let _ = additions[number].set(base.model.addition(&base.groups, held));
        })?;
        let addition = |candidate: &Candidate| additions[candidates.binary_search(candidate).ok()?].get();
        let place = |removed: &Candidate| base.terms.iter().position(|term| term == removed);
        let approximate_gain = |step: &Move| {
            let removed: Option<Vec<usize>> = step.removed.iter().map(place).collect();
            let added: Option<Vec<&Addition>> = step.added.iter().map(addition).collect();
            let shared = match &step.added[..] {
                [one, two] => addition(&one.join(two)).map_or(0.0, Addition::information),
                _ => 0.0,
            };
            match (removed, added) {
                (Some(removed), Some(added)) => base.model.approximate_gain(&removed, &added, shared),
                _ => f64::NEG_INFINITY,
            }
        };
        Ok(moves.iter().map(approximate_gain).collect())
    }

    /// The gain of a move, by a fit of a few Newton steps.
    fn fit_move(&self, base: &Fitted, step: &Move, term_counts: &TermCounts) -> f64 {
        let stays = |term: &usize| !step.removed.contains(&base.terms[*term]);
        let kept: Vec<usize> = (0..base.terms.len()).filter(stays).collect();
        let mut number = vec![None; base.terms.len()];
        kept.iter().enumerate().for_each(|(place, &term)| number[term] = Some(place));
        let coefficients = &base.model.coefficients;
        let removed: f64 =
            (0..base.terms.len()).filter(|term| !stays(term)).map(|term| coefficients[term + 1]).sum();
        // The added terms start from the coefficients of the removed ones.
        let start: Vec<f64> = std::iter::once(coefficients[0])
            .chain(kept.iter().map(|&term| coefficients[term + 1]))
            .chain(step.added.iter().map(|_| removed / step.added.len() as f64))
            .collect();
        let mut groups = Groups::default();
        for (place, &all) in base.configurations.counts().iter().enumerate() {
            for (held, count) in term_counts.cells(&step.added, place, all).into_iter().enumerate() {
                if count.total() > 0 {
                    let old = base.configurations.held(place).filter_map(|term| number[term]);
                    let new = (0..2).filter(|new| held >> new & 1 == 1).map(|new| kept.len() + new);
                    groups.push(old.chain(new), count.positive as f64, count.total() as f64);
                }
            }
        }
        let model = LogisticModel::fit_steps(&groups, kept.len() + step.added.len(), Some(&start), STEPS);
        2.0 * (model.log_likelihood - base.model.log_likelihood)
    }
}

impl ModelScore for LogisticScore<'_> {
    fn score(&self, terms: &[Candidate]) -> Result<f64, Error> {
        Ok(2.0 * self.fitted(terms)?.model.log_likelihood)
    }

    fn gains(&self, terms: &[Candidate], moves: &[Move], savings: &[f64]) -> Result<Vec<f64>, Error> {
        let base = self.fitted(terms)?;
        let mut gains: Vec<f64> = self
            .approximate_gains(&base, moves)?
            .iter()
            .zip(savings)
            .map(|(gain, saving)| gain + saving)
            .collect();
        let mut best: Vec<usize> =
            (0..moves.len()).filter(|&number| gains[number] > LEAST_GAIN - APPROXIMATION_ERROR).collect();
        best.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]).then(a.cmp(&b)));
        best.truncate(if base.groups.cells() > EXPENSIVE { FITTED_IF_EXPENSIVE } else { FITTED });
        let fitted_moves = best.iter().map(|&number| &moves[number]);
        let term_counts = TermCounts::new(self.context.counter(), terms, fitted_moves)?;
        let fitted: Vec<f64> = best
            .par_iter()
            .map(|&number| {
                let stopped = self.context.progress.stopped();
                if stopped { f64::NEG_INFINITY } else { self.fit_move(&base, &moves[number], &term_counts) }
            })
            .collect();
        // A move that was not fitted is not made.
        gains.iter_mut().for_each(|gain| *gain = gain.min(0.0));
        best.iter().zip(fitted).for_each(|(&number, fitted)| gains[number] = fitted + savings[number]);
        Ok(gains)
    }
}
