//! Answers requests for one block of rows. Runs on the executors.

use std::ops::ControlFlow;
use std::sync::Mutex;

use concause::Error;
use concause::count::{Count, Counter, Grid, LocalCounter, NewestSets, Weight};
use concause::dataset::Dataset;

use super::request::{Request, SetsRequest, WeightedSumsRequest};
use super::response::Response;
use super::{RemoteError, into_inner, lock};
use crate::codec::CodecError;

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
    let mut counting = NewestSets::new(counter, &sets.pool, sets.newest.clone(), sets.max_size);
    let mut counts = Vec::new();
    for base in &sets.bases {
        let (candidate, largest) = (&base.candidate, |newest| sets.largest(base, newest));
        counting.count(candidate, |member| base.excludes(member), largest, sets.empty_set, &mut counts);
    }
    counts
}
