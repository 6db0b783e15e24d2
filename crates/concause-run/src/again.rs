//! The words of a command that gives a result again: what was typed but for what the result does not hang on.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// Flags that change where a result goes and how it looks or how long it takes, but not the result.
pub const WITHOUT_EFFECT: [&str; 5] = ["output", "quiet", "threads", "format", "verbose"];

/// The arguments of a command in the order of their definition, each as it was typed.
pub fn words(command: &Command, matches: &ArgMatches) -> Vec<String> {
    let is_typed = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        matches.value_source(id) == Some(ValueSource::CommandLine) && !WITHOUT_EFFECT.contains(&id)
    };
    command.get_arguments().filter(is_typed).flat_map(|argument| typed(argument, matches)).collect()
}

/// A flag as often as it was typed, each time with its value; a positional argument is its values.
fn typed(argument: &Arg, matches: &ArgMatches) -> Vec<String> {
    let values: Vec<String> = (matches.get_raw(argument.get_id().as_str()).into_iter().flatten())
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    let Some(flag) = argument.get_long().map(|long| format!("--{long}")) else { return values };
    if !argument.get_action().takes_values() {
        return vec![flag];
    }
    let written = |value: String| match value.starts_with('-') {
        true => vec![format!("{flag}={value}")],
        false => vec![flag.clone(), value],
    };
    values.into_iter().flat_map(written).collect()
}
