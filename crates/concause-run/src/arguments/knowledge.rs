//! The flags that say what is known of the columns.

use std::path::PathBuf;

use clap::Args;

const KNOWLEDGE: &str = "Background knowledge";

/// What is known of the columns before the search. A name is an attribute, for all of its columns, or one column.
#[derive(Clone, Debug, Args)]
pub struct KnowledgeArguments {
    /// What comes after the outcome, separated by commas: never a cause, and never in a conditioning set
    #[arg(long, value_name = "NAMES", help_heading = KNOWLEDGE)]
    pub after: Vec<String>,
    /// What to hold fixed in every test, beside the conditioning set (age and sex, say); never causes
    #[arg(long, value_name = "NAMES", help_heading = KNOWLEDGE)]
    pub covariates: Vec<String>,
    /// What may not be a cause, nor part of one, but may still explain others away
    #[arg(long, value_name = "NAMES", help_heading = KNOWLEDGE)]
    pub forbid: Vec<String>,
    /// Causes that are known, whatever the tests say: columns or conjunctions
    #[arg(long, value_name = "NAMES", help_heading = KNOWLEDGE)]
    pub require: Vec<String>,
    /// An order of time in a TOML file, tiers = [["sex", "age"], ["smoking"], ["sick"], ["drug"]], the earliest
    /// first: what is in a later tier than the outcome comes after it
    #[arg(long, value_name = "FILE", help_heading = KNOWLEDGE)]
    pub order: Option<PathBuf>,
}
