//! The threads that a run works on.

use crate::failure::Failure;

/// Does some work on so many threads; 0 means all processors.
pub fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    if threads > 4096 {
        return Err(Failure::Input(format!("--threads must be at most 4096, but is {threads}")));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Other(format!("cannot start {threads} threads ({error})")))?;
    pool.install(work)
}
