//! The rows of a table as they are counted.

use concause::simulate::{Purpose, Selection};

use super::weights::Weights;
use crate::options::Holdout;

/// What a row is to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum RowClass {
    Control = 0,
    Case = 1,
    LeftOut = 2,
}

/// The class of every row of the table, how many rows it stands for, and how many of these the search may see.
#[derive(Debug)]
pub(crate) struct Rows {
    pub classes: Vec<RowClass>,
    pub weights: Weights,
    /// All of them if nothing is said.
    searched: Option<Vec<u32>>,
}

impl Rows {
    /// All rows may be searched.
    pub fn new(classes: Vec<RowClass>, weights: Weights) -> Self {
        Self { classes, weights, searched: None }
    }

    /// The rows of a class.
    pub fn count(&self, class: RowClass) -> u64 {
        self.of(class).map(|row| u64::from(self.weights.of(row))).sum()
    }

    /// The rows of a class that the search may see.
    pub fn count_searched(&self, class: RowClass) -> u64 {
        self.of(class).map(|row| self.searched(row)).sum()
    }

    /// The numbers of the rows of the table that are in a class.
    fn of(&self, class: RowClass) -> impl Iterator<Item = usize> {
        let rows = self.classes.iter().enumerate();
        rows.filter(move |&(_, &of_row)| of_row == class).map(|(row, _)| row)
    }

    /// How many rows a row of the table stands for; none if it is left out.
    #[inline]
    pub fn kept(&self, row: usize) -> u64 {
        match self.classes[row] {
            RowClass::LeftOut => 0,
            RowClass::Case | RowClass::Control => self.weights.of(row).into(),
        }
    }

    /// How many of these the search may see.
    #[inline]
    pub fn searched(&self, row: usize) -> u64 {
        match &self.searched {
            Some(searched) if self.classes[row] != RowClass::LeftOut => searched[row].into(),
            _ => self.kept(row),
        }
    }

    /// Draws the rows that the search may not see, from each class by itself.
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
                (0..self.weights.of(row)).filter(|_| !held_out.draws(&mut random)).count() as u32
            }
        });
        self.searched = Some(searched.collect());
    }

    /// How many rows of those that each row of the table stands for the search may see, unless it may see all; without
    /// the rows that are left out.
    pub fn searched_of_kept(&self) -> Option<impl Iterator<Item = u32>> {
        let rows = self.searched.as_ref()?.iter().zip(&self.classes);
        Some(rows.filter(|&(_, &class)| class != RowClass::LeftOut).map(|(&searched, _)| searched))
    }
}
