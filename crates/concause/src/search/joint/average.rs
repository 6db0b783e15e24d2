//! The models that predict: those with most of the weight in Occam's window, with their coefficients and risks.

use std::collections::BTreeMap;

use super::model_search::{Model, ModelSearch};
use crate::count::Count;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::{ModelAverage, ModelForm, Scale, WeightedModel};

/// The models have at least this share of the weight, or are as many as possible.
const SHARE: f64 = 0.99;

/// The largest number of models.
const MOST_MODELS: usize = 100;

/// The risk of a few rows is that of this many further rows, of which the share of all cases are cases, and theirs: the
/// strength of the uniform prior of the table models.
const PRIOR_ROWS: f64 = 2.0;

/// The average of the first models of a window with their weights, the largest first.
pub(super) fn average_for_prediction(
    search: &ModelSearch<'_>,
    window: &[(&Model, f64)],
) -> Result<ModelAverage, Error> {
    let all: f64 = window.iter().map(|(_, weight)| weight).sum();
    let mut average = Average { search, places: BTreeMap::new(), terms: Vec::new() };
    let (mut models, mut sum) = (Vec::new(), 0.0);
    for (model, weight) in window.iter().take(MOST_MODELS) {
        let form = match model.scale {
            Scale::Table => Some(average.table(model)?),
            _ => average.regression(model),
        };
        // A smaller model is the same model if there are no coefficients.
        models.extend(form.map(|form| WeightedModel { weight: rounded(weight / all), form }));
        sum += weight;
        if sum >= SHARE * all {
            break;
        }
    }
    Ok(ModelAverage { terms: average.terms, models })
}

/// The terms so far, with their places.
struct Average<'a> {
    search: &'a ModelSearch<'a>,
    places: BTreeMap<u32, usize>,
    terms: Vec<Candidate>,
}

impl Average<'_> {
    fn place(&mut self, number: u32) -> usize {
        *self.places.entry(number).or_insert_with(|| {
            self.terms.push(self.search.terms[number as usize].clone());
            self.terms.len() - 1
        })
    }

    fn regression(&mut self, model: &Model) -> Option<ModelForm> {
        let (intercept, slopes) = self.search.mode(model)?.split_first()?;
        let slopes = model.terms.iter().zip(slopes);
        let coefficients = slopes.map(|(&term, &slope)| (self.place(term), rounded(slope))).collect();
        Some(ModelForm::Regression { scale: model.scale, intercept: rounded(*intercept), coefficients })
    }

    fn table(&mut self, model: &Model) -> Result<ModelForm, Error> {
        let search = self.search;
        // The rules apply in the order of their terms.
        let mut rules: Vec<u32> = model.rules.to_vec();
        rules.sort_by(|&a, &b| search.terms[a as usize].cmp(&search.terms[b as usize]));
        let tabled: Vec<u32> = model.terms.iter().copied().filter(|term| !rules.contains(term)).collect();
        let terms: Vec<Candidate> =
            rules.iter().chain(&tabled).map(|&number| search.terms[number as usize].clone()).collect();
        let configurations = search.space.context.counter().configurations_of(&terms)?;
        let mut of_rules = vec![Count::default(); rules.len()];
        let mut of_cells: BTreeMap<Vec<bool>, Count> = BTreeMap::new();
        for (number, &count) in configurations.counts().iter().enumerate() {
            let holds = |place: usize| configurations.holds(number, place);
            let sum = match (0..rules.len()).find(|&rule| holds(rule)) {
                Some(rule) => &mut of_rules[rule],
                None => of_cells.entry((rules.len()..terms.len()).map(holds).collect()).or_default(),
            };
            *sum = *sum + count;
        }
        let all = search.space.context.counter().rows();
        let share = all.positive as f64 / all.total().max(1) as f64;
        let risk = |count: &Count| {
            let cases = count.positive as f64 + PRIOR_ROWS * share;
            rounded(cases / (count.total() as f64 + PRIOR_ROWS))
        };
        Ok(ModelForm::Table {
            rules: rules
                .iter()
                .zip(&of_rules)
                .map(|(&rule, count)| (self.place(rule), risk(count)))
                .collect(),
            tabled: tabled.iter().map(|&term| self.place(term)).collect(),
            cells: of_cells.iter().map(|(cell, count)| (cell.clone(), risk(count))).collect(),
            other: rounded(share),
        })
    }
}

/// A number with the digits that matter for a risk: the last ones depend on the path of the search.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
