//! What was found against the truth.

use concause_report::{Document, Pair, truth_from_json};

use crate::failure::Failure;
use crate::observer::Observer;

/// A text and the name to call it by: that of its file, say.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The name.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// Scores a result against the truth of its data, both in JSON.
pub fn evaluate(found: Named<'_>, truth: Named<'_>, observer: &dyn Observer) -> Result<Pair, Failure> {
    let wrong = |file: &str, sentence: &dyn std::fmt::Display| Failure::Input(format!("{file}: {sentence}"));
    let document = Document::from_json(found.text).map_err(|error| wrong(found.name, &error))?;
    let known = truth_from_json(truth.text).map_err(|sentence| wrong(truth.name, &sentence))?;
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
            "tells the causes of {:?}, but {} those of {:?}",
            known.target,
            found.name,
            document.target.label()
        );
        return Err(wrong(truth.name, &targets));
    }
    if !document.complete {
        observer.notice(&format!("{}: the search was stopped before its end", found.name));
    }
    let causes: Vec<Vec<String>> = document.causes.into_iter().map(|cause| cause.columns).collect();
    Ok(Pair { found: found.name.to_owned(), truth: truth.name.to_owned(), score: known.score(&causes) })
}
