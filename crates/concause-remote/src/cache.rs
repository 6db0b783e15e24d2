//! A cache of responses, which answers later requests without a round trip.

use std::collections::{BTreeMap, VecDeque};

use concause::count::{Configurations, Count, exclude_supersets};
use concause::dataset::{Candidate, Literal};
use rustc_hash::FxHashMap;

/// The largest number of cached counts of conjunctions.
const MAX_COUNTS: usize = 2_000_000;

/// The largest number of cached tables of configurations.
const MAX_TABLES: usize = 8;

/// The largest number of terms of a table that is computed from counts of conjunctions.
const MAX_EXCLUSION_TERMS: usize = 3;

/// The configurations of terms, and the counts of further candidates in them.
pub(crate) type ConfigurationTable = (Configurations, Vec<Vec<Count>>);

/// Earlier responses.
#[derive(Debug)]
pub(crate) struct Cache {
    counts: FxHashMap<Candidate, Count>,
    tables: VecDeque<(Vec<Candidate>, Configurations)>,
    /// The counts of the further candidates of the last table that had any.
    further: FxHashMap<Candidate, Vec<Count>>,
    /// The terms and configurations of that table.
    further_table: (Vec<Candidate>, Configurations),
}

impl Cache {
    /// A cache with the total number of rows.
    pub fn new(rows: Count) -> Self {
        Self {
            counts: FxHashMap::from_iter([(Candidate::default(), rows)]),
            tables: VecDeque::new(),
            further: FxHashMap::default(),
            further_table: Default::default(),
        }
    }

    /// The cached count of a conjunction.
    pub fn count(&self, literals: &[Literal]) -> Option<Count> {
        self.counts.get(literals).copied()
    }

    /// Stores the count of a conjunction.
    pub fn insert(&mut self, candidate: Candidate, count: Count) {
        if self.counts.len() < MAX_COUNTS {
            self.counts.insert(candidate, count);
        }
    }

    /// Stores a table, and the total count of each further candidate.
    pub fn insert_table(&mut self, terms: &[Candidate], further: &[Candidate], table: &ConfigurationTable) {
        let (configurations, counts) = table;
        if self.tables.len() == MAX_TABLES {
            self.tables.pop_front();
        }
        self.tables.push_back((terms.to_vec(), configurations.clone()));
        if further.is_empty() {
            return;
        }
        for (candidate, counts) in further.iter().zip(counts) {
            self.insert(candidate.clone(), counts.iter().sum());
        }
        self.further = further.iter().cloned().zip(counts.iter().cloned()).collect();
        self.further_table = (terms.to_vec(), configurations.clone());
    }

    /// The configurations of the terms with the counts of the further candidates, if they follow from cached
    /// responses.
    pub fn table(&self, terms: &[Candidate], further: &[Candidate]) -> Option<ConfigurationTable> {
        self.look_up_same_terms(terms, further)
            .or_else(|| self.look_up_more_terms(terms, further))
            .or_else(|| self.look_up_conjunctions(terms, further))
    }

    /// Looks for a table of the same terms.
    fn look_up_same_terms(&self, terms: &[Candidate], further: &[Candidate]) -> Option<ConfigurationTable> {
        if self.further_table.0 == terms && !self.further.is_empty() {
            let counts: Option<Vec<_>> =
                further.iter().map(|candidate| self.further.get(candidate).cloned()).collect();
            return Some((self.further_table.1.clone(), counts?));
        }
        let known = self.tables.iter().find(|(known, _)| further.is_empty() && known == terms);
        known.map(|(_, configurations)| (configurations.clone(), Vec::new()))
    }

    /// Looks for a table that has these terms among others.
    fn look_up_more_terms(&self, terms: &[Candidate], further: &[Candidate]) -> Option<ConfigurationTable> {
        self.tables.iter().find_map(|(known, configurations)| {
            let place = |term: &Candidate| known.iter().position(|known| known == term);
            let terms: Option<Vec<usize>> = terms.iter().map(place).collect();
            let further: Option<Vec<usize>> = further.iter().map(place).collect();
            Some(marginalise(configurations, &terms?, &further?))
        })
    }

    /// Computes the table of few terms by inclusion and exclusion from the counts of conjunctions.
    fn look_up_conjunctions(&self, terms: &[Candidate], further: &[Candidate]) -> Option<ConfigurationTable> {
        if terms.len() + further.len() > MAX_EXCLUSION_TERMS {
            return None;
        }
        let all: Vec<&Candidate> = terms.iter().chain(further).collect();
        let count = |mask: usize| {
            let terms = all.iter().enumerate().filter(|(place, _)| mask >> place & 1 == 1);
            let columns = terms.fold(Candidate::default(), |columns, (_, term)| columns.join(term));
            self.count(columns.literals())
        };
        let mut counts: Vec<Count> = (0..1 << all.len()).map(count).collect::<Option<_>>()?;
        exclude_supersets(&mut counts);
        let occurring = (0u64..).zip(counts).filter(|(_, count)| count.total() > 0);
        let (keys, counts): (Vec<u64>, Vec<Count>) = occurring.unzip();
        let table = Configurations::new(all.len(), keys, counts);
        let places: Vec<usize> = (0..all.len()).collect();
        let (terms, further) = places.split_at(terms.len());
        Some(marginalise(&table, terms, further))
    }
}

/// The configurations of some terms of a table, and the counts of other terms in them. Terms are given by their
/// positions in the table.
pub(crate) fn marginalise(table: &Configurations, terms: &[usize], further: &[usize]) -> ConfigurationTable {
    let mut sums: BTreeMap<Vec<u64>, (Count, Vec<Count>)> = BTreeMap::new();
    for (number, &count) in table.counts().iter().enumerate() {
        let mut key = vec![0; Configurations::words_for(terms.len())];
        for (place, &term) in terms.iter().enumerate() {
            key[place / 64] |= u64::from(table.holds(number, term)) << (place % 64);
        }
        let zeros = || (Count::default(), vec![Count::default(); further.len()]);
        let (all, with) = sums.entry(key).or_insert_with(zeros);
        *all = *all + count;
        for (with, &term) in with.iter_mut().zip(further) {
            if table.holds(number, term) {
                *with = *with + count;
            }
        }
    }
    let counts = sums.values().map(|(all, _)| *all).collect();
    let with = (0..further.len()).map(|place| sums.values().map(|(_, with)| with[place]).collect()).collect();
    let keys = sums.into_keys().flatten().collect();
    (Configurations::new(terms.len(), keys, counts), with)
}
