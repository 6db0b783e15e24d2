//! The rows of a table with their class and weight.

use concause::random::{Purpose, Selection};

use super::weights::Weights;
use crate::options::Holdout;

/// The class of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum RowClass {
    Control = 0,
    Case = 1,
    LeftOut = 2,
}

/// The class and the weight of every row of the table, and the share of the weight that the search may use.
#[derive(Debug)]
pub(crate) struct Rows {
    pub classes: Vec<RowClass>,
    pub weights: Weights,
    /// The weight that is not held out; all of it if `None`.
    searched: Option<Vec<u32>>,
}

impl Rows {
    /// All rows may be searched.
    pub fn new(classes: Vec<RowClass>, weights: Weights) -> Self {
        Self { classes, weights, searched: None }
    }

    /// The rows of a class.
    pub fn count(&self, class: RowClass) -> u64 {
        self.rows_in_class(class).map(|row| u64::from(self.weights.row_weight(row))).sum()
    }

    /// The rows of a class that the search may use.
    pub fn count_searched(&self, class: RowClass) -> u64 {
        self.rows_in_class(class).map(|row| self.searched_weight(row)).sum()
    }

    /// The numbers of the rows of the table that are in a class.
    fn rows_in_class(&self, class: RowClass) -> impl Iterator<Item = usize> {
        let rows = self.classes.iter().enumerate();
        rows.filter(move |&(_, &row_class)| row_class == class).map(|(row, _)| row)
    }

    /// The weight of a row; 0 if it is left out.
    #[inline]
    pub fn kept_weight(&self, row: usize) -> u64 {
        match self.classes[row] {
            RowClass::LeftOut => 0,
            RowClass::Case | RowClass::Control => self.weights.row_weight(row).into(),
        }
    }

    /// The share of the weight of a row that the search may use.
    #[inline]
    pub fn searched_weight(&self, row: usize) -> u64 {
        match &self.searched {
            Some(searched) if self.classes[row] != RowClass::LeftOut => searched[row].into(),
            _ => self.kept_weight(row),
        }
    }

    /// Draws the rows that are withheld from the search, separately in each class.
    pub fn hold_out(&mut self, holdout: Holdout) {
        let Some(mut random) = Purpose::HeldOutRows.streams(holdout.seed, 1).pop() else { return };
        let mut selections = [RowClass::Control, RowClass::Case].map(|class| {
            let rows = self.count(class);
            Selection::new(rows, (holdout.share * rows as f64).round() as u64)
        });
        let searched = self.classes.iter().enumerate().map(|(row, &class)| match class {
            RowClass::LeftOut => 0,
            RowClass::Case | RowClass::Control => {
                let held_out = &mut selections[class as usize];
                (0..self.weights.row_weight(row)).filter(|_| !held_out.draws(&mut random)).count() as u32
            }
        });
        self.searched = Some(searched.collect());
    }

    /// The searched weight of every row that is not left out; `None` if no row is held out.
    pub fn searched_weights(&self) -> Option<impl Iterator<Item = u32>> {
        let rows = self.searched.as_ref()?.iter().zip(&self.classes);
        Some(rows.filter(|&(_, &class)| class != RowClass::LeftOut).map(|(&searched, _)| searched))
    }
}
