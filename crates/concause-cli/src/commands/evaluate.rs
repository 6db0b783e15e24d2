//! `concause evaluate`: what was found against the truth.

use concause_io::Source;
use concause_report::{Evaluation, Pair};
use concause_run::{Failure, Named};

use crate::arguments::EvaluateArguments;
use crate::output;
use crate::progress::Monitor;

/// Runs the command.
pub fn run(arguments: &EvaluateArguments) -> Result<(), Failure> {
    let file = arguments.output.as_deref();
    output::check(file)?;
    let pairs = pairs(arguments)?.into_iter().map(|(found, truth)| evaluate(found, truth));
    let evaluation = Evaluation { pairs: pairs.collect::<Result<_, _>>()? };
    let text = arguments.format.choose(
        || evaluation.to_table(),
        || evaluation.to_json(),
        || evaluation.to_csv(),
        || evaluation.to_markdown(),
    );
    output::write(file, |out| out.write_all(text.as_bytes()))
}

/// The files that belong together.
fn pairs(arguments: &EvaluateArguments) -> Result<Vec<(&str, &str)>, Failure> {
    let (files, truths) = (&arguments.files, &arguments.truth);
    if truths.is_empty() {
        if !files.len().is_multiple_of(2) {
            return Err(Failure::Input(format!(
                "{} files do not make pairs: give FOUND TRUTH FOUND TRUTH …, or FOUND … --truth TRUTH …",
                files.len()
            )));
        }
        return Ok(files.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect());
    }
    if files.len() != truths.len() {
        let (files, truths) = (files.len(), truths.len());
        return Err(Failure::Input(format!("{files} results cannot be held against {truths} truths")));
    }
    Ok(files.iter().map(String::as_str).zip(truths.iter().map(String::as_str)).collect())
}

fn evaluate(found: &str, truth: &str) -> Result<Pair, Failure> {
    let (found_text, truth_text) = (text(found)?, text(truth)?);
    let named = |name, text| Named { name, text };
    concause_run::evaluate(named(found, &found_text), named(truth, &truth_text), &Monitor::new(false))
}

fn text(file: &str) -> Result<String, Failure> {
    Ok(Source::parse(file).read_text()?)
}
