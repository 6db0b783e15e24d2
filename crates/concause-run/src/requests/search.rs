//! How to search.

use std::time::Duration;

use concause::search::{Duplicates, Method, Overlap, Preset, Settings};
use concause::stats::{FalseDiscovery, Test};
use concause_io::Scheme;

use super::data::DataRequest;
use super::knowledge::KnowledgeRequest;
use super::trust::TRUST;
use crate::error::keyword_name as field_name;
use crate::settings::values::{
    choose, names_of, parse_count, parse_duration, parse_probability, parse_whole_number,
};
use crate::settings::{Expected, FromSettings, Setting};

pub(super) const SEARCH: &str = "Search";

/// How to search, with any method. What is absent is as the preset has it.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// The settings to start from.
    pub preset: Preset,
    /// The independence test.
    pub test: Option<Test>,
    /// The significance level of association and separation tests.
    pub alpha: Option<f64>,
    /// How the false discovery rate of association is controlled.
    pub fdr: Option<FalseDiscovery>,
    /// The significance level of the redundancy test.
    pub redundancy_alpha: Option<f64>,
    /// The maximum size of a conditioning set.
    pub max_k: Option<usize>,
    /// The maximum number of columns in a combined cause.
    pub max_level: Option<usize>,
    /// Whether a conditioning set may share a column with the candidate.
    pub overlap: Option<Overlap>,
    /// How identical and complementary columns are treated.
    pub duplicates: Option<Duplicates>,
    /// The maximum number of candidates per level.
    pub max_candidates: Option<u64>,
    /// The maximum number of tests of PC-select and the naïve methods.
    pub max_tests: Option<u64>,
    /// The seed of the random numbers.
    pub seed: Option<u64>,
    /// The time after which the search stops.
    pub time_limit: Option<Duration>,
    /// Background knowledge about the columns.
    pub knowledge: KnowledgeRequest,
}

impl SearchRequest {
    /// The settings of the preset with all overrides.
    pub fn resolve_settings(&self, method: Option<Method>) -> Settings {
        let preset = self.preset.settings();
        let method = method.unwrap_or(preset.method);
        Settings {
            method,
            test: self.test.unwrap_or(preset.test),
            alpha: self.alpha.unwrap_or(preset.alpha),
            fdr: self.fdr.or(preset.fdr),
            redundancy_alpha: self.redundancy_alpha.unwrap_or(preset.redundancy_alpha),
            max_k: self.max_k.unwrap_or(preset.max_k),
            max_level: self.max_level.unwrap_or(preset.max_level),
            overlap: self.overlap.unwrap_or(preset.overlap),
            duplicates: self.duplicates.unwrap_or(preset.duplicates),
            max_candidates: self.max_candidates.unwrap_or(preset.max_candidates),
            max_tests: self.max_tests.unwrap_or(method.descriptor().max_tests),
            seed: self.seed.unwrap_or(preset.seed),
            ..preset
        }
    }

    /// How to read and encode the table: as requested, with the columns of the preset.
    pub fn resolve_data(&self, data: &DataRequest) -> DataRequest {
        let of_preset = match self.preset {
            Preset::Default => Scheme::Attributes,
            Preset::Paper | Preset::PaperTable => Scheme::Values,
        };
        DataRequest { columns: data.columns.or(Some(of_preset)), ..data.clone() }
    }

    /// The names of the overrides that have no effect with a method.
    pub fn ignored_settings(&self, method: Option<Method>) -> Vec<&'static str> {
        let method = method.unwrap_or(self.preset.settings().method);
        let overrides = [
            ("test", self.test.is_some()),
            ("alpha", self.alpha.is_some()),
            ("fdr", self.fdr.is_some()),
            ("redundancy-alpha", self.redundancy_alpha.is_some()),
            ("max-k", self.max_k.is_some()),
            ("max-level", self.max_level.is_some()),
            ("overlap", self.overlap.is_some()),
            ("duplicates", self.duplicates.is_some()),
            ("max-candidates", self.max_candidates.is_some()),
            ("max-tests", self.max_tests.is_some()),
        ];
        let is_honoured = |name: &str| method.descriptor().honours(&field_name(name));
        let ignored = overrides.into_iter().filter(|(name, given)| *given && !is_honoured(name));
        ignored.map(|(name, _)| name).collect()
    }
}

/// Reads the name of a method.
pub(super) fn parse_method(text: &str) -> Result<Method, Expected> {
    choose(text, Method::ALL, Method::name)
}

/// Reads the name of a test.
pub(super) fn parse_test(text: &str) -> Result<Test, Expected> {
    choose(text, Test::ALL, Test::name)
}

/// Every method with its line of help.
fn describe_methods() -> String {
    let described = Method::ALL.iter().map(|method| {
        let descriptor = method.descriptor();
        format!("{} ({})", descriptor.name, descriptor.help)
    });
    described.collect::<Vec<_>>().join("; ")
}

/// The help of a setting that selects a test of independence.
pub(super) fn test_help() -> String {
    let described = Test::ALL.iter().map(|test| {
        let descriptor = test.descriptor();
        format!("{} ({})", descriptor.name, descriptor.help)
    });
    format!("Independence test: {}", described.collect::<Vec<_>>().join("; "))
}

/// The setting `method`.
pub(super) fn method_setting<R: 'static>(apply: fn(&mut R, &str) -> Result<(), Expected>) -> Setting<R> {
    Setting::value(
        "method",
        "NAME",
        format!("Search method: {} [default: joint; paper presets: mh-pc-b]", describe_methods()),
        apply,
    )
    .choices(names_of(Method::ALL, Method::name))
    .group(SEARCH)
}

/// The setting `holdout`.
pub(super) fn holdout_setting<R: 'static>(apply: fn(&mut R, &str) -> Result<(), Expected>) -> Setting<R> {
    Setting::value(
        "holdout",
        "SHARE",
        "Hold out this share of the rows, e.g. 0.3, drawn at random: the search does not use them; effects are \
         estimated and every cause is tested again in them",
        apply,
    )
    .group(TRUST)
}

const OVERLAPS: [Overlap; 2] = [Overlap::Allow, Overlap::Skip];
const DUPLICATES: [Duplicates; 2] = [Duplicates::Merge, Duplicates::Ordinary];

impl FromSettings for SearchRequest {
    fn settings() -> Vec<Setting<Self>> {
        let mut settings = test_settings();
        settings.extend(limit_settings());
        let mut settings: Vec<Setting<Self>> =
            settings.into_iter().map(|setting| setting.group(SEARCH)).collect();
        settings.extend(
            KnowledgeRequest::settings()
                .into_iter()
                .map(|setting| setting.project(|request: &mut Self| &mut request.knowledge)),
        );
        settings
    }
}

/// The preset, and what is tested.
fn test_settings() -> Vec<Setting<SearchRequest>> {
    vec![
        Setting::value(
            "preset",
            "NAME",
            "Predefined settings: default, paper (the algorithms of the paper) or paper-table (reproduces the \
             paper's results on real data)",
            |request: &mut SearchRequest, text| {
                choose(text, &Preset::ALL, Preset::name).map(|preset| request.preset = preset)
            },
        )
        .choices(Preset::ALL.map(Preset::name).to_vec())
        .default("default"),
        Setting::value(
            "test",
            "TEST",
            format!("{} [default: g2]", test_help()),
            |request: &mut SearchRequest, text| parse_test(text).map(|test| request.test = Some(test)),
        )
        .choices(names_of(Test::ALL, Test::name)),
        Setting::value(
            "alpha",
            "P",
            "Significance level of association and separation tests [default: 0.05]",
            |request: &mut SearchRequest, text| parse_probability(text).map(|alpha| request.alpha = Some(alpha)),
        ),
        Setting::value(
            "fdr",
            "HOW",
            "Control the false discovery rate of association at alpha over the candidates of each level: bh \
             (Benjamini-Hochberg) or by (Benjamini-Yekutieli, for any dependence) [default: no control]",
            |request: &mut SearchRequest, text| {
                choose(text, &FalseDiscovery::ALL, FalseDiscovery::name).map(|fdr| request.fdr = Some(fdr))
            },
        )
        .choices(FalseDiscovery::ALL.map(FalseDiscovery::name).to_vec()),
        Setting::value(
            "redundancy-alpha",
            "P",
            "Significance level of the redundancy test [default: 0.01]",
            |request: &mut SearchRequest, text| parse_probability(text).map(|alpha| request.redundancy_alpha = Some(alpha)),
        )
        .advanced(),
        Setting::value(
            "max-k",
            "K",
            "Maximum size of a conditioning set [default: 3; paper-table: 2]",
            |request: &mut SearchRequest, text| parse_count(text).map(|max_k| request.max_k = Some(max_k)),
        ),
        Setting::value(
            "max-level",
            "LEVEL",
            "Maximum number of columns in a combined cause [default: 2]",
            |request: &mut SearchRequest, text| parse_count(text).map(|max_level| request.max_level = Some(max_level)),
        ),
        Setting::value(
            "overlap",
            "HOW",
            "Whether a conditioning set may share a column with the candidate: allow or skip [default: allow; \
             paper-table: skip]",
            |request: &mut SearchRequest, text| {
                choose(text, &OVERLAPS, Overlap::name).map(|overlap| request.overlap = Some(overlap))
            },
        )
        .choices(OVERLAPS.map(Overlap::name).to_vec())
        .advanced(),
        Setting::value(
            "duplicates",
            "HOW",
            "Treatment of identical and complementary columns: merge (the first represents all) or ordinary (each \
             is a column of its own) [default: merge; paper presets: ordinary]",
            |request: &mut SearchRequest, text| choose(text, &DUPLICATES, Duplicates::name).map(|how| request.duplicates = Some(how)),
        )
        .alias("twins")
        .choices(DUPLICATES.map(Duplicates::name).to_vec())
        .advanced(),
    ]
}

/// The limits of the search, and its seed.
fn limit_settings() -> Vec<Setting<SearchRequest>> {
    vec![
        Setting::value(
            "max-candidates",
            "N",
            "Maximum number of candidates per level [default: 1000000000]",
            |request: &mut SearchRequest, text| {
                parse_whole_number(text).map(|most| request.max_candidates = Some(most))
            },
        )
        .advanced(),
        Setting::value(
            "max-tests",
            "N",
            "Maximum number of tests that pc-select, naive-h and naive-s may need; larger searches are rejected up \
             front [default: 100000000000 for pc-select and naive-s, 10000000000000 for naive-h]",
            |request: &mut SearchRequest, text| parse_whole_number(text).map(|most| request.max_tests = Some(most)),
        )
        .advanced(),
        Setting::value(
            "seed",
            "N",
            "Seed of the random numbers for matched pairs (cr-cs), half-samples, shuffled outcomes and held-out \
             rows [default: 1]",
            |request: &mut SearchRequest, text| parse_whole_number(text).map(|seed| request.seed = Some(seed)),
        ),
        Setting::value(
            "time-limit",
            "TIME",
            "Stop the search after this time, e.g. 90s, 10m or 2h, and report the results so far",
            |request: &mut SearchRequest, text| parse_duration(text).map(|limit| request.time_limit = Some(limit)),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_in_the_help_are_the_presets() {
        let settings = Preset::Default.settings();
        assert_eq!((settings.alpha, settings.redundancy_alpha), (0.05, 0.01));
        assert_eq!((settings.max_k, settings.max_level, settings.seed), (3, 2, 1));
        assert_eq!(
            (settings.method, settings.overlap, settings.duplicates),
            (Method::JOINT, Overlap::Allow, Duplicates::Merge)
        );
        assert_eq!((settings.max_candidates, settings.max_tests), (1_000_000_000, 10_000_000_000_000));
        let max_tests = |method: Method| method.descriptor().max_tests;
        assert_eq!(max_tests(Method::NAIVE_H), 10_000_000_000_000);
        assert_eq!([Method::PC_SELECT, Method::NAIVE_S].map(max_tests), [100_000_000_000; 2]);
        let table = Preset::PaperTable.settings();
        assert_eq!((table.method, Preset::Paper.settings().method), (Method::MH_PC_B, Method::MH_PC_B));
        assert_eq!((table.max_k, table.overlap, table.duplicates), (2, Overlap::Skip, Duplicates::Ordinary));
    }

    #[test]
    fn overrides_without_effect_are_named() {
        let request = SearchRequest {
            redundancy_alpha: Some(0.02),
            max_tests: Some(10),
            alpha: Some(0.01),
            ..SearchRequest::default()
        };
        assert_eq!(request.ignored_settings(None), ["alpha", "redundancy-alpha", "max-tests"]);
        assert_eq!(request.ignored_settings(Some(Method::MH_PC_F)), ["max-tests"]);
        assert_eq!(request.ignored_settings(Some(Method::NAIVE_S)), ["redundancy-alpha"]);
    }

    #[test]
    fn every_honoured_setting_is_a_setting() {
        let settings = SearchRequest::settings();
        for name in Method::ALL.iter().flat_map(|method| method.descriptor().settings) {
            assert!(settings.iter().any(|setting| field_name(setting.name) == *name), "{name}");
        }
    }
}
