//! The result of a search: the causes, and the reasons for all decisions.

mod posterior;

use std::collections::BTreeMap;

pub use posterior::{AttributeSet, CutRange, Posterior};

use super::settings::Role;
use crate::count::Count;
use crate::dataset::Candidate;
use crate::stats::TestResult;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The causes by level, the strongest first.
    pub causes: Vec<FoundCause>,
    /// A summary of each level.
    pub levels: Vec<LevelSummary>,
    /// The reasons for all single columns and for all candidates that were tested against conditioning sets. The
    /// reasons for other candidates follow from their counts: see [`Mining::explain`](crate::Mining::explain).
    pub reasons: BTreeMap<Candidate, Reason>,
    /// The control variables of CR-PA and CR-CS, the strongest first. Each rule uses the first
    /// [`MOST_CONTROLS`](crate::search::rules::MOST_CONTROLS) that are unrelated to it. Empty for other methods.
    pub controls: Vec<Candidate>,
    /// The posterior over sets of causes, if the method computes one.
    pub posterior: Option<Posterior>,
    /// Whether the search finished. If not, only the finished levels are reported; the default method reports
    /// probabilities over the models scored so far.
    pub complete: bool,
}

impl Findings {
    /// Whether a candidate was found to be a cause.
    pub fn is_cause(&self, candidate: &Candidate) -> bool {
        self.reasons.get(candidate).is_some_and(Reason::is_of_a_cause)
    }

    /// The number of independence tests at all levels.
    pub fn tests(&self) -> u64 {
        self.levels.iter().map(|level| level.tests).sum()
    }
}

/// A parent or child of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundCause {
    /// The column or conjunction.
    pub candidate: Candidate,
    /// The number of rows of each class in which it holds.
    pub count: Count,
    /// Its association with the target, without a conditioning set.
    pub association: TestResult,
    /// The test with the largest p-value among those it passed.
    pub max_p: TestResult,
    /// The conditioning set of that test.
    pub challenger: Vec<Candidate>,
    /// Other candidates that hold in the same rows or are complementary.
    pub equivalent: Vec<Candidate>,
    /// Whether its attribute matters in a form that is undecided; the candidate is the most probable one.
    pub is_undecided: bool,
}

/// A summary of one level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelSummary {
    /// The number of columns in a candidate of this level.
    pub level: usize,
    /// The number of candidates.
    pub candidates: u64,
    /// The redundant candidates, including constant ones.
    pub redundant: u64,
    /// The remaining candidates that are associated with the target.
    pub associated: u64,
    /// The largest p-value of an association that control of the false discovery rate allows; `None` if each candidate
    /// was tested at alpha.
    #[cfg_attr(feature = "serde", serde(default))]
    pub threshold: Option<f64>,
    /// The causes.
    pub causes: u64,
    /// The number of independence tests.
    pub tests: u64,
    /// The number of tests that were not possible for lack of rows.
    pub not_testable: u64,
}

impl LevelSummary {
    /// Adds the numbers of other candidates of the same level.
    pub(crate) fn add(&mut self, other: &LevelSummary) {
        self.candidates += other.candidates;
        self.redundant += other.redundant;
        self.associated += other.associated;
        self.tests += other.tests;
        self.not_testable += other.not_testable;
    }
}

/// Why a candidate is, or is not, a cause.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It is a cause.
    Cause,
    /// It is a cause because background knowledge requires it, regardless of the tests.
    Required,
    /// Background knowledge excludes one of its columns. A forbidden single column has this reason only if it passes
    /// all tests.
    Excluded {
        /// That column.
        column: Candidate,
        /// Its role.
        role: Role,
    },
    /// It has the same value in every row.
    Constant,
    /// It is equal or complementary to another candidate and merged into it.
    Equivalent {
        /// The candidate into which it is merged.
        to: Candidate,
        /// Whether it is complementary: it holds exactly where the other does not.
        complement: bool,
    },
    /// It joins two columns of one attribute.
    SameAttribute,
    /// One of its columns is a cause by itself (or equivalent to one).
    PartOfCause {
        /// That column.
        cause: Candidate,
    },
    /// No split into two parts gives two non-causes.
    Unformed {
        /// The first part that is not a non-cause.
        part: Candidate,
    },
    /// One part is independent of the target in the rows where the other part holds.
    Redundant {
        /// The part that is independent of the target.
        part: Candidate,
        /// The other part.
        within: Candidate,
        /// The p-value of that test.
        p_value: f64,
    },
    /// It is not associated with the target.
    NotAssociated {
        /// The p-value of its association.
        p_value: f64,
    },
    /// A conditioning set makes it independent of the target.
    Separated {
        /// The first such conditioning set.
        by: Vec<Candidate>,
        /// The p-value given that set.
        p_value: f64,
    },
    /// Its support as a rule is too low (CR-PA and CR-CS).
    LowSupport {
        /// The share of the rows with target 1 in which it holds.
        support: f64,
    },
    /// Given its control variables, its effect is too small or not significant (CR-PA and CR-CS).
    NoEffect {
        /// The control variables.
        controls: Vec<Candidate>,
        /// The odds ratio given the controls, pooled (CR-PA) or of matched pairs (CR-CS); `None` if no stratum allows a
        /// comparison.
        odds_ratio: Option<f64>,
        /// The p-value of the effect.
        p_value: f64,
        /// The number of discordant matched pairs (CR-CS).
        discordant: Option<u64>,
    },
    /// Its association cannot be tested, because there are too few rows.
    NotTestable,
    /// It is a cause: its attributes are probable enough (joint posterior).
    Probable {
        /// The probability that a term over its attributes belongs to the model.
        probability: f64,
        /// The term that most probably takes its place otherwise, with the probability of that.
        alternative: Option<(Candidate, f64)>,
    },
    /// Its probability is too low, given the data and all other candidates (joint posterior).
    Improbable {
        /// The probability that a term over its attributes belongs to the model.
        probability: f64,
        /// The change in log posterior if it is added to the best model.
        gain: f64,
        /// The term that most probably takes its place.
        alternative: Option<Candidate>,
    },
    /// The search did not reach it: it was stopped, or limited to lower levels.
    NotReached,
}

impl Reason {
    /// Whether it is the reason of a cause.
    pub(crate) fn is_of_a_cause(&self) -> bool {
        matches!(self, Reason::Cause | Reason::Required | Reason::Probable { .. })
    }
}
