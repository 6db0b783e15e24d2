//! The candidates that are not causes, each with its reason. The script makes the list searchable.

use concause::search::LevelSummary;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::budget;
use super::{data, embed_json, shown};
use crate::descriptors::{decides_by_tests, statistic_symbol};
use crate::document::{CandidateEntry, CandidatesSummary, CauseEntry, Document};
use crate::numbers::{counted, p_value, statistic, thousands};
use crate::text::{printable, truncate};

pub(super) fn section(document: &Document) -> Option<Markup> {
    let candidates = document.candidates.as_ref()?;
    let (listed, left_out) = listing(document, candidates);
    let mut reasons: Vec<&str> = candidates.listed.iter().map(|it| it.reason.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    let explain = data::explain_command(document);
    Some(html! {
        p { "Each candidate that is not a cause has a reason. Search by name; all words must match." }
        form.search role="search" hidden {
            label for="query" { "Column or conjunction" }
            input id="query" type="search" autocomplete="off" spellcheck="false";
            label for="reason" { "Reason" }
            select id="reason" {
                option value="" { "any" }
                @for reason in reasons { option value=(reason) { (tag_words(reason)) } }
            }
        }
        p id="matches" role="status" data-statistic=(statistic_symbol(&document.settings)) {}
        ol id="candidates" {}
        p { button id="more" type="button" hidden { "Show more" } }
        p id="explain" hidden data-command=[explain] {}
        noscript { p { "This list requires JavaScript; the command " code { "concause explain" } " gives the same reasons." } }
        script id="candidates-data" type="application/json" { (embed_json(&listed)) }
        (summary(document, candidates, left_out))
    })
}

/// The items that fit, and how many do not. Causes come first, then the other candidates in their order. Each item is
/// a list of name, strength, reason, sentence and a number: that of the finding, −1 if the sentence continues after the
/// name, or 0.
fn listing(document: &Document, candidates: &CandidatesSummary) -> (Value, usize) {
    let causes = document.causes.iter().enumerate().map(|(number, cause)| cause_item(cause, number));
    let others = candidates.listed.iter().map(candidate_item);
    let mut room = budget::CANDIDATES;
    let fitting = causes.chain(others).take_while(|item| {
        // The length as written, with escapes and the comma that follows.
        let length = embed_json(item).0.len() + 1;
        let fits = length <= room;
        room = room.saturating_sub(length);
        fits
    });
    let fitting: Vec<Value> = fitting.collect();
    let left_out = document.causes.len() + candidates.listed.len() - fitting.len();
    (Value::Array(fitting), left_out)
}

fn cause_item(cause: &CauseEntry, number: usize) -> Value {
    let strength = strength(cause.statistic, cause.association.p_value);
    json!([shown(&cause.name), strength, "cause", " is a cause", number + 1])
}

fn candidate_item(candidate: &CandidateEntry) -> Value {
    let strength = candidate.association.as_ref().map(|it| strength(it.statistic, it.p_value));
    let sentence = &candidate.sentence;
    // Nearly all sentences begin with the name, which the item already has.
    let rest = sentence.strip_prefix(&printable(&candidate.name)).map(|rest| (1, rest));
    let (named, rest) = rest.unwrap_or((0, sentence));
    let rest = truncate(rest, 3 * super::MAX_NAME_LENGTH);
    json!([shown(&candidate.name), strength, candidate.reason, rest, -named])
}

fn strength(value: f64, p: f64) -> String {
    format!("{}, p {}", statistic(value), p_relation(p))
}

fn p_relation(p: f64) -> String {
    let p = p_value(p);
    if p.starts_with('<') { p.replace('<', "< ") } else { format!("= {p}") }
}

/// A tag as words.
fn tag_words(reason: &str) -> String {
    shown(&reason.replace('-', " "))
}

/// The number of candidates per reason, and what is not listed.
fn summary(document: &Document, candidates: &CandidatesSummary, left_out: usize) -> Markup {
    let recorded: u64 = candidates.reasons.iter().map(|it| it.candidates).fold(0, u64::saturating_add);
    let unlisted = recorded.saturating_sub(candidates.listed.len() as u64);
    let has_unexplained = document.levels.iter().any(|it| unexplained(candidates, it) > 0);
    html! {
        details.figures {
            summary { "Number of candidates per reason" }
            table {
                thead { tr { th scope="col" { "level" } th scope="col" { "reason" } th.number scope="col" { "candidates" } } }
                tbody { @for count in candidates.reasons.iter().take(200) { tr {
                    td { (count.level) } td { (tag_words(&count.reason)) } td.number data-value=(count.candidates) { (thousands(count.candidates)) }
                } } }
            }
        }
        p.note {
            @for level in &document.levels {
                @let unexplained = unexplained(candidates, level);
                @if unexplained > 0 {
                    (counted(unexplained, "candidate", "candidates")) " of level " (level.level)
                    @if decides_by_tests(&document.settings) { " are redundant or not associated and" }
                    " were not recorded individually. "
                }
            }
            @if unlisted > 0 {
                (thousands(unlisted)) " with a reason are counted above but not listed; only the strongest of each level are listed. "
            }
            @if left_out > 0 {
                (thousands(left_out as u64)) " more are listed in the JSON result but omitted here to keep this page small. "
            }
            @if left_out > 0 || unlisted > 0 || has_unexplained {
                @if data::explain_command(document).is_some() { "For any of them, run " code { "concause explain" } "." }
            } @else { "All candidates are listed." }
        }
    }
}

/// The number of candidates of a level without a recorded reason.
fn unexplained(candidates: &CandidatesSummary, level: &LevelSummary) -> u64 {
    let recorded = candidates.reasons.iter().filter(|it| it.level == level.level as u64);
    let recorded = recorded.map(|it| it.candidates).fold(0, u64::saturating_add);
    level.candidates.saturating_sub(level.causes).saturating_sub(recorded)
}
