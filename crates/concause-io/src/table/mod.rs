//! The table as it was read: named attributes with their cells, nothing interpreted but absence.
//!
//! It knows neither where the cells came from nor what they will be encoded as.

mod attribute;
mod codes;
mod dictionary;
mod part;
mod truths;
pub(crate) mod word;

pub(crate) use attribute::{Attribute, Cells, MOST_VALUES};
pub(crate) use codes::Codes;
pub(crate) use dictionary::{CellBytes, CellFault, Dictionary};
pub(crate) use part::Part;
#[cfg(feature = "arrow")]
pub(crate) use truths::{Bits, Run};

/// A table as it was read: named attributes, one cell per row.
#[derive(Debug)]
pub struct Table {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) rows: u64,
}

impl Table {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The names of the attributes in data order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.attributes.iter().map(|attribute| attribute.name.as_str())
    }

    /// The same attributes without rows.
    pub(crate) fn without_rows(&self) -> Self {
        Self { attributes: self.attributes.iter().map(Attribute::part).collect(), rows: 0 }
    }

    /// Keeps some of the rows, and of the values those that occur in them.
    pub(crate) fn keep(&mut self, is_kept: impl Fn(usize) -> bool) {
        let kept: Vec<usize> = (0..self.rows as usize).filter(|&row| is_kept(row)).collect();
        if kept.len() as u64 == self.rows {
            return;
        }
        self.attributes.iter_mut().for_each(|attribute| attribute.keep(&kept));
        self.rows = kept.len() as u64;
    }

    /// The bytes it takes, approximately.
    pub fn bytes(&self) -> u64 {
        self.attributes.iter().map(|attribute| attribute.bytes() as u64).sum()
    }
}
