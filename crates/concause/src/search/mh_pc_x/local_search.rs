//! A local search over sets of terms.
//!
//! The objective is the score of the terms ([`ModelScore`]: twice the maximised log-likelihood of a logistic model, or
//! twice the log marginal likelihood of a table) minus their [`Penalty`]. In each round, all moves are evaluated: a
//! column is added to a term, removed from it, swapped, or moved between terms, two terms are joined, or a term is
//! added, removed or split. The best move is made, with further gaining moves that share no terms and no columns with
//! it, until no move gains more than [`LEAST_GAIN`].
//!
//! Greedy selection of pairs fails where several conjunctions compete for the same columns; moving columns one at a
//! time corrects such choices.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::LEAST_GAIN;
use super::penalty::Penalty;
use super::score::{ModelScore, Move};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::progress::Progress;

/// The largest number of rounds of a search.
const MOST_ROUNDS: usize = 60;

/// A move whose gain is below this once is not evaluated in later rounds.
const HOPELESS_GAIN: f64 = -20.0;

/// The parameters of a local search.
pub(super) struct LocalSearch<'a> {
    pub score: &'a dyn ModelScore,
    pub progress: &'a dyn Progress,
    pub penalty: &'a Penalty,
    /// The conjunctions that may become terms.
    pub screened: &'a [Candidate],
    /// The single columns that may become terms.
    pub singles: &'a FxHashSet<u32>,
    /// Pairs of columns that one move may add as two terms.
    pub pair_moves: &'a [Candidate],
    /// Terms that are never changed.
    pub fixed: &'a [Candidate],
}

impl LocalSearch<'_> {
    /// The terms at the local maximum that the search reaches from the `start` terms; the fixed terms come first.
    pub fn run(&self, start: &[Candidate]) -> Result<Vec<Candidate>, Error> {
        let free = start.iter().filter(|term| self.fixed.iter().all(|fixed| !fixed.overlaps(term)));
        let mut terms: Vec<Candidate> = self.fixed.iter().chain(free).cloned().collect();
        let joins = Joins::new(self.screened);
        let mut hopeless: FxHashSet<Move> = FxHashSet::default();
        for _ in 0..MOST_ROUNDS {
            self.check_stopped()?;
            let mut moves = self.moves(&terms, &joins);
            moves.retain(|step| !hopeless.contains(step));
            let Some(next) = self.best_step(&terms, &moves, &mut hopeless)? else { break };
            terms = next;
        }
        self.check_stopped()?;
        Ok(terms)
    }

    fn check_stopped(&self) -> Result<(), Error> {
        if self.progress.stopped() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// The terms after the best move and further gaining moves that share no terms and no columns with it or one
    /// another; `None` at a local maximum.
    fn best_step(
        &self,
        terms: &[Candidate],
        moves: &[Move],
        hopeless: &mut FxHashSet<Move>,
    ) -> Result<Option<Vec<Candidate>>, Error> {
        let savings: Vec<f64> = moves
            .iter()
            .map(|step| self.penalty.total(&step.removed) - self.penalty.total(&step.added))
            .collect();
        let gains = self.score.gains(terms, moves, &savings)?;
        let lost = moves.iter().zip(&gains).filter(|(_, gain)| **gain < HOPELESS_GAIN);
        hopeless.extend(lost.map(|(step, _)| step.clone()));
        let mut gaining: Vec<usize> = (0..moves.len()).filter(|&number| gains[number] > LEAST_GAIN).collect();
        gaining.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]).then(a.cmp(&b)));
        let mut chosen: Vec<&Move> = Vec::new();
        for step in gaining.into_iter().map(|number| &moves[number]) {
            let is_disjoint = |other: &&Move| {
                step.removed.iter().all(|removed| !other.removed.contains(removed))
                    && step.added.iter().all(|added| other.added.iter().all(|other| !other.overlaps(added)))
            };
            if chosen.iter().all(is_disjoint) {
                chosen.push(step);
            }
        }
        let before = self.objective(terms)?;
        // All chosen moves together may gain less than the best one alone.
        for moves in [&chosen[..], &chosen[..chosen.len().min(1)]] {
            if !moves.is_empty() {
                let next = Move::apply(moves, terms);
                if self.objective(&next)? > before + LEAST_GAIN {
                    return Ok(Some(next));
                }
            }
        }
        Ok(None)
    }

    /// The terms, or only the fixed ones if the others together gain no more than [`gain_of_noise`] at alpha.
    pub fn drop_if_noise(&self, terms: Vec<Candidate>, alpha: f64) -> Result<Vec<Candidate>, Error> {
        let gain = self.objective(&terms)? - self.objective(self.fixed)?;
        Ok(if gain > gain_of_noise(alpha) { terms } else { self.fixed.to_vec() })
    }

    /// The objective: the score of the terms minus their penalty.
    pub fn objective(&self, terms: &[Candidate]) -> Result<f64, Error> {
        Ok(self.score.score(terms)? - self.penalty.total(terms))
    }

    /// All moves from these terms.
    fn moves(&self, terms: &[Candidate], joins: &Joins<'_>) -> Vec<Move> {
        let fixed = self.fixed.len();
        let mut moves = BTreeSet::new();
        let is_allowed = |term: &Candidate| match term.columns() {
            [column] => !terms.contains(term) && self.singles.contains(column),
            _ => !terms.contains(term) && joins.screened.contains(term),
        };
        let mut add = |removed: Vec<usize>, added: Vec<Candidate>| {
            let stays = |term: &Candidate| added.contains(term);
            let mut removed: Vec<Candidate> = removed.into_iter().map(|place| terms[place].clone()).collect();
            let kept: Vec<Candidate> = removed.iter().filter(|term| stays(term)).cloned().collect();
            removed.retain(|term| !kept.contains(term));
            let mut added: Vec<Candidate> = added.into_iter().filter(|term| !kept.contains(term)).collect();
            added.sort_unstable();
            added.dedup();
            if added.iter().all(is_allowed) {
                moves.insert(Move { removed, added });
            }
        };
        let single = |column: u32| Candidate::single(column);
        for (i, t) in terms.iter().enumerate().skip(fixed) {
            // Extend the term by a column that is in no term, or swap a column for it.
            for column in joins.partners(t) {
                if terms.iter().any(|term| term.columns().contains(&column)) {
                    continue;
                }
                add(vec![i], vec![t.join(&single(column))]);
                for &old in t.columns() {
                    add(vec![i], vec![t.without(&single(old)).join(&single(column))]);
                }
            }
            // Drop a column, which may become a term of its own.
            if t.level() > 1 {
                for &old in t.columns() {
                    let rest = t.without(&single(old));
                    add(vec![i], vec![rest.clone()]);
                    add(vec![i], vec![rest, single(old)]);
                }
            }
            add(vec![i], vec![]);
            for (j, u) in terms.iter().enumerate().skip(fixed).filter(|&(j, _)| j != i) {
                // Join two terms, or move or swap columns between them.
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
        // Add a conjunction, a column or two columns that share no column with any term.
        let is_outside = |candidate: &Candidate| terms.iter().all(|term| !term.overlaps(candidate));
        let pair_moves = self.pair_moves.iter().filter(|pair| is_outside(pair));
        let pair_moves = pair_moves.map(|pair| pair.columns().iter().map(|&column| single(column)).collect());
        let mut new_terms: Vec<Candidate> =
            self.screened.iter().filter(|candidate| is_outside(candidate)).cloned().collect();
        new_terms.extend(self.singles.iter().map(|&column| single(column)).filter(is_outside));
        new_terms.sort_unstable();
        let new_terms = new_terms.into_iter().map(|term| vec![term]).chain(pair_moves);
        moves.into_iter().chain(new_terms.map(|added| Move { removed: Vec::new(), added })).collect()
    }

    /// All moves from these terms, for tests.
    #[cfg(test)]
    pub fn all_moves(&self, terms: &[Candidate]) -> Vec<Move> {
        self.moves(terms, &Joins::new(self.screened))
    }
}

/// The number of ways in which noise may gain: by a column, by a conjunction, or by several of them.
const WAYS_OF_CHANCE: f64 = 3.0;

/// The gain that noise exceeds with probability alpha. The best noise column gains its penalty with probability ½, and
/// x more with probability ½ e^(−x/2), approximately the tail of the chi-square distribution. There are
/// [`WAYS_OF_CHANCE`] such chances.
fn gain_of_noise(alpha: f64) -> f64 {
    (2.0 * (WAYS_OF_CHANCE * 0.5 / alpha).ln()).max(0.0)
}

/// The conjunctions that may become terms, and the columns that they join.
struct Joins<'a> {
    screened: FxHashSet<&'a Candidate>,
    /// By column, the other columns of its screened conjunctions.
    partners: FxHashMap<u32, BTreeSet<u32>>,
}

impl<'a> Joins<'a> {
    fn new(screened: &'a [Candidate]) -> Self {
        let mut partners: FxHashMap<u32, BTreeSet<u32>> = FxHashMap::default();
        for candidate in screened {
            for &column in candidate.columns() {
                let others = candidate.columns().iter().copied().filter(|&other| other != column);
                partners.entry(column).or_default().extend(others);
            }
        }
        Self { screened: screened.iter().collect(), partners }
    }

    /// The partners of the columns of a term.
    fn partners(&self, term: &Candidate) -> BTreeSet<u32> {
        term.columns().iter().filter_map(|column| self.partners.get(column)).flatten().copied().collect()
    }
}
