//! The elimination phase of both listings, in rounds.
//!
//! The forward stage only ever adds to TPC, so testing eagerly gives the listing's own result: whenever Z
//! enters TPC, all candidates still in OPEN are tested against the conditioning sets with Z as their newest
//! member, and those separated are dropped; a candidate that comes to the front of OPEN has then met every
//! subset of TPC. Each round is one batch of count queries.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

use super::findings::{Level, Reason};
use super::ground::{Ground, Sets};
use super::settings::{Method, Overlap};
use super::watch::Watch;
use crate::count::{Base, Batch, Count, Counter, Table, into_inner, lock};
use crate::dataset::Candidate;
use crate::independence::{Judge, Tested, Verdict, Weakest};

/// A candidate that is associated with the target, and how it has fared so far.
#[derive(Clone, Debug)]
pub(super) struct Contender {
    pub candidate: Candidate,
    pub count: Count,
    pub association: Tested,
    /// The conditioning sets of the tests with the largest p-values.
    pub weakest: Weakest<Vec<Candidate>>,
}

impl Contender {
    pub fn new(candidate: Candidate, count: Count, association: Tested) -> Self {
        let mut weakest = Weakest::default();
        weakest.offer(association, Vec::new);
        Self { candidate, count, association, weakest }
    }
}

/// Puts the strongest association first; ties go by column order.
pub(super) fn sort_open(open: &mut [Contender]) {
    open.sort_by(|a, b| {
        let strength = |contender: &Contender| contender.association.strength();
        strength(b).total_cmp(&strength(a)).then_with(|| a.candidate.cmp(&b.candidate))
    });
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
    weakest: Weakest<Vec<Candidate>>,
    separation: Option<Separation>,
    tests: u64,
    not_testable: u64,
}

impl Trial {
    /// Whether it might have gone otherwise without this candidate.
    fn rests_on(&self, candidate: &Candidate) -> bool {
        match &self.separation {
            Some(separation) => separation.by.contains(candidate),
            None => self.weakest.sources().any(|set| set.contains(candidate)),
        }
    }
}

/// The tools of the elimination phase at one level.
pub(super) struct Elimination<'a> {
    pub counter: &'a dyn Counter,
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
        method: Method,
        mut open: Vec<Contender>,
        lower: &[Candidate],
        level: &mut Level,
        reject: &mut dyn FnMut(Candidate, Reason),
    ) -> Option<Vec<Contender>> {
        self.watch.begin("forward stage", open.len() as u64);
        open = self.round(open, lower, 0..lower.len(), level, reject)?;
        if method == Method::MhPcB {
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
            open = self.round(open, &tpc, tpc.len() - 1..tpc.len(), level, reject)?;
        }
        Some(entered)
    }

    /// Tests the contenders against the sets whose newest member is in `newest`; returns those left.
    fn round(
        &self,
        contenders: Vec<Contender>,
        pool: &[Candidate],
        newest: Range<usize>,
        level: &mut Level,
        reject: &mut dyn FnMut(Candidate, Reason),
    ) -> Option<Vec<Contender>> {
        let trials = contenders.iter().map(|contender| self.trial(contender, pool, None)).collect();
        let mut ground = Ground::new(pool, newest, self.max_k, contenders.len());
        let trials = self.run(trials, &mut ground, level, &|| self.watch.advance(1))?;
        Some(settle(contenders, trials, reject))
    }

    /// The backward stage: removes at once each member of TPC_k that a subset of TPC without it separates.
    ///
    /// All are tested side by side against TPC as it stands; a trial holds as long as no candidate it rests on
    /// was removed meanwhile, and is made again otherwise.
    pub fn backward(
        &self,
        method: Method,
        entered: Vec<Contender>,
        lower: &[Candidate],
        level: &mut Level,
        reject: &mut dyn FnMut(Candidate, Reason),
    ) -> Option<Vec<Contender>> {
        self.watch.begin("backward stage", entered.len() as u64);
        let pool = joined(lower, &entered);
        let mut ground = Ground::new(&pool, lower.len()..pool.len(), self.max_k, entered.len());
        let mut removed = vec![false; pool.len()];
        let mut kept: Vec<Contender> = Vec::new();
        let mut waiting: VecDeque<(usize, Contender, Option<Trial>)> =
            (lower.len()..).zip(entered).map(|(place, contender)| (place, contender, None)).collect();
        while let Some((place, contender, trial)) = waiting.pop_front() {
            let Some(trial) = trial else {
                waiting.push_front((place, contender, None));
                self.retry(method, &mut waiting, &mut ground, &removed, level)?;
                continue;
            };
            self.watch.advance(1);
            if trial.separation.is_some() {
                removed[place] = true;
                for (_, _, other) in &mut waiting {
                    *other = other.take().filter(|other| !other.rests_on(&contender.candidate));
                }
            }
            kept.extend(settle(vec![contender], vec![trial], reject));
        }
        Some(kept)
    }

    /// Tests those waiting without a valid trial against the subsets of TPC as it stands.
    fn retry(
        &self,
        method: Method,
        waiting: &mut VecDeque<(usize, Contender, Option<Trial>)>,
        ground: &mut Ground<'_>,
        removed: &[bool],
        level: &mut Level,
    ) -> Option<()> {
        let untried = waiting.iter_mut().filter(|(_, _, trial)| trial.is_none());
        let (mut places, mut trials) = (Vec::new(), Vec::new());
        for (place, contender, kept) in untried {
            let mut trial = self.trial(contender, ground.pool(), Some(*place));
            for (excluded, &removed) in trial.excluded.iter_mut().zip(removed) {
                *excluded |= removed;
            }
            // The subsets met in the forward stage need no second test: those of members that entered before;
            // for MH-PC-B only those of the lower levels, which are not part of this ground.
            if method != Method::MhPcB {
                trial.newest_from = *place + 1;
            }
            places.push(kept);
            trials.push(trial);
        }
        let trials = self.run(trials, ground, level, &|| ())?;
        for (place, trial) in places.into_iter().zip(trials) {
            *place = Some(trial);
        }
        Some(())
    }

    /// Tests every contender against all sets of the pool without itself, and only then removes those
    /// separated, together (the `paper-table` preset).
    pub fn together(
        &self,
        contenders: Vec<Contender>,
        lower: &[Candidate],
        level: &mut Level,
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
        let trials = self.run(trials, &mut ground, level, &|| self.watch.advance(1))?;
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
            weakest: contender.weakest.clone(),
            separation: None,
            tests: 0,
            not_testable: 0,
        }
    }

    /// Runs the trials against all sets of the ground, each until its candidate is separated, which is told at
    /// once.
    fn run(
        &self,
        trials: Vec<Trial>,
        ground: &mut Ground<'_>,
        level: &mut Level,
        separated: &(dyn Fn() + Sync),
    ) -> Option<Vec<Trial>> {
        let trials: Vec<Mutex<Trial>> = trials.into_iter().map(Mutex::new).collect();
        for number in 0..ground.batches() {
            let unsettled: Vec<&Mutex<Trial>> =
                trials.iter().filter(|trial| lock(trial).separation.is_none()).collect();
            if unsettled.is_empty() {
                break;
            }
            ground.visit(number, self.counter, self.judge, |sets| self.batch(&unsettled, sets, separated));
            if self.watch.stopped() {
                return None;
            }
        }
        let trials: Vec<Trial> = trials.into_iter().map(into_inner).collect();
        level.tests += trials.iter().map(|trial| trial.tests).sum::<u64>();
        level.not_testable += trials.iter().map(|trial| trial.not_testable).sum::<u64>();
        Some(trials)
    }

    /// One batch of counts: all trials against all sets of a batch of the ground.
    fn batch(&self, trials: &[&Mutex<Trial>], sets: &Sets<'_>, separated: &(dyn Fn() + Sync)) {
        let Sets { pool, family, cells, margins } = *sets;
        let rows: Vec<(Candidate, Vec<bool>, usize)> = trials
            .iter()
            .map(|trial| {
                let trial = lock(trial);
                (trial.candidate.clone(), trial.excluded.clone(), trial.newest_from)
            })
            .collect();
        let bases: Vec<Base<'_>> =
            rows.iter().map(|(candidate, without, from)| Base { candidate, without, from: *from }).collect();
        self.counter.count(&Batch { bases: &bases, pool, family }, &|base, from, with| {
            if self.watch.stopped() {
                return ControlFlow::Break(());
            }
            let mut trial = lock(trials[base]);
            let mut table = Table::default();
            for set in from.max(family.tested())..with.len() {
                let members = family.members(set);
                let met = members.first().is_some_and(|&newest| (newest as usize) < trial.newest_from);
                if met || members.iter().any(|&member| trial.excluded[member as usize]) {
                    continue;
                }
                table.fill(family, set, with, cells);
                self.weigh(&table, &margins[family.face_range(set)], &mut trial, || {
                    in_entry_order(members, pool)
                });
                if trial.separation.is_some() {
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
