//! The native half of the Python package `concause`: Python objects in, runs of `concause-run`, their results out.
//!
//! What can be written in Python is (`python/concause`); this crate contains no algorithm. Every run has threads of
//! its own, without the interpreter's lock, while the calling thread checks for signals and reports progress
//! (`follow`).

mod column;
mod data;
mod error;
mod follow;
mod remote;
mod results;
mod runs;
mod settings;

use pyo3::prelude::*;

/// The functions that the Python package calls.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::remote::{add_counts, add_statistics, add_summaries, count, mine_remote, pack, summarise};
    #[pymodule_export]
    use crate::results::{Encoded, Mined, Page, Simulated, notebook, plot, render_json};
    #[pymodule_export]
    use crate::runs::{apply, compare, encode, evaluate, explain, mine, predict, recipes, simulate, test};
    #[pymodule_export]
    use crate::settings::settings;

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods;
        concause_run::silence_caught_panics();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
