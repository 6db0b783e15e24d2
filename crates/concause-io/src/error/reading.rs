//! Errors of files, texts and schemas.

use std::fmt;

use super::OptionName;
use crate::names::{Suggestion, quote_list};

/// A limit on memory that is exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitError {
    /// The table read so far takes too much memory.
    Table {
        /// The rows read so far.
        rows: u64,
        /// The bytes they take.
        bytes: u64,
        /// The bytes allowed.
        limit: u64,
    },
    /// A single record takes too much memory.
    Record,
    /// A record is larger than any sensible record.
    RecordSize {
        /// The megabytes allowed.
        megabytes: usize,
    },
    /// A source that must be held in memory takes too much of it.
    Source,
    /// The encoded columns take too much memory.
    Columns {
        /// Their number.
        columns: u64,
        /// The bytes they take.
        bytes: u64,
        /// The bytes allowed.
        limit: u64,
        /// Whether rows are repeated by weights.
        weighted: bool,
    },
}

impl fmt::Display for LimitError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(out, &str::to_owned)
    }
}

impl LimitError {
    /// Writes the sentence; `name` turns the name of an option into what the user calls it.
    pub(super) fn describe(&self, out: &mut dyn fmt::Write, name: OptionName<'_>) -> fmt::Result {
        match self {
            Self::Table { rows, bytes, limit } => write!(
                out,
                "after {rows} rows the table takes {bytes} bytes, more than {} allows ({limit}); raise it or read \
                 fewer columns",
                name("max_memory")
            ),
            Self::Record => write!(
                out,
                "the record that starts here takes more memory than {} allows; raise the limit",
                name("max_memory")
            ),
            Self::RecordSize { megabytes } => write!(
                out,
                "the record that starts here is larger than {megabytes} MB; probably a quote is never closed, or this \
                 is not a table"
            ),
            Self::Source => write!(
                out,
                "takes more memory when decompressed than {} allows; raise the limit",
                name("max_memory")
            ),
            Self::Columns { columns, bytes, limit, weighted } => {
                let (repeated, advice) = match weighted {
                    true => (
                        " with all rows that the weights stand for",
                        "check that the weights are numbers of rows",
                    ),
                    false => ("", "ignore columns with many values"),
                };
                write!(
                    out,
                    "the {columns} encoded columns take {bytes} bytes{repeated}, more than {} allows ({limit}); \
                     raise it, or {advice}",
                    name("max_memory")
                )
            }
        }
    }
}

/// A source that cannot be opened or decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceError {
    /// No source was given.
    NoInput,
    /// There is no such file.
    NotFound,
    /// The path is a directory.
    IsDirectory,
    /// The argument is the address of a file on the network.
    Address,
    /// No file matches a pattern.
    NoMatch,
    /// A folder has no file that may be a table.
    EmptyFolder,
    /// The files of a folder are of several kinds.
    MixedFolder {
        /// Their extensions.
        extensions: Vec<String>,
    },
    /// A file holds several tables, or not the one that is meant.
    Parts {
        /// What the parts are, such as `sheets`.
        parts: &'static str,
        /// Their names.
        names: Vec<String>,
        /// The name that is meant, if one was given.
        wanted: Option<String>,
    },
    /// The source is in a format that has no reader.
    Foreign {
        /// The format with its article, such as `a PDF document`.
        format: &'static str,
        /// What to do, as the end of a sentence.
        advice: &'static str,
    },
    /// The source is no text and in no known format.
    Binary,
    /// The source uses a feature of its format that is not read.
    Unsupported {
        /// What is not read and what to do, as a sentence that follows the name of the source.
        detail: String,
    },
    /// The bytes are not compressed although the name of the file says so.
    NotCompressed {
        /// The compression according to the name.
        compression: &'static str,
    },
    /// The compressed bytes are corrupt.
    CorruptCompression {
        /// The compression.
        compression: &'static str,
        /// What the decoder found.
        detail: String,
    },
    /// The source has neither names nor rows.
    Empty,
    /// The source has names but no rows.
    NoRows {
        /// Whether the first line of a text was read as names and may be data.
        header_assumed: bool,
    },
    /// The text is not UTF-8.
    NotUtf8,
    /// The source is not in the format of its reader, or it is corrupt.
    Corrupt {
        /// The format with its article, such as `a Parquet`.
        format: &'static str,
        /// What the decoder found.
        detail: String,
    },
    /// This build has no reader of the format.
    UnavailableFormat {
        /// The format with its article, such as `a Parquet`.
        format: &'static str,
        /// The feature that brings the reader.
        feature: &'static str,
    },
    /// A column in memory has another number of values than those before it.
    UnequalColumns {
        /// The number of its values.
        values: usize,
        /// The number of values of the others.
        expected: usize,
    },
    /// Batches of rows in memory could not be fetched.
    Batches {
        /// What their producer reported.
        detail: String,
    },
    /// A cell of a column holds a NUL character.
    CellNul,
    /// A cell of a column is not UTF-8 text.
    CellNotUtf8,
}

impl fmt::Display for SourceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoInput => {
                out.write_str("no input is given; name at least one file, or - for standard input")
            }
            Self::NotFound => {
                out.write_str("there is no such file; check the path and the working directory")
            }
            Self::IsDirectory => out.write_str("is a directory; name a file"),
            Self::Address => out.write_str(
                "is an address on the network; download the file first, e.g. with curl -O, and give its name",
            ),
            Self::NoMatch => out.write_str("no file has such a name; check the pattern and the working directory"),
            Self::EmptyFolder => out.write_str("is a folder without files; name a file, or a folder of tables"),
            Self::MixedFolder { extensions } => {
                let first = extensions.iter().find(|it| !it.is_empty()).map_or("csv", String::as_str);
                let kinds: Vec<String> = extensions.iter().map(|it| format!(".{it}")).collect();
                let kinds = kinds.join(", ");
                write!(
                    out,
                    "is a folder of files of several kinds ({kinds}); name those of one kind, e.g. 'FOLDER/*.{first}'"
                )
            }
            Self::Parts { parts, names, wanted: None } if !names.is_empty() => write!(
                out,
                "holds several {parts}: {}; name one after the file and ::, e.g. 'FILE::{}'",
                quote_list(names),
                names[0]
            ),
            Self::Parts { parts, names, wanted } => match wanted {
                Some(wanted) if names.is_empty() => write!(out, "has no part {wanted:?}; it holds no {parts}"),
                Some(wanted) => {
                    let suggestion = Suggestion::new(parts, wanted, names.iter().map(String::as_str));
                    write!(out, "has no part {wanted:?}{suggestion}")
                }
                None => write!(out, "holds no {parts}; give a file with a table"),
            },
            Self::Foreign { format, advice } => write!(out, "is {format}, which is not read; {advice}"),
            Self::Binary => out.write_str(
                "is a binary file of an unknown format; export the table as CSV or Parquet in the program that wrote it",
            ),
            Self::Unsupported { detail } => out.write_str(detail),
            Self::NotCompressed { compression } => write!(
                out,
                "is not {compression} data although its name says so; rename it or compress it again"
            ),
            Self::CorruptCompression { compression, detail } => write!(
                out,
                "the {compression} data is corrupt or cut short ({detail}); download or compress the file again"
            ),
            Self::Empty => out.write_str("is empty; a table needs names and at least one row"),
            Self::NoRows { header_assumed: false } => out.write_str("has names but no rows"),
            Self::NoRows { header_assumed: true } => {
                out.write_str("has names but no rows; if its first line is data, say that it has no header")
            }
            Self::NotUtf8 => out.write_str("is not text in UTF-8"),
            Self::Corrupt { format, detail } => write!(
                out,
                "is not {format} file, or it is corrupt or cut short ({detail}); write or download it again"
            ),
            Self::UnavailableFormat { format, feature } => write!(
                out,
                "is {format} file, which this build cannot read; build concause with --features {feature}, or convert \
                 the file to plain CSV"
            ),
            Self::UnequalColumns { values, expected } => {
                write!(
                    out,
                    "has {values} values, but the columns before it have {expected}; give columns of one length"
                )
            }
            Self::Batches { detail } => write!(out, "cannot be read ({detail})"),
            Self::CellNul => out.write_str("holds a NUL character; correct it or leave the column out"),
            Self::CellNotUtf8 => {
                out.write_str("holds bytes that are not UTF-8 text; correct it or leave the column out")
            }
        }
    }
}

/// A text file that is malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// A record has another number of fields than the table has columns.
    FieldCount {
        /// The fields of the record.
        found: usize,
        /// The columns of the table.
        expected: usize,
    },
    /// A record has another number of fields than the first line, which looks like a comment.
    AfterComment {
        /// The fields of the record.
        found: usize,
        /// The columns of the table.
        expected: usize,
        /// The first character of the first line.
        mark: char,
    },
    /// A quote is opened and never closed.
    UnclosedQuote,
    /// The text is UTF-16.
    Utf16,
    /// A cell, or the first record, is not UTF-8.
    NotUtf8 {
        /// Whether it is the record of names.
        in_names: bool,
    },
    /// A cell, or the first record, holds a NUL byte.
    NulByte {
        /// Whether it is the record of names.
        in_names: bool,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(out, &str::to_owned)
    }
}

impl TextError {
    /// Writes the sentence; `name` turns the name of an option into what the user calls it.
    pub(super) fn describe(&self, out: &mut dyn fmt::Write, name: OptionName<'_>) -> fmt::Result {
        let subject = |in_names: bool| if in_names { "the first record " } else { "" };
        match *self {
            Self::FieldCount { found, expected } => write!(
                out,
                "has {found} field{} where {expected} {} expected; correct the line, or give the delimiter or the \
                 quote",
                if found == 1 { "" } else { "s" },
                if expected == 1 { "is" } else { "are" },
            ),
            Self::AfterComment { found, expected, mark } => write!(
                out,
                "has {found} field{} where {expected} {} expected; if the first line is a comment, add {} '{mark}'",
                if found == 1 { "" } else { "s" },
                if expected == 1 { "is" } else { "are" },
                name("comment")
            ),
            Self::UnclosedQuote => out.write_str(
                "a quote that opens in the record starting here is never closed; close it, or read quotes as ordinary \
                 characters",
            ),
            Self::Utf16 => {
                out.write_str("is UTF-16 text; convert it to UTF-8, e.g. with iconv -f UTF-16 -t UTF-8")
            }
            Self::NotUtf8 { in_names } => write!(
                out,
                "{}is not UTF-8 text; if the file is Latin-1, add {} latin1",
                subject(in_names),
                name("encoding")
            ),
            Self::NulByte { in_names } => write!(
                out,
                "{}holds a NUL byte; export the table as plain UTF-8 text",
                subject(in_names)
            ),
        }
    }
}

/// Names and numbers of columns that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// A column has another name than in the preceding sources.
    NameDiffers {
        /// The number of the column, counted from 1.
        column: usize,
        /// Its name in this source.
        name: String,
        /// Its name in the preceding sources.
        expected: String,
    },
    /// A source has another number of columns than the preceding ones.
    CountDiffers {
        /// The columns of this source.
        columns: usize,
        /// The columns of the preceding sources.
        expected: usize,
        /// The first name that only one of them has, if they have names.
        difference: Option<NameDifference>,
    },
    /// A source without a header has another number of columns than are declared.
    DeclaredCount {
        /// The columns of the source.
        columns: usize,
        /// The declared attributes.
        declared: usize,
    },
    /// A column has no name.
    EmptyName {
        /// The number of the column, counted from 1.
        column: usize,
    },
    /// Two columns have the same name.
    DuplicateName {
        /// The number of the first, counted from 1.
        first: usize,
        /// The number of the second.
        second: usize,
        /// The name of both.
        name: String,
    },
    /// A declared attribute is not a column of the source.
    DeclaredColumnAbsent {
        /// The declared name.
        name: String,
        /// The names that may be meant.
        suggestion: Suggestion,
    },
}

/// A name that a source lacks, or has beyond those of the preceding sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameDifference {
    /// The source lacks this name.
    Missing(String),
    /// The preceding sources lack this name.
    Added(String),
}

impl fmt::Display for SchemaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameDiffers { column, name, expected } => write!(
                out,
                "column {column} is named {name:?} but {expected:?} in the preceding files; give files with the same \
                 columns"
            ),
            Self::CountDiffers { columns, expected, difference } => {
                write!(out, "has {columns} columns but the preceding files have {expected}")?;
                match difference {
                    Some(NameDifference::Missing(name)) => write!(out, " ({name:?} is missing)")?,
                    Some(NameDifference::Added(name)) => write!(out, " ({name:?} is new)")?,
                    None => {}
                }
                out.write_str("; give files with the same columns")
            }
            Self::DeclaredCount { columns, declared } => write!(
                out,
                "has {columns} columns and no header, but {declared} attributes are declared; declare all in order, or \
                 give the header"
            ),
            Self::EmptyName { column } => {
                write!(out, "column {column} has an empty name; name it, or say that there is no header")
            }
            Self::DuplicateName { first, second, name } => {
                write!(out, "columns {first} and {second} are both named {name:?}; rename one of them")
            }
            Self::DeclaredColumnAbsent { name, suggestion } => {
                write!(out, "has no column {name:?}, which is declared{suggestion}")
            }
        }
    }
}
