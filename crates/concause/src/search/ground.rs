//! The conditioning sets that candidates are tested against.

use std::ops::Range;

use crate::count::{Batch, Cells, Counter, Family};
use crate::dataset::Candidate;

/// The most conditioning sets in one batch; more are taken in several.
const SETS_PER_BATCH: u128 = 200_000;

/// The most conditioning sets that are kept from one visit to the next; at max_k 3 each takes some 180 bytes.
const MOST_SETS_KEPT: u128 = 1_000_000;

/// The conditioning sets of a pool whose newest member is in a range, in batches: worked out when they are first
/// visited, and kept for the next visit if they are not too many.
pub(super) struct Ground<'a> {
    pool: &'a [Candidate],
    max_k: usize,
    batches: Vec<SetBatch>,
    keep: bool,
}

struct SetBatch {
    newest: Range<usize>,
    worked_out: Option<(Family, Cells)>,
}

/// The sets of one batch, and what all candidates share of their tables.
pub(super) struct Sets<'a> {
    pub pool: &'a [Candidate],
    pub family: &'a Family,
    pub cells: &'a Cells,
}

impl<'a> Ground<'a> {
    pub fn new(pool: &'a [Candidate], newest: Range<usize>, max_k: usize) -> Self {
        let keep = Family::size(newest.clone(), max_k) <= MOST_SETS_KEPT;
        let mut batches = Vec::new();
        let mut start = newest.start;
        while start < newest.end {
            let mut end = start + 1;
            let mut sets = Family::size(start..end, max_k);
            while end < newest.end && sets <= SETS_PER_BATCH {
                sets += Family::size(end..end + 1, max_k);
                end += 1;
            }
            batches.push(SetBatch { newest: start..end, worked_out: None });
            start = end;
        }
        Self { pool, max_k, batches, keep }
    }

    /// The candidates that the sets are made of.
    pub fn pool(&self) -> &'a [Candidate] {
        self.pool
    }

    /// The number of batches.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Shows the sets of one batch.
    pub fn visit(&mut self, number: usize, counter: &dyn Counter, visitor: impl FnOnce(&Sets<'_>)) {
        let batch = &mut self.batches[number];
        let pool = &self.pool[..batch.newest.end];
        let (family, cells) = batch.worked_out.get_or_insert_with(|| {
            let family = Family::new(batch.newest.clone(), self.max_k);
            let all_rows = [Candidate::default()];
            let counts = counter.tabulate(&Batch { bases: &all_rows, pool, family: &family });
            let cells = Cells::new(&family, &counts[0]);
            (family, cells)
        });
        visitor(&Sets { pool, family, cells });
        if !self.keep {
            batch.worked_out = None;
        }
    }
}
