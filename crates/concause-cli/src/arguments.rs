//! Every command and flag, from which help, man pages and completions come. The settings of a run are those of
//! `concause-run`; here are the files, the output and what belongs to the command alone.

mod accuracy;

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
}

/// `concause test`
#[derive(Debug, Args)]
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

/// `concause explain`
#[derive(Debug, Args)]
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

/// `concause encode`
#[derive(Debug, Args)]
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

/// `concause compare`
#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
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

/// `concause completions`
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `concause man`
#[derive(Debug, Args)]
pub struct ManArguments {
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

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
