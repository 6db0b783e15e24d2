//! A result in the form asked for, on a terminal or in a file.

use std::io::IsTerminal;
use std::path::Path;

use concause_report::{Document, Format, Style, Table};
use concause_run::Failure;

use crate::output;

/// Refuses, before any work is done, what could not be shown or written at its end.
pub fn check(format: Format, file: Option<&Path>) -> Result<(), Failure> {
    if format == Format::Html && file.is_none() && std::io::stdout().is_terminal() {
        return Err(Failure::Input("a page is not for a terminal; name a file: -o report.html".into()));
    }
    output::check(file)
}

/// Writes the result to the file, or to standard output if there is none.
pub fn write(document: &Document, format: Format, file: Option<&Path>) -> Result<(), Failure> {
    output::write(file, |out| match format {
        Format::Table => out.write_all(Table::render(document, &style(file.is_none())).as_bytes()),
        format => format.write(document, out),
    })
}

/// Cut to the width and coloured on a terminal only.
fn style(to_standard_output: bool) -> Style {
    let terminal = to_standard_output && std::io::stdout().is_terminal();
    let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let width = terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
    Style { width, colour }
}
