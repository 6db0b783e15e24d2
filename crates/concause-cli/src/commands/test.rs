//! `concause test`: one question of independence, or a file of them.

use concause_run::Failure;

use crate::arguments::{AnswerFormat, TestArguments};
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &TestArguments) -> Result<(), Failure> {
    output::check(arguments.output.output.as_deref())?;
    let monitor = Monitor::new(arguments.output.quiet);
    let answers = concause_run::test(arguments.sources.input(), &arguments.run, &monitor)?;
    let as_json = arguments.run.queries.is_some() || arguments.format == AnswerFormat::Json;
    output::write(arguments.output.output.as_deref(), |out| {
        answers.iter().try_for_each(|answer| {
            if as_json { writeln!(out, "{}", answer.json) } else { write!(out, "{}", answer.words) }
        })
    })
}
