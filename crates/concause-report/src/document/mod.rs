//! A result as data: the fields of the JSON `concause/1`, in the order in which they are written.
//!
//! These types define the format. A field that is added, renamed or moved here changes what others read, so change
//! `schema/concause-1.json` and `docs/json.md` with it (the tests compare all three). The types know nothing of how a
//! result is assembled (`assembly`) or rendered (the formats).

mod assembly;
mod candidates;
mod model;
mod posterior;
mod trust;
mod warning;

use concause::count::Stratum;
use concause::dataset::Weighting;
use concause::search::LevelSummary;
use concause::stats::TestResult;
use serde::{Deserialize, Serialize};

pub use assembly::DocumentInputs;
pub use candidates::{CandidateEntry, CandidatesSummary, ReasonCount};
pub use model::{EncodingSummary, LiteralEntry, ModelEntry, ModelSummary};
pub(crate) use posterior::POSSIBLE;
pub use posterior::{AttributeEntry, AttributeSetEntry, CutEntry, PosteriorSummary, ScaleEntry, TermEntry};
pub use trust::{
    CalibrationSummary, FrequentNonCause, HeldOut, HoldoutSummary, HoldoutTestEntry, StabilitySummary,
};
pub use warning::{DuplicateEntry, PredictorEntry, RelationEntry, WarningEntry, WarningFacts};

use crate::error::DocumentError;
pub use crate::error::SCHEMA;
pub use crate::measures::{EstimatedOn, Estimation, EvidenceEntry, InteractionCellEntry, InteractionEntry};

/// The result of one search, with everything needed to assess it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The format: [`SCHEMA`].
    pub schema: String,
    /// The version of concause that wrote it.
    pub version: String,
    /// Whether the search was completed; if not, the other fields have the results so far.
    pub complete: bool,
    /// The data searched.
    pub data: DataSummary,
    /// The outcome whose causes were searched for.
    pub target: TargetSummary,
    /// The settings of the search.
    pub settings: SettingsSummary,
    /// The arguments of a command that reproduces this result; empty if no command produced it.
    #[serde(default)]
    pub command: Vec<String>,
    /// The causes by level, then by decreasing strength.
    pub causes: Vec<CauseEntry>,
    /// What happened at each level. The threshold is never `None`, except in results of early versions.
    pub levels: Vec<LevelSummary>,
    /// The posterior over sets of causes; only of the method `joint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub posterior: Option<PosteriorSummary>,
    /// What predicts the risk of further rows; only of the method `joint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSummary>,
    /// The candidates that are not causes, if requested.
    #[serde(default)]
    pub candidates: Option<CandidatesSummary>,
    /// The results of the search in half-samples of the rows, if requested.
    #[serde(default)]
    pub stability: Option<StabilitySummary>,
    /// The results of the search with shuffled outcomes, if requested.
    #[serde(default)]
    pub calibration: Option<CalibrationSummary>,
    /// The rows held out from the search, if any.
    #[serde(default)]
    pub holdout: Option<HoldoutSummary>,
    /// Problems of the data or settings that limit the result, the most serious first.
    #[serde(default)]
    pub warnings: Vec<WarningEntry>,
    /// Remarks on how the data were read, encoded and searched, one sentence each.
    pub notices: Vec<String>,
    /// How long each step took.
    pub timing: Timing,
}

/// The data searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataSummary {
    /// The sources, in the order in which they were read.
    pub sources: Vec<String>,
    /// The rows searched: those with a target value.
    pub rows: u64,
    /// The attributes (raw columns) encoded as at least one column, excluding the target.
    pub attributes: u64,
    /// The binary columns of these attributes.
    pub columns: u64,
    /// A fingerprint of the encoded data; equal data have equal fingerprints.
    pub fingerprint: String,
    /// How the rows are weighted, if they are. All other numbers of rows are then sums of weights.
    #[serde(default)]
    pub weights: Option<Weighting>,
}

/// The outcome whose causes were searched for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetSummary {
    /// The attribute.
    pub name: String,
    /// The value that counts as 1, if the attribute is not binary.
    pub value: Option<String>,
    /// The rows in which the target is 1.
    pub positive: u64,
    /// The rows in which the target is 0.
    pub negative: u64,
}

impl TargetSummary {
    /// The name that people read: `NAME` or `NAME=VALUE`.
    pub fn label(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={value}", self.name),
            None => self.name.clone(),
        }
    }
}

/// The settings of the search, with the names of the command line. A method need not use all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingsSummary {
    /// The preset that the settings started from.
    pub preset: String,
    /// The search method.
    pub method: String,
    /// The test of independence.
    pub test: String,
    /// The significance level for association and separation.
    pub alpha: f64,
    /// How the false discovery rate of association is controlled, if it is.
    #[serde(default)]
    pub fdr: Option<String>,
    /// The significance level of the redundancy test.
    pub redundancy_alpha: f64,
    /// The largest size of a conditioning set.
    pub max_k: u64,
    /// The largest number of columns in a combined cause.
    pub max_level: u64,
    /// Whether conditioning sets may share columns with the candidate.
    pub overlap: String,
    /// How equal and complementary columns are treated.
    #[serde(alias = "twins")]
    pub duplicates: String,
    /// The largest number of candidates per level.
    pub max_candidates: u64,
    /// The largest number of tests that PC-select and the naïve methods may need in the worst case.
    #[serde(default)]
    pub max_tests: u64,
    /// The seed of all random draws.
    pub seed: u64,
    /// Background knowledge about the columns.
    #[serde(default)]
    pub knowledge: KnowledgeSummary,
}

/// Background knowledge: columns by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeSummary {
    /// Columns that come after the target: neither causes nor in conditioning sets.
    pub after: Vec<String>,
    /// Columns that every test adjusts for.
    pub covariates: Vec<String>,
    /// Columns that are not allowed as causes.
    pub forbidden: Vec<String>,
    /// Columns and conjunctions that are causes regardless of the tests.
    pub required: Vec<String>,
}

/// One cause, strictly a parent or child of the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CauseEntry {
    /// The names of the columns joined by `&`.
    pub name: String,
    /// The names of the columns, in data order.
    pub columns: Vec<String>,
    /// What it says of each attribute.
    #[serde(default)]
    pub literals: Vec<String>,
    /// The names of its attributes, in data order.
    #[serde(default)]
    pub attributes: Vec<String>,
    /// The number of attributes.
    pub level: u64,
    /// The statistic of the marginal association with the target: the strength of the cause.
    pub statistic: f64,
    /// The degrees of freedom of that statistic.
    pub df: u32,
    /// The largest p-value over **all** tests of the cause. It does not belong to `statistic`; see `association`.
    pub p_value: f64,
    /// The natural logarithm of that p-value, also where the p-value underflows to 0.
    pub ln_p_value: f64,
    /// The test of association without a conditioning set.
    pub association: TestResult,
    /// The test with the largest p-value.
    pub challenger: Challenger,
    /// The probability that these attributes act jointly; only of the method `joint`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The probability that each of these attributes matters, in this or any other form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matters: Option<f64>,
    /// Whether the attribute matters in a form that is undecided; the cause is the most probable form.
    #[serde(default)]
    pub undecided: bool,
    /// The terms by which its attributes act, the most probable first.
    #[serde(default)]
    pub terms: Vec<TermEntry>,
    /// Where its ordered attributes are cut.
    #[serde(default)]
    pub cuts: Vec<CutEntry>,
    /// Other candidates that hold in the same rows or in exactly the complementary rows.
    pub equivalent: Vec<String>,
    /// The rows with and without the cause, by target value.
    pub counts: Stratum,
    /// The proportion of target 1 among rows with the cause, if there are any.
    pub risk_with: Option<f64>,
    /// The proportion of target 1 among rows without the cause, if there are any.
    pub risk_without: Option<f64>,
    /// The proportion of half-samples with a cause over the same attributes, if there are half-samples.
    #[serde(default)]
    pub stability: Option<f64>,
    /// The test in the rows held out from the search, if there are any.
    #[serde(default, alias = "confirmation")]
    pub holdout_test: Option<HoldoutTestEntry>,
    /// Effect sizes; none if they were not estimated.
    #[serde(default)]
    pub evidence: Option<EvidenceEntry>,
}

impl CauseEntry {
    /// What people read: its name, or that of its attribute if the form is undecided.
    pub(crate) fn label(&self) -> String {
        if self.undecided {
            format!("{} (form undecided)", self.attributes.join("&"))
        } else {
            self.name.clone()
        }
    }
}

/// The test of a cause with the largest p-value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenger {
    /// The names of the candidates in its conditioning set; empty if it is the marginal association.
    pub given: Vec<String>,
    /// The result of the test.
    #[serde(flatten)]
    pub test: TestResult,
}

/// How long each step took, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Reading the sources.
    pub read_seconds: f64,
    /// Encoding them as binary columns.
    pub encode_seconds: f64,
    /// The search.
    pub search_seconds: f64,
    /// Estimating the evidence.
    #[serde(default)]
    pub evidence_seconds: f64,
    /// Repeating the search with half-samples and shuffled outcomes, and testing the causes in held-out rows.
    #[serde(default, alias = "control_seconds")]
    pub resampling_seconds: f64,
}

impl Document {
    /// The document as JSON, terminated by a newline.
    pub fn to_json(&self, pretty: bool) -> String {
        let written = if pretty { serde_json::to_string_pretty(self) } else { serde_json::to_string(self) };
        // Serialisation to a string fails only for maps with keys that are not strings; a document has none.
        let mut json = written.unwrap_or_default();
        json.push('\n');
        json
    }

    /// Reads a document back. Unknown fields are ignored, and fields that were renamed are read by their old names too.
    pub fn from_json(json: &str) -> Result<Document, DocumentError> {
        #[derive(Deserialize)]
        struct Opening {
            #[serde(default)]
            schema: serde_json::Value,
        }
        let json = json.strip_prefix('\u{feff}').unwrap_or(json);
        let opening: Opening = match serde_json::from_str(json) {
            Ok(opening) => opening,
            Err(error) if error.is_data() => return Err(DocumentError::NoSchema),
            Err(error) => return Err(DocumentError::NotJson { message: error.to_string() }),
        };
        match opening.schema.as_str() {
            Some(SCHEMA) => serde_json::from_str(json)
                .map_err(|error| DocumentError::InvalidField { message: error.to_string() }),
            Some(other) => Err(DocumentError::OtherSchema { found: other.to_owned() }),
            None => Err(DocumentError::NoSchema),
        }
    }

    /// Whether rows were drawn at random by their position, so that the result depends on the order of the rows.
    pub(crate) fn draws_rows(&self) -> bool {
        self.stability.is_some() || self.calibration.is_some() || self.holdout.is_some()
    }

    /// The independence tests of all levels.
    pub(crate) fn count_tests(&self) -> u64 {
        self.levels.iter().fold(0, |sum, level| sum.saturating_add(level.tests))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(json: &str) -> String {
        Document::from_json(json).expect_err(json).to_string()
    }

    #[test]
    fn every_unreadable_text_has_its_own_error() {
        assert!(message("").contains("not JSON"));
        assert!(message("{\"schema\": \"concause/1\"").contains("line 1"));
        assert!(message(&"[".repeat(100_000)).contains("not JSON"));
        for other in ["[]", "3", "{}", "{\"schema\": null}", "{\"schema\": 1}"] {
            assert!(message(other).contains("no field \"schema\""), "{other}");
        }
        assert!(message("{\"schema\": \"concause/2\"}").contains("concause/2"));
        assert!(message("{\"schema\": \"concause/1\"}").contains("missing field `version`"));
    }

    #[test]
    fn a_target_label_includes_its_value() {
        let target = |value: Option<&str>| TargetSummary {
            name: "T".into(),
            value: value.map(str::to_owned),
            positive: 0,
            negative: 0,
        };
        assert_eq!((target(None).label(), target(Some("v")).label()), ("T".into(), "T=v".into()));
    }
}
