//! Splits a stream of bytes into records of fields, each with the line it starts on.
//!
//! It knows quotes, delimiters, line ends and the largest size of a record; it does not interpret fields.

use std::io::{Cursor, Read};

use csv_core::ReadRecordResult;

use super::blank_separated::BlankSplitter;
use crate::error::{Error, LimitError, TextError};
use crate::options::Delimiter;
use crate::source::{Compression, Source, read_error};

/// Megabytes of the largest record; a larger one is an unclosed quote or not a table.
const MAX_RECORD_MEGABYTES: usize = 64;
const MAX_RECORD_BYTES: usize = MAX_RECORD_MEGABYTES << 20;
const BUFFER_BYTES: usize = 256 << 10;

/// The fields of one record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    text: Vec<u8>,
    ends: Vec<usize>,
    text_length: usize,
    fields: usize,
    /// The line on which it starts.
    pub line: u64,
}

impl Record {
    /// The number of fields.
    pub fn len(&self) -> usize {
        self.fields
    }

    /// The fields, trimmed of blanks.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends[..self.fields].iter().map(move |&end| {
            let field = &self.text[start..end];
            start = end;
            trim(field)
        })
    }

    /// One field, trimmed of blanks.
    pub fn get(&self, field: usize) -> Option<&[u8]> {
        if field >= self.fields {
            return None;
        }
        let start = if field == 0 { 0 } else { self.ends[field - 1] };
        Some(trim(&self.text[start..self.ends[field]]))
    }

    /// A copy without spare capacity.
    pub fn compact(&self) -> Self {
        let (text, ends) = (self.text[..self.text_length].to_vec(), self.ends[..self.fields].to_vec());
        Self { text, ends, ..*self }
    }

    /// The bytes of its fields.
    pub fn bytes(&self) -> usize {
        self.text_length
    }

    /// Appends a byte to the current field.
    pub fn push(&mut self, byte: u8) {
        if self.text_length == self.text.len() {
            self.text.resize((self.text.len() * 2).max(1024), 0);
        }
        self.text[self.text_length] = byte;
        self.text_length += 1;
    }

    /// Ends the current field.
    pub fn end_field(&mut self) {
        if self.fields == self.ends.len() {
            self.ends.resize((self.ends.len() * 2).max(64), 0);
        }
        self.ends[self.fields] = self.text_length;
        self.fields += 1;
    }

    fn clear(&mut self) {
        (self.text_length, self.fields) = (0, 0);
    }

    fn is_blank(&self) -> bool {
        self.fields == 0 || self.fields == 1 && self.iter().all(<[u8]>::is_empty)
    }
}

/// A field without the blanks around it.
pub(crate) fn trim(mut field: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = field {
        field = rest;
    }
    field
}

/// Decompressed bytes that any thread may read.
pub(crate) type Stream<'a> = Box<dyn Read + Send + 'a>;

enum Splitter {
    Delimited(Box<csv_core::Reader>),
    Blank(BlankSplitter),
}

/// Reads records from decompressed bytes.
pub(crate) struct RecordReader<'a> {
    source: &'a Source,
    compression: Option<Compression>,
    bytes: Stream<'a>,
    splitter: Splitter,
    quote: Option<u8>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    line: u64,
    at_end: bool,
    max_memory: Option<u64>,
}

impl<'a> RecordReader<'a> {
    /// Starts at the first byte.
    pub fn new(
        source: &'a Source,
        compression: Option<Compression>,
        bytes: Stream<'a>,
        delimiter: Delimiter,
        quote: Option<u8>,
        max_memory: Option<u64>,
    ) -> Self {
        let splitter = match delimiter {
            Delimiter::Blank => Splitter::Blank(BlankSplitter::new(quote)),
            Delimiter::Byte(byte) => {
                let mut builder = csv_core::ReaderBuilder::new();
                builder.delimiter(byte).quoting(quote.is_some()).quote(quote.unwrap_or(b'"'));
                Splitter::Delimited(Box::new(builder.build()))
            }
        };
        let buffer = vec![0; BUFFER_BYTES];
        let (start, end, line, at_end) = (0, 0, 1, false);
        Self { source, compression, bytes, splitter, quote, buffer, start, end, line, at_end, max_memory }
    }

    /// Starts in the middle of a source, at the start of a record on a line.
    pub fn resume(mut self, line: u64) -> Self {
        if let Splitter::Delimited(core) = &mut self.splitter {
            // After an empty line `csv-core` skips no byte order mark, which is text except at the start of a source.
            core.read_record(b"\n", &mut [0], &mut [0]);
        }
        self.line = line;
        self
    }

    /// The bytes after the last record read, and the line they start on.
    pub fn into_rest(mut self) -> (Stream<'a>, u64) {
        self.buffer.truncate(self.end);
        self.buffer.drain(..self.start);
        (Box::new(Cursor::new(self.buffer).chain(self.bytes)), self.line)
    }

    /// Reads the next record that is not blank; false at the end.
    pub fn next(&mut self, record: &mut Record) -> Result<bool, Error> {
        loop {
            if !self.skip_line_ends()? {
                return Ok(false);
            }
            record.clear();
            record.line = self.line;
            let quoted = self.read_record(record)?;
            if quoted || !record.is_blank() {
                return Ok(true);
            }
        }
    }

    /// Reads a record that has begun; returns whether it has a quote.
    fn read_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        let mut quoted = false;
        loop {
            if self.start == self.end && !self.fill()? {
                let closed = self.split(record, Some(b"\n")).1;
                return if closed { Ok(quoted) } else { Err(self.unclosed(record)) };
            }
            let first = self.start;
            let (consumed, ended) = self.split(record, None);
            let bytes = &self.buffer[first..first + consumed];
            self.line += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
            quoted = quoted || record.is_blank() && bytes.iter().any(|&byte| Some(byte) == self.quote);
            self.start += consumed;
            if ended {
                return Ok(quoted);
            }
            self.check_size(record)?;
        }
    }

    /// Passes the buffer, or `instead`, to the splitter; returns the bytes consumed and whether the record ended.
    fn split(&mut self, record: &mut Record, instead: Option<&[u8]>) -> (usize, bool) {
        let input = instead.unwrap_or(&self.buffer[self.start..self.end]);
        let core = match &mut self.splitter {
            Splitter::Blank(splitter) => return splitter.split(input, record),
            Splitter::Delimited(core) => core,
        };
        let mut consumed = 0;
        loop {
            if record.text_length == record.text.len() {
                record.text.resize((record.text.len() * 2).max(1024), 0);
            }
            if record.fields == record.ends.len() {
                record.ends.resize((record.ends.len() * 2).max(64), 0);
            }
            let (text, ends) = (&mut record.text[record.text_length..], &mut record.ends[record.fields..]);
            let (result, read, written, ended) = core.read_record(&input[consumed..], text, ends);
            consumed += read;
            record.text_length += written;
            record.fields += ended;
            match result {
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    // An empty input would mean the end of the data to `csv-core`.
                    if consumed == input.len() || record.text_length > MAX_RECORD_BYTES {
                        return (consumed, false);
                    }
                }
                ReadRecordResult::InputEmpty => return (consumed, false),
                ReadRecordResult::Record | ReadRecordResult::End => return (consumed, true),
            }
        }
    }

    fn skip_line_ends(&mut self) -> Result<bool, Error> {
        loop {
            while self.start < self.end {
                match self.buffer[self.start] {
                    b'\n' => self.line += 1,
                    b'\r' => {}
                    _ => return Ok(true),
                }
                self.start += 1;
            }
            if !self.fill()? {
                return Ok(false);
            }
        }
    }

    fn fill(&mut self) -> Result<bool, Error> {
        (self.start, self.end) = (0, 0);
        while !self.at_end && self.end == 0 {
            match self.bytes.read(&mut self.buffer) {
                Ok(0) => self.at_end = true,
                Ok(length) => self.end = length,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(read_error(self.source, self.compression, error)),
            }
        }
        Ok(self.end > 0)
    }

    fn unclosed(&self, record: &Record) -> Error {
        Error::new(TextError::UnclosedQuote).in_source(self.source).on_line(record.line)
    }

    fn check_size(&self, record: &Record) -> Result<(), Error> {
        let kind = if self.max_memory.is_some_and(|limit| record.text.len() as u64 > limit) {
            LimitError::Record
        } else if record.text_length > MAX_RECORD_BYTES {
            LimitError::RecordSize { megabytes: MAX_RECORD_MEGABYTES }
        } else {
            return Ok(());
        };
        Err(Error::new(kind).in_source(self.source).on_line(record.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str, delimiter: Delimiter) -> Result<Vec<(u64, Vec<String>)>, Error> {
        let source = Source::Stdin;
        // One byte at a time exercises every boundary between buffers.
        struct Dribble<'a>(&'a [u8]);
        impl Read for Dribble<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let length = self.0.len().min(1);
                self.0.read(&mut buffer[..length])
            }
        }
        let bytes = Box::new(Dribble(text.as_bytes()));
        let mut reader = RecordReader::new(&source, None, bytes, delimiter, Some(b'"'), None);
        let (mut record, mut all) = (Record::default(), Vec::new());
        while reader.next(&mut record)? {
            let fields = record.iter().map(|field| String::from_utf8_lossy(field).into_owned());
            all.push((record.line, fields.collect()));
        }
        Ok(all)
    }

    fn row(line: u64, fields: &[&str]) -> (u64, Vec<String>) {
        (line, fields.iter().map(|&field| field.to_owned()).collect())
    }

    #[test]
    fn commas_quotes_blank_lines_and_line_ends() {
        let text = "a, b ,c\r\n\r\n  \n\"x\ny\",\"1,2\",\"say \"\"hi\"\"\"\r\n,,\n\"\"\nlast,1,2";
        let expected = [
            row(1, &["a", "b", "c"]),
            row(4, &["x\ny", "1,2", "say \"hi\""]),
            row(6, &["", "", ""]),
            row(7, &[""]),
            row(8, &["last", "1", "2"]),
        ];
        assert_eq!(records(text, Delimiter::Byte(b',')).unwrap(), expected);
    }

    #[test]
    fn blanks_separate_in_runs() {
        let text = " a  b\tc \n\n\"x y\" \"\" \"q\"\"q\"\r\nz";
        let expected = [row(1, &["a", "b", "c"]), row(3, &["x y", "", "q\"q"]), row(4, &["z"])];
        assert_eq!(records(text, Delimiter::Blank).unwrap(), expected);
    }

    #[test]
    fn an_unclosed_quote_is_reported_with_its_line() {
        for delimiter in [Delimiter::Byte(b','), Delimiter::Blank] {
            let error = records("a\nb\n\"c\nd\n", delimiter).unwrap_err().to_string();
            assert!(error.contains("line 3") && error.contains("never closed"), "{error}");
        }
    }
}
