//! Writes results to standard output, or to a file that is complete or absent, never partial.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::CommandError;

/// Rejects a file that cannot be written, before any work is done.
pub fn check(path: Option<&Path>) -> Result<(), CommandError> {
    let Some(path) = path else { return Ok(()) };
    if path.is_dir() {
        return Err(CommandError::input(format!(
            "{}: is a directory; give the name of a file",
            path.display()
        )));
    }
    if !folder(path).is_dir() {
        let folder = folder(path).display().to_string();
        return Err(CommandError::input(format!(
            "{}: there is no directory {folder}; create it first",
            path.display()
        )));
    }
    if is_replaceable(path) {
        let unfinished = unfinished(path);
        File::create(&unfinished).and_then(|_| fs::remove_file(&unfinished)).map_err(|error| {
            CommandError::input(format!("{}: cannot be written ({error})", path.display()))
        })?;
    }
    Ok(())
}

/// Writes to the file, or to standard output if there is none.
pub fn write(
    path: Option<&Path>,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CommandError> {
    match path {
        None => {
            let mut out = io::BufWriter::new(io::stdout().lock());
            match content(&mut out).and_then(|()| out.flush()) {
                // The reader closed the pipe, which is no failure.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written.map_err(|error| {
                    CommandError::system(format!("cannot write to standard output ({error})"))
                }),
            }
        }
        Some(path) => write_file(path, content).map_err(|error| {
            CommandError::system(format!("{}: cannot be written ({error})", path.display()))
        }),
    }
}

/// Writes a temporary file and renames it, so that no partial file is ever visible.
fn write_file(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if !is_replaceable(path) {
        let mut out = io::BufWriter::new(File::options().write(true).open(path)?);
        return content(&mut out).and_then(|()| out.flush());
    }
    // A link is followed: its target is replaced, not the link.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let unfinished = unfinished(path);
    let written = File::create(&unfinished).and_then(|file| {
        let mut out = io::BufWriter::new(file);
        content(&mut out)?;
        out.into_inner()?.sync_all()?;
        fs::rename(&unfinished, path)
    });
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// The temporary file.
fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    folder(path).join(format!(".{name}.{}.unfinished", std::process::id()))
}

/// Whether the path is a regular file or absent: devices and pipes cannot be replaced.
fn is_replaceable(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
