//! The elimination phase of both listings, in rounds.
//!
//! The listings test one candidate at a time. Here a round tests many, so that their tables are counted in one batch.
//! In the forward stage, TPC only grows, so the result is the same: when Z enters TPC, all candidates still in OPEN
//! are tested against the conditioning sets with Z as the newest member, and separated ones are dropped. When a
//! candidate reaches the front of OPEN, it has been tested against every subset of TPC.
//!
//! A conditioning set that a candidate need not be tested against is *covered*.

mod conditioning_sets;

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

use rustc_hash::FxHashSet;

use conditioning_sets::{ConditioningSets, VisitedBatch};

use crate::count::{Base, Batch, ContingencyTable, Counter, Family, Strata, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::progress::Progress;
use crate::search::context::{Candidacy, Context};
use crate::search::findings::{LevelSummary, Reason};
use crate::search::settings::Overlap;
use crate::stats::{Decision, DecisionRule, MaxP, TestResult};

/// The conditioning sets that are covered at the start of the backward stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Covered {
    /// The subsets of TPC as it was at the candidate's entry (HITON-PC, MH-PC-F).
    AtEntry,
    /// The subsets of TPC of the lower levels only (MH-PC-B).
    LowerLevels,
    /// All sets with fewer members than this; only sets of this size are tested (PC-select).
    Smaller(usize),
}

/// The first conditioning set that makes a candidate independent of the target.
#[derive(Clone, Debug)]
struct Separation {
    by: Vec<Candidate>,
    p_value: f64,
}

/// The tests of one candidate against the conditioning sets of a pool.
#[derive(Clone, Debug)]
struct SeparationTests {
    candidate: Candidate,
    /// For each pool member, whether sets that contain it are skipped.
    excluded: Vec<bool>,
    /// Sets whose newest member comes before this one in the pool are covered.
    newest_from: usize,
    /// Sets with fewer members are covered.
    least_size: usize,
    /// The sets that have been tested: all of the batches before this one, and this many of this batch.
    tested: (usize, usize),
    max_p: MaxP<Vec<Candidate>>,
    separation: Option<Separation>,
    tests: u64,
    not_testable: u64,
}

impl SeparationTests {
    /// Skips sets with a removed member from now on.
    fn exclude(&mut self, removed: &Removed) {
        removed.places.iter().for_each(|&place| self.excluded[place] = true);
    }

    /// Whether a member of the separating set has been removed.
    fn is_invalidated(&self, removed: &Removed) -> bool {
        self.separation.as_ref().is_some_and(|separation| removed.intersects(&separation.by))
    }
}

/// The conditioning sets of one batch that a candidate must be tested against.
struct BatchNeed {
    candidate: Candidate,
    excluded: Vec<bool>,
    newest_from: usize,
    least_size: usize,
    /// The first set that has not been tested.
    first: usize,
}

impl BatchNeed {
    fn new(tests: &SeparationTests, batch: usize, family: &Family) -> Self {
        let (tested_batch, tested) = tests.tested;
        let first = if tested_batch == batch { tested.max(family.tested()) } else { family.tested() };
        let newest = if first < family.len() { family.members(first).first() } else { None };
        BatchNeed {
            candidate: tests.candidate.clone(),
            excluded: tests.excluded.clone(),
            newest_from: newest.map_or(tests.newest_from, |&newest| tests.newest_from.max(newest as usize)),
            least_size: tests.least_size,
            first,
        }
    }

    fn base(&self) -> Base<'_> {
        Base { candidate: &self.candidate, without: &self.excluded, from: self.newest_from }
    }

    /// Whether a set must be tested.
    fn includes(&self, members: &[u32]) -> bool {
        let is_covered = members.first().is_some_and(|&newest| (newest as usize) < self.newest_from);
        !is_covered
            && members.len() >= self.least_size
            && !members.iter().any(|&member| self.excluded[member as usize])
    }
}

/// The members of a pool that the backward stage has removed so far.
#[derive(Default)]
struct Removed {
    places: Vec<usize>,
    candidates: FxHashSet<Candidate>,
}

impl Removed {
    fn insert(&mut self, place: usize, candidate: Candidate) {
        self.places.push(place);
        self.candidates.insert(candidate);
    }

    /// Whether a member of the set has been removed.
    fn intersects(&self, set: &[Candidate]) -> bool {
        set.iter().any(|member| self.candidates.contains(member))
    }
}

/// Receives the candidates that a stage rejects.
pub(super) type Reject<'a> = dyn FnMut(Candidate, Reason) + 'a;

/// The elimination phase at one level.
pub(super) struct Elimination<'a> {
    pub counter: &'a dyn Counter,
    pub strata: &'a Strata,
    pub decision_rule: &'a DecisionRule,
    pub max_k: usize,
    pub overlap: Overlap,
    pub progress: &'a dyn Progress,
}

impl<'a> Elimination<'a> {
    /// The elimination phase with the settings of the search.
    pub fn new(context: &'a Context<'_>) -> Self {
        Self {
            counter: context.counter(),
            strata: &context.strata,
            decision_rule: &context.decision_rule,
            max_k: context.settings.max_k,
            overlap: context.settings.overlap,
            progress: context.progress,
        }
    }

    /// The forward stage: moves the candidates of OPEN that no conditioning set separates into TPC, which starts with
    /// the causes of the lower levels in the order of their entry. Returns TPC_k.
    pub fn forward(
        &self,
        covered: Covered,
        mut open: Vec<Candidacy>,
        lower: &[Candidate],
        levels: &mut [LevelSummary],
        reject: &mut Reject<'_>,
    ) -> Result<Vec<Candidacy>, Error> {
        self.progress.begin("forward stage", open.len() as u64);
        open = self.test_round(open, lower, 0..lower.len(), levels, reject)?;
        if covered == Covered::LowerLevels {
            self.progress.advance(open.len() as u64);
            return Ok(open);
        }
        let mut tpc = lower.to_vec();
        let mut entered = Vec::new();
        // Line 10 (4 of HITON-PC): the first of OPEN has been tested against every subset of TPC and enters it.
        while !open.is_empty() {
            let first = open.remove(0);
            tpc.push(first.candidate.clone());
            entered.push(first);
            self.progress.advance(1);
            open = self.test_round(open, &tpc, tpc.len() - 1..tpc.len(), levels, reject)?;
        }
        Ok(entered)
    }

    /// Tests candidates against the sets whose newest member is in `newest`; returns those that are not separated.
    fn test_round(
        &self,
        candidacies: Vec<Candidacy>,
        pool: &[Candidate],
        newest: Range<usize>,
        levels: &mut [LevelSummary],
        reject: &mut Reject<'_>,
    ) -> Result<Vec<Candidacy>, Error> {
        let series =
            candidacies.iter().map(|candidacy| self.separation_tests(candidacy, pool, None)).collect();
        let mut sets = ConditioningSets::new(pool, newest, self.max_k, candidacies.len());
        let series = self.run(series, &mut sets, levels, &|| self.progress.advance(1))?;
        Ok(reject_separated(candidacies, series, reject))
    }

    /// The backward stage: goes through TPC_k in order and removes each member that a subset of the other members of
    /// TPC separates; a removed member is in no later conditioning set.
    ///
    /// All members are tested in parallel against TPC as it stands, then decided in order. If a member of a separating
    /// set has been removed in the meantime, the tests resume after that set.
    pub fn backward(
        &self,
        covered: Covered,
        entered: Vec<Candidacy>,
        lower: &[Candidate],
        levels: &mut [LevelSummary],
        reject: &mut Reject<'_>,
    ) -> Result<Vec<Candidacy>, Error> {
        let (stage, max_k) = match covered {
            Covered::AtEntry | Covered::LowerLevels => ("backward stage".to_owned(), self.max_k),
            Covered::Smaller(size) => (format!("conditioning sets of {size}"), size),
        };
        self.progress.begin(&stage, entered.len() as u64);
        let pool = current_tpc(lower, &entered);
        // The forward stage has tested the subsets of the lower levels; PC-select has no forward stage.
        let start = if matches!(covered, Covered::Smaller(_)) { 0 } else { lower.len() };
        let mut sets = ConditioningSets::new(&pool, start..pool.len(), max_k, entered.len());
        let start_tests = |place: usize, candidacy: &Candidacy, removed: &Removed| {
            let mut tests = self.separation_tests(candidacy, &pool, Some(place));
            tests.exclude(removed);
            match covered {
                Covered::AtEntry => tests.newest_from = place + 1,
                Covered::LowerLevels => {}
                Covered::Smaller(size) => tests.least_size = size,
            }
            tests
        };
        let mut removed = Removed::default();
        let series = (lower.len()..)
            .zip(&entered)
            .map(|(place, candidacy)| start_tests(place, candidacy, &removed))
            .collect();
        let mut series: VecDeque<SeparationTests> = self.run(series, &mut sets, levels, &|| ())?.into();
        let (mut kept, mut repeated) = (Vec::new(), Vec::new());
        for (place, candidacy) in (lower.len()..).zip(entered) {
            if series.front().is_some_and(|tests| tests.is_invalidated(&removed)) {
                self.resume(&mut series, &mut sets, &removed, levels)?;
            }
            let Some(tests) = series.pop_front() else { break };
            self.progress.advance(1);
            if tests.separation.is_some() {
                removed.insert(place, candidacy.candidate.clone());
            } else if tests.max_p.sources().any(|set| removed.intersects(set)) {
                // It is kept, but its largest p-value may come from a set with a member that was removed before its
                // turn.
                repeated.push((kept.len(), start_tests(place, &candidacy, &removed)));
            }
            kept.extend(reject_separated(vec![candidacy], vec![tests], reject));
        }
        let (places, series): (Vec<usize>, Vec<SeparationTests>) = repeated.into_iter().unzip();
        let series = self.run(series, &mut sets, &mut [], &|| ())?;
        for (place, tests) in places.into_iter().zip(series) {
            kept[place].max_p = tests.max_p;
        }
        Ok(kept)
    }

    /// Resumes the tests that ended with a separating set with a member that has been removed since.
    fn resume(
        &self,
        series: &mut VecDeque<SeparationTests>,
        sets: &mut ConditioningSets<'_>,
        removed: &Removed,
        levels: &mut [LevelSummary],
    ) -> Result<(), Error> {
        let (mut places, mut invalidated) = (Vec::new(), Vec::new());
        for place in series.iter_mut().filter(|tests| tests.is_invalidated(removed)) {
            let mut tests = place.clone();
            tests.separation = None;
            tests.exclude(removed);
            places.push(place);
            invalidated.push(tests);
        }
        let resumed = self.run(invalidated, sets, levels, &|| ())?;
        places.into_iter().zip(resumed).for_each(|(place, tests)| *place = tests);
        Ok(())
    }

    /// Tests every candidate against all sets of the others, then removes all separated ones together (the preset
    /// `paper-table`).
    pub fn simultaneous(
        &self,
        candidacies: Vec<Candidacy>,
        lower: &[Candidate],
        levels: &mut [LevelSummary],
        reject: &mut Reject<'_>,
    ) -> Result<Vec<Candidacy>, Error> {
        self.progress.begin("backward stage", candidacies.len() as u64);
        let pool = current_tpc(lower, &candidacies);
        let series = candidacies
            .iter()
            .enumerate()
            .map(|(i, candidacy)| self.separation_tests(candidacy, &pool, Some(lower.len() + i)))
            .collect();
        let mut sets = ConditioningSets::new(&pool, 0..pool.len(), self.max_k, candidacies.len());
        let series = self.run(series, &mut sets, levels, &|| self.progress.advance(1))?;
        Ok(reject_separated(candidacies, series, reject))
    }

    /// A series of tests of a candidate against a pool, not yet started. The pool may contain the candidate, at
    /// `own_place`.
    fn separation_tests(
        &self,
        candidacy: &Candidacy,
        pool: &[Candidate],
        own_place: Option<usize>,
    ) -> SeparationTests {
        let candidate = candidacy.candidate.clone();
        let shares = |member: &Candidate| self.overlap == Overlap::Skip && member.overlaps(&candidate);
        let excluded =
            pool.iter().enumerate().map(|(i, member)| own_place == Some(i) || shares(member)).collect();
        SeparationTests {
            excluded,
            candidate,
            newest_from: 0,
            least_size: 0,
            tested: (0, 0),
            tests: 0,
            not_testable: 0,
            max_p: candidacy.max_p.clone(),
            separation: None,
        }
    }

    /// Runs each series over all conditioning sets until its candidate is separated, and calls `on_separation` for each
    /// separation.
    fn run(
        &self,
        series: Vec<SeparationTests>,
        sets: &mut ConditioningSets<'_>,
        levels: &mut [LevelSummary],
        on_separation: &(dyn Fn() + Sync),
    ) -> Result<Vec<SeparationTests>, Error> {
        let series: Vec<Mutex<SeparationTests>> = series.into_iter().map(Mutex::new).collect();
        let is_open =
            |tests: &SeparationTests, number: usize| tests.separation.is_none() && tests.tested.0 <= number;
        for number in 0..sets.batches() {
            let open: Vec<&Mutex<SeparationTests>> =
                series.iter().filter(|tests| is_open(&lock(tests), number)).collect();
            if !open.is_empty() {
                sets.visit(number, self.counter, self.strata, self.decision_rule, |batch| {
                    self.test_batch(&open, batch, on_separation)
                })?;
            }
            if self.progress.stopped() {
                return Err(Error::Stopped);
            }
        }
        let mut series: Vec<SeparationTests> = series.into_iter().map(into_inner).collect();
        for tests in &mut series {
            let (number, not_testable) = (tests.tests, tests.not_testable);
            (tests.tests, tests.not_testable) = (0, 0);
            if let Some(level) = levels.iter_mut().find(|level| level.level == tests.candidate.level()) {
                level.tests += number;
                level.not_testable += not_testable;
            }
        }
        Ok(series)
    }

    /// Counts one batch and tests the candidates of all series against its sets.
    fn test_batch(
        &self,
        series: &[&Mutex<SeparationTests>],
        visited: &VisitedBatch<'_>,
        on_separation: &(dyn Fn() + Sync),
    ) -> Result<(), Error> {
        let VisitedBatch { number, pool, family, cells, margins } = *visited;
        let needs: Vec<BatchNeed> =
            series.iter().map(|tests| BatchNeed::new(&lock(tests), number, family)).collect();
        let bases: Vec<Base<'_>> = needs.iter().map(BatchNeed::base).collect();
        let batch = Batch { bases: &bases, pool, family };
        self.strata.count(self.counter, &batch, &|base, from, with| {
            if self.progress.stopped() {
                return ControlFlow::Break(());
            }
            let mut tests = lock(series[base]);
            let need = &needs[base];
            let mut table = ContingencyTable::default();
            for set in from.max(need.first)..with[0].len() {
                let members = family.members(set);
                if !need.includes(members) {
                    continue;
                }
                table.fill(family, set, with, cells);
                let margins = &margins[cells.range(family, set)];
                self.test_table(&table, margins, &mut tests, || in_entry_order(members, pool));
                if tests.separation.is_some() {
                    tests.tested = (number, set + 1);
                    on_separation();
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        })
    }

    fn test_table(
        &self,
        table: &ContingencyTable,
        margins: &[f64],
        tests: &mut SeparationTests,
        given: impl Fn() -> Vec<Candidate>,
    ) {
        tests.tests += 1;
        let exact = || self.decision_rule.assess(table).tested();
        let bound = |df| tests.max_p.bound(df);
        match self.decision_rule.decide_within(table, |stratum| margins[stratum], bound) {
            (Decision::NotTestable, _) => tests.not_testable += 1,
            (Decision::Independent, _) => {
                let separation = |TestResult { p_value, .. }| Separation { by: given(), p_value };
                tests.separation = exact().map(separation);
            }
            (Decision::Dependent, true) => {
                if let Some(result) = exact() {
                    tests.max_p.record(result, given);
                }
            }
            (Decision::Dependent, false) => {}
        }
    }
}

/// TPC: the causes of the lower levels, then the candidates that entered at this level.
fn current_tpc(lower: &[Candidate], entered: &[Candidacy]) -> Vec<Candidate> {
    lower.iter().chain(entered.iter().map(|candidacy| &candidacy.candidate)).cloned().collect()
}

/// Rejects the separated candidates and returns the others with their largest p-values.
fn reject_separated(
    candidacies: Vec<Candidacy>,
    series: Vec<SeparationTests>,
    reject: &mut Reject<'_>,
) -> Vec<Candidacy> {
    let mut remaining = Vec::with_capacity(candidacies.len());
    for (mut candidacy, tests) in candidacies.into_iter().zip(series) {
        match tests.separation {
            Some(Separation { by, p_value }) => {
                reject(candidacy.candidate, Reason::Separated { by, p_value })
            }
            None => {
                candidacy.max_p = tests.max_p;
                remaining.push(candidacy);
            }
        }
    }
    remaining
}

/// The members of a set in the order of their entry into the pool.
fn in_entry_order(members: &[u32], pool: &[Candidate]) -> Vec<Candidate> {
    let mut members = members.to_vec();
    members.sort_unstable();
    members.into_iter().map(|member| pool[member as usize].clone()).collect()
}
