//! From sources to a [`Table`]: one source after the other into the same attributes.
//!
//! [`mod@format`] lists the readers, one per input format; [`builder`] holds the table while it is read.

mod arrow;
#[cfg(feature = "arrow")]
mod arrow_lengths;
mod binary;
mod builder;
mod collect;
#[cfg(feature = "arrow")]
mod columnar;
mod columns;
mod decoding;
mod excel;
mod foreign;
mod format;
mod genotypes;
mod json;
pub(crate) mod labels;
mod parquet;
mod sas_transport;
mod spss;
mod sqlite;
mod stata;
mod text;

use std::ops::ControlFlow;
use std::path::Path;

use self::builder::TableBuilder;
pub use self::columns::{Cells, read_columns};
pub use self::format::InputFormat;
use self::text::ChunkSize;
use crate::declaration::Declaration;
use crate::error::{Error, OptionError, SourceError};
use crate::options::{Delimiter, ReadOptions};
use crate::source::{OpenedSource, Source, expand_sources};
use crate::table::Table;

/// Bytes of text that a thread reads at a time: enough to make synchronisation rare, few enough for the cache.
const CHUNK_BYTES: usize = 1 << 19;
/// Smaller chunks are not worth the synchronisation.
const MIN_CHUNK_BYTES: usize = 4 << 10;
/// Longer records than this are read by one thread.
const MAX_CHUNK_BYTES: usize = 16 << 20;

/// True while this thread decodes a Parquet or Arrow file.
///
/// The decoders panic on some damaged files. Such a panic is caught and becomes an error, so a panic hook should not
/// report it.
#[doc(hidden)]
pub fn is_decoding() -> bool {
    decoding::is_decoding()
}

/// Reads a file with default options. The format, the delimiter and the header are detected.
///
/// ```no_run
/// let table = concause_io::read("fire.csv")?;
/// println!("{} rows", table.rows());
/// # Ok::<(), concause_io::Error>(())
/// ```
pub fn read(path: impl AsRef<Path>) -> Result<Table, Error> {
    read_by_default(Source::Path(path.as_ref().to_owned()))
}

/// Reads delimited text in memory with default options.
///
/// ```
/// let table = concause_io::read_text("smoker,fire\nyes,1\nno,0\n")?;
/// assert_eq!(table.names().collect::<Vec<_>>(), ["smoker", "fire"]);
/// # Ok::<(), concause_io::Error>(())
/// ```
pub fn read_text(text: &str) -> Result<Table, Error> {
    read_by_default(Source::Bytes { name: "the text".into(), bytes: text.as_bytes().into() })
}

fn read_by_default(source: Source) -> Result<Table, Error> {
    let proceed = |_| ControlFlow::Continue(());
    read_sources(&[source], &ReadOptions::default(), &Declaration::default(), &proceed)
}

/// Reads sources of one schema as one table.
///
/// `progress` is called from time to time with the number of rows read, and can stop the reading.
pub fn read_sources(
    sources: &[Source],
    options: &ReadOptions,
    declaration: &Declaration,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Table, Error> {
    read_divided(sources, options, declaration, progress, WorkDivision::by_default(options))
}

/// How the work is divided among threads; the table does not depend on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkDivision {
    pub threads: usize,
    pub chunk_size: ChunkSize,
}

impl WorkDivision {
    fn by_default(options: &ReadOptions) -> Self {
        // A small memory limit needs frequent checks.
        let budget =
            options.max_memory.map_or(CHUNK_BYTES, |bytes| usize::try_from(bytes / 8).unwrap_or(CHUNK_BYTES));
        let usual = budget.clamp(MIN_CHUNK_BYTES, CHUNK_BYTES);
        let chunk_size = ChunkSize { usual, longest: MAX_CHUNK_BYTES };
        Self { threads: rayon::current_num_threads(), chunk_size }
    }
}

/// Reads record batches of one schema, such as those of a data frame, as a table. Errors call the batches `name`.
#[cfg(feature = "arrow")]
pub fn read_batches(
    name: &str,
    batches: impl arrow_array::RecordBatchReader,
    options: &ReadOptions,
    declaration: &Declaration,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Table, Error> {
    let mut builder = TableBuilder::new(options, declaration, progress, WorkDivision::by_default(options));
    columnar::read_frame(&mut builder, &name, batches)?;
    builder.finish()
}

/// Reads a part of a distributed table. Its values keep their text: whether all values of an attribute are dates, for
/// example, no part knows.
#[cfg(feature = "remote")]
pub(crate) fn read_partition(
    name: &str,
    batches: impl arrow_array::RecordBatchReader,
    options: &ReadOptions,
    declaration: &Declaration,
) -> Result<Table, Error> {
    let proceed = |_| ControlFlow::Continue(());
    let mut builder = TableBuilder::new(options, declaration, &proceed, WorkDivision::by_default(options));
    builder.interprets = false;
    columnar::read_frame(&mut builder, &name, batches)?;
    builder.finish()
}

/// A table of attributes with these names, without rows.
#[cfg(feature = "remote")]
pub(crate) fn table_without_rows(
    source: &dyn std::fmt::Display,
    names: &[String],
    declaration: &Declaration,
) -> Result<Table, Error> {
    let options = ReadOptions::default();
    let names: Vec<String> = names.iter().map(|name| name.trim_matches([' ', '\t']).to_owned()).collect();
    let proceed = |_| ControlFlow::Continue(());
    let mut builder = TableBuilder::new(&options, declaration, &proceed, WorkDivision::by_default(&options));
    if names.is_empty() {
        return Err(Error::new(SourceError::Empty).in_source(source));
    }
    builder.begin_complete(source, names)?;
    Ok(builder.table)
}

fn read_divided(
    sources: &[Source],
    options: &ReadOptions,
    declaration: &Declaration,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
    division: WorkDivision,
) -> Result<Table, Error> {
    if sources.is_empty() {
        return Err(SourceError::NoInput.into());
    }
    if let Some(Delimiter::Byte(byte)) = options.delimiter
        && (!byte.is_ascii() || matches!(byte, b'\n' | b'\r' | 0) || Some(byte) == options.quote)
    {
        return Err(OptionError::Delimiter.into());
    }
    let mut builder = TableBuilder::new(options, declaration, progress, division);
    for source in &expand_sources(sources)? {
        let opened = OpenedSource::open(source, options.max_memory)?;
        let format = match options.format {
            Some(format) => format,
            None => InputFormat::detect(&opened).map_err(|kind| Error::new(kind).in_source(source))?,
        };
        format.reader().read(&mut builder, source, opened)?;
    }
    builder.finish()
}
