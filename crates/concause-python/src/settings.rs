//! From the keywords of a Python call to the settings of a run, which are the flags of the command.

use clap::{Arg, ArgAction, Args, Command, CommandFactory, FromArgMatches, Parser};
use concause_run::again;
use concause_run::arguments::{
    CompareRequest, DataArguments, ExplainRequest, MineRequest, RecipeArguments, TestRequest,
};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};

use crate::failure::exception;

/// The settings of a run as a command of their own.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Keywords<T: Args> {
    #[command(flatten)]
    settings: T,
}

/// Settings, and the words of the command line that say the same.
pub struct Parsed<T> {
    pub settings: T,
    pub words: Vec<String>,
}

/// Reads the keywords of a call.
pub fn parse<T: Args>(keywords: &Bound<'_, PyDict>) -> PyResult<Parsed<T>> {
    let py = keywords.py();
    let wrong = |error: clap::Error| exception(py, "InputError", sentence(&error));
    let command = Keywords::<T>::command();
    let arguments = arguments(&command, keywords)?;
    let matches = command.clone().try_get_matches_from(arguments).map_err(wrong)?;
    let Keywords { settings } = Keywords::from_arg_matches(&matches).map_err(wrong)?;
    Ok(Parsed { settings, words: again::words(&command, &matches) })
}

/// What clap says, in one line.
fn sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim);
    let line = lines.collect::<Vec<_>>().join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

fn arguments(command: &Command, keywords: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
    let mut found = Vec::new();
    for (name, value) in keywords {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        let flag = name.replace('_', "-");
        let Some(argument) = flag_of(command, &flag) else { return Err(unknown(command, &name, value.py())) };
        match argument.get_action() {
            ArgAction::SetTrue => match value.cast::<PyBool>() {
                Ok(wanted) if wanted.is_true() => found.push(format!("--{flag}")),
                // header=False is --no-header; other flags are off by themselves.
                Ok(_) => {
                    found.extend(flag_of(command, &format!("no-{flag}")).map(|_| format!("--no-{flag}")))
                }
                Err(_) => {
                    let sentence = format!("{name} must be True or False, not {}", value.repr()?);
                    return Err(exception(value.py(), "InputError", sentence));
                }
            },
            _ => found.extend(texts(&value)?.into_iter().map(|text| format!("--{flag}={text}"))),
        }
    }
    Ok(found)
}

fn flag_of<'a>(command: &'a Command, flag: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|argument| argument.get_long() == Some(flag))
}

/// The texts of a value: one, or those of its members; a dictionary gives NAME=VALUE.
fn texts(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(members) = value.cast::<PyDict>() {
        return members.iter().map(|(name, value)| Ok(format!("{name}={}", text(&value)?))).collect();
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value.try_iter()?.map(|member| text(&member?)).collect();
    }
    Ok(vec![text(value)?])
}

/// The text of a value as it would be typed: paths as such, times in seconds.
fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    for method in ["__fspath__", "total_seconds"] {
        if value.hasattr(method)? {
            return Ok(value.call_method0(method)?.str()?.to_string());
        }
    }
    Ok(value.str()?.to_string())
}

fn unknown(command: &Command, name: &str, py: Python<'_>) -> PyErr {
    let names: Vec<String> = command.get_arguments().filter_map(keyword).collect();
    let near = concause_io::suggestion_among("settings", name, names.iter().map(String::as_str));
    exception(py, "SettingError", format!("there is no setting {name:?}{near}"))
}

fn keyword(argument: &Arg) -> Option<String> {
    Some(argument.get_long()?.replace('-', "_"))
}

/// All settings of a function: `(name, heading, form, value, help)`, where `form` is flag, value or list and `value` is
/// what the command calls the value.
#[pyfunction]
pub fn settings(function: &str) -> Vec<(String, String, &'static str, String, String)> {
    let command = match function {
        "mine" => Keywords::<MineRequest>::command(),
        "explain" => Keywords::<ExplainRequest>::command(),
        "test" => Keywords::<TestRequest>::command(),
        "encode" => Keywords::<DataArguments>::command(),
        "compare" => Keywords::<CompareRequest>::command(),
        _ => Keywords::<RecipeArguments>::command(),
    };
    let described = |argument: &Arg| {
        let form = match argument.get_action() {
            ArgAction::SetTrue => "flag",
            ArgAction::Append => "list",
            _ => "value",
        };
        let value = argument.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
        let default: Vec<_> =
            argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        let mut help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        if form != "flag" && !default.is_empty() {
            help += &format!(" [default: {}]", default.join(","));
        }
        let heading = argument.get_help_heading().unwrap_or_default().to_owned();
        Some((keyword(argument)?, heading, form, value.unwrap_or_default(), help))
    };
    command.get_arguments().filter_map(described).collect()
}
