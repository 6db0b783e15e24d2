//! What the Python package can do: each function reads its settings and data, and follows a run.
//!
//! All take the data as `concause._data` prepares it, the settings as a dictionary and a callback for the progress, or
//! None; they return what was found and the notices made on the way.

use concause::simulate::Recipe;
use concause_report::{Document, Evaluation};
use concause_run::arguments::{
    CompareRequest, DataArguments, ExplainRequest, MineRequest, RecipeArguments, TestRequest,
};
use concause_run::{Maker, Named};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::data::Data;
use crate::follow::follow;
use crate::results::{Encoded, Mined, Page, Simulated};
use crate::settings::{Parsed, parse};

type Noticed<T> = PyResult<(T, Vec<String>)>;

/// Finds the causes of an outcome.
#[pyfunction]
pub fn mine(data: Data, settings: &Bound<'_, PyDict>, progress: &Bound<'_, PyAny>) -> Noticed<Mined> {
    let Parsed { settings, words } = parse::<MineRequest>(settings)?;
    let again = data.words().map(|files| {
        let command = ["concause", "mine"].map(str::to_owned).into_iter();
        command.chain(files).chain(words).collect()
    });
    let (mined, notices) =
        follow(progress, move |observer| concause_run::mine(data.input(), &settings, observer))?;
    let document = Document { command: again.unwrap_or_default(), ..mined.document };
    Ok((Mined { search: mined.search, document }, notices))
}

/// Why candidates are, or are not, causes: a sentence and JSON for each.
#[pyfunction]
pub fn explain(
    data: Data,
    settings: &Bound<'_, PyDict>,
    progress: &Bound<'_, PyAny>,
) -> Noticed<Vec<(String, String)>> {
    let settings = parse::<ExplainRequest>(settings)?.settings;
    let (explained, notices) =
        follow(progress, move |observer| concause_run::explain(data.input(), &settings, observer))?;
    let told = explained.into_iter().map(|explained| (explained.sentence, explained.json.to_string()));
    Ok((told.collect(), notices))
}

/// Answers questions of independence: words and JSON for each.
#[pyfunction]
pub fn test(
    data: Data,
    settings: &Bound<'_, PyDict>,
    progress: &Bound<'_, PyAny>,
) -> Noticed<Vec<(String, String)>> {
    let settings = parse::<TestRequest>(settings)?.settings;
    let (answers, notices) =
        follow(progress, move |observer| concause_run::test(data.input(), &settings, observer))?;
    let told = answers.into_iter().map(|answer| (answer.words, answer.json.to_string()));
    Ok((told.collect(), notices))
}

/// Encodes a table.
#[pyfunction]
pub fn encode(data: Data, settings: &Bound<'_, PyDict>, progress: &Bound<'_, PyAny>) -> Noticed<Encoded> {
    let settings = parse::<DataArguments>(settings)?.settings;
    let (loaded, notices) =
        follow(progress, move |observer| concause_run::encode(data.input(), &settings, observer))?;
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
    let settings = parse::<DataArguments>(settings)?.settings;
    let declaration = declaration.to_owned();
    let (bits, _) = follow(progress, move |observer| {
        concause_run::apply(data.input(), &settings, &declaration, &columns, observer)
    })?;
    let bytes = |column: Vec<bool>| column.into_iter().map(u8::from).collect::<Vec<u8>>();
    Ok(bits.into_iter().map(|column| PyBytes::new(progress.py(), &bytes(column))).collect())
}

/// Runs several methods.
#[pyfunction]
pub fn compare(data: Data, settings: &Bound<'_, PyDict>, progress: &Bound<'_, PyAny>) -> Noticed<Page> {
    let settings = parse::<CompareRequest>(settings)?.settings;
    let (comparison, notices) =
        follow(progress, move |observer| concause_run::compare(data.input(), &settings, observer))?;
    let page = Page {
        table: comparison.to_table(),
        json: comparison.to_json(),
        csv: comparison.to_csv(),
        markdown: comparison.to_markdown(),
    };
    Ok((page, notices))
}

/// Makes data whose causes are known.
#[pyfunction]
pub fn simulate(
    recipe: &str,
    seed: u64,
    settings: &Bound<'_, PyDict>,
    progress: &Bound<'_, PyAny>,
) -> Noticed<Simulated> {
    let settings = parse::<RecipeArguments>(settings)?.settings;
    let recipe = recipe.to_owned();
    let (simulated, notices) = follow(progress, move |_| Maker::new(&recipe, &settings)?.make(seed))?;
    Ok((Simulated { simulated }, notices))
}

/// The recipes there are, each with what it makes.
#[pyfunction]
pub fn recipes() -> Vec<(&'static str, &'static str)> {
    Recipe::NAMES.to_vec()
}

/// Scores results against truths: `(name, JSON, name, JSON)` of each.
#[pyfunction]
pub fn evaluate(pairs: Vec<(String, String, String, String)>, progress: &Bound<'_, PyAny>) -> Noticed<Page> {
    let (evaluation, notices) = follow(progress, move |observer| {
        let pairs = pairs.iter().map(|(found, found_text, truth, truth_text)| {
            let found = Named { name: found, text: found_text };
            concause_run::evaluate(found, Named { name: truth, text: truth_text }, observer)
        });
        Ok(Evaluation { pairs: pairs.collect::<Result<_, _>>()? })
    })?;
    let page = Page {
        table: evaluation.to_table(),
        json: evaluation.to_json(),
        csv: evaluation.to_csv(),
        markdown: evaluation.to_markdown(),
    };
    Ok((page, notices))
}
