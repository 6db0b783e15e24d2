//! `concause predict`: the risk of each row of a table by a saved result.

use std::io::{self, Write};

use concause_io::Source;
use concause_run::{Named, RunError};

use crate::arguments::{PredictArguments, RiskFormat};
use crate::error::CommandError;
use crate::format;
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &PredictArguments) -> Result<(), CommandError> {
    let file = arguments.output.output.as_deref();
    let format = format::choose(arguments.format, file, &RiskFormat::ALL, RiskFormat::Csv)?;
    output::check(file)?;
    if arguments.result == "-" && arguments.sources.data.iter().any(|data| data == "-") {
        return Err(RunError::RepeatedStandardInput.into());
    }
    let text = Source::parse(&arguments.result).read_text()?;
    let result = Named { name: &arguments.result, text: &text };
    let monitor = Monitor::new(arguments.output.quiet);
    let risks = concause_run::predict(arguments.sources.input(), result, &arguments.run.request, &monitor)?;
    output::write(file, |out| match format {
        RiskFormat::Csv => write_csv(&risks, out),
        RiskFormat::Json => write_json(&risks, out),
    })
}

fn write_csv(risks: &[f64], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "risk")?;
    risks.iter().try_for_each(|risk| writeln!(out, "{risk:.6}"))
}

fn write_json(risks: &[f64], out: &mut dyn Write) -> io::Result<()> {
    let risks: Vec<String> = risks.iter().map(|risk| format!("{risk:.6}")).collect();
    writeln!(out, "[{}]", risks.join(", "))
}
