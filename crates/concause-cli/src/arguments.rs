//! Every command and flag, from which help, manual pages and completions come. The settings of a run are defined in
//! `concause-run`; the files, the output and what belongs to the command alone are defined here.

mod accuracy;
#[cfg(test)]
mod page;

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use concause_io::Source;
use concause_report::{FORMATS, OutputFormat, find_format};
use concause_run::requests::{
    CompareRequest, DataRequest, ExplainRequest, MineRequest, PredictRequest, TestRequest,
};
use concause_run::{Input, reproduce};

use crate::flags::Flags;

pub use accuracy::{EvaluateArguments, SimulateArguments, TableFormat};

/// Finds the causes of an outcome in a table of observations: single causes, and combined causes such as
/// `smoking & gene=B` whose parts are not causes on their own.
#[derive(Debug, Parser)]
#[command(name = "concause", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  concause mine patients.csv --target sick
  concause mine a.csv.gz b.csv.gz --target income=50000+ -o causes.json
  concause explain patients.csv --target sick --x 'smoking&gene=B'
  concause test patients.csv --target sick --x smoking --given 'age>=60,gene=B'
  concause encode patients.csv --target sick
  concause predict causes.json later.csv
  concause compare patients.csv --target sick --methods mh-pc-f,mh-pc-b,cr-pa
  concause simulate syn-50 --seed 1 -o simulated
  concause evaluate found.json simulated/truth.json
  concause report causes.json -o report.html";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the single and combined causes of an outcome
    Mine(MineArguments),
    /// Test whether a column or conjunction is independent of the outcome
    Test(TestArguments),
    /// Explain why a column or conjunction is a cause or not
    Explain(ExplainArguments),
    /// Show and export the binary columns that the search uses
    Encode(EncodeArguments),
    /// Predict the risk of each row of a table by a result saved as JSON
    Predict(PredictArguments),
    /// Run several methods and compare their causes
    Compare(CompareArguments),
    /// Generate data with known causes
    Simulate(SimulateArguments),
    /// Score the causes found against the true causes
    Evaluate(EvaluateArguments),
    /// Convert a result saved as JSON into a self-contained HTML report or another format
    Report(ReportArguments),
    /// Print shell completions
    Completions(CompletionsArguments),
    /// Print the manual page, or write the manual pages of all commands
    Man(ManArguments),
}

/// `concause mine`
#[derive(Debug, Args)]
#[command(after_long_help = MINE_EXAMPLES)]
pub struct MineArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: Flags<MineRequest>,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Output format [default: by the name of the output file, else table]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format(), help_heading = OUTPUT)]
    pub format: Option<&'static dyn OutputFormat>,
    /// Report the candidates left after each step, the reasons for rejections and the time of each stage on standard
    /// error
    #[arg(long, short, conflicts_with = "quiet", help_heading = OUTPUT)]
    pub verbose: bool,
}

const MINE_EXAMPLES: &str = "\
Examples:
  concause mine patients.csv --target sick
      list the causes of sick as a table
  concause mine patients.csv --target sick -o report.html
      write a self-contained HTML report
  concause mine patients.csv --target outcome=relapse --covariates age,sex --after therapy
      hold age and sex fixed in every test; therapy occurs after the outcome and cannot be a cause
  concause mine survey.parquet --target income=50000+ --method mh-pc-f --max-level 3 --time-limit 10m
      search for conjunctions of up to three columns, for at most ten minutes
  concause mine patients.csv --target sick --holdout 0.3 --stability 100 --calibrate 20
      check how far the result can be trusted
  gzip -dc patients.csv.gz | concause mine - --target sick --format json
      read standard input and write JSON";

impl MineArguments {
    /// The words of the command that reproduces the result.
    pub fn reproducing_command(&self) -> Vec<String> {
        let command = ["concause", "mine"].map(str::to_owned).into_iter();
        command.chain(self.sources.data.clone()).chain(reproduce::flags(&self.run.given)).collect()
    }
}

/// `concause test`
#[derive(Debug, Args)]
#[command(after_long_help = TEST_EXAMPLES)]
pub struct TestArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: Flags<TestRequest>,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Output format [default: by the name of the output file, else table]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = OUTPUT)]
    pub format: Option<AnswerFormat>,
}

const TEST_EXAMPLES: &str = "\
Examples:
  concause test patients.csv --target sick --x smoking
      test whether smoking is associated with sick
  concause test patients.csv --target sick --x 'smoking&gene=B' --given 'age>=60,diet'
      the same for a conjunction, given age and diet
  concause test patients.csv --target sick --x smoking --within gene=B --format json
      the same among the rows with gene B, as JSON
  concause test patients.csv --target sick --queries queries.csv
      run a test for every line x,given,within,test of a file and write JSON lines";

/// `concause explain`
#[derive(Debug, Args)]
#[command(after_long_help = EXPLAIN_EXAMPLES)]
pub struct ExplainArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: Flags<ExplainRequest>,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Output format [default: by the name of the output file, else table]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = OUTPUT)]
    pub format: Option<AnswerFormat>,
}

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  concause explain patients.csv --target sick --x diet
      explain why diet is a cause or not
  concause explain patients.csv --target sick --x 'smoking&gene=B' --x diet --format json
      explain several candidates and write JSON
Use the same search flags as for concause mine, so that both run the same search.";

/// `concause encode`
#[derive(Debug, Args)]
#[command(after_long_help = ENCODE_EXAMPLES)]
pub struct EncodeArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: Flags<DataRequest>,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Write the encoded table to this file: CSV of 0 and 1, the outcome in the last column, cases first
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub table: Option<PathBuf>,
    /// Write this encoding to a TOML file for later use with --declare
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub declaration: Option<PathBuf>,
    /// Output format of the legend [default: by the name of the output file, else table]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = OUTPUT)]
    pub format: Option<AnswerFormat>,
}

const ENCODE_EXAMPLES: &str = "\
Examples:
  concause encode patients.csv --target sick
      list the binary columns and their meaning
  concause encode patients.csv --target sick --declaration fixed.toml
  concause mine later.csv --target sick --declare fixed.toml
      encode later data with the same columns and cut points
  concause encode patients.csv --target sick --table encoded.csv
      export the encoded table of 0 and 1";

/// `concause predict`
#[derive(Debug, Args)]
#[command(after_long_help = PREDICT_EXAMPLES)]
pub struct PredictArguments {
    /// A result of the method joint, written by concause mine -o RESULT.json; - is standard input
    #[arg(value_name = "RESULT")]
    pub result: String,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: Flags<PredictRequest>,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Output format [default: by the name of the output file, else csv]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = OUTPUT)]
    pub format: Option<RiskFormat>,
}

const PREDICT_EXAMPLES: &str = "\
Examples:
  concause mine patients.csv --target sick -o causes.json
  concause predict causes.json later.csv
      write the risk of each row, in the order of the rows
  concause predict causes.json later.csv --format json -o risks.json
      the same as a JSON list";

/// `concause compare`
#[derive(Debug, Args)]
#[command(after_long_help = COMPARE_EXAMPLES)]
pub struct CompareArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: Flags<CompareRequest>,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Output format [default: by the name of the output file, else table]
    #[arg(long, value_name = "FORMAT", value_parser = parse_comparison_format(), help_heading = OUTPUT)]
    pub format: Option<&'static dyn OutputFormat>,
}

const COMPARE_EXAMPLES: &str = "\
Example:
  concause compare patients.csv --target sick --methods mh-pc-f,mh-pc-b,pc-select,cr-pa";

/// `concause report`
#[derive(Debug, Args)]
#[command(after_long_help = REPORT_EXAMPLES)]
pub struct ReportArguments {
    /// A result written by concause mine --format json; - is standard input
    #[arg(value_name = "RESULT")]
    pub result: String,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Output format [default: by the name of the output file, else html]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format())]
    pub format: Option<&'static dyn OutputFormat>,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  concause mine patients.csv --target sick -o causes.json
  concause report causes.json -o report.html
      write the same report as concause mine --format html
  concause report causes.json --format dot | dot -Tsvg -o causes.svg
      draw the causal graph with Graphviz";

/// `concause completions`
#[derive(Debug, Args)]
#[command(after_long_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArguments {
    /// The shell
    pub shell: clap_complete::Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  concause completions bash > ~/.local/share/bash-completion/completions/concause
  concause completions zsh > ~/.zfunc/_concause
  concause completions fish > ~/.config/fish/completions/concause.fish";

/// `concause man`
#[derive(Debug, Args)]
#[command(after_long_help = MAN_EXAMPLES)]
pub struct ManArguments {
    /// Write the manual pages of all commands to this directory
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  concause man | man -l -
  concause man --folder ~/.local/share/man/man1";

const OUTPUT: &str = "Output";

/// The table to read.
#[derive(Debug, Args)]
pub struct SourceArguments {
    /// The table: CSV and other text, Parquet, Arrow, JSON, Excel (FILE::SHEET), Stata, SPSS, SAS transport, SQLite
    /// (FILE::TABLE), PLINK or VCF, also compressed (.gz, .zst, .bz2, .xz, .zip); several files, a folder or a quoted
    /// pattern of files with the same schema form one table; - is standard input
    #[arg(required = true, value_name = "DATA")]
    pub data: Vec<String>,
}

impl SourceArguments {
    /// The files.
    pub fn input(&self) -> Input {
        Input::Sources(self.data.iter().map(Source::parse).collect())
    }
}

/// Where the result is written, and what is reported besides it.
#[derive(Debug, Args)]
pub struct OutputArguments {
    /// Write the result to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Print only errors on standard error
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
}

/// The formats of tests, explanations and legends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// Readable text
    Table,
    /// JSON
    Json,
}

impl AnswerFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Table, Self::Json];
}

/// The formats of predicted risks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RiskFormat {
    /// CSV with the column risk
    Csv,
    /// A JSON list of numbers
    Json,
}

impl RiskFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Json];
}

/// Parses the name of a format.
fn parse_format() -> impl TypedValueParser<Value = &'static dyn OutputFormat> {
    parse_format_among(|_| true)
}

/// Parses the name of a format that can render comparisons and evaluations.
pub(super) fn parse_comparison_format() -> impl TypedValueParser<Value = &'static dyn OutputFormat> {
    parse_format_among(|format| format.supports_comparisons())
}

/// Parses the name of a format that `is_allowed` accepts.
fn parse_format_among(
    is_allowed: fn(&&'static dyn OutputFormat) -> bool,
) -> impl TypedValueParser<Value = &'static dyn OutputFormat> {
    let formats = FORMATS.iter().copied().filter(is_allowed);
    let values = formats.map(|format| PossibleValue::new(format.name()).help(format.description()));
    PossibleValuesParser::new(values).try_map(|name| find_format(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_valid() {
        Arguments::command().debug_assert();
    }

    fn parse(words: &str) -> Command {
        Arguments::try_parse_from(words.split(' ')).unwrap_or_else(|error| panic!("{words}: {error}")).command
    }

    #[test]
    fn the_command_that_reproduces_a_result_omits_what_does_not_change_it() {
        let reproduced = |words: &str| match parse(words) {
            Command::Mine(arguments) => arguments.reproducing_command().join(" "),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            reproduced(
                "concause mine -q b.csv a.csv -t sick --threads 2 --max-k=2 --format json -o x.json --negate"
            ),
            "concause mine b.csv a.csv --target sick --negate --max-k 2"
        );
        let words = "concause mine - --target=-1 --nominal a,b --nominal c --stability 10";
        assert_eq!(reproduced(words), words);
        let words = "concause mine a.csv --target T --twins merge --header --no-header";
        assert_eq!(reproduced(words), "concause mine a.csv --target T --no-header --duplicates merge");
    }

    #[test]
    fn flags_fill_the_request() {
        let words = "concause compare a.csv -t T --methods mh-pc-f,cr-pa --max-level 3 --time-limit 2m";
        let Command::Compare(arguments) = parse(words) else { panic!("{words}") };
        let request = arguments.run.request;
        assert_eq!((request.methods.len(), request.search.max_level), (2, Some(3)));
        assert_eq!(request.search.time_limit, Some(std::time::Duration::from_secs(120)));
        assert_eq!(request.data.target, "T");
    }
}
