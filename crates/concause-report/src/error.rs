//! What can go wrong when a saved result or truth is read, or a format is chosen by name.

use std::fmt;

use crate::text::printable;

/// The name and version of the format of results, the first field of every document.
pub const SCHEMA: &str = "concause/1";

/// A saved result that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentError {
    /// The text is not JSON.
    NotJson {
        /// What the parser reports, with line and column.
        message: String,
    },
    /// The JSON has no field `schema` with the name of a format.
    NoSchema,
    /// The result has another format or another version of it.
    OtherSchema {
        /// The format in the file.
        found: String,
    },
    /// A field is missing or has the wrong type.
    InvalidField {
        /// What the parser reports.
        message: String,
    },
}

impl fmt::Display for DocumentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DocumentError::NotJson { message } => {
                write!(
                    out,
                    "this is not JSON ({}): give a result that was written as JSON",
                    printable(message)
                )
            }
            DocumentError::NoSchema => write!(
                out,
                "this JSON is not a concause result: it has no field \"schema\" with the value \"{SCHEMA}\""
            ),
            DocumentError::OtherSchema { found } => write!(
                out,
                "this result has the format \"{}\", but this version of concause reads \"{SCHEMA}\": use the version \
                 that wrote it, or run the search again",
                printable(found)
            ),
            DocumentError::InvalidField { message } => write!(
                out,
                "this result is damaged ({}): it was changed after concause wrote it; run the search again",
                printable(message)
            ),
        }
    }
}

impl std::error::Error for DocumentError {}

/// A `truth.json` that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TruthError {
    /// The text is not JSON.
    NotJson {
        /// What the parser reports, with line and column.
        message: String,
    },
    /// The file declares another format, such as that of a result.
    OtherSchema {
        /// The value of its field `schema`, as JSON.
        found: String,
    },
    /// A field is missing or has the wrong type.
    InvalidField {
        /// What the parser reports.
        message: String,
    },
    /// A cause has no column.
    EmptyCause,
}

impl fmt::Display for TruthError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TruthError::NotJson { message } => write!(out, "this is not JSON ({})", printable(message)),
            TruthError::OtherSchema { found } => {
                write!(out, "this is not a truth but has the format {}", printable(found))
            }
            TruthError::InvalidField { message } => {
                write!(out, "this is not a truth ({})", printable(message))
            }
            TruthError::EmptyCause => out.write_str("this is not a truth (a cause has no column)"),
        }?;
        out.write_str(": give a truth.json as written by concause simulate")
    }
}

impl std::error::Error for TruthError {}

/// No output format has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
    /// The names that there are.
    pub known: Vec<&'static str>,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "there is no format '{}'; choose one of {}", printable(&self.name), self.known.join(", "))
    }
}

impl std::error::Error for UnknownFormat {}
