//! The reader of delimited text.

mod blank_separated;
mod byte_cells;
mod chunks;
mod comments;
#[cfg(test)]
mod oracle;
mod pipeline;
pub(crate) mod record;
mod sniff;
mod unquoted;

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use memchr::memchr;

pub(crate) use self::chunks::ChunkSize;
use self::chunks::{Chunk, Chunks, Continuation, RecordEnds};
use self::comments::WithoutComments;
use self::pipeline::{process_in_order, slots_for};
use self::record::{Record, RecordReader, Stream};
use self::sniff::Sample;
use self::unquoted::UnquotedSplitter;
use super::builder::{Naming, TableBuilder};
use super::foreign::is_binary;
use super::format::TableReader;
use crate::error::{Error, SourceError, TextError};
use crate::options::{Delimiter, ReadOptions, TextEncoding};
use crate::source::{Compression, OpenedSource, Source, read_error};
use crate::table::cell::MissingMarks;
use crate::table::notation::DecimalMark;
use crate::table::{Attribute, CellError, Segment};

const SAMPLE_BYTES: usize = 64 << 10;
const SAMPLE_LINES: usize = 16;
/// Wide tables need more than [`SAMPLE_BYTES`] for a few lines; the sample is bounded nevertheless.
const MAX_SAMPLE_BYTES: usize = 16 << 20;
/// The most attributes that all threads together keep beside the table.
const MAX_ATTRIBUTES: usize = 1 << 18;

/// Reads delimited text: CSV, TSV, or fields separated by blanks.
pub(crate) struct TextReader;

impl TableReader for TextReader {
    fn name(&self) -> &'static str {
        "text"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["csv", "tsv"]
    }

    fn title(&self) -> &'static str {
        "a text"
    }

    fn read(
        &self,
        builder: &mut TableBuilder<'_>,
        source: &Source,
        opened: OpenedSource,
    ) -> Result<(), Error> {
        read_text(builder, source, opened)
    }
}

/// Appends the rows of a text file.
fn read_text(builder: &mut TableBuilder<'_>, source: &Source, mut opened: OpenedSource) -> Result<(), Error> {
    let compression = opened.compression;
    if let Some(mark) = builder.options.comment {
        opened.bytes = Box::new(WithoutComments::new(opened.bytes, mark));
    }
    let (mut bytes, is_complete) =
        read_sample(&mut opened.bytes).map_err(|error| read_error(source, compression, error))?;
    refuse_utf16(&bytes).map_err(|kind| Error::new(kind).in_source(source))?;
    if is_binary(&bytes) {
        return Err(Error::new(SourceError::Binary).in_source(source));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let options = builder.options;
    let is_tsv = opened.extension.as_deref() == Some("tsv");
    let sample = Sample { source, bytes: &bytes, is_complete, quote: options.quote, is_tsv };
    let delimiter = options.delimiter.or(builder.declaration.delimiter);
    let delimiter = delimiter.unwrap_or_else(|| sample.detect_delimiter());
    let has_detected_header = || sample.detect_header(delimiter, &builder.marks);

    let rest: Stream<'_> = if is_complete { Box::new(std::io::empty()) } else { opened.bytes };
    let stream = Box::new(Cursor::new(&bytes).chain(rest));
    let text = Text { source, compression, delimiter, options };
    let mut reader = text.records(stream);
    let mut record = Record::default();
    if !reader.next(&mut record)? {
        return Err(Error::new(SourceError::Empty).in_source(source));
    }
    let names = || -> Result<Vec<String>, Error> {
        let text = |field| decode(options.encoding, field).map(Cow::into_owned);
        record
            .iter()
            .map(|field| text(field).map_err(|error| cell_error(source, record.line, None, error)))
            .collect()
    };
    let is_header = match &builder.naming {
        Naming::Undecided => match options.header.or(builder.declaration.header) {
            Some(header) => header,
            None if has_detected_header() => true,
            None => {
                // Names that look like data are names if the user calls the columns so.
                let names = names()?;
                builder.declaration_names_all(&names) || options.names_target(&names)
            }
        },
        Naming::Header => true,
        Naming::Positions => false,
    };
    let rows_before = builder.table.rows;
    if builder.options.decimal.is_none() && delimiter == Delimiter::Byte(b';') {
        // Semicolons separate fields where commas separate decimals.
        builder.mark = DecimalMark::Comma;
    }
    if is_header {
        let mut names = names()?;
        if sample.has_unnamed_first_column(delimiter) {
            names.insert(0, String::new());
        }
        builder.begin_named(source, names)?;
    } else {
        builder.begin_unnamed(source, record.len())?;
        text.push(&mut builder.table.attributes, &record, &builder.marks)?;
        builder.end_row(record.bytes())?;
    }
    let (stream, line) = reader.into_rest();
    let ends = RecordEnds::new(delimiter, options.quote);
    let chunks = Chunks::new(stream, line, ends, builder.division.chunk_size);
    let max_threads = MAX_ATTRIBUTES / builder.table.attributes.len().max(1);
    let threads = if is_complete { 1 } else { builder.division.threads.min(max_threads) };
    text.read_chunks(builder, chunks, threads)?;
    if builder.table.rows == rows_before {
        return Err(Error::new(SourceError::NoRows { header_assumed: true }).in_source(source));
    }
    Ok(())
}

/// The layout of a text.
#[derive(Clone, Copy)]
struct Text<'a> {
    source: &'a Source,
    compression: Option<Compression>,
    delimiter: Delimiter,
    options: &'a ReadOptions,
}

/// A slot of the pipeline: a chunk of the text and the rows read from it.
#[derive(Default)]
struct ChunkSlot<'a> {
    chunk: Chunk<'a>,
    segment: Segment,
    unquoted: UnquotedSplitter,
    error: Option<Error>,
}

impl<'a> Text<'a> {
    fn records<'b>(&self, stream: Stream<'b>) -> RecordReader<'b>
    where
        'a: 'b,
    {
        let Self { source, compression, delimiter, options } = *self;
        RecordReader::new(source, compression, stream, delimiter, options.quote, options.max_memory)
    }

    /// Appends the rows of all chunks, read by a number of threads.
    fn read_chunks(
        &self,
        builder: &mut TableBuilder<'_>,
        mut chunks: Chunks<'a>,
        threads: usize,
    ) -> Result<(), Error> {
        let marks = builder.marks.clone();
        let template = Segment::new(&builder.table);
        let slots = (0..slots_for(threads)).map(|_| ChunkSlot::default()).collect();
        process_in_order(
            threads,
            slots,
            |slot| {
                if chunks.next(&mut slot.chunk) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
            |slot| {
                if slot.segment.attributes.is_empty() {
                    slot.segment = template.new_sibling();
                }
                slot.error = self.read_chunk(slot, &marks).err();
            },
            |slot| {
                if let Some(error) = slot.error.take() {
                    return Err(error);
                }
                builder.table.append(&mut slot.segment);
                match std::mem::take(&mut slot.chunk.continuation) {
                    Continuation::Chunks => builder.check_limits(),
                    Continuation::Failure(error) => Err(read_error(self.source, self.compression, error)),
                    Continuation::Stream(stream) => self.read_rest(builder, &mut slot.chunk, stream),
                }
            },
        )
    }

    /// Reads the records of a chunk into the segment of its slot.
    fn read_chunk(&self, slot: &mut ChunkSlot<'a>, marks: &MissingMarks) -> Result<(), Error> {
        if matches!(slot.chunk.continuation, Continuation::Stream(_)) {
            return Ok(());
        }
        let ChunkSlot { chunk, segment, unquoted, .. } = slot;
        let text = chunk.text();
        let has_quotes = self.options.quote.is_some_and(|quote| memchr(quote, text).is_some());
        let needs_conversion = self.options.encoding == TextEncoding::Latin1 && !text.is_ascii();
        if let (Delimiter::Byte(delimiter), false, false) = (self.delimiter, has_quotes, needs_conversion) {
            if byte_cells::fits(text, delimiter, segment) {
                if byte_cells::read(text, delimiter, segment, marks) {
                    return Ok(());
                }
                segment.clear();
            }
            if unquoted.read(text, delimiter, segment, marks) {
                return Ok(());
            }
            segment.clear();
        }
        let mut reader = self.records(Box::new(text)).resume(chunk.line);
        let mut record = Record::default();
        while reader.next(&mut record)? {
            self.push(&mut segment.attributes, &record, marks)?;
            segment.rows += 1;
        }
        Ok(())
    }

    /// Appends the rest of a text, record by record.
    fn read_rest(
        &self,
        builder: &mut TableBuilder<'_>,
        chunk: &mut Chunk<'a>,
        stream: Stream<'a>,
    ) -> Result<(), Error> {
        let incomplete = Cursor::new(chunk.take_text());
        let mut reader = self.records(Box::new(incomplete.chain(stream))).resume(chunk.line);
        let mut record = Record::default();
        while reader.next(&mut record)? {
            self.push(&mut builder.table.attributes, &record, &builder.marks)?;
            builder.end_row(record.bytes())?;
        }
        Ok(())
    }

    /// Appends a record.
    #[inline]
    fn push(&self, attributes: &mut [Attribute], record: &Record, marks: &MissingMarks) -> Result<(), Error> {
        if record.len() != attributes.len() {
            let (found, expected) = (record.len(), attributes.len());
            let mark = attributes.first().and_then(|first| first.name.chars().next());
            let kind = match mark {
                Some(mark @ ('#' | '%' | ';' | '/')) => TextError::AfterComment { found, expected, mark },
                _ => TextError::FieldCount { found, expected },
            };
            return Err(Error::new(kind).in_source(self.source).on_line(record.line));
        }
        for (attribute, field) in attributes.iter_mut().zip(record.iter()) {
            let pushed = if self.options.encoding == TextEncoding::Latin1 && !field.is_ascii() {
                attribute.push(decode_latin1(field).as_bytes(), marks)
            } else {
                attribute.push(field, marks)
            };
            pushed.map_err(|error| cell_error(self.source, record.line, Some(&attribute.name), error))?;
        }
        Ok(())
    }
}

fn cell_error(source: &Source, line: u64, attribute: Option<&str>, error: CellError) -> Error {
    let in_names = attribute.is_none();
    let kind = match error {
        CellError::NotUtf8 => TextError::NotUtf8 { in_names },
        CellError::Nul => TextError::NulByte { in_names },
    };
    let error = Error::new(kind).in_source(source).on_line(line);
    match attribute {
        Some(name) => error.in_column(name),
        None => error,
    }
}

fn decode_latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn decode(encoding: TextEncoding, bytes: &[u8]) -> Result<Cow<'_, str>, CellError> {
    if bytes.contains(&0) {
        return Err(CellError::Nul);
    }
    match encoding {
        TextEncoding::Latin1 => Ok(Cow::Owned(decode_latin1(bytes))),
        TextEncoding::Utf8 => std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| CellError::NotUtf8),
    }
}

/// The first bytes, enough for detection, and whether there are no more.
fn read_sample(bytes: &mut dyn Read) -> std::io::Result<(Vec<u8>, bool)> {
    let mut sample = Vec::new();
    loop {
        let before = sample.len();
        bytes.take(SAMPLE_BYTES as u64).read_to_end(&mut sample)?;
        if sample.len() == before {
            return Ok((sample, true));
        }
        let lines = || sample.iter().filter(|&&byte| byte == b'\n').count();
        if sample.len() >= MAX_SAMPLE_BYTES || sample.len() >= SAMPLE_BYTES && lines() >= SAMPLE_LINES {
            return Ok((sample, false));
        }
    }
}

fn refuse_utf16(sample: &[u8]) -> Result<(), TextError> {
    let is_marked = sample.starts_with(&[0xff, 0xfe]) || sample.starts_with(&[0xfe, 0xff]);
    let start = &sample[..sample.len().min(4096)];
    let zeros = |parity: usize| start.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    // UTF-16 text that is mostly ASCII has zeros at positions of one parity and none at those of the other.
    let (even, odd) = (zeros(0), zeros(1));
    let is_patterned = start.len() > 3 && (even.max(odd) * 3 > start.len() && even.min(odd) == 0);
    if is_marked || is_patterned { Err(TextError::Utf16) } else { Ok(()) }
}
