//! Probabilities of terms, attributes and scales, from the models in Occam's window.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::average::average_for_prediction;
use super::effort::{MOST_TERMS, WINDOW};
use super::joint_sets::find_joint_sets;
use super::model_search::{Model, ModelSearch};
use super::space::ModelSpace;
use crate::dataset::{Candidate, Literal};
use crate::error::Error;
use crate::model::Scale;
use crate::search::findings::{AttributeSet, CutRange, Posterior, Reason};

/// A set of attributes with at least this probability is a cause.
const CAUSE: f64 = 0.5;

/// Alternatives below this probability are not listed.
const LEAST_ALTERNATIVE: f64 = 0.005;

/// The share of the probability of a cut that its credible range may leave out on each side.
const TAIL: f64 = 0.025;

/// The terms of a model in the window, with its weight.
struct Weighted {
    weight: f64,
    terms: BTreeMap<BTreeSet<usize>, Vec<Candidate>>,
    attributes: BTreeSet<usize>,
}

/// The terms over each set of attributes, with their probabilities, the most probable first.
type SetTerms<'a> = BTreeMap<&'a BTreeSet<usize>, Vec<(Candidate, f64)>>;

/// The probabilities of all sets of attributes but those separated from the target.
pub(super) fn average_models(
    search: &ModelSearch<'_>,
    separated: &[(Candidate, Reason)],
) -> Result<Posterior, Error> {
    let (best_model, best) = match search.best(None) {
        Some((model, score)) => (Some(model), score),
        None => (None, 0.0),
    };
    let mut window: Vec<(&Model, f64)> = search
        .scores
        .iter()
        .filter(|(_, score)| **score >= best - WINDOW.ln())
        .map(|(model, score)| (model, (score - best).exp()))
        .collect();
    window.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let sum: f64 = window.iter().map(|(_, weight)| weight).sum();
    let space = search.space;
    let separated: Vec<BTreeSet<usize>> =
        separated.iter().map(|(column, _)| space.attributes(column)).collect();
    let mut joint_sets: BTreeMap<Vec<Candidate>, Vec<Candidate>> = BTreeMap::new();
    let mut models: Vec<Weighted> = Vec::with_capacity(window.len());
    let mut scales: BTreeMap<Scale, f64> = BTreeMap::new();
    for (model, weight) in &window {
        let weight = weight / sum;
        *scales.entry(model.scale).or_default() += weight;
        let free = |terms: &[u32]| -> Vec<Candidate> {
            let free = terms.iter().filter(|&&term| term >= space.fixed.len() as u32);
            free.map(|&term| search.terms[term as usize].clone()).collect()
        };
        let mut terms = free(&model.terms);
        if model.scale == Scale::Table {
            let rules = free(&model.rules);
            let tabled: Vec<Candidate> = terms.into_iter().filter(|term| !rules.contains(term)).collect();
            let sets = match joint_sets.get(&tabled) {
                Some(sets) => sets.clone(),
                None => {
                    let sets = find_joint_sets(space, &tabled)?;
                    joint_sets.insert(tabled, sets.clone());
                    sets
                }
            };
            terms = sets.into_iter().chain(rules).collect();
        }
        let mut found = Weighted { weight, terms: BTreeMap::new(), attributes: BTreeSet::new() };
        for term in terms {
            let attributes = space.attributes(&term);
            if separated.contains(&attributes) {
                continue;
            }
            // A single literal and its negation are the same cause.
            let name = if term.level() == 1 { term.unsigned() } else { term };
            found.attributes.extend(&attributes);
            let terms = found.terms.entry(attributes).or_default();
            if !terms.contains(&name) {
                terms.push(name);
            }
        }
        models.push(found);
    }
    let mut by_attribute: BTreeMap<usize, f64> = BTreeMap::new();
    let mut by_set: BTreeMap<&BTreeSet<usize>, BTreeMap<&Candidate, f64>> = BTreeMap::new();
    let mut no_cause = 0.0;
    for model in &models {
        no_cause += if model.terms.is_empty() { model.weight } else { 0.0 };
        model
            .attributes
            .iter()
            .for_each(|&attribute| *by_attribute.entry(attribute).or_default() += model.weight);
        for (set, terms) in &model.terms {
            let own = by_set.entry(set).or_default();
            terms.iter().for_each(|term| *own.entry(term).or_default() += model.weight);
        }
    }
    let terms: SetTerms<'_> =
        by_set.into_iter().map(|(set, terms)| (set, most_probable_first(terms))).collect();
    let mut attribute_sets: Vec<AttributeSet> =
        terms.keys().map(|set| describe_set(space, set, &models, &terms)).collect();
    add_undecided(space, &mut attribute_sets, &by_attribute, &models, &terms);
    attribute_sets.sort_by(|a, b| {
        b.probability.total_cmp(&a.probability).then_with(|| a.attributes.cmp(&b.attributes))
    });
    let scales = Scale::ALL.iter().filter_map(|scale| Some((*scale, rounded(*scales.get(scale)?)))).collect();
    Ok(Posterior {
        average: average_for_prediction(search, &window)?,
        models: window.len(),
        best_scale: best_model.map_or(Scale::Logistic, |model| model.scale),
        best_terms: best_model.map_or_else(Vec::new, |model| search.terms_of(model)),
        best_rules: best_model.map_or_else(Vec::new, |model| {
            model.rules.iter().map(|&term| search.terms[term as usize].clone()).collect()
        }),
        most_terms: best_model
            .is_some_and(|model| model.terms.len() >= space.fixed.len() + MOST_TERMS)
            .then_some(MOST_TERMS),
        no_cause: rounded(no_cause),
        scales,
        attribute_sets,
        attributes: by_attribute.into_iter().map(|(attribute, p)| (attribute, rounded(p))).collect(),
    })
}

/// The probabilities of a set of attributes, of its terms, and of those that take its place.
fn describe_set(
    space: &ModelSpace<'_>,
    set: &BTreeSet<usize>,
    models: &[Weighted],
    terms: &SetTerms<'_>,
) -> AttributeSet {
    let (mut probability, mut matters) = (0.0, 0.0);
    let mut instead: BTreeMap<&BTreeSet<usize>, f64> = BTreeMap::new();
    for model in models {
        matters += if set.is_subset(&model.attributes) { model.weight } else { 0.0 };
        if model.terms.contains_key(set) {
            probability += model.weight;
            continue;
        }
        for other in model.terms.keys().filter(|other| !other.is_disjoint(set)) {
            *instead.entry(other).or_default() += model.weight;
        }
    }
    let own = terms.get(set).cloned().unwrap_or_default();
    let mut alternatives: Vec<(Candidate, f64)> = instead
        .into_iter()
        .filter(|(_, probability)| *probability >= LEAST_ALTERNATIVE)
        .filter_map(|(other, probability)| {
            let (term, _) = terms.get(other)?.first()?;
            Some((term.clone(), rounded(probability)))
        })
        .collect();
    alternatives.sort_by(by_probability);
    let probability = rounded(probability);
    AttributeSet {
        attributes: set.clone(),
        probability,
        matters: rounded(matters),
        cuts: find_cuts(space, set, &own),
        terms: own,
        is_cause: probability >= CAUSE,
        is_undecided: false,
        alternatives,
    }
}

/// Terms with their probabilities, the most probable first.
fn most_probable_first(terms: BTreeMap<&Candidate, f64>) -> Vec<(Candidate, f64)> {
    let rounded = terms.into_iter().map(|(term, probability)| (term.clone(), rounded(probability)));
    let mut terms: Vec<(Candidate, f64)> = rounded.collect();
    terms.sort_by(by_probability);
    terms
}

fn by_probability(a: &(Candidate, f64), b: &(Candidate, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0))
}

/// Marks the attributes that matter with a probability of at least ½ although no set with them does.
fn add_undecided(
    space: &ModelSpace<'_>,
    sets: &mut Vec<AttributeSet>,
    by_attribute: &BTreeMap<usize, f64>,
    models: &[Weighted],
    terms: &SetTerms<'_>,
) {
    let decided: BTreeSet<usize> =
        sets.iter().filter(|set| set.is_cause).flat_map(|set| set.attributes.iter().copied()).collect();
    for (&attribute, &probability) in by_attribute {
        if rounded(probability) < CAUSE || decided.contains(&attribute) {
            continue;
        }
        let own = BTreeSet::from([attribute]);
        if sets.iter().all(|set| set.attributes != own) {
            let with_it = terms.iter().filter(|(set, _)| set.contains(&attribute));
            let mut with_it: Vec<(Candidate, f64)> = with_it.flat_map(|(_, terms)| terms).cloned().collect();
            with_it.sort_by(by_probability);
            sets.push(AttributeSet { terms: with_it, ..describe_set(space, &own, models, terms) });
        }
        for set in sets.iter_mut().filter(|set| set.attributes == own) {
            (set.is_cause, set.is_undecided) = (true, true);
        }
    }
}

/// The most probable cut of each ordered attribute in some terms, with its credible range. A threshold stands for the
/// cuts that are nearer to it than to another threshold.
fn find_cuts(space: &ModelSpace<'_>, set: &BTreeSet<usize>, terms: &[(Candidate, f64)]) -> Vec<CutRange> {
    let columns = space.context.columns();
    let cut_of = |attribute: usize| {
        let thresholds = space.thresholds(attribute).filter(|thresholds| !thresholds.is_empty())?;
        let number = |column: &u32| columns[*column as usize].cut.as_ref()?.parse::<f64>().ok();
        let cuts: Vec<f64> = thresholds.iter().map(number).collect::<Option<_>>()?;
        let threshold = |term: &Candidate| -> Option<Literal> {
            let parts = term.parts(columns)?;
            let part = parts.iter().find(|part| part.attribute == attribute && part.end.is_none())?;
            Some(part.literal)
        };
        // An interval has two cuts, which are in its name.
        let first = threshold(&terms.first()?.0)?;
        let place = |literal: Literal| thresholds.iter().position(|&column| column == literal.column());
        let mut weights = vec![0.0; cuts.len()];
        for (term, probability) in terms {
            let same_side = threshold(term).filter(|literal| literal.is_negated() == first.is_negated());
            if let Some(place) = same_side.and_then(place) {
                weights[place] += probability;
            }
        }
        let (all, best) = (weights.iter().sum::<f64>(), place(first)?);
        if all <= 0.0 {
            return None;
        }
        let first_beyond = |mut places: Box<dyn Iterator<Item = usize>>| {
            let mut tail = 0.0;
            places.find(|&place| {
                tail += weights[place] / all;
                tail > TAIL
            })
        };
        let (low, high) =
            (first_beyond(Box::new(0..cuts.len()))?, first_beyond(Box::new((0..cuts.len()).rev()))?);
        // Without the rounding noise of the last digits.
        let between = |one: usize, two: usize| {
            let middle = (cuts[one] + cuts[two]) / 2.0;
            format!("{middle:.9e}").parse().unwrap_or(middle)
        };
        Some(CutRange {
            attribute,
            value: cuts[best],
            low: low.checked_sub(1).map_or(cuts[low], |below| between(below, low)),
            high: if high + 1 < cuts.len() { between(high, high + 1) } else { cuts[high] },
        })
    };
    set.iter().filter_map(|&attribute| cut_of(attribute)).collect()
}

/// A sum of probabilities without its rounding errors, which depend on the order of the columns.
fn rounded(probability: f64) -> f64 {
    (probability * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Miner;
    use crate::dataset::{DatasetBuilder, Target};
    use crate::progress::NoProgress;
    use crate::random::Random;
    use crate::search::{Settings, mine};

    /// Two columns that act jointly, one of them negated: the conjunction without negations is the same finding.
    #[test]
    fn a_conjunction_with_other_signs_than_a_cause_is_not_rejected() {
        let (mut outcome, mut x, mut y) = (Vec::new(), Vec::new(), Vec::new());
        for (has_x, has_y, cases) in
            [(true, true, 20), (true, false, 80), (false, true, 20), (false, false, 20)]
        {
            outcome.extend((0..100).map(|row| row < cases));
            x.extend((0..100).map(|_| has_x.then_some(0)));
            y.extend((0..100).map(|_| has_y.then_some(0)));
        }
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        builder.attribute("x", vec!["x".into()], x);
        builder.attribute("y", vec!["y".into()], y);
        let data = builder.finish();
        let mining = Miner::from(Settings::default()).mine(&data).unwrap();
        for name in ["x&!y", "x&y"] {
            let reason = mining.explain(name).unwrap();
            assert!(
                matches!(reason, Reason::Probable { probability, .. } if probability > 0.9),
                "{reason:?}"
            );
        }
        let rejected = mining.rejections(10).unwrap();
        assert!(rejected.iter().all(|rejection| rejection.candidate.level() == 1), "{rejected:?}");
    }

    /// The risk is higher if the first two columns are unequal. No single term over them improves the empty model, and
    /// the number of other columns makes no difference.
    #[test]
    fn columns_that_matter_only_by_being_unequal_are_one_cause() {
        for columns in [45, 46] {
            let mut random = Random::new(4);
            let values: Vec<Vec<bool>> =
                (0..columns).map(|_| (0..4000).map(|_| random.chance(0.5)).collect()).collect();
            let outcome = (0..4000)
                .map(|row| random.chance(if values[0][row] == values[1][row] { 0.39 } else { 0.51 }))
                .collect();
            let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
            for (number, values) in values.iter().enumerate() {
                let name = format!("V{number}");
                builder.attribute(&name, vec![name.clone()], values.iter().map(|&value| value.then_some(0)));
            }
            let data = builder.finish();
            let found = mine(&data, &Settings::default(), &NoProgress).unwrap();
            let sets: Vec<Candidate> = found.causes.iter().map(|cause| cause.candidate.unsigned()).collect();
            assert_eq!(sets, [Candidate::new(vec![0, 1])], "{columns} columns");
            let posterior = found.posterior.unwrap();
            assert!(posterior.best_scale != Scale::Table && posterior.best_terms.len() == 2, "{posterior:?}");
        }
    }

    /// Few rows have neither of the first two levels of an attribute, so that a level and the negation of the other one
    /// are almost the same. None of the four conjunctions is probable, but one of them is.
    #[test]
    fn a_probable_set_of_attributes_is_shown_as_its_most_probable_columns() {
        let (mut outcome, mut x, mut y) = (Vec::new(), Vec::new(), Vec::new());
        for cell in 0..9 {
            let (of_x, of_y) = (cell / 3, cell % 3);
            let rows = if of_x == 2 || of_y == 2 { 5 } else { 100 };
            let cases = match (of_x, of_y) {
                (0, 0) => 70,
                (0 | 2, 0 | 2) => 2,
                _ => rows / 5,
            };
            outcome.extend((0..rows).map(|row| row < cases));
            x.extend((0..rows).map(|_| Some(of_x)));
            y.extend((0..rows).map(|_| Some(of_y)));
        }
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        for (name, levels) in [("x", x), ("y", y)] {
            let columns = ["a", "b", "c"].map(|level| format!("{name}={level}"));
            builder.attribute(name, columns.to_vec(), levels);
        }
        let data = builder.finish();
        let found = mine(&data, &Settings::default(), &NoProgress).unwrap();
        let sets = found.posterior.unwrap().attribute_sets;
        let pairs: Vec<&AttributeSet> = sets.iter().filter(|set| set.attributes.len() == 2).collect();
        assert!(pairs.len() == 1 && pairs[0].is_cause && pairs[0].probability > 0.9, "{pairs:?}");
        assert!(pairs[0].terms.iter().all(|(_, probability)| *probability < 0.9), "{pairs:?}");
        assert_eq!(found.causes.len(), 1);
    }
}
