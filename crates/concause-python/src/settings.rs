//! From the keywords of a Python call to a request, through the descriptors of its settings.

use concause_run::requests::{
    CompareRequest, DataRequest, ExplainRequest, MineRequest, SimulateRequest, TestRequest,
};
use concause_run::settings::{Built, Form, FromSettings, Given, Setting, build};
use concause_run::{RunError, keyword_name};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};

use crate::error::{new_exception, to_exception};

/// Reads the keywords of a call.
pub fn parse_keywords<R: FromSettings>(keywords: &Bound<'_, PyDict>) -> PyResult<Built<R>> {
    let settings = R::settings();
    let mut given = Vec::new();
    for (keyword, value) in keywords {
        if value.is_none() {
            continue;
        }
        let keyword: String = keyword.extract()?;
        let name = keyword.replace('_', "-");
        let is_flag = settings.iter().any(|setting| setting.name == name && setting.form == Form::Flag);
        if is_flag {
            given.extend(read_flag(&settings, &keyword, name, &value)?);
        } else {
            given.push(Given { name, values: to_texts(&value)? });
        }
    }
    build(&given).map_err(|error| to_exception(keywords.py(), &RunError::from(error)))
}

/// A flag that is True; one that is False is off, or its negation: `header=False` is `no-header`.
fn read_flag<R>(
    settings: &[Setting<R>],
    keyword: &str,
    name: String,
    value: &Bound<'_, PyAny>,
) -> PyResult<Option<Given>> {
    let Ok(flag) = value.cast::<PyBool>() else {
        let sentence = format!("{keyword} must be True or False, not {}", value.repr()?);
        return Err(new_exception(value.py(), "InputError", sentence));
    };
    let name = if flag.is_true() { name } else { format!("no-{name}") };
    let is_setting = settings.iter().any(|setting| setting.name == name);
    Ok(is_setting.then_some(Given { name, values: Vec::new() }))
}

/// The texts of a value: one, or those of its members; a dictionary gives NAME=VALUE.
fn to_texts(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(members) = value.cast::<PyDict>() {
        return members.iter().map(|(name, value)| Ok(format!("{name}={}", to_text(&value)?))).collect();
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value.try_iter()?.map(|member| to_text(&member?)).collect();
    }
    Ok(vec![to_text(value)?])
}

/// The text of a value: paths as such, times in seconds.
fn to_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    for method in ["__fspath__", "total_seconds"] {
        if value.hasattr(method)? {
            return Ok(value.call_method0(method)?.str()?.to_string());
        }
    }
    Ok(value.str()?.to_string())
}

/// A setting as Python sees it: name, group, form (flag, value or list), name of the value, and help.
type Described = (String, &'static str, &'static str, &'static str, String);

/// All settings of a function.
#[pyfunction]
pub fn settings(function: &str) -> Vec<Described> {
    match function {
        "mine" => describe_settings::<MineRequest>(),
        "explain" => describe_settings::<ExplainRequest>(),
        "test" => describe_settings::<TestRequest>(),
        "encode" => describe_settings::<DataRequest>(),
        "compare" => describe_settings::<CompareRequest>(),
        _ => describe_settings::<SimulateRequest>(),
    }
}

fn describe_settings<R: FromSettings>() -> Vec<Described> {
    let describe = |setting: Setting<R>| {
        let form = match setting.form {
            Form::Flag => "flag",
            Form::Value => "value",
            Form::List => "list",
        };
        let default = setting.default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
        let help = format!("{}{default}", setting.help);
        (keyword_name(setting.name), setting.group, form, setting.value_name, help)
    };
    R::settings().into_iter().map(describe).collect()
}
