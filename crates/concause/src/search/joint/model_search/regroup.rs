//! Models with the same columns in other terms.

use std::collections::BTreeSet;

use super::{Model, ModelSearch};
use crate::dataset::{Candidate, Literal};
use crate::error::Error;
use crate::search::joint::effort::MUCH_WORSE;
use crate::search::joint::neighbours::Expansion;

impl ModelSearch<'_> {
    /// Scores models with the same columns in other terms: single columns in place of all conjunctions of these
    /// columns, a conjunction in place of more than two terms over its columns, and the common literals of two
    /// conjunctions that differ in one sign in place of both. Such changes are too large to be predicted.
    pub(super) fn regroup_sets(&mut self, model: &Model) -> Result<(), Error> {
        let terms = self.terms_of(model);
        let sets: Vec<Candidate> = terms.iter().map(|term| term.unsigned()).collect();
        let free = || self.space.fixed.len()..terms.len();
        let mut changes: Vec<(Vec<usize>, Vec<Candidate>)> = Vec::new();
        for set in free().map(|place| &sets[place]).filter(|set| set.level() > 1).collect::<BTreeSet<_>>() {
            let removed = free().filter(|&place| sets[place] == *set).collect();
            let part = |literal: &Literal| {
                let literal = self.space.raising_literal(literal.column());
                self.space.canonical(Candidate::single(literal), model.scale)
            };
            changes.push((removed, set.literals().iter().map(part).collect()));
        }
        for conjunction in self.pool.iter().map(|&number| &self.terms[number as usize]) {
            let set = conjunction.unsigned();
            let is_within =
                |place: &usize| set.level() > 2 && (sets[*place] == set || sets[*place].is_part_of(&set));
            let removed: Vec<usize> = free().filter(is_within).collect();
            if removed.len() > 2 && !terms.contains(conjunction) {
                changes.push((removed, vec![conjunction.clone()]));
            }
        }
        for (one, other) in free().flat_map(|one| free().map(move |other| (one, other))) {
            let rest = terms[one].without(&terms[other]);
            if one < other && sets[one] == sets[other] && rest.level() == 1 && terms[one].level() > 1 {
                let common = self.space.canonical(terms[one].without(&rest), model.scale);
                changes.push((vec![one, other], vec![common]));
            }
        }
        changes.into_iter().try_for_each(|(removed, added)| {
            self.check_stopped()?;
            self.replace(model, &removed, &added)
        })
    }

    /// Scores a model with some terms in place of others, starting from its coefficients, unless this was clearly worse
    /// at another model.
    pub(super) fn replace(
        &mut self,
        model: &Model,
        removed: &[usize],
        added: &[Candidate],
    ) -> Result<(), Error> {
        let added = self.numbers(added);
        let change = (model.scale, removed.iter().map(|&place| model.terms[place]).collect(), added.clone());
        let (Some(&score), Some(mode)) = (self.scores.get(model), self.modes.get(model)) else {
            return Ok(());
        };
        let kept = (0..model.terms.len()).filter(|place| !removed.contains(place));
        let (mut numbers, mut start) = (Vec::new(), vec![mode[0]]);
        for place in kept {
            numbers.push(model.terms[place]);
            start.push(mode[place + 1]);
        }
        for &number in &added {
            if !numbers.contains(&number) {
                numbers.push(number);
                start.push(0.0);
            }
        }
        let is_known = self.scores.contains_key(&Model::regression(model.scale, numbers.clone()));
        if !is_known && !self.rejected.contains(&change) {
            let terms = numbers.iter().map(|&number| self.terms[number as usize].clone()).collect();
            let fitted = Expansion::new(self.space, model.scale, terms, Vec::new(), Some(&start))?;
            if fitted.score() < score - MUCH_WORSE {
                self.rejected.insert(change);
            }
            self.insert(model.scale, &numbers, fitted.score(), fitted.mode());
        }
        Ok(())
    }
}
