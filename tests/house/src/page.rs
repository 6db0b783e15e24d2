//! Blocks of files that a test generates: compared, or rewritten where `UPDATE_PAGES` is set.

use std::fmt;
use std::path::{Path, PathBuf};

/// Whether generated files are rewritten instead of compared.
fn is_update() -> bool {
    std::env::var_os("UPDATE_PAGES").is_some()
}

/// Why a generated file or block is not as it should be.
#[derive(Debug)]
pub enum PageError {
    /// The committed text differs.
    OutOfDate {
        /// The file.
        path: PathBuf,
        /// The lines that differ.
        difference: String,
    },
    /// The lines between which the block belongs are missing.
    NoMarkers {
        /// The file.
        path: PathBuf,
        /// The first of the two lines.
        start: String,
    },
    /// The file cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::OutOfDate { path, difference } => write!(
                f,
                "{} is out of date (- committed, + now):\n{difference}if this is intended, run with UPDATE_PAGES=1",
                path.display()
            ),
            PageError::NoMarkers { path, start } => {
                write!(f, "{} has no line `{start}`, or no line that ends the block", path.display())
            }
            PageError::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for PageError {}

/// Compares a file with what it should contain, or writes it.
fn check_file(path: &Path, expected: &str) -> Result<(), PageError> {
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    if committed == expected {
        return Ok(());
    }
    if is_update() {
        let directory = path.parent().unwrap_or(Path::new("."));
        let written = std::fs::create_dir_all(directory).and_then(|()| std::fs::write(path, expected));
        return written.map_err(|error| PageError::Io { path: path.to_path_buf(), error });
    }
    let difference = list_difference(&committed, expected);
    Err(PageError::OutOfDate { path: path.to_path_buf(), difference })
}

/// Compares the text between two marker lines of a file with what it should be, or writes it.
pub fn check_block(path: &Path, start: &str, end: &str, expected: &str) -> Result<(), PageError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| PageError::Io { path: path.to_path_buf(), error })?;
    let replaced = replace_block(&text, start, end, expected)
        .ok_or_else(|| PageError::NoMarkers { path: path.to_path_buf(), start: start.to_string() })?;
    check_file(path, &replaced)
}

fn replace_block(text: &str, start: &str, end: &str, block: &str) -> Option<String> {
    let (before, rest) = text.split_once(start)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{start}\n\n{block}\n{end}{after}"))
}

/// The lines that only one of two texts has, in the order of the texts: those of the first with `-`, those of the
/// second with `+`.
fn list_difference(first: &str, second: &str) -> String {
    let only_in = |text: &str, other: &str, sign: char| {
        let mut others: Vec<&str> = other.lines().collect();
        let mut lines = String::new();
        for line in text.lines() {
            match others.iter().position(|other| *other == line) {
                Some(place) => drop(others.swap_remove(place)),
                None => lines += &format!("  {sign} {line}\n"),
            }
        }
        lines
    };
    only_in(first, second, '-') + &only_in(second, first, '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_replaced() {
        let text = "before\n<a>\nold\n<b>\nafter\n";
        assert_eq!(replace_block(text, "<a>", "<b>", "new\n").unwrap(), "before\n<a>\n\nnew\n\n<b>\nafter\n");
        assert_eq!(replace_block(text, "<c>", "<b>", "new\n"), None);
    }

    #[test]
    fn only_lines_that_differ_are_shown() {
        assert_eq!(list_difference("a\nb\nc\n", "a\nc\nd\n"), "  - b\n  + d\n");
        assert_eq!(list_difference("a\na\n", "a\n"), "  - a\n");
    }
}
