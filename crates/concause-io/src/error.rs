//! What can go wrong between a file and a dataset, told to the person who typed the command.
//!
//! The sentence is written where the fault is found, for only that place knows what to advise; this module
//! adds the position and tells the user's input from failures of the system.

use std::fmt;
use std::io;

/// Why a table could not be read or encoded: one sentence that says what is wrong, where, and what to do.
#[derive(Debug)]
pub struct Error(Box<ErrorKind>);

#[derive(Debug)]
enum ErrorKind {
    /// The operating system failed; the input may be fine.
    System { place: Place, error: io::Error },
    /// The input or a request about it cannot be used.
    Input { place: Option<Place>, sentence: String },
    /// The table holds nothing that could be a cause.
    NoColumns,
    /// The caller asked to stop.
    Cancelled,
}

/// Where in the input something was found.
#[derive(Debug, Clone)]
struct Place {
    source: String,
    line: Option<u64>,
}

impl Error {
    /// A request or a whole table that cannot be used.
    pub(crate) fn request(sentence: impl Into<String>) -> Self {
        Self(Box::new(ErrorKind::Input { place: None, sentence: sentence.into() }))
    }

    /// A source that cannot be used.
    pub(crate) fn source(source: &dyn fmt::Display, sentence: impl Into<String>) -> Self {
        let place = Place { source: source.to_string(), line: None };
        Self(Box::new(ErrorKind::Input { place: Some(place), sentence: sentence.into() }))
    }

    /// A line of a source that cannot be used.
    pub(crate) fn line(source: &dyn fmt::Display, line: u64, sentence: impl Into<String>) -> Self {
        let place = Place { source: source.to_string(), line: Some(line) };
        Self(Box::new(ErrorKind::Input { place: Some(place), sentence: sentence.into() }))
    }

    /// A failure of the operating system at a source.
    pub(crate) fn system(source: &dyn fmt::Display, error: io::Error) -> Self {
        let place = Place { source: source.to_string(), line: None };
        Self(Box::new(ErrorKind::System { place, error }))
    }

    /// A table without any column but the target that can be used.
    pub(crate) fn no_columns() -> Self {
        Self(Box::new(ErrorKind::NoColumns))
    }

    /// The caller's `progress` asked to stop.
    pub(crate) fn cancelled() -> Self {
        Self(Box::new(ErrorKind::Cancelled))
    }

    /// True for failures of the operating system that are not the fault of the input.
    pub fn is_io(&self) -> bool {
        matches!(*self.0, ErrorKind::System { .. })
    }

    /// True if no column but the target can be used.
    pub fn is_without_columns(&self) -> bool {
        matches!(*self.0, ErrorKind::NoColumns)
    }

    /// True if reading ended because the caller's `progress` asked to stop.
    pub fn is_cancelled(&self) -> bool {
        matches!(*self.0, ErrorKind::Cancelled)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.source)?;
        match self.line {
            Some(line) => write!(out, ", line {line}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            ErrorKind::System { place, error } => write!(out, "{place}: cannot be read ({error})"),
            ErrorKind::Input { place: Some(place), sentence } => write!(out, "{place}: {sentence}"),
            ErrorKind::Input { place: None, sentence } => out.write_str(sentence),
            ErrorKind::NoColumns => out.write_str(
                "no column but the target can be used: all are ignored, empty, like identifiers, or continuous without \
                 a cut; declare types, values or cuts",
            ),
            ErrorKind::Cancelled => out.write_str("reading was stopped before its end"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            ErrorKind::System { error, .. } => Some(error),
            _ => None,
        }
    }
}
