//! The data, the notices and warnings, and how to reproduce the result.

use maud::{Markup, html};

use super::budget::{self, take_within};
use super::{name, percent, shown};
use crate::descriptors::uses;
use crate::document::Document;
use crate::numbers::{counted, exact, thousands};
use crate::sentences;
use crate::text::{printable, truncate};

/// The largest number of characters of a notice.
const MAX_NOTICE_LENGTH: usize = 1000;

pub(super) fn section(document: &Document) -> Option<Markup> {
    let data = &document.data;
    let target = &document.target;
    let total = target.positive as f64 + target.negative as f64;
    let sources =
        take_within(budget::NOTICES / 2, data.sources.iter().map(|source| html! { li { (name(source)) } }));
    let notices = document
        .notices
        .iter()
        .map(|notice| html! { li { (truncate(&printable(notice), MAX_NOTICE_LENGTH)) } });
    let notices = take_within(budget::NOTICES, notices);
    let left_out = (data.sources.len() - sources.len(), document.notices.len() - notices.len());
    Some(html! {
        dl.facts {
            div { dt { "rows" } dd data-value=(data.rows) { (thousands(data.rows)) } }
            div { dt { "cases" } dd { (thousands(target.positive))
                @if total > 0.0 { " (" (percent(target.positive as f64 / total)) ")" } } }
            div { dt { "attributes" } dd { (thousands(data.attributes)) } }
            div { dt { "binary columns" } dd { (thousands(data.columns)) } }
        }
        @if let Some(weights) = &data.weights {
            p { "Rows are weighted by " (name(&weights.attribute)) ": " (counted(weights.rows_read, "row was", "rows were")) " read, "
                (thousands(weights.rows_left_out)) " with weight 0 were excluded, and the weights of the others sum to " (thousands(weights.total)) "." }
        }
        h3 { (if data.sources.len() == 1 { "Source" } else { "Sources" }) }
        @if sources.is_empty() { p { "Unknown." } } @else { ul { @for source in &sources { (source) } } }
        @if left_out.0 > 0 { p.note { "and " (counted(left_out.0 as u64, "more source", "more sources")) } }
        p.note { "Fingerprint of the encoded data, independent of the order of the rows: " code { (shown(&data.fingerprint)) } }
        @if !document.notices.is_empty() {
            h3 { "Notices" }
            ul.notices { @for notice in &notices { (notice) } }
            @if left_out.1 > 0 { p.note { (counted(left_out.1 as u64, "more notice is", "more notices are")) " in the JSON result." } }
        }
        @for sentence in sentences::background_knowledge(document, &shown(&target.label()), shown).iter().take(4) { p { (truncate(sentence, 4 * MAX_NOTICE_LENGTH)) } }
    })
}

/// The warnings.
pub(super) fn warnings(document: &Document) -> Vec<Markup> {
    let warnings = document.warnings.iter().map(|warning| {
        html! { p.warning role="note" { strong { "Warning: " } (truncate(&printable(&warning.sentence), MAX_NOTICE_LENGTH)) "." } }
    });
    take_within(budget::NOTICES, warnings)
}

/// The command and the settings that reproduce the result.
pub(super) fn reproduction(document: &Document) -> Option<Markup> {
    let command = (!document.command.is_empty()).then(|| shell_words(&document.command));
    Some(html! {
        @if let Some(command) = command {
            div.command {
                pre tabindex="0" aria-label="Command" { code id="command" { (truncate(&command, 8 * MAX_NOTICE_LENGTH)) } }
                button type="button" hidden data-copy="command" { "Copy" }
            }
            p.note {
                "With concause " (document.version) " and the same data this command gives the same result for any number of threads"
                @if !document.draws_rows() { " and any order of the rows" }
                "; add " code { "--format html -o report.html" } " for this page."
            }
        } @else {
            p { "No command produced this result; these are its settings." }
        }
        details.figures {
            summary { "All settings" }
            dl.facts { @for (setting, value) in settings_used(document) { div { dt { (setting) } dd { (shown(&value)) } } } }
        }
    })
}

/// The settings that the method uses.
fn settings_used(document: &Document) -> Vec<(&'static str, String)> {
    let settings = &document.settings;
    let settings_of = [
        ("test", settings.test.clone()),
        ("alpha", exact(settings.alpha)),
        ("fdr", settings.fdr.clone().unwrap_or_else(|| "not controlled".into())),
        ("duplicates", settings.duplicates.clone()),
        ("redundancy_alpha", exact(settings.redundancy_alpha)),
        ("max_k", settings.max_k.to_string()),
        ("max_level", settings.max_level.to_string()),
        ("overlap", settings.overlap.clone()),
        ("max_candidates", thousands(settings.max_candidates)),
        ("max_tests", thousands(settings.max_tests)),
        ("seed", settings.seed.to_string()),
    ];
    let used = settings_of.into_iter().filter(|(setting, _)| uses(document, setting));
    let always = [("preset", settings.preset.clone()), ("method", settings.method.clone())];
    always.into_iter().chain(used).collect()
}

/// The command that explains a candidate, whose name is to be appended.
pub(super) fn explain_command(document: &Document) -> Option<String> {
    // Flags of `mine` that `explain` does not have, each with a value.
    const MINE_ONLY: [&str; 3] = ["--stability", "--calibrate", "--reasons"];
    let mut words = document.command.iter();
    let (program, command) = (words.next()?, words.next()?);
    if command != "mine" {
        return None;
    }
    let mut kept = vec![program.clone(), "explain".to_owned()];
    while let Some(word) = words.next() {
        if MINE_ONLY.contains(&word.as_str()) {
            words.next();
        } else {
            kept.push(word.clone());
        }
    }
    kept.push("--x".to_owned());
    Some(truncate(&shell_words(&kept), 8 * MAX_NOTICE_LENGTH))
}

/// Words quoted for a shell.
fn shell_words(words: &[String]) -> String {
    let is_safe = |character: char| character.is_ascii_alphanumeric() || "-_./=,:+@%".contains(character);
    let quoted = |word: &String| match !word.is_empty() && word.chars().all(is_safe) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["concause", "a b", "it's", "$x", "", "V1=2"].map(str::to_owned);
        assert_eq!(shell_words(&words), "concause 'a b' 'it'\\''s' '$x' '' V1=2");
    }
}
