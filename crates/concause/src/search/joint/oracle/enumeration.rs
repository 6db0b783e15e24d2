//! The scores of all models of small data, from counts of their own.

use std::collections::{BTreeMap, BTreeSet};

use crate::count::Count;
use crate::dataset::{Candidate, Literal};
use crate::model::groups::Groups;
use crate::model::{Regression, Scale};
use crate::search::joint::effort::WINDOW;
use crate::search::joint::rule_table::RuleTable;
use crate::search::joint::space::ModelSpace;

/// A model by its terms and, for tables, its rules, both in ascending order.
pub(super) type Terms = (Scale, Vec<Candidate>, Vec<Candidate>);

/// Scores models from the counts of the distinct rows.
pub(super) struct Enumeration<'a> {
    pub space: &'a ModelSpace<'a>,
    pub cells: &'a [(u32, Count)],
}

impl Enumeration<'_> {
    /// The scores of all models with at most this number of terms.
    pub fn all(&self, most_terms: usize) -> BTreeMap<Terms, f64> {
        let mut found = BTreeMap::new();
        for scale in Scale::REGRESSIONS {
            let terms = self.all_terms(scale);
            for set in all_sets(terms.len(), most_terms) {
                let set: Vec<Candidate> = set.iter().map(|&place| terms[place].clone()).collect();
                let model = (scale, set, Vec::new());
                let score = self.score(&model);
                found.insert(model, score);
            }
        }
        // In tables a literal may be negated only as a rule.
        let (tabled, rules) = (self.all_terms(Scale::Table), self.all_terms(Scale::Sufficient));
        for set in all_sets(tabled.len() + rules.len(), most_terms) {
            let pick = |places: &[usize], terms: &[Candidate], first: usize| -> BTreeSet<Candidate> {
                places.iter().filter_map(|place| terms.get(place.checked_sub(first)?)).cloned().collect()
            };
            let table = RuleTable { tabled: pick(&set, &tabled, 0), rules: pick(&set, &rules, tabled.len()) };
            if table.tabled.is_disjoint(&table.rules) && !self.is_redundant(&table) {
                let model = model_of_table(&table);
                let score = self.score(&model);
                found.insert(model, score);
            }
        }
        found
    }

    /// Whether a table has a literal and its negation. A smaller table has the same cells.
    fn is_redundant(&self, table: &RuleTable) -> bool {
        let negated = |rule: &Candidate| match rule.literals() {
            [literal] => Some(Candidate::single(literal.negate())),
            _ => None,
        };
        let mut negations = table.rules.iter().filter_map(negated);
        negations.any(|term| table.tabled.contains(&term) || table.rules.contains(&term))
    }

    /// The models with one more term.
    pub fn additions(&self, (scale, terms, rules): &Terms) -> Vec<Terms> {
        let with = |terms: &[Candidate], new: &Candidate| -> Vec<Candidate> {
            terms.iter().chain([new]).cloned().collect::<BTreeSet<_>>().into_iter().collect()
        };
        let further = self.all_terms(*scale).into_iter().filter(|new| !terms.contains(new));
        let mut found: Vec<Terms> = further.map(|new| (*scale, with(terms, &new), rules.clone())).collect();
        if *scale == Scale::Table {
            let further = self.all_terms(Scale::Sufficient).into_iter().filter(|new| !terms.contains(new));
            found.extend(further.map(|new| (*scale, with(terms, &new), with(rules, &new))));
        }
        found
    }

    /// All terms that models on a scale may have, up to level 2.
    pub fn all_terms(&self, scale: Scale) -> Vec<Candidate> {
        let space = self.space;
        let literals: Vec<Literal> =
            space.singles.iter().flat_map(|&column| Literal::signs(column)).collect();
        let pairs = literals.iter().flat_map(|&one| literals.iter().map(move |&two| vec![one, two]));
        let terms = pairs.map(Candidate::new).filter(|term| space.allows(term));
        let terms: BTreeSet<Candidate> = terms.map(|term| space.canonical(term, scale)).collect();
        terms.into_iter().collect()
    }

    /// The log posterior of a model, up to a constant.
    pub fn score(&self, model: &Terms) -> f64 {
        let (scale, terms, rules) = model;
        if *scale == Scale::Table {
            return self.score_table(terms, rules);
        }
        let ln_marginal =
            self.fit(*scale, terms).map_or(f64::NEG_INFINITY, |regression| regression.ln_marginal);
        ln_marginal + self.space.ln_prior(*scale, terms.iter())
    }

    fn fit(&self, scale: Scale, terms: &[Candidate]) -> Option<Regression> {
        let mut groups = Groups::default();
        for (key, count) in self.configurations(terms) {
            let held = (0..terms.len()).filter(|place| key >> place & 1 == 1);
            groups.push(held, count.positive as f64, count.total() as f64);
        }
        Regression::fit(scale, &groups, terms.len(), None)
    }

    /// The risks of all distinct rows by a model.
    pub fn risks(&self, (scale, terms, rules): &Terms) -> Vec<f64> {
        let holds = |term: &Candidate, row: u32| {
            term.literals().iter().all(|literal| (row >> literal.column() & 1 == 1) != literal.is_negated())
        };
        if *scale != Scale::Table {
            let Some(fitted) = self.fit(*scale, terms) else { return vec![f64::NAN; self.cells.len()] };
            let risk = |row: u32| {
                let sum: f64 = terms
                    .iter()
                    .zip(&fitted.coefficients[1..])
                    .map(|(term, coefficient)| if holds(term, row) { *coefficient } else { 0.0 })
                    .sum();
                let eta = fitted.coefficients[0] + sum;
                scale.classes(eta).map_or(f64::NAN, |[case, _]| case.value.exp())
            };
            return self.cells.iter().map(|&(row, _)| risk(row)).collect();
        }
        // The rows that the table does not tell apart share a risk.
        let cell = |row: u32| -> Vec<bool> {
            match rules.iter().position(|rule| holds(rule, row)) {
                Some(rule) => vec![true; terms.len() + 1 + rule],
                None => terms.iter().map(|term| holds(term, row)).collect(),
            }
        };
        let rows = self.cells.iter().fold(Count::default(), |sum, &(_, count)| sum + count);
        let share = rows.positive as f64 / rows.total() as f64;
        let risk = |&(row, _): &(u32, Count)| {
            let same = self.cells.iter().filter(|(other, _)| cell(*other) == cell(row));
            let count = same.fold(Count::default(), |sum, &(_, count)| sum + count);
            (count.positive as f64 + 2.0 * share) / (count.total() as f64 + 2.0)
        };
        self.cells.iter().map(risk).collect()
    }

    fn score_table(&self, terms: &[Candidate], rules: &[Candidate]) -> f64 {
        let tabled: Vec<Candidate> = terms.iter().filter(|term| !rules.contains(term)).cloned().collect();
        let ordered: Vec<Candidate> = rules.iter().chain(&tabled).cloned().collect();
        let all_rules = (1u32 << rules.len()) - 1;
        let mut counts: BTreeMap<u32, Count> = BTreeMap::new();
        for (key, count) in self.configurations(&ordered) {
            // The first rule that holds, alone; otherwise the tabled terms.
            let held = key & all_rules;
            let cell = if held == 0 { key } else { held & held.wrapping_neg() };
            let sum = counts.entry(cell).or_default();
            *sum = *sum + count;
        }
        let counts: Vec<Count> = counts.into_values().collect();
        let table =
            RuleTable { tabled: tabled.into_iter().collect(), rules: rules.iter().cloned().collect() };
        self.space.table.ln_marginal_likelihood(&counts) + self.space.ln_prior_of_table(&table)
    }

    /// The rows by the terms that hold, as bits.
    fn configurations(&self, terms: &[Candidate]) -> Vec<(u32, Count)> {
        let masks: Vec<(u32, u32)> = terms
            .iter()
            .map(|term| {
                term.literals().iter().fold((0, 0), |(ones, zeros), literal| match literal.is_negated() {
                    false => (ones | 1 << literal.column(), zeros),
                    true => (ones, zeros | 1 << literal.column()),
                })
            })
            .collect();
        let mut counts = vec![Count::default(); 1 << terms.len()];
        for &(row, count) in self.cells {
            let held = |&(ones, zeros): &(u32, u32)| row & ones == ones && row & zeros == 0;
            let key = masks
                .iter()
                .enumerate()
                .fold(0, |key, (place, masks)| key | usize::from(held(masks)) << place);
            counts[key] = counts[key] + count;
        }
        (0..).zip(counts).filter(|(_, count)| count.total() > 0).collect()
    }
}

/// The model of a table.
fn model_of_table(table: &RuleTable) -> Terms {
    let terms: BTreeSet<Candidate> = table.tabled.union(&table.rules).cloned().collect();
    (Scale::Table, terms.into_iter().collect(), table.rules.iter().cloned().collect())
}

/// All sets of at most `most` of the numbers below `number`.
fn all_sets(number: usize, most: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    let mut next = 0;
    while let Some(set) = found.get(next).cloned() {
        if set.len() < most {
            let first = set.last().map_or(0, |last| last + 1);
            found.extend((first..number).map(|place| set.iter().copied().chain([place]).collect()));
        }
        next += 1;
    }
    found
}

/// The models in Occam's window with their probabilities.
pub(super) fn window(scores: &BTreeMap<Terms, f64>) -> BTreeMap<Terms, f64> {
    let best = scores.values().copied().fold(f64::NEG_INFINITY, f64::max);
    let inside = scores.iter().filter(|(_, score)| **score >= best - WINDOW.ln());
    let weights: BTreeMap<Terms, f64> =
        inside.map(|(model, score)| (model.clone(), (score - best).exp())).collect();
    let sum: f64 = weights.values().sum();
    weights.into_iter().map(|(model, weight)| (model, weight / sum)).collect()
}
