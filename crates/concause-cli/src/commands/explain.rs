//! `concause explain`: why a candidate is a cause or not.

use crate::arguments::{AnswerFormat, ExplainArguments};
use crate::error::CommandError;
use crate::format;
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &ExplainArguments) -> Result<(), CommandError> {
    let format = format::choose(
        arguments.format,
        arguments.output.output.as_deref(),
        &AnswerFormat::ALL,
        AnswerFormat::Table,
    )?;
    output::check(arguments.output.output.as_deref())?;
    let monitor = Monitor::new(arguments.output.quiet);
    let explanations = concause_run::explain(arguments.sources.input(), &arguments.run.request, &monitor)?;
    output::write(arguments.output.output.as_deref(), |out| {
        explanations.iter().try_for_each(|explanation| match format {
            AnswerFormat::Table => writeln!(out, "{}", explanation.sentence),
            AnswerFormat::Json => writeln!(out, "{}", explanation.json),
        })
    })
}
