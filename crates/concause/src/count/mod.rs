//! Counts the cases and the controls that satisfy a conjunction.
//!
//! Every contingency table of a search follows by inclusion and exclusion from the counts of conjunctions ("all of
//! these columns are 1"). A [`Counter`] therefore only counts conjunctions, in large batches: `base ∧ set` for many
//! bases and one [`Family`] of sets. The counts of disjoint subsets of the rows add up, so that threads, SIMD kernels
//! and remote engines can share one interface.
//!
//! This module does not depend on statistics.

mod configurations;
mod family;
mod grouped;
pub mod kernel;
mod literals;
mod local;
mod newest_sets;
mod ordered;
mod signs;
mod strata;
mod subset;
mod table;
mod view;
mod weighted;

use std::ops::{Add, ControlFlow, Sub};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use configurations::Configurations;
pub use family::Family;
pub use local::LocalCounter;
pub use newest_sets::NewestSets;
pub(crate) use signs::{PairCells, both_signs, complements};
pub use strata::{MOST_STRATA, Strata};
pub use table::{ContingencyTable, SetCells, Stratum, exclude_supersets};
pub use weighted::{OnSums, RowWeights, Weight};

use crate::dataset::{Candidate, Literal};
use crate::error::Error;

/// The number of rows of each class of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Count {
    /// Rows with target 1.
    pub positive: u64,
    /// Rows with target 0.
    pub negative: u64,
}

impl Count {
    /// Rows of both classes.
    pub fn total(&self) -> u64 {
        self.positive + self.negative
    }
}

impl Add for Count {
    type Output = Count;
    fn add(self, other: Count) -> Count {
        Count { positive: self.positive + other.positive, negative: self.negative + other.negative }
    }
}

impl<'a> std::iter::Sum<&'a Count> for Count {
    fn sum<I: Iterator<Item = &'a Count>>(counts: I) -> Count {
        counts.fold(Count::default(), |sum, &count| sum + count)
    }
}

impl Sub for Count {
    type Output = Count;
    fn sub(self, other: Count) -> Count {
        Count { positive: self.positive - other.positive, negative: self.negative - other.negative }
    }
}

/// A batch of counts: for every base and every set of the family, the rows in which the base and all members of the
/// set hold.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The bases: the rows to count in.
    pub bases: &'a [Base<'a>],
    /// The candidates that are the members of the sets.
    pub pool: &'a [Candidate],
    /// The sets of pool members.
    pub family: &'a Family,
}

/// The rows in which to count the sets of a family, and the sets to exclude.
#[derive(Clone, Copy, Debug)]
pub struct Base<'a> {
    /// The conjunction that selects the rows; the empty candidate selects all rows.
    pub candidate: &'a Candidate,
    /// For each member of the pool, whether to exclude the sets that contain it. Members beyond the end are included.
    pub without: &'a [bool],
    /// Sets of the largest size are excluded if their newest member is older than this.
    pub from: usize,
}

impl<'a> From<&'a Candidate> for Base<'a> {
    fn from(candidate: &'a Candidate) -> Self {
        Base { candidate, without: &[], from: 0 }
    }
}

/// A grid of counts: for every left and every right literal, the rows in which both and the base hold.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// The conjunction that selects the rows; the empty candidate selects all rows.
    pub base: &'a Candidate,
    /// The left literals: one row of the grid each.
    pub left: &'a [Literal],
    /// The right literals: one column of the grid each.
    pub right: &'a [Literal],
}

/// The number of left literals of a grid. Small enough to limit the memory for counts, large enough to reuse each right
/// literal from the caches.
pub(crate) const STRIPE: usize = 32;

/// Grids that cover all pairs of some literals. Each pairs a stripe of left literals with all literals from its first
/// on.
pub(crate) fn pair_grids<'a>(base: &'a Candidate, literals: &'a [Literal]) -> Vec<Grid<'a>> {
    let stripe = |start: usize| {
        let left = &literals[start..literals.len().min(start + STRIPE)];
        Grid { base, left, right: &literals[start..] }
    };
    (0..literals.len()).step_by(STRIPE).map(stripe).collect()
}

/// Receives the counts of a grid, row by row: `on_grid(grid, counts)`. Grids come in any order and from any thread.
/// `Break` ends the counting.
pub type OnGrid<'a> = dyn Fn(usize, &[Count]) -> ControlFlow<()> + Sync + 'a;

/// Receives the counts of a further candidate in each configuration; see [`Counter::configurations`].
pub type OnConfigurations<'a> = dyn Fn(usize, &Configurations, &[Count]) + Sync + 'a;

/// Receives the counts of a batch: `on_counts(base, from, counts)`. `counts` has the counts of the first sets of the
/// family; those from index `from` on are new. Excluded sets have the count 0. The calls for one base come in order;
/// those for different bases come in any order and from any thread. `Break` ends the counting of the base.
pub type OnCounts<'a> = dyn Fn(usize, usize, &[Count]) -> ControlFlow<()> + Sync + 'a;

/// Counts conjunctions in batches: the only access of a search to the data. A method returns an error if a remote
/// engine fails.
pub trait Counter: Send + Sync {
    /// The rows of each class.
    fn rows(&self) -> Count;

    /// Counts every set of the batch. `on_counts` may end a base early. Engines may differ in the number of sets per
    /// call, but not in the counts.
    fn count(&self, batch: &Batch<'_>, on_counts: &OnCounts<'_>) -> Result<(), Error>;

    /// Counts the grids until `on_grid` breaks.
    fn grids(&self, grids: &[Grid<'_>], on_grid: &OnGrid<'_>) -> Result<(), Error>;

    /// Groups the rows by the values of the terms, and counts each further candidate within each configuration. Calls
    /// `on_configurations(candidate, configurations, counts)` for every further candidate, in any order and from any
    /// thread.
    fn configurations(
        &self,
        terms: &[Candidate],
        further: &[Candidate],
        on_configurations: &OnConfigurations<'_>,
    ) -> Result<Configurations, Error>;

    /// Sums the weights of the rows in which a left candidate and a right literal hold, for every left candidate and
    /// every right literal from the position that is given with the left candidate.
    fn weighted_sums(
        &self,
        weights: &RowWeights,
        left: &[(Candidate, usize)],
        right: &[Literal],
        on_sums: &OnSums<'_>,
    ) -> Result<(), Error>;

    /// Announces requests for the counts of single further candidates in the configurations of the terms. An engine
    /// with a cost per request may fetch all of them in one request.
    fn prefetch(&self, _terms: &[Candidate], _further: &[Candidate]) {}

    /// The counts of one grid, row by row.
    fn grid(&self, grid: Grid<'_>) -> Result<Vec<Count>, Error> {
        let found = Mutex::default();
        self.grids(&[grid], &|_, counts| {
            *lock(&found) = counts.to_vec();
            ControlFlow::Continue(())
        })?;
        Ok(into_inner(found))
    }

    /// The configurations of some terms.
    fn configurations_of(&self, terms: &[Candidate]) -> Result<Configurations, Error> {
        self.configurations(terms, &[], &|_, _, _| ())
    }

    /// All counts of a batch: for every base, the count of every set.
    fn tabulate(&self, batch: &Batch<'_>) -> Result<Vec<Vec<Count>>, Error> {
        let found: Vec<Mutex<Vec<Count>>> = batch.bases.iter().map(|_| Mutex::default()).collect();
        self.count(batch, &|base, from, counts| {
            lock(&found[base]).extend_from_slice(&counts[from..]);
            ControlFlow::Continue(())
        })?;
        Ok(found.into_iter().map(into_inner).collect())
    }

    /// The count of each candidate, in order.
    fn counts(&self, candidates: &[Candidate]) -> Result<Vec<Count>, Error> {
        let bases: Vec<Base<'_>> = candidates.iter().map(Base::from).collect();
        let batch = Batch { bases: &bases, pool: &[], family: &Family::empty() };
        Ok(self.tabulate(&batch)?.into_iter().flatten().collect())
    }
}

/// Locks a mutex. Poisoning is ignored: rayon propagates the panic of the thread that held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of a mutex; poisoning is ignored for the same reason.
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
