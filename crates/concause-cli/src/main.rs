//! The command `concause`: parse, load, run, report.
//!
//! This crate converts a command line into requests to `concause-run`, and their results into output and exit codes.
//! It contains no algorithm.

mod arguments;
mod commands;
mod error;
mod flags;
mod format;
mod output;
mod progress;
mod result;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser;
use error::CommandError;

fn main() -> ExitCode {
    concause_run::silence_caught_panics();
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("concause: {error}");
            error.exit_code()
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), CommandError> {
    progress::listen_for_interrupts();
    match &arguments.command {
        Command::Mine(arguments) => commands::mine::run(arguments),
        Command::Test(arguments) => commands::test::run(arguments),
        Command::Explain(arguments) => commands::explain::run(arguments),
        Command::Encode(arguments) => commands::encode::run(arguments),
        Command::Predict(arguments) => commands::predict::run(arguments),
        Command::Compare(arguments) => commands::compare::run(arguments),
        Command::Simulate(arguments) => commands::simulate::run(arguments),
        Command::Evaluate(arguments) => commands::evaluate::run(arguments),
        Command::Report(arguments) => commands::report::run(arguments),
        Command::Completions(arguments) => commands::manual::completions(arguments),
        Command::Man(arguments) => commands::manual::man(arguments),
    }
}
