//! The search over sets of terms scored by tables, for causes that interact on the log-odds scale.

use std::sync::Mutex;

use rustc_hash::FxHashSet;

use super::LEAST_GAIN;
use super::local_search::LocalSearch;
use super::logistic_score::LogisticScore;
use super::score::ModelScore;
use super::table_score::TableScore;
use crate::count::{Count, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::search::context::Context;
use crate::stats::TestResult;

/// The largest number of terms of a table. With more terms, hardly any two rows have the same configuration.
const MOST_TERMS: usize = 60;

/// Twice the logarithm of the Bayes factor above which Kass and Raftery (1995) call evidence very strong.
const VERY_STRONG: f64 = 10.0;

/// All pairs may become terms if there are at most this many.
const MOST_PAIRS: usize = 1000;

/// Tables are always searched if pairs × rows are at most this. With more rows, the terms of the logistic model
/// suffice to detect interactions.
const MOST_PAIRED_ROWS: u64 = 20_000_000;

/// Two columns are bound to each other if the table of both gains more than this over no term (in twice the log
/// marginal likelihood), and more than this per row, …
const LEAST_JOINT_GAIN: f64 = 50.0;
const LEAST_JOINT_GAIN_PER_ROW: f64 = 0.025;

/// … and neither column alone gains more than this share of it.
const MOST_SINGLE_SHARE: f64 = 0.1;

/// The search over sets of terms scored by tables.
pub(super) struct TableSearch<'a> {
    pub context: &'a Context<'a>,
    pub tables: &'a TableScore<'a>,
    pub logistic: &'a LogisticScore<'a>,
    /// The columns that terms may use.
    pub offered: &'a [u32],
}

impl TableSearch<'_> {
    /// Whether the data is small enough to search tables in any case.
    pub fn is_small(&self) -> bool {
        let pairs = self.number_of_pairs();
        pairs <= MOST_PAIRS && pairs as u64 * self.context.counter().rows().total() <= MOST_PAIRED_ROWS
    }

    fn number_of_pairs(&self) -> usize {
        self.offered.len() * self.offered.len().saturating_sub(1) / 2
    }

    /// Whether the evidence for a table of the terms `table` against a logistic model on the terms `logistic` is very
    /// strong: the marginal likelihood of the table against the approximation of Schwarz (1978) for the logistic model.
    pub fn is_better(&self, table: &[Candidate], logistic: &[Candidate]) -> Result<bool, Error> {
        let rows = self.context.counter().rows().total() as f64;
        let schwarz = self.logistic.score(logistic)? - (logistic.len() + 1) as f64 * rows.ln();
        Ok(table.len() <= MOST_TERMS && self.tables.score(table)? > schwarz + VERY_STRONG)
    }

    /// Whether a table replaces a logistic model: the evidence is very strong, and the terms of the table are not
    /// merely those of the logistic model with single columns added.
    pub fn replaces(&self, table: &[Candidate], logistic: &[Candidate]) -> Result<bool, Error> {
        let is_addition = |term: &Candidate| term.level() == 1 || logistic.contains(term);
        let extends = logistic.iter().all(|term| table.contains(term)) && table.iter().all(is_addition);
        Ok(!extends && self.is_better(table, logistic)?)
    }

    /// The best terms reached from several starts, with the parameters of `template` but scored by tables. Pairs of
    /// bound columns become fixed terms once they are found. If there are few pairs, one move may add two columns, and
    /// in the last round all pairs may become terms.
    pub fn run(&self, template: &LocalSearch<'_>, starts: &[&[Candidate]]) -> Result<Vec<Candidate>, Error> {
        let singles: FxHashSet<u32> = self.offered.iter().copied().collect();
        let penalty = template.penalty.selection_only();
        let mut fixed = template.fixed.to_vec();
        let mut screened = template.screened.to_vec();
        let are_few = self.number_of_pairs() <= MOST_PAIRS;
        let pairs = if are_few { self.list_pairs(self.offered) } else { Vec::new() };
        let mut deferred_pairs = &pairs[..];
        loop {
            let search = LocalSearch {
                score: self.tables,
                progress: template.progress,
                penalty: &penalty,
                screened: &screened,
                singles: &singles,
                pair_moves: &pairs,
                fixed: &fixed,
            };
            let terms = search_from_all(&search, starts)?;
            let bound = self.bound_pairs(&terms[fixed.len()..])?;
            if !bound.is_empty() {
                fixed.extend(bound);
            } else if !deferred_pairs.is_empty() {
                screened.extend_from_slice(std::mem::take(&mut deferred_pairs));
                screened.sort_unstable();
                screened.dedup();
            } else {
                let terms = self.retain_significant(terms, template.fixed.len())?;
                let unbound = LocalSearch { fixed: template.fixed, ..search };
                return unbound.drop_if_noise(terms, self.context.settings.alpha);
            }
        }
    }

    /// Removes terms that are not significant in the strata of all others, the least significant first. The first
    /// `fixed` terms are never removed.
    fn retain_significant(&self, mut terms: Vec<Candidate>, fixed: usize) -> Result<Vec<Candidate>, Error> {
        loop {
            let results = test_given_others(self.context, &terms)?;
            let free = (fixed..terms.len()).map(|place| (place, results[place].p_value));
            match free.max_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((place, p_value)) if p_value > self.context.settings.alpha => {
                    terms.remove(place);
                }
                _ => return Ok(terms),
            }
        }
    }

    /// All pairs of these columns that come from different attributes.
    fn list_pairs(&self, columns: &[u32]) -> Vec<Candidate> {
        let attribute = |column: u32| self.context.columns[column as usize].attribute;
        let mut pairs = Vec::new();
        for (i, &x) in columns.iter().enumerate() {
            let others = columns[..i].iter().filter(|&&y| attribute(x) != attribute(y));
            pairs.extend(others.map(|&y| Candidate::new(vec![x, y])));
        }
        pairs
    }

    /// The pairs of bound columns among the columns of these terms, the strongest first; no two share a column.
    fn bound_pairs(&self, terms: &[Candidate]) -> Result<Vec<Candidate>, Error> {
        let columns: FxHashSet<u32> = terms.iter().flat_map(|term| term.columns()).copied().collect();
        let mut columns: Vec<u32> = columns.into_iter().collect();
        columns.sort_unstable();
        let empty = self.tables.score(&[])?;
        let gain = |columns: &[u32]| -> Result<f64, Error> {
            let terms: Vec<Candidate> = columns.iter().copied().map(Candidate::single).collect();
            Ok(self.tables.score(&terms)? - empty)
        };
        let rows = self.context.counter().rows().total() as f64;
        let least = LEAST_JOINT_GAIN.max(LEAST_JOINT_GAIN_PER_ROW * rows);
        let mut found: Vec<(f64, Candidate)> = Vec::new();
        for pair in self.list_pairs(&columns) {
            let joint = gain(pair.columns())?;
            let mut single = 0.0f64;
            for &column in pair.columns() {
                single = single.max(gain(&[column])?);
            }
            if joint > least && single <= MOST_SINGLE_SHARE * joint {
                found.push((joint - single, pair));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut bound: Vec<Candidate> = Vec::new();
        for (_, pair) in found {
            if bound.iter().all(|other| !other.overlaps(&pair)) {
                bound.push(pair);
            }
        }
        Ok(bound)
    }
}

/// The best terms reached from several starts and from no terms; the first ones if several are equally good.
fn search_from_all(search: &LocalSearch<'_>, starts: &[&[Candidate]]) -> Result<Vec<Candidate>, Error> {
    let mut best: Option<(f64, Vec<Candidate>)> = None;
    for start in starts.iter().copied().chain([&[][..]]) {
        let terms = search.run(start)?;
        let objective = search.objective(&terms)?;
        if best.as_ref().is_none_or(|(best, _)| objective > best + LEAST_GAIN) {
            best = Some((objective, terms));
        }
    }
    Ok(best.map(|(_, terms)| terms).unwrap_or_default())
}

/// Tests each term in the strata of all others.
pub(super) fn test_given_others(
    context: &Context<'_>,
    terms: &[Candidate],
) -> Result<Vec<TestResult>, Error> {
    let test = |term: &Candidate| -> Result<TestResult, Error> {
        let others: Vec<Candidate> = terms.iter().filter(|other| *other != term).cloned().collect();
        let found = Mutex::new(TestResult::new(0.0, 1));
        let term = std::slice::from_ref(term);
        context.counter().configurations(&others, term, &|_, configurations, with| {
            *lock(&found) = test_in_strata(with, configurations.counts());
        })?;
        Ok(into_inner(found))
    };
    terms.iter().map(test).collect()
}

/// Tests the association of a candidate with the target in strata; it holds in the rows `with` of the rows `all`. The
/// statistic is Σ (a − E)²/V over the strata, where a is the number of cases with the candidate, and E and V are its
/// hypergeometric mean and variance. The degrees of freedom are the number of strata with V > 0.
pub(super) fn test_in_strata(with: &[Count], all: &[Count]) -> TestResult {
    let (mut sum, mut df) = (0.0, 0);
    for (with, all) in with.iter().zip(all) {
        let (n, cases, held) = (all.total() as f64, all.positive as f64, with.total() as f64);
        let expected = held * cases / n;
        let variance = expected * (n - cases) * (n - held) / (n * (n - 1.0).max(1.0));
        if variance > 0.0 {
            sum += (with.positive as f64 - expected).powi(2) / variance;
            df += 1;
        }
    }
    TestResult::new(sum, df.max(1))
}
