//! The number of candidates of each level that remained after each step.

use maud::{Markup, html};

use super::figure::{Picture, across, pixels, text};
use crate::descriptors::uses;
use crate::document::Document;
use crate::numbers::{p_value, thousands};
use crate::sentences;
use crate::text::truncate;

const ROW: f64 = 26.0;
const HEAD: f64 = 24.0;

pub(super) fn section(document: &Document) -> Option<Markup> {
    let picture = picture(document)?;
    let caption = html! {
        "Candidates of each level (the number of columns in a candidate) that remained after each step. The lengths of the bars are on
         a logarithmic scale."
    };
    let controlled = document.settings.fdr.is_some() && uses(document, "fdr");
    let columns = sentences::level_columns(document);
    Some(html! {
        (picture.with_caption(&caption))
        div.scroll role="region" aria-label="Candidates by level" tabindex="0" {
            table {
                thead { tr {
                    th scope="col" { "level" }
                    @for (heading, _) in &columns { th.number scope="col" { (heading) } }
                    @if controlled { th.number scope="col" { "threshold" } }
                } }
                tbody { @for level in &document.levels { tr {
                    th scope="row" { (level.level) }
                    @for (_, count) in &columns { td.number data-value=(count(level)) { (thousands(count(level))) } }
                    @if controlled { td.number { @if let Some(threshold) = level.threshold { "p ≤ " (p_value(threshold)) } } }
                } } }
            }
        }
        @if let Some(sentence) = sentences::holdout(document, super::shown) { p { (truncate(&sentence, 4000)) } }
        @if let Some(sentence) = sentences::stability(document, super::shown) { p { (sentence) } }
        @if let Some(sentence) = sentences::calibration(document) { p { (sentence) } }
    })
}

/// The picture; none if no level was completed.
pub(super) fn picture(document: &Document) -> Option<Picture> {
    if document.levels.is_empty() {
        return None;
    }
    let steps = sentences::level_steps(document);
    let most = document.levels.iter().map(|level| level.candidates.max(level.associated)).max().unwrap_or(0);
    // Only a logarithmic scale shows one cause beside a million candidates.
    let scale = |number: u64| (number as f64).ln_1p() / (most.max(1) as f64).ln_1p() * 0.5;
    let block = HEAD + steps.len() as f64 * ROW + 10.0;
    let drawing = html! {
        @for (place, level) in document.levels.iter().enumerate() {
            @let top = block * place as f64;
            (text("label strong", "start", (0.0, top + 15.0), &level_heading(level.level)))
            @for (step, (label, count)) in steps.iter().enumerate() {
                @let y = top + HEAD + ROW * step as f64;
                (text("label", "start", (0.0, y + 14.0), label))
                rect.bar.whole[*label == "causes"] x="30%" y=(pixels(y + 2.0)) width=(across(scale(count(level)))) height="16" {}
                (text("figure", "end", (1.0, y + 14.0), &thousands(count(level))))
            }
        }
    };
    let title = "Candidates remaining after each step".to_owned();
    Some(Picture { id: "funnel".into(), title, height: block * document.levels.len() as f64, drawing })
}

fn level_heading(level: usize) -> String {
    match level {
        1 => "Single columns".to_owned(),
        2 => "Pairs of columns".to_owned(),
        level => format!("Conjunctions of {level} columns"),
    }
}
