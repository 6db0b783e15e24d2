//! Background knowledge about the columns.

use concause_io::Source;

use crate::settings::values::parse_file_name;
use crate::settings::{Expected, FromSettings, Setting};

const KNOWLEDGE: &str = "Background knowledge";

/// Background knowledge about the columns. A name is an attribute, which stands for all its columns, or one column;
/// a text may hold several names, separated by commas.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeRequest {
    /// What occurs after the outcome: never a cause, never in a conditioning set.
    pub after: Vec<String>,
    /// What is held fixed in every test, in addition to the conditioning set.
    pub covariates: Vec<String>,
    /// What cannot be a cause or part of one, but may separate other candidates.
    pub forbid: Vec<String>,
    /// Known causes: columns or conjunctions.
    pub require: Vec<String>,
    /// TOML with the temporal order of the attributes.
    pub order: Option<Source>,
}

impl FromSettings for KnowledgeRequest {
    fn settings() -> Vec<Setting<Self>> {
        fn push(list: &mut Vec<String>, text: &str) -> Result<(), Expected> {
            list.push(text.to_owned());
            Ok(())
        }
        let settings = [
            Setting::list(
                "after",
                "NAMES",
                "Attributes or columns that occur after the outcome, comma-separated: never causes, never in a \
                 conditioning set",
                |request: &mut Self, text| push(&mut request.after, text),
            ),
            Setting::list(
                "covariates",
                "NAMES",
                "Attributes or columns held fixed in every test (e.g. age, sex), in addition to the conditioning \
                 set; never causes",
                |request, text| push(&mut request.covariates, text),
            ),
            Setting::list(
                "forbid",
                "NAMES",
                "Attributes or columns that cannot be a cause or part of one; they may still separate other \
                 candidates from the outcome",
                |request, text| push(&mut request.forbid, text),
            ),
            Setting::list(
                "require",
                "NAMES",
                "Known causes, kept regardless of the tests: columns or conjunctions",
                |request, text| push(&mut request.require, text),
            ),
            Setting::value(
                "order",
                "FILE",
                "TOML file with the temporal order, earliest tier first: tiers = [[\"sex\", \"age\"], \
                 [\"smoking\"], [\"sick\"], [\"drug\"]]. Later tiers than that of the outcome occur after it",
                |request, text| parse_file_name(text).map(|file| request.order = Some(file)),
            ),
        ];
        settings.into_iter().map(|setting| setting.group(KNOWLEDGE)).collect()
    }
}
