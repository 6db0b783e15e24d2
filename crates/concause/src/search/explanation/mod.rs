//! Explains why a candidate is, or is not, a cause.

mod rejections;

use std::collections::BTreeSet;

pub use rejections::Rejection;
pub(crate) use rejections::rejections;

use super::candidates::{Generator, NonCauses};
use super::context::{Context, not_associated};
use super::findings::{Findings, Reason};
use super::joint;
use super::mh_pc::redundancy_test;
use super::settings::Algorithm;
use crate::count::Count;
use crate::dataset::{Candidate, Literal};
use crate::error::Error;

/// The reasons for candidates, in their order. A reason that the search did not record is derived from the counts of
/// the candidate.
pub(crate) fn explain_all(
    context: &Context<'_>,
    findings: &Findings,
    candidates: &[Candidate],
) -> Result<Vec<Reason>, Error> {
    let recorded = |candidate: &Candidate| {
        let reason = findings.reasons.get(candidate).cloned();
        reason.or_else(|| context.exclusion(candidate))
    };
    let mut reasons: Vec<Option<Reason>> = candidates.iter().map(recorded).collect();
    let is_open = |place: &usize| candidates[*place].level() > 1 && reasons[*place].is_none();
    let open: Vec<usize> = (0..candidates.len()).filter(is_open).collect();
    if !open.is_empty() {
        let conjunctions: Vec<Candidate> = open.iter().map(|&place| candidates[place].clone()).collect();
        let found = match context.settings.method.algorithm() {
            Algorithm::Joint => joint::explain_all(context, findings, &conjunctions)?,
            _ => Explanation { findings, context }.explain_all(&conjunctions)?,
        };
        open.into_iter().zip(found).for_each(|(place, reason)| reasons[place] = Some(reason));
    }
    Ok(reasons.into_iter().map(|reason| reason.unwrap_or(Reason::NotReached)).collect())
}

/// Reasons according to the listings of the paper.
struct Explanation<'a> {
    findings: &'a Findings,
    context: &'a Context<'a>,
}

impl Explanation<'_> {
    fn explain_all(&self, conjunctions: &[Candidate]) -> Result<Vec<Reason>, Error> {
        let context = self.context;
        let parts = conjunctions.iter().flat_map(|candidate| candidate.splits());
        let parts: BTreeSet<Candidate> = parts.flat_map(|(part, rest)| [part, rest]).collect();
        let counted: Vec<Candidate> = parts.into_iter().chain(conjunctions.iter().cloned()).collect();
        context.strata.prefetch(context.counter(), &counted);
        let follows_listings = context.settings.method.descriptor().follows_listings;
        let redundancy = follows_listings.then(|| redundancy_test(context));
        let mut generator =
            Generator::new(context, redundancy.as_deref(), NonCauses::of_level_1(context, self.findings));
        conjunctions.iter().map(|candidate| self.explain(candidate, &mut generator)).collect()
    }

    fn explain(&self, candidate: &Candidate, generator: &mut Generator<'_>) -> Result<Reason, Error> {
        if let Some(reason) = self.findings.reasons.get(candidate) {
            return Ok(reason.clone());
        }
        if candidate.level() < 2 {
            return Ok(Reason::NotReached);
        }
        if generator.same_attribute(candidate.literals()) {
            return Ok(Reason::SameAttribute);
        }
        // If conjunctions are treated as columns, a column that is a cause may also be part of a conjunction.
        let naive = matches!(self.context.settings.method.algorithm(), Algorithm::NaiveH | Algorithm::NaiveS);
        if let Some(cause) = self.single_cause(candidate).filter(|_| !naive) {
            return Ok(Reason::PartOfCause { cause });
        }
        if let Some(reason) = self.duplicate_or_constant(candidate) {
            return Ok(reason);
        }
        // The candidates of a level are known once the levels below it are finished.
        let deepest_known = self.context.settings.deepest_level().min(self.findings.levels.len() + 1);
        if candidate.level() > deepest_known {
            return Ok(Reason::NotReached);
        }
        let counts = self.counts(candidate)?;
        if let Some(part) = self.blocking_part(candidate, generator)?.filter(|_| !naive) {
            return Ok(Reason::Unformed { part });
        }
        // A candidate without a reason reached the elimination phase, which was stopped.
        let reason = generator.reason(candidate, &counts);
        Ok(reason.or_else(|| self.not_discovered(candidate, &counts)).unwrap_or(Reason::NotReached))
    }

    /// The reason for a candidate with p ≤ alpha that exceeds the threshold of the false discovery rate.
    fn not_discovered(&self, candidate: &Candidate, counts: &[Count]) -> Option<Reason> {
        let threshold = self.findings.levels.get(candidate.level() - 1)?.threshold?;
        let reason = not_associated(counts, self.context.strata.rows(), &self.context.decision_rule);
        matches!(reason, Reason::NotAssociated { p_value } if p_value > threshold).then_some(reason)
    }

    /// The first column that is a cause by itself, or the cause it is merged into.
    fn single_cause(&self, candidate: &Candidate) -> Option<Candidate> {
        let representative =
            |literal: &Literal| Candidate::single(self.context.singles.representative(literal.column()));
        candidate.literals().iter().map(representative).find(|single| self.findings.is_cause(single))
    }

    /// The first part that is not a non-cause, if every split has such a part.
    fn blocking_part(
        &self,
        candidate: &Candidate,
        generator: &mut Generator<'_>,
    ) -> Result<Option<Candidate>, Error> {
        let parts: Vec<Candidate> =
            candidate.splits().into_iter().flat_map(|(part, rest)| [part, rest]).collect();
        for part in &parts {
            self.add_non_cause(part, generator)?;
        }
        if generator.can_form(candidate) {
            return Ok(None);
        }
        Ok(parts.into_iter().find(|part| generator.non_causes.counts(part.literals()).is_none()))
    }

    /// Adds a combined part to the non-causes if it is one.
    fn add_non_cause(&self, part: &Candidate, generator: &mut Generator<'_>) -> Result<(), Error> {
        if part.level() < 2 || generator.non_causes.counts(part.literals()).is_some() {
            return Ok(());
        }
        let reason = self.explain(part, generator)?;
        if matches!(reason, Reason::NotAssociated { .. } | Reason::NotTestable | Reason::Separated { .. }) {
            generator.non_causes.insert(part.clone(), self.counts(part)?);
        }
        Ok(())
    }

    /// The counts of a candidate in each stratum.
    fn counts(&self, candidate: &Candidate) -> Result<Box<[Count]>, Error> {
        let counts = self.context.strata.counts(self.context.counter(), std::slice::from_ref(candidate));
        Ok(counts?.remove(0))
    }

    /// The reason for a conjunction with a constant column, or with columns that are merged into equal ones.
    fn duplicate_or_constant(&self, candidate: &Candidate) -> Option<Reason> {
        let mut merged = candidate.clone();
        for &literal in candidate.literals() {
            match self.context.singles.excluded.get(&literal.column()) {
                Some(Reason::Constant) => return Some(Reason::Constant),
                Some(Reason::Equivalent { to, complement: false }) => {
                    merged = merged.without(&Candidate::single(literal)).join(to);
                }
                _ => {}
            }
        }
        (&merged != candidate).then_some(Reason::Equivalent { to: merged, complement: false })
    }
}
