//! The evidence for a cause, part of the JSON `concause/1`.

use concause::count::{Count, Stratum};
use serde::{Deserialize, Serialize};

use super::core_types::{CountFields, StratumFields};

/// Effect sizes of a cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceEntry {
    /// The rows used: the name of an [`EstimatedOn`](super::EstimatedOn).
    pub estimated_on: String,
    /// These rows with and without the cause, by target value.
    #[serde(with = "StratumFields")]
    pub counts: Stratum,
    /// The proportion of target 1 among rows with the cause.
    pub risk_with: EstimateEntry,
    /// The proportion of target 1 among rows without the cause.
    pub risk_without: EstimateEntry,
    /// The difference of the two risks.
    pub risk_difference: EstimateEntry,
    /// The ratio of the two risks.
    pub risk_ratio: EstimateEntry,
    /// The ratio of the odds of target 1 with and without the cause.
    pub odds_ratio: EstimateEntry,
    /// The same effects adjusted for all other causes.
    pub adjusted: AdjustedEntry,
    /// The interaction of the parts of a combined cause; none for a single cause.
    pub interaction: Option<InteractionEntry>,
}

/// An estimate with its 95 % confidence interval, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimateEntry {
    /// The estimate.
    pub value: Option<f64>,
    /// The lower limit of its interval.
    pub low: Option<f64>,
    /// The upper limit of its interval.
    pub high: Option<f64>,
    /// Whether ½ was added to the counts because one of them is 0.
    pub corrected: bool,
    /// Why there is no estimate.
    pub reason: Option<String>,
}

/// Effects pooled over the strata of all other causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdjustedEntry {
    /// The configurations of the other causes that occur.
    pub strata: u64,
    /// Those that contain rows both with and without the cause.
    pub informative_strata: u64,
    /// The rows in the informative strata.
    pub informative_rows: u64,
    /// The pooled risk difference.
    pub risk_difference: EstimateEntry,
    /// The pooled risk ratio.
    pub risk_ratio: EstimateEntry,
    /// The pooled odds ratio.
    pub odds_ratio: EstimateEntry,
}

/// The interaction of the parts of a combined cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InteractionEntry {
    /// The rows by the parts that hold in them.
    pub cells: Vec<InteractionCellEntry>,
    /// The parts that alone lower the risk compared with no part.
    pub preventive: Vec<String>,
    /// The relative excess risk due to interaction.
    pub reri: EstimateEntry,
    /// The proportion of the risk with both parts that is due to interaction.
    pub attributable_proportion: EstimateEntry,
    /// Rothman's synergy index.
    pub synergy_index: EstimateEntry,
    /// The test of sufficient-cause interaction.
    pub sufficient_cause: ContrastEntry,
    /// The same test under the assumption that no part ever prevents the target.
    pub monotone_sufficient_cause: ContrastEntry,
}

/// The rows in which exactly these parts of a combined cause hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InteractionCellEntry {
    /// The parts that hold; the others do not.
    pub held: Vec<String>,
    /// The rows by target value.
    #[serde(with = "CountFields")]
    pub counts: Count,
    /// The proportion of target 1.
    pub risk: EstimateEntry,
}

/// A contrast of risks with the one-sided test that it is positive, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContrastEntry {
    /// The contrast.
    pub value: Option<f64>,
    /// The contrast divided by its standard error.
    pub z: Option<f64>,
    /// The one-sided p-value.
    pub p_value: Option<f64>,
    /// Whether ½ was added to the counts because one of them is 0.
    pub corrected: bool,
    /// Why there is no contrast.
    pub reason: Option<String>,
}
