//! `concause report`: a saved result in another format.

use concause_io::Source;
use concause_report::{Document, FORMATS, find_format};

use crate::arguments::ReportArguments;
use crate::error::CommandError;
use crate::format;
use crate::result;

/// Runs the command.
pub fn run(arguments: &ReportArguments) -> Result<(), CommandError> {
    let file = arguments.output.as_deref();
    let format = format::choose(arguments.format, file, FORMATS, find_format("html").unwrap_or(FORMATS[0]))?;
    result::check(format, file)?;
    let text = Source::parse(&arguments.result).read_text()?;
    let document = Document::from_json(&text)
        .map_err(|error| CommandError::input(format!("{}: {error}", arguments.result)))?;
    result::write(&document, format, file)
}
