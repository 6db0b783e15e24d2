//! The table of all causes, which can be sorted. Every cell holds the exact figure beside the one that is shown.

use maud::{Markup, html};

use super::budget::{self, within};
use super::{conjunction, nearest, percent};
use crate::document::{CauseEntry, Document, EstimateEntry};
use crate::figures::{exact, p_value, ratio, statistic};
use crate::wording;

/// The rows that are seen from the beginning.
const SEEN: usize = 25;

pub(super) fn section(document: &Document) -> Option<Markup> {
    if document.causes.is_empty() {
        return None;
    }
    let has_stability = document.stability.is_some();
    let has_holdout = document.holdout.is_some();
    let rows = document.causes.iter().enumerate();
    let rows = within(budget::CAUSES, rows.map(|(number, cause)| row(document, cause, number)));
    let left_out = document.causes.len() - rows.len();
    let mut headings = vec![
        ("cause", false),
        ("level", true),
        (wording::statistic(document), true),
        ("largest p", true),
        ("risk with", true),
        ("risk without", true),
        ("risk ratio", true),
        ("adjusted risk ratio", true),
    ];
    if has_stability {
        headings.push(("stability", true));
    }
    if has_holdout {
        headings.push(("holds up", false));
    }
    headings.push(("nearest explanation", false));
    Some(html! {
        div.scroll role="region" aria-label="Table of all causes" tabindex="0" {
            table.causes data-sortable {
                thead { tr {
                    @for (heading, is_number) in headings { th.number[is_number] scope="col" { (heading) } }
                } }
                tbody { @for row in &rows { (row) } }
            }
        }
        @if rows.len() > SEEN {
            p { button.show-all type="button" hidden data-seen=(SEEN) aria-expanded="false" { "Show all " (rows.len()) } }
        }
        p.note {
            "Level: the number of columns that must hold together. " (wording::statistic(document)) ": strength of the plain association.
             Largest p: of all tests that the cause passed; nearest explanation: what was held fixed in that test. Ratios with their 95 % intervals."
            @if left_out > 0 { " " (left_out) " more causes are in the JSON result." }
        }
    })
}

fn row(document: &Document, cause: &CauseEntry, number: usize) -> Markup {
    let evidence = cause.evidence.as_ref();
    let [with, without] = wording::risks(cause);
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    html! {
        tr {
            th scope="row" { a href={ "#finding-" (number + 1) } { (conjunction(&cause.columns)) } }
            (figure(Some(cause.level as f64), &cause.level.to_string()))
            (figure(Some(cause.statistic), &statistic(cause.statistic)))
            td.number data-value=(exact(cause.p_value)) data-order=(exact(cause.ln_p_value)) { (p_value(cause.p_value)) }
            (figure(with, &share(with)))
            (figure(without, &share(without)))
            (effect(evidence.map(|it| &it.risk_ratio)))
            (effect(evidence.map(|it| &it.adjusted.risk_ratio)))
            @if document.stability.is_some() { (figure(cause.stability, &share(cause.stability))) }
            @if document.holdout.is_some() { td { (confirmed(cause)) } }
            td { (nearest(document, cause)) }
        }
    }
}

fn confirmed(cause: &CauseEntry) -> &'static str {
    match cause.confirmation {
        Some(found) if found.confirmed => "yes",
        Some(_) => "no",
        None => "–",
    }
}

fn figure(value: Option<f64>, shown: &str) -> Markup {
    html! { td.number data-value=[value.map(exact)] { (shown) } }
}

fn effect(estimate: Option<&EstimateEntry>) -> Markup {
    let value = estimate.and_then(|estimate| estimate.value);
    let ends =
        estimate.and_then(|estimate| Some(format!("{} {}", exact(estimate.low?), exact(estimate.high?))));
    html! {
        td.number data-value=[value.map(exact)] data-interval=[ends] { (estimate.map_or_else(|| "–".to_owned(), ratio)) }
    }
}
