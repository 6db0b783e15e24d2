//! Screens conjunctions: each part must be associated with the target in the rows where the other parts hold.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::TermSearch;
use crate::count::{Count, Grid, into_inner, lock, pair_grids};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::search::candidates::in_table;
use crate::search::findings::{LevelSummary, Reason};
use crate::stats::{Decision, FalseDiscovery, TestOutcome, TestResult};

/// If at least this many rows are expected, their absence is not due to chance.
const LEAST_EXPECTED: f64 = 5.0;

/// A conjunction that passed the screening.
#[derive(Clone, Debug)]
pub(super) struct Screened {
    pub candidate: Candidate,
    /// The counts in every stratum of the covariates.
    pub counts: Box<[Count]>,
    /// The least significant test of a part in the rows where the other parts hold.
    pub least_significant_part: TestResult,
}

/// Sorts by the least significant part, the best first.
pub(super) fn sort_best_first(screened: &mut [Screened]) {
    screened.sort_by(|a, b| {
        let strength = |screened: &Screened| screened.least_significant_part.strength();
        strength(b).total_cmp(&strength(a)).then_with(|| a.candidate.cmp(&b.candidate))
    });
}

/// The number of discoveries at a false discovery rate of `q` (Benjamini and Hochberg 1995) among `tested` candidates.
/// The list contains at least those with p ≤ q, the best first.
pub(super) fn count_discoveries(best_first: &[Screened], q: f64, tested: u64) -> usize {
    let p_values = best_first.iter().map(|screened| screened.least_significant_part.p_value);
    let threshold = FalseDiscovery::BenjaminiHochberg.threshold(q, p_values.collect(), tested);
    best_first.partition_point(|screened| screened.least_significant_part.p_value <= threshold)
}

impl TermSearch<'_> {
    /// All pairs of columns of different attributes that pass the screening at significance level alpha, the best
    /// first.
    pub(super) fn screen_pairs(
        &self,
        offered: &[u32],
        summary: &mut LevelSummary,
    ) -> Result<Vec<Screened>, Error> {
        let all_rows = Candidate::default();
        let grids: Vec<Grid<'_>> = pair_grids(&all_rows, offered);
        self.context.progress.begin("pairs", offered.len() as u64);
        let found: Mutex<(Vec<Screened>, LevelSummary)> = Mutex::default();
        self.context.strata.grids(self.context.counter(), &grids, &|number, counts| {
            if self.context.progress.stopped() {
                return ControlFlow::Break(());
            }
            let Grid { left, right, .. } = grids[number];
            let (mut passed, mut summary) = (Vec::new(), LevelSummary::default());
            let mut both = vec![Count::default(); counts.len()];
            for (l, &x) in left.iter().enumerate() {
                for (r, &y) in right.iter().enumerate().skip(l + 1) {
                    let cell = l * right.len() + r;
                    both.iter_mut().zip(counts).for_each(|(both, counts)| *both = counts[cell]);
                    self.screen_pair([x, y], &both, &mut summary, &mut passed);
                }
            }
            self.context.progress.advance(left.len() as u64);
            let mut found = lock(&found);
            found.0.append(&mut passed);
            found.1.add(&summary);
            ControlFlow::Continue(())
        })?;
        self.check_stopped()?;
        let (mut found, counted) = into_inner(found);
        summary.add(&counted);
        sort_best_first(&mut found);
        Ok(found)
    }

    fn screen_pair(
        &self,
        [x, y]: [u32; 2],
        both: &[Count],
        summary: &mut LevelSummary,
        found: &mut Vec<Screened>,
    ) {
        if self.context.columns[x as usize].attribute == self.context.columns[y as usize].attribute {
            return;
        }
        summary.candidates += 1;
        let within = [y, x].map(|column| &*self.context.singles.in_strata[column as usize]);
        match self.least_significant_part(both, &within, summary) {
            Some(least_significant_part) => {
                let (candidate, counts) = (Candidate::new(vec![x, y]), both.into());
                found.push(Screened { candidate, counts, least_significant_part });
            }
            None => summary.redundant += 1,
        }
    }

    /// The least significant test of a part. For each part, `within` counts the rows where the other parts hold, and
    /// `both` counts those where all parts hold. `None` if a test is not significant.
    fn least_significant_part(
        &self,
        both: &[Count],
        within: &[&[Count]],
        summary: &mut LevelSummary,
    ) -> Option<TestResult> {
        if both.iter().all(|both| both.total() == 0) {
            return None;
        }
        let decision_rule = &self.context.decision_rule;
        for within in within {
            summary.tests += 1;
            if in_table(both, within, |table| decision_rule.decide(table)) != Decision::Dependent {
                return None;
            }
        }
        let outcomes =
            within.iter().map(|within| in_table(both, within, |table| decision_rule.assess(table)));
        outcomes.filter_map(TestOutcome::tested).min_by(|a, b| a.strength().total_cmp(&b.strength()))
    }

    /// Whether at least one part of a pair holds in every row, although rows with neither are expected under
    /// independence.
    pub(super) fn is_covering(&self, pair: &Screened) -> bool {
        let rows = self.context.counter().rows().total();
        let held = |column: &u32| self.context.singles.counts[*column as usize].total();
        let both: Count = pair.counts.iter().sum();
        let columns = pair.candidate.columns();
        let without = columns.iter().map(|column| (rows - held(column)) as f64);
        columns.iter().map(held).sum::<u64>() == rows + both.total()
            && without.product::<f64>() >= LEAST_EXPECTED * rows as f64
    }

    /// The reason for a conjunction with a part that is not associated with the target in the rows where the other
    /// parts hold; `None` if there is no such part.
    pub(super) fn redundant_part(
        &self,
        candidate: &Candidate,
        both: &[Count],
    ) -> Result<Option<Reason>, Error> {
        let others: Vec<Candidate> = all_but_one(candidate).collect();
        let within = self.context.strata.counts(self.context.counter(), &others)?;
        Ok(others.into_iter().zip(within).find_map(|(rest, within)| {
            let decision_rule = &self.context.decision_rule;
            let decision = in_table(both, &within, |table| decision_rule.decide(table));
            (decision != Decision::Dependent).then(|| {
                let outcome = in_table(both, &within, |table| decision_rule.assess(table));
                let p_value = outcome.tested().map_or(1.0, |result| result.p_value);
                Reason::Redundant { part: candidate.without(&rest), within: rest, p_value }
            })
        }))
    }

    /// The extensions of these pairs by one column that pass the screening, the best first.
    pub(super) fn screen_triples(
        &self,
        offered: &[u32],
        pairs: &[Screened],
        summary: &mut LevelSummary,
    ) -> Result<Vec<Screened>, Error> {
        self.context.progress.begin("triples", pairs.len() as u64);
        let mut candidates: Vec<Candidate> = Vec::new();
        for pair in pairs {
            candidates.extend(offered.iter().map(|&column| pair.candidate.join(&Candidate::single(column))));
        }
        candidates.retain(|candidate| candidate.level() == 3 && !self.same_attribute(candidate));
        candidates.sort_unstable();
        candidates.dedup();
        summary.candidates += candidates.len() as u64;
        let counts = self.context.strata.counts(self.context.counter(), &candidates)?;
        let mut subpairs: Vec<Candidate> = candidates.iter().flat_map(all_but_one).collect();
        subpairs.sort_unstable();
        subpairs.dedup();
        let subpair_counts = self.context.strata.counts(self.context.counter(), &subpairs)?;
        let mut found = Vec::new();
        for (candidate, counts) in candidates.into_iter().zip(counts) {
            let within = all_but_one(&candidate).filter_map(|rest| subpairs.binary_search(&rest).ok());
            let within: Vec<&[Count]> = within.map(|place| &*subpair_counts[place]).collect();
            match self.least_significant_part(&counts, &within, summary) {
                Some(least_significant_part) => {
                    found.push(Screened { candidate, counts, least_significant_part })
                }
                None => summary.redundant += 1,
            }
        }
        self.context.progress.advance(pairs.len() as u64);
        self.check_stopped()?;
        sort_best_first(&mut found);
        Ok(found)
    }

    /// Whether two columns of a candidate come from one attribute.
    pub(super) fn same_attribute(&self, candidate: &Candidate) -> bool {
        let attribute = |column: &u32| self.context.columns[*column as usize].attribute;
        let columns = candidate.columns();
        columns.iter().enumerate().any(|(i, a)| columns[..i].iter().any(|b| attribute(a) == attribute(b)))
    }
}

/// The candidate without one of its columns, for each column in turn.
fn all_but_one(candidate: &Candidate) -> impl Iterator<Item = Candidate> {
    candidate.columns().iter().map(|&column| candidate.without(&Candidate::single(column)))
}
