//! Terms judged by the table of the target by all of them, in which each configuration has a risk of its own.
//!
//! The likelihood is that of the data before the risks are known, each of them as likely as any other: a configuration
//! with a cases and b controls contributes a! b! / (a + b + 1)! (Cooper and Herskovits 1992, the K2 score). More
//! terms make more configurations, each with its own share of the data, so that terms that tell nothing lower it.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::measure::{Holding, Measure, Move};
use crate::count::{Configurations, Count};
use crate::dataset::Candidate;
use crate::search::context::Context;

/// Logarithms of factorials that are kept.
const KEPT: usize = 1 << 20;

/// Judges by tables.
pub(super) struct Tables<'a> {
    context: &'a Context<'a>,
    ln_factorial: Vec<f64>,
}

impl<'a> Tables<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        let kept = KEPT.min(context.counter.rows().total() as usize + 2);
        let sums = (0..kept).scan(0.0, |sum, n| {
            *sum += (n.max(1) as f64).ln();
            Some(*sum)
        });
        Self { context, ln_factorial: sums.collect() }
    }

    fn ln_factorial(&self, n: u64) -> f64 {
        match self.ln_factorial.get(n as usize) {
            Some(&known) => known,
            None => libm::lgamma(n as f64 + 1.0),
        }
    }

    /// Twice the logarithm of the likelihood of one configuration.
    fn cell(&self, count: Count) -> f64 {
        let ln = self.ln_factorial(count.positive) + self.ln_factorial(count.negative)
            - self.ln_factorial(count.total() + 1);
        2.0 * ln
    }

    fn of(&self, counts: &[Count]) -> f64 {
        counts.iter().map(|&count| self.cell(count)).sum()
    }
}

impl Measure for Tables<'_> {
    fn value(&self, terms: &[Candidate]) -> f64 {
        self.of(self.context.counter.configurations(terms, &[], &|_, _, _| ()).counts())
    }

    fn gains(&self, terms: &[Candidate], moves: &[Move], savings: &[f64]) -> Vec<f64> {
        let counter = self.context.counter;
        let configurations = counter.configurations(terms, &[], &|_, _, _| ());
        let holding = Holding::new(counter, terms, moves.iter());
        let mut merged: FxHashMap<&[Candidate], Merged> = FxHashMap::default();
        for it in moves {
            merged.entry(&it.gone).or_insert_with(|| Merged::new(&configurations, terms, &it.gone));
        }
        let base = self.of(configurations.counts());
        let gain = |it: &Move| {
            if self.context.watch.stopped() {
                return f64::NEG_INFINITY;
            }
            let merged = &merged[&it.gone[..]];
            let mut cells = vec![[Count::default(); 4]; merged.groups];
            for (place, &all) in configurations.counts().iter().enumerate() {
                let new = holding.cells(&it.new, place, all);
                let group = &mut cells[merged.group[place] as usize];
                group.iter_mut().zip(new).for_each(|(cell, new)| *cell = *cell + new);
            }
            cells.iter().map(|cells| self.of(cells)).sum::<f64>() - base
        };
        moves.par_iter().zip(savings).map(|(it, saving)| gain(it) + saving).collect()
    }
}

/// The configurations that are one without some terms.
struct Merged {
    group: Vec<u32>,
    groups: usize,
}

impl Merged {
    fn new(configurations: &Configurations, terms: &[Candidate], gone: &[Candidate]) -> Self {
        let gone: Vec<usize> =
            gone.iter().filter_map(|gone| terms.iter().position(|term| term == gone)).collect();
        let mut numbers: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
        let group = (0..configurations.len()).map(|place| {
            let mut key = configurations.key(place).to_vec();
            gone.iter().for_each(|term| key[term / 64] &= !(1 << (term % 64)));
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        });
        let group = group.collect();
        Self { group, groups: numbers.len() }
    }
}
