//! A slow reference implementation of the listings of the paper, line by line: one test at a time, every table counted
//! row by row, every reason recorded.

use std::collections::{BTreeMap, BTreeSet};

use concause::dataset::Candidate;
use concause::search::{Duplicates, Knowledge, Method, Overlap, Reason, Role, Settings};
use concause::stats::{FalseDiscovery, MaxP, TestOutcome, TestResult};

use super::Matrix;

pub struct Result {
    /// Cause, association, test with the largest p-value and its conditioning set, by level in the order of entry.
    pub causes: Vec<(Candidate, TestResult, TestResult, Vec<Candidate>)>,
    pub reasons: BTreeMap<Candidate, Reason>,
}

/// All subsets of up to `max_k` members: by their newest member, then by size, then lexicographically.
pub(super) fn subsets(members: &[Candidate], max_k: usize) -> Vec<Vec<Candidate>> {
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    let mut grown = 0;
    while grown < sets.len() {
        let set = sets[grown].clone();
        let next = set.last().map_or(0, |last| last + 1);
        if set.len() < max_k {
            sets.extend((next..members.len()).map(|member| [&set[..], &[member]].concat()));
        }
        grown += 1;
    }
    sets.remove(0);
    sets.sort_by_key(|set| (set.last().copied(), set.len(), set.clone()));
    sets.into_iter().map(|set| set.into_iter().map(|i| members[i].clone()).collect()).collect()
}

/// Single columns first, then pairs, and so on.
pub(super) fn in_data_order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    (a.level(), a).cmp(&(b.level(), b))
}

/// A candidate, its association, and the largest p-value of its tests.
pub(super) type Entry = (Candidate, TestResult, MaxP<Vec<Candidate>>);

pub(super) struct Sequential<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) settings: &'a Settings,
    pub(super) reasons: BTreeMap<Candidate, Reason>,
    /// The number of candidates by level.
    pub(super) formed: BTreeMap<usize, usize>,
}

impl Sequential<'_> {
    pub(super) fn test(&self, candidate: &Candidate, given: &[Candidate]) -> TestOutcome {
        self.test_within(candidate, given, &Candidate::default(), self.settings.alpha)
    }

    fn test_within(
        &self,
        candidate: &Candidate,
        given: &[Candidate],
        within: &Candidate,
        alpha: f64,
    ) -> TestOutcome {
        let covariates = &self.settings.knowledge.covariates;
        let table = self.matrix.table_beside(covariates, candidate, given, within);
        self.settings.test.assess(&table, alpha)
    }

    /// The first separating set among the subsets of `members`.
    fn separated(&self, entry: &mut Entry, members: &[Candidate]) -> Option<Reason> {
        self.separated_by(entry, subsets(members, self.settings.max_k))
    }

    /// The first separating set among these sets.
    pub(super) fn separated_by(&self, entry: &mut Entry, sets: Vec<Vec<Candidate>>) -> Option<Reason> {
        for set in sets {
            let shares = set.iter().any(|member| member.overlaps(&entry.0));
            if self.settings.overlap == Overlap::Skip && shares {
                continue;
            }
            if let TestOutcome::Tested(tested) = self.test(&entry.0, &set) {
                if tested.p_value > self.settings.alpha {
                    return Some(Reason::Separated { by: set, p_value: tested.p_value });
                }
                entry.2.record(tested, || set);
            }
        }
        None
    }

    /// OPEN: the candidates that are associated with the target, the strongest first.
    pub(super) fn open(&mut self, candidates: Vec<Candidate>) -> Vec<Entry> {
        let mut open: Vec<Entry> = Vec::new();
        for candidate in candidates {
            match self.test(&candidate, &[]) {
                TestOutcome::NotTestable => {
                    self.reasons.insert(candidate, Reason::NotTestable);
                }
                TestOutcome::Tested(tested) if tested.p_value > self.settings.alpha => {
                    self.reasons.insert(candidate, Reason::NotAssociated { p_value: tested.p_value });
                }
                TestOutcome::Tested(tested) => {
                    let mut max_p = MaxP::default();
                    max_p.record(tested, Vec::new);
                    open.push((candidate, tested, max_p));
                }
            }
        }
        if let Some(fdr) = self.settings.fdr {
            open = self.discoveries(fdr, open);
        }
        open.sort_by(|a, b| {
            b.1.strength().total_cmp(&a.1.strength()).then_with(|| in_data_order(&a.0, &b.0))
        });
        open
    }

    /// The entries whose p-value, adjusted for all candidates of their level, is at most alpha.
    fn discoveries(&mut self, fdr: FalseDiscovery, open: Vec<Entry>) -> Vec<Entry> {
        let mut found = Vec::new();
        for entry in &open {
            let level = entry.0.level();
            let hypotheses = self.formed[&level];
            let harmonic: f64 = (1..=hypotheses).map(|i| 1.0 / i as f64).sum();
            let penalty = if fdr == FalseDiscovery::BenjaminiYekutieli { harmonic } else { 1.0 };
            // The adjusted p-value is the minimum of m·p/rank over all p-values that are at least as large; ties have
            // the rank of the last of them.
            let others = || open.iter().filter(|other| other.0.level() == level).map(|other| other.1.p_value);
            let adjusted = others()
                .filter(|p| *p >= entry.1.p_value)
                .map(|p| {
                    p * hypotheses as f64 * penalty / others().filter(|other| *other <= p).count() as f64
                })
                .fold(f64::INFINITY, f64::min);
            if adjusted <= self.settings.alpha {
                found.push(entry.clone());
            } else {
                let reason = Reason::NotAssociated { p_value: entry.1.p_value };
                self.reasons.insert(entry.0.clone(), reason);
            }
        }
        found
    }

    /// OPEN and the forward and backward stages of one level; returns TPC_k. With `full`, the forward stage conditions
    /// on all of TPC.
    pub(super) fn eliminate(
        &mut self,
        candidates: Vec<Candidate>,
        lower: &[Candidate],
        full: bool,
    ) -> Vec<Entry> {
        let open = self.open(candidates);
        let mut tpc_k: Vec<Entry> = Vec::new();
        for mut entry in open {
            let mut members = lower.to_vec();
            if full {
                members.extend(tpc_k.iter().map(|entry| entry.0.clone()));
            }
            match self.separated(&mut entry, &members) {
                Some(reason) => {
                    self.reasons.insert(entry.0, reason);
                }
                None => tpc_k.push(entry),
            }
        }
        let mut place = 0;
        while place < tpc_k.len() {
            let mut entry = tpc_k[place].clone();
            let others = tpc_k.iter().map(|other| other.0.clone()).filter(|other| *other != entry.0);
            let members: Vec<Candidate> = lower.iter().cloned().chain(others).collect();
            match self.separated(&mut entry, &members) {
                Some(reason) => {
                    self.reasons.insert(entry.0, reason);
                    tpc_k.remove(place);
                }
                None => {
                    tpc_k[place] = entry;
                    place += 1;
                }
            }
        }
        for entry in &tpc_k {
            self.note_cause(&entry.0);
        }
        tpc_k
    }

    /// Records the reason for a member of TPC: it is a cause unless it is forbidden.
    pub(super) fn note_cause(&mut self, candidate: &Candidate) {
        let reason = self.exclusion(candidate).unwrap_or(Reason::Cause);
        self.reasons.insert(candidate.clone(), reason);
    }

    /// The reason if background knowledge excludes a column of the candidate.
    pub(super) fn exclusion(&self, candidate: &Candidate) -> Option<Reason> {
        let Knowledge { after, covariates, forbidden, .. } = &self.settings.knowledge;
        candidate.columns().iter().find_map(|column| {
            let roles = [(after, Role::After), (covariates, Role::Covariate), (forbidden, Role::Forbidden)];
            let (_, role) = roles.into_iter().find(|(columns, _)| columns.contains(column))?;
            Some(Reason::Excluded { column: Candidate::single(*column), role })
        })
    }

    /// The required causes, single columns first. Only their association is tested.
    pub(super) fn required(&mut self, columns: &Columns) -> Vec<Entry> {
        let mut required = self.settings.knowledge.required.clone();
        required.sort_by(in_data_order);
        required.retain(|it| {
            it.level() > 1 || columns.stands_for[it.columns()[0] as usize] == it.columns()[0] as usize
        });
        let mut entries = Vec::new();
        for candidate in required {
            let tested = match self.test(&candidate, &[]) {
                TestOutcome::Tested(tested) => tested,
                TestOutcome::NotTestable => TestResult::new(0.0, 1),
            };
            let mut max_p = MaxP::default();
            max_p.record(tested, Vec::new);
            if candidate.level() == 1 {
                self.formed.entry(1).and_modify(|candidates| *candidates -= 1);
            }
            self.reasons.insert(candidate.clone(), Reason::Required);
            entries.push((candidate, tested, max_p));
        }
        entries
    }

    fn redundant(&self, a: &Candidate, b: &Candidate) -> Option<Reason> {
        let (first, second) = if a.columns() < b.columns() { (a, b) } else { (b, a) };
        for (part, within) in [(first, second), (second, first)] {
            let alpha = self.settings.redundancy_alpha;
            if let TestOutcome::Tested(tested) = self.test_within(part, &[], within, alpha)
                && tested.p_value > alpha
            {
                return Some(Reason::Redundant {
                    part: part.clone(),
                    within: within.clone(),
                    p_value: tested.p_value,
                });
            }
        }
        None
    }

    /// The single columns that are neither constant nor merged, the columns that conjunctions may use, and the
    /// representative of each column.
    pub(super) fn columns(&mut self) -> Columns {
        let matrix = self.matrix;
        self.formed.insert(1, matrix.columns.len());
        let mut singles = Vec::new();
        let mut offered = Vec::new();
        let mut stands_for: Vec<usize> = (0..matrix.columns.len()).collect();
        for column in 0..matrix.columns.len() {
            let bits = &matrix.columns[column];
            let single = Candidate::single(column as u32);
            let is_out = |column: usize| {
                let Knowledge { after, covariates, .. } = &self.settings.knowledge;
                after.contains(&(column as u32)) || covariates.contains(&(column as u32))
            };
            if is_out(column) {
                let reason = self.exclusion(&single).unwrap();
                self.reasons.insert(single, reason);
                continue;
            }
            let constant = |bits: &Vec<bool>| bits.iter().all(|bit| *bit == bits[0]);
            if constant(bits) {
                self.reasons.insert(single, Reason::Constant);
                continue;
            }
            // Duplicates are merged into a required column, else into one that may be a cause, else into the first one.
            let Knowledge { forbidden, required, .. } = &self.settings.knowledge;
            let is_forbidden = forbidden.contains(&(column as u32));
            let mut order: Vec<usize> = (0..matrix.columns.len()).filter(|&other| !is_out(other)).collect();
            order.sort_by_key(|&other| {
                let single = Candidate::single(other as u32);
                (!required.contains(&single), forbidden.contains(&(other as u32)), other)
            });
            let duplicate = order.into_iter().take_while(|&other| other != column).find_map(|other| {
                let equal = matrix.columns[other] == *bits;
                let complement = matrix.columns[other].iter().zip(bits).all(|(a, b)| a != b);
                (equal || complement).then_some((other, complement))
            });
            match duplicate {
                Some((other, complement)) if self.settings.duplicates == Duplicates::Merge => {
                    stands_for[column] = other;
                    let to = Candidate::single(other as u32);
                    self.reasons.insert(single.clone(), Reason::Equivalent { to, complement });
                    if complement && !is_forbidden {
                        offered.push(column);
                    }
                }
                _ => {
                    if !required.contains(&single) {
                        singles.push(single);
                    }
                    if !is_forbidden {
                        offered.push(column);
                    }
                }
            }
        }
        Columns { singles, offered, stands_for }
    }

    /// Whether two columns of a candidate come from one attribute.
    pub(super) fn same_attribute(&self, candidate: &Candidate) -> bool {
        let mut attributes: Vec<usize> =
            candidate.columns().iter().map(|&column| self.matrix.attributes[column as usize]).collect();
        attributes.sort_unstable();
        attributes.windows(2).any(|pair| pair[0] == pair[1])
    }

    pub(super) fn constant(&self, candidate: &Candidate) -> bool {
        let holds = (0..self.matrix.rows()).filter(|&row| self.matrix.holds(candidate, row)).count();
        holds == 0 || holds == self.matrix.rows()
    }

    pub(super) fn result(self, causes: Vec<Entry>) -> Result {
        let causes = causes
            .into_iter()
            .filter(|entry| matches!(self.reasons[&entry.0], Reason::Cause | Reason::Required))
            .map(|(candidate, association, max_p)| {
                let (tested, given) = max_p.largest().unwrap();
                (candidate, association, *tested, given.clone())
            })
            .collect();
        Result { causes, reasons: self.reasons }
    }
}

pub(super) struct Columns {
    pub(super) singles: Vec<Candidate>,
    pub(super) offered: Vec<usize>,
    pub(super) stands_for: Vec<usize>,
}

/// All candidates with `level` columns.
pub fn combinations(columns: usize, level: usize) -> Vec<Candidate> {
    (1u32..1 << columns)
        .filter(|mask| mask.count_ones() as usize == level)
        .map(|mask| Candidate::new((0..columns as u32).filter(|i| mask >> i & 1 == 1)))
        .collect()
}

pub fn mine(matrix: &Matrix, settings: &Settings) -> Result {
    let columns = matrix.columns.len();
    let mut search = Sequential { matrix, settings, reasons: BTreeMap::new(), formed: BTreeMap::new() };
    let all_columns = search.columns();
    // TPC: the required causes, then the candidates that enter, including forbidden ones.
    let mut causes = search.required(&all_columns);
    let Columns { singles, offered, stands_for } = all_columns;
    let required: Vec<Candidate> = causes.iter().map(|entry| entry.0.clone()).collect();
    causes.extend(search.eliminate(singles, &required, true));
    let is_single_cause = |causes: &[Entry], column: usize| {
        causes.iter().any(|entry| entry.0 == Candidate::single(stands_for[column] as u32))
    };
    let free: BTreeSet<usize> =
        offered.into_iter().filter(|&column| !is_single_cause(&causes, column)).collect();
    // nTPC
    let mut non_causes: BTreeSet<Candidate> =
        free.iter().map(|&column| Candidate::single(column as u32)).collect();
    let deepest = if settings.method == Method::HITON_PC { 1 } else { settings.max_level };
    for level in 2..=deepest {
        let mut kept = Vec::new();
        for candidate in combinations(columns, level) {
            if required.contains(&candidate) {
                continue;
            }
            if let Some(reason) = search.exclusion(&candidate) {
                search.reasons.insert(candidate, reason);
                continue;
            }
            if search.same_attribute(&candidate) {
                search.reasons.insert(candidate, Reason::SameAttribute);
                continue;
            }
            let cause =
                candidate.columns().into_iter().find(|&column| is_single_cause(&causes, column as usize));
            if let Some(column) = cause {
                let cause = Candidate::single(stands_for[column as usize] as u32);
                search.reasons.insert(candidate, Reason::PartOfCause { cause });
                continue;
            }
            if candidate.columns().iter().any(|&column| !free.contains(&(column as usize))) {
                continue; // it contains a constant or a merged column and is not formed
            }
            let splits: Vec<_> = candidate
                .splits()
                .into_iter()
                .filter(|(a, b)| non_causes.contains(a) && non_causes.contains(b))
                .collect();
            if splits.is_empty() {
                continue;
            }
            *search.formed.entry(level).or_default() += 1;
            if search.constant(&candidate) {
                search.reasons.insert(candidate, Reason::Constant);
                continue;
            }
            let reasons: Vec<_> = splits.iter().map(|(a, b)| search.redundant(a, b)).collect();
            match reasons.iter().all(Option::is_some) {
                true => {
                    search.reasons.insert(candidate, reasons[0].clone().unwrap());
                }
                false => kept.push(candidate),
            }
        }
        let lower: Vec<Candidate> = causes.iter().map(|entry| entry.0.clone()).collect();
        let found = search.eliminate(kept.clone(), &lower, settings.method == Method::MH_PC_F);
        non_causes.extend(kept.into_iter().filter(|candidate| search.reasons[candidate] != Reason::Cause));
        causes.extend(found);
    }
    search.result(causes)
}
