//! How types of the core are written in the JSON. Serde compares these definitions with the core's when they are
//! compiled, so that a document holds the core's own values and no copies of them.

use concause::count::{Count, Stratum};
use concause::dataset::Weighting;
use concause::evidence::trust::calibration::Yield;
use concause::search::LevelSummary;
use concause::stats::TestResult;
use serde::{Deserialize, Serialize};

/// Rows by target value.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Count")]
pub(super) struct CountFields {
    /// Rows with target 1.
    positive: u64,
    /// Rows with target 0.
    negative: u64,
}

/// Rows with and without a cause, by target value.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Stratum")]
pub(super) struct StratumFields {
    #[serde(with = "CountFields")]
    with: Count,
    #[serde(with = "CountFields")]
    without: Count,
}

/// One test of independence.
#[derive(Serialize, Deserialize)]
#[serde(remote = "TestResult")]
pub(super) struct TestFields {
    statistic: f64,
    /// 0 if the p-value is exact.
    df: u32,
    /// 0 where it underflows.
    p_value: f64,
    /// The natural logarithm of the p-value, also where that underflows.
    #[serde(rename = "ln_p_value")]
    ln_p: f64,
}

/// The counts of one level of the search.
#[derive(Serialize, Deserialize)]
#[serde(remote = "LevelSummary")]
pub(super) struct LevelFields {
    level: usize,
    candidates: u64,
    redundant: u64,
    associated: u64,
    #[serde(default)]
    threshold: Option<f64>,
    causes: u64,
    tests: u64,
    not_testable: u64,
}

/// How many causes the shuffled outcomes gave.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Yield")]
pub(super) struct YieldFields {
    mean: f64,
    #[serde(rename = "max", alias = "most")]
    most: u64,
}

/// How rows are weighted.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Weighting")]
pub(super) struct WeightingFields {
    attribute: String,
    rows_read: u64,
    rows_left_out: u64,
    total: u64,
}

/// Serde's `with` is for a value itself; the modules made here are for an optional value.
macro_rules! optional {
    ($module:ident, $fields:literal, $value:ty) => {
        pub(super) mod $module {
            use serde::{Deserializer, Serializer};

            use super::*;

            #[derive(Serialize)]
            struct Serialised<'a>(#[serde(with = $fields)] &'a $value);

            #[derive(Deserialize)]
            struct Read(#[serde(with = $fields)] $value);

            pub fn serialize<S: Serializer>(
                value: &Option<$value>,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                value.as_ref().map(Serialised).serialize(serializer)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Option<$value>, D::Error> {
                Ok(Option::<Read>::deserialize(deserializer)?.map(|read| read.0))
            }
        }
    };
}

optional!(optional_test, "TestFields", TestResult);
optional!(optional_weighting, "WeightingFields", Weighting);
optional!(optional_yield, "YieldFields", Yield);

/// The JSON object of a weighting, as in a document.
pub fn weighting_json(weighting: &Weighting) -> serde_json::Value {
    let written = WeightingFields::serialize(weighting, serde_json::value::Serializer);
    // An object of strings and numbers can always be represented.
    written.unwrap_or_default()
}

/// The same for a list of levels.
pub(super) mod levels {
    use serde::{Deserializer, Serializer};

    use super::*;

    #[derive(Serialize)]
    struct Serialised<'a>(#[serde(with = "LevelFields")] &'a LevelSummary);

    #[derive(Deserialize)]
    struct Read(#[serde(with = "LevelFields")] LevelSummary);

    pub fn serialize<S: Serializer>(levels: &[LevelSummary], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(levels.iter().map(Serialised))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<LevelSummary>, D::Error> {
        Ok(Vec::<Read>::deserialize(deserializer)?.into_iter().map(|read| read.0).collect())
    }
}
