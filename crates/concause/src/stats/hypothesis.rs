//! A hypothesis of conditional independence, X ⟂ T | S, in all rows or in a subset of them.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{Test, TestOutcome};
use crate::count::{
    Base, Batch, ContingencyTable, Count, Counter, Family, SetCells, Strata, into_inner, lock,
};
use crate::dataset::Candidate;
use crate::error::Error;

/// X is independent of the target given S, in the rows in which `within` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hypothesis {
    /// X: a column or a conjunction.
    pub x: Candidate,
    /// S: columns or conjunctions.
    pub given: Vec<Candidate>,
    /// The conjunction that selects the rows; the empty candidate selects all rows.
    pub within: Candidate,
    /// The test to apply.
    pub test: Test,
}

/// The result of testing a [`Hypothesis`].
#[derive(Clone, Debug, PartialEq)]
pub struct HypothesisResult {
    /// The number of rows used.
    pub rows: u64,
    /// The outcome of the test.
    pub outcome: TestOutcome,
}

impl Hypothesis {
    /// The largest conditioning set: its table has 2^(k+2) cells.
    pub const MAX_GIVEN: usize = 16;

    /// The contingency table of the hypothesis, one stratum of the covariates after the other.
    pub fn table(&self, counter: &dyn Counter, strata: &Strata) -> Result<ContingencyTable, Error> {
        // The table given the full set follows from the counts of all its subsets.
        let size = self.given.len().min(Self::MAX_GIVEN);
        let family = Family::new(0..size, size);
        let bases = [self.within.clone(), self.within.join(&self.x)];
        let bases = bases.each_ref().map(Base::from);
        let batch = Batch { bases: &bases, pool: &self.given[..size], family: &family };
        let found: [Mutex<Vec<Vec<Count>>>; 2] = Default::default();
        strata.count(counter, &batch, &|base, _, counts| {
            *lock(&found[base]) = counts.iter().map(|counts| counts.to_vec()).collect();
            ControlFlow::Continue(())
        })?;
        let found = found.map(into_inner);
        let [all, with] = found.each_ref().map(|counts| counts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let mut table = ContingencyTable::default();
        table.fill(&family, family.len() - 1, &with, &SetCells::new(&family, &all));
        Ok(table)
    }

    /// Tests the hypothesis at level alpha within the strata of covariates; without covariates, use
    /// [`Strata::unstratified`].
    pub fn test_in(
        &self,
        counter: &dyn Counter,
        strata: &Strata,
        alpha: f64,
    ) -> Result<HypothesisResult, Error> {
        let table = self.table(counter, strata)?;
        Ok(HypothesisResult { rows: table.rows(), outcome: self.test.assess(&table, alpha) })
    }
}
