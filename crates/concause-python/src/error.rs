//! From a [`RunError`] to an exception of the Python package.

use concause_run::{ErrorClass, RunError, SettingProblem, keyword_name};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// The exception of an error. Its sentence names settings by their keywords.
pub fn to_exception(py: Python<'_>, error: &RunError) -> PyErr {
    let class = match error.class() {
        ErrorClass::Interrupted => return PyKeyboardInterrupt::new_err("interrupted"),
        ErrorClass::NoColumns => "NoColumnsError",
        ErrorClass::System => "RunError",
        ErrorClass::Input => match error {
            RunError::Setting(error) if matches!(error.problem, SettingProblem::Unknown { .. }) => {
                "SettingError"
            }
            _ => "InputError",
        },
    };
    new_exception(py, class, error.describe(&keyword_name))
}

/// An exception of `concause._errors`.
pub fn new_exception(py: Python<'_>, class: &str, sentence: String) -> PyErr {
    let sentence = concause_report::printable(&sentence);
    let made = py.import("concause._errors").and_then(|module| module.call_method1(class, (sentence,)));
    made.map_or_else(|error| error, PyErr::from_value)
}
