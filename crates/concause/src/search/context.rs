//! What every search starts from: the data behind its counter, the settings, and the single columns.

use super::candidates::{Generator, NonCauses, RedundancyTest, Screening, associate, not_associated};
use super::contender::Contender;
use super::elimination::Elimination;
use super::findings::{Findings, Level};
use super::settings::Settings;
use super::singles::Singles;
use super::watch::Watch;
use crate::count::Counter;
use crate::dataset::{Candidate, Column};
use crate::error::Error;
use crate::independence::Judge;

/// What every search starts from.
pub(crate) struct Context<'a> {
    pub counter: &'a dyn Counter,
    pub columns: &'a [Column],
    pub settings: &'a Settings,
    pub watch: &'a dyn Watch,
    pub judge: Judge,
    pub singles: Singles,
}

impl<'a> Context<'a> {
    pub fn new(
        counter: &'a dyn Counter,
        columns: &'a [Column],
        settings: &'a Settings,
        watch: &'a dyn Watch,
    ) -> Self {
        let judge = Judge::new(settings.test, settings.alpha, counter.rows().total());
        let singles = Singles::new(counter, columns, settings.twins);
        Self { counter, columns, settings, watch, judge, singles }
    }

    /// The single columns that are associated with the target, in data order; notes the reasons of the others.
    pub fn associated_singles(&self, findings: &mut Findings) -> (Vec<Contender>, Level) {
        let rows = self.counter.rows();
        let mut level = Level { level: 1, ..Level::default() };
        let mut open = Vec::new();
        for (column, &count) in (0..).zip(&self.singles.counts) {
            let single = Candidate::single(column);
            level.candidates += 1;
            if let Some(reason) = self.singles.settled.get(&column) {
                findings.reasons.insert(single, reason.clone());
                continue;
            }
            match associate(count, rows, &self.judge, &mut level) {
                Screening::Open(tested) => open.push(Contender::new(single, count, tested)),
                _ => {
                    findings.reasons.insert(single, not_associated(count, rows, &self.judge));
                }
            }
        }
        level.associated = open.len() as u64;
        (open, level)
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
        NonCauses::new(free.map(|column| (column, self.singles.counts[column as usize])))
    }

    /// Forms the conjunctions of non-causes, without the redundant ones if there is a test of redundancy.
    pub(super) fn generator<'b>(
        &'b self,
        redundancy: Option<&'b dyn RedundancyTest>,
        non_causes: NonCauses,
    ) -> Generator<'b> {
        Generator {
            counter: self.counter,
            columns: self.columns,
            redundancy,
            association: &self.judge,
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
            judge: &self.judge,
            max_k: self.settings.max_k,
            overlap: self.settings.overlap,
            watch: self.watch,
        }
    }
}
