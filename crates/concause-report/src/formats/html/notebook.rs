//! A result in a notebook: the table of causes with a small picture of each effect, and the risks of combined causes.
//! The fragment is self-contained, loads nothing and does not affect the page around it.

use maud::{Markup, PreEscaped, html};

use super::plot::{background, framed, style};
use super::{challenger_cell, conjunction, data, forest, lead, name, percent, risks, shown};
use crate::descriptors::statistic_symbol;
use crate::document::{CauseEntry, Document};
use crate::measures::{CORRECTED, is_corrected, leading_measures, on_scale};
use crate::numbers::{counted, p_value, probability, statistic};
use crate::sentences;

/// The largest number of causes in the table.
const MAX_CAUSES: usize = 25;

/// The largest number of pictures of combined causes.
const MAX_PICTURES: usize = 6;

const TABLE_STYLE: &str = ".concause th, .concause td { text-align: left; padding: .25em .8em; }\n";

/// The result as a fragment of HTML.
pub fn render_notebook(document: &Document) -> String {
    let causes = &document.causes[..document.causes.len().min(MAX_CAUSES)];
    let left_out = document.causes.len() - causes.len();
    let target = shown(&document.target.label());
    html! {
        div.concause {
            style { (PreEscaped(style())) (PreEscaped(TABLE_STYLE)) }
            p { (lead(document)) }
            @if !document.complete { p { strong { (sentences::INCOMPLETE) } } }
            @for warning in data::warnings(document) { (warning) }
            @if causes.is_empty() { p { (sentences::no_cause_found(document, &target)) } } @else {
                (table(document, causes))
                @if is_marked(causes) { p { small { (CORRECTED) } } }
                @if left_out > 0 { p { (counted(left_out as u64, "more cause is", "more causes are")) " in the result." } }
                (pictures(document, causes))
                p { small { (sentences::direction(&target)) } }
            }
        }
    }
    .into_string()
}

fn table(document: &Document, causes: &[CauseEntry]) -> Markup {
    let has_posterior = document.posterior.is_some();
    let mut headings = vec![
        "cause".to_owned(),
        statistic_symbol(&document.settings).to_owned(),
        if has_posterior { "probability" } else { "largest p" }.to_owned(),
        "risk with".to_owned(),
        "without".to_owned(),
    ];
    headings.extend(leading_measures().map(|measure| format!("adjusted {}", measure.title)));
    headings.push(String::new());
    headings.push(if has_posterior { "alternative" } else { "conditioning set" }.to_owned());
    html! {
        table {
            thead { tr { @for heading in headings { th { (heading) } } } }
            tbody { @for (cause, strip) in causes.iter().zip(forest::strips(causes)) { (row(document, cause, strip)) } }
        }
    }
}

fn row(document: &Document, cause: &CauseEntry, strip: Option<Markup>) -> Markup {
    let adjusted: Vec<String> = match &cause.evidence {
        Some(evidence) => evidence.summary().map(|(measure, _, it)| on_scale(it, measure.scale)).collect(),
        None => leading_measures().map(|_| "–".to_owned()).collect(),
    };
    let risks = sentences::risks(cause).map(|share| share.map_or_else(|| "–".to_owned(), percent));
    html! {
        tr {
            th { (conjunction(&cause.literals)) }
            td { (statistic(cause.statistic)) }
            td { (cause.probability.map_or_else(|| p_value(cause.p_value), probability)) }
            @for risk in risks { td { (risk) } }
            @for adjusted in adjusted { td { (adjusted) } }
            td { @if let Some(strip) = strip { svg aria-hidden="true" width="140" height="18" { (background()) (strip) } } }
            td { (challenger_cell(document, cause)) }
        }
    }
}

/// Whether the table has a `*`.
fn is_marked(causes: &[CauseEntry]) -> bool {
    let mut shown = causes.iter().filter_map(|cause| cause.evidence.as_ref()).flat_map(|it| it.summary());
    shown.any(|(_, _, adjusted)| is_corrected(adjusted))
}

/// The risks of combined causes by the parts that hold.
fn pictures(document: &Document, causes: &[CauseEntry]) -> Markup {
    let combined = causes.iter().enumerate().filter(|(_, cause)| cause.level > 1);
    let drawn =
        combined.filter_map(|(number, cause)| Some((cause, risks::picture(document, number)?.picture)));
    html! {
        div style="display: flex; flex-wrap: wrap; gap: 1em" {
            @for (cause, picture) in drawn.take(MAX_PICTURES) {
                div { p { (conjunction(&cause.literals)) ": risk of " (name(&document.target.label())) } (framed(&picture, 340.0)) }
            }
        }
    }
}
