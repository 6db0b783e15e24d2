//! Rows split by covariates, which are held fixed in every table.
//!
//! A stratum is a combination of the covariates' values that occurs in the data, so that an attribute of four values
//! gives four strata, whatever the number of its columns. The counts within it follow by inclusion and exclusion from
//! those of conjunctions of covariates, which is all that a [`Counter`] has to know.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{Base, Batch, Count, Counter, Family, Grid, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;

/// The most strata; more leave too few rows to each to find anything out.
pub const MOST_STRATA: usize = 64;

/// The most covariates that may hold in one row: the conjunctions of all of them are counted.
const MOST_AT_ONCE: usize = 8;

/// The rows of each combination of covariates.
#[derive(Clone, Debug)]
pub struct Strata {
    /// The conjunctions of covariates that hold in some row, the empty one first.
    asked: Vec<Candidate>,
    /// For each stratum which of them are to be added, and which to be taken away.
    terms: Vec<(Vec<usize>, Vec<usize>)>,
    rows: Vec<Count>,
}

/// Takes the counts of one base in every stratum: `answer(base, from, counts)`, as
/// [`Answer`](super::Answer) does.
pub type StrataAnswer<'a> = dyn Fn(usize, usize, &[&[Count]]) -> ControlFlow<()> + Sync + 'a;

/// Takes the counts of one grid in every stratum.
pub type StrataGridAnswer<'a> = dyn Fn(usize, &[&[Count]]) -> ControlFlow<()> + Sync + 'a;

impl Strata {
    /// All rows together.
    pub fn whole(counter: &dyn Counter) -> Self {
        let (asked, terms) = (vec![Candidate::default()], vec![(vec![0], Vec::new())]);
        Self { asked, terms, rows: vec![counter.rows()] }
    }

    /// The strata of these columns, unless these are too many.
    pub fn new(counter: &dyn Counter, covariates: &[u32]) -> Result<Self, Error> {
        let columns: Vec<Candidate> = covariates.iter().copied().map(Candidate::single).collect();
        let varies = |count: Count| count.total() > 0 && count != counter.rows();
        let counts = counter.counts(&columns);
        let columns: Vec<Candidate> =
            columns.into_iter().zip(counts).filter(|(_, count)| varies(*count)).map(|(it, _)| it).collect();
        if columns.is_empty() {
            return Ok(Self::whole(counter));
        }
        let configurations = counter.configurations(&columns, &[], &|_, _, _| ());
        let held = |number: usize| {
            Candidate::new(
                configurations.held(number).flat_map(|term| columns[term].columns().to_vec()).collect(),
            )
        };
        let occurring: Vec<Candidate> = (0..configurations.len()).map(held).collect();
        let at_once = occurring.iter().map(Candidate::level).max().unwrap_or(0);
        if occurring.len() > MOST_STRATA || at_once > MOST_AT_ONCE {
            return Err(Error::TooManyStrata { strata: occurring.len() });
        }
        let asked: BTreeSet<Candidate> = occurring.iter().flat_map(parts).collect();
        let asked: Vec<Candidate> = asked.into_iter().collect();
        let terms = occurring.iter().map(|stratum| terms(stratum, &asked)).collect();
        Ok(Self { asked, terms, rows: configurations.counts().to_vec() })
    }

    /// The rows of each stratum.
    pub fn rows(&self) -> &[Count] {
        &self.rows
    }

    /// Says that the counts of candidates in every stratum will be asked for one by one.
    pub fn foresee(&self, counter: &dyn Counter, candidates: &[Candidate]) {
        let in_strata =
            |candidate: &Candidate| self.asked.iter().map(|part| part.join(candidate)).collect::<Vec<_>>();
        counter.foresee(&[], &candidates.iter().flat_map(in_strata).collect::<Vec<_>>());
    }

    /// The counts of each candidate in every stratum.
    pub fn counts(&self, counter: &dyn Counter, candidates: &[Candidate]) -> Vec<Box<[Count]>> {
        let bases: Vec<Base<'_>> = candidates.iter().map(Base::from).collect();
        let found: Vec<Mutex<Box<[Count]>>> = candidates.iter().map(|_| Mutex::default()).collect();
        let batch = Batch { bases: &bases, pool: &[], family: &Family::empty() };
        self.count(counter, &batch, &|base, _, counts| {
            *lock(&found[base]) = counts.iter().map(|counts| counts[0]).collect();
            ControlFlow::Continue(())
        });
        found.into_iter().map(into_inner).collect()
    }

    /// Answers a batch in every stratum. With a single stratum the answers come as the counter gives them; with more
    /// of them a base is answered once, in full.
    pub fn count(&self, counter: &dyn Counter, batch: &Batch<'_>, answer: &StrataAnswer<'_>) {
        if self.asked.len() == 1 {
            counter.count(batch, &|base, from, counts| answer(base, from, &[counts]));
            return;
        }
        let each = self.asked.len();
        let candidates: Vec<Candidate> = batch
            .bases
            .iter()
            .flat_map(|base| self.asked.iter().map(|part| part.join(base.candidate)))
            .collect();
        let bases: Vec<Base<'_>> = candidates
            .iter()
            .enumerate()
            .map(|(number, candidate)| Base { candidate, ..batch.bases[number / each] })
            .collect();
        let gathered = Gathered::new(self);
        counter.count(&Batch { bases: &bases, ..*batch }, &|number, _, counts| {
            if counts.len() < batch.family.len() {
                return ControlFlow::Continue(());
            }
            gathered.take(number, counts, &|base, strata| answer(base, 0, strata))
        });
    }

    /// Answers grids in every stratum.
    pub fn grids(&self, counter: &dyn Counter, grids: &[Grid<'_>], answer: &StrataGridAnswer<'_>) {
        if self.asked.len() == 1 {
            counter.grids(grids, &|number, counts| answer(number, &[counts]));
            return;
        }
        let bases: Vec<Candidate> =
            grids.iter().flat_map(|grid| self.asked.iter().map(|part| part.join(grid.base))).collect();
        let within: Vec<Grid<'_>> = bases
            .iter()
            .enumerate()
            .map(|(number, base)| Grid { base, ..grids[number / self.asked.len()] })
            .collect();
        let gathered = Gathered::new(self);
        counter.grids(&within, &|number, counts| gathered.take(number, counts, answer));
    }

    /// The counts in each stratum, from those of every conjunction that was asked for.
    fn split(&self, asked: &[Vec<Count>]) -> Vec<Vec<Count>> {
        let length = asked.first().map_or(0, Vec::len);
        let sum = |which: &[usize], place: usize| {
            which.iter().fold(Count::default(), |sum, &number| sum + asked[number][place])
        };
        let stratum = |(add, take): &(Vec<usize>, Vec<usize>)| {
            (0..length).map(|place| sum(add, place) - sum(take, place)).collect()
        };
        self.terms.iter().map(stratum).collect()
    }
}

/// All conjunctions of some of the columns, the empty one included.
fn parts(candidate: &Candidate) -> Vec<Candidate> {
    let grow = |mut found: Vec<Candidate>, &column: &u32| {
        let longer: Vec<Candidate> = found.iter().map(|part| part.join(&Candidate::single(column))).collect();
        found.extend(longer);
        found
    };
    candidate.columns().iter().fold(vec![Candidate::default()], grow)
}

/// Exactly these columns of the covariates hold: all rows in which they do, less those with one more, and so on.
fn terms(stratum: &Candidate, asked: &[Candidate]) -> (Vec<usize>, Vec<usize>) {
    let holds = |part: &Candidate| stratum == part || stratum.is_part_of(part);
    let above = asked.iter().enumerate().filter(|(_, part)| holds(part));
    let even = |(_, part): &(usize, &Candidate)| (part.level() - stratum.level()).is_multiple_of(2);
    let (add, take): (Vec<_>, Vec<_>) = above.partition(even);
    let numbers = |of: Vec<(usize, &Candidate)>| of.into_iter().map(|(number, _)| number).collect();
    (numbers(add), numbers(take))
}

/// Answers that wait for the others of their base.
struct Gathered<'a> {
    strata: &'a Strata,
    waiting: Mutex<BTreeMap<usize, Vec<Vec<Count>>>>,
}

impl<'a> Gathered<'a> {
    fn new(strata: &'a Strata) -> Self {
        Self { strata, waiting: Mutex::default() }
    }

    /// Takes the counts of one conjunction of covariates with a base; hands over those of all strata when they are the
    /// last.
    fn take(&self, number: usize, counts: &[Count], answer: &StrataGridAnswer<'_>) -> ControlFlow<()> {
        let each = self.strata.asked.len();
        let (base, place) = (number / each, number % each);
        let complete = {
            let mut waiting = lock(&self.waiting);
            let parts = waiting.entry(base).or_insert_with(|| vec![Vec::new(); each]);
            parts[place] = counts.to_vec();
            // No answer is empty, so an empty place is one still to come.
            if parts.iter().any(Vec::is_empty) { None } else { waiting.remove(&base) }
        };
        let Some(parts) = complete else { return ControlFlow::Continue(()) };
        let strata = self.strata.split(&parts);
        answer(base, &strata.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
}
