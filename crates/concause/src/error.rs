//! What can go wrong in the core: a request that is refused before it is tried.

use std::fmt;

/// Why a search was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A setting makes no sense; the sentence says which and why.
    Setting(String),
    /// A level has more candidates than allowed.
    TooManyCandidates {
        /// The level.
        level: usize,
        /// How many candidates it has, at most.
        candidates: u128,
        /// How many are allowed.
        budget: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Setting(sentence) => f.write_str(sentence),
            Error::TooManyCandidates { level, candidates, budget } => write!(
                f,
                "level {level} has up to {candidates} candidates, more than the budget of {budget}: lower \
                 --max-level to {}, leave out columns, or raise --max-candidates",
                level - 1
            ),
        }
    }
}

impl std::error::Error for Error {}
