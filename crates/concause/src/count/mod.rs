//! Counts over bitmaps: how many cases and how many controls satisfy a conjunction.
//!
//! Every contingency table of a search follows from the counts of conjunctions ("all of these columns are 1")
//! by inclusion and exclusion, so that is all a [`Counter`] is asked for, in large batches: the counts of
//! `base ∧ set` for many bases and one [`Family`] of sets. Such counts over parts of the rows add up, which is
//! what lets threads, SIMD kernels and remote engines stand behind the same door.
//!
//! This module knows nothing of p-values.

mod family;
pub mod kernel;
mod local;
mod table;

use std::ops::{Add, ControlFlow, Sub};
use std::sync::{Mutex, PoisonError};

pub use family::Family;
pub use local::LocalCounter;
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
    /// The conjunctions to count within; the empty candidate means all rows.
    pub bases: &'a [Candidate],
    /// What the members of the family's sets stand for.
    pub pool: &'a [Candidate],
    /// The sets of pool members, of which every subset is a set of the family too.
    pub family: &'a Family,
}

/// Takes the answers of a batch: `answer(base, from, counts)` gives the counts of the family's first sets, of
/// which those from number `from` on are new. The calls for one base come in order; those for different bases
/// in any order and from any thread. `Break` says that no more is needed for this base.
pub type Answer<'a> = dyn Fn(usize, usize, &[Count]) -> ControlFlow<()> + Sync + 'a;

/// Answers batches of count queries; the one door through which a search sees the data.
pub trait Counter: Sync {
    /// The rows of each class.
    fn rows(&self) -> Count;

    /// Answers every query of the batch; `answer` may stop a base early, and an engine may answer in larger
    /// steps than another, but never with other numbers.
    fn count(&self, batch: &Batch<'_>, answer: &Answer<'_>);

    /// All counts of a batch: for every base those of every set.
    fn tabulate(&self, batch: &Batch<'_>) -> Vec<Vec<Count>> {
        let found: Vec<Mutex<Vec<Count>>> = batch.bases.iter().map(|_| Mutex::default()).collect();
        self.count(batch, &|base, from, counts| {
            // A lock is only poisoned by a panic, which the engine passes on.
            found[base].lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&counts[from..]);
            ControlFlow::Continue(())
        });
        found.into_iter().map(|counts| counts.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// The counts of single conjunctions, in order.
    fn counts(&self, candidates: &[Candidate]) -> Vec<Count> {
        let batch = Batch { bases: candidates, pool: &[], family: &Family::empty() };
        self.tabulate(&batch).into_iter().flatten().collect()
    }
}
