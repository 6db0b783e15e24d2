//! `concause explain`: why a candidate is, or is not, a cause.

use concause_run::Failure;

use crate::arguments::{AnswerFormat, ExplainArguments};
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    output::check(arguments.output.output.as_deref())?;
    let monitor = Monitor::new(arguments.output.quiet);
    let explained = concause_run::explain(arguments.sources.input(), &arguments.run, &monitor)?;
    output::write(arguments.output.output.as_deref(), |out| {
        explained.iter().try_for_each(|explanation| match arguments.format {
            AnswerFormat::Table => writeln!(out, "{}", explanation.sentence),
            AnswerFormat::Json => writeln!(out, "{}", explanation.json),
        })
    })
}
