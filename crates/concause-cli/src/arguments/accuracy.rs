//! The flags of the commands about data whose causes are known: `simulate` and `evaluate`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use concause_run::arguments::RecipeArguments;

use super::PageFormat;

/// `concause simulate`
#[derive(Debug, Args)]
#[command(after_long_help = SIMULATE_EXAMPLES)]
pub struct SimulateArguments {
    /// How to make the data: the name of a recipe (see --list), or a Bayesian network in a .bif file (also .bif.gz)
    #[arg(value_name = "RECIPE", required_unless_present = "list")]
    pub recipe: Option<String>,
    /// List the recipes; with a RECIPE, its parameters and their values
    #[arg(long, conflicts_with_all = ["output", "seed", "seeds", "force", "target"])]
    pub list: bool,
    /// The seed: the same recipe and seed give the same data, on every machine
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Several data sets, one for each seed from A to B, in folders of their own: DIR/A … DIR/B
    #[arg(long, value_name = "A..B", value_parser = seeds, conflicts_with = "seed")]
    pub seeds: Option<RangeInclusive<u64>>,
    #[command(flatten)]
    pub recipe_settings: RecipeArguments,
    /// The folder for the data (data.csv or data.parquet) and its causes (truth.json), made if it is not there
    #[arg(long, short, value_name = "DIR", required_unless_present = "list")]
    pub output: Option<PathBuf>,
    /// The format of the data
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TableFormat::Csv)]
    pub format: TableFormat,
    /// Replace a data set that is already there
    #[arg(long)]
    pub force: bool,
    /// Say nothing but errors on standard error
    #[arg(long, short)]
    pub quiet: bool,
}

const SIMULATE_EXAMPLES: &str = "\
Examples:
  concause simulate syn-50 --seed 1 -o made
  concause simulate weak --rows 20000 --split blind --set coefficients=0.2..0.4 --seeds 1..100 -o made
  concause simulate alarm.bif --rows 5000 --target BP=LOW -o made";

/// `concause evaluate`
#[derive(Debug, Args)]
#[command(after_long_help = EVALUATE_EXAMPLES)]
pub struct EvaluateArguments {
    /// A result (mine --format json) and the truth of its data (truth.json), as often as you like: FOUND TRUTH FOUND
    /// TRUTH …; with --truth, results only
    #[arg(value_name = "FOUND TRUTH", required = true)]
    pub files: Vec<String>,
    /// The truths of the results, in the same order
    #[arg(long, value_name = "TRUTH", num_args = 1..)]
    pub truth: Vec<String>,
    /// Write the scores to this file, not to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The form of the scores
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PageFormat::Table)]
    pub format: PageFormat,
}

const EVALUATE_EXAMPLES: &str = "\
Examples:
  concause mine made/data.csv --target T --format json -o found.json
  concause evaluate found.json made/truth.json
  concause evaluate made/*/found.json --truth made/*/truth.json --format csv";

/// The formats of simulated data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Text with a header
    Csv,
    /// Apache Parquet
    Parquet,
}

impl TableFormat {
    /// The file the data goes to.
    pub fn file(self) -> &'static str {
        match self {
            TableFormat::Csv => "data.csv",
            TableFormat::Parquet => "data.parquet",
        }
    }
}

/// More data sets than this at once are taken for a mistake.
const MOST_SEEDS: u64 = 1_000_000;

fn seeds(text: &str) -> Result<RangeInclusive<u64>, String> {
    let ends = text.split_once("..").and_then(|(first, last)| {
        let last = last.strip_prefix('=').unwrap_or(last);
        Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
    });
    match ends {
        Some((first, last)) if first <= last && last - first < MOST_SEEDS => Ok(first..=last),
        Some((first, last)) if first <= last => Err(format!("these are more than {MOST_SEEDS} data sets")),
        _ => Err("give the first and the last seed, e.g. 1..100".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_include_the_last() {
        assert_eq!(seeds("1..100"), Ok(1..=100));
        assert_eq!(seeds("7 ..=7"), Ok(7..=7));
        for wrong in ["", "1", "2..1", "a..b", "1..", "-1..1", "0..1000000"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }
}
