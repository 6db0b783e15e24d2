//! The single columns before the search: constants, and columns that are equal or complementary.

use std::collections::BTreeMap;

use super::findings::Reason;
use super::settings::Twins;
use crate::count::{Count, Counter, Grid};
use crate::dataset::{Candidate, Column};

/// What is known of every column before anything is tested.
pub(crate) struct Singles {
    pub counts: Vec<Count>,
    /// The reason of the columns that are never tested by themselves.
    pub settled: BTreeMap<u32, Reason>,
}

impl Singles {
    pub fn new(counter: &dyn Counter, columns: &[Column], twins: Twins) -> Self {
        let all: Vec<Candidate> = (0..columns.len() as u32).map(Candidate::single).collect();
        let counts = counter.counts(&all);
        let rows = counter.rows();
        let mut settled: BTreeMap<u32, Reason> = (0..)
            .zip(&counts)
            .filter(|(_, count)| count.total() == 0 || **count == rows)
            .map(|(column, _)| (column, Reason::Constant))
            .collect();
        if twins == Twins::Merge {
            let found = find_twins(counter, &counts, &settled);
            settled.extend(found);
        }
        Self { counts, settled }
    }

    /// The first column that holds in the same rows as this one or in exactly the others: itself, if none.
    pub fn representative(&self, column: u32) -> u32 {
        match self.settled.get(&column) {
            Some(Reason::Equivalent { to, .. }) => to.columns()[0],
            _ => column,
        }
    }

    /// Whether conjunctions may use a column: constants and repeats add nothing, complements do.
    pub fn is_offered(&self, column: u32) -> bool {
        matches!(self.settled.get(&column), None | Some(Reason::Equivalent { complement: true, .. }))
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

/// Columns with the same counts, also within some of the columns, or with complementary ones, are compared pair
/// by pair.
fn find_twins(
    counter: &dyn Counter,
    counts: &[Count],
    settled: &BTreeMap<u32, Reason>,
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
    let mut twins = BTreeMap::new();
    for mut group in alike.into_values() {
        // The first of the group stands for all that are like it; the others are compared among themselves.
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
