//! Writes a result in any format, to a terminal or a file.

use std::io::IsTerminal;
use std::path::Path;

use concause_report::{Document, OutputFormat, TextStyle};

use crate::error::CommandError;
use crate::output;

/// Rejects a format or a file that cannot be written, before any work is done.
pub fn check(format: &dyn OutputFormat, file: Option<&Path>) -> Result<(), CommandError> {
    if !format.suits_terminal() && file.is_none() && std::io::stdout().is_terminal() {
        return Err(CommandError::input(
            "an HTML report cannot be shown in a terminal; give a file: -o report.html",
        ));
    }
    output::check(file)
}

/// Writes the result to the file, or to standard output if there is none.
pub fn write(
    document: &Document,
    format: &dyn OutputFormat,
    file: Option<&Path>,
) -> Result<(), CommandError> {
    let rendered = format.render(document, &style(file.is_none()));
    output::write(file, |out| out.write_all(&rendered))
}

/// Fitted to the width and coloured on a terminal only.
fn style(to_standard_output: bool) -> TextStyle {
    let terminal = to_standard_output && std::io::stdout().is_terminal();
    let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let width = terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
    TextStyle { width, colour }
}
