//! The columns of one source while it is read row by row, apart from the table.
//!
//! Readers whose columns are known only at the end, or that number them themselves, collect the cells here; the table
//! takes them as a whole. Value labels are collected with them.

use super::builder::TableBuilder;
use crate::error::{Error, SourceError};
use crate::source::Source;
use crate::table::cell::parse_number;
use crate::table::{Attribute, CellStore, Codes};

/// Rows between two checks of the memory and of a request to stop.
const ROWS_BETWEEN_CHECKS: u64 = 1024;

/// Whole columns between two checks.
const COLUMNS_BETWEEN_CHECKS: usize = 64;

/// The names of the values of a column: the text of a value in the file, and its label.
pub(crate) type ValueLabels = Vec<(String, String)>;

/// The columns of a source.
#[derive(Default)]
pub(crate) struct Columns {
    attributes: Vec<Attribute>,
    labels: Vec<ValueLabels>,
    /// The cells of the current row; an empty one is missing.
    row: Vec<String>,
    rows: u64,
}

impl Columns {
    /// Columns with names.
    pub fn new<'n>(builder: &TableBuilder<'_>, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut columns = Self::default();
        names.into_iter().for_each(|name| columns.add(builder, name));
        columns
    }

    /// Adds a column; its cells in the rows so far are missing.
    pub fn add(&mut self, builder: &TableBuilder<'_>, name: &str) {
        let attribute = builder.new_attribute(name.trim_matches([' ', '\t']).to_owned());
        self.attributes.push(attribute.with_missing_rows(self.rows as usize));
        self.labels.push(Vec::new());
        self.row.push(String::new());
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.attributes.len()
    }

    /// Names values of a column.
    pub fn label(&mut self, column: usize, labels: ValueLabels) {
        self.labels[column] = labels;
    }

    /// The cell of a column in the current row, empty at first.
    pub fn cell(&mut self, column: usize) -> &mut String {
        &mut self.row[column]
    }

    /// Leaves a column out because its cells are of a type that cannot be read.
    pub fn refuse(&mut self, column: usize, kind: &str) {
        self.attributes[column].cells = CellStore::Unsupported(kind.to_owned());
    }

    /// Ends the current row and begins another.
    pub fn end_row(&mut self, builder: &mut TableBuilder<'_>) -> Result<(), Error> {
        for (attribute, cell) in self.attributes.iter_mut().zip(&mut self.row) {
            let text = cell.trim_matches([' ', '\t', '\0']);
            // A text of the language is UTF-8; only zeros can be wrong.
            if attribute.push(text.as_bytes(), &builder.marks).is_err() {
                let text = text.replace('\0', "");
                let _ = attribute.push(text.as_bytes(), &builder.marks);
            }
            cell.clear();
        }
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_BETWEEN_CHECKS) { self.check_limits(builder) } else { Ok(()) }
    }

    /// Checks the memory and a request to stop from time to time, where whole columns are appended.
    pub fn check(&self, builder: &TableBuilder<'_>) -> Result<(), Error> {
        if self.len().is_multiple_of(COLUMNS_BETWEEN_CHECKS) { self.check_limits(builder) } else { Ok(()) }
    }

    fn check_limits(&self, builder: &TableBuilder<'_>) -> Result<(), Error> {
        let bytes = self.attributes.iter().map(|attribute| attribute.bytes() as u64).sum();
        builder.check_limits_with(self.rows, bytes)
    }

    /// Appends a whole column: for each row the index of its value, nothing if it is missing.
    pub fn add_coded(
        &mut self,
        builder: &TableBuilder<'_>,
        name: &str,
        values: &[&str],
        cells: &[Option<u8>],
    ) {
        let (mut seen, mut occurring) = ([false; 256], Vec::new());
        for index in cells.iter().flatten().map(|&index| usize::from(index)) {
            if !std::mem::replace(&mut seen[index], true) {
                occurring.push((index, values.get(index).copied().unwrap_or_default()));
            }
        }
        let code = |codes: &[u8; 256], cell: &Option<u8>| cell.map_or(0, |index| codes[usize::from(index)]);
        self.add_by_index(builder, name, &occurring, |codes| {
            cells.iter().map(|cell| code(codes, cell)).collect()
        });
    }

    /// Appends a whole column. `occurring` are the indices that occur with their values, in the order of occurrence;
    /// `decode` makes the codes of the cells from those of the indices, 0 for a missing value.
    pub fn add_by_index(
        &mut self,
        builder: &TableBuilder<'_>,
        name: &str,
        occurring: &[(usize, &str)],
        decode: impl FnOnce(&[u8; 256]) -> Vec<u8>,
    ) {
        let mut attribute = builder.new_attribute(name.to_owned());
        if let CellStore::Coded(dictionary, codes) = &mut attribute.cells {
            let mut by_index = [0; 256];
            for &(index, value) in occurring {
                if !builder.marks.contains(value) {
                    by_index[index] =
                        dictionary.add_number(value, parse_number(value).unwrap_or(f64::NAN)) as u8;
                }
            }
            let cells = decode(&by_index);
            self.rows = cells.len() as u64;
            *codes = Codes::One(cells);
        }
        self.attributes.push(attribute);
        self.labels.push(Vec::new());
        self.row.push(String::new());
    }

    /// Appends a whole column of texts.
    pub fn add_texts<'t>(
        &mut self,
        builder: &TableBuilder<'_>,
        name: &str,
        cells: impl Iterator<Item = &'t str>,
    ) {
        let mut attribute = builder.new_attribute(name.to_owned());
        self.rows = 0;
        for cell in cells {
            // The texts have no zeros.
            let _ = attribute.push(cell.as_bytes(), &builder.marks);
            self.rows += 1;
        }
        self.attributes.push(attribute);
        self.labels.push(Vec::new());
        self.row.push(String::new());
    }

    /// Appends the columns of others with the same rows.
    pub fn append(&mut self, mut others: Self) {
        self.attributes.append(&mut others.attributes);
        self.labels.append(&mut others.labels);
        self.row.append(&mut others.row);
        self.rows = others.rows;
    }

    /// Appends the rows to the table.
    pub fn finish(mut self, builder: &mut TableBuilder<'_>, source: &Source) -> Result<(), Error> {
        if self.attributes.is_empty() {
            return Err(Error::new(SourceError::Empty).in_source(source));
        }
        if self.rows == 0 {
            return Err(Error::new(SourceError::NoRows { header_assumed: false }).in_source(source));
        }
        let names: Vec<String> = self.attributes.iter().map(|attribute| attribute.name.clone()).collect();
        builder.begin_named(source, names)?;
        for (column, labels) in self.labels.into_iter().enumerate() {
            builder.label_values(column, labels);
        }
        for (attribute, added) in builder.table.attributes.iter_mut().zip(&mut self.attributes) {
            if let CellStore::Unsupported(kind) = &added.cells {
                attribute.cells = CellStore::Unsupported(kind.clone());
            }
            attribute.append(added, &mut Vec::new());
        }
        builder.end_rows(self.rows as usize)
    }
}
