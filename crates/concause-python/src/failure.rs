//! From a [`Failure`] to an exception of the Python package.

use concause_run::Failure;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// The exception of a failure, with its sentence.
pub fn raise(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Input(sentence) => exception(py, "InputError", sentence),
        Failure::NoColumns(sentence) => exception(py, "NoColumnsError", sentence),
        Failure::Other(sentence) => exception(py, "RunError", sentence),
        Failure::Interrupted => PyKeyboardInterrupt::new_err("interrupted"),
    }
}

/// An exception of `concause._errors`.
pub fn exception(py: Python<'_>, class: &str, sentence: String) -> PyErr {
    let made = py.import("concause._errors").and_then(|module| module.call_method1(class, (sentence,)));
    made.map_or_else(|error| error, PyErr::from_value)
}
