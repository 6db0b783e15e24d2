//! Every command and flag, from which help, man pages and completions come. The settings of a run are those of
//! `concause-run`; here are the files, the output and what belongs to the command alone.

mod accuracy;
#[cfg(test)]
mod page;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use concause_io::Source;
use concause_report::Format;
use concause_run::{Input, arguments as run};

pub use accuracy::{EvaluateArguments, SimulateArguments, TableFormat};

/// Finds the causes of an outcome in a table of observations: single causes, and combined causes such as
/// `smoking & gene=B` whose parts are not causes by themselves.
#[derive(Debug, Parser)]
#[command(name = "concause", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  concause mine patients.csv --target sick
  concause mine a.csv.gz b.csv.gz --target income=50000+ --format json -o causes.json
  concause explain patients.csv --target sick --x 'smoking&gene=B'
  concause test patients.csv --target sick --x smoking --given age>=60,gene=B
  concause encode patients.csv --target sick
  concause compare patients.csv --target sick --methods mh-pc-f,mh-pc-b,cr-pa
  concause simulate syn-50 --seed 1 -o made
  concause evaluate found.json made/truth.json
  concause report causes.json -o report.html";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the single and combined causes of an outcome
    Mine(MineArguments),
    /// Test whether a column or conjunction is independent of the outcome
    Test(TestArguments),
    /// Say why a column or conjunction is, or is not, a cause
    Explain(ExplainArguments),
    /// Show and write the binary columns that the search sees
    Encode(EncodeArguments),
    /// Run several methods and see which found which cause
    Compare(CompareArguments),
    /// Make data whose causes are known
    Simulate(SimulateArguments),
    /// Score causes found against the true ones
    Evaluate(EvaluateArguments),
    /// Make a page to put before others, or another form, of a result saved as JSON
    Report(ReportArguments),
    /// Print the completions of a shell
    Completions(CompletionsArguments),
    /// Print the manual page, or write the pages of all commands
    Man(ManArguments),
}

/// `concause mine`
#[derive(Debug, Args)]
#[command(after_long_help = MINE_EXAMPLES)]
pub struct MineArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: run::MineRequest,
    #[command(flatten)]
    pub output: OutputArguments,
    /// The form of the result: table, json, csv, markdown, dot (a graph for Graphviz) or html (one file to put before
    /// others)
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = format, help_heading = OUTPUT)]
    pub format: Format,
    /// Say on standard error how many candidates were left after each step, why the others were not, and how long each part took
    #[arg(long, short, conflicts_with = "quiet", help_heading = OUTPUT)]
    pub verbose: bool,
}

const MINE_EXAMPLES: &str = "\
Examples:
  concause mine patients.csv --target sick
      the causes of sick, as a table
  concause mine patients.csv --target sick --format html -o report.html
      a page to put before others
  concause mine patients.csv --target outcome=relapse --covariates age,sex --after therapy
      what comes after the outcome is no cause of it; age and sex are held fixed in every test
  concause mine survey.parquet --target income=50000+ --method mh-pc-f --max-level 3 --time-limit 10m
      conjunctions of three, as far as ten minutes go
  concause mine patients.csv --target sick --holdout 0.3 --stability 100 --calibrate 20 --fdr bh
      how far to trust the result
  gzip -dc patients.csv.gz | concause mine - --target sick --format json
      from standard input, for other programs";

/// `concause test`
#[derive(Debug, Args)]
#[command(after_long_help = TEST_EXAMPLES)]
pub struct TestArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: run::TestRequest,
    #[command(flatten)]
    pub output: OutputArguments,
    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = AnswerFormat::Table, help_heading = OUTPUT)]
    pub format: AnswerFormat,
}

const TEST_EXAMPLES: &str = "\
Examples:
  concause test patients.csv --target sick --x smoking
      is smoking associated with sick?
  concause test patients.csv --target sick --x 'smoking&gene=B' --given age>=60,diet
      and where age and diet are held fixed?
  concause test patients.csv --target sick --x smoking --within gene=B --format json
      and among those with gene B?
  concause test patients.csv --target sick --queries questions.csv
      every line x,given,within,test of a file, as JSON lines";

/// `concause explain`
#[derive(Debug, Args)]
#[command(after_long_help = EXPLAIN_EXAMPLES)]
pub struct ExplainArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: run::ExplainRequest,
    #[command(flatten)]
    pub output: OutputArguments,
    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = AnswerFormat::Table, help_heading = OUTPUT)]
    pub format: AnswerFormat,
}

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  concause explain patients.csv --target sick --x diet
      why is diet no cause?
  concause explain patients.csv --target sick --x 'smoking&gene=B' --x diet --format json
      several at once, for other programs
Give the flags that concause mine was given, so that the search is the same.";

/// `concause encode`
#[derive(Debug, Args)]
#[command(after_long_help = ENCODE_EXAMPLES)]
pub struct EncodeArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: run::DataArguments,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Write the encoded table here, as CSV of 0 and 1 with the outcome last (cases first)
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub table: Option<PathBuf>,
    /// Write this encoding here, to be used again with --declare
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub declaration: Option<PathBuf>,
    /// The form of the legend
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = AnswerFormat::Table, help_heading = OUTPUT)]
    pub format: AnswerFormat,
}

const ENCODE_EXAMPLES: &str = "\
Examples:
  concause encode patients.csv --target sick
      the binary columns that the search sees, and what they mean
  concause encode patients.csv --target sick --declaration fixed.toml
  concause mine later.csv --target sick --declare fixed.toml
      other data with the same columns and cut points
  concause encode patients.csv --target sick --table encoded.csv
      the table of 0 and 1, for other programs";

/// `concause compare`
#[derive(Debug, Args)]
#[command(after_long_help = COMPARE_EXAMPLES)]
pub struct CompareArguments {
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub run: run::CompareRequest,
    #[command(flatten)]
    pub output: OutputArguments,
    /// The form of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PageFormat::Table, help_heading = OUTPUT)]
    pub format: PageFormat,
}

const COMPARE_EXAMPLES: &str = "\
Example:
  concause compare patients.csv --target sick --methods mh-pc-f,mh-pc-b,pc-select,cr-pa";

/// `concause report`
#[derive(Debug, Args)]
#[command(after_long_help = REPORT_EXAMPLES)]
pub struct ReportArguments {
    /// The result: what concause mine --format json wrote; - is standard input
    #[arg(value_name = "RESULT")]
    pub result: String,
    /// Write to this file, not to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The form: html (one file to put before others), table, json, csv, markdown or dot (a graph for Graphviz)
    #[arg(long, value_name = "FORMAT", default_value = "html", value_parser = format)]
    pub format: Format,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  concause mine patients.csv --target sick --format json -o causes.json
  concause report causes.json -o report.html
      the page that concause mine --format html would have written
  concause report causes.json --format dot | dot -Tsvg -o causes.svg
      the graph, drawn by Graphviz";

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
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  concause man | man -l -
  concause man --folder ~/.local/share/man/man1";

const OUTPUT: &str = "Output";

/// What to read.
#[derive(Debug, Args)]
pub struct SourceArguments {
    /// The table: CSV, TSV or blank-separated text (also .gz, .zst), Parquet or Arrow; several files of one
    /// schema are one table; - is standard input
    #[arg(required = true, value_name = "DATA")]
    pub data: Vec<String>,
}

impl SourceArguments {
    /// The files.
    pub fn input(&self) -> Input {
        Input::Sources(self.data.iter().map(Source::parse).collect())
    }
}

/// Where the result goes, and how much is said beside it.
#[derive(Debug, Args)]
pub struct OutputArguments {
    /// Write the result to this file, not to standard output
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Say nothing but errors on standard error
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// For people
    Table,
    /// For programs
    Json,
}

/// For people, for programs, for spreadsheets or to paste.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PageFormat {
    /// For people
    Table,
    /// For programs
    Json,
    /// For spreadsheets and data frames
    Csv,
    /// To paste into an issue or a notebook
    Markdown,
}

impl PageFormat {
    /// The text in this format.
    pub fn choose(
        self,
        table: impl FnOnce() -> String,
        json: impl FnOnce() -> String,
        csv: impl FnOnce() -> String,
        markdown: impl FnOnce() -> String,
    ) -> String {
        match self {
            PageFormat::Table => table(),
            PageFormat::Json => json(),
            PageFormat::Csv => csv(),
            PageFormat::Markdown => markdown(),
        }
    }
}

fn format(text: &str) -> Result<Format, String> {
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        Arguments::command().debug_assert();
    }
}
