//! The posterior over sets of causes.

use std::collections::BTreeSet;

use crate::dataset::{Candidate, Column};
use crate::model::{ModelAverage, Scale};

/// The posterior over sets of causes: a weighted average over the models in Occam's window.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The models with most of the weight, which predict risks.
    pub average: ModelAverage,
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
    /// The sets of attributes that act jointly in some model, the most probable first.
    pub attribute_sets: Vec<AttributeSet>,
    /// For each attribute in any term: the probability that it matters in some form.
    pub attributes: Vec<(usize, f64)>,
}

/// A set of attributes over which some models have a term.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeSet {
    /// The attributes.
    pub attributes: BTreeSet<usize>,
    /// The probability that at least one term has exactly these attributes.
    pub probability: f64,
    /// The probability that each of these attributes matters, in this or any other form.
    pub matters: f64,
    /// The terms over these attributes, the most probable first. If there is none, those that contain them.
    pub terms: Vec<(Candidate, f64)>,
    /// Where the attributes that are ordered are cut.
    pub cuts: Vec<CutRange>,
    /// Whether it is a cause: its probability is at least ½, or its form is undecided.
    pub is_cause: bool,
    /// Whether it is an attribute that matters with a probability of at least ½, although no set with it does.
    pub is_undecided: bool,
    /// The most probable terms over the sets of attributes that share an attribute with this one, each with the
    /// probability that it takes the place of this set, the most probable first.
    pub alternatives: Vec<(Candidate, f64)>,
}

/// The cut of an ordered attribute in the terms over a set of attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct CutRange {
    /// The attribute.
    pub attribute: usize,
    /// The most probable cut.
    pub value: f64,
    /// The least cut in the 95 % credible range.
    pub low: f64,
    /// The largest one.
    pub high: f64,
}

impl AttributeSet {
    /// The set of attributes that most probably takes its place, as a term, with the probability of that.
    pub fn alternative(&self) -> Option<&(Candidate, f64)> {
        self.alternatives.first()
    }
}

impl Posterior {
    /// The set of the attributes of a candidate, if some model has a term over it.
    pub fn attribute_set(&self, candidate: &Candidate, columns: &[Column]) -> Option<&AttributeSet> {
        let attributes = candidate.attributes(columns);
        self.attribute_sets.iter().find(|set| set.attributes == attributes)
    }
}
