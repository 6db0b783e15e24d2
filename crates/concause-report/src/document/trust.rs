//! The trust checks of a result: half-samples, shuffled outcomes and held-out rows.

use concause::count::Count;
use concause::dataset::Column;
use concause::evidence::trust::calibration::{Calibration, Yield};
use concause::evidence::trust::holdout::HoldoutTest;
use concause::evidence::trust::stability::Stability;
use concause::search::Findings;
use concause::stats::TestResult;
use serde::{Deserialize, Serialize};

use super::assembly::{candidate_names, finite_test};

/// A non-cause is reported if its attributes were those of a cause in at least this proportion of the half-samples.
const FREQUENT: f64 = 0.5;

/// The largest number of such non-causes that are reported.
const MAX_NON_CAUSES: usize = 10;

/// The results of the search in half-samples of the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StabilitySummary {
    /// The number of half-samples requested.
    #[serde(alias = "asked")]
    pub requested: u64,
    /// The number of half-samples whose search was completed.
    pub samples: u64,
    /// The mean number of causes per half-sample; none without half-samples.
    pub mean_causes: Option<f64>,
    /// Candidates that were causes in at least half of the half-samples but are not causes in all rows: the ten most
    /// frequent.
    pub others: Vec<FrequentNonCause>,
}

/// A candidate that is a cause in many half-samples but not in all rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrequentNonCause {
    /// The names of the columns joined by `&`.
    pub name: String,
    /// The names of the columns, in data order.
    pub columns: Vec<String>,
    /// The proportion of half-samples with a cause over the same attributes.
    pub stability: f64,
}

/// The results of the search with shuffled outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationSummary {
    /// The number of shuffles requested.
    #[serde(alias = "asked")]
    pub requested: u64,
    /// The number of shuffles whose search was completed.
    pub shuffles: u64,
    /// The proportion of shuffles with any cause; none without shuffles.
    pub any: Option<f64>,
    /// The number of causes per shuffle.
    #[serde(default)]
    pub all: Option<Yield>,
    /// The number of single causes per shuffle.
    #[serde(default)]
    pub single: Option<Yield>,
    /// The number of combined causes per shuffle.
    #[serde(default)]
    pub combined: Option<Yield>,
}

/// The rows held out from the search, and the test of each cause in them.
#[derive(Clone, Debug)]
pub struct HeldOut {
    /// The proportion of rows that was requested.
    pub share: f64,
    /// The rows held out.
    pub rows: Count,
    /// One test per cause, in the order of the findings.
    pub tests: Vec<HoldoutTest>,
}

/// The rows held out from the search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldoutSummary {
    /// The proportion of rows that was requested.
    pub share: f64,
    /// The rows held out.
    pub rows: Count,
    /// The number of causes that replicated in them.
    #[serde(alias = "confirmed")]
    pub replicated: u64,
}

/// The test of a cause in rows held out from the search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldoutTestEntry {
    /// The Mantel-Haenszel test, stratified by the other causes; none if no stratum is informative.
    #[serde(default)]
    pub test: Option<TestResult>,
    /// Whether the association has the same direction as in the rows searched.
    pub same_direction: bool,
    /// Whether the p-value is at most alpha and the direction is the same.
    #[serde(alias = "confirmed")]
    pub replicated: bool,
}

impl HoldoutSummary {
    pub(super) fn new(held_out: &HeldOut, alpha: f64) -> Self {
        let replicated = held_out.tests.iter().filter(|test| test.is_replicated(alpha)).count();
        HoldoutSummary { share: held_out.share, rows: held_out.rows, replicated: replicated as u64 }
    }
}

impl HoldoutTestEntry {
    pub(super) fn new(found: &HoldoutTest, alpha: f64) -> Self {
        HoldoutTestEntry {
            test: found.result.as_ref().map(finite_test),
            same_direction: found.same_direction,
            replicated: found.is_replicated(alpha),
        }
    }
}

impl StabilitySummary {
    pub(super) fn new(stability: &Stability, findings: &Findings, columns: &[Column]) -> Self {
        let others = stability.others(findings, columns, FREQUENT).into_iter().take(MAX_NON_CAUSES);
        StabilitySummary {
            requested: stability.requested as u64,
            samples: stability.samples as u64,
            mean_causes: stability.mean_causes(),
            others: others
                .map(|(candidate, stability)| FrequentNonCause {
                    name: candidate.name(columns),
                    columns: candidate_names(&candidate.singles(), columns),
                    stability,
                })
                .collect(),
        }
    }
}

impl CalibrationSummary {
    pub(super) fn new(calibration: &Calibration) -> Self {
        CalibrationSummary {
            requested: calibration.requested as u64,
            shuffles: calibration.found.len() as u64,
            any: calibration.any(),
            all: calibration.total(),
            single: calibration.single(),
            combined: calibration.combined(),
        }
    }
}
