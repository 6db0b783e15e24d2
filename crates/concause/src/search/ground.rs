//! The conditioning sets that candidates are tested against.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

use crate::count::{Base, Batch, Cells, Counter, Family, Strata, into_inner, lock};
use crate::dataset::Candidate;
use crate::independence::Judge;

/// The conditioning sets in the first batch, for each candidate, and the most in any: most candidates are separated by
/// one of the first sets, so later ones are worked out only if there are candidates left.
const FIRST_BATCH: u128 = 64;
const LARGEST_BATCH: u128 = 200_000;

/// The most conditioning sets that are kept from one visit to the next; at max_k 3 each takes some 180 bytes.
const MOST_SETS_KEPT: u128 = 1_000_000;

/// The conditioning sets of a pool whose newest member is in a range, in batches: worked out when they are first
/// visited; as many of the first as memory allows are kept for the next visit.
pub(super) struct Ground<'a> {
    pool: &'a [Candidate],
    max_k: usize,
    batches: Vec<SetBatch>,
}

struct SetBatch {
    newest: Range<usize>,
    keep: bool,
    worked_out: Option<WorkedOut>,
}

struct WorkedOut {
    family: Family,
    cells: Cells,
    margins: Vec<f64>,
}

/// The sets of one batch, and what all candidates share of their tables.
pub(super) struct Sets<'a> {
    /// The number of the batch.
    pub number: usize,
    pub pool: &'a [Candidate],
    pub family: &'a Family,
    pub cells: &'a Cells,
    /// What the strata of each set add to the statistic of any candidate ([`Judge::margin`]).
    pub margins: &'a [f64],
}

impl<'a> Ground<'a> {
    pub fn new(pool: &'a [Candidate], newest: Range<usize>, max_k: usize, candidates: usize) -> Self {
        let mut batches = Vec::new();
        let mut limit = (FIRST_BATCH * candidates.max(1) as u128).min(LARGEST_BATCH);
        let mut total = 0;
        let mut start = newest.start;
        while start < newest.end {
            let mut end = start + 1;
            let mut sets = Family::size(start..end, max_k);
            while end < newest.end && sets < limit {
                sets += Family::size(end..end + 1, max_k);
                end += 1;
            }
            total += sets;
            batches.push(SetBatch { newest: start..end, keep: total <= MOST_SETS_KEPT, worked_out: None });
            limit = (8 * limit).min(LARGEST_BATCH);
            start = end;
        }
        Self { pool, max_k, batches }
    }

    /// The number of batches.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Shows the sets of one batch.
    pub fn visit(
        &mut self,
        number: usize,
        counter: &dyn Counter,
        strata: &Strata,
        judge: &Judge,
        visitor: impl FnOnce(&Sets<'_>),
    ) {
        let batch = &mut self.batches[number];
        let pool = &self.pool[..batch.newest.end];
        let WorkedOut { family, cells, margins } = batch.worked_out.get_or_insert_with(|| {
            let family = Family::new(batch.newest.clone(), self.max_k);
            let all_rows = Candidate::default();
            let batch = Batch { bases: &[Base::from(&all_rows)], pool, family: &family };
            let cells = Mutex::default();
            strata.count(counter, &batch, &|_, _, counts| {
                if counts[0].len() == family.len() {
                    *lock(&cells) = Cells::new(&family, counts);
                }
                ControlFlow::Continue(())
            });
            let cells = into_inner(cells);
            let margins = cells.all().iter().map(|&all| judge.margin(all)).collect();
            WorkedOut { family, cells, margins }
        });
        visitor(&Sets { number, pool, family, cells, margins });
        if !batch.keep {
            batch.worked_out = None;
        }
    }
}
