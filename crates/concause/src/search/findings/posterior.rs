//! The posterior over sets of causes.

use crate::dataset::Candidate;
use crate::model::Scale;

/// The posterior over sets of causes: a weighted average over the models in Occam's window.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The number of models in the window.
    pub models: usize,
    /// The scale of the best model.
    pub best_scale: Scale,
    /// The terms of the best model, covariates and required causes included.
    pub best_terms: Vec<Candidate>,
    /// The rules among them, if the best model is a table.
    pub best_rules: Vec<Candidate>,
    /// The largest number of terms of a model, besides covariates and required causes, if the best model has as many:
    /// there may be more causes.
    pub most_terms: Option<usize>,
    /// The probability that there is no cause.
    pub no_cause: f64,
    /// The probability of each scale of risk.
    pub scales: Vec<(Scale, f64)>,
    /// The sets of columns that are terms in some model, the most probable first.
    pub column_sets: Vec<ColumnSet>,
    /// For each column in any term: the probability that it matters in some form.
    pub columns: Vec<(u32, f64)>,
}

/// A set of columns whose conjunction, with any signs, is a term of some models.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnSet {
    /// The columns.
    pub columns: Candidate,
    /// The probability that at least one term has exactly these columns.
    pub probability: f64,
    /// The terms with these columns, the most probable first.
    pub terms: Vec<(Candidate, f64)>,
    /// Whether it is a cause: its probability is at least ½, or it is the most probable choice of columns of a set of
    /// attributes with that probability.
    pub is_cause: bool,
    /// The set that shares a column with this one and most probably takes its place, as its most probable term, with
    /// the probability of that.
    pub alternative: Option<(Candidate, f64)>,
}

impl Posterior {
    /// The set of columns of a candidate, if it is a term in some model.
    pub fn column_set(&self, unsigned: &Candidate) -> Option<&ColumnSet> {
        self.column_sets.iter().find(|set| set.columns == *unsigned)
    }
}
