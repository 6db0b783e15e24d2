//! `concause evaluate`: scores of the causes found against the true causes.

use concause_io::Source;
use concause_report::{Evaluation, FORMATS, ScoredResult};
use concause_run::Named;

use crate::arguments::EvaluateArguments;
use crate::error::CommandError;
use crate::format;
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &EvaluateArguments) -> Result<(), CommandError> {
    let file = arguments.output.as_deref();
    let formats: Vec<_> = FORMATS.iter().copied().filter(|format| format.supports_comparisons()).collect();
    let format = format::choose(arguments.format, file, &formats, FORMATS[0])?;
    output::check(file)?;
    let pairs = pairs(arguments)?.into_iter().map(|(found, truth)| evaluate(found, truth));
    let evaluation = Evaluation { pairs: pairs.collect::<Result<_, _>>()? };
    // The command line offers only formats that support this.
    let text = format.render_evaluation(&evaluation).unwrap_or_default();
    output::write(file, |out| out.write_all(text.as_bytes()))
}

/// The results with their truths.
fn pairs(arguments: &EvaluateArguments) -> Result<Vec<(&str, &str)>, CommandError> {
    let (files, truths) = (&arguments.files, &arguments.truth);
    if truths.is_empty() {
        if !files.len().is_multiple_of(2) {
            return Err(CommandError::input(format!(
                "{} files do not form pairs; give FOUND TRUTH FOUND TRUTH …, or FOUND … --truth TRUTH …",
                files.len()
            )));
        }
        return Ok(files.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect());
    }
    if files.len() != truths.len() {
        let (files, truths) = (files.len(), truths.len());
        return Err(CommandError::input(format!("{files} results cannot be paired with {truths} truths")));
    }
    Ok(files.iter().map(String::as_str).zip(truths.iter().map(String::as_str)).collect())
}

fn evaluate(found: &str, truth: &str) -> Result<ScoredResult, CommandError> {
    let (found_text, truth_text) = (read_text(found)?, read_text(truth)?);
    let named = |name, text| Named { name, text };
    Ok(concause_run::evaluate(named(found, &found_text), named(truth, &truth_text), &Monitor::new(false))?)
}

fn read_text(file: &str) -> Result<String, CommandError> {
    Ok(Source::parse(file).read_text()?)
}
