//! Folders, patterns and parts: what one argument of a command stands for.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::Source;
use crate::error::{Error, ErrorKind, SourceError};

/// Splits `file.db::table` into the file and the part. A path that exists is a file, whatever its name.
pub(crate) fn split_part(path: &Path) -> (PathBuf, Option<String>) {
    let whole = || (path.to_owned(), None);
    let Some(text) = path.to_str().filter(|_| !path.exists()) else { return whole() };
    match text.rsplit_once("::") {
        Some((file, part)) if !file.is_empty() && !part.is_empty() => {
            (PathBuf::from(file), Some(part.to_owned()))
        }
        _ => whole(),
    }
}

/// The sources with folders and patterns replaced by their files, in the order of their names.
pub(crate) fn expand_sources(sources: &[Source]) -> Result<Vec<Source>, Error> {
    let mut expanded = Vec::new();
    for source in sources {
        match source {
            Source::Path(path) if path.is_dir() => {
                let files = list_folder(path).map_err(|kind| Error::new(kind).in_source(source))?;
                expanded.extend(files.into_iter().map(Source::Path));
            }
            Source::Path(path) if is_pattern(path) && !path.exists() => {
                let mut files = Vec::new();
                match_pattern(path, &mut files);
                if files.is_empty() {
                    return Err(Error::new(SourceError::NoMatch).in_source(source));
                }
                expanded.extend(files.into_iter().map(Source::Path));
            }
            // PLINK's --bfile names its three files without an extension.
            Source::Path(path) if !path.exists() && with_bed(path).exists() => {
                expanded.push(Source::Path(with_bed(path)));
            }
            _ => expanded.push(source.clone()),
        }
    }
    Ok(expanded)
}

/// The path with the extension of PLINK's genotypes.
fn with_bed(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bed");
    PathBuf::from(name)
}

/// The files of a folder, without those that are hidden or mark the end of a job.
fn list_folder(folder: &Path) -> Result<Vec<PathBuf>, ErrorKind> {
    let mut files: Vec<PathBuf> = read_names(folder)
        .map_err(ErrorKind::Io)?
        .into_iter()
        .filter(|name| !name.to_string_lossy().starts_with(['.', '_']))
        .map(|name| folder.join(name))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let kind = |path: &PathBuf| Source::Path(path.clone()).extension().unwrap_or_default();
    let mut kinds: Vec<String> = files.iter().map(kind).collect();
    kinds.sort();
    kinds.dedup();
    match kinds.len() {
        0 => Err(SourceError::EmptyFolder.into()),
        1 => Ok(files),
        _ => Err(SourceError::MixedFolder { extensions: kinds }.into()),
    }
}

fn read_names(folder: &Path) -> io::Result<Vec<OsString>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
}

fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(['*', '?']) && !text.contains("://"))
}

/// Appends the files that match a pattern with `*` and `?` in any part of the path.
fn match_pattern(pattern: &Path, files: &mut Vec<PathBuf>) {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let text = component.as_os_str().to_string_lossy();
        if !matches!(component, Component::Normal(_)) || !text.contains(['*', '?']) {
            found.iter_mut().for_each(|path| path.push(component));
            continue;
        }
        let mut next = Vec::new();
        for folder in found {
            let names = read_names(&folder).unwrap_or_default();
            let matches = |name: &OsString| {
                let name = name.to_string_lossy();
                name.starts_with('.') == text.starts_with('.') && matches_wildcards(&text, &name)
            };
            next.extend(names.into_iter().filter(matches).map(|name| folder.join(name)));
        }
        found = next;
    }
    found.retain(|path| path.is_file());
    found.sort();
    files.append(&mut found);
}

/// Whether a name matches a pattern: `*` stands for any characters, `?` for one.
fn matches_wildcards(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // Where to go on after a mismatch: behind the last star, one character of the name later.
    let (mut at, mut read, mut retry) = (0, 0, None);
    while read < name.len() {
        match pattern.get(at) {
            Some('*') => {
                retry = Some((at + 1, read + 1));
                at += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == name[read] => (at, read) = (at + 1, read + 1),
            _ => match retry {
                Some((star, next)) => {
                    (at, read) = (star, next);
                    retry = Some((star, next + 1));
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&character| character == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_match_like_those_of_a_shell() {
        for (pattern, name, expected) in [
            ("*.csv", "a.csv", true),
            ("*.csv", "a.csv.gz", false),
            ("part-?.csv", "part-1.csv", true),
            ("part-?.csv", "part-12.csv", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXcYb", false),
            ("*", "", true),
            ("é?", "éü", true),
        ] {
            assert_eq!(matches_wildcards(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn parts_are_split_at_the_last_mark() {
        let split = |text: &str| split_part(Path::new(text));
        assert_eq!(split("a.db::people"), (PathBuf::from("a.db"), Some("people".to_owned())));
        assert_eq!(split("a::b.xlsx::Sheet 1"), (PathBuf::from("a::b.xlsx"), Some("Sheet 1".to_owned())));
        assert_eq!(split("a.csv"), (PathBuf::from("a.csv"), None));
        assert_eq!(split("::a"), (PathBuf::from("::a"), None));
    }
}
