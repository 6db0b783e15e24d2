//! The functions of the Python package: each reads its settings and data, and follows a run.
//!
//! Arguments are the data as `concause._data` prepares them, the settings as a dictionary, and a callback for progress
//! or None. All functions return the result and the notices.

use concause::progress::Progress;
use concause::search::Method;
use concause_report::{Document, Evaluation};
use concause_run::requests::{
    CompareRequest, DataRequest, ExplainRequest, MineRequest, PredictRequest, SearchRequest, SimulateRequest,
    TestRequest,
};
use concause_run::settings::Built;
use concause_run::{Named, Run, RunError, find_recipe, keyword_name, reproduce};
use concause_simulate::Recipe;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::data::Data;
use crate::follow::follow;
use crate::results::{Encoded, Mined, Page, Simulated};
use crate::settings::parse_keywords;

type Noticed<T> = PyResult<(T, Vec<String>)>;

/// Finds the causes of an outcome.
#[pyfunction]
pub fn mine(data: Data, settings: &Bound<'_, PyDict>, progress: &Bound<'_, PyAny>) -> Noticed<Mined> {
    let Built { request, given } = parse_keywords::<MineRequest>(settings)?;
    let command = data.file_names().map(|files| {
        let command = ["concause", "mine"].map(str::to_owned).into_iter();
        command.chain(files).chain(reproduce::flags(&given)).collect()
    });
    let (mined, notices) = follow(progress, move |follower| {
        let mined = concause_run::mine(data.input(), &request, follower)?;
        report_ignored(&request.search, mined.mining.settings().method, follower);
        Ok(mined)
    })?;
    let document = Document { command: command.unwrap_or_default(), ..mined.document };
    Ok((Mined(Run { document, ..mined }), notices))
}

/// Reports the settings that have no effect with a method.
pub fn report_ignored(search: &SearchRequest, method: Method, progress: &dyn Progress) {
    for setting in search.ignored_settings(Some(method)) {
        progress.notice(&format!("note: {} has no effect with method {method}", keyword_name(setting)));
    }
}

/// Why candidates are causes or not: a sentence and JSON for each.
#[pyfunction]
pub fn explain(
    data: Data,
    settings: &Bound<'_, PyDict>,
    progress: &Bound<'_, PyAny>,
) -> Noticed<Vec<(String, String)>> {
    let request = parse_keywords::<ExplainRequest>(settings)?.request;
    let (explanations, notices) =
        follow(progress, move |follower| concause_run::explain(data.input(), &request, follower))?;
    let pairs = explanations.into_iter().map(|it| (it.sentence, it.json.to_string()));
    Ok((pairs.collect(), notices))
}

/// Runs tests of independence: text and JSON for each.
#[pyfunction]
pub fn test(
    data: Data,
    settings: &Bound<'_, PyDict>,
    progress: &Bound<'_, PyAny>,
) -> Noticed<Vec<(String, String)>> {
    let request = parse_keywords::<TestRequest>(settings)?.request;
    let (reports, notices) =
        follow(progress, move |follower| concause_run::test(data.input(), &request, follower))?;
    let pairs = reports.into_iter().map(|report| (report.text, report.json.to_string()));
    Ok((pairs.collect(), notices))
}

/// Encodes a table.
#[pyfunction]
pub fn encode(data: Data, settings: &Bound<'_, PyDict>, progress: &Bound<'_, PyAny>) -> Noticed<Encoded> {
    let request = parse_keywords::<DataRequest>(settings)?.request;
    let (loaded, notices) =
        follow(progress, move |follower| concause_run::encode(data.input(), &request, follower))?;
    Ok((Encoded { loaded }, notices))
}

/// The named columns of a table, encoded by a declaration: a byte of 0 or 1 for each row.
#[pyfunction]
pub fn apply<'py>(
    data: Data,
    settings: &Bound<'py, PyDict>,
    declaration: &str,
    columns: Vec<String>,
    progress: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let request = parse_keywords::<DataRequest>(settings)?.request;
    let declaration = declaration.to_owned();
    let (bits, _) = follow(progress, move |follower| {
        concause_run::apply_declaration(data.input(), &request, &declaration, &columns, follower)
    })?;
    let bytes = |column: Vec<bool>| column.into_iter().map(u8::from).collect::<Vec<u8>>();
    Ok(bits.into_iter().map(|column| PyBytes::new(progress.py(), &bytes(column))).collect())
}

/// The risk of each row of a table, by a result in JSON.
#[pyfunction]
pub fn predict(
    data: Data,
    settings: &Bound<'_, PyDict>,
    result: String,
    progress: &Bound<'_, PyAny>,
) -> Noticed<Vec<f64>> {
    let request = parse_keywords::<PredictRequest>(settings)?.request;
    follow(progress, move |follower| {
        let result = Named { name: "the result", text: &result };
        concause_run::predict(data.input(), result, &request, follower)
    })
}

/// Runs several methods.
#[pyfunction]
pub fn compare(data: Data, settings: &Bound<'_, PyDict>, progress: &Bound<'_, PyAny>) -> Noticed<Page> {
    let request = parse_keywords::<CompareRequest>(settings)?.request;
    let (comparison, notices) =
        follow(progress, move |follower| concause_run::compare(data.input(), &request, follower))?;
    let page = Page::new(|format| format.render_comparison(&comparison));
    Ok((page, notices))
}

/// Generates data with known causes.
#[pyfunction]
pub fn simulate(
    recipe: &str,
    seed: u64,
    settings: &Bound<'_, PyDict>,
    progress: &Bound<'_, PyAny>,
) -> Noticed<Simulated> {
    let request = parse_keywords::<SimulateRequest>(settings)?.request;
    let recipe = recipe.to_owned();
    let (simulated, notices) =
        follow(progress, move |_| find_recipe(&recipe, &request)?.simulate(seed).map_err(RunError::from))?;
    Ok((Simulated { simulated }, notices))
}

/// All recipes, with their descriptions.
#[pyfunction]
pub fn recipes() -> Vec<(&'static str, &'static str)> {
    Recipe::NAMES.to_vec()
}

/// Scores results against truths: `(name, JSON, name, JSON)` of each.
#[pyfunction]
pub fn evaluate(pairs: Vec<(String, String, String, String)>, progress: &Bound<'_, PyAny>) -> Noticed<Page> {
    let (evaluation, notices) = follow(progress, move |follower| {
        let pairs = pairs.iter().map(|(found, found_text, truth, truth_text)| {
            let found = Named { name: found, text: found_text };
            concause_run::evaluate(found, Named { name: truth, text: truth_text }, follower)
        });
        Ok(Evaluation { pairs: pairs.collect::<Result<_, _>>()? })
    })?;
    let page = Page::new(|format| format.render_evaluation(&evaluation));
    Ok((page, notices))
}
