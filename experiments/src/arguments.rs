//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Reproduces the tables and figures of the paper, and adds experiments on harder data.
#[derive(Debug, Parser)]
#[command(name = "experiments", version)]
pub struct Arguments {
    /// The experiments to run [default: all]. Only a run of all experiments writes the first page, README.md
    #[arg(value_enum, value_name = "EXPERIMENT")]
    pub experiments: Vec<Experiment>,
    /// Run every experiment with few seeds and sizes, in about a minute; write to a temporary folder unless --out
    /// is given
    #[arg(long)]
    pub quick: bool,
    /// Number of seeds for each recipe; slow recipes get fewer [default: 100; 2 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub seeds: Option<u64>,
    /// Folder for pages, tables and figures [default: docs/experiments in the repository]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Folder of the real data [default: ../shared/data/uci, relative to the repository]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Folder for finished results, from which an interrupted run continues [default: target/experiments]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Discard finished results and start again
    #[arg(long)]
    pub fresh: bool,
}

/// An experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Experiment {
    /// The table of data sets
    Data,
    /// MH-PC and the naïve methods on Syn-7 and Syn-10
    Naive,
    /// Precision, recall and F1 on the small synthetic data sets
    Small,
    /// The same on the larger synthetic data sets
    Large,
    /// The same on harder data
    Hard,
    /// Causes on several scales that share columns, and the reliability of the probabilities
    Families,
    /// Logic problems of machine learning: the MONK's problems, tic-tac-toe, the multiplexer
    Logic,
    /// The numbers of causes in real data, and the paper's examples
    Real,
    /// The causes of two real data sets, their probabilities and what may take their place
    Alternatives,
    /// Time against variables, records and max_k
    Scale,
}

impl Experiment {
    /// All experiments in the order in which they run. The timed experiment is last.
    pub const ALL: [Experiment; 10] = [
        Experiment::Data,
        Experiment::Naive,
        Experiment::Small,
        Experiment::Large,
        Experiment::Hard,
        Experiment::Families,
        Experiment::Logic,
        Experiment::Real,
        Experiment::Alternatives,
        Experiment::Scale,
    ];

    /// The name on the command line and of the page.
    pub fn name(self) -> &'static str {
        match self {
            Experiment::Data => "data",
            Experiment::Naive => "naive",
            Experiment::Small => "small",
            Experiment::Large => "large",
            Experiment::Hard => "hard",
            Experiment::Families => "families",
            Experiment::Logic => "logic",
            Experiment::Real => "real",
            Experiment::Alternatives => "alternatives",
            Experiment::Scale => "scale",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_valid() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
        let arguments = Arguments::parse_from(["experiments", "naive", "scale", "--quick"]);
        assert_eq!(arguments.experiments, [Experiment::Naive, Experiment::Scale]);
        let names = Experiment::ALL.map(|one| one.to_possible_value().unwrap().get_name().to_owned());
        assert_eq!(names, Experiment::ALL.map(|one| one.name().to_owned()));
    }
}
