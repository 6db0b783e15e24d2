//! Where results go: standard output, or a file that appears whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use concause_run::Failure;

/// Refuses, before any work is done, a file that could not be written at its end.
pub fn check(path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    if path.is_dir() {
        return Err(Failure::Input(format!("{}: is a directory; name a file to write", path.display())));
    }
    if !folder(path).is_dir() {
        let folder = folder(path).display().to_string();
        return Err(Failure::Input(format!(
            "{}: there is no folder {folder}; make it first",
            path.display()
        )));
    }
    if stands_alone(path) {
        let unfinished = unfinished(path);
        File::create(&unfinished)
            .and_then(|_| fs::remove_file(&unfinished))
            .map_err(|error| Failure::Input(format!("{}: cannot be written ({error})", path.display())))?;
    }
    Ok(())
}

/// Writes to the file, or to standard output if there is none.
pub fn write(
    path: Option<&Path>,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    match path {
        None => {
            let mut out = io::BufWriter::new(io::stdout().lock());
            match content(&mut out).and_then(|()| out.flush()) {
                // Nobody reads the output any more: nothing to say.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written
                    .map_err(|error| Failure::Other(format!("cannot write to standard output ({error})"))),
            }
        }
        Some(path) => write_whole(path, content)
            .map_err(|error| Failure::Other(format!("{}: cannot be written ({error})", path.display()))),
    }
}

/// Writes beside the file and then takes its place, so that no half-written file is ever seen.
fn write_whole(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if !stands_alone(path) {
        let mut out = io::BufWriter::new(File::options().write(true).open(path)?);
        return content(&mut out).and_then(|()| out.flush());
    }
    // What a link points to is replaced, not the link.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let unfinished = unfinished(path);
    let written = File::create(&unfinished).and_then(|file| {
        let mut out = io::BufWriter::new(file);
        content(&mut out)?;
        out.into_inner()?.sync_all()?;
        fs::rename(&unfinished, path)
    });
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Where a file is written before it takes its place.
fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    folder(path).join(format!(".{name}.{}.unfinished", std::process::id()))
}

/// Whether the path names a file of its own, there or to be made: devices and pipes cannot be replaced.
fn stands_alone(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |there| there.is_file())
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
