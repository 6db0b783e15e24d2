//! A pipeline that processes the chunks of a stream on several threads and consumes the results in stream order.
//!
//! A slot holds one chunk and the buffers to process it. Threads take turns to fetch the next chunk into a free slot
//! and then process their chunks in parallel; the calling thread consumes the finished slots in order and frees them.
//! The number of slots bounds the memory. The pipeline knows nothing of the content of the chunks.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Result as Caught, scope};

/// Slots beside those that are being processed: finished ones wait in them to be consumed.
const WAITING_SLOTS: usize = 2;

/// The number of slots for a number of threads.
pub(crate) fn slots_for(threads: usize) -> usize {
    if threads < 2 { 1 } else { threads + WAITING_SLOTS }
}

/// Fetches chunks with `fetch` until it breaks, applies `process` to them on a number of `threads`, and gives them to
/// `consume` in the order in which they were fetched. Stops early if `consume` fails. The number of slots must be that
/// of [`slots_for`].
pub(crate) fn process_in_order<Slot: Send, Failure>(
    threads: usize,
    empty: Vec<Slot>,
    mut fetch: impl FnMut(&mut Slot) -> ControlFlow<()> + Send,
    process: impl Fn(&mut Slot) + Sync,
    mut consume: impl FnMut(&mut Slot) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if threads < 2 {
        for mut slot in empty {
            while fetch(&mut slot).is_continue() {
                process(&mut slot);
                consume(&mut slot)?;
            }
        }
        return Ok(());
    }
    let (free, slots) = channel();
    // The receiver exists, so that sending cannot fail.
    empty.into_iter().for_each(|slot| drop(free.send(slot)));
    let (slots, stream) = (Mutex::new(slots), Mutex::new(Fetching { fetch, fetched: 0, at_end: false }));
    let (finished, results) = channel::<Caught<(u64, Slot)>>();
    scope(|running_threads| {
        for _ in 0..threads {
            let (finished, slots, stream, process) = (finished.clone(), &slots, &stream, &process);
            running_threads.spawn(move || {
                while let Some(result) = process_next(slots, stream, process) {
                    if finished.send(result).is_err() {
                        return;
                    }
                }
            });
        }
        drop(finished);
        // Both ends of the calling thread are dropped on every return, which ends the other threads.
        let (free, results) = (free, results);
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        for result in results {
            match result {
                Ok((number, slot)) => waiting.insert(number, slot),
                Err(panic) => resume_unwind(panic),
            };
            while let Some(mut slot) = waiting.remove(&next) {
                consume(&mut slot)?;
                next += 1;
                // At the end of the stream no thread waits for a slot.
                let _ = free.send(slot);
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

/// Fetches and processes the next chunk; returns its number, or nothing at the end. A panic is passed on: the calling
/// thread would wait forever for a thread that ends silently.
fn process_next<Slot>(
    slots: &Mutex<Receiver<Slot>>,
    stream: &Mutex<Fetching<impl FnMut(&mut Slot) -> ControlFlow<()>>>,
    process: impl Fn(&mut Slot),
) -> Option<Caught<(u64, Slot)>> {
    let mut slot = lock(slots).recv().ok()?;
    let processed = catch_unwind(AssertUnwindSafe(|| {
        let number = {
            let mut stream = lock(stream);
            if stream.at_end || (stream.fetch)(&mut slot).is_break() {
                stream.at_end = true;
                return None;
            }
            stream.fetched += 1;
            stream.fetched - 1
        };
        process(&mut slot);
        Some((number, slot))
    }));
    processed.transpose()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
