//! Scores terms by a table with a free risk per configuration of the terms.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::score::{ModelScore, Move, TermCounts};
use crate::count::{Configurations, Count};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::table::TableModel;
use crate::search::context::Context;

/// Twice the log marginal likelihood of tables ([`TableModel`]).
pub(super) struct TableScore<'a> {
    context: &'a Context<'a>,
    model: TableModel,
}

impl<'a> TableScore<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        Self { context, model: TableModel::new(context.counter().rows().total()) }
    }

    /// Twice the log marginal likelihood of the configurations with these counts.
    fn score_counts(&self, counts: &[Count]) -> f64 {
        2.0 * self.model.ln_marginal_likelihood(counts)
    }
}

impl ModelScore for TableScore<'_> {
    fn score(&self, terms: &[Candidate]) -> Result<f64, Error> {
        Ok(self.score_counts(self.context.counter().configurations_of(terms)?.counts()))
    }

    fn gains(&self, terms: &[Candidate], moves: &[Move], savings: &[f64]) -> Result<Vec<f64>, Error> {
        let counter = self.context.counter();
        let configurations = counter.configurations_of(terms)?;
        let term_counts = TermCounts::new(counter, terms, moves.iter())?;
        let mut merged: FxHashMap<&[Candidate], Merged> = FxHashMap::default();
        for step in moves {
            let merge = || Merged::new(&configurations, terms, &step.removed);
            merged.entry(&step.removed).or_insert_with(merge);
        }
        let base = self.score_counts(configurations.counts());
        let gain = |step: &Move| {
            if self.context.progress.stopped() {
                return f64::NEG_INFINITY;
            }
            let merged = &merged[&step.removed[..]];
            let mut cells = vec![[Count::default(); 4]; merged.groups];
            for (place, &all) in configurations.counts().iter().enumerate() {
                let new = term_counts.cells(&step.added, place, all);
                let group = &mut cells[merged.group[place] as usize];
                group.iter_mut().zip(new).for_each(|(cell, new)| *cell = *cell + new);
            }
            cells.iter().map(|cells| self.score_counts(cells)).sum::<f64>() - base
        };
        Ok(moves.par_iter().zip(savings).map(|(step, saving)| gain(step) + saving).collect())
    }
}

/// The configurations, grouped by the terms that remain when some are removed.
struct Merged {
    group: Vec<u32>,
    groups: usize,
}

impl Merged {
    fn new(configurations: &Configurations, terms: &[Candidate], removed: &[Candidate]) -> Self {
        let place = |removed| terms.iter().position(|term| term == removed);
        let removed: Vec<usize> = removed.iter().filter_map(place).collect();
        let mut numbers: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
        let group = (0..configurations.len()).map(|place| {
            let mut key = configurations.key(place).to_vec();
            removed.iter().for_each(|term| key[term / 64] &= !(1 << (term % 64)));
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        });
        let group = group.collect();
        Self { group, groups: numbers.len() }
    }
}
