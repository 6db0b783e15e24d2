//! The space of models and its prior.
//!
//! A model is a set of terms and a scale of risk. Terms enter independently of each other. A term of k columns has the
//! prior odds c^k Π σ / (S 2^k) · N^(−(k−1)/2): the product is over the standard deviations σ of its columns, and S is
//! the sum of such products over all sets of k columns. Thus c single causes are expected, and all signs are equally
//! likely. Columns of equal share are equally likely too; then S / Π σ is the number of sets (Hubin, Storvik and
//! Frommlet 2020). A column that hardly varies is less likely, because the data say little about its coefficient. The
//! marginal likelihood, on the contrary, charges such a coefficient less: half the logarithm of its information, which
//! is proportional to σ². Together all columns are charged alike, as by BIC (Kass and Wasserman 1995).
//!
//! N is the information in the data on one coefficient. The factor N^½ is what a further coefficient costs in a
//! marginal likelihood: *a conjunction costs as much as its literals by themselves*. It replaces them only if it
//! explains the target better than they do, not because it saves a coefficient. Likewise each rule of a table costs
//! N^½, since it saves the risks of the cells that it covers. Four cases differ:
//!
//! - If every row has all literals of a term but one, the term is a linear function of its literals, and thus a special
//!   case of them. It saves coefficients without explaining less, and the factor N^½ does not apply. The cell without
//!   two literals may also be empty by chance, if few rows are expected in it. The factor is divided by at most the
//!   odds against that, e^E if E rows are expected.
//! - A further column of an attribute is one of its columns, again in proportion to their standard deviations. The
//!   attribute is known to matter, and what its other columns leave unexplained is more likely an effect of its own
//!   than of a conjunction.
//! - A single literal has no sign of its own where coefficients have one.
//! - A further term over the columns of another term costs as much as an average single column, apart from its signs:
//!   the columns are known to act jointly, and one more cell of their table has its own risk.
//!
//! The probit, additive and multiplicative scales and tables are a thousand times less likely than the others. On them,
//! causes that interact on the logistic scale may not interact. Without strong evidence an interaction is the better
//! explanation; with much data the evidence decides in any case.

use std::f64::consts::LN_2;

use super::rule_table::RuleTable;
use crate::count::Count;
use crate::dataset::{Candidate, Literal};
use crate::error::Error;
use crate::model::Scale;
use crate::model::table::TableModel;
use crate::search::context::{Context, EmptyCells};

/// The expected number of single causes (Bogdan, Ghosh and Doerge 2004), and the largest share of the columns that it
/// can be.
const EXPECTED: f64 = 4.0;
const EXPECTED_SHARE: f64 = 0.5;

/// The rare scales are this many times less likely than the common ones.
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
    /// The prior cost of a term of each level apart from its signs and the weights of its columns, in log units.
    costs: Vec<f64>,
    /// The logarithm of the standard deviation of each column.
    ln_weights: Vec<f64>,
    /// The sum of the weights of the columns of each attribute.
    of_attribute: Vec<f64>,
    /// What the saved coefficient of a further literal costs.
    literal: f64,
    /// The pairs of columns with an empty cell; `None` if there are no conjunctions.
    empty_cells: Option<&'a EmptyCells>,
}

impl<'a> ModelSpace<'a> {
    pub fn new(context: &'a Context<'a>) -> Result<Self, Error> {
        let columns = 0..context.columns().len() as u32;
        let singles: Vec<u32> =
            columns.filter(|column| !context.singles.excluded.contains_key(column)).collect();
        let parts = context.singles.parts();
        let max_level = context.settings.deepest_level();

        let weights = column_weights(context);
        let sums = sums_of_products(singles.iter().map(|&column| weights[column as usize]), max_level);
        let cost = |(level, sum): (usize, &f64)| sum.ln() - level as f64 * expected(singles.len()).ln();
        let costs = sums.iter().enumerate().map(cost).collect();
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
        let rows = context.counter().rows();
        let table = TableModel::new(rows.total());
        let information = rows.positive as f64 * rows.negative as f64 / (rows.total() as f64).max(1.0);

        let literal = 0.5 * information.max(1.0).ln();
        let attributes = context.columns().iter().map(|column| column.attribute + 1).max().unwrap_or(0);
        let mut of_attribute = vec![0.0; attributes];
        for (column, weight) in context.columns().iter().zip(&weights) {
            of_attribute[column.attribute] += weight;
        }
        let empty_cells = (max_level > 1).then(|| context.empty_cells()).transpose()?;
        Ok(Self {
            context,
            singles,
            parts,
            fixed,
            max_level,
            table,
            costs,
            ln_weights: weights.iter().map(|weight| weight.ln()).collect(),
            of_attribute,
            literal,
            empty_cells: empty_cells.filter(|cells| !cells.is_empty()),
        })
    }

    /// The log prior of a regression with these terms, up to a constant.
    pub fn ln_prior<'b>(&self, scale: Scale, terms: impl Iterator<Item = &'b Candidate>) -> f64 {
        let cost = self.cost_of_terms(terms, |term| term.level() > 1 || !scale.is_signed());
        if scale.is_common() { -cost } else { -cost - RARE_SCALE.ln() }
    }

    /// The log prior of a table model, up to the same constant.
    pub fn ln_prior_of_table(&self, table: &RuleTable) -> f64 {
        let is_signed = |term: &Candidate| term.level() > 1 || table.rules.contains(term);
        let saved = table.rules.len() as f64 * self.literal;
        -self.cost_of_terms(table.rules.iter().chain(&table.tabled), is_signed) - RARE_SCALE.ln() - saved
    }

    /// At most this is gained in log prior by one more term: its columns have no larger share of the sum over all sets
    /// of as many columns.
    pub fn most_prior_gain(&self, term: &Candidate) -> f64 {
        (term.level() as f64 * expected(self.singles.len()).ln()).max(0.0)
    }

    /// The sum of the costs of terms. It does not depend on their order.
    fn cost_of_terms<'b>(
        &self,
        terms: impl Iterator<Item = &'b Candidate>,
        is_signed: impl Fn(&Candidate) -> bool,
    ) -> f64 {
        let mut sets: Vec<(Candidate, f64)> = Vec::new();
        let mut attributes: Vec<usize> = Vec::new();
        let mut cost = 0.0;
        for term in terms.filter(|term| !self.fixed.contains(term)) {
            let set = term.unsigned();
            let level = term.level();
            cost += if is_signed(term) { level as f64 * LN_2 } else { 0.0 };
            match sets.iter_mut().find(|(other, _)| *other == set) {
                // Of the terms over one set of columns, the most expensive is the first.
                Some((_, most)) => {
                    cost += self.cost_of_further_term();
                    *most = if level > 1 { most.max(self.cost_of_conjunction(term)) } else { *most };
                }
                None => {
                    let own = match *set.literals() {
                        [literal] => {
                            let attribute = literal.attribute(self.context.columns());
                            let is_known = attributes.contains(&attribute);
                            attributes.push(attribute);
                            self.cost_of_column(literal.column(), is_known)
                        }
                        _ => self.cost_of_conjunction(term),
                    };
                    sets.push((set, own));
                }
            }
        }
        cost + sets.iter().map(|(_, cost)| cost).sum::<f64>()
    }

    /// The cost of a conjunction, apart from its signs.
    fn cost_of_conjunction(&self, term: &Candidate) -> f64 {
        let literals = term.literals();
        // The number of rows expected in the emptiest cell of a literal and one of those before it.
        let expected = |place: usize| {
            let pair = |&other: &Literal| self.expected_without(other, literals[place]);
            literals[..place].iter().map(pair).try_fold(f64::INFINITY, |least, rows| Some(least.min(rows?)))
        };
        let all: Option<Vec<f64>> = (1..literals.len()).map(expected).collect();
        let saved = match all {
            Some(all) => all.into_iter().map(|rows| (self.literal - rows).max(0.0)).sum(),
            None => (literals.len() - 1) as f64 * self.literal,
        };
        let ln_weight = |literal: &Literal| self.ln_weights[literal.column() as usize];
        self.costs[literals.len()] - literals.iter().map(ln_weight).sum::<f64>() + saved
    }

    /// The number of rows without two literals that would be expected if they were independent; `None` unless every row
    /// has one of them.
    fn expected_without(&self, one: Literal, two: Literal) -> Option<f64> {
        let rows = self.context.counter().rows().total();
        let without = |literal: Literal| {
            let with = self.context.singles.counts[literal.column() as usize].total();
            if literal.is_negated() { with as f64 } else { (rows - with) as f64 }
        };
        let is_empty = self.empty_cells?.has_every_row(one, two);
        is_empty.then(|| without(one) * without(two) / rows as f64)
    }

    /// No conjunction of these columns costs less.
    pub fn least_cost_of_pair(&self, one: u32, two: u32) -> f64 {
        let saved = if self.empty_cells.is_none() { self.literal } else { 0.0 };
        let ln_weights = self.ln_weights[one as usize] + self.ln_weights[two as usize];
        self.costs[2] - ln_weights + saved + 2.0 * LN_2
    }

    /// The cost of a single column; `is_known` if another column of its attribute is a single cause.
    fn cost_of_column(&self, column: u32, is_known: bool) -> f64 {
        let attribute = self.context.columns()[column as usize].attribute;
        let all = if is_known { self.of_attribute[attribute].ln() } else { self.costs[1] };
        all - self.ln_weights[column as usize]
    }

    /// The cost of a further term over the columns of another one, apart from its signs: that of an average column.
    pub fn cost_of_further_term(&self) -> f64 {
        (self.singles.len() as f64 / expected(self.singles.len())).ln()
    }

    /// The attributes with a column among some terms.
    pub fn attributes_of<'b>(&self, terms: impl Iterator<Item = &'b Candidate>) -> Vec<usize> {
        let attribute = |term: &Candidate| match term.literals() {
            [literal] => Some(literal.attribute(self.context.columns())),
            _ => None,
        };
        terms.filter(|term| !self.fixed.contains(term)).filter_map(attribute).collect()
    }

    /// The prior cost of a further term of a regression, minus its log prior odds. `known` has the attributes of the
    /// single causes.
    pub fn cost(&self, term: &Candidate, scale: Scale, known: &[usize]) -> f64 {
        let level = term.level();
        let signs = if level > 1 || !scale.is_signed() { level as f64 * LN_2 } else { 0.0 };
        match term.literals() {
            [literal] => {
                let attribute = literal.attribute(self.context.columns());
                signs + self.cost_of_column(literal.column(), known.contains(&attribute))
            }
            _ => signs + self.cost_of_conjunction(term),
        }
    }

    /// Whether a model may contain the term.
    pub fn allows(&self, term: &Candidate) -> bool {
        let literals = term.literals();
        let attribute = |literal: &Literal| literal.attribute(self.context.columns());
        match literals {
            [] => false,
            [literal] => self.singles.binary_search(&literal.column()).is_ok(),
            _ => {
                literals.len() <= self.max_level
                    && literals.iter().all(|literal| self.parts.binary_search(&literal.column()).is_ok())
                    && literals.iter().enumerate().all(|(place, literal)| {
                        literals[..place].iter().all(|other| attribute(other) != attribute(literal))
                    })
            }
        }
    }

    /// The term in the form in which models contain it on a scale: a single literal is a column where coefficients
    /// have a sign.
    pub fn canonical(&self, term: Candidate, scale: Scale) -> Candidate {
        match term.literals() {
            [literal] if scale.is_signed() => Candidate::single(literal.column()),
            _ => term,
        }
    }

    /// The literal of a column that is more frequent among the cases.
    pub fn raising_literal(&self, column: u32) -> Literal {
        let (rows, with) = (self.context.counter().rows(), self.context.singles.counts[column as usize]);
        let is_raising = u128::from(with.positive) * u128::from(rows.negative)
            >= u128::from(with.negative) * u128::from(rows.positive);
        if is_raising { Literal::plain(column) } else { Literal::negation(column) }
    }
}

/// The expected number of single causes among this number of columns.
fn expected(columns: usize) -> f64 {
    EXPECTED.min(EXPECTED_SHARE * columns as f64)
}

/// The standard deviation of each column; columns that do not vary are never terms.
fn column_weights(context: &Context<'_>) -> Vec<f64> {
    let rows = context.counter().rows().total() as f64;
    let weight = |count: &Count| {
        let with = count.total() as f64;
        (with * (rows - with)).max(0.0).sqrt() / rows.max(1.0)
    };
    context.singles.counts.iter().map(weight).collect()
}

/// For each size up to the largest, the sum over all sets of so many values of the product of the values.
fn sums_of_products(values: impl Iterator<Item = f64>, largest: usize) -> Vec<f64> {
    let mut sums = vec![0.0; largest + 1];
    sums[0] = 1.0;
    for value in values {
        for size in (1..=largest).rev() {
            sums[size] += value * sums[size - 1];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::count::LocalCounter;
    use crate::dataset::{DatasetBuilder, Target};
    use crate::progress::NoProgress;
    use crate::random::Random;
    use crate::search::{Method, Settings};

    #[test]
    fn only_an_empty_cell_that_is_no_coincidence_saves_the_cost_of_a_literal() {
        let rows = 2000;
        let mut random = Random::new(3);
        let one: Vec<bool> = (0..rows).map(|_| random.chance(0.5)).collect();
        // Every row has V1 or V2.
        let two: Vec<bool> = one.iter().map(|&one| !one || random.chance(0.5)).collect();
        // Every row has V1 or V3, but only one row lacks V3.
        let first = one.iter().position(|&one| one).unwrap();
        let three: Vec<bool> = (0..rows).map(|row| row != first).collect();
        let outcome = (0..rows).map(|_| random.chance(0.3)).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        for (name, values) in [("V1", &one), ("V2", &two), ("V3", &three)] {
            builder.attribute(name, vec![name.into()], values.iter().map(|&value| value.then_some(0)));
        }
        let data = builder.finish();
        let settings = Settings { method: Method::JOINT, ..Settings::default() };
        let context = Context::new(Arc::new(LocalCounter::new(&data)), &data, settings, &NoProgress).unwrap();
        let space = ModelSpace::new(&context).unwrap();
        // What the conjunction of two columns costs less than that with the first one negated, where no cell is empty.
        let saved = |column: u32| {
            let cost = |one: Literal| {
                space.cost(&Candidate::new([one, Literal::plain(column)]), Scale::Logistic, &[])
            };
            cost(Literal::negation(0)) - cost(Literal::plain(0))
        };
        let expected = one.iter().filter(|one| !**one).count() as f64 / rows as f64;
        assert!((saved(1) - space.literal).abs() < 1e-12, "{} {}", saved(1), space.literal);
        assert!((saved(2) - expected).abs() < 1e-12, "{} {expected}", saved(2));
    }
}
