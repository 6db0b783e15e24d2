//! The flags of the commands for data with known causes: `simulate` and `evaluate`.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use concause_report::OutputFormat;
use concause_run::requests::SimulateRequest;

use super::parse_comparison_format;
use crate::flags::Flags;

/// `concause simulate`
#[derive(Debug, Args)]
#[command(after_long_help = SIMULATE_EXAMPLES)]
pub struct SimulateArguments {
    /// The name of a recipe; --list lists them
    #[arg(value_name = "RECIPE", required_unless_present = "list")]
    pub recipe: Option<String>,
    /// List the recipes; with RECIPE, list its parameters and their values
    #[arg(long, conflicts_with_all = ["output", "seed", "seeds", "force"])]
    pub list: bool,
    /// Random seed: the same recipe and seed give the same data on every machine
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Generate a data set for each seed from A to B, in the directories DIR/A … DIR/B
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, conflicts_with = "seed")]
    pub seeds: Option<RangeInclusive<u64>>,
    #[command(flatten)]
    pub run: Flags<SimulateRequest>,
    /// Directory for the data (data.csv or data.parquet) and the true causes (truth.json); created if absent
    #[arg(long, short, value_name = "DIR", required_unless_present = "list")]
    pub output: Option<PathBuf>,
    /// Data format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TableFormat::Csv)]
    pub format: TableFormat,
    /// Replace an existing data set
    #[arg(long)]
    pub force: bool,
    /// Print only errors on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

const SIMULATE_EXAMPLES: &str = "\
Examples:
  concause simulate syn-50 --seed 1 -o simulated
  concause simulate weak --rows 20000 --split blind --set coefficients=0.2..0.4 --seeds 1..100 -o simulated";

/// `concause evaluate`
#[derive(Debug, Args)]
#[command(after_long_help = EVALUATE_EXAMPLES)]
pub struct EvaluateArguments {
    /// Pairs of a result (mine --format json) and the truth of its data (truth.json): FOUND TRUTH FOUND TRUTH …; with
    /// --truth, results only
    #[arg(value_name = "FOUND TRUTH", required = true)]
    pub files: Vec<String>,
    /// The truths, in the order of the results
    #[arg(long, value_name = "TRUTH", num_args = 1..)]
    pub truth: Vec<String>,
    /// Write the scores to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Output format [default: by the name of the output file, else table]
    #[arg(long, value_name = "FORMAT", value_parser = parse_comparison_format())]
    pub format: Option<&'static dyn OutputFormat>,
}

const EVALUATE_EXAMPLES: &str = "\
Examples:
  concause mine simulated/data.csv --target T --format json -o found.json
  concause evaluate found.json simulated/truth.json
  concause evaluate simulated/*/found.json --truth simulated/*/truth.json --format csv";

/// The formats of simulated data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Text with a header
    Csv,
    /// Apache Parquet
    Parquet,
}

impl TableFormat {
    /// The name of the file with the data.
    pub fn file_name(self) -> &'static str {
        match self {
            TableFormat::Csv => "data.csv",
            TableFormat::Parquet => "data.parquet",
        }
    }
}

/// The most data sets of one command; more are probably a mistake.
const MOST_SEEDS: u64 = 1_000_000;

/// Why a text is no range of seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SeedsError {
    NotARange,
    TooMany,
}

impl fmt::Display for SeedsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotARange => out.write_str("must be the first and the last seed, e.g. 1..100"),
            Self::TooMany => write!(out, "must be at most {MOST_SEEDS} seeds"),
        }
    }
}

impl std::error::Error for SeedsError {}

fn parse_seeds(text: &str) -> Result<RangeInclusive<u64>, SeedsError> {
    let ends = text.split_once("..").and_then(|(first, last)| {
        let last = last.strip_prefix('=').unwrap_or(last);
        Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
    });
    match ends {
        Some((first, last)) if first <= last && last - first < MOST_SEEDS => Ok(first..=last),
        Some((first, last)) if first <= last => Err(SeedsError::TooMany),
        _ => Err(SeedsError::NotARange),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_include_the_last() {
        assert_eq!(parse_seeds("1..100"), Ok(1..=100));
        assert_eq!(parse_seeds("7 ..=7"), Ok(7..=7));
        for wrong in ["", "1", "2..1", "a..b", "1..", "-1..1", "0..1000000"] {
            assert!(parse_seeds(wrong).is_err(), "{wrong}");
        }
    }
}
