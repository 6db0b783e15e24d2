//! The table while it is read: names, memory and progress.
//!
//! It decides how attributes get their names and whether several sources agree; readers append the cells.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::ops::ControlFlow;

use super::WorkDivision;
use crate::declaration::Declaration;
use crate::error::{Error, ErrorKind, LimitError, NameDifference, SchemaError};
use crate::names::Suggestion;
use crate::options::ReadOptions;
use crate::source::Source;
use crate::table::cell::MissingMarks;
use crate::table::{Attribute, Table};

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
            table: Table { attributes: Vec::new(), rows: 0 },
            naming: Naming::Undecided,
            text_since_check: 0,
            division,
        }
    }

    /// The finished table.
    pub fn finish(mut self) -> Result<Table, Error> {
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
    pub fn begin_named(&mut self, source: &dyn Display, names: Vec<String>) -> Result<(), Error> {
        if self.naming == Naming::Undecided {
            self.check_names(&names).map_err(|kind| Error::new(kind).in_source(source))?;
            self.naming = Naming::Header;
            self.table.attributes = names.into_iter().map(|name| self.new_attribute(name)).collect();
            return Ok(());
        }
        self.compare_names(&names).map_err(|kind| Error::new(kind).in_source(source))
    }

    /// Fails unless the names of a further source are those of the table.
    fn compare_names(&self, names: &[String]) -> Result<(), SchemaError> {
        let expected = &self.table.attributes;
        for (index, (attribute, name)) in expected.iter().zip(names).enumerate() {
            if attribute.name != *name {
                let (name, expected) = (name.clone(), attribute.name.clone());
                return Err(SchemaError::NameDiffers { column: index + 1, name, expected });
            }
        }
        if expected.len() == names.len() {
            return Ok(());
        }
        let difference = Some(match expected.get(names.len()) {
            Some(attribute) => NameDifference::Missing(attribute.name.clone()),
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

    fn new_attribute(&self, name: String) -> Attribute {
        let declared = self.declaration.attribute(&name).and_then(|attribute| attribute.values.clone());
        Attribute::new(name, declared.unwrap_or_default())
    }

    fn check_names(&self, names: &[String]) -> Result<(), SchemaError> {
        let mut seen = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            let column = index + 1;
            if name.is_empty() {
                return Err(SchemaError::EmptyName { column });
            }
            if let Some(first) = seen.insert(name.as_str(), column) {
                return Err(SchemaError::DuplicateName { first, second: column, name: name.clone() });
            }
        }
        let is_absent = |name: &str| !seen.contains_key(name);
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
        if let Some(limit) = self.options.max_memory {
            let bytes = self.table.bytes();
            if bytes > limit {
                return Err(LimitError::Table { rows: self.table.rows, bytes, limit }.into());
            }
        }
        match (self.progress)(self.table.rows) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ErrorKind::Cancelled.into()),
        }
    }
}
