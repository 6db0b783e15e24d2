//! The search over models.
//!
//! Every model that is scored is kept. On each scale the search climbs from model to model: the neighbours of a model
//! are ranked by predicted score, and the best are fitted until one is better. Where predictions are accurate, several
//! steps are taken at once ([`Path`]). When no neighbour is better, a sweep over all candidate terms renews the pool of
//! terms, until a sweep brings nothing new: no single addition then improves the model. Finally all models in Occam's
//! window (Madigan and Raftery 1994) are expanded, best first, on all scales.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::neighbours::{Expansion, FittedStep, PredictedStep, Step};
use super::path::Path;
use super::space::ModelSpace;
use super::sweep::{SweptModel, Units};
use super::tables::{RuleTable, score_table, table_candidates, table_neighbours};
use crate::count::RowWeights;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::Scale;
use crate::model::scale::Derivatives;

/// Models less likely than the best by this factor are left out (Madigan and Raftery 1994).
pub(super) const WINDOW: f64 = 20.0;

/// A replacement of several terms that makes a model worse by more than this is not tried again at other models, and a
/// candidate that is predicted to do so is not tried first.
const MUCH_WORSE: f64 = 5.0;

/// The effort after the best model was found: the number of models scored, each with the number of its groups of rows.
const MOST_GROUPS: usize = 2_000_000;
const LEAST_SCORED: usize = 20;
const MOST_SCORED: usize = 300;

/// A climb ends if it would need more steps like the best of its last ones than the best model has more terms, and this
/// many more, to become the best. On the rare scales it starts near the best model, and the last step decides.
const FURTHER_STEPS: usize = 10;
const LAST_STEPS: usize = 3;
const LAST_STEPS_IF_RARE: usize = 1;

/// A climb among tables is not abandoned, and looks two steps ahead, if it is below the best model by less than this.
/// Columns that matter only jointly gain little until the last of them is tabled.
const HOPELESS: f64 = 100.0;

/// Tables are not started from a model with more terms.
const MOST_TABLED: usize = 12;

/// The number of columns with which a table looks two steps ahead.
const AHEAD: usize = 20;

/// In the window, predictions are trusted less where fits take little time: half as much with this many groups of rows.
const FEW_GROUPS: f64 = 40.0;

/// The number of candidates that are tried first.
const SHORTLIST: usize = 60;

/// The number of neighbours fitted at a time.
const BATCH: usize = 2;

/// Several steps are taken at once if their gain is at most this share below the predicted one.
const LEAP_ERROR: f64 = 0.05;

/// The least gain of a step of a climb, a Bayes factor of about 1.3. The window has all models near the best one, and
/// large data have so many of them that a climb to the very best takes a fifth longer.
const LEAST_GAIN: f64 = 0.25;

/// Scores of tables that differ by less than this are equal.
const EQUAL: f64 = 1e-3;

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
    swept: FxHashSet<Model>,
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

    /// Climbs on every scale, then collects the models in the window.
    pub fn run(&mut self) -> Result<(), Error> {
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

    /// Moves to better neighbours of the best model on a scale, until there are none and a sweep finds no new terms.
    fn climb(&mut self, scale: Scale) -> Result<(), Error> {
        if scale == Scale::Table {
            return Ok(());
        }
        let mut climb: Vec<f64> = Vec::new();
        self.stride = 1;
        self.path = None;
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
            } else {
                return Ok(());
            }
        }
    }

    /// A sweep is made if the best model on the scale is near the best on any; on the rare scales, if it is in the
    /// window. The terms that improve it are mostly those that improved the models on other scales.
    fn is_worth_a_sweep(&self, scale: Scale, score: f64) -> bool {
        let most = if scale.is_common() { HOPELESS } else { WINDOW.ln() };
        self.best(None).is_none_or(|(_, best)| score >= best - most)
    }

    /// Expands the models in the window, best first.
    fn collect(&mut self) -> Result<(), Error> {
        let groups = self.groups_of_best()?.max(1);
        let limit = self.scores.len() + (MOST_GROUPS / groups).clamp(LEAST_SCORED, MOST_SCORED);
        let mut summit = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
        loop {
            self.check_stopped()?;
            let Some((best, best_score)) = self.best(None) else { return Ok(()) };
            if best_score > summit + LEAST_GAIN {
                let scale = best.scale;
                self.climb(scale)?;
                summit = self.best(None).map_or(best_score, |(_, score)| score);
            }
            let open = |(model, &score): (&Model, &f64)| {
                (!self.expanded.contains(model) && score >= best_score - WINDOW.ln())
                    .then(|| (score, Reverse(model.clone())))
            };
            let next =
                self.scores.iter().filter_map(open).max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((_, Reverse(model))) = next else { return Ok(()) };
            if self.scores.len() > limit {
                return Ok(());
            }
            self.expanded.insert(model.clone());
            if model.scale == Scale::Table {
                self.climbed.insert(model.clone());
                let table = self.table(&model);
                let neighbours = self.neighbours_of_table(&table)?;
                self.insert_tables(neighbours);
            } else {
                self.expand(&model, Goal::Window)?;
                for scale in Scale::REGRESSIONS {
                    let best = self.best(Some(scale)).map_or(f64::NEG_INFINITY, |(_, score)| score);
                    if best >= best_score - WINDOW.ln() {
                        self.change_scale(&model, scale)?;
                    }
                }
            }
        }
    }

    /// The number of groups of rows of the best model.
    fn groups_of_best(&self) -> Result<usize, Error> {
        let terms = self.best(None).map_or_else(Vec::new, |(best, _)| self.terms_of(best));
        Ok(self.space.context.counter().configurations_of(&terms)?.len())
    }

    fn table(&self, model: &Model) -> RuleTable {
        let term = |&number: &u32| self.terms[number as usize].clone();
        RuleTable {
            tabled: model.terms.iter().filter(|term| !model.rules.contains(term)).map(term).collect(),
            rules: model.rules.iter().map(term).collect(),
        }
    }

    fn neighbours_of_table(&self, table: &RuleTable) -> Result<Vec<(RuleTable, f64)>, Error> {
        let pool = self.pool.iter().map(|&number| self.terms[number as usize].clone());
        table_neighbours(self.space, table, &table_candidates(self.space, table, pool), f64::NEG_INFINITY)
    }

    fn insert_table(&mut self, table: &RuleTable, score: f64) {
        let rules = self.numbers(&table.rules);
        let terms = self.numbers(&table.tabled).into_iter().chain(rules.iter().copied()).collect();
        let mut model = Model::regression(Scale::Table, terms);
        model.rules = Model::regression(Scale::Table, rules).terms;
        self.scores.insert(model, score);
    }

    /// Keeps the tables in the window.
    fn insert_tables(&mut self, tables: Vec<(RuleTable, f64)>) {
        let best = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
        for (table, score) in tables {
            if score >= best - WINDOW.ln() {
                self.insert_table(&table, score);
            }
        }
    }

    /// The tables from which climbs start: no terms, the terms of the best regression on each common scale, and the
    /// columns of the best one.
    fn starting_tables(&self) -> BTreeSet<RuleTable> {
        let common = Scale::REGRESSIONS.into_iter().filter(|scale| scale.is_common());
        let best = common.filter_map(|scale| self.best(Some(scale))).chain(self.best(None));
        let mut starts: Vec<Vec<Candidate>> = best.map(|(model, _)| self.terms_of(model)).collect();
        if let Some(best) = starts.last_mut() {
            *best = best.iter().flat_map(Candidate::singles).collect();
        }
        starts.retain(|terms| terms.len() <= MOST_TABLED);
        starts.push(Vec::new());
        let table = |terms: Vec<Candidate>| {
            let free = terms.into_iter().map(|term| self.space.canonical(term, Scale::Table));
            RuleTable {
                tabled: self.space.fixed.iter().cloned().chain(free).collect(),
                ..RuleTable::default()
            }
        };
        starts.into_iter().map(table).collect()
    }

    /// Climbs among tables.
    fn climb_tables(&mut self) -> Result<(), Error> {
        for mut table in self.starting_tables() {
            let mut score = score_table(self.space, &table)?;
            let best = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
            let is_empty = table.tabled.len() == self.space.fixed.len();
            if !is_empty && score < best - HOPELESS {
                // More terms would divide the rows into even more cells.
                continue;
            }
            let mut climb = vec![score];
            loop {
                self.check_stopped()?;
                let best = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
                let is_near = score >= best - HOPELESS;
                if !is_near && self.is_table_hopeless(&climb, &table) {
                    break;
                }
                let neighbours = self.neighbours_of_table(&table)?;
                let mut next = neighbours.first().cloned();
                if next.as_ref().is_none_or(|next| next.1 <= score + EQUAL) {
                    next = if is_near { self.look_ahead(&table, score, &neighbours)? } else { None };
                }
                match next.filter(|next| next.1 > score + EQUAL) {
                    Some(next) => {
                        (table, score) = next;
                        climb.push(score);
                    }
                    None => {
                        self.insert_table(&table, score);
                        self.insert_tables(neighbours);
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The best table with two columns more, if it exceeds a score.
    fn look_ahead(
        &self,
        table: &RuleTable,
        score: f64,
        neighbours: &[(RuleTable, f64)],
    ) -> Result<Option<(RuleTable, f64)>, Error> {
        let singles: Vec<Candidate> =
            self.space.singles.iter().map(|&column| Candidate::single(column)).collect();
        let size = table.tabled.len();
        let has_one_more = |(next, _): &&(RuleTable, f64)| {
            let added = next.tabled.difference(&table.tabled).next();
            next.tabled.len() == size + 1
                && next.rules == table.rules
                && added.is_some_and(|term| term.level() == 1)
        };
        let mut best: Option<(RuleTable, f64)> = None;
        for (next, _) in neighbours.iter().filter(has_one_more).take(AHEAD) {
            let further: Vec<Candidate> =
                singles.iter().filter(|single| !next.tabled.contains(*single)).cloned().collect();
            let found = table_neighbours(self.space, next, &further, score)?.into_iter().next();
            best =
                best.into_iter().chain(found).max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
        }
        Ok(best)
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
        let mut is_new = false;
        for term in found {
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
        let start = self.modes.get(model).map(Vec::as_slice);
        Expansion::new(self.space, model.scale, self.terms_of(model), candidates, start)
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
        self.scores.insert(model, score);
    }

    /// Fits neighbours of a regression, in the order of their predicted scores, until the goal is reached. A climb
    /// tries the best candidates of the last step first.
    fn expand(&mut self, model: &Model, goal: Goal) -> Result<(), Error> {
        let is_best = self.best(Some(model.scale)).is_some_and(|(best, _)| best == model);
        if let Goal::Exceed(score) = goal {
            if let Some((from, path)) = self.path.take()
                && from == *model
                && self.follow(path, score)
            {
                return Ok(());
            }
            let shortlist = std::mem::take(&mut self.shortlist);
            let is_reached =
                !shortlist.is_empty() && self.expand_with(model, goal, Pool::Shortlist, &shortlist)?;
            if is_reached {
                self.shortlist = shortlist;
                return Ok(());
            }
        }
        let (kind, pool) = match goal {
            Goal::Window if !is_best => (Pool::Competing, &self.competing),
            _ => (Pool::All, &self.pool),
        };
        let pool: Vec<u32> = pool.iter().copied().collect();
        let is_reached = self.expand_with(model, goal, kind, &pool)?;
        if matches!(goal, Goal::Exceed(_)) && !is_reached {
            self.regroup_sets(model)?;
        }
        Ok(())
    }

    /// Scores models with the same columns in other terms: single columns in place of all conjunctions of these
    /// columns, a conjunction in place of more than two terms over its columns, and the common literals of two
    /// conjunctions that differ in one sign in place of both. Such changes are too large to be predicted.
    fn regroup_sets(&mut self, model: &Model) -> Result<(), Error> {
        let terms = self.terms_of(model);
        let columns = self.space.context.columns;
        let sets: Vec<Candidate> = terms.iter().map(|term| term.unsigned(columns)).collect();
        let free = || self.space.fixed.len()..terms.len();
        let mut changes: Vec<(Vec<usize>, Vec<Candidate>)> = Vec::new();
        for set in free().map(|place| &sets[place]).filter(|set| set.level() > 1).collect::<BTreeSet<_>>() {
            let removed = free().filter(|&place| sets[place] == *set).collect();
            let part = |&column: &u32| {
                let literal = self.space.raising_literal(column);
                self.space.canonical(Candidate::single(literal), model.scale)
            };
            changes.push((removed, set.columns().iter().map(part).collect()));
        }
        for conjunction in self.pool.iter().map(|&number| &self.terms[number as usize]) {
            let set = conjunction.unsigned(columns);
            let is_within =
                |place: &usize| set.level() > 2 && (sets[*place] == set || sets[*place].is_part_of(&set));
            let removed: Vec<usize> = free().filter(is_within).collect();
            if removed.len() > 2 && !terms.contains(conjunction) {
                changes.push((removed, vec![conjunction.clone()]));
            }
        }
        for (one, other) in free().flat_map(|one| free().map(move |other| (one, other))) {
            let rest = terms[one].without(&terms[other]);
            if one < other && sets[one] == sets[other] && rest.level() == 1 && terms[one].level() > 1 {
                let common = self.space.canonical(terms[one].without(&rest), model.scale);
                changes.push((vec![one, other], vec![common]));
            }
        }
        changes.into_iter().try_for_each(|(removed, added)| self.replace(model, &removed, &added))
    }

    /// Scores a model with some terms in place of others, starting from its coefficients, unless this was clearly worse
    /// at another model.
    fn replace(&mut self, model: &Model, removed: &[usize], added: &[Candidate]) -> Result<(), Error> {
        let added = self.numbers(added);
        let change = (model.scale, removed.iter().map(|&place| model.terms[place]).collect(), added.clone());
        let (Some(&score), Some(mode)) = (self.scores.get(model), self.modes.get(model)) else {
            return Ok(());
        };
        let kept = (0..model.terms.len()).filter(|place| !removed.contains(place));
        let (mut numbers, mut start) = (Vec::new(), vec![mode[0]]);
        for place in kept {
            numbers.push(model.terms[place]);
            start.push(mode[place + 1]);
        }
        for &number in &added {
            if !numbers.contains(&number) {
                numbers.push(number);
                start.push(0.0);
            }
        }
        let is_known = self.scores.contains_key(&Model::regression(model.scale, numbers.clone()));
        if !is_known && !self.rejected.contains(&change) {
            let terms = numbers.iter().map(|&number| self.terms[number as usize].clone()).collect();
            let fitted = Expansion::new(self.space, model.scale, terms, Vec::new(), Some(&start))?;
            if fitted.score() < score - MUCH_WORSE {
                self.rejected.insert(change);
            }
            self.insert(model.scale, &numbers, fitted.score(), fitted.mode());
        }
        Ok(())
    }

    /// Fits neighbours of a regression with terms of the pool; whether the goal was reached.
    fn expand_with(&mut self, model: &Model, goal: Goal, kind: Pool, pool: &[u32]) -> Result<bool, Error> {
        let terms = self.terms_of(model);
        let fixed = self.space.fixed.len();
        let mut candidates: BTreeSet<Candidate> = self.derived_terms(&terms, model.scale);
        for &number in pool {
            candidates.insert(self.space.canonical(self.terms[number as usize].clone(), model.scale));
        }
        terms.iter().for_each(|term| {
            candidates.remove(term);
        });
        let candidates: Vec<Candidate> = candidates.into_iter().collect();
        let expansion = self.expansion(model, candidates.clone())?;
        let mut best = self.best(None).map_or(f64::NEG_INFINITY, |(_, score)| score);
        let least = |best: f64| match goal {
            Goal::Exceed(score) => score,
            Goal::Window => best - WINDOW.ln(),
        };
        let mut predicted = expansion.predict_steps(fixed);
        if let Goal::Exceed(score) = goal {
            let best = self.best_candidates(&predicted, &candidates);
            let improving = best.iter().filter(|(predicted, _)| *predicted > score + LEAST_GAIN);
            let improving: Vec<u32> = improving.map(|(_, number)| *number).collect();
            if kind == Pool::All {
                let is_near = |(predicted, _): &(f64, u32)| *predicted > score - MUCH_WORSE;
                self.shortlist = best.into_iter().filter(is_near).map(|(_, number)| number).collect();
            }
            if improving.len() > 1 && self.leap(model, score, &expansion, &improving)? {
                return Ok(true);
            }
        }
        let caution = match goal {
            Goal::Exceed(_) => 1.0,
            Goal::Window => 1.0 + FEW_GROUPS / expansion.configurations.len().max(1) as f64,
        };
        let is_of_interest =
            |step: &PredictedStep, best: f64| step.score + caution * step.error > least(best);
        predicted.retain(|step| is_of_interest(step, best));
        let numbers: Vec<u32> = self.numbers(&candidates);
        if matches!(goal, Goal::Window) && kind == Pool::All {
            let added = predicted.iter().flat_map(|step| &step.step.added);
            self.competing.extend(added.map(|&place| numbers[place]));
            self.competing.extend(&model.terms);
        }
        // The terms after a step are those that stay, then the added ones.
        let mut steps: Vec<(PredictedStep, Vec<u32>)> = Vec::new();
        for predicted in predicted {
            let step = &predicted.step;
            let kept = (0..terms.len()).filter(|place| !step.removed.contains(place));
            let mut after: Vec<u32> = kept.map(|place| model.terms[place]).collect();
            after.extend(step.added.iter().map(|&place| numbers[place]));
            let neighbour = Model::regression(model.scale, after.clone());
            let is_low = match goal {
                Goal::Exceed(score) => self.low.get(&neighbour).is_some_and(|&bound| bound <= score),
                Goal::Window => false,
            };
            if !is_low && !self.scores.contains_key(&neighbour) {
                steps.push((predicted, after));
            }
        }
        steps.sort_by(|(a, after_a), (b, after_b)| {
            b.score.total_cmp(&a.score).then_with(|| after_a.cmp(after_b))
        });
        for batch in steps.chunks(BATCH) {
            let of_interest = batch.iter().filter(|(step, _)| is_of_interest(step, best));
            let batch: Vec<&(PredictedStep, Vec<u32>)> = of_interest.collect();
            let changes: Vec<&Step> = batch.iter().map(|(step, _)| &step.step).collect();
            let bound = least(best);
            let scored = expansion.score_steps(&changes, bound)?;
            let mut is_reached = false;
            for ((step, after), scored) in batch.into_iter().zip(scored) {
                let Some(FittedStep { score, mode }) = scored else {
                    if matches!(goal, Goal::Exceed(_)) {
                        self.low.insert(Model::regression(model.scale, after.clone()), bound);
                    }
                    continue;
                };
                best = best.max(score);
                if let Goal::Exceed(least) = goal
                    && score > least + LEAST_GAIN
                {
                    is_reached = true;
                    self.adapt_stride(score - least, step.score - least);
                }
                self.insert(model.scale, after, score, &mode);
            }
            if is_reached {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Starts a path from a model, if steps are predicted well, and follows it; whether that leads to a better model.
    fn leap(
        &mut self,
        model: &Model,
        score: f64,
        expansion: &Expansion<'_>,
        candidates: &[u32],
    ) -> Result<bool, Error> {
        let Some(regression) = expansion.regression.as_ref().filter(|_| self.stride > 1) else {
            return Ok(false);
        };
        let candidates: Vec<Candidate> =
            candidates.iter().map(|&number| self.terms[number as usize].clone()).collect();
        let terms = self.terms_of(model);
        let path = Path::new(self.space, model.scale, &terms, &candidates, &regression.coefficients)?;
        Ok(path.is_some_and(|path| self.follow(path, score)))
    }

    /// Takes several steps of a path at once; whether the model at their end is better. If the gain there is not as
    /// predicted, half the steps are tried.
    fn follow(&mut self, path: Path<'a>, score: f64) -> bool {
        let mut stops = path.look_ahead(self.stride, LEAST_GAIN);
        while let Some(stop) = stops.last() {
            let Some(fitted) = path.fit(stop) else { return false };
            let gain = fitted.score - score;
            if is_as_predicted(gain, stop.gain) || (stops.len() == 1 && gain > LEAST_GAIN) {
                self.adapt_stride(gain, stop.gain);
                let numbers: Vec<u32> = path.terms_at(stop).map(|term| self.numbers[term]).collect();
                self.insert(path.scale, &numbers, fitted.score, &fitted.mode);
                let model = Model::regression(path.scale, numbers);
                self.path = path.move_to(stop, &fitted).map(|path| (model, path));
                return true;
            }
            stops.truncate(stops.len() / 2);
            self.stride = stops.len().max(1);
        }
        false
    }

    /// Doubles the number of steps that a climb takes at once if the gain of the last step was predicted well. If not,
    /// the next step is taken alone.
    fn adapt_stride(&mut self, gain: f64, predicted: f64) {
        self.stride = if is_as_predicted(gain, predicted) { self.stride.saturating_mul(2) } else { 1 };
    }

    /// The candidates with the best predicted steps, and the predicted scores.
    fn best_candidates(&mut self, predicted: &[PredictedStep], candidates: &[Candidate]) -> Vec<(f64, u32)> {
        let mut best = vec![f64::NEG_INFINITY; candidates.len()];
        for PredictedStep { score, step, .. } in predicted {
            step.added.iter().for_each(|&place| best[place] = best[place].max(*score));
        }
        let mut places: Vec<usize> = (0..candidates.len()).filter(|&place| best[place].is_finite()).collect();
        places.sort_by(|&a, &b| best[b].total_cmp(&best[a]).then(a.cmp(&b)));
        places.truncate(SHORTLIST);
        places.into_iter().map(|place| (best[place], self.number(&candidates[place]))).collect()
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
        let raise = |(place, term): (usize, &Candidate)| match term.columns() {
            _ if place < fixed || regression.coefficients[place + 1] > 0.0 => Some(term.clone()),
            [literal] => Some(Candidate::single(self.space.negate(*literal))),
            _ => None,
        };
        Ok(terms.iter().enumerate().filter_map(raise).collect())
    }

    /// The terms that differ from a term of the model by one literal or by all signs, and its parts.
    fn derived_terms(&self, terms: &[Candidate], scale: Scale) -> BTreeSet<Candidate> {
        let space = self.space;
        let mut found = BTreeSet::new();
        let mut add = |term: Candidate| {
            if space.allows(&term) {
                found.insert(space.canonical(term, scale));
            }
        };
        for term in terms.iter().filter(|term| !space.fixed.contains(term)) {
            add(Candidate::new(term.columns().iter().map(|&literal| space.negate(literal)).collect()));
            for &literal in term.columns() {
                let rest = term.without(&Candidate::single(literal));
                let negated = Candidate::single(space.negate(literal));
                add(Candidate::single(literal));
                add(negated.clone());
                add(rest.join(&negated));
                if rest.level() > 0 {
                    add(rest);
                }
            }
        }
        found
    }
}

/// Whether a gain is about as large as predicted, or larger.
fn is_as_predicted(gain: f64, predicted: f64) -> bool {
    gain >= (1.0 - LEAP_ERROR) * predicted
}

/// The candidates for further terms of a model, beside those derived from its terms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pool {
    /// The best candidates of the last step of a climb.
    Shortlist,
    /// The terms that may be added to the best model within the window.
    Competing,
    /// All terms that sweeps have found.
    All,
}

/// When the expansion of a model ends.
#[derive(Clone, Copy)]
enum Goal {
    /// When a neighbour exceeds this score.
    Exceed(f64),
    /// When all neighbours in the window are scored.
    Window,
}
