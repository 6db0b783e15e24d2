//! What `concause._elsewhere` is made of: the parts of a run whose rows lie in many places.
//!
//! `summarise`, `pack` and `answer` are called where the rows are, `add_…` wherever two answers meet, and `mine_elsewhere`
//! where the search is. All of them speak bytes.

use std::fmt::Display;
use std::sync::Arc;

use concause::count::elsewhere::{Query, Reply};
use concause::dataset::Dataset;
use concause_io::parts::{Facts, Look, Packing, Summary};
use concause_run::arguments::MineRequest;
use concause_run::{Failure, Parts, on_threads};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::data::stream;
use crate::failure::{exception, raise};
use crate::follow::{Asking, Question, follow_asking};
use crate::results::Mined;
use crate::settings::parse;

/// What a part is called where it cannot be read.
const NAME: &str = "the DataFrame";

/// Why a question is not answered once the search is over.
const GONE: &str = "the rows are on the cluster and the search is over; mine again to ask more of them";

/// The parts, through the object of Python that answers for them.
struct Asked(Box<Asking>);

impl Asked {
    fn ask(&self, method: &'static str, bytes: &[u8], names: Option<&[String]>) -> Result<Vec<u8>, String> {
        let question = Question { method, bytes: bytes.to_vec(), names: names.map(<[String]>::to_vec) };
        (self.0)(question).ok_or_else(|| GONE.to_owned())
    }
}

impl Parts for Asked {
    fn summarise(&self, look: &[u8], attributes: &[String]) -> Result<Vec<u8>, String> {
        self.ask("summarise", look, Some(attributes))
    }

    fn pack(&self, packing: &[u8]) -> Result<Vec<u8>, String> {
        self.ask("pack", packing, None)
    }

    fn ask(&self, query: &[u8]) -> Result<Vec<u8>, String> {
        Asked::ask(self, "ask", query, None)
    }
}

/// Finds the causes of an outcome in a table with these names, for which an object answers.
#[pyfunction]
pub fn mine_elsewhere(
    names: Vec<String>,
    answers: &Bound<'_, PyAny>,
    settings: &Bound<'_, PyDict>,
    progress: &Bound<'_, PyAny>,
) -> PyResult<(Mined, Vec<String>)> {
    let settings = parse::<MineRequest>(settings)?.settings;
    let (mined, notices) = follow_asking(progress, answers, move |observer, asking| {
        concause_run::mine_elsewhere(&names, Arc::new(Asked(asking)), &settings, observer)
    })?;
    Ok((Mined { search: mined.search, document: mined.document }, notices))
}

/// Summarises a part that speaks Arrow.
#[pyfunction]
pub fn summarise<'py>(part: &Bound<'py, PyAny>, look: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let py = part.py();
    let rows = stream(NAME, part)?;
    let look = Look::from_bytes(look).map_err(|error| damaged(py, error))?;
    alone(py, move || Ok(Summary::of(&look, rows)?.to_bytes()))
}

/// The summary of the rows of both.
#[pyfunction]
pub fn add_summaries<'py>(py: Python<'py>, one: &[u8], other: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let summary = |bytes: &[u8]| Summary::from_bytes(bytes).map_err(|error| damaged(py, error));
    let sum = summary(one)?.and(summary(other)?).map_err(|error| damaged(py, error))?;
    Ok(PyBytes::new(py, &sum.to_bytes()))
}

/// Packs a part that speaks Arrow: the facts, and the bits.
#[pyfunction]
pub fn pack<'py>(
    part: &Bound<'py, PyAny>,
    packing: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let py = part.py();
    let rows = stream(NAME, part)?;
    let packing = Packing::from_bytes(packing).map_err(|error| damaged(py, error))?;
    let packed = py.detach(move || on_threads(1, move || Ok(packing.pack(rows)?)));
    let (facts, bits) = packed.map_err(|failure| raise(py, failure))?;
    Ok((PyBytes::new(py, &facts.to_bytes()), PyBytes::new(py, &bits)))
}

/// The facts of the rows of both.
#[pyfunction]
pub fn add_facts<'py>(py: Python<'py>, one: &[u8], other: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let facts = |bytes: &[u8]| Facts::from_bytes(bytes).map_err(|error| damaged(py, error));
    Ok(PyBytes::new(py, &facts(one)?.and(facts(other)?).to_bytes()))
}

/// Answers a query in a block.
#[pyfunction]
pub fn answer<'py>(py: Python<'py>, block: &[u8], query: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let query = Query::from_bytes(query).map_err(|error| damaged(py, error))?;
    alone(py, || {
        let broken = |error: &dyn Display| Failure::Other(error.to_string());
        let rows = Dataset::unpack(block).ok_or_else(|| broken(&"a block of rows cannot be read"))?;
        let reply = concause::count::elsewhere::answer(&rows, &query);
        Ok(reply.map_err(|error| broken(&error))?.to_bytes())
    })
}

/// The answer from the rows of both.
#[pyfunction]
pub fn add_answers<'py>(py: Python<'py>, one: &[u8], other: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let reply = |bytes: &[u8]| Reply::from_bytes(bytes).map_err(|error| damaged(py, error));
    let sum = reply(one)?.and(reply(other)?).map_err(|error| damaged(py, error))?;
    Ok(PyBytes::new(py, &sum.to_bytes()))
}

/// Works on one thread: a cluster has its own idea of how many tasks a machine can do at once.
fn alone<'py>(
    py: Python<'py>,
    work: impl FnOnce() -> Result<Vec<u8>, Failure> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| on_threads(1, work)).map_err(|failure| raise(py, failure))?;
    Ok(PyBytes::new(py, &bytes))
}

fn damaged(py: Python<'_>, error: impl Display) -> PyErr {
    exception(py, "RunError", error.to_string())
}
