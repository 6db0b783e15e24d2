//! What every search starts from: the data behind its counter, the settings, and the single columns.

use super::candidates::{Generator, NonCauses, RedundancyTest, Screening, associate, not_associated};
use super::contender::{Contender, control, in_data_order};
use super::elimination::Elimination;
use super::findings::{Findings, Level, Reason};
use super::settings::Settings;
use super::singles::Singles;
use super::watch::Watch;
use crate::count::{Counter, Strata, Table};
use crate::dataset::{Candidate, Column};
use crate::error::Error;
use crate::independence::{Judge, Tested};

/// What every search starts from.
pub(crate) struct Context<'a> {
    pub counter: &'a dyn Counter,
    pub columns: &'a [Column],
    pub settings: &'a Settings,
    pub watch: &'a dyn Watch,
    pub judge: Judge,
    pub singles: Singles,
    /// The rows by the covariates, which every test holds fixed.
    pub strata: Strata,
    /// The causes that are required, in data order: the first members of TPC.
    pub required: Vec<Candidate>,
}

impl<'a> Context<'a> {
    pub fn new(
        counter: &'a dyn Counter,
        columns: &'a [Column],
        settings: &'a Settings,
        watch: &'a dyn Watch,
    ) -> Result<Self, Error> {
        let knowledge = &settings.knowledge;
        knowledge.check(settings, columns).map_err(Error::Setting)?;
        let judge = Judge::new(settings.test, settings.alpha, counter.rows().total());
        let strata = Strata::new(counter, &knowledge.covariates)?;
        let singles = Singles::new(counter, &strata, columns, settings);
        let mut required = knowledge.required.clone();
        required.sort_by(in_data_order);
        required.dedup();
        let context = Self { counter, columns, settings, watch, judge, singles, strata, required };
        context.without_twins()
    }

    /// Refuses required causes that are the same in every row, and lets one stand for those equivalent to it.
    fn without_twins(mut self) -> Result<Self, Error> {
        for (candidate, count) in self.required.iter().zip(self.counter.counts(&self.required)) {
            if count.total() == 0 || count == self.counter.rows() {
                let name = candidate.name(self.columns);
                let sentence =
                    format!("--require {name:?} is the same in every row, so it cannot be a cause");
                return Err(Error::Setting(sentence));
            }
        }
        let stands = |candidate: &Candidate| match candidate.columns() {
            &[column] => !self.singles.settled.contains_key(&column),
            _ => true,
        };
        self.required.retain(stands);
        Ok(self)
    }

    /// The single columns that are associated with the target, in data order, without those required; notes the
    /// reasons of the others.
    pub fn associated_singles(&self, findings: &mut Findings) -> (Vec<Contender>, Level) {
        let rows = self.strata.rows();
        let mut level = Level { level: 1, ..Level::default() };
        let mut open = Vec::new();
        for (column, counts) in (0..).zip(&self.singles.in_strata) {
            let single = Candidate::single(column);
            if self.required.contains(&single) {
                continue;
            }
            level.candidates += 1;
            if let Some(reason) = self.singles.settled.get(&column) {
                findings.reasons.insert(single, reason.clone());
                continue;
            }
            match associate(counts, rows, &self.judge, &mut level) {
                Screening::Open(tested) => {
                    open.push(Contender::new(single, self.singles.counts[column as usize], tested));
                }
                _ => {
                    findings.reasons.insert(single, not_associated(counts, rows, &self.judge));
                }
            }
        }
        level.associated = open.len() as u64;
        for dropped in control(self.settings.fdr, self.settings.alpha, &mut open, &mut level) {
            let p_value = dropped.association.p_value;
            findings.reasons.insert(dropped.candidate, Reason::NotAssociated { p_value });
        }
        (open, level)
    }

    /// The causes of a level that are required. Of these only the association is tested, and whatever it shows they
    /// stay.
    pub(super) fn required_causes(&self, level: &mut Level) -> Vec<Contender> {
        let of_level = self.required.iter().filter(|candidate| candidate.level() == level.level);
        let candidates: Vec<Candidate> = of_level.cloned().collect();
        let counts = self.strata.counts(self.counter, &candidates);
        let mut causes = Vec::new();
        for (candidate, counts) in candidates.into_iter().zip(counts) {
            let screened = associate(&counts, self.strata.rows(), &self.judge, level);
            level.candidates += 1;
            level.associated += u64::from(matches!(screened, Screening::Open(_)));
            let table = Table::in_strata(&counts, self.strata.rows());
            let tested = self.judge.test().assess(&table).tested().unwrap_or(Tested::new(0.0, 1));
            causes.push(Contender {
                is_required: true,
                ..Contender::new(candidate, counts.iter().sum(), tested)
            });
        }
        causes
    }

    /// Why a conjunction may not be a cause, whatever the data says: what is known of one of its columns.
    pub(super) fn set_aside(&self, candidate: &Candidate) -> Option<Reason> {
        let role = |&column: &u32| Some((column, self.settings.knowledge.role(column)?));
        let (column, role) = candidate.columns().iter().find_map(role)?;
        Some(Reason::SetAside { column: Candidate::single(column), role })
    }

    /// The pairs of non-causes that are associated with the target, redundant or not; `None` if stopped.
    pub fn associated_pairs(&self, findings: &Findings) -> Result<Option<(Vec<Contender>, Level)>, Error> {
        let formed = self.generator(None, self.non_causes(findings)).level(2, false)?;
        Ok(formed.map(|formed| (formed.open, formed.tally)))
    }

    /// The single columns that conjunctions may use.
    pub fn offered(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.columns.len() as u32).filter(|&column| self.singles.is_offered(column))
    }

    /// nTPC_1: those of them that are no causes nor equivalent to one.
    pub(super) fn non_causes(&self, findings: &Findings) -> NonCauses {
        let is_cause = |column| findings.is_cause(&Candidate::single(self.singles.representative(column)));
        let free = self.offered().filter(|&column| !is_cause(column));
        self.offer(free)
    }

    /// Single columns as parts of conjunctions.
    pub(super) fn offer(&self, columns: impl Iterator<Item = u32>) -> NonCauses {
        NonCauses::new(columns.map(|column| (column, self.singles.in_strata[column as usize].clone())))
    }

    /// Forms the conjunctions of non-causes, without the redundant ones if there is a test of redundancy.
    pub(super) fn generator<'b>(
        &'b self,
        redundancy: Option<&'b dyn RedundancyTest>,
        non_causes: NonCauses,
    ) -> Generator<'b> {
        Generator {
            counter: self.counter,
            strata: &self.strata,
            required: &self.required,
            columns: self.columns,
            redundancy,
            association: &self.judge,
            fdr: self.settings.fdr,
            watch: self.watch,
            max_candidates: self.settings.max_candidates,
            max_open: usize::MAX,
            non_causes,
        }
    }

    /// The tools of the elimination phase.
    pub(super) fn elimination(&self) -> Elimination<'_> {
        Elimination {
            counter: self.counter,
            strata: &self.strata,
            judge: &self.judge,
            max_k: self.settings.max_k,
            overlap: self.settings.overlap,
            watch: self.watch,
        }
    }
}
