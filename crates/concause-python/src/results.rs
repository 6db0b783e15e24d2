//! The results of runs as Python objects, rendered in any format on request.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray};
use concause::dataset::{Block, Dataset};
use concause_io::record_batch;
use concause_report::{Document, OutputFormat, Plot, TextStyle, find_format, truth_to_json};
use concause_run::{EncodedTable, Run};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::data::{export, table};
use crate::error::{new_exception, to_exception};

/// A finished run.
#[pyclass(frozen)]
pub struct Mined(pub Run);

#[pymethods]
impl Mined {
    /// The result in an output format of the command.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        render(py, &self.0.document, format)
    }

    /// The attributes that these columns came from, and the declaration in TOML that encodes them.
    fn declaration_of(&self, columns: Vec<String>) -> (Vec<String>, String) {
        self.0.table.encoding.declaration_of(&columns)
    }

    /// Why candidates are causes or not: a sentence and JSON for each.
    fn explain(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Vec<(String, String)>> {
        let explanations = py.detach(|| self.0.explain(&names));
        let explanations = explanations.map_err(|error| to_exception(py, &error))?;
        Ok(explanations.into_iter().map(|it| (it.sentence, it.json.to_string())).collect())
    }
}

/// A saved result, from JSON, in a format of the command.
#[pyfunction]
pub fn render_json(py: Python<'_>, json: &str, format: &str) -> PyResult<String> {
    render(py, &document(py, json)?, format)
}

/// A saved result as a notebook shows it.
#[pyfunction]
pub fn notebook(py: Python<'_>, json: &str) -> PyResult<String> {
    Ok(concause_report::render_notebook(&document(py, json)?))
}

/// A plot of a saved result in SVG; `cause` is the number of the cause whose risk is shown.
#[pyfunction]
pub fn plot(py: Python<'_>, json: &str, kind: &str, cause: Option<usize>) -> PyResult<String> {
    let plot = match kind {
        "forest" => Plot::Forest,
        "graph" => Plot::Graph,
        "funnel" => Plot::Funnel,
        _ => Plot::Risk(cause.unwrap_or_default()),
    };
    let drawn = plot.render_svg(&document(py, json)?);
    drawn.ok_or_else(|| {
        new_exception(py, "InputError", format!("the result has nothing to show in a plot {kind:?}"))
    })
}

fn document(py: Python<'_>, json: &str) -> PyResult<Document> {
    Document::from_json(json).map_err(|error| new_exception(py, "InputError", error.to_string()))
}

fn render(py: Python<'_>, document: &Document, format: &str) -> PyResult<String> {
    let fail = |error: &dyn std::fmt::Display| new_exception(py, "InputError", error.to_string());
    let format = find_format(format).map_err(|error| fail(&error))?;
    let page = py.detach(|| format.render(document, &TextStyle::default()));
    String::from_utf8(page).map_err(|error| fail(&error))
}

/// A text in every output format.
#[pyclass(frozen, get_all)]
pub struct Page {
    pub table: String,
    pub json: String,
    pub csv: String,
    pub markdown: String,
}

impl Page {
    /// Renders every format of the page.
    pub fn new(render: impl Fn(&dyn OutputFormat) -> Option<String>) -> Self {
        let text = |name| find_format(name).ok().and_then(&render).unwrap_or_default();
        Page { table: text("table"), json: text("json"), csv: text("csv"), markdown: text("markdown") }
    }
}

/// Encoded data.
#[pyclass(frozen)]
pub struct Encoded {
    pub loaded: EncodedTable,
}

#[pymethods]
impl Encoded {
    /// The meaning of every column, as JSON.
    fn legend(&self) -> String {
        self.loaded.legend().to_string()
    }

    /// The encoding as a declaration in TOML.
    fn declaration(&self) -> String {
        self.loaded.encoding.declaration()
    }

    /// The encoded table as CSV.
    fn csv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut csv = Vec::new();
        py.detach(|| self.loaded.encoding.write_csv(&mut csv))?;
        Ok(PyBytes::new(py, &csv))
    }

    /// The encoded table: a column of booleans for each column, the outcome last; cases first.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A hint that may be ignored.
        let _ = requested_schema;
        let dataset = &self.loaded.encoding.dataset;
        let columns = dataset.columns().iter().enumerate();
        let columns =
            columns.map(|(number, column)| (column.name.clone(), bits(dataset, dataset.bits(number))));
        let outcome = (0..dataset.rows()).map(|row| Some(row < dataset.positive()));
        let outcome: ArrayRef = Arc::new(BooleanArray::from_iter(outcome));
        export(py, table(py, columns.chain([(dataset.target().label(), outcome)]))?)
    }
}

/// The bits of a column without the padding between and behind the classes.
fn bits(dataset: &Dataset, blocks: &[Block]) -> ArrayRef {
    let (cases, controls) = blocks.split_at(dataset.layout().positive_blocks());
    let first = |blocks: &'_ [Block], rows: u64| -> Vec<bool> {
        let words = blocks.iter().flat_map(|block| block.0);
        let bits = words.flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1));
        bits.take(rows as usize).collect()
    };
    let rows = [first(cases, dataset.positive()), first(controls, dataset.negative())].concat();
    Arc::new(BooleanArray::from(rows))
}

/// Simulated data.
#[pyclass(frozen)]
pub struct Simulated {
    pub simulated: concause_simulate::Simulated,
}

#[pymethods]
impl Simulated {
    /// The causes built into the data, as JSON.
    fn truth(&self) -> String {
        truth_to_json(&self.simulated.truth)
    }

    /// The data as CSV.
    fn csv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut csv = Vec::new();
        py.detach(|| self.simulated.write_csv(&mut csv))?;
        Ok(PyBytes::new(py, &csv))
    }

    /// The data.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A hint that may be ignored.
        let _ = requested_schema;
        let batch = record_batch(&self.simulated.variables)
            .map_err(|error| new_exception(py, "RunError", error.to_string()))?;
        export(py, batch)
    }
}
