//! The neighbours of a model: at most two terms are removed and at most two are added.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::space::ModelSpace;
use crate::count::{Configurations, Count, into_inner, lock};
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::logistic::Groups;
use crate::model::regression::TermScore;
use crate::model::{Regression, Scale};

/// A term may take the place of another one if they share a column, or if the square of their correlation is at least
/// this.
const LEAST_CORRELATION: f64 = 0.05;

/// The largest number of terms of a model.
const MOST_TERMS: usize = 120;

/// A step to a neighbour: the places of the removed terms in the model, and of the added ones among the candidates. Two
/// added terms are the parts of the removed one.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub removed: Vec<usize>,
    pub added: Vec<usize>,
}

/// A fitted model, and the counts of candidate terms in each configuration of its terms.
pub(super) struct Expansion<'a> {
    space: &'a ModelSpace<'a>,
    pub scale: Scale,
    terms: Vec<Candidate>,
    pub configurations: Configurations,
    groups: Groups,
    pub regression: Option<Regression>,
    candidates: Vec<Candidate>,
    counts: Vec<Vec<Count>>,
    ln_prior: f64,
}

impl<'a> Expansion<'a> {
    pub fn new(
        space: &'a ModelSpace<'a>,
        scale: Scale,
        terms: Vec<Candidate>,
        candidates: Vec<Candidate>,
    ) -> Result<Self, Error> {
        let counts: Vec<Mutex<Vec<Count>>> = candidates.iter().map(|_| Mutex::default()).collect();
        let configurations =
            space.context.counter().configurations(&terms, &candidates, &|number, _, with| {
                *lock(&counts[number]) = with.to_vec();
            })?;
        let counts = counts.into_iter().map(into_inner).collect();
        let groups = Groups::from(&configurations);
        let regression = match scale {
            Scale::Table => None,
            _ => Regression::fit(scale, &groups, terms.len(), None),
        };
        let ln_prior = space.ln_prior(scale, terms.iter());
        Ok(Self { space, ln_prior, scale, terms, configurations, groups, regression, candidates, counts })
    }

    /// The log posterior of the model, up to a constant.
    pub fn score(&self) -> f64 {
        self.ln_prior + self.ln_marginal()
    }

    fn ln_marginal(&self) -> f64 {
        match (&self.regression, self.scale) {
            (Some(regression), _) => regression.ln_marginal,
            (None, Scale::Table) => self.space.table.ln_marginal_likelihood(self.configurations.counts()),
            (None, _) => f64::NEG_INFINITY,
        }
    }

    /// The change of the log prior by a step.
    fn prior_gain(&self, step: &Step) -> f64 {
        let stays = |place: &usize| !step.removed.contains(place);
        let kept = (0..self.terms.len()).filter(stays).map(|place| &self.terms[place]);
        let added = step.added.iter().map(|&place| &self.candidates[place]);
        self.space.ln_prior(self.scale, kept.chain(added)) - self.ln_prior
    }

    /// All steps with their predicted scores. The first `fixed` terms stay.
    pub fn predict_steps(&self, fixed: usize) -> Vec<(f64, Step)> {
        let additions: Vec<Option<TermScore>> =
            self.counts.iter().map(|counts| self.addition(counts)).collect();
        let own = self.score();
        let mut found = Vec::new();
        let mut consider = |removed: Vec<usize>, added: Vec<usize>| {
            let step = Step { removed, added };
            let gain = match &self.regression {
                None => self.score_step(&step) - own,
                Some(regression) => {
                    let new: Option<Vec<&TermScore>> =
                        step.added.iter().map(|&place| additions[place].as_ref()).collect();
                    let Some(new) = new else { return };
                    let overlap = match step.added[..] {
                        [one, two] => self.overlap(regression, step.removed[0], [one, two]),
                        _ => 0.0,
                    };
                    regression.predict_gain(&step.removed, &new, overlap) + self.prior_gain(&step)
                }
            };
            if gain.is_finite() {
                found.push((own + gain, step));
            }
        };
        for place in fixed..self.terms.len() {
            consider(vec![place], vec![]);
        }
        let can_grow = self.terms.len() < MOST_TERMS;
        for (new, candidate) in self.candidates.iter().enumerate() {
            if can_grow {
                consider(vec![], vec![new]);
            }
            let related: Vec<usize> = (fixed..self.terms.len())
                .filter(|&place| {
                    self.shares_column(&self.terms[place], candidate) || self.is_correlated(place, new)
                })
                .collect();
            for (number, &place) in related.iter().enumerate() {
                consider(vec![place], vec![new]);
                for &other in &related[..number] {
                    consider(vec![other, place], vec![new]);
                }
            }
        }
        let place = |term: Candidate| {
            let term = self.space.canonical(term, self.scale);
            self.candidates.binary_search(&term).ok()
        };
        for (number, term) in self.terms.iter().enumerate().skip(fixed) {
            for (part, rest) in term.splits() {
                if let (Some(part), Some(rest)) = (place(part), place(rest)) {
                    consider(vec![number], vec![part, rest]);
                }
            }
        }
        found
    }

    fn addition(&self, counts: &[Count]) -> Option<TermScore> {
        let regression = self.regression.as_ref()?;
        let counts = counts.iter().map(|count| (count.positive as f64, count.negative as f64));
        Some(regression.addition(&self.groups, counts))
    }

    fn shares_column(&self, one: &Candidate, two: &Candidate) -> bool {
        let column = |&literal: &u32| self.space.column(literal);
        one.columns().iter().any(|literal| two.columns().iter().any(|other| column(other) == column(literal)))
    }

    /// Whether a candidate is correlated with a term of the model.
    fn is_correlated(&self, term: usize, candidate: usize) -> bool {
        let (mut both, mut with_term, mut with_candidate, mut all) = (0.0, 0.0, 0.0, 0.0);
        for (place, (rows, held)) in
            self.configurations.counts().iter().zip(&self.counts[candidate]).enumerate()
        {
            let (rows, held) = (rows.total() as f64, held.total() as f64);
            all += rows;
            with_candidate += held;
            if self.configurations.holds(place, term) {
                with_term += rows;
                both += held;
            }
        }
        let covariance = both * all - with_term * with_candidate;
        let variances = with_term * (all - with_term) * with_candidate * (all - with_candidate);
        covariance * covariance > LEAST_CORRELATION * variances
    }

    /// The information shared by two candidates, the parts of a term of the model.
    fn overlap(&self, regression: &Regression, term: usize, parts: [usize; 2]) -> f64 {
        let classes = regression.classes().iter().enumerate();
        classes
            .map(|(place, [case, control])| {
                let both = self.split_cells(place, term, parts)[3];
                both.positive as f64 * case.curvature + both.negative as f64 * control.curvature
            })
            .sum()
    }

    /// The rows of a configuration by the values of two candidates, the parts of a term of the model: the first part is
    /// bit 0. A part may be the negation of a literal of the term.
    fn split_cells(&self, place: usize, term: usize, parts: [usize; 2]) -> [Count; 4] {
        let all = self.configurations.counts()[place];
        let is_flipped =
            parts.map(|part| !self.terms[term].columns().contains(&self.candidates[part].columns()[0]));
        let mut cells = [Count::default(); 4];
        let flips = usize::from(is_flipped[0]) | usize::from(is_flipped[1]) << 1;
        if self.configurations.holds(place, term) {
            cells[3 ^ flips] = all;
            return cells;
        }
        // In the signs of the term, both parts never hold here.
        let held = |number: usize| {
            let count = self.counts[parts[number]][place];
            if is_flipped[number] { all - count } else { count }
        };
        cells[1 ^ flips] = held(0);
        cells[2 ^ flips] = held(1);
        cells[flips] = all - held(0) - held(1);
        cells
    }

    /// The log posterior of the model after a step.
    pub fn score_step(&self, step: &Step) -> f64 {
        let cells = self.cells(step);
        let ln_marginal = match &self.regression {
            None => {
                let counts: Vec<Count> = cells.iter().map(|&(_, count)| count).collect();
                self.space.table.ln_marginal_likelihood(&counts)
            }
            Some(regression) => {
                let kept: Vec<usize> =
                    (0..self.terms.len()).filter(|place| !step.removed.contains(place)).collect();
                let mut groups = Groups::default();
                for (key, count) in &cells {
                    let old = (0..kept.len()).filter(|&place| key >> kept[place] & 1 == 1);
                    let new = (0..step.added.len()).filter(|&new| key >> (self.terms.len() + new) & 1 == 1);
                    let terms = old.chain(new.map(|new| kept.len() + new));
                    groups.push(terms, count.positive as f64, count.total() as f64);
                }
                let coefficients = &regression.coefficients;
                let start: Vec<f64> = std::iter::once(coefficients[0])
                    .chain(kept.iter().map(|&place| coefficients[place + 1]))
                    .chain(step.added.iter().map(|_| 0.0))
                    .collect();
                let terms = kept.len() + step.added.len();
                Regression::fit(self.scale, &groups, terms, Some(&start))
                    .map_or(f64::NEG_INFINITY, |found| found.ln_marginal)
            }
        };
        self.ln_prior + self.prior_gain(step) + ln_marginal
    }

    /// The configurations after a step: a key with a bit for each term of the model that stays and for each added one,
    /// and the counts.
    fn cells(&self, step: &Step) -> Vec<(u128, Count)> {
        let removed: u128 = step.removed.iter().fold(0, |bits, &place| bits | 1 << place);
        let terms = self.terms.len();
        let new = |number: usize| 1u128 << (terms + number);
        let mut cells: Vec<(u128, Count)> = Vec::with_capacity(2 * self.configurations.len());
        for (place, &all) in self.configurations.counts().iter().enumerate() {
            let key = self.key(place) & !removed;
            let mut push = |key: u128, count: Count| {
                if count.total() > 0 {
                    cells.push((key, count));
                }
            };
            match step.added[..] {
                [one] => {
                    let held = self.counts[one][place];
                    push(key, all - held);
                    push(key | new(0), held);
                }
                [one, two] => {
                    let counts = self.split_cells(place, step.removed[0], [one, two]);
                    let keys = [key, key | new(0), key | new(1), key | new(0) | new(1)];
                    keys.into_iter().zip(counts).for_each(|(key, count)| push(key, count));
                }
                _ => push(key, all),
            }
        }
        if removed == 0 { cells } else { merge(cells) }
    }

    fn key(&self, configuration: usize) -> u128 {
        let words = self.configurations.key(configuration).iter().enumerate();
        words.fold(0, |key, (place, &word)| key | u128::from(word) << (64 * place))
    }
}

/// Adds the counts of equal keys.
fn merge(cells: Vec<(u128, Count)>) -> Vec<(u128, Count)> {
    let mut places: FxHashMap<u128, usize> = FxHashMap::default();
    let mut merged: Vec<(u128, Count)> = Vec::new();
    for (key, count) in cells {
        match places.get(&key) {
            Some(&place) => merged[place].1 = merged[place].1 + count,
            None => {
                places.insert(key, merged.len());
                merged.push((key, count));
            }
        }
    }
    merged
}
