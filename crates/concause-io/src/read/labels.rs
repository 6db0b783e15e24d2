//! The labels of values: those of a file, and those that the user gives in a file of their own.

use std::collections::HashMap;

use super::collect::ValueLabels;
use crate::error::{DeclarationError, Error};
use crate::source::Source;
use crate::table::cell::parse_number;
use crate::table::{CellStore, Table};
use crate::toml_text;

/// Finds the label of a value by its text, or by its number (`1.0` is `1`).
pub(crate) struct LabelLookup<'a> {
    by_text: HashMap<&'a str, &'a str>,
    by_number: HashMap<u64, &'a str>,
}

impl<'a> LabelLookup<'a> {
    /// The lookup of some labels; the first label of a value counts.
    pub fn new(labels: &'a ValueLabels) -> Self {
        let bits = |text: &str| parse_number(text).map(|number| (number + 0.0).to_bits());
        let reversed = || labels.iter().rev();
        Self {
            by_text: reversed().map(|(value, label)| (value.as_str(), label.as_str())).collect(),
            by_number: reversed().filter_map(|(value, label)| Some((bits(value)?, label.as_str()))).collect(),
        }
    }

    /// The label of a value.
    pub fn find(&self, value: &str) -> Option<&'a str> {
        let by_number = || self.by_number.get(&(parse_number(value)? + 0.0).to_bits());
        self.by_text.get(value).or_else(by_number).copied()
    }
}

/// The labels of the values of attributes, from a TOML or CSV file.
///
/// ```
/// let labels = concause_io::Labels::parse("[sex]\n1 = \"male\"\n2 = \"female\"\n")?;
/// let mut table = concause_io::read_text("sex,sick\n1,0\n2,1\n")?;
/// table.apply_labels(&labels)?;
/// # Ok::<(), concause_io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    attributes: Vec<(String, ValueLabels)>,
}

impl Labels {
    /// Reads labels: TOML with a table per attribute, or CSV with the columns attribute, value and label.
    pub fn read(source: &Source) -> Result<Self, Error> {
        let is_csv = source.extension().as_deref() == Some("csv");
        toml_text::read_source(source, "labels", if is_csv { Self::from_csv } else { Self::from_toml })
    }

    /// Reads labels from TOML text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::from_toml(text).map_err(|error| error.in_source(&"the labels"))
    }

    fn from_toml(text: &str) -> Result<Self, Error> {
        let tables: HashMap<String, HashMap<String, String>> = toml_text::parse_fields(text)?;
        let mut attributes: Vec<(String, ValueLabels)> =
            tables.into_iter().map(|(name, labels)| (name, labels.into_iter().collect())).collect();
        attributes.sort();
        attributes.iter_mut().for_each(|(_, labels)| labels.sort());
        Ok(Self { attributes })
    }

    fn from_csv(text: &str) -> Result<Self, Error> {
        let mut attributes: Vec<(String, ValueLabels)> = Vec::new();
        for (line, fields) in split_records(text) {
            let [name, value, label] = fields.as_slice() else {
                return Err(Error::new(DeclarationError::LabelFields { found: fields.len() }).on_line(line));
            };
            if line == 1 && name == "attribute" {
                continue;
            }
            let entry = (value.clone(), label.clone());
            match attributes.iter_mut().find(|(known, _)| known == name) {
                Some((_, labels)) => labels.push(entry),
                None => attributes.push((name.clone(), vec![entry])),
            }
        }
        Ok(Self { attributes })
    }
}

/// The records of a small CSV text with their lines.
fn split_records(text: &str) -> Vec<(u64, Vec<String>)> {
    let mut records = Vec::new();
    for (line, record) in (1..).zip(text.lines()) {
        let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
        let mut characters = record.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '"' if quoted && characters.peek() == Some(&'"') => field.extend(characters.next()),
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(std::mem::take(&mut field).trim().to_owned()),
                _ => field.push(character),
            }
        }
        fields.push(field.trim().to_owned());
        if fields != [""] {
            records.push((line, fields));
        }
    }
    records
}

impl Table {
    /// Gives values their labels as names. Values without a label keep their text.
    pub fn apply_labels(&mut self, labels: &Labels) -> Result<(), Error> {
        for (name, labels) in &labels.attributes {
            let Some(attribute) = self.attributes.iter_mut().find(|attribute| attribute.name == *name) else {
                let suggestion = crate::names::Suggestion::among_columns(name, self.names());
                return Err(DeclarationError::LabelledColumnAbsent { name: name.clone(), suggestion }.into());
            };
            if !matches!(attribute.cells, CellStore::Coded(..)) {
                return Err(DeclarationError::LabelsOfManyValues { name: name.clone() }.into());
            }
            let labels = LabelLookup::new(labels);
            attribute.rename_values(|value| labels.find(value).map(str::to_owned));
        }
        Ok(())
    }
}
