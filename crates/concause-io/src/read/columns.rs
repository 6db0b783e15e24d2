//! Columns in memory, as a front end without Arrow has them.
//!
//! Cells pass through the same text as those of a CSV file, so that the same table gives the same result.

use std::fmt::Write as _;
use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use super::WorkDivision;
use super::builder::TableBuilder;
use super::text::record::trim;
use crate::declaration::Declaration;
use crate::error::{Error, SourceError};
use crate::options::ReadOptions;
use crate::table::cell::{MissingMarks, boolean_text};
use crate::table::{Attribute, CellError, Table};

/// The number of cells between two calls of the progress.
const CELLS_PER_SLICE: usize = 1 << 21;

/// The cells of a column in memory.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cells {
    /// Numbers; "not a number" is missing.
    Numbers(Vec<f64>),
    /// Texts; nothing is missing.
    Texts(Vec<Option<String>>),
    /// Booleans; nothing is missing.
    Booleans(Vec<Option<bool>>),
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(cells) => cells.len(),
            Self::Texts(cells) => cells.len(),
            Self::Booleans(cells) => cells.len(),
        }
    }

    fn push_to(
        &self,
        attribute: &mut Attribute,
        rows: Range<usize>,
        marks: &MissingMarks,
    ) -> Result<(), CellError> {
        let mut push = |cell: &str| attribute.push(trim(cell.as_bytes()), marks);
        match self {
            Self::Numbers(cells) => {
                let mut text = String::new();
                for &cell in &cells[rows] {
                    text.clear();
                    // Writing to a string cannot fail.
                    let _ = write_number(&mut text, cell);
                    push(&text)?;
                }
            }
            Self::Texts(cells) => {
                cells[rows].iter().try_for_each(|cell| push(cell.as_deref().unwrap_or_default()))?;
            }
            Self::Booleans(cells) => {
                cells[rows].iter().try_for_each(|cell| push(cell.map_or("", boolean_text)))?;
            }
        }
        Ok(())
    }
}

impl From<Vec<f64>> for Cells {
    fn from(cells: Vec<f64>) -> Self {
        Self::Numbers(cells)
    }
}

impl From<Vec<String>> for Cells {
    fn from(cells: Vec<String>) -> Self {
        Self::Texts(cells.into_iter().map(Some).collect())
    }
}

impl From<Vec<&str>> for Cells {
    fn from(cells: Vec<&str>) -> Self {
        Self::Texts(cells.into_iter().map(|cell| Some(cell.to_owned())).collect())
    }
}

impl From<Vec<bool>> for Cells {
    fn from(cells: Vec<bool>) -> Self {
        Self::Booleans(cells.into_iter().map(Some).collect())
    }
}

/// Writes a number as a CSV file would hold it.
pub(crate) fn write_number(text: &mut String, cell: f64) -> std::fmt::Result {
    match cell.abs() {
        0.0 | 1e-5..1e16 => write!(text, "{cell}"),
        _ if cell.is_finite() => write!(text, "{cell:e}"),
        _ => write!(text, "{cell}"),
    }
}

/// Reads named columns in memory as a table. Errors call them `name`.
pub fn read_columns(
    name: &str,
    columns: &[(String, Cells)],
    options: &ReadOptions,
    declaration: &Declaration,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Table, Error> {
    let Some(rows) = columns.first().map(|(_, cells)| cells.len()) else {
        return Err(Error::new(SourceError::Empty).in_source(&name));
    };
    if let Some((column, cells)) = columns.iter().find(|(_, cells)| cells.len() != rows) {
        let kind = SourceError::UnequalColumns { values: cells.len(), expected: rows };
        return Err(Error::new(kind).in_source(&name).in_column(column));
    }
    if rows == 0 {
        return Err(Error::new(SourceError::NoRows { header_assumed: false }).in_source(&name));
    }
    let mut builder = TableBuilder::new(options, declaration, progress, WorkDivision::by_default(options));
    let names = columns.iter().map(|(name, _)| name.trim_matches([' ', '\t']).to_owned()).collect();
    builder.begin_named(&name, names)?;
    let rows_per_slice = (CELLS_PER_SLICE / columns.len()).max(1);
    for first in (0..rows).step_by(rows_per_slice) {
        let slice = first..rows.min(first + rows_per_slice);
        let marks = &builder.marks;
        let attributes = builder.table.attributes.par_iter_mut().zip(columns);
        let pushed: Vec<_> = attributes
            .map(|(attribute, (name, cells))| (cells.push_to(attribute, slice.clone(), marks), name))
            .collect();
        for (result, column) in pushed {
            result.map_err(|_| Error::new(SourceError::CellNul).in_source(&name).in_column(column))?;
        }
        builder.end_rows(slice.len())?;
    }
    builder.finish()
}

impl Table {
    /// A table of named columns in memory, read with default options.
    ///
    /// ```
    /// use concause_io::{Cells, Table};
    ///
    /// let table = Table::from_columns([
    ///     ("wind".to_owned(), Cells::from(vec![2.5, 11.0, f64::NAN])),
    ///     ("brush".to_owned(), vec!["dry", "wet", "dry"].into()),
    ///     ("fire".to_owned(), vec![true, false, true].into()),
    /// ])?;
    /// assert_eq!(table.rows(), 3);
    /// # Ok::<(), concause_io::Error>(())
    /// ```
    pub fn from_columns(columns: impl IntoIterator<Item = (String, Cells)>) -> Result<Self, Error> {
        let columns: Vec<(String, Cells)> = columns.into_iter().collect();
        let proceed = |_| ControlFlow::Continue(());
        read_columns("the table", &columns, &ReadOptions::default(), &Declaration::default(), &proceed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_text;

    #[test]
    fn columns_and_text_give_the_same_encoding() {
        let number = |row: usize| if row % 7 == 3 { f64::NAN } else { row as f64 * 0.25 - 3.0 };
        let word = |row: usize| ["dry", " wet ", "NA", "damp"][row % 4];
        let fire = |row: usize| row.is_multiple_of(3) || row % 4 == 1;
        let rows = 0..500;
        let line = |row: usize| {
            let number = number(row);
            let number = if number.is_nan() { String::new() } else { number.to_string() };
            format!("{number},{},{}\n", word(row), fire(row))
        };
        let text = format!("wind,brush,fire\n{}", rows.clone().map(line).collect::<String>());
        let columns = [
            ("wind".to_owned(), Cells::from(rows.clone().map(number).collect::<Vec<f64>>())),
            ("brush".to_owned(), rows.clone().map(word).collect::<Vec<&str>>().into()),
            ("fire".to_owned(), rows.map(fire).collect::<Vec<bool>>().into()),
        ];
        let encode = |table: Table| table.encode_for("fire").unwrap();
        let (found, expected) =
            (encode(Table::from_columns(columns).unwrap()), encode(read_text(&text).unwrap()));
        assert_eq!(found.fingerprint, expected.fingerprint);
        assert_eq!(found.legend, expected.legend);
    }

    #[test]
    fn columns_that_are_no_table_are_rejected() {
        let rejected = |columns: Vec<(&str, Cells)>| {
            let columns = columns.into_iter().map(|(name, cells)| (name.to_owned(), cells));
            Table::from_columns(columns).unwrap_err().to_string()
        };
        let cells = |rows: usize| Cells::from(vec![1.0; rows]);
        assert!(rejected(vec![]).contains("the table"));
        assert!(rejected(vec![("a", cells(0))]).contains("no rows"), "{}", rejected(vec![("a", cells(0))]));
        let unequal = rejected(vec![("a", cells(2)), ("b", cells(3))]);
        assert!(unequal.contains("has 3 values, but the columns before it have 2"), "{unequal}");
        assert!(rejected(vec![("a", vec!["x\0"].into())]).contains("NUL"));
    }
}
