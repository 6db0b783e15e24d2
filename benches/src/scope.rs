//! What the benchmarks have in common.

use std::path::PathBuf;

use concause::dataset::Dataset;
use concause_bench::chart::Chart;
use concause_bench::error::ToolError;
use concause_bench::machine::{BackgroundLoad, describe_machine};
use concause_bench::uci::{self, CENSUS, MissingData, PaperEncoding};
use rayon::ThreadPool;

/// How much to measure.
pub struct Scope {
    /// Whether smaller data is enough.
    pub quick: bool,
    /// The command that repeats the measurement.
    pub command: String,
    /// The load of the machine by other programs.
    pub load: BackgroundLoad,
}

impl Scope {
    /// The full size, or the quick one.
    pub fn choose<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// The line above the tables of a benchmark after the measurement: command, machine and load.
    pub fn heading(&self) -> String {
        format!("`{}` on {}; {}.\n\n", self.command, describe_machine(), self.load.describe())
    }
}

/// The result of a benchmark.
#[derive(Default)]
pub struct BenchmarkResult {
    /// Text and tables in Markdown.
    pub markdown: String,
    /// Charts by the names of their files.
    pub figures: Vec<(&'static str, Chart)>,
}

impl BenchmarkResult {
    /// A result without figures.
    pub fn without_figures(markdown: String) -> Self {
        Self { markdown, figures: Vec::new() }
    }
}

/// The folder of the Census data: the environment variable `CONCAUSE_CENSUS`, or the folder beside the project.
pub fn census_folder() -> PathBuf {
    std::env::var_os("CONCAUSE_CENSUS").map_or_else(uci::default_folder, PathBuf::from)
}

/// The Census data, or which file is missing. A benchmark without them goes on.
pub fn read_census() -> Result<Result<Dataset, MissingData>, ToolError> {
    match CENSUS.read(&census_folder(), PaperEncoding::DataTable) {
        Ok(census) => Ok(Ok(census)),
        Err(ToolError::MissingData(missing)) => Ok(Err(missing)),
        Err(error) => Err(error),
    }
}

/// The note of a benchmark without the Census data.
pub fn missing_census_note(missing: &MissingData) -> String {
    format!("{missing} and set CONCAUSE_CENSUS to its folder.\n")
}

/// Starts a pool of threads.
pub fn start_threads(number: usize) -> Result<ThreadPool, ToolError> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(number).build()?)
}

/// `1 thread`, `2 threads`.
pub fn threads_label(number: usize) -> String {
    if number == 1 { "1 thread".into() } else { format!("{number} threads") }
}
