//! Counts over bitmaps: how many cases and how many controls satisfy a conjunction.
//!
//! Every contingency table of a search follows from the counts of conjunctions ("all of these columns are 1")
//! by inclusion and exclusion, so that is all a [`Counter`] is asked for, in large batches: the counts of
//! `base ∧ set` for many bases and one [`Family`] of sets. Such counts over parts of the rows add up, which is
//! what lets threads, SIMD kernels and remote engines stand behind the same door.
//!
//! This module knows nothing of p-values.

mod configurations;
mod copied;
pub mod elsewhere;
mod family;
mod grouped;
pub mod kernel;
mod local;
mod strata;
mod table;
mod view;

use std::ops::{Add, ControlFlow, Sub};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use configurations::Configurations;
pub use family::Family;
pub use local::LocalCounter;
pub use strata::{MOST_STRATA, Strata};
pub(crate) use table::exclude_supersets;
pub use table::{Cells, Stratum, Table};

use crate::dataset::Candidate;

/// How many rows there are in each class of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// A batch of count queries: for every base, the rows in which the base and all members of a set hold, for
/// every set of the family.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// What to count within.
    pub bases: &'a [Base<'a>],
    /// What the members of the family's sets stand for.
    pub pool: &'a [Candidate],
    /// The sets of pool members, of which every subset is a set of the family too.
    pub family: &'a Family,
}

/// The rows to count the sets of a family within, and which of the sets.
#[derive(Clone, Copy, Debug)]
pub struct Base<'a> {
    /// The conjunction that holds in these rows; the empty candidate means all rows.
    pub candidate: &'a Candidate,
    /// By member of the pool: sets with such a member are not wanted. Members beyond the end are.
    pub without: &'a [bool],
    /// Sets of the largest size are wanted only if their newest member is not older than this.
    pub from: usize,
}

impl<'a> From<&'a Candidate> for Base<'a> {
    fn from(candidate: &'a Candidate) -> Self {
        Base { candidate, without: &[], from: 0 }
    }
}

/// A query for the rows in which the base, a left and a right column hold, for every left and right column.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// What to count within; the empty candidate means all rows.
    pub base: &'a Candidate,
    /// The columns of the rows of the grid.
    pub left: &'a [u32],
    /// The columns of its columns.
    pub right: &'a [u32],
}

/// Takes the answers to grids, `answer(grid, counts)`, row by row, in any order and from any
/// thread. `Break` says that no more is needed.
pub type GridAnswer<'a> = dyn Fn(usize, &[Count]) -> ControlFlow<()> + Sync + 'a;

/// Takes the counts of a further candidate in each configuration; see [`Counter::configurations`].
pub type ConfigurationAnswer<'a> = dyn Fn(usize, &Configurations, &[Count]) + Sync + 'a;

/// Takes the answers of a batch: `answer(base, from, counts)` gives the counts of the family's first sets, of
/// which those from number `from` on are new; sets that are not wanted come as 0. The calls for one base come in order; those for different bases
/// in any order and from any thread. `Break` says that no more is needed for this base.
pub type Answer<'a> = dyn Fn(usize, usize, &[Count]) -> ControlFlow<()> + Sync + 'a;

/// Answers batches of count queries; the one door through which a search sees the data.
pub trait Counter: Sync {
    /// The rows of each class.
    fn rows(&self) -> Count;

    /// Answers every query of the batch; `answer` may stop a base early, and an engine may answer in larger
    /// steps than another, but never with other numbers.
    fn count(&self, batch: &Batch<'_>, answer: &Answer<'_>);

    /// Answers every grid, or as many as are wanted.
    fn grids(&self, grids: &[Grid<'_>], answer: &GridAnswer<'_>);

    /// Groups the rows by which of the terms hold in them, and hands over, for every further candidate, in how many
    /// rows of each configuration it holds: `answer(candidate, configurations, counts)`, in any order and from any
    /// thread.
    fn configurations(
        &self,
        terms: &[Candidate],
        further: &[Candidate],
        answer: &ConfigurationAnswer<'_>,
    ) -> Configurations;

    /// Says that the counts of the further candidates, and those in the configurations of the terms, will be asked for one
    /// by one: whoever pays for every question may ask for all of them at once.
    fn foresee(&self, _terms: &[Candidate], _further: &[Candidate]) {}

    /// The counts of one grid, row by row.
    fn grid(&self, grid: Grid<'_>) -> Vec<Count> {
        let found = Mutex::default();
        self.grids(&[grid], &|_, counts| {
            *lock(&found) = counts.to_vec();
            ControlFlow::Continue(())
        });
        into_inner(found)
    }

    /// All counts of a batch: for every base those of every set.
    fn tabulate(&self, batch: &Batch<'_>) -> Vec<Vec<Count>> {
        let found: Vec<Mutex<Vec<Count>>> = batch.bases.iter().map(|_| Mutex::default()).collect();
        self.count(batch, &|base, from, counts| {
            lock(&found[base]).extend_from_slice(&counts[from..]);
            ControlFlow::Continue(())
        });
        found.into_iter().map(into_inner).collect()
    }

    /// The counts of single conjunctions, in order.
    fn counts(&self, candidates: &[Candidate]) -> Vec<Count> {
        let bases: Vec<Base<'_>> = candidates.iter().map(Base::from).collect();
        let batch = Batch { bases: &bases, pool: &[], family: &Family::empty() };
        self.tabulate(&batch).into_iter().flatten().collect()
    }
}

impl<C: Counter + ?Sized> Counter for &C {
    fn rows(&self) -> Count {
        (**self).rows()
    }

    fn count(&self, batch: &Batch<'_>, answer: &Answer<'_>) {
        (**self).count(batch, answer);
    }

    fn grids(&self, grids: &[Grid<'_>], answer: &GridAnswer<'_>) {
        (**self).grids(grids, answer);
    }

    fn configurations(
        &self,
        terms: &[Candidate],
        further: &[Candidate],
        answer: &ConfigurationAnswer<'_>,
    ) -> Configurations {
        (**self).configurations(terms, further, answer)
    }

    fn foresee(&self, terms: &[Candidate], further: &[Candidate]) {
        (**self).foresee(terms, further);
    }
}

/// A lock is only poisoned by a panic of the thread that held it, and that panic is passed on by the engine.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the lock holds, likewise.
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
