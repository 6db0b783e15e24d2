//! The table as it was read: named attributes with their cells, nothing interpreted but absence.
//!
//! It knows neither where the cells came from nor what they will be encoded as.

mod attribute;
mod codes;
mod dictionary;
mod part;
pub(crate) mod word;

pub(crate) use attribute::{Attribute, Cells};
pub(crate) use codes::Codes;
pub(crate) use dictionary::{CellBytes, CellFault, Dictionary};
pub(crate) use part::Part;

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
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|attribute| attribute.name.as_str())
    }

    /// The bytes it takes, approximately.
    pub fn bytes(&self) -> u64 {
        self.attributes.iter().map(|attribute| attribute.bytes() as u64).sum()
    }
}
