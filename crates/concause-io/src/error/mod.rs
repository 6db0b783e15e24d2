//! Errors between a file and a dataset: a kind with its data, and the position where it was found.
//!
//! All sentences are worded in this module, in the `Display` of each kind. [`Error::sentence`] takes the names that the
//! user knows for options; `Display` uses those of [`ReadOptions`](crate::ReadOptions) and
//! [`EncodeOptions`](crate::EncodeOptions). A sentence says what is wrong, where, and
//! what to do. It begins with a verb where the position names its subject (`data.csv: is empty`, `column "age" is
//! listed under two types`).

mod encoding;
mod reading;
mod request;

use std::fmt;
use std::io;

pub use encoding::{ColumnError, PartitionError, TargetError, WeightsError};
pub use reading::{LimitError, NameDifference, SchemaError, SourceError, TextError};
pub use request::{DeclarationError, OptionError, TomlFileError};

/// Turns the name of an option (`max_memory`) into what the user calls it (`--max-memory`).
type OptionName<'a> = &'a dyn Fn(&str) -> String;

/// Why a table could not be read or encoded.
///
/// ```
/// use concause_io::{ErrorKind, TextError};
///
/// let error = concause_io::read_text("a,b,T\n1,0,1\n0,1\n").unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Text(TextError::FieldCount { found: 2, expected: 3 })));
/// assert_eq!(error.position().line, Some(3));
/// ```
#[derive(Debug)]
pub struct Error(Box<Details>);

#[derive(Debug)]
struct Details {
    kind: ErrorKind,
    position: Position,
}

/// Where in the input an error was found, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The file, standard input, or the name of a data frame.
    pub source: Option<String>,
    /// The line of the source, counted from 1.
    pub line: Option<u64>,
    /// The name of the column of the table.
    pub column: Option<String>,
}

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system failed; the input may be valid.
    Io(io::Error),
    /// The caller asked to stop.
    Cancelled,
    /// No column except the target can be encoded.
    NoUsableColumns,
    /// A limit on memory is exceeded.
    Limit(LimitError),
    /// A file or stream cannot be opened or decoded.
    Source(SourceError),
    /// A text file is malformed.
    Text(TextError),
    /// Names and numbers of columns do not fit together.
    Schema(SchemaError),
    /// An option has a value that cannot be used.
    Option(OptionError),
    /// A TOML file cannot be read.
    TomlFile(TomlFileError),
    /// A declaration or an order contradicts itself.
    Declaration(DeclarationError),
    /// The target cannot be used.
    Target(TargetError),
    /// A column cannot be encoded as requested.
    Column(ColumnError),
    /// The weights cannot be used.
    Weights(WeightsError),
    /// The partitions of a distributed table cannot be encoded.
    Partition(PartitionError),
}

impl Error {
    /// An error without a position.
    pub(crate) fn new(kind: impl Into<ErrorKind>) -> Self {
        Self(Box::new(Details { kind: kind.into(), position: Position::default() }))
    }

    /// The same error, found in a source.
    pub(crate) fn in_source(mut self, source: &dyn fmt::Display) -> Self {
        self.0.position.source = Some(source.to_string());
        self
    }

    /// The same error, found on a line of its source.
    pub(crate) fn on_line(mut self, line: u64) -> Self {
        self.0.position.line = Some(line);
        self
    }

    /// The same error, found in a column of the table.
    pub(crate) fn in_column(mut self, name: &str) -> Self {
        self.0.position.column = Some(name.to_owned());
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Where it went wrong.
    pub fn position(&self) -> &Position {
        &self.0.position
    }

    /// True for failures of the operating system, which are not the fault of the input.
    pub fn is_io(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Io(_))
    }

    /// True if no column except the target can be encoded.
    pub fn is_without_columns(&self) -> bool {
        matches!(self.0.kind, ErrorKind::NoUsableColumns)
    }

    /// True if reading ended because the caller's `progress` asked to stop.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Cancelled)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(out, &str::to_owned)
    }
}

impl Error {
    /// The error as a sentence; `name` turns the name of an option (`max_memory`) into what the user calls it.
    pub fn sentence(&self, name: impl Fn(&str) -> String) -> String {
        let mut sentence = String::new();
        // Writing to a string cannot fail.
        let _ = self.describe(&mut sentence, &name);
        sentence
    }

    fn describe(&self, out: &mut dyn fmt::Write, name: OptionName<'_>) -> fmt::Result {
        let Position { source, line, column } = &self.0.position;
        match (source, line) {
            (Some(source), Some(line)) => write!(out, "{source}, line {line}: ")?,
            (Some(source), None) => write!(out, "{source}: ")?,
            (None, _) => {}
        }
        if let Some(column) = column {
            write!(out, "column {column:?} ")?;
        }
        self.0.kind.describe(out, name)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(out, &str::to_owned)
    }
}

impl ErrorKind {
    fn describe(&self, out: &mut dyn fmt::Write, name: OptionName<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(out, "cannot be read ({error})"),
            Self::Cancelled => out.write_str("reading was stopped before its end"),
            Self::NoUsableColumns => out.write_str(
                "no column but the target can be used: all are ignored, empty, like identifiers, or continuous without \
                 a cut; declare types, values or cuts",
            ),
            Self::Limit(error) => error.describe(out, name),
            Self::Source(error) => write!(out, "{error}"),
            Self::Text(error) => error.describe(out, name),
            Self::Schema(error) => write!(out, "{error}"),
            Self::Option(error) => error.describe(out, name),
            Self::TomlFile(error) => write!(out, "{error}"),
            Self::Declaration(error) => write!(out, "{error}"),
            Self::Target(error) => error.describe(out, name),
            Self::Column(error) => write!(out, "{error}"),
            Self::Weights(error) => write!(out, "{error}"),
            Self::Partition(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

macro_rules! kinds {
    ($($error:ident => $kind:ident),* $(,)?) => {
        $(
            impl From<$error> for ErrorKind {
                fn from(error: $error) -> Self {
                    Self::$kind(error)
                }
            }

            impl From<$error> for Error {
                fn from(error: $error) -> Self {
                    Self::new(error)
                }
            }
        )*
    };
}

kinds! {
    LimitError => Limit,
    SourceError => Source,
    TextError => Text,
    SchemaError => Schema,
    OptionError => Option,
    TomlFileError => TomlFile,
    DeclarationError => Declaration,
    TargetError => Target,
    ColumnError => Column,
    WeightsError => Weights,
    PartitionError => Partition,
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self::new(kind)
    }
}
