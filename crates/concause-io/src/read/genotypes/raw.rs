//! PLINK's text with allele counts, as `plink --recode A` writes it.

use std::io::{BufRead, BufReader};

use super::people::{Person, add_notice, add_people};
use crate::error::{Error, TextError};
use crate::read::binary::{Characters, Failure};
use crate::read::builder::TableBuilder;
use crate::read::collect::Columns;
use crate::read::format::TableReader;
use crate::source::{OpenedSource, Source, read_error};

/// The names of the first columns.
const PEOPLE_COLUMNS: [&str; 6] = ["FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE"];

/// Reads PLINK's allele counts.
pub(crate) struct RawReader;

impl TableReader for RawReader {
    fn name(&self) -> &'static str {
        "plink-raw"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["raw"]
    }

    fn title(&self) -> &'static str {
        "a PLINK .raw"
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        let words = opened.signature.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        words.take(PEOPLE_COLUMNS.len()).eq(PEOPLE_COLUMNS.map(str::as_bytes))
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        opened: OpenedSource,
    ) -> Result<(), Error> {
        read_counts(builder, source, opened).map_err(|failure| failure.in_source(source, self.title()))
    }
}

fn read_counts(builder: &mut TableBuilder<'_>, source: &Source, opened: OpenedSource) -> Result<(), Failure> {
    let compression = opened.compression;
    let mut lines = BufReader::with_capacity(1 << 18, opened.bytes);
    let mut next_line = |line: &mut Vec<u8>| -> Result<bool, Error> {
        line.clear();
        let length = lines.read_until(b'\n', line).map_err(|error| read_error(source, compression, error))?;
        Ok(length > 0)
    };
    let mut line = Vec::new();
    next_line(&mut line)?;
    let header = Characters::Utf8.decode(&line);
    let names: Vec<&str> = header.split_ascii_whitespace().collect();
    let variants = names.get(PEOPLE_COLUMNS.len()..).unwrap_or_default();
    let mut counts = Columns::new(builder, variants.iter().copied());
    let (mut people, mut number) = (Vec::new(), 1);
    while next_line(&mut line)? {
        number += 1;
        let text = Characters::Utf8.decode(&line);
        let fields = text.split_ascii_whitespace();
        let found = fields.clone().count();
        if found == 0 {
            continue;
        }
        if found != names.len() {
            let kind = TextError::FieldCount { found, expected: names.len() };
            return Err(Error::new(kind).in_source(source).on_line(number).into());
        }
        for (column, cell) in fields.clone().skip(PEOPLE_COLUMNS.len()).enumerate() {
            counts.cell(column).push_str(cell);
        }
        people.push(Person::parse(fields));
        counts.end_row(builder)?;
    }
    let mut columns = Columns::default();
    add_people(builder, &mut columns, &people);
    columns.append(counts);
    add_notice(builder);
    Ok(columns.finish(builder, source)?)
}
