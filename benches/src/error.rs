//! Why a benchmark or an experiment cannot run.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use concause_simulate::SimulateError;

use crate::uci::MissingData;

/// Why a benchmark or an experiment cannot run.
#[derive(Debug)]
#[non_exhaustive]
pub enum ToolError {
    /// The command line is not valid; the text says what is wrong.
    Usage(String),
    /// A file or folder cannot be read, written or removed.
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system reports.
        source: io::Error,
    },
    /// The content of a file is not valid.
    InvalidFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A data set is not available.
    MissingData(MissingData),
    /// No recipe has this name.
    UnknownRecipe(String),
    /// A recipe cannot be simulated.
    Simulate(SimulateError),
    /// A data set cannot be read or encoded.
    Read(concause_io::Error),
    /// A search is rejected or fails.
    Search(concause::Error),
    /// A pool of threads cannot be created.
    Threads(rayon::ThreadPoolBuildError),
    /// A result cannot be converted to or from JSON.
    Json(serde_json::Error),
    /// Another program does not start or does not succeed.
    Program {
        /// The program.
        program: String,
        /// What is wrong.
        problem: String,
    },
    /// The machine lacks an instruction set that the measurement needs.
    MissingInstructions(&'static str),
}

impl ToolError {
    /// For `map_err` on operations on a file or folder.
    pub fn file(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> ToolError {
        let path = path.as_ref().to_owned();
        move |source| ToolError::File { path, source }
    }

    /// For `map_err` on the start of another program.
    pub fn program(program: impl Into<String>) -> impl FnOnce(io::Error) -> ToolError {
        let program = program.into();
        move |error| ToolError::Program { program, problem: error.to_string() }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(problem) => f.write_str(problem),
            Self::File { path, source } => write!(f, "{}: {source}", path.display()),
            Self::InvalidFile { path, problem } => write!(f, "{}: {problem}", path.display()),
            Self::MissingData(missing) => missing.fmt(f),
            Self::UnknownRecipe(name) => write!(f, "there is no recipe '{name}'"),
            Self::Simulate(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Search(error) => error.fmt(f),
            Self::Threads(error) => write!(f, "threads cannot be started: {error}"),
            Self::Json(error) => write!(f, "JSON: {error}"),
            Self::Program { program, problem } => write!(f, "{program}: {problem}"),
            Self::MissingInstructions(name) => write!(f, "this machine has no {name}"),
        }
    }
}

impl std::error::Error for ToolError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Simulate(error) => Some(error),
            Self::Read(error) => Some(error),
            Self::Search(error) => Some(error),
            Self::Threads(error) => Some(error),
            Self::Json(error) => Some(error),
            Self::Usage(_)
            | Self::InvalidFile { .. }
            | Self::MissingData(_)
            | Self::UnknownRecipe(_)
            | Self::Program { .. }
            | Self::MissingInstructions(_) => None,
        }
    }
}

impl From<MissingData> for ToolError {
    fn from(missing: MissingData) -> Self {
        Self::MissingData(missing)
    }
}

impl From<SimulateError> for ToolError {
    fn from(error: SimulateError) -> Self {
        Self::Simulate(error)
    }
}

impl From<concause_io::Error> for ToolError {
    fn from(error: concause_io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<concause::Error> for ToolError {
    fn from(error: concause::Error) -> Self {
        Self::Search(error)
    }
}

impl From<rayon::ThreadPoolBuildError> for ToolError {
    fn from(error: rayon::ThreadPoolBuildError) -> Self {
        Self::Threads(error)
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}
