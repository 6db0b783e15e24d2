//! Score tests of all candidate terms: which of them would improve a model.
//!
//! One pass over the data gives the score and the information of every single column and every pair of columns, from
//! which those of all four sign combinations follow. At higher levels, the best terms of each level are extended by
//! every literal. Two columns may also act only by being equal or unequal, so that no term over them improves the model
//! by itself. The two cells on a diagonal of their table are therefore tested as one term, too.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::f64::consts::LN_2;
use std::sync::Mutex;

use super::effort::{
    DIAGONALS, EXTENDED, FEW_WEIGHTS, INFORMATION_ERROR, MOST_UNITS, RETURNED, ROWS, SCORE_ERROR,
};
use rustc_hash::FxHashMap;

use super::neighbours::shares_column;
use super::space::ModelSpace;
use crate::count::{Configurations, Count, PairCells, RowWeights, Weight, both_signs, into_inner, lock};
use crate::dataset::{Candidate, Literal};
use crate::error::Error;
use crate::model::scale::Derivatives;
use crate::model::{Regression, Scale};

/// A model and its fit, which a sweep tries to improve.
pub(super) struct SweptModel<'a> {
    pub terms: &'a [Candidate],
    pub scale: Scale,
    pub regression: &'a Regression,
    pub weights: RowWeights,
    /// The sum of the weights of all rows.
    pub total: Weight,
    pub units: Units,
    /// The attributes of the single causes of the model.
    pub known: &'a [usize],
}

/// The numbers of units of fixed-point weights in 1. Fewer units have fewer binary digits, and sums take less time.
#[derive(Clone, Copy)]
pub(super) struct Units {
    score: f64,
    information: f64,
    /// The score and the information of all rows, before rounding.
    total: (f64, f64),
}

impl Units {
    /// The units for the derivatives of the log-likelihood of a case and of a control of each configuration. A sum of n
    /// rounded weights is off by at most n/2 units.
    pub fn new(configurations: &Configurations, classes: &[[Derivatives; 2]]) -> Self {
        let counts = configurations.counts();
        let sum = |part: fn(&Derivatives) -> f64| -> f64 {
            let product = |(count, [case, control]): (&Count, &[Derivatives; 2])| {
                count.positive as f64 * part(case) + count.negative as f64 * part(control)
            };
            counts.iter().zip(classes).map(product).sum()
        };
        let total = (sum(|class| class.slope), sum(|class| class.curvature));
        let rows = counts.iter().sum::<Count>().total();
        let most = MOST_UNITS * (rows.div_ceil(ROWS).max(1) as f64).sqrt().ceil();
        if 2 * classes.len() <= FEW_WEIGHTS {
            return Self { score: most, information: most, total };
        }
        let units = |error: f64| (0.5 * rows as f64 / error).clamp(1.0, most).ceil();
        Self {
            score: units(SCORE_ERROR * total.1.max(0.0).sqrt()),
            information: units(INFORMATION_ERROR * total.1),
            total,
        }
    }

    /// Converts the slope and curvature of a log-likelihood.
    pub fn convert(self, derivatives: Derivatives) -> Weight {
        // A group with a risk near 0 or 1 can have a huge slope; such weights would overflow.
        let convert = |value: f64, units: f64| (value.clamp(-1e4, 1e4) * units).round() as i64;
        Weight {
            score: convert(derivatives.slope, self.score),
            information: convert(derivatives.curvature, self.information),
        }
    }
}

/// The number of sign combinations of two columns.
const SIGNS: usize = 4;

/// What a sweep finds.
pub(super) struct Swept {
    /// The best terms of every level that are not in the model.
    pub terms: Vec<Candidate>,
    /// The two cells on a diagonal of the table of two columns, for the best pairs of new columns, the best first.
    pub diagonals: Vec<[Candidate; 2]>,
}

/// A term, or two terms with one coefficient.
#[derive(Clone, Debug)]
struct Scored<Term = Candidate> {
    term: Term,
    /// The predicted gain if the term replaces the terms of the model that it implies.
    gain: f64,
}

/// The two cells on a diagonal of the table of two columns.
type ScoredDiagonal = Scored<[Candidate; 2]>;

fn best_first<Term: Ord>(a: &Scored<Term>, b: &Scored<Term>) -> Ordering {
    b.gain.total_cmp(&a.gain).then_with(|| a.term.cmp(&b.term))
}

/// Keeps the best terms.
fn truncate<Term: Ord>(found: &mut Vec<Scored<Term>>, most: usize) {
    if found.len() > most {
        found.select_nth_unstable_by(most, best_first);
        found.truncate(most);
    }
}

/// Keeps the best terms, of each set of attributes at most as many as two columns have sign combinations.
fn truncate_diverse(space: &ModelSpace<'_>, found: &mut Vec<Scored>, most: usize) {
    // Always, so that what is found does not depend on the order in which threads add to it.
    if space.has_several_columns {
        found.sort_unstable_by(best_first);
        let mut counts: FxHashMap<BTreeSet<usize>, usize> = FxHashMap::default();
        found.retain(|scored| {
            let count = counts.entry(space.attributes(&scored.term)).or_default();
            *count += 1;
            *count <= SIGNS
        });
    }
    truncate(found, most);
}

/// The cells of the table of two columns in which both hold or none does, or the other two; `None` if no term has these
/// columns.
fn diagonal_terms(space: &ModelSpace<'_>, pair: [u32; 2], is_equal: bool) -> Option<[Candidate; 2]> {
    let cell = |x: usize, y: usize| Candidate::new([Literal::signs(pair[0])[x], Literal::signs(pair[1])[y]]);
    let terms = if is_equal { [cell(0, 0), cell(1, 1)] } else { [cell(0, 1), cell(1, 0)] };
    space.allows(&terms[0]).then_some(terms)
}

impl SweptModel<'_> {
    /// The terms and pairs of terms that would improve the model the most.
    pub fn sweep(&self, space: &ModelSpace<'_>) -> Result<Swept, Error> {
        let mut found: Vec<Scored> = Vec::new();
        let mut diagonals: Vec<ScoredDiagonal> = Vec::new();
        let singles: Mutex<Vec<Weight>> = Mutex::default();
        let all_rows = [(Candidate::default(), 0)];
        let plain = Literal::plain_all(&space.singles);
        space.context.counter().weighted_sums(&self.weights, &all_rows, &plain, &|_, sums| {
            *lock(&singles) = sums.to_vec();
        })?;
        let singles = into_inner(singles);
        let total = self.total;
        let single = |column: u32| {
            space.singles.binary_search(&column).map_or(Weight::default(), |place| singles[place])
        };
        let mut level: Vec<Scored> = Vec::new();
        for &column in &space.singles {
            for (literal, sum) in Literal::signs(column).into_iter().zip(both_signs(single(column), total)) {
                let term = space.canonical(Candidate::single(literal), self.scale);
                if !literal.is_negated() || !self.scale.is_signed() {
                    level.extend(self.score(space, term, sum));
                }
            }
        }
        for thresholds in (0..).map_while(|attribute| space.thresholds(attribute)) {
            for (place, &low) in thresholds.iter().enumerate() {
                for &high in &thresholds[place + 1..] {
                    let term = Candidate::new([Literal::plain(low), Literal::negation(high)]);
                    level.extend(self.score(space, term, single(low) - single(high)));
                }
            }
        }
        truncate_diverse(space, &mut level, RETURNED);
        found.append(&mut level);
        if space.max_level > 1 {
            (level, diagonals) = self.score_pairs(space, &single)?;
            self.add_intervals(space, &mut level, 2)?;
            for size in 3..=space.max_level {
                if space.context.progress.stopped() {
                    return Err(Error::Stopped);
                }
                let mut extended: Vec<Candidate> = self.extensible(space, size - 1);
                level.sort_by(best_first);
                extended.extend(level.iter().take(EXTENDED).map(|scored| scored.term.clone()));
                extended.sort_unstable();
                extended.dedup();
                truncate_diverse(space, &mut level, RETURNED);
                found.append(&mut level);
                level = self.score_extensions(space, extended, &space.parts, size)?;
                self.add_intervals(space, &mut level, size)?;
            }
            truncate_diverse(space, &mut level, RETURNED);
            found.append(&mut level);
        }
        found.sort_by(best_first);
        Ok(Swept {
            terms: found.into_iter().map(|scored| scored.term).collect(),
            diagonals: diagonals.into_iter().map(|scored| scored.term).collect(),
        })
    }

    fn score_pairs(
        &self,
        space: &ModelSpace<'_>,
        single: &dyn Fn(u32) -> Weight,
    ) -> Result<(Vec<Scored>, Vec<ScoredDiagonal>), Error> {
        let columns = &space.parts;
        let sums: Vec<Weight> = columns.iter().map(|&column| single(column)).collect();
        let total = self.total;
        let left: Vec<(Candidate, usize)> =
            (1..).zip(columns).map(|(next, &column)| (Candidate::single(column), next)).collect();
        let in_model: Vec<bool> = columns.iter().map(|&column| self.contains_column(column)).collect();
        let found: Mutex<(f64, Vec<Scored>)> = Mutex::new((f64::NEG_INFINITY, Vec::new()));
        let diagonals: Mutex<Vec<ScoredDiagonal>> = Mutex::default();
        let (convert, variance) = (self.converter(), self.regression.intercept_variance());
        let further = space.cost_of_further_term() + 2.0 * LN_2;
        let plain = Literal::plain_all(columns);
        space.context.counter().weighted_sums(&self.weights, &left, &plain, &|x, both| {
            let (mut scored, mut on_diagonals) = (Vec::new(), Vec::new());
            let least = lock(&found).0;
            for (y, &both) in (x + 1..).zip(both) {
                let ln_prior = -space.least_cost_of_pair(columns[x], columns[y]);
                let is_new = !in_model[x] && !in_model[y];
                let PairCells { cells: with, .. } = PairCells::new(both, sums[x], sums[y], total);
                if is_new {
                    let (equal, unequal) = (convert(with[0] + with[3]), convert(with[1] + with[2]));
                    let cost = further - ln_prior;
                    let is_equal = equal.0 > 0.0;
                    let (score, information) = if is_equal { equal } else { unequal };
                    if self.regression.may_gain(score, information, variance, cost) {
                        let explained = information * information * variance;
                        let gain = self.regression.gain_of_score(score, information, explained) - cost;
                        let terms = diagonal_terms(space, [columns[x], columns[y]], is_equal);
                        on_diagonals.extend(terms.map(|term| Scored { term, gain }));
                    }
                }
                for (signs, sum) in PairCells::<Weight>::SIGNS.into_iter().zip(with) {
                    let (score, information) = convert(sum);
                    if is_new && !self.regression.may_gain(score, information, variance, least - ln_prior) {
                        continue;
                    }
                    let literal =
                        |place: usize, holds: bool| Literal::signs(columns[place])[usize::from(!holds)];
                    let pair = [literal(x, signs[0]), literal(y, signs[1])];
                    scored.extend(self.score(space, Candidate::new(pair), sum));
                }
            }
            truncate_diverse(space, &mut scored, 2 * RETURNED);
            truncate(&mut on_diagonals, DIAGONALS);
            let mut diagonals = lock(&diagonals);
            diagonals.append(&mut on_diagonals);
            truncate(&mut diagonals, DIAGONALS);
            let (least, found) = &mut *lock(&found);
            found.append(&mut scored);
            if found.len() > 4 * RETURNED {
                truncate_diverse(space, found, 2 * RETURNED);
                *least = found.iter().fold(f64::INFINITY, |least, scored| least.min(scored.gain));
            }
        })?;
        let (_, mut found) = into_inner(found);
        truncate_diverse(space, &mut found, 2 * RETURNED);
        let mut diagonals = into_inner(diagonals);
        diagonals.sort_by(best_first);
        Ok((found, diagonals))
    }

    /// Whether a column is in some term of the model.
    fn contains_column(&self, column: u32) -> bool {
        self.terms.iter().any(|term| shares_column(term, &Candidate::single(column)))
    }

    /// The terms of the model at a level, and those of the next level without one of their literals.
    fn extensible(&self, space: &ModelSpace<'_>, level: usize) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for term in self.terms.iter().filter(|term| space.allows(term)) {
            if space.level(term) == level {
                found.push(term.clone());
            } else if space.level(term) == level + 1 {
                let rest = term.literals().iter().map(|&literal| term.without(&Candidate::single(literal)));
                found.extend(rest.filter(|rest| space.level(rest) == level));
            }
        }
        found
    }

    /// Adds the best terms of a level, and those of the model, with an interval in place of a threshold.
    fn add_intervals(
        &self,
        space: &ModelSpace<'_>,
        level: &mut Vec<Scored>,
        size: usize,
    ) -> Result<(), Error> {
        let thresholds: Vec<u32> = space
            .parts
            .iter()
            .copied()
            .filter(|&part| space.context.columns()[part as usize].is_threshold())
            .collect();
        if thresholds.len() < 2 {
            return Ok(());
        }
        level.sort_by(best_first);
        let mut bases: Vec<Candidate> = self
            .terms
            .iter()
            .filter(|term| space.allows(term) && space.level(term) == size)
            .cloned()
            .collect();
        bases.extend(level.iter().take(EXTENDED).map(|scored| scored.term.clone()));
        bases.sort_unstable();
        bases.dedup();
        let attributes: BTreeSet<usize> = bases.iter().flat_map(|base| space.attributes(base)).collect();
        let is_used =
            |&column: &u32| attributes.contains(&space.context.columns()[column as usize].attribute);
        let thresholds: Vec<u32> = thresholds.into_iter().filter(is_used).collect();
        level.extend(self.score_extensions(space, bases, &thresholds, size)?);
        Ok(())
    }

    /// The terms of a level that are bases with one more literal of some columns.
    fn score_extensions(
        &self,
        space: &ModelSpace<'_>,
        bases: Vec<Candidate>,
        columns: &[u32],
        level: usize,
    ) -> Result<Vec<Scored>, Error> {
        let left: Vec<(Candidate, usize)> = bases.into_iter().map(|base| (base, 0)).collect();
        // A base with one of its own literals is the base by itself.
        let mut right = Literal::plain_all(columns);
        right.extend(left.iter().map(|(base, _)| base.literals()[0]));
        right[columns.len()..].sort_unstable();
        right.dedup();
        let found: Mutex<Vec<Scored>> = Mutex::default();
        space.context.counter().weighted_sums(&self.weights, &left, &right, &|number, sums| {
            let base = &left[number].0;
            let own = right.iter().position(|&literal| literal == base.literals()[0]);
            let Some(alone) = own.map(|place| sums[place]) else { return };
            let mut scored = Vec::new();
            for (&column, &both) in columns.iter().zip(sums) {
                for (literal, sum) in Literal::signs(column).into_iter().zip(both_signs(both, alone)) {
                    let term = base.join(&Candidate::single(literal));
                    if term.level() == base.level() + 1 && space.level(&term) == level {
                        scored.extend(self.score(space, term, sum));
                    }
                }
            }
            truncate_diverse(space, &mut scored, 2 * RETURNED);
            lock(&found).append(&mut scored);
        })?;
        let mut found = into_inner(found);
        found.sort_by(|a, b| a.term.cmp(&b.term));
        found.dedup_by(|a, b| a.term == b.term);
        truncate_diverse(space, &mut found, 2 * RETURNED);
        Ok(found)
    }

    /// The predicted gain of a term, if it replaces the terms of the model that it implies.
    fn score(&self, space: &ModelSpace<'_>, term: Candidate, sum: Weight) -> Option<Scored> {
        if sum.information <= 0 || !space.allows(&term) || self.terms.contains(&term) {
            return None;
        }
        let implies =
            |part: &Candidate| part.literals().iter().all(|literal| term.literals().contains(literal));
        let mut implied = vec![0];
        let mut gain = -space.cost(&term, self.scale, self.known);
        for (place, part) in self.terms.iter().enumerate() {
            if implies(part) {
                implied.push(place + 1);
                gain += space.cost(part, self.scale, &[]);
            }
        }
        gain += self.gain(sum, &implied);
        gain.is_finite().then_some(Scored { term, gain })
    }

    /// The score and the information of sums, without their share of the rounding errors of all rows.
    fn converter(&self) -> impl Fn(Weight) -> (f64, f64) + Sync {
        let (score, information) = self.units.total;
        let all = (self.total.information as f64).max(1.0);
        let error_per_unit = (self.total.score as f64 / self.units.score - score) / all;
        let (information_per_unit, score_per_unit) = (information / all, 1.0 / self.units.score);
        move |sum| {
            let units = sum.information as f64;
            (sum.score as f64 * score_per_unit - units * error_per_unit, units * information_per_unit)
        }
    }

    /// The predicted gain in log marginal likelihood from a term that implies some of the coefficients.
    fn gain(&self, sum: Weight, implied: &[usize]) -> f64 {
        let (score, information) = self.converter()(sum);
        let explained = self.regression.explained_by_implied(information, implied);
        self.regression.gain_of_score(score, information, explained)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::count::{Counter, LocalCounter};
    use crate::dataset::{DatasetBuilder, Target, random_dataset};
    use crate::model::groups::Groups;
    use crate::progress::NoProgress;
    use crate::random::Random;
    use crate::search::context::Context;
    use crate::search::{Method, Settings};

    fn row_weights(
        terms: &[Candidate],
        configurations: Configurations,
        fit: &Regression,
        units: Units,
    ) -> RowWeights {
        let convert = |classes: &[Derivatives; 2]| classes.map(|class| units.convert(class));
        RowWeights {
            terms: terms.to_vec(),
            weights: fit.classes().iter().map(convert).collect(),
            configurations,
        }
    }

    /// Rows that come with all their rotations, so that there are as many ties as columns.
    fn rotated_rows(columns: usize) -> crate::dataset::Dataset {
        let mut random = Random::new(6);
        let (mut outcome, mut values) = (Vec::new(), vec![Vec::new(); columns]);
        for _ in 0..60 {
            let row: Vec<bool> = (0..columns).map(|_| random.chance(0.4)).collect();
            let neighbours = (0..columns).filter(|&place| row[place] && !row[(place + 1) % columns]).count();
            let is_case = random.chance(0.15 + 0.15 * neighbours as f64);
            for shift in 0..columns {
                outcome.push(is_case);
                (0..columns)
                    .for_each(|place| values[place].push(row[(place + shift) % columns].then_some(0)));
            }
        }
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        for (number, values) in values.into_iter().enumerate() {
            builder.attribute(&format!("V{number}"), vec![format!("V{number}")], values);
        }
        builder.finish()
    }

    /// The sums of a term from its own counts.
    fn sum_of(swept: &SweptModel<'_>, counter: &LocalCounter, term: &Candidate) -> Weight {
        let sum: Mutex<Weight> = Mutex::default();
        let on_counts = |_: usize, _: &Configurations, with: &[Count]| {
            let mut sum = lock(&sum);
            for (count, [case, control]) in with.iter().zip(&swept.weights.weights) {
                let (cases, controls) = (count.positive as i64, count.negative as i64);
                sum.score += cases * case.score + controls * control.score;
                sum.information += cases * case.information + controls * control.information;
            }
        };
        counter.configurations(swept.terms, std::slice::from_ref(term), &on_counts).unwrap();
        into_inner(sum)
    }

    /// Ties are broken by the order of the columns, and the cells of a pair have the signs of their literals.
    #[test]
    fn a_sweep_finds_the_best_terms_as_if_each_was_counted_by_itself() {
        let columns = 20;
        let data = rotated_rows(columns);
        let counter = LocalCounter::new(&data);
        let settings = Settings { method: Method::JOINT, ..Settings::default() };
        let context = Context::new(Arc::new(counter.clone()), &data, settings, &NoProgress).unwrap();
        let space = ModelSpace::new(&context).unwrap();
        for (scale, terms) in [
            (Scale::Logistic, vec![]),
            (Scale::Logistic, vec![Candidate::single(3)]),
            (Scale::Logistic, vec![Candidate::new([Literal::plain(1), Literal::negation(2)])]),
            (Scale::Sufficient, vec![]),
        ] {
            let configurations = counter.configurations_of(&terms).unwrap();
            let fit = Regression::fit(scale, &Groups::from(&configurations), terms.len(), None).unwrap();
            let units = Units::new(&configurations, fit.classes());
            let weights = row_weights(&terms, configurations, &fit, units);
            let (total, known) = (weights.total(), space.attributes_of(terms.iter()));
            let swept =
                SweptModel { terms: &terms, scale, regression: &fit, weights, total, units, known: &known };
            let score = |term: Candidate| swept.score(&space, term.clone(), sum_of(&swept, &counter, &term));
            let signs = || (0..columns as u32).map(Literal::signs);
            let singles = signs().flatten().filter(|literal| !literal.is_negated() || !scale.is_signed());
            let mut singles: Vec<Scored> =
                singles.filter_map(|literal| score(Candidate::single(literal))).collect();
            let mut pairs: Vec<Scored> = Vec::new();
            for (one, two) in signs().flat_map(|one| signs().map(move |two| (one, two))) {
                let cells = one.into_iter().flat_map(|one| two.map(|two| [one, two]));
                let is_ordered = one[0].column() < two[0].column();
                pairs.extend(cells.filter(|_| is_ordered).filter_map(|cell| score(Candidate::new(cell))));
            }
            assert!(pairs.len() > 2 * RETURNED, "some pairs are left out");
            let in_order =
                |a: &Scored, b: &Scored| (-a.gain).total_cmp(&-b.gain).then_with(|| a.term.cmp(&b.term));
            for found in [&mut singles, &mut pairs] {
                found.sort_by(in_order);
                found.truncate(RETURNED);
            }
            let is_tie = |pair: &[Scored]| pair[0].gain == pair[1].gain;
            assert!(pairs.windows(2).filter(|pair| is_tie(pair)).count() > RETURNED / 4);
            let mut expected: Vec<Scored> = singles.into_iter().chain(pairs).collect();
            expected.sort_by(in_order);
            let expected: Vec<Candidate> = expected.into_iter().map(|scored| scored.term).collect();
            let found = swept.sweep(&space).unwrap();
            assert_eq!(found.terms, expected, "{scale:?} {terms:?}");
        }
    }

    /// Equal gains are frequent: columns with the same counts.
    #[test]
    fn screened_pairs_with_equal_gains_are_in_data_order() {
        let mut random = crate::random::Random::new(1);
        let pairs = (0..40u32).map(|pair| Candidate::new(vec![pair % 8, 8 + pair / 8]));
        let mut sorted: Vec<(f64, Candidate)> = pairs.map(|pair| (random.below(3) as f64, pair)).collect();
        sorted.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        for kept in [1, 7, 20, 39, 40] {
            let scored = |(gain, term): &(f64, Candidate)| Scored { gain: *gain, term: term.clone() };
            let mut found: Vec<Scored> = sorted.iter().map(scored).collect();
            random.shuffle(&mut found);
            truncate(&mut found, kept);
            found.sort_by(best_first);
            let found: Vec<&Candidate> = found.iter().map(|scored| &scored.term).collect();
            assert_eq!(found, sorted[..kept].iter().map(|(_, term)| term).collect::<Vec<_>>());
        }
    }

    /// The scores and the information of all columns differ little from those before rounding.
    #[test]
    fn rounding_hardly_changes_scores_and_information() {
        let data = random_dataset(1, 5000, 49);
        let terms: Vec<Candidate> = (0..8).map(Candidate::single).collect();
        let counter = LocalCounter::new(&data);
        let configurations = counter.configurations_of(&terms).unwrap();
        let groups = Groups::from(&configurations);
        for scale in [Scale::Logistic, Scale::Probit] {
            let regression = Regression::fit(scale, &groups, terms.len(), None).unwrap();
            let units = Units::new(&configurations, regression.classes());
            assert!(units.score < 1000.0 && units.information < 1000.0, "the weights have few digits");
            let weights = row_weights(&terms, configurations.clone(), &regression, units);
            let total = weights.total();
            let swept = SweptModel {
                terms: &terms,
                scale,
                regression: &regression,
                weights,
                total,
                units,
                known: &[],
            };
            let columns: Vec<u32> = (8..data.columns().len() as u32).collect();
            let rounded: Mutex<Vec<Weight>> = Mutex::default();
            let all_rows = [(Candidate::default(), 0)];
            let on_sums = |_: usize, sums: &[Weight]| *lock(&rounded) = sums.to_vec();
            let plain = Literal::plain_all(&columns);
            counter.weighted_sums(&swept.weights, &all_rows, &plain, &on_sums).unwrap();
            let candidates: Vec<Candidate> =
                columns.iter().map(|&column| Candidate::single(column)).collect();
            let exact: Mutex<Vec<(usize, f64, f64)>> = Mutex::default();
            let on_counts = |number: usize, _: &Configurations, with: &[Count]| {
                let (mut score, mut information) = (0.0, 0.0);
                for (count, [case, control]) in with.iter().zip(regression.classes()) {
                    score += count.positive as f64 * case.slope + count.negative as f64 * control.slope;
                    information +=
                        count.positive as f64 * case.curvature + count.negative as f64 * control.curvature;
                }
                lock(&exact).push((number, score, information));
            };
            counter.configurations(&terms, &candidates, &on_counts).unwrap();
            let rounded = into_inner(rounded);
            for (number, score, information) in into_inner(exact) {
                let (found, rounded_information) = swept.converter()(rounded[number]);
                let error = (found - score).abs() / information.sqrt();
                assert!(error < 0.05 * SCORE_ERROR, "{scale:?} {number}: {error}");
                let error = (rounded_information / information - 1.0).abs();
                assert!(error < INFORMATION_ERROR, "{scale:?} {number}: {error}");
            }
        }
    }
}
