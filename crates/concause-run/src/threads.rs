//! The threads of a run.

use std::cell::OnceCell;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::RunError;

/// The largest number of threads.
const MOST_THREADS: usize = 4096;

thread_local! {
    /// A pool whose only thread is this one.
    static OWN_POOL: OnceCell<ThreadPool> = const { OnceCell::new() };
}

/// Runs some work on a number of threads; 0 uses all processors. One thread is the calling one, and so is 0 on systems
/// without threads, such as WebAssembly.
pub fn run_on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, RunError> + Send,
) -> Result<T, RunError> {
    if threads > MOST_THREADS {
        return Err(RunError::TooManyThreads { threads, most: MOST_THREADS });
    }
    if threads == 1 || cfg!(target_family = "wasm") {
        return run_on_own_thread(work);
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::NoThreads { threads, reason: error.to_string() })?;
    pool.install(work)
}

/// Runs some work on the calling thread, which becomes a pool of one thread for good.
fn run_on_own_thread<T: Send>(work: impl FnOnce() -> Result<T, RunError> + Send) -> Result<T, RunError> {
    OWN_POOL.with(|own| {
        if own.get().is_none() && rayon::current_thread_index().is_none() {
            let built = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
            let failed = |reason: String| RunError::NoThreads { threads: 1, reason };
            let pool = built.map_err(|error| failed(error.to_string()))?;
            // The cell was empty.
            let _ = own.set(pool);
        }
        match own.get() {
            Some(pool) => pool.install(work),
            // The caller's own pool decides.
            None => work(),
        }
    })
}

/// Keeps the panics of decoders off standard error: damaged files cause them, and the reader turns them into errors.
/// All other panics are bugs and are shown as usual.
pub fn silence_caught_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !concause_io::is_decoding() {
            usual(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn one_thread_is_the_calling_one() {
        for _ in 0..3 {
            let caller = thread::current().id();
            let (worker, threads) =
                run_on_threads(1, || Ok((thread::current().id(), rayon::current_num_threads()))).unwrap();
            assert_eq!((worker, threads), (caller, 1));
        }
        // Other numbers still have a pool of their own, even within a run on one thread.
        let nested = || run_on_threads(3, || Ok(rayon::current_num_threads()));
        assert_eq!(nested().unwrap(), 3);
        assert_eq!(run_on_threads(1, nested).unwrap(), 3);
    }
}
