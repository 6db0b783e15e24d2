//! The reader of SQLite databases: one table, read in the order of its rows.
//!
//! The file format is simple and frozen ("Database File Format" on sqlite.org), while the library is a quarter of a
//! million lines of C. So the pages of plain tables are read here; views, virtual tables and tables without row
//! numbers are refused with the line that copies them into a plain table.

mod pages;
mod schema;

use self::pages::{Database, Value};
use self::schema::{TableSchema, parse_table};
use super::binary::{Failure, corrupt, number_text};
use super::builder::TableBuilder;
use super::collect::Columns;
use super::format::TableReader;
use crate::error::{Error, SourceError};
use crate::source::{OpenedSource, Source};

/// Reads SQLite databases.
pub(crate) struct SqliteReader;

impl TableReader for SqliteReader {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn title(&self) -> &'static str {
        "an SQLite"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sqlite", "sqlite3", "db3"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        opened.signature.starts_with(b"SQLite format 3\0")
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        mut opened: OpenedSource,
    ) -> Result<(), Error> {
        read_database(builder, source, &mut opened).map_err(|failure| failure.in_source(source, self.title()))
    }
}

fn read_database(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    opened: &mut OpenedSource,
) -> Result<(), Failure> {
    refuse_pending_changes(opened)?;
    let mut database = Database::open(opened.open_seekable(source, builder.options.max_memory)?)?;
    let mut objects = Vec::new();
    database.for_each_row(1, &mut |_, record| {
        let texts: Vec<String> = record.into_iter().map(write_value).collect();
        if let [kind, name, _, root, sql, ..] = texts.as_slice() {
            let is_internal = name.starts_with("sqlite_");
            if matches!(kind.as_str(), "table" | "view") && !is_internal {
                objects.push((kind.clone(), name.clone(), root.parse::<u32>().unwrap_or(0), sql.clone()));
            }
        }
        Ok(())
    })?;
    let names: Vec<String> = objects
        .iter()
        .filter(|(kind, _, root, _)| kind == "table" && *root > 0)
        .map(|it| it.1.clone())
        .collect();
    let wanted = match &opened.part {
        Some(wanted) => Some(wanted.as_str()),
        None if names.len() == 1 => names.first().map(String::as_str),
        None => None,
    };
    let found =
        wanted.and_then(|wanted| objects.iter().find(|(_, name, ..)| name.eq_ignore_ascii_case(wanted)));
    let Some((kind, name, root, sql)) = found else {
        let kind = SourceError::Parts { parts: "tables", names, wanted: opened.part.clone() };
        return Err(Error::new(kind).in_source(source).into());
    };
    let copy = |what: &str| {
        Failure::Unsupported(format!(
            "{name:?} is {what}, which is not read; sqlite3 FILE 'CREATE TABLE copy AS SELECT * FROM \"{name}\"' copies \
             it into a table"
        ))
    };
    if kind == "view" {
        return Err(copy("a view"));
    }
    let schema = parse_table(sql).ok_or_else(|| corrupt("the definition of its table cannot be read"))?;
    if schema.is_without_row_numbers {
        return Err(copy("a table WITHOUT ROWID"));
    }
    if *root == 0 {
        return Err(copy("a virtual table"));
    }
    read_table(builder, source, &mut database, *root, &schema)
}

/// Changes that are not yet in the file are in a file beside it.
fn refuse_pending_changes(opened: &OpenedSource) -> Result<(), Failure> {
    let Some(path) = &opened.file else { return Ok(()) };
    let mut pending = path.clone().into_os_string();
    pending.push("-wal");
    match std::fs::metadata(&pending) {
        Ok(metadata) if metadata.len() > 0 => Err(Failure::Unsupported(format!(
            "has changes that are still in {}; close the program that uses it, or run sqlite3 FILE 'PRAGMA \
             wal_checkpoint(TRUNCATE)'",
            std::path::Path::new(&pending).display()
        ))),
        _ => Ok(()),
    }
}

fn read_table(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    database: &mut Database,
    root: u32,
    schema: &TableSchema,
) -> Result<(), Failure> {
    let mut columns = Columns::new(builder, schema.columns.iter().map(|column| column.name.as_str()));
    database.for_each_row(root, &mut |row_number, record| {
        let mut stored = record.into_iter();
        for (place, column) in schema.columns.iter().enumerate() {
            match stored.next() {
                // The number of a row is not stored a second time.
                Some(Value::Null) if column.is_row_number => *columns.cell(place) = row_number.to_string(),
                Some(Value::Blob) => columns.refuse(place, "BLOB"),
                Some(value) => *columns.cell(place) = write_value(value),
                // The column was added to the table after this row.
                None => columns.cell(place).push_str(column.default.as_deref().unwrap_or_default()),
            }
        }
        Ok(columns.end_row(builder)?)
    })?;
    Ok(columns.finish(builder, source)?)
}

fn write_value(value: Value) -> String {
    match value {
        Value::Null | Value::Blob => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number_text(number),
        Value::Text(text) => text,
    }
}
