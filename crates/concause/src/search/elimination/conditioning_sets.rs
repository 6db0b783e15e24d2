//! The conditioning sets that candidates are tested against.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

use crate::count::{Base, Batch, Counter, Family, SetCells, Strata, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::stats::DecisionRule;

/// The number of conditioning sets per candidate in the first batch. It is small because one of the first sets
/// separates most candidates; later batches are counted only for the remaining ones.
const FIRST_BATCH: u128 = 64;

/// The largest number of conditioning sets in a batch.
const LARGEST_BATCH: u128 = 200_000;

/// The largest number of conditioning sets that are cached between visits; at max_k 3 each takes about 180 bytes.
const MOST_SETS_CACHED: u128 = 1_000_000;

/// The conditioning sets of a pool whose newest member is in a range, in batches. A batch is counted when it is first
/// visited. The first batches, up to [`MOST_SETS_CACHED`] sets, are cached for later visits.
pub(crate) struct ConditioningSets<'a> {
    pool: &'a [Candidate],
    max_k: usize,
    batches: Vec<SetBatch>,
}

struct SetBatch {
    newest: Range<usize>,
    is_cached: bool,
    counted: Option<CountedBatch>,
}

struct CountedBatch {
    family: Family,
    cells: SetCells,
    margins: Vec<f64>,
}

/// One batch of conditioning sets, with the counts that the tables of all candidates share.
pub(crate) struct VisitedBatch<'a> {
    /// The index of the batch.
    pub number: usize,
    pub pool: &'a [Candidate],
    pub family: &'a Family,
    pub cells: &'a SetCells,
    /// The contribution of the strata of each set to the statistic of every candidate ([`DecisionRule::margin`]).
    pub margins: &'a [f64],
}

impl<'a> ConditioningSets<'a> {
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
            batches.push(SetBatch {
                newest: start..end,
                is_cached: total <= MOST_SETS_CACHED,
                counted: None,
            });
            limit = (8 * limit).min(LARGEST_BATCH);
            start = end;
        }
        Self { pool, max_k, batches }
    }

    /// The number of batches.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Passes one batch to a visitor; counts it first unless it is cached.
    pub fn visit(
        &mut self,
        number: usize,
        counter: &dyn Counter,
        strata: &Strata,
        decision_rule: &DecisionRule,
        visitor: impl FnOnce(&VisitedBatch<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let batch = &mut self.batches[number];
        let pool = &self.pool[..batch.newest.end];
        let counted = match batch.counted.take() {
            Some(counted) => counted,
            None => {
                let family = Family::new(batch.newest.clone(), self.max_k);
                count_batch(family, pool, counter, strata, decision_rule)?
            }
        };
        let CountedBatch { family, cells, margins } = &counted;
        visitor(&VisitedBatch { number, pool, family, cells, margins })?;
        batch.counted = batch.is_cached.then_some(counted);
        Ok(())
    }
}

fn count_batch(
    family: Family,
    pool: &[Candidate],
    counter: &dyn Counter,
    strata: &Strata,
    decision_rule: &DecisionRule,
) -> Result<CountedBatch, Error> {
    let all_rows = Candidate::default();
    let batch = Batch { bases: &[Base::from(&all_rows)], pool, family: &family };
    let cells = Mutex::default();
    strata.count(counter, &batch, &|_, _, counts| {
        if counts[0].len() == family.len() {
            *lock(&cells) = SetCells::new(&family, counts);
        }
        ControlFlow::Continue(())
    })?;
    let cells: SetCells = into_inner(cells);
    let margins = cells.all_cells().iter().map(|&all| decision_rule.margin(all)).collect();
    Ok(CountedBatch { family, cells, margins })
}
