//! The evidence for a cause as it is told: part of the JSON `concause/1`, with the same duties as the types above it.

use serde::{Deserialize, Serialize};

use super::{ClassCounts, Counts};

/// What the data says of a cause besides the tests it passed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceEntry {
    /// Which rows it was estimated from: the name of an [`EstimatedOn`](super::EstimatedOn).
    pub estimated_on: String,
    /// Those rows with and without the cause, by target.
    pub counts: Counts,
    /// The share of target 1 among the rows with it.
    pub risk_with: EstimateEntry,
    /// The share of target 1 among the rows without it.
    pub risk_without: EstimateEntry,
    /// The one less the other.
    pub risk_difference: EstimateEntry,
    /// The one by the other.
    pub risk_ratio: EstimateEntry,
    /// The odds of target 1 with it by the odds without it.
    pub odds_ratio: EstimateEntry,
    /// The same where all other causes are held fixed.
    pub adjusted: AdjustedEntry,
    /// How the parts of a combined cause work together; none for a single cause.
    pub interaction: Option<InteractionEntry>,
}

/// A figure with its 95 % interval, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimateEntry {
    /// The figure.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end of its interval.
    pub high: Option<f64>,
    /// Whether ½ was added to the counts because one of them is 0.
    pub corrected: bool,
    /// Why there is no figure.
    pub reason: Option<String>,
}

/// Effects pooled over the strata of all other causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdjustedEntry {
    /// The configurations of the other causes that occur.
    pub strata: u64,
    /// Those in which some rows have the cause and some have not.
    pub informative_strata: u64,
    /// The rows in these.
    pub informative_rows: u64,
    /// The pooled risk difference.
    pub risk_difference: EstimateEntry,
    /// The pooled risk ratio.
    pub risk_ratio: EstimateEntry,
    /// The pooled odds ratio.
    pub odds_ratio: EstimateEntry,
}

/// How the parts of a combined cause work together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InteractionEntry {
    /// The rows by which of the parts hold in them.
    pub cells: Vec<CellEntry>,
    /// The parts with which alone the risk is lower than with none.
    pub preventive: Vec<String>,
    /// The relative excess risk due to interaction.
    pub reri: EstimateEntry,
    /// The share of the risk with both parts that is due to interaction.
    pub attributable_proportion: EstimateEntry,
    /// Rothman's synergy index.
    pub synergy_index: EstimateEntry,
    /// The test of sufficient-cause interaction.
    pub sufficient_cause: ContrastEntry,
    /// The same for parts that never prevent the target.
    pub monotone_sufficient_cause: ContrastEntry,
}

/// The rows in which just some of the parts of a combined cause hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellEntry {
    /// The parts that hold; the others do not.
    pub held: Vec<String>,
    /// These rows.
    pub counts: ClassCounts,
    /// The share of target 1 among them.
    pub risk: EstimateEntry,
}

/// A contrast of risks with the one-sided test that it is above 0, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContrastEntry {
    /// The contrast.
    pub value: Option<f64>,
    /// The contrast in units of its standard error.
    pub z: Option<f64>,
    /// The one-sided p-value.
    pub p_value: Option<f64>,
    /// Whether ½ was added to the counts because one of them is 0.
    pub corrected: bool,
    /// Why there is no figure.
    pub reason: Option<String>,
}
