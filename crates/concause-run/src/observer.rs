//! Who follows a run from outside, hears its notices and may end it.

use std::time::{Duration, Instant};

use concause::search::Watch;

/// Follows a run; all methods may be called from any thread.
pub trait Observer: Sync {
    /// So many rows are read.
    fn reading(&self, _rows: u64) {}

    /// A stage of a search begins: what it does, and how many steps it has.
    fn begin(&self, _stage: &str, _steps: u64) {}

    /// Some steps of the stage are done.
    fn advance(&self, _steps: u64) {}

    /// Reading, or a search, is at its end.
    fn end(&self) {}

    /// Something that whoever asked should know.
    fn notice(&self, _sentence: &str) {}

    /// Whether the run should end now, with what it knows if that is worth telling.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Follows nothing and never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// What a search is watched by: the observer, and the limit of time.
pub(crate) struct Limited<'a> {
    observer: &'a dyn Observer,
    deadline: Option<Instant>,
}

impl<'a> Limited<'a> {
    /// The time runs from now on.
    pub fn new(observer: &'a dyn Observer, limit: Option<Duration>) -> Self {
        Self { observer, deadline: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }
}

impl Watch for Limited<'_> {
    fn begin(&self, stage: &str, steps: u64) {
        self.observer.begin(stage, steps);
    }

    fn advance(&self, steps: u64) {
        self.observer.advance(steps);
    }

    fn stopped(&self) -> bool {
        self.observer.interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
