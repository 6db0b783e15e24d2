//! Forms the combined candidates of a level and screens them: redundant, not associated with the target, or open
//! (lines 5 to 8 of Algorithm 2).
//!
//! Candidates are formed and screened as their counts arrive. Only those associated with the target, and the non-causes
//! that a later level needs, are kept in memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

mod budget;

use crate::count::{Count, Counter, Grid, Strata, into_inner, lock, pair_grids};
use crate::dataset::{Candidate, Column, Literal, pick, split_masks};
use crate::error::Error;
use crate::progress::Progress;
use crate::search::context::{
    Association, Candidacy, Context, associate, control_false_discoveries, in_table, not_associated,
};
use crate::search::findings::{Findings, LevelSummary, Reason};
use crate::stats::{Decision, DecisionRule, FalseDiscovery};
pub(super) use budget::{max_associated_candidates, refuse_conjunctions, refuse_pairs_early, refuse_tests};

/// How a pair of non-causes is tested for redundancy.
pub(super) trait RedundancyTest: Sync {
    /// Decides whether a part is associated with the target in the rows where the other part holds. In each stratum of
    /// the covariates, `within` counts these rows and `both` those in which both parts hold.
    fn decide(&self, both: &[Count], within: &[Count]) -> Decision;

    /// The p-value of that test.
    fn p_value(&self, both: &[Count], within: &[Count]) -> f64;
}

/// Definition 2: the chosen test of independence in the rows where the other part holds.
impl RedundancyTest for DecisionRule {
    fn decide(&self, both: &[Count], within: &[Count]) -> Decision {
        in_table(both, within, |table| self.decide(table))
    }

    fn p_value(&self, both: &[Count], within: &[Count]) -> f64 {
        let outcome = in_table(both, within, |table| self.assess(table));
        outcome.tested().map_or(1.0, |result| result.p_value)
    }
}

/// The non-causes of the lower levels (nTPC) with their counts in every stratum of the covariates.
#[derive(Default)]
pub(super) struct NonCauses {
    /// By level; the first level holds the single columns that conjunctions may use.
    by_level: Vec<Vec<Candidate>>,
    /// Indexed by column; `None` for columns that are not non-causes.
    singles: Vec<Option<Box<[Count]>>>,
    combined: FxHashMap<Candidate, Box<[Count]>>,
}

impl NonCauses {
    /// Takes the single columns that conjunctions may use, in data order.
    fn new(singles: impl Iterator<Item = (u32, Box<[Count]>)>) -> Self {
        let mut found = NonCauses { by_level: vec![Vec::new()], ..NonCauses::default() };
        for (column, counts) in singles {
            found.singles.resize(column as usize, None);
            found.singles.push(Some(counts));
            found.by_level[0].push(Candidate::single(column));
        }
        found
    }

    /// nTPC_1: the columns that conjunctions may use and that are neither causes nor equivalent to one.
    pub fn of_level_1(context: &Context<'_>, findings: &Findings) -> Self {
        let is_cause = |column| findings.is_cause(&Candidate::single(context.singles.representative(column)));
        Self::from_columns(context, context.offered().filter(|&column| !is_cause(column)))
    }

    /// The columns, with their counts, as parts for conjunctions.
    pub fn from_columns(context: &Context<'_>, columns: impl Iterator<Item = u32>) -> Self {
        Self::new(columns.map(|column| (column, context.singles.in_strata[column as usize].clone())))
    }

    /// Adds the non-causes of the next level.
    pub fn push_level(&mut self, mut members: Vec<(Candidate, Box<[Count]>)>) {
        members.sort_unstable();
        self.by_level.push(members.iter().map(|(candidate, _)| candidate.clone()).collect());
        self.combined.extend(members);
    }

    /// Adds one combined non-cause for [`counts`](Self::counts) only, not as part of a level.
    pub fn insert(&mut self, candidate: Candidate, counts: Box<[Count]>) {
        self.combined.insert(candidate, counts);
    }

    /// The counts of a non-cause; `None` if the literals are not one.
    pub fn counts(&self, literals: &[Literal]) -> Option<&[Count]> {
        match literals {
            [literal] if literal.is_negated() => None,
            [literal] => self.singles.get(literal.column() as usize)?.as_deref(),
            _ => self.combined.get(literals).map(|counts| &**counts),
        }
    }

    fn at_level(&self, level: usize) -> &[Candidate] {
        self.by_level.get(level.wrapping_sub(1)).map_or(&[], |members| members)
    }

    /// An upper bound of the number of candidates at a level.
    fn bound(&self, level: usize) -> u128 {
        let size = |level: usize| self.at_level(level).len() as u128;
        let count_joins = |small: usize| match (size(small), size(level - small)) {
            (n, _) if small * 2 == level => n * n.saturating_sub(1) / 2,
            (n, m) => n * m,
        };
        (1..=level / 2).map(count_joins).sum()
    }
}

/// Forms and screens combined candidates.
pub(super) struct Generator<'a> {
    pub counter: &'a dyn Counter,
    pub strata: &'a Strata,
    /// The required causes, which are not candidates.
    pub required: &'a [Candidate],
    pub columns: &'a [Column],
    /// The redundancy test; without it, no candidate is redundant.
    pub redundancy: Option<&'a dyn RedundancyTest>,
    pub association: &'a DecisionRule,
    pub fdr: Option<FalseDiscovery>,
    pub progress: &'a dyn Progress,
    pub max_candidates: u64,
    /// The largest number of associated candidates that are kept; further ones are only counted.
    pub max_open: usize,
    pub non_causes: NonCauses,
}

/// The screened candidates of a level.
#[derive(Default)]
pub(super) struct Formed {
    pub open: Vec<Candidacy>,
    /// The candidates of `open` with their counts in every stratum (only if a later level needs them).
    pub associated: Vec<(Candidate, Box<[Count]>)>,
    /// The non-redundant candidates that are not associated with the target and thus non-causes (only if a later level
    /// needs them).
    pub not_associated: Vec<(Candidate, Box<[Count]>)>,
    pub summary: LevelSummary,
}

/// The result of screening a candidate before it is tested against conditioning sets.
pub(super) enum Screening {
    Constant,
    /// The part, a bit mask over the columns, is independent of the target in the rows where the other columns hold.
    Redundant {
        part: u32,
    },
    Tested(Association),
}

/// Candidates that are counted together: the base with a left column is a non-cause, and each right column may join it.
struct JoinGrid {
    base: Candidate,
    left: Vec<Literal>,
    right: Vec<Literal>,
}

impl<'a> Generator<'a> {
    /// A generator of conjunctions of non-causes. With a redundancy test, it leaves out redundant ones.
    pub fn new(
        context: &'a Context<'_>,
        redundancy: Option<&'a dyn RedundancyTest>,
        non_causes: NonCauses,
    ) -> Self {
        Self {
            counter: context.counter(),
            strata: &context.strata,
            required: &context.required,
            columns: context.columns(),
            redundancy,
            association: &context.decision_rule,
            fdr: context.settings.fdr,
            progress: context.progress,
            max_candidates: context.settings.max_candidates,
            max_open: usize::MAX,
            non_causes,
        }
    }

    /// Forms and screens all candidates of a level. `keep_non_causes` is set if a later level needs the non-causes.
    pub fn form_level(&self, level: usize, keep_non_causes: bool) -> Result<Formed, Error> {
        let bound = self.non_causes.bound(level);
        if bound > u128::from(self.max_candidates) {
            return Err(Error::TooManyCandidates { level, candidates: bound, budget: self.max_candidates });
        }
        let mut formed =
            Formed { summary: LevelSummary { level, ..LevelSummary::default() }, ..Formed::default() };
        let splits = split_masks(level);
        // A candidate with several valid splits is formed at the first one. Splits into a single column and the rest
        // come first.
        self.join_singles(level, &splits, keep_non_causes, &mut formed)?;
        for smaller in 2..=level / 2 {
            self.join_combined(smaller, level - smaller, &splits, keep_non_causes, &mut formed)?;
        }
        self.control_level(&mut formed);
        Ok(formed)
    }

    /// Controls the false discovery rate of the level. Does nothing if some associated candidates were not kept, since
    /// the search will then be refused.
    fn control_level(&self, formed: &mut Formed) {
        if formed.summary.associated == formed.open.len() as u64 {
            let alpha = self.association.alpha();
            control_false_discoveries(self.fdr, alpha, &mut formed.open, &mut formed.summary);
        }
    }

    /// Joins every single column with every non-cause of the level below.
    fn join_singles(
        &self,
        level: usize,
        splits: &[u32],
        keep_non_causes: bool,
        formed: &mut Formed,
    ) -> Result<(), Error> {
        let joins = self.join_grids(level);
        let grids: Vec<Grid<'_>> = joins
            .iter()
            .map(|join| Grid { base: &join.base, left: &join.left, right: &join.right })
            .collect();
        let steps = joins.iter().map(|join| join.left.len() as u64).sum();
        self.progress.begin(&format!("candidates of level {level}"), steps);
        let results: Vec<Mutex<Formed>> = joins.iter().map(|_| Mutex::default()).collect();
        self.strata.grids(self.counter, &grids, &|number, counts| {
            if self.progress.stopped() {
                return ControlFlow::Break(());
            }
            let mut found = Formed::default();
            self.screen_grid(&joins[number], counts, splits, keep_non_causes, &mut found);
            self.progress.advance(joins[number].left.len() as u64);
            *lock(&results[number]) = found;
            ControlFlow::Continue(())
        })?;
        if self.progress.stopped() {
            return Err(Error::Stopped);
        }
        results.into_iter().for_each(|result| formed.append(into_inner(result)));
        Ok(())
    }

    /// The joins of a level, grouped so that few rows are counted: the base of a non-cause of the level below is all
    /// its columns but the most common one.
    fn join_grids(&self, level: usize) -> Vec<JoinGrid> {
        let singles: Vec<Literal> =
            self.non_causes.at_level(1).iter().flat_map(|single| single.literals()).copied().collect();
        if level == 2 {
            let all_rows = Candidate::default();
            let to_join_grid = |grid: Grid<'_>| JoinGrid {
                base: grid.base.clone(),
                left: grid.left.to_vec(),
                right: grid.right.to_vec(),
            };
            return pair_grids(&all_rows, &singles).into_iter().map(to_join_grid).collect();
        }
        let mut by_base: BTreeMap<Candidate, Vec<Literal>> = BTreeMap::new();
        for member in self.non_causes.at_level(level - 1) {
            let mut columns = member.literals().to_vec();
            let rows = |column: &Literal| {
                self.non_causes.counts(&[*column]).map(|counts| counts.iter().sum::<Count>().total())
            };
            columns.sort_by_key(|column| (rows(column), *column));
            if let Some(most_common) = columns.pop() {
                by_base.entry(Candidate::new(columns)).or_default().push(most_common);
            }
        }
        by_base.into_iter().map(|(base, left)| JoinGrid { base, left, right: singles.clone() }).collect()
    }

    /// Screens the candidates of a grid.
    fn screen_grid(
        &self,
        join: &JoinGrid,
        counts: &[&[Count]],
        splits: &[u32],
        keep_non_causes: bool,
        formed: &mut Formed,
    ) {
        let attribute = |literal: Literal| literal.attribute(self.columns);
        let mut columns = join.base.literals().to_vec();
        let base = columns.len();
        columns.resize(base + 2, Literal::plain(0));
        let mut both = vec![Count::default(); counts.len()];
        for (l, &left) in join.left.iter().enumerate() {
            for (r, &right) in join.right.iter().enumerate() {
                columns[..base].copy_from_slice(join.base.literals());
                columns[base] = left;
                // This also excludes columns that the candidate already has.
                if columns[..=base].iter().any(|&column| attribute(column) == attribute(right)) {
                    continue;
                }
                columns[base + 1] = right;
                columns.sort_unstable();
                let place = columns.partition_point(|&column| column < right);
                let first = splits.iter().find(|&&split| self.is_valid(&columns, split));
                if first == Some(&(1 << place)) {
                    let cell = l * join.right.len() + r;
                    both.iter_mut().zip(counts).for_each(|(both, counts)| *both = counts[cell]);
                    self.admit(&columns, &both, splits, keep_non_causes, formed);
                }
            }
        }
    }

    /// Joins two non-causes of at least two columns each, unless an earlier split forms the same candidate.
    fn join_combined(
        &self,
        smaller: usize,
        larger: usize,
        splits: &[u32],
        keep_non_causes: bool,
        formed: &mut Formed,
    ) -> Result<(), Error> {
        for small in self.non_causes.at_level(smaller) {
            let mut candidates = Vec::new();
            for large in self.non_causes.at_level(larger).iter().filter(|large| !small.overlaps(large)) {
                let joined = small.join(large);
                let columns = joined.literals();
                let first = splits.iter().find(|&&split| self.is_valid(columns, split));
                let is_small = |&split: &u32| pick(columns, split).eq(small.literals().iter().copied());
                if !self.same_attribute(columns) && first.is_some_and(is_small) {
                    candidates.push(joined);
                }
            }
            let counts = self.strata.counts(self.counter, &candidates)?;
            for (candidate, both) in candidates.into_iter().zip(counts) {
                self.admit(candidate.literals(), &both, splits, keep_non_causes, formed);
            }
            if self.progress.stopped() {
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }

    /// Whether both parts of a split are non-causes.
    fn is_valid(&self, columns: &[Literal], split: u32) -> bool {
        let all = (1 << columns.len()) - 1;
        self.part_counts(columns, split).is_some() && self.part_counts(columns, all ^ split).is_some()
    }

    /// The counts of the columns in a bit mask, if they are a non-cause.
    fn part_counts(&self, columns: &[Literal], mask: u32) -> Option<&[Count]> {
        let mut part = [Literal::plain(0); u32::BITS as usize];
        let mut length = 0;
        for column in pick(columns, mask) {
            part[length] = column;
            length += 1;
        }
        self.non_causes.counts(&part[..length])
    }

    /// Whether a candidate can be joined from non-causes.
    pub fn can_form(&self, candidate: &Candidate) -> bool {
        let columns = candidate.literals();
        !self.same_attribute(columns)
            && split_masks(columns.len()).iter().any(|&split| self.is_valid(columns, split))
    }

    /// Whether two of the columns come from one attribute.
    pub fn same_attribute(&self, columns: &[Literal]) -> bool {
        let attribute = |literal: &Literal| literal.attribute(self.columns);
        columns.iter().enumerate().any(|(i, a)| columns[..i].iter().any(|b| attribute(a) == attribute(b)))
    }

    /// Screens one candidate and records the result.
    fn admit(
        &self,
        columns: &[Literal],
        both: &[Count],
        splits: &[u32],
        keep_non_causes: bool,
        formed: &mut Formed,
    ) {
        if self.required.iter().any(|required| required.literals() == columns) {
            return;
        }
        formed.summary.candidates += 1;
        let candidate = || Candidate::new(columns.to_vec());
        match self.screen(columns, both, splits, &mut formed.summary) {
            Screening::Constant | Screening::Redundant { .. } => formed.summary.redundant += 1,
            Screening::Tested(Association::Open(result)) => {
                formed.summary.associated += 1;
                if formed.open.len() < self.max_open {
                    formed.open.push(Candidacy::new(candidate(), both.iter().sum(), result));
                    if keep_non_causes {
                        formed.associated.push((candidate(), both.into()));
                    }
                }
            }
            Screening::Tested(_) if keep_non_causes => {
                formed.not_associated.push((candidate(), both.into()));
            }
            Screening::Tested(_) => {}
        }
    }

    /// Screens a candidate. It is redundant if all its valid splits are.
    fn screen(
        &self,
        columns: &[Literal],
        both: &[Count],
        splits: &[u32],
        summary: &mut LevelSummary,
    ) -> Screening {
        let rows = self.strata.rows();
        if both == rows || both.iter().all(|count| count.total() == 0) {
            return Screening::Constant;
        }
        let redundant =
            self.redundancy.and_then(|test| self.redundant_part(test, columns, splits, both, summary));
        match redundant {
            Some(part) => Screening::Redundant { part },
            None => Screening::Tested(associate(both, rows, self.association, summary)),
        }
    }

    /// The first redundant part, if every valid split has one.
    fn redundant_part(
        &self,
        test: &dyn RedundancyTest,
        columns: &[Literal],
        splits: &[u32],
        both: &[Count],
        summary: &mut LevelSummary,
    ) -> Option<u32> {
        let mut redundant = None;
        for &split in splits.iter().filter(|&&split| self.is_valid(columns, split)) {
            let part = self.redundant_half(test, columns, split, both, summary)?;
            redundant = redundant.or(Some(part));
        }
        redundant
    }

    /// The part of a split that is independent of the target in the rows where the other part holds, if there is one.
    fn redundant_half(
        &self,
        test: &dyn RedundancyTest,
        columns: &[Literal],
        split: u32,
        both: &[Count],
        summary: &mut LevelSummary,
    ) -> Option<u32> {
        let all = (1 << columns.len()) - 1;
        // The part with the earlier first column is tested first.
        let first = if split & 1 == 1 { split } else { all ^ split };
        [first, all ^ first].into_iter().find(|&part| {
            let within = self.part_counts(columns, all ^ part).unwrap_or_default();
            summary.tests += 1;
            let decision = test.decide(both, within);
            summary.not_testable += u64::from(decision == Decision::NotTestable);
            decision == Decision::Independent
        })
    }

    /// Why a candidate that can be formed does not reach the elimination phase; `None` if it does.
    pub fn reason(&self, candidate: &Candidate, both: &[Count]) -> Option<Reason> {
        let columns = candidate.literals();
        match self.screen(columns, both, &split_masks(columns.len()), &mut LevelSummary::default()) {
            Screening::Constant => Some(Reason::Constant),
            Screening::Redundant { part } => {
                let all = (1 << columns.len()) - 1;
                let within = self.part_counts(columns, all ^ part).unwrap_or_default();
                Some(Reason::Redundant {
                    part: Candidate::new(pick(columns, part)),
                    within: Candidate::new(pick(columns, all ^ part)),
                    p_value: self.redundancy.map_or(1.0, |test| test.p_value(both, within)),
                })
            }
            Screening::Tested(Association::NotAssociated) => {
                Some(not_associated(both, self.strata.rows(), self.association))
            }
            Screening::Tested(Association::NotTestable) => Some(Reason::NotTestable),
            Screening::Tested(Association::Open(_)) => None,
        }
    }
}

impl Formed {
    fn append(&mut self, other: Formed) {
        self.open.extend(other.open);
        self.associated.extend(other.associated);
        self.not_associated.extend(other.not_associated);
        self.summary.add(&other.summary);
    }
}
