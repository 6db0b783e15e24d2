//! Probabilities of terms, columns and scales, from the models in Occam's window.

use std::collections::{BTreeMap, BTreeSet};

use super::effort::{MOST_TERMS, WINDOW};
use super::model_search::{Model, ModelSearch};
use crate::dataset::Candidate;
use crate::model::Scale;
use crate::search::findings::{ColumnSet, Posterior, Reason};

/// A set of attributes with at least this probability is a cause.
const CAUSE: f64 = 0.5;

/// The probabilities of all sets of columns but those separated from the target.
pub(super) fn average_models(search: &ModelSearch<'_>, separated: &[(Candidate, Reason)]) -> Posterior {
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
    let columns = search.space.context.columns();
    let fixed = search.space.fixed.len() as u32;
    let mut sets: BTreeMap<Candidate, f64> = BTreeMap::new();
    let mut terms: BTreeMap<Candidate, f64> = BTreeMap::new();
    let mut by_attributes: BTreeMap<BTreeSet<usize>, f64> = BTreeMap::new();
    let mut by_column: BTreeMap<u32, f64> = BTreeMap::new();
    let mut instead: BTreeMap<(Candidate, Candidate), f64> = BTreeMap::new();
    let mut scales: BTreeMap<Scale, f64> = BTreeMap::new();
    let mut no_cause = 0.0;
    let models: Vec<(BTreeSet<Candidate>, f64)> = window
        .iter()
        .map(|(model, weight)| {
            let weight = weight / sum;
            *scales.entry(model.scale).or_default() += weight;
            let free = model.terms.iter().filter(|&&term| term >= fixed);
            let mut unsigned: BTreeSet<Candidate> = BTreeSet::new();
            let mut used: BTreeSet<u32> = BTreeSet::new();
            for &term in free {
                let term = &search.terms[term as usize];
                let set = term.unsigned();
                if separated.iter().any(|(column, _)| *column == set) {
                    continue;
                }
                // A single literal and its negation are the same cause.
                let name = if term.level() == 1 { term.unsigned() } else { term.clone() };
                *terms.entry(name).or_default() += weight;
                used.extend(set.literals().iter().map(|literal| literal.column()));
                unsigned.insert(set);
            }
            if unsigned.is_empty() {
                no_cause += weight;
            }
            for attributes in unsigned.iter().map(|set| set.attributes(columns)).collect::<BTreeSet<_>>() {
                *by_attributes.entry(attributes).or_default() += weight;
            }
            unsigned.iter().for_each(|set| *sets.entry(set.clone()).or_default() += weight);
            used.into_iter().for_each(|column| *by_column.entry(column).or_default() += weight);
            (unsigned, weight)
        })
        .collect();
    for (unsigned, weight) in &models {
        for set in sets.keys().filter(|set| !unsigned.contains(*set)) {
            for other in unsigned.iter().filter(|other| other.overlaps(set)) {
                *instead.entry((set.clone(), other.clone())).or_default() += weight;
            }
        }
    }
    let mut column_sets: Vec<ColumnSet> = sets
        .into_iter()
        .map(|(set, probability)| {
            let own = terms_over(&terms, &set);
            let others = instead.iter().filter(|((of, _), _)| *of == set);
            let alternative = others.max_by(|a, b| a.1.total_cmp(b.1)).map(|((_, other), &p)| (other, p));
            let own = own.into_iter().map(|(term, p)| (term, rounded(p))).collect();
            // A set of columns is named by its most probable term: with other signs it is another condition.
            let alternative = alternative.and_then(|(other, p)| {
                let (term, _) = terms_over(&terms, other).into_iter().next()?;
                Some((term, rounded(p)))
            });
            let probability = rounded(probability);
            ColumnSet { columns: set, probability, terms: own, is_cause: false, alternative }
        })
        .collect();
    column_sets
        .sort_by(|a, b| b.probability.total_cmp(&a.probability).then_with(|| a.columns.cmp(&b.columns)));
    let mut causes: BTreeMap<BTreeSet<usize>, f64> = by_attributes;
    causes.retain(|_, probability| rounded(*probability) >= CAUSE);
    for set in &mut column_sets {
        let is_most_probable = causes.remove(&set.columns.attributes(columns)).is_some();
        set.is_cause = is_most_probable || set.probability >= CAUSE;
    }
    let scales = Scale::ALL.iter().filter_map(|scale| Some((*scale, rounded(*scales.get(scale)?)))).collect();
    Posterior {
        models: window.len(),
        best_scale: best_model.map_or(Scale::Logistic, |model| model.scale),
        best_terms: best_model.map_or_else(Vec::new, |model| search.terms_of(model)),
        best_rules: best_model.map_or_else(Vec::new, |model| {
            model.rules.iter().map(|&term| search.terms[term as usize].clone()).collect()
        }),
        most_terms: best_model
            .is_some_and(|model| model.terms.len() >= fixed as usize + MOST_TERMS)
            .then_some(MOST_TERMS),
        no_cause: rounded(no_cause),
        scales,
        column_sets,
        columns: by_column.into_iter().map(|(column, p)| (column, rounded(p))).collect(),
    }
}

/// The terms over these columns, the most probable first.
fn terms_over(terms: &BTreeMap<Candidate, f64>, set: &Candidate) -> Vec<(Candidate, f64)> {
    let own = terms.iter().filter(|(term, _)| term.unsigned() == *set);
    let mut own: Vec<(Candidate, f64)> = own.map(|(term, &p)| (term.clone(), p)).collect();
    own.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    own
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
        let sets = found.posterior.unwrap().column_sets;
        let pairs: Vec<&ColumnSet> = sets.iter().filter(|set| set.columns.level() == 2).collect();
        assert!(
            pairs[0].probability < 0.5 && pairs.iter().map(|set| set.probability).sum::<f64>() > 0.9,
            "{pairs:?}"
        );
        assert!(pairs[0].is_cause && pairs[1..].iter().all(|set| !set.is_cause), "{pairs:?}");
        assert_eq!(found.causes.len(), 1);
    }
}
