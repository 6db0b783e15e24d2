//! `concause compare`: several methods side by side on the same data.

use concause_run::Failure;

use crate::arguments::CompareArguments;
use crate::output;
use crate::progress::{Monitor, interrupted};

/// Runs the command.
pub fn run(arguments: &CompareArguments) -> Result<(), Failure> {
    let file = arguments.output.output.as_deref();
    output::check(file)?;
    let monitor = Monitor::new(arguments.output.quiet);
    let comparison = concause_run::compare(arguments.sources.input(), &arguments.run, &monitor)?;
    let text = arguments.format.choose(
        || comparison.to_table(),
        || comparison.to_json(),
        || comparison.to_csv(),
        || comparison.to_markdown(),
    );
    output::write(file, |out| out.write_all(text.as_bytes()))?;
    if interrupted() { Err(Failure::Interrupted) } else { Ok(()) }
}
