//! The neighbours of a regression model: at most two terms are removed and at most two are added.

use std::sync::{Mutex, OnceLock};

use rustc_hash::FxHashMap;

use super::effort::{CHANGE_ERROR, ERROR_SHARE, LEAST_CORRELATION, LEAST_ERROR, MOST_TERMS};
use super::prior_changes::PriorChanges;
use super::space::ModelSpace;
use crate::count::{Configurations, Count, into_inner, lock};
use crate::dataset::{Candidate, Literal};
use crate::error::Error;
use crate::model::changed_groups::{ChangedGroups, SplitCell};
use crate::model::groups::{Design, Groups};
use crate::model::regression::{Fit, FurtherTerm, Prediction};
use crate::model::{Regression, Scale};

/// The largest error of a prediction. On scales of odds, the log posterior is nearly quadratic in the coefficient of a
/// term as long as the odds change by little.
fn prediction_error(scale: Scale, predicted: &Prediction) -> f64 {
    let curved = if scale.is_of_odds() { predicted.coefficient.min(1.0) } else { 1.0 };
    LEAST_ERROR + curved * (CHANGE_ERROR + ERROR_SHARE * predicted.size)
}

/// A step to a neighbour: the places of the removed terms in the model, and of the added ones among the candidates. Two
/// added terms are the parts of the removed one.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub removed: Vec<usize>,
    pub added: Vec<usize>,
}

/// A step with its predicted score, and the largest error of the prediction.
#[derive(Clone, Debug)]
pub(super) struct PredictedStep {
    pub score: f64,
    pub error: f64,
    pub step: Step,
}

impl PredictedStep {
    /// Whether the score may exceed a bound.
    pub fn may_exceed(&self, bound: f64) -> bool {
        self.score + self.error > bound
    }
}

/// A fitted neighbour: its log posterior, and its coefficients, those of the terms that stay before the added ones.
pub(super) struct FittedStep {
    pub score: f64,
    pub mode: Vec<f64>,
}

/// A fitted model and candidates for further terms.
pub(super) struct Expansion<'a> {
    space: &'a ModelSpace<'a>,
    pub scale: Scale,
    terms: Vec<Candidate>,
    pub configurations: Configurations,
    groups: Groups,
    /// `None` if a smaller model is the same model.
    pub regression: Option<Regression>,
    candidates: Vec<Candidate>,
    /// What each candidate would change.
    additions: Vec<Option<FurtherTerm>>,
    ln_prior: f64,
    /// The terms of the model, then the candidates.
    prior_changes: PriorChanges<'a>,
}

impl<'a> Expansion<'a> {
    /// Fits a model, starting from the given coefficients.
    pub fn new(
        space: &'a ModelSpace<'a>,
        scale: Scale,
        terms: Vec<Candidate>,
        candidates: Vec<Candidate>,
        start: Option<&[f64]>,
    ) -> Result<Self, Error> {
        let fit = |configurations: &Configurations| {
            let groups = Groups::from(configurations);
            let mut regression = Regression::fit(scale, &groups, terms.len(), start);
            if let Some(regression) = &mut regression {
                regression.prepare_predictions();
            }
            (groups, regression)
        };
        let fitted: OnceLock<(Groups, Option<Regression>)> = OnceLock::new();
        let additions: Vec<Mutex<Option<FurtherTerm>>> =
            candidates.iter().map(|_| Mutex::default()).collect();
        let configurations = space.context.counter().configurations(
            &terms,
            &candidates,
            &|number, configurations, with| {
                let (groups, regression) = fitted.get_or_init(|| fit(configurations));
                let Some(regression) = regression else { return };
                let counts = with.iter().map(|count| (count.positive as f64, count.negative as f64));
                *lock(&additions[number]) = regression.addition(groups, counts);
            },
        )?;
        let additions = additions.into_iter().map(into_inner).collect();
        let (groups, regression) = match fitted.into_inner() {
            Some(fitted) => fitted,
            None => fit(&configurations),
        };
        let ln_prior = space.ln_prior(scale, terms.iter());
        let all = terms.iter().chain(&candidates).cloned().collect();
        let prior_changes = PriorChanges::new(space, scale, all);
        Ok(Self {
            space,
            ln_prior,
            prior_changes,
            scale,
            terms,
            configurations,
            groups,
            regression,
            candidates,
            additions,
        })
    }

    /// The log posterior of the model, up to a constant.
    pub fn score(&self) -> f64 {
        self.ln_prior + self.regression.as_ref().map_or(f64::NEG_INFINITY, |fit| fit.ln_marginal)
    }

    /// The coefficients at the mode; none if a smaller model is the same model.
    pub fn mode(&self) -> &[f64] {
        self.regression.as_ref().map_or(&[], |regression| &regression.coefficients)
    }

    /// The change of the log prior by a step.
    fn prior_gain(&self, step: &Step) -> f64 {
        let terms = self.terms.len();
        let added = step.added.iter().map(|&place| terms + place);
        let changed: Vec<usize> = step.removed.iter().copied().chain(added).collect();
        self.prior_changes.gain(|place| place < terms, &changed)
    }

    /// All steps with their predicted scores. The first `fixed` terms stay.
    pub fn predict_steps(&self, fixed: usize) -> Vec<PredictedStep> {
        let Some(regression) = &self.regression else { return Vec::new() };
        let own = self.score();
        let mut found = Vec::new();
        let mut consider = |predicted: Prediction, removed: Vec<usize>, added: Vec<usize>| {
            let step = Step { removed, added };
            if predicted.gain.is_finite() {
                let score = own + predicted.gain + self.prior_gain(&step);
                let error = prediction_error(self.scale, &predicted);
                found.push(PredictedStep { score, error, step });
            }
        };
        for place in fixed..self.terms.len() {
            consider(regression.predict_change(&[place], None), vec![place], vec![]);
        }
        for (new, candidate) in self.candidates.iter().enumerate() {
            let Some(addition) = &self.additions[new] else { continue };
            if self.terms.len() < fixed + MOST_TERMS {
                consider(regression.predict_change(&[], Some(addition)), vec![], vec![new]);
            }
            let is_related = |place: &usize| {
                regression.are_correlated(addition, *place, LEAST_CORRELATION)
                    || shares_column(&self.terms[*place], candidate)
                    || self.are_parts(&self.terms[*place], candidate)
            };
            let related: Vec<usize> = (fixed..self.terms.len()).filter(is_related).collect();
            for (number, &place) in related.iter().enumerate() {
                consider(regression.predict_change(&[place], Some(addition)), vec![place], vec![new]);
                for &other in &related[..number] {
                    let gain = regression.predict_change(&[other, place], Some(addition));
                    consider(gain, vec![other, place], vec![new]);
                }
            }
        }
        for (number, term) in self.terms.iter().enumerate().skip(fixed) {
            for (part, rest) in term.splits() {
                if let (Some(part), Some(rest)) = (self.candidate(part), self.candidate(rest)) {
                    consider(
                        self.predict_split(regression, number, part, rest),
                        vec![number],
                        vec![part, rest],
                    );
                }
            }
        }
        found
    }

    /// Whether two literals are parts of one conjunction of the model.
    fn are_parts(&self, one: &Candidate, two: &Candidate) -> bool {
        let shares = |term: &Candidate, part: &Candidate| shares_column(term, part);
        let level = |term: &Candidate| self.space.level(term);
        let is_whole = |term: &Candidate| level(term) > 1 && shares(term, one) && shares(term, two);
        level(one) == 1 && level(two) == 1 && self.terms.iter().any(is_whole)
    }

    /// The predicted change of the log posterior if a candidate is added.
    pub fn predict_addition(&self, candidate: usize) -> f64 {
        let gain = self.regression.as_ref().zip(self.additions[candidate].as_ref());
        let gain = gain
            .map_or(f64::NEG_INFINITY, |(regression, new)| regression.predict_change(&[], Some(new)).gain);
        gain + self.prior_gain(&Step { removed: vec![], added: vec![candidate] })
    }

    /// The place of a term among the candidates.
    fn candidate(&self, term: Candidate) -> Option<usize> {
        self.candidates.binary_search(&self.space.canonical(term, self.scale)).ok()
    }

    fn predict_split(&self, regression: &Regression, term: usize, one: usize, two: usize) -> Prediction {
        let (Some(first), Some(second)) = (&self.additions[one], &self.additions[two]) else {
            return Prediction::IMPOSSIBLE;
        };
        // In the signs of the term, the parts share the rows in which the term holds.
        let all = regression.information(None);
        let shared = regression.information(Some(term));
        let is_flipped = [one, two].map(|part| self.is_flipped(term, part));
        let in_signs = |flipped: bool, own: f64| if flipped { all - own } else { own };
        let own =
            [in_signs(is_flipped[0], first.information()), in_signs(is_flipped[1], second.information())];
        let overlap = match is_flipped {
            [false, false] => shared,
            [true, false] => own[1] - shared,
            [false, true] => own[0] - shared,
            [true, true] => all - own[0] - own[1] + shared,
        };
        regression.predict_split(term, first, second, overlap)
    }

    /// Whether a part of a term is the negation of a literal of the term.
    fn is_flipped(&self, term: usize, part: usize) -> bool {
        !self.terms[term].literals().contains(&self.candidates[part].literals()[0])
    }

    /// Fits the neighbours; `None` for those that are clearly below a score.
    pub fn score_steps(&self, steps: &[&Step], least: f64) -> Result<Vec<Option<FittedStep>>, Error> {
        use rayon::prelude::*;
        let mut needed: Vec<usize> = steps.iter().flat_map(|step| step.added.iter().copied()).collect();
        needed.sort_unstable();
        needed.dedup();
        let counts: Vec<Mutex<Vec<Count>>> = needed.iter().map(|_| Mutex::default()).collect();
        let candidates: Vec<Candidate> = needed.iter().map(|&place| self.candidates[place].clone()).collect();
        if !needed.is_empty() {
            self.space.context.counter().configurations(&self.terms, &candidates, &|number, _, with| {
                *lock(&counts[number]) = with.to_vec();
            })?;
        }
        let counts: FxHashMap<usize, Vec<Count>> =
            needed.into_iter().zip(counts.into_iter().map(into_inner)).collect();
        Ok(steps.par_iter().map(|step| self.score_step(step, &counts, least)).collect())
    }

    fn score_step(
        &self,
        step: &Step,
        counts: &FxHashMap<usize, Vec<Count>>,
        least: f64,
    ) -> Option<FittedStep> {
        let ln_prior = self.ln_prior + self.prior_gain(step);
        match self.fit_step(step, counts, least - ln_prior) {
            Fit::Regression(found) => {
                Some(FittedStep { score: ln_prior + found.ln_marginal, mode: found.coefficients })
            }
            Fit::Smaller => Some(FittedStep { score: f64::NEG_INFINITY, mode: Vec::new() }),
            Fit::Low => None,
        }
    }

    /// Fits the model without one of its terms; `None` if a smaller model is the same model.
    pub fn fit_without(&self, term: usize) -> Option<Regression> {
        let step = Step { removed: vec![term], added: Vec::new() };
        match self.fit_step(&step, &FxHashMap::default(), f64::NEG_INFINITY) {
            Fit::Regression(found) => Some(*found),
            Fit::Smaller | Fit::Low => None,
        }
    }

    /// Fits a neighbour, unless its log marginal likelihood is clearly below the least of interest.
    fn fit_step(&self, step: &Step, counts: &FxHashMap<usize, Vec<Count>>, least: f64) -> Fit {
        let stays = |place: &usize| !step.removed.contains(place);
        let kept: Vec<usize> = (0..self.terms.len()).filter(stays).collect();
        let cells = self.split_groups(step, counts);
        if self.scale.has_barrier() {
            return self.fit_cells(step, &self.merge_groups(&kept, &cells), least);
        }
        self.fit_cells(
            step,
            &ChangedGroups::new(&self.groups, self.terms.len(), kept, step.added.len(), cells),
            least,
        )
    }

    fn fit_cells(&self, step: &Step, cells: &impl Design, least: f64) -> Fit {
        let terms = self.terms.len() - step.removed.len() + step.added.len();
        let Some(regression) = &self.regression else {
            return Fit::from(Regression::fit(self.scale, cells, terms, None));
        };
        let added = match step.added[..] {
            [new] => self.additions[new].as_ref(),
            _ => None,
        };
        if step.added.len() == usize::from(added.is_some()) {
            return regression.fit_neighbour(cells, &step.removed, added, least);
        }
        let mut start = regression.predict_mode(&step.removed, None);
        start.resize(terms + 1, 0.0);
        Fit::from(Regression::fit(self.scale, cells, terms, Some(&start)))
    }

    /// The rows of each group in which added terms hold.
    fn split_groups(&self, step: &Step, counts: &FxHashMap<usize, Vec<Count>>) -> Vec<SplitCell> {
        let mut cells: Vec<SplitCell> = Vec::new();
        let mut push = |group: usize, held: usize, count: Count| {
            if count.total() > 0 {
                let (positive, total) = (count.positive as f64, count.total() as f64);
                cells.push(SplitCell { group, held, positive, total });
            }
        };
        match step.added[..] {
            [one] => counts[&one].iter().enumerate().for_each(|(group, &held)| push(group, 1, held)),
            [one, two] => {
                for (group, held) in counts[&one].iter().zip(&counts[&two]).enumerate() {
                    let held = [*held.0, *held.1];
                    let split = self.split_cells(group, step.removed[0], [one, two], held);
                    (1..4).for_each(|held| push(group, held, split[held]));
                }
            }
            _ => {}
        }
        cells
    }

    /// The groups of a neighbour. Groups that differ in removed terms only are one group, as a barrier needs it.
    fn merge_groups(&self, kept: &[usize], split: &[SplitCell]) -> Groups {
        let (numbers, _) = self.configurations.merged(kept);
        let mut rest: Vec<(f64, f64)> =
            (0..self.groups.cells()).map(|group| self.groups.rows(group)).collect();
        // A group of the model, the added terms that hold, and the rows.
        let mut cells: Vec<(usize, usize, f64, f64)> = Vec::with_capacity(rest.len() + split.len());
        for cell in split {
            rest[cell.group] = (rest[cell.group].0 - cell.positive, rest[cell.group].1 - cell.total);
            cells.push((cell.group, cell.held, cell.positive, cell.total));
        }
        cells.extend(rest.iter().enumerate().map(|(group, rest)| (group, 0, rest.0, rest.1)));
        let mut places: FxHashMap<(u32, usize), usize> = FxHashMap::default();
        let mut merged: Vec<(usize, usize, f64, f64)> = Vec::new();
        for (group, held, positive, total) in cells.into_iter().filter(|(.., total)| *total > 0.0) {
            let place = *places.entry((numbers[group], held)).or_insert(merged.len());
            if place == merged.len() {
                merged.push((group, held, 0.0, 0.0));
            }
            merged[place].2 += positive;
            merged[place].3 += total;
        }
        let mut groups = Groups::default();
        for (group, held, positive, total) in merged {
            let stay = (0..kept.len()).filter(|&place| self.configurations.holds(group, kept[place]));
            let added = (0..usize::BITS as usize).filter(|added| held >> added & 1 == 1);
            groups.push(stay.chain(added.map(|added| kept.len() + added)), positive, total);
        }
        groups
    }

    /// The rows of a configuration by the values of two candidates, the parts of a term of the model: the first part is
    /// bit 0. A part may be the negation of a literal of the term.
    fn split_cells(&self, place: usize, term: usize, parts: [usize; 2], held: [Count; 2]) -> [Count; 4] {
        let all = self.configurations.counts()[place];
        let is_flipped = parts.map(|part| self.is_flipped(term, part));
        let mut cells = [Count::default(); 4];
        let flips = usize::from(is_flipped[0]) | usize::from(is_flipped[1]) << 1;
        if self.configurations.holds(place, term) {
            cells[3 ^ flips] = all;
            return cells;
        }
        // In the signs of the term, both parts never hold here.
        let in_signs = |number: usize| if is_flipped[number] { all - held[number] } else { held[number] };
        cells[1 ^ flips] = in_signs(0);
        cells[2 ^ flips] = in_signs(1);
        cells[flips] = all - in_signs(0) - in_signs(1);
        cells
    }
}

/// Whether two terms have a column in common.
pub(super) fn shares_column(one: &Candidate, two: &Candidate) -> bool {
    let has_column = |of: &Literal| two.literals().iter().any(|other| other.column() == of.column());
    one.literals().iter().any(has_column)
}
