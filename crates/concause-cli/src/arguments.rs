//! Every command and flag, defined once: help, man pages and completions come from here.

mod accuracy;
mod control;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use concause::independence::{FalseDiscovery, Test};
use concause::search::{Method, Overlap, Preset, Settings, Twins};
use concause_io::{Delimiter, EncodeOptions, Format as InputFormat, MissingAs, ReadOptions, TextEncoding};
use concause_report::Format;

pub use accuracy::{EvaluateArguments, SimulateArguments, TableFormat};
pub use control::ControlArguments;

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
  concause evaluate found.json made/truth.json";

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
    /// Print the completions of a shell
    Completions(CompletionsArguments),
    /// Print the manual page, or write the pages of all commands
    Man(ManArguments),
}

/// `concause mine`
#[derive(Debug, Args)]
pub struct MineArguments {
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub search: SearchArguments,
    #[command(flatten)]
    pub control: ControlArguments,
    #[command(flatten)]
    pub output: OutputArguments,
    /// The form of the result: table, json, csv or markdown
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = parse::<Format>, help_heading = OUTPUT)]
    pub format: Format,
}

/// `concause test`
#[derive(Debug, Args)]
pub struct TestArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// The column or conjunction to test, e.g. V1 or 'V1&V2'
    #[arg(long, value_name = "NAME", required_unless_present = "queries", help_heading = TEST)]
    pub x: Option<String>,
    /// What to hold fixed: columns or conjunctions, separated by commas; may be given several times
    #[arg(long, value_name = "NAMES", help_heading = TEST)]
    pub given: Vec<String>,
    /// Only count rows in which this column or conjunction is 1
    #[arg(long, value_name = "NAME", help_heading = TEST)]
    pub within: Option<String>,
    /// What to hold fixed in every question, beside --given, as concause mine --covariates does: attributes or columns
    #[arg(long, value_name = "NAMES", help_heading = TEST)]
    pub covariates: Vec<String>,
    /// Answer the questions of a CSV file with the columns x,given,within,test, in order, as JSON lines; - is
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["x", "given", "within"], help_heading = TEST)]
    pub queries: Option<String>,
    /// The test of independence: g2, x2, g2-adjusted or x2-adjusted
    #[arg(long, value_name = "TEST", default_value = "g2", value_parser = parse::<Test>, help_heading = TEST)]
    pub test: Test,
    /// The significance level of the outcome
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability, help_heading = TEST)]
    pub alpha: f64,
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
    pub data: DataArguments,
    /// The column or conjunction to explain, e.g. V1 or 'V1&V2'; may be given several times
    #[arg(long, value_name = "NAME", required = true)]
    pub x: Vec<String>,
    #[command(flatten)]
    pub search: SearchArguments,
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
    pub data: DataArguments,
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
    pub data: DataArguments,
    /// The methods, separated by commas: any of those of concause mine --method. One that refuses is shown as such,
    /// and the others run all the same; --time-limit is for each
    #[arg(long, value_name = "NAMES", required = true, value_delimiter = ',', value_parser = method, help_heading = SEARCH)]
    pub methods: Vec<Method>,
    #[command(flatten)]
    pub search: SearchFlags,
    #[command(flatten)]
    pub output: OutputArguments,
    /// The form of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PageFormat::Table, help_heading = OUTPUT)]
    pub format: PageFormat,
}

const COMPARE_EXAMPLES: &str = "\
Example:
  concause compare patients.csv --target sick --methods mh-pc-f,mh-pc-b,pc-select,cr-pa";

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

const ENCODING: &str = "Encoding";
const KNOWLEDGE: &str = "Background knowledge";
const OUTPUT: &str = "Output";
const READING: &str = "Reading";
const SEARCH: &str = "Search";
const TEST: &str = "Test";

/// What to read, and how to make binary columns of it.
#[derive(Debug, Args)]
pub struct DataArguments {
    /// The table: CSV, TSV or blank-separated text (also .gz, .zst), Parquet or Arrow; several files of one
    /// schema are one table; - is standard input
    #[arg(required = true, value_name = "DATA")]
    pub data: Vec<String>,
    /// The outcome: a binary attribute, or NAME=VALUE
    #[arg(long, short, value_name = "NAME[=VALUE]")]
    pub target: String,
    /// Types, values and cut points of attributes, in a TOML file
    #[arg(long, value_name = "FILE", help_heading = ENCODING)]
    pub declare: Option<PathBuf>,
    /// Attributes to read as nominal (one column per value), separated by commas
    #[arg(long, value_name = "NAMES", help_heading = ENCODING)]
    pub nominal: Vec<String>,
    /// Attributes to read as binary (one column)
    #[arg(long, value_name = "NAMES", help_heading = ENCODING)]
    pub binary: Vec<String>,
    /// Attributes to read as continuous (cut into intervals)
    #[arg(long, value_name = "NAMES", help_heading = ENCODING)]
    pub continuous: Vec<String>,
    /// Attributes to leave out
    #[arg(long, value_name = "NAMES", help_heading = ENCODING)]
    pub ignore: Vec<String>,
    /// Cut continuous attributes into N intervals with about as many rows each, not by entropy
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000), help_heading = ENCODING)]
    pub bins: Option<u16>,
    /// Leave out continuous attributes
    #[arg(long, conflicts_with = "bins", help_heading = ENCODING)]
    pub drop_continuous: bool,
    /// Also offer the negation of every binary column (!V1)
    #[arg(long, help_heading = ENCODING)]
    pub negate: bool,
    /// What becomes of missing values: zero (0 in all columns of the attribute), level (a column of their own)
    /// or drop (the row is left out)
    #[arg(long, value_name = "HOW", default_value = "zero", value_parser = parse::<MissingAs>, help_heading = ENCODING)]
    pub missing_as: MissingAs,
    /// A further mark of missing values, beside the empty field, NA, NaN, null and ?
    #[arg(long, value_name = "MARK", help_heading = READING)]
    pub missing: Vec<String>,
    /// What separates the fields: a character, tab or blank (any run of blanks) [default: detected]
    #[arg(long, value_name = "CHAR", value_parser = parse::<Delimiter>, help_heading = READING)]
    pub delimiter: Option<Delimiter>,
    /// The quote around fields: a character, or none
    #[arg(long, value_name = "CHAR", default_value = "\"", value_parser = quote, help_heading = READING)]
    pub quote: Quote,
    /// The first line holds the names [default: detected]
    #[arg(long, overrides_with = "no_header", help_heading = READING)]
    pub header: bool,
    /// The first line holds data; the columns are called V1, V2, … or as declared
    #[arg(long, overrides_with = "header", help_heading = READING)]
    pub no_header: bool,
    /// The encoding of text: utf8 or latin1
    #[arg(long, value_name = "NAME", default_value = "utf8", value_parser = parse::<TextEncoding>, help_heading = READING)]
    pub encoding: TextEncoding,
    /// The format of the files: text, parquet or arrow [default: by extension]
    #[arg(long, value_name = "FORMAT", value_parser = parse::<InputFormat>, help_heading = READING)]
    pub input_format: Option<InputFormat>,
    /// The most memory the data may take, e.g. 500M or 8G
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = READING)]
    pub max_memory: Option<u64>,
}

/// The quote of a text file, or none.
#[derive(Clone, Copy, Debug)]
pub struct Quote(pub Option<u8>);

/// How to search, by one method.
#[derive(Debug, Args)]
pub struct SearchArguments {
    /// The way to search: hiton-pc (single causes only), mh-pc-f (the quicker for thousands of columns), mh-pc-b, or
    /// mh-pc-x (finds conjunctions also where their parts are associated with the target); or, to compare with,
    /// pc-select (single causes only), naive-h and naive-s (HITON-PC and PC-select over
    /// all conjunctions as if they were columns), cr-pa and cr-cs (causal rules by partial association and by matched
    /// pairs) [default: mh-pc-b]
    #[arg(long, value_name = "NAME", value_parser = method, help_heading = SEARCH)]
    pub method: Option<Method>,
    #[command(flatten)]
    pub flags: SearchFlags,
}

/// How to search, by whatever method.
#[derive(Debug, Args)]
pub struct SearchFlags {
    /// Settings that belong together: default, paper (the paper's listings) or paper-table (what gives the
    /// numbers of the paper's table of real data)
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = preset, help_heading = SEARCH)]
    pub preset: Preset,
    /// The test of independence: g2, x2, g2-adjusted or x2-adjusted [default: g2]
    #[arg(long, value_name = "TEST", value_parser = parse::<Test>, help_heading = SEARCH)]
    pub test: Option<Test>,
    /// The significance level of association and separation [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability, help_heading = SEARCH)]
    pub alpha: Option<f64>,
    /// Keep the false discovery rate of association at alpha over all candidates of a level: bh (Benjamini-Hochberg)
    /// or by (Benjamini-Yekutieli, for any dependence) [default: each candidate is tested at alpha by itself]
    #[arg(long, value_name = "HOW", value_parser = fdr, help_heading = SEARCH)]
    pub fdr: Option<FalseDiscovery>,
    /// The significance level of the redundancy test [default: 0.01]
    #[arg(long, value_name = "P", value_parser = probability, help_heading = SEARCH)]
    pub redundancy_alpha: Option<f64>,
    /// The largest conditioning set [default: 3; paper-table: 2]
    #[arg(long, value_name = "K", help_heading = SEARCH)]
    pub max_k: Option<usize>,
    /// The most columns in a combined cause [default: 2]
    #[arg(long, value_name = "LEVEL", help_heading = SEARCH)]
    pub max_level: Option<usize>,
    /// Whether a conditioning set may share a column with the candidate: allow or skip [default: allow;
    /// paper-table: skip]
    #[arg(long, value_name = "HOW", value_parser = overlap, help_heading = SEARCH)]
    pub overlap: Option<Overlap>,
    /// What becomes of equal and complementary columns: merge (the first stands for all) or ordinary
    /// [default: merge; paper presets: ordinary]
    #[arg(long, value_name = "HOW", value_parser = twins, help_heading = SEARCH)]
    pub twins: Option<Twins>,
    /// The most candidates a level may have [default: 1000000000]
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    pub max_candidates: Option<u64>,
    /// The most tests that pc-select, naive-h and naive-s may need at worst; more is refused before they begin
    /// [default: 10000000000000]
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    pub max_tests: Option<u64>,
    /// The seed of what is drawn at random: the matched pairs of cr-cs, half-samples and shuffled outcomes [default: 1]
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    pub seed: Option<u64>,
    /// Stop searching after this time, e.g. 90s, 10m or 2h, and give what is known by then
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = SEARCH)]
    pub time_limit: Option<Duration>,
    #[command(flatten)]
    pub knowledge: KnowledgeArguments,
}

/// What is known of the columns before the search. A name is an attribute, for all of its columns, or one column.
#[derive(Debug, Args)]
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

/// Where the result goes, and how much is said beside it.
#[derive(Debug, Args)]
pub struct OutputArguments {
    /// Write the result to this file, not to standard output
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Say nothing but errors on standard error
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// The number of threads; 0 means all processors
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = OUTPUT)]
    pub threads: usize,
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

impl DataArguments {
    /// How to read the files.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            delimiter: self.delimiter,
            header: if self.header {
                Some(true)
            } else if self.no_header {
                Some(false)
            } else {
                None
            },
            target: Some(self.target.clone()),
            quote: self.quote.0,
            encoding: self.encoding,
            missing: self.missing.clone(),
            max_memory: self.max_memory,
            format: self.input_format,
        }
    }

    /// How to encode the table; the lists of names are still as typed.
    pub fn encode_options(&self) -> EncodeOptions {
        EncodeOptions {
            target: self.target.clone(),
            nominal: self.nominal.clone(),
            binary: self.binary.clone(),
            continuous: self.continuous.clone(),
            ignore: self.ignore.clone(),
            bins: self.bins.map(usize::from),
            drop_continuous: self.drop_continuous,
            missing_as: self.missing_as,
            negate: self.negate,
            max_memory: self.max_memory,
        }
    }
}

impl SearchArguments {
    /// The preset, and what was changed in it.
    pub fn settings(&self) -> Settings {
        self.flags.settings(self.method)
    }
}

impl SearchFlags {
    /// The preset, and what was changed in it.
    pub fn settings(&self, method: Option<Method>) -> Settings {
        let preset = self.preset.settings();
        Settings {
            method: method.unwrap_or(preset.method),
            test: self.test.unwrap_or(preset.test),
            alpha: self.alpha.unwrap_or(preset.alpha),
            fdr: self.fdr.or(preset.fdr),
            redundancy_alpha: self.redundancy_alpha.unwrap_or(preset.redundancy_alpha),
            max_k: self.max_k.unwrap_or(preset.max_k),
            max_level: self.max_level.unwrap_or(preset.max_level),
            overlap: self.overlap.unwrap_or(preset.overlap),
            twins: self.twins.unwrap_or(preset.twins),
            max_candidates: self.max_candidates.unwrap_or(preset.max_candidates),
            max_tests: self.max_tests.unwrap_or(preset.max_tests),
            seed: self.seed.unwrap_or(preset.seed),
            ..preset
        }
    }
}

fn parse<T: std::str::FromStr>(text: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn choose<T: Copy>(text: &str, choices: &[T], name: impl Fn(T) -> &'static str) -> Result<T, String> {
    choices.iter().copied().find(|&choice| name(choice) == text).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|&choice| name(choice)).collect();
        format!("choose one of {}", names.join(", "))
    })
}

fn fdr(text: &str) -> Result<FalseDiscovery, String> {
    choose(text, &FalseDiscovery::ALL, FalseDiscovery::name)
}

fn preset(text: &str) -> Result<Preset, String> {
    choose(text, &Preset::ALL, Preset::name)
}

fn method(text: &str) -> Result<Method, String> {
    choose(text, &Method::ALL, Method::name)
}

fn overlap(text: &str) -> Result<Overlap, String> {
    choose(text, &[Overlap::Allow, Overlap::Skip], Overlap::name)
}

fn twins(text: &str) -> Result<Twins, String> {
    choose(text, &[Twins::Merge, Twins::Ordinary], Twins::name)
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err("it must be a number between 0 and 1, both excluded".into()),
    }
}

fn quote(text: &str) -> Result<Quote, String> {
    match text.as_bytes() {
        b"none" | b"" => Ok(Quote(None)),
        &[byte] if byte.is_ascii() => Ok(Quote(Some(byte))),
        _ => Err("give one ASCII character, or none".into()),
    }
}

/// Bytes: a number with an optional K, M, G or T.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "give a number of bytes such as 500M or 8G".to_owned();
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let (number, power) = match upper.find(['K', 'M', 'G', 'T']) {
        Some(place) if place + 1 == upper.len() => {
            (&upper[..place], 1 + "KMGT".find(&upper[place..]).unwrap_or(0) as u32)
        }
        Some(_) => return Err(wrong()),
        None => (upper, 0),
    };
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    let bytes = number * 1024f64.powi(power as i32);
    if bytes >= 1.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(wrong()) }
}

/// A time: a number with an optional unit ms, s, m or h; seconds without one.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "give a time such as 90s, 10m or 2h".to_owned();
    let text = text.trim();
    let unit = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..unit].trim().parse().map_err(|_| wrong())?;
    let seconds = match &text[unit..] {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        assert_eq!(size("12"), Ok(12));
        for wrong in ["", "-1", "5X", "G", "M5", "nan"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "-1s", "5y", "s", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn defaults_in_the_help_are_the_presets() {
        let settings = Preset::Default.settings();
        assert_eq!((settings.alpha, settings.redundancy_alpha), (0.05, 0.01));
        assert_eq!((settings.max_k, settings.max_level, settings.seed), (3, 2, 1));
        assert_eq!(
            (settings.method, settings.overlap, settings.twins),
            (Method::MhPcB, Overlap::Allow, Twins::Merge)
        );
        assert_eq!((settings.max_candidates, settings.max_tests), (1_000_000_000, 10_000_000_000_000));
        let table = Preset::PaperTable.settings();
        assert_eq!((table.max_k, table.overlap, table.twins), (2, Overlap::Skip, Twins::Ordinary));
    }
}
