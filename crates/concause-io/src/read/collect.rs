//! The columns of one source while it is read row by row, apart from the table.
//!
//! Readers whose columns are known only at the end, or that number them themselves, collect the cells here; the table
//! takes them as a whole. Value labels are collected with them.

use super::builder::TableBuilder;
use crate::error::{Error, SourceError};
use crate::source::Source;
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

    /// Appends a whole column: for each row the index of its value.
    pub fn add_coded(
        &mut self,
        builder: &TableBuilder<'_>,
        name: &str,
        values: &[&str],
        cells: &[Option<u8>],
    ) {
        let mut attribute = builder.new_attribute(name.to_owned());
        if let CellStore::Coded(dictionary, codes) = &mut attribute.cells {
            let number = |value: &str| crate::table::cell::parse_number(value).unwrap_or(f64::NAN);
            let mut by_index = [None; 256];
            let mut found = Vec::with_capacity(cells.len());
            // Values get their codes in the order of occurrence, as when cells are read one by one.
            found.extend(cells.iter().map(|cell| {
                let Some(index) = cell.map(usize::from) else { return 0 };
                let value = values.get(index).copied().unwrap_or_default();
                *by_index[index].get_or_insert_with(|| match builder.marks.contains(value) {
                    true => 0,
                    false => dictionary.add_number(value, number(value)),
                }) as u8
            }));
            *codes = Codes::One(found);
        }
        self.attributes.push(attribute);
        self.labels.push(Vec::new());
        self.row.push(String::new());
        self.rows = cells.len() as u64;
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
