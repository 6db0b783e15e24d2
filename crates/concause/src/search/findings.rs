//! What a search found, and why.

use std::collections::BTreeMap;

use super::contender::{Contender, sort_open};
use super::knowledge::Role;
use super::singles::Singles;
use crate::count::Count;
use crate::dataset::Candidate;
use crate::independence::Tested;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The causes: by level, then the strongest first.
    pub causes: Vec<Cause>,
    /// What happened at each level.
    pub levels: Vec<Level>,
    /// The reasons of all single columns and of all candidates that were tested against conditioning sets. Those
    /// of the others follow from their counts: see [`explain`](crate::search::explain).
    pub reasons: BTreeMap<Candidate, Reason>,
    /// The columns that CR-PA and CR-CS hold fixed, the strongest first: for each rule as many of the first as
    /// [`MOST_CONTROLS`](crate::rules::MOST_CONTROLS) that have nothing to do with it. Empty for other methods.
    pub controls: Vec<Candidate>,
    /// Whether MH-PC-X judged the causes by the table of the target by all of them, because they work together in ways
    /// that do not add up.
    pub work_together: bool,
    /// Whether the search was run to its end; if not, only finished levels are reported.
    pub complete: bool,
}

impl Findings {
    /// Whether a candidate was found to be a cause.
    pub fn is_cause(&self, candidate: &Candidate) -> bool {
        matches!(self.reasons.get(candidate), Some(Reason::Cause | Reason::Required))
    }

    /// The independence tests of all levels.
    pub fn tests(&self) -> u64 {
        self.levels.iter().map(|level| level.tests).sum()
    }

    /// Adds finished levels and their causes, without those that are forbidden: by level, then the strongest first.
    pub(crate) fn accept(
        &mut self,
        mut causes: Vec<Contender>,
        levels: impl IntoIterator<Item = Level>,
        singles: &Singles,
    ) {
        causes.retain(|contender| match singles.forbidden(&contender.candidate) {
            Some(column) => {
                let reason = Reason::SetAside { column, role: Role::Forbidden };
                self.reasons.insert(contender.candidate.clone(), reason);
                false
            }
            None => true,
        });
        sort_open(&mut causes);
        causes.sort_by_key(|contender| contender.candidate.level());
        for mut level in levels {
            let of_level = causes.iter().filter(|contender| contender.candidate.level() == level.level);
            level.causes = of_level.count() as u64;
            self.levels.push(level);
        }
        for contender in causes {
            let reason = if contender.is_required { Reason::Required } else { Reason::Cause };
            self.reasons.insert(contender.candidate.clone(), reason);
            let (weakest, challenger) = match contender.weakest.weakest() {
                Some((tested, given)) => (*tested, given.clone()),
                None => (contender.association, Vec::new()),
            };
            self.causes.push(Cause {
                equivalent: singles.equivalent(&contender.candidate),
                candidate: contender.candidate,
                count: contender.count,
                association: contender.association,
                weakest,
                challenger,
            });
        }
    }
}

/// A parent or child of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The column or conjunction.
    pub candidate: Candidate,
    /// In how many rows of each class it holds.
    pub count: Count,
    /// Its association with the target, without a conditioning set.
    pub association: Tested,
    /// The test with the largest p-value of all it passed.
    pub weakest: Tested,
    /// The conditioning set of that test: the one that came nearest to explaining the cause away.
    pub challenger: Vec<Candidate>,
    /// Other candidates that hold in the same rows, or in exactly the others.
    pub equivalent: Vec<Candidate>,
}

/// What happened at one level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    /// The number of columns in a candidate of this level.
    pub level: usize,
    /// The candidates considered.
    pub candidates: u64,
    /// Those left out as redundant, constants among them.
    pub redundant: u64,
    /// Those left that are associated with the target.
    pub associated: u64,
    /// The largest p-value of an association that the false discovery rate allows; none if each was tested at alpha.
    pub threshold: Option<f64>,
    /// Those left at the end.
    pub causes: u64,
    /// The independence tests made.
    pub tests: u64,
    /// The tests that could not tell.
    pub not_testable: u64,
}

impl Level {
    /// Adds the numbers of another part of the same level.
    pub(crate) fn add(&mut self, other: &Level) {
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
    /// It is one.
    Cause,
    /// It is one whatever the tests say, because the user requires it.
    Required,
    /// The user knows that one of its columns is none. A column that was forbidden is told so only if nothing else
    /// speaks against it.
    SetAside {
        /// That column.
        column: Candidate,
        /// What is known of it.
        role: Role,
    },
    /// It is the same in every row.
    Constant,
    /// It holds in the same rows as an earlier candidate, or in exactly the others.
    Equivalent {
        /// The candidate that stands for it.
        to: Candidate,
        /// Whether it holds in exactly the other rows.
        complement: bool,
    },
    /// It joins two columns of one attribute.
    SameAttribute,
    /// One of its columns is a cause by itself (or equivalent to one).
    PartOfCause {
        /// That column.
        cause: Candidate,
    },
    /// No way of splitting it in two gives two candidates that were kept as non-causes.
    Unformed {
        /// The first part that was not kept.
        part: Candidate,
    },
    /// One part adds nothing where the other holds.
    Redundant {
        /// The part that is independent of the target …
        part: Candidate,
        /// … in the rows in which this part holds.
        within: Candidate,
        /// The p-value of that test.
        p_value: f64,
    },
    /// It is not associated with the target.
    NotAssociated {
        /// The p-value of its association.
        p_value: f64,
    },
    /// It is independent of the target given other causes.
    Separated {
        /// The first conditioning set that explains it away.
        by: Vec<Candidate>,
        /// The p-value given that set.
        p_value: f64,
    },
    /// As a rule it is too rare (CR-PA and CR-CS).
    LowSupport {
        /// Its share of the rows with target 1.
        support: f64,
    },
    /// It makes no difference, or too small or too unclear a one, where other columns are held fixed (CR-PA and
    /// CR-CS).
    NoEffect {
        /// Those columns.
        controls: Vec<Candidate>,
        /// The odds ratio where they are held fixed, pooled or of matched pairs; none if nothing is left to compare.
        odds_ratio: Option<f64>,
        /// The p-value of that.
        p_value: f64,
        /// The matched pairs of which one has the target and the other has not (CR-CS).
        discordant: Option<u64>,
    },
    /// Its association cannot be tested: too few rows.
    NotTestable,
    /// A conjunction that explains the target better took its place.
    Replaced {
        /// That conjunction.
        by: Candidate,
    },
    /// A model of the target on the causes is no better with it than without it.
    AddsNothing {
        /// The p-value of what it would add.
        p_value: f64,
    },
    /// The search did not get to it.
    NotReached,
}
