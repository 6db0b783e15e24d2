//! Rows that are read apart from the table, in parallel with others, and appended to it in order.

use super::{Attribute, Table};

/// Some rows of a table.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub attributes: Vec<Attribute>,
    pub rows: u64,
    /// For each attribute, the code in the table of each code in the segment.
    translations: Vec<Vec<u32>>,
}

impl Segment {
    /// A segment of a table, without rows.
    pub fn new(table: &Table) -> Self {
        Self::with_attributes_like(&table.attributes)
    }

    /// Another segment of the same table, without rows.
    pub fn new_sibling(&self) -> Self {
        Self::with_attributes_like(&self.attributes)
    }

    fn with_attributes_like(attributes: &[Attribute]) -> Self {
        let attributes: Vec<Attribute> = attributes.iter().map(Attribute::without_rows).collect();
        Self { translations: vec![Vec::new(); attributes.len()], attributes, rows: 0 }
    }

    /// Removes the rows and keeps the dictionaries.
    pub fn clear(&mut self) {
        self.rows = 0;
        self.attributes.iter_mut().for_each(Attribute::clear);
    }
}

impl Table {
    /// Moves the rows of a segment to the end of the table.
    pub(crate) fn append(&mut self, segment: &mut Segment) {
        for ((attribute, added), translation) in
            self.attributes.iter_mut().zip(&mut segment.attributes).zip(&mut segment.translations)
        {
            attribute.append(added, translation);
        }
        self.rows += std::mem::take(&mut segment.rows);
    }
}
