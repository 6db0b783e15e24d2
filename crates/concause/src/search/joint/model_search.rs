//! The search over models, best first.
//!
//! Every model that is scored is kept. The best model that has not been expanded is expanded next: its neighbours are
//! scored. The search ends when all models in Occam's window are expanded (Madigan and Raftery 1994). One loop
//! therefore climbs to the best model and then collects the models that compete with it.
//!
//! A sweep over all candidate terms renews the pool of terms whenever the best model has been expanded, until a sweep
//! brings nothing new: no single addition then improves the best model.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::neighbours::{Expansion, Step};
use super::space::ModelSpace;
use super::sweep::{SweptModel, fixed_point};
use crate::count::RowWeights;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::Scale;

/// Models less likely than the best by this factor are left out (Madigan and Raftery 1994).
pub(super) const WINDOW: f64 = 1000.0;

/// A neighbour is scored if its predicted score is at most this far below the window.
const PREDICTION_ERROR: f64 = 4.0;

/// The largest number of models that are scored after the best model was found.
const MOST_SCORED: usize = 1000;

/// The search does not start on a rare scale whose best model so far is this much worse than the best of all.
const HOPELESS: f64 = 70.0;

/// The number of neighbours scored at a time.
const BATCH: usize = 16;

/// Scores that differ by less than this are equal.
const LEAST_GAIN: f64 = 1e-3;

/// A model: a scale and the numbers of its terms, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Model {
    pub scale: Scale,
    pub terms: Box<[u32]>,
}

/// The models scored so far.
pub(super) struct ModelSearch<'a> {
    pub space: &'a ModelSpace<'a>,
    /// All terms of scored models and of the pool, by number.
    pub terms: Vec<Candidate>,
    numbers: FxHashMap<Candidate, u32>,
    /// The log posterior of each model, up to a constant.
    pub scores: FxHashMap<Model, f64>,
    expanded: FxHashSet<Model>,
    /// The terms that may be added to any model.
    pool: BTreeSet<u32>,
    swept: FxHashSet<Model>,
}

impl<'a> ModelSearch<'a> {
    pub fn new(space: &'a ModelSpace<'a>) -> Self {
        let mut search = Self {
            space,
            terms: Vec::new(),
            numbers: FxHashMap::default(),
            scores: FxHashMap::default(),
            expanded: FxHashSet::default(),
            pool: BTreeSet::new(),
            swept: FxHashSet::default(),
        };
        for term in &space.fixed {
            search.number(term);
        }
        search
    }

    /// The number of a term.
    pub fn number(&mut self, term: &Candidate) -> u32 {
        if let Some(&number) = self.numbers.get(term) {
            return number;
        }
        let number = self.terms.len() as u32;
        self.terms.push(term.clone());
        self.numbers.insert(term.clone(), number);
        number
    }

    /// The terms of a model.
    pub fn terms_of(&self, model: &Model) -> Vec<Candidate> {
        model.terms.iter().map(|&term| self.terms[term as usize].clone()).collect()
    }

    /// Searches from no terms on every scale, then among all models.
    pub fn run(&mut self) -> Result<(), Error> {
        let empty: Box<[u32]> = (0..self.space.fixed.len() as u32).collect();
        for scale in Scale::ALL {
            self.score_model(&Model { scale, terms: empty.clone() })?;
            let best = |scale| self.best(scale).map_or(f64::NEG_INFINITY, |(_, score)| score);
            let is_main = matches!(scale, Scale::Logistic | Scale::Sufficient | Scale::Table);
            if is_main || best(Some(scale)) >= best(None) - HOPELESS {
                self.search(Some(scale))?;
            }
            if let Some(best) = self.best(Some(scale)).map(|(model, _)| model.clone()) {
                self.change_scale(&best, &self.terms_of(&best))?;
            }
        }
        self.search(None)
    }

    /// The best model, on one scale or on any.
    pub fn best(&self, scale: Option<Scale>) -> Option<(&Model, f64)> {
        self.scores
            .iter()
            .filter(|(model, _)| scale.is_none_or(|scale| model.scale == scale))
            .map(|(model, &score)| (model, score))
            .max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| Reverse(a.0).cmp(&Reverse(b.0))))
    }

    /// Expands models, best first. On one scale, the search ends when its best model is expanded; otherwise when all
    /// models in the window are.
    fn search(&mut self, scale: Option<Scale>) -> Result<(), Error> {
        let limit = self.scores.len() + MOST_SCORED;
        loop {
            if self.space.context.progress.stopped() {
                return Err(Error::Stopped);
            }
            let Some((best, best_score)) = self.best(scale) else { return Ok(()) };
            let best = best.clone();
            let open = |(model, &score): (&Model, &f64)| {
                (!self.expanded.contains(model)
                    && scale.is_none_or(|scale| model.scale == scale)
                    && score >= best_score - WINDOW.ln())
                .then(|| (score, Reverse(model.clone())))
            };
            let next =
                self.scores.iter().filter_map(open).max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let is_climbing = !self.expanded.contains(&best);
            match next {
                Some((_, Reverse(model)))
                    if is_climbing || (scale.is_none() && self.swept.contains(&best)) =>
                {
                    if !is_climbing && self.scores.len() > limit {
                        return Ok(());
                    }
                    self.expand(&model, scale)?;
                    self.expanded.insert(model);
                }
                _ if self.swept.insert(best.clone()) => {
                    if self.sweep(&best)? {
                        // The pool has new terms for models that were expanded without them.
                        self.expanded.remove(&best);
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Renews the pool with the terms that would improve a model the most; whether there are new ones.
    fn sweep(&mut self, model: &Model) -> Result<bool, Error> {
        let terms = self.terms_of(model);
        let scale = if model.scale == Scale::Table { Scale::Logistic } else { model.scale };
        let mut expansion = Expansion::new(self.space, scale, terms.clone(), Vec::new())?;
        if expansion.regression.is_none() {
            expansion = Expansion::new(self.space, Scale::Logistic, terms.clone(), Vec::new())?;
        }
        let Some(regression) = &expansion.regression else { return Ok(false) };
        let weight = |classes: &[crate::model::scale::Derivatives; 2]| {
            classes.map(|class| fixed_point(class.slope, class.curvature))
        };
        let weights = RowWeights {
            terms: terms.clone(),
            weights: regression.classes().iter().map(weight).collect(),
            configurations: expansion.configurations.clone(),
        };
        let swept = SweptModel { terms: &terms, scale: expansion.scale, regression, weights };
        let found = swept.sweep(self.space)?;
        let mut is_new = false;
        for term in found {
            let number = self.number(&term);
            is_new |= self.pool.insert(number);
        }
        Ok(is_new)
    }

    /// Scores one model.
    fn score_model(&mut self, model: &Model) -> Result<(), Error> {
        if self.scores.contains_key(model) {
            return Ok(());
        }
        let terms = self.terms_of(model);
        let expansion = Expansion::new(self.space, model.scale, terms, Vec::new())?;
        self.scores.insert(model.clone(), expansion.score());
        Ok(())
    }

    /// Scores the neighbours of a model that may be in the window.
    fn expand(&mut self, model: &Model, scale: Option<Scale>) -> Result<(), Error> {
        let terms = self.terms_of(model);
        let fixed = self.space.fixed.len();
        let mut candidates: BTreeSet<Candidate> = self.derived_terms(&terms, model.scale);
        let best_before = self.best(scale).map_or(f64::NEG_INFINITY, |(_, score)| score);
        let pool = if self.scores[model] < best_before {
            self.competing_terms(best_before)
        } else {
            self.pool.clone()
        };
        for number in pool {
            candidates.insert(self.space.canonical(self.terms[number as usize].clone(), model.scale));
        }
        terms.iter().for_each(|term| {
            candidates.remove(term);
        });
        let candidates: Vec<Candidate> = candidates.into_iter().collect();
        let expansion = Expansion::new(self.space, model.scale, terms.clone(), candidates.clone())?;
        let numbers: Vec<u32> = candidates.iter().map(|term| self.number(term)).collect();
        let mut steps: Vec<(f64, Step, Model)> = Vec::new();
        for (predicted, step) in expansion.predict_steps(fixed) {
            let kept = (0..terms.len()).filter(|place| !step.removed.contains(place));
            let mut after: Vec<u32> = kept.map(|place| model.terms[place]).collect();
            after.extend(step.added.iter().map(|&place| numbers[place]));
            after.sort_unstable();
            let after = Model { scale: model.scale, terms: after.into() };
            if !self.scores.contains_key(&after) {
                steps.push((predicted, step, after));
            }
        }
        steps.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
        steps.dedup_by(|a, b| a.2 == b.2);
        let mut best = best_before;
        for batch in steps.chunks(BATCH) {
            let own = expansion.score();
            // A model that leaves the window needs no further neighbours.
            if best > own + WINDOW.ln() && best > best_before + LEAST_GAIN {
                break;
            }
            let worth = |step: &&(f64, Step, Model)| step.0 > best - WINDOW.ln() - PREDICTION_ERROR;
            let promising: Vec<&(f64, Step, Model)> = batch.iter().filter(worth).collect();
            if promising.is_empty() {
                break;
            }
            let scored: Vec<f64> =
                promising.par_iter().map(|(_, step, _)| expansion.score_step(step)).collect();
            for ((_, _, after), score) in promising.into_iter().zip(scored) {
                best = best.max(score);
                self.scores.insert(after.clone(), score);
            }
        }
        if scale.is_none() {
            self.change_scale(model, &terms)?;
        }
        Ok(())
    }

    /// The terms of the models that are not much worse than the best one.
    fn competing_terms(&self, best: f64) -> BTreeSet<u32> {
        let near = self.scores.iter().filter(|(_, score)| **score >= best - 2.0 * WINDOW.ln());
        near.flat_map(|(model, _)| model.terms.iter().copied()).collect()
    }

    /// Scores the same terms on the other scales.
    fn change_scale(&mut self, model: &Model, terms: &[Candidate]) -> Result<(), Error> {
        for scale in Scale::ALL {
            let terms = terms.iter().map(|term| self.space.canonical(term.clone(), scale));
            let mut signed = vec![terms.collect::<Vec<_>>()];
            if !scale.is_signed() && model.scale.is_signed() {
                signed.push(self.risk_raising(&signed[0], model)?);
            }
            for terms in signed {
                let mut numbers: Vec<u32> = terms.iter().map(|term| self.number(term)).collect();
                numbers.sort_unstable();
                numbers.dedup();
                self.score_model(&Model { scale, terms: numbers.into() })?;
            }
        }
        Ok(())
    }

    /// The terms with every single literal that lowers the risk negated.
    fn risk_raising(&self, terms: &[Candidate], model: &Model) -> Result<Vec<Candidate>, Error> {
        let fixed = self.space.fixed.len();
        let scale = if model.scale == Scale::Table { Scale::Logistic } else { model.scale };
        let expansion = Expansion::new(self.space, scale, terms.to_vec(), Vec::new())?;
        let Some(regression) = &expansion.regression else { return Ok(terms.to_vec()) };
        let raise = |(place, term): (usize, &Candidate)| match term.columns() {
            [literal] if place >= fixed && regression.coefficients[place + 1] < 0.0 => {
                Candidate::single(self.space.negate(*literal))
            }
            _ => term.clone(),
        };
        Ok(terms.iter().enumerate().map(raise).collect())
    }

    /// The terms that differ from a term of the model by one literal, and its parts.
    fn derived_terms(&self, terms: &[Candidate], scale: Scale) -> BTreeSet<Candidate> {
        let space = self.space;
        let mut found = BTreeSet::new();
        let mut add = |term: Candidate| {
            if space.allows(&term) {
                found.insert(space.canonical(term, scale));
            }
        };
        for term in terms.iter().filter(|term| !space.fixed.contains(term)) {
            for &literal in term.columns() {
                let rest = term.without(&Candidate::single(literal));
                let negated = Candidate::single(space.negate(literal));
                add(Candidate::single(literal));
                add(negated.clone());
                add(rest.join(&negated));
                if rest.level() > 0 {
                    add(rest);
                }
            }
        }
        found
    }
}
