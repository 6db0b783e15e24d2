//! From sources to a [`Table`]: one file after the other into the same attributes.
//!
//! This module knows how attributes get their names and how several files agree; the formats are below it.

mod blank;
mod chunks;
#[cfg(feature = "arrow")]
mod columnar;
mod lanes;
mod plain;
mod record;
mod sniff;
mod text;

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Display;
use std::ops::ControlFlow;

use self::chunks::ChunkSize;
use crate::declaration::Declaration;
use crate::error::Error;
use crate::names::suggestion;
use crate::options::{Delimiter, Format, ReadOptions};
use crate::source::{Opened, Source};
use crate::table::word::MissingMarks;
use crate::table::{Attribute, Table};

/// Text that one thread reads at a time: enough to make turns rare, little enough for the cache.
const CHUNK_BYTES: usize = 1 << 19;
/// Less is not worth a turn of a thread.
const LEAST_CHUNK: usize = 4 << 10;
/// Longer records than this are read by one thread.
const LONGEST_CHUNK: usize = 16 << 20;
/// Rows between two looks at the memory and two calls of `progress`.
const ROWS_BETWEEN_CHECKS: u64 = 4096;
/// Text between two looks at the memory, for tables of few and large rows.
const TEXT_BETWEEN_CHECKS: usize = 4 << 20;

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// True while this thread decodes a Parquet or Arrow file: a panic then is that of a decoder that met a damaged
/// file, is caught and becomes an error, so that a panic hook has nothing to report.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Reads sources of one schema as one table.
///
/// `progress` is called now and then with the number of rows so far and can stop the reading.
pub fn read(
    sources: &[Source],
    options: &ReadOptions,
    declaration: &Declaration,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Table, Error> {
    read_divided(sources, options, declaration, progress, Division::usual(options))
}

/// How the work is divided among threads; the table does not depend on it.
#[derive(Clone, Copy, Debug)]
struct Division {
    threads: usize,
    chunk_size: ChunkSize,
}

impl Division {
    fn usual(options: &ReadOptions) -> Self {
        // A small budget is looked at often.
        let budget =
            options.max_memory.map_or(CHUNK_BYTES, |bytes| usize::try_from(bytes / 8).unwrap_or(CHUNK_BYTES));
        let usual = budget.clamp(LEAST_CHUNK, CHUNK_BYTES);
        let chunk_size = ChunkSize { usual, longest: LONGEST_CHUNK };
        Self { threads: rayon::current_num_threads(), chunk_size }
    }
}

/// Reads record batches of one schema, such as those of a data frame, as a table. What is said of them calls them
/// `name`.
#[cfg(feature = "arrow")]
pub fn read_batches(
    name: &str,
    batches: impl arrow_array::RecordBatchReader,
    options: &ReadOptions,
    declaration: &Declaration,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Table, Error> {
    let mut reading = Reading::new(options, declaration, progress, Division::usual(options));
    columnar::read_frame(&mut reading, &name, batches)?;
    reading.check()?;
    Ok(reading.table)
}

/// A table of attributes with these names, without rows.
pub(crate) fn named(
    source: &dyn Display,
    names: &[String],
    declaration: &Declaration,
) -> Result<Table, Error> {
    let options = ReadOptions::default();
    let names: Vec<String> = names.iter().map(|name| name.trim_matches([' ', '\t']).to_owned()).collect();
    let go_on = |_| ControlFlow::Continue(());
    let mut reading = Reading::new(&options, declaration, &go_on, Division::usual(&options));
    if names.is_empty() {
        return Err(Error::source(source, "is empty; a table needs names and at least one row"));
    }
    reading.begin_named(source, names)?;
    Ok(reading.table)
}

fn read_divided(
    sources: &[Source],
    options: &ReadOptions,
    declaration: &Declaration,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
    division: Division,
) -> Result<Table, Error> {
    if sources.is_empty() {
        return Err(Error::request("no input is given; name at least one file, or - for standard input"));
    }
    if let Some(Delimiter::Byte(byte)) = options.delimiter
        && (!byte.is_ascii() || matches!(byte, b'\n' | b'\r' | 0) || Some(byte) == options.quote)
    {
        return Err(Error::request(
            "the delimiter must be an ASCII character, not a line end and not the quote",
        ));
    }
    let mut reading = Reading::new(options, declaration, progress, division);
    for source in sources {
        let opened = Opened::new(source, options.format)?;
        match opened.format {
            Format::Text => text::read_text(&mut reading, source, opened)?,
            #[cfg(feature = "arrow")]
            Format::Parquet | Format::Arrow => columnar::read_columnar(&mut reading, source, opened)?,
            #[cfg(not(feature = "arrow"))]
            Format::Parquet | Format::Arrow => {
                let sentence = "is a Parquet or Arrow file, which this build cannot read; convert it to CSV, \
                                or build with the feature \"arrow\"";
                return Err(Error::source(source, sentence));
            }
        }
    }
    reading.check()?;
    Ok(reading.table)
}

/// How the attributes got their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// Not yet: no source was opened.
    Open,
    /// From the sources, which must all agree.
    Header,
    /// By position, from the declaration or numbered.
    Positions,
}

/// A table under way.
struct Reading<'a> {
    options: &'a ReadOptions,
    declaration: &'a Declaration,
    progress: &'a dyn Fn(u64) -> ControlFlow<()>,
    marks: MissingMarks,
    table: Table,
    naming: Naming,
    text_since_check: usize,
    division: Division,
}

impl<'a> Reading<'a> {
    fn new(
        options: &'a ReadOptions,
        declaration: &'a Declaration,
        progress: &'a dyn Fn(u64) -> ControlFlow<()>,
        division: Division,
    ) -> Self {
        Self {
            options,
            declaration,
            progress,
            marks: MissingMarks::new(options.missing.iter().chain(&declaration.missing)),
            table: Table { attributes: Vec::new(), rows: 0 },
            naming: Naming::Open,
            text_since_check: 0,
            division,
        }
    }

    /// True if all declared attributes are among these names.
    fn declaration_names_all(&self, names: &[String]) -> bool {
        let names: std::collections::HashSet<&str> = names.iter().map(String::as_str).collect();
        let declared = &self.declaration.attributes;
        !declared.is_empty() && declared.iter().all(|attribute| names.contains(attribute.name.as_str()))
    }

    /// Takes the names of a source: the first source sets them, the others must agree.
    fn begin_named(&mut self, source: &dyn Display, names: Vec<String>) -> Result<(), Error> {
        if self.naming == Naming::Open {
            self.check_names(source, &names)?;
            self.naming = Naming::Header;
            self.table.attributes = names.into_iter().map(|name| self.attribute(name)).collect();
            return Ok(());
        }
        let expected = &self.table.attributes;
        for (column, (attribute, name)) in expected.iter().zip(&names).enumerate() {
            if attribute.name != *name {
                let sentence = format!(
                    "column {} is named {name:?} but {:?} in the files before; give files of one schema",
                    column + 1,
                    attribute.name
                );
                return Err(Error::source(source, sentence));
            }
        }
        if expected.len() != names.len() {
            let odd = match expected.get(names.len()) {
                Some(attribute) => format!("{:?} is missing", attribute.name),
                None => format!("{:?} is new", names[expected.len()]),
            };
            let sentence = format!(
                "has {} columns but the files before have {} ({odd}); give files of one schema",
                names.len(),
                expected.len()
            );
            return Err(Error::source(source, sentence));
        }
        Ok(())
    }

    /// Takes the number of columns of a source without names.
    fn begin_unnamed(&mut self, source: &Source, columns: usize) -> Result<(), Error> {
        if self.naming != Naming::Open {
            if columns == self.table.attributes.len() {
                return Ok(());
            }
            let sentence = format!(
                "has {columns} columns but the files before have {}; give files of one schema",
                self.table.attributes.len()
            );
            return Err(Error::source(source, sentence));
        }
        let declared = &self.declaration.attributes;
        if !declared.is_empty() && declared.len() != columns {
            let sentence = format!(
                "has {columns} columns and no header, but {} attributes are declared; declare all in order, \
                 or give the header",
                declared.len()
            );
            return Err(Error::source(source, sentence));
        }
        self.naming = Naming::Positions;
        self.table.attributes = if declared.is_empty() {
            (1..=columns).map(|column| self.attribute(format!("V{column}"))).collect()
        } else {
            declared.iter().map(|attribute| self.attribute(attribute.name.clone())).collect()
        };
        Ok(())
    }

    fn attribute(&self, name: String) -> Attribute {
        let declared = self.declaration.attribute(&name).and_then(|attribute| attribute.values.clone());
        Attribute::new(name, declared.unwrap_or_default())
    }

    fn check_names(&self, source: &dyn Display, names: &[String]) -> Result<(), Error> {
        let mut seen = HashMap::new();
        for (column, name) in names.iter().enumerate() {
            let column = column + 1;
            if name.is_empty() {
                let sentence =
                    format!("column {column} has an empty name; name it, or say that there is no header");
                return Err(Error::source(source, sentence));
            }
            if let Some(before) = seen.insert(name.as_str(), column) {
                let sentence =
                    format!("columns {before} and {column} are both named {name:?}; rename one of them");
                return Err(Error::source(source, sentence));
            }
        }
        match self.declaration.attributes.iter().find(|attribute| !seen.contains_key(attribute.name.as_str()))
        {
            None => Ok(()),
            Some(absent) => {
                let sentence = format!(
                    "has no column {:?}, which is declared{}",
                    absent.name,
                    suggestion(&absent.name, names.iter().map(String::as_str))
                );
                Err(Error::source(source, sentence))
            }
        }
    }

    /// Counts a row; now and then looks at the memory and reports.
    #[inline]
    fn end_row(&mut self, text: usize) -> Result<(), Error> {
        self.table.rows += 1;
        self.text_since_check += text;
        if self.table.rows.is_multiple_of(ROWS_BETWEEN_CHECKS) || self.text_since_check > TEXT_BETWEEN_CHECKS
        {
            self.check()?;
        }
        Ok(())
    }

    /// Counts rows that came together, and looks at the memory.
    #[cfg(feature = "arrow")]
    fn end_rows(&mut self, rows: usize) -> Result<(), Error> {
        self.table.rows += rows as u64;
        self.check()
    }

    fn check(&mut self) -> Result<(), Error> {
        self.text_since_check = 0;
        if let Some(limit) = self.options.max_memory {
            let bytes = self.table.bytes();
            if bytes > limit {
                return Err(Error::request(format!(
                    "after {} rows the table takes {bytes} bytes, more than --max-memory allows ({limit}); \
                     raise it or read fewer columns",
                    self.table.rows
                )));
            }
        }
        match (self.progress)(self.table.rows) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::cancelled()),
        }
    }
}

#[cfg(test)]
mod oracle;
