//! The threads of a run.

use crate::error::RunError;

/// The largest number of threads.
const MOST_THREADS: usize = 4096;

/// Runs some work on a number of threads; 0 uses all processors.
pub fn run_on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, RunError> + Send,
) -> Result<T, RunError> {
    if threads > MOST_THREADS {
        return Err(RunError::TooManyThreads { threads, most: MOST_THREADS });
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::NoThreads { threads, reason: error.to_string() })?;
    pool.install(work)
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
