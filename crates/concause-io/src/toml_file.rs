//! Small TOML files that people write: read whole, faults told with their line.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::source::Source;

/// What is wrong, and in which line if that is known.
pub(crate) type Fault = (Option<u64>, String);

/// The text of a file; `kind` says what it should be, e.g. `declaration`.
pub(crate) fn text(path: &Path, kind: &str) -> Result<String, Error> {
    let source = Source::Path(path.to_owned());
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Error::source(&source, format!("there is no such {kind} file; check the path"))
        }
        std::io::ErrorKind::IsADirectory => Error::source(&source, "is a directory; name a TOML file"),
        std::io::ErrorKind::InvalidData => {
            Error::source(&source, format!("is not UTF-8 text; a {kind} is a TOML file in UTF-8"))
        }
        _ => Error::system(&source, error),
    })
}

/// The fields of a text.
pub(crate) fn fields<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| {
            let before = text.as_bytes().iter().take(span.start);
            before.filter(|&&byte| byte == b'\n').count() as u64 + 1
        });
        (line, error.message().replace('\n', " "))
    })
}

/// A fault of a file.
pub(crate) fn at(path: &Path, (line, sentence): Fault) -> Error {
    let source = Source::Path(path.to_owned());
    match line {
        Some(line) => Error::line(&source, line, sentence),
        None => Error::source(&source, sentence),
    }
}
