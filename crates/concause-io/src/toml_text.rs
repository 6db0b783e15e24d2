//! Small TOML files written by people: read in full, errors reported with their line.

use serde::de::DeserializeOwned;

use crate::error::{Error, ErrorKind, SourceError, TomlFileError};
use crate::source::Source;

/// The parsed content of a source; errors carry the source and, if it is known, the line.
pub(crate) fn read_source<T>(
    source: &Source,
    content: &'static str,
    parse: impl FnOnce(&str) -> Result<T, Error>,
) -> Result<T, Error> {
    let text = source.read_text().map_err(|error| match error.kind() {
        ErrorKind::Source(SourceError::NotFound) => {
            Error::new(TomlFileError::NotFound { content }).in_source(source)
        }
        ErrorKind::Source(SourceError::IsDirectory) => {
            Error::new(TomlFileError::IsDirectory).in_source(source)
        }
        ErrorKind::Source(SourceError::NotUtf8) => {
            Error::new(TomlFileError::NotUtf8 { content }).in_source(source)
        }
        _ => error,
    })?;
    parse(&text).map_err(|error| error.in_source(source))
}

/// The fields of a text; an error carries its line, if it is known.
pub(crate) fn parse_fields<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let line = error.span().map(|span| {
            let before = text.as_bytes().iter().take(span.start);
            before.filter(|&&byte| byte == b'\n').count() as u64 + 1
        });
        let found = Error::new(TomlFileError::Syntax { message: error.message().replace('\n', " ") });
        match line {
            Some(line) => found.on_line(line),
            None => found,
        }
    })
}
