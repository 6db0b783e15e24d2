//! The time limit of a search.

use std::time::Duration;

use concause::progress::Progress;

/// The progress of a search with a time limit. The limit stops the search but does not interrupt the run: only the
/// inner progress does that.
pub(crate) struct TimeLimited<'a> {
    progress: &'a dyn Progress,
    /// In seconds of the clock of the inner progress.
    deadline: Option<f64>,
}

impl<'a> TimeLimited<'a> {
    /// The time starts now.
    pub fn new(progress: &'a dyn Progress, limit: Option<Duration>) -> Self {
        Self { progress, deadline: limit.map(|limit| progress.seconds() + limit.as_secs_f64()) }
    }
}

impl Progress for TimeLimited<'_> {
    fn begin(&self, stage: &str, steps: u64) {
        self.progress.begin(stage, steps);
    }

    fn advance(&self, steps: u64) {
        self.progress.advance(steps);
    }

    fn finish(&self) {
        self.progress.finish();
    }

    fn seconds(&self) -> f64 {
        self.progress.seconds()
    }

    fn stopped(&self) -> bool {
        self.progress.stopped() || self.deadline.is_some_and(|deadline| self.seconds() >= deadline)
    }
}
