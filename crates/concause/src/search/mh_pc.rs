//! Multi-level HITON-PC (Algorithm 2), with HITON-PC (Algorithm 1) as its first level.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::candidates::{Generator, NonCauses, RedundancyTest, Screening, associate, not_associated};
use super::elimination::{Contender, Elimination, sort_open};
use super::findings::{Cause, Findings, Level, Reason};
use super::paper_table::TableRedundancy;
use super::settings::{Method, Preset, Settings};
use super::singles::Singles;
use super::watch::Watch;
use crate::count::{Count, Counter};
use crate::dataset::{Candidate, Column};
use crate::error::Error;
use crate::independence::Judge;

/// Searches for the single and combined causes of the target.
///
/// ```
/// use concause::count::LocalCounter;
/// use concause::dataset::{DatasetBuilder, Target};
/// use concause::search::{Settings, Unwatched, mine};
///
/// let outcome: Vec<bool> = (0..400).map(|row| row % 2 == 0).collect();
/// let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
/// builder.attribute("A", vec!["A".into()], (0..400).map(|row| (row % 2 == 0 || row % 5 == 0).then_some(0)));
/// builder.attribute("B", vec!["B".into()], (0..400).map(|row| (row % 3 == 0).then_some(0)));
/// let dataset = builder.finish();
/// let counter = LocalCounter::new(&dataset);
/// let findings = mine(&counter, dataset.columns(), &Settings::default(), &Unwatched)?;
/// let names: Vec<String> = findings.causes.iter().map(|cause| cause.candidate.name(dataset.columns())).collect();
/// assert_eq!(names, ["A"]);
/// # Ok::<(), concause::Error>(())
/// ```
pub fn mine(
    counter: &dyn Counter,
    columns: &[Column],
    settings: &Settings,
    watch: &dyn Watch,
) -> Result<Findings, Error> {
    settings.check().map_err(Error::Setting)?;
    let rows = counter.rows().total();
    let judge = Judge::new(settings.test, settings.alpha, rows);
    let redundancy = redundancy_test(settings, rows);
    let elimination =
        Elimination { counter, judge: &judge, max_k: settings.max_k, overlap: settings.overlap, watch };
    let singles = Singles::new(counter, columns, settings.twins);
    let mut search = Search { settings, elimination, singles, tpc: Vec::new(), findings: Findings::new() };
    // Line 1: TPC_1(T) = HITON-PC(D, V, T)
    if !search.level_1()? {
        return Ok(search.finish(false));
    }
    let mut generator = Generator {
        counter,
        columns,
        redundancy: &*redundancy,
        association: &judge,
        watch,
        max_candidates: settings.max_candidates,
        non_causes: non_causes(&search.findings, &search.singles),
    };
    // Line 3: for k = 2 to k_max
    for level in 2..=settings.deepest_level() {
        if !search.level_k(level, &mut generator)? {
            return Ok(search.finish(false));
        }
    }
    Ok(search.finish(true))
}

/// The redundancy test that the settings ask for.
pub(super) fn redundancy_test(settings: &Settings, rows: u64) -> Box<dyn RedundancyTest> {
    match settings.preset {
        Preset::PaperTable => Box::new(TableRedundancy { alpha: settings.redundancy_alpha }),
        _ => Box::new(Judge::new(settings.test, settings.redundancy_alpha, rows)),
    }
}

/// nTPC_1: the single columns that conjunctions may use, being no causes nor equivalent to one.
pub(super) fn non_causes(findings: &Findings, singles: &Singles) -> NonCauses {
    let offered = (0..)
        .zip(&singles.counts)
        .filter(|(column, _)| singles.is_offered(*column))
        .filter(|(column, _)| !findings.is_cause(&Candidate::single(singles.representative(*column))));
    NonCauses::new(offered.map(|(column, &count)| (column, count)))
}

struct Search<'a> {
    settings: &'a Settings,
    elimination: Elimination<'a>,
    singles: Singles,
    /// The causes of the finished levels, in the order of their entry.
    tpc: Vec<Candidate>,
    findings: Findings,
}

impl Search<'_> {
    /// HITON-PC over the single columns; false if stopped.
    fn level_1(&mut self) -> Result<bool, Error> {
        let rows = self.elimination.counter.rows();
        let mut level = Level { level: 1, ..Level::default() };
        let mut open = Vec::new();
        for (column, &count) in (0..).zip(&self.singles.counts) {
            let single = Candidate::single(column);
            level.candidates += 1;
            if let Some(reason) = self.singles.settled.get(&column) {
                self.findings.reasons.insert(single, reason.clone());
                continue;
            }
            // Line 2: OPEN holds the columns associated with T, strongest first.
            match associate(count, rows, self.elimination.judge, &mut level) {
                Screening::Open(tested) => open.push(Contender::new(single, count, tested)),
                _ => {
                    let reason = not_associated(count, rows, self.elimination.judge);
                    self.findings.reasons.insert(single, reason);
                }
            }
        }
        level.associated = open.len() as u64;
        self.refuse_early(&open)?;
        // HITON-PC is the full form at level 1, whatever MH-PC does above.
        let method = if self.settings.method == Method::MhPcB { Method::MhPcF } else { self.settings.method };
        Ok(self.eliminate(method, open, level).is_some())
    }

    /// Refuses a level 2 that will be too large, before level 1 is worked out: the columns that are not associated with
    /// the target will all be non-causes.
    fn refuse_early(&self, open: &[Contender]) -> Result<(), Error> {
        let pairs = |columns: u128| columns * columns.saturating_sub(1) / 2;
        let offered = (0..self.singles.counts.len() as u32).filter(|&column| self.singles.is_offered(column));
        let associated: FxHashSet<u32> = open.iter().map(|single| single.candidate.columns()[0]).collect();
        let certain =
            offered.clone().filter(|&column| !associated.contains(&self.singles.representative(column)));
        let budget = self.settings.max_candidates;
        if self.settings.deepest_level() > 1 && pairs(certain.count() as u128) > u128::from(budget) {
            let candidates = pairs(offered.count() as u128);
            return Err(Error::TooManyCandidates { level: 2, candidates, budget });
        }
        Ok(())
    }

    /// Lines 4 to 24; false if stopped.
    fn level_k(&mut self, level: usize, generator: &mut Generator<'_>) -> Result<bool, Error> {
        let keep = level < self.settings.deepest_level();
        let Some(formed) = generator.level(level, keep)? else {
            return Ok(false);
        };
        let open = formed.open;
        let considered: Vec<(Candidate, Count)> =
            open.iter().map(|contender| (contender.candidate.clone(), contender.count)).collect();
        if self.eliminate(self.settings.method, open, formed.tally).is_none() {
            return Ok(false);
        }
        // Line 24: nTPC_k = V_k without TPC_k
        if keep {
            let separated =
                considered.into_iter().filter(|(candidate, _)| !self.findings.is_cause(candidate));
            generator.non_causes.push_level(separated.chain(formed.not_associated).collect());
        }
        Ok(true)
    }

    /// The inclusion and elimination phases of one level, on an OPEN still to be sorted; `None` if stopped.
    fn eliminate(&mut self, method: Method, mut open: Vec<Contender>, mut level: Level) -> Option<()> {
        sort_open(&mut open);
        let mut rejected = BTreeMap::new();
        let mut reject = |candidate: Candidate, reason: Reason| {
            rejected.insert(candidate, reason);
        };
        let elimination = &self.elimination;
        let causes = if self.settings.preset == Preset::PaperTable {
            elimination.together(open, &self.tpc, &mut level, &mut reject)?
        } else {
            let entered = elimination.forward(method, open, &self.tpc, &mut level, &mut reject)?;
            elimination.backward(method, entered, &self.tpc, &mut level, &mut reject)?
        };
        level.causes = causes.len() as u64;
        self.findings.reasons.extend(rejected);
        self.findings.levels.push(level);
        self.tpc.extend(causes.iter().map(|contender| contender.candidate.clone()));
        self.findings.accept(causes, &self.singles);
        Some(())
    }

    fn finish(mut self, complete: bool) -> Findings {
        self.findings.complete = complete;
        self.findings
    }
}

impl Findings {
    fn new() -> Self {
        Findings { causes: Vec::new(), levels: Vec::new(), reasons: BTreeMap::new(), complete: false }
    }

    /// Adds the causes of a level, the strongest first.
    fn accept(&mut self, mut causes: Vec<Contender>, singles: &Singles) {
        sort_open(&mut causes);
        for contender in causes {
            self.reasons.insert(contender.candidate.clone(), Reason::Cause);
            let (weakest, challenger) = match contender.weakest.weakest() {
                Some((tested, given)) => (*tested, given.clone()),
                None => (contender.association, Vec::new()),
            };
            self.causes.push(Cause {
                equivalent: equivalent(&contender.candidate, singles),
                candidate: contender.candidate,
                count: contender.count,
                association: contender.association,
                weakest,
                challenger,
            });
        }
    }
}

/// The columns merged into a single cause; for a conjunction, those that may stand for one of its columns.
fn equivalent(candidate: &Candidate, singles: &Singles) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (&column, reason) in &singles.settled {
        let Reason::Equivalent { to, complement } = reason else { continue };
        let twin = Candidate::single(column);
        if candidate == to {
            found.push(twin);
        } else if candidate.level() > 1 && candidate.overlaps(to) && !complement {
            found.push(candidate.without(to).join(&twin));
        }
    }
    found
}
