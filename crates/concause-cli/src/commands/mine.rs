//! `concause mine`: from a table to its causes.

use concause_report::{Document, funnel, summary};
use concause_run::Failure;
use concause_run::Observer as _;

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
    if arguments.verbose {
        funnel(&document).iter().for_each(|line| monitor.notice(line));
    }
    monitor.notice(&summary(&document));
    if interrupted() { Err(Failure::Interrupted) } else { Ok(()) }
}
