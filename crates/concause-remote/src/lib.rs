//! Counting in rows on other machines, such as the executors of a cluster.
//!
//! The rows are packed into blocks ([`Dataset::pack`](concause::dataset::Dataset::pack)) that stay where they are. A
//! search uses a [`RemoteCounter`], which turns each batch into a [`Request`] and passes its bytes to a function of
//! the caller. That function has every block answer the request ([`answer_request`]), adds the responses
//! ([`Response::merge`]) and returns the sum. Each call is one round. The time of a round hardly depends on the
//! number of counts, so each round requests as many useful counts as possible, but none that follow from earlier
//! responses (the `cache`).
//!
//! This crate depends on no cluster: the function is responsible for transport.

mod block;
mod cache;
pub mod codec;
mod request;
mod response;
#[cfg(test)]
mod tests;
mod wire;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use concause::Error;
use concause::count::{
    Base, Batch, Configurations, Count, Counter, Family, Grid, OnConfigurations, OnCounts, OnGrid, OnSums,
    RowWeights, Weight,
};
use concause::dataset::{Candidate, Literal};
use rayon::prelude::*;

pub use block::answer_request;
pub use request::{OwnedBase, OwnedGrid, Request, SetsRequest, WeightedSumsRequest};
pub use response::Response;

use self::cache::{Cache, ConfigurationTable};
use self::codec::CodecError;
use self::wire::{is_part_of, sum_counts};

/// How many counts are requested and stored at a time.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// The number of counts in the first round of a batch. It grows from round to round up to the largest number. The
    /// first sets decide most candidates, so requesting all sets in one round would waste counts.
    first_round: u128,
    /// Also the largest number of sums of weights in a request, unless a single left candidate has more.
    largest_round: u128,
    /// The largest number of counts of a batch in memory.
    stored: usize,
    /// The largest number of counts of a batch that is looked up in the cache.
    looked_up: usize,
    /// If the candidates of such a batch have at most this many sets, all of them are requested in one round. A stage
    /// of a search then needs only that round.
    prefetched: u128,
}

const LIMITS: Limits = Limits {
    first_round: 1 << 18,
    largest_round: 1 << 22,
    stored: 1 << 25,
    looked_up: 1 << 16,
    prefetched: 1 << 16,
};

/// Sends the bytes of a request and returns the bytes of the summed response of all blocks.
pub type SendRequest = dyn Fn(&[u8]) -> Result<Vec<u8>, RemoteError> + Send + Sync;

/// The reason for a failed request, as reported by the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteError(pub String);

impl From<CodecError> for RemoteError {
    fn from(error: CodecError) -> Self {
        RemoteError(error.to_string())
    }
}

impl From<RemoteError> for Error {
    fn from(error: RemoteError) -> Self {
        Error::Remote { reason: error.0 }
    }
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RemoteError {}

/// Counts in rows that are stored on other machines.
pub struct RemoteCounter {
    rows: Count,
    send: Box<SendRequest>,
    rounds: AtomicU64,
    cache: Mutex<Cache>,
    limits: Limits,
}

impl fmt::Debug for RemoteCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteCounter")
            .field("rows", &self.rows)
            .field("rounds", &self.rounds())
            .finish_non_exhaustive()
    }
}

/// A base of a batch that still needs counts, with the counts so far.
struct Open<'a> {
    number: usize,
    base: &'a Base<'a>,
    counts: Vec<Count>,
}

impl RemoteCounter {
    /// A counter of this number of rows; `send` sends a request to all blocks.
    pub fn new(rows: Count, send: Box<SendRequest>) -> Self {
        let cache = Mutex::new(Cache::new(rows));
        Self { rows, send, rounds: AtomicU64::new(0), cache, limits: LIMITS }
    }

    /// The number of requests sent so far.
    pub fn rounds(&self) -> u64 {
        self.rounds.load(Ordering::Relaxed)
    }

    fn request(&self, request: &Request) -> Result<Response, RemoteError> {
        self.rounds.fetch_add(1, Ordering::Relaxed);
        let response = (self.send)(&request.to_bytes())?;
        Ok(Response::from_bytes(&response)?)
    }

    fn request_counts(&self, request: &Request, expected: usize) -> Result<Vec<Count>, RemoteError> {
        match self.request(request)? {
            Response::Counts(counts)
                if counts.len() == expected && counts.iter().all(|count| is_part_of(count, &self.rows)) =>
            {
                Ok(counts)
            }
            _ => Err(CodecError { message: "a response" }.into()),
        }
    }

    fn request_table(
        &self,
        terms: &[Candidate],
        further: &[Candidate],
    ) -> Result<ConfigurationTable, RemoteError> {
        let request = Request::Configurations { terms: terms.to_vec(), further: further.to_vec() };
        match self.request(&request)? {
            Response::Configurations(configurations, counts)
                if configurations.terms() == terms.len()
                    && counts.len() == further.len()
                    && sum_counts(configurations.counts())
                        .is_some_and(|sum| is_part_of(&sum, &self.rows)) =>
            {
                let table = (configurations, counts);
                lock(&self.cache).insert_table(terms, further, &table);
                Ok(table)
            }
            _ => Err(CodecError { message: "a response" }.into()),
        }
    }

    fn table(&self, terms: &[Candidate], further: &[Candidate]) -> Result<ConfigurationTable, RemoteError> {
        let cached = lock(&self.cache).table(terms, further);
        match (cached, further) {
            (Some(table), _) => Ok(table),
            // With the candidate as a term, the cached table also serves requests for each of the terms given all
            // others.
            (None, [one]) if !terms.contains(one) => {
                let all = [terms, further].concat();
                let (table, _) = self.request_table(&all, &[])?;
                let places: Vec<usize> = (0..all.len()).collect();
                Ok(cache::marginalise(&table, &places[..terms.len()], &places[terms.len()..]))
            }
            _ => self.request_table(terms, further),
        }
    }

    /// Counts the bases of a batch that has only the empty set.
    fn count_bases(&self, bases: &[Base<'_>], on_counts: &OnCounts<'_>) -> Result<(), RemoteError> {
        let known: Vec<Option<Count>> = {
            let cache = lock(&self.cache);
            bases.iter().map(|base| cache.count(base.candidate.literals())).collect()
        };
        let missing = bases.iter().zip(&known).filter(|(_, known)| known.is_none());
        let missing: Vec<OwnedBase> = missing.map(|(base, _)| OwnedBase::new(base, 0)).collect();
        let mut counts = Vec::new().into_iter();
        if !missing.is_empty() {
            let expected = missing.len();
            let sets = SetsRequest {
                bases: missing,
                pool: Vec::new(),
                tested_from: 0,
                max_size: 0,
                newest: 0..0,
                empty_set: true,
            };
            counts = self.request_counts(&Request::Sets(sets), expected)?.into_iter();
        }
        for (number, (base, known)) in bases.iter().zip(known).enumerate() {
            // The response has a count for every missing base.
            let Some(count) = known.or_else(|| counts.next()) else { break };
            if known.is_none() {
                lock(&self.cache).insert(base.candidate.clone(), count);
            }
            // A break needs no action: there is nothing more to count.
            let _ = on_counts(number, 0, &[count]);
        }
        Ok(())
    }

    /// Requests grids and caches their counts.
    fn request_grids(&self, grids: &[Grid<'_>]) -> Result<Vec<Vec<Count>>, RemoteError> {
        let expected = grids.iter().map(|grid| grid.left.len() * grid.right.len()).sum();
        let request = Request::Grids(grids.iter().map(Into::into).collect());
        let counts = self.request_counts(&request, expected)?;
        let mut counts = &counts[..];
        let mut found = Vec::with_capacity(grids.len());
        let mut cache = lock(&self.cache);
        for grid in grids {
            let (cells, rest) = counts.split_at(grid.left.len() * grid.right.len());
            counts = rest;
            found.push(cells.to_vec());
            let pairs = grid.left.iter().flat_map(|&left| grid.right.iter().map(move |&right| (left, right)));
            for ((left, right), &count) in pairs.zip(cells) {
                cache.insert(grid.base.join(&Candidate::new(vec![left, right])), count);
            }
        }
        Ok(found)
    }

    /// Requests the sums of weights of each left candidate with its right literals.
    fn request_sums(
        &self,
        weights: &RowWeights,
        left: &[(Candidate, usize)],
        right: &[Literal],
    ) -> Result<Vec<Weight>, RemoteError> {
        let expected = left.iter().map(|(_, from)| right[*from..].len()).sum();
        if expected == 0 {
            return Ok(Vec::new());
        }
        let largest = weights.largest_sum(self.rows.total());
        let is_possible = |sum: &Weight| u128::from(sum.magnitude()) <= largest;
        let request = WeightedSumsRequest::new(weights, left, right);
        match self.request(&Request::WeightedSums(request))? {
            Response::WeightedSums(sums) if sums.len() == expected && sums.iter().all(is_possible) => {
                Ok(sums)
            }
            _ => Err(CodecError { message: "a response" }.into()),
        }
    }

    /// The counts of a batch from the cache. If they are missing, first fetches all sets of the candidates involved,
    /// unless there are too many.
    fn cached_batch(&self, batch: &Batch<'_>) -> Result<Option<Vec<Vec<Count>>>, RemoteError> {
        let cached = || -> Option<Vec<Vec<Count>>> {
            let cache = lock(&self.cache);
            batch.bases.iter().map(|base| cached_sets(&cache, batch, base)).collect()
        };
        if let Some(found) = cached() {
            return Ok(Some(found));
        }
        let bases = batch.bases.iter().map(|base| base.candidate);
        let members: BTreeSet<&Candidate> =
            bases.chain(batch.pool).filter(|candidate| candidate.level() > 0).collect();
        let members: Vec<Candidate> = members.into_iter().cloned().collect();
        let max_size = batch.family.max_size() + 1;
        if Family::size(0..members.len(), max_size) > self.limits.prefetched {
            return Ok(None);
        }
        let family = Family::new(0..members.len(), max_size);
        let all = Candidate::default();
        let everywhere = Batch { bases: &[Base::from(&all)], pool: &members, family: &family };
        let mut open = [Open { number: 0, base: &everywhere.bases[0], counts: Vec::new() }];
        self.round(&everywhere, 0..members.len(), &mut open)?;
        self.cache_sets(&everywhere, &open[0]);
        Ok(cached())
    }

    /// Caches the counts of a base with the sets of a family.
    fn cache_sets(&self, batch: &Batch<'_>, open: &Open<'_>) {
        let is_excluded = |set: usize| is_excluded(batch.family, set, open.base);
        if open.counts.len() == batch.family.len() && open.counts.len() <= self.limits.looked_up {
            let mut cache = lock(&self.cache);
            let sets = open.counts.iter().enumerate().filter(|(set, _)| !is_excluded(*set));
            sets.for_each(|(set, &count)| cache.insert(conjunction(batch, open.base, set), count));
        }
    }

    /// Requests the sets in growing rounds, from the newest member `start` on, until every base breaks. Returns the
    /// first base that does not break: it may be the next to enter TPC, so its counts are worth caching.
    fn run_rounds<'b>(
        &self,
        batch: &Batch<'_>,
        mut open: Vec<Open<'b>>,
        mut start: usize,
        on_counts: &OnCounts<'_>,
    ) -> Result<Option<Open<'b>>, RemoteError> {
        let family = batch.family;
        let mut most = self.limits.first_round;
        while start < family.members_end() && !open.is_empty() {
            let group = (self.limits.stored / family.len()).max(1);
            if start > 0 && open.len() > group {
                let mut first = None;
                while !open.is_empty() {
                    let later = open.split_off(group.min(open.len()));
                    let left = self.run_rounds(batch, open, start, on_counts)?;
                    first = first.or(left);
                    open = later;
                }
                return Ok(first);
            }
            let mut newest = start..start + 1;
            let size = |newest: Range<usize>| (open.len() * count_sets_in(family, newest)) as u128;
            while newest.end < family.members_end() && size(start..newest.end + 1) <= most {
                newest.end += 1;
            }
            self.round(batch, newest.clone(), &mut open)?;
            let is_wanted = |open: &Open<'_>| {
                let from = family.with_newest(start).start;
                on_counts(open.number, if start == 0 { 0 } else { from }, &open.counts).is_continue()
            };
            let wanted: Vec<bool> = open.par_iter().map(is_wanted).collect();
            let mut wanted = wanted.into_iter();
            open.retain(|_| wanted.next().unwrap_or(false));
            start = newest.end;
            most = (8 * most).min(self.limits.largest_round);
        }
        Ok(open.into_iter().next())
    }

    /// Requests the sets with these newest members for all open bases.
    fn round(
        &self,
        batch: &Batch<'_>,
        newest: Range<usize>,
        open: &mut [Open<'_>],
    ) -> Result<(), RemoteError> {
        let family = batch.family;
        let sets = SetsRequest {
            bases: open.iter().map(|open| OwnedBase::new(open.base, newest.end)).collect(),
            pool: batch.pool[..newest.end].to_vec(),
            tested_from: family.tested_from(),
            max_size: family.max_size(),
            newest: newest.clone(),
            empty_set: newest.start == 0,
        };
        let requested = |base: &OwnedBase, newest: usize| {
            Family::size(newest..newest + 1, sets.largest(base, newest)) as usize
        };
        let sets_of_base = |base: &OwnedBase| -> usize {
            usize::from(sets.empty_set) + newest.clone().map(|newest| requested(base, newest)).sum::<usize>()
        };
        let expected = sets.bases.iter().map(sets_of_base).sum();
        let found = self.request_counts(&Request::Sets(sets.clone()), expected)?;
        let mut found = &found[..];
        for (open, base) in open.iter_mut().zip(&sets.bases) {
            let mut next = |number: usize| {
                let (counts, rest) = found.split_at(number);
                found = rest;
                counts
            };
            if sets.empty_set {
                open.counts.extend_from_slice(next(1));
            }
            for newest in newest.clone() {
                open.counts.extend_from_slice(next(requested(base, newest)));
                open.counts.resize(family.with_newest(newest).end, Count::default());
            }
        }
        Ok(())
    }
}

/// The number of sets with newest members in a range, plus the empty set if the range starts at 0.
fn count_sets_in(family: &Family, newest: Range<usize>) -> usize {
    let start = if newest.start == 0 { 0 } else { family.with_newest(newest.start).start };
    family.with_newest(newest.end - 1).end - start
}

/// The conjunction of a base and all members of a set.
fn conjunction(batch: &Batch<'_>, base: &Base<'_>, set: usize) -> Candidate {
    let members = batch.family.members(set).iter().flat_map(|&member| batch.pool[member as usize].literals());
    Candidate::new(base.candidate.literals().iter().chain(members).copied())
}

/// Whether a base excludes a set. The count of an excluded set is 0.
fn is_excluded(family: &Family, set: usize, base: &Base<'_>) -> bool {
    let members = family.members(set);
    let is_without = |&member: &u32| base.without.get(member as usize).copied().unwrap_or(false);
    let is_covered = members.len() == family.max_size()
        && members.first().is_some_and(|&newest| (newest as usize) < base.from);
    is_covered || members.iter().any(is_without)
}

/// The counts of all sets within a base, if all of them are in the cache.
fn cached_sets(cache: &Cache, batch: &Batch<'_>, base: &Base<'_>) -> Option<Vec<Count>> {
    let count = |set: usize| match is_excluded(batch.family, set, base) {
        true => Some(Count::default()),
        false => cache.count(conjunction(batch, base, set).literals()),
    };
    (0..batch.family.len()).map(count).collect()
}

impl Counter for RemoteCounter {
    fn rows(&self) -> Count {
        self.rows
    }

    fn count(&self, batch: &Batch<'_>, on_counts: &OnCounts<'_>) -> Result<(), Error> {
        if batch.bases.is_empty() {
            return Ok(());
        }
        if batch.family.members_end() == 0 {
            return Ok(self.count_bases(batch.bases, on_counts)?);
        }
        let is_small = batch.bases.len().saturating_mul(batch.family.len()) <= self.limits.looked_up;
        if let Some(cached) = if is_small { self.cached_batch(batch)? } else { None } {
            cached.par_iter().enumerate().for_each(|(number, counts)| {
                // A break needs no action: there is nothing more to count.
                let _ = on_counts(number, 0, counts);
            });
            return Ok(());
        }
        let open = |(number, base)| Open { number, base, counts: Vec::new() };
        let open = batch.bases.iter().enumerate().map(open).collect();
        if let Some(first) = self.run_rounds(batch, open, 0, on_counts)? {
            self.cache_sets(batch, &first);
        }
        Ok(())
    }

    fn grids(&self, grids: &[Grid<'_>], on_grid: &OnGrid<'_>) -> Result<(), Error> {
        let cached = {
            let cache = lock(&self.cache);
            let pair = |grid: &Grid<'_>, left: Literal, right: Literal| {
                cache.count(grid.base.join(&Candidate::new(vec![left, right])).literals())
            };
            let cells = |grid: &Grid<'_>| -> Option<Vec<Count>> {
                let cells =
                    grid.left.iter().flat_map(|&left| grid.right.iter().map(move |&right| (left, right)));
                cells.map(|(left, right)| pair(grid, left, right)).collect()
            };
            grids.iter().map(cells).collect::<Option<Vec<_>>>()
        };
        let found = match cached {
            Some(cached) => cached,
            None => self.request_grids(grids)?,
        };
        // A break ends the delivery. It is not an error.
        let _ = found.par_iter().enumerate().try_for_each(|(number, counts)| match on_grid(number, counts) {
            ControlFlow::Continue(()) => Some(()),
            ControlFlow::Break(()) => None,
        });
        Ok(())
    }

    fn configurations(
        &self,
        terms: &[Candidate],
        further: &[Candidate],
        on_configurations: &OnConfigurations<'_>,
    ) -> Result<Configurations, Error> {
        let (configurations, counts) = self.table(terms, further)?;
        let deliver =
            |(number, counts): (usize, &Vec<Count>)| on_configurations(number, &configurations, counts);
        counts.par_iter().enumerate().for_each(deliver);
        Ok(configurations)
    }

    fn weighted_sums(
        &self,
        weights: &RowWeights,
        left: &[(Candidate, usize)],
        right: &[Literal],
        on_sums: &OnSums<'_>,
    ) -> Result<(), Error> {
        let mut start = 0;
        while start < left.len() {
            let mut end = start;
            let mut size = 0;
            while end < left.len() {
                size += right[left[end].1..].len() as u128;
                if end > start && size > self.limits.largest_round {
                    break;
                }
                end += 1;
            }
            let requested = &left[start..end];
            let mut sums = &self.request_sums(weights, requested, right)?[..];
            let mut of_left = Vec::with_capacity(requested.len());
            for (number, (_, from)) in (start..).zip(requested) {
                let (own, rest) = sums.split_at(right.len() - from);
                of_left.push((number, own));
                sums = rest;
            }
            of_left.into_par_iter().for_each(|(number, sums)| on_sums(number, sums));
            start = end;
        }
        Ok(())
    }

    fn prefetch(&self, terms: &[Candidate], further: &[Candidate]) {
        let is_known = if terms.is_empty() {
            let cache = lock(&self.cache);
            further.iter().all(|candidate| cache.count(candidate.literals()).is_some())
        } else {
            lock(&self.cache).table(terms, further).is_some()
        };
        if !is_known {
            // An error is ignored here: it occurs again when the counts are requested.
            let _ = self.request_table(terms, further);
        }
    }
}

/// Locks a mutex. Poisoning is ignored: rayon propagates the panic of the thread that held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of a mutex; poisoning is ignored for the same reason.
fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
