//! The posterior over sets of causes, as data.

use concause::dataset::{Candidate, Column};
use concause::model::Scale;
use concause::search::{AttributeSet, CutRange, Posterior};
use serde::{Deserialize, Serialize};

use super::CauseEntry;

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
    /// The sets of attributes that act jointly, the most probable first. At least ½: a cause; at least .1: possible.
    #[serde(default)]
    pub attribute_sets: Vec<AttributeSetEntry>,
    /// The probability that an attribute matters in any form, in data order.
    #[serde(default)]
    pub attributes: Vec<AttributeEntry>,
}

/// The probability of a scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScaleEntry {
    /// The name of the scale.
    pub scale: String,
    /// Its probability.
    pub probability: f64,
}

/// A set of attributes that acts as one or several terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeSetEntry {
    /// The names of the attributes, in data order.
    pub attributes: Vec<String>,
    /// The probability that at least one term has exactly these attributes.
    pub probability: f64,
    /// The probability that each of these attributes matters, in this or any other form.
    pub matters: f64,
    /// Whether it is an attribute that matters with a probability of at least ½, although no set with it does.
    pub undecided: bool,
    /// The terms over these attributes, the most probable first; if there are none, those that contain them.
    pub terms: Vec<TermEntry>,
    /// Where its ordered attributes are cut.
    pub cuts: Vec<CutEntry>,
    /// The terms over other sets that take its place, the most probable first.
    pub alternatives: Vec<TermEntry>,
}

/// The cut of an ordered attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CutEntry {
    /// The attribute.
    pub attribute: String,
    /// The most probable cut.
    pub value: f64,
    /// The least cut of the 95 % credible range.
    pub low: f64,
    /// The largest one.
    pub high: f64,
}

/// The probability of a term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermEntry {
    /// Its name: the names of its parts joined by `&`.
    pub name: String,
    /// Its probability.
    pub probability: f64,
}

/// The probability that an attribute matters in any form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeEntry {
    /// Its name.
    pub name: String,
    /// The probability.
    pub probability: f64,
}

impl PosteriorSummary {
    pub(super) fn new(posterior: &Posterior, columns: &[Column], attributes: &[String]) -> Self {
        let is_listed = |probability: f64| probability >= LEAST_LISTED;
        let sets = posterior.attribute_sets.iter().filter(|set| is_listed(set.probability) || set.is_cause);
        let scale = |(scale, probability): &(Scale, f64)| ScaleEntry {
            scale: scale.name().to_owned(),
            probability: at_most_one(*probability),
        };
        let mattering = posterior.attributes.iter().filter(|(_, probability)| is_listed(*probability));
        let attribute = |(attribute, probability): &(usize, f64)| AttributeEntry {
            name: attributes[*attribute].clone(),
            probability: at_most_one(*probability),
        };
        Self {
            models: posterior.models as u64,
            no_cause: at_most_one(posterior.no_cause),
            scales: posterior.scales.iter().map(scale).collect(),
            attribute_sets: sets.map(|set| AttributeSetEntry::new(set, columns, attributes)).collect(),
            attributes: mattering.map(attribute).collect(),
        }
    }

    /// The set of attributes of a cause.
    pub(crate) fn set_of(&self, cause: &CauseEntry) -> Option<&AttributeSetEntry> {
        self.attribute_sets.iter().find(|set| set.attributes == cause.attributes)
    }
}

impl AttributeSetEntry {
    /// What people read: the most probable term.
    pub(crate) fn name(&self) -> String {
        self.terms.first().map_or_else(|| self.attributes.join("&"), |term| term.name.clone())
    }

    /// Whether it is a cause.
    pub(crate) fn is_cause(&self) -> bool {
        self.undecided || self.probability >= 0.5
    }

    pub(super) fn new(set: &AttributeSet, columns: &[Column], attributes: &[String]) -> Self {
        let terms = |terms: &[(Candidate, f64)]| -> Vec<TermEntry> {
            let listed = terms.iter().filter(|(_, probability)| *probability >= LEAST_LISTED);
            let entry = |(term, probability): &(Candidate, f64)| TermEntry {
                name: term.name(columns),
                probability: at_most_one(*probability),
            };
            listed.map(entry).collect()
        };
        let cut = |cut: &CutRange| CutEntry {
            attribute: attributes[cut.attribute].clone(),
            value: cut.value,
            low: cut.low,
            high: cut.high,
        };
        Self {
            attributes: set.attributes.iter().map(|&attribute| attributes[attribute].clone()).collect(),
            probability: at_most_one(set.probability),
            matters: at_most_one(set.matters),
            undecided: set.is_undecided,
            terms: terms(&set.terms),
            cuts: set.cuts.iter().map(cut).collect(),
            alternatives: terms(&set.alternatives),
        }
    }
}

/// The names of the columns of a candidate, without negations, in data order.
pub(super) fn column_names(candidate: &Candidate, columns: &[Column]) -> Vec<String> {
    let literals = candidate.in_data_order().into_iter();
    literals.map(|literal| columns[literal.column() as usize].name.clone()).collect()
}

/// A probability without rounding errors beyond 1.
fn at_most_one(probability: f64) -> f64 {
    probability.min(1.0)
}
