//! From the values of a Python sequence to an Arrow array.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float32Array, Float64Array, Int64Array, StringArray, UInt64Array};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList};

/// The array of a column: a buffer of numbers of a kind, or a list of objects.
pub fn column(kind: &str, values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let py = values.py();
    Ok(match kind {
        "bool" => {
            let bytes = PyBuffer::<u8>::get(values)?.to_vec(py)?;
            Arc::new(BooleanArray::from_iter(bytes.into_iter().map(|byte| Some(byte != 0))))
        }
        "int" => Arc::new(Int64Array::from(PyBuffer::<i64>::get(values)?.to_vec(py)?)),
        "unsigned" => Arc::new(UInt64Array::from(PyBuffer::<u64>::get(values)?.to_vec(py)?)),
        "single" => Arc::new(Float32Array::from(PyBuffer::<f32>::get(values)?.to_vec(py)?)),
        "float" => Arc::new(Float64Array::from(PyBuffer::<f64>::get(values)?.to_vec(py)?)),
        "objects" => objects(values.cast::<PyList>()?)?,
        other => return Err(PyTypeError::new_err(format!("there are no columns of kind {other:?}"))),
    })
}

/// Objects of one type keep it; else all become text.
fn objects(values: &Bound<'_, PyList>) -> PyResult<ArrayRef> {
    let every =
        |is: &dyn Fn(&Bound<'_, PyAny>) -> bool| values.iter().all(|value| value.is_none() || is(&value));
    let is_whole = |value: &Bound<'_, PyAny>| {
        value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() && value.extract::<i64>().is_ok()
    };
    if every(&|value| value.is_instance_of::<PyBool>()) {
        let truths = values.iter().map(|value| value.extract::<Option<bool>>());
        return Ok(Arc::new(BooleanArray::from(truths.collect::<PyResult<Vec<_>>>()?)));
    }
    if every(&is_whole) {
        let numbers = values.iter().map(|value| value.extract::<Option<i64>>());
        return Ok(Arc::new(Int64Array::from(numbers.collect::<PyResult<Vec<_>>>()?)));
    }
    if every(&|value| is_whole(value) || value.is_instance_of::<PyFloat>()) {
        let numbers = values.iter().map(|value| value.extract::<Option<f64>>());
        return Ok(Arc::new(Float64Array::from(numbers.collect::<PyResult<Vec<_>>>()?)));
    }
    let texts = values.iter().map(|value| match value.is_none() {
        true => Ok(None),
        false => value.str()?.extract::<String>().map(Some),
    });
    Ok(Arc::new(StringArray::from(texts.collect::<PyResult<Vec<_>>>()?)))
}
