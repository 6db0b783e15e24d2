//! Runs many similar searches in parallel.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::count::{into_inner, lock};
use crate::error::Error;
use crate::progress::Progress;
use crate::search::Findings;

/// Runs `number` searches in parallel and returns, in order, the summaries of those that finished.
///
/// At most one search runs per thread. A thread that waits inside a search steals other work from the pool. If all
/// searches were queued there, the thread would start further searches on its stack, and they would accumulate in
/// memory.
///
/// Searches that fail or are stopped are left out; if all fail, the first error is returned.
pub(super) fn repeat_search<T: Send>(
    stage: &str,
    number: usize,
    progress: &dyn Progress,
    search: impl Fn(usize, &dyn Progress) -> Result<Findings, Error> + Sync,
    summarise: impl Fn(Findings) -> T + Sync,
) -> Result<Vec<T>, Error> {
    progress.begin(stage, number as u64);
    let run = |place: usize| {
        if progress.stopped() {
            return Ok(None);
        }
        let findings = search(place, &StopOnly(progress))?;
        progress.advance(1);
        Ok(findings.complete.then(|| summarise(findings)))
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
    let all_failed = runs.iter().all(Result::is_err);
    let first_error = runs.iter().find_map(|run| run.as_ref().err()).filter(|_| all_failed).cloned();
    match first_error {
        Some(error) => Err(error),
        None => Ok(runs.into_iter().filter_map(Result::ok).flatten().collect()),
    }
}

/// Passes on the request to stop, but hides the progress of the single searches.
struct StopOnly<'a>(&'a dyn Progress);

impl Progress for StopOnly<'_> {
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::NoProgress;

    /// Each search waits for parallel work of its own, during which its thread could start another search.
    #[test]
    fn at_most_one_search_per_thread_runs_at_a_time() {
        let (running, most, finished) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let search = |_: usize, _: &dyn Progress| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            let work = |task: usize| std::thread::sleep(std::time::Duration::from_micros(200 * task as u64));
            (0..4).into_par_iter().with_max_len(1).for_each(work);
            running.fetch_sub(1, Ordering::SeqCst);
            finished.fetch_add(1, Ordering::SeqCst);
            Ok(Findings { complete: true, ..Findings::default() })
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let summaries = pool.install(|| repeat_search("searches", 200, &NoProgress, search, |_| ())).unwrap();
        assert_eq!((summaries.len(), finished.into_inner()), (200, 200));
        assert!((1..=4).contains(&most.into_inner()));
    }

    #[test]
    fn failed_searches_are_left_out_unless_all_fail() {
        let run = |fails: fn(usize) -> bool| {
            let search = |place: usize, _: &dyn Progress| {
                let findings = Findings { complete: true, ..Findings::default() };
                if fails(place) {
                    Err(Error::UnknownColumn { name: place.to_string() })
                } else {
                    Ok(findings)
                }
            };
            repeat_search("searches", 4, &NoProgress, search, |_| ()).map(|runs| runs.len())
        };
        assert_eq!(run(|_| false), Ok(4));
        assert_eq!(run(|place| place == 2), Ok(3));
        assert_eq!(run(|_| true), Err(Error::UnknownColumn { name: "0".into() }));
    }
}
