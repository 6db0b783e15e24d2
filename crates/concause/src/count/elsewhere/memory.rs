//! What was answered before and answers further questions, so that nobody has to be asked again.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use crate::count::configurations::words;
use crate::count::{Configurations, Count, exclude_supersets};
use crate::dataset::Candidate;

/// The most counts of conjunctions that are kept.
const MOST_COUNTS: usize = 2_000_000;

/// How many tables of configurations are kept.
const MOST_TABLES: usize = 8;

/// The most terms of a table that is worked out from counts of conjunctions.
const MOST_EXCLUDED: usize = 3;

/// The configurations of terms, and the counts of further candidates in them.
pub(super) type Table = (Configurations, Vec<Vec<Count>>);

/// What was answered before.
#[derive(Debug)]
pub(super) struct Memory {
    counts: FxHashMap<Candidate, Count>,
    tables: VecDeque<(Vec<Candidate>, Configurations)>,
    /// The further candidates of the last table that had any.
    further: FxHashMap<Candidate, Vec<Count>>,
    further_of: (Vec<Candidate>, Configurations),
}

impl Memory {
    /// All there are.
    pub fn new(rows: Count) -> Self {
        Self {
            counts: FxHashMap::from_iter([(Candidate::default(), rows)]),
            tables: VecDeque::new(),
            further: FxHashMap::default(),
            further_of: Default::default(),
        }
    }

    /// The count of a conjunction.
    pub fn count(&self, columns: &[u32]) -> Option<Count> {
        self.counts.get(columns).copied()
    }

    /// Keeps the count of a conjunction.
    pub fn keep(&mut self, candidate: Candidate, count: Count) {
        if self.counts.len() < MOST_COUNTS {
            self.counts.insert(candidate, count);
        }
    }

    /// Keeps a table, and how many rows each further candidate has in all.
    pub fn keep_table(&mut self, terms: &[Candidate], further: &[Candidate], table: &Table) {
        let (configurations, counts) = table;
        if self.tables.len() == MOST_TABLES {
            self.tables.pop_front();
        }
        self.tables.push_back((terms.to_vec(), configurations.clone()));
        if further.is_empty() {
            return;
        }
        for (candidate, counts) in further.iter().zip(counts) {
            self.keep(candidate.clone(), counts.iter().sum());
        }
        self.further = further.iter().cloned().zip(counts.iter().cloned()).collect();
        self.further_of = (terms.to_vec(), configurations.clone());
    }

    /// The configurations of the terms, with the counts of the further candidates.
    pub fn table(&self, terms: &[Candidate], further: &[Candidate]) -> Option<Table> {
        self.same(terms, further)
            .or_else(|| self.part(terms, further))
            .or_else(|| self.excluded(terms, further))
    }

    /// From a table of the same terms.
    fn same(&self, terms: &[Candidate], further: &[Candidate]) -> Option<Table> {
        if self.further_of.0 == terms && !self.further.is_empty() {
            let counts: Option<Vec<_>> = further.iter().map(|it| self.further.get(it).cloned()).collect();
            return Some((self.further_of.1.clone(), counts?));
        }
        let known = self.tables.iter().find(|(known, _)| further.is_empty() && known == terms);
        known.map(|(_, configurations)| (configurations.clone(), Vec::new()))
    }

    /// From a table of these and other terms.
    fn part(&self, terms: &[Candidate], further: &[Candidate]) -> Option<Table> {
        self.tables.iter().find_map(|(known, configurations)| {
            let place = |term: &Candidate| known.iter().position(|known| known == term);
            let terms: Option<Vec<usize>> = terms.iter().map(place).collect();
            let further: Option<Vec<usize>> = further.iter().map(place).collect();
            Some(narrowed(configurations, &terms?, &further?))
        })
    }

    /// By inclusion and exclusion from counts of conjunctions, where terms are few.
    fn excluded(&self, terms: &[Candidate], further: &[Candidate]) -> Option<Table> {
        if terms.len() + further.len() > MOST_EXCLUDED {
            return None;
        }
        let all: Vec<&Candidate> = terms.iter().chain(further).collect();
        let held = |mask: usize| {
            let held = all.iter().enumerate().filter(|(place, _)| mask >> place & 1 == 1);
            let columns = held.fold(Candidate::default(), |columns, (_, term)| columns.join(term));
            self.count(columns.columns())
        };
        let mut counts: Vec<Count> = (0..1 << all.len()).map(held).collect::<Option<_>>()?;
        exclude_supersets(&mut counts);
        let occurring = (0u64..).zip(counts).filter(|(_, count)| count.total() > 0);
        let (keys, counts): (Vec<u64>, Vec<Count>) = occurring.unzip();
        let whole = Configurations::new(all.len(), keys, counts);
        let places: Vec<usize> = (0..all.len()).collect();
        let (terms, further) = places.split_at(terms.len());
        Some(narrowed(&whole, terms, further))
    }
}

/// The configurations of some of the terms of a table, and the counts of others in them, by their places.
pub(super) fn narrowed(table: &Configurations, terms: &[usize], further: &[usize]) -> Table {
    let mut sums: BTreeMap<Vec<u64>, (Count, Vec<Count>)> = BTreeMap::new();
    for (number, &count) in table.counts().iter().enumerate() {
        let mut key = vec![0; words(terms.len())];
        for (place, &term) in terms.iter().enumerate() {
            key[place / 64] |= u64::from(table.holds(number, term)) << (place % 64);
        }
        let nothing = || (Count::default(), vec![Count::default(); further.len()]);
        let (all, held) = sums.entry(key).or_insert_with(nothing);
        *all = *all + count;
        for (held, &term) in held.iter_mut().zip(further) {
            if table.holds(number, term) {
                *held = *held + count;
            }
        }
    }
    let counts = sums.values().map(|(all, _)| *all).collect();
    let with = (0..further.len()).map(|place| sums.values().map(|(_, held)| held[place]).collect()).collect();
    let keys = sums.into_keys().flatten().collect();
    (Configurations::new(terms.len(), keys, counts), with)
}
