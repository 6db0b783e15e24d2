//! Work on the pieces of a stream on several threads, with the results taken in the order of the pieces.
//!
//! A lane holds one piece and whatever working on it needs. Threads take turns at fetching the next piece into a
//! free lane and then work on it beside each other; the calling thread takes the finished lanes in order and frees
//! them. There are few lanes, so that little is under way at any time. It knows nothing of what the pieces are.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Result as Caught, scope};

/// Lanes beside those that the threads work on: finished ones wait in them for their turn.
const WAITING_LANES: usize = 2;

/// The lanes that so many threads need.
pub(crate) fn lanes(threads: usize) -> usize {
    if threads < 2 { 1 } else { threads + WAITING_LANES }
}

/// Fetches pieces with `fetch` until it says that there are no more, has `work` done on them by so many `threads`,
/// and gives them to `take` in the order in which they were fetched. Stops early if `take` fails. There must be as
/// many lanes as [`lanes`] says.
pub(crate) fn in_order<Lane: Send, Failure>(
    threads: usize,
    empty: Vec<Lane>,
    mut fetch: impl FnMut(&mut Lane) -> ControlFlow<()> + Send,
    work: impl Fn(&mut Lane) + Sync,
    mut take: impl FnMut(&mut Lane) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if threads < 2 {
        for mut lane in empty {
            while fetch(&mut lane).is_continue() {
                work(&mut lane);
                take(&mut lane)?;
            }
        }
        return Ok(());
    }
    let (free, lanes) = channel();
    // Nobody has hung up yet, so that sending cannot fail.
    empty.into_iter().for_each(|lane| drop(free.send(lane)));
    let (lanes, stream) = (Mutex::new(lanes), Mutex::new(Fetching { fetch, fetched: 0, at_end: false }));
    let (finished, results) = channel::<Caught<(u64, Lane)>>();
    scope(|threads_running| {
        for _ in 0..threads {
            let (finished, lanes, stream, work) = (finished.clone(), &lanes, &stream, &work);
            threads_running.spawn(move || {
                while let Some(result) = work_on_next(lanes, stream, work) {
                    if finished.send(result).is_err() {
                        return;
                    }
                }
            });
        }
        drop(finished);
        // Both ends of the calling thread are dropped on every way out, which sends the others home.
        let (free, results) = (free, results);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        for result in results {
            match result {
                Ok((place, lane)) => waiting.insert(place, lane),
                Err(panic) => resume_unwind(panic),
            };
            while let Some(mut lane) = waiting.remove(&next) {
                take(&mut lane)?;
                next += 1;
                // At the end of the stream nobody waits for a lane.
                let _ = free.send(lane);
            }
        }
        Ok(())
    })
}

struct Fetching<Fetch> {
    fetch: Fetch,
    fetched: u64,
    at_end: bool,
}

/// The next piece and its number with the work done; nothing at the end. A panic is handed on, for a thread that
/// dies in silence would be waited for.
fn work_on_next<Lane>(
    lanes: &Mutex<Receiver<Lane>>,
    stream: &Mutex<Fetching<impl FnMut(&mut Lane) -> ControlFlow<()>>>,
    work: impl Fn(&mut Lane),
) -> Option<Caught<(u64, Lane)>> {
    let mut lane = lock(lanes).recv().ok()?;
    let worked = catch_unwind(AssertUnwindSafe(|| {
        let place = {
            let mut stream = lock(stream);
            if stream.at_end || (stream.fetch)(&mut lane).is_break() {
                stream.at_end = true;
                return None;
            }
            stream.fetched += 1;
            stream.fetched - 1
        };
        work(&mut lane);
        Some((place, lane))
    }));
    worked.transpose()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
