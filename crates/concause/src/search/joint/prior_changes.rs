//! Changes of the log prior when terms enter or leave a regression.
//!
//! The prior is a product over groups of terms, those over one set of attributes. A step changes few of them.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::space::ModelSpace;
use crate::dataset::Candidate;
use crate::model::Scale;

/// Terms in and out of a model, by group.
pub(super) struct PriorChanges<'a> {
    space: &'a ModelSpace<'a>,
    scale: Scale,
    terms: Vec<Candidate>,
    /// The group of each term, and the places of the terms of each group.
    group_of: Vec<usize>,
    groups: Vec<Vec<usize>>,
}

impl<'a> PriorChanges<'a> {
    pub fn new(space: &'a ModelSpace<'a>, scale: Scale, terms: Vec<Candidate>) -> Self {
        let mut numbers: FxHashMap<BTreeSet<usize>, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut group_of = Vec::with_capacity(terms.len());
        for (place, term) in terms.iter().enumerate() {
            let number = *numbers.entry(space.attributes(term)).or_insert(groups.len());
            if number == groups.len() {
                groups.push(Vec::new());
            }
            groups[number].push(place);
            group_of.push(number);
        }
        Self { space, scale, terms, group_of, groups }
    }

    /// The change of the log prior if the terms at some places enter the model or leave it. `is_in` tells the places of
    /// the terms of the model.
    pub fn gain(&self, is_in: impl Fn(usize) -> bool, changed: &[usize]) -> f64 {
        let mut groups: Vec<usize> = changed.iter().map(|&place| self.group_of[place]).collect();
        groups.sort_unstable();
        groups.dedup();
        let prior = |group: usize, is_in: &dyn Fn(usize) -> bool| {
            let places = self.groups[group].iter().filter(|&&place| is_in(place));
            self.space.ln_prior(self.scale, places.map(|&place| &self.terms[place]))
        };
        let is_in_after = |place: usize| is_in(place) != changed.contains(&place);
        groups.into_iter().map(|group| prior(group, &is_in_after) - prior(group, &is_in)).sum()
    }
}
