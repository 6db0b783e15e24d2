//! The pages show the output of the command, and the example data are the output of their programs.
//!
//! After an intended change, run with `UPDATE_PAGES=1`, which updates the outputs, and read the difference.

use std::path::{Path, PathBuf};
use std::process::Command;

use concause::random::Random;
use concause_report::Document;

// Their `main`s are for `cargo run --example`.
#[allow(dead_code)]
#[path = "../examples/credit.rs"]
mod credit;
#[allow(dead_code)]
#[path = "../examples/fire.rs"]
mod fire;
#[allow(dead_code)]
#[path = "../examples/gene.rs"]
mod gene;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether the pages are updated.
fn is_update() -> bool {
    std::env::var_os("UPDATE_PAGES").is_some()
}

/// A folder with the examples, like the root of the project, in which commands may write files.
fn folder_with_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = folder.path().join("examples");
    std::fs::create_dir(&examples).unwrap();
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), examples.join(entry.file_name())).unwrap();
    }
    folder
}

/// The output of a command line of a page: a `concause` command or `cat`.
fn printed(folder: &Path, command: &str) -> String {
    let words = words(command.strip_prefix("cargo run --release -- ").unwrap_or(command));
    if words[0] == "cat" {
        return std::fs::read_to_string(folder.join(&words[1]))
            .unwrap_or_else(|error| panic!("{command}: {error}"));
    }
    let arguments = if words[0] == "concause" { &words[1..] } else { &words[..] };
    let run =
        Command::new(env!("CARGO_BIN_EXE_concause")).args(arguments).current_dir(folder).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

/// The page with every command of its `console` blocks run, and its output below it.
fn with_outputs(folder: &Path, page: &str) -> (String, usize) {
    let (mut written, mut commands, mut inside) = (String::new(), 0, false);
    for line in page.lines() {
        let shown = inside && line != "```";
        let command = line.strip_prefix("$ ").filter(|_| shown);
        if command.is_some() || !shown {
            written += line;
            written.push('\n');
        }
        if let Some(command) = command {
            written += &printed(folder, command);
            commands += 1;
        }
        inside = if inside { line != "```" } else { line == "```console" };
    }
    (written, commands)
}

/// Every page with commands, and their minimum number.
fn pages() -> Vec<(PathBuf, usize)> {
    let guide = std::fs::read_dir(root().join("docs/guide")).unwrap().map(|entry| (entry.unwrap().path(), 0));
    let mut pages: Vec<(PathBuf, usize)> = guide.collect();
    pages.sort();
    assert!(pages.len() >= 8, "the guide has lost a page");
    pages.extend([(root().join("README.md"), 2), (root().join("examples/README.md"), 6)]);
    pages
}

/// Splits a command line of a page into words. Only single quotes are supported.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in command.chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(character),
        }
    }
    words
}

/// Compares a file with its expected content, or updates it.
fn check_or_update(path: &Path, there: &str, should: &str) {
    if is_update() {
        std::fs::write(path, should).unwrap();
    } else {
        assert!(
            there == should,
            "{} is not what the command prints; run with UPDATE_PAGES=1",
            path.display()
        );
    }
}

#[test]
fn the_pages_show_what_the_command_prints() {
    for (path, least) in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let folder = folder_with_examples();
        let (written, commands) = with_outputs(folder.path(), &page);
        assert!(commands >= least, "{} has lost its examples", path.display());
        check_or_update(&path, &page, &written);
    }
}

#[test]
fn the_example_reports_are_the_output_of_the_command() {
    let folder = folder_with_examples();
    let page = std::fs::read_to_string(root().join("examples/README.md")).unwrap();
    with_outputs(folder.path(), &page);
    for name in ["fire.html", "gene.html", "credit.html"] {
        let path = root().join("examples").join(name);
        let written = std::fs::read_to_string(folder.path().join(name)).unwrap();
        check_or_update(&path, &std::fs::read_to_string(&path).unwrap_or_default(), &written);
    }
}

#[test]
fn every_link_between_pages_has_a_target() {
    let mut pages: Vec<PathBuf> = pages().into_iter().map(|(path, _)| path).collect();
    pages.extend(["docs/cli.md", "docs/json.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    for path in pages {
        let page = std::fs::read_to_string(&path).unwrap();
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || link.contains("://") {
                continue;
            }
            let aim = path.parent().unwrap().join(file);
            assert!(aim.exists(), "{} links to {link}, which is not there", path.display());
        }
    }
}

/// How many of the listed candidates the page on JSON shows.
const SHOWN_CANDIDATES: usize = 2;

#[test]
fn the_page_on_json_shows_what_the_command_prints() {
    let path = root().join("docs/json.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("```json\n").unwrap();
    let (shown, after) = rest.split_once("```").unwrap();
    let printed = printed(&root(), "concause mine examples/fire.csv --target fire --format json --quiet");
    let mut printed = Document::from_json(&printed).unwrap();
    let shown = Document::from_json(shown);
    printed.timing = shown.as_ref().map_or(printed.timing, |shown| shown.timing);
    printed.candidates.as_mut().unwrap().listed.truncate(SHOWN_CANDIDATES);
    if is_update() {
        std::fs::write(&path, format!("{before}```json\n{}```{after}", printed.to_json(true))).unwrap();
    } else {
        assert_eq!(shown.unwrap(), printed);
    }
}

#[test]
fn the_page_on_json_names_every_field_of_the_other_formats() {
    fn collect(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(fields) => fields.iter().for_each(|(name, value)| {
                found.push(name.clone());
                // Parameters are the recipe's own and have no list here.
                if name != "parameters" {
                    collect(value, found);
                }
            }),
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let run = |arguments: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_concause"))
            .args(arguments)
            .current_dir(root())
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        run.stdout
    };
    let fire = ["examples/fire.csv", "--target", "fire", "--format", "json"];
    let (found, truth, scores, compared) =
        (path("found.json"), path("truth.json"), path("scores.json"), path("compared.json"));
    run(&["simulate", "syn-7", "-o", &folder.path().display().to_string()]);
    let data = path("data.csv");
    run(&["mine", &data, "--target", "T", "--format", "json", "-o", &found]);
    run(&["evaluate", &found, &truth, "--format", "json", "-o", &scores]);
    run(&[&["compare"], &fire[..], &["--methods", "mh-pc-f,mh-pc-b", "-o", &compared]].concat());
    let page = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    for (file, section) in [(truth, "## Truths"), (scores, "## Evaluations"), (compared, "## Comparisons")] {
        let section = page.split(section).nth(1).unwrap_or_else(|| panic!("{section}"));
        let section = section.split("\n## ").next().unwrap();
        let document: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let mut fields = Vec::new();
        for (name, value) in document.as_object().unwrap() {
            fields.push(name.clone());
            // These three are explained with `concause/1`.
            if !["data", "target", "settings", "parameters"].contains(&name.as_str()) {
                collect(value, &mut fields);
            }
        }
        for field in fields {
            let named = section.contains(&format!("`{field}`")) || section.contains(&format!("\"{field}\""));
            assert!(named, "{field} is not in the page: {section}");
        }
    }
}

#[test]
fn the_example_data_are_the_output_of_their_programs() {
    for (name, table) in [
        ("fire", fire::table(Random::new(fire::SEED))),
        ("gene", gene::table(Random::new(gene::SEED))),
        ("credit", credit::table(Random::new(credit::SEED))),
    ] {
        let path = root().join(format!("examples/{name}.csv"));
        let bundled = std::fs::read_to_string(&path).unwrap_or_default();
        check_or_update(&path, &bundled, &table);
    }
}

/// An example that is pasted into a shell runs as it is shown: no `>` creates a file and no `&` starts a job.
#[test]
fn examples_of_the_help_can_be_pasted_into_a_shell() {
    let page = include_str!("../../../docs/cli.md");
    let examples: Vec<&str> = page.lines().filter(|line| line.starts_with("  concause ")).collect();
    assert!(examples.len() > 20);
    for example in examples {
        let unquoted: String = example.split('\'').step_by(2).collect();
        let redirects = unquoted.matches(" > ").count();
        for character in ['>', '<', '&', ';', '!'] {
            let is_intended = match character {
                '>' => unquoted.matches('>').count() == redirects,
                _ => !unquoted.contains(character),
            };
            assert!(is_intended, "{example}");
        }
    }
}
