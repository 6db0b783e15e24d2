//! What all parts of a run share: how much to do, where results are kept, how progress is told.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::store::Store;

/// The first seed of simulated data, far from the low ones that methods are tried on while they are written.
pub const FIRST_SEED: u64 = 10_001;

/// A run of the experiments.
pub struct Run {
    /// How many seeds each recipe gets, unless it is a slow one.
    pub seeds: u64,
    /// Whether a few small pieces of everything will do.
    pub quick: bool,
    /// The folder of the real data.
    pub data: PathBuf,
    /// Finished work.
    pub store: Store,
    /// Whether progress is told.
    pub tells: bool,
}

impl Run {
    /// The number of seeds for something that takes `share` of the seeds of the others.
    pub fn seeds_of(&self, share: f64) -> u64 {
        ((self.seeds as f64 * share).ceil() as u64).max(1)
    }

    /// A bar of so many steps: on a terminal it moves, elsewhere there is a line at the beginning.
    pub fn bar(&self, what: &str, steps: u64) -> ProgressBar {
        if !self.tells {
            return ProgressBar::hidden();
        }
        if !std::io::stderr().is_terminal() {
            eprintln!("experiments: {what} ({steps} steps)");
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{msg:28} {wide_bar} {pos}/{len} {elapsed}, {eta} left");
        // The template is a constant that the library reads well.
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what.to_owned());
        bar
    }

    /// A sentence on standard error.
    pub fn tell(&self, sentence: &str) {
        if self.tells {
            eprintln!("experiments: {sentence}");
        }
    }
}

/// What a part comes to: a page and the files beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The page in Markdown.
    pub markdown: String,
    /// Files beside it, by name: CSV and SVG.
    pub files: Vec<(String, String)>,
    /// Sentences for the first page: what the part showed.
    pub findings: Vec<String>,
}
