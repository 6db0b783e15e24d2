//! The kernel that answers a batch of queries in one block of rows.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::bytes::Damaged;
use super::query::{Query, Sets};
use super::reply::Reply;
use crate::count::view::{Scratch, View};
use crate::count::{Count, Counter, Family, Grid, LocalCounter, into_inner, lock};
use crate::dataset::{Block, Dataset};

/// Answers a batch of queries in a block of rows.
pub fn answer(rows: &Dataset, query: &Query) -> Result<Reply, Damaged> {
    if !query.fits(rows.columns().len()) {
        return Err(Damaged("a query"));
    }
    let counter = LocalCounter::new(rows);
    Ok(match query {
        Query::Sets(sets) => Reply::Counts(count_sets(&counter, sets)),
        Query::Grids(grids) => {
            let grids: Vec<Grid<'_>> = grids
                .iter()
                .map(|grid| Grid { base: &grid.base, left: &grid.left, right: &grid.right })
                .collect();
            let found: Vec<Mutex<Vec<Count>>> = grids.iter().map(|_| Mutex::default()).collect();
            counter.grids(&grids, &|number, counts| {
                *lock(&found[number]) = counts.to_vec();
                ControlFlow::Continue(())
            });
            Reply::Counts(found.into_iter().flat_map(into_inner).collect())
        }
        Query::Configurations { terms, further } => {
            let found: Vec<Mutex<Vec<Count>>> = further.iter().map(|_| Mutex::default()).collect();
            let configurations = counter.configurations(terms, further, &|number, _, counts| {
                *lock(&found[number]) = counts.to_vec();
            });
            Reply::Configurations(configurations, found.into_iter().map(into_inner).collect())
        }
    })
}

/// Base by base, the sets by their newest member, then by size, then lexicographically.
fn count_sets(counter: &LocalCounter<'_>, sets: &Sets) -> Vec<Count> {
    let everywhere = || Cow::Owned(counter.layout().full());
    let members = sets.pool[..sets.newest.end].iter();
    let pool: Vec<Cow<'_, [Block]>> =
        members.map(|member| counter.rows_of(member, None).unwrap_or_else(everywhere)).collect();
    let wanted = Family::size(sets.newest.clone(), sets.max_size);
    let mut scratch = Scratch::default();
    let mut counts = Vec::new();
    for base in &sets.bases {
        let rows = counter.rows_of(&base.candidate, None);
        let is_wanted = |place: usize| !base.borrowed().without.get(place).copied().unwrap_or(false);
        let pool = pool.iter().map(|bits| &**bits).enumerate().filter(|(place, _)| is_wanted(*place));
        let view = View::new(counter.kernel(), counter.layout(), rows.as_deref(), pool, &mut scratch);
        let mut room = scratch.room();
        let view = view.squeeze(wanted, &mut room, &mut scratch);
        if sets.empty_set {
            counts.push(view.total());
        }
        for newest in sets.newest.clone() {
            view.newest(newest, sets.largest(base, newest), &mut counts, &mut scratch);
        }
        drop(view);
        scratch.give_back(room);
    }
    counts
}
