//! Which conjunctions are worth a closer look: those whose every part matters where the others hold.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::MhPcX;
use crate::count::{Count, Grid, into_inner, lock};
use crate::dataset::Candidate;
use crate::independence::{FalseDiscovery, Outcome, Tested, Verdict};
use crate::search::candidates::in_table;
use crate::search::findings::{Level, Reason};

/// Left columns of a grid.
const STRIPE: usize = 32;

/// Where at least so many rows are expected, their absence is not chance.
const LEAST_EXPECTED: f64 = 5.0;

/// A conjunction all of whose parts matter.
#[derive(Clone, Debug)]
pub(super) struct Promising {
    pub candidate: Candidate,
    /// In every stratum of the covariates.
    pub counts: Box<[Count]>,
    /// The weakest of the tests of a part where the other columns hold.
    pub weakest_part: Tested,
}

/// Sorts by the weakest part, the best first.
pub(super) fn sort(promising: &mut [Promising]) {
    promising.sort_by(|a, b| {
        let strength = |it: &Promising| it.weakest_part.strength();
        strength(b).total_cmp(&strength(a)).then_with(|| a.candidate.cmp(&b.candidate))
    });
}

/// How many of the best are to be taken so that the share of false ones among them is `q` (Benjamini and Hochberg 1995),
/// of so many that were tested; the list holds at least all with p ≤ q, the best first.
pub(super) fn discoveries(best_first: &[Promising], q: f64, tested: u64) -> usize {
    let p_values = best_first.iter().map(|it| it.weakest_part.p_value);
    let threshold = FalseDiscovery::BenjaminiHochberg.threshold(q, p_values.collect(), tested);
    best_first.partition_point(|it| it.weakest_part.p_value <= threshold)
}

impl MhPcX<'_> {
    /// All pairs of columns of different attributes of which each part matters where the other holds, at level
    /// alpha, the best first; none if stopped.
    pub(super) fn pairs(&self, offered: &[u32], tally: &mut Level) -> Option<Vec<Promising>> {
        let everywhere = Candidate::default();
        let starts: Vec<usize> = (0..offered.len()).step_by(STRIPE).collect();
        let left = |start: usize| &offered[start..offered.len().min(start + STRIPE)];
        let grids: Vec<Grid<'_>> = starts
            .iter()
            .map(|&start| Grid { base: &everywhere, left: left(start), right: &offered[start..] })
            .collect();
        self.context.watch.begin("pairs", offered.len() as u64);
        let found: Mutex<(Vec<Promising>, Level)> = Mutex::default();
        self.context.strata.grids(self.context.counter, &grids, &|number, counts| {
            if self.context.watch.stopped() {
                return ControlFlow::Break(());
            }
            let Grid { left, right, .. } = grids[number];
            let (mut here, mut tally) = (Vec::new(), Level::default());
            let mut both = vec![Count::default(); counts.len()];
            for (l, &x) in left.iter().enumerate() {
                for (r, &y) in right.iter().enumerate().skip(l + 1) {
                    let cell = l * right.len() + r;
                    both.iter_mut().zip(counts).for_each(|(both, counts)| *both = counts[cell]);
                    self.pair(x, y, &both, &mut tally, &mut here);
                }
            }
            self.context.watch.advance(left.len() as u64);
            let mut found = lock(&found);
            found.0.append(&mut here);
            found.1.add(&tally);
            ControlFlow::Continue(())
        });
        let (mut found, counted) = into_inner(found);
        tally.add(&counted);
        sort(&mut found);
        (!self.context.watch.stopped()).then_some(found)
    }

    fn pair(&self, x: u32, y: u32, both: &[Count], tally: &mut Level, found: &mut Vec<Promising>) {
        if self.context.columns[x as usize].attribute == self.context.columns[y as usize].attribute {
            return;
        }
        tally.candidates += 1;
        let within = [y, x].map(|column| &*self.context.singles.in_strata[column as usize]);
        match self.weakest_part(both, &within, tally) {
            Some(weakest_part) => {
                let (candidate, counts) = (Candidate::new(vec![x, y]), both.into());
                found.push(Promising { candidate, counts, weakest_part });
            }
            None => tally.redundant += 1,
        }
    }

    /// The weakest of the tests of each part in the rows of the other columns, of which `both` have all; none if one
    /// does not matter.
    fn weakest_part(&self, both: &[Count], within: &[&[Count]], tally: &mut Level) -> Option<Tested> {
        if both.iter().all(|both| both.total() == 0) {
            return None;
        }
        let judge = &self.context.judge;
        for within in within {
            tally.tests += 1;
            if in_table(both, within, |table| judge.verdict(table)) != Verdict::Dependent {
                return None;
            }
        }
        let tested = within.iter().map(|within| in_table(both, within, |table| judge.test().assess(table)));
        tested.filter_map(Outcome::tested).min_by(|a, b| a.strength().total_cmp(&b.strength()))
    }

    /// Whether every row has a part of a pair, though enough rows without both would be expected if they were
    /// independent.
    pub(super) fn is_covering(&self, pair: &Promising) -> bool {
        let rows = self.context.counter.rows().total();
        let held = |column: &u32| self.context.singles.counts[*column as usize].total();
        let both: Count = pair.counts.iter().sum();
        let columns = pair.candidate.columns();
        let without = columns.iter().map(|column| (rows - held(column)) as f64);
        columns.iter().map(held).sum::<u64>() == rows + both.total()
            && without.product::<f64>() >= LEAST_EXPECTED * rows as f64
    }

    /// The part of a candidate that does not matter where its other columns hold, if there is one.
    pub(super) fn part_without_effect(&self, candidate: &Candidate, both: &[Count]) -> Option<Reason> {
        let rests: Vec<Candidate> = rests(candidate).collect();
        let within = self.context.strata.counts(self.context.counter, &rests);
        rests.into_iter().zip(within).find_map(|(rest, within)| {
            let judge = &self.context.judge;
            let verdict = in_table(both, &within, |table| judge.verdict(table));
            (verdict != Verdict::Dependent).then(|| {
                let tested = in_table(both, &within, |table| judge.test().assess(table)).tested();
                let p_value = tested.map_or(1.0, |tested| tested.p_value);
                Reason::Redundant { part: candidate.without(&rest), within: rest, p_value }
            })
        })
    }

    /// Extends the best pairs by every column; the triples of which each part matters, the best first.
    pub(super) fn triples(
        &self,
        offered: &[u32],
        pairs: &[Promising],
        tally: &mut Level,
    ) -> Option<Vec<Promising>> {
        self.context.watch.begin("triples", pairs.len() as u64);
        let mut candidates: Vec<Candidate> = Vec::new();
        for pair in pairs {
            candidates.extend(offered.iter().map(|&column| pair.candidate.join(&Candidate::single(column))));
        }
        candidates.retain(|candidate| candidate.level() == 3 && !self.same_attribute(candidate));
        candidates.sort_unstable();
        candidates.dedup();
        tally.candidates += candidates.len() as u64;
        let counts = self.context.strata.counts(self.context.counter, &candidates);
        let mut halves: Vec<Candidate> = candidates.iter().flat_map(rests).collect();
        halves.sort_unstable();
        halves.dedup();
        let half_counts = self.context.strata.counts(self.context.counter, &halves);
        let mut found = Vec::new();
        for (candidate, counts) in candidates.into_iter().zip(counts) {
            let within = rests(&candidate).filter_map(|rest| halves.binary_search(&rest).ok());
            let within: Vec<&[Count]> = within.map(|place| &*half_counts[place]).collect();
            match self.weakest_part(&counts, &within, tally) {
                Some(weakest_part) => found.push(Promising { candidate, counts, weakest_part }),
                None => tally.redundant += 1,
            }
        }
        self.context.watch.advance(pairs.len() as u64);
        sort(&mut found);
        (!self.context.watch.stopped()).then_some(found)
    }

    pub(super) fn same_attribute(&self, candidate: &Candidate) -> bool {
        let attribute = |column: &u32| self.context.columns[*column as usize].attribute;
        let columns = candidate.columns();
        columns.iter().enumerate().any(|(i, a)| columns[..i].iter().any(|b| attribute(a) == attribute(b)))
    }
}

/// The candidate without each of its columns in turn.
fn rests(candidate: &Candidate) -> impl Iterator<Item = Candidate> {
    candidate.columns().iter().map(|&column| candidate.without(&Candidate::single(column)))
}
