//! `concause mine`: from a table to its causes.

use concause::progress::Progress as _;
use concause_report::{Document, FORMATS, summarise_run, summarise_steps};

use crate::arguments::MineArguments;
use crate::error::CommandError;
use crate::format;
use crate::progress::{Monitor, is_interrupted};
use crate::result;

/// Runs the command.
pub fn run(arguments: &MineArguments) -> Result<(), CommandError> {
    let file = arguments.output.output.as_deref();
    let format = format::choose(arguments.format, file, FORMATS, FORMATS[0])?;
    result::check(format, file)?;
    let monitor = Monitor::new(arguments.output.quiet);
    let run = concause_run::mine(arguments.sources.input(), &arguments.run.request, &monitor)?;
    let request = &arguments.run.request;
    let method = run.mining.settings().method;
    for setting in request.search.ignored_settings(Some(method)) {
        monitor.notice(&format!("note: --{setting} has no effect with --method {method}"));
    }
    let document = Document { command: arguments.reproducing_command(), ..run.document };
    result::write(&document, format, file)?;
    if arguments.verbose {
        summarise_steps(&document).iter().for_each(|line| monitor.notice(line));
    }
    monitor.notice(&summarise_run(&document));
    if is_interrupted() { Err(CommandError::interrupted()) } else { Ok(()) }
}
