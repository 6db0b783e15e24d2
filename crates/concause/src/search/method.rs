//! The search methods, behind one trait.
//!
//! To add a method, write a file that implements [`SearchMethod`] and add a line to `register_methods!` below. Help,
//! reports and JSON results read the descriptor.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::context::Context;
use super::findings::{Findings, Reason};
use super::{joint, mh_pc, naive, rules};
use crate::dataset::Candidate;
use crate::error::Error;

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

/// A search method.
pub(crate) trait SearchMethod: Sync {
    /// The description of the method.
    fn descriptor(&self) -> &'static MethodDescriptor;

    /// Runs the search and adds every finished level to the findings.
    fn search(&self, context: &Context<'_>, findings: &mut Findings) -> Result<(), Error>;

    /// Whether it treats conjunctions as columns. If so, a column that is a single cause may also be part of a
    /// conjunction.
    fn treats_conjunctions_as_columns(&self) -> bool {
        false
    }

    /// The reasons for conjunctions that the search did not record; `None` to derive them from the listings.
    fn explain_all(
        &self,
        _context: &Context<'_>,
        _findings: &Findings,
        _candidates: &[Candidate],
    ) -> Result<Option<Vec<Reason>>, Error> {
        Ok(None)
    }
}

/// A registered search method.
#[derive(Clone, Copy)]
pub struct Method(&'static dyn SearchMethod);

macro_rules! register_methods {
    ($($constant:ident => $implementation:expr;)+) => {
        impl Method {
            $(
                #[doc = concat!("See the descriptor of `", stringify!($constant), "`.")]
                pub const $constant: Method = Method(&$implementation);
            )+

            /// All methods: those of the paper, the default method, then the methods they are compared with.
            pub const ALL: &'static [Method] = &[$(Method::$constant),+];
        }
    };
}

register_methods! {
    HITON_PC => mh_pc::HitonPc;
    MH_PC_F => mh_pc::MhPcF;
    MH_PC_B => mh_pc::MhPcB;
    JOINT => joint::Joint;
    PC_SELECT => naive::PcSelect;
    NAIVE_H => naive::NaiveH;
    NAIVE_S => naive::NaiveS;
    CR_PA => rules::CrPa;
    CR_CS => rules::CrCs;
}

impl Method {
    /// The description of the method.
    pub fn descriptor(self) -> &'static MethodDescriptor {
        self.0.descriptor()
    }

    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        self.descriptor().name
    }

    pub(super) fn implementation(self) -> &'static dyn SearchMethod {
        self.0
    }
}

impl Default for Method {
    fn default() -> Self {
        Method::JOINT
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Method {}

impl Hash for Method {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
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
