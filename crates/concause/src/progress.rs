//! How a caller follows a run, receives its notices and stops it.
//!
//! This module depends on no other module of the crate.

/// Follows a run from outside. Methods may be called from any thread. The default implementations do nothing.
pub trait Progress: Sync {
    /// Begins a stage with this name and this number of steps, 0 if the number is not known.
    fn begin(&self, _stage: &str, _steps: u64) {}

    /// Reports that further steps of the stage are done.
    fn advance(&self, _steps: u64) {}

    /// Ends the current stage, or the reading of a file.
    fn finish(&self) {}

    /// Reports the number of rows read so far.
    fn rows_read(&self, _rows: u64) {}

    /// Passes on a sentence that the user should see.
    fn notice(&self, _sentence: &str) {}

    /// The seconds since some fixed moment: the clock of time limits and of the times in results. A caller without a
    /// system clock, such as WebAssembly, brings its own.
    fn seconds(&self) -> f64 {
        system_seconds()
    }

    /// Whether the run should stop now and return the results so far.
    fn stopped(&self) -> bool {
        false
    }
}

/// The seconds since the first call.
#[cfg(not(target_family = "wasm"))]
fn system_seconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// WebAssembly has no clock of its own.
#[cfg(target_family = "wasm")]
fn system_seconds() -> f64 {
    0.0
}

/// Ignores all reports and never stops the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}
