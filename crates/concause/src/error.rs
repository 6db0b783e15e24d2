//! What can go wrong in the core: a request that is refused before it is tried.

use std::fmt;

use crate::count::MOST_STRATA;

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
    /// The covariates leave too few rows to each combination of their values.
    TooManyStrata {
        /// How many combinations occur.
        strata: usize,
    },
    /// A method that holds all candidates against one another may need more tests than allowed.
    TooManyTests {
        /// The method.
        method: &'static str,
        /// How many candidates are associated with the target.
        candidates: u64,
        /// Whether these are all, or only those of the first levels.
        all: bool,
        /// How many tests they may need, at worst.
        tests: u128,
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
            Error::TooManyStrata { strata } => write!(
                f,
                "the covariates split the rows into {strata} strata, too many to be held fixed (the most are \
                 {MOST_STRATA}, of up to 8 columns that hold at once): name fewer covariates"
            ),
            Error::TooManyTests { method, candidates, all, tests, budget } => write!(
                f,
                "{method} would hold {}{candidates} candidates against one another, some {:.1e} tests at worst, more \
                 than the budget of {:.1e}: lower --max-k{}, leave out columns, or raise --max-tests",
                if *all { "" } else { "at least " },
                *tests as f64,
                *budget as f64,
                if method.starts_with("naive") { " or --max-level" } else { "" }
            ),
        }
    }
}

impl std::error::Error for Error {}
