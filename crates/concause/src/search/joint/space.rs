//! The space of models and its prior.
//!
//! A model is a set of terms and a scale of risk. Terms enter independently of each other. A term of k literals has the
//! prior odds r^(1−k) / (C(V, k) 2^k): all sets of k of the V columns and all signs of their literals are equally
//! likely, so the expected number of terms of a level does not depend on V (Hubin, Storvik and Frommlet 2020), and each
//! level is r times rarer than the one below. Three cases differ:
//!
//! - A single literal has no sign of its own where coefficients have one.
//! - A further term over the columns of another term costs as much as a single column, apart from its signs: the
//!   columns are known to act jointly, and one more cell of their table has its own risk.
//! - In a table every term modifies the effects of all others, as a further literal would. It costs as much as a term
//!   of the next level.
//!
//! The probit, additive and multiplicative scales are a thousand times less likely than the others. On them, causes
//! that interact on the logistic scale may not interact. Without strong evidence an interaction is the better
//! explanation; with much data the evidence decides in any case.

use std::f64::consts::LN_2;

use crate::combinatorics::choose;
use crate::dataset::Candidate;
use crate::model::Scale;
use crate::model::table::TableModel;
use crate::search::context::Context;

/// Terms of one literal more are this many times rarer.
const LEVEL_RATIO: f64 = 3.0;

/// The probit, additive and multiplicative scales are this many times less likely than the others.
const RARE_SCALE: f64 = 1000.0;

/// The terms that a model may contain, and their prior.
pub(super) struct ModelSpace<'a> {
    pub context: &'a Context<'a>,
    /// The columns that may be terms by themselves, in data order.
    pub singles: Vec<u32>,
    /// The columns that conjunctions may use, in data order.
    pub parts: Vec<u32>,
    /// The terms of every model: covariates and required causes.
    pub fixed: Vec<Candidate>,
    pub max_level: usize,
    /// Marginal likelihoods of tables.
    pub table: TableModel,
    /// The prior cost of a term of each level, in log units.
    costs: Vec<f64>,
}

impl<'a> ModelSpace<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        let columns = 0..context.columns.len() as u32;
        let singles: Vec<u32> =
            columns.filter(|column| !context.singles.excluded.contains_key(column)).collect();
        let parts: Vec<u32> =
            singles.iter().copied().filter(|&column| context.singles.is_offered(column)).collect();
        let max_level = context.settings.deepest_level();
        let cost = |level: usize| {
            let sets = choose(singles.len().max(level), level) as f64;
            sets.ln() + level.saturating_sub(1) as f64 * LEVEL_RATIO.ln()
        };
        let costs = (0..=max_level + 1).map(cost).collect();
        let mut fixed: Vec<Candidate> = context
            .settings
            .knowledge
            .covariates
            .iter()
            .filter(|&&column| {
                let count = context.singles.counts[column as usize];
                count.total() > 0 && count != context.counter().rows()
            })
            .map(|&column| Candidate::single(column))
            .collect();
        fixed.extend(context.required.iter().cloned());
        let table = TableModel::new(context.counter().rows().total());
        Self { context, singles, parts, fixed, max_level, table, costs }
    }

    /// The log prior of a model with these terms, up to a constant.
    pub fn ln_prior<'b>(&self, scale: Scale, terms: impl Iterator<Item = &'b Candidate>) -> f64 {
        let mut sets: Vec<Candidate> = Vec::new();
        let mut cost = 0.0;
        for term in terms.filter(|term| !self.fixed.contains(term)) {
            let set = term.unsigned(self.context.columns);
            let is_further = sets.contains(&set);
            cost += self.cost(term, scale, is_further);
            if !is_further {
                sets.push(set);
            }
        }
        match scale {
            Scale::Logistic | Scale::Sufficient | Scale::Table => -cost,
            Scale::Probit | Scale::Additive | Scale::Multiplicative => -cost - RARE_SCALE.ln(),
        }
    }

    /// The prior cost of a term, minus its log prior odds. `is_further` if another term has the same columns.
    pub fn cost(&self, term: &Candidate, scale: Scale, is_further: bool) -> f64 {
        let level = term.level() + usize::from(scale == Scale::Table);
        let signs = if level > 1 || !scale.is_signed() { level as f64 * LN_2 } else { 0.0 };
        signs + self.costs[if is_further { 1 } else { level }]
    }

    /// The negation of a literal.
    pub fn negate(&self, literal: u32) -> u32 {
        let columns = self.context.columns.len() as u32;
        if literal < columns { literal + columns } else { literal - columns }
    }

    /// The column of a literal.
    pub fn column(&self, literal: u32) -> u32 {
        let columns = self.context.columns.len() as u32;
        if literal < columns { literal } else { literal - columns }
    }

    /// Whether a model may contain the term.
    pub fn allows(&self, term: &Candidate) -> bool {
        let literals = term.columns();
        let attribute = |&literal: &u32| self.context.columns[self.column(literal) as usize].attribute;
        match literals {
            [] => false,
            [literal] => self.singles.binary_search(&self.column(*literal)).is_ok(),
            _ => {
                literals.len() <= self.max_level
                    && literals.iter().all(|&literal| self.parts.binary_search(&self.column(literal)).is_ok())
                    && literals.iter().enumerate().all(|(place, literal)| {
                        literals[..place].iter().all(|other| attribute(other) != attribute(literal))
                    })
            }
        }
    }

    /// The term in the form in which models contain it on a scale: a single literal is a column where coefficients
    /// have a sign.
    pub fn canonical(&self, term: Candidate, scale: Scale) -> Candidate {
        match term.columns() {
            [literal] if scale.is_signed() => Candidate::single(self.column(*literal)),
            _ => term,
        }
    }

    /// Both forms of a literal.
    pub fn signs(&self, column: u32) -> [u32; 2] {
        [column, self.negate(column)]
    }
}
