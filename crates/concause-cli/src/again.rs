//! The words of a command that gives a result again: what was typed but for what the result does not hang on.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory};

use crate::arguments::Arguments;

/// Flags that change where a result goes and how it looks or how long it takes, but not the result.
const WITHOUT_EFFECT: [&str; 4] = ["output", "quiet", "threads", "format"];

/// The command and its flags in the order of their definition, each as it was typed.
pub fn words(matches: &ArgMatches) -> Vec<String> {
    let mut words = vec!["concause".to_owned()];
    let mut program = Arguments::command();
    program.build();
    let Some((name, matches)) = matches.subcommand() else { return words };
    let Some(command) = program.find_subcommand(name) else { return words };
    words.push(name.to_owned());
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        let is_typed = matches.value_source(id) == Some(ValueSource::CommandLine);
        if is_typed && !WITHOUT_EFFECT.contains(&id) {
            words.extend(typed(argument, matches));
        }
    }
    words
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

#[cfg(test)]
mod tests {
    use super::*;

    fn again(typed: &str) -> String {
        words(&Arguments::command().try_get_matches_from(typed.split(' ')).unwrap()).join(" ")
    }

    #[test]
    fn what_was_typed_is_said_again_without_what_does_not_matter() {
        assert_eq!(
            again(
                "concause mine -q b.csv a.csv -t sick --threads 2 --max-k=2 --format json -o x.json --negate"
            ),
            "concause mine b.csv a.csv --target sick --negate --max-k 2"
        );
        assert_eq!(
            again("concause mine - --target=-1 --nominal a,b --nominal c --stability 10"),
            "concause mine - --target=-1 --nominal a,b --nominal c --stability 10"
        );
        assert_eq!(again("concause man"), "concause man");
    }

    #[test]
    fn every_flag_without_effect_is_a_flag() {
        let program = Arguments::command();
        let mine = program.find_subcommand("mine").unwrap();
        for id in WITHOUT_EFFECT {
            assert!(mine.get_arguments().any(|argument| argument.get_id() == id), "{id}");
        }
    }
}
