//! The search methods: their names, and what each supports.
//!
//! To add a method, add its descriptor to `register_methods!` below. The compiler then asks for its search in
//! `search::mine`. Help, reports and JSON results read the descriptor.

use std::fmt;
use std::str::FromStr;

/// The description of a method for users, and what it supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodDescriptor {
    /// The name in settings and results.
    pub name: &'static str,
    /// The name in running text.
    pub title: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The publications that define it.
    pub citation: &'static str,
    /// The levels it searches.
    pub levels: Levels,
    /// The search settings that change its result, by name; it ignores the others.
    pub settings: &'static [&'static str],
    /// The number of tests that it may need in the worst case, unless the setting `max_tests` is given. PC-select tests
    /// its candidates against sets of all others, HITON-PC only against sets of the causes found so far, far from its
    /// worst case.
    pub max_tests: u64,
    /// Whether it can search rows on other machines.
    pub counts_remotely: bool,
    /// Whether it follows the listings of the paper; only then does the preset `paper-table` apply.
    pub follows_listings: bool,
}

/// The levels that a method searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// Single causes only; `max_level` is ignored.
    Single,
    /// Up to `max_level`, which may not exceed this level.
    UpTo(usize),
    /// Up to `max_level`.
    Any,
}

impl MethodDescriptor {
    /// Whether a search setting changes the result of the method.
    pub fn honours(&self, setting: &str) -> bool {
        self.settings.contains(&setting)
    }
}

/// The settings that MH-PC-F and MH-PC-B honour.
const MH_PC_SETTINGS: &[&str] = &[
    "test",
    "alpha",
    "fdr",
    "redundancy_alpha",
    "max_k",
    "max_level",
    "overlap",
    "duplicates",
    "max_candidates",
    "require",
];

/// The settings that Naïve-H and Naïve-S honour.
const NAIVE_SETTINGS: &[&str] = &[
    "test",
    "alpha",
    "fdr",
    "max_k",
    "max_level",
    "overlap",
    "duplicates",
    "max_candidates",
    "max_tests",
    "require",
];

const PAPER: &str = "Ma, Li, Liu and Le 2016";

macro_rules! register_methods {
    ($($constant:ident, $algorithm:ident => $descriptor:expr;)+) => {
        /// The algorithm of a method.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Algorithm {
            $($algorithm),+
        }

        impl Method {
            $(
                #[doc = concat!("See the descriptor of `", stringify!($constant), "`.")]
                pub const $constant: Method = Method(Algorithm::$algorithm);
            )+

            /// All methods: those of the paper, the default method, then the methods they are compared with.
            pub const ALL: &'static [Method] = &[$(Method::$constant),+];

            /// The description of the method.
            pub fn descriptor(self) -> &'static MethodDescriptor {
                match self.0 {
                    $(Algorithm::$algorithm => &$descriptor),+
                }
            }
        }
    };
}

register_methods! {
    HITON_PC, HitonPc => MethodDescriptor {
        name: "hiton-pc",
        title: "HITON-PC",
        help: "single causes only",
        citation: "Aliferis et al. 2010; Ma, Li, Liu and Le 2016",
        levels: Levels::Single,
        settings: &["test", "alpha", "fdr", "max_k", "overlap", "duplicates", "require"],
        max_tests: 10_000_000_000_000,
        counts_remotely: true,
        follows_listings: true,
    };
    MH_PC_F, MhPcF => MethodDescriptor {
        name: "mh-pc-f",
        title: "MH-PC-F",
        help: "multi-level HITON-PC, conditions on all causes so far, faster with thousands of columns",
        citation: PAPER,
        levels: Levels::Any,
        settings: MH_PC_SETTINGS,
        max_tests: 10_000_000_000_000,
        counts_remotely: true,
        follows_listings: true,
    };
    MH_PC_B, MhPcB => MethodDescriptor {
        name: "mh-pc-b",
        title: "MH-PC-B",
        help: "multi-level HITON-PC, conditions on the causes of lower levels first",
        citation: PAPER,
        levels: Levels::Any,
        settings: MH_PC_SETTINGS,
        max_tests: 10_000_000_000_000,
        counts_remotely: true,
        follows_listings: true,
    };
    JOINT, Joint => MethodDescriptor {
        name: "joint",
        title: "the joint posterior",
        help: "probabilities of single and combined causes, averaged over models on several scales of risk",
        citation: "this software; Hubin et al. 2020, Madigan and Raftery 1994, Barbieri and Berger 2004",
        levels: Levels::Any,
        settings: &["max_level", "duplicates", "max_candidates", "require"],
        max_tests: 10_000_000_000_000,
        counts_remotely: true,
        follows_listings: false,
    };
    PC_SELECT, PcSelect => MethodDescriptor {
        name: "pc-select",
        title: "PC-select",
        help: "single causes only, pcSelect of the R package pcalg",
        citation: "Bühlmann, Kalisch and Maathuis 2010",
        levels: Levels::Single,
        settings: &["test", "alpha", "fdr", "max_k", "overlap", "duplicates", "max_tests", "require"],
        max_tests: 100_000_000_000,
        counts_remotely: true,
        follows_listings: false,
    };
    NAIVE_H, NaiveH => MethodDescriptor {
        name: "naive-h",
        title: "Naïve-H",
        help: "HITON-PC over all conjunctions as if they were columns",
        citation: "Ma, Li, Liu and Le 2016",
        levels: Levels::Any,
        settings: NAIVE_SETTINGS,
        max_tests: 10_000_000_000_000,
        counts_remotely: true,
        follows_listings: false,
    };
    NAIVE_S, NaiveS => MethodDescriptor {
        name: "naive-s",
        title: "Naïve-S",
        help: "PC-select over all conjunctions as if they were columns",
        citation: "Ma, Li, Liu and Le 2016",
        levels: Levels::Any,
        settings: NAIVE_SETTINGS,
        max_tests: 100_000_000_000,
        counts_remotely: true,
        follows_listings: false,
    };
    CR_PA, CrPa => MethodDescriptor {
        name: "cr-pa",
        title: "CR-PA",
        help: "causal rules by partial association, the Mantel-Haenszel test within strata",
        citation: "Jin et al. 2012",
        levels: Levels::UpTo(2),
        settings: &["test", "alpha", "fdr", "max_level", "duplicates", "max_candidates"],
        max_tests: 10_000_000_000_000,
        counts_remotely: true,
        follows_listings: false,
    };
    CR_CS, CrCs => MethodDescriptor {
        name: "cr-cs",
        title: "CR-CS",
        help: "causal rules by cohort studies, matched pairs within strata",
        citation: "Li et al. 2013; Li et al. 2015",
        levels: Levels::UpTo(2),
        settings: &["test", "alpha", "fdr", "max_level", "duplicates", "max_candidates", "seed"],
        max_tests: 10_000_000_000_000,
        counts_remotely: true,
        follows_listings: false,
    };
}

/// A registered search method.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Method(Algorithm);

impl Method {
    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        self.descriptor().name
    }

    pub(crate) fn algorithm(self) -> Algorithm {
        self.0
    }
}

impl Default for Method {
    fn default() -> Self {
        Method::JOINT
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No method has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMethod(pub String);

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        write!(f, "there is no method '{}'; choose one of {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownMethod {}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let found = Method::ALL.iter().copied().find(|method| method.name() == name);
        found.ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_parse() {
        for (number, &method) in Method::ALL.iter().enumerate() {
            assert_eq!(method.name().parse::<Method>(), Ok(method));
            assert!(Method::ALL[..number].iter().all(|&other| other != method));
        }
        assert!("mh-pc".parse::<Method>().unwrap_err().to_string().contains("mh-pc-f"));
    }
}
