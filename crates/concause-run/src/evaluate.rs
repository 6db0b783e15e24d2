//! Scores of the causes found against the true causes.

use concause::progress::Progress;
use concause_report::{Document, ScoredResult, truth_from_json};

use crate::error::RunError;

/// A text and its name in messages, such as that of its file.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The name.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// Scores a result against the truth of its data, both in JSON.
pub fn evaluate(
    found: Named<'_>,
    truth: Named<'_>,
    progress: &dyn Progress,
) -> Result<ScoredResult, RunError> {
    let unusable = |name: &str, reason: String| RunError::Document { name: name.to_owned(), reason };
    let document =
        Document::from_json(found.text).map_err(|error| unusable(found.name, error.to_string()))?;
    let known = truth_from_json(truth.text).map_err(|error| unusable(truth.name, error.to_string()))?;
    // The truth may leave out which value counts as 1, or the result may.
    let name = &document.target.name;
    let value = known
        .target
        .strip_prefix(name.as_str())
        .and_then(|rest| if rest.is_empty() { Some("") } else { rest.strip_prefix('=') });
    let same_value =
        |value: &str| value.is_empty() || document.target.value.as_deref().is_none_or(|own| own == value);
    if !value.is_some_and(same_value) {
        return Err(RunError::TargetMismatch {
            found: found.name.to_owned(),
            found_target: document.target.label(),
            truth: truth.name.to_owned(),
            truth_target: known.target,
        });
    }
    if !document.complete {
        progress.notice(&format!("{}: the search is incomplete", found.name));
    }
    let causes: Vec<Vec<String>> = document.causes.into_iter().map(|cause| cause.columns).collect();
    Ok(ScoredResult {
        found: found.name.to_owned(),
        truth: truth.name.to_owned(),
        score: known.score(&causes),
    })
}
