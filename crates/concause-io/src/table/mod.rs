//! The raw table: named attributes with their cells. Only missing values are interpreted.
//!
//! It knows neither the source of the cells nor their encoding.

mod attribute;
mod booleans;
pub(crate) mod cell;
mod codes;
mod dictionary;
pub(crate) mod notation;
mod segment;

#[cfg(feature = "arrow")]
pub(crate) use attribute::UNKNOWN_CODE;
pub(crate) use attribute::{Attribute, ByteCodes, CellStore, MAX_VALUES};
#[cfg(feature = "arrow")]
pub(crate) use booleans::{Bits, BooleanRun};
pub(crate) use codes::Codes;
pub(crate) use dictionary::{CellBytes, CellError, Dictionary};
pub(crate) use segment::Segment;

/// A raw table: named attributes with one cell per row.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) rows: u64,
    /// Sentences for the user about what was left out or guessed while it was read.
    pub(crate) notices: Vec<String>,
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

    /// Sentences for the user about what was left out or guessed while it was read.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The same attributes without rows.
    #[cfg(feature = "remote")]
    pub(crate) fn without_rows(&self) -> Self {
        Self { attributes: self.attributes.iter().map(Attribute::without_rows).collect(), ..Self::default() }
    }

    /// Retains some of the rows, and the values that occur in them.
    pub(crate) fn retain_rows(&mut self, is_kept: impl Fn(usize) -> bool) {
        let kept: Vec<usize> = (0..self.rows as usize).filter(|&row| is_kept(row)).collect();
        if kept.len() as u64 == self.rows {
            return;
        }
        self.attributes.iter_mut().for_each(|attribute| attribute.retain_rows(&kept));
        self.rows = kept.len() as u64;
    }

    /// The approximate number of bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.attributes.iter().map(|attribute| attribute.bytes() as u64).sum()
    }
}
