//! The reader of SPSS system files (.sav, .zsav).
//!
//! The layout is that of the PSPP developers' description of system files. Value labels become the names of values;
//! missing values that the file declares are missing.

mod cases;
mod dictionary;

use self::cases::Elements;
use self::dictionary::{Dictionary, Variable};
use super::binary::{BinaryReader, Failure, number_text};
use super::builder::TableBuilder;
use super::collect::Columns;
use super::format::TableReader;
use crate::error::Error;
use crate::source::{OpenedSource, Source};
use crate::table::notation::{format_seconds, format_time};

/// The seconds from 1582-10-14, where the calendar of SPSS begins, to 1970-01-01.
const SECONDS_FROM_1582: f64 = 141_428.0 * 86_400.0;

/// Reads SPSS system files.
pub(crate) struct SpssReader;

impl TableReader for SpssReader {
    fn name(&self) -> &'static str {
        "spss"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["sav"]
    }

    fn title(&self) -> &'static str {
        "an SPSS"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sav", "zsav"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        opened.signature.starts_with(b"$FL2") || opened.signature.starts_with(b"$FL3")
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        mut opened: OpenedSource,
    ) -> Result<(), Error> {
        let input = BinaryReader::new(opened.open_seekable(source, builder.options.max_memory)?);
        read_system_file(builder, source, input).map_err(|failure| failure.in_source(source, self.title()))
    }
}

fn read_system_file(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    mut input: BinaryReader,
) -> Result<(), Failure> {
    let dictionary = Dictionary::read(&mut input)?;
    let variables = &dictionary.variables;
    let mut columns = Columns::new(builder, variables.iter().map(|variable| variable.name.as_str()));
    for (column, variable) in variables.iter().enumerate() {
        columns.label(column, variable.labels.clone());
    }
    let mut elements = Elements::new(input, &dictionary)?;
    let mut case = vec![[0; 8]; dictionary.case_elements];
    while elements.read_case(&mut case)? {
        for (column, variable) in variables.iter().enumerate() {
            if variable.width > 0 {
                *columns.cell(column) = dictionary.characters.decode(&variable.text(&case));
            } else if let Some(number) = dictionary.number(variable, &case) {
                *columns.cell(column) = format_number(number, variable);
            }
        }
        columns.end_row(builder)?;
    }
    Ok(columns.finish(builder, source)?)
}

/// A number as text, according to its display format.
fn format_number(number: f64, variable: &Variable) -> String {
    match variable.format {
        // Dates in all orders, months, quarters, weeks, and days with times.
        20 | 22 | 23 | 24 | 28 | 29 | 30 | 38 | 39 | 41 => format_seconds(number - SECONDS_FROM_1582),
        21 | 40 if number >= 0.0 => format_time(number),
        _ => number_text(number),
    }
}
