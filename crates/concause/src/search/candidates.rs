//! The combined candidates of a level: which there are, which are redundant, which are associated with the
//! target (lines 5 to 8 of Algorithm 2).

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::elimination::Contender;
use super::findings::{Level, Reason};
use super::watch::Watch;
use crate::count::{Batch, Count, Counter, Family, Table};
use crate::dataset::{Candidate, Column};
use crate::error::Error;
use crate::independence::{Judge, Outcome, Verdict};

/// How a pair of non-causes is tested for redundancy.
pub(super) trait RedundancyTest: Sync {
    /// Whether `part` adds nothing where `within` holds: `both`, of the rows in `within`, have both. Returns
    /// the p-value if so, and whether the test could tell.
    fn redundant(&self, both: Count, within: Count) -> (Verdict, f64);
}

/// Definition 2: the chosen test on the rows of the stratum.
impl RedundancyTest for Judge {
    fn redundant(&self, both: Count, within: Count) -> (Verdict, f64) {
        let table = Table::marginal(both, within);
        match self.verdict(&table) {
            Verdict::Independent => {
                let p_value = self.test().assess(&table).tested().map_or(1.0, |tested| tested.p_value);
                (Verdict::Independent, p_value)
            }
            verdict => (verdict, 0.0),
        }
    }
}

/// The non-causes of the lower levels (nTPC) with their counts, and the tests to apply to what they form.
pub(super) struct Generator<'a> {
    pub counter: &'a dyn Counter,
    pub columns: &'a [Column],
    pub redundancy: &'a dyn RedundancyTest,
    pub association: &'a Judge,
    pub watch: &'a dyn Watch,
    pub max_candidates: u64,
    /// nTPC by level; `by_level[0]` holds the single columns offered to conjunctions.
    pub by_level: Vec<Vec<Candidate>>,
    pub counts: HashMap<Candidate, Count>,
}

/// What a level has to offer.
#[derive(Default)]
pub(super) struct Formed {
    pub open: Vec<Contender>,
    /// The non-redundant ones that are not associated: non-causes already (only kept if a later level asks).
    pub not_associated: Vec<(Candidate, Count)>,
    pub tally: Level,
}

/// What becomes of one candidate before it is tested against conditioning sets.
pub(super) enum Screening {
    Open(Contender),
    Out(Reason),
}

impl Generator<'_> {
    /// Forms and screens all candidates of a level. `keep` says whether non-causes are needed for later levels.
    pub fn level(&self, level: usize, keep: bool) -> Result<Option<Formed>, Error> {
        let bound = self.bound(level);
        if bound > u128::from(self.max_candidates) {
            return Err(Error::TooManyCandidates { level, candidates: bound, budget: self.max_candidates });
        }
        let mut formed = Formed { tally: Level { level, ..Level::default() }, ..Formed::default() };
        // Every candidate that splits into a single column and the rest is met at its first such split.
        if !self.sweep(level, keep, &mut formed) {
            return Ok(None);
        }
        for smaller in 2..=level / 2 {
            if !self.join(smaller, level - smaller, keep, &mut formed) {
                return Ok(None);
            }
        }
        Ok(Some(formed))
    }

    /// At most this many candidates.
    fn bound(&self, level: usize) -> u128 {
        let size = |level: usize| self.by_level.get(level - 1).map_or(0, |members| members.len() as u128);
        let pairs = |small: usize| match (size(small), size(level - small)) {
            (n, _) if small * 2 == level => n * n.saturating_sub(1) / 2,
            (n, m) => n * m,
        };
        (1..=level / 2).map(pairs).sum()
    }

    /// Joins every single column with every non-cause of the level below.
    fn sweep(&self, level: usize, keep: bool, formed: &mut Formed) -> bool {
        let singles = &self.by_level[0];
        let Some(bases) = self.by_level.get(level - 2) else { return true };
        self.watch.begin(&format!("candidates of level {level}"), bases.len() as u64);
        let family = Family::singles(singles.len());
        let results: Vec<Mutex<Formed>> = bases.iter().map(|_| Mutex::default()).collect();
        self.counter.count(&Batch { bases, pool: singles, family: &family }, &|number, from, counts| {
            if self.watch.stopped() {
                return ControlFlow::Break(());
            }
            let Ok(mut result) = results[number].lock() else { return ControlFlow::Break(()) };
            for (set, &both) in counts.iter().enumerate().skip(from.max(1)) {
                let single = &singles[set - 1];
                let base = &bases[number];
                if base.overlaps(single) {
                    continue;
                }
                let candidate = base.join(single);
                let splits = self.valid_splits(&candidate);
                if splits.first().is_some_and(|(first, _)| first == single) {
                    self.admit(candidate, both, &splits, keep, &mut result);
                }
            }
            if counts.len() == family.len() {
                self.watch.advance(1);
            }
            ControlFlow::Continue(())
        });
        for result in results {
            formed.take(result.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
        }
        !self.watch.stopped()
    }

    /// Joins two non-causes of at least two columns each, where no split into a single column and the rest
    /// forms the same candidate.
    fn join(&self, smaller: usize, larger: usize, keep: bool, formed: &mut Formed) -> bool {
        let none = Vec::new();
        let members = |level: usize| self.by_level.get(level - 1).unwrap_or(&none);
        for small in members(smaller) {
            let (mut fresh, mut all_splits) = (Vec::new(), Vec::new());
            for large in members(larger).iter().filter(|large| !small.overlaps(large)) {
                let joined = small.join(large);
                let splits = self.valid_splits(&joined);
                if splits.first().is_some_and(|(part, _)| part == small) {
                    fresh.push(joined);
                    all_splits.push(splits);
                }
            }
            let counts = self.counter.counts(&fresh);
            for ((candidate, both), splits) in fresh.into_iter().zip(counts).zip(all_splits) {
                self.admit(candidate, both, &splits, keep, formed);
            }
            if self.watch.stopped() {
                return false;
            }
        }
        true
    }

    /// The ways to split a candidate into two non-causes; none if it joins columns of one attribute.
    pub fn valid_splits(&self, candidate: &Candidate) -> Vec<(Candidate, Candidate)> {
        if self.same_attribute(candidate) {
            return Vec::new();
        }
        let mut splits = candidate.splits();
        splits.retain(|(part, rest)| self.counts.contains_key(part) && self.counts.contains_key(rest));
        splits
    }

    /// Whether two of its columns come from one attribute.
    pub fn same_attribute(&self, candidate: &Candidate) -> bool {
        let attribute = |column: &u32| self.columns[*column as usize].attribute;
        let columns = candidate.columns();
        columns.iter().enumerate().any(|(i, a)| columns[..i].iter().any(|b| attribute(a) == attribute(b)))
    }

    fn admit(
        &self,
        candidate: Candidate,
        both: Count,
        splits: &[(Candidate, Candidate)],
        keep: bool,
        formed: &mut Formed,
    ) {
        formed.tally.candidates += 1;
        match self.screen(&candidate, both, splits, &mut formed.tally) {
            Screening::Open(contender) => {
                formed.tally.associated += 1;
                formed.open.push(contender);
            }
            Screening::Out(Reason::Constant | Reason::Redundant { .. }) => formed.tally.redundant += 1,
            Screening::Out(_) if keep => formed.not_associated.push((candidate, both)),
            Screening::Out(_) => {}
        }
    }

    /// Redundant, not associated, or open: kept if at least one split is not redundant.
    pub fn screen(
        &self,
        candidate: &Candidate,
        both: Count,
        splits: &[(Candidate, Candidate)],
        tally: &mut Level,
    ) -> Screening {
        let rows = self.counter.rows();
        if both.total() == 0 || both == rows {
            return Screening::Out(Reason::Constant);
        }
        let mut first_reason = None;
        for (part, rest) in splits {
            match self.redundancy(part, rest, both, tally) {
                Some(reason) => first_reason = first_reason.or(Some(reason)),
                None => {
                    first_reason = None;
                    break;
                }
            }
        }
        if let Some(reason) = first_reason {
            return Screening::Out(reason);
        }
        associate(candidate, both, rows, self.association, tally)
    }

    /// Why joining the two is redundant, if it is.
    fn redundancy(
        &self,
        part: &Candidate,
        rest: &Candidate,
        both: Count,
        tally: &mut Level,
    ) -> Option<Reason> {
        // The part with the earlier first column is tested first.
        let (first, second) = if part.columns() < rest.columns() { (part, rest) } else { (rest, part) };
        for (part, within) in [(first, second), (second, first)] {
            tally.tests += 1;
            match self.redundancy.redundant(both, self.counts[within]) {
                (Verdict::Independent, p_value) => {
                    return Some(Reason::Redundant { part: part.clone(), within: within.clone(), p_value });
                }
                (Verdict::NotTestable, _) => tally.not_testable += 1,
                (Verdict::Dependent, _) => {}
            }
        }
        None
    }
}

/// Whether a candidate is associated with the target.
pub(super) fn associate(
    candidate: &Candidate,
    count: Count,
    rows: Count,
    judge: &Judge,
    tally: &mut Level,
) -> Screening {
    tally.tests += 1;
    match judge.test().assess(&Table::marginal(count, rows)) {
        Outcome::Tested(tested) if tested.p_value <= judge.alpha() => {
            Screening::Open(Contender::new(candidate.clone(), count, tested))
        }
        Outcome::Tested(tested) => Screening::Out(Reason::NotAssociated { p_value: tested.p_value }),
        Outcome::NotTestable => {
            tally.not_testable += 1;
            Screening::Out(Reason::NotTestable)
        }
    }
}

impl Formed {
    fn take(&mut self, other: Formed) {
        self.open.extend(other.open);
        self.not_associated.extend(other.not_associated);
        self.tally.candidates += other.tally.candidates;
        self.tally.redundant += other.tally.redundant;
        self.tally.associated += other.tally.associated;
        self.tally.tests += other.tally.tests;
        self.tally.not_testable += other.tally.not_testable;
    }
}
