//! The neighbours of a regression: which of them are fitted, and when several steps are taken at once.

use std::collections::BTreeSet;

use super::{Model, ModelSearch};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::Scale;
use crate::search::joint::effort::{
    BATCH, FEW_GROUPS, LEAP_ERROR, LEAST_GAIN, MANY_GROUPS, MUCH_WORSE, SHORTLIST, WINDOW,
};
use crate::search::joint::neighbours::{Expansion, FittedStep, PredictedStep, Step};
use crate::search::joint::path::Path;

/// When the expansion of a model ends.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// When a neighbour exceeds this score.
    Exceed(f64),
    /// When all neighbours in the window are scored.
    Window,
}

impl<'a> ModelSearch<'a> {
    /// Fits neighbours of a regression, in the order of their predicted scores, until the goal is reached. A climb
    /// tries the best candidates of the last step first.
    pub(super) fn expand(&mut self, model: &Model, goal: Goal) -> Result<(), Error> {
        let is_best = self.best(Some(model.scale)).is_some_and(|(best, _)| best == model);
        if let Goal::Exceed(score) = goal {
            if let Some((from, path)) = self.path.take()
                && from == *model
                && self.follow(path, score)
            {
                return Ok(());
            }
            let shortlist = std::mem::take(&mut self.shortlist);
            let is_reached = !shortlist.is_empty() && self.expand_with(model, goal, &shortlist, false)?;
            if is_reached {
                self.shortlist = shortlist;
                return Ok(());
            }
        }
        let has_all = matches!(goal, Goal::Exceed(_)) || is_best;
        let pool = if has_all { &self.pool } else { &self.competing };
        let pool: Vec<u32> = pool.iter().copied().collect();
        let is_reached = self.expand_with(model, goal, &pool, has_all)?;
        if matches!(goal, Goal::Exceed(_)) && !is_reached {
            self.regroup_sets(model)?;
        }
        Ok(())
    }

    /// Fits neighbours of a regression with some terms of the pool, or all of them; whether the goal was reached.
    fn expand_with(&mut self, model: &Model, goal: Goal, pool: &[u32], has_all: bool) -> Result<bool, Error> {
        let candidates = self.candidates_for(model, pool);
        let expansion = self.expansion(model, candidates.clone())?;
        let predicted = expansion.predict_steps(self.space.fixed.len());
        if let Goal::Exceed(score) = goal
            && self.leap(model, score, &expansion, &predicted, &candidates, has_all)?
        {
            return Ok(true);
        }
        let steps = self.steps_of_interest(model, goal, &expansion, predicted, &candidates, has_all);
        self.fit_steps(model, goal, &expansion, &steps)
    }

    /// The terms of the pool and those derived from the terms of a model, but for the terms of the model.
    fn candidates_for(&self, model: &Model, pool: &[u32]) -> Vec<Candidate> {
        let terms = self.terms_of(model);
        let mut candidates: BTreeSet<Candidate> = self.derived_terms(&terms, model.scale);
        for &number in pool {
            candidates.insert(self.space.canonical(self.terms[number as usize].clone(), model.scale));
        }
        terms.iter().for_each(|term| {
            candidates.remove(term);
        });
        candidates.into_iter().collect()
    }

    /// The least score of interest.
    fn least_score(&self, goal: Goal) -> f64 {
        match goal {
            Goal::Exceed(score) => score,
            Goal::Window => self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score) - WINDOW.ln(),
        }
    }

    /// The steps that may lead to models of interest and are not known, with the terms after each, the best
    /// predictions first.
    fn steps_of_interest(
        &mut self,
        model: &Model,
        goal: Goal,
        expansion: &Expansion<'_>,
        mut predicted: Vec<PredictedStep>,
        candidates: &[Candidate],
        has_all: bool,
    ) -> Vec<(PredictedStep, Vec<u32>)> {
        let groups = expansion.configurations.len().max(1) as f64;
        let caution = match goal {
            Goal::Exceed(_) => 1.0,
            Goal::Window => 1.0 + FEW_GROUPS / groups,
        };
        let trust = 1.0 + groups / MANY_GROUPS;
        predicted.iter_mut().for_each(|step| step.error *= caution / trust);
        let least = self.least_score(goal);
        predicted.retain(|step| step.may_exceed(least));
        let numbers: Vec<u32> = self.numbers(candidates);
        if matches!(goal, Goal::Window) && has_all {
            let added = predicted.iter().flat_map(|step| &step.step.added);
            self.competing.extend(added.map(|&place| numbers[place]));
            self.competing.extend(&model.terms);
        }
        // The terms after a step are those that stay, then the added ones.
        let mut steps: Vec<(PredictedStep, Vec<u32>)> = Vec::new();
        for predicted in predicted {
            let step = &predicted.step;
            let kept = (0..model.terms.len()).filter(|place| !step.removed.contains(place));
            let mut after: Vec<u32> = kept.map(|place| model.terms[place]).collect();
            after.extend(step.added.iter().map(|&place| numbers[place]));
            let neighbour = Model::regression(model.scale, after.clone());
            let is_low = match goal {
                Goal::Exceed(score) => self.low.get(&neighbour).is_some_and(|&bound| bound <= score),
                Goal::Window => false,
            };
            if !is_low && !self.scores.contains_key(&neighbour) {
                steps.push((predicted, after));
            }
        }
        steps.sort_by(|(a, after_a), (b, after_b)| {
            b.score.total_cmp(&a.score).then_with(|| after_a.cmp(after_b))
        });
        steps
    }

    /// Fits the models after some steps, a batch at a time, until the goal is reached; whether it was.
    fn fit_steps(
        &mut self,
        model: &Model,
        goal: Goal,
        expansion: &Expansion<'_>,
        steps: &[(PredictedStep, Vec<u32>)],
    ) -> Result<bool, Error> {
        for batch in steps.chunks(BATCH) {
            self.check_stopped()?;
            let bound = self.least_score(goal);
            let batch: Vec<&(PredictedStep, Vec<u32>)> =
                batch.iter().filter(|(step, _)| step.may_exceed(bound)).collect();
            let changes: Vec<&Step> = batch.iter().map(|(step, _)| &step.step).collect();
            let scored = expansion.score_steps(&changes, bound)?;
            let mut is_reached = false;
            for ((step, after), scored) in batch.into_iter().zip(scored) {
                let Some(FittedStep { score, mode }) = scored else {
                    if matches!(goal, Goal::Exceed(_)) {
                        self.low.insert(Model::regression(model.scale, after.clone()), bound);
                    }
                    continue;
                };
                if let Goal::Exceed(least) = goal
                    && score > least + LEAST_GAIN
                {
                    is_reached = true;
                    self.adapt_stride(score - least, step.score - least);
                }
                self.insert(model.scale, after, score, &mode);
            }
            if is_reached {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes several steps of a climb at once, if steps are predicted well; whether that leads to a better model. The
    /// best candidates of all are those that the next steps try first.
    fn leap(
        &mut self,
        model: &Model,
        score: f64,
        expansion: &Expansion<'_>,
        predicted: &[PredictedStep],
        candidates: &[Candidate],
        has_all: bool,
    ) -> Result<bool, Error> {
        let best = self.best_candidates(predicted, candidates);
        let improving = best.iter().filter(|(predicted, _)| *predicted > score + LEAST_GAIN);
        let improving: Vec<Candidate> =
            improving.map(|&(_, number)| self.terms[number as usize].clone()).collect();
        if has_all {
            let is_near = |(predicted, _): &(f64, u32)| *predicted > score - MUCH_WORSE;
            self.shortlist = best.into_iter().filter(is_near).map(|(_, number)| number).collect();
        }
        let Some(regression) =
            expansion.regression.as_ref().filter(|_| self.stride > 1 && improving.len() > 1)
        else {
            return Ok(false);
        };
        let terms = self.terms_of(model);
        let path = Path::new(self.space, model.scale, &terms, &improving, &regression.coefficients)?;
        Ok(path.is_some_and(|path| self.follow(path, score)))
    }

    /// Takes several steps of a path at once; whether the model at their end is better. If the gain there is not as
    /// predicted, half the steps are tried.
    fn follow(&mut self, path: Path<'a>, score: f64) -> bool {
        let mut stops = path.look_ahead(self.stride, LEAST_GAIN);
        while let Some(stop) = stops.last() {
            let Some(fitted) = path.fit(stop) else { return false };
            let gain = fitted.score - score;
            if is_as_predicted(gain, stop.gain) || (stops.len() == 1 && gain > LEAST_GAIN) {
                self.adapt_stride(gain, stop.gain);
                let numbers: Vec<u32> = path.terms_at(stop).map(|term| self.numbers[term]).collect();
                self.insert(path.scale, &numbers, fitted.score, &fitted.mode);
                let model = Model::regression(path.scale, numbers);
                self.path = path.move_to(stop, &fitted).map(|path| (model, path));
                return true;
            }
            stops.truncate(stops.len() / 2);
            self.stride = stops.len().max(1);
        }
        false
    }

    /// Doubles the number of steps that a climb takes at once if the gain of the last step was predicted well. If not,
    /// the next step is taken alone.
    fn adapt_stride(&mut self, gain: f64, predicted: f64) {
        self.stride = if is_as_predicted(gain, predicted) { self.stride.saturating_mul(2) } else { 1 };
    }

    /// The candidates with the best predicted steps, and the predicted scores.
    fn best_candidates(&mut self, predicted: &[PredictedStep], candidates: &[Candidate]) -> Vec<(f64, u32)> {
        let mut best = vec![f64::NEG_INFINITY; candidates.len()];
        for PredictedStep { score, step, .. } in predicted {
            step.added.iter().for_each(|&place| best[place] = best[place].max(*score));
        }
        let mut places: Vec<usize> = (0..candidates.len()).filter(|&place| best[place].is_finite()).collect();
        places.sort_by(|&a, &b| best[b].total_cmp(&best[a]).then(a.cmp(&b)));
        places.truncate(SHORTLIST);
        places.into_iter().map(|place| (best[place], self.number(&candidates[place]))).collect()
    }

    /// The terms that differ from a term of the model by one literal or by all signs, and its parts.
    fn derived_terms(&self, terms: &[Candidate], scale: Scale) -> BTreeSet<Candidate> {
        let space = self.space;
        let mut found = BTreeSet::new();
        let mut add = |term: Candidate| {
            if space.allows(&term) {
                found.insert(space.canonical(term, scale));
            }
        };
        for term in terms.iter().filter(|term| !space.fixed.contains(term)) {
            add(Candidate::new(term.literals().iter().map(|literal| literal.negate())));
            for &literal in term.literals() {
                let rest = term.without(&Candidate::single(literal));
                let negated = Candidate::single(literal.negate());
                add(Candidate::single(literal));
                add(negated.clone());
                add(rest.join(&negated));
                space.shifted(literal).for_each(|shifted| add(rest.join(&Candidate::single(shifted))));
                if rest.level() > 0 {
                    add(rest);
                }
            }
        }
        found
    }
}

/// Whether a gain is about as large as predicted, or larger.
fn is_as_predicted(gain: f64, predicted: f64) -> bool {
    gain >= (1.0 - LEAP_ERROR) * predicted
}
