//! How far a result is to be trusted, as it is told.

use concause::dataset::Column;
use concause::evidence::calibration::{Calibration, Yield};
use concause::evidence::stability::Stability;
use concause::search::Findings;
use serde::{Deserialize, Serialize};

use super::assembly::names;

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
