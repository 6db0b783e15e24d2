//! Why any candidate is, or is not, a cause.

use super::candidates::Generator;
use super::findings::{Findings, Reason};
use super::mh_pc::{non_causes, redundancy_test};
use super::settings::Settings;
use super::singles::Singles;
use super::watch::Unwatched;
use crate::count::Counter;
use crate::dataset::{Candidate, Column};
use crate::independence::Judge;

/// The reason of any candidate: as the search noted it, or worked out again from its counts where the search
/// had no need to note it.
pub fn explain(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    findings: &Findings,
    candidate: &Candidate,
) -> Reason {
    if let Some(reason) = findings.reasons.get(candidate) {
        return reason.clone();
    }
    let rows = counter.rows().total();
    let singles = Singles::new(counter, columns, settings.twins);
    let judge = Judge::new(settings.test, settings.alpha, rows);
    let redundancy = redundancy_test(settings, rows);
    let mut generator = Generator {
        counter,
        columns,
        redundancy: &*redundancy,
        association: &judge,
        watch: &Unwatched,
        max_candidates: settings.max_candidates,
        non_causes: non_causes(findings, &singles),
    };
    Explanation { findings, singles: &singles, settings }.of(candidate, &mut generator)
}

struct Explanation<'a> {
    findings: &'a Findings,
    singles: &'a Singles,
    settings: &'a Settings,
}

impl Explanation<'_> {
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
        for &column in candidate.columns() {
            let cause = Candidate::single(self.singles.representative(column));
            if self.findings.is_cause(&cause) {
                return Reason::PartOfCause { cause };
            }
        }
        if let Some(reason) = self.repeated_or_constant(candidate) {
            return reason;
        }
        // What forms the candidates of a level is known once the levels below are finished.
        let known = self.settings.deepest_level().min(self.findings.levels.len() + 1);
        if candidate.level() > known {
            return Reason::NotReached;
        }
        let count = generator.counter.counts(std::slice::from_ref(candidate))[0];
        // The parts that are non-causes themselves; smaller ones have to be worked out first.
        for (part, rest) in candidate.splits() {
            for part in [part, rest] {
                self.learn(&part, generator);
            }
        }
        if !generator.forms(candidate) {
            let part = candidate
                .splits()
                .into_iter()
                .flat_map(|(part, rest)| [part, rest])
                .find(|part| generator.non_causes.count(part.columns()).is_none());
            return part.map_or(Reason::NotReached, |part| Reason::Unformed { part });
        }
        // If nothing stands against it, it came as far as the elimination, but that was not run to its end.
        generator.reason(candidate, count).unwrap_or(Reason::NotReached)
    }

    /// Notes a combined part as a non-cause if it is one.
    fn learn(&self, part: &Candidate, generator: &mut Generator<'_>) {
        if part.level() < 2 || generator.non_causes.count(part.columns()).is_some() {
            return;
        }
        let reason = self.of(part, generator);
        if matches!(reason, Reason::NotAssociated { .. } | Reason::NotTestable | Reason::Separated { .. }) {
            let count = generator.counter.counts(std::slice::from_ref(part))[0];
            generator.non_causes.insert(part.clone(), count);
        }
    }

    fn repeated_or_constant(&self, candidate: &Candidate) -> Option<Reason> {
        let mut stand_in = candidate.clone();
        for &column in candidate.columns() {
            match self.singles.settled.get(&column) {
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
