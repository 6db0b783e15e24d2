//! Where a table comes from: a file, standard input or bytes in memory, possibly compressed or in an archive.
//!
//! Opens a source and decompresses it. It knows nothing of the format of the content.

mod compression;
mod expand;
mod zip;

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use self::compression::{ByteStream, Compression};
pub(crate) use self::expand::expand_sources;
use self::expand::split_part;
use crate::error::{Error, ErrorKind, LimitError, SourceError};

/// A file, standard input, or bytes in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file, a folder of files of one schema, a pattern of names with `*` and `?`, or a part of a file: the table
    /// `file.db::table` of a database, the sheet `file.xlsx::sheet`, the entry `file.zip::name` of an archive.
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

    /// Reads the full text of a small source, such as a saved result; compressed text is decompressed.
    pub fn read_text(&self) -> Result<String, Error> {
        let mut opened = OpenedSource::open(self, None)?;
        let mut bytes = Vec::new();
        opened.bytes.read_to_end(&mut bytes).map_err(|error| read_error(self, opened.compression, error))?;
        String::from_utf8(bytes).map_err(|_| Error::new(SourceError::NotUtf8).in_source(self))
    }

    /// The extension in lower case, below that of a compression.
    pub fn extension(&self) -> Option<String> {
        extension_of(&self.file_name()?)
    }

    fn file_name(&self) -> Option<PathBuf> {
        match self {
            Self::Path(path) => Some(split_part(path).0),
            Self::Stdin => None,
            Self::Bytes { name, .. } => Some(PathBuf::from(name)),
        }
    }
}

fn extension_of(path: &Path) -> Option<String> {
    let extension = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
    match Compression::by_name(path) {
        Some(_) => extension(Path::new(path.file_stem()?)),
        None => extension(path),
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

/// An opened source.
pub(crate) struct OpenedSource {
    /// The decompressed bytes, from the first one.
    pub bytes: ByteStream,
    /// How they were compressed.
    pub compression: Option<Compression>,
    /// The first decompressed bytes, which identify the format.
    pub signature: Vec<u8>,
    /// The extension of the name of the content in lower case.
    pub extension: Option<String>,
    /// The file that holds exactly these bytes, if there is one.
    pub file: Option<PathBuf>,
    /// The part of the file to read: a table, a sheet.
    pub part: Option<String>,
    /// The names of the files in it, if it is an archive that is a document and was not opened.
    pub entries: Vec<String>,
}

/// The number of bytes at the start of a file that identify its format.
const SIGNATURE_BYTES: usize = 512;

/// Entries that make an archive a document of an office program, which is read as a whole.
const DOCUMENT_ENTRIES: [&str; 4] = ["xl/workbook.xml", "xl/workbook.bin", "mimetype", "word/document.xml"];

/// Bytes that can be read from any position.
pub(crate) trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

impl OpenedSource {
    /// Opens a source; one that must be held in memory may take so many bytes.
    pub fn open(source: &Source, max_memory: Option<u64>) -> Result<Self, Error> {
        let (raw, file, part): (ByteStream, _, _) = match source {
            Source::Stdin => (Box::new(io::stdin()), None, None),
            Source::Path(path) => {
                let (path, part) = split_part(path);
                (Box::new(open_file(source, &path)?), Some(path), part)
            }
            Source::Bytes { bytes, .. } => (Box::new(Cursor::new(bytes.clone())), None, None),
        };
        let name = source.file_name();
        let (signature, raw) = peek_signature(raw).map_err(|error| read_error(source, None, error))?;
        let compression = Compression::detect(&signature);
        let by_name = name.as_deref().and_then(Compression::by_name);
        if let (None, Some(by_name), false) = (compression, by_name, signature.is_empty()) {
            let kind = SourceError::NotCompressed { compression: by_name.name() };
            return Err(Error::new(kind).in_source(source));
        }
        let extension = name.as_deref().and_then(extension_of);
        let opened = Self { bytes: raw, compression, signature, extension, file, part, entries: Vec::new() };
        match compression {
            None => Ok(opened),
            Some(Compression::Zip) => opened.open_archive(source, max_memory),
            Some(compression) => {
                let decompressed = compression.decompress(opened.bytes).map_err(|feature| {
                    let format = match compression {
                        Compression::Xz => "an xz",
                        Compression::Zstandard => "a Zstandard",
                        _ => "a bzip2",
                    };
                    Error::new(SourceError::UnavailableFormat { format, feature }).in_source(source)
                })?;
                let (signature, bytes) = decompressed
                    .and_then(peek_signature)
                    .map_err(|error| read_error(source, Some(compression), error))?;
                Ok(Self { bytes, signature, file: None, ..opened })
            }
        }
    }

    /// Opens the only file in an archive, or the one that is meant; documents are left as they are.
    fn open_archive(mut self, source: &Source, max_memory: Option<u64>) -> Result<Self, Error> {
        let failed = |error| read_error(source, Some(Compression::Zip), error);
        let mut archive = self.open_seekable(source, max_memory)?;
        let entries = zip::read_entries(&mut archive).map_err(failed)?;
        let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        let is_document = |name: &String| DOCUMENT_ENTRIES.contains(&name.as_str()) || name.ends_with(".npy");
        archive.rewind().map_err(failed)?;
        if names.iter().any(is_document) {
            // It is decompressed as a whole.
            let size = entries.iter().fold(0u64, |sum, entry| sum.saturating_add(entry.size));
            if max_memory.is_some_and(|limit| size > limit) {
                return Err(Error::new(LimitError::Source).in_source(source));
            }
            (self.compression, self.entries) = (None, names);
            self.bytes = Box::new(archive);
            return Ok(self);
        }
        let is_hidden = |name: &str| {
            let is_hidden = |part: &str| part.starts_with('.') || part == "__MACOSX";
            name.split('/').any(is_hidden)
        };
        let is_meant = |name: &str| match &self.part {
            Some(part) => name == part || name.rsplit('/').next() == Some(part),
            None => !is_hidden(name),
        };
        let mut meant = entries.iter().filter(|entry| is_meant(&entry.name));
        let (Some(entry), None) = (meant.next(), meant.next()) else {
            let names = names.into_iter().filter(|name| !is_hidden(name)).collect();
            let kind = SourceError::Parts { parts: "files", names, wanted: self.part };
            return Err(Error::new(kind).in_source(source));
        };
        let bytes = zip::open_entry(archive, entry).map_err(failed)?;
        let (signature, bytes) = peek_signature(bytes).map_err(failed)?;
        let extension = extension_of(Path::new(&entry.name));
        Ok(Self { bytes, signature, extension, file: None, part: None, ..self })
    }

    /// The bytes as a file or in memory, so that they can be read from any position.
    pub fn open_seekable(
        &mut self,
        source: &Source,
        max_memory: Option<u64>,
    ) -> Result<Box<dyn ReadSeek>, Error> {
        match &self.file {
            Some(path) => Ok(Box::new(open_file(source, path)?)),
            None => Ok(Box::new(Cursor::new(self.read_to_memory(source, max_memory)?))),
        }
    }

    /// All bytes, at most so many as are allowed.
    pub fn read_to_memory(&mut self, source: &Source, max_memory: Option<u64>) -> Result<Vec<u8>, Error> {
        let limit = max_memory.unwrap_or(u64::MAX - 1);
        let mut bytes = Vec::new();
        let read = self.bytes.by_ref().take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|error| read_error(source, self.compression, error))?;
        if bytes.len() as u64 > limit {
            return Err(Error::new(LimitError::Source).in_source(source));
        }
        Ok(bytes)
    }
}

fn open_file(source: &Source, path: &Path) -> Result<File, Error> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if path.to_str().is_some_and(|text| text.contains("://")) => {
            ErrorKind::from(SourceError::Address)
        }
        io::ErrorKind::NotFound => SourceError::NotFound.into(),
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
fn peek_signature(mut bytes: ByteStream) -> io::Result<(Vec<u8>, ByteStream)> {
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
        assert_eq!(extension("b.db::people").as_deref(), Some("db"));
        assert_eq!(extension("b.gz"), None);
        assert_eq!(extension("-"), None);
        assert_eq!(Source::parse("-"), Source::Stdin);
    }
}
