//! The prior of the attributes of a term, and of the forms in which they act.
//!
//! A set of attributes is as probable as its weights say, and its probability is divided among its forms. Cutting an
//! attribute finer, or a nominal attribute having more values, therefore does not make it more probable. The weight of
//! an attribute is the largest standard deviation of its columns. The columns of an attribute are as likely as their
//! standard deviations say; of an ordered attribute, a threshold and an interval are equally likely.

use std::f64::consts::LN_2;

use crate::dataset::{Column, Part};

/// The prior of attributes and of their forms.
pub(super) struct Forms {
    /// The number of attributes with a column.
    pub attributes: usize,
    /// The weight of each attribute; 0 without a column.
    pub weights: Vec<f64>,
    /// The logarithm of the weight of each attribute.
    ln_weights: Vec<f64>,
    /// The log probability of each column among the forms of its attribute.
    ln_columns: Vec<f64>,
    /// The log probability of an interval of each attribute.
    ln_intervals: Vec<f64>,
    /// The thresholds of each attribute, in ascending order.
    thresholds: Vec<Vec<u32>>,
}

impl Forms {
    /// The forms of attributes with some columns; `deviations` are the standard deviations of all columns.
    pub fn new(columns: &[Column], used: &[u32], deviations: &[f64]) -> Self {
        let attributes = columns.iter().map(|column| column.attribute + 1).max().unwrap_or(0);
        let (mut weights, mut sums) = (vec![0.0f64; attributes], vec![0.0; attributes]);
        let mut thresholds: Vec<Vec<u32>> = vec![Vec::new(); attributes];
        for &number in used {
            let (column, deviation) = (&columns[number as usize], deviations[number as usize]);
            weights[column.attribute] = weights[column.attribute].max(deviation);
            sums[column.attribute] += deviation;
            if column.is_threshold() {
                thresholds[column.attribute].push(number);
            }
        }
        let has_intervals = |attribute: usize| thresholds[attribute].len() > 1;
        let ln_column = |(column, deviation): (&Column, &f64)| {
            let kinds = if has_intervals(column.attribute) { LN_2 } else { 0.0 };
            deviation.ln() - sums[column.attribute].ln() - kinds
        };
        let ln_interval = |thresholds: &Vec<u32>| {
            let count = thresholds.len() as f64;
            -LN_2 - (count * (count - 1.0) / 2.0).ln()
        };
        Self {
            attributes: weights.iter().filter(|weight| **weight > 0.0).count(),
            ln_weights: weights.iter().map(|weight| weight.ln()).collect(),
            ln_columns: columns.iter().zip(deviations).map(ln_column).collect(),
            ln_intervals: thresholds.iter().map(ln_interval).collect(),
            weights,
            thresholds,
        }
    }

    /// The logarithm of the weight of an attribute.
    pub fn ln_weight(&self, attribute: usize) -> f64 {
        self.ln_weights[attribute]
    }

    /// What it costs to choose a column among the forms of its attribute.
    pub fn cost_of_column(&self, column: u32) -> f64 {
        -self.ln_columns[column as usize]
    }

    /// What it costs to choose a part among the forms of its attribute, apart from its sign.
    pub fn cost_of_part(&self, part: &Part) -> f64 {
        match part.end {
            Some(_) => -self.ln_intervals[part.attribute],
            None => self.cost_of_column(part.literal.column()),
        }
    }

    /// The thresholds of an attribute, in ascending order; `None` beyond the last attribute.
    pub fn thresholds(&self, attribute: usize) -> Option<&[u32]> {
        self.thresholds.get(attribute).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Literal;

    /// The forms of an attribute have probability 1 together, however fine it is cut.
    #[test]
    fn the_probability_of_an_attribute_is_divided_among_its_forms() {
        for cuts in [1u32, 2, 5, 15] {
            let mut columns = vec![Column::named("x", "x".into())];
            columns.extend((0..cuts).map(|cut| Column::threshold("age", cut.to_string()).of_attribute(1)));
            let used: Vec<u32> = (0..=cuts).collect();
            let deviations: Vec<f64> = used.iter().map(|&column| 0.5 / f64::from(column + 1)).collect();
            let forms = Forms::new(&columns, &used, &deviations);
            assert_eq!((forms.attributes, forms.weights[1]), (2, 0.25));
            assert_eq!(forms.cost_of_column(0), 0.0);
            let mut all: f64 = (1..=cuts).map(|column| (-forms.cost_of_column(column)).exp()).sum();
            for low in 1..=cuts {
                for high in low + 1..=cuts {
                    let end = Some(Literal::negation(high));
                    let part = Part { attribute: 1, literal: Literal::plain(low), end };
                    all += (-forms.cost_of_part(&part)).exp();
                }
            }
            assert!((all - 1.0).abs() < 1e-12, "{cuts}: {all}");
        }
    }
}
