//! Where a table comes from: a file or standard input, possibly compressed.
//!
//! Opens it, sees through gzip and Zstandard, and tells text from Parquet and Arrow. It knows nothing of what
//! is written inside.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::options::Format;

/// A file to read, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    Path(PathBuf),
    /// Standard input.
    Stdin,
}

impl Source {
    /// Reads an argument of a command line: `-` is standard input, all else a path.
    pub fn parse(argument: impl AsRef<OsStr>) -> Self {
        let argument = argument.as_ref();
        if argument == "-" { Self::Stdin } else { Self::Path(PathBuf::from(argument)) }
    }

    /// The whole of a small text, such as a saved result; gzip and Zstandard are seen through.
    pub fn read_text(&self) -> Result<String, Error> {
        let mut opened = Opened::new(self, Some(Format::Text))?;
        let mut bytes = Vec::new();
        opened.bytes.read_to_end(&mut bytes).map_err(|error| failure(self, opened.compression, error))?;
        String::from_utf8(bytes).map_err(|_| Error::source(self, "is not text in UTF-8"))
    }

    /// The extension in small letters, below a trailing `.gz` or `.zst`.
    pub fn extension(&self) -> Option<String> {
        let Self::Path(path) = self else { return None };
        let extension = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
        match extension(path)?.as_str() {
            "gz" | "zst" => extension(Path::new(path.file_stem()?)),
            plain => Some(plain.to_owned()),
        }
    }

    /// The compression that the name promises.
    fn promised(&self) -> Option<Compression> {
        let Self::Path(path) = self else { return None };
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" => Some(Compression::Gzip),
            "zst" => Some(Compression::Zstandard),
            _ => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(out),
            Self::Stdin => out.write_str("standard input"),
        }
    }
}

/// How the bytes of a source are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstandard,
}

impl fmt::Display for Compression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
        })
    }
}

/// An opened source: its unpacked bytes and what is known of them.
pub(crate) struct Opened {
    /// The unpacked bytes, from the first on.
    pub bytes: Box<dyn Read + Send>,
    /// How they were packed.
    pub compression: Option<Compression>,
    /// What they hold.
    pub format: Format,
}

/// The bytes at the start of a file that tell what it is.
const MAGIC_BYTES: usize = 8;

impl Opened {
    /// Opens a source; `format` is what the user says it holds.
    pub fn new(source: &Source, format: Option<Format>) -> Result<Self, Error> {
        let packed: Box<dyn Read + Send> = match source {
            Source::Stdin => Box::new(io::stdin()),
            Source::Path(path) => Box::new(open_file(source, path)?),
        };
        let (magic, packed) = peek(packed).map_err(|error| failure(source, None, error))?;
        let compression = match magic.as_slice() {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Some(Compression::Zstandard)
            }
            _ => None,
        };
        if let (None, Some(promised), false) = (compression, source.promised(), magic.is_empty()) {
            let sentence =
                format!("is not {promised} data although its name says so; rename or pack it again");
            return Err(Error::source(source, sentence));
        }
        let unpacked: Box<dyn Read + Send> = match compression {
            None => packed,
            Some(Compression::Gzip) => Box::new(flate2::read::MultiGzDecoder::new(packed)),
            Some(Compression::Zstandard) => Box::new(
                zstd::stream::read::Decoder::new(packed)
                    .map_err(|error| failure(source, compression, error))?,
            ),
        };
        let (magic, bytes) = peek(unpacked).map_err(|error| failure(source, compression, error))?;
        let format = format.unwrap_or_else(|| guess_format(source, &magic));
        Ok(Self { bytes, compression, format })
    }
}

fn open_file(source: &Source, path: &Path) -> Result<File, Error> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Error::source(source, "there is no such file; check the path and the working directory")
        }
        io::ErrorKind::IsADirectory => directory(source),
        _ => Error::system(source, error),
    })?;
    match file.metadata() {
        Ok(metadata) if metadata.is_dir() => Err(directory(source)),
        Ok(_) => Ok(file),
        Err(error) => Err(Error::system(source, error)),
    }
}

fn directory(source: &Source) -> Error {
    Error::source(source, "is a directory; name the files in it")
}

/// The first bytes of a stream, and the stream with them put back.
fn peek(mut bytes: Box<dyn Read + Send>) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut head = Vec::with_capacity(MAGIC_BYTES);
    bytes.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
    let whole = Cursor::new(head.clone()).chain(bytes);
    Ok((head, Box::new(whole)))
}

fn guess_format(source: &Source, magic: &[u8]) -> Format {
    match source.extension().as_deref() {
        Some("parquet" | "pq") => Format::Parquet,
        Some("arrow" | "feather" | "ipc") => Format::Arrow,
        _ if magic.starts_with(b"PAR1") => Format::Parquet,
        _ if magic.starts_with(b"ARROW1") => Format::Arrow,
        _ => Format::Text,
    }
}

/// Tells a fault of the packed data from a failure of the system: only the latter has a system error number.
pub(crate) fn failure(source: &Source, compression: Option<Compression>, error: io::Error) -> Error {
    match compression {
        Some(compression) if error.raw_os_error().is_none() => {
            let sentence = format!(
                "the {compression} data is corrupt or cut short ({error}); fetch the file or pack it again"
            );
            Error::source(source, sentence)
        }
        _ => Error::system(source, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_seen_below_the_compression() {
        let extension = |name: &str| Source::parse(name).extension();
        assert_eq!(extension("a/b.CSV.gz").as_deref(), Some("csv"));
        assert_eq!(extension("b.tsv").as_deref(), Some("tsv"));
        assert_eq!(extension("b.gz"), None);
        assert_eq!(extension("-"), None);
        assert_eq!(Source::parse("-"), Source::Stdin);
    }
}
