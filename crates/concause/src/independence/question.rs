//! One question about the data: is X independent of the target given S, in these rows?

use super::{Outcome, Test};
use crate::count::{Base, Batch, Cells, Counter, Family, Table};
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

    /// The contingency table it asks about.
    pub fn table(&self, counter: &dyn Counter) -> Table {
        // Only the full set is wanted, but its table follows from the counts of all its subsets.
        let size = self.given.len().min(Self::MAX_GIVEN);
        let family = Family::new(0..size, size);
        let bases = [self.within.clone(), self.within.join(&self.x)];
        let bases = bases.each_ref().map(Base::from);
        let batch = Batch { bases: &bases, pool: &self.given[..size], family: &family };
        let counts = counter.tabulate(&batch);
        let (all, with) = (&counts[0], &counts[1]);
        let mut table = Table::default();
        table.fill(&family, family.len() - 1, with, &Cells::new(&family, all));
        table
    }

    /// Asks the data.
    pub fn ask(&self, counter: &dyn Counter) -> Answer {
        let table = self.table(counter);
        Answer { rows: table.rows(), outcome: self.test.assess(&table) }
    }
}
