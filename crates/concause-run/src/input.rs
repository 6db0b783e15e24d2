//! The table of a run.

use std::ops::ControlFlow;
use std::path::PathBuf;

use concause_io::{Cells, Declaration, ReadOptions, Source, Table, read_columns, read_sources};

use crate::error::RunError;

/// Where the table of a run comes from.
pub enum Input {
    /// Files of one schema, or standard input.
    Sources(Vec<Source>),
    /// Named columns in memory, with the name of their table in error messages.
    Columns(String, Vec<(String, Cells)>),
    /// A table in memory, such as a data frame, with its name in error messages.
    #[cfg(feature = "arrow")]
    Batches(String, Box<dyn arrow_array::RecordBatchReader + Send>),
}

impl Input {
    /// The table in one file.
    pub fn from_path(path: impl Into<PathBuf>) -> Self {
        Self::Sources(vec![Source::Path(path.into())])
    }

    /// The names of the files; a table in memory has none.
    pub(crate) fn sources(&self) -> Vec<String> {
        match self {
            Self::Sources(sources) => sources.iter().map(ToString::to_string).collect(),
            Self::Columns(..) => Vec::new(),
            #[cfg(feature = "arrow")]
            Self::Batches(..) => Vec::new(),
        }
    }

    pub(crate) fn read(
        self,
        options: &ReadOptions,
        declaration: &Declaration,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Table, RunError> {
        match self {
            Self::Sources(sources) => {
                if sources.iter().filter(|source| **source == Source::Stdin).count() > 1 {
                    return Err(RunError::RepeatedStandardInput);
                }
                Ok(read_sources(&sources, options, declaration, progress)?)
            }
            Self::Columns(name, columns) => {
                Ok(read_columns(&name, &columns, options, declaration, progress)?)
            }
            #[cfg(feature = "arrow")]
            Self::Batches(name, batches) => {
                Ok(concause_io::read_batches(&name, batches, options, declaration, progress)?)
            }
        }
    }
}
