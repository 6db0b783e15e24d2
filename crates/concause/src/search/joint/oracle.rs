//! The search compared with the enumeration of all models of small data.

use std::collections::BTreeMap;

use super::model_search::{Model, ModelSearch, WINDOW};
use super::neighbours::Expansion;
use super::space::ModelSpace;
use super::tables::{RuleTable, score_table};
use crate::count::LocalCounter;
use crate::dataset::{Candidate, Dataset, DatasetBuilder, Target};
use crate::model::Scale;
use crate::progress::NoProgress;
use crate::random::Random;
use crate::search::context::Context;
use crate::search::{Knowledge, Method, Settings};

/// Models with more terms are not enumerated.
const MOST_TERMS: usize = 3;

/// Models with a lower probability are not compared.
const LEAST_PROBABILITY: f64 = 0.1;

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
    dataset(&values, outcome)
}

/// A data set with these columns.
fn dataset(values: &[Vec<bool>], outcome: Vec<bool>) -> Dataset {
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

/// All sets of at most [`MOST_TERMS`] terms.
fn all_sets(terms: &[Candidate]) -> Vec<Vec<Candidate>> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<Candidate>, usize)> = vec![(Vec::new(), 0)];
    while let Some((set, next)) = open.pop() {
        if set.len() < MOST_TERMS {
            for (place, term) in terms.iter().enumerate().skip(next) {
                open.push((set.iter().cloned().chain([term.clone()]).collect(), place + 1));
            }
        }
        found.push(set);
    }
    found
}

/// A model by its terms; for tables the rules come apart.
type Terms = (Scale, Vec<Candidate>, Vec<Candidate>);

/// The score of every model with at most [`MOST_TERMS`] terms.
fn enumerate(space: &ModelSpace<'_>) -> BTreeMap<Terms, f64> {
    let mut found = BTreeMap::new();
    for scale in Scale::REGRESSIONS {
        for set in all_sets(&all_terms(space, scale)) {
            let expansion = Expansion::new(space, scale, set.clone(), Vec::new(), None).unwrap();
            found.insert((scale, set, Vec::new()), expansion.score());
        }
    }
    // In tables a literal may be negated only as a rule.
    for set in all_sets(&all_terms(space, Scale::Sufficient)) {
        for rules in 0..1usize << set.len() {
            let is_rule = |place: usize| rules >> place & 1 == 1;
            let pick = |wanted: bool| {
                let chosen = set.iter().enumerate().filter(|(place, _)| is_rule(*place) == wanted);
                chosen.map(|(_, term)| term.clone()).collect::<Vec<_>>()
            };
            let (tabled, rules) = (pick(false), pick(true));
            if tabled.iter().all(|term| space.canonical(term.clone(), Scale::Table) == *term) {
                let table = RuleTable {
                    tabled: tabled.iter().cloned().collect(),
                    rules: rules.iter().cloned().collect(),
                };
                found.insert((Scale::Table, set.clone(), rules), score_table(space, &table).unwrap());
            }
        }
    }
    found
}

fn terms_of(search: &ModelSearch<'_>, model: &Model) -> Terms {
    let sorted = |numbers: &[u32]| {
        let mut terms: Vec<Candidate> =
            numbers.iter().map(|&number| search.terms[number as usize].clone()).collect();
        terms.sort_unstable();
        terms
    };
    (model.scale, sorted(&model.terms), sorted(&model.rules))
}

#[test]
fn the_search_finds_the_best_models_of_all_and_scores_them_alike() {
    let (mut missed, mut compared) = (0.0, 0.0);
    for seed in 1..=16 {
        let data = random_data(seed, 3, 200 + 40 * seed as usize);
        let counter = LocalCounter::new(&data);
        let settings = Settings { method: Method::JOINT, ..Settings::default() };
        let context = Context::new(Box::new(counter), data.columns(), settings, &NoProgress).unwrap();
        let space = ModelSpace::new(&context).unwrap();
        let mut search = ModelSearch::new(&space);
        search.run().unwrap();
        let all = enumerate(&space);
        let (best, truth) = all.iter().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        let found = search.best(None).unwrap();
        assert!(found.1 > truth - 1e-4, "seed {seed}: found {:?} {}, but {best:?} {truth}", found.0, found.1);
        // Every model has one score, however the search reached it. At the bounds of the additive and multiplicative
        // scales Newton's method ends a little short of the mode.
        let scores: BTreeMap<Terms, f64> =
            search.scores.iter().map(|(model, &score)| (terms_of(&search, model), score)).collect();
        for (model, score) in &scores {
            if let Some(enumerated) = all.get(model) {
                let error = match model.0 {
                    Scale::Additive | Scale::Multiplicative => 1e-2,
                    _ => 1e-5,
                };
                assert!(
                    score == enumerated || (score - enumerated).abs() < error,
                    "{model:?}: {score} {enumerated}"
                );
            }
        }
        // The models in the window are found. Equal weights of many models would need more effort than the limits
        // allow, so those of a low probability may be missing.
        let window: Vec<(&Terms, f64)> = all
            .iter()
            .filter(|(_, score)| **score > found.1 - WINDOW.ln())
            .map(|(model, score)| (model, (score - found.1).exp()))
            .collect();
        let sum: f64 = window.iter().map(|(_, weight)| weight).sum();
        for (model, weight) in window.into_iter().filter(|(_, weight)| weight / sum > LEAST_PROBABILITY) {
            compared += weight / sum;
            missed += if scores.contains_key(model) { 0.0 } else { weight / sum };
        }
    }
    assert!(compared > 2.0 && missed < 0.02 * compared, "{missed} of {compared}");
}

/// The required conjunction is not replaced by its columns when another conjunction of the same columns is.
#[test]
fn every_model_contains_the_required_causes() {
    let mut random = Random::new(1);
    let values: Vec<Vec<bool>> = (0..2).map(|_| (0..2000).map(|_| random.chance(0.5)).collect()).collect();
    let risk = |row: usize| if values[0][row] == values[1][row] { 0.6 } else { 0.1 };
    let outcome = (0..2000).map(|row| random.chance(risk(row))).collect();
    let data = dataset(&values, outcome);
    let (required, other) = (Candidate::new(vec![0, 1]), Candidate::new(vec![2, 3]));
    let knowledge = Knowledge { required: vec![required.clone()], ..Knowledge::default() };
    let settings = Settings { method: Method::JOINT, knowledge, ..Settings::default() };
    let counter = Box::new(LocalCounter::new(&data));
    let context = Context::new(counter, data.columns(), settings, &NoProgress).unwrap();
    let space = ModelSpace::new(&context).unwrap();
    let mut search = ModelSearch::new(&space);
    search.run().unwrap();
    let models: Vec<Vec<Candidate>> = search.scores.keys().map(|model| search.terms_of(model)).collect();
    assert!(models.iter().any(|terms| terms.contains(&other)));
    for terms in models {
        assert!(terms.contains(&required), "{terms:?}");
    }
}
