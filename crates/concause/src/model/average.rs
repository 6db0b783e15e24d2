//! The average of several models, which predicts the risk of a row.

use std::collections::BTreeMap;

use super::Scale;
use crate::dataset::{Candidate, LiteralKind};

/// Models with their weights, over a common list of terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelAverage {
    /// The terms of all models.
    pub terms: Vec<Candidate>,
    /// The models, those with the largest weights first.
    pub models: Vec<WeightedModel>,
}

/// A model of an average.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedModel {
    /// Its probability. The weights need not sum to 1.
    pub weight: f64,
    /// How its terms determine the risk.
    pub form: ModelForm,
}

/// How the terms of a model, given by their places in a common list, determine the risk.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelForm {
    /// A regression: the risk is that of the intercept plus the coefficients of the terms that hold.
    Regression {
        /// The scale of risk.
        scale: Scale,
        /// The predictor of rows in which no term holds.
        intercept: f64,
        /// Each term with its coefficient.
        coefficients: Vec<(usize, f64)>,
    },
    /// A table of risks.
    Table {
        /// Each rule with its risk; the first one that holds decides.
        rules: Vec<(usize, f64)>,
        /// The terms whose configuration decides if no rule holds.
        tabled: Vec<usize>,
        /// The risk of each configuration: which of the tabled terms hold.
        cells: BTreeMap<Vec<bool>, f64>,
        /// The risk of configurations that did not occur.
        other: f64,
    },
}

impl ModelAverage {
    /// The risk of a row in which these columns are 1: the weighted average of the risks of the models. `None` without
    /// models.
    pub fn risk(&self, is_one: impl Fn(u32) -> bool) -> Option<f64> {
        let holds = |term: &Candidate| {
            term.literals().iter().all(|literal| match literal.kind() {
                LiteralKind::Plain => is_one(literal.column()),
                LiteralKind::Negated => !is_one(literal.column()),
                LiteralKind::Known => true,
            })
        };
        let held: Vec<bool> = self.terms.iter().map(holds).collect();
        let weights: f64 = self.models.iter().map(|model| model.weight).sum();
        let risks: f64 = self.models.iter().map(|model| model.weight * model.form.risk(&held)).sum();
        (weights > 0.0).then(|| risks / weights)
    }
}

impl ModelForm {
    /// The risk of a row in which these terms hold.
    fn risk(&self, held: &[bool]) -> f64 {
        match self {
            Self::Regression { scale, intercept, coefficients } => {
                let present = coefficients.iter().filter(|(term, _)| held[*term]);
                scale.risk(intercept + present.map(|(_, coefficient)| coefficient).sum::<f64>())
            }
            Self::Table { rules, tabled, cells, other } => {
                let rule = rules.iter().find(|(rule, _)| held[*rule]).map(|(_, risk)| *risk);
                let cell = || tabled.iter().map(|&term| held[term]).collect::<Vec<bool>>();
                rule.or_else(|| cells.get(&cell()).copied()).unwrap_or(*other)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Literal;

    /// The average of two models, by hand.
    #[test]
    fn the_risk_is_the_weighted_average_of_the_models() {
        let both = Candidate::new([Literal::plain(0), Literal::plain(1)]);
        let terms = vec![Candidate::single(0), both, Candidate::single(Literal::negation(2))];
        let regression = ModelForm::Regression {
            scale: Scale::Additive,
            intercept: 0.1,
            coefficients: vec![(0, 0.2), (1, 0.3)],
        };
        let table = ModelForm::Table {
            rules: vec![(1, 0.9)],
            tabled: vec![0, 2],
            cells: BTreeMap::from([(vec![false, true], 0.4), (vec![true, true], 0.6)]),
            other: 0.5,
        };
        let models =
            vec![WeightedModel { weight: 0.6, form: regression }, WeightedModel { weight: 0.2, form: table }];
        let average = ModelAverage { terms, models };
        let risk = |ones: &[u32]| average.risk(|column| ones.contains(&column)).unwrap();
        let expected = |one: f64, other: f64| 0.75 * one + 0.25 * other;
        for (ones, one, other) in [
            (&[][..], 0.1, 0.4),
            (&[0], 0.3, 0.6),
            (&[0, 1], 0.6, 0.9),
            (&[0, 1, 2], 0.6, 0.9),
            // A configuration without a cell.
            (&[0, 2], 0.3, 0.5),
            (&[1, 2], 0.1, 0.5),
        ] {
            assert!((risk(ones) - expected(one, other)).abs() < 1e-12, "{ones:?}: {}", risk(ones));
        }
        assert_eq!(ModelAverage::default().risk(|_| true), None);
    }
}
