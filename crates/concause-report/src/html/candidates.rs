//! Why is X not a cause? A list of the candidates that are none, to be searched by the script.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::budget;
use super::{data, json, shown};
use crate::document::{CandidateEntry, CandidatesSummary, CauseEntry, Document};
use crate::figures::{counted, p_value, statistic, thousands};
use crate::text::printable;
use crate::wording;

pub(super) fn section(document: &Document) -> Option<Markup> {
    let candidates = document.candidates.as_ref()?;
    let (listed, left_out) = listing(document, candidates);
    let mut reasons: Vec<&str> = candidates.listed.iter().map(|it| it.reason.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    let ask = data::explain(document);
    Some(html! {
        p { "Every candidate that is not a cause has a reason. Search by name; several words must all occur." }
        form.search role="search" hidden {
            label for="query" { "Column or conjunction" }
            input id="query" type="search" autocomplete="off" spellcheck="false";
            label for="reason" { "Reason" }
            select id="reason" {
                option value="" { "any" }
                @for reason in reasons { option value=(reason) { (words(reason)) } }
            }
        }
        p id="matches" role="status" data-statistic=(wording::statistic(document)) {}
        ol id="candidates" {}
        p { button id="more" type="button" hidden { "Show more" } }
        p id="ask" hidden data-command=[ask] {}
        noscript { p { "The list needs JavaScript; the command " code { "concause explain" } " gives the same answers." } }
        script id="candidates-data" type="application/json" { (json(&listed)) }
        (summary(document, candidates, left_out))
    })
}

/// The list as far as there is room: causes, then the others in their order, each as name, strength, reason,
/// sentence, and a number: that of the finding, −1 if the sentence goes on after the name, or 0; and how many are left out.
fn listing(document: &Document, candidates: &CandidatesSummary) -> (Value, usize) {
    let causes = document.causes.iter().enumerate().map(|(number, cause)| found(cause, number));
    let others = candidates.listed.iter().map(other);
    let mut room = budget::CANDIDATES;
    let fitting = causes.chain(others).take_while(|item| {
        // As it will be written, with the comma after it, and the marks that are escaped.
        let length = json(item).0.len() + 1;
        let fits = length <= room;
        room = room.saturating_sub(length);
        fits
    });
    let fitting: Vec<Value> = fitting.collect();
    let left_out = document.causes.len() + candidates.listed.len() - fitting.len();
    (Value::Array(fitting), left_out)
}

fn found(cause: &CauseEntry, number: usize) -> Value {
    let strength = strength(cause.statistic, cause.association.p_value);
    json!([shown(&cause.name), strength, "cause", " is a cause", number + 1])
}

fn other(candidate: &CandidateEntry) -> Value {
    let strength = candidate.association.as_ref().map(|it| strength(it.statistic, it.p_value));
    let sentence = &candidate.sentence;
    // The name comes first in nearly all sentences, and it is there already.
    let rest = sentence.strip_prefix(&printable(&candidate.name)).map(|rest| (1, rest));
    let (named, rest) = rest.unwrap_or((0, sentence));
    let rest = crate::text::cut(rest, 3 * super::LONGEST_NAME);
    json!([shown(&candidate.name), strength, candidate.reason, rest, -named])
}

fn strength(value: f64, p: f64) -> String {
    format!("{}, p {}", statistic(value), p_phrase(p))
}

fn p_phrase(p: f64) -> String {
    let p = p_value(p);
    if p.starts_with('<') { p.replace('<', "< ") } else { format!("= {p}") }
}

/// A tag as words.
fn words(reason: &str) -> String {
    shown(&reason.replace('-', " "))
}

/// How many candidates have which reason, and what is not listed.
fn summary(document: &Document, candidates: &CandidatesSummary, left_out: usize) -> Markup {
    let noted: u64 = candidates.reasons.iter().map(|it| it.candidates).fold(0, u64::saturating_add);
    let unlisted = noted.saturating_sub(candidates.listed.len() as u64);
    let has_unexplained = document.levels.iter().any(|it| unexplained(document, candidates, it.level) > 0);
    html! {
        details.figures {
            summary { "How many candidates have which reason" }
            table {
                thead { tr { th scope="col" { "level" } th scope="col" { "reason" } th.number scope="col" { "candidates" } } }
                tbody { @for count in candidates.reasons.iter().take(200) { tr {
                    td { (count.level) } td { (words(&count.reason)) } td.number data-value=(count.candidates) { (thousands(count.candidates)) }
                } } }
            }
        }
        p.note {
            @for level in &document.levels {
                @let unexplained = unexplained(document, candidates, level.level);
                @if unexplained > 0 {
                    (counted(unexplained, "candidate", "candidates")) " of level " (level.level)
                    " had no need to be noted one by one, being redundant or not associated. "
                }
            }
            @if unlisted > 0 {
                (thousands(unlisted)) " with a reason are counted above but not listed, the strongest of each level are. "
            }
            @if left_out > 0 {
                (thousands(left_out as u64)) " listed in the JSON result are left out here to keep this page small. "
            }
            @if left_out > 0 || unlisted > 0 || has_unexplained {
                @if data::explain(document).is_some() { "For any of them ask " code { "concause explain" } "." }
            } @else { "All candidates are listed." }
        }
    }
}

/// The candidates of a level that are counted there, but have no reason here.
fn unexplained(document: &Document, candidates: &CandidatesSummary, level: u64) -> u64 {
    let considered = document.levels.iter().filter(|it| it.level == level);
    let considered =
        considered.map(|it| it.candidates.saturating_sub(it.causes)).fold(0, u64::saturating_add);
    let reasoned = candidates.reasons.iter().filter(|it| it.level == level);
    considered.saturating_sub(reasoned.map(|it| it.candidates).fold(0, u64::saturating_add))
}
