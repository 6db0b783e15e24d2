//! Table models: each configuration of some terms has its own risk, except where a rule decides.
//!
//! A term of a table model is either *tabled* or a *rule*. Where a rule holds, the risk is that of the rule, whatever
//! the other terms (a rule list: Rivest 1987; Letham, Rudin, McCormick and Madigan 2015). All other rows are grouped by
//! the tabled terms. A cause that decides the outcome by itself would otherwise double the number of risks.
//!
//! The marginal likelihood has a closed form, so the neighbours of a table model are scored exactly.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;

use super::effort::MOST_TERMS;
use super::neighbours::shares_column;
use super::rule_table::RuleTable;
use super::space::ModelSpace;
use crate::count::{Configurations, Count, complements, into_inner, lock};
use crate::dataset::{Candidate, Literal};
use crate::error::Error;
use crate::model::Scale;

/// Scores a table model.
pub(super) fn score_table(space: &ModelSpace<'_>, table: &RuleTable) -> Result<f64, Error> {
    let terms = table.terms();
    let configurations = space.context.counter().configurations_of(&terms)?;
    let counts = Cells::new(table, &terms, &configurations).counts(configurations.counts());
    Ok(space.table.ln_marginal_likelihood(&counts) + space.ln_prior_of_table(table))
}

/// Scores a table model with each of the candidates as one more tabled term.
pub(super) fn score_additions(
    space: &ModelSpace<'_>,
    table: &RuleTable,
    candidates: &[Candidate],
) -> Result<Vec<f64>, Error> {
    let terms = table.terms();
    let cells: OnceLock<Cells> = OnceLock::new();
    let scores: Vec<Mutex<f64>> = candidates.iter().map(|_| Mutex::default()).collect();
    space.context.counter().configurations(&terms, candidates, &|number, configurations, with| {
        let cells = cells.get_or_init(|| Cells::new(table, &terms, configurations));
        let counts = cells.with_tabled(configurations.counts(), with);
        let next = table.clone().with_tabled(candidates[number].clone());
        *lock(&scores[number]) = space.table.ln_marginal_likelihood(&counts) + space.ln_prior_of_table(&next);
    })?;
    Ok(scores.into_iter().map(into_inner).collect())
}

/// The neighbours of a table model that gain or lose terms among the candidates, with their scores, the best first.
/// Those with a further term may be left out if they do not exceed a score.
pub(super) fn table_neighbours(
    space: &ModelSpace<'_>,
    table: &RuleTable,
    candidates: &[Candidate],
    exceed: f64,
) -> Result<Vec<(RuleTable, f64)>, Error> {
    let terms = table.terms();
    let found: Mutex<Vec<(RuleTable, f64)>> = Mutex::default();
    let cells: Mutex<FxHashMap<RuleTable, Arc<(Cells, f64)>>> = Mutex::default();
    let configurations =
        space.context.counter().configurations(&terms, candidates, &|number, configurations, with| {
            let candidate = &candidates[number];
            let mut scored: Vec<(RuleTable, f64)> = Vec::new();
            let mut push = |next: &dyn Fn() -> RuleTable, most_prior: f64, counts: Vec<Count>| {
                let ln_marginal = space.table.ln_marginal_likelihood(&counts);
                if ln_marginal + most_prior > exceed {
                    let next = next();
                    let score = ln_marginal + space.ln_prior_of_table(&next);
                    scored.push((next, score));
                }
            };
            let negated = negation(candidate);
            // With a literal and its negation, a smaller table has the same cells.
            let is_new = |base: &RuleTable| negated.as_ref().is_none_or(|negated| !base.contains(negated));
            for base in bases(space, table, candidate).into_iter().filter(is_new) {
                let make = || {
                    let cells = Cells::new(&base, &terms, configurations);
                    Arc::new((cells, space.ln_prior_of_table(&base)))
                };
                let known = lock(&cells).entry(base.clone()).or_insert_with(make).clone();
                let (cells, ln_prior) = &*known;
                let most_prior = ln_prior + space.most_prior_gain(candidate);
                let all = configurations.counts();
                let tabled = || base.clone().with_tabled(candidate.clone());
                push(&tabled, most_prior, cells.with_tabled(all, with));
                let rank = base.rules.iter().take_while(|rule| *rule < candidate).count();
                let ruled = || base.clone().with_rule(candidate.clone());
                push(&ruled, most_prior, cells.with_rule(rank, all, with));
                if let Some(negated) = &negated {
                    // The negation of a column is a rule of its own.
                    let rank = base.rules.iter().take_while(|rule| *rule < negated).count();
                    let without = complements(all, with);
                    let ruled = || base.clone().with_rule(negated.clone());
                    push(&ruled, most_prior, cells.with_rule(rank, all, &without));
                }
            }
            lock(&found).append(&mut scored);
        })?;
    let mut found = into_inner(found);
    let all = configurations.counts();
    let mut push = |next: RuleTable, counts: Vec<Count>| {
        let score = space.table.ln_marginal_likelihood(&counts) + space.ln_prior_of_table(&next);
        found.push((next, score));
    };
    let counts = |next: &RuleTable| Cells::new(next, &terms, &configurations).counts(all);
    for (number, term) in terms.iter().enumerate().filter(|(_, term)| !space.fixed.contains(term)) {
        let without = table.without(term);
        push(without.clone(), counts(&without));
        if let Some(negated) = negation(term) {
            let holds = |place: usize| !configurations.holds(place, number);
            let held = |(place, &all): (usize, &Count)| if holds(place) { all } else { Count::default() };
            let held: Vec<Count> = all.iter().enumerate().map(held).collect();
            let rank = without.rules.iter().take_while(|rule| **rule < negated).count();
            let cells = Cells::new(&without, &terms, &configurations).with_rule(rank, all, &held);
            push(without.clone().with_rule(negated), cells);
        }
        let changed = match table.rules.contains(term) {
            false => without.with_rule(term.clone()),
            // The negation of a column is not tabled.
            true if *term == space.canonical(term.clone(), Scale::Table) => without.with_tabled(term.clone()),
            true => continue,
        };
        let cells = counts(&changed);
        push(changed, cells);
    }
    found.retain(|(neighbour, _)| neighbour != table);
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.dedup_by(|a, b| a.0 == b.0);
    Ok(found)
}

/// The cell of a table for each configuration of more terms. The first cells are those of the rules.
struct Cells {
    of_configuration: Vec<u32>,
    rules: usize,
    cells: usize,
}

impl Cells {
    /// The cells of a table whose terms are among those of the configurations.
    fn new(table: &RuleTable, terms: &[Candidate], configurations: &Configurations) -> Self {
        let place = |term: &Candidate| terms.iter().position(|other| other == term);
        let tabled: Vec<usize> = table.tabled.iter().filter_map(place).collect();
        let rules: Vec<usize> = table.rules.iter().filter_map(place).collect();
        let (numbers, count) = configurations.merged(&tabled);
        // The cells are numbered in the order of the first configuration that no rule decides.
        let mut cells: Vec<Option<u32>> = vec![None; count];
        let mut next = rules.len() as u32;
        let mut cell = |configuration: usize| {
            if let Some(first) = rules.iter().position(|&rule| configurations.holds(configuration, rule)) {
                return first as u32;
            }
            *cells[numbers[configuration] as usize].get_or_insert_with(|| {
                next += 1;
                next - 1
            })
        };
        let of_configuration = (0..configurations.len()).map(&mut cell).collect();
        Self { of_configuration, rules: rules.len(), cells: next as usize }
    }

    /// The count of each cell.
    fn counts(&self, all: &[Count]) -> Vec<Count> {
        let mut counts = vec![Count::default(); self.cells];
        for (&cell, &all) in self.of_configuration.iter().zip(all) {
            counts[cell as usize] = counts[cell as usize] + all;
        }
        counts
    }

    /// The counts with one more tabled term, which holds in `with`: cells without the term, then with it.
    fn with_tabled(&self, all: &[Count], with: &[Count]) -> Vec<Count> {
        let mut counts = vec![Count::default(); 2 * self.cells];
        for (&cell, (&all, &with)) in self.of_configuration.iter().zip(all.iter().zip(with)) {
            let cell = cell as usize;
            if cell < self.rules {
                counts[cell] = counts[cell] + all;
            } else {
                counts[cell] = counts[cell] + (all - with);
                counts[self.cells + cell] = counts[self.cells + cell] + with;
            }
        }
        counts
    }

    /// The counts with one more rule, which holds in `with` and comes after `rank` rules.
    fn with_rule(&self, rank: usize, all: &[Count], with: &[Count]) -> Vec<Count> {
        let mut counts = vec![Count::default(); self.cells + 1];
        for (&cell, (&all, &with)) in self.of_configuration.iter().zip(all.iter().zip(with)) {
            let cell = cell as usize;
            let taken = if cell < rank { Count::default() } else { with };
            counts[cell] = counts[cell] + (all - taken);
            counts[self.cells] = counts[self.cells] + taken;
        }
        counts
    }
}

/// The negation of a term that is a single literal.
fn negation(term: &Candidate) -> Option<Candidate> {
    match term.literals() {
        [literal] => Some(Candidate::single(literal.negate())),
        _ => None,
    }
}

/// The model itself, and the model without one or two terms that share a column with a candidate.
fn bases(space: &ModelSpace<'_>, table: &RuleTable, candidate: &Candidate) -> Vec<RuleTable> {
    let mut found = Vec::new();
    if table.tabled.len() + table.rules.len() < space.fixed.len() + MOST_TERMS {
        found.push(table.clone());
    }
    let is_related = |term: &&Candidate| !space.fixed.contains(term) && shares_column(term, candidate);
    let related: Vec<Candidate> =
        table.tabled.iter().chain(&table.rules).filter(is_related).cloned().collect();
    for (number, term) in related.iter().enumerate() {
        let without = table.without(term);
        found.extend(related[..number].iter().map(|other| without.without(other)));
        found.push(without);
    }
    found
}

/// The candidates for further terms: single columns, the terms of the pool, conjunctions of two terms of the model, and
/// the terms that differ from one of the model by a sign or a literal.
pub(super) fn table_candidates(
    space: &ModelSpace<'_>,
    table: &RuleTable,
    pool: impl Iterator<Item = Candidate>,
) -> Vec<Candidate> {
    let mut found: BTreeSet<Candidate> =
        space.singles.iter().map(|&column| Candidate::single(column)).collect();
    found.extend(pool.filter(|term| term.level() > 1));
    let terms = table.terms();
    let mut add = |literals: Vec<Literal>| {
        let term = Candidate::new(literals);
        if term.level() > 1 && space.allows(&term) {
            found.insert(term);
        }
    };
    let free = || terms.iter().filter(|term| !space.fixed.contains(term));
    for term in free() {
        for literal in term.literals() {
            let rest = || term.literals().iter().copied().filter(|other| other != literal);
            add(rest().chain([literal.negate()]).collect());
            add(rest().collect());
        }
        let opposite = term.literals().iter().map(|&literal| literal.negate()).collect();
        add(opposite);
        for other in free() {
            for &literal in other.literals() {
                let literals = || term.literals().iter().copied();
                add(literals().chain([literal]).collect());
                add(literals().chain([literal.negate()]).collect());
                if let [single] = term.literals() {
                    add(vec![single.negate(), literal.negate()]);
                }
            }
        }
    }
    found.into_iter().filter(|term| !table.contains(term)).collect()
}
