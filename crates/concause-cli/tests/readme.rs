//! What the README shows is what the command prints, and the example data is what its program makes.

use std::path::{Path, PathBuf};
use std::process::Command;

#[allow(dead_code)] // its `main` is for `cargo run --example fire`
#[path = "../examples/fire.rs"]
mod fire;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The commands of the `console` blocks of a page, each with the output shown below it.
fn shown(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) => inside = line == "```console",
            (true, _) if line == "```" => inside = false,
            (true, Some(command)) => found.push((command.to_owned(), String::new())),
            (true, None) => {
                if let Some((_, output)) = found.last_mut() {
                    *output += line;
                    output.push('\n');
                }
            }
        }
    }
    found
}

/// Splits a command line of the README into words; single quotes are all it uses.
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

#[test]
fn the_readme_shows_what_the_command_prints() {
    let page = std::fs::read_to_string(root().join("README.md")).unwrap();
    let shown = shown(&page);
    assert!(shown.len() >= 2, "the README has lost its examples");
    for (command, output) in shown {
        let words = words(command.strip_prefix("cargo run --release -- ").unwrap_or(&command));
        let arguments = if words[0] == "concause" { &words[1..] } else { &words[..] };
        let run = Command::new(env!("CARGO_BIN_EXE_concause"))
            .args(arguments)
            .current_dir(root())
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(String::from_utf8(run.stdout).unwrap(), output, "{command}");
    }
}

#[test]
fn the_page_on_json_shows_what_the_command_prints() {
    let page = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let shown = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_concause"))
        .args(["mine", "examples/fire.csv", "--target", "fire", "--format", "json", "--quiet"])
        .current_dir(root())
        .output()
        .unwrap();
    let parse = |text: &[u8]| -> serde_json::Value { serde_json::from_slice(text).unwrap() };
    let (mut shown, mut printed) = (parse(shown.as_bytes()), parse(&run.stdout));
    for document in [&mut shown, &mut printed] {
        document["timing"] = serde_json::Value::Null;
    }
    assert_eq!(shown, printed);
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
fn the_example_data_is_what_its_program_makes() {
    let bundled = std::fs::read_to_string(root().join("examples/fire.csv")).unwrap();
    assert_eq!(bundled, fire::table(concause::simulate::Random::new(fire::SEED)));
}
