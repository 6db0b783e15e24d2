//! The native half of the Python package `concause`: Python objects in, runs of `concause-run`, their results out.
//!
//! What can be said in Python is said there (`python/concause`): this crate holds no algorithm and no wording of its own.
//! Every run is made on threads of its own, without the interpreter's lock, while the calling thread looks out for
//! signals and passes on the progress (`follow`).

mod column;
mod data;
mod elsewhere;
mod failure;
mod follow;
mod results;
mod runs;
mod settings;

use pyo3::prelude::*;

/// What the Python package calls.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::elsewhere::{add_answers, add_facts, add_summaries, answer, mine_elsewhere, pack, summarise};
    #[pymodule_export]
    use crate::results::{Encoded, Mined, Page, Simulated, notebook, plot, render_json};
    #[pymodule_export]
    use crate::runs::{apply, compare, encode, evaluate, explain, mine, recipes, simulate, test};
    #[pymodule_export]
    use crate::settings::settings;

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods;
        concause_run::keep_caught_panics_quiet();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
