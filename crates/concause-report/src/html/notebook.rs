//! A result in a notebook: a table of the causes with a small picture of each effect, and the risks of combined causes. It is a piece
//! of a page that stands by itself, loads nothing and leaves all around it as it is.

use maud::{Markup, PreEscaped, html};

use super::plot::{framed, paper, style};
use super::{conjunction, data, forest, lead, name, nearest, percent, risks, shown};
use crate::document::{CauseEntry, Document};
use crate::figures::{counted, p_value, ratio, statistic};
use crate::wording;

/// The most causes in the table.
const MOST: usize = 25;

/// The most pictures of combined causes.
const MOST_PICTURES: usize = 6;

const TABLE_STYLE: &str = ".concause th, .concause td { text-align: left; padding: .25em .8em; }\n";

/// The result as a piece of HTML.
pub fn notebook(document: &Document) -> String {
    let causes = &document.causes[..document.causes.len().min(MOST)];
    let left_out = document.causes.len() - causes.len();
    let target = shown(&document.target.label());
    html! {
        div.concause {
            style { (PreEscaped(style())) (PreEscaped(TABLE_STYLE)) }
            p { (lead(document)) }
            @if !document.complete { p { strong { (wording::INCOMPLETE) } } }
            @for warning in data::warnings(document) { (warning) }
            @if causes.is_empty() { p { (wording::nothing_found(document, &target)) } } @else {
                (table(document, causes))
                @if left_out > 0 { p { (counted(left_out as u64, "more cause is", "more causes are")) " in the result." } }
                (pictures(document, causes))
                p { small { (wording::direction(&target)) } }
            }
        }
    }
    .into_string()
}

fn table(document: &Document, causes: &[CauseEntry]) -> Markup {
    let headings = [
        "cause",
        wording::statistic(document),
        "largest p",
        "risk with",
        "without",
        "adjusted risk ratio",
        "",
        "nearest explanation",
    ];
    html! {
        table {
            thead { tr { @for heading in headings { th { (heading) } } } }
            tbody { @for (cause, strip) in causes.iter().zip(forest::strips(causes)) { (row(document, cause, strip)) } }
        }
    }
}

fn row(document: &Document, cause: &CauseEntry, strip: Option<Markup>) -> Markup {
    let adjusted = cause.evidence.as_ref().map(|evidence| ratio(&evidence.adjusted.risk_ratio));
    let risks = wording::risks(cause).map(|share| share.map_or_else(|| "–".to_owned(), percent));
    html! {
        tr {
            th { (conjunction(&cause.columns)) }
            td { (statistic(cause.statistic)) }
            td { (p_value(cause.p_value)) }
            @for risk in risks { td { (risk) } }
            td { (adjusted.unwrap_or_else(|| "–".to_owned())) }
            td { @if let Some(strip) = strip { svg aria-hidden="true" width="140" height="18" { (paper()) (strip) } } }
            td { (nearest(document, cause)) }
        }
    }
}

/// The risks in each cell of the parts of combined causes.
fn pictures(document: &Document, causes: &[CauseEntry]) -> Markup {
    let combined = causes.iter().enumerate().filter(|(_, cause)| cause.level > 1);
    let drawn =
        combined.filter_map(|(number, cause)| Some((cause, risks::picture(document, number)?.picture)));
    html! {
        div style="display: flex; flex-wrap: wrap; gap: 1em" {
            @for (cause, picture) in drawn.take(MOST_PICTURES) {
                div { p { (conjunction(&cause.columns)) ": risk of " (name(&document.target.label())) } (framed(&picture, 340.0)) }
            }
        }
    }
}
