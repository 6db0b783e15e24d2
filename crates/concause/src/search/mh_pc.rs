//! Multi-level HITON-PC (Algorithm 2), with HITON-PC (Algorithm 1) as its first level.

use std::collections::BTreeMap;

use super::budget::refuse_pairs_early;
use super::candidates::{Generator, RedundancyTest};
use super::contender::{Contender, sort_open};
use super::context::Context;
use super::elimination::Met;
use super::findings::{Findings, Level, Reason};
use super::paper_table::TableRedundancy;
use super::settings::{Method, Preset};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::independence::Judge;

/// HITON-PC, MH-PC-F or MH-PC-B.
pub(super) fn search(context: &Context<'_>) -> Result<Findings, Error> {
    let redundancy = redundancy_test(context);
    let mut search = Search { context, tpc: context.required.clone(), findings: Findings::default() };
    // Line 1: TPC_1(T) = HITON-PC(D, V, T)
    if !search.level_1()? {
        return Ok(search.findings);
    }
    let mut generator = context.generator(Some(&*redundancy), context.non_causes(&search.findings));
    // Line 3: for k = 2 to k_max
    for level in 2..=context.settings.deepest_level() {
        if !search.level_k(level, &mut generator)? {
            return Ok(search.findings);
        }
    }
    search.findings.complete = true;
    Ok(search.findings)
}

/// HITON-PC over the single columns; none if stopped.
pub(super) fn first_level(context: &Context<'_>) -> Result<Option<Findings>, Error> {
    let mut search = Search { context, tpc: context.required.clone(), findings: Findings::default() };
    Ok(search.level_1()?.then_some(search.findings))
}

/// The redundancy test that the settings ask for.
pub(super) fn redundancy_test(context: &Context<'_>) -> Box<dyn RedundancyTest> {
    let settings = context.settings;
    match settings.preset {
        Preset::PaperTable => Box::new(TableRedundancy { alpha: settings.redundancy_alpha }),
        _ => {
            let rows = context.counter.rows().total();
            Box::new(Judge::new(settings.test, settings.redundancy_alpha, rows))
        }
    }
}

struct Search<'a> {
    context: &'a Context<'a>,
    /// The causes that are required, then those of the finished levels in the order of their entry, also those that
    /// are forbidden: they explain others away.
    tpc: Vec<Candidate>,
    findings: Findings,
}

impl Search<'_> {
    /// HITON-PC over the single columns; false if stopped.
    fn level_1(&mut self) -> Result<bool, Error> {
        // Line 2: OPEN holds the columns associated with T, strongest first.
        let (open, level) = self.context.associated_singles(&mut self.findings);
        refuse_pairs_early(self.context, &open)?;
        // HITON-PC is the full form at level 1, whatever MH-PC does above.
        Ok(self.eliminate(Met::Entered, open, level).is_some())
    }

    /// Lines 4 to 24; false if stopped.
    fn level_k(&mut self, level: usize, generator: &mut Generator<'_>) -> Result<bool, Error> {
        let settings = self.context.settings;
        let keep = level < settings.deepest_level();
        let Some(formed) = generator.level(level, keep)? else {
            return Ok(false);
        };
        let open = formed.open;
        let met = if settings.method == Method::MhPcB { Met::Lower } else { Met::Entered };
        if self.eliminate(met, open, formed.tally).is_none() {
            return Ok(false);
        }
        // Line 24: nTPC_k = V_k without TPC_k
        if keep {
            let separated =
                formed.associated.into_iter().filter(|(candidate, _)| !self.findings.is_cause(candidate));
            generator.non_causes.push_level(separated.chain(formed.not_associated).collect());
        }
        Ok(true)
    }

    /// The inclusion and elimination phases of one level, on an OPEN still to be sorted; `None` if stopped.
    fn eliminate(&mut self, met: Met, mut open: Vec<Contender>, level: Level) -> Option<()> {
        sort_open(&mut open);
        let mut rejected = BTreeMap::new();
        let mut reject = |candidate: Candidate, reason: Reason| {
            rejected.insert(candidate, reason);
        };
        let elimination = self.context.elimination();
        let mut levels = [level];
        let mut causes = if self.context.settings.preset == Preset::PaperTable {
            elimination.together(open, &self.tpc, &mut levels, &mut reject)?
        } else {
            let entered = elimination.forward(met, open, &self.tpc, &mut levels, &mut reject)?;
            elimination.backward(met, entered, &self.tpc, &mut levels, &mut reject)?
        };
        self.tpc.extend(causes.iter().map(|contender| contender.candidate.clone()));
        causes.extend(self.context.required_causes(&mut levels[0]));
        self.findings.reasons.extend(rejected);
        self.findings.accept(causes, levels, &self.context.singles);
        Some(())
    }
}
