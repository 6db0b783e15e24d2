//! How far a result is to be trusted, as it is told.

use concause::count::Count;
use concause::dataset::Column;
use concause::evidence::calibration::{Calibration, Yield};
use concause::evidence::confirmation::Confirmation;
use concause::evidence::stability::Stability;
use concause::search::Findings;
use serde::{Deserialize, Serialize};

use super::assembly::{figures, names};
use super::estimation::classes;
use super::{ClassCounts, Figures};

/// The share of half-samples from which on something that is no cause is told.
const OFTEN: f64 = 0.5;

/// The most of them that are told.
const MOST_OTHERS: usize = 10;

/// What was found in half-samples of the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StabilitySummary {
    /// The half-samples asked for.
    pub asked: u64,
    /// Those searched to the end.
    pub samples: u64,
    /// The mean number of causes in a half-sample; none if there are no half-samples.
    pub mean_causes: Option<f64>,
    /// What was a cause in at least half of the half-samples, but is none here: the ten most frequent.
    pub others: Vec<Other>,
}

/// A cause in many half-samples that is none in all rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Other {
    /// The columns' names joined by `&`.
    pub name: String,
    /// The names of its columns, in data order.
    pub columns: Vec<String>,
    /// The share of half-samples in which it was a cause.
    pub stability: f64,
}

/// What was found with shuffled outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationSummary {
    /// The shuffles asked for.
    pub asked: u64,
    /// Those searched to the end.
    pub shuffles: u64,
    /// The share of shuffles that gave any cause; none if there are no shuffles.
    pub any: Option<f64>,
    /// The causes of a shuffle.
    pub all: Option<YieldSummary>,
    /// The single causes of a shuffle.
    pub single: Option<YieldSummary>,
    /// The combined causes of a shuffle.
    pub combined: Option<YieldSummary>,
}

/// How many causes of a kind the shuffles gave.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct YieldSummary {
    /// On average.
    pub mean: f64,
    /// At most.
    pub most: u64,
}

/// Rows that the search did not see, and how the causes fared in them.
#[derive(Clone, Debug)]
pub struct HeldOut {
    /// The share of the rows that was asked for.
    pub share: f64,
    /// These rows.
    pub rows: Count,
    /// How each cause fared, in the order of the findings.
    pub confirmations: Vec<Confirmation>,
}

/// Rows that the search did not see.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldoutSummary {
    /// The share of the rows that was asked for.
    pub share: f64,
    /// These rows.
    pub rows: ClassCounts,
    /// The causes that hold up in them.
    pub confirmed: u64,
}

/// How a cause fared in rows that the search did not see.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfirmationEntry {
    /// The test of Mantel and Haenszel where the other causes are held fixed; none if there is nothing to compare.
    pub test: Option<Figures>,
    /// Whether its association has the same direction there as in the rows searched.
    pub same_direction: bool,
    /// Whether the p-value is at most alpha and the direction is the same.
    pub confirmed: bool,
}

impl HoldoutSummary {
    pub(super) fn new(held_out: &HeldOut, alpha: f64) -> Self {
        let confirmed = held_out.confirmations.iter().filter(|found| found.is_confirmed(alpha)).count();
        HoldoutSummary { share: held_out.share, rows: classes(held_out.rows), confirmed: confirmed as u64 }
    }
}

impl ConfirmationEntry {
    pub(super) fn new(found: &Confirmation, alpha: f64) -> Self {
        ConfirmationEntry {
            test: found.tested.as_ref().map(figures),
            same_direction: found.same_direction,
            confirmed: found.is_confirmed(alpha),
        }
    }
}

impl StabilitySummary {
    pub(super) fn new(stability: &Stability, findings: &Findings, columns: &[Column]) -> Self {
        let others = stability.others(findings, OFTEN).into_iter().take(MOST_OTHERS);
        StabilitySummary {
            asked: stability.asked as u64,
            samples: stability.samples as u64,
            mean_causes: stability.mean_causes(),
            others: others
                .map(|(candidate, stability)| Other {
                    name: candidate.name(columns),
                    columns: names(&candidate.singles(), columns),
                    stability,
                })
                .collect(),
        }
    }
}

impl CalibrationSummary {
    pub(super) fn new(calibration: &Calibration) -> Self {
        let summary = |found: Yield| YieldSummary { mean: found.mean, most: found.most };
        CalibrationSummary {
            asked: calibration.asked as u64,
            shuffles: calibration.found.len() as u64,
            any: calibration.any(),
            all: calibration.all().map(summary),
            single: calibration.single().map(summary),
            combined: calibration.combined().map(summary),
        }
    }
}
