//! Makes the evidence of a [`Document`](super::Document) from the core's own types.

use concause::count::{Count, Stratum};
use concause::dataset::{Candidate, Column};
use concause::evidence::{Adjusted, Contrast, Evidence, Interaction, Measure, Unknown};

use super::assembly::finite;
use super::evidence::{
    AdjustedEntry, CellEntry, ContrastEntry, EstimateEntry, EvidenceEntry, InteractionEntry,
};
use super::{ClassCounts, Counts};

/// Which rows evidence was estimated from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EstimatedOn {
    /// Those in which the causes were found: what was selected for looking strong looks a little stronger than it is.
    #[default]
    SearchedRows,
    /// Others, which the search did not see.
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
    /// Where it comes from.
    pub on: EstimatedOn,
    /// For each cause, in the order of the findings; fewer if it was not estimated.
    pub evidence: Vec<Evidence>,
}

impl Estimation {
    /// The evidence for a cause by number.
    pub(super) fn entry(
        &self,
        number: usize,
        candidate: &Candidate,
        columns: &[Column],
    ) -> Option<EvidenceEntry> {
        let evidence = self.evidence.get(number)?;
        let parts: Vec<String> =
            candidate.columns().iter().map(|&column| Candidate::single(column).name(columns)).collect();
        Some(EvidenceEntry {
            estimated_on: self.on.name().to_owned(),
            counts: counts(&evidence.table),
            risk_with: estimate(&evidence.risk_with),
            risk_without: estimate(&evidence.risk_without),
            risk_difference: estimate(&evidence.effects.risk_difference),
            risk_ratio: estimate(&evidence.effects.risk_ratio),
            odds_ratio: estimate(&evidence.effects.odds_ratio),
            adjusted: adjusted(&evidence.adjusted),
            interaction: evidence.interaction.as_ref().map(|it| interaction(it, &parts)),
        })
    }
}

/// Rows with and without a cause.
pub(super) fn counts(table: &Stratum) -> Counts {
    Counts { with: classes(table.with), without: classes(table.without) }
}

pub(super) fn classes(count: Count) -> ClassCounts {
    ClassCounts { positive: count.positive, negative: count.negative }
}

fn estimate(measure: &Measure) -> EstimateEntry {
    let (estimate, reason) = split(measure);
    EstimateEntry {
        value: estimate.map(|estimate| finite(estimate.value, 0.0)),
        low: estimate.map(|estimate| finite(estimate.low, f64::MIN)),
        high: estimate.map(|estimate| finite(estimate.high, f64::MAX)),
        corrected: estimate.is_some_and(|estimate| estimate.corrected),
        reason,
    }
}

fn contrast(contrast: &Result<Contrast, Unknown>) -> ContrastEntry {
    let (contrast, reason) = split(contrast);
    ContrastEntry {
        value: contrast.map(|contrast| finite(contrast.value, 0.0)),
        z: contrast.map(|contrast| finite(contrast.z, 0.0)),
        p_value: contrast.map(|contrast| finite(contrast.p_value, 1.0).clamp(0.0, 1.0)),
        corrected: contrast.is_some_and(|contrast| contrast.corrected),
        reason,
    }
}

/// What is known, or why it is not.
fn split<T: Copy>(known: &Result<T, Unknown>) -> (Option<T>, Option<String>) {
    match known {
        Ok(known) => (Some(*known), None),
        Err(unknown) => (None, Some(unknown.to_string())),
    }
}

fn adjusted(adjusted: &Adjusted) -> AdjustedEntry {
    AdjustedEntry {
        strata: adjusted.strata,
        informative_strata: adjusted.informative_strata,
        informative_rows: adjusted.informative_rows,
        risk_difference: estimate(&adjusted.effects.risk_difference),
        risk_ratio: estimate(&adjusted.effects.risk_ratio),
        odds_ratio: estimate(&adjusted.effects.odds_ratio),
    }
}

fn interaction(interaction: &Interaction, parts: &[String]) -> InteractionEntry {
    let held = |bits: u32| {
        let parts = parts.iter().enumerate().filter(|(part, _)| bits >> part & 1 == 1);
        parts.map(|(_, name)| name.clone()).collect()
    };
    let cells = interaction.cells.iter().map(|cell| CellEntry {
        held: held(cell.held),
        counts: classes(cell.count),
        risk: estimate(&cell.risk),
    });
    InteractionEntry {
        cells: cells.collect(),
        preventive: interaction.preventive.iter().filter_map(|&part| parts.get(part).cloned()).collect(),
        reri: estimate(&interaction.relative_excess_risk),
        attributable_proportion: estimate(&interaction.attributable_proportion),
        synergy_index: estimate(&interaction.synergy_index),
        sufficient_cause: contrast(&interaction.sufficient_cause),
        monotone_sufficient_cause: contrast(&interaction.monotone_sufficient_cause),
    }
}
