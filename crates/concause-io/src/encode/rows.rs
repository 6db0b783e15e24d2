//! The rows of a table as they are counted.

use super::weights::Weights;

/// What a row is to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum RowClass {
    Control = 0,
    Case = 1,
    LeftOut = 2,
}

/// The class of every row of the table, and how many rows it stands for.
#[derive(Debug)]
pub(crate) struct Rows {
    pub classes: Vec<RowClass>,
    pub weights: Weights,
}

impl Rows {
    /// The rows of a class.
    pub fn count(&self, class: RowClass) -> u64 {
        let rows = self.classes.iter().enumerate().filter(|&(_, &of_row)| of_row == class);
        rows.map(|(row, _)| u64::from(self.weights.of(row))).sum()
    }

    /// How many rows a row of the table stands for; none if it is left out.
    #[inline]
    pub fn kept(&self, row: usize) -> u64 {
        match self.classes[row] {
            RowClass::LeftOut => 0,
            RowClass::Case | RowClass::Control => self.weights.of(row).into(),
        }
    }
}
