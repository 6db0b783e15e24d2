//! A local search over the terms of a model: columns move from term to term as long as that explains the target
//! better.
//!
//! What is maximised is 2 ll − a · terms − b · columns, with ll the log-likelihood of the logistic model on the
//! terms. Taking the best pair first goes wrong where several conjunctions compete for the same columns; moving one
//! column at a time puts that right.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::groups;
use super::logistic::{Groups, Model};
use crate::count::{Configurations, Count, into_inner, lock};
use crate::dataset::Candidate;
use crate::search::context::Context;

/// Newton steps of a first guess.
const GUESS: usize = 3;

/// What a change must gain at least, so that rounding cannot lead in circles.
const LEAST_GAIN: f64 = 0.01;

const MOST_ROUNDS: usize = 60;

/// A move that lost more than this when it was last looked at is not looked at again.
const HOPELESS: f64 = -20.0;

/// Some terms in the place of others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Move {
    gone: Vec<Candidate>,
    new: Vec<Candidate>,
}

pub(super) struct Rearrange<'a> {
    pub context: &'a Context<'a>,
    /// The conjunctions that may become terms.
    pub promising: &'a FxHashMap<Candidate, Count>,
    /// Single columns that may become terms.
    pub columns: &'a [u32],
    /// Columns and conjunctions that were chosen by a test that allows for their number.
    pub chosen: &'a FxHashSet<Candidate>,
    pub per_term: f64,
    pub per_column: f64,
}

impl Rearrange<'_> {
    /// The terms after all changes that gain something; none if stopped.
    pub fn run(&self, mut terms: Vec<Candidate>) -> Option<Vec<Candidate>> {
        let mut hopeless: FxHashSet<Move> = FxHashSet::default();
        for _ in 0..MOST_ROUNDS {
            if self.context.watch.stopped() {
                return None;
            }
            let mut moves = self.moves(&terms);
            moves.retain(|it| !hopeless.contains(it));
            let mut gains = self.gains(&terms, &moves);
            let lost = gains.iter().filter(|(gain, _)| *gain < HOPELESS);
            hopeless.extend(lost.map(|(_, number)| moves[*number].clone()));
            gains.retain(|(gain, _)| *gain > LEAST_GAIN);
            gains.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            // The best, and others that touch neither its terms nor its columns.
            let mut taken: Vec<&Move> = Vec::new();
            for (_, number) in &gains {
                let it = &moves[*number];
                let apart = |other: &&Move| {
                    it.gone.iter().all(|gone| !other.gone.contains(gone))
                        && it.new.iter().all(|new| other.new.iter().all(|other| !other.overlaps(new)))
                };
                if taken.iter().all(apart) {
                    taken.push(it);
                }
            }
            if taken.is_empty() {
                break;
            }
            let before = self.value(&terms);
            let mut next = apply(&terms, &taken);
            // Together they may be less than the best alone, which is less only by a wrong guess.
            if self.value(&next) <= before + LEAST_GAIN {
                next = apply(&terms, &taken[..1]);
                if self.value(&next) <= before + LEAST_GAIN {
                    break;
                }
            }
            terms = next;
        }
        (!self.context.watch.stopped()).then_some(terms)
    }

    fn cost(&self, terms: &[Candidate]) -> f64 {
        let term = |term: &Candidate| {
            let chosen = |column: &&u32| self.chosen.contains(&Candidate::single(**column));
            let all = term.level();
            let chosen =
                if self.chosen.contains(term) { all } else { term.columns().iter().filter(chosen).count() };
            let cheaper = (self.per_column - self.per_term).max(0.0);
            self.per_term + cheaper * chosen as f64 + self.per_column * (all - chosen) as f64
        };
        terms.iter().map(term).sum()
    }

    fn value(&self, terms: &[Candidate]) -> f64 {
        let configurations = self.context.counter.configurations(terms, &[], &|_, _, _| ());
        let model = Model::fit(&groups(&configurations), terms.len(), None);
        2.0 * model.log_likelihood - self.cost(terms)
    }

    /// All ways to move one column.
    fn moves(&self, terms: &[Candidate]) -> Vec<Move> {
        let mut moves = BTreeSet::new();
        let mut add = |gone: Vec<usize>, new: Vec<Candidate>| {
            let gone: Vec<Candidate> = gone.into_iter().map(|place| terms[place].clone()).collect();
            let is_fine =
                |it: &Candidate| !terms.contains(it) && (it.level() == 1 || self.promising.contains_key(it));
            let kept = |it: &Candidate| gone.contains(it);
            if new.iter().all(|it| it.level() > 0 && (is_fine(it) || kept(it))) {
                moves.insert(Move { gone, new });
            }
        };
        let single = |column: u32| Candidate::single(column);
        let partners: FxHashMap<u32, BTreeSet<u32>> = self.partners();
        let none = BTreeSet::new();
        for (i, t) in terms.iter().enumerate() {
            // It takes in a column from outside, or exchanges one for it.
            let near: BTreeSet<u32> = t
                .columns()
                .iter()
                .flat_map(|column| partners.get(column).unwrap_or(&none))
                .copied()
                .collect();
            for &column in &near {
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
            for (j, u) in terms.iter().enumerate().filter(|&(j, _)| j != i) {
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
        // A conjunction, or a column, none of whose columns is in a term yet.
        let outside = |it: &Candidate| terms.iter().all(|term| !term.overlaps(it));
        let mut fresh: Vec<Candidate> = self.promising.keys().filter(|it| outside(it)).cloned().collect();
        fresh.extend(self.columns.iter().map(|&column| single(column)).filter(outside));
        fresh.sort_unstable();
        moves
            .into_iter()
            .chain(fresh.into_iter().map(|it| Move { gone: Vec::new(), new: vec![it] }))
            .collect()
    }

    /// The columns that make a promising conjunction with each column.
    fn partners(&self) -> FxHashMap<u32, BTreeSet<u32>> {
        let mut partners: FxHashMap<u32, BTreeSet<u32>> = FxHashMap::default();
        for candidate in self.promising.keys() {
            for &column in candidate.columns() {
                let others = candidate.columns().iter().copied().filter(|&other| other != column);
                partners.entry(column).or_default().extend(others);
            }
        }
        partners
    }

    /// What each move gains, as far as can be seen from here.
    fn gains(&self, terms: &[Candidate], moves: &[Move]) -> Vec<(f64, usize)> {
        // Every new term, and every two of them together, is counted once.
        let mut further: BTreeSet<Candidate> = BTreeSet::new();
        for it in moves {
            further.extend(it.new.iter().cloned());
            if let [a, b] = &it.new[..] {
                further.insert(a.join(b));
            }
        }
        let further: Vec<Candidate> = further.into_iter().collect();
        let counts: Vec<Mutex<Vec<Count>>> = further.iter().map(|_| Mutex::default()).collect();
        let base: OnceLock<Model> = OnceLock::new();
        let configurations =
            self.context.counter.configurations(terms, &further, &|number, configurations, with| {
                base.get_or_init(|| Model::fit(&groups(configurations), terms.len(), None));
                *lock(&counts[number]) = with.to_vec();
            });
        let base =
            base.into_inner().unwrap_or_else(|| Model::fit(&groups(&configurations), terms.len(), None));
        let counts: Vec<Vec<Count>> = counts.into_iter().map(into_inner).collect();
        let with = |candidate: &Candidate| -> &[Count] {
            further.binary_search(candidate).map_or(&[], |place| &counts[place][..])
        };
        let cost = self.cost(terms);
        let base_groups = groups(&configurations);
        let gain = |it: &Move| {
            // Nothing is looked at any more once the search is to end.
            if self.context.watch.stopped() {
                return f64::NEG_INFINITY;
            }
            let state = Refined { terms, configurations: &configurations, base: &base, gone: &it.gone };
            if let (true, [one]) = (it.gone.is_empty(), &it.new[..]) {
                let held = with(one).iter().map(|count| (count.positive as f64, count.total() as f64));
                let after = apply(terms, &[it]);
                return base.score(&base_groups, held) - self.cost(&after) + cost;
            }
            let model = match &it.new[..] {
                [] => state.fit(&[]),
                [one] => state.fit(&[with(one)]),
                [one, two] => state.fit(&[with(one), with(two), with(&one.join(two))]),
                _ => return f64::NEG_INFINITY,
            };
            let after = apply(terms, &[it]);
            2.0 * (model - base.log_likelihood) - self.cost(&after) + cost
        };
        moves.par_iter().enumerate().map(|(number, it)| (gain(it), number)).collect()
    }
}

/// The terms after some moves.
fn apply(terms: &[Candidate], moves: &[&Move]) -> Vec<Candidate> {
    let mut after: Vec<Candidate> =
        terms.iter().filter(|term| moves.iter().all(|it| !it.gone.contains(term))).cloned().collect();
    for new in moves.iter().flat_map(|it| &it.new) {
        if !after.contains(new) {
            after.push(new.clone());
        }
    }
    after
}

/// A model on some of the terms and one or two more.
struct Refined<'a> {
    terms: &'a [Candidate],
    configurations: &'a Configurations,
    base: &'a Model,
    gone: &'a [Candidate],
}

impl Refined<'_> {
    /// The log-likelihood; `with` are the rows of each configuration in which the first new term, the second and both
    /// hold.
    fn fit(&self, with: &[&[Count]]) -> f64 {
        let mut number = Vec::with_capacity(self.terms.len());
        let mut start = vec![self.base.coefficients[0]];
        for term in 0..self.terms.len() {
            let stays = !self.gone.contains(&self.terms[term]);
            number.push(stays.then_some(start.len() - 1));
            if stays {
                start.push(self.base.coefficients[term + 1]);
            }
        }
        let kept = start.len() - 1;
        let new = match with.len() {
            0 => 0,
            1 => 1,
            _ => 2,
        };
        // The new terms begin with what the old ones had.
        let old: f64 = (0..self.terms.len())
            .filter(|&term| number[term].is_none())
            .map(|term| self.base.coefficients[term + 1])
            .sum();
        start.extend((0..new).map(|_| old / new as f64));
        let mut groups = Groups::default();
        for (place, &all) in self.configurations.counts().iter().enumerate() {
            let held = || self.configurations.held(place).filter_map(|term| number[term]);
            let mut push = |extra: &[usize], count: Count| {
                if count.total() > 0 {
                    let held = held().chain(extra.iter().map(|extra| kept + extra));
                    groups.push(held, count.positive as f64, count.total() as f64);
                }
            };
            match with {
                [] => push(&[], all),
                [one] => {
                    push(&[0], one[place]);
                    push(&[], all - one[place]);
                }
                [one, two, both] => {
                    push(&[0, 1], both[place]);
                    push(&[0], one[place] - both[place]);
                    push(&[1], two[place] - both[place]);
                    let either = one[place] + two[place] - both[place];
                    push(&[], all - either);
                }
                _ => {}
            }
        }
        Model::fit_steps(&groups, kept + new, Some(&start), GUESS).log_likelihood
    }
}
