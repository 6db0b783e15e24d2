//! What all experiments share: how much to compute, where results are stored, how progress is reported.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use concause_bench::uci::UciDataSet;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::store::Store;

/// The first seed of simulated data. Development uses low seeds, so that these are unseen.
pub const FIRST_SEED: u64 = 10_001;

/// A run of the experiments.
pub struct ExperimentRun {
    /// The number of seeds for each recipe that is not slow.
    pub seeds: u64,
    /// Whether few seeds and sizes are enough.
    pub quick: bool,
    /// The folder of the real data.
    pub data: PathBuf,
    /// Finished results.
    pub store: Store,
    /// Whether progress is reported on standard error.
    pub reports_progress: bool,
}

impl ExperimentRun {
    /// The number of seeds for a recipe or method that gets a share of all seeds.
    pub fn seed_count(&self, share: f64) -> u64 {
        ((self.seeds as f64 * share).ceil() as u64).max(1)
    }

    /// A progress bar; a single line if standard error is not a terminal.
    pub fn progress_bar(&self, name: &str, steps: u64) -> ProgressBar {
        if !self.reports_progress {
            return ProgressBar::hidden();
        }
        if !std::io::stderr().is_terminal() {
            eprintln!("experiments: {name} ({steps} steps)");
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{msg:28} {wide_bar} {pos}/{len} {elapsed}, {eta} left");
        // The template is a valid constant.
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(name.to_owned());
        bar
    }

    /// Why a real data set is left out, if its files are missing.
    pub fn missing_note(&self, data_set: &UciDataSet) -> Option<String> {
        let missing = data_set.check_files(&self.data).err()?;
        Some(format!("{missing} and name its folder with --data"))
    }

    /// Writes a sentence to standard error.
    pub fn report(&self, sentence: &str) {
        if self.reports_progress {
            eprintln!("experiments: {sentence}");
        }
    }
}

/// The result of an experiment: a page and the files beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExperimentPage {
    /// The page in Markdown.
    pub markdown: String,
    /// CSV and SVG files by name.
    pub files: Vec<(String, String)>,
    /// Sentences for the first page that summarise the results.
    pub findings: Vec<String>,
}
