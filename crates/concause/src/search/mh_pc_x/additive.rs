//! Terms judged by a logistic model in which each adds its own to the log odds of the target.
//!
//! A search looks at thousands of moves and takes few, so moves are foretold first: near its maximum the log-likelihood
//! is a paraboloid, and what a model gains by new terms (the score statistic) and loses without old ones (the
//! Wald statistic) follows from its curvature. Those that promise most are fitted.

use std::sync::{Arc, Mutex, OnceLock};

use rayon::prelude::*;

use super::logistic::{Addition, Groups, Model};
use super::measure::{Holding, Measure, Move, new_terms};
use super::{LEAST_GAIN, groups};
use crate::count::{Configurations, lock};
use crate::dataset::Candidate;
use crate::independence::critical_value;
use crate::search::context::Context;

/// Newton steps of a model that is fitted to see whether a move is worth while.
const STEPS: usize = 3;

/// How many of the moves that promise most are fitted, …
const FITTED: usize = 24;

/// … and how many where a fit is dear, …
const FITTED_IF_DEAR: usize = 8;

/// … which it is with more groups than this.
const DEAR: usize = 10_000;

/// A foretold loss up to this may still turn out a gain.
const DOUBT: f64 = 10.0;

/// Judges by logistic models.
pub(super) struct Additive<'a> {
    context: &'a Context<'a>,
    /// The last model that was looked at.
    last: Mutex<Option<Arc<Fitted>>>,
}

/// The model on some terms.
pub(super) struct Fitted {
    terms: Vec<Candidate>,
    configurations: Configurations,
    pub groups: Groups,
    pub model: Model,
}

impl<'a> Additive<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        Self { context, last: Mutex::default() }
    }

    /// The model on these terms.
    pub fn fitted(&self, terms: &[Candidate]) -> Arc<Fitted> {
        let mut last = lock(&self.last);
        match &*last {
            Some(fitted) if fitted.terms == terms => fitted.clone(),
            _ => {
                let configurations = self.context.counter.configurations(terms, &[], &|_, _, _| ());
                let groups = groups(&configurations);
                let model = Model::fit(&groups, terms.len(), None);
                let fitted = Arc::new(Fitted { terms: terms.to_vec(), configurations, groups, model });
                *last = Some(fitted.clone());
                fitted
            }
        }
    }

    /// The terms without those that are not significant beside the others by the likelihood-ratio test, the weakest taken
    /// out first; the first ones stay.
    pub fn significant(&self, mut terms: Vec<Candidate>, stay: usize, alpha: f64) -> Vec<Candidate> {
        let least = critical_value(alpha, 1);
        loop {
            let Fitted { model, groups, .. } = &*self.fitted(&terms);
            // The Wald statistic costs little, but where a term decides the target it is small too.
            let is_doubtful = |&place: &usize| -model.foretell(&[place], &[], 0.0) < least;
            let doubtful = (stay..terms.len()).filter(is_doubtful);
            let ratios = doubtful.map(|place| (place, model.likelihood_ratio(groups, place)));
            match ratios.min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((place, ratio)) if ratio < least => {
                    terms.remove(place);
                }
                _ => return terms,
            }
        }
    }

    /// What each move will gain, by the curvature of the likelihood.
    fn foretell(&self, base: &Fitted, moves: &[Move]) -> Vec<f64> {
        let candidates = new_terms(moves.iter());
        let additions: Vec<OnceLock<Addition>> = candidates.iter().map(|_| OnceLock::new()).collect();
        self.context.counter.configurations(&base.terms, &candidates, &|number, _, with| {
            let held = with.iter().map(|count| (count.positive as f64, count.total() as f64));
            let _ = additions[number].set(base.model.addition(&base.groups, held));
        });
        let addition = |candidate: &Candidate| additions[candidates.binary_search(candidate).ok()?].get();
        let place = |gone: &Candidate| base.terms.iter().position(|term| term == gone);
        let foretell = |it: &Move| {
            let gone: Option<Vec<usize>> = it.gone.iter().map(place).collect();
            let new: Option<Vec<&Addition>> = it.new.iter().map(addition).collect();
            let shared = match &it.new[..] {
                [one, two] => addition(&one.join(two)).map_or(0.0, Addition::own),
                _ => 0.0,
            };
            match (gone, new) {
                (Some(gone), Some(new)) => base.model.foretell(&gone, &new, shared),
                _ => f64::NEG_INFINITY,
            }
        };
        moves.iter().map(foretell).collect()
    }

    /// What a move gains, by a fit of few steps.
    fn fit(&self, base: &Fitted, it: &Move, holding: &Holding) -> f64 {
        let stays = |term: &usize| !it.gone.contains(&base.terms[*term]);
        let kept: Vec<usize> = (0..base.terms.len()).filter(stays).collect();
        let mut number = vec![None; base.terms.len()];
        kept.iter().enumerate().for_each(|(place, &term)| number[term] = Some(place));
        let coefficients = &base.model.coefficients;
        let gone: f64 =
            (0..base.terms.len()).filter(|term| !stays(term)).map(|term| coefficients[term + 1]).sum();
        // The new terms begin with what the old ones had.
        let start: Vec<f64> = std::iter::once(coefficients[0])
            .chain(kept.iter().map(|&term| coefficients[term + 1]))
            .chain(it.new.iter().map(|_| gone / it.new.len() as f64))
            .collect();
        let mut groups = Groups::default();
        for (place, &all) in base.configurations.counts().iter().enumerate() {
            for (held, count) in holding.cells(&it.new, place, all).into_iter().enumerate() {
                if count.total() > 0 {
                    let old = base.configurations.held(place).filter_map(|term| number[term]);
                    let new = (0..2).filter(|new| held >> new & 1 == 1).map(|new| kept.len() + new);
                    groups.push(old.chain(new), count.positive as f64, count.total() as f64);
                }
            }
        }
        let model = Model::fit_steps(&groups, kept.len() + it.new.len(), Some(&start), STEPS);
        2.0 * (model.log_likelihood - base.model.log_likelihood)
    }
}

impl Measure for Additive<'_> {
    fn value(&self, terms: &[Candidate]) -> f64 {
        2.0 * self.fitted(terms).model.log_likelihood
    }

    fn gains(&self, terms: &[Candidate], moves: &[Move], savings: &[f64]) -> Vec<f64> {
        let base = self.fitted(terms);
        let mut gains: Vec<f64> =
            self.foretell(&base, moves).iter().zip(savings).map(|(gain, saving)| gain + saving).collect();
        let mut best: Vec<usize> = (0..moves.len()).filter(|&it| gains[it] > LEAST_GAIN - DOUBT).collect();
        best.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]).then(a.cmp(&b)));
        best.truncate(if base.groups.len() > DEAR { FITTED_IF_DEAR } else { FITTED });
        let holding = Holding::new(self.context.counter, terms, best.iter().map(|&it| &moves[it]));
        let fitted: Vec<f64> = best
            .par_iter()
            .map(|&it| {
                let stopped = self.context.watch.stopped();
                if stopped { f64::NEG_INFINITY } else { self.fit(&base, &moves[it], &holding) }
            })
            .collect();
        // What was only foretold is not taken, however good it looks.
        gains.iter_mut().for_each(|gain| *gain = gain.min(0.0));
        best.iter().zip(fitted).for_each(|(&it, fitted)| gains[it] = fitted + savings[it]);
        gains
    }
}
