//! A path of steps from a regression, with candidates for further terms, on quadratic approximations of its log
//! posterior.
//!
//! A climb takes hundreds of steps on large data. The rows are grouped by the terms and all candidates once. On these
//! groups, the approximation predicts a number of steps ahead, only the model at their end is fitted, and the next
//! approximation is made there.

use std::borrow::Cow;

use super::effort::{LEAST_CORRELATION, MORE_GROUPS, MOST_TERMS};
use super::neighbours::shares_column;
use super::prior_changes::PriorChanges;
use super::space::ModelSpace;
use crate::count::Configurations;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::groups::{Design, Groups};
use crate::model::{Quadratic, Regression, Scale};

/// Terms in and out of a model, and the predicted scores of the models on them.
pub(super) struct Path<'a> {
    space: &'a ModelSpace<'a>,
    pub scale: Scale,
    fixed: usize,
    terms: Vec<Candidate>,
    configurations: Configurations,
    groups: Groups,
    /// For each pair of terms, whether one may take the place of the other.
    related: Vec<bool>,
    quadratic: Quadratic,
    /// The places of the terms of the model, in ascending order.
    members: Vec<usize>,
    prior_changes: PriorChanges<'a>,
}

/// A model some steps ahead.
pub(super) struct Stop {
    /// The predicted gain in log posterior from the present model.
    pub gain: f64,
    members: Vec<usize>,
    coefficients: Vec<f64>,
}

/// A fitted model: its log posterior, its coefficients, and the number of its groups of rows.
pub(super) struct FittedStop {
    pub score: f64,
    pub mode: Vec<f64>,
    groups: usize,
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
        let configurations = space.context.counter().configurations_of(&all)?;
        let groups = Groups::from(&configurations);
        let members: Vec<usize> = (0..terms.len()).collect();
        let Some(quadratic) = Quadratic::new(scale, &groups, all.len(), &members, mode, LEAST_CORRELATION)
        else {
            return Ok(None);
        };
        let pairs = (0..all.len()).flat_map(|one| (0..all.len()).map(move |two| (one, two)));
        let is_related = |(one, two): (usize, usize)| {
            quadratic.are_correlated(one, two) || shares_column(&all[one], &all[two])
        };
        let related = pairs.map(is_related).collect();
        let prior_changes = PriorChanges::new(space, scale, all.clone());
        let fixed = space.fixed.len();
        Ok(Some(Self {
            space,
            scale,
            fixed,
            terms: all,
            configurations,
            groups,
            related,
            quadratic,
            members,
            prior_changes,
        }))
    }

    /// Predicts up to this many steps ahead, as long as each gains at least this much.
    pub fn look_ahead(&self, steps: usize, least: f64) -> Vec<Stop> {
        let (mut quadratic, mut members) = (Cow::Borrowed(&self.quadratic), self.members.clone());
        let mut stops: Vec<Stop> = Vec::new();
        while stops.len() < steps {
            let Some((changed, gain)) = self.best_step(&quadratic, &members, least) else { break };
            quadratic.to_mut().change(&changed);
            members = after(&members, &changed);
            stops.push(Stop {
                gain: gain + stops.last().map_or(0.0, |last| last.gain),
                members: members.clone(),
                coefficients: quadratic.coefficients(&members),
            });
        }
        stops
    }

    /// Fits the model at a stop. `None` if a smaller model is the same model.
    pub fn fit(&self, stop: &Stop) -> Option<FittedStop> {
        let groups = Groups::of_terms(&self.configurations, &stop.members);
        let fitted = Regression::fit(self.scale, &groups, stop.members.len(), Some(&stop.coefficients));
        let ln_prior = self.space.ln_prior(self.scale, self.terms_at(stop));
        fitted.map(|fitted| FittedStop {
            score: ln_prior + fitted.ln_marginal,
            mode: fitted.coefficients,
            groups: groups.cells(),
        })
    }

    /// The terms at a stop.
    pub fn terms_at(&self, stop: &Stop) -> impl Iterator<Item = &Candidate> {
        stop.members.iter().map(|&place| &self.terms[place])
    }

    /// Moves to the fitted model at a stop. `None` if the path ends there, because it takes less time to count the
    /// candidates in the groups of the model.
    pub fn move_to(mut self, stop: &Stop, fitted: &FittedStop) -> Option<Self> {
        if self.groups.cells() > MORE_GROUPS * fitted.groups {
            return None;
        }
        self.members.clone_from(&stop.members);
        let size = self.terms.len();
        let (members, mode) = (&self.members, &fitted.mode);
        self.quadratic = Quadratic::new(self.scale, &self.groups, size, members, mode, LEAST_CORRELATION)?;
        Some(self)
    }

    /// The terms that enter or leave in the best step, and its predicted gain.
    fn best_step(&self, quadratic: &Quadratic, members: &[usize], least: f64) -> Option<(Vec<usize>, f64)> {
        let mut best: (Vec<usize>, f64) = (Vec::new(), least);
        let is_in = |place: usize| members.binary_search(&place).is_ok();
        let mut consider = |changed: &[usize]| {
            let gain = quadratic.predict(changed) + self.prior_changes.gain(is_in, changed);
            if gain > best.1 {
                best = (changed.to_vec(), gain);
            }
        };
        let free = || members.iter().copied().filter(|&place| place >= self.fixed);
        free().for_each(|place| consider(&[place]));
        for new in (0..self.terms.len()).filter(|&place| !is_in(place)) {
            if members.len() < self.fixed + MOST_TERMS {
                consider(&[new]);
            }
            let related: Vec<usize> = free().filter(|&place| self.is_related(place, new)).collect();
            for (number, &place) in related.iter().enumerate() {
                consider(&[place, new]);
                related[..number].iter().for_each(|&other| consider(&[other, place, new]));
            }
        }
        let outside = |term: Candidate| {
            let term = self.space.canonical(term, self.scale);
            self.terms.iter().position(|other| *other == term).filter(|&place| !is_in(place))
        };
        for place in free() {
            for (part, rest) in self.terms[place].splits() {
                if let (Some(part), Some(rest)) = (outside(part), outside(rest)) {
                    consider(&[place, part, rest]);
                }
            }
        }
        (!best.0.is_empty()).then_some(best)
    }

    fn is_related(&self, one: usize, two: usize) -> bool {
        self.related[one * self.terms.len() + two]
    }
}

/// The members of a model after some terms entered or left.
fn after(members: &[usize], changed: &[usize]) -> Vec<usize> {
    let is_new = |place: &&usize| members.binary_search(place).is_err();
    let stays = |place: &&usize| !changed.contains(place);
    let mut after: Vec<usize> =
        members.iter().filter(stays).chain(changed.iter().filter(is_new)).copied().collect();
    after.sort_unstable();
    after
}
