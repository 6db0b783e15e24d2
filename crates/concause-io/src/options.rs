//! The choices a caller has in reading and in encoding, with the defaults of the command.

use std::str::FromStr;

use crate::error::Error;

/// How to read the sources.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// What separates the fields of a text file; detected if not given.
    pub delimiter: Option<Delimiter>,
    /// Whether the first record holds the names; detected if not given.
    pub header: Option<bool>,
    /// The outcome as the user wrote it, `NAME` or `NAME=VALUE`: a first record that holds this name is a header.
    pub target: Option<String>,
    /// The quote of text files; `None` reads quotes as ordinary characters.
    pub quote: Option<u8>,
    /// How text files are encoded.
    pub encoding: TextEncoding,
    /// Marks of a missing value beside the empty cell, `NA`, `NaN`, `null` and `?`.
    pub missing: Vec<String>,
    /// The bytes the table may take, approximately.
    pub max_memory: Option<u64>,
    /// What the sources hold; told by their names and first bytes if not given.
    pub format: Option<Format>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            delimiter: None,
            header: None,
            target: None,
            quote: Some(b'"'),
            encoding: TextEncoding::Utf8,
            missing: Vec::new(),
            max_memory: None,
            format: None,
        }
    }
}

impl ReadOptions {
    /// Whether one of these names is that of the outcome.
    pub(crate) fn names_target(&self, names: &[String]) -> bool {
        let Some(target) = &self.target else { return false };
        names.iter().any(|name| {
            target.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    }
}

/// What separates the fields of a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// One ASCII character.
    Byte(u8),
    /// Runs of spaces and tabs.
    Blank,
}

impl FromStr for Delimiter {
    type Err = Error;

    /// Reads one ASCII character, `\t` or `tab`, or `blank`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.as_bytes() {
            b"blank" | b" " => Ok(Self::Blank),
            b"tab" | b"\\t" => Ok(Self::Byte(b'\t')),
            &[byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r' | b'"' | 0) => Ok(Self::Byte(byte)),
            _ => Err(Error::request(format!(
                "the delimiter {text:?} cannot be used; give one ASCII character, \"tab\" or \"blank\""
            ))),
        }
    }
}

/// How the characters of a text file are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8, which includes ASCII.
    #[default]
    Utf8,
    /// ISO 8859-1: one byte, one character.
    Latin1,
}

impl FromStr for TextEncoding {
    type Err = Error;

    /// Reads `utf8` or `latin1`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.to_ascii_lowercase().as_str() {
            "utf8" | "utf-8" => Ok(Self::Utf8),
            "latin1" | "latin-1" | "iso-8859-1" => Ok(Self::Latin1),
            _ => Err(Error::request(format!("the encoding {text:?} is not known; give utf8 or latin1"))),
        }
    }
}

/// What a source holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines of separated fields.
    Text,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC, file or stream, also known as Feather.
    Arrow,
}

impl FromStr for Format {
    type Err = Error;

    /// Reads `text`, `parquet` or `arrow`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.to_ascii_lowercase().as_str() {
            "text" | "csv" | "tsv" => Ok(Self::Text),
            "parquet" => Ok(Self::Parquet),
            "arrow" | "feather" => Ok(Self::Arrow),
            _ => {
                Err(Error::request(format!("the format {text:?} is not known; give text, parquet or arrow")))
            }
        }
    }
}

/// How to turn a table into binary columns.
#[derive(Clone, Debug, Default)]
pub struct EncodeOptions {
    /// The outcome: `NAME` of a binary attribute, or `NAME=VALUE`.
    pub target: String,
    /// Attributes to read as nominal.
    pub nominal: Vec<String>,
    /// Attributes to read as binary.
    pub binary: Vec<String>,
    /// Attributes to read as continuous.
    pub continuous: Vec<String>,
    /// Attributes to leave out.
    pub ignore: Vec<String>,
    /// Cut continuous attributes into so many parts of about equal size, not by the target.
    pub bins: Option<usize>,
    /// Leave out all continuous attributes.
    pub drop_continuous: bool,
    /// What becomes of missing cells.
    pub missing_as: MissingAs,
    /// Give every binary attribute its negation as a second column, `!name`.
    pub negate: bool,
    /// The attribute that says how many rows each row stands for, if there is one.
    pub weights: Option<String>,
    /// The rows to keep from the search, if any.
    pub holdout: Option<Holdout>,
    /// The bytes the encoded columns may take.
    pub max_memory: Option<u64>,
}

/// Rows to keep from the search, drawn at random from each class of the target, so that what it finds can be estimated
/// in rows that it did not see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holdout {
    /// Their share of the rows.
    pub share: f64,
    /// The seed they are drawn by.
    pub seed: u64,
}

/// What becomes of missing cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingAs {
    /// 0 in all columns of the attribute.
    #[default]
    Zero,
    /// 1 in a column of its own.
    Level,
    /// The row is left out.
    Drop,
}

impl FromStr for MissingAs {
    type Err = Error;

    /// Reads `zero`, `level` or `drop`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "zero" => Ok(Self::Zero),
            "level" => Ok(Self::Level),
            "drop" => Ok(Self::Drop),
            _ => Err(Error::request(format!(
                "missing cells as {text:?} is not known; give zero, level or drop"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_one_ascii_character_or_a_word() {
        assert_eq!("\t".parse::<Delimiter>().ok(), Some(Delimiter::Byte(b'\t')));
        assert_eq!("\\t".parse::<Delimiter>().ok(), Some(Delimiter::Byte(b'\t')));
        assert_eq!("blank".parse::<Delimiter>().ok(), Some(Delimiter::Blank));
        assert_eq!(";".parse::<Delimiter>().ok(), Some(Delimiter::Byte(b';')));
        for text in ["", "::", "é", "\n", "\""] {
            assert!(text.parse::<Delimiter>().is_err(), "{text:?}");
        }
    }
}
