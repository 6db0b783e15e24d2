//! One question about the data: is X independent of the target given S, in these rows?

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{Outcome, Test};
use crate::count::{Base, Batch, Cells, Count, Counter, Family, Strata, Table, into_inner, lock};
use crate::dataset::Candidate;

/// Is X independent of the target given S, in the rows in which `within` holds?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// X: a column or a conjunction.
    pub x: Candidate,
    /// S: columns or conjunctions.
    pub given: Vec<Candidate>,
    /// Only rows in which this holds count; the empty candidate means all.
    pub within: Candidate,
    /// The test to apply.
    pub test: Test,
}

/// What the data says.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The rows that counted.
    pub rows: u64,
    /// The figures of the test.
    pub outcome: Outcome,
}

impl Question {
    /// The largest conditioning set that can be asked about: its table has 2^(k+2) cells.
    pub const MAX_GIVEN: usize = 16;

    /// The contingency table it asks about, in the strata of covariates one after the other.
    pub fn table(&self, counter: &dyn Counter, strata: &Strata) -> Table {
        // Only the full set is wanted, but its table follows from the counts of all its subsets.
        let size = self.given.len().min(Self::MAX_GIVEN);
        let family = Family::new(0..size, size);
        let bases = [self.within.clone(), self.within.join(&self.x)];
        let bases = bases.each_ref().map(Base::from);
        let batch = Batch { bases: &bases, pool: &self.given[..size], family: &family };
        let found: [Mutex<Vec<Vec<Count>>>; 2] = Default::default();
        strata.count(counter, &batch, &|base, _, counts| {
            *lock(&found[base]) = counts.iter().map(|counts| counts.to_vec()).collect();
            ControlFlow::Continue(())
        });
        let found = found.map(into_inner);
        let [all, with] = found.each_ref().map(|counts| counts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let mut table = Table::default();
        table.fill(&family, family.len() - 1, &with, &Cells::new(&family, &all));
        table
    }

    /// Asks the data, with covariates held fixed beside S, or none ([`Strata::whole`]).
    pub fn ask(&self, counter: &dyn Counter, strata: &Strata) -> Answer {
        let table = self.table(counter, strata);
        Answer { rows: table.rows(), outcome: self.test.assess(&table) }
    }
}
