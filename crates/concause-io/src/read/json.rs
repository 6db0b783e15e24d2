//! The reader of JSON: one record per line, an array of records, or an object of columns.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::binary::{Failure, corrupt};
use super::builder::TableBuilder;
use super::collect::Columns;
use super::format::TableReader;
use crate::error::Error;
use crate::source::{OpenedSource, Source, read_error};
use crate::table::cell::boolean_text;

/// Reads JSON.
pub(crate) struct JsonReader;

impl TableReader for JsonReader {
    fn name(&self) -> &'static str {
        "json"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["jsonl", "ndjson"]
    }

    fn title(&self) -> &'static str {
        "a JSON"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json", "jsonl", "ndjson"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        let mut characters = opened.signature.iter().filter(|byte| !byte.is_ascii_whitespace());
        let start = (characters.next(), characters.next());
        matches!(start, (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{')))
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        mut opened: OpenedSource,
    ) -> Result<(), Error> {
        let compression = opened.compression;
        let is_array = opened.signature.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
        let bytes = std::mem::replace(&mut opened.bytes, Box::new(std::io::empty()));
        let mut records =
            Records { builder, columns: Columns::default(), places: HashMap::new(), failure: None };
        let mut parser = serde_json::Deserializer::from_reader(std::io::BufReader::new(bytes));
        let parsed = match is_array {
            true => (&mut parser).deserialize_seq(&mut records).and_then(|()| parser.end()),
            false => read_objects(parser, &mut records),
        };
        if let Some(failure) = records.failure.take() {
            return Err(failure.in_source(source, self.title()));
        }
        parsed.map_err(|error| match error.io_error_kind() {
            Some(_) => read_error(source, compression, error.into()),
            None => corrupt(&error).in_source(source, self.title()),
        })?;
        let Records { columns, .. } = records;
        columns.finish(builder, source)
    }
}

/// Reads objects one after the other: each a record, or the only one an object of columns.
fn read_objects(
    parser: serde_json::Deserializer<serde_json::de::IoRead<impl Read>>,
    records: &mut Records<'_, '_>,
) -> serde_json::Result<()> {
    let mut objects = parser.into_iter::<Map<String, Value>>().peekable();
    let mut is_first = true;
    while let Some(object) = objects.next() {
        let object = object?;
        let is_nested = |value: &Value| matches!(value, Value::Array(_) | Value::Object(_));
        if is_first && object.values().all(is_nested) && !object.is_empty() && objects.peek().is_none() {
            return records.read_columns(object).map_err(serde_json::Error::custom);
        }
        is_first = false;
        if !records.read_record(object) {
            return Ok(());
        }
    }
    Ok(())
}

/// The records read so far.
struct Records<'a, 'b> {
    builder: &'a mut TableBuilder<'b>,
    columns: Columns,
    /// The column of each name.
    places: HashMap<String, usize>,
    /// Why reading stopped before the end.
    failure: Option<Failure>,
}

impl Records<'_, '_> {
    /// Appends a record; false if reading has to stop.
    fn read_record(&mut self, record: Map<String, Value>) -> bool {
        for (name, value) in record {
            let column = match self.places.get(&name) {
                Some(&column) => column,
                None => {
                    self.columns.add(self.builder, &name);
                    self.places.insert(name, self.columns.len() - 1);
                    self.columns.len() - 1
                }
            };
            self.write_cell(column, value);
        }
        match self.columns.end_row(self.builder) {
            Ok(()) => true,
            Err(error) => {
                self.failure = Some(error.into());
                false
            }
        }
    }

    fn write_cell(&mut self, column: usize, value: Value) {
        match value {
            Value::Null => {}
            Value::Bool(value) => self.columns.cell(column).push_str(boolean_text(value)),
            Value::Number(number) => self.columns.cell(column).push_str(&number.to_string()),
            Value::String(text) => *self.columns.cell(column) = text,
            Value::Array(_) => self.columns.refuse(column, "JSON array"),
            Value::Object(_) => self.columns.refuse(column, "JSON object"),
        }
    }

    /// Reads an object whose members are columns: arrays, or objects with a member for each row.
    fn read_columns(&mut self, object: Map<String, Value>) -> Result<(), String> {
        let columns: Vec<(String, Vec<Value>)> = object
            .into_iter()
            .map(|(name, column)| match column {
                Value::Array(cells) => (name, cells),
                Value::Object(cells) => (name, cells.into_iter().map(|(_, cell)| cell).collect()),
                other => (name, vec![other]),
            })
            .collect();
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        if columns.iter().any(|(_, cells)| cells.len() != rows) {
            return Err("its columns differ in length".into());
        }
        columns.iter().for_each(|(name, _)| self.columns.add(self.builder, name));
        let mut cells: Vec<_> = columns.into_iter().map(|(_, cells)| cells.into_iter()).collect();
        for _ in 0..rows {
            for (column, cells) in cells.iter_mut().enumerate() {
                self.write_cell(column, cells.next().unwrap_or_default());
            }
            if let Err(error) = self.columns.end_row(self.builder) {
                self.failure = Some(error.into());
                return Ok(());
            }
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for &mut Records<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array of records")
    }

    fn visit_seq<Access: SeqAccess<'de>>(self, mut records: Access) -> Result<(), Access::Error> {
        while records.next_element_seed(RecordSeed(self))?.is_some() {
            if self.failure.is_some() {
                return Err(Access::Error::custom("reading stopped"));
            }
        }
        Ok(())
    }
}

/// Reads one record of an array.
struct RecordSeed<'a, 'b, 'c>(&'a mut Records<'b, 'c>);

impl<'de> DeserializeSeed<'de> for RecordSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<Input: Deserializer<'de>>(self, input: Input) -> Result<(), Input::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a record, {\"name\": value, …}")
    }

    fn visit_map<Access: MapAccess<'de>>(self, mut members: Access) -> Result<(), Access::Error> {
        let mut record = Map::new();
        while let Some((name, value)) = members.next_entry()? {
            record.insert(name, value);
        }
        self.0.read_record(record);
        Ok(())
    }
}
