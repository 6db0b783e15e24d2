//! The same search, many times.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::count::{into_inner, lock};
use crate::error::Error;
use crate::search::{Findings, Watch};

/// Runs so many searches side by side, and returns what is noted of those that came to their end, in order.
///
/// There are never more under way than threads. A thread that waits for others within a search takes up whatever else
/// is to be done; were that all the searches there are, they would pile up on its stack and in memory.
///
/// A search that is refused is left out, as one that was stopped; if that is every one, the first refusal is returned.
pub(super) fn repeat<T: Send>(
    stage: &str,
    number: usize,
    watch: &dyn Watch,
    search: impl Fn(usize, &dyn Watch) -> Result<Findings, Error> + Sync,
    note: impl Fn(Findings) -> T + Sync,
) -> Result<Vec<T>, Error> {
    watch.begin(stage, number as u64);
    let run = |place: usize| {
        if watch.stopped() {
            return Ok(None);
        }
        let findings = search(place, &StopOnly(watch))?;
        watch.advance(1);
        Ok(findings.complete.then(|| note(findings)))
    };
    let runs: Vec<Mutex<Result<Option<T>, Error>>> = (0..number).map(|_| Mutex::new(Ok(None))).collect();
    let next = AtomicUsize::new(0);
    (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).for_each(|_| {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(result) = runs.get(place) else { break };
            let found = run(place);
            *lock(result) = found;
        }
    });
    let runs: Vec<Result<Option<T>, Error>> = runs.into_iter().map(into_inner).collect();
    let refused = runs.iter().all(Result::is_err);
    let first = runs.iter().find_map(|run| run.as_ref().err()).filter(|_| refused).cloned();
    match first {
        Some(refusal) => Err(refusal),
        None => Ok(runs.into_iter().filter_map(Result::ok).flatten().collect()),
    }
}

/// Passes on the word to stop, but not how far each of the searches is.
struct StopOnly<'a>(&'a dyn Watch);

impl Watch for StopOnly<'_> {
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Unwatched;

    /// Searches that wait for work of their own, done by other threads, are never more than the threads.
    #[test]
    fn no_more_searches_are_under_way_than_threads() {
        let (under_way, most, made) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let search = |_: usize, _: &dyn Watch| {
            most.fetch_max(under_way.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            let work = |part: usize| std::thread::sleep(std::time::Duration::from_micros(200 * part as u64));
            (0..4).into_par_iter().with_max_len(1).for_each(work);
            under_way.fetch_sub(1, Ordering::SeqCst);
            made.fetch_add(1, Ordering::SeqCst);
            Ok(Findings { complete: true, ..Findings::default() })
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let noted = pool.install(|| repeat("searches", 200, &Unwatched, search, |_| ())).unwrap();
        assert_eq!((noted.len(), made.into_inner()), (200, 200));
        assert!((1..=4).contains(&most.into_inner()));
    }

    #[test]
    fn refusals_are_left_out_unless_there_is_nothing_else() {
        let run = |refused: fn(usize) -> bool| {
            let search = |place: usize, _: &dyn Watch| {
                let findings = Findings { complete: true, ..Findings::default() };
                if refused(place) { Err(Error::Setting(place.to_string())) } else { Ok(findings) }
            };
            repeat("searches", 4, &Unwatched, search, |_| ()).map(|runs| runs.len())
        };
        assert_eq!(run(|_| false), Ok(4));
        assert_eq!(run(|place| place == 2), Ok(3));
        assert_eq!(run(|_| true), Err(Error::Setting("0".into())));
    }
}
