//! What is wrong with a BIF file, and where.

use std::fmt;

/// What is wrong with a BIF file, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct BifError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub kind: BifErrorKind,
}

/// What is wrong with a BIF file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BifErrorKind {
    /// The file has no `variable` block.
    NoVariables,
    /// A comment has no end.
    UnclosedComment,
    /// A quoted name has no end.
    UnclosedQuote,
    /// A `property` has no semicolon.
    UnclosedProperty,
    /// A different word or symbol is required here.
    UnexpectedToken {
        /// What is required.
        expected: String,
        /// The quoted token; none at the end of the file.
        found: Option<String>,
    },
    /// Two variables have this name.
    DuplicateVariable(String),
    /// No variable has this name.
    UnknownVariable(String),
    /// The variable has two types.
    DuplicateType(String),
    /// The variable has no type.
    NoType(String),
    /// The variable does not have the declared number of values.
    WrongNumberOfValues {
        /// The variable.
        variable: String,
        /// The declared number of values.
        declared: usize,
        /// The number of values listed.
        listed: usize,
    },
    /// The variable has no values, or more than a code can number.
    UnsupportedNumberOfValues {
        /// The variable.
        variable: String,
        /// The number of values.
        values: usize,
    },
    /// The variable has the same value twice.
    DuplicateValue {
        /// The variable.
        variable: String,
        /// The value.
        value: String,
    },
    /// The variable does not have this value.
    UnknownValue {
        /// The variable.
        variable: String,
        /// The value.
        value: String,
    },
    /// A `probability` block names no variable.
    NamelessProbability,
    /// A `probability` block names the same variable twice.
    RepeatedVariable(String),
    /// Two `probability` blocks belong to this variable.
    DuplicateProbability(String),
    /// No `probability` block belongs to this variable.
    NoProbability(String),
    /// A number is not between 0 and 1.
    NotAProbability(String),
    /// The table of the variable is too large.
    TableTooLarge {
        /// The variable.
        variable: String,
        /// The largest number of cells.
        limit: usize,
    },
    /// The block has two entries for the same probabilities.
    DuplicateEntry {
        /// The variable.
        variable: String,
        /// The entry.
        entry: String,
    },
    /// The block has a `table` beside rows or a default.
    TableAndRows(String),
    /// The block has no probabilities for a configuration of the parents.
    MissingConfiguration {
        /// The variable.
        variable: String,
        /// The values of the parents.
        configuration: Vec<String>,
    },
    /// An entry has the wrong number of probabilities.
    WrongNumberOfProbabilities {
        /// The variable.
        variable: String,
        /// The number of probabilities that the entry needs.
        needed: usize,
        /// The number of probabilities given.
        given: usize,
    },
    /// The probabilities of a configuration do not sum to 1.
    WrongSum {
        /// The variable.
        variable: String,
        /// The sum.
        sum: f64,
    },
    /// A row does not name one value for each parent.
    WrongNumberOfParentValues {
        /// The variable.
        variable: String,
        /// The number of parents.
        parents: usize,
        /// The number of values given.
        given: usize,
    },
    /// The variable is its own ancestor.
    Cycle(String),
}

impl BifErrorKind {
    /// The error in a line.
    pub(super) fn at(self, line: usize) -> BifError {
        BifError { line, kind: self }
    }
}

impl fmt::Display for BifError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl fmt::Display for BifErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVariables => f.write_str("the file has no variables: is it a BIF file?"),
            Self::UnclosedComment => f.write_str("the comment is not closed with */"),
            Self::UnclosedQuote => f.write_str("the quote is not closed"),
            Self::UnclosedProperty => f.write_str("the property is not closed with ;"),
            Self::UnexpectedToken { expected, found: Some(found) } => {
                write!(f, "expected {expected} but found {found}")
            }
            Self::UnexpectedToken { expected, found: None } => {
                write!(f, "expected {expected} but the file ends")
            }
            Self::DuplicateVariable(name) => write!(f, "there are two variables '{name}'"),
            Self::UnknownVariable(name) => write!(f, "there is no variable '{name}'"),
            Self::DuplicateType(name) => write!(f, "'{name}' has two types"),
            Self::NoType(name) => write!(f, "'{name}' has no type"),
            Self::WrongNumberOfValues { variable, declared, listed } => {
                write!(f, "'{variable}' should have {declared} values but has {listed}")
            }
            Self::UnsupportedNumberOfValues { variable, values } => {
                write!(f, "'{variable}' must have 1 to {} values but has {values}", u16::MAX)
            }
            Self::DuplicateValue { variable, value } => {
                write!(f, "'{variable}' has the value '{value}' twice")
            }
            Self::UnknownValue { variable, value } => write!(f, "'{variable}' has no value '{value}'"),
            Self::NamelessProbability => f.write_str("the probability block names no variable"),
            Self::RepeatedVariable(name) => write!(f, "the probability block names '{name}' twice"),
            Self::DuplicateProbability(name) => write!(f, "'{name}' has two probability blocks"),
            Self::NoProbability(name) => write!(f, "'{name}' has no probability block"),
            Self::NotAProbability(number) => {
                write!(f, "{number} is not a probability: it is not between 0 and 1")
            }
            Self::TableTooLarge { variable, limit } => {
                write!(f, "the table of '{variable}' has more than {limit} cells")
            }
            Self::DuplicateEntry { variable, entry } => write!(f, "'{variable}' has a second {entry}"),
            Self::TableAndRows(name) => write!(f, "'{name}' has both a table and rows"),
            Self::MissingConfiguration { variable, configuration } => {
                write!(f, "'{variable}' has no probabilities for ({})", configuration.join(", "))
            }
            Self::WrongNumberOfProbabilities { variable, needed, given } => {
                write!(f, "'{variable}' needs {needed} probabilities here but has {given}")
            }
            Self::WrongSum { variable, sum } => {
                write!(f, "the probabilities of '{variable}' sum to {sum}, not to 1")
            }
            Self::WrongNumberOfParentValues { variable, parents, given } => {
                write!(f, "'{variable}' needs one value for each parent, {parents} in all, but has {given}")
            }
            Self::Cycle(name) => write!(f, "'{name}' is its own ancestor"),
        }
    }
}

impl std::error::Error for BifError {}
