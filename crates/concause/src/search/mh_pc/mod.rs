//! Multi-level HITON-PC (Algorithm 2), with HITON-PC (Algorithm 1) as its first level.

mod paper_table;

use std::collections::BTreeMap;

use paper_table::TableRedundancy;

use super::candidates::{Generator, NonCauses, RedundancyTest, refuse_pairs_early};
use super::context::{Candidacy, Context, sort_open};
use super::elimination::{Covered, Elimination};
use super::findings::{Findings, LevelSummary, Reason};
use super::settings::Preset;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::stats::DecisionRule;

/// HITON-PC or MH-PC-F, whose forward stage conditions on all causes so far.
pub(super) fn search_forward(context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
    Search::new(context, findings).run(Covered::AtEntry)
}

/// MH-PC-B, whose forward stage conditions on the causes of the lower levels only.
pub(super) fn search_backward(context: &Context<'_>, findings: &mut Findings) -> Result<(), Error> {
    Search::new(context, findings).run(Covered::LowerLevels)
}

/// The redundancy test of the settings.
pub(super) fn redundancy_test(context: &Context<'_>) -> Box<dyn RedundancyTest> {
    let settings = &context.settings;
    match settings.preset {
        Preset::PaperTable => Box::new(TableRedundancy { alpha: settings.redundancy_alpha }),
        _ => {
            let rows = context.counter().rows().total();
            Box::new(DecisionRule::new(settings.test, settings.redundancy_alpha, rows))
        }
    }
}

struct Search<'a> {
    context: &'a Context<'a>,
    /// The required causes, then those of the finished levels in the order of their entry. Forbidden columns are
    /// included, because they may separate other candidates.
    tpc: Vec<Candidate>,
    findings: &'a mut Findings,
}

impl<'a> Search<'a> {
    fn new(context: &'a Context<'a>, findings: &'a mut Findings) -> Self {
        Self { context, tpc: context.required.clone(), findings }
    }

    fn run(mut self, covered: Covered) -> Result<(), Error> {
        let redundancy = redundancy_test(self.context);
        // Line 1: TPC_1(T) = HITON-PC(D, V, T)
        self.search_level_1()?;
        let mut generator = Generator::new(
            self.context,
            Some(&*redundancy),
            NonCauses::of_level_1(self.context, self.findings),
        );
        // Line 3: for k = 2 to k_max
        for level in 2..=self.context.settings.deepest_level() {
            self.search_level_k(level, covered, &mut generator)?;
        }
        Ok(())
    }

    /// Algorithm 1: HITON-PC over the single columns.
    fn search_level_1(&mut self) -> Result<(), Error> {
        // Line 2: OPEN holds the columns associated with T, strongest first.
        let (open, level) = self.context.associated_singles(self.findings);
        refuse_pairs_early(self.context, &open)?;
        // Level 1 is HITON-PC in MH-PC-F and MH-PC-B alike.
        self.eliminate(Covered::AtEntry, open, level)
    }

    /// Lines 4 to 24: the candidates of level k and their elimination.
    fn search_level_k(
        &mut self,
        level: usize,
        covered: Covered,
        generator: &mut Generator<'_>,
    ) -> Result<(), Error> {
        let keep_non_causes = level < self.context.settings.deepest_level();
        let formed = generator.form_level(level, keep_non_causes)?;
        self.eliminate(covered, formed.open, formed.summary)?;
        // Line 24: nTPC_k = V_k without TPC_k
        if keep_non_causes {
            let separated =
                formed.associated.into_iter().filter(|(candidate, _)| !self.findings.is_cause(candidate));
            generator.non_causes.push_level(separated.chain(formed.not_associated).collect());
        }
        Ok(())
    }

    /// The inclusion and elimination phases of one level. OPEN need not be sorted.
    fn eliminate(
        &mut self,
        covered: Covered,
        mut open: Vec<Candidacy>,
        level: LevelSummary,
    ) -> Result<(), Error> {
        sort_open(&mut open);
        let mut rejected = BTreeMap::new();
        let mut reject = |candidate: Candidate, reason: Reason| {
            rejected.insert(candidate, reason);
        };
        let elimination = Elimination::new(self.context);
        let mut levels = [level];
        let mut causes = if self.context.settings.preset == Preset::PaperTable {
            elimination.simultaneous(open, &self.tpc, &mut levels, &mut reject)?
        } else {
            let entered = elimination.forward(covered, open, &self.tpc, &mut levels, &mut reject)?;
            elimination.backward(covered, entered, &self.tpc, &mut levels, &mut reject)?
        };
        self.tpc.extend(causes.iter().map(|candidacy| candidacy.candidate.clone()));
        causes.extend(self.context.required_causes(&mut levels[0])?);
        self.findings.reasons.extend(rejected);
        self.context.accept(self.findings, causes, levels);
        Ok(())
    }
}
