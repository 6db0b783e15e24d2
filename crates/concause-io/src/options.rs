//! Options of reading and of encoding, with the defaults of the command.

use std::str::FromStr;

use crate::error::{Error, OptionError};
use crate::read::InputFormat;
use crate::table::notation::DecimalMark;

/// Options of [`read_sources`](crate::read_sources).
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The delimiter of the fields of a text file; detected if not given.
    pub delimiter: Option<Delimiter>,
    /// Whether the first record holds the names; detected if not given.
    pub header: Option<bool>,
    /// The target as the user wrote it, `NAME` or `NAME=VALUE`: a first record that holds this name is a header.
    pub target: Option<String>,
    /// The quote of text files; `None` reads quotes as ordinary characters.
    pub quote: Option<u8>,
    /// How text files are encoded.
    pub encoding: TextEncoding,
    /// The decimal mark of numbers that can be read in two ways, such as `1,234`; detected if not given.
    pub decimal: Option<DecimalMark>,
    /// Lines of text files that begin with this character are skipped.
    pub comment: Option<u8>,
    /// Marks of a missing value in addition to the empty cell, `NA`, `NaN`, `null` and `?`.
    pub missing: Vec<String>,
    /// The approximate number of bytes that the table may take.
    pub max_memory: Option<u64>,
    /// The format of the sources; detected from their names and first bytes if not given.
    pub format: Option<InputFormat>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            delimiter: None,
            header: None,
            target: None,
            quote: Some(b'"'),
            encoding: TextEncoding::Utf8,
            decimal: None,
            comment: None,
            missing: Vec::new(),
            max_memory: None,
            format: None,
        }
    }
}

impl ReadOptions {
    /// Whether one of these names is the name of the target.
    pub(crate) fn names_target(&self, names: &[String]) -> bool {
        let Some(target) = &self.target else { return false };
        names.iter().any(|name| {
            let condition = target.strip_prefix(name.as_str());
            condition.is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', '>', '<']))
        })
    }
}

/// The delimiter of the fields of a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// One ASCII character.
    Byte(u8),
    /// Runs of spaces and tabs.
    Blank,
}

impl FromStr for Delimiter {
    type Err = Error;

    /// Parses one ASCII character, `\t` or `tab`, or `blank`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.as_bytes() {
            b"blank" | b" " => Ok(Self::Blank),
            b"tab" | b"\\t" => Ok(Self::Byte(b'\t')),
            &[byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r' | b'"' | 0) => Ok(Self::Byte(byte)),
            _ => Err(OptionError::UnknownDelimiter(text.to_owned()).into()),
        }
    }
}

impl FromStr for DecimalMark {
    type Err = Error;

    /// Parses `point` or `.`, `comma` or `,`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "point" | "." => Ok(Self::Point),
            "comma" | "," => Ok(Self::Comma),
            _ => Err(OptionError::UnknownDecimalMark(text.to_owned()).into()),
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

    /// Parses `utf8` or `latin1`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text.to_ascii_lowercase().as_str() {
            "utf8" | "utf-8" => Ok(Self::Utf8),
            "latin1" | "latin-1" | "iso-8859-1" => Ok(Self::Latin1),
            _ => Err(OptionError::UnknownEncoding(text.to_owned()).into()),
        }
    }
}

/// Options of [`encode`](crate::encode).
#[derive(Clone, Debug, Default)]
pub struct EncodeOptions {
    /// The target: `NAME` of a binary attribute, or `NAME=VALUE`.
    pub target: String,
    /// Attributes to read as nominal.
    pub nominal: Vec<String>,
    /// Attributes to read as binary.
    pub binary: Vec<String>,
    /// Attributes to read as continuous.
    pub continuous: Vec<String>,
    /// Attributes to leave out.
    pub ignore: Vec<String>,
    /// Which columns an attribute has.
    pub scheme: Scheme,
    /// The largest number of bands of a number; their cuts never depend on the target then.
    pub bands: Option<usize>,
    /// Cut points of attributes, in ascending order.
    pub cuts: Vec<(String, Vec<f64>)>,
    /// Attributes to use although they look like identifiers.
    pub used: Vec<String>,
    /// Leave out all continuous attributes.
    pub drop_continuous: bool,
    /// How missing cells are encoded.
    pub missing_as: MissingAs,
    /// Give every attribute with two values a second column, for the other value.
    pub negate: bool,
    /// The attribute with the number of rows that each row stands for, if there is one.
    pub weights: Option<String>,
    /// The rows to withhold from the search, if any.
    pub holdout: Option<Holdout>,
    /// The number of bytes that the encoded columns may take.
    pub max_memory: Option<u64>,
}

impl EncodeOptions {
    /// Whether an attribute is used although it looks like an identifier.
    pub(crate) fn is_used(&self, name: &str) -> bool {
        self.used.iter().any(|used| used == name)
    }
}

/// Which columns an attribute has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// As few as say everything: one for an attribute with two values, a threshold between each two bands of a number,
    /// one per value of others, with rare values pooled. None depends on the target.
    #[default]
    Attributes,
    /// As in the paper: one per value, and one per interval of a number, cut by the target (Fayyad and Irani 1993).
    Values,
}

impl Scheme {
    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attributes => "attributes",
            Self::Values => "values",
        }
    }
}

impl FromStr for Scheme {
    type Err = Error;

    /// Parses `attributes` or `values`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "attributes" => Ok(Self::Attributes),
            "values" => Ok(Self::Values),
            _ => Err(OptionError::UnknownScheme(text.to_owned()).into()),
        }
    }
}

/// Rows to withhold from the search, drawn at random within each class of the target. Findings can then be tested in
/// rows that the search did not see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holdout {
    /// Their share of the rows.
    pub share: f64,
    /// The seed of the random draw.
    pub seed: u64,
}

/// How missing cells are encoded.
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

impl MissingAs {
    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Level => "level",
            Self::Drop => "drop",
        }
    }
}

impl FromStr for MissingAs {
    type Err = Error;

    /// Parses `zero`, `level` or `drop`.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "zero" => Ok(Self::Zero),
            "level" => Ok(Self::Level),
            "drop" => Ok(Self::Drop),
            _ => Err(OptionError::UnknownMissingAs(text.to_owned()).into()),
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
