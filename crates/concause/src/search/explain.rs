//! Why any candidate is, or is not, a cause.

use std::collections::BTreeSet;

use super::candidates::{Generator, not_associated};
use super::context::Context;
use super::findings::{Findings, Reason};
use super::mh_pc::redundancy_test;
use super::mh_pc_x;
use super::settings::{Method, Settings};
use super::watch::Unwatched;
use crate::count::{Count, Counter};
use crate::dataset::{Candidate, Column};

/// The reason of any candidate: as the search noted it, or worked out again from its counts where the search
/// had no need to note it.
pub fn explain(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    findings: &Findings,
    candidate: &Candidate,
) -> Reason {
    let mut reasons = explain_all(counter, columns, settings, findings, std::slice::from_ref(candidate));
    // One candidate, one reason.
    reasons.pop().unwrap_or(Reason::NotReached)
}

/// The reasons of several candidates, in their order.
pub fn explain_all(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    findings: &Findings,
    candidates: &[Candidate],
) -> Vec<Reason> {
    // What is refused here was refused when the search began.
    let Ok(context) = Context::new(counter, columns, settings, &Unwatched) else {
        return vec![Reason::NotReached; candidates.len()];
    };
    let redundancy = settings.method.is_listed().then(|| redundancy_test(&context));
    let mut generator = context.generator(redundancy.as_deref(), context.non_causes(findings));
    let explanation = Explanation { findings, context: &context };
    explanation.foresee(candidates);
    candidates.iter().map(|candidate| explanation.whole(candidate, &mut generator)).collect()
}

struct Explanation<'a> {
    findings: &'a Findings,
    context: &'a Context<'a>,
}

impl Explanation<'_> {
    /// Says what will be asked for the candidates, and for their parts.
    fn foresee(&self, candidates: &[Candidate]) {
        let context = self.context;
        let is_asked =
            |candidate: &&Candidate| candidate.level() > 1 && !self.findings.reasons.contains_key(*candidate);
        let asked: Vec<Candidate> = candidates.iter().filter(is_asked).cloned().collect();
        if asked.is_empty() {
            return;
        }
        if context.settings.method == Method::MhPcX {
            mh_pc_x::foresee(context, self.findings, &asked);
        }
        let parts = asked.iter().flat_map(|candidate| candidate.splits());
        let parts: BTreeSet<Candidate> = parts.flat_map(|(part, rest)| [part, rest]).collect();
        context.strata.foresee(context.counter, &parts.into_iter().chain(asked).collect::<Vec<_>>());
    }

    fn whole(&self, candidate: &Candidate, generator: &mut Generator<'_>) -> Reason {
        if let Some(reason) = self.findings.reasons.get(candidate) {
            return reason.clone();
        }
        if let Some(reason) = self.context.set_aside(candidate) {
            return reason;
        }
        if self.context.settings.method == Method::MhPcX && candidate.level() > 1 {
            return mh_pc_x::explain(self.context, self.findings, candidate);
        }
        self.of(candidate, generator)
    }

    fn of(&self, candidate: &Candidate, generator: &mut Generator<'_>) -> Reason {
        if let Some(reason) = self.findings.reasons.get(candidate) {
            return reason.clone();
        }
        if candidate.level() < 2 {
            return Reason::NotReached;
        }
        if generator.same_attribute(candidate.columns()) {
            return Reason::SameAttribute;
        }
        // To the naïve methods a conjunction is a column like any other.
        let naive = self.context.settings.method.is_naive();
        if let Some(cause) = self.single_cause(candidate).filter(|_| !naive) {
            return Reason::PartOfCause { cause };
        }
        if let Some(reason) = self.repeated_or_constant(candidate) {
            return reason;
        }
        // What forms the candidates of a level is known once the levels below are finished.
        let known = self.context.settings.deepest_level().min(self.findings.levels.len() + 1);
        if candidate.level() > known {
            return Reason::NotReached;
        }
        let counts = self.counts(candidate);
        if let Some(part) = self.part_in_the_way(candidate, generator).filter(|_| !naive) {
            return Reason::Unformed { part };
        }
        // If nothing stands against it, it came as far as the elimination, but that was not run to its end.
        let reason = generator.reason(candidate, &counts);
        reason.or_else(|| self.not_discovered(candidate, &counts)).unwrap_or(Reason::NotReached)
    }

    /// Associated at alpha, but not so that the false discovery rate of the level allows it.
    fn not_discovered(&self, candidate: &Candidate, counts: &[Count]) -> Option<Reason> {
        let threshold = self.findings.levels.get(candidate.level() - 1)?.threshold?;
        let reason = not_associated(counts, self.context.strata.rows(), &self.context.judge);
        matches!(reason, Reason::NotAssociated { p_value } if p_value > threshold).then_some(reason)
    }

    /// The first column that is a cause by itself, or the cause that stands for it.
    fn single_cause(&self, candidate: &Candidate) -> Option<Candidate> {
        let stand_in = |&column: &u32| Candidate::single(self.context.singles.representative(column));
        candidate.columns().iter().map(stand_in).find(|single| self.findings.is_cause(single))
    }

    /// The first part that is no non-cause, if there is one in every split.
    fn part_in_the_way(&self, candidate: &Candidate, generator: &mut Generator<'_>) -> Option<Candidate> {
        // The parts that are non-causes themselves; smaller ones have to be worked out first.
        let parts: Vec<Candidate> =
            candidate.splits().into_iter().flat_map(|(part, rest)| [part, rest]).collect();
        parts.iter().for_each(|part| self.learn(part, generator));
        if generator.forms(candidate) {
            return None;
        }
        parts.into_iter().find(|part| generator.non_causes.counts(part.columns()).is_none())
    }

    /// Notes a combined part as a non-cause if it is one.
    fn learn(&self, part: &Candidate, generator: &mut Generator<'_>) {
        if part.level() < 2 || generator.non_causes.counts(part.columns()).is_some() {
            return;
        }
        let reason = self.of(part, generator);
        if matches!(reason, Reason::NotAssociated { .. } | Reason::NotTestable | Reason::Separated { .. }) {
            generator.non_causes.insert(part.clone(), self.counts(part));
        }
    }

    /// In how many rows of each stratum a candidate holds.
    fn counts(&self, candidate: &Candidate) -> Box<[Count]> {
        let Context { strata, counter, .. } = self.context;
        strata.counts(*counter, std::slice::from_ref(candidate)).remove(0)
    }

    fn repeated_or_constant(&self, candidate: &Candidate) -> Option<Reason> {
        let mut stand_in = candidate.clone();
        for &column in candidate.columns() {
            match self.context.singles.settled.get(&column) {
                Some(Reason::Constant) => return Some(Reason::Constant),
                Some(Reason::Equivalent { to, complement: false }) => {
                    stand_in = stand_in.without(&Candidate::single(column)).join(to);
                }
                _ => {}
            }
        }
        (&stand_in != candidate).then_some(Reason::Equivalent { to: stand_in, complement: false })
    }
}
