//! Reads a text file of separated fields into a table under way.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use super::record::{Record, RecordReader};
use super::sniff::Sample;
use super::{Naming, Reading};
use crate::error::Error;
use crate::options::TextEncoding;
use crate::source::{Opened, Source, failure};
use crate::table::CellFault;

const SAMPLE_BYTES: usize = 64 << 10;
const SAMPLE_LINES: usize = 16;
/// Wide tables need more than [`SAMPLE_BYTES`] for a few lines, but not without end.
const LARGEST_SAMPLE: usize = 16 << 20;

/// Appends the rows of a text file.
pub(crate) fn read_text(reading: &mut Reading<'_>, source: &Source, mut opened: Opened) -> Result<(), Error> {
    let compression = opened.compression;
    let (mut bytes, whole) =
        take_sample(&mut opened.bytes).map_err(|error| failure(source, compression, error))?;
    refuse_wide_characters(source, &bytes)?;
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let options = reading.options;
    let sample = Sample { source, bytes: &bytes, whole, quote: options.quote };
    let delimiter = options.delimiter.or(reading.declaration.delimiter);
    let delimiter = delimiter.unwrap_or_else(|| sample.delimiter());
    let guessed_header = || sample.header(delimiter, &reading.marks);

    let rest = if whole { Box::new(std::io::empty()) } else { opened.bytes };
    let stream = Box::new(Cursor::new(&bytes).chain(rest));
    let mut reader =
        RecordReader::new(source, compression, stream, delimiter, options.quote, options.max_memory);
    let mut record = Record::default();
    if !reader.next(&mut record)? {
        return Err(Error::source(source, "is empty; a table needs names and at least one row"));
    }
    let names = || -> Result<Vec<String>, Error> {
        let text = |field| decode(options.encoding, field).map(Cow::into_owned);
        let text = |field| text(field).map_err(|fault| cell_error(source, record.line, None, fault));
        record.iter().map(text).collect()
    };
    let is_header = match &reading.naming {
        Naming::Open => match options.header.or(reading.declaration.header) {
            Some(header) => header,
            None if guessed_header() => true,
            None => {
                // Names that look like data are names if they are what the user calls the columns.
                let names = names()?;
                reading.declaration_names_all(&names) || options.names_target(&names)
            }
        },
        Naming::Header => true,
        Naming::Positions => false,
    };
    if is_header {
        reading.begin_named(source, names()?)?;
        if !reader.next(&mut record)? {
            let sentence = "has names but no rows; if its first line is data, say that it has no header";
            return Err(Error::source(source, sentence));
        }
    } else {
        reading.begin_unnamed(source, record.len())?;
    }
    loop {
        push_record(reading, source, &record)?;
        reading.end_row(record.bytes())?;
        if !reader.next(&mut record)? {
            return Ok(());
        }
    }
}

#[inline]
fn push_record(reading: &mut Reading<'_>, source: &Source, record: &Record) -> Result<(), Error> {
    let attributes = &mut reading.table.attributes;
    if record.len() != attributes.len() {
        let (expected, found) = (attributes.len(), record.len());
        let sentence = format!(
            "has {found} field{} where {expected} {} expected; mend the line, or give the delimiter or the quote",
            if found == 1 { "" } else { "s" },
            if expected == 1 { "is" } else { "are" },
        );
        return Err(Error::line(source, record.line, sentence));
    }
    let encoding = reading.options.encoding;
    for (attribute, field) in attributes.iter_mut().zip(record.iter()) {
        let pushed = if encoding == TextEncoding::Latin1 && !field.is_ascii() {
            attribute.push(latin1(field).as_bytes(), &reading.marks)
        } else {
            attribute.push(field, &reading.marks)
        };
        pushed.map_err(|fault| cell_error(source, record.line, Some(&attribute.name), fault))?;
    }
    Ok(())
}

fn cell_error(source: &Source, line: u64, attribute: Option<&str>, fault: CellFault) -> Error {
    let place = attribute.map_or("the first record".to_owned(), |name| format!("column {name:?}"));
    let sentence = match fault {
        CellFault::NotUtf8 => {
            format!("{place} is not UTF-8 text; if the file is Latin-1, add --encoding latin1")
        }
        CellFault::Nul => format!("{place} holds a NUL byte; export the table as plain UTF-8 text"),
    };
    Error::line(source, line, sentence)
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn decode(encoding: TextEncoding, bytes: &[u8]) -> Result<Cow<'_, str>, CellFault> {
    if bytes.contains(&0) {
        return Err(CellFault::Nul);
    }
    match encoding {
        TextEncoding::Latin1 => Ok(Cow::Owned(latin1(bytes))),
        TextEncoding::Utf8 => std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| CellFault::NotUtf8),
    }
}

/// The first bytes, enough for a guess, and whether they are all.
fn take_sample(bytes: &mut dyn Read) -> std::io::Result<(Vec<u8>, bool)> {
    let mut sample = Vec::new();
    loop {
        let before = sample.len();
        bytes.take(SAMPLE_BYTES as u64).read_to_end(&mut sample)?;
        if sample.len() == before {
            return Ok((sample, true));
        }
        let lines = || sample.iter().filter(|&&byte| byte == b'\n').count();
        if sample.len() >= LARGEST_SAMPLE || sample.len() >= SAMPLE_BYTES && lines() >= SAMPLE_LINES {
            return Ok((sample, false));
        }
    }
}

fn refuse_wide_characters(source: &Source, sample: &[u8]) -> Result<(), Error> {
    let marked = sample.starts_with(&[0xff, 0xfe]) || sample.starts_with(&[0xfe, 0xff]);
    let start = &sample[..sample.len().min(4096)];
    let zeros = |parity: usize| start.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    // Text in UTF-16 that is mostly ASCII has a zero in every other place, and none in between.
    let (even, odd) = (zeros(0), zeros(1));
    let patterned = start.len() > 3 && (even.max(odd) * 3 > start.len() && even.min(odd) == 0);
    if marked || patterned {
        return Err(Error::source(
            source,
            "is UTF-16 text; convert it to UTF-8, e.g. with iconv -f UTF-16 -t UTF-8",
        ));
    }
    Ok(())
}
