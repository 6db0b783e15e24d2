//! Warnings are written to standard error, to the JSON and to Markdown.

use serde_json::Value;

use crate::support::{Scratch, fire};

/// The fire data with a column that was recorded after the outcome, and a second rain gauge.
fn flawed() -> String {
    let text = fire();
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let place = |name: &str| header.split(',').position(|field| field == name).unwrap();
    let (fire, brush) = (place("fire"), place("dry_brush"));
    let mut flawed = format!("{header},\"burnt, in ha\",gauge\n");
    for (row, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let but = |cell: &str, exception: bool| u8::from((cell == "1") != exception);
        flawed +=
            &format!("{line},{},{}\n", but(cells[fire], row % 40 == 0), but(cells[brush], row % 200 == 0));
    }
    flawed
}

fn kinds(document: &Value) -> Vec<&str> {
    let warnings = document["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning["kind"].as_str().unwrap()).collect()
}

#[test]
fn warnings_are_in_every_output() {
    let scratch = Scratch::with("fire.csv", flawed());
    let asked = ["mine", "fire.csv", "--target", "fire", "--format"];
    let run = scratch.run(&[&asked[..], &["json"]].concat());
    let said: Vec<String> = run
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("concause: warning: "))
        .map(str::to_owned)
        .collect();
    let document = run.json();
    assert_eq!(kinds(&document), ["near-perfect-predictor", "near-duplicates"]);
    let warnings = document["warnings"].as_array().unwrap().iter();
    let sentences: Vec<&str> = warnings.map(|warning| warning["sentence"].as_str().unwrap()).collect();
    assert_eq!(said, sentences);
    assert_eq!(document["warnings"][0]["predictors"][0]["name"], "burnt, in ha");
    assert!(said[0].starts_with("fire is predicted almost perfectly by burnt, in ha (in 9"), "{}", said[0]);
    let names = ["dry_brush", "gauge"];
    assert_eq!(document["warnings"][1]["pairs"][0]["names"], serde_json::json!(names));
    let page = scratch.run(&[&asked[..], &["markdown"]].concat()).good();
    assert!(page.contains("- **Warning:** fire is predicted almost perfectly by burnt, in ha"), "{page}");
    let quiet = scratch.run(&[&asked[..], &["json", "--quiet"]].concat());
    assert_eq!(quiet.stderr, "");
}

#[test]
fn excluded_columns_give_no_warning() {
    let scratch = Scratch::with("fire.csv", flawed());
    let known = ["--after", "burnt, in ha", "--ignore", "gauge"];
    let asked = ["mine", "fire.csv", "--target", "fire", "--format", "json"];
    let run = scratch.run(&[&asked[..], &known].concat());
    assert!(!run.stderr.contains("warning"), "{}", run.stderr);
    assert_eq!(kinds(&run.json()), [""; 0]);
}

#[test]
fn too_few_cases_are_reported_with_the_feasible_settings() {
    let text: Vec<String> = fire().lines().take(101).map(str::to_owned).collect();
    let scratch = Scratch::with("fire.csv", text.join("\n"));
    let method = ["--method", "mh-pc-f"];
    let asked = ["mine", "fire.csv", "--target", "fire", "--max-level", "3", "--format", "json"];
    let document = scratch.run(&[&asked[..], &method].concat()).json();
    assert_eq!(kinds(&document), ["too-few-cases"]);
    let shortage = &document["warnings"][0];
    let level = shortage["feasible_level"].to_string();
    let max_k = shortage["feasible_max_k"].to_string();
    let feasible = [
        "mine",
        "fire.csv",
        "--target",
        "fire",
        "--format",
        "json",
        "--max-level",
        &level,
        "--max-k",
        &max_k,
    ];
    assert_eq!(kinds(&scratch.run(&[&feasible[..], &method].concat()).json()), [""; 0], "{shortage}");
}
