//! Cuts a text into chunks of whole records, so that they can be read beside each other.
//!
//! Finds the ends of records by quotes and line ends alone, exactly where [`super::record`] finds them; it splits no
//! fields.

use std::io::{self, ErrorKind, Read};

use memchr::{memchr, memchr_iter, memrchr};

use super::record::Stream;
use crate::options::Delimiter;

/// Whole records of a text.
#[derive(Default)]
pub(crate) struct Chunk<'a> {
    buffer: Vec<u8>,
    length: usize,
    /// The line on which it starts.
    pub line: u64,
    /// What comes after its last record.
    pub after: After<'a>,
}

/// What comes after a chunk.
#[derive(Default)]
pub(crate) enum After<'a> {
    /// Other chunks, or the end.
    #[default]
    Chunks,
    /// The stream failed.
    Failure(io::Error),
    /// The stream itself: the chunk is the beginning of a record of excessive length.
    Stream(Stream<'a>),
}

impl Chunk<'_> {
    /// Its text.
    pub fn text(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// Its text as a list of its own, which leaves it empty.
    pub fn take_text(&mut self) -> Vec<u8> {
        self.buffer.truncate(std::mem::take(&mut self.length));
        std::mem::take(&mut self.buffer)
    }
}

/// How large chunks are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkSize {
    /// The bytes of a chunk.
    pub usual: usize,
    /// The bytes of a chunk that ends with no record and so must grow; beyond them one thread reads the rest.
    pub longest: usize,
}

/// A text as chunks.
pub(crate) struct Chunks<'a> {
    stream: Stream<'a>,
    /// The start of the next chunk: no record ends in it.
    begun: Vec<u8>,
    line: u64,
    ends: RecordEnds,
    size: ChunkSize,
    at_end: bool,
}

impl<'a> Chunks<'a> {
    /// Starts at the start of a record on a line.
    pub fn new(stream: Stream<'a>, line: u64, ends: RecordEnds, size: ChunkSize) -> Self {
        Self { stream, begun: Vec::new(), line, ends, size, at_end: false }
    }

    /// Reads the next chunk; false at the end.
    pub fn next(&mut self, chunk: &mut Chunk<'a>) -> bool {
        (chunk.line, chunk.after) = (self.line, After::Chunks);
        chunk.length = 0;
        if self.at_end {
            return false;
        }
        if self.begun.len() >= self.size.longest {
            return self.give_up(chunk);
        }
        let mut scanned = self.begun.len();
        let wanted = self.size.usual.max(self.begun.len() + 1);
        if chunk.buffer.len() < wanted {
            chunk.buffer.resize(wanted, 0);
        }
        chunk.length = self.begun.len();
        chunk.buffer[..chunk.length].copy_from_slice(&self.begun);
        self.begun.clear();
        loop {
            if let Err(error) = self.fill(chunk) {
                (self.at_end, chunk.after) = (true, After::Failure(error));
            }
            let end = self.ends.last(&chunk.buffer[scanned..chunk.length]).map(|end| scanned + end);
            scanned = chunk.length;
            let failed = matches!(chunk.after, After::Failure(_));
            match end {
                _ if self.at_end && !failed => return chunk.length > 0,
                None if failed => {
                    chunk.length = 0;
                    return true;
                }
                Some(end) => {
                    self.begun.extend_from_slice(&chunk.buffer[end..chunk.length]);
                    chunk.length = end;
                    self.line += memchr_iter(b'\n', chunk.text()).count() as u64;
                    return true;
                }
                None if chunk.length >= self.size.longest => {
                    self.begun.extend_from_slice(chunk.text());
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

    /// Hands out all there is, and the stream.
    fn give_up(&mut self, chunk: &mut Chunk<'a>) -> bool {
        chunk.buffer = std::mem::take(&mut self.begun);
        chunk.length = chunk.buffer.len();
        chunk.after = After::Stream(std::mem::replace(&mut self.stream, Box::new(io::empty())));
        self.at_end = true;
        true
    }
}

/// Finds the ends of records in a text that comes piece by piece.
///
/// A quote opens a quoted field only at the start of a field, and there a line end ends no record; elsewhere a
/// quote is a character like others. Of the line ends only `\n` is looked for: it always ends a record, or an
/// empty line.
#[derive(Clone, Debug)]
pub(crate) struct RecordEnds {
    delimiter: Delimiter,
    quote: Option<u8>,
    state: State,
    /// The last byte of the piece before.
    previous: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Plain,
    Quoted,
    /// After a quote inside a quoted field: its end, or the first of a doubled quote.
    QuoteSeen,
}

impl RecordEnds {
    /// Starts at the start of a record.
    pub fn new(delimiter: Delimiter, quote: Option<u8>) -> Self {
        Self { delimiter, quote, state: State::Plain, previous: b'\n' }
    }

    /// The end of the last record that ends in this piece.
    fn last(&mut self, piece: &[u8]) -> Option<usize> {
        let (mut place, mut end) = (0, None);
        while place < piece.len() {
            let rest = &piece[place..];
            let quote = self.quote.and_then(|quote| memchr(quote, rest));
            match self.state {
                State::Plain => {
                    let plain = &rest[..quote.unwrap_or(rest.len())];
                    if let Some(line_end) = memrchr(b'\n', plain) {
                        end = Some(place + line_end + 1);
                    }
                    place += plain.len();
                    if quote.is_some() {
                        let before = if place == 0 { self.previous } else { piece[place - 1] };
                        if self.begins_field(before) {
                            self.state = State::Quoted;
                        }
                        place += 1;
                    }
                }
                State::Quoted => {
                    place += quote.map_or(rest.len(), |quote| quote + 1);
                    if quote.is_some() {
                        self.state = State::QuoteSeen;
                    }
                }
                State::QuoteSeen if quote == Some(0) => {
                    place += 1;
                    self.state = State::Quoted;
                }
                State::QuoteSeen => self.state = State::Plain,
            }
        }
        self.previous = piece.last().copied().unwrap_or(self.previous);
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
