//! `concause compare`: several methods side by side on the same data.

use concause::progress::Progress as _;
use concause_report::FORMATS;

use crate::arguments::CompareArguments;
use crate::error::CommandError;
use crate::format;
use crate::output;
use crate::progress::{Monitor, is_interrupted};

/// Runs the command.
pub fn run(arguments: &CompareArguments) -> Result<(), CommandError> {
    let file = arguments.output.output.as_deref();
    let formats: Vec<_> = FORMATS.iter().copied().filter(|format| format.supports_comparisons()).collect();
    let format = format::choose(arguments.format, file, &formats, FORMATS[0])?;
    output::check(file)?;
    let monitor = Monitor::new(arguments.output.quiet);
    let comparison = concause_run::compare(arguments.sources.input(), &arguments.run.request, &monitor)?;
    for setting in arguments.run.request.ignored_settings() {
        monitor.notice(&format!("note: --{setting} has no effect with these methods"));
    }
    // The command line offers only formats that support this.
    let text = format.render_comparison(&comparison).unwrap_or_default();
    output::write(file, |out| out.write_all(text.as_bytes()))?;
    if is_interrupted() { Err(CommandError::interrupted()) } else { Ok(()) }
}
