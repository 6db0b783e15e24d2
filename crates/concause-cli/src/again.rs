//! The words of a command that gives a result again: what was typed but for what the result does not hang on.

use clap::{ArgMatches, CommandFactory};
use concause_run::again;

use crate::arguments::Arguments;

/// The command and its flags in the order of their definition, each as it was typed.
pub fn words(matches: &ArgMatches) -> Vec<String> {
    let mut words = vec!["concause".to_owned()];
    let mut program = Arguments::command();
    program.build();
    let Some((name, matches)) = matches.subcommand() else { return words };
    let Some(command) = program.find_subcommand(name) else { return words };
    words.push(name.to_owned());
    words.extend(again::words(command, matches));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed_again(typed: &str) -> String {
        words(&Arguments::command().try_get_matches_from(typed.split(' ')).unwrap()).join(" ")
    }

    #[test]
    fn what_was_typed_is_said_again_without_what_does_not_matter() {
        assert_eq!(
            typed_again(
                "concause mine -q b.csv a.csv -t sick --threads 2 --max-k=2 --format json -o x.json --negate"
            ),
            "concause mine b.csv a.csv --target sick --negate --max-k 2"
        );
        assert_eq!(
            typed_again("concause mine - --target=-1 --nominal a,b --nominal c --stability 10"),
            "concause mine - --target=-1 --nominal a,b --nominal c --stability 10"
        );
        assert_eq!(typed_again("concause man"), "concause man");
    }

    #[test]
    fn every_flag_without_effect_is_a_flag() {
        let program = Arguments::command();
        let mine = program.find_subcommand("mine").unwrap();
        for id in again::WITHOUT_EFFECT {
            assert!(mine.get_arguments().any(|argument| argument.get_id() == id), "{id}");
        }
    }
}
