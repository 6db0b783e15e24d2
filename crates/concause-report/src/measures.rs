//! The evidence for a cause, as data of the JSON `concause/1` and as text. The tables of measures in
//! [`concause::evidence`] decide what there is; outputs iterate them.

use concause::count::{Count, Stratum};
use concause::dataset::{Candidate, Column};
use concause::evidence::{
    Adjusted, EFFECT_MEASURES, EffectMeasure, EffectScale, Effects, Evidence, Interaction,
    InteractionMeasures, Measure,
};
use serde::{Deserialize, Serialize};

use crate::numbers::odds_ratio;

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

/// The evidence for a cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceEntry {
    /// The rows used: the name of an [`EstimatedOn`].
    pub estimated_on: String,
    /// These rows with and without the cause, by target value.
    pub counts: Stratum,
    /// The proportion of target 1 among rows with the cause.
    #[serde(with = "concause::evidence::measure")]
    pub risk_with: Measure,
    /// The proportion of target 1 among rows without the cause.
    #[serde(with = "concause::evidence::measure")]
    pub risk_without: Measure,
    /// The crude effects.
    #[serde(flatten)]
    pub effects: Effects,
    /// The same effects adjusted for all other causes.
    pub adjusted: Adjusted,
    /// The interaction of the parts of a combined cause; none for a single cause.
    pub interaction: Option<InteractionEntry>,
}

/// The interaction of the parts of a combined cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InteractionEntry {
    /// The rows by the parts that hold in them.
    pub cells: Vec<InteractionCellEntry>,
    /// The parts that alone lower the risk compared with no part.
    pub preventive: Vec<String>,
    /// The measures of interaction.
    #[serde(flatten)]
    pub measures: InteractionMeasures,
}

/// The rows in which exactly these parts of a combined cause hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InteractionCellEntry {
    /// The parts that hold; the others do not.
    pub held: Vec<String>,
    /// The rows by target value.
    pub counts: Count,
    /// The proportion of target 1.
    #[serde(with = "concause::evidence::measure")]
    pub risk: Measure,
}

impl Estimation {
    /// The evidence for the cause with this number.
    pub(crate) fn cause_evidence(
        &self,
        number: usize,
        candidate: &Candidate,
        columns: &[Column],
    ) -> Option<EvidenceEntry> {
        let evidence = self.evidence.get(number)?;
        let parts = candidate.part_candidates(columns).into_iter();
        let parts: Vec<String> = parts.map(|part| part.name(columns)).collect();
        Some(EvidenceEntry {
            estimated_on: self.on.name().to_owned(),
            counts: evidence.table,
            risk_with: evidence.risk_with,
            risk_without: evidence.risk_without,
            effects: evidence.effects,
            adjusted: evidence.adjusted,
            interaction: evidence.interaction.as_ref().map(|it| InteractionEntry::new(it, &parts)),
        })
    }
}

impl EvidenceEntry {
    /// The measures that tables of causes show, each with its crude and its adjusted estimate.
    pub(crate) fn summary(&self) -> impl Iterator<Item = (&'static EffectMeasure, Measure, Measure)> {
        let pairs = self.effects.iter().zip(self.adjusted.effects.iter());
        pairs.map(|((measure, crude), (_, adjusted))| (measure, crude, adjusted)).filter(|it| it.0.is_leading)
    }
}

impl InteractionEntry {
    fn new(interaction: &Interaction, parts: &[String]) -> Self {
        let held = |bits: u32| {
            let parts = parts.iter().enumerate().filter(|(part, _)| bits >> part & 1 == 1);
            parts.map(|(_, name)| name.clone()).collect()
        };
        let cells = interaction.cells.iter().map(|cell| InteractionCellEntry {
            held: held(cell.held),
            counts: cell.count,
            risk: cell.risk,
        });
        Self {
            cells: cells.collect(),
            preventive: interaction.preventive.iter().filter_map(|&part| parts.get(part).cloned()).collect(),
            measures: interaction.measures,
        }
    }

    /// The relative excess risk, unless a part alone lowers the risk: then it has no meaning.
    pub(crate) fn meaningful_excess(&self) -> Option<Measure> {
        let excess = self.measures.relative_excess_risk();
        (self.preventive.is_empty() && excess.is_ok()).then_some(excess)
    }
}

/// The measures that tables of causes show.
pub(crate) fn leading_measures() -> impl Iterator<Item = &'static EffectMeasure> {
    EFFECT_MEASURES.iter().filter(|measure| measure.is_leading)
}

/// An estimate with its 95 % interval on its scale. A `*` marks corrected zero counts; `–` means no estimate.
pub(crate) fn on_scale(measure: Measure, scale: EffectScale) -> String {
    match scale {
        EffectScale::Ratio => interval(measure, odds_ratio, "–"),
        EffectScale::Difference => difference(measure),
    }
}

/// An estimate that may be negative with its 95 % interval, `0.98 (−0.1 to 1.3)`; marks as in [`on_scale`].
pub(crate) fn difference(measure: Measure) -> String {
    let signed = |value: f64| match value < 0.0 {
        true => format!("−{}", odds_ratio(-value)),
        false => odds_ratio(value),
    };
    interval(measure, signed, " to ")
}

fn interval(measure: Measure, format: impl Fn(f64) -> String, to: &str) -> String {
    let Ok(estimate) = measure else { return "–".to_owned() };
    let mark = if estimate.corrected { "*" } else { "" };
    format!("{}{mark} ({}{to}{})", format(estimate.value), format(estimate.low), format(estimate.high))
}

/// The note that a `*` needs.
pub(crate) const CORRECTED: &str = "* ½ was added to the counts because one of them is 0.";

/// Whether an estimate is marked by a `*`.
pub(crate) fn is_corrected(measure: Measure) -> bool {
    measure.is_ok_and(|estimate| estimate.corrected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause::evidence::{Estimate, Unknown};

    #[test]
    fn estimates_have_their_interval_or_a_dash() {
        let estimate = |value, low, high, corrected| Ok(Estimate { value, low, high, corrected });
        let ratio = |measure| on_scale(measure, EffectScale::Ratio);
        assert_eq!(ratio(estimate(3.956, 3.5, 4.412, false)), "3.96 (3.5–4.41)");
        assert_eq!(ratio(estimate(15.0, 0.95, 23645.0, true)), "15* (0.95–23,645)");
        assert_eq!(difference(estimate(3.74, -1.84, 9.32, false)), "3.74 (−1.84 to 9.32)");
        let none = Err(Unknown::EmptyCells);
        assert_eq!((ratio(none), difference(none)), ("–".into(), "–".into()));
    }
}
