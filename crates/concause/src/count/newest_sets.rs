//! Counts the sets with given newest members, in a part of the rows. Counts of parts add up, so that the rows can be
//! spread over many machines.

use std::borrow::Cow;
use std::ops::Range;

use super::view::{Scratch, View};
use super::{Count, Family, LocalCounter};
use crate::dataset::{Block, Candidate};

/// The sets of a pool whose newest members are in a range, to be counted within one base after the other.
pub struct NewestSets<'a> {
    counter: &'a LocalCounter,
    pool: Vec<Cow<'a, [Block]>>,
    newest: Range<usize>,
    wanted: u128,
    scratch: Scratch,
}

impl std::fmt::Debug for NewestSets<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("NewestSets").field("newest", &self.newest).finish_non_exhaustive()
    }
}

impl<'a> NewestSets<'a> {
    /// The sets of at most `max_size` members of the pool. Members beyond the end of `newest` are not used.
    pub fn new(counter: &'a LocalCounter, pool: &[Candidate], newest: Range<usize>, max_size: usize) -> Self {
        let newest = newest.start..newest.end.min(pool.len());
        let everywhere = || Cow::Owned(counter.counted());
        let members = pool[..newest.end].iter();
        let pool = members.map(|member| counter.rows_of(member, None).unwrap_or_else(everywhere)).collect();
        let wanted = Family::size(newest.clone(), max_size);
        Self { counter, pool, newest, wanted, scratch: Scratch::default() }
    }

    /// Appends the counts within a base: of the empty set, if asked for, and of the sets, ordered by newest member,
    /// then by size, then lexicographically. A set with a given newest member has at most `largest(newest)` members;
    /// sets with excluded members have the count 0.
    pub fn count(
        &mut self,
        base: &Candidate,
        is_excluded: impl Fn(usize) -> bool,
        largest: impl Fn(usize) -> usize,
        empty_set: bool,
        counts: &mut Vec<Count>,
    ) {
        let (counter, scratch) = (self.counter, &mut self.scratch);
        let rows = counter.rows_of(base, None);
        let pool = self.pool.iter().map(|bits| &**bits).enumerate().filter(|(place, _)| !is_excluded(*place));
        let view = View::new(counter.kernel(), counter.layout(), rows.as_deref(), pool, scratch);
        let mut buffer = scratch.get_buffer();
        let view = view.squeeze(self.wanted, &mut buffer, scratch);
        if empty_set {
            counts.push(view.total());
        }
        for newest in self.newest.clone() {
            view.count_newest(newest, largest(newest), counts, scratch);
        }
        drop(view);
        scratch.return_buffer(buffer);
    }
}
