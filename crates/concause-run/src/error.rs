//! Why a run ended without a result.
//!
//! Errors are kinds with data. [`RunError::describe`] words them; the front end says how a setting is called there:
//! the command has flags ([`flag_name`]), Python has keywords ([`keyword_name`]).

use std::fmt;

use concause::search::Method;

use crate::settings::Expected;

/// Why a run failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// A setting was given wrongly.
    Setting(SettingError),
    /// The core refused the request.
    Core(concause::Error),
    /// The table cannot be read or encoded.
    Table(concause_io::Error),
    /// Standard input is named as a source more than once.
    RepeatedStandardInput,
    /// A name is not that of a column.
    UnknownColumn {
        /// The setting that holds the name, if it is a list of names.
        setting: Option<&'static str>,
        /// The name.
        name: String,
        /// The nearest names, as a clause.
        suggestion: String,
    },
    /// A setting names the target.
    NamesTarget {
        /// The setting.
        setting: &'static str,
        /// The name.
        name: String,
    },
    /// A setting names an attribute that has no column.
    NamesUnusedAttribute {
        /// The setting.
        setting: &'static str,
        /// The attribute.
        name: String,
        /// Why it has no column, if that is known.
        reason: Option<String>,
    },
    /// The temporal order does not contain the target.
    OrderWithoutTarget {
        /// The target.
        target: String,
    },
    /// A conditioning set is too large.
    TooManyConditions {
        /// Its size.
        given: usize,
        /// The largest size.
        most: usize,
    },
    /// There is no test of this name.
    UnknownTest {
        /// The name.
        name: String,
        /// All names.
        tests: Vec<&'static str>,
    },
    /// A file of queries cannot be used.
    QueryFile {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: QueryFileProblem,
    },
    /// A line of a file of queries cannot be answered.
    QueryLine {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// What is wrong with it.
        error: Box<RunError>,
    },
    /// More threads were requested than are supported.
    TooManyThreads {
        /// The number requested.
        threads: usize,
        /// The largest number.
        most: usize,
    },
    /// The operating system started no threads.
    NoThreads {
        /// The number requested.
        threads: usize,
        /// What it reported.
        reason: String,
    },
    /// A distributed table has no rows.
    NoRows,
    /// The partitions of a distributed table did not respond, or not properly.
    Partitions(ExecutorError),
    /// No method of a comparison could run.
    NoMethodRan(Vec<(Method, RunError)>),
    /// There is no recipe of this name.
    UnknownRecipe {
        /// The name.
        name: String,
        /// The nearest names, as a clause.
        suggestion: String,
    },
    /// A recipe cannot generate data.
    Recipe {
        /// What is wrong, as a sentence.
        reason: String,
    },
    /// A saved result or truth cannot be used.
    Document {
        /// Its name.
        name: String,
        /// What is wrong with it, as a sentence.
        reason: String,
    },
    /// A result and a truth have different targets.
    TargetMismatch {
        /// The name of the result.
        found: String,
        /// Its target.
        found_target: String,
        /// The name of the truth.
        truth: String,
        /// Its target.
        truth_target: String,
    },
    /// The run was interrupted.
    Interrupted,
}

/// A setting that was given wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// The name of the setting, with hyphens; as it was given if there is none of this name.
    pub setting: String,
    /// What is wrong with it.
    pub problem: SettingProblem,
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingProblem {
    /// There is no such setting.
    Unknown {
        /// The nearest names, as a clause.
        suggestion: String,
    },
    /// It is required.
    Missing,
    /// It takes one value.
    TooManyValues,
    /// It cannot be combined with another.
    Conflict {
        /// The other setting.
        with: String,
    },
    /// It does not accept the value.
    Value {
        /// The value.
        value: String,
        /// What it accepts.
        expected: Expected,
    },
}

/// What is wrong with a file of queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryFileProblem {
    /// It cannot be read.
    Unreadable(String),
    /// Its first line does not name the column `x`.
    NoHeader,
    /// Its first line names another column than `x`, `given`, `within` and `test`.
    UnknownColumn(String),
}

/// Why the partitions of a table did not respond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecutorError {
    /// The search is over and nothing listens any more.
    Disconnected,
    /// Something failed, as a sentence.
    Failed(String),
}

impl fmt::Display for ExecutorError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disconnected => out.write_str(
                "the rows are on the cluster and the search is over; mine again to request more counts",
            ),
            Self::Failed(sentence) => out.write_str(sentence),
        }
    }
}

impl std::error::Error for ExecutorError {}

/// The classes of errors that front ends tell apart: by exit codes, or by classes of exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// A setting or the input is wrong.
    Input,
    /// The input is right, but no column except the target can be used.
    NoColumns,
    /// Something else failed, such as the operating system.
    System,
    /// The run was interrupted.
    Interrupted,
}

/// The flag of a setting: `--max-level`.
pub fn flag_name(setting: &str) -> String {
    format!("--{setting}")
}

/// The keyword of a setting in Python, and its field in Rust: `max_level`.
pub fn keyword_name(setting: &str) -> String {
    setting.replace('-', "_")
}

impl RunError {
    /// The class of the error.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Interrupted => ErrorClass::Interrupted,
            Self::Table(error) if error.is_cancelled() => ErrorClass::Interrupted,
            Self::Table(error) if error.is_without_columns() => ErrorClass::NoColumns,
            Self::Table(error) if error.is_io() => ErrorClass::System,
            Self::Core(concause::Error::Remote { .. }) => ErrorClass::System,
            Self::NoThreads { .. } | Self::Partitions(_) => ErrorClass::System,
            _ => ErrorClass::Input,
        }
    }

    /// A sentence for the user; `called` says how a setting is called in the front end.
    pub fn describe(&self, called: &dyn Fn(&str) -> String) -> String {
        match self {
            Self::Setting(error) => error.describe(called),
            Self::Core(error) => describe(error, called),
            Self::Table(error) if error.is_cancelled() => "interrupted".into(),
            Self::Table(error) => error.sentence(|option| called(&option.replace('_', "-"))),
            Self::RepeatedStandardInput => "standard input (-) can be read only once".into(),
            Self::UnknownColumn { setting, name, suggestion } => {
                let place = setting.map(|setting| format!("{}: ", called(setting))).unwrap_or_default();
                format!("{place}there is no column {name:?}{suggestion}")
            }
            Self::NamesTarget { setting, name } => {
                format!("{} names {name:?}, which is the target", called(setting))
            }
            Self::NamesUnusedAttribute { setting, name, reason } => {
                let reason = reason.as_deref().unwrap_or("the attribute was not encoded");
                format!("{} names {name:?}, which has no column ({reason})", called(setting))
            }
            Self::OrderWithoutTarget { target } => format!(
                "{} has no tier with the target {target:?}; add the target to a tier",
                called("order")
            ),
            Self::TooManyConditions { given, most } => {
                format!("a conditioning set has at most {most} members, not {given}")
            }
            Self::UnknownTest { name, tests } => {
                format!("there is no test '{name}'; choose one of {}", tests.join(", "))
            }
            Self::QueryFile { file, problem } => format!("{file}: {problem}"),
            Self::QueryLine { file, line, error } => {
                format!("{file}, line {line}: {}", error.describe(called))
            }
            Self::TooManyThreads { threads, most } => {
                format!("{} must be at most {most}, but is {threads}", called("threads"))
            }
            Self::NoThreads { threads, reason } => format!("cannot start {threads} threads ({reason})"),
            Self::NoRows => "the DataFrame: has names but no rows".into(),
            Self::Partitions(error) => error.to_string(),
            Self::NoMethodRan(errors) => {
                let reasons =
                    errors.iter().map(|(method, error)| format!("{method}: {}", error.describe(called)));
                format!("no method ran; {}", reasons.collect::<Vec<_>>().join("; "))
            }
            Self::Interrupted => "interrupted".into(),
            _ => self.describe_accuracy(),
        }
    }

    /// The errors of simulation and evaluation.
    fn describe_accuracy(&self) -> String {
        match self {
            Self::UnknownRecipe { name, suggestion } => format!("there is no recipe {name:?}{suggestion}"),
            Self::Recipe { reason } => reason.clone(),
            Self::Document { name, reason } => format!("{name}: {reason}"),
            Self::TargetMismatch { found, found_target, truth, truth_target } => {
                format!(
                    "{truth}: holds the causes of {truth_target:?}, but {found} those of {found_target:?}"
                )
            }
            _ => String::new(),
        }
    }
}

impl SettingError {
    /// A sentence for the user; `called` says how a setting is called in the front end.
    pub fn describe(&self, called: &dyn Fn(&str) -> String) -> String {
        let name = called(&self.setting);
        match &self.problem {
            SettingProblem::Unknown { suggestion } => {
                format!("there is no setting {:?}{suggestion}", self.setting)
            }
            SettingProblem::Missing => format!("{name}: is required"),
            SettingProblem::TooManyValues => format!("{name}: takes one value"),
            SettingProblem::Conflict { with } => format!("{name}: cannot be used with {}", called(with)),
            SettingProblem::Value { value, expected } => {
                format!("{name}: invalid value {value:?}; {expected}")
            }
        }
    }
}

/// The sentence of an error of the core; `called` says how a setting is called in the front end.
pub fn describe(error: &concause::Error, called: &dyn Fn(&str) -> String) -> String {
    error.sentence(|field| called(&field.replace('_', "-")))
}

impl fmt::Display for QueryFileProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(reason) => write!(out, "cannot be read ({reason})"),
            Self::NoHeader => out.write_str("the first line must name the columns: x,given,within,test"),
            Self::UnknownColumn(name) => {
                write!(out, "a file of queries has no column '{name}', only x,given,within,test")
            }
        }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.describe(&keyword_name))
    }
}

impl std::error::Error for SettingError {}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.describe(&keyword_name))
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Setting(error) => Some(error),
            Self::Core(error) => Some(error),
            Self::Table(error) => Some(error),
            Self::QueryLine { error, .. } => Some(error),
            Self::Partitions(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SettingError> for RunError {
    fn from(error: SettingError) -> Self {
        Self::Setting(error)
    }
}

impl From<concause::Error> for RunError {
    fn from(error: concause::Error) -> Self {
        Self::Core(error)
    }
}

impl From<concause_io::Error> for RunError {
    fn from(error: concause_io::Error) -> Self {
        Self::Table(error)
    }
}

impl From<ExecutorError> for RunError {
    fn from(error: ExecutorError) -> Self {
        Self::Partitions(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_use_the_setting_names_of_the_front_end() {
        let error = RunError::Core(concause::Error::TooManyCandidates { level: 2, candidates: 9, budget: 5 });
        assert!(error.describe(&flag_name).contains("lower --max-level to 1"));
        assert!(error.to_string().contains("lower max_level to 1"));
        let error = SettingError {
            setting: "redundancy-alpha".into(),
            problem: SettingProblem::Value { value: "2".into(), expected: Expected::Probability },
        };
        let sentence = "invalid value \"2\"; must be a number between 0 and 1, both excluded";
        assert_eq!(error.describe(&flag_name), format!("--redundancy-alpha: {sentence}"));
        assert_eq!(error.describe(&keyword_name), format!("redundancy_alpha: {sentence}"));
    }
}
