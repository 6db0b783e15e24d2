//! The flags that say how to search.

use std::time::Duration;

use clap::Args;
use concause::independence::{FalseDiscovery, Test};
use concause::search::{Method, Overlap, Preset, Settings, Twins};

use super::control::TRUST;
use super::knowledge::KnowledgeArguments;
use super::values::{duration, fdr, method, overlap, parse, preset, probability, twins};

pub(super) const SEARCH: &str = "Search";

/// How to search, by one method.
#[derive(Clone, Debug, Args)]
pub struct SearchArguments {
    /// The way to search: mh-pc-x (finds conjunctions also where their parts are associated with the target); the
    /// paper's mh-pc-f and mh-pc-b (f is the quicker for thousands of columns) and hiton-pc (single causes only); or, to
    /// compare with, pc-select (single causes only), naive-h and naive-s (HITON-PC and PC-select over
    /// all conjunctions as if they were columns), cr-pa and cr-cs (causal rules by partial association and by matched
    /// pairs) [default: mh-pc-x; with the presets of the paper mh-pc-b]
    #[arg(long, value_name = "NAME", value_parser = method, help_heading = SEARCH)]
    pub method: Option<Method>,
    /// Keep this share of the rows from the search, e.g. 0.3, drawn at random: effects are estimated in them, and every
    /// cause is tested in them once more
    #[arg(long, value_name = "SHARE", value_parser = probability, help_heading = TRUST)]
    pub holdout: Option<f64>,
    /// All but the method.
    #[command(flatten)]
    pub flags: SearchFlags,
}

/// How to search, by whatever method.
#[derive(Clone, Debug, Args)]
pub struct SearchFlags {
    /// Settings that belong together: default, paper (the paper's listings) or paper-table (what gives the
    /// numbers of the paper's table of real data)
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = preset, help_heading = SEARCH)]
    pub preset: Preset,
    /// The test of independence: g2, x2, g2-adjusted, x2-adjusted or exact [default: g2]
    #[arg(long, value_name = "TEST", value_parser = parse::<Test>, help_heading = SEARCH)]
    pub test: Option<Test>,
    /// The significance level of association and separation [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability, help_heading = SEARCH)]
    pub alpha: Option<f64>,
    /// Keep the false discovery rate of association at alpha over all candidates of a level: bh (Benjamini-Hochberg)
    /// or by (Benjamini-Yekutieli, for any dependence) [default: each candidate is tested at alpha by itself]
    #[arg(long, value_name = "HOW", value_parser = fdr, help_heading = SEARCH)]
    pub fdr: Option<FalseDiscovery>,
    /// The significance level of the redundancy test [default: 0.01]
    #[arg(long, hide_short_help = true, value_name = "P", value_parser = probability, help_heading = SEARCH)]
    pub redundancy_alpha: Option<f64>,
    /// The largest conditioning set [default: 3; paper-table: 2]
    #[arg(long, value_name = "K", help_heading = SEARCH)]
    pub max_k: Option<usize>,
    /// The most columns in a combined cause [default: 2]
    #[arg(long, value_name = "LEVEL", help_heading = SEARCH)]
    pub max_level: Option<usize>,
    /// Whether a conditioning set may share a column with the candidate: allow or skip [default: allow;
    /// paper-table: skip]
    #[arg(long, hide_short_help = true, value_name = "HOW", value_parser = overlap, help_heading = SEARCH)]
    pub overlap: Option<Overlap>,
    /// What becomes of equal and complementary columns: merge (the first stands for all) or ordinary
    /// [default: merge; paper presets: ordinary]
    #[arg(long, hide_short_help = true, value_name = "HOW", value_parser = twins, help_heading = SEARCH)]
    pub twins: Option<Twins>,
    /// The most candidates a level may have [default: 1000000000]
    #[arg(long, hide_short_help = true, value_name = "N", help_heading = SEARCH)]
    pub max_candidates: Option<u64>,
    /// The most tests that pc-select, naive-h and naive-s may need at worst; more is refused before they begin
    /// [default: 10000000000000]
    #[arg(long, hide_short_help = true, value_name = "N", help_heading = SEARCH)]
    pub max_tests: Option<u64>,
    /// The seed of what is drawn at random: the matched pairs of cr-cs, half-samples, shuffled outcomes and rows held out
    /// [default: 1]
    #[arg(long, value_name = "N", help_heading = SEARCH)]
    pub seed: Option<u64>,
    /// Stop searching after this time, e.g. 90s, 10m or 2h, and give what is known by then
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = SEARCH)]
    pub time_limit: Option<Duration>,
    /// What is known of the columns.
    #[command(flatten)]
    pub knowledge: KnowledgeArguments,
}

impl SearchArguments {
    /// The preset, and what was changed in it.
    pub fn settings(&self) -> Settings {
        self.flags.settings(self.method)
    }
}

impl SearchFlags {
    /// The preset, and what was changed in it.
    pub fn settings(&self, method: Option<Method>) -> Settings {
        let preset = self.preset.settings();
        Settings {
            method: method.unwrap_or(preset.method),
            test: self.test.unwrap_or(preset.test),
            alpha: self.alpha.unwrap_or(preset.alpha),
            fdr: self.fdr.or(preset.fdr),
            redundancy_alpha: self.redundancy_alpha.unwrap_or(preset.redundancy_alpha),
            max_k: self.max_k.unwrap_or(preset.max_k),
            max_level: self.max_level.unwrap_or(preset.max_level),
            overlap: self.overlap.unwrap_or(preset.overlap),
            twins: self.twins.unwrap_or(preset.twins),
            max_candidates: self.max_candidates.unwrap_or(preset.max_candidates),
            max_tests: self.max_tests.unwrap_or(preset.max_tests),
            seed: self.seed.unwrap_or(preset.seed),
            ..preset
        }
    }
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
            (settings.method, settings.overlap, settings.twins),
            (Method::MhPcX, Overlap::Allow, Twins::Merge)
        );
        assert_eq!((settings.max_candidates, settings.max_tests), (1_000_000_000, 10_000_000_000_000));
        let table = Preset::PaperTable.settings();
        assert_eq!((table.method, Preset::Paper.settings().method), (Method::MhPcB, Method::MhPcB));
        assert_eq!((table.max_k, table.overlap, table.twins), (2, Overlap::Skip, Twins::Ordinary));
    }
}
