//! Errors of the target, the columns, the weights and the partitions.

use std::fmt;

use super::OptionName;
use crate::names::{Suggestion, quote_list, quote_shell_argument};

/// A target that cannot be used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TargetError {
    /// The table has no such column.
    Absent {
        /// The target as the user wrote it.
        target: String,
        /// The names that may be meant.
        suggestion: Suggestion,
    },
    /// The column has no such value.
    NoSuchValue {
        /// The name of the column.
        name: String,
        /// The requested value.
        value: String,
        /// The values of the column, unless it is numeric with many values.
        values: Option<Vec<String>>,
    },
    /// The column has no value in any row.
    NoValues {
        /// The name of the column.
        name: String,
    },
    /// The column is not binary and no value is chosen.
    NotBinary {
        /// The name of the column.
        name: String,
        /// Its values.
        values: Vec<String>,
        /// The rarest value, which is most likely the outcome.
        example: String,
    },
    /// The column has too many distinct numbers.
    Continuous {
        /// The name of the column.
        name: String,
    },
    /// The column is of a type that cannot be read.
    UnsupportedType {
        /// The name of the column.
        name: String,
        /// Its type.
        data_type: String,
    },
    /// The column has too many distinct values.
    TooManyValues {
        /// The name of the column.
        name: String,
        /// The most values for which a dictionary is kept.
        limit: usize,
    },
    /// The column of the target is also ignored.
    Ignored,
    /// The column of the target also holds the weights.
    HoldsWeights,
    /// No row has a value of the target.
    NoRows {
        /// The target.
        label: String,
    },
    /// The target is the same in all rows.
    Constant {
        /// The target.
        label: String,
        /// Its value.
        value: bool,
        /// The number of rows.
        rows: u64,
    },
    /// All rows of a class are on one side of the holdout.
    OneSidedHoldout {
        /// The target.
        label: String,
        /// The requested share of held-out rows.
        share: f64,
        /// The rows of the class.
        rows: u64,
        /// Whether the class is that of the cases.
        cases: bool,
        /// Whether all of them are held out.
        all_held_out: bool,
    },
}

impl fmt::Display for TargetError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(out, &str::to_owned)
    }
}

impl TargetError {
    /// Writes the sentence; `option_name` turns the name of an option into what the user calls it.
    pub(super) fn describe(&self, out: &mut dyn fmt::Write, option_name: OptionName<'_>) -> fmt::Result {
        match self {
            Self::Absent { target, suggestion } => {
                write!(out, "the table has no column {target:?} for the target{suggestion}")
            }
            Self::NoSuchValue { name, value, values } => {
                write!(out, "the target column {name:?} has no value {value:?}")?;
                match values {
                    Some(values) => write!(out, "; its values are {}", quote_list(values)),
                    None => Ok(()),
                }
            }
            Self::NoValues { name } => {
                write!(
                    out,
                    "the target {name:?} has no value in any row; fill in its values or name another target"
                )
            }
            Self::NotBinary { name, values, example } => write!(
                out,
                "the target {name:?} has the {} {}; name the value that counts as 1, e.g. {} {}",
                if values.len() == 1 { "single value" } else { "values" },
                quote_list(values),
                option_name("target"),
                quote_shell_argument(&format!("{name}={example}"))
            ),
            Self::Continuous { name } => write!(
                out,
                "the target {name:?} has too many distinct numbers to be an outcome; give NAME=VALUE if one of them \
                 counts as 1, or make a column of 0 and 1 from it first"
            ),
            Self::UnsupportedType { name, data_type } => {
                write!(out, "the target {name:?} is of type {data_type}, which cannot be an outcome")
            }
            Self::TooManyValues { name, limit } => write!(
                out,
                "the target {name:?} has too many distinct values (over {limit}) to be an outcome; name another target"
            ),
            Self::Ignored => out.write_str("is the target and cannot be ignored as well"),
            Self::HoldsWeights => out.write_str("is the target and cannot hold the weights as well"),
            Self::NoRows { label } => write!(
                out,
                "no remaining row has a value of the target {label:?}; fill in its values or name another target"
            ),
            Self::Constant { label, value, rows } => write!(
                out,
                "the target {label:?} is {} in all {rows} rows; name a target that varies",
                u8::from(*value)
            ),
            Self::OneSidedHoldout { label, share, rows, cases, all_held_out } => write!(
                out,
                "{} {share} leaves none of the {rows} rows {} {label} to be {}; give another share",
                option_name("holdout"),
                if *cases { "with" } else { "without" },
                if *all_held_out { "searched" } else { "held out" }
            ),
        }
    }
}

/// A column that cannot be encoded as requested.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// The table has no such column.
    Absent {
        /// The requested name.
        name: String,
        /// The names that may be meant.
        suggestion: Suggestion,
    },
    /// The column is listed under two types.
    ListedTwice,
    /// The column is declared continuous but holds text.
    NotContinuous {
        /// A value that is not a number; none if the values are not kept.
        value: Option<String>,
    },
    /// The column is declared binary but is not.
    NotBinary {
        /// Its values; none if they are too many.
        values: Option<Vec<String>>,
    },
    /// The column has a value that is not declared.
    UndeclaredValue {
        /// The value.
        value: String,
        /// The declared values.
        declared: Vec<String>,
    },
    /// The column has too many values for all of them to be declared.
    UndeclaredValues,
    /// Two attributes give encoded columns of the same name.
    DuplicateName {
        /// The first attribute.
        first: String,
        /// The second attribute.
        second: String,
        /// The name of both encoded columns.
        column: String,
    },
    /// No declared attribute gives the requested encoded column.
    NotDeclared {
        /// The name of the encoded column.
        column: String,
    },
}

impl fmt::Display for ColumnError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { name, suggestion } => write!(out, "the table has no column {name:?}{suggestion}"),
            Self::ListedTwice => out.write_str("is listed under two types; keep one of them"),
            Self::NotContinuous { value: Some(value) } => write!(
                out,
                "is declared continuous but holds {value:?}; correct it, declare that value as a missing mark, or \
                 declare the column nominal"
            ),
            Self::NotContinuous { value: None } => {
                out.write_str("is declared continuous but holds text; correct the column or the declaration")
            }
            Self::NotBinary { values: Some(values) } => write!(
                out,
                "is declared binary but has the values {}; binary values are 0/1, true/false, t/f, yes/no or y/n: \
                 declare it nominal",
                quote_list(values)
            ),
            Self::NotBinary { values: None } => out.write_str(
                "is declared binary but has more than two values; correct the column or the declaration",
            ),
            Self::UndeclaredValue { value, declared } => write!(
                out,
                "holds {value:?}, which is not among its declared values {}; correct the cell or declare the value",
                quote_list(declared)
            ),
            Self::UndeclaredValues => out.write_str(
                "is declared nominal but has values that are not declared; correct the column or the declaration",
            ),
            Self::DuplicateName { first, second, column } => write!(
                out,
                "columns {first:?} and {second:?} both give an encoded column {column:?}; rename or ignore one of them"
            ),
            Self::NotDeclared { column } => {
                write!(out, "no declared attribute gives the column {column:?}")
            }
        }
    }
}

/// Weights that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WeightsError {
    /// The table has no such column.
    Absent {
        /// The requested name.
        name: String,
        /// The names that may be meant.
        suggestion: Suggestion,
    },
    /// The column of the weights has a type of its own.
    Typed {
        /// The name of the type.
        kind: &'static str,
    },
    /// The weights add up to more rows than can be counted.
    TooManyRows {
        /// The column of the weights.
        name: String,
        /// Their sum.
        total: u64,
        /// The most rows that can be counted.
        limit: u64,
    },
    /// All weights are 0.
    AllZero {
        /// The column of the weights.
        name: String,
    },
    /// A weight is not a whole number.
    NotWhole {
        /// The column of the weights.
        name: String,
        /// The row, counted from 1.
        row: usize,
        /// The weight; none if it is missing.
        value: Option<String>,
    },
    /// The column does not hold numbers only.
    NotNumeric,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { name, suggestion } => {
                write!(out, "the table has no column {name:?} for the weights{suggestion}")
            }
            Self::Typed { kind } => write!(out, "holds the weights and cannot be {kind} as well"),
            Self::TooManyRows { name, total, limit } => write!(
                out,
                "the weights in column {name:?} add up to {total} rows, but at most {limit} can be counted; check that \
                 the column holds frequencies"
            ),
            Self::AllZero { name } => {
                write!(out, "all weights in column {name:?} are 0: there is no row to count")
            }
            Self::NotWhole { name, row, value } => {
                let value = value.as_ref().map_or_else(|| "missing".to_owned(), |value| format!("{value:?}"));
                write!(
                    out,
                    "the weight in row {row} is {value} (column {name:?}); weights must be whole numbers, the rows \
                     that each row stands for: survey and other sampling weights are not supported, because the tests \
                     need counts"
                )
            }
            Self::NotNumeric => out.write_str(
                "is not numeric and cannot hold the weights; weights must be whole numbers, the rows that each row \
                 stands for",
            ),
        }
    }
}

/// Partitions of a distributed table that cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartitionError {
    /// An option needs all rows on one machine.
    NeedsAllRows {
        /// The name of the option.
        option: &'static str,
    },
    /// The columns are planned before the target is resolved.
    UnresolvedTarget,
    /// A partition lacks the column of the target.
    ColumnAbsent {
        /// The name of the column.
        name: String,
    },
    /// A partition has other columns than the table.
    ColumnsDiffer,
    /// The partitions had other rows in an earlier pass.
    RowsDiffer,
}

impl fmt::Display for PartitionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeedsAllRows { option } => write!(
                out,
                "--{option} needs all rows on one machine; leave it out, or use a sample of the rows"
            ),
            Self::UnresolvedTarget => out.write_str("the target is not known yet"),
            Self::ColumnAbsent { name } => write!(out, "a partition has no column {name:?}"),
            Self::ColumnsDiffer => out.write_str("a partition has other columns than the others"),
            Self::RowsDiffer => out.write_str(
                "the rows changed between two passes over the partitions; save or cache them before the search",
            ),
        }
    }
}
