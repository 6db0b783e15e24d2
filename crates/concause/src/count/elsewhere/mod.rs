//! Counting in rows that are elsewhere: on the machines of a cluster, say.
//!
//! The rows are packed into blocks ([`Dataset::pack`](crate::dataset::Dataset::pack)) that stay where they are. A search
//! asks its [`Elsewhere`] counter; that makes a [`Query`] of each batch and hands its bytes to a function, which has every
//! block answer it ([`answer()`]), adds the answers up ([`Reply::and`]) and returns the sum. Each call of that function is a
//! round: it may cost a second whatever it asks, so that a round holds as much as is worth asking at once, and what follows
//! from earlier answers is not asked again.
//!
//! This module knows no cluster: how bytes travel is the business of the function.

mod block;
pub mod bytes;
mod memory;
mod query;
mod reply;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

pub use block::answer;
pub use bytes::Damaged;
pub use query::{OwnedBase, Query, Sets, WithinBase};
pub use reply::Reply;

use self::memory::{Memory, Table};
use super::{
    Answer, Base, Batch, ConfigurationAnswer, Configurations, Count, Counter, Family, Grid, GridAnswer, lock,
};
use crate::dataset::Candidate;

/// How much is asked and held at a time.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// The counts that the first round of a batch asks for, and the most of any: most candidates are settled by the first
    /// sets, so that to ask for all at once would be to count in vain.
    first_round: u128,
    largest_round: u128,
    /// The most counts of a batch that are held at a time.
    held: usize,
    /// Batches of so many counts are looked up among those that are known, …
    looked_up: usize,
    /// … and where conditioning sets are made of few candidates, no more than this, all there can be are asked for at once:
    /// then whole stages of a search need one round.
    foreseen: u128,
}

const LIMITS: Limits = Limits {
    first_round: 1 << 18,
    largest_round: 1 << 22,
    held: 1 << 25,
    looked_up: 1 << 16,
    foreseen: 1 << 16,
};

/// Takes the bytes of a query and returns those of the reply of all rows, or why there is none.
pub type Ask<'a> = dyn Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'a;

/// Why a question was not answered. The counter unwinds with it, because a search knows no counter that fails; whoever
/// began the search catches it ([`std::panic::catch_unwind`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswered(pub String);

/// Counts in rows that are elsewhere.
pub struct Elsewhere<'a> {
    rows: Count,
    ask: Box<Ask<'a>>,
    rounds: AtomicU64,
    memory: Mutex<Memory>,
    limits: Limits,
}

impl fmt::Debug for Elsewhere<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere")
            .field("rows", &self.rows)
            .field("rounds", &self.rounds())
            .finish_non_exhaustive()
    }
}

/// A base of a batch whose sets are still wanted, with the counts so far.
struct Open<'a> {
    number: usize,
    base: &'a Base<'a>,
    counts: Vec<Count>,
}

impl<'a> Elsewhere<'a> {
    /// Counts in so many rows by asking.
    pub fn new(rows: Count, ask: Box<Ask<'a>>) -> Self {
        let memory = Mutex::new(Memory::new(rows));
        Self { rows, ask, rounds: AtomicU64::new(0), memory, limits: LIMITS }
    }

    /// How often it has asked.
    pub fn rounds(&self) -> u64 {
        self.rounds.load(Ordering::Relaxed)
    }

    fn asked(&self, query: &Query) -> Reply {
        self.try_asking(query).unwrap_or_else(|sentence| unanswered(sentence))
    }

    fn try_asking(&self, query: &Query) -> Result<Reply, String> {
        self.rounds.fetch_add(1, Ordering::Relaxed);
        let reply = (self.ask)(&query.to_bytes())?;
        Reply::from_bytes(&reply).map_err(|error| error.to_string())
    }

    fn asked_counts(&self, query: &Query, expected: usize) -> Vec<Count> {
        match self.asked(query) {
            Reply::Counts(counts) if counts.len() == expected => counts,
            _ => unanswered(Damaged("an answer").to_string()),
        }
    }

    fn asked_table(&self, terms: &[Candidate], further: &[Candidate]) -> Table {
        self.try_asking_table(terms, further).unwrap_or_else(|sentence| unanswered(sentence))
    }

    fn try_asking_table(&self, terms: &[Candidate], further: &[Candidate]) -> Result<Table, String> {
        let query = Query::Configurations { terms: terms.to_vec(), further: further.to_vec() };
        match self.try_asking(&query)? {
            Reply::Configurations(configurations, counts)
                if configurations.terms() == terms.len() && counts.len() == further.len() =>
            {
                let table = (configurations, counts);
                lock(&self.memory).keep_table(terms, further, &table);
                Ok(table)
            }
            _ => Err(Damaged("an answer").to_string()),
        }
    }

    fn table(&self, terms: &[Candidate], further: &[Candidate]) -> Table {
        let known = lock(&self.memory).table(terms, further);
        known.unwrap_or_else(|| match further {
            // With the one as a term the table also answers for each of the terms beside all others.
            [one] if !terms.contains(one) => {
                let all = [terms, further].concat();
                let (whole, _) = self.asked_table(&all, &[]);
                let places: Vec<usize> = (0..all.len()).collect();
                memory::narrowed(&whole, &places[..terms.len()], &places[terms.len()..])
            }
            _ => self.asked_table(terms, further),
        })
    }

    /// Answers the bases of a batch by themselves.
    fn count_bases(&self, bases: &[Base<'_>], answer: &Answer<'_>) {
        let known: Vec<Option<Count>> = {
            let memory = lock(&self.memory);
            bases.iter().map(|base| memory.count(base.candidate.columns())).collect()
        };
        let missing = bases.iter().zip(&known).filter(|(_, known)| known.is_none());
        let missing: Vec<OwnedBase> = missing.map(|(base, _)| OwnedBase::new(base, 0)).collect();
        let mut counts = Vec::new().into_iter();
        if !missing.is_empty() {
            let expected = missing.len();
            let sets = Sets {
                bases: missing,
                pool: Vec::new(),
                tested_from: 0,
                max_size: 0,
                newest: 0..0,
                empty_set: true,
            };
            counts = self.asked_counts(&Query::Sets(sets), expected).into_iter();
        }
        for (number, (base, known)) in bases.iter().zip(known).enumerate() {
            // There is an answer for every one that was missing.
            let Some(count) = known.or_else(|| counts.next()) else { break };
            if known.is_none() {
                lock(&self.memory).keep(base.candidate.clone(), count);
            }
            // Nothing more is to come.
            let _ = answer(number, 0, &[count]);
        }
    }

    /// The counts of a batch that follow from what is known, perhaps after a round that asks for more than the batch does.
    fn known(&self, batch: &Batch<'_>) -> Option<Vec<Vec<Count>>> {
        let known = || -> Option<Vec<Vec<Count>>> {
            let memory = lock(&self.memory);
            batch.bases.iter().map(|base| known_sets(&memory, batch, base)).collect()
        };
        known().or_else(|| {
            let bases = batch.bases.iter().map(|base| base.candidate);
            let members: BTreeSet<&Candidate> = bases.chain(batch.pool).filter(|it| it.level() > 0).collect();
            let members: Vec<Candidate> = members.into_iter().cloned().collect();
            let max_size = batch.family.max_size() + 1;
            if Family::size(0..members.len(), max_size) > self.limits.foreseen {
                return None;
            }
            let family = Family::new(0..members.len(), max_size);
            let all = Candidate::default();
            let everywhere = Batch { bases: &[Base::from(&all)], pool: &members, family: &family };
            let mut open = [Open { number: 0, base: &everywhere.bases[0], counts: Vec::new() }];
            self.round(&everywhere, 0..members.len(), &mut open);
            self.keep_sets(&everywhere, &open[0]);
            known()
        })
    }

    /// Keeps the counts of a base with the sets of a family that it was counted with.
    fn keep_sets(&self, batch: &Batch<'_>, open: &Open<'_>) {
        let is_without = |set: usize| is_unwanted(batch.family, set, open.base);
        if open.counts.len() == batch.family.len() && open.counts.len() <= self.limits.looked_up {
            let mut memory = lock(&self.memory);
            let sets = open.counts.iter().enumerate().filter(|(set, _)| !is_without(*set));
            sets.for_each(|(set, &count)| memory.keep(conjunction(batch, open.base, set), count));
        }
    }

    /// Asks for the sets from a newest member on, a few at a time, as long as they are wanted. Returns the first base of
    /// which all were: it may be the next to enter.
    fn rounds_of<'b>(
        &self,
        batch: &Batch<'_>,
        mut open: Vec<Open<'b>>,
        mut start: usize,
        answer: &Answer<'_>,
    ) -> Option<Open<'b>> {
        let family = batch.family;
        let mut most = self.limits.first_round;
        while start < family.members_end() && !open.is_empty() {
            let group = (self.limits.held / family.len()).max(1);
            if start > 0 && open.len() > group {
                let mut first = None;
                while !open.is_empty() {
                    let later = open.split_off(group.min(open.len()));
                    let left = self.rounds_of(batch, open, start, answer);
                    first = first.or(left);
                    open = later;
                }
                return first;
            }
            let mut newest = start..start + 1;
            let size = |newest: Range<usize>| (open.len() * sets_of(family, newest)) as u128;
            while newest.end < family.members_end() && size(start..newest.end + 1) <= most {
                newest.end += 1;
            }
            self.round(batch, newest.clone(), &mut open);
            let is_wanted = |open: &Open<'_>| {
                let from = family.with_newest(start).start;
                answer(open.number, if start == 0 { 0 } else { from }, &open.counts).is_continue()
            };
            let wanted: Vec<bool> = open.par_iter().map(is_wanted).collect();
            let mut wanted = wanted.into_iter();
            open.retain(|_| wanted.next().unwrap_or(false));
            start = newest.end;
            most = (8 * most).min(self.limits.largest_round);
        }
        open.into_iter().next()
    }

    /// Asks for the sets with these newest members within all that are open.
    fn round(&self, batch: &Batch<'_>, newest: Range<usize>, open: &mut [Open<'_>]) {
        let family = batch.family;
        let sets = Sets {
            bases: open.iter().map(|open| OwnedBase::new(open.base, newest.end)).collect(),
            pool: batch.pool[..newest.end].to_vec(),
            tested_from: family.tested_from(),
            max_size: family.max_size(),
            newest: newest.clone(),
            empty_set: newest.start == 0,
        };
        let asked = |base: &OwnedBase, newest: usize| {
            Family::size(newest..newest + 1, sets.largest(base, newest)) as usize
        };
        let of_base = |base: &OwnedBase| -> usize {
            usize::from(sets.empty_set) + newest.clone().map(|newest| asked(base, newest)).sum::<usize>()
        };
        let expected = sets.bases.iter().map(of_base).sum();
        let query = Query::Sets(sets.clone());
        let found = self.asked_counts(&query, expected);
        let mut found = &found[..];
        for (open, base) in open.iter_mut().zip(&sets.bases) {
            let mut take = |number: usize| {
                let (taken, rest) = found.split_at(number);
                found = rest;
                taken
            };
            if sets.empty_set {
                open.counts.extend_from_slice(take(1));
            }
            for newest in newest.clone() {
                open.counts.extend_from_slice(take(asked(base, newest)));
                open.counts.resize(family.with_newest(newest).end, Count::default());
            }
        }
    }
}

/// The number of sets with newest members in a range, and the empty set with the first of them.
fn sets_of(family: &Family, newest: Range<usize>) -> usize {
    let start = if newest.start == 0 { 0 } else { family.with_newest(newest.start).start };
    family.with_newest(newest.end - 1).end - start
}

/// The columns of a base and of all members of a set.
fn conjunction(batch: &Batch<'_>, base: &Base<'_>, set: usize) -> Candidate {
    let members = batch.family.members(set).iter().flat_map(|&member| batch.pool[member as usize].columns());
    Candidate::new(base.candidate.columns().iter().chain(members).copied().collect())
}

/// Whether a base has no use for a set, which then counts as 0.
fn is_unwanted(family: &Family, set: usize, base: &Base<'_>) -> bool {
    let members = family.members(set);
    let is_without = |&member: &u32| base.without.get(member as usize).copied().unwrap_or(false);
    let is_met =
        members.len() == family.max_size() && members.first().is_some_and(|&it| (it as usize) < base.from);
    is_met || members.iter().any(is_without)
}

/// The counts of all sets within a base, if they are known.
fn known_sets(memory: &Memory, batch: &Batch<'_>, base: &Base<'_>) -> Option<Vec<Count>> {
    let count = |set: usize| match is_unwanted(batch.family, set, base) {
        true => Some(Count::default()),
        false => memory.count(conjunction(batch, base, set).columns()),
    };
    (0..batch.family.len()).map(count).collect()
}

fn unanswered(sentence: String) -> ! {
    resume_unwind(Box::new(Unanswered(sentence)))
}

impl Counter for Elsewhere<'_> {
    fn rows(&self) -> Count {
        self.rows
    }

    fn count(&self, batch: &Batch<'_>, answer: &Answer<'_>) {
        if batch.bases.is_empty() {
            return;
        }
        if batch.family.members_end() == 0 {
            return self.count_bases(batch.bases, answer);
        }
        let is_small = batch.bases.len().saturating_mul(batch.family.len()) <= self.limits.looked_up;
        if let Some(known) = is_small.then(|| self.known(batch)).flatten() {
            return known.par_iter().enumerate().for_each(|(number, counts)| {
                // Nothing more is to come.
                let _ = answer(number, 0, counts);
            });
        }
        let open = |(number, base)| Open { number, base, counts: Vec::new() };
        let open = batch.bases.iter().enumerate().map(open).collect();
        if let Some(first) = self.rounds_of(batch, open, 0, answer) {
            self.keep_sets(batch, &first);
        }
    }

    fn grids(&self, grids: &[Grid<'_>], answer: &GridAnswer<'_>) {
        let known = {
            let memory = lock(&self.memory);
            let pair = |grid: &Grid<'_>, left: u32, right: u32| {
                memory.count(grid.base.join(&Candidate::new(vec![left, right])).columns())
            };
            let cells = |grid: &Grid<'_>| -> Option<Vec<Count>> {
                let cells =
                    grid.left.iter().flat_map(|&left| grid.right.iter().map(move |&right| (left, right)));
                cells.map(|(left, right)| pair(grid, left, right)).collect()
            };
            grids.iter().map(cells).collect::<Option<Vec<_>>>()
        };
        let found = known.unwrap_or_else(|| {
            let expected = grids.iter().map(|grid| grid.left.len() * grid.right.len()).sum();
            let counts = self.asked_counts(&Query::Grids(grids.iter().map(Into::into).collect()), expected);
            let mut counts = &counts[..];
            let mut found = Vec::with_capacity(grids.len());
            let mut memory = lock(&self.memory);
            for grid in grids {
                let (cells, rest) = counts.split_at(grid.left.len() * grid.right.len());
                counts = rest;
                found.push(cells.to_vec());
                let places =
                    grid.left.iter().flat_map(|&left| grid.right.iter().map(move |&right| (left, right)));
                for ((left, right), &count) in places.zip(cells) {
                    memory.keep(grid.base.join(&Candidate::new(vec![left, right])), count);
                }
            }
            found
        });
        // An answer that breaks off ends it all, which is no error.
        let _ = found.par_iter().enumerate().try_for_each(|(number, counts)| match answer(number, counts) {
            ControlFlow::Continue(()) => Some(()),
            ControlFlow::Break(()) => None,
        });
    }

    fn configurations(
        &self,
        terms: &[Candidate],
        further: &[Candidate],
        answer: &ConfigurationAnswer<'_>,
    ) -> Configurations {
        let (configurations, counts) = self.table(terms, further);
        counts.par_iter().enumerate().for_each(|(number, counts)| answer(number, &configurations, counts));
        configurations
    }

    fn foresee(&self, terms: &[Candidate], further: &[Candidate]) {
        let is_known = if terms.is_empty() {
            let memory = lock(&self.memory);
            further.iter().all(|candidate| memory.count(candidate.columns()).is_some())
        } else {
            lock(&self.memory).table(terms, further).is_some()
        };
        if !is_known {
            // Whether it is needed after all is seen when it is asked for.
            let _ = self.try_asking_table(terms, further);
        }
    }
}
