//! Rows that are read apart from the table, beside others, and appended to it in their turn.

use super::{Attribute, Table};

/// Some rows of a table under way.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub attributes: Vec<Attribute>,
    pub rows: u64,
    /// What the codes of each attribute are in the table.
    meanings: Vec<Vec<u32>>,
}

impl Part {
    /// A part of a table, without rows.
    pub fn new(table: &Table) -> Self {
        Self::of(&table.attributes)
    }

    /// Another part of the same table, without rows.
    pub fn another(&self) -> Self {
        Self::of(&self.attributes)
    }

    fn of(attributes: &[Attribute]) -> Self {
        let attributes: Vec<Attribute> = attributes.iter().map(Attribute::part).collect();
        Self { meanings: vec![Vec::new(); attributes.len()], attributes, rows: 0 }
    }

    /// Forgets the rows and keeps the dictionaries.
    pub fn clear(&mut self) {
        self.rows = 0;
        self.attributes.iter_mut().for_each(Attribute::clear);
    }
}

impl Table {
    /// Takes the rows of a part.
    pub(crate) fn append(&mut self, part: &mut Part) {
        for ((attribute, added), meanings) in
            self.attributes.iter_mut().zip(&mut part.attributes).zip(&mut part.meanings)
        {
            attribute.append(added, meanings);
        }
        self.rows += std::mem::take(&mut part.rows);
    }
}
