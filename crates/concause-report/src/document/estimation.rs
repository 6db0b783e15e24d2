//! Converts the evidence of the core into that of a [`Document`](super::Document).

use concause::dataset::{Candidate, Column};
use concause::evidence::{Adjusted, Contrast, Evidence, Interaction, Measure, Unknown};

use super::assembly::finite;
use super::evidence::{
    AdjustedEntry, ContrastEntry, EstimateEntry, EvidenceEntry, InteractionCellEntry, InteractionEntry,
};

/// The rows from which evidence was estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EstimatedOn {
    /// The rows of the search. Estimates are slightly inflated because the causes were selected in the same rows.
    #[default]
    SearchedRows,
    /// Rows held out from the search.
    HeldOutRows,
}

impl EstimatedOn {
    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            EstimatedOn::SearchedRows => "searched-rows",
            EstimatedOn::HeldOutRows => "held-out-rows",
        }
    }
}

/// The evidence for the causes of a run.
#[derive(Clone, Debug, Default)]
pub struct Estimation {
    /// The rows it was estimated from.
    pub on: EstimatedOn,
    /// One item per cause, in the order of the findings; empty if nothing was estimated.
    pub evidence: Vec<Evidence>,
}

impl Estimation {
    /// The evidence for the cause with this number.
    pub(super) fn cause_evidence(
        &self,
        number: usize,
        candidate: &Candidate,
        columns: &[Column],
    ) -> Option<EvidenceEntry> {
        let evidence = self.evidence.get(number)?;
        let parts: Vec<String> = candidate.literals().iter().map(|literal| literal.name(columns)).collect();
        Some(EvidenceEntry {
            estimated_on: self.on.name().to_owned(),
            counts: evidence.table,
            risk_with: estimate_entry(&evidence.risk_with),
            risk_without: estimate_entry(&evidence.risk_without),
            risk_difference: estimate_entry(&evidence.effects.risk_difference),
            risk_ratio: estimate_entry(&evidence.effects.risk_ratio),
            odds_ratio: estimate_entry(&evidence.effects.odds_ratio),
            adjusted: adjusted_entry(&evidence.adjusted),
            interaction: evidence.interaction.as_ref().map(|it| interaction_entry(it, &parts)),
        })
    }
}

fn estimate_entry(measure: &Measure) -> EstimateEntry {
    let (estimate, reason) = split_result(measure);
    EstimateEntry {
        value: estimate.map(|estimate| finite(estimate.value, 0.0)),
        low: estimate.map(|estimate| finite(estimate.low, f64::MIN)),
        high: estimate.map(|estimate| finite(estimate.high, f64::MAX)),
        corrected: estimate.is_some_and(|estimate| estimate.corrected),
        reason,
    }
}

fn contrast_entry(contrast: &Result<Contrast, Unknown>) -> ContrastEntry {
    let (contrast, reason) = split_result(contrast);
    ContrastEntry {
        value: contrast.map(|contrast| finite(contrast.value, 0.0)),
        z: contrast.map(|contrast| finite(contrast.z, 0.0)),
        p_value: contrast.map(|contrast| finite(contrast.p_value, 1.0).clamp(0.0, 1.0)),
        corrected: contrast.is_some_and(|contrast| contrast.corrected),
        reason,
    }
}

/// The value, or the reason why there is none.
fn split_result<T: Copy>(result: &Result<T, Unknown>) -> (Option<T>, Option<String>) {
    match result {
        Ok(value) => (Some(*value), None),
        Err(unknown) => (None, Some(unknown.to_string())),
    }
}

fn adjusted_entry(adjusted: &Adjusted) -> AdjustedEntry {
    AdjustedEntry {
        strata: adjusted.strata,
        informative_strata: adjusted.informative_strata,
        informative_rows: adjusted.informative_rows,
        risk_difference: estimate_entry(&adjusted.effects.risk_difference),
        risk_ratio: estimate_entry(&adjusted.effects.risk_ratio),
        odds_ratio: estimate_entry(&adjusted.effects.odds_ratio),
    }
}

fn interaction_entry(interaction: &Interaction, parts: &[String]) -> InteractionEntry {
    let held = |bits: u32| {
        let parts = parts.iter().enumerate().filter(|(part, _)| bits >> part & 1 == 1);
        parts.map(|(_, name)| name.clone()).collect()
    };
    let cells = interaction.cells.iter().map(|cell| InteractionCellEntry {
        held: held(cell.held),
        counts: cell.count,
        risk: estimate_entry(&cell.risk),
    });
    InteractionEntry {
        cells: cells.collect(),
        preventive: interaction.preventive.iter().filter_map(|&part| parts.get(part).cloned()).collect(),
        reri: estimate_entry(&interaction.relative_excess_risk),
        attributable_proportion: estimate_entry(&interaction.attributable_proportion),
        synergy_index: estimate_entry(&interaction.synergy_index),
        sufficient_cause: contrast_entry(&interaction.sufficient_cause),
        monotone_sufficient_cause: contrast_entry(&interaction.monotone_sufficient_cause),
    }
}
