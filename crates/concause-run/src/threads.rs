//! The threads that a run works on, and what they say when they fail.

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

/// Damaged files make decoders panic; the reader catches that and tells it as an error. All other panics are
/// bugs and are shown as usual.
pub fn keep_caught_panics_quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !concause_io::is_decoding() {
            usual(panic);
        }
    }));
}
