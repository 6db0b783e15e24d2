//! Causes that work together in other ways than by adding to the log odds.

use std::sync::Mutex;

use rustc_hash::FxHashSet;

use super::LEAST_GAIN;
use super::additive::Additive;
use super::measure::Measure;
use super::rearrange::Rearrange;
use super::tables::Tables;
use crate::count::{Count, into_inner, lock};
use crate::dataset::Candidate;
use crate::independence::Tested;
use crate::search::context::Context;

/// More terms than this make a table in which hardly two rows are alike.
const MOST_TERMS: usize = 60;

/// What evidence has to exceed (twice the logarithm of the ratio of likelihoods) to be called very strong by Kass and
/// Raftery (1995).
const VERY_STRONG: f64 = 10.0;

/// All pairs are looked at if they are no more than this.
const MOST_PAIRS: usize = 1000;

/// All ways to work together are looked for if pairs times rows are no more than this. With more rows they show
/// in the terms that are found one by one.
const MOST_PAIRED_ROWS: u64 = 20_000_000;

/// Two columns belong together if a table of both explains the target better by this much (twice the logarithm of the
/// likelihood) than none does, and by this much for every row, …
const TOGETHER: f64 = 50.0;
const TOGETHER_A_ROW: f64 = 0.025;

/// … and neither alone brings more than this share of that.
const ALONE: f64 = 0.1;

/// The search over terms by tables.
pub(super) struct Together<'a> {
    pub context: &'a Context<'a>,
    pub tables: &'a Tables<'a>,
    pub additive: &'a Additive<'a>,
    /// The columns that terms may be made of.
    pub offered: &'a [u32],
}

impl Together<'_> {
    /// Whether it is little work to search by tables in any case.
    pub fn is_small(&self) -> bool {
        let pairs = self.count_of_pairs();
        pairs <= MOST_PAIRS && pairs as u64 * self.context.counter.rows().total() <= MOST_PAIRED_ROWS
    }

    fn count_of_pairs(&self) -> usize {
        self.offered.len() * self.offered.len().saturating_sub(1) / 2
    }

    /// Whether a table of some terms clearly explains the target better than others do one by one: by its likelihood
    /// before the risks are known, against that of the logistic model as Schwarz (1978) approximates it.
    pub fn is_better(&self, table: &[Candidate], one_by_one: &[Candidate]) -> bool {
        let rows = self.context.counter.rows().total() as f64;
        let additive = self.additive.value(one_by_one) - (one_by_one.len() + 1) as f64 * rows.ln();
        table.len() <= MOST_TERMS && self.tables.value(table) > additive + VERY_STRONG
    }

    /// Whether a table of some terms overturns others that were found one by one: it explains the target clearly better, and
    /// not by adding single columns to them.
    pub fn overturns(&self, table: &[Candidate], one_by_one: &[Candidate]) -> bool {
        let adds = |term: &Candidate| term.level() == 1 || one_by_one.contains(term);
        let extends = one_by_one.iter().all(|term| table.contains(term)) && table.iter().all(adds);
        !extends && self.is_better(table, one_by_one)
    }

    /// The terms that explain the target best, of those reached from several beginnings; none if stopped. Conjunctions
    /// of columns that belong together stay once they are found. If pairs are few, two columns may come at once, and in the
    /// end all pairs are promising.
    pub fn run(&self, like: &Rearrange<'_>, from: &[&[Candidate]]) -> Option<Vec<Candidate>> {
        let singles: FxHashSet<u32> = self.offered.iter().copied().collect();
        let prices = like.prices.of_choice_alone();
        let mut fixed = like.fixed.to_vec();
        let mut promising = like.promising.to_vec();
        let are_few = self.count_of_pairs() <= MOST_PAIRS;
        let pairs = if are_few { self.pairs_of(self.offered) } else { Vec::new() };
        let mut held_back = &pairs[..];
        loop {
            let search = Rearrange {
                measure: self.tables,
                watch: like.watch,
                prices: &prices,
                promising: &promising,
                singles: &singles,
                twos: &pairs,
                fixed: &fixed,
            };
            let terms = best(&search, from)?;
            let bound = self.bound(&terms[fixed.len()..]);
            if !bound.is_empty() {
                fixed.extend(bound);
            } else if !held_back.is_empty() {
                promising.extend_from_slice(std::mem::take(&mut held_back));
                promising.sort_unstable();
                promising.dedup();
            } else {
                let terms = self.significant(terms, like.fixed.len());
                let unbound = Rearrange { fixed: like.fixed, ..search };
                return Some(unbound.unless_by_chance(terms, self.context.settings.alpha));
            }
        }
    }

    /// The terms without those that are not significant in the strata of all others, the weakest taken out first; the
    /// first ones stay.
    fn significant(&self, mut terms: Vec<Candidate>, stay: usize) -> Vec<Candidate> {
        loop {
            let beside = beside(self.context, &terms);
            let free = (stay..terms.len()).map(|place| (place, beside[place].p_value));
            match free.max_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((place, p_value)) if p_value > self.context.settings.alpha => {
                    terms.remove(place);
                }
                _ => return terms,
            }
        }
    }

    /// All pairs of these columns that are of different attributes.
    fn pairs_of(&self, columns: &[u32]) -> Vec<Candidate> {
        let attribute = |column: u32| self.context.columns[column as usize].attribute;
        let mut pairs = Vec::new();
        for (i, &x) in columns.iter().enumerate() {
            let others = columns[..i].iter().filter(|&&y| attribute(x) != attribute(y));
            pairs.extend(others.map(|&y| Candidate::new(vec![x, y])));
        }
        pairs
    }

    /// The conjunctions of two columns of these terms that belong together, the clearest first, none of which share a
    /// column.
    fn bound(&self, terms: &[Candidate]) -> Vec<Candidate> {
        let columns: FxHashSet<u32> = terms.iter().flat_map(|term| term.columns()).copied().collect();
        let mut columns: Vec<u32> = columns.into_iter().collect();
        columns.sort_unstable();
        let nothing = self.tables.value(&[]);
        let told = |columns: &[u32]| {
            let terms: Vec<Candidate> = columns.iter().copied().map(Candidate::single).collect();
            self.tables.value(&terms) - nothing
        };
        let least = TOGETHER.max(TOGETHER_A_ROW * self.context.counter.rows().total() as f64);
        let mut found: Vec<(f64, Candidate)> = Vec::new();
        for pair in self.pairs_of(&columns) {
            let together = told(pair.columns());
            let alone = pair.columns().iter().map(|&column| told(&[column])).fold(0.0, f64::max);
            if together > least && alone <= ALONE * together {
                found.push((together - alone, pair));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut bound: Vec<Candidate> = Vec::new();
        for (_, pair) in found {
            if bound.iter().all(|other| !other.overlaps(&pair)) {
                bound.push(pair);
            }
        }
        bound
    }
}

/// The best terms that are reached from several beginnings and from nothing, of equal ones the first; none if stopped.
fn best(search: &Rearrange<'_>, from: &[&[Candidate]]) -> Option<Vec<Candidate>> {
    let mut best: Option<(f64, Vec<Candidate>)> = None;
    for from in from.iter().copied().chain([&[][..]]) {
        let terms = search.run(from)?;
        let reached = search.value(&terms);
        if best.as_ref().is_none_or(|(value, _)| reached > value + LEAST_GAIN) {
            best = Some((reached, terms));
        }
    }
    best.map(|(_, terms)| terms)
}

/// What each term tells in the strata of all others.
pub(super) fn beside(context: &Context<'_>, terms: &[Candidate]) -> Vec<Tested> {
    let one = |term: &Candidate| {
        let others: Vec<Candidate> = terms.iter().filter(|other| *other != term).cloned().collect();
        let found = Mutex::new(Tested::new(0.0, 1));
        context.counter.configurations(&others, std::slice::from_ref(term), &|_, configurations, with| {
            *lock(&found) = tested(with, configurations.counts());
        });
        into_inner(found)
    };
    terms.iter().map(one).collect()
}

/// The association of a candidate with the target in strata, in which it holds `with` rows of `all`: the sum of the
/// squared differences between the cases with it and those expected, each by its hypergeometric variance.
pub(super) fn tested(with: &[Count], all: &[Count]) -> Tested {
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
    Tested::new(sum, df.max(1))
}
