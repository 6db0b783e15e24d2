//! The table while it is read: names, memory and progress.
//!
//! It decides how attributes get their names and whether several sources agree; readers append the cells.

use std::collections::HashSet;
use std::fmt::Display;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::WorkDivision;
use super::collect::ValueLabels;
use super::labels::LabelLookup;
use crate::declaration::Declaration;
use crate::error::{Error, ErrorKind, LimitError, NameDifference, SchemaError};
use crate::names::{Suggestion, list, quote_list};
use crate::options::ReadOptions;
use crate::source::Source;
use crate::table::cell::MissingMarks;
use crate::table::notation::{DecimalMark, Notation};
use crate::table::{Attribute, CellStore, Table};

/// Rows between two checks of the memory and two calls of `progress`.
const ROWS_BETWEEN_CHECKS: u64 = 4096;
/// Bytes of text between two checks of the memory, for tables with few and large rows.
const TEXT_BETWEEN_CHECKS: usize = 4 << 20;

/// How the attributes got their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Not yet: no source was opened.
    Undecided,
    /// From the sources, which must all agree.
    Header,
    /// By position, from the declaration or numbered.
    Positions,
}

/// A table while it is read.
pub(crate) struct TableBuilder<'a> {
    pub options: &'a ReadOptions,
    pub declaration: &'a Declaration,
    progress: &'a dyn Fn(u64) -> ControlFlow<()>,
    pub marks: MissingMarks,
    pub table: Table,
    pub naming: Naming,
    /// The names as the first source gives them.
    given_names: Vec<String>,
    /// The number of the column of row names, which is left out.
    row_names: Option<usize>,
    /// The labels of the values of each column.
    labels: Vec<ValueLabels>,
    /// The decimal mark where a text can be read in two ways.
    pub mark: DecimalMark,
    /// Whether values may be read in another notation than plain numbers.
    pub interprets: bool,
    text_since_check: usize,
    pub division: WorkDivision,
}

impl<'a> TableBuilder<'a> {
    /// A table without attributes.
    pub fn new(
        options: &'a ReadOptions,
        declaration: &'a Declaration,
        progress: &'a dyn Fn(u64) -> ControlFlow<()>,
        division: WorkDivision,
    ) -> Self {
        Self {
            options,
            declaration,
            progress,
            marks: MissingMarks::new(options.missing.iter().chain(&declaration.missing)),
            table: Table::default(),
            naming: Naming::Undecided,
            given_names: Vec::new(),
            row_names: None,
            labels: Vec::new(),
            mark: options.decimal.unwrap_or_default(),
            interprets: true,
            text_since_check: 0,
            division,
        }
    }

    /// The finished table.
    pub fn finish(mut self) -> Result<Table, Error> {
        let notices = self.apply_labels();
        self.table.notices.extend(notices);
        if let Some(column) = self.row_names {
            self.table.attributes.remove(column);
        }
        if self.interprets {
            let notices = interpret_values(&mut self.table);
            self.table.notices.extend(notices);
        }
        self.check_limits()?;
        Ok(self.table)
    }

    /// True if all declared attributes are among these names.
    pub fn declaration_names_all(&self, names: &[String]) -> bool {
        let names: HashSet<&str> = names.iter().map(String::as_str).collect();
        let declared = &self.declaration.attributes;
        !declared.is_empty() && declared.iter().all(|attribute| names.contains(attribute.name.as_str()))
    }

    /// Begins a source with names: the first source sets them, the others must agree.
    pub fn begin_named(&mut self, source: &dyn Display, given: Vec<String>) -> Result<(), Error> {
        if self.naming != Naming::Undecided {
            return self.compare_names(&given).map_err(|kind| Error::new(kind).in_source(source));
        }
        let is_row_names = given.first().is_some_and(|name| name.is_empty() || name == PANDAS_INDEX);
        let row_names = (is_row_names && given.len() > 1).then_some(0);
        let last = given.len().saturating_sub(1);
        // pandas writes its index last in Parquet.
        let row_names = row_names.or_else(|| (last > 0 && given[last] == PANDAS_INDEX).then_some(last));
        let (names, renamed) = complete_names(&given, row_names);
        self.check_declared(&names).map_err(|kind| Error::new(kind).in_source(source))?;
        if row_names.is_some() {
            let position = if row_names == Some(0) { "first" } else { "last" };
            self.table
                .notices
                .push(format!("the {position} column has no name: it is row names and left out"));
        }
        if !renamed.is_empty() {
            let list = list(renamed.iter().map(|(column, name)| format!("column {column} as {name:?}")));
            self.table.notices.push(format!("columns without a name of their own get one: {list}"));
        }
        self.naming = Naming::Header;
        self.table.attributes = names.into_iter().map(|name| self.new_attribute(name)).collect();
        if let Some(column) = row_names {
            self.table.attributes[column].cells = CellStore::TooMany;
        }
        (self.given_names, self.row_names) = (given, row_names);
        Ok(())
    }

    /// The same where the names must be complete, because they name the columns of other tables too.
    #[cfg(feature = "remote")]
    pub fn begin_complete(&mut self, source: &dyn Display, names: Vec<String>) -> Result<(), Error> {
        check_complete(&names).map_err(|kind| Error::new(kind).in_source(source))?;
        self.begin_named(source, names)
    }

    /// Fails unless the names of a further source are those of the table.
    fn compare_names(&self, names: &[String]) -> Result<(), SchemaError> {
        let expected: Vec<&String> = match self.given_names.is_empty() {
            true => self.table.attributes.iter().map(|attribute| &attribute.name).collect(),
            false => self.given_names.iter().collect(),
        };
        for (index, (&expected, name)) in expected.iter().zip(names).enumerate() {
            if expected != name {
                let (name, expected) = (name.clone(), expected.clone());
                return Err(SchemaError::NameDiffers { column: index + 1, name, expected });
            }
        }
        if expected.len() == names.len() {
            return Ok(());
        }
        let difference = Some(match expected.get(names.len()) {
            Some(&name) => NameDifference::Missing(name.clone()),
            None => NameDifference::Added(names[expected.len()].clone()),
        });
        Err(SchemaError::CountDiffers { columns: names.len(), expected: expected.len(), difference })
    }

    /// Begins a source without names.
    pub fn begin_unnamed(&mut self, source: &Source, columns: usize) -> Result<(), Error> {
        if self.naming != Naming::Undecided {
            let expected = self.table.attributes.len();
            if columns == expected {
                return Ok(());
            }
            let kind = SchemaError::CountDiffers { columns, expected, difference: None };
            return Err(Error::new(kind).in_source(source));
        }
        let declared = &self.declaration.attributes;
        if !declared.is_empty() && declared.len() != columns {
            let kind = SchemaError::DeclaredCount { columns, declared: declared.len() };
            return Err(Error::new(kind).in_source(source));
        }
        self.naming = Naming::Positions;
        self.table.attributes = if declared.is_empty() {
            (1..=columns).map(|column| self.new_attribute(format!("V{column}"))).collect()
        } else {
            declared.iter().map(|attribute| self.new_attribute(attribute.name.clone())).collect()
        };
        Ok(())
    }

    /// Names values of a column.
    pub fn label_values(&mut self, column: usize, labels: ValueLabels) {
        let known = &mut self.labels;
        if known.len() <= column {
            known.resize(column + 1, Vec::new());
        }
        let is_new = |(value, _): &&(String, String)| !known[column].iter().any(|(other, _)| other == value);
        let new: ValueLabels = labels.iter().filter(is_new).cloned().collect();
        self.labels[column].extend(new);
    }

    /// Replaces values by their labels where all values that occur have one; returns sentences about the others.
    fn apply_labels(&mut self) -> Vec<String> {
        let mut notices = Vec::new();
        for (attribute, labels) in self.table.attributes.iter_mut().zip(&self.labels) {
            let CellStore::Coded(dictionary, _) = &attribute.cells else { continue };
            let labels = LabelLookup::new(labels);
            let unlabelled = dictionary.iter().filter(|(_, value)| labels.find(value).is_none()).count();
            if unlabelled == 0 {
                attribute.rename_values(|value| labels.find(value).map(str::to_owned));
            } else if unlabelled < dictionary.len() {
                let labelled = dictionary.iter().filter_map(|(_, value)| Some((value, labels.find(value)?)));
                let labelled: Vec<String> =
                    labelled.map(|(value, label)| format!("{value} is {label:?}")).collect();
                notices.push(format!(
                    "{:?}: only some of its values have labels ({}), so that it is read as numbers; declare those that \
                     mean a missing value",
                    attribute.name,
                    list(labelled.into_iter())
                ));
            }
        }
        notices
    }

    /// An attribute without rows, declared as the user wishes.
    pub fn new_attribute(&self, name: String) -> Attribute {
        let declared = self.declaration.attribute(&name).and_then(|attribute| attribute.values.clone());
        let mut attribute = Attribute::new(name, declared.unwrap_or_default());
        attribute.mark = self.mark;
        attribute
    }

    fn check_declared(&self, names: &[String]) -> Result<(), SchemaError> {
        let known: HashSet<&str> = names.iter().map(String::as_str).collect();
        let is_absent = |name: &str| !known.contains(name);
        match self.declaration.attributes.iter().find(|attribute| is_absent(&attribute.name)) {
            None => Ok(()),
            Some(absent) => Err(SchemaError::DeclaredColumnAbsent {
                name: absent.name.clone(),
                suggestion: Suggestion::among_columns(&absent.name, names.iter().map(String::as_str)),
            }),
        }
    }

    /// Counts a row; checks the memory and reports progress from time to time.
    #[inline]
    pub fn end_row(&mut self, text: usize) -> Result<(), Error> {
        self.table.rows += 1;
        self.text_since_check += text;
        if self.table.rows.is_multiple_of(ROWS_BETWEEN_CHECKS) || self.text_since_check > TEXT_BETWEEN_CHECKS
        {
            self.check_limits()?;
        }
        Ok(())
    }

    /// Counts the rows of a batch and checks the memory.
    pub fn end_rows(&mut self, rows: usize) -> Result<(), Error> {
        self.table.rows += rows as u64;
        self.check_limits()
    }

    /// Fails if the table takes too much memory or the caller asks to stop.
    pub fn check_limits(&mut self) -> Result<(), Error> {
        self.text_since_check = 0;
        self.check_limits_with(0, 0)
    }

    /// The same with rows that are not yet in the table.
    pub fn check_limits_with(&self, rows: u64, bytes: u64) -> Result<(), Error> {
        let rows = self.table.rows + rows;
        if let Some(limit) = self.options.max_memory {
            let bytes = self.table.bytes() + bytes;
            if bytes > limit {
                return Err(LimitError::Table { rows, bytes, limit }.into());
            }
        }
        match (self.progress)(rows) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ErrorKind::Cancelled.into()),
        }
    }
}

/// The name that pandas gives to an index without a name.
const PANDAS_INDEX: &str = "__index_level_0__";

/// The names with one for every column, all different, and those that were made with the numbers of their columns.
fn complete_names(given: &[String], row_names: Option<usize>) -> (Vec<String>, Vec<(usize, String)>) {
    let mut taken: HashSet<String> = given.iter().filter(|name| !name.is_empty()).cloned().collect();
    let (mut seen, mut names, mut made) = (HashSet::new(), Vec::with_capacity(given.len()), Vec::new());
    for (column, name) in (1..).zip(given) {
        if row_names == Some(column - 1) || !name.is_empty() && seen.insert(name) {
            names.push(name.clone());
            continue;
        }
        let numbered = |number: usize| match name.is_empty() {
            true if number == 2 => format!("V{column}"),
            true => format!("V{column}.{number}"),
            false => format!("{name}.{number}"),
        };
        let free = (2..).map(numbered).find(|name| !taken.contains(name));
        let name = free.unwrap_or_default();
        taken.insert(name.clone());
        made.push((column, name.clone()));
        names.push(name);
    }
    (names, made)
}

/// Fails if a name is empty or occurs twice.
#[cfg(feature = "remote")]
fn check_complete(names: &[String]) -> Result<(), SchemaError> {
    let mut seen = std::collections::HashMap::new();
    for (index, name) in names.iter().enumerate() {
        let column = index + 1;
        if name.is_empty() {
            return Err(SchemaError::EmptyName { column });
        }
        if let Some(first) = seen.insert(name.as_str(), column) {
            return Err(SchemaError::DuplicateName { first, second: column, name: name.clone() });
        }
    }
    Ok(())
}

/// Reads the values of all attributes in their notations; returns a sentence for each kind of notation.
fn interpret_values(table: &mut Table) -> Vec<String> {
    let found: Vec<(String, Option<Notation>)> = table
        .attributes
        .par_iter_mut()
        .map(|attribute| (attribute.name.clone(), attribute.interpret()))
        .collect();
    let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
    for (name, notation) in found {
        let Some(kind) = notation.map(|notation| notation.describe()) else { continue };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, names)) => names.push(name),
            None => kinds.push((kind, vec![name])),
        }
    }
    kinds.into_iter().map(|(kind, names)| format!("{}: read as {kind}", quote_list(&names))).collect()
}
