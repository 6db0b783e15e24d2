//! Where a table comes from: a file, standard input or bytes in memory, possibly compressed.
//!
//! Opens a source and decompresses gzip and Zstandard. It knows nothing of the format of the content.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, ErrorKind, SourceError};

/// A file, standard input, or bytes in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// The content of a file in memory.
    Bytes {
        /// The name of the content in errors; its extension counts like that of a file.
        name: String,
        /// The content.
        bytes: Arc<[u8]>,
    },
}

impl Source {
    /// Parses an argument of a command line: `-` is standard input, anything else a path.
    pub fn parse(argument: impl AsRef<OsStr>) -> Self {
        let argument = argument.as_ref();
        if argument == "-" { Self::Stdin } else { Self::Path(PathBuf::from(argument)) }
    }

    /// Reads the full text of a small source, such as a saved result; gzip and Zstandard are decompressed.
    pub fn read_text(&self) -> Result<String, Error> {
        let mut opened = OpenedSource::open(self)?;
        let mut bytes = Vec::new();
        opened.bytes.read_to_end(&mut bytes).map_err(|error| read_error(self, opened.compression, error))?;
        String::from_utf8(bytes).map_err(|_| Error::new(SourceError::NotUtf8).in_source(self))
    }

    /// The extension in lower case, below a trailing `.gz` or `.zst`.
    pub fn extension(&self) -> Option<String> {
        let path = self.file_name()?;
        let extension = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
        match extension(path)?.as_str() {
            "gz" | "zst" => extension(Path::new(path.file_stem()?)),
            other => Some(other.to_owned()),
        }
    }

    fn file_name(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Stdin => None,
            Self::Bytes { name, .. } => Some(Path::new(name)),
        }
    }

    /// The compression according to the name.
    fn compression_by_name(&self) -> Option<Compression> {
        match self.file_name()?.extension()?.to_str()?.to_ascii_lowercase().as_str() {
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
            Self::Bytes { name, .. } => out.write_str(name),
        }
    }
}

/// How the bytes of a source are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstandard,
}

impl Compression {
    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
        }
    }

    /// Detects the compression by the first bytes.
    fn detect(signature: &[u8]) -> Option<Self> {
        match signature {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstandard),
            _ => None,
        }
    }
}

/// An opened source.
pub(crate) struct OpenedSource {
    /// The decompressed bytes, from the first one.
    pub bytes: Box<dyn Read + Send>,
    /// How they were compressed.
    pub compression: Option<Compression>,
    /// The first decompressed bytes, which identify the format.
    pub signature: Vec<u8>,
}

/// The number of bytes at the start of a file that identify its format.
const SIGNATURE_BYTES: usize = 8;

impl OpenedSource {
    /// Opens a source.
    pub fn open(source: &Source) -> Result<Self, Error> {
        let raw: Box<dyn Read + Send> = match source {
            Source::Stdin => Box::new(io::stdin()),
            Source::Path(path) => Box::new(open_file(source, path)?),
            Source::Bytes { bytes, .. } => Box::new(Cursor::new(bytes.clone())),
        };
        let (signature, raw) = peek_signature(raw).map_err(|error| read_error(source, None, error))?;
        let compression = Compression::detect(&signature);
        if let (None, Some(by_name), false) =
            (compression, source.compression_by_name(), signature.is_empty())
        {
            let kind = SourceError::NotCompressed { compression: by_name.name() };
            return Err(Error::new(kind).in_source(source));
        }
        let decompressed: Box<dyn Read + Send> = match compression {
            None => raw,
            Some(Compression::Gzip) => Box::new(flate2::read::MultiGzDecoder::new(raw)),
            #[cfg(feature = "zstd")]
            Some(Compression::Zstandard) => Box::new(
                zstd::stream::read::Decoder::new(raw)
                    .map_err(|error| read_error(source, compression, error))?,
            ),
            #[cfg(not(feature = "zstd"))]
            Some(Compression::Zstandard) => {
                let kind = SourceError::UnavailableFormat { format: "a Zstandard", feature: "zstd" };
                return Err(Error::new(kind).in_source(source));
            }
        };
        let (signature, bytes) =
            peek_signature(decompressed).map_err(|error| read_error(source, compression, error))?;
        Ok(Self { bytes, compression, signature })
    }
}

fn open_file(source: &Source, path: &Path) -> Result<File, Error> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::from(SourceError::NotFound),
        io::ErrorKind::IsADirectory => SourceError::IsDirectory.into(),
        _ => ErrorKind::Io(error),
    });
    file.and_then(|file| match file.metadata() {
        Ok(metadata) if metadata.is_dir() => Err(SourceError::IsDirectory.into()),
        Ok(_) => Ok(file),
        Err(error) => Err(ErrorKind::Io(error)),
    })
    .map_err(|kind| Error::new(kind).in_source(source))
}

/// The first bytes of a stream, and the stream with these bytes put back.
fn peek_signature(mut bytes: Box<dyn Read + Send>) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut head = Vec::with_capacity(SIGNATURE_BYTES);
    bytes.by_ref().take(SIGNATURE_BYTES as u64).read_to_end(&mut head)?;
    let complete = Cursor::new(head.clone()).chain(bytes);
    Ok((head, Box::new(complete)))
}

/// Distinguishes corrupt compressed data from a failure of the system: only the latter has a system error number.
pub(crate) fn read_error(source: &Source, compression: Option<Compression>, error: io::Error) -> Error {
    let kind = match compression {
        Some(compression) if error.raw_os_error().is_none() => {
            ErrorKind::from(SourceError::CorruptCompression {
                compression: compression.name(),
                detail: error.to_string(),
            })
        }
        _ => ErrorKind::Io(error),
    };
    Error::new(kind).in_source(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_is_that_below_the_compression() {
        let extension = |name: &str| Source::parse(name).extension();
        assert_eq!(extension("a/b.CSV.gz").as_deref(), Some("csv"));
        assert_eq!(extension("b.tsv").as_deref(), Some("tsv"));
        assert_eq!(extension("b.gz"), None);
        assert_eq!(extension("-"), None);
        assert_eq!(Source::parse("-"), Source::Stdin);
    }
}
