//! Where the table of a run comes from.

use std::ops::ControlFlow;

use concause_io::{Declaration, ReadOptions, Source, Table, read};

use crate::failure::Failure;

/// Where a table comes from.
pub enum Input {
    /// From files of one schema, or standard input.
    Sources(Vec<Source>),
    /// From memory, such as a data frame; what to call it where it cannot be used.
    #[cfg(feature = "arrow")]
    Batches(String, Box<dyn arrow_array::RecordBatchReader + Send>),
}

impl Input {
    /// The files, for the result; a table in memory has none.
    pub(crate) fn sources(&self) -> Vec<String> {
        match self {
            Self::Sources(sources) => sources.iter().map(ToString::to_string).collect(),
            #[cfg(feature = "arrow")]
            Self::Batches(..) => Vec::new(),
        }
    }

    pub(crate) fn read(
        self,
        options: &ReadOptions,
        declaration: &Declaration,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Table, Failure> {
        match self {
            Self::Sources(sources) => {
                if sources.iter().filter(|source| **source == Source::Stdin).count() > 1 {
                    return Err(Failure::Input("standard input (-) can be read only once".into()));
                }
                Ok(read(&sources, options, declaration, progress)?)
            }
            #[cfg(feature = "arrow")]
            Self::Batches(name, batches) => {
                Ok(concause_io::read_batches(&name, batches, options, declaration, progress)?)
            }
        }
    }
}
