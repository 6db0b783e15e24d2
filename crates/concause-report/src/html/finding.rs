//! Every finding in words, with its picture and, on demand, all its figures.

use maud::{Markup, html};

use super::budget::{self, within};
use super::{conjunction, enumerated, name, percent, risks, shown};
use crate::document::{
    CauseEntry, ConfirmationEntry, ContrastEntry, Document, EstimateEntry, EvidenceEntry, InteractionEntry,
};
use crate::figures::{counted, difference, exact, odds_ratio, p_phrase, statistic, thousands};
use crate::wording;

/// The findings of each kind that are open from the beginning.
const OPEN: usize = 8;

pub(super) fn section(document: &Document) -> Option<Markup> {
    let target = shown(&document.target.label());
    if document.causes.is_empty() {
        return Some(html! { p { (wording::nothing_found(document, &target)) } });
    }
    let numbered: Vec<(usize, &CauseEntry)> = document.causes.iter().enumerate().collect();
    let (single, combined): (Vec<_>, Vec<_>) = numbered.into_iter().partition(|(_, cause)| cause.level <= 1);
    // Half of the room for each kind, and what the one does not need for the other.
    let cards = |causes: &[(usize, &CauseEntry)], room: usize| {
        within(room, causes.iter().map(|(number, cause)| card(document, cause, *number)))
    };
    let length = |cards: &[Markup]| cards.iter().map(|card| card.0.len()).sum::<usize>();
    let combined_cards = cards(&combined, budget::FINDINGS / 2);
    let single_cards = cards(&single, budget::FINDINGS - length(&combined_cards));
    let combined_cards = cards(&combined, budget::FINDINGS - length(&single_cards));
    Some(html! {
        p.note { (wording::direction(&target)) " Whether they are causes in the everyday sense also hangs on there being no common
            cause that was not measured; see " a href="#methods" { "Methods" } "." }
        (group("Single causes", single.len(), &single_cards))
        (group("Combined causes", combined.len(), &combined_cards))
    })
}

fn group(title: &str, causes: usize, cards: &[Markup]) -> Markup {
    let open = cards.len().min(OPEN);
    let left_out = causes - cards.len();
    html! {
        @if causes > 0 {
            h3 { (title) }
            @for card in &cards[..open] { (card) }
            @if cards.len() > open {
                details.more {
                    summary { (counted((cards.len() - open) as u64, "more finding", "more findings")) }
                    @for card in &cards[open..] { (card) }
                }
            }
            @if left_out > 0 {
                p.note { (counted(left_out as u64, "further finding is", "further findings are")) " left out here to keep this page small; the JSON result has all." }
            }
        }
    }
}

fn card(document: &Document, cause: &CauseEntry, number: usize) -> Markup {
    let picture = risks::section(document, number);
    html! {
        article.finding id={ "finding-" (number + 1) } {
            div.words {
                h4 { (conjunction(&cause.columns)) }
                p.sentence { (sentence(document, cause)) }
                @for remark in remarks(document, cause) { p.remark { (remark) } }
            }
            @if let Some(picture) = picture { (picture) }
            @if let Some(evidence) = &cause.evidence { (all_figures(document, cause, evidence, number)) }
        }
    }
}

/// What was found, in words.
fn sentence(document: &Document, cause: &CauseEntry) -> Markup {
    let target = name(&document.target.label());
    let evidence = cause.evidence.as_ref();
    let share = |estimate: Option<&EstimateEntry>, plain: Option<f64>| {
        estimate.and_then(|estimate| estimate.value).or(plain).map_or_else(|| "not known".to_owned(), percent)
    };
    let with = share(evidence.map(|it| &it.risk_with), cause.risk_with);
    let without = share(evidence.map(|it| &it.risk_without), cause.risk_without);
    let cells = evidence.and_then(|it| it.interaction.as_ref()).map(|it| &it.cells[..]);
    html! {
        @match (&cause.columns[..], cells) {
            ([first, second], Some([neither, one, other, both])) => {
                "When " (name(first)) " and " (name(second)) " both hold, the risk of " (target) " is "
                strong { (share(Some(&both.risk), None)) } ", against "
                (share(Some(&one.risk), None)) " with " (name(first)) " alone, "
                (share(Some(&other.risk), None)) " with " (name(second)) " alone and "
                (share(Some(&neither.risk), None)) " with neither."
            }
            ([_], _) => {
                "Where " (conjunction(&cause.columns)) " holds, the risk of " (target) " is " strong { (with) }
                ", against " (without) " where it does not."
            }
            _ => {
                "When " (enumerated(&cause.columns)) " all hold, the risk of " (target) " is " strong { (with) }
                ", against " (without) " in all other rows."
            }
        }
        @if let Some(evidence) = evidence { " " (adjusted(document, cause, evidence)) }
    }
}

/// The same where the other causes are held fixed.
fn adjusted(document: &Document, cause: &CauseEntry, evidence: &EvidenceEntry) -> Markup {
    let estimate = &evidence.adjusted.risk_ratio;
    let alone = document.causes.len() == 1 && document.settings.knowledge.covariates.is_empty();
    let it = if cause.level > 1 { "the conjunction" } else { "it" };
    html! {
        @if let (Some(value), Some(low), Some(high)) = (estimate.value, estimate.low, estimate.high) {
            @if alone { "The risk with " (it) " is " } @else { "With the other causes held fixed, the risk with " (it) " is " }
            strong { (odds_ratio(value)) " times" } " that without it (95\u{a0}% interval " (odds_ratio(low)) " to " (odds_ratio(high)) ")."
        } @else if let Some(reason) = &estimate.reason {
            "There is no adjusted risk ratio: " (shown(reason)) "."
        }
    }
}

/// What else a reader should know.
fn remarks(document: &Document, cause: &CauseEntry) -> Vec<Markup> {
    let mut remarks = Vec::new();
    let challenger = &cause.challenger;
    let p = p_phrase(cause.p_value);
    remarks.push(match &challenger.given[..] {
        [] => html! { "Weakest of its tests: the plain association, " (p) "." },
        given => html! {
            "What came nearest to explaining it away: "
            @if let Some(all) = wording::all_others(document, cause) { (all) } @else { (enumerated(given)) }
            "; given that, still " (p) ", the largest of all its tests."
        },
    });
    if let Some(interaction) = cause.evidence.as_ref().and_then(|it| it.interaction.as_ref()) {
        remarks.extend(together(cause, interaction));
    }
    if let (Some(share), Some(stability)) = (cause.stability, &document.stability) {
        let samples = counted(stability.samples, "half-sample", "half-samples");
        remarks.push(html! { "Found again in " (percent(share)) " of " (samples) " of the rows." });
    }
    if let Some(found) = cause.confirmation {
        remarks.push(confirmation(&found));
    }
    if document.settings.knowledge.required.contains(&cause.name) {
        remarks.push(html! { "Required as a cause, whatever the tests say." });
    }
    if !cause.equivalent.is_empty() {
        remarks.push(html! { "Cannot be told from " (enumerated(&cause.equivalent)) ": the same rows, or exactly the others." });
    }
    remarks
}

/// How it fared in the rows that the search did not see.
fn confirmation(found: &ConfirmationEntry) -> Markup {
    html! {
        @if found.confirmed { "It holds up in the rows held out" } @else { "It does not hold up in the rows held out" }
        @match &found.test {
            Some(test) => {
                " (" (p_phrase(test.p_value)) @if !found.same_direction { ", and the direction is the opposite" } ")."
            }
            None => { ": there is nothing to compare." }
        }
    }
}

/// Whether the parts of a combined cause work together.
fn together(cause: &CauseEntry, interaction: &InteractionEntry) -> Vec<Markup> {
    let mut remarks = Vec::new();
    let contrast = &interaction.sufficient_cause;
    let parts = if cause.level == 2 { "both parts" } else { "all parts" };
    if let Some(p) = contrast.p_value {
        let is_shown = p <= 0.05;
        remarks.push(html! {
            @if is_shown { "In some cases it took " (parts) " together" } @else { "That it took " (parts) " together in some cases is not shown" }
            " (sufficient-cause interaction, one-sided " (p_phrase(p)) ")."
        });
    }
    if !interaction.preventive.is_empty() {
        remarks.push(html! {
            "The risk with " (enumerated(&interaction.preventive)) " alone is lower than with no part at all, be it by chance or by
             confounding, so measures of excess risk do not mean here what they otherwise do."
        });
    } else if interaction.reri.value.is_some() {
        remarks
            .push(html! { "Relative excess risk due to interaction: " (difference(&interaction.reri)) "." });
    }
    remarks
}

/// Every figure of a finding, in a table that is opened on demand.
fn all_figures(document: &Document, cause: &CauseEntry, evidence: &EvidenceEntry, number: usize) -> Markup {
    let adjusted = &evidence.adjusted;
    let effects: [(&str, &EstimateEntry, &EstimateEntry); 3] = [
        ("risk ratio", &evidence.risk_ratio, &adjusted.risk_ratio),
        ("odds ratio", &evidence.odds_ratio, &adjusted.odds_ratio),
        ("risk difference", &evidence.risk_difference, &adjusted.risk_difference),
    ];
    let association = &cause.association;
    html! {
        details.figures {
            summary { "All figures" }
            div.scroll role="region" aria-label={ "Figures of finding " (number + 1) ": " (shown(&cause.name)) } tabindex="0" {
                table {
                    thead { tr { td {} th scope="col" { "as observed" } th scope="col" { "other causes held fixed" } } }
                    tbody {
                        @for (label, plain, held) in effects {
                            tr { th scope="row" { (label) } (estimate(plain)) (estimate(held)) }
                        }
                        tr { th scope="row" { "risk with it" } (share(&evidence.risk_with)) td {} }
                        tr { th scope="row" { "risk without it" } (share(&evidence.risk_without)) td {} }
                        tr {
                            th scope="row" { (wording::statistic(document)) " (p)" }
                            td { (statistic(association.statistic)) " (" (p_phrase(association.p_value)) ")" }
                            td { (statistic(cause.challenger.figures.statistic)) " (" (p_phrase(cause.p_value)) ")" }
                        }
                    }
                }
                @if let Some(interaction) = &evidence.interaction { (interactions(interaction)) }
            }
            p.note {
                "With it " (cases(evidence.counts.with)) ", without it " (cases(evidence.counts.without)) ". Held fixed in "
                (counted(adjusted.informative_strata, "stratum", "strata")) " of " (thousands(adjusted.strata)) " with "
                (counted(adjusted.informative_rows, "row", "rows")) " that can tell. "
                @if has_corrections(evidence) { "* ½ was added to the counts because one of them is 0. " }
                "The last line has the test of association, and the one with the largest p."
            }
        }
    }
}

fn interactions(interaction: &InteractionEntry) -> Markup {
    let measures = [
        ("relative excess risk (RERI)", &interaction.reri),
        ("attributable proportion", &interaction.attributable_proportion),
        ("synergy index", &interaction.synergy_index),
    ];
    let contrasts = [
        ("sufficient-cause contrast", &interaction.sufficient_cause),
        ("the same, if no part prevents", &interaction.monotone_sufficient_cause),
    ];
    html! {
        table {
            thead { tr { td {} th scope="col" { "interaction of the parts" } } }
            tbody {
                @for (label, measure) in measures { tr { th scope="row" { (label) } (estimate(measure)) } }
                @for (label, contrast) in contrasts { tr { th scope="row" { (label) } (tested(contrast)) } }
            }
        }
    }
}

fn has_corrections(evidence: &EvidenceEntry) -> bool {
    let interaction = evidence.interaction.as_ref();
    let parts = interaction.map_or([false; 4], |it| {
        [
            it.reri.corrected,
            it.attributable_proportion.corrected,
            it.synergy_index.corrected,
            it.sufficient_cause.corrected,
        ]
    });
    let plain = [&evidence.risk_ratio, &evidence.odds_ratio, &evidence.risk_difference];
    plain.iter().any(|estimate| estimate.corrected) || parts.contains(&true)
}

fn cases(counts: crate::document::ClassCounts) -> String {
    let total = counts.positive.saturating_add(counts.negative);
    format!("{} of {}", thousands(counts.positive), counted(total, "row", "rows"))
}

fn estimate(estimate: &EstimateEntry) -> Markup {
    html! {
        td data-value=[estimate.value.map(exact)] {
            @if estimate.value.is_some() { (difference(estimate)) } @else { (missing(estimate.reason.as_deref())) }
        }
    }
}

fn share(estimate: &EstimateEntry) -> Markup {
    html! {
        td data-value=[estimate.value.map(exact)] {
            @match (estimate.value, estimate.low, estimate.high) {
                (Some(value), Some(low), Some(high)) => { (percent(value)) " (" (percent(low)) " to " (percent(high)) ")" }
                _ => { (missing(estimate.reason.as_deref())) }
            }
        }
    }
}

fn tested(contrast: &ContrastEntry) -> Markup {
    html! {
        td data-value=[contrast.value.map(exact)] {
            @match (contrast.value, contrast.p_value) {
                (Some(value), Some(p)) => { (signed(value)) @if contrast.corrected { "*" } " (one-sided " (p_phrase(p)) ")" }
                _ => { (missing(contrast.reason.as_deref())) }
            }
        }
    }
}

fn signed(value: f64) -> String {
    format!("{value:.3}").replace('-', "−")
}

fn missing(reason: Option<&str>) -> Markup {
    html! { span.missing { "– " @if let Some(reason) = reason { "(" (shown(reason)) ")" } } }
}
