//! A path of several steps from a regression, on the quadratic approximation of its log posterior.
//!
//! A climb takes hundreds of steps on large data. Few of them need a fit of their own: the approximation predicts a
//! number of steps ahead, and only the model at their end is fitted.

use super::neighbours::{LEAST_CORRELATION, MOST_TERMS, shares_column};
use super::prior_changes::PriorChanges;
use super::space::ModelSpace;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::groups::Groups;
use crate::model::{Quadratic, Scale};

/// Terms in and out of a model, and the predicted scores of the models on them.
pub(super) struct Path<'a> {
    space: &'a ModelSpace<'a>,
    scale: Scale,
    fixed: usize,
    terms: Vec<Candidate>,
    /// For each pair of terms, whether one may take the place of the other.
    related: Vec<bool>,
    quadratic: Quadratic,
    /// The places of the terms of the model, in ascending order.
    pub members: Vec<usize>,
    prior_changes: PriorChanges<'a>,
}

impl<'a> Path<'a> {
    /// A path from the mode of a regression on some terms, with candidates for further ones. The first terms are fixed.
    pub fn new(
        space: &'a ModelSpace<'a>,
        scale: Scale,
        terms: &[Candidate],
        candidates: &[Candidate],
        mode: &[f64],
    ) -> Result<Option<Self>, Error> {
        let all: Vec<Candidate> = terms.iter().chain(candidates).cloned().collect();
        let groups = Groups::from(&space.context.counter().configurations_of(&all)?);
        let Some(quadratic) = Quadratic::new(scale, &groups, mode, all.len(), LEAST_CORRELATION) else {
            return Ok(None);
        };
        let pairs = (0..all.len()).flat_map(|one| (0..all.len()).map(move |two| (one, two)));
        let is_related = |(one, two): (usize, usize)| {
            quadratic.are_correlated(one, two) || shares_column(space, &all[one], &all[two])
        };
        let related = pairs.map(is_related).collect();
        let prior_changes = PriorChanges::new(space, scale, all.clone());
        let (fixed, members) = (space.fixed.len(), (0..terms.len()).collect());
        Ok(Some(Self { space, scale, fixed, terms: all, related, quadratic, members, prior_changes }))
    }

    /// The intercept and the predicted coefficients of the model.
    pub fn coefficients(&self) -> Vec<f64> {
        self.quadratic.coefficients(&self.members)
    }

    /// The terms of the model.
    pub fn terms(&self) -> Vec<Candidate> {
        self.members.iter().map(|&place| self.terms[place].clone()).collect()
    }

    /// Takes the best step, if its predicted gain is at least this; the gain.
    pub fn step(&mut self, least: f64) -> Option<f64> {
        let (changed, gain) = self.best_step(least)?;
        self.quadratic.change(&changed);
        self.members = self.after(&changed);
        Some(gain)
    }

    /// The terms that enter or leave in the best step, and its predicted gain.
    fn best_step(&self, least: f64) -> Option<(Vec<usize>, f64)> {
        let mut best: (Vec<usize>, f64) = (Vec::new(), least);
        let is_in = |place: usize| self.members.binary_search(&place).is_ok();
        let mut consider = |changed: &[usize]| {
            let gain = self.quadratic.predict(changed) + self.prior_changes.gain(is_in, changed);
            if gain > best.1 {
                best = (changed.to_vec(), gain);
            }
        };
        let free = || self.members.iter().copied().filter(|&place| place >= self.fixed);
        free().for_each(|place| consider(&[place]));
        for new in (0..self.terms.len()).filter(|place| self.members.binary_search(place).is_err()) {
            if self.members.len() < MOST_TERMS {
                consider(&[new]);
            }
            let related: Vec<usize> = free().filter(|&place| self.is_related(place, new)).collect();
            for (number, &place) in related.iter().enumerate() {
                consider(&[place, new]);
                related[..number].iter().for_each(|&other| consider(&[other, place, new]));
            }
        }
        for place in free() {
            for (part, rest) in self.terms[place].splits() {
                if let (Some(part), Some(rest)) = (self.place_outside(part), self.place_outside(rest)) {
                    consider(&[place, part, rest]);
                }
            }
        }
        (!best.0.is_empty()).then_some(best)
    }

    fn is_related(&self, one: usize, two: usize) -> bool {
        self.related[one * self.terms.len() + two]
    }

    /// The place of a term that is not in the model.
    fn place_outside(&self, term: Candidate) -> Option<usize> {
        let term = self.space.canonical(term, self.scale);
        let place = self.terms.iter().position(|other| *other == term)?;
        self.members.binary_search(&place).is_err().then_some(place)
    }

    /// The places of the terms of the model after a step.
    fn after(&self, changed: &[usize]) -> Vec<usize> {
        let is_new = |place: &&usize| self.members.binary_search(place).is_err();
        let stays = |place: &&usize| !changed.contains(place);
        let mut after: Vec<usize> =
            self.members.iter().filter(stays).chain(changed.iter().filter(is_new)).copied().collect();
        after.sort_unstable();
        after
    }
}
