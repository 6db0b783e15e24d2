//! The counter of this machine: bitmaps in memory, all threads of the current rayon pool.

use std::borrow::Cow;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::grouped::Grouped;
use super::kernel::Kernel;
use super::view::{Scratch, View, whole_grid};
use super::{
    Answer, Base, Batch, ConfigurationAnswer, Configurations, Count, Counter, Family, Grid, GridAnswer,
};
use crate::dataset::{Block, Candidate, Dataset, Layout};

/// Answers are handed over after this many sets at first, later after more, so that a base that is settled by
/// one of the first sets costs little.
const FIRST_RUN: usize = 16;
const LONGEST_RUN: usize = 1024;

/// Newest members that each thread takes at a time where there are fewer bases than threads.
const WAVE: usize = 4;

/// Counts in a [`Dataset`] held in memory, in all of its rows or in some.
#[derive(Clone, Debug)]
pub struct LocalCounter<'a> {
    dataset: &'a Dataset,
    kernel: Kernel,
    rows: Count,
    mask: Option<Vec<Block>>,
}

impl<'a> LocalCounter<'a> {
    /// Counts in this data with the fastest kernel the machine has.
    pub fn new(dataset: &'a Dataset) -> Self {
        Self::with_kernel(dataset, Kernel::fastest())
    }

    /// Counts in this data with the given kernel.
    pub fn with_kernel(dataset: &'a Dataset, kernel: Kernel) -> Self {
        let rows = Count { positive: dataset.positive(), negative: dataset.negative() };
        Self { dataset, kernel, rows, mask: None }
    }

    /// Counts only the rows whose bits are 1 in the mask, a bitmap in the layout of the data: a half-sample, say,
    /// or a stratum. Nothing of the data is copied.
    ///
    /// # Panics
    ///
    /// If the mask has another length than the columns of the data.
    pub fn within(&self, mask: &[Block]) -> Self {
        let everywhere = self.dataset.layout().full();
        assert_eq!(mask.len(), everywhere.len(), "a mask as long as a column");
        let mask = self.both(mask, self.mask.as_deref().unwrap_or(&everywhere));
        let split = self.layout().positive_blocks();
        let rows = Count {
            positive: self.kernel.count(&mask[..split]),
            negative: self.kernel.count(&mask[split..]),
        };
        Self { dataset: self.dataset, kernel: self.kernel, rows, mask: Some(mask) }
    }

    /// Counts only the rows whose bits are 0 in the mask.
    ///
    /// # Panics
    ///
    /// If the mask has another length than the columns of the data.
    pub fn outside(&self, mask: &[Block]) -> Self {
        let flipped = |block: &Block| Block(block.0.map(|word| !word));
        self.within(&mask.iter().map(flipped).collect::<Vec<_>>())
    }

    /// The data it counts in.
    pub fn dataset(&self) -> &'a Dataset {
        self.dataset
    }

    /// The rows it counts, as a bitmap in the layout of the data.
    pub fn counted(&self) -> Vec<Block> {
        self.mask.clone().unwrap_or_else(|| self.layout().full())
    }

    /// The kernel it counts with.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    pub(super) fn layout(&self) -> Layout {
        self.dataset.layout()
    }

    /// The rows of `among`, or of all if there is none, in which a conjunction holds; none if that is all rows.
    pub(super) fn rows_of<'b>(
        &'b self,
        candidate: &Candidate,
        among: Option<&'b [Block]>,
    ) -> Option<Cow<'b, [Block]>> {
        candidate.columns().iter().fold(among.map(Cow::Borrowed), |rows, &column| {
            let bits = self.dataset.bits(column as usize);
            Some(rows.map_or(Cow::Borrowed(bits), |rows| Cow::Owned(self.both(&rows, bits))))
        })
    }

    fn both(&self, a: &[Block], b: &[Block]) -> Vec<Block> {
        let mut both = vec![Block::ZERO; a.len()];
        self.kernel.and(a, b, &mut both);
        both
    }

    /// Counts the sets of a family within one base: newest member by newest member, as the family lists them.
    fn count_base(
        &self,
        base: Base<'_>,
        pool: &[Cow<'_, [Block]>],
        family: &Family,
        alone: bool,
        scratch: &mut Scratch,
        answer: &mut dyn FnMut(usize, &[Count]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let rows = self.rows_of(base.candidate, self.mask.as_deref());
        let pool = pool.iter().map(|bits| &**bits).enumerate();
        let pool = pool.filter(|(place, _)| !base.without.get(*place).copied().unwrap_or(false));
        let view = View::new(self.kernel, self.layout(), rows.as_deref(), pool, scratch);
        let mut room = scratch.room();
        let view = view.squeeze(family.len() as u128, &mut room, scratch);
        let mut counts = Vec::with_capacity(family.len());
        counts.push(view.total());
        let mut telling = Telling { told: 0, run: FIRST_RUN, tested: family.tested(), answer };
        // Sets met before are only needed as subsets of others.
        let largest = |newest: usize| {
            let largest = family.largest(newest);
            if newest < base.from { largest.min(family.max_size() - 1) } else { largest }
        };
        let fill = |newest: usize, counts: &mut Vec<Count>, scratch: &mut Scratch| {
            let end = counts.len() + family.with_newest(newest).len();
            view.newest(newest, largest(newest), counts, scratch);
            counts.resize(end, Count::default());
        };
        let wave = if alone { WAVE * rayon::current_num_threads() } else { 1 };
        for start in (0..family.members_end()).step_by(wave) {
            let newest = start..family.members_end().min(start + wave);
            if alone {
                let parts: Vec<Vec<Count>> = newest
                    .into_par_iter()
                    .map_init(Scratch::default, |scratch, newest| {
                        let mut counts = Vec::new();
                        fill(newest, &mut counts, scratch);
                        counts
                    })
                    .collect();
                counts.extend(parts.into_iter().flatten());
            } else {
                fill(start, &mut counts, scratch);
            }
            telling.tell(&counts)?;
        }
        telling.finish(&counts)?;
        drop(view);
        scratch.give_back(room);
        ControlFlow::Continue(())
    }

    fn count_grid(&self, grid: &Grid<'_>, counts: &mut Vec<Count>, scratch: &mut Scratch) {
        let mut columns = [grid.left, grid.right].concat();
        columns.sort_unstable();
        columns.dedup();
        let places = |wanted: &[u32]| -> Vec<usize> {
            wanted.iter().map(|column| columns.partition_point(|held| held < column)).collect()
        };
        let Some(rows) = self.rows_of(grid.base, self.mask.as_deref()) else {
            let bits =
                |columns: &[u32]| columns.iter().map(|&column| self.dataset.bits(column as usize)).collect();
            return whole_grid(
                self.kernel,
                self.layout(),
                bits(grid.left),
                bits(grid.right),
                counts,
                scratch,
            );
        };
        let pool = columns.iter().map(|&column| self.dataset.bits(column as usize)).enumerate();
        let view = View::new(self.kernel, self.layout(), Some(&rows), pool, scratch);
        let mut room = scratch.room();
        let sets = grid.left.len() as u128 * grid.right.len() as u128;
        let view = view.squeeze(sets, &mut room, scratch);
        view.grid(&places(grid.left), &places(grid.right), counts, scratch);
        drop(view);
        scratch.give_back(room);
    }
}

/// Hands over the counts of one base, in runs that grow.
struct Telling<'a> {
    told: usize,
    run: usize,
    tested: usize,
    answer: &'a mut dyn FnMut(usize, &[Count]) -> ControlFlow<()>,
}

impl Telling<'_> {
    fn tell(&mut self, counts: &[Count]) -> ControlFlow<()> {
        let fresh = counts.len().saturating_sub(self.told.max(self.tested));
        if fresh < self.run {
            return ControlFlow::Continue(());
        }
        self.run = (self.run * 2).min(LONGEST_RUN);
        self.finish(counts)
    }

    fn finish(&mut self, counts: &[Count]) -> ControlFlow<()> {
        let from = std::mem::replace(&mut self.told, counts.len());
        if from < counts.len() { (self.answer)(from, counts) } else { ControlFlow::Continue(()) }
    }
}

impl Counter for LocalCounter<'_> {
    fn rows(&self) -> Count {
        self.rows
    }

    fn count(&self, batch: &Batch<'_>, answer: &Answer<'_>) {
        let everywhere = || Cow::Owned(self.layout().full());
        let pool: Vec<Cow<'_, [Block]>> =
            batch.pool.iter().map(|member| self.rows_of(member, None).unwrap_or_else(everywhere)).collect();
        let alone = batch.bases.len() < rayon::current_num_threads();
        let count = |scratch: &mut Scratch, (number, base): (usize, &Base<'_>)| {
            let mut answer = |from: usize, counts: &[Count]| answer(number, from, counts);
            // A base that needs no more is done.
            let _ = self.count_base(*base, &pool, batch.family, alone, scratch, &mut answer);
        };
        if alone {
            let mut scratch = Scratch::default();
            batch.bases.iter().enumerate().for_each(|base| count(&mut scratch, base));
        } else {
            batch.bases.par_iter().enumerate().for_each_init(Scratch::default, count);
        }
    }

    fn configurations(
        &self,
        terms: &[Candidate],
        further: &[Candidate],
        answer: &ConfigurationAnswer<'_>,
    ) -> Configurations {
        let everywhere = self.layout().full();
        let counted = self.mask.as_deref().unwrap_or(&everywhere);
        let rows_of = |term: &Candidate| self.rows_of(term, Some(counted)).unwrap_or(Cow::Borrowed(counted));
        let bitmaps: Vec<Cow<'_, [Block]>> = terms.iter().map(rows_of).collect();
        let grouped = Grouped::new(self.layout(), counted, &bitmaps, !further.is_empty());
        further.par_iter().enumerate().for_each_init(Vec::new, |counts, (number, candidate)| {
            grouped.count(&rows_of(candidate), counts);
            answer(number, &grouped.configurations, counts);
        });
        grouped.configurations
    }

    fn grids(&self, grids: &[Grid<'_>], answer: &GridAnswer<'_>) {
        let init = || (Scratch::default(), Vec::new());
        // An answer that breaks off ends it all, which is no error.
        let _ = grids.par_iter().enumerate().try_for_each_init(init, |(scratch, counts), (number, grid)| {
            self.count_grid(grid, counts, scratch);
            answer(number, counts)
        });
    }
}
