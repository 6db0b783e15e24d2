//! The functions of `concause._remote`, for tables whose rows are distributed over many machines.
//!
//! `summarise`, `pack` and `count` run where the rows are, `add_…` where two responses meet, and `mine_remote` where
//! the search runs. All of them exchange bytes.

use std::fmt::Display;
use std::sync::Arc;

use concause::dataset::Dataset;
use concause_io::partitions::{BlockStatistics, Packing, PartitionSummary, Scan};
use concause_remote::{Request, Response, answer_request};
use concause_run::requests::MineRequest;
use concause_run::{ExecutorError, Partitions, RunError, run_on_threads};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::data::stream;
use crate::error::{new_exception, to_exception};
use crate::follow::{EngineCall, EngineCaller, follow_with_engine};
use crate::results::Mined;
use crate::runs::report_ignored;
use crate::settings::parse_keywords;

/// The name of a partition in error messages.
const NAME: &str = "the DataFrame";

/// The partitions, through the Python object of their engine.
struct Engine(Box<EngineCaller>);

impl Engine {
    fn call(
        &self,
        method: &'static str,
        bytes: &[u8],
        names: Option<&[String]>,
    ) -> Result<Vec<u8>, ExecutorError> {
        let call = EngineCall { method, bytes: bytes.to_vec(), names: names.map(<[String]>::to_vec) };
        (self.0)(call).ok_or(ExecutorError::Disconnected)
    }
}

impl Partitions for Engine {
    fn summarise(&self, scan: &[u8], attributes: &[String]) -> Result<Vec<u8>, ExecutorError> {
        self.call("summarise", scan, Some(attributes))
    }

    fn pack(&self, plan: &[u8]) -> Result<Vec<u8>, ExecutorError> {
        self.call("pack", plan, None)
    }

    fn count(&self, request: &[u8]) -> Result<Vec<u8>, ExecutorError> {
        self.call("count", request, None)
    }
}

/// Finds the causes of an outcome in a distributed table with these names.
#[pyfunction]
pub fn mine_remote(
    names: Vec<String>,
    engine: &Bound<'_, PyAny>,
    settings: &Bound<'_, PyDict>,
    progress: &Bound<'_, PyAny>,
) -> PyResult<(Mined, Vec<String>)> {
    let request = parse_keywords::<MineRequest>(settings)?.request;
    let (mined, notices) = follow_with_engine(progress, engine, move |follower, caller| {
        let mined = concause_run::mine_remote(&names, Arc::new(Engine(caller)), &request, follower)?;
        report_ignored(&request.search, mined.mining.settings().method, follower);
        Ok(mined)
    })?;
    Ok((Mined(mined), notices))
}

/// Summarises an Arrow table of rows of a partition.
#[pyfunction]
pub fn summarise<'py>(table: &Bound<'py, PyAny>, scan: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let py = table.py();
    let rows = stream(NAME, table)?;
    let scan = Scan::from_bytes(scan).map_err(|error| unreadable(py, error))?;
    run_on_one_thread(py, move || Ok(PartitionSummary::scan_partition(&scan, rows)?.to_bytes()))
}

/// The summary of the rows of both.
#[pyfunction]
pub fn add_summaries<'py>(py: Python<'py>, one: &[u8], other: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let summary = |bytes: &[u8]| PartitionSummary::from_bytes(bytes).map_err(|error| unreadable(py, error));
    let sum = summary(one)?.merge(summary(other)?).map_err(|error| unreadable(py, error))?;
    Ok(PyBytes::new(py, &sum.to_bytes()))
}

/// Packs an Arrow table of rows of a partition into a block: its statistics, and its bits.
#[pyfunction]
pub fn pack<'py>(
    table: &Bound<'py, PyAny>,
    plan: &[u8],
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let py = table.py();
    let rows = stream(NAME, table)?;
    let plan = Packing::from_bytes(plan).map_err(|error| unreadable(py, error))?;
    let packed = py.detach(move || run_on_threads(1, move || Ok(plan.pack(rows)?)));
    let (statistics, bits) = packed.map_err(|error| to_exception(py, &error))?;
    Ok((PyBytes::new(py, &statistics.to_bytes()), PyBytes::new(py, &bits)))
}

/// The statistics of the blocks of both.
#[pyfunction]
pub fn add_statistics<'py>(py: Python<'py>, one: &[u8], other: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let statistics = |bytes: &[u8]| BlockStatistics::from_bytes(bytes).map_err(|error| unreadable(py, error));
    Ok(PyBytes::new(py, &statistics(one)?.merge(statistics(other)?).to_bytes()))
}

/// Counts in a block.
#[pyfunction]
pub fn count<'py>(py: Python<'py>, block: &[u8], request: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let request = Request::from_bytes(request).map_err(|error| unreadable(py, error))?;
    run_on_one_thread(py, || {
        let failed = |error: &dyn Display| ExecutorError::Failed(error.to_string());
        let rows = Dataset::unpack(block).ok_or_else(|| failed(&"a block of rows cannot be read"))?;
        let response = answer_request(&rows, &request);
        Ok(response.map_err(|error| failed(&error))?.to_bytes())
    })
}

/// The counts of the blocks of both.
#[pyfunction]
pub fn add_counts<'py>(py: Python<'py>, one: &[u8], other: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let response = |bytes: &[u8]| Response::from_bytes(bytes).map_err(|error| unreadable(py, error));
    let sum = response(one)?.merge(response(other)?).map_err(|error| unreadable(py, error))?;
    Ok(PyBytes::new(py, &sum.to_bytes()))
}

/// Works on one thread: a cluster decides itself how many tasks a machine runs in parallel.
fn run_on_one_thread<'py>(
    py: Python<'py>,
    work: impl FnOnce() -> Result<Vec<u8>, RunError> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| run_on_threads(1, work)).map_err(|error| to_exception(py, &error))?;
    Ok(PyBytes::new(py, &bytes))
}

fn unreadable(py: Python<'_>, error: impl Display) -> PyErr {
    new_exception(py, "RunError", error.to_string())
}
