//! The elimination phase of both listings, in rounds.
//!
//! The forward stage only ever adds to TPC, so testing eagerly gives the listing's own result: whenever Z
//! enters TPC, all candidates still in OPEN are tested against the conditioning sets with Z as their newest
//! member, and those separated are dropped; a candidate that comes to the front of OPEN has then met every
//! subset of TPC. Each round is one batch of count queries.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

use rustc_hash::FxHashSet;

use super::contender::Contender;
use super::findings::{Level, Reason};
use super::ground::{Ground, Sets};
use super::settings::Overlap;
use super::watch::Watch;
use crate::count::{Base, Batch, Counter, Family, Strata, Table, into_inner, lock};
use crate::dataset::Candidate;
use crate::independence::{Judge, Tested, Verdict, Weakest};

/// Which conditioning sets a candidate has met when the backward stage begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// The subsets of TPC as it was at its entry (HITON-PC, MH-PC-F).
    Entered,
    /// The subsets of TPC of the lower levels only (MH-PC-B).
    Lower,
    /// All sets with fewer members than this; only those of this size are to be met (PC-select).
    Smaller(usize),
}

/// The first conditioning set that makes a candidate independent of the target.
#[derive(Clone, Debug)]
struct Separation {
    by: Vec<Candidate>,
    tested: Tested,
}

/// The tests of one contender against the sets of a pool, and what they showed.
#[derive(Clone, Debug)]
struct Trial {
    candidate: Candidate,
    /// By pool member: sets with such a member are passed over.
    excluded: Vec<bool>,
    /// Sets whose newest member is older than this were met before.
    newest_from: usize,
    /// Sets with fewer members were met before.
    least_size: usize,
    /// The sets of the ground up to this one have been met: its batch, and the sets of that batch.
    met: (usize, usize),
    weakest: Weakest<Vec<Candidate>>,
    separation: Option<Separation>,
    tests: u64,
    not_testable: u64,
}

impl Trial {
    /// Passes over the sets with a removed member from now on.
    fn exclude(&mut self, removed: &Removed) {
        removed.places.iter().for_each(|&place| self.excluded[place] = true);
    }

    /// Whether a member of the separating set was removed.
    fn is_overtaken(&self, removed: &Removed) -> bool {
        self.separation.as_ref().is_some_and(|separation| removed.touch(&separation.by))
    }
}

/// What a trial asks of one batch of sets.
struct Query {
    candidate: Candidate,
    excluded: Vec<bool>,
    newest_from: usize,
    least_size: usize,
    /// The first set that it has not met.
    first: usize,
}

impl Query {
    fn new(trial: &Trial, batch: usize, family: &Family) -> Self {
        let (met_batch, met) = trial.met;
        let first = if met_batch == batch { met.max(family.tested()) } else { family.tested() };
        let newest = if first < family.len() { family.members(first).first() } else { None };
        Query {
            candidate: trial.candidate.clone(),
            excluded: trial.excluded.clone(),
            newest_from: newest.map_or(trial.newest_from, |&newest| trial.newest_from.max(newest as usize)),
            least_size: trial.least_size,
            first,
        }
    }

    fn base(&self) -> Base<'_> {
        Base { candidate: &self.candidate, without: &self.excluded, from: self.newest_from }
    }
}

/// The members of a pool that a backward stage has removed so far.
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

    /// Whether a member of the set is among them.
    fn touch(&self, set: &[Candidate]) -> bool {
        set.iter().any(|member| self.candidates.contains(member))
    }
}

/// The tools of the elimination phase at one level.
pub(super) struct Elimination<'a> {
    pub counter: &'a dyn Counter,
    pub strata: &'a Strata,
    pub judge: &'a Judge,
    pub max_k: usize,
    pub overlap: Overlap,
    pub watch: &'a dyn Watch,
}

impl Elimination<'_> {
    /// The forward stage: moves the contenders of OPEN that nothing separates into TPC, which holds the causes
    /// of the lower levels in the order of their entry. Returns TPC_k; `None` if stopped.
    pub fn forward(
        &self,
        met: Met,
        mut open: Vec<Contender>,
        lower: &[Candidate],
        levels: &mut [Level],
        reject: &mut dyn FnMut(Candidate, Reason),
    ) -> Option<Vec<Contender>> {
        self.watch.begin("forward stage", open.len() as u64);
        open = self.round(open, lower, 0..lower.len(), levels, reject)?;
        if met == Met::Lower {
            self.watch.advance(open.len() as u64);
            return Some(open);
        }
        let mut tpc = lower.to_vec();
        let mut entered = Vec::new();
        // Line 10 (4 of HITON-PC): the first of OPEN has met every subset of TPC and stays.
        while !open.is_empty() {
            let first = open.remove(0);
            tpc.push(first.candidate.clone());
            entered.push(first);
            self.watch.advance(1);
            open = self.round(open, &tpc, tpc.len() - 1..tpc.len(), levels, reject)?;
        }
        Some(entered)
    }

    /// Tests the contenders against the sets whose newest member is in `newest`; returns those left.
    fn round(
        &self,
        contenders: Vec<Contender>,
        pool: &[Candidate],
        newest: Range<usize>,
        levels: &mut [Level],
        reject: &mut dyn FnMut(Candidate, Reason),
    ) -> Option<Vec<Contender>> {
        let trials = contenders.iter().map(|contender| self.trial(contender, pool, None)).collect();
        let mut ground = Ground::new(pool, newest, self.max_k, contenders.len());
        let trials = self.run(trials, &mut ground, levels, &|| self.watch.advance(1))?;
        Some(settle(contenders, trials, reject))
    }

    /// The backward stage: removes at once each member of TPC_k that a subset of TPC without it separates.
    ///
    /// All are tested side by side against TPC as it stands. The members are then settled in order; if a trial
    /// ended with a set of which a member was removed meanwhile, it goes on from there.
    pub fn backward(
        &self,
        met: Met,
        entered: Vec<Contender>,
        lower: &[Candidate],
        levels: &mut [Level],
        reject: &mut dyn FnMut(Candidate, Reason),
    ) -> Option<Vec<Contender>> {
        let (stage, max_k) = match met {
            Met::Entered | Met::Lower => ("backward stage".to_owned(), self.max_k),
            Met::Smaller(size) => (format!("conditioning sets of {size}"), size),
        };
        self.watch.begin(&stage, entered.len() as u64);
        let pool = joined(lower, &entered);
        // The subsets of the lower levels were met in the forward stage, which PC-select has not.
        let start = if matches!(met, Met::Smaller(_)) { 0 } else { lower.len() };
        let mut ground = Ground::new(&pool, start..pool.len(), max_k, entered.len());
        let fresh = |place: usize, contender: &Contender, removed: &Removed| {
            let mut trial = self.trial(contender, &pool, Some(place));
            trial.exclude(removed);
            // What was met before needs no second test.
            match met {
                Met::Entered => trial.newest_from = place + 1,
                Met::Lower => {}
                Met::Smaller(size) => trial.least_size = size,
            }
            trial
        };
        let mut removed = Removed::default();
        let trials = (lower.len()..).zip(&entered).map(|(place, it)| fresh(place, it, &removed)).collect();
        let mut trials: VecDeque<Trial> = self.run(trials, &mut ground, levels, &|| ())?.into();
        let (mut kept, mut again) = (Vec::new(), Vec::new());
        for (place, contender) in (lower.len()..).zip(entered) {
            if trials.front().is_some_and(|trial| trial.is_overtaken(&removed)) {
                self.go_on(&mut trials, &mut ground, &removed, levels)?;
            }
            let Some(trial) = trials.pop_front() else { break };
            self.watch.advance(1);
            if trial.separation.is_some() {
                removed.insert(place, contender.candidate.clone());
            } else if trial.weakest.sources().any(|set| removed.touch(set)) {
                // It stays, but its largest p-value came from a set that was none any more when its turn came.
                again.push((kept.len(), fresh(place, &contender, &removed)));
            }
            kept.extend(settle(vec![contender], vec![trial], reject));
        }
        let (places, trials): (Vec<usize>, Vec<Trial>) = again.into_iter().unzip();
        let trials = self.run(trials, &mut ground, &mut [], &|| ())?;
        for (place, trial) in places.into_iter().zip(trials) {
            kept[place].weakest = trial.weakest;
        }
        Some(kept)
    }

    /// Goes on with the trials that ended with a set of which a member was removed since.
    fn go_on(
        &self,
        trials: &mut VecDeque<Trial>,
        ground: &mut Ground<'_>,
        removed: &Removed,
        levels: &mut [Level],
    ) -> Option<()> {
        let (mut places, mut overtaken) = (Vec::new(), Vec::new());
        for place in trials.iter_mut().filter(|trial| trial.is_overtaken(removed)) {
            let mut trial = place.clone();
            trial.separation = None;
            trial.exclude(removed);
            places.push(place);
            overtaken.push(trial);
        }
        let gone_on = self.run(overtaken, ground, levels, &|| ())?;
        places.into_iter().zip(gone_on).for_each(|(place, trial)| *place = trial);
        Some(())
    }

    /// Tests every contender against all sets of the pool without itself, and only then removes those
    /// separated, together (the `paper-table` preset).
    pub fn together(
        &self,
        contenders: Vec<Contender>,
        lower: &[Candidate],
        levels: &mut [Level],
        reject: &mut dyn FnMut(Candidate, Reason),
    ) -> Option<Vec<Contender>> {
        self.watch.begin("backward stage", contenders.len() as u64);
        let pool = joined(lower, &contenders);
        let trials = contenders
            .iter()
            .enumerate()
            .map(|(i, contender)| self.trial(contender, &pool, Some(lower.len() + i)))
            .collect();
        let mut ground = Ground::new(&pool, 0..pool.len(), self.max_k, contenders.len());
        let trials = self.run(trials, &mut ground, levels, &|| self.watch.advance(1))?;
        Some(settle(contenders, trials, reject))
    }

    /// A contender before its tests against a pool, of which it may be a member itself.
    fn trial(&self, contender: &Contender, pool: &[Candidate], own_place: Option<usize>) -> Trial {
        let candidate = contender.candidate.clone();
        let shares = |member: &Candidate| self.overlap == Overlap::Skip && member.overlaps(&candidate);
        let excluded =
            pool.iter().enumerate().map(|(i, member)| own_place == Some(i) || shares(member)).collect();
        Trial {
            excluded,
            candidate,
            newest_from: 0,
            least_size: 0,
            met: (0, 0),
            tests: 0,
            not_testable: 0,
            weakest: contender.weakest.clone(),
            separation: None,
        }
    }

    /// Runs the trials against all sets of the ground, each until its candidate is separated, which is told at
    /// once.
    fn run(
        &self,
        trials: Vec<Trial>,
        ground: &mut Ground<'_>,
        levels: &mut [Level],
        separated: &(dyn Fn() + Sync),
    ) -> Option<Vec<Trial>> {
        let trials: Vec<Mutex<Trial>> = trials.into_iter().map(Mutex::new).collect();
        let is_open = |trial: &Trial, number: usize| trial.separation.is_none() && trial.met.0 <= number;
        for number in 0..ground.batches() {
            let open: Vec<&Mutex<Trial>> =
                trials.iter().filter(|trial| is_open(&lock(trial), number)).collect();
            if !open.is_empty() {
                ground.visit(number, self.counter, self.strata, self.judge, |sets| {
                    self.batch(&open, sets, separated)
                });
            }
            if self.watch.stopped() {
                return None;
            }
        }
        let mut trials: Vec<Trial> = trials.into_iter().map(into_inner).collect();
        for trial in &mut trials {
            let (tests, not_testable) = (trial.tests, trial.not_testable);
            (trial.tests, trial.not_testable) = (0, 0);
            if let Some(level) = levels.iter_mut().find(|level| level.level == trial.candidate.level()) {
                level.tests += tests;
                level.not_testable += not_testable;
            }
        }
        Some(trials)
    }

    /// One batch of counts: all trials against all sets of a batch of the ground.
    fn batch(&self, trials: &[&Mutex<Trial>], sets: &Sets<'_>, separated: &(dyn Fn() + Sync)) {
        let Sets { number, pool, family, cells, margins } = *sets;
        let queries: Vec<Query> =
            trials.iter().map(|trial| Query::new(&lock(trial), number, family)).collect();
        let bases: Vec<Base<'_>> = queries.iter().map(Query::base).collect();
        let batch = Batch { bases: &bases, pool, family };
        self.strata.count(self.counter, &batch, &|base, from, with| {
            if self.watch.stopped() {
                return ControlFlow::Break(());
            }
            let mut trial = lock(trials[base]);
            let Query { excluded, newest_from, least_size, first, .. } = &queries[base];
            let mut table = Table::default();
            for set in from.max(*first)..with[0].len() {
                let members = family.members(set);
                let met = members.first().is_some_and(|&newest| (newest as usize) < *newest_from);
                if met
                    || members.len() < *least_size
                    || members.iter().any(|&member| excluded[member as usize])
                {
                    continue;
                }
                table.fill(family, set, with, cells);
                let margins = &margins[cells.range(family, set)];
                self.weigh(&table, margins, &mut trial, || in_entry_order(members, pool));
                if trial.separation.is_some() {
                    trial.met = (number, set + 1);
                    separated();
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
    }

    fn weigh(&self, table: &Table, margins: &[f64], trial: &mut Trial, given: impl Fn() -> Vec<Candidate>) {
        trial.tests += 1;
        let exact = || self.judge.test().assess(table).tested();
        match self.judge.examine(table, |stratum| margins[stratum], |df| trial.weakest.bound(df)) {
            (Verdict::NotTestable, _) => trial.not_testable += 1,
            (Verdict::Independent, _) => {
                trial.separation = exact().map(|tested| Separation { by: given(), tested });
            }
            (Verdict::Dependent, true) => {
                if let Some(tested) = exact() {
                    trial.weakest.offer(tested, given);
                }
            }
            (Verdict::Dependent, false) => {}
        }
    }
}

/// TPC: the causes of the lower levels, then those that entered at this one.
fn joined(lower: &[Candidate], entered: &[Contender]) -> Vec<Candidate> {
    lower.iter().chain(entered.iter().map(|contender| &contender.candidate)).cloned().collect()
}

/// Rejects the contenders that were separated and returns the others, with what their trials showed.
fn settle(
    contenders: Vec<Contender>,
    trials: Vec<Trial>,
    reject: &mut dyn FnMut(Candidate, Reason),
) -> Vec<Contender> {
    let mut left = Vec::with_capacity(contenders.len());
    for (mut contender, trial) in contenders.into_iter().zip(trials) {
        match trial.separation {
            Some(Separation { by, tested }) => {
                reject(contender.candidate, Reason::Separated { by, p_value: tested.p_value });
            }
            None => {
                contender.weakest = trial.weakest;
                left.push(contender);
            }
        }
    }
    left
}

/// The members of a set as a reader expects them: in the order of their entry.
fn in_entry_order(members: &[u32], pool: &[Candidate]) -> Vec<Candidate> {
    let mut members = members.to_vec();
    members.sort_unstable();
    members.into_iter().map(|member| pool[member as usize].clone()).collect()
}
