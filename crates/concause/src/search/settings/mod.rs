//! The settings of a search: the method, its parameters, and background knowledge.

mod knowledge;
mod method;

pub use knowledge::{Knowledge, Role};
pub(crate) use method::Algorithm;
pub use method::{Levels, Method, MethodDescriptor, UnknownMethod};

use crate::error::{Error, Limit};
use crate::stats::{FalseDiscovery, Test};

/// A named combination of settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// The default method and its settings.
    #[default]
    Default,
    /// The paper's listings with the paper's parameters.
    Paper,
    /// The settings that reproduce the paper's table of real data sets.
    PaperTable,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 3] = [Preset::Default, Preset::Paper, Preset::PaperTable];

    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Default => "default",
            Preset::Paper => "paper",
            Preset::PaperTable => "paper-table",
        }
    }

    /// The settings of the preset.
    pub fn settings(self) -> Settings {
        let paper = Settings {
            preset: self,
            method: Method::MH_PC_B,
            test: Test::G2,
            alpha: 0.05,
            fdr: None,
            redundancy_alpha: 0.01,
            max_k: 3,
            max_level: 2,
            overlap: Overlap::Allow,
            duplicates: Duplicates::Ordinary,
            max_candidates: 1_000_000_000,
            max_tests: 10_000_000_000_000,
            seed: 1,
            knowledge: Knowledge::default(),
        };
        match self {
            Preset::Default => Settings { method: Method::JOINT, duplicates: Duplicates::Merge, ..paper },
            Preset::Paper => paper,
            Preset::PaperTable => Settings { max_k: 2, overlap: Overlap::Skip, ..paper },
        }
    }
}

/// Whether a conditioning set may contain a candidate that shares a column with the tested one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// It may, as in the listing.
    #[default]
    Allow,
    /// It may not.
    Skip,
}

impl Overlap {
    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        match self {
            Overlap::Allow => "allow",
            Overlap::Skip => "skip",
        }
    }
}

/// How equal and complementary columns are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// They are merged into the first one in data order; complements still take part in conjunctions.
    #[default]
    Merge,
    /// They are treated as ordinary columns.
    Ordinary,
}

impl Duplicates {
    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        match self {
            Duplicates::Merge => "merge",
            Duplicates::Ordinary => "ordinary",
        }
    }
}

/// The settings of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The preset that the settings are based on.
    pub preset: Preset,
    /// The search method.
    pub method: Method,
    /// The test of independence.
    pub test: Test,
    /// The significance level of tests of association and separation.
    pub alpha: f64,
    /// How the false discovery rate of associations is controlled at alpha over the candidates of each level; `None`
    /// tests each candidate at alpha.
    pub fdr: Option<FalseDiscovery>,
    /// The significance level of the redundancy test.
    pub redundancy_alpha: f64,
    /// The largest conditioning set.
    pub max_k: usize,
    /// The largest number of columns in a combined cause (the paper's k_max).
    pub max_level: usize,
    /// Whether conditioning sets may share columns with the candidate.
    pub overlap: Overlap,
    /// How equal and complementary columns are treated.
    pub duplicates: Duplicates,
    /// The largest number of candidates of a level.
    pub max_candidates: u64,
    /// The largest number of tests that PC-select and the naïve methods may need in the worst case.
    pub max_tests: u64,
    /// The seed of all random draws: the matched pairs of CR-CS, half-samples, shuffled outcomes and held-out rows.
    pub seed: u64,
    /// Background knowledge about the columns.
    pub knowledge: Knowledge,
}

impl Default for Settings {
    fn default() -> Self {
        Preset::Default.settings()
    }
}

/// The largest number of columns of a conjunction, for every method.
const MOST_LEVELS: usize = 20;

/// The largest conditioning set.
const MOST_GIVEN: usize = 10;

impl Settings {
    /// Checks that the settings are valid and consistent.
    pub fn check(&self) -> Result<(), Error> {
        for (setting, value) in [("alpha", self.alpha), ("redundancy_alpha", self.redundancy_alpha)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(Error::NotAProbability { setting, value });
            }
        }
        if self.max_level == 0 {
            let hint = "1 finds single causes, 2 also pairs";
            return Err(Error::TooSmall { setting: "max_level", least: 1, hint });
        }
        let at_most = |setting, value: usize, most: usize, limit| match value > most {
            true => Err(Error::TooLarge { setting, value, most, limit }),
            false => Ok(()),
        };
        at_most("max_level", self.max_level, MOST_LEVELS, Limit::Always(""))?;
        let method = self.method.descriptor();
        if let Levels::UpTo(most) = method.levels {
            at_most("max_level", self.max_level, most, Limit::Method(method.name))?;
        }
        let reason = "larger conditioning sets cannot be tested on real data";
        at_most("max_k", self.max_k, MOST_GIVEN, Limit::Always(reason))?;
        if self.preset == Preset::PaperTable {
            at_most("max_level", self.max_level, 2, Limit::Preset(self.preset.name()))?;
            if !method.follows_listings {
                let listed = Method::ALL.iter().filter(|method| method.descriptor().follows_listings);
                return Err(Error::PresetWithoutMethod {
                    preset: self.preset.name(),
                    defined_for: listed.map(|method| method.name()).collect(),
                    method: method.name,
                });
            }
        }
        Ok(())
    }

    /// The deepest level that the method searches.
    pub fn deepest_level(&self) -> usize {
        if self.method.descriptor().levels == Levels::Single { 1 } else { self.max_level }
    }
}
