//! `concause mine`: from a table to its causes.

use std::io::IsTerminal;

use concause_report::{Document, Format, Style, Table};
use concause_run::Failure;

use crate::arguments::MineArguments;
use crate::output;
use crate::progress::{Monitor, interrupted};

/// Runs the command, which `again` repeats.
pub fn run(arguments: &MineArguments, again: Vec<String>) -> Result<(), Failure> {
    let file = arguments.output.output.as_deref();
    output::check(file)?;
    let monitor = Monitor::new(arguments.output.quiet);
    let mined = concause_run::mine(arguments.sources.input(), &arguments.run, &monitor)?;
    let document = Document { command: again, ..mined.document };
    output::write(file, |out| match arguments.format {
        Format::Table => out.write_all(Table::render(&document, &style(file.is_none())).as_bytes()),
        format => format.write(&document, out),
    })?;
    if interrupted() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Cut to the width and coloured on a terminal only.
fn style(to_standard_output: bool) -> Style {
    let terminal = to_standard_output && std::io::stdout().is_terminal();
    let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let width = terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
    Style { width, colour }
}
