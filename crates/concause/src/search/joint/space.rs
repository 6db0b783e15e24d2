//! The space of models and its prior.
//!
//! A model is a set of terms and a scale of risk. Terms enter independently of each other. A term over k attributes
//! has the prior odds c^k Π w / S · N^(−(k−1)/2) · Π f: the first product is over the weights w of its attributes,
//! and S is the sum of such products over all sets of k attributes. Thus c single causes are expected. If all
//! attributes have the same weight, S / Π w is the number of sets (Hubin, Storvik and Frommlet 2020). The weight is
//! the largest standard deviation of a column of the attribute: one that hardly varies is less likely, because the
//! data say little about its coefficient. The marginal likelihood, on the contrary, charges such a coefficient less:
//! half the logarithm of its information, which is proportional to the variance. Together all are charged alike, as
//! by BIC (Kass and Wasserman 1995).
//!
//! f is the probability of the form in which an attribute acts, one of its columns or intervals ([`super::forms`]).
//! Both signs of a literal are equally likely.
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
//! - A further column of an attribute costs only its form. The attribute is known to matter, and what its other columns
//!   leave unexplained is more likely an effect of its own than of a conjunction.
//! - A single literal has no sign of its own where coefficients have one.
//! - A further term over the attributes of another conjunction costs as much as an average attribute, apart from its
//!   form: the attributes are known to act jointly, and one more cell of their table has its own risk.
//!
//! The probit, additive and multiplicative scales and tables are a thousand times less likely than the others. On them,
//! causes that interact on the logistic scale may not interact. Without strong evidence an interaction is the better
//! explanation; with much data the evidence decides in any case.

use std::collections::BTreeSet;
use std::f64::consts::LN_2;

use super::forms::Forms;
use super::rule_table::RuleTable;
use crate::count::Count;
use crate::dataset::{Candidate, Literal, Part};
use crate::error::Error;
use crate::model::Scale;
use crate::model::table::TableModel;
use crate::search::context::{Context, EmptyCells};

/// The expected number of single causes (Bogdan, Ghosh and Doerge 2004), and the largest share of the attributes that
/// it can be.
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
    /// The prior cost of a term of each level apart from its form and the weights of its attributes, in log units.
    costs: Vec<f64>,
    /// The prior of the attributes and their forms.
    forms: Forms,
    /// Whether an attribute has several columns.
    pub has_several_columns: bool,
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

        let attribute_of = |&column: &u32| context.columns()[column as usize].attribute;
        let forms = Forms::new(context.columns(), &singles, &column_weights(context));
        let of_attribute = singles.chunk_by(|one, two| attribute_of(one) == attribute_of(two));
        let singles_per_attribute = of_attribute.map(<[u32]>::len).max().unwrap_or(0);
        let sums = sums_of_products(forms.weights.iter().copied(), max_level);
        let cost = |(level, sum): (usize, &f64)| sum.ln() - level as f64 * expected(forms.attributes).ln();
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
        let empty_cells = (max_level > 1).then(|| context.empty_cells()).transpose()?;
        Ok(Self {
            context,
            singles,
            parts,
            fixed,
            max_level,
            table,
            costs,
            has_several_columns: singles_per_attribute > 1,
            forms,
            literal,
            empty_cells: empty_cells.filter(|cells| !cells.is_empty()),
        })
    }

    /// The log prior of a regression with these terms, up to a constant.
    pub fn ln_prior<'b>(&self, scale: Scale, terms: impl Iterator<Item = &'b Candidate>) -> f64 {
        let cost = self.cost_of_terms(terms, |term| self.level(term) > 1 || !scale.is_signed());
        if scale.is_common() { -cost } else { -cost - RARE_SCALE.ln() }
    }

    /// The log prior of a table model, up to the same constant.
    pub fn ln_prior_of_table(&self, table: &RuleTable) -> f64 {
        let is_signed = |term: &Candidate| self.level(term) > 1 || table.rules.contains(term);
        let saved = table.rules.len() as f64 * self.literal;
        -self.cost_of_terms(table.rules.iter().chain(&table.tabled), is_signed) - RARE_SCALE.ln() - saved
    }

    /// The number of attributes of a term.
    pub fn level(&self, term: &Candidate) -> usize {
        term.attribute_level(self.context.columns())
    }

    /// The attributes of a term.
    pub fn attributes(&self, term: &Candidate) -> BTreeSet<usize> {
        term.attributes(self.context.columns())
    }

    /// At most this is gained in log prior by one more term: its attributes have no larger share of the sum over all
    /// sets of as many attributes.
    pub fn most_prior_gain(&self, term: &Candidate) -> f64 {
        (self.level(term) as f64 * expected(self.forms.attributes).ln()).max(0.0)
    }

    /// The sum of the costs of terms. It does not depend on their order.
    fn cost_of_terms<'b>(
        &self,
        terms: impl Iterator<Item = &'b Candidate>,
        is_signed: impl Fn(&Candidate) -> bool,
    ) -> f64 {
        let mut sets: Vec<(BTreeSet<usize>, f64)> = Vec::new();
        let mut cost = 0.0;
        for term in terms.filter(|term| !self.fixed.contains(term)) {
            let attributes = self.attributes(term);
            let parts = self.parts_of(term);
            cost += self.cost_of_form(&parts, is_signed(term));
            let own = self.cost_of_attributes(&parts);
            match sets.iter_mut().find(|(other, _)| *other == attributes) {
                // Of the terms over one set of attributes, the most expensive is the first.
                Some((_, most)) if parts.len() > 1 => {
                    cost += self.cost_of_further_term();
                    *most = most.max(own);
                }
                Some(_) => {}
                None => sets.push((attributes, own)),
            }
        }
        cost + sets.iter().map(|(_, cost)| cost).sum::<f64>()
    }

    /// The parts of a term. What no model may contain counts as its literals.
    fn parts_of(&self, term: &Candidate) -> Vec<Part> {
        let columns = self.context.columns();
        let literal = |&literal: &Literal| Part { attribute: literal.attribute(columns), literal, end: None };
        term.parts(columns).unwrap_or_else(|| term.literals().iter().map(literal).collect())
    }

    /// What it costs to choose the form of a term whose attributes are known.
    fn cost_of_form(&self, parts: &[Part], is_signed: bool) -> f64 {
        let form: f64 = parts.iter().map(|part| self.forms.cost_of_part(part)).sum();
        let signs = if is_signed { parts.iter().filter(|part| part.end.is_none()).count() } else { 0 };
        form + signs as f64 * LN_2
    }

    /// The cost of the attributes of a term, apart from its form.
    fn cost_of_attributes(&self, parts: &[Part]) -> f64 {
        // The number of rows expected in the emptiest cell of a part and one of those before it.
        let expected = |place: usize| {
            let pair = |other: &Part| match (other.end, parts[place].end) {
                (None, None) => self.expected_without(other.literal, parts[place].literal),
                _ => None,
            };
            parts[..place].iter().map(pair).try_fold(f64::INFINITY, |least, rows| Some(least.min(rows?)))
        };
        let all: Option<Vec<f64>> = (1..parts.len()).map(expected).collect();
        let saved = match all {
            Some(all) => all.into_iter().map(|rows| (self.literal - rows).max(0.0)).sum(),
            None => (parts.len() - 1) as f64 * self.literal,
        };
        let weights: f64 = parts.iter().map(|part| self.forms.ln_weight(part.attribute)).sum();
        self.costs[parts.len()] - weights + saved
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
        let cost = |column: u32| {
            let attribute = self.context.columns()[column as usize].attribute;
            self.forms.cost_of_column(column) - self.forms.ln_weight(attribute)
        };
        self.costs[2] + cost(one) + cost(two) + saved + 2.0 * LN_2
    }

    /// The cost of a further term over the attributes of another one, apart from its form: that of an average
    /// attribute.
    pub fn cost_of_further_term(&self) -> f64 {
        (self.forms.attributes as f64 / expected(self.forms.attributes)).ln()
    }

    /// The attributes that are single causes among some terms.
    pub fn attributes_of<'b>(&self, terms: impl Iterator<Item = &'b Candidate>) -> Vec<usize> {
        let free = terms.filter(|term| !self.fixed.contains(term) && self.level(term) == 1);
        free.map(|term| term.literals()[0].attribute(self.context.columns())).collect()
    }

    /// The prior cost of a further term of a regression, minus its log prior odds. `known` has the attributes of the
    /// single causes.
    pub fn cost(&self, term: &Candidate, scale: Scale, known: &[usize]) -> f64 {
        let parts = self.parts_of(term);
        let form = self.cost_of_form(&parts, parts.len() > 1 || !scale.is_signed());
        match parts[..] {
            [part] if known.contains(&part.attribute) => form,
            _ => form + self.cost_of_attributes(&parts),
        }
    }

    /// Whether a model may contain the term.
    pub fn allows(&self, term: &Candidate) -> bool {
        let Some(parts) = term.parts(self.context.columns()) else { return false };
        let columns = match parts.len() {
            0 => return false,
            1 => &self.singles,
            _ => &self.parts,
        };
        parts.len() <= self.max_level
            && term.literals().iter().all(|literal| columns.binary_search(&literal.column()).is_ok())
    }

    /// The term in the form in which models contain it on a scale: a single literal is a column where coefficients
    /// have a sign.
    pub fn canonical(&self, term: Candidate, scale: Scale) -> Candidate {
        match term.literals() {
            [literal] if scale.is_signed() => Candidate::single(literal.column()),
            _ => term,
        }
    }

    /// The thresholds of an attribute, in ascending order; `None` beyond the last attribute.
    pub fn thresholds(&self, attribute: usize) -> Option<&[u32]> {
        self.forms.thresholds(attribute)
    }

    /// The literals that differ from a literal of an ordered attribute by one band.
    pub fn shifted(&self, literal: Literal) -> impl Iterator<Item = Literal> {
        let column = literal.column();
        let thresholds = self.thresholds(literal.attribute(self.context.columns())).unwrap_or_default();
        let place = thresholds.iter().position(|&threshold| threshold == column);
        let near = place.into_iter().flat_map(|place| [place.checked_sub(1), Some(place + 1)]);
        let shifted = near.flatten().filter_map(|place| thresholds.get(place).copied());
        let same_sign = if literal.is_negated() { Literal::negation } else { Literal::plain };
        shifted.map(same_sign)
    }

    /// The literal of a column that is more frequent among the cases.
    pub fn raising_literal(&self, column: u32) -> Literal {
        let (rows, with) = (self.context.counter().rows(), self.context.singles.counts[column as usize]);
        let is_raising = u128::from(with.positive) * u128::from(rows.negative)
            >= u128::from(with.negative) * u128::from(rows.positive);
        if is_raising { Literal::plain(column) } else { Literal::negation(column) }
    }
}

/// The expected number of single causes among this number of attributes.
fn expected(attributes: usize) -> f64 {
    EXPECTED.min(EXPECTED_SHARE * attributes as f64)
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
