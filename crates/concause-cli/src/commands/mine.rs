//! `concause mine`: from a table to its causes.

use concause_report::Document;
use concause_run::Failure;

use crate::arguments::MineArguments;
use crate::progress::{Monitor, interrupted};
use crate::result;

/// Runs the command, which `again` repeats.
pub fn run(arguments: &MineArguments, again: Vec<String>) -> Result<(), Failure> {
    let file = arguments.output.output.as_deref();
    result::check(arguments.format, file)?;
    let monitor = Monitor::new(arguments.output.quiet);
    let mined = concause_run::mine(arguments.sources.input(), &arguments.run, &monitor)?;
    let document = Document { command: again, ..mined.document };
    result::write(&document, arguments.format, file)?;
    if interrupted() { Err(Failure::Interrupted) } else { Ok(()) }
}
