//! Small TOML files written by people: read in full, errors reported with their line.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::{Error, ErrorKind, TomlFileError};
use crate::source::Source;

/// The text of a file and its parsed content; errors carry the file and, if it is known, the line.
pub(crate) fn read_file<T>(
    path: &Path,
    content: &'static str,
    parse: impl FnOnce(&str) -> Result<T, Error>,
) -> Result<T, Error> {
    let source = Source::Path(path.to_owned());
    let text = std::fs::read_to_string(path).map_err(|error| {
        let kind: ErrorKind = match error.kind() {
            std::io::ErrorKind::NotFound => TomlFileError::NotFound { content }.into(),
            std::io::ErrorKind::IsADirectory => TomlFileError::IsDirectory.into(),
            std::io::ErrorKind::InvalidData => TomlFileError::NotUtf8 { content }.into(),
            _ => ErrorKind::Io(error),
        };
        Error::new(kind).in_source(&source)
    })?;
    parse(&text).map_err(|error| error.in_source(&source))
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
