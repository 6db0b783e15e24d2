//! What the parts of the benchmark have in common.

use concause_bench::chart::Chart;
use concause_bench::machine::{Others, machine};
use rayon::ThreadPool;

/// How much to measure.
pub struct Scope {
    /// Smaller data, for a first look.
    pub quick: bool,
    /// What to type to measure this again.
    pub command: String,
    /// Who else works on this machine.
    pub others: Others,
}

impl Scope {
    /// The full size, or the quick one.
    pub fn choose<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// The line above the tables of a part, once it is measured: the command and the machine.
    pub fn heading(&self) -> String {
        format!("`{}` on {}; {}.\n\n", self.command, machine(), self.others.clause())
    }
}

/// What was measured.
#[derive(Default)]
pub struct Report {
    /// Tables in Markdown.
    pub text: String,
    /// Charts, by the name of their file.
    pub figures: Vec<(&'static str, Chart)>,
}

/// A pool of so many threads.
pub fn threads(number: usize) -> Result<ThreadPool, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build();
    pool.map_err(|error| format!("no pool of {number} threads: {error}"))
}

/// `1 thread`, `2 threads`.
pub fn threads_label(number: usize) -> String {
    if number == 1 { "1 thread".into() } else { format!("{number} threads") }
}
