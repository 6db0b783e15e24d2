//! Counts in bitmaps in memory, with all threads of the current rayon pool.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::grouped::Grouped;
use super::kernel::Kernel;
use super::literals::LiteralBits;
use super::ordered::{Ordered, OrderedGroups, intersect};
use super::view::{Scratch, View, count_unmasked_grid};
use super::{
    Base, Batch, Configurations, Count, Counter, Family, Grid, OnConfigurations, OnCounts, OnGrid, OnSums,
    RowWeights, lock,
};
use crate::dataset::{Block, Candidate, Dataset, Layout, Literal};
use crate::error::Error;

/// The number of sets after which counts are first delivered. It doubles after each delivery, so that a base whose
/// caller stops early costs little.
const FIRST_RUN: usize = 16;
const LONGEST_RUN: usize = 1024;

/// The number of newest members per thread and wave, if there are fewer bases than threads.
const WAVE: usize = 4;

/// The rows are ordered by the terms of a model if a configuration of one class has at least this many rows on average,
/// and if the copy of the data that this takes is not larger, in bytes.
const ROWS_OF_RUN: u64 = 16;
const MOST_ORDERED: usize = 1 << 29;

/// The times in which 64 rows are divided by a term, per column, grouped, and counted for a candidate row by row, in
/// nanoseconds. Only their ratios matter.
const DIVIDE: usize = 5;
const GROUP: usize = 1600;
const GROUP_BY_TERM: usize = 50;
const COUNT: usize = 30;

/// The largest number of terms by which the rows are divided without need. With more of them, they are ordered anew.
const OTHER_TERMS: usize = 2;

/// Counts in a [`Dataset`] in memory, in all rows or in a subset of them.
#[derive(Clone, Debug)]
pub struct LocalCounter {
    bits: Arc<LiteralBits>,
    kernel: Kernel,
    rows: Count,
    mask: Option<Vec<Block>>,
    /// The last result of [`LocalCounter::group`]. A search asks several questions about one model.
    last: Arc<Mutex<Option<GroupedBy>>>,
    /// The last order of the rows.
    ordered: Arc<Mutex<LastOrder>>,
}

/// The last order of the rows, if there is one.
#[derive(Clone, Debug, Default)]
struct LastOrder {
    ordered: Option<Arc<Ordered>>,
    /// The number of terms with which there were too many configurations for an order.
    too_many: Option<usize>,
}

/// Terms, and the rows grouped by them.
type GroupedBy = (Vec<Candidate>, Arc<Grouped>);

impl LocalCounter {
    /// Counts in this data with the fastest available kernel.
    pub fn new(dataset: &Dataset) -> Self {
        Self::with_kernel(dataset, Kernel::fastest())
    }

    /// Counts in this data with the given kernel.
    pub fn with_kernel(dataset: &Dataset, kernel: Kernel) -> Self {
        Self::of_literals(Arc::new(LiteralBits::new(dataset)), kernel)
    }

    fn of_literals(bits: Arc<LiteralBits>, kernel: Kernel) -> Self {
        let layout = bits.dataset().layout();
        let rows = Count { positive: layout.positive, negative: layout.negative };
        Self { bits, kernel, rows, mask: None, last: Arc::default(), ordered: Arc::default() }
    }

    /// A counter of the rows whose bits are 1 in the mask, for example a half-sample or a stratum. The mask is a
    /// bitmap in the layout of the data. The data is not copied.
    ///
    /// # Panics
    ///
    /// If the length of the mask differs from that of the columns.
    pub fn within(&self, mask: &[Block]) -> Self {
        let everywhere = self.bits.rows();
        assert_eq!(mask.len(), everywhere.len(), "the mask must be as long as a column");
        let mask = intersect(self.kernel, mask, self.mask.as_deref().unwrap_or(everywhere));
        let split = self.layout().positive_blocks();
        let rows = Count {
            positive: self.kernel.count(&mask[..split]),
            negative: self.kernel.count(&mask[split..]),
        };
        Self { rows, mask: Some(mask), ..Self::of_literals(self.bits.clone(), self.kernel) }
    }

    /// A counter of the rows whose bits are 0 in the mask.
    ///
    /// # Panics
    ///
    /// If the length of the mask differs from that of the columns.
    pub fn outside(&self, mask: &[Block]) -> Self {
        let flipped = |block: &Block| Block(block.0.map(|word| !word));
        self.within(&mask.iter().map(flipped).collect::<Vec<_>>())
    }

    /// The rows grouped by some terms; if asked for, with the configuration of each row.
    pub(super) fn group(&self, terms: &[Candidate], store_rows: bool) -> Arc<Grouped> {
        if let Some((_, grouped)) = lock(&self.last).as_ref().filter(|(known, _)| known == terms) {
            return grouped.clone();
        }
        let counted = self.counted();
        let rows_of = |term| self.rows_of(term, Some(&counted)).unwrap_or(Cow::Borrowed(&counted));
        let bitmaps: Vec<Cow<'_, [Block]>> = terms.iter().map(rows_of).collect();
        let grouped = Arc::new(Grouped::new(self.layout(), &counted, &bitmaps, store_rows));
        if store_rows {
            *lock(&self.last) = Some((terms.to_vec(), grouped.clone()));
        }
        grouped
    }

    /// The configurations of some terms with the rows in their order, if that saves time in counting this number of
    /// candidates, and unless there are too many configurations or too much data for that.
    fn order(&self, terms: &[Candidate], candidates: usize) -> Option<OrderedGroups> {
        let most_runs = (self.rows.total() / ROWS_OF_RUN) as usize;
        // The lock is not held while threads share the work below: one of them could come back here.
        let LastOrder { ordered: known, too_many } = lock(&self.ordered).clone();
        if self.dataset().bytes() > MOST_ORDERED || too_many.is_some_and(|too_many| terms.len() >= too_many) {
            return None;
        }
        let near = known.filter(|known| known.others(terms) <= OTHER_TERMS);
        let divisions = match &near {
            Some(near) => near.missing(terms).len(),
            None => terms.len() + usize::from(self.mask.is_some()),
        };
        let to_divide = divisions * self.dataset().columns().len() * DIVIDE;
        if to_divide > GROUP + terms.len() * GROUP_BY_TERM + candidates * COUNT {
            return None;
        }
        let new = || Arc::new(Ordered::new(self.kernel, self.dataset(), self.mask.as_deref()));
        let mut ordered = near.unwrap_or_else(new);
        for term in ordered.missing(terms) {
            ordered = Arc::new(ordered.divided_by(term)?);
            if ordered.runs() > most_runs {
                lock(&self.ordered).too_many = Some(terms.len().min(ordered.terms()));
                return None;
            }
        }
        lock(&self.ordered).ordered = Some(ordered.clone());
        Some(OrderedGroups::new(ordered, terms))
    }

    /// The data.
    pub fn dataset(&self) -> &Dataset {
        self.bits.dataset()
    }

    /// The counted rows, as a bitmap in the layout of the data.
    pub fn counted(&self) -> Vec<Block> {
        self.mask.clone().unwrap_or_else(|| self.layout().full())
    }

    /// The kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The rows in which a literal holds.
    pub(super) fn bits(&self, literal: Literal) -> &[Block] {
        self.bits.get(literal)
    }

    pub(super) fn layout(&self) -> Layout {
        self.dataset().layout()
    }

    /// The rows in which a conjunction holds, among the rows of `among`, or among all rows if that is `None`. Returns
    /// `None` for all rows.
    pub(super) fn rows_of<'b>(
        &'b self,
        candidate: &Candidate,
        among: Option<&'b [Block]>,
    ) -> Option<Cow<'b, [Block]>> {
        candidate.literals().iter().fold(among.map(Cow::Borrowed), |rows, &literal| {
            let bits = self.bits(literal);
            Some(rows.map_or(Cow::Borrowed(bits), |rows| Cow::Owned(intersect(self.kernel, &rows, bits))))
        })
    }

    /// Counts the sets of a family within one base, in the order of the family. If the base is `alone`, threads share
    /// its newest members.
    fn count_base(
        &self,
        base: Base<'_>,
        pool: &[Cow<'_, [Block]>],
        family: &Family,
        alone: bool,
        scratch: &mut Scratch,
        on_counts: &mut dyn FnMut(usize, &[Count]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let rows = self.rows_of(base.candidate, self.mask.as_deref());
        let pool = pool.iter().map(|bits| &**bits).enumerate();
        let pool = pool.filter(|(place, _)| !base.without.get(*place).copied().unwrap_or(false));
        let view = View::new(self.kernel, self.layout(), rows.as_deref(), pool, scratch);
        let mut buffer = scratch.get_buffer();
        let view = view.squeeze(family.len() as u128, &mut buffer, scratch);
        let mut counts = Vec::with_capacity(family.len());
        counts.push(view.total());
        let mut emitter = Emitter { emitted: 0, run: FIRST_RUN, tested: family.tested(), on_counts };
        // Sets that were tested before are only needed as subsets of larger sets.
        let largest = |newest: usize| {
            let largest = family.largest(newest);
            if newest < base.from { largest.min(family.max_size() - 1) } else { largest }
        };
        let fill = |newest: usize, counts: &mut Vec<Count>, scratch: &mut Scratch| {
            let end = counts.len() + family.with_newest(newest).len();
            view.count_newest(newest, largest(newest), counts, scratch);
            counts.resize(end, Count::default());
        };
        let wave = if alone { WAVE * rayon::current_num_threads() } else { 1 };
        for start in (0..family.members_end()).step_by(wave) {
            let newest = start..family.members_end().min(start + wave);
            if alone {
                let by_member: Vec<Vec<Count>> = newest
                    .into_par_iter()
                    .map_init(Scratch::default, |scratch, newest| {
                        let mut counts = Vec::new();
                        fill(newest, &mut counts, scratch);
                        counts
                    })
                    .collect();
                counts.extend(by_member.into_iter().flatten());
            } else {
                fill(start, &mut counts, scratch);
            }
            emitter.emit_when_full(&counts)?;
        }
        emitter.emit(&counts)?;
        drop(view);
        scratch.return_buffer(buffer);
        ControlFlow::Continue(())
    }

    fn count_grid(&self, grid: &Grid<'_>, counts: &mut Vec<Count>, scratch: &mut Scratch) {
        let mut literals = [grid.left, grid.right].concat();
        literals.sort_unstable();
        literals.dedup();
        let places = |wanted: &[Literal]| -> Vec<usize> {
            wanted.iter().map(|literal| literals.partition_point(|other| other < literal)).collect()
        };
        let Some(rows) = self.rows_of(grid.base, self.mask.as_deref()) else {
            let bits = |literals: &[Literal]| literals.iter().map(|&literal| self.bits(literal)).collect();
            return count_unmasked_grid(
                self.kernel,
                self.layout(),
                bits(grid.left),
                bits(grid.right),
                counts,
                scratch,
            );
        };
        let pool = literals.iter().map(|&literal| self.bits(literal)).enumerate();
        let view = View::new(self.kernel, self.layout(), Some(&rows), pool, scratch);
        let mut buffer = scratch.get_buffer();
        let sets = grid.left.len() as u128 * grid.right.len() as u128;
        let view = view.squeeze(sets, &mut buffer, scratch);
        view.count_grid(&places(grid.left), &places(grid.right), counts, scratch);
        drop(view);
        scratch.return_buffer(buffer);
    }
}

/// Delivers the counts of one base, in runs of increasing length.
struct Emitter<'a> {
    emitted: usize,
    run: usize,
    tested: usize,
    on_counts: &'a mut dyn FnMut(usize, &[Count]) -> ControlFlow<()>,
}

impl Emitter<'_> {
    fn emit_when_full(&mut self, counts: &[Count]) -> ControlFlow<()> {
        let pending = counts.len().saturating_sub(self.emitted.max(self.tested));
        if pending < self.run {
            return ControlFlow::Continue(());
        }
        self.run = (self.run * 2).min(LONGEST_RUN);
        self.emit(counts)
    }

    fn emit(&mut self, counts: &[Count]) -> ControlFlow<()> {
        let from = std::mem::replace(&mut self.emitted, counts.len());
        if from < counts.len() { (self.on_counts)(from, counts) } else { ControlFlow::Continue(()) }
    }
}

impl Counter for LocalCounter {
    fn rows(&self) -> Count {
        self.rows
    }

    fn count(&self, batch: &Batch<'_>, on_counts: &OnCounts<'_>) -> Result<(), Error> {
        let everywhere = || Cow::Borrowed(self.bits.rows());
        let pool: Vec<Cow<'_, [Block]>> =
            batch.pool.iter().map(|member| self.rows_of(member, None).unwrap_or_else(everywhere)).collect();
        let alone = batch.bases.len() < rayon::current_num_threads();
        let count = |scratch: &mut Scratch, (number, base): (usize, &Base<'_>)| {
            let mut on_counts = |from: usize, counts: &[Count]| on_counts(number, from, counts);
            // A break ends only the counting of this base.
            let _ = self.count_base(*base, &pool, batch.family, alone, scratch, &mut on_counts);
        };
        if alone {
            let mut scratch = Scratch::default();
            batch.bases.iter().enumerate().for_each(|base| count(&mut scratch, base));
        } else {
            batch.bases.par_iter().enumerate().for_each_init(Scratch::default, count);
        }
        Ok(())
    }

    fn configurations(
        &self,
        terms: &[Candidate],
        further: &[Candidate],
        on_configurations: &OnConfigurations<'_>,
    ) -> Result<Configurations, Error> {
        if let Some(ordered) = self.order(terms, further.len()) {
            further.par_iter().enumerate().for_each_init(Vec::new, |counts, (number, candidate)| {
                ordered.count(candidate, counts);
                on_configurations(number, &ordered.configurations, counts);
            });
            return Ok(ordered.configurations);
        }
        if further.is_empty() {
            return Ok(self.group(terms, false).configurations.clone());
        }
        let grouped = self.group(terms, true);
        let counted = self.counted();
        further.par_iter().enumerate().for_each_init(Vec::new, |counts, (number, candidate)| {
            let rows = self.rows_of(candidate, Some(&counted)).unwrap_or(Cow::Borrowed(&counted));
            grouped.count(&rows, counts);
            on_configurations(number, &grouped.configurations, counts);
        });
        Ok(grouped.configurations.clone())
    }

    fn weighted_sums(
        &self,
        weights: &RowWeights,
        left: &[(Candidate, usize)],
        right: &[Literal],
        on_sums: &OnSums<'_>,
    ) -> Result<(), Error> {
        self.sum_weights(weights, left, right, on_sums);
        Ok(())
    }

    fn grids(&self, grids: &[Grid<'_>], on_grid: &OnGrid<'_>) -> Result<(), Error> {
        let init = || (Scratch::default(), Vec::new());
        // A break ends the counting. It is not an error.
        let _ = grids.par_iter().enumerate().try_for_each_init(init, |(scratch, counts), (number, grid)| {
            self.count_grid(grid, counts, scratch);
            on_grid(number, counts)
        });
        Ok(())
    }
}
