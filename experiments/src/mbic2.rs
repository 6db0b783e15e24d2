//! A baseline for the methods of concause: forward selection of the terms of a logistic model by the criterion mBIC2.
//!
//! The terms are the columns and the conjunctions of two literals of different attributes. The criterion to minimise
//! is that of Frommlet, Ruhaltinger, Twaróg and Bogdan (2012, Computational Statistics & Data Analysis 56), with a
//! penalty of its own for each level, as Bogdan, Ghosh and Doerge (2004, Genetics 167) have for main effects and
//! interactions:
//!
//! ```text
//! mBIC2 = −2 ln L + k ln n + Σ_l [ 2 k_l ln(m_l / 4) − 2 ln(k_l!) ]
//! ```
//!
//! L is the maximised likelihood, n the number of rows, k the number of terms, k_l the number of terms of level l and
//! m_l the number of terms of level l that are possible. Each step adds the term with the best score test, less its
//! penalty. The larger model is then fitted exactly. Terms whose removal improves the criterion are removed.
//!
//! Forward selection often describes two single causes A and B by `A&B` and `!A&!B`, because A + B = 1 + AB − (!A)(!B),
//! and neither an addition nor a removal leads away from there. When no addition improves the criterion, the terms over
//! the columns of each pair are therefore replaced by the single columns, by one conjunction, or by both, if that
//! improves it, and the selection continues. It ends when nothing does.

use std::sync::{Mutex, PoisonError};

use concause::count::{Counter, LocalCounter};
use concause::dataset::{Candidate, Dataset, Literal};
use concause::model::groups::Groups;
use concause::model::logistic::LogisticModel;
use concause_bench::error::ToolError;

/// The expected number of terms of each level, the constant of Bogdan, Ghosh and Doerge as later papers have it.
const EXPECTED_TERMS: f64 = 4.0;

/// Smaller improvements of the criterion are rounding errors.
const TOLERANCE: f64 = 1e-6;

/// The possible terms.
struct TermSpace {
    terms: Vec<Candidate>,
    /// ln(m_l / 4) for levels 1 and 2.
    ln_sizes: [f64; 2],
    ln_rows: f64,
}

/// A fitted model and its mBIC2.
struct ScoredModel {
    terms: Vec<Candidate>,
    groups: Groups,
    fit: LogisticModel,
    criterion: f64,
}

/// Selects the terms of a dataset.
pub fn select_terms(dataset: &Dataset) -> Result<Vec<Candidate>, ToolError> {
    let counter = LocalCounter::new(dataset);
    let space = TermSpace::new(dataset);
    let mut model = space.fit(&counter, Vec::new())?;
    while let Some(better) = space.improve(&counter, &model)? {
        model = better;
    }
    Ok(model.terms)
}

impl TermSpace {
    fn new(dataset: &Dataset) -> Self {
        let columns = dataset.columns();
        let number = columns.len() as u32;
        let singles: Vec<Candidate> = (0..number).map(Candidate::single).collect();
        let mut pairs = Vec::new();
        for one in 0..number {
            for other in one + 1..number {
                if columns[one as usize].attribute != columns[other as usize].attribute {
                    let signed = Literal::signs(one).into_iter();
                    let signed = signed.flat_map(|a| Literal::signs(other).map(|b| [a, b]));
                    pairs.extend(signed.map(Candidate::new));
                }
            }
        }
        let ln_size = |terms: usize| (terms as f64 / EXPECTED_TERMS).max(1.0).ln();
        TermSpace {
            ln_sizes: [ln_size(singles.len()), ln_size(pairs.len())],
            ln_rows: (dataset.rows() as f64).ln(),
            terms: singles.into_iter().chain(pairs).collect(),
        }
    }

    /// The penalty of k_1 single columns and k_2 pairs.
    fn penalty(&self, numbers: [usize; 2]) -> f64 {
        let of_level = |(number, ln_size): (usize, f64)| {
            let ln_factorial: f64 = (1..=number).map(|factor| (factor as f64).ln()).sum();
            number as f64 * (self.ln_rows + 2.0 * ln_size) - 2.0 * ln_factorial
        };
        numbers.into_iter().zip(self.ln_sizes).map(of_level).sum()
    }

    fn fit(&self, counter: &LocalCounter, terms: Vec<Candidate>) -> Result<ScoredModel, ToolError> {
        let groups = Groups::from(&counter.configurations_of(&terms)?);
        let fit = LogisticModel::fit(&groups, terms.len(), None);
        let criterion = -2.0 * fit.log_likelihood + self.penalty(count_levels(&terms));
        Ok(ScoredModel { terms, groups, fit, criterion })
    }

    /// A better model: with one more term, or with other terms over the columns of a pair.
    fn improve(&self, counter: &LocalCounter, model: &ScoredModel) -> Result<Option<ScoredModel>, ToolError> {
        let is_better = |other: &ScoredModel| other.criterion < model.criterion - TOLERANCE;
        if let Some(term) = self.find_best_addition(counter, model)? {
            let larger = self.fit(counter, [&model.terms[..], &[term]].concat())?;
            if is_better(&larger) {
                return Ok(Some(self.remove_terms(counter, larger)?));
            }
        }
        Ok(self.replace_terms(counter, model)?.filter(is_better))
    }

    /// The best model that has other terms over the columns of one of its pairs.
    fn replace_terms(
        &self,
        counter: &LocalCounter,
        model: &ScoredModel,
    ) -> Result<Option<ScoredModel>, ToolError> {
        let mut pairs: Vec<Candidate> =
            model.terms.iter().map(|term| term.unsigned()).filter(|set| set.level() == 2).collect();
        pairs.sort();
        pairs.dedup();
        let mut best = None;
        for pair in pairs {
            let is_other = |term: &&Candidate| !term.unsigned().without(&pair).columns().is_empty();
            let others: Vec<Candidate> = model.terms.iter().filter(is_other).cloned().collect();
            for terms in self.list_forms(&pair) {
                let other = self.fit(counter, [&others[..], &terms].concat())?;
                replace_if_better(&mut best, other);
            }
        }
        Ok(best)
    }

    /// The ways in which two columns may act: none, one or both of them, with or without one conjunction.
    fn list_forms(&self, pair: &Candidate) -> Vec<Vec<Candidate>> {
        let singles = pair.singles();
        let subsets: [&[Candidate]; 4] = [&[], &singles[..1], &singles[1..], &singles];
        let conjunctions = self.terms.iter().filter(|term| term.unsigned() == *pair);
        let conjunctions: Vec<Option<&Candidate>> =
            [None].into_iter().chain(conjunctions.map(Some)).collect();
        let forms = subsets
            .iter()
            .flat_map(|subset| conjunctions.iter().map(|term| subset.iter().chain(*term).cloned().collect()));
        forms.collect()
    }

    /// The term with the largest score statistic less its penalty; the first of equal ones.
    fn find_best_addition(
        &self,
        counter: &LocalCounter,
        model: &ScoredModel,
    ) -> Result<Option<Candidate>, ToolError> {
        let numbers = count_levels(&model.terms);
        let penalties = [[1, 0], [0, 1]].map(|[single, pair]| {
            self.penalty([numbers[0] + single, numbers[1] + pair]) - self.penalty(numbers)
        });
        let is_new = |term: &&Candidate| !model.terms.contains(term);
        let further: Vec<Candidate> = self.terms.iter().filter(is_new).cloned().collect();
        let gains = Mutex::new(vec![0.0; further.len()]);
        counter.configurations(&model.terms, &further, &|number, _, counts| {
            let counts = counts.iter().map(|count| (count.positive as f64, count.total() as f64));
            let statistic = model.fit.score_statistic(&model.groups, counts);
            let gain = statistic - penalties[further[number].level() - 1];
            gains.lock().unwrap_or_else(PoisonError::into_inner)[number] = gain;
        })?;
        let gains = gains.into_inner().unwrap_or_else(PoisonError::into_inner);
        let best = (0..further.len()).rev().max_by(|&a, &b| gains[a].total_cmp(&gains[b]));
        Ok(best.map(|best| further[best].clone()))
    }

    /// Removes terms, the best removal first, as long as that improves the criterion.
    fn remove_terms(&self, counter: &LocalCounter, mut model: ScoredModel) -> Result<ScoredModel, ToolError> {
        loop {
            let mut best = None;
            for place in 0..model.terms.len() {
                let mut terms = model.terms.clone();
                terms.remove(place);
                replace_if_better(&mut best, self.fit(counter, terms)?);
            }
            match best {
                Some(smaller) if smaller.criterion < model.criterion - TOLERANCE => model = smaller,
                _ => return Ok(model),
            }
        }
    }
}

/// Replaces the best model by a better one.
fn replace_if_better(best: &mut Option<ScoredModel>, other: ScoredModel) {
    if best.as_ref().is_none_or(|best| other.criterion < best.criterion) {
        *best = Some(other);
    }
}

/// The numbers of single columns and of pairs.
fn count_levels(terms: &[Candidate]) -> [usize; 2] {
    let singles = terms.iter().filter(|term| term.level() == 1).count();
    [singles, terms.len() - singles]
}

#[cfg(test)]
mod tests {
    use super::*;
    use concause_simulate::Recipe;

    #[test]
    fn the_penalty_is_that_of_the_criterion() {
        let space = TermSpace { terms: Vec::new(), ln_sizes: [2.0, 5.0], ln_rows: 7.0 };
        assert_eq!(space.penalty([0, 0]), 0.0);
        assert_eq!(space.penalty([1, 0]), 11.0);
        let expected = 2.0 * 11.0 - 2.0 * 2f64.ln() + 3.0 * 17.0 - 2.0 * 6f64.ln();
        assert!((space.penalty([2, 3]) - expected).abs() < 1e-12);
    }

    #[test]
    fn columns_of_one_attribute_are_not_combined() {
        let data = Recipe::named("syn-7").unwrap().simulate(1).unwrap().dataset();
        let columns = data.columns().len();
        assert_eq!(TermSpace::new(&data).terms.len(), columns + 2 * columns * (columns - 1));
    }

    #[test]
    fn strong_causes_are_selected() {
        let mut recipe = Recipe::named("logistic").unwrap();
        recipe.set("predictors", "20").unwrap();
        let simulated = recipe.simulate(1).unwrap();
        let dataset = simulated.dataset();
        let name = |term: &Candidate| term.unsigned().name(dataset.columns());
        let mut found: Vec<String> = select_terms(&dataset).unwrap().iter().map(name).collect();
        let mut truth: Vec<String> = simulated.truth.causes.iter().map(|cause| cause.join("&")).collect();
        found.sort();
        truth.sort();
        assert_eq!(found, truth);
    }
}
