//! The reader of SAS transport files (.xpt), versions 5 and 8.
//!
//! The layout is that of SAS technical support document TS-140 and its successor for version 8. Numbers are those of
//! IBM mainframes. Only the first data set of a file is read.

use super::binary::{BinaryReader, Characters, Failure, corrupt, number_text};
use super::builder::TableBuilder;
use super::collect::Columns;
use super::format::TableReader;
use super::stata::DAYS_FROM_1960;
use crate::error::Error;
use crate::source::{OpenedSource, Source};
use crate::table::notation::{format_date, format_seconds, format_time};

const RECORD_BYTES: u64 = 80;
const NAMESTR_BYTES: usize = 140;

/// Reads SAS transport files.
pub(crate) struct SasTransportReader;

impl TableReader for SasTransportReader {
    fn name(&self) -> &'static str {
        "sas-transport"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["xpt"]
    }

    fn title(&self) -> &'static str {
        "a SAS transport"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xpt", "xport", "v8xpt"]
    }

    fn recognises(&self, opened: &OpenedSource) -> bool {
        opened.signature.starts_with(b"HEADER RECORD*******LIB")
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        mut opened: OpenedSource,
    ) -> Result<(), Error> {
        let input = BinaryReader::new(opened.open_seekable(source, builder.options.max_memory)?);
        read_library(builder, source, input).map_err(|failure| failure.in_source(source, self.title()))
    }
}

struct Variable {
    name: String,
    is_number: bool,
    length: usize,
    offset: usize,
    format: String,
}

fn read_library(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    mut input: BinaryReader,
) -> Result<(), Failure> {
    input.big_endian = true;
    // The header of the library and its two records, then those of the member and of its descriptor.
    let library = input.bytes(RECORD_BYTES)?;
    let is_new = library.starts_with(b"HEADER RECORD*******LIBV8");
    input.skip(2 * RECORD_BYTES)?;
    let member = input.bytes(RECORD_BYTES)?;
    if !member.starts_with(b"HEADER RECORD*******MEM") {
        return Err(corrupt("the header of the data set is missing"));
    }
    let descriptor_bytes = parse_digits(&member[74..78]).unwrap_or(NAMESTR_BYTES).max(NAMESTR_BYTES - 4);
    input.skip(RECORD_BYTES)?;
    input.skip(2 * RECORD_BYTES)?;
    let names = input.bytes(RECORD_BYTES)?;
    if !names.starts_with(b"HEADER RECORD*******NAM") {
        return Err(corrupt("the descriptions of the variables are missing"));
    }
    let count = parse_digits(&names[52..58]).ok_or_else(|| corrupt("the number of variables is missing"))?;
    let mut variables = Vec::new();
    for _ in 0..count {
        variables.push(parse_variable(&input.bytes(descriptor_bytes as u64)?, is_new)?);
    }
    let padded = (count as u64 * descriptor_bytes as u64).next_multiple_of(RECORD_BYTES);
    input.skip(padded - count as u64 * descriptor_bytes as u64)?;
    loop {
        let record = input.bytes(RECORD_BYTES)?;
        if record.starts_with(b"HEADER RECORD*******OBS") {
            break;
        }
        // Long labels and formats of version 8.
        if record.starts_with(b"HEADER RECORD*******MEM") {
            return Err(corrupt("its data set has no rows"));
        }
    }
    read_rows(builder, source, input, &variables)
}

fn parse_digits(bytes: &[u8]) -> Option<usize> {
    std::str::from_utf8(bytes).ok()?.trim().parse().ok()
}

fn parse_variable(record: &[u8], is_new: bool) -> Result<Variable, Failure> {
    let short =
        |at: usize| record.get(at..at + 2).map(|bytes| usize::from(bytes[0]) << 8 | usize::from(bytes[1]));
    let long = |at: usize| {
        let bytes = record.get(at..at + 4)?;
        Some(bytes.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    };
    let text = |at: usize, length: usize| {
        record.get(at..at + length).map(|bytes| Characters::Utf8.decode(bytes)).unwrap_or_default()
    };
    let parsed = (short(0), short(4), long(84));
    let (Some(kind), Some(length), Some(offset)) = parsed else {
        return Err(corrupt("the description of a variable is cut short"));
    };
    if length == 0 || length > 32_767 || kind == 1 && length > 8 {
        return Err(corrupt("the length of a variable is wrong"));
    }
    let long_name = if is_new { text(88, 32) } else { String::new() };
    let name = if long_name.is_empty() { text(8, 8) } else { long_name };
    Ok(Variable { name, is_number: kind == 1, length, offset, format: text(56, 8) })
}

fn read_rows(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    mut input: BinaryReader,
    variables: &[Variable],
) -> Result<(), Failure> {
    let mut columns = Columns::new(builder, variables.iter().map(|variable| variable.name.as_str()));
    let width = variables.iter().map(|variable| variable.offset + variable.length).max().unwrap_or(0);
    if width > 1 << 26 {
        return Err(corrupt("its rows are too long"));
    }
    // The last record is padded with blanks, which may look like a row of blanks: such rows count only if another
    // follows them.
    let (mut row, mut blank_rows) = (vec![0; width], 0u64);
    loop {
        match input.fill(&mut row) {
            Ok(true) => {}
            Ok(false) => break,
            // What remains of the last record is shorter than a row.
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error.into()),
        }
        if row.starts_with(b"HEADER RECORD*******") {
            builder.table.notices.push(format!("{source}: only the first data set in the file is read"));
            break;
        }
        if row.iter().all(|&byte| byte == b' ') && width < RECORD_BYTES as usize {
            blank_rows += 1;
            continue;
        }
        for _ in 0..std::mem::take(&mut blank_rows) {
            columns.end_row(builder)?;
        }
        for (column, variable) in variables.iter().enumerate() {
            let cell = &row[variable.offset..variable.offset + variable.length];
            if !variable.is_number {
                *columns.cell(column) = Characters::Utf8.decode(cell);
            } else if let Some(number) = parse_ibm_number(cell) {
                *columns.cell(column) = format_number(number, &variable.format);
            }
        }
        columns.end_row(builder)?;
    }
    Ok(columns.finish(builder, source)?)
}

/// A floating point number of IBM mainframes: a sign, an exponent of 16, and a fraction. Missing values are a letter,
/// a point or an underscore before zeros.
fn parse_ibm_number(cell: &[u8]) -> Option<f64> {
    let (&first, fraction) = cell.split_first()?;
    if fraction.iter().all(|&byte| byte == 0) && matches!(first, b'.' | b'_' | b'A'..=b'Z') {
        return None;
    }
    let digits = (0..7).map(|place| u64::from(fraction.get(place).copied().unwrap_or(0)));
    let fraction = digits.fold(0, |number, byte| number << 8 | byte) as f64;
    let exponent = i32::from(first & 0x7f) - 64;
    let number = fraction * 16f64.powi(exponent - 14);
    Some(if first & 0x80 == 0 { number } else { -number })
}

fn format_number(number: f64, format: &str) -> String {
    const DATES: [&str; 12] = [
        "DATE", "YYMMDD", "MMDDYY", "DDMMYY", "E8601DA", "B8601DA", "JULIAN", "WEEKDATE", "WORDDATE",
        "MONYY", "IS8601DA", "DAY",
    ];
    if format.starts_with("DATETIME") || format.starts_with("E8601DT") {
        format_seconds(number - DAYS_FROM_1960 * 86_400.0)
    } else if format.starts_with("TIME") || format.starts_with("HHMM") {
        format_time(number)
    } else if DATES.iter().any(|date| format.starts_with(date)) {
        format_date((number - DAYS_FROM_1960) as i64)
    } else {
        number_text(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_mainframes_are_read() {
        let cases: [(&[u8], Option<f64>); 6] = [
            (&[0x41, 0x10, 0, 0, 0, 0, 0, 0], Some(1.0)),
            (&[0xc2, 0x76, 0xa0, 0, 0, 0, 0, 0], Some(-118.625)),
            (&[0, 0, 0, 0, 0, 0, 0, 0], Some(0.0)),
            (&[0x2e, 0, 0, 0, 0, 0, 0, 0], None),
            (&[b'A', 0, 0, 0, 0, 0, 0, 0], None),
            (&[0x41, 0x20, 0], Some(2.0)),
        ];
        for (cell, expected) in cases {
            assert_eq!(parse_ibm_number(cell), expected, "{cell:?}");
        }
    }
}
