//! How a search tells how far it is, and is told to stop.

/// Follows a search from outside; all methods may be called from any thread.
pub trait Watch: Sync {
    /// A stage begins: what it does, and how many steps it has.
    fn begin(&self, _stage: &str, _steps: u64) {}

    /// Some steps of the stage are done.
    fn advance(&self, _steps: u64) {}

    /// Whether the search should end now with what it knows.
    fn stopped(&self) -> bool {
        false
    }
}

/// Watches nothing and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}
