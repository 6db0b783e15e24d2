//! `concause test`: one test of independence, or a file of queries.

use crate::arguments::{AnswerFormat, TestArguments};
use crate::error::CommandError;
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &TestArguments) -> Result<(), CommandError> {
    output::check(arguments.output.output.as_deref())?;
    let monitor = Monitor::new(arguments.output.quiet);
    let reports = concause_run::test(arguments.sources.input(), &arguments.run.request, &monitor)?;
    let as_json = arguments.run.request.queries.is_some() || arguments.format == AnswerFormat::Json;
    output::write(arguments.output.output.as_deref(), |out| {
        reports.iter().try_for_each(|report| {
            if as_json { writeln!(out, "{}", report.json) } else { write!(out, "{}", report.text) }
        })
    })
}
