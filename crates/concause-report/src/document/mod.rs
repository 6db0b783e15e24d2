//! A result as it is told: the fields of the JSON `concause/1`, in the order in which they are written.
//!
//! The types below *are* that format: a field that is added, renamed or moved here changes what others read, so
//! change `schema/concause-1.json` and `docs/json.md` with it (the tests compare all three). They know nothing of
//! how they are made (`assembly`) or shown (the formats).

mod assembly;
mod candidates;
mod control;
mod estimation;
mod evidence;
mod warning;

use serde::{Deserialize, Serialize};

pub use assembly::Run;
pub use candidates::{CandidateEntry, CandidatesSummary, ReasonCount};
pub use control::{
    CalibrationSummary, ConfirmationEntry, HeldOut, HoldoutSummary, Other, StabilitySummary, YieldSummary,
};
pub use estimation::{EstimatedOn, Estimation};
pub use evidence::{AdjustedEntry, CellEntry, ContrastEntry, EstimateEntry, EvidenceEntry, InteractionEntry};
pub use warning::{DeciderEntry, DuplicateEntry, Facts, RelationEntry, WarningEntry};

use crate::error::Error;

/// The name and version of the format, the first field of every document.
pub const SCHEMA: &str = "concause/1";

/// The result of one search, with all that is needed to judge it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The format: [`SCHEMA`].
    pub schema: String,
    /// The version of concause that wrote it.
    pub version: String,
    /// Whether the search was run to its end; if not, only finished levels are reported.
    pub complete: bool,
    /// The data searched.
    pub data: Data,
    /// The outcome whose causes were sought.
    pub target: TargetSummary,
    /// What the search was told.
    pub settings: SettingsSummary,
    /// The words of a command that gives this result again; none if it was not made by a command.
    #[serde(default)]
    pub command: Vec<String>,
    /// The causes: by level, then the strongest first.
    pub causes: Vec<CauseEntry>,
    /// What happened at each level.
    pub levels: Vec<LevelEntry>,
    /// The candidates that are no causes, if these were asked for.
    #[serde(default)]
    pub candidates: Option<CandidatesSummary>,
    /// What was found in half-samples of the rows, if that was asked for.
    #[serde(default)]
    pub stability: Option<StabilitySummary>,
    /// What was found with shuffled outcomes, if that was asked for.
    #[serde(default)]
    pub calibration: Option<CalibrationSummary>,
    /// The rows that the search did not see, if any were held out.
    #[serde(default)]
    pub holdout: Option<HoldoutSummary>,
    /// What to know before relying on the result, the gravest first.
    #[serde(default)]
    pub warnings: Vec<WarningEntry>,
    /// What a reader should know about how the data was read, encoded and searched, one sentence each.
    pub notices: Vec<String>,
    /// How long it took.
    pub timing: Timing,
}

/// The data searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Data {
    /// Where it came from, in the order of reading.
    pub sources: Vec<String>,
    /// The rows searched, which are those with a target value.
    pub rows: u64,
    /// The attributes (raw columns) that gave at least one column, without the target.
    pub attributes: u64,
    /// The binary columns they were encoded as.
    pub columns: u64,
    /// A fingerprint of the encoded data: the same data has the same.
    pub fingerprint: String,
    /// What the weights of the rows came to, if they have any.
    #[serde(default)]
    pub weights: Option<WeightsSummary>,
}

/// What the weights of the rows came to: every number of rows elsewhere is of the rows that these stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightsSummary {
    /// The attribute that holds them.
    pub attribute: String,
    /// The rows of the table.
    pub rows_read: u64,
    /// Those left out because their weight is 0.
    pub rows_left_out: u64,
    /// The rows that the others stand for.
    pub total: u64,
}

/// The outcome whose causes were sought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetSummary {
    /// The attribute.
    pub name: String,
    /// The value that counts as 1, where the attribute is not binary by itself.
    pub value: Option<String>,
    /// The rows in which the target is 1.
    pub positive: u64,
    /// The rows in which it is 0.
    pub negative: u64,
}

impl TargetSummary {
    /// The name people read: `NAME` or `NAME=VALUE`.
    pub fn label(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={value}", self.name),
            None => self.name.clone(),
        }
    }
}

/// What the search was told, by the names on the command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingsSummary {
    /// The preset the settings began from.
    pub preset: String,
    /// The way to search.
    pub method: String,
    /// The test of independence.
    pub test: String,
    /// The significance level of association and separation.
    pub alpha: f64,
    /// How the false discovery rate of association is controlled, if it is.
    #[serde(default)]
    pub fdr: Option<String>,
    /// The significance level of the redundancy test.
    pub redundancy_alpha: f64,
    /// The largest conditioning set.
    pub max_k: u64,
    /// The largest number of columns in a combined cause.
    pub max_level: u64,
    /// Whether conditioning sets may share columns with the candidate.
    pub overlap: String,
    /// What becomes of equal and complementary columns.
    pub twins: String,
    /// The most candidates a level may have.
    pub max_candidates: u64,
    /// The most tests that PC-select and the naïve methods may need at worst.
    #[serde(default)]
    pub max_tests: u64,
    /// The seed of everything drawn at random.
    pub seed: u64,
    /// What was known of the columns before the search.
    #[serde(default)]
    pub knowledge: KnowledgeSummary,
}

/// What was known of the columns, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeSummary {
    /// Columns after the target: never causes, never in a conditioning set.
    pub after: Vec<String>,
    /// Columns held fixed in every test.
    pub covariates: Vec<String>,
    /// Columns that were not allowed as causes.
    pub forbidden: Vec<String>,
    /// Columns and conjunctions that were taken as causes whatever the tests say.
    pub required: Vec<String>,
}

/// One cause, strictly a parent or child of the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CauseEntry {
    /// The columns' names joined by `&`.
    pub name: String,
    /// The names of its columns, in data order.
    pub columns: Vec<String>,
    /// The number of its columns.
    pub level: u64,
    /// The statistic of its plain association with the target: its strength.
    pub statistic: f64,
    /// The degrees of freedom of that statistic.
    pub df: u32,
    /// The largest p-value over **all** its tests; not that of `statistic`, which is in `association`.
    pub p_value: f64,
    /// The natural logarithm of that p-value, also where that underflows to 0.
    pub ln_p_value: f64,
    /// The test of its association without a conditioning set.
    pub association: Figures,
    /// The test that gave the largest p-value: what came nearest to explaining the cause away.
    pub challenger: Challenger,
    /// Other candidates that hold in the same rows, or in exactly the others.
    pub equivalent: Vec<String>,
    /// The rows with and without it, by target.
    pub counts: Counts,
    /// The share of target 1 among the rows with it, if there are any.
    pub risk_with: Option<f64>,
    /// The share of target 1 among the rows without it, if there are any.
    pub risk_without: Option<f64>,
    /// The share of half-samples in which it was a cause too, if there were any.
    #[serde(default)]
    pub stability: Option<f64>,
    /// How it fared in the rows that the search did not see, if any were held out.
    #[serde(default)]
    pub confirmation: Option<ConfirmationEntry>,
    /// What the data says of it beside the tests; none if that was not estimated.
    #[serde(default)]
    pub evidence: Option<EvidenceEntry>,
}

/// The figures of one test of independence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The value of the statistic.
    pub statistic: f64,
    /// Its degrees of freedom.
    pub df: u32,
    /// Its p-value; 0 where it underflows.
    pub p_value: f64,
    /// The natural logarithm of the p-value, also where that underflows.
    pub ln_p_value: f64,
}

/// The test of a cause with the largest p-value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenger {
    /// The names of the candidates in its conditioning set; none if it was the plain association.
    pub given: Vec<String>,
    /// What the test gave.
    #[serde(flatten)]
    pub figures: Figures,
}

/// The rows with and without a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// The rows in which it holds.
    pub with: ClassCounts,
    /// The rows in which it does not.
    pub without: ClassCounts,
}

/// Rows by target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassCounts {
    /// Rows with target 1.
    pub positive: u64,
    /// Rows with target 0.
    pub negative: u64,
}

/// What happened at one level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelEntry {
    /// The number of columns in a candidate of this level.
    pub level: u64,
    /// The candidates considered.
    pub candidates: u64,
    /// Those left out as redundant, constants among them.
    pub redundant: u64,
    /// Those left that are associated with the target.
    pub associated: u64,
    /// The largest p-value that counts as associated: alpha, or less to keep the false discovery rate.
    #[serde(default)]
    pub threshold: Option<f64>,
    /// Those left at the end.
    pub causes: u64,
    /// The independence tests made.
    pub tests: u64,
    /// The tests that could not tell.
    pub not_testable: u64,
}

/// How long each part took, in seconds.
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
    /// The searches of half-samples and of shuffled outcomes.
    #[serde(default)]
    pub control_seconds: f64,
}

impl Document {
    /// The document as JSON, ended by a newline.
    pub fn to_json(&self, pretty: bool) -> String {
        let written = if pretty { serde_json::to_string_pretty(self) } else { serde_json::to_string(self) };
        // Writing into a string fails only for maps whose keys are not strings, which a document has not.
        let mut json = written.unwrap_or_default();
        json.push('\n');
        json
    }

    /// Reads a document back. Fields it does not know are passed over, as the promise on versions asks.
    pub fn from_json(json: &str) -> Result<Document, Error> {
        #[derive(Deserialize)]
        struct Opening {
            #[serde(default)]
            schema: serde_json::Value,
        }
        let json = json.strip_prefix('\u{feff}').unwrap_or(json);
        let opening: Opening = match serde_json::from_str(json) {
            Ok(opening) => opening,
            Err(error) if error.is_data() => return Err(Error::not_a_result()),
            Err(error) => return Err(Error::not_json(&error)),
        };
        match opening.schema.as_str() {
            Some(SCHEMA) => serde_json::from_str(json).map_err(|error| Error::damaged(&error)),
            Some(other) => Err(Error::other_schema(other)),
            None => Err(Error::not_a_result()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(json: &str) -> String {
        Document::from_json(json).expect_err(json).to_string()
    }

    #[test]
    fn what_is_not_a_result_is_told_apart() {
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
    fn a_target_is_named_with_its_value() {
        let target = |value: Option<&str>| TargetSummary {
            name: "T".into(),
            value: value.map(str::to_owned),
            positive: 0,
            negative: 0,
        };
        assert_eq!((target(None).label(), target(Some("v")).label()), ("T".into(), "T=v".into()));
    }
}
