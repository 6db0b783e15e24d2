//! Lines of prose have at most 120 characters: in Markdown and in comments of Rust.
//!
//! Tables, links that stand alone, code blocks and generated pages are exempt.

use std::path::{Path, PathBuf};

use house_rules::workspace_root;

const MAX_WIDTH: usize = 120;

/// The folders with sources and pages, and those in them that are not written by hand.
const FOLDERS: [&str; 6] = ["benches", "crates", "docs", "examples", "experiments", "tests"];
const EXEMPT: [&str; 6] =
    ["docs/benchmarks.md", "docs/experiments", "docs/python-api.md", "node_modules", "snapshots", "target"];

/// All files with this extension.
fn list_files(extension: &str) -> Vec<PathBuf> {
    let root = workspace_root();
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|folder| root.join(folder)).collect();
    let mut files: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].iter().map(|page| root.join(page)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let is_exempt = EXEMPT.iter().any(|exempt| path.ends_with(exempt));
            match path.is_dir() {
                true if !is_exempt => folders.push(path),
                false if !is_exempt => files.push(path),
                _ => {}
            }
        }
    }
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files
}

/// The places of too long lines among those that `is_prose` selects.
fn list_long_lines(path: &Path, mut is_prose: impl FnMut(&str) -> bool) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().enumerate();
    let long = lines.filter(|(_, line)| is_prose(line) && line.chars().count() > MAX_WIDTH);
    long.map(|(number, line)| format!("{}:{}: {line}", path.display(), number + 1)).collect()
}

#[test]
fn markdown_is_wrapped() {
    let mut found = Vec::new();
    for page in list_files("md") {
        let mut is_code = false;
        found.extend(list_long_lines(&page, |line| {
            let fence = line.trim_start().starts_with("```");
            is_code ^= fence;
            !is_code && !fence && !line.trim_start().starts_with('|') && line.trim().contains(' ')
        }));
    }
    assert!(found.is_empty(), "{} lines are too long:\n{}\n", found.len(), found.join("\n"));
}

#[test]
fn comments_are_wrapped() {
    let files = list_files("rs");
    let long =
        files.iter().flat_map(|file| list_long_lines(file, |line| line.trim_start().starts_with("//")));
    let found: Vec<String> = long.collect();
    assert!(found.is_empty(), "{} lines are too long:\n{}\n", found.len(), found.join("\n"));
}

/// Sentences of the core and of reports reach Python too, which has keywords and no flags. Only the part of the HTML
/// report that shows how to repeat a command names any.
#[test]
fn no_sentence_of_the_core_or_of_a_report_names_a_flag() {
    let is_flag = |line: &str, place: usize| {
        let before = line[..place].chars().next_back();
        let after = line[place + 2..].chars().next();
        before.is_none_or(|it| !"-(".contains(it)) && after.is_some_and(|it| it.is_ascii_lowercase())
    };
    let mut found = Vec::new();
    for file in list_files("rs") {
        let path = file.display().to_string();
        let is_checked =
            ["crates/concause/src/", "crates/concause-report/src/"].iter().any(|it| path.contains(it));
        if !is_checked || path.ends_with("formats/html/data.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in
            text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            if line.match_indices("--").any(|(place, _)| is_flag(line, place)) {
                found.push(format!("{path}:{}: {line}", number + 1));
            }
        }
    }
    assert!(found.is_empty(), "sentences with flags:\n{}\n", found.join("\n"));
}
