//! What every search method starts from: the counter, the settings, and the counts of the single columns.

mod association;
mod candidacy;
mod empty_cells;
mod singles;

use std::sync::{Arc, OnceLock};

pub(crate) use association::{Association, associate, in_table, not_associated};
pub(crate) use candidacy::{Candidacy, control_false_discoveries, in_data_order, sort_open};
pub(crate) use empty_cells::EmptyCells;
pub(crate) use singles::Singles;

use super::findings::{Findings, FoundCause, LevelSummary, Reason};
use super::settings::{Role, Settings};
use crate::count::{Counter, Strata};
use crate::dataset::{Candidate, Column, Dataset, Literal};
use crate::error::Error;
use crate::progress::{NoProgress, Progress};
use crate::stats::{DecisionRule, TestResult};

/// What every search method starts from.
pub(crate) struct Context<'a> {
    counter: Arc<dyn Counter>,
    /// The names of the columns and of the target. The search reads the rows through the counter only.
    data: Dataset,
    pub settings: Settings,
    pub progress: &'a dyn Progress,
    pub decision_rule: DecisionRule,
    pub singles: Singles,
    /// The strata of the covariates. Every test is stratified by them.
    pub strata: Strata,
    /// The required causes in data order. They are the first members of TPC.
    pub required: Vec<Candidate>,
    /// Found when it is first needed.
    empty_cells: OnceLock<EmptyCells>,
}

impl<'a> Context<'a> {
    pub fn new(
        counter: Arc<dyn Counter>,
        data: &Dataset,
        settings: Settings,
        progress: &'a dyn Progress,
    ) -> Result<Self, Error> {
        let columns = data.columns();
        let knowledge = &settings.knowledge;
        settings.check()?;
        knowledge.check(&settings, columns)?;
        let decision_rule = DecisionRule::new(settings.test, settings.alpha, counter.rows().total());
        let strata = Strata::new(&*counter, &knowledge.covariates)?;
        let singles = Singles::new(&*counter, &strata, columns, &settings)?;
        let mut required = knowledge.required.clone();
        required.sort_by(in_data_order);
        required.dedup();
        let data = data.clone();
        let empty_cells = OnceLock::new();
        let context =
            Self { counter, data, settings, progress, decision_rule, singles, strata, required, empty_cells };
        context.merge_required_duplicates()
    }

    /// The same without the progress of the search.
    pub fn without_progress(self) -> Context<'static> {
        Context { progress: &NoProgress, ..self }
    }

    /// The counter of the searched rows.
    pub fn counter(&self) -> &dyn Counter {
        &*self.counter
    }

    /// The columns of the data.
    pub fn columns(&self) -> &[Column] {
        self.data.columns()
    }

    /// The data.
    pub fn data(&self) -> &Dataset {
        &self.data
    }

    /// The empty cells of the pairs of columns that may be causes.
    pub fn empty_cells(&self) -> Result<&EmptyCells, Error> {
        if let Some(known) = self.empty_cells.get() {
            return Ok(known);
        }
        let (counter, singles) = (self.counter(), &self.singles);
        let found = EmptyCells::find(counter, self.columns(), &singles.counts, singles.parts())?;
        Ok(self.empty_cells.get_or_init(|| found))
    }

    /// Fails if a required cause is constant, and drops required columns that are merged into another column.
    fn merge_required_duplicates(mut self) -> Result<Self, Error> {
        for (candidate, count) in self.required.iter().zip(self.counter.counts(&self.required)?) {
            if count.total() == 0 || count == self.counter.rows() {
                return Err(Error::RequiredConstant { name: candidate.name(self.columns()) });
            }
        }
        let is_representative = |candidate: &Candidate| match candidate.literals() {
            [literal] => !self.singles.excluded.contains_key(&literal.column()),
            _ => true,
        };
        self.required.retain(is_representative);
        Ok(self)
    }

    /// The single columns that are associated with the target, in data order, without the required ones. Records the
    /// reasons for the others.
    pub fn associated_singles(&self, findings: &mut Findings) -> (Vec<Candidacy>, LevelSummary) {
        let rows = self.strata.rows();
        let mut level = LevelSummary { level: 1, ..LevelSummary::default() };
        let mut open = Vec::new();
        for (column, counts) in (0..).zip(&self.singles.in_strata) {
            let single = Candidate::single(column);
            if self.required.contains(&single) {
                continue;
            }
            level.candidates += 1;
            if let Some(reason) = self.singles.excluded.get(&column) {
                findings.reasons.insert(single, reason.clone());
                continue;
            }
            match associate(counts, rows, &self.decision_rule, &mut level) {
                Association::Open(result) => {
                    open.push(Candidacy::new(single, self.singles.counts[column as usize], result));
                }
                _ => {
                    findings.reasons.insert(single, not_associated(counts, rows, &self.decision_rule));
                }
            }
        }
        level.associated = open.len() as u64;
        for dropped in
            control_false_discoveries(self.settings.fdr, self.settings.alpha, &mut open, &mut level)
        {
            let p_value = dropped.association.p_value;
            findings.reasons.insert(dropped.candidate, Reason::NotAssociated { p_value });
        }
        (open, level)
    }

    /// The required causes of a level. Their association is tested and reported, but they are kept regardless of the
    /// result.
    pub(super) fn required_causes(&self, level: &mut LevelSummary) -> Result<Vec<Candidacy>, Error> {
        let at_level = self.required.iter().filter(|candidate| candidate.level() == level.level);
        let candidates: Vec<Candidate> = at_level.cloned().collect();
        let counts = self.strata.counts(self.counter(), &candidates)?;
        let mut causes = Vec::new();
        for (candidate, counts) in candidates.into_iter().zip(counts) {
            let screening = associate(&counts, self.strata.rows(), &self.decision_rule, level);
            level.candidates += 1;
            level.associated += u64::from(matches!(screening, Association::Open(_)));
            let outcome = in_table(&counts, self.strata.rows(), |table| self.decision_rule.assess(table));
            let association = outcome.tested().unwrap_or(TestResult::new(0.0, 1));
            causes.push(Candidacy {
                is_required: true,
                ..Candidacy::new(candidate, counts.iter().sum(), association)
            });
        }
        Ok(causes)
    }

    /// Why background knowledge excludes a conjunction; `None` if it does not.
    pub(super) fn exclusion(&self, candidate: &Candidate) -> Option<Reason> {
        let role =
            |literal: &Literal| Some((literal.column(), self.settings.knowledge.role(literal.column())?));
        let (column, role) = candidate.literals().iter().find_map(role)?;
        Some(Reason::Excluded { column: Candidate::single(column), role })
    }

    /// The single columns that conjunctions may use.
    pub fn offered(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.columns().len() as u32).filter(|&column| self.singles.is_offered(column))
    }

    /// Adds finished levels and their causes, by level, the strongest first. Forbidden candidates get a reason but are
    /// not added.
    pub fn accept(
        &self,
        findings: &mut Findings,
        mut causes: Vec<Candidacy>,
        levels: impl IntoIterator<Item = LevelSummary>,
    ) {
        causes.retain(|candidacy| match self.singles.forbidden_column(&candidacy.candidate) {
            Some(column) => {
                let reason = Reason::Excluded { column, role: Role::Forbidden };
                findings.reasons.insert(candidacy.candidate.clone(), reason);
                false
            }
            None => true,
        });
        sort_open(&mut causes);
        let level_of = |candidacy: &Candidacy| candidacy.candidate.attribute_level(self.columns());
        causes.sort_by_key(level_of);
        for mut level in levels {
            let at_level = causes.iter().filter(|candidacy| level_of(candidacy) == level.level);
            level.causes = at_level.count() as u64;
            findings.levels.push(level);
        }
        for candidacy in causes {
            let reason = if candidacy.is_required { Reason::Required } else { Reason::Cause };
            findings.reasons.insert(candidacy.candidate.clone(), reason);
            let (max_p, challenger) = match candidacy.max_p.largest() {
                Some((result, given)) => (*result, given.clone()),
                None => (candidacy.association, Vec::new()),
            };
            findings.causes.push(FoundCause {
                equivalent: self.singles.equivalent(&candidacy.candidate),
                candidate: candidacy.candidate,
                count: candidacy.count,
                association: candidacy.association,
                max_p,
                challenger,
                is_undecided: candidacy.is_undecided,
            });
        }
    }
}
