//! Binary files, read piece by piece: numbers in either order of bytes, texts, and what can go wrong.

use std::fmt::Display;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::columns::write_number;
use crate::error::{Error, SourceError};
use crate::source::{ReadSeek, Source};

/// Why a binary file cannot be read.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The file is damaged; what was found.
    Corrupt(String),
    /// The file uses something that is not read; a sentence that follows its name.
    Unsupported(String),
    /// Any other error, complete.
    Other(Error),
}

impl Failure {
    /// The error about a source in a format, given with its article.
    pub fn in_source(self, source: &Source, format: &'static str) -> Error {
        match self {
            Self::Corrupt(detail) => Error::new(SourceError::Corrupt { format, detail }).in_source(source),
            Self::Unsupported(detail) => Error::new(SourceError::Unsupported { detail }).in_source(source),
            Self::Other(error) => error,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Corrupt("it ends too early".into()),
            _ => Self::Corrupt(error.to_string()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// A failure with what was found.
pub(crate) fn corrupt(detail: impl Display) -> Failure {
    Failure::Corrupt(detail.to_string())
}

/// Reads numbers and texts from a file.
pub(crate) struct BinaryReader {
    input: BufReader<Box<dyn ReadSeek>>,
    /// Whether the highest byte of a number comes first.
    pub big_endian: bool,
}

macro_rules! read_number {
    ($($name:ident: $kind:ty),*) => {
        $(
            /// A number in the order of bytes of the file.
            pub fn $name(&mut self) -> io::Result<$kind> {
                let bytes = self.array()?;
                Ok(if self.big_endian { <$kind>::from_be_bytes(bytes) } else { <$kind>::from_le_bytes(bytes) })
            }
        )*
    };
}

impl BinaryReader {
    /// Starts at the first byte.
    pub fn new(input: Box<dyn ReadSeek>) -> Self {
        Self { input: BufReader::with_capacity(1 << 18, input), big_endian: false }
    }

    read_number!(u8: u8, u16: u16, u32: u32, u64: u64, i32: i32, f64: f64);

    /// So many bytes.
    pub fn array<const LENGTH: usize>(&mut self) -> io::Result<[u8; LENGTH]> {
        let mut bytes = [0; LENGTH];
        self.input.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Bytes of a length that the file gives, which may be wrong.
    pub fn bytes(&mut self, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.input.by_ref().take(length).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
    }

    /// Fills a buffer; false at the end of the file.
    pub fn fill(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        let mut length = 0;
        while length < buffer.len() {
            match self.input.read(&mut buffer[length..]) {
                Ok(0) if length == 0 => return Ok(false),
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Skips bytes.
    pub fn skip(&mut self, length: u64) -> io::Result<()> {
        let length = i64::try_from(length).map_err(|_| io::Error::from(io::ErrorKind::UnexpectedEof))?;
        self.input.seek_relative(length)
    }

    /// Moves to a position from the start.
    pub fn seek(&mut self, position: u64) -> io::Result<()> {
        self.input.seek(SeekFrom::Start(position)).map(drop)
    }

    /// The length of the file; the position is then its end.
    pub fn length(&mut self) -> io::Result<u64> {
        self.input.seek(SeekFrom::End(0))
    }

    /// The position from the start.
    pub fn position(&mut self) -> io::Result<u64> {
        self.input.stream_position()
    }

    /// The bytes from here to the end as a stream.
    pub fn into_rest(self) -> impl Read + Send {
        self.input
    }
}

/// The bytes before the first zero.
pub(crate) fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// How the characters of a binary file are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Characters {
    Utf8,
    /// Windows-1252, which extends ISO 8859-1.
    Windows1252,
}

impl Characters {
    /// A text, without blanks at its end.
    pub fn decode(self, bytes: &[u8]) -> String {
        let text = match self {
            Self::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            // Some programs write UTF-8 where another encoding is declared; other text is almost never valid UTF-8.
            Self::Windows1252 => match std::str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                Err(_) => bytes.iter().map(|&byte| decode_windows_1252(byte)).collect(),
            },
        };
        text.trim_end_matches([' ', '\0']).to_owned()
    }
}

fn decode_windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte) - 0x80],
        _ => char::from(byte),
    }
}

/// A number as a CSV file would hold it.
pub(crate) fn number_text(number: f64) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_number(&mut text, number);
    text
}
