//! The search compared with the enumeration of all models of small data.

use std::collections::BTreeMap;

use super::model_search::{ModelSearch, WINDOW};
use super::neighbours::Expansion;
use super::posterior::Posterior;
use super::space::ModelSpace;
use crate::count::LocalCounter;
use crate::dataset::{Candidate, Dataset, DatasetBuilder, Target};
use crate::model::Scale;
use crate::progress::NoProgress;
use crate::random::Random;
use crate::search::context::Context;
use crate::search::{Method, Settings};

/// A few columns, and an outcome that depends on one column and on a conjunction with a negation.
fn random_data(seed: u64, columns: usize, rows: usize) -> Dataset {
    let mut random = Random::new(seed);
    let values: Vec<Vec<bool>> =
        (0..columns).map(|_| (0..rows).map(|_| random.chance(0.5)).collect()).collect();
    let strength = [random.unit(), random.unit()];
    let outcome = (0..rows)
        .map(|row| {
            let held = [values[0][row], values[1][row] && !values[2][row]];
            let spared: f64 =
                held.iter().zip(strength).map(|(&held, q)| if held { 1.0 - q } else { 1.0 }).product();
            random.chance(1.0 - 0.8 * spared)
        })
        .collect();
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
    for (number, values) in values.iter().enumerate() {
        let name = format!("V{}", number + 1);
        builder.attribute(&name, vec![name.clone()], values.iter().map(|&value| value.then_some(0)));
    }
    builder.finish()
}

/// All terms up to level 2.
fn all_terms(space: &ModelSpace<'_>, scale: Scale) -> Vec<Candidate> {
    let literals: Vec<u32> = space.singles.iter().flat_map(|&column| space.signs(column)).collect();
    let mut found: Vec<Candidate> = Vec::new();
    for &one in &literals {
        for &two in &literals {
            let term = Candidate::new(vec![one, two]);
            if space.allows(&term) {
                found.push(space.canonical(term, scale));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The score of every model with at most this many terms.
fn enumerate(space: &ModelSpace<'_>, scale: Scale, most_terms: usize) -> BTreeMap<Vec<Candidate>, f64> {
    let terms = all_terms(space, scale);
    let mut found = BTreeMap::new();
    let mut models: Vec<(Vec<Candidate>, usize)> = vec![(Vec::new(), 0)];
    while let Some((model, next)) = models.pop() {
        let expansion = Expansion::new(space, scale, model.clone(), Vec::new()).unwrap();
        found.insert(model.clone(), expansion.score());
        if model.len() < most_terms {
            for (place, term) in terms.iter().enumerate().skip(next) {
                let larger = model.iter().cloned().chain([term.clone()]).collect();
                models.push((larger, place + 1));
            }
        }
    }
    found
}

fn sorted(mut terms: Vec<Candidate>) -> Vec<Candidate> {
    terms.sort_unstable();
    terms
}

#[test]
fn the_search_finds_the_best_model_of_all_and_scores_it_alike() {
    for seed in 1..=25 {
        let data = random_data(seed, 3, 200 + 40 * seed as usize);
        let counter = LocalCounter::new(&data);
        let settings = Settings { method: Method::JOINT, ..Settings::default() };
        let context = Context::new(Box::new(counter), data.columns(), settings, &NoProgress).unwrap();
        let space = ModelSpace::new(&context);
        let mut search = ModelSearch::new(&space);
        search.run().unwrap();
        let (best, score) = search.best(None).unwrap();
        let mut weights: BTreeMap<(Scale, Vec<Candidate>), f64> = BTreeMap::new();
        for scale in Scale::ALL {
            for (terms, score) in enumerate(&space, scale, 3) {
                weights.insert((scale, terms), score);
            }
        }
        let truth = weights.iter().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        assert!(
            score > truth.1 - 1e-4,
            "seed {seed}: found {:?} {score}, but {:?} has {}",
            search.terms_of(best).iter().map(|term| term.name(data.columns())).collect::<Vec<_>>(),
            truth.0.1.iter().map(|term| term.name(data.columns())).collect::<Vec<_>>(),
            truth.1
        );
        // Every model has one score, however the search reached it. At the bounds of the additive and multiplicative
        // scales Newton's method ends a little short of the mode.
        for (model, found) in &search.scores {
            let terms = sorted(search.terms_of(model));
            if let Some(score) = weights.get(&(model.scale, terms)) {
                let error = match model.scale {
                    Scale::Additive | Scale::Multiplicative => 1e-2,
                    _ => 1e-5,
                };
                assert!(found == score || (found - score).abs() < error, "{model:?}: {found} {score}");
            }
        }
        // The probabilities of the sets of columns agree with those of all models of this size.
        let posterior = Posterior::new(&search);
        let window: Vec<(&(Scale, Vec<Candidate>), f64)> = weights
            .iter()
            .filter(|(_, weight)| **weight >= score - WINDOW.ln())
            .map(|(model, weight)| (model, (weight - score).exp()))
            .collect();
        let sum: f64 = window.iter().map(|(_, weight)| weight).sum();
        for set in &posterior.column_sets {
            let has_set =
                |terms: &[Candidate]| terms.iter().any(|term| term.unsigned(data.columns()) == set.columns);
            let wanted: f64 =
                window.iter().filter(|(model, _)| has_set(&model.1)).map(|(_, w)| w / sum).sum();
            // Models of more than three terms are not enumerated.
            assert!((set.probability - wanted).abs() < 0.08, "seed {seed}: {} {wanted}", set.probability);
        }
    }
}
