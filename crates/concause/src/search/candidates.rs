//! The combined candidates of a level: which there are, which are redundant, which are associated with the
//! target (lines 5 to 8 of Algorithm 2).
//!
//! Candidates are formed and screened as their counts stream by; only those associated with the target, and the
//! non-causes that a later level asks for, are ever held.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::contender::{Contender, control};
use super::findings::{Level, Reason};
use super::watch::Watch;
use crate::count::{Count, Counter, Grid, Strata, Stratum, Table, into_inner, lock};
use crate::dataset::{Candidate, Column, pick, split_masks};
use crate::error::Error;
use crate::independence::{FalseDiscovery, Judge, Outcome, Tested, Verdict};

/// Non-causes that are joined with all single columns in one grid at level 2: few enough for the counts to stay
/// small, and enough for the columns to be worth their way through the caches.
const STRIPE: usize = 32;

/// How a pair of non-causes is tested for redundancy.
pub(super) trait RedundancyTest: Sync {
    /// Whether a part matters where the other part holds: in each stratum of the covariates `both`, of the rows in
    /// `within`, have both.
    fn verdict(&self, both: &[Count], within: &[Count]) -> Verdict;

    /// The p-value of that test.
    fn p_value(&self, both: &[Count], within: &[Count]) -> f64;
}

/// Definition 2: the chosen test on the rows of the stratum.
impl RedundancyTest for Judge {
    fn verdict(&self, both: &[Count], within: &[Count]) -> Verdict {
        in_table(both, within, |table| self.verdict(table))
    }

    fn p_value(&self, both: &[Count], within: &[Count]) -> f64 {
        let outcome = in_table(both, within, |table| self.test().assess(table));
        outcome.tested().map_or(1.0, |tested| tested.p_value)
    }
}

/// Looks at the table of `with` of the rows in `all`, which for a single stratum, as almost always, is made in place.
pub(super) fn in_table<T>(with: &[Count], all: &[Count], look: impl FnOnce(&[Stratum]) -> T) -> T {
    match (with, all) {
        (&[with], &[all]) => look(&[Stratum::marginal(with, all)]),
        _ => look(&Table::in_strata(with, all)),
    }
}

/// The non-causes of the lower levels (nTPC) with their counts in every stratum of the covariates.
#[derive(Default)]
pub(super) struct NonCauses {
    /// By level; the first holds the single columns offered to conjunctions.
    by_level: Vec<Vec<Candidate>>,
    /// By column.
    singles: Vec<Option<Box<[Count]>>>,
    combined: FxHashMap<Candidate, Box<[Count]>>,
}

impl NonCauses {
    /// From the single columns that conjunctions may use, in data order.
    pub fn new(singles: impl Iterator<Item = (u32, Box<[Count]>)>) -> Self {
        let mut found = NonCauses { by_level: vec![Vec::new()], ..NonCauses::default() };
        for (column, counts) in singles {
            found.singles.resize(column as usize, None);
            found.singles.push(Some(counts));
            found.by_level[0].push(Candidate::single(column));
        }
        found
    }

    /// Adds those of the next level.
    pub fn push_level(&mut self, mut members: Vec<(Candidate, Box<[Count]>)>) {
        members.sort_unstable();
        self.by_level.push(members.iter().map(|(candidate, _)| candidate.clone()).collect());
        self.combined.extend(members);
    }

    /// Adds a combined one, outside the levels.
    pub fn insert(&mut self, candidate: Candidate, counts: Box<[Count]>) {
        self.combined.insert(candidate, counts);
    }

    /// The counts of a non-cause; none if it is not one.
    pub fn counts(&self, columns: &[u32]) -> Option<&[Count]> {
        match columns {
            &[column] => self.singles.get(column as usize)?.as_deref(),
            _ => self.combined.get(columns).map(|counts| &**counts),
        }
    }

    fn of_level(&self, level: usize) -> &[Candidate] {
        self.by_level.get(level.wrapping_sub(1)).map_or(&[], |members| members)
    }

    /// At most this many candidates can be joined from them at a level.
    fn bound(&self, level: usize) -> u128 {
        let size = |level: usize| self.of_level(level).len() as u128;
        let pairs = |small: usize| match (size(small), size(level - small)) {
            (n, _) if small * 2 == level => n * n.saturating_sub(1) / 2,
            (n, m) => n * m,
        };
        (1..=level / 2).map(pairs).sum()
    }
}

/// Forms candidates, and the tests to apply to them.
pub(super) struct Generator<'a> {
    pub counter: &'a dyn Counter,
    pub strata: &'a Strata,
    /// The causes that are no candidates any more.
    pub required: &'a [Candidate],
    pub columns: &'a [Column],
    /// Without it nothing is redundant.
    pub redundancy: Option<&'a dyn RedundancyTest>,
    pub association: &'a Judge,
    pub fdr: Option<FalseDiscovery>,
    pub watch: &'a dyn Watch,
    pub max_candidates: u64,
    /// More associated candidates than this are counted but not held.
    pub max_open: usize,
    pub non_causes: NonCauses,
}

/// What a level has to offer.
#[derive(Default)]
pub(super) struct Formed {
    pub open: Vec<Contender>,
    /// The same with their counts in every stratum (only kept if a later level asks).
    pub associated: Vec<(Candidate, Box<[Count]>)>,
    /// The non-redundant ones that are not associated: non-causes already (only kept if a later level asks).
    pub not_associated: Vec<(Candidate, Box<[Count]>)>,
    pub tally: Level,
}

/// What becomes of a candidate before it is tested against conditioning sets.
pub(super) enum Screening {
    Constant,
    /// The part adds nothing where the other columns hold; by bit mask over the columns.
    Redundant {
        part: u32,
    },
    NotAssociated,
    NotTestable,
    Open(Tested),
}

/// Candidates that share the rows of a base: each of the left columns makes a non-cause with it, which every
/// right column may join.
struct Sheet {
    base: Candidate,
    left: Vec<u32>,
    right: Vec<u32>,
}

impl Generator<'_> {
    /// Forms and screens all candidates of a level. `keep` says whether non-causes are needed for later levels.
    pub fn level(&self, level: usize, keep: bool) -> Result<Option<Formed>, Error> {
        let bound = self.non_causes.bound(level);
        if bound > u128::from(self.max_candidates) {
            return Err(Error::TooManyCandidates { level, candidates: bound, budget: self.max_candidates });
        }
        let mut formed = Formed { tally: Level { level, ..Level::default() }, ..Formed::default() };
        let splits = split_masks(level);
        // Every candidate that splits into a single column and the rest is met at its first such split.
        if !self.sweep(level, &splits, keep, &mut formed) {
            return Ok(None);
        }
        for smaller in 2..=level / 2 {
            if !self.join(smaller, level - smaller, &splits, keep, &mut formed) {
                return Ok(None);
            }
        }
        self.control(&mut formed);
        Ok(Some(formed))
    }

    /// Keeps the false discovery rate of the level, unless some were not held: then there are too many whatever it is.
    fn control(&self, formed: &mut Formed) {
        if formed.tally.associated == formed.open.len() as u64 {
            control(self.fdr, self.association.alpha(), &mut formed.open, &mut formed.tally);
        }
    }

    /// Joins every single column with every non-cause of the level below.
    fn sweep(&self, level: usize, splits: &[u32], keep: bool, formed: &mut Formed) -> bool {
        let sheets = self.sheets(level);
        let grids: Vec<Grid<'_>> = sheets
            .iter()
            .map(|sheet| Grid { base: &sheet.base, left: &sheet.left, right: &sheet.right })
            .collect();
        let steps = sheets.iter().map(|sheet| sheet.left.len() as u64).sum();
        self.watch.begin(&format!("candidates of level {level}"), steps);
        let results: Vec<Mutex<Formed>> = sheets.iter().map(|_| Mutex::default()).collect();
        self.strata.grids(self.counter, &grids, &|number, counts| {
            if self.watch.stopped() {
                return ControlFlow::Break(());
            }
            let mut found = Formed::default();
            self.read(&sheets[number], counts, splits, keep, &mut found);
            self.watch.advance(sheets[number].left.len() as u64);
            *lock(&results[number]) = found;
            ControlFlow::Continue(())
        });
        for result in results {
            formed.take(into_inner(result));
        }
        !self.watch.stopped()
    }

    /// What to join at a level, so that it is counted in few rows: each non-cause of the level below is counted
    /// within its rarest columns, all but one.
    fn sheets(&self, level: usize) -> Vec<Sheet> {
        let singles: Vec<u32> =
            self.non_causes.of_level(1).iter().flat_map(|single| single.columns()).copied().collect();
        if level == 2 {
            let stripes = (0..singles.len()).step_by(STRIPE);
            let stripe = |start: usize| Sheet {
                base: Candidate::default(),
                left: singles[start..singles.len().min(start + STRIPE)].to_vec(),
                right: singles[start..].to_vec(),
            };
            return stripes.map(stripe).collect();
        }
        let mut by_base: BTreeMap<Candidate, Vec<u32>> = BTreeMap::new();
        for member in self.non_causes.of_level(level - 1) {
            let mut columns = member.columns().to_vec();
            let rows = |column: &u32| {
                self.non_causes.counts(&[*column]).map(|counts| counts.iter().sum::<Count>().total())
            };
            columns.sort_by_key(|column| (rows(column), *column));
            if let Some(commonest) = columns.pop() {
                by_base.entry(Candidate::new(columns)).or_default().push(commonest);
            }
        }
        by_base.into_iter().map(|(base, left)| Sheet { base, left, right: singles.clone() }).collect()
    }

    /// Screens the candidates of a sheet.
    fn read(&self, sheet: &Sheet, counts: &[&[Count]], splits: &[u32], keep: bool, formed: &mut Formed) {
        let attribute = |column: u32| self.columns[column as usize].attribute;
        let mut columns = sheet.base.columns().to_vec();
        let base = columns.len();
        columns.resize(base + 2, 0);
        let mut both = vec![Count::default(); counts.len()];
        for (l, &left) in sheet.left.iter().enumerate() {
            for (r, &right) in sheet.right.iter().enumerate() {
                columns[..base].copy_from_slice(sheet.base.columns());
                columns[base] = left;
                // Also keeps out the columns it has already.
                if columns[..=base].iter().any(|&column| attribute(column) == attribute(right)) {
                    continue;
                }
                columns[base + 1] = right;
                columns.sort_unstable();
                let place = columns.partition_point(|&column| column < right);
                let first = splits.iter().find(|&&split| self.is_valid(&columns, split));
                if first == Some(&(1 << place)) {
                    let cell = l * sheet.right.len() + r;
                    both.iter_mut().zip(counts).for_each(|(both, counts)| *both = counts[cell]);
                    self.admit(&columns, &both, splits, keep, formed);
                }
            }
        }
    }

    /// Joins two non-causes of at least two columns each, where no split into a single column and the rest
    /// forms the same candidate.
    fn join(&self, smaller: usize, larger: usize, splits: &[u32], keep: bool, formed: &mut Formed) -> bool {
        for small in self.non_causes.of_level(smaller) {
            let mut fresh = Vec::new();
            for large in self.non_causes.of_level(larger).iter().filter(|large| !small.overlaps(large)) {
                let joined = small.join(large);
                let columns = joined.columns();
                let first = splits.iter().find(|&&split| self.is_valid(columns, split));
                let is_small = |&split: &u32| pick(columns, split).eq(small.columns().iter().copied());
                if !self.same_attribute(columns) && first.is_some_and(is_small) {
                    fresh.push(joined);
                }
            }
            let counts = self.strata.counts(self.counter, &fresh);
            for (candidate, both) in fresh.into_iter().zip(counts) {
                self.admit(candidate.columns(), &both, splits, keep, formed);
            }
            if self.watch.stopped() {
                return false;
            }
        }
        true
    }

    /// Whether both parts of a split are non-causes.
    fn is_valid(&self, columns: &[u32], split: u32) -> bool {
        let all = (1 << columns.len()) - 1;
        self.part(columns, split).is_some() && self.part(columns, all ^ split).is_some()
    }

    /// The counts of some of the columns, if they are a non-cause.
    fn part(&self, columns: &[u32], mask: u32) -> Option<&[Count]> {
        let mut part = [0; u32::BITS as usize];
        let mut length = 0;
        for column in pick(columns, mask) {
            part[length] = column;
            length += 1;
        }
        self.non_causes.counts(&part[..length])
    }

    /// Whether a candidate can be joined from non-causes.
    pub fn forms(&self, candidate: &Candidate) -> bool {
        let columns = candidate.columns();
        !self.same_attribute(columns)
            && split_masks(columns.len()).iter().any(|&split| self.is_valid(columns, split))
    }

    /// Whether two of the columns come from one attribute.
    pub fn same_attribute(&self, columns: &[u32]) -> bool {
        let attribute = |column: &u32| self.columns[*column as usize].attribute;
        columns.iter().enumerate().any(|(i, a)| columns[..i].iter().any(|b| attribute(a) == attribute(b)))
    }

    fn admit(&self, columns: &[u32], both: &[Count], splits: &[u32], keep: bool, formed: &mut Formed) {
        if self.required.iter().any(|required| required.columns() == columns) {
            return;
        }
        formed.tally.candidates += 1;
        let candidate = || Candidate::new(columns.to_vec());
        match self.screen(columns, both, splits, &mut formed.tally) {
            Screening::Constant | Screening::Redundant { .. } => formed.tally.redundant += 1,
            Screening::NotAssociated | Screening::NotTestable if keep => {
                formed.not_associated.push((candidate(), both.into()));
            }
            Screening::NotAssociated | Screening::NotTestable => {}
            Screening::Open(tested) => {
                formed.tally.associated += 1;
                if formed.open.len() < self.max_open {
                    formed.open.push(Contender::new(candidate(), both.iter().sum(), tested));
                    if keep {
                        formed.associated.push((candidate(), both.into()));
                    }
                }
            }
        }
    }

    /// Redundant, not associated, or open: kept if at least one split is not redundant.
    fn screen(&self, columns: &[u32], both: &[Count], splits: &[u32], tally: &mut Level) -> Screening {
        let rows = self.strata.rows();
        if both == rows || both.iter().all(|count| count.total() == 0) {
            return Screening::Constant;
        }
        let redundant =
            self.redundancy.and_then(|test| self.redundant_part(test, columns, splits, both, tally));
        match redundant {
            Some(part) => Screening::Redundant { part },
            None => associate(both, rows, self.association, tally),
        }
    }

    /// The first part that adds nothing where its other half holds, if every split has such a part.
    fn redundant_part(
        &self,
        test: &dyn RedundancyTest,
        columns: &[u32],
        splits: &[u32],
        both: &[Count],
        tally: &mut Level,
    ) -> Option<u32> {
        let mut redundant = None;
        for &split in splits.iter().filter(|&&split| self.is_valid(columns, split)) {
            let part = self.redundant_half(test, columns, split, both, tally)?;
            redundant = redundant.or(Some(part));
        }
        redundant
    }

    /// The part of a split that adds nothing where the other holds, if there is one.
    fn redundant_half(
        &self,
        test: &dyn RedundancyTest,
        columns: &[u32],
        split: u32,
        both: &[Count],
        tally: &mut Level,
    ) -> Option<u32> {
        let all = (1 << columns.len()) - 1;
        // The part with the earlier first column is tested first.
        let first = if split & 1 == 1 { split } else { all ^ split };
        [first, all ^ first].into_iter().find(|&part| {
            let within = self.part(columns, all ^ part).unwrap_or_default();
            tally.tests += 1;
            let verdict = test.verdict(both, within);
            tally.not_testable += u64::from(verdict == Verdict::NotTestable);
            verdict == Verdict::Independent
        })
    }

    /// Why a candidate that can be formed does not come to the elimination phase; none if it does.
    pub fn reason(&self, candidate: &Candidate, both: &[Count]) -> Option<Reason> {
        let columns = candidate.columns();
        match self.screen(columns, both, &split_masks(columns.len()), &mut Level::default()) {
            Screening::Constant => Some(Reason::Constant),
            Screening::Redundant { part } => {
                let all = (1 << columns.len()) - 1;
                let within = self.part(columns, all ^ part).unwrap_or_default();
                Some(Reason::Redundant {
                    part: Candidate::new(pick(columns, part).collect()),
                    within: Candidate::new(pick(columns, all ^ part).collect()),
                    p_value: self.redundancy.map_or(1.0, |test| test.p_value(both, within)),
                })
            }
            Screening::NotAssociated => Some(not_associated(both, self.strata.rows(), self.association)),
            Screening::NotTestable => Some(Reason::NotTestable),
            Screening::Open(_) => None,
        }
    }
}

/// Whether a candidate is associated with the target.
pub(super) fn associate(counts: &[Count], rows: &[Count], judge: &Judge, tally: &mut Level) -> Screening {
    tally.tests += 1;
    in_table(counts, rows, |table| match judge.verdict(table) {
        Verdict::Dependent => match judge.test().assess(table) {
            Outcome::Tested(tested) => Screening::Open(tested),
            Outcome::NotTestable => Screening::NotTestable,
        },
        Verdict::Independent => Screening::NotAssociated,
        Verdict::NotTestable => {
            tally.not_testable += 1;
            Screening::NotTestable
        }
    })
}

/// The reason of a candidate that is not associated with the target.
pub(super) fn not_associated(counts: &[Count], rows: &[Count], judge: &Judge) -> Reason {
    let outcome = in_table(counts, rows, |table| judge.test().assess(table));
    outcome.tested().map_or(Reason::NotTestable, |tested| Reason::NotAssociated { p_value: tested.p_value })
}

impl Formed {
    fn take(&mut self, other: Formed) {
        self.open.extend(other.open);
        self.associated.extend(other.associated);
        self.not_associated.extend(other.not_associated);
        self.tally.add(&other.tally);
    }
}
