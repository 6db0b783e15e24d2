//! Errors of options, declarations and orders.

use std::fmt;

use super::OptionName;
use crate::names::Suggestion;

/// An option with a value that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// The delimiter is not an ASCII character, or it is a line end or the quote.
    Delimiter,
    /// The text does not name a delimiter.
    UnknownDelimiter(String),
    /// The text does not name an encoding of characters.
    UnknownEncoding(String),
    /// The text does not name a decimal mark.
    UnknownDecimalMark(String),
    /// The text does not name an input format.
    UnknownFormat {
        /// What the user wrote.
        format: String,
        /// The names of all input formats.
        known: Vec<&'static str>,
    },
    /// The text does not name a treatment of missing cells.
    UnknownMissingAs(String),
    /// Fewer than two bands are requested.
    Bands,
    /// A scheme of columns that does not exist.
    UnknownScheme(String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(out, &str::to_owned)
    }
}

impl OptionError {
    /// Writes the sentence; `name` turns the name of an option into what the user calls it.
    pub(super) fn describe(&self, out: &mut dyn fmt::Write, name: OptionName<'_>) -> fmt::Result {
        match self {
            Self::Delimiter => {
                out.write_str("the delimiter must be an ASCII character, not a line end and not the quote")
            }
            Self::UnknownDelimiter(text) => write!(
                out,
                "the delimiter {text:?} cannot be used; give one ASCII character, \"tab\" or \"blank\""
            ),
            Self::UnknownEncoding(text) => {
                write!(out, "the encoding {text:?} is not known; give utf8 or latin1")
            }
            Self::UnknownDecimalMark(text) => {
                write!(out, "the decimal mark {text:?} is not known; give point or comma")
            }
            Self::UnknownFormat { format, known } => {
                write!(out, "the format {format:?} is not known; give ")?;
                match known.split_last() {
                    Some((last, [])) => out.write_str(last),
                    Some((last, others)) => write!(out, "{} or {last}", others.join(", ")),
                    None => Ok(()),
                }
            }
            Self::UnknownMissingAs(text) => {
                write!(out, "missing cells as {text:?} is not known; give zero, level or drop")
            }
            Self::Bands => write!(out, "{} must be at least 2", name("bands")),
            Self::UnknownScheme(given) => {
                write!(out, "{} is attributes or values, not {given:?}", name("columns"))
            }
        }
    }
}

/// A TOML file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TomlFileError {
    /// There is no such file.
    NotFound {
        /// What the file should hold, such as `declaration`.
        content: &'static str,
    },
    /// The path is a directory.
    IsDirectory,
    /// The file is not UTF-8 text.
    NotUtf8 {
        /// What the file should hold, such as `declaration`.
        content: &'static str,
    },
    /// The text is not TOML, or has unknown fields.
    Syntax {
        /// What the parser found.
        message: String,
    },
}

impl fmt::Display for TomlFileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { content } => write!(out, "there is no such {content} file; check the path"),
            Self::IsDirectory => out.write_str("is a directory; name a TOML file"),
            Self::NotUtf8 { content } => {
                write!(out, "is not UTF-8 text; the {content} must be a TOML file in UTF-8")
            }
            Self::Syntax { message } => out.write_str(message),
        }
    }
}

/// A declaration or an order that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclarationError {
    /// A line of a file of labels does not have three fields.
    LabelFields {
        /// Its fields.
        found: usize,
    },
    /// A labelled attribute is not a column of the table.
    LabelledColumnAbsent {
        /// Its name.
        name: String,
        /// The names that may be meant.
        suggestion: Suggestion,
    },
    /// A labelled attribute has too many values.
    LabelsOfManyValues {
        /// Its name.
        name: String,
    },
    /// An attribute is declared twice.
    DuplicateAttribute {
        /// Its name.
        name: String,
    },
    /// An attribute has both cuts and values.
    CutsAndValues {
        /// Its name.
        name: String,
    },
    /// The value for all others is not among the values.
    UndeclaredOthers {
        /// The attribute.
        name: String,
        /// The value for all others.
        value: String,
    },
    /// Cut points of an attribute that is not ordered.
    CutsWithoutContinuous {
        /// Its name.
        name: String,
    },
    /// An attribute has values but is not nominal.
    ValuesWithoutNominal {
        /// Its name.
        name: String,
    },
    /// The cuts are not finite numbers in ascending order.
    UnorderedCuts {
        /// The name of the attribute.
        name: String,
    },
    /// A value is declared twice.
    DuplicateValue {
        /// The name of the attribute.
        name: String,
        /// The value.
        value: String,
    },
    /// There are no values, or one is empty.
    EmptyValues {
        /// The name of the attribute.
        name: String,
    },
    /// A name of an order is in two tiers.
    DuplicateTier {
        /// The name.
        name: String,
        /// Its first tier, counted from 1.
        first: usize,
        /// Its second tier.
        second: usize,
    },
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LabelFields { found } => {
                write!(
                    out,
                    "has {found} fields; give three, attribute,value,label, and quote labels with commas"
                )
            }
            Self::LabelledColumnAbsent { name, suggestion } => {
                write!(out, "labels are given for {name:?}, which is no column of the table{suggestion}")
            }
            Self::LabelsOfManyValues { name } => {
                write!(out, "labels are given for {name:?}, which has too many values for labels")
            }
            Self::DuplicateAttribute { name } => {
                write!(out, "attribute {name:?} is declared twice; keep one of them")
            }
            Self::CutsAndValues { name } => write!(
                out,
                "attribute {name:?} has cuts and values; a continuous one has cuts, a nominal one values"
            ),
            Self::UndeclaredOthers { name, value } => {
                write!(
                    out,
                    "attribute {name:?}: the value for all others, {value:?}, must be one of its values"
                )
            }
            Self::CutsWithoutContinuous { name } => {
                write!(out, "attribute {name:?} has cuts but is not of type \"continuous\"")
            }
            Self::ValuesWithoutNominal { name } => {
                write!(out, "attribute {name:?} has values but is not of type \"nominal\"")
            }
            Self::UnorderedCuts { name } => {
                write!(out, "the cuts of attribute {name:?} must be finite numbers in ascending order")
            }
            Self::DuplicateValue { name, value } => {
                write!(out, "attribute {name:?} declares the value {value:?} twice")
            }
            Self::EmptyValues { name } => {
                write!(out, "attribute {name:?} must declare at least one value, and no empty one")
            }
            Self::DuplicateTier { name, first, second } => {
                write!(out, "{name:?} is in tier {first} and again in tier {second}")
            }
        }
    }
}
