//! Strata of covariates, on which every table is conditioned.
//!
//! A stratum is a combination of the covariates' values that occurs in the data. An attribute with four values gives
//! four strata, regardless of the number of its columns. The counts within a stratum follow by inclusion and
//! exclusion from the counts of conjunctions of covariates, so that a [`Counter`] needs no support for strata.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{Base, Batch, Configurations, Count, Counter, Family, Grid, into_inner, lock};
use crate::dataset::{Candidate, Literal};
use crate::error::Error;

/// The largest number of strata. With more, each stratum would have too few rows for a test.
pub const MOST_STRATA: usize = 64;

/// The largest number of covariates that may be 1 in one row, because all 2^n conjunctions of them are counted.
const MOST_AT_ONCE: usize = 8;

/// The strata of the covariates, and how to compute the counts within them.
#[derive(Clone, Debug)]
pub struct Strata {
    /// The conjunctions of covariates that hold in at least one row, the empty one first.
    conjunctions: Vec<Candidate>,
    /// For each stratum, the indices of the conjunctions to add and of those to subtract.
    terms: Vec<(Vec<usize>, Vec<usize>)>,
    rows: Vec<Count>,
}

/// Receives the counts of one base in every stratum; see [`OnCounts`](super::OnCounts) for the arguments.
pub type OnStrataCounts<'a> = dyn Fn(usize, usize, &[&[Count]]) -> ControlFlow<()> + Sync + 'a;

/// Receives the counts of one grid in every stratum.
pub type OnStrataGrid<'a> = dyn Fn(usize, &[&[Count]]) -> ControlFlow<()> + Sync + 'a;

impl Strata {
    /// One stratum of all rows.
    pub fn unstratified(counter: &dyn Counter) -> Self {
        let (conjunctions, terms) = (vec![Candidate::default()], vec![(vec![0], Vec::new())]);
        Self { conjunctions, terms, rows: vec![counter.rows()] }
    }

    /// The strata of these columns. Fails if there are too many.
    pub fn new(counter: &dyn Counter, covariates: &[u32]) -> Result<Self, Error> {
        let columns: Vec<Candidate> = covariates.iter().copied().map(Candidate::single).collect();
        let varies = |count: Count| count.total() > 0 && count != counter.rows();
        let counts = counter.counts(&columns)?;
        let columns: Vec<Candidate> = columns
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| varies(*count))
            .map(|(column, _)| column)
            .collect();
        if columns.is_empty() {
            return Ok(Self::unstratified(counter));
        }
        let configurations: Configurations = counter.configurations_of(&columns)?;
        let conjunction = |number: usize| {
            Candidate::new(configurations.held(number).flat_map(|term| columns[term].literals().to_vec()))
        };
        let occurring: Vec<Candidate> = (0..configurations.len()).map(conjunction).collect();
        let at_once = occurring.iter().map(Candidate::level).max().unwrap_or(0);
        if occurring.len() > MOST_STRATA || at_once > MOST_AT_ONCE {
            let strata = occurring.len();
            return Err(Error::TooManyStrata { strata, most: MOST_STRATA, most_at_once: MOST_AT_ONCE });
        }
        let conjunctions: BTreeSet<Candidate> = occurring.iter().flat_map(subsets).collect();
        let conjunctions: Vec<Candidate> = conjunctions.into_iter().collect();
        let terms = occurring.iter().map(|stratum| inclusion_exclusion(stratum, &conjunctions)).collect();
        Ok(Self { conjunctions, terms, rows: configurations.counts().to_vec() })
    }

    /// The number of rows of each stratum.
    pub fn rows(&self) -> &[Count] {
        &self.rows
    }

    /// Announces requests for the counts of single candidates in every stratum ([`Counter::prefetch`]).
    pub fn prefetch(&self, counter: &dyn Counter, candidates: &[Candidate]) {
        let in_strata = |candidate: &Candidate| {
            self.conjunctions.iter().map(|conjunction| conjunction.join(candidate)).collect::<Vec<_>>()
        };
        counter.prefetch(&[], &candidates.iter().flat_map(in_strata).collect::<Vec<_>>());
    }

    /// The counts of each candidate in every stratum.
    pub fn counts(
        &self,
        counter: &dyn Counter,
        candidates: &[Candidate],
    ) -> Result<Vec<Box<[Count]>>, Error> {
        let bases: Vec<Base<'_>> = candidates.iter().map(Base::from).collect();
        let found: Vec<Mutex<Box<[Count]>>> = candidates.iter().map(|_| Mutex::default()).collect();
        let batch = Batch { bases: &bases, pool: &[], family: &Family::empty() };
        self.count(counter, &batch, &|base, _, counts| {
            *lock(&found[base]) = counts.iter().map(|counts| counts[0]).collect();
            ControlFlow::Continue(())
        })?;
        Ok(found.into_iter().map(into_inner).collect())
    }

    /// Counts a batch in every stratum. With one stratum, counts are delivered as the counter delivers them. With
    /// more, each base is delivered once, with all its sets.
    pub fn count(
        &self,
        counter: &dyn Counter,
        batch: &Batch<'_>,
        on_counts: &OnStrataCounts<'_>,
    ) -> Result<(), Error> {
        if self.conjunctions.len() == 1 {
            return counter.count(batch, &|base, from, counts| on_counts(base, from, &[counts]));
        }
        let each = self.conjunctions.len();
        let candidates: Vec<Candidate> = batch
            .bases
            .iter()
            .flat_map(|base| self.conjunctions.iter().map(|conjunction| conjunction.join(base.candidate)))
            .collect();
        let bases: Vec<Base<'_>> = candidates
            .iter()
            .enumerate()
            .map(|(number, candidate)| Base { candidate, ..batch.bases[number / each] })
            .collect();
        let collector = Collector::new(self);
        counter.count(&Batch { bases: &bases, ..*batch }, &|number, _, counts| {
            if counts.len() < batch.family.len() {
                return ControlFlow::Continue(());
            }
            collector.add(number, counts, &|base, strata| on_counts(base, 0, strata))
        })
    }

    /// Counts grids in every stratum.
    pub fn grids(
        &self,
        counter: &dyn Counter,
        grids: &[Grid<'_>],
        on_grid: &OnStrataGrid<'_>,
    ) -> Result<(), Error> {
        if self.conjunctions.len() == 1 {
            return counter.grids(grids, &|number, counts| on_grid(number, &[counts]));
        }
        let bases: Vec<Candidate> = grids
            .iter()
            .flat_map(|grid| self.conjunctions.iter().map(|conjunction| conjunction.join(grid.base)))
            .collect();
        let within: Vec<Grid<'_>> = bases
            .iter()
            .enumerate()
            .map(|(number, base)| Grid { base, ..grids[number / self.conjunctions.len()] })
            .collect();
        let collector = Collector::new(self);
        counter.grids(&within, &|number, counts| collector.add(number, counts, on_grid))
    }

    /// The counts in each stratum, from the counts of every conjunction of covariates.
    fn split(&self, counted: &[Vec<Count>]) -> Vec<Vec<Count>> {
        let length = counted.first().map_or(0, Vec::len);
        let sum = |which: &[usize], place: usize| {
            which.iter().fold(Count::default(), |sum, &number| sum + counted[number][place])
        };
        let stratum = |(added, subtracted): &(Vec<usize>, Vec<usize>)| {
            (0..length).map(|place| sum(added, place) - sum(subtracted, place)).collect()
        };
        self.terms.iter().map(stratum).collect()
    }
}

/// All conjunctions of subsets of the literals, including the empty one.
fn subsets(candidate: &Candidate) -> Vec<Candidate> {
    let grow = |mut found: Vec<Candidate>, &literal: &Literal| {
        let longer: Vec<Candidate> =
            found.iter().map(|part| part.join(&Candidate::single(literal))).collect();
        found.extend(longer);
        found
    };
    candidate.literals().iter().fold(vec![Candidate::default()], grow)
}

/// The conjunctions to add and to subtract for the rows in which exactly these covariates hold: those in which at
/// least these hold, minus those in which one more holds, plus those in which two more hold, and so on.
fn inclusion_exclusion(stratum: &Candidate, conjunctions: &[Candidate]) -> (Vec<usize>, Vec<usize>) {
    let includes = |other: &Candidate| stratum == other || stratum.is_part_of(other);
    let supersets = conjunctions.iter().enumerate().filter(|(_, other)| includes(other));
    let even = |(_, other): &(usize, &Candidate)| (other.level() - stratum.level()).is_multiple_of(2);
    let (added, subtracted): (Vec<_>, Vec<_>) = supersets.partition(even);
    let numbers = |terms: Vec<(usize, &Candidate)>| terms.into_iter().map(|(number, _)| number).collect();
    (numbers(added), numbers(subtracted))
}

/// Collects the counts of all conjunctions of covariates with a base.
struct Collector<'a> {
    strata: &'a Strata,
    waiting: Mutex<BTreeMap<usize, Vec<Vec<Count>>>>,
}

impl<'a> Collector<'a> {
    fn new(strata: &'a Strata) -> Self {
        Self { strata, waiting: Mutex::default() }
    }

    /// Stores the counts of one conjunction of covariates with a base. When the base is complete, delivers its counts
    /// in all strata.
    fn add(&self, number: usize, counts: &[Count], on_grid: &OnStrataGrid<'_>) -> ControlFlow<()> {
        let each = self.strata.conjunctions.len();
        let (base, place) = (number / each, number % each);
        let complete = {
            let mut waiting = lock(&self.waiting);
            let counted = waiting.entry(base).or_insert_with(|| vec![Vec::new(); each]);
            counted[place] = counts.to_vec();
            // Counts are never empty, so an empty entry is still missing.
            if counted.iter().any(Vec::is_empty) { None } else { waiting.remove(&base) }
        };
        let Some(counted) = complete else { return ControlFlow::Continue(()) };
        let strata = self.strata.split(&counted);
        on_grid(base, &strata.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
}
