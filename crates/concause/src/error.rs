//! The errors of the core: kinds with data, each with one sentence for users.
//!
//! The caller supplies a function that names settings, so the sentence contains `--max-level` on the command line and
//! `max_level` in Python. This module does not depend on the rest of the crate.

use std::fmt;

/// Why a search was refused or failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A setting that must lie strictly between 0 and 1 does not.
    NotAProbability {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: f64,
    },
    /// A setting is below its smallest value.
    TooSmall {
        /// The setting.
        setting: &'static str,
        /// The smallest value.
        least: usize,
        /// What its values mean.
        hint: &'static str,
    },
    /// A setting exceeds its largest value.
    TooLarge {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: usize,
        /// The largest value.
        most: usize,
        /// Why there is a limit.
        limit: Limit,
    },
    /// A preset is not defined for the method.
    PresetWithoutMethod {
        /// The preset.
        preset: &'static str,
        /// The methods for which it is defined.
        defined_for: Vec<&'static str>,
        /// The method of the settings.
        method: &'static str,
    },
    /// A preset does not support background knowledge.
    PresetWithoutKnowledge {
        /// The preset.
        preset: &'static str,
    },
    /// A method does not support a setting.
    Unsupported {
        /// The method.
        method: &'static str,
        /// The setting.
        setting: &'static str,
    },
    /// A column has two roles in the background knowledge.
    TwoRoles {
        /// The column.
        column: String,
        /// The required conjunction that contains the column, if any.
        part_of: Option<String>,
        /// The settings that name the column.
        settings: [&'static str; 2],
    },
    /// Background knowledge excludes every column.
    NoColumnLeft,
    /// A required cause joins two columns of one attribute.
    RequiredSameAttribute {
        /// The cause.
        name: String,
    },
    /// A required cause has more columns than the search allows.
    RequiredTooDeep {
        /// The cause.
        name: String,
        /// Its number of columns.
        level: usize,
        /// The deepest level of the search.
        max_level: usize,
    },
    /// A required cause has the same value in every row.
    RequiredConstant {
        /// The cause.
        name: String,
    },
    /// No column has this name.
    UnknownColumn {
        /// The name.
        name: String,
    },
    /// A level has more candidates than allowed.
    TooManyCandidates {
        /// The level.
        level: usize,
        /// The number of its candidates, or an upper bound.
        candidates: u128,
        /// The number allowed.
        budget: u64,
    },
    /// The covariates split the rows into too many strata.
    TooManyStrata {
        /// The number of strata that occur.
        strata: usize,
        /// The largest number of strata allowed.
        most: usize,
        /// The largest number of covariate columns that may be 1 in a row.
        most_at_once: usize,
    },
    /// A method that tests all candidates against one another may need more tests than allowed.
    TooManyTests {
        /// The method.
        method: &'static str,
        /// The number of candidates associated with the target.
        candidates: u64,
        /// Whether all levels are included; if not, further levels may add candidates.
        all: bool,
        /// The number of tests they need in the worst case.
        tests: u128,
        /// The number allowed.
        budget: u64,
        /// The settings that reduce the number of tests.
        reduce: Vec<&'static str>,
    },
    /// A check needs all rows on this machine.
    NeedsLocalRows {
        /// The setting that requests it.
        setting: &'static str,
    },
    /// Counting on a remote engine failed.
    Remote {
        /// The message of the engine.
        reason: String,
    },
    /// The caller stopped the run before it had a result.
    Stopped,
}

/// Why a setting has a largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The limit applies to every search; the text is the reason, which may be empty.
    Always(&'static str),
    /// The limit of this method.
    Method(&'static str),
    /// The limit of this preset.
    Preset(&'static str),
}

impl Error {
    /// The sentence for the user; `name` turns the name of a setting (`max_level`) into what the user calls it.
    pub fn sentence(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            Error::NotAProbability { setting, value } => {
                format!("{} must be strictly between 0 and 1, but is {value}", name(setting))
            }
            Error::TooSmall { setting, least, hint } => {
                format!("{} must be at least {least} ({hint})", name(setting))
            }
            Error::TooLarge { setting, value, most, limit } => {
                let (setting, reason) = (name(setting), limit.reason(&name));
                format!("{setting} must be at most {most}{reason}, but is {value}")
            }
            Error::PresetWithoutMethod { preset, defined_for, method } => format!(
                "{} {preset} is defined for {} {}, not for {method}",
                name("preset"),
                name("method"),
                join_words(defined_for.iter().map(|method| (*method).to_owned()), "and")
            ),
            Error::PresetWithoutKnowledge { preset } => {
                format!("{} {preset} does not support background knowledge", name("preset"))
            }
            Error::Unsupported { method, setting } => format!(
                "{} {method} does not support {}; choose another method",
                name("method"),
                name(setting)
            ),
            Error::TwoRoles { column, part_of, settings: [one, other] } => {
                let part =
                    part_of.as_ref().map(|cause| format!(", a part of {cause:?},")).unwrap_or_default();
                format!("{column:?}{part} is named by both {} and {}; remove one", name(one), name(other))
            }
            Error::NoColumnLeft => format!(
                "no column is left as a possible cause: {} name every column",
                join_words(["after", "covariates", "forbid"].into_iter().map(&name), "and")
            ),
            Error::RequiredSameAttribute { name: cause } => format!(
                "{} {cause:?} joins two columns of one attribute, which exclude each other",
                name("require")
            ),
            Error::RequiredTooDeep { name: cause, level, max_level } => format!(
                "{} {cause:?} joins {level} columns, but {}",
                name("require"),
                match max_level {
                    1 => "the search is limited to single causes".to_owned(),
                    level => format!("{} is {level}", name("max_level")),
                }
            ),
            Error::RequiredConstant { name: cause } => format!(
                "{} {cause:?} has the same value in every row, so it cannot be a cause",
                name("require")
            ),
            Error::UnknownColumn { name } => format!("there is no column {name:?}"),
            Error::TooManyCandidates { level, candidates, budget } => format!(
                "level {level} has up to {candidates} candidates, more than the budget of {budget}: lower {} to {}, \
                 remove columns, or raise {}",
                name("max_level"),
                level - 1,
                name("max_candidates")
            ),
            Error::TooManyStrata { strata, most, most_at_once } => format!(
                "the covariates split the rows into {strata} strata, too many to adjust for (at most {most}, with at \
                 most {most_at_once} covariate columns equal to 1 in a row): name fewer covariates"
            ),
            Error::TooManyTests { method, candidates, all, tests, budget, reduce } => format!(
                "{method} would test {}{candidates} candidates against one another, about {:.1e} tests in the worst \
                 case, more than the budget of {:.1e}: lower {}, remove columns, or raise {}",
                if *all { "" } else { "at least " },
                *tests as f64,
                *budget as f64,
                join_words(reduce.iter().map(|setting| name(setting)), "or"),
                name("max_tests")
            ),
            Error::NeedsLocalRows { setting } => format!(
                "{} needs all rows on one machine; leave it out, or use a sample of the rows",
                name(setting)
            ),
            Error::Remote { reason } => reason.clone(),
            Error::Stopped => "the run was stopped before it had a result".to_owned(),
        }
    }
}

impl Limit {
    fn reason(self, name: &impl Fn(&str) -> String) -> String {
        match self {
            Limit::Always("") => String::new(),
            Limit::Always(reason) => format!(" ({reason})"),
            Limit::Method(method) => format!(" for {} {method}", name("method")),
            Limit::Preset(preset) => format!(" for {} {preset}", name("preset")),
        }
    }
}

/// Joins words by commas and, before the last one, a conjunction.
fn join_words(words: impl Iterator<Item = String>, conjunction: &str) -> String {
    let mut words: Vec<String> = words.collect();
    match words.pop() {
        Some(last) if !words.is_empty() => format!("{} {conjunction} {last}", words.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(str::to_owned))
    }
}

impl std::error::Error for Error {}
