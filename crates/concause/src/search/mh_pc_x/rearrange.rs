//! A local search over the terms of a model: columns move from term to term as long as that explains the target
//! better.
//!
//! What is maximised is the value of the terms less their price, which is one for a term and one for each of its
//! columns. Taking the best pair first goes wrong where several conjunctions compete for the same columns; moving one
//! column at a time puts that right.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::LEAST_GAIN;
use super::measure::{Measure, Move};
use super::prices::Prices;
use crate::dataset::Candidate;
use crate::search::watch::Watch;

const MOST_ROUNDS: usize = 60;

/// A move that lost more than this when it was last looked at is not looked at again.
const HOPELESS: f64 = -20.0;

pub(super) struct Rearrange<'a> {
    pub measure: &'a dyn Measure,
    pub watch: &'a dyn Watch,
    pub prices: &'a Prices,
    /// The conjunctions that may become terms.
    pub promising: &'a [Candidate],
    /// Single columns that may become terms.
    pub singles: &'a FxHashSet<u32>,
    /// Pairs of them that may become two terms at once.
    pub twos: &'a [Candidate],
    /// Terms that stay.
    pub fixed: &'a [Candidate],
}

impl Rearrange<'_> {
    /// The terms, the fixed ones first, after all changes that gain something, beginning with these; none if stopped.
    pub fn run(&self, from: &[Candidate]) -> Option<Vec<Candidate>> {
        let free = from.iter().filter(|term| self.fixed.iter().all(|fixed| !fixed.overlaps(term)));
        let mut terms: Vec<Candidate> = self.fixed.iter().chain(free).cloned().collect();
        let joins = Joins::new(self.promising);
        let mut hopeless: FxHashSet<Move> = FxHashSet::default();
        for _ in 0..MOST_ROUNDS {
            if self.watch.stopped() {
                return None;
            }
            let mut moves = self.moves(&terms, &joins);
            moves.retain(|it| !hopeless.contains(it));
            let Some(next) = self.best(&terms, &moves, &mut hopeless) else { break };
            terms = next;
        }
        (!self.watch.stopped()).then_some(terms)
    }

    /// The terms after the best move and others that touch neither its terms nor its columns; none if nothing is
    /// gained.
    fn best(
        &self,
        terms: &[Candidate],
        moves: &[Move],
        hopeless: &mut FxHashSet<Move>,
    ) -> Option<Vec<Candidate>> {
        let savings: Vec<f64> =
            moves.iter().map(|it| self.prices.of(&it.gone) - self.prices.of(&it.new)).collect();
        let gains = self.measure.gains(terms, moves, &savings);
        let lost = moves.iter().zip(&gains).filter(|(_, gain)| **gain < HOPELESS);
        hopeless.extend(lost.map(|(it, _)| it.clone()));
        let mut gaining: Vec<usize> = (0..moves.len()).filter(|&it| gains[it] > LEAST_GAIN).collect();
        gaining.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]).then(a.cmp(&b)));
        let mut taken: Vec<&Move> = Vec::new();
        for it in gaining.into_iter().map(|it| &moves[it]) {
            let apart = |other: &&Move| {
                it.gone.iter().all(|gone| !other.gone.contains(gone))
                    && it.new.iter().all(|new| other.new.iter().all(|other| !other.overlaps(new)))
            };
            if taken.iter().all(apart) {
                taken.push(it);
            }
        }
        let before = self.value(terms);
        // Together they may be less than the best alone, which is less only by a wrong guess.
        [&taken[..], &taken[..taken.len().min(1)]]
            .into_iter()
            .filter(|taken| !taken.is_empty())
            .map(|taken| Move::apply(taken, terms))
            .find(|next| self.value(next) > before + LEAST_GAIN)
    }

    /// The terms, or only the fixed ones if the others all together gain no more than chance does with probability
    /// alpha where there is nothing to find.
    pub fn unless_by_chance(&self, terms: Vec<Candidate>, alpha: f64) -> Vec<Candidate> {
        let gain = self.value(&terms) - self.value(self.fixed);
        if gain > by_chance(alpha) { terms } else { self.fixed.to_vec() }
    }

    /// What is maximised.
    pub fn value(&self, terms: &[Candidate]) -> f64 {
        self.measure.value(terms) - self.prices.of(terms)
    }

    /// All ways to move one column.
    fn moves(&self, terms: &[Candidate], joins: &Joins<'_>) -> Vec<Move> {
        let fixed = self.fixed.len();
        let mut moves = BTreeSet::new();
        let is_fine = |it: &Candidate| match it.columns() {
            [column] => !terms.contains(it) && self.singles.contains(column),
            _ => !terms.contains(it) && joins.promising.contains(it),
        };
        let mut add = |gone: Vec<usize>, new: Vec<Candidate>| {
            let stays = |term: &Candidate| new.contains(term);
            let mut gone: Vec<Candidate> = gone.into_iter().map(|place| terms[place].clone()).collect();
            let kept: Vec<Candidate> = gone.iter().filter(|term| stays(term)).cloned().collect();
            gone.retain(|term| !kept.contains(term));
            let mut new: Vec<Candidate> = new.into_iter().filter(|it| !kept.contains(it)).collect();
            new.sort_unstable();
            new.dedup();
            if new.iter().all(is_fine) {
                moves.insert(Move { gone, new });
            }
        };
        let single = |column: u32| Candidate::single(column);
        for (i, t) in terms.iter().enumerate().skip(fixed) {
            // It takes in a column from outside, or exchanges one for it.
            for column in joins.near(t) {
                if terms.iter().any(|term| term.columns().contains(&column)) {
                    continue;
                }
                add(vec![i], vec![t.join(&single(column))]);
                for &old in t.columns() {
                    add(vec![i], vec![t.without(&single(old)).join(&single(column))]);
                }
            }
            // It loses a column, which may stay as a term of its own.
            if t.level() > 1 {
                for &old in t.columns() {
                    let rest = t.without(&single(old));
                    add(vec![i], vec![rest.clone()]);
                    add(vec![i], vec![rest, single(old)]);
                }
            }
            add(vec![i], vec![]);
            for (j, u) in terms.iter().enumerate().skip(fixed).filter(|&(j, _)| j != i) {
                // It takes in another term, or a column of it.
                add(vec![i.min(j), i.max(j)], vec![t.join(u)]);
                for &theirs in u.columns() {
                    let left = u.without(&single(theirs));
                    if left.level() > 0 {
                        add(vec![i.min(j), i.max(j)], vec![t.join(&single(theirs)), left.clone()]);
                    }
                    for &ours in t.columns() {
                        let mine = t.without(&single(ours)).join(&single(theirs));
                        add(vec![i.min(j), i.max(j)], vec![mine.clone(), left.join(&single(ours))]);
                        if left.level() > 0 {
                            add(vec![i.min(j), i.max(j)], vec![mine, left.clone()]);
                        } else {
                            add(vec![i.min(j), i.max(j)], vec![mine]);
                        }
                    }
                }
            }
        }
        // A conjunction, a column or two, none of whose columns is in a term yet.
        let outside = |it: &Candidate| terms.iter().all(|term| !term.overlaps(it));
        let twos = self.twos.iter().filter(|it| outside(it));
        let twos = twos.map(|it| it.columns().iter().map(|&column| single(column)).collect());
        let mut fresh: Vec<Candidate> = self.promising.iter().filter(|it| outside(it)).cloned().collect();
        fresh.extend(self.singles.iter().map(|&column| single(column)).filter(outside));
        fresh.sort_unstable();
        let fresh = fresh.into_iter().map(|it| vec![it]).chain(twos);
        moves.into_iter().chain(fresh.map(|new| Move { gone: Vec::new(), new })).collect()
    }

    /// All moves from these terms.
    #[cfg(test)]
    pub fn all_moves(&self, terms: &[Candidate]) -> Vec<Move> {
        self.moves(terms, &Joins::new(self.promising))
    }
}

/// The ways in which chance may gain: by a column, by a conjunction, by several of them.
const WAYS_OF_CHANCE: f64 = 3.0;

/// The best column of noise gains its price every other time, and then e^(−x/2) of the times x more: the tail of the
/// chi-square distribution.
fn by_chance(alpha: f64) -> f64 {
    (2.0 * (WAYS_OF_CHANCE * 0.5 / alpha).ln()).max(0.0)
}

/// What columns may be joined to.
struct Joins<'a> {
    promising: FxHashSet<&'a Candidate>,
    /// The columns that make a promising conjunction with each column.
    partners: FxHashMap<u32, BTreeSet<u32>>,
}

impl<'a> Joins<'a> {
    fn new(promising: &'a [Candidate]) -> Self {
        let mut partners: FxHashMap<u32, BTreeSet<u32>> = FxHashMap::default();
        for candidate in promising {
            for &column in candidate.columns() {
                let others = candidate.columns().iter().copied().filter(|&other| other != column);
                partners.entry(column).or_default().extend(others);
            }
        }
        Self { promising: promising.iter().collect(), partners }
    }

    /// The columns that make a promising conjunction with one of a term's.
    fn near(&self, term: &Candidate) -> BTreeSet<u32> {
        term.columns().iter().filter_map(|column| self.partners.get(column)).flatten().copied().collect()
    }
}
