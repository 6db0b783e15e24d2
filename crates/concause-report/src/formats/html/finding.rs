//! Each finding in words, with its picture and a table of all numbers that can be opened.

use concause::count::Count;
use concause::evidence::{ContrastTest, EffectScale, Measure, Unknown};
use maud::{Markup, html};

use super::budget::{self, take_within};
use super::{conjunction, enumerated, name, percent, risks, shown};
use crate::descriptors::statistic_symbol;
use crate::document::{CauseEntry, Document, EvidenceEntry, HoldoutTestEntry, InteractionEntry};
use crate::measures::{CORRECTED, difference, is_corrected};
use crate::numbers::{counted, exact, odds_ratio, p_phrase, probability, statistic, thousands};
use crate::sentences;

/// The number of findings of each kind that are open at first.
const OPEN: usize = 8;

pub(super) fn section(document: &Document) -> Option<Markup> {
    let target = shown(&document.target.label());
    if document.causes.is_empty() {
        return Some(html! { p { (sentences::no_cause_found(document, &target)) } });
    }
    let numbered: Vec<(usize, &CauseEntry)> = document.causes.iter().enumerate().collect();
    let (single, combined): (Vec<_>, Vec<_>) = numbered.into_iter().partition(|(_, cause)| cause.level <= 1);
    // Each kind gets half of the budget and what the other kind does not need.
    let cards = |causes: &[(usize, &CauseEntry)], room: usize| {
        take_within(room, causes.iter().map(|(number, cause)| card(document, cause, *number)))
    };
    let length = |cards: &[Markup]| cards.iter().map(|card| card.0.len()).sum::<usize>();
    let combined_cards = cards(&combined, budget::FINDINGS / 2);
    let single_cards = cards(&single, budget::FINDINGS - length(&combined_cards));
    let combined_cards = cards(&combined, budget::FINDINGS - length(&single_cards));
    Some(html! {
        p.note { (sentences::direction(&target)) " A causal interpretation also requires that there is no unmeasured common
            cause; see " a href="#methods" { "Methods" } "." }
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
                p.note { (counted(left_out as u64, "further finding is", "further findings are")) " omitted to keep this page small; the JSON result has all." }
            }
        }
    }
}

fn card(document: &Document, cause: &CauseEntry, number: usize) -> Markup {
    let picture = risks::section(document, number);
    html! {
        article.finding id={ "finding-" (number + 1) } {
            div.words {
                h4 { @if cause.undecided { (shown(&cause.label())) } @else { (conjunction(&cause.literals)) } }
                p.sentence { (finding_sentence(document, cause)) }
                @for remark in remarks(document, cause) { p.remark { (remark) } }
            }
            @if let Some(picture) = picture { (picture) }
            @if let Some(evidence) = &cause.evidence { (all_numbers(document, cause, evidence, number)) }
        }
    }
}

/// The finding in words.
fn finding_sentence(document: &Document, cause: &CauseEntry) -> Markup {
    let target = name(&document.target.label());
    let evidence = cause.evidence.as_ref();
    let share = |estimate: Option<Measure>, observed: Option<f64>| {
        let estimate = estimate.and_then(Result::ok).map(|estimate| estimate.value);
        estimate.or(observed).map_or_else(|| "unknown".to_owned(), percent)
    };
    let with = share(evidence.map(|it| it.risk_with), cause.risk_with);
    let without = share(evidence.map(|it| it.risk_without), cause.risk_without);
    let cells = evidence.and_then(|it| it.interaction.as_ref()).map(|it| &it.cells[..]);
    html! {
        @match (&cause.literals[..], cells) {
            ([_, _], Some([neither, one, other, both])) => {
                @let (first, second) = (one.held.join("&"), other.held.join("&"));
                "When " (name(&first)) " and " (name(&second)) " both hold, the risk of " (target) " is "
                strong { (share(Some(both.risk), None)) } ", compared with "
                (share(Some(one.risk), None)) " with " (name(&first)) " alone, "
                (share(Some(other.risk), None)) " with " (name(&second)) " alone and "
                (share(Some(neither.risk), None)) " with neither."
            }
            ([_], _) => {
                "Where " (conjunction(&cause.literals)) " holds, the risk of " (target) " is " strong { (with) }
                ", compared with " (without) " where it does not."
            }
            _ => {
                "When " (enumerated(&cause.literals)) " all hold, the risk of " (target) " is " strong { (with) }
                ", compared with " (without) " in all other rows."
            }
        }
        @if let Some(evidence) = evidence { " " (adjusted_sentence(document, cause, evidence)) }
    }
}

/// The risk ratio with the other causes held fixed.
fn adjusted_sentence(document: &Document, cause: &CauseEntry, evidence: &EvidenceEntry) -> Markup {
    let alone = document.causes.len() == 1 && document.settings.knowledge.covariates.is_empty();
    let it = if cause.level > 1 { "the conjunction" } else { "it" };
    html! {
        @match evidence.adjusted.effects.risk_ratio() {
            Ok(ratio) => {
                @if alone { "The risk with " (it) " is " } @else { "With the other causes held fixed, the risk with " (it) " is " }
                strong { (odds_ratio(ratio.value)) " times" } " that without it (95\u{a0}% confidence interval " (odds_ratio(ratio.low)) " to " (odds_ratio(ratio.high)) ")."
            }
            Err(reason) => { "There is no adjusted risk ratio: " (reason) "." }
        }
    }
}

/// Further remarks on a finding.
fn remarks(document: &Document, cause: &CauseEntry) -> Vec<Markup> {
    let mut remarks = Vec::new();
    let challenger = &cause.challenger;
    let p = p_phrase(cause.p_value);
    if let (Some(posterior), Some(value)) = (&document.posterior, cause.probability) {
        let alternative = sentences::alternative(posterior, cause, shown);
        remarks.push(html! {
            "Its probability is " (probability(value)) "; the strongest alternative is "
            @if alternative == "–" { "not among the models that compete with the best one." } @else { (alternative) "." }
        });
    }
    remarks.push(match &challenger.given[..] {
        _ if document.posterior.is_some() => html! { "Given all other causes, " (p) " (likelihood ratio test)." },
        [] => html! { "The largest p-value over all its tests is that of the marginal association (" (p) ")." },
        given => html! {
            "The largest p-value over all its tests is that given "
            @if let Some(all) = sentences::all_other_causes(document, cause) { (all) } @else { (enumerated(given)) }
            " (" (p) ")."
        },
    });
    if let Some(interaction) = cause.evidence.as_ref().and_then(|it| it.interaction.as_ref()) {
        remarks.extend(interaction_remarks(cause, interaction));
    }
    if let (Some(share), Some(stability)) = (cause.stability, &document.stability) {
        let samples = counted(stability.samples, "half-sample", "half-samples");
        remarks.push(
            html! { (percent(share)) " of " (samples) " of the rows have a cause over the same attributes." },
        );
    }
    if let Some(test) = cause.holdout_test {
        remarks.push(holdout_remark(&test));
    }
    if document.settings.knowledge.required.contains(&cause.name) {
        remarks.push(html! { "Required as a cause regardless of the tests." });
    }
    if !cause.equivalent.is_empty() {
        remarks.push(html! { "Indistinguishable from " (enumerated(&cause.equivalent)) ": they hold in the same rows or in exactly complementary rows." });
    }
    remarks
}

/// The test in held-out rows.
fn holdout_remark(holdout: &HoldoutTestEntry) -> Markup {
    html! {
        @if holdout.replicated { "It replicates in the held-out rows" } @else { "It does not replicate in the held-out rows" }
        @match &holdout.test {
            Some(test) => {
                " (" (p_phrase(test.p_value)) @if !holdout.same_direction { ", in the opposite direction" } ")."
            }
            None => { ": no stratum of the other causes is informative." }
        }
    }
}

/// The interaction of the parts of a combined cause.
fn interaction_remarks(cause: &CauseEntry, interaction: &InteractionEntry) -> Vec<Markup> {
    let mut remarks = Vec::new();
    let parts = if cause.level == 2 { "both parts" } else { "all parts" };
    if let Ok(contrast) = interaction.measures.sufficient_cause() {
        let p = contrast.p_value;
        let is_significant = p <= 0.05;
        remarks.push(html! {
            @if is_significant { "In some cases the outcome required " (parts) } @else { "There is no evidence that the outcome required " (parts) " in any case" }
            " (sufficient-cause interaction, one-sided " (p_phrase(p)) ")."
        });
    }
    if !interaction.preventive.is_empty() {
        remarks.push(html! {
            "Alone, " (enumerated(&interaction.preventive)) @if interaction.preventive.len() == 1 { " lowers" } @else { " lower" }
            " the risk compared with no part, by chance or by confounding, so measures of excess risk do not have their usual
             interpretation."
        });
    } else if let Some(excess) = interaction.meaningful_excess() {
        remarks.push(html! { "Relative excess risk due to interaction: " (difference(excess)) "." });
        if is_corrected(excess) {
            remarks.push(html! { (CORRECTED) });
        }
    }
    remarks
}

/// All numbers of a finding, in a table that can be opened.
fn all_numbers(document: &Document, cause: &CauseEntry, evidence: &EvidenceEntry, number: usize) -> Markup {
    let adjusted = &evidence.adjusted;
    // Ratios come first.
    let mut effects: Vec<_> = evidence.effects.iter().zip(adjusted.effects.iter()).collect();
    effects.sort_by_key(|((measure, _), _)| measure.scale != EffectScale::Ratio);
    let association = &cause.association;
    html! {
        details.figures {
            summary { "All numbers" }
            div.scroll role="region" aria-label={ "Numbers of finding " (number + 1) ": " (shown(&cause.name)) } tabindex="0" {
                table {
                    thead { tr { td {} th scope="col" { "observed" } th scope="col" { "adjusted for the other causes" } } }
                    tbody {
                        @for ((measure, observed), (_, adjusted)) in effects {
                            tr { th scope="row" { (measure.title) } (estimate_cell(observed)) (estimate_cell(adjusted)) }
                        }
                        tr { th scope="row" { "risk with it" } (risk_cell(evidence.risk_with)) td {} }
                        tr { th scope="row" { "risk without it" } (risk_cell(evidence.risk_without)) td {} }
                        tr {
                            th scope="row" { (statistic_symbol(&document.settings)) " (p)" }
                            td { (statistic(association.statistic)) " (" (p_phrase(association.p_value)) ")" }
                            td { (statistic(cause.challenger.test.statistic)) " (" (p_phrase(cause.p_value)) ")" }
                        }
                    }
                }
                @if let Some(interaction) = &evidence.interaction { (interaction_table(interaction)) }
            }
            p.note {
                "Cases with it: " (cases(evidence.counts.with)) "; without it: " (cases(evidence.counts.without)) ". The adjustment uses "
                (counted(adjusted.informative_strata, "informative stratum", "informative strata")) " of " (thousands(adjusted.strata)) ", with "
                (counted(adjusted.informative_rows, "row", "rows")) ". "
                @if has_corrections(evidence) { (CORRECTED) " " }
                "The last line shows the test of association and "
                @if document.posterior.is_some() { "the test given all other causes." } @else { "the test with the largest p-value." }
            }
        }
    }
}

fn interaction_table(interaction: &InteractionEntry) -> Markup {
    html! {
        table {
            thead { tr { td {} th scope="col" { "interaction of the parts" } } }
            tbody {
                @for (measure, estimate) in interaction.measures.additive() {
                    tr { th scope="row" { (measure.title) } (estimate_cell(estimate)) }
                }
                @for (contrast, tested) in interaction.measures.contrasts() {
                    tr { th scope="row" { (contrast.title) } (contrast_cell(tested)) }
                }
            }
        }
    }
}

/// Whether any number of the table is marked by a `*`.
fn has_corrections(evidence: &EvidenceEntry) -> bool {
    let interaction = evidence.interaction.as_ref().map(|interaction| &interaction.measures);
    let additive = interaction.into_iter().flat_map(|it| it.additive());
    let mut contrasts = interaction.into_iter().flat_map(|it| it.contrasts());
    let effects = evidence.effects.iter().chain(evidence.adjusted.effects.iter());
    let mut measures = effects.map(|(_, it)| it).chain(additive.map(|(_, it)| it));
    measures.any(is_corrected) || contrasts.any(|(_, it)| it.is_ok_and(|contrast| contrast.corrected))
}

fn cases(counts: Count) -> String {
    let total = counts.positive.saturating_add(counts.negative);
    format!("{} of {}", thousands(counts.positive), counted(total, "row", "rows"))
}

fn estimate_cell(estimate: Measure) -> Markup {
    number_cell(estimate.map(|it| (it.value, difference(estimate))))
}

fn risk_cell(risk: Measure) -> Markup {
    number_cell(
        risk.map(|it| {
            (it.value, format!("{} ({} to {})", percent(it.value), percent(it.low), percent(it.high)))
        }),
    )
}

fn contrast_cell(contrast: ContrastTest) -> Markup {
    number_cell(contrast.map(|it| {
        let mark = if it.corrected { "*" } else { "" };
        (it.value, format!("{}{mark} (one-sided {})", signed(it.value), p_phrase(it.p_value)))
    }))
}

/// A number and how it is shown, or why there is none.
fn number_cell(shown: Result<(f64, String), Unknown>) -> Markup {
    html! {
        @match shown {
            Ok((value, text)) => { td data-value=(exact(value)) { (text) } }
            Err(reason) => { td { span.missing { "– (" (reason) ")" } } }
        }
    }
}

fn signed(value: f64) -> String {
    format!("{value:.3}").replace('-', "−")
}
