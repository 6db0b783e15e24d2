//! The command `concause`: parse, load, run, report.
//!
//! This crate turns a command line into calls of the libraries and their results into output and exit codes;
//! it holds no algorithm.

mod again;
mod arguments;
mod commands;
mod output;
mod progress;
mod result;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::{CommandFactory, FromArgMatches};
use concause_run::Failure;

fn main() -> ExitCode {
    concause_run::keep_caught_panics_quiet();
    let matches = Arguments::command().get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match run(&arguments, again::words(&matches)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("concause: {failure}");
            exit_code(&failure)
        }
    }
}

fn exit_code(failure: &Failure) -> ExitCode {
    ExitCode::from(match failure {
        Failure::Input(_) | Failure::NoColumns(_) => 2,
        Failure::Other(_) => 1,
        Failure::Interrupted => 130,
    })
}

/// Runs a command, which the words `again` repeat.
fn run(arguments: &Arguments, again: Vec<String>) -> Result<(), Failure> {
    progress::listen_for_interrupts();
    match &arguments.command {
        Command::Mine(arguments) => commands::mine::run(arguments, again),
        Command::Test(arguments) => commands::test::run(arguments),
        Command::Explain(arguments) => commands::explain::run(arguments),
        Command::Encode(arguments) => commands::encode::run(arguments),
        Command::Compare(arguments) => commands::compare::run(arguments),
        Command::Simulate(arguments) => commands::simulate::run(arguments),
        Command::Evaluate(arguments) => commands::evaluate::run(arguments),
        Command::Report(arguments) => commands::report::run(arguments),
        Command::Completions(arguments) => commands::manual::completions(arguments),
        Command::Man(arguments) => commands::manual::man(arguments),
    }
}
