//! `concause test`: one test of independence, or a file of queries.

use crate::arguments::{AnswerFormat, TestArguments};
use crate::error::CommandError;
use crate::format;
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &TestArguments) -> Result<(), CommandError> {
    let format = format::choose(
        arguments.format,
        arguments.output.output.as_deref(),
        &AnswerFormat::ALL,
        AnswerFormat::Table,
    )?;
    output::check(arguments.output.output.as_deref())?;
    let monitor = Monitor::new(arguments.output.quiet);
    let reports = concause_run::test(arguments.sources.input(), &arguments.run.request, &monitor)?;
    let as_json = arguments.run.request.queries.is_some() || format == AnswerFormat::Json;
    output::write(arguments.output.output.as_deref(), |out| {
        reports.iter().try_for_each(|report| {
            if as_json { writeln!(out, "{}", report.json) } else { write!(out, "{}", report.text) }
        })
    })
}
