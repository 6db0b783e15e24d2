//! Why a saved result could not be read, told to the person who gave it.

use std::fmt;

use crate::document::SCHEMA;
use crate::text::printable;

/// Why a saved result could not be read: one sentence that says what is wrong and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<ErrorKind>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum ErrorKind {
    /// It cannot be parsed; the reason names line and column.
    NotJson(String),
    /// It is JSON, but does not say that it is a result.
    NotAResult,
    /// It is a result in another format.
    OtherSchema(String),
    /// It says that it is a result, but a field is missing or of another type.
    Damaged(String),
}

impl Error {
    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        Self(Box::new(ErrorKind::NotJson(error.to_string())))
    }

    pub(crate) fn not_a_result() -> Self {
        Self(Box::new(ErrorKind::NotAResult))
    }

    pub(crate) fn other_schema(found: &str) -> Self {
        Self(Box::new(ErrorKind::OtherSchema(found.to_owned())))
    }

    pub(crate) fn damaged(error: &serde_json::Error) -> Self {
        Self(Box::new(ErrorKind::Damaged(error.to_string())))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            ErrorKind::NotJson(reason) => {
                write!(out, "this is not JSON ({reason}): give a result that was written as JSON")
            }
            ErrorKind::NotAResult => write!(
                out,
                "this JSON is not a concause result: it has no field \"schema\" that reads \"{SCHEMA}\""
            ),
            ErrorKind::OtherSchema(found) => write!(
                out,
                "this result is in the format \"{}\", but this version of concause reads \"{SCHEMA}\": use the \
                 version that wrote it, or make the result again",
                printable(found)
            ),
            ErrorKind::Damaged(reason) => write!(
                out,
                "this result is not whole ({}): it was changed after concause wrote it; make it again",
                printable(reason)
            ),
        }
    }
}

impl std::error::Error for Error {}
