//! The posterior over sets of causes, as data.

use concause::dataset::{Candidate, Column};
use concause::search::{ColumnSet, Posterior};
use serde::{Deserialize, Serialize};

/// Terms and columns below this probability are not listed.
const LEAST_LISTED: f64 = 0.01;

/// Sets of columns between this probability and ½ are possible causes.
pub(crate) const POSSIBLE: f64 = 0.1;

/// The posterior over sets of causes: an average over the models that compete with the best one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PosteriorSummary {
    /// The number of models in the average.
    pub models: u64,
    /// The probability that there is no cause.
    pub no_cause: f64,
    /// The probability of each scale of risk, in the order logistic, probit, sufficient, additive, multiplicative,
    /// table; impossible ones are omitted.
    pub scales: Vec<ScaleEntry>,
    /// The sets of columns that act jointly, the most probable first. At least ½: a cause; at least .1: possible.
    pub column_sets: Vec<ColumnSetEntry>,
    /// The probability that a column matters in any form, in data order.
    pub columns: Vec<ColumnEntry>,
}

/// The probability of a scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScaleEntry {
    /// The name of the scale.
    pub scale: String,
    /// Its probability.
    pub probability: f64,
}

/// A set of columns that acts as one or several terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnSetEntry {
    /// The names of the columns, in data order.
    pub columns: Vec<String>,
    /// The probability that at least one term has exactly these columns.
    pub probability: f64,
    /// The terms with these columns, the most probable first.
    pub terms: Vec<TermEntry>,
    /// The set that shares a column with this one and most probably takes its place, if there is one.
    pub alternative: Option<AlternativeEntry>,
}

/// The probability of a term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermEntry {
    /// Its name: the literals joined by `&`, with `!` for a negation.
    pub name: String,
    /// Its probability.
    pub probability: f64,
}

/// A set of columns that may take the place of another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlternativeEntry {
    /// The name of its most probable term; empty in results of early versions.
    #[serde(default)]
    pub name: String,
    /// The names of its columns, in data order.
    pub columns: Vec<String>,
    /// The probability that it is in the model and the other set is not.
    pub probability: f64,
}

/// The probability that a column matters in any form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnEntry {
    /// The name of the column.
    pub name: String,
    /// The probability.
    pub probability: f64,
}

impl PosteriorSummary {
    pub(super) fn new(posterior: &Posterior, columns: &[Column]) -> Self {
        let is_listed = |probability: f64| probability >= LEAST_LISTED;
        let sets = posterior.column_sets.iter().filter(|set| is_listed(set.probability));
        Self {
            models: posterior.models as u64,
            no_cause: at_most_one(posterior.no_cause),
            scales: posterior
                .scales
                .iter()
                .map(|(scale, probability)| ScaleEntry {
                    scale: scale.name().to_owned(),
                    probability: at_most_one(*probability),
                })
                .collect(),
            column_sets: sets.map(|set| ColumnSetEntry::new(set, columns)).collect(),
            columns: posterior
                .columns
                .iter()
                .filter(|(_, probability)| is_listed(*probability))
                .map(|(column, probability)| ColumnEntry {
                    name: columns[*column as usize].name.clone(),
                    probability: at_most_one(*probability),
                })
                .collect(),
        }
    }
}

impl AlternativeEntry {
    /// What people read: the most probable term.
    pub(crate) fn name(&self) -> String {
        if self.name.is_empty() { self.columns.join("&") } else { self.name.clone() }
    }
}

impl ColumnSetEntry {
    /// What people read: the most probable term.
    pub(crate) fn name(&self) -> String {
        self.terms.first().map_or_else(|| self.columns.join("&"), |term| term.name.clone())
    }

    fn new(set: &ColumnSet, columns: &[Column]) -> Self {
        let term = |(term, probability): &(Candidate, f64)| TermEntry {
            name: term.name(columns),
            probability: at_most_one(*probability),
        };
        let terms = set.terms.iter().filter(|(_, probability)| *probability >= LEAST_LISTED);
        Self {
            columns: column_names(&set.columns, columns),
            probability: at_most_one(set.probability),
            terms: terms.map(term).collect(),
            alternative: set
                .alternative
                .as_ref()
                .filter(|(_, probability)| *probability >= LEAST_LISTED)
                .map(|(other, probability)| AlternativeEntry {
                    name: other.name(columns),
                    columns: column_names(other, columns),
                    probability: at_most_one(*probability),
                }),
        }
    }
}

/// The names of the columns of a candidate, without negations, in data order.
pub(super) fn column_names(candidate: &Candidate, columns: &[Column]) -> Vec<String> {
    let literals = candidate.in_data_order().into_iter();
    literals.map(|literal| columns[literal.column() as usize].name.clone()).collect()
}

/// The names of the literals of a candidate, in the order of [`column_names`].
pub(super) fn literal_names(candidate: &Candidate, columns: &[Column]) -> Vec<String> {
    candidate.in_data_order().into_iter().map(|literal| literal.name(columns)).collect()
}

/// A probability without rounding errors beyond 1.
fn at_most_one(probability: f64) -> f64 {
    probability.min(1.0)
}
