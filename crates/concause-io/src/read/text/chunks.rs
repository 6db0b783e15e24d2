//! Cuts a text into chunks of complete records, so that they can be read in parallel.
//!
//! It finds the ends of records by quotes and line ends alone, at the same positions as [`super::record`]; it splits
//! no fields.

use std::io::{self, ErrorKind, Read};

use memchr::{memchr, memchr_iter, memrchr};

use super::record::Stream;
use crate::options::Delimiter;

/// Complete records of a text.
#[derive(Default)]
pub(crate) struct Chunk<'a> {
    buffer: Vec<u8>,
    length: usize,
    /// The line on which it starts.
    pub line: u64,
    /// What follows its last record.
    pub continuation: Continuation<'a>,
}

/// What follows a chunk.
#[derive(Default)]
pub(crate) enum Continuation<'a> {
    /// Other chunks, or the end.
    #[default]
    Chunks,
    /// The stream failed.
    Failure(io::Error),
    /// The rest of the stream: the chunk is the beginning of a record of excessive length.
    Stream(Stream<'a>),
}

impl Chunk<'_> {
    /// Its text.
    pub fn text(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// Moves its text out.
    pub fn take_text(&mut self) -> Vec<u8> {
        self.buffer.truncate(std::mem::take(&mut self.length));
        std::mem::take(&mut self.buffer)
    }
}

/// The size of chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkSize {
    /// The bytes of a chunk.
    pub usual: usize,
    /// The bytes to which a chunk grows until a record ends in it; beyond them one thread reads the rest.
    pub longest: usize,
}

/// A text as chunks.
pub(crate) struct Chunks<'a> {
    stream: Stream<'a>,
    /// The start of the next chunk: no record ends in it.
    incomplete: Vec<u8>,
    line: u64,
    ends: RecordEnds,
    size: ChunkSize,
    at_end: bool,
}

impl<'a> Chunks<'a> {
    /// Starts at the start of a record on a line.
    pub fn new(stream: Stream<'a>, line: u64, ends: RecordEnds, size: ChunkSize) -> Self {
        Self { stream, incomplete: Vec::new(), line, ends, size, at_end: false }
    }

    /// Reads the next chunk; false at the end.
    pub fn next(&mut self, chunk: &mut Chunk<'a>) -> bool {
        (chunk.line, chunk.continuation) = (self.line, Continuation::Chunks);
        chunk.length = 0;
        if self.at_end {
            return false;
        }
        if self.incomplete.len() >= self.size.longest {
            return self.give_up(chunk);
        }
        let mut scanned = self.incomplete.len();
        let wanted = self.size.usual.max(self.incomplete.len() + 1);
        if chunk.buffer.len() < wanted {
            chunk.buffer.resize(wanted, 0);
        }
        chunk.length = self.incomplete.len();
        chunk.buffer[..chunk.length].copy_from_slice(&self.incomplete);
        self.incomplete.clear();
        loop {
            if let Err(error) = self.fill(chunk) {
                (self.at_end, chunk.continuation) = (true, Continuation::Failure(error));
            }
            let end = self.ends.find_last(&chunk.buffer[scanned..chunk.length]).map(|end| scanned + end);
            scanned = chunk.length;
            let failed = matches!(chunk.continuation, Continuation::Failure(_));
            match end {
                _ if self.at_end && !failed => return chunk.length > 0,
                None if failed => {
                    chunk.length = 0;
                    return true;
                }
                Some(end) => {
                    self.incomplete.extend_from_slice(&chunk.buffer[end..chunk.length]);
                    chunk.length = end;
                    self.line += memchr_iter(b'\n', chunk.text()).count() as u64;
                    return true;
                }
                None if chunk.length >= self.size.longest => {
                    self.incomplete.extend_from_slice(chunk.text());
                    return self.give_up(chunk);
                }
                None => chunk.buffer.resize(chunk.buffer.len() * 2, 0),
            }
        }
    }

    /// Reads until the buffer of the chunk is full or the stream ends.
    fn fill(&mut self, chunk: &mut Chunk<'_>) -> io::Result<()> {
        while chunk.length < chunk.buffer.len() && !self.at_end {
            match self.stream.read(&mut chunk.buffer[chunk.length..]) {
                Ok(0) => self.at_end = true,
                Ok(length) => chunk.length += length,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns the incomplete record and the rest of the stream.
    fn give_up(&mut self, chunk: &mut Chunk<'a>) -> bool {
        chunk.buffer = std::mem::take(&mut self.incomplete);
        chunk.length = chunk.buffer.len();
        chunk.continuation = Continuation::Stream(std::mem::replace(&mut self.stream, Box::new(io::empty())));
        self.at_end = true;
        true
    }
}

/// Finds the ends of records in a text that arrives block by block.
///
/// A quote opens a quoted field only at the start of a field, and a line end inside a quoted field does not end the
/// record; elsewhere a quote is an ordinary character. Only the line end `\n` is searched: it always ends a record, or
/// an empty line.
#[derive(Clone, Debug)]
pub(crate) struct RecordEnds {
    delimiter: Delimiter,
    quote: Option<u8>,
    state: State,
    /// The last byte of the preceding block.
    previous: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unquoted,
    Quoted,
    /// After a quote inside a quoted field: its end, or the first of a doubled quote.
    QuoteSeen,
}

impl RecordEnds {
    /// Starts at the start of a record.
    pub fn new(delimiter: Delimiter, quote: Option<u8>) -> Self {
        Self { delimiter, quote, state: State::Unquoted, previous: b'\n' }
    }

    /// The end of the last record that ends in this block.
    fn find_last(&mut self, block: &[u8]) -> Option<usize> {
        let (mut offset, mut end) = (0, None);
        while offset < block.len() {
            let rest = &block[offset..];
            let quote = self.quote.and_then(|quote| memchr(quote, rest));
            match self.state {
                State::Unquoted => {
                    let unquoted = &rest[..quote.unwrap_or(rest.len())];
                    if let Some(line_end) = memrchr(b'\n', unquoted) {
                        end = Some(offset + line_end + 1);
                    }
                    offset += unquoted.len();
                    if quote.is_some() {
                        let before = if offset == 0 { self.previous } else { block[offset - 1] };
                        if self.begins_field(before) {
                            self.state = State::Quoted;
                        }
                        offset += 1;
                    }
                }
                State::Quoted => {
                    offset += quote.map_or(rest.len(), |quote| quote + 1);
                    if quote.is_some() {
                        self.state = State::QuoteSeen;
                    }
                }
                State::QuoteSeen if quote == Some(0) => {
                    offset += 1;
                    self.state = State::Quoted;
                }
                State::QuoteSeen => self.state = State::Unquoted,
            }
        }
        self.previous = block.last().copied().unwrap_or(self.previous);
        end
    }

    /// True if a field begins after this byte of an unquoted text.
    fn begins_field(&self, before: u8) -> bool {
        matches!(before, b'\n' | b'\r')
            || match self.delimiter {
                Delimiter::Byte(delimiter) => before == delimiter,
                Delimiter::Blank => matches!(before, b' ' | b'\t'),
            }
    }
}
