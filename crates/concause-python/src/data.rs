//! From the data of a Python call, as `concause._data` prepares them, to the input of a run; and tables back to
//! Python.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use concause_io::Source;
use concause_run::Input;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::column::column;
use crate::error::new_exception;

/// The data of a call.
pub enum Data {
    /// Files of one schema.
    Paths(Vec<PathBuf>),
    /// A table in memory, with its name in error messages.
    Batches(String, Box<dyn RecordBatchReader + Send>),
}

impl Data {
    /// The names of the files; none if the table is in memory.
    pub fn file_names(&self) -> Option<Vec<String>> {
        match self {
            Self::Paths(paths) => Some(paths.iter().map(|path| path.display().to_string()).collect()),
            Self::Batches(..) => None,
        }
    }

    /// The input of a run.
    pub fn input(self) -> Input {
        match self {
            Self::Paths(paths) => Input::Sources(paths.into_iter().map(Source::Path).collect()),
            Self::Batches(name, batches) => Input::Batches(name, batches),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Data {
    type Error = PyErr;

    /// Reads `("paths", [path, …])`, `("stream", name, object)` with `__arrow_c_stream__`, or `("columns", name,
    /// [(name, kind, values), …])`.
    fn extract(data: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let form: String = data.get_item(0)?.extract()?;
        if form == "paths" {
            return Ok(Self::Paths(data.get_item(1)?.extract()?));
        }
        let (name, table): (String, Bound<'_, PyAny>) = (data.get_item(1)?.extract()?, data.get_item(2)?);
        let batches = if form == "stream" { stream(&name, &table) } else { columns(&name, &table) }?;
        Ok(Self::Batches(name, batches))
    }
}

/// Takes over the stream of an object with the Arrow PyCapsule interface, without copying its buffers.
pub fn stream(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Box<dyn RecordBatchReader + Send>> {
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: by the Arrow PyCapsule interface a capsule of this name holds a valid ArrowArrayStream. It is moved out,
    // and the empty stream that is left behind has nothing to release.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) };
    let reader = reader.map_err(|error| unreadable(object.py(), name, &error))?;
    Ok(Box::new(reader))
}

fn columns(name: &str, columns: &Bound<'_, PyAny>) -> PyResult<Box<dyn RecordBatchReader + Send>> {
    let py = columns.py();
    let mut made: Vec<(String, ArrayRef)> = Vec::new();
    for entry in columns.try_iter()? {
        let (title, kind, values): (String, String, Bound<'_, PyAny>) = entry?.extract()?;
        made.push((title, column(&kind, &values)?));
    }
    if let [(first, values), ..] = &made[..]
        && let Some((other, odd)) = made.iter().find(|(_, other)| other.len() != values.len())
    {
        let (expected, found) = (values.len(), odd.len());
        let sentence = format!("{name}: {first:?} has {expected} values but {other:?} has {found}");
        return Err(new_exception(py, "InputError", sentence));
    }
    if made.is_empty() {
        let sentence = format!("{name}: is empty; a table needs names and at least one row");
        return Err(new_exception(py, "InputError", sentence));
    }
    let made = made.into_iter().map(|(title, values)| (title, values, true));
    let batch =
        RecordBatch::try_from_iter_with_nullable(made).map_err(|error| unreadable(py, name, &error))?;
    Ok(reader(batch))
}

fn reader(batch: RecordBatch) -> Box<dyn RecordBatchReader + Send> {
    let schema = batch.schema();
    Box::new(RecordBatchIterator::new([Ok(batch)], schema))
}

fn unreadable(py: Python<'_>, name: &str, error: &dyn std::fmt::Display) -> PyErr {
    new_exception(py, "InputError", format!("{name}: cannot be read ({error})"))
}

/// Exports a table through the Arrow PyCapsule interface.
pub fn export(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader(batch)), c"arrow_array_stream")
}

/// A table of these columns.
pub fn table(py: Python<'_>, columns: impl IntoIterator<Item = (String, ArrayRef)>) -> PyResult<RecordBatch> {
    RecordBatch::try_from_iter(columns.into_iter().map(|(name, values)| (name, Arc::clone(&values))))
        .map_err(|error| unreadable(py, "the table", &error))
}
