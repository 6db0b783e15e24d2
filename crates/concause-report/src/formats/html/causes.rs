//! The sortable table of all causes. Every cell has the exact number as an attribute besides the rounded one.

use concause::evidence::{EffectScale, Measure};
use maud::{Markup, html};

use super::budget::{self, take_within};
use super::{challenger_cell, conjunction, percent, shown};
use crate::descriptors::statistic_symbol;
use crate::document::{CauseEntry, Document};
use crate::measures::{CORRECTED, is_corrected, leading_measures, on_scale};
use crate::numbers::{exact, p_value, probability, statistic};
use crate::sentences;

/// The number of rows that are visible at first.
const VISIBLE_ROWS: usize = 25;

pub(super) fn section(document: &Document) -> Option<Markup> {
    if document.causes.is_empty() {
        return None;
    }
    let has_stability = document.stability.is_some();
    let has_holdout = document.holdout.is_some();
    let has_posterior = document.posterior.is_some();
    let rows = document.causes.iter().enumerate();
    let rows = take_within(budget::CAUSES, rows.map(|(number, cause)| row(document, cause, number)));
    let left_out = document.causes.len() - rows.len();
    let mut headings = vec![
        ("cause".to_owned(), false),
        ("level".to_owned(), true),
        (statistic_symbol(&document.settings).to_owned(), true),
        (if has_posterior { "probability" } else { "largest p" }.to_owned(), true),
        ("risk with".to_owned(), true),
        ("risk without".to_owned(), true),
    ];
    let measures = leading_measures().flat_map(|it| [it.title.to_owned(), format!("adjusted {}", it.title)]);
    headings.extend(measures.map(|title| (title, true)));
    if has_stability {
        headings.push(("stability".to_owned(), true));
    }
    if has_holdout {
        headings.push(("replicated".to_owned(), false));
    }
    headings.push((if has_posterior { "alternative" } else { "conditioning set" }.to_owned(), false));
    let mut shown_measures =
        (document.causes.iter()).filter_map(|it| it.evidence.as_ref()).flat_map(|it| it.summary());
    let has_corrected =
        shown_measures.any(|(_, crude, adjusted)| is_corrected(crude) || is_corrected(adjusted));
    Some(html! {
        @for sentence in sentences::posterior(document, shown) { p { (sentence) } }
        div.scroll role="region" aria-label="Table of all causes" tabindex="0" {
            table.causes data-sortable {
                thead { tr {
                    @for (heading, is_number) in headings { th.number[is_number] scope="col" { (heading) } }
                } }
                tbody { @for row in &rows { (row) } }
            }
        }
        @if rows.len() > VISIBLE_ROWS {
            p { button.show-all type="button" hidden data-visible=(VISIBLE_ROWS) aria-expanded="false" { "Show all " (rows.len()) } }
        }
        p.note {
            "Level: the number of columns in the cause. " (statistic_symbol(&document.settings)) ": strength of the marginal association. "
            @if has_posterior {
                "Probability: of all models that compete with the best one, the share by weight that contain the cause; alternative: the cause that most probably takes its place. "
            } @else {
                "Largest p: the largest p-value over all tests of the cause; conditioning set: the set that gave it. "
            }
            "Ratios have 95 % confidence intervals."
            @if has_corrected { " " (CORRECTED) }
            @if left_out > 0 { " The JSON result has " (left_out) " more causes." }
        }
    })
}

fn row(document: &Document, cause: &CauseEntry, number: usize) -> Markup {
    let [with, without] = sentences::risks(cause);
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), percent);
    html! {
        tr {
            th scope="row" { a href={ "#finding-" (number + 1) } { @if cause.undecided { (shown(&cause.label())) } @else { (conjunction(&cause.literals)) } } }
            (number_cell(Some(cause.level as f64), &cause.level.to_string()))
            (number_cell(Some(cause.statistic), &statistic(cause.statistic)))
            @if let Some(value) = cause.probability {
                (number_cell(Some(value), &probability(value)))
            } @else {
                td.number data-value=(exact(cause.p_value)) data-order=(exact(cause.ln_p_value)) { (p_value(cause.p_value)) }
            }
            (number_cell(with, &share(with)))
            (number_cell(without, &share(without)))
            @if let Some(evidence) = &cause.evidence {
                @for (measure, crude, adjusted) in evidence.summary() {
                    (measure_cell(crude, measure.scale))
                    (measure_cell(adjusted, measure.scale))
                }
            } @else { @for _ in 0..2 * leading_measures().count() { td.number { "–" } } }
            @if document.stability.is_some() { (number_cell(cause.stability, &share(cause.stability))) }
            @if document.holdout.is_some() { td { (replicated(cause)) } }
            td { (challenger_cell(document, cause)) }
        }
    }
}

fn replicated(cause: &CauseEntry) -> &'static str {
    match cause.holdout_test {
        Some(test) if test.replicated => "yes",
        Some(_) => "no",
        None => "–",
    }
}

fn number_cell(value: Option<f64>, shown: &str) -> Markup {
    html! { td.number data-value=[value.map(exact)] { (shown) } }
}

fn measure_cell(measure: Measure, scale: EffectScale) -> Markup {
    let estimate = measure.ok();
    let limits = estimate.map(|estimate| format!("{} {}", exact(estimate.low), exact(estimate.high)));
    html! {
        td.number data-value=[estimate.map(|it| exact(it.value))] data-interval=[limits] { (on_scale(measure, scale)) }
    }
}
