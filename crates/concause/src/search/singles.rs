//! The single columns before the search: constants, and columns that are equal or complementary.

use std::collections::BTreeMap;

use super::findings::Reason;
use super::knowledge::{Knowledge, Role};
use super::settings::{Settings, Twins};
use crate::count::{Count, Counter, Grid, Strata};
use crate::dataset::{Candidate, Column};

/// What is known of every column before anything is tested.
pub(crate) struct Singles {
    pub counts: Vec<Count>,
    /// The same in every stratum of the covariates.
    pub in_strata: Vec<Box<[Count]>>,
    /// The reason of the columns that are never tested by themselves.
    pub settled: BTreeMap<u32, Reason>,
    /// The columns that may not be causes, in ascending order.
    forbidden: Vec<u32>,
}

impl Singles {
    pub fn new(counter: &dyn Counter, strata: &Strata, columns: &[Column], settings: &Settings) -> Self {
        let all: Vec<Candidate> = (0..columns.len() as u32).map(Candidate::single).collect();
        let in_strata = strata.counts(counter, &all);
        let counts: Vec<Count> = in_strata.iter().map(|counts| counts.iter().sum()).collect();
        let knowledge = &settings.knowledge;
        let mut settled = set_aside(knowledge);
        let rows = counter.rows();
        for (column, &count) in (0..).zip(&counts) {
            if count.total() == 0 || count == rows {
                settled.entry(column).or_insert(Reason::Constant);
            }
        }
        let mut forbidden = knowledge.forbidden.clone();
        forbidden.sort_unstable();
        if settings.twins == Twins::Merge {
            let found = find_twins(counter, &counts, &settled, knowledge);
            settled.extend(found);
        }
        Self { counts, in_strata, settled, forbidden }
    }

    /// The first column of a candidate that may not be part of a cause, though it may be tested.
    pub fn forbidden(&self, candidate: &Candidate) -> Option<Candidate> {
        let is_forbidden = |column: &&u32| self.forbidden.binary_search(column).is_ok();
        candidate.columns().iter().find(is_forbidden).map(|&column| Candidate::single(column))
    }

    /// The column that stands for all that hold in the same rows as this one or in exactly the others.
    pub fn representative(&self, column: u32) -> u32 {
        match self.settled.get(&column) {
            Some(Reason::Equivalent { to, .. }) => to.columns()[0],
            _ => column,
        }
    }

    /// Whether conjunctions may use a column: constants and repeats add nothing, complements do.
    pub fn is_offered(&self, column: u32) -> bool {
        matches!(self.settled.get(&column), None | Some(Reason::Equivalent { complement: true, .. }))
            && self.forbidden.binary_search(&column).is_err()
    }

    /// The columns merged into a single cause; for a conjunction, those that may stand for one of its columns.
    pub fn equivalent(&self, candidate: &Candidate) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (&column, reason) in &self.settled {
            let Reason::Equivalent { to, complement } = reason else { continue };
            let twin = Candidate::single(column);
            if candidate == to {
                found.push(twin);
            } else if candidate.level() > 1 && candidate.overlaps(to) && !complement {
                found.push(candidate.without(to).join(&twin));
            }
        }
        found
    }
}

/// How many columns the others are counted within, so that few unlike ones are left to be compared pair by pair.
const PROBES: usize = 16;

/// The columns that are out of the search: never causes, never in a conditioning set.
fn set_aside(knowledge: &Knowledge) -> BTreeMap<u32, Reason> {
    let reason = |column: u32, role| (column, Reason::SetAside { column: Candidate::single(column), role });
    let after = knowledge.after.iter().map(|&column| reason(column, Role::After));
    after.chain(knowledge.covariates.iter().map(|&column| reason(column, Role::Covariate))).collect()
}

/// Columns with the same counts, also within some of the columns, or with complementary ones, are compared pair
/// by pair.
fn find_twins(
    counter: &dyn Counter,
    counts: &[Count],
    settled: &BTreeMap<u32, Reason>,
    knowledge: &Knowledge,
) -> BTreeMap<u32, Reason> {
    let rows = counter.rows();
    let free: Vec<u32> = (0..counts.len() as u32).filter(|column| !settled.contains_key(column)).collect();
    let everywhere = Candidate::default();
    let probes: Vec<u32> = free.iter().step_by(free.len() / PROBES + 1).copied().collect();
    let within = counter.grid(Grid { base: &everywhere, left: &probes, right: &free });
    let within: Vec<(Count, &[Count])> =
        probes.iter().map(|&probe| counts[probe as usize]).zip(within.chunks(free.len().max(1))).collect();
    let mut alike: BTreeMap<Vec<Count>, Vec<u32>> = BTreeMap::new();
    for (i, &column) in free.iter().enumerate() {
        let own = counts[column as usize];
        let signature: Vec<Count> =
            std::iter::once(own).chain(within.iter().map(|(_, both)| both[i])).collect();
        let complement: Vec<Count> =
            std::iter::once(rows - own).chain(within.iter().map(|(probe, both)| *probe - both[i])).collect();
        alike.entry(signature.min(complement)).or_default().push(column);
    }
    // The first of the group stands for all that are like it, one that is required or may be a cause before one that may
    // not; the others are compared among themselves.
    let mut groups: Vec<Vec<u32>> = alike.into_values().filter(|group| group.len() > 1).collect();
    for group in &mut groups {
        group.sort_by_key(|&column| {
            (!knowledge.requires(&Candidate::single(column)), knowledge.role(column).is_some(), column)
        });
    }
    let first = |group: &Vec<u32>| {
        let pair = |&other: &u32| Candidate::new(vec![group[0], other]);
        group[1..].iter().map(pair).collect::<Vec<_>>()
    };
    counter.foresee(&[], &groups.iter().flat_map(first).collect::<Vec<_>>());
    let mut twins = BTreeMap::new();
    for mut group in groups {
        while group.len() > 1 {
            let first = group.remove(0);
            let both = counter.grid(Grid { base: &everywhere, left: &[first], right: &group });
            let own = counts[first as usize];
            let mut rest = Vec::new();
            for (column, both) in group.into_iter().zip(both) {
                let count = counts[column as usize];
                let equal = both == own && count == own;
                let complement = both == Count::default() && count + own == rows;
                if equal || complement {
                    twins.insert(column, Reason::Equivalent { to: Candidate::single(first), complement });
                } else {
                    rest.push(column);
                }
            }
            group = rest;
        }
    }
    twins
}
