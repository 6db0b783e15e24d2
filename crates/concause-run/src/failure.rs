//! Why a run ended without a result.

use std::fmt;

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A setting or the input is wrong.
    Input(String),
    /// The input is right but has nothing to search: no column but the target can be used.
    NoColumns(String),
    /// Anything else.
    Other(String),
    /// The observer interrupted it.
    Interrupted,
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Failure::Input(sentence) | Failure::NoColumns(sentence) | Failure::Other(sentence) => sentence,
            Failure::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Failure {}

impl From<concause_io::Error> for Failure {
    fn from(error: concause_io::Error) -> Self {
        if error.is_cancelled() {
            Failure::Interrupted
        } else if error.is_without_columns() {
            Failure::NoColumns(error.to_string())
        } else if error.is_io() {
            Failure::Other(error.to_string())
        } else {
            Failure::Input(error.to_string())
        }
    }
}

impl From<concause::Error> for Failure {
    fn from(error: concause::Error) -> Self {
        Failure::Input(error.to_string())
    }
}
