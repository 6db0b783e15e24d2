//! The data, what was noticed in it, and how to run the search again.

use maud::{Markup, html};

use super::budget::{self, within};
use super::{name, percent, shown};
use crate::document::Document;
use crate::figures::{counted, exact, thousands};
use crate::text::{cut, printable};
use crate::wording;

/// The most characters of a notice.
const LONGEST_NOTICE: usize = 1000;

pub(super) fn section(document: &Document) -> Option<Markup> {
    let data = &document.data;
    let target = &document.target;
    let total = target.positive as f64 + target.negative as f64;
    let sources =
        within(budget::NOTICES / 2, data.sources.iter().map(|source| html! { li { (name(source)) } }));
    let notices =
        document.notices.iter().map(|notice| html! { li { (cut(&printable(notice), LONGEST_NOTICE)) } });
    let notices = within(budget::NOTICES, notices);
    let left_out = (data.sources.len() - sources.len(), document.notices.len() - notices.len());
    Some(html! {
        dl.facts {
            div { dt { "rows" } dd data-value=(data.rows) { (thousands(data.rows)) } }
            div { dt { "with the outcome" } dd { (thousands(target.positive))
                @if total > 0.0 { " (" (percent(target.positive as f64 / total)) ")" } } }
            div { dt { "attributes" } dd { (thousands(data.attributes)) } }
            div { dt { "binary columns" } dd { (thousands(data.columns)) } }
        }
        @if let Some(weights) = &data.weights {
            p { "Rows are weighted by " (name(&weights.attribute)) ": " (counted(weights.rows_read, "row was", "rows were")) " read, "
                (thousands(weights.rows_left_out)) " left out for a weight of 0; the others stand for " (thousands(weights.total)) "." }
        }
        h3 { (if data.sources.len() == 1 { "Source" } else { "Sources" }) }
        @if sources.is_empty() { p { "Not named." } } @else { ul { @for source in &sources { (source) } } }
        @if left_out.0 > 0 { p.note { "and " (counted(left_out.0 as u64, "more source", "more sources")) } }
        p.note { "Fingerprint of the encoded data, the same for the same rows in any order: " code { (shown(&data.fingerprint)) } }
        @if !document.notices.is_empty() {
            h3 { "Notices" }
            ul.notices { @for notice in &notices { (notice) } }
            @if left_out.1 > 0 { p.note { (counted(left_out.1 as u64, "more notice is", "more notices are")) " in the JSON result." } }
        }
        @for sentence in wording::known(document, &shown(&target.label()), shown).iter().take(4) { p { (cut(sentence, 4 * LONGEST_NOTICE)) } }
    })
}

/// What to know before relying on the result.
pub(super) fn warnings(document: &Document) -> Vec<Markup> {
    let warnings = document.warnings.iter().map(|warning| {
        html! { p.warning role="note" { strong { "Warning: " } (cut(&printable(&warning.sentence), LONGEST_NOTICE)) "." } }
    });
    within(budget::NOTICES, warnings)
}

/// Everything that gives the same result again.
pub(super) fn again(document: &Document) -> Option<Markup> {
    let settings = &document.settings;
    let facts: [(&str, String); 13] = [
        ("preset", settings.preset.clone()),
        ("method", settings.method.clone()),
        ("test", settings.test.clone()),
        ("alpha", exact(settings.alpha)),
        ("false discovery rate", settings.fdr.clone().unwrap_or_else(|| "not controlled".into())),
        ("redundancy alpha", exact(settings.redundancy_alpha)),
        ("max k", settings.max_k.to_string()),
        ("max level", settings.max_level.to_string()),
        ("overlap", settings.overlap.clone()),
        ("twins", settings.twins.clone()),
        ("max candidates", thousands(settings.max_candidates)),
        ("max tests", thousands(settings.max_tests)),
        ("seed", settings.seed.to_string()),
    ];
    let command = (!document.command.is_empty()).then(|| shell(&document.command));
    // Rows are drawn by their places.
    let draws_rows =
        document.stability.is_some() || document.calibration.is_some() || document.holdout.is_some();
    Some(html! {
        @if let Some(command) = command {
            div.command {
                pre tabindex="0" aria-label="Command" { code id="command" { (cut(&command, 8 * LONGEST_NOTICE)) } }
                button type="button" hidden data-copy="command" { "Copy" }
            }
            p.note {
                "With concause " (document.version) " and the same data this gives the same result, whatever the number of threads"
                @if !draws_rows { " or the order of the rows" }
                "; add " code { "--format html -o report.html" } " for this page."
            }
        } @else {
            p { "The result was not made by a command; these are its settings." }
        }
        details.figures {
            summary { "All settings" }
            dl.facts { @for (setting, value) in &facts { div { dt { (setting) } dd { (shown(value)) } } } }
        }
    })
}

/// The command that tells the reason of a candidate, which is to be added to it.
pub(super) fn explain(document: &Document) -> Option<String> {
    // What `mine` knows and `explain` does not, each with its value.
    const OF_MINE: [&str; 3] = ["--stability", "--calibrate", "--reasons"];
    let mut words = document.command.iter();
    let (program, command) = (words.next()?, words.next()?);
    if command != "mine" {
        return None;
    }
    let mut kept = vec![program.clone(), "explain".to_owned()];
    while let Some(word) = words.next() {
        if OF_MINE.contains(&word.as_str()) {
            words.next();
        } else {
            kept.push(word.clone());
        }
    }
    kept.push("--x".to_owned());
    Some(cut(&shell(&kept), 8 * LONGEST_NOTICE))
}

/// Words as a shell takes them.
fn shell(words: &[String]) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./=,:+@%".contains(character);
    let quoted = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_gets_the_words_back() {
        let words = ["concause", "a b", "it's", "$x", "", "V1=2"].map(str::to_owned);
        assert_eq!(shell(&words), "concause 'a b' 'it'\\''s' '$x' '' V1=2");
    }
}
