//! The models that predict risks, as data.

use std::collections::BTreeMap;

use concause::dataset::{Candidate, Column, Literal};
use concause::model::{ModelAverage, ModelForm, Scale, WeightedModel};
use serde::{Deserialize, Serialize};

/// Everything that predicts the risk of further rows: how they are encoded, and the models to average.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSummary {
    /// How rows are encoded.
    pub encoding: EncodingSummary,
    /// The terms of the models.
    pub terms: Vec<Vec<LiteralEntry>>,
    /// The models, those with the largest weights first.
    pub models: Vec<ModelEntry>,
}

/// How the attributes of the terms are encoded as columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncodingSummary {
    /// The attributes of the terms, in data order.
    pub attributes: Vec<String>,
    /// The declaration of these attributes in TOML: their kinds, values and cuts.
    pub declaration: String,
    /// Which columns an attribute has, as `--columns`.
    pub columns: String,
    /// How missing values are encoded, as `--missing-as`.
    pub missing_as: String,
    /// Whether binary columns have negations, as `--negate`.
    pub negate: bool,
    /// The markers of missing values besides the usual ones, as `--missing`.
    pub missing: Vec<String>,
}

/// A condition on a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiteralEntry {
    /// The name of the column.
    pub column: String,
    /// The value that it has where the term holds: 0 or 1.
    pub is: u8,
}

/// A model of the average. Terms are given by their places in the list of terms, starting from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelEntry {
    /// The scale of risk.
    pub scale: String,
    /// Its weight in the average. The weights need not sum to 1.
    pub weight: f64,
    /// The predictor of rows in which no term holds; of a table, the risk of configurations that are not in `cells`.
    pub intercept: f64,
    /// Each term with its coefficient; of a table, each rule with its risk: the first rule that holds decides.
    pub coefficients: Vec<(usize, f64)>,
    /// Of a table, the terms whose configuration decides if no rule holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tabled: Vec<usize>,
    /// Of a table, the risk of each configuration: a 1 for each tabled term that holds, and a 0 for each other one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cells: BTreeMap<String, f64>,
}

impl ModelSummary {
    /// The models of an average whose terms are over these columns.
    pub fn new(average: &ModelAverage, columns: &[Column], encoding: EncodingSummary) -> Self {
        let literal = |literal: &Literal| LiteralEntry {
            column: columns[literal.column() as usize].name.clone(),
            is: u8::from(!literal.is_negated()),
        };
        let literals = |term: &Candidate| term.literals().iter().map(literal).collect();
        Self {
            encoding,
            terms: average.terms.iter().map(literals).collect(),
            models: average.models.iter().map(ModelEntry::new).collect(),
        }
    }

    /// The names of the columns of the terms.
    pub fn columns(&self) -> Vec<String> {
        let mut columns: Vec<String> =
            self.terms.iter().flatten().map(|literal| literal.column.clone()).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The average, with columns numbered by their places in a list; `None` if a column is not in the list, a term not
    /// in the list of terms, or a scale unknown.
    pub fn average(&self, columns: &[String]) -> Option<ModelAverage> {
        let literal = |entry: &LiteralEntry| {
            let column = columns.iter().position(|column| *column == entry.column)? as u32;
            Some(if entry.is == 1 { Literal::plain(column) } else { Literal::negation(column) })
        };
        let term = |literals: &Vec<LiteralEntry>| {
            Some(Candidate::new(literals.iter().map(literal).collect::<Option<Vec<_>>>()?))
        };
        let models = self.models.iter().map(|model| model.read(self.terms.len())).collect::<Option<_>>()?;
        Some(ModelAverage { terms: self.terms.iter().map(term).collect::<Option<_>>()?, models })
    }
}

impl ModelEntry {
    fn new(model: &WeightedModel) -> Self {
        let entry = |scale: Scale, intercept: f64, coefficients: &[(usize, f64)]| Self {
            scale: scale.name().to_owned(),
            weight: model.weight,
            intercept,
            coefficients: coefficients.to_vec(),
            tabled: Vec::new(),
            cells: BTreeMap::new(),
        };
        match &model.form {
            ModelForm::Regression { scale, intercept, coefficients } => {
                entry(*scale, *intercept, coefficients)
            }
            ModelForm::Table { rules, tabled, cells, other } => {
                let text = |cell: &[bool]| cell.iter().map(|&holds| if holds { '1' } else { '0' }).collect();
                Self {
                    tabled: tabled.clone(),
                    cells: cells.iter().map(|(cell, risk)| (text(cell), *risk)).collect(),
                    ..entry(Scale::Table, *other, rules)
                }
            }
        }
    }

    fn read(&self, terms: usize) -> Option<WeightedModel> {
        let scale = Scale::ALL.into_iter().find(|scale| scale.name() == self.scale)?;
        let mut named = self.coefficients.iter().map(|(term, _)| term).chain(&self.tabled);
        if named.any(|&term| term >= terms) {
            return None;
        }
        let (intercept, coefficients) = (self.intercept, self.coefficients.clone());
        let form = match scale {
            Scale::Table => ModelForm::Table {
                rules: coefficients,
                tabled: self.tabled.clone(),
                cells: self
                    .cells
                    .iter()
                    .map(|(cell, &risk)| (cell.chars().map(|it| it == '1').collect(), risk))
                    .collect(),
                other: intercept,
            },
            _ => ModelForm::Regression { scale, intercept, coefficients },
        };
        Some(WeightedModel { weight: self.weight, form })
    }
}
