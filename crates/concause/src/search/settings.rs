//! What a search may be told.

use std::fmt;

use super::knowledge::Knowledge;
use crate::independence::{FalseDiscovery, Test};

/// A way to search for causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// HITON-PC: single causes only (the paper's Algorithm 1).
    HitonPc,
    /// Multi-level HITON-PC that conditions on all causes so far (Algorithm 2, full version).
    MhPcF,
    /// Multi-level HITON-PC that first conditions on the causes of lower levels only.
    MhPcB,
    /// HITON-PC, and then conjunctions that may take the place of their parts.
    #[default]
    MhPcX,
    /// PC-select (pcalg's `pcSelect`): single causes only.
    PcSelect,
    /// Naïve-H: HITON-PC over all conjunctions as if they were columns.
    NaiveH,
    /// Naïve-S: PC-select over all conjunctions as if they were columns.
    NaiveS,
    /// Causal rules by partial association (Jin et al. 2012).
    CrPa,
    /// Causal rules by cohort studies (Li et al. 2013, 2015).
    CrCs,
}

impl Method {
    /// All methods: those of the paper, then those it compares them with.
    pub const ALL: [Method; 9] = [
        Method::HitonPc,
        Method::MhPcF,
        Method::MhPcB,
        Method::MhPcX,
        Method::PcSelect,
        Method::NaiveH,
        Method::NaiveS,
        Method::CrPa,
        Method::CrCs,
    ];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Method::HitonPc => "hiton-pc",
            Method::MhPcF => "mh-pc-f",
            Method::MhPcB => "mh-pc-b",
            Method::MhPcX => "mh-pc-x",
            Method::PcSelect => "pc-select",
            Method::NaiveH => "naive-h",
            Method::NaiveS => "naive-s",
            Method::CrPa => "cr-pa",
            Method::CrCs => "cr-cs",
        }
    }

    /// Whether it follows the paper's listings, to which the presets of the paper belong.
    pub(super) fn is_listed(self) -> bool {
        matches!(self, Method::HitonPc | Method::MhPcF | Method::MhPcB)
    }

    /// Whether it takes conjunctions for columns like any other.
    pub(super) fn is_naive(self) -> bool {
        matches!(self, Method::NaiveH | Method::NaiveS)
    }

    /// Whether it finds causal rules.
    pub(super) fn is_of_rules(self) -> bool {
        matches!(self, Method::CrPa | Method::CrCs)
    }
}

/// Settings that belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// The best we know.
    #[default]
    Default,
    /// The paper's listings with the paper's parameters.
    Paper,
    /// What gives the numbers of the paper's table of real data sets.
    PaperTable,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 3] = [Preset::Default, Preset::Paper, Preset::PaperTable];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Default => "default",
            Preset::Paper => "paper",
            Preset::PaperTable => "paper-table",
        }
    }

    /// The settings it stands for.
    pub fn settings(self) -> Settings {
        let paper = Settings {
            preset: self,
            method: Method::MhPcB,
            test: Test::G2,
            alpha: 0.05,
            fdr: None,
            redundancy_alpha: 0.01,
            max_k: 3,
            max_level: 2,
            overlap: Overlap::Allow,
            twins: Twins::Ordinary,
            max_candidates: 1_000_000_000,
            max_tests: 10_000_000_000_000,
            seed: 1,
            knowledge: Knowledge::default(),
        };
        match self {
            Preset::Default => Settings { method: Method::MhPcX, twins: Twins::Merge, ..paper },
            Preset::Paper => paper,
            Preset::PaperTable => Settings { max_k: 2, overlap: Overlap::Skip, ..paper },
        }
    }
}

/// Whether a conditioning set may contain a candidate that shares a column with the one tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// It may, as in the listing.
    #[default]
    Allow,
    /// It may not.
    Skip,
}

impl Overlap {
    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Overlap::Allow => "allow",
            Overlap::Skip => "skip",
        }
    }
}

/// What becomes of columns that are equal to, or the complement of, an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Twins {
    /// The first in data order stands for all of them; complements still take part in conjunctions.
    #[default]
    Merge,
    /// They are columns like any other.
    Ordinary,
}

impl Twins {
    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Twins::Merge => "merge",
            Twins::Ordinary => "ordinary",
        }
    }
}

/// Everything a search may be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The preset the settings began from.
    pub preset: Preset,
    /// The way to search.
    pub method: Method,
    /// The test of independence.
    pub test: Test,
    /// The significance level of association and separation.
    pub alpha: f64,
    /// How the false discovery rate of association is kept at alpha over the candidates of each level; without it,
    /// each candidate is tested at alpha by itself.
    pub fdr: Option<FalseDiscovery>,
    /// The significance level of the redundancy test.
    pub redundancy_alpha: f64,
    /// The largest conditioning set.
    pub max_k: usize,
    /// The largest number of columns in a combined cause (the paper's k_max).
    pub max_level: usize,
    /// Whether conditioning sets may share columns with the candidate.
    pub overlap: Overlap,
    /// What becomes of equal and complementary columns.
    pub twins: Twins,
    /// The most candidates a level may have.
    pub max_candidates: u64,
    /// The most tests that PC-select and the naïve methods may need at worst.
    pub max_tests: u64,
    /// The seed of everything drawn at random: the matched pairs of CR-CS, half-samples and shuffled outcomes.
    pub seed: u64,
    /// What is known of the columns.
    pub knowledge: Knowledge,
}

impl Default for Settings {
    fn default() -> Self {
        Preset::Default.settings()
    }
}

impl Settings {
    /// The first thing that is wrong with the settings, as a sentence.
    pub fn check(&self) -> Result<(), String> {
        for (name, value) in [("alpha", self.alpha), ("redundancy-alpha", self.redundancy_alpha)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(format!("--{name} must lie between 0 and 1, both excluded, but is {value}"));
            }
        }
        if self.max_level == 0 {
            return Err("--max-level must be at least 1 (1 finds single causes, 2 also pairs)".into());
        }
        if self.max_level > 20 {
            return Err(format!("--max-level must be at most 20, but is {}", self.max_level));
        }
        if self.method == Method::MhPcX && self.max_level > 3 {
            return Err(format!(
                "mh-pc-x finds causes of up to 3 columns, but --max-level is {}: choose --method mh-pc-f or mh-pc-b",
                self.max_level
            ));
        }
        if self.max_k > 10 {
            return Err(format!(
                "--max-k must be at most 10, but is {}: larger conditioning sets cannot be tested on real data",
                self.max_k
            ));
        }
        if self.preset == Preset::PaperTable && self.max_level > 2 {
            return Err("--preset paper-table is defined for --max-level 1 and 2 only".into());
        }
        if self.preset == Preset::PaperTable && !self.method.is_listed() {
            return Err(format!(
                "--preset paper-table is defined for --method hiton-pc, mh-pc-f and mh-pc-b, not for {}",
                self.method
            ));
        }
        if self.method.is_of_rules() && self.max_level > 2 {
            return Err(format!("--method {} is defined for --max-level 1 and 2 only", self.method));
        }
        Ok(())
    }

    /// The deepest level this method reaches.
    pub fn deepest_level(&self) -> usize {
        if matches!(self.method, Method::HitonPc | Method::PcSelect) { 1 } else { self.max_level }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
