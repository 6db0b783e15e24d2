//! `concause explain`: why a candidate is, or is not, a cause.

use concause::count::LocalCounter;
use concause::search::{Reason, explain, mine};

use crate::arguments::{AnswerFormat, ExplainArguments};
use crate::failure::Failure;
use crate::knowledge::Stated;
use crate::load::load;
use crate::names;
use crate::output;
use crate::progress::{Monitor, interrupted};

/// Runs the command.
pub fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    output::check(arguments.output.output.as_deref())?;
    let mut settings = arguments.search.settings();
    settings.check().map_err(Failure::Input)?;
    let stated = Stated::new(&arguments.search.flags.knowledge)?;
    let monitor = Monitor::new(arguments.output.quiet, arguments.search.flags.time_limit);
    let loaded = load(&arguments.data, &arguments.output, &monitor)?;
    settings.knowledge = stated.of(&loaded.encoding)?;
    let dataset = &loaded.encoding.dataset;
    let columns = dataset.columns();
    let candidates =
        arguments.x.iter().map(|name| names::candidate(name, columns)).collect::<Result<Vec<_>, _>>()?;
    let counter = LocalCounter::new(dataset);
    let findings = mine(&counter, columns, &settings, &monitor);
    monitor.clear();
    let findings = findings?;
    if interrupted() {
        return Err(Failure::Interrupted);
    }
    let target = dataset.target().label();
    let reasons: Vec<(_, Reason)> = candidates
        .into_iter()
        .map(|candidate| {
            let reason = explain(&counter, columns, &settings, &findings, &candidate);
            (candidate, reason)
        })
        .collect();
    output::write(arguments.output.output.as_deref(), |out| {
        for (candidate, reason) in &reasons {
            match arguments.format {
                AnswerFormat::Table => {
                    writeln!(out, "{}", concause_report::sentence(reason, candidate, columns, &target))?;
                }
                AnswerFormat::Json => {
                    writeln!(out, "{}", concause_report::reason_json(reason, candidate, columns))?;
                }
            }
        }
        Ok(())
    })
}
