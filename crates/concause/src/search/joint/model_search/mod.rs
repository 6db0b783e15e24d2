//! The search over models.
//!
//! Every model that is scored is kept. On each scale the search climbs from model to model: the neighbours of a model
//! are ranked by predicted score, and the best are fitted until one is better. Where predictions are accurate, several
//! steps are taken at once ([`Path`]). When no neighbour is better, a sweep over all candidate terms renews the pool of
//! terms, until a sweep brings nothing new: no single addition then improves the model. Finally all models in Occam's
//! window (Madigan and Raftery 1994) are expanded, best first, on all scales.

mod expand;
mod regroup;
mod table_climb;
mod window;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use expand::Goal;
use rustc_hash::{FxHashMap, FxHashSet};

use super::effort::{FURTHER_STEPS, HOPELESS, LAST_STEPS, LAST_STEPS_IF_RARE, WINDOW};
use super::neighbours::Expansion;
use super::path::Path;
use super::rule_table::RuleTable;
use super::space::ModelSpace;
use super::sweep::{SweptModel, Units};
use crate::count::RowWeights;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::Scale;
use crate::model::scale::Derivatives;

/// A model: a scale and the numbers of its terms, in ascending order; for tables also those of its rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Model {
    pub scale: Scale,
    pub terms: Box<[u32]>,
    pub rules: Box<[u32]>,
}

impl Model {
    fn regression(scale: Scale, mut terms: Vec<u32>) -> Self {
        terms.sort_unstable();
        terms.dedup();
        Model { scale, terms: terms.into(), rules: Box::default() }
    }
}

/// The models scored so far.
pub(super) struct ModelSearch<'a> {
    pub space: &'a ModelSpace<'a>,
    /// All terms of scored models and of the pool, by number.
    pub terms: Vec<Candidate>,
    numbers: FxHashMap<Candidate, u32>,
    /// The log posterior of each model, up to a constant.
    pub scores: FxHashMap<Model, f64>,
    /// The regressions that a climb found to be clearly below a score, with this score. It does not fit them again.
    low: FxHashMap<Model, f64>,
    /// The mode of each fitted regression, in the order of its terms.
    modes: FxHashMap<Model, Vec<f64>>,
    /// The models that no better neighbour was found for, with the present pool.
    climbed: FxHashSet<Model>,
    /// The models whose neighbours in the window were scored.
    expanded: FxHashSet<Model>,
    /// The terms that may be added to any model.
    pool: BTreeSet<u32>,
    /// The candidates with the best predictions in the last step of a climb.
    shortlist: Vec<u32>,
    /// The number of steps that a climb takes without a fit.
    stride: usize,
    /// The path that a climb follows, and the model from which it goes on.
    path: Option<(Model, Path<'a>)>,
    /// The replacements that are not tried again, as removed and added terms.
    rejected: FxHashSet<(Scale, Vec<u32>, Vec<u32>)>,
    /// The terms that may be added to the best model on a scale within the window.
    competing: BTreeSet<u32>,
    /// The models that were swept.
    swept: FxHashSet<Model>,
    /// The diagonals that the last sweep found, as long as they were not tried.
    diagonals: Vec<[Candidate; 2]>,
}

impl<'a> ModelSearch<'a> {
    pub fn new(space: &'a ModelSpace<'a>) -> Self {
        let mut search = Self {
            space,
            terms: Vec::new(),
            numbers: FxHashMap::default(),
            scores: FxHashMap::default(),
            low: FxHashMap::default(),
            modes: FxHashMap::default(),
            climbed: FxHashSet::default(),
            expanded: FxHashSet::default(),
            pool: BTreeSet::new(),
            shortlist: Vec::new(),
            stride: 1,
            path: None,
            rejected: FxHashSet::default(),
            competing: BTreeSet::new(),
            swept: FxHashSet::default(),
            diagonals: Vec::new(),
        };
        for term in &space.fixed {
            search.number(term);
        }
        search
    }

    /// The number of a term.
    pub fn number(&mut self, term: &Candidate) -> u32 {
        if let Some(&number) = self.numbers.get(term) {
            return number;
        }
        let number = self.terms.len() as u32;
        self.terms.push(term.clone());
        self.numbers.insert(term.clone(), number);
        number
    }

    fn numbers<'b>(&mut self, terms: impl IntoIterator<Item = &'b Candidate>) -> Vec<u32> {
        terms.into_iter().map(|term| self.number(term)).collect()
    }

    /// The terms of a model.
    pub fn terms_of(&self, model: &Model) -> Vec<Candidate> {
        model.terms.iter().map(|&term| self.terms[term as usize].clone()).collect()
    }

    /// The coefficients of a regression at its mode: the intercept, then those of its terms.
    pub fn mode(&self, model: &Model) -> Option<&[f64]> {
        self.modes.get(model).map(Vec::as_slice)
    }

    /// Climbs on every scale, then collects the models in the window.
    pub fn run(&mut self) -> Result<(), Error> {
        // The number of models that a climb scores is not known.
        self.space.context.progress.begin("searching for the best model: models scored", 0);
        let empty: Vec<u32> = (0..self.space.fixed.len() as u32).collect();
        for scale in Scale::REGRESSIONS {
            if scale.is_common() {
                self.score_model(&Model::regression(scale, empty.clone()))?;
                self.climb(scale)?;
            }
            if let Some((best, _)) = self.best(None) {
                let best = best.clone();
                self.change_scale(&best, scale)?;
            }
            self.climb(scale)?;
        }
        self.climb_tables()?;
        self.collect()
    }

    /// The best model, on one scale or on any.
    pub fn best(&self, scale: Option<Scale>) -> Option<(&Model, f64)> {
        self.scores
            .iter()
            .filter(|(model, _)| scale.is_none_or(|scale| model.scale == scale))
            .map(|(model, &score)| (model, score))
            .max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| Reverse(a.0).cmp(&Reverse(b.0))))
    }

    /// Whether a climb with these scores so far is too far below the best model: it would need more than `further`
    /// steps as large as the largest of the last ones.
    fn is_hopeless(&self, scores: &[f64], last: usize, further: usize) -> bool {
        let (Some(score), Some((_, best))) = (scores.last(), self.best(None)) else { return false };
        let Some(first) = scores.len().checked_sub(1 + last) else { return false };
        let gains = scores[first..].windows(2).map(|pair| pair[1] - pair[0]);
        best - score > gains.fold(0.0, f64::max) * further as f64
    }

    /// Whether a climb on a scale is hopeless. It may need as many more terms as the best model has, and some more.
    fn is_climb_hopeless(&self, scores: &[f64], terms: usize, is_common: bool) -> bool {
        let last = if is_common { LAST_STEPS } else { LAST_STEPS_IF_RARE };
        let most = self.best(None).map_or(0, |(best, _)| best.terms.len());
        self.is_hopeless(scores, last, most.saturating_sub(terms) + FURTHER_STEPS)
    }

    /// Whether a climb among tables is hopeless. Each term divides cells in two, and soon there are more cells than
    /// rows.
    fn is_table_hopeless(&self, scores: &[f64], table: &RuleTable) -> bool {
        let rows = self.space.context.counter().rows().total();
        let terms = table.tabled.len() + table.rules.len();
        self.is_hopeless(scores, LAST_STEPS_IF_RARE, (rows.max(1).ilog2() as usize).saturating_sub(terms))
    }

    fn check_stopped(&self) -> Result<(), Error> {
        if self.space.context.progress.stopped() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Moves to better neighbours of the best model on a scale, until there are none, a sweep finds no new terms, and
    /// no diagonal improves the model.
    fn climb(&mut self, scale: Scale) -> Result<(), Error> {
        if scale == Scale::Table {
            return Ok(());
        }
        let mut climb: Vec<f64> = Vec::new();
        self.stride = 1;
        self.path = None;
        self.diagonals.clear();
        loop {
            self.check_stopped()?;
            let Some((best, score)) = self.best(Some(scale)) else { return Ok(()) };
            if climb.last().is_none_or(|&last| score > last) {
                climb.push(score);
            }
            if self.is_climb_hopeless(&climb, best.terms.len(), scale.is_common()) {
                return Ok(());
            }
            let best = best.clone();
            if self.climbed.insert(best.clone()) {
                self.expand(&best, Goal::Exceed(score))?;
            } else if self.is_worth_a_sweep(scale, score) && self.swept.insert(best.clone()) {
                if self.sweep(&best)? {
                    // The pool has new terms for models that were expanded without them.
                    self.expanded.remove(&best);
                    self.climbed.remove(&best);
                }
            } else if self.diagonals.is_empty() || !self.swept.contains(&best) {
                return Ok(());
            } else {
                for diagonal in std::mem::take(&mut self.diagonals) {
                    self.replace(&best, &[], &diagonal)?;
                }
            }
        }
    }

    /// A sweep is made if the best model on the scale is near the best on any; on the rare scales, if it is in the
    /// window. The terms that improve it are mostly those that improved the models on other scales.
    fn is_worth_a_sweep(&self, scale: Scale, score: f64) -> bool {
        let most = if scale.is_common() { HOPELESS } else { WINDOW.ln() };
        self.best(None).is_none_or(|(_, best)| score >= best - most)
    }

    /// Renews the pool with the terms that would improve a model the most; whether there are new ones.
    fn sweep(&mut self, model: &Model) -> Result<bool, Error> {
        let terms = self.terms_of(model);
        let expansion = self.expansion(model, Vec::new())?;
        let Some(regression) = &expansion.regression else { return Ok(false) };
        let units = Units::new(&expansion.configurations, regression.classes());
        let weight = |classes: &[Derivatives; 2]| classes.map(|class| units.convert(class));
        let weights = RowWeights {
            terms: terms.clone(),
            weights: regression.classes().iter().map(weight).collect(),
            configurations: expansion.configurations.clone(),
        };
        let known = self.space.attributes_of(terms.iter());
        let total = weights.total();
        let scale = expansion.scale;
        let swept = SweptModel { terms: &terms, scale, regression, weights, total, units, known: &known };
        let found = swept.sweep(self.space)?;
        self.diagonals = found.diagonals;
        let mut is_new = false;
        for term in found.terms {
            let number = self.number(&term);
            is_new |= self.pool.insert(number);
        }
        Ok(is_new)
    }

    /// Scores one regression.
    fn score_model(&mut self, model: &Model) -> Result<(), Error> {
        if self.scores.contains_key(model) {
            return Ok(());
        }
        let expansion = self.expansion(model, Vec::new())?;
        self.insert(model.scale, &model.terms, expansion.score(), expansion.mode());
        Ok(())
    }

    /// Fits a regression, and finds what each candidate would add.
    pub fn expansion(&self, model: &Model, candidates: Vec<Candidate>) -> Result<Expansion<'a>, Error> {
        Expansion::new(self.space, model.scale, self.terms_of(model), candidates, self.mode(model))
    }

    /// Keeps a regression. Its coefficients are the intercept, then those of the terms as given.
    fn insert(&mut self, scale: Scale, terms: &[u32], score: f64, coefficients: &[f64]) {
        let model = Model::regression(scale, terms.to_vec());
        if let Some((intercept, slopes)) = coefficients.split_first() {
            let mut ordered: Vec<(u32, f64)> = terms.iter().copied().zip(slopes.iter().copied()).collect();
            ordered.sort_unstable_by_key(|(term, _)| *term);
            let slopes = ordered.into_iter().map(|(_, slope)| slope);
            self.modes.insert(model.clone(), std::iter::once(*intercept).chain(slopes).collect());
        }
        self.insert_score(model, score);
    }

    fn insert_score(&mut self, model: Model, score: f64) {
        if self.scores.insert(model, score).is_none() {
            self.space.context.progress.advance(1);
        }
    }

    /// Scores the terms of a regression on another scale.
    fn change_scale(&mut self, model: &Model, scale: Scale) -> Result<(), Error> {
        if model.scale == scale || model.scale == Scale::Table {
            return Ok(());
        }
        let terms = self.terms_of(model).into_iter().map(|term| self.space.canonical(term, scale));
        let mut terms: Vec<Candidate> = terms.collect();
        if !scale.is_signed() {
            terms = self.risk_raising(&terms, model)?;
        }
        let numbers = self.numbers(&terms);
        self.score_model(&Model::regression(scale, numbers))
    }

    /// The terms that raise the risk: single literals that lower it are negated, conjunctions that lower it left out.
    fn risk_raising(&self, terms: &[Candidate], model: &Model) -> Result<Vec<Candidate>, Error> {
        let fixed = self.space.fixed.len();
        let expansion = Expansion::new(self.space, model.scale, terms.to_vec(), Vec::new(), None)?;
        let Some(regression) = &expansion.regression else { return Ok(terms.to_vec()) };
        let raise = |(place, term): (usize, &Candidate)| match term.literals() {
            _ if place < fixed || regression.coefficients[place + 1] > 0.0 => Some(term.clone()),
            [literal] => Some(Candidate::single(literal.negate())),
            _ => None,
        };
        Ok(terms.iter().enumerate().filter_map(raise).collect())
    }
}
