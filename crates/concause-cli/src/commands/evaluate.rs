//! `concause evaluate`: what was found against the truth.

use concause_io::Source;
use concause_report::{Document, Evaluation, Pair, truth_from_json};

use crate::arguments::EvaluateArguments;
use crate::failure::Failure;
use crate::output;

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
    let wrong = |file: &str, sentence: &dyn std::fmt::Display| Failure::Input(format!("{file}: {sentence}"));
    let document = Document::from_json(&text(found)?).map_err(|error| wrong(found, &error))?;
    let known = truth_from_json(&text(truth)?).map_err(|sentence| wrong(truth, &sentence))?;
    // The truth may leave out which value counts as 1, or the result may.
    let name = &document.target.name;
    let value = known
        .target
        .strip_prefix(name.as_str())
        .and_then(|rest| if rest.is_empty() { Some("") } else { rest.strip_prefix('=') });
    let same_value =
        |value: &str| value.is_empty() || document.target.value.as_deref().is_none_or(|own| own == value);
    if !value.is_some_and(same_value) {
        let targets = format!(
            "tells the causes of {:?}, but {found} those of {:?}",
            known.target,
            document.target.label()
        );
        return Err(wrong(truth, &targets));
    }
    if !document.complete {
        eprintln!("concause: {found}: the search was stopped before its end");
    }
    let causes: Vec<Vec<String>> = document.causes.into_iter().map(|cause| cause.columns).collect();
    Ok(Pair { found: found.to_owned(), truth: truth.to_owned(), score: known.score(&causes) })
}

fn text(file: &str) -> Result<String, Failure> {
    Ok(Source::parse(file).read_text()?)
}
