//! Answers requests for one block of rows. Runs on the executors.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::RemoteError;
use super::request::{Request, SetsRequest, WeightedSumsRequest};
use super::response::Response;
use crate::codec::CodecError;
use crate::count::view::{Scratch, View};
use crate::count::{Count, Counter, Family, Grid, LocalCounter, Weight, into_inner, lock};
use crate::dataset::{Block, Dataset};
use crate::error::Error;

/// Answers a request for a block of rows.
pub fn answer_request(rows: &Dataset, request: &Request) -> Result<Response, Error> {
    if !request.fits(rows.columns().len()) {
        return Err(RemoteError::from(CodecError { message: "a request" }).into());
    }
    let counter = LocalCounter::new(rows);
    Ok(match request {
        Request::Sets(sets) => Response::Counts(count_sets(&counter, sets)),
        Request::Grids(grids) => {
            let grids: Vec<Grid<'_>> = grids
                .iter()
                .map(|grid| Grid { base: &grid.base, left: &grid.left, right: &grid.right })
                .collect();
            let found: Vec<Mutex<Vec<Count>>> = grids.iter().map(|_| Mutex::default()).collect();
            counter.grids(&grids, &|number, counts| {
                *lock(&found[number]) = counts.to_vec();
                ControlFlow::Continue(())
            })?;
            Response::Counts(found.into_iter().flat_map(into_inner).collect())
        }
        Request::Configurations { terms, further } => {
            let found: Vec<Mutex<Vec<Count>>> = further.iter().map(|_| Mutex::default()).collect();
            let configurations = counter.configurations(terms, further, &|number, _, counts| {
                *lock(&found[number]) = counts.to_vec();
            })?;
            Response::Configurations(configurations, found.into_iter().map(into_inner).collect())
        }
        Request::WeightedSums(sums) => Response::WeightedSums(sum_weights(&counter, sums)?),
    })
}

/// Sums the weights of the rows of each left candidate with its right literals.
fn sum_weights(counter: &LocalCounter, sums: &WeightedSumsRequest) -> Result<Vec<Weight>, Error> {
    let weights = sums.row_weights();
    if weights.largest_sum(counter.rows().total()) > i64::MAX as u128 {
        return Err(RemoteError::from(CodecError { message: "a request" }).into());
    }
    let found: Vec<Mutex<Vec<Weight>>> = sums.left.iter().map(|_| Mutex::default()).collect();
    counter.weighted_sums(&weights, &sums.left, &sums.right, &|number, sums| {
        *lock(&found[number]) = sums.to_vec();
    })?;
    Ok(found.into_iter().flat_map(into_inner).collect())
}

/// Counts the sets within each base, ordered by newest member, then by size, then lexicographically.
fn count_sets(counter: &LocalCounter, sets: &SetsRequest) -> Vec<Count> {
    let everywhere = || Cow::Owned(counter.layout().full());
    let members = sets.pool[..sets.newest.end].iter();
    let pool: Vec<Cow<'_, [Block]>> =
        members.map(|member| counter.rows_of(member, None).unwrap_or_else(everywhere)).collect();
    let wanted = Family::size(sets.newest.clone(), sets.max_size);
    let mut scratch = Scratch::default();
    let mut counts = Vec::new();
    for base in &sets.bases {
        let rows = counter.rows_of(&base.candidate, None);
        let is_wanted = |place: usize| !base.excludes(place);
        let pool = pool.iter().map(|bits| &**bits).enumerate().filter(|(place, _)| is_wanted(*place));
        let view = View::new(counter.kernel(), counter.layout(), rows.as_deref(), pool, &mut scratch);
        let mut buffer = scratch.get_buffer();
        let view = view.squeeze(wanted, &mut buffer, &mut scratch);
        if sets.empty_set {
            counts.push(view.total());
        }
        for newest in sets.newest.clone() {
            view.count_newest(newest, sets.largest(base, newest), &mut counts, &mut scratch);
        }
        drop(view);
        scratch.return_buffer(buffer);
    }
    counts
}
