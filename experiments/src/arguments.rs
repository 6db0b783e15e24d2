//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Makes the tables and figures of the paper again, and ours beside them.
#[derive(Debug, Parser)]
#[command(name = "experiments", version)]
pub struct Arguments {
    /// The parts to run; all if none is named. The first page (README.md) is written only when all are run
    #[arg(value_enum)]
    pub parts: Vec<Part>,
    /// A few seeds and sizes of everything, in about a minute; written to a folder in the system's temporary
    /// one unless --out says otherwise
    #[arg(long)]
    pub quick: bool,
    /// Seeds for each recipe; slow recipes get a share of them [default: 100, with --quick 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub seeds: Option<u64>,
    /// Where pages, tables and figures go [default: docs/experiments in the repository]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The folder of the real data [default: ../shared/data/uci, seen from the repository]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Where finished work is kept, so that a run that was interrupted goes on [default: target/experiments]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Forget finished work and begin anew
    #[arg(long)]
    pub fresh: bool,
}

/// A part of the experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The table of data sets
    Data,
    /// MH-PC and the naïve methods on Syn-7 and Syn-10
    Naive,
    /// Precision, recall and F1 on the small synthetic data sets
    Small,
    /// The same on the larger ones
    Large,
    /// The same on harder data
    Hard,
    /// The numbers of causes in real data, and the examples of the paper
    Real,
    /// Time against variables, records and max_k
    Scale,
}

impl Part {
    /// All parts in the order in which they run: what measures time comes last.
    pub const ALL: [Part; 7] =
        [Part::Data, Part::Naive, Part::Small, Part::Large, Part::Hard, Part::Real, Part::Scale];

    /// Its name on the command line and of its page.
    pub fn name(self) -> &'static str {
        match self {
            Part::Data => "data",
            Part::Naive => "naive",
            Part::Small => "small",
            Part::Large => "large",
            Part::Hard => "hard",
            Part::Real => "real",
            Part::Scale => "scale",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        <Arguments as clap::CommandFactory>::command().debug_assert();
        let arguments = Arguments::parse_from(["experiments", "naive", "scale", "--quick"]);
        assert_eq!(arguments.parts, [Part::Naive, Part::Scale]);
        let names = Part::ALL.map(|part| part.to_possible_value().unwrap().get_name().to_owned());
        assert_eq!(names, Part::ALL.map(|part| part.name().to_owned()));
    }
}
