//! Reads a text file of separated fields into a table under way.

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use memchr::memchr;

use super::chunks::{After, Chunk, Chunks, RecordEnds};
use super::lanes::{in_order, lanes};
use super::plain::PlainSplitter;
use super::record::{Record, RecordReader, Stream};
use super::sniff::Sample;
use super::{Naming, Reading};
use crate::error::Error;
use crate::options::{Delimiter, ReadOptions, TextEncoding};
use crate::source::{Compression, Opened, Source, failure};
use crate::table::word::MissingMarks;
use crate::table::{Attribute, CellFault, Part};

const SAMPLE_BYTES: usize = 64 << 10;
const SAMPLE_LINES: usize = 16;
/// Wide tables need more than [`SAMPLE_BYTES`] for a few lines, but not without end.
const LARGEST_SAMPLE: usize = 16 << 20;
/// The most attributes that all threads together keep beside the table.
const MOST_ATTRIBUTES: usize = 1 << 18;

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

    let rest: Stream<'_> = if whole { Box::new(std::io::empty()) } else { opened.bytes };
    let stream = Box::new(Cursor::new(&bytes).chain(rest));
    let text = Text { source, compression, delimiter, options };
    let mut reader = text.records(stream);
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
    let rows_before = reading.table.rows;
    if is_header {
        reading.begin_named(source, names()?)?;
    } else {
        reading.begin_unnamed(source, record.len())?;
        text.push(&mut reading.table.attributes, &record, &reading.marks)?;
        reading.end_row(record.bytes())?;
    }
    let (stream, line) = reader.into_rest();
    let ends = RecordEnds::new(delimiter, options.quote);
    let chunks = Chunks::new(stream, line, ends, reading.division.chunk_size);
    let most_threads = MOST_ATTRIBUTES / reading.table.attributes.len().max(1);
    let threads = if whole { 1 } else { reading.division.threads.min(most_threads) };
    text.read_chunks(reading, chunks, threads)?;
    if reading.table.rows == rows_before {
        let sentence = "has names but no rows; if its first line is data, say that it has no header";
        return Err(Error::source(source, sentence));
    }
    Ok(())
}

/// How a text is laid out.
#[derive(Clone, Copy)]
struct Text<'a> {
    source: &'a Source,
    compression: Option<Compression>,
    delimiter: Delimiter,
    options: &'a ReadOptions,
}

/// A chunk of a text on its way into the table.
#[derive(Default)]
struct Lane<'a> {
    chunk: Chunk<'a>,
    part: Part,
    plain: PlainSplitter,
    fault: Option<Error>,
}

impl<'a> Text<'a> {
    fn records<'b>(&self, stream: Stream<'b>) -> RecordReader<'b>
    where
        'a: 'b,
    {
        let Self { source, compression, delimiter, options } = *self;
        RecordReader::new(source, compression, stream, delimiter, options.quote, options.max_memory)
    }

    /// Appends the rows of all chunks, read by so many threads.
    fn read_chunks(
        &self,
        reading: &mut Reading<'_>,
        mut chunks: Chunks<'a>,
        threads: usize,
    ) -> Result<(), Error> {
        let marks = reading.marks.clone();
        let template = Part::new(&reading.table);
        let lanes = (0..lanes(threads)).map(|_| Lane::default()).collect();
        in_order(
            threads,
            lanes,
            |lane| {
                if chunks.next(&mut lane.chunk) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
            |lane| {
                if lane.part.attributes.is_empty() {
                    lane.part = template.another();
                }
                lane.fault = self.read_chunk(lane, &marks).err();
            },
            |lane| {
                if let Some(fault) = lane.fault.take() {
                    return Err(fault);
                }
                reading.table.append(&mut lane.part);
                match std::mem::take(&mut lane.chunk.after) {
                    After::Chunks => reading.check(),
                    After::Failure(error) => Err(failure(self.source, self.compression, error)),
                    After::Stream(stream) => self.read_rest(reading, &mut lane.chunk, stream),
                }
            },
        )
    }

    /// Reads the records of a chunk into the part of its lane.
    fn read_chunk(&self, lane: &mut Lane<'a>, marks: &MissingMarks) -> Result<(), Error> {
        if matches!(lane.chunk.after, After::Stream(_)) {
            return Ok(());
        }
        let Lane { chunk, part, plain, .. } = lane;
        let text = chunk.text();
        let quotes = self.options.quote.is_some_and(|quote| memchr(quote, text).is_some());
        let converted = self.options.encoding == TextEncoding::Latin1 && !text.is_ascii();
        if let (Delimiter::Byte(delimiter), false, false) = (self.delimiter, quotes, converted) {
            if plain.read(text, delimiter, part, marks) {
                return Ok(());
            }
            part.clear();
        }
        let mut reader = self.records(Box::new(text)).resume(chunk.line);
        let mut record = Record::default();
        while reader.next(&mut record)? {
            self.push(&mut part.attributes, &record, marks)?;
            part.rows += 1;
        }
        Ok(())
    }

    /// Appends all that is left of a text, record by record.
    fn read_rest(
        &self,
        reading: &mut Reading<'_>,
        chunk: &mut Chunk<'a>,
        stream: Stream<'a>,
    ) -> Result<(), Error> {
        let begun = Cursor::new(chunk.take_text());
        let mut reader = self.records(Box::new(begun.chain(stream))).resume(chunk.line);
        let mut record = Record::default();
        while reader.next(&mut record)? {
            self.push(&mut reading.table.attributes, &record, &reading.marks)?;
            reading.end_row(record.bytes())?;
        }
        Ok(())
    }

    /// Appends a record.
    #[inline]
    fn push(&self, attributes: &mut [Attribute], record: &Record, marks: &MissingMarks) -> Result<(), Error> {
        if record.len() != attributes.len() {
            let (expected, found) = (attributes.len(), record.len());
            let sentence = format!(
                "has {found} field{} where {expected} {} expected; mend the line, or give the delimiter or the quote",
                if found == 1 { "" } else { "s" },
                if expected == 1 { "is" } else { "are" },
            );
            return Err(Error::line(self.source, record.line, sentence));
        }
        for (attribute, field) in attributes.iter_mut().zip(record.iter()) {
            let pushed = if self.options.encoding == TextEncoding::Latin1 && !field.is_ascii() {
                attribute.push(latin1(field).as_bytes(), marks)
            } else {
                attribute.push(field, marks)
            };
            pushed.map_err(|fault| cell_error(self.source, record.line, Some(&attribute.name), fault))?;
        }
        Ok(())
    }
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
