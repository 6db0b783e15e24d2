//! What the paper reports comes out of the command: the table of real data sets, the causes it names, and its
//! synthetic example. The data is not part of the project; without it these tests say so and pass.

mod support;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Scratch, causes};

/// A file of the data, if it is here.
fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if path.exists() {
        return Some(path);
    }
    // Written past the capture of the test runner, so that it is seen.
    let _ = writeln!(std::io::stderr(), "skipped: ../shared/{name} is not here");
    None
}

/// An attribute of the schema: name, role, type, declared values.
struct Attribute {
    name: String,
    role: String,
    kind: String,
    values: Vec<String>,
}

fn schema(data_set: &str) -> Option<Vec<Attribute>> {
    let text = std::fs::read_to_string(shared("data/uci/schema.tsv")?).unwrap();
    let lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let attribute = |fields: Vec<&str>| Attribute {
        name: fields[2].into(),
        role: fields[3].into(),
        kind: fields[4].into(),
        values: fields[5].split('|').filter(|value| !value.is_empty()).map(str::to_owned).collect(),
    };
    Some(lines.filter(|fields| fields[0] == data_set).map(attribute).collect())
}

/// The types and declared values as TOML; no cuts, and of the class only that it is nominal.
fn declaration(schema: &[Attribute]) -> String {
    let mut text = String::from("header = false\n");
    for Attribute { name, role, kind, values } in schema {
        let kind = if role == "ignored" { "ignore" } else { kind };
        text += &format!("[[attribute]]\nname = {name:?}\ntype = {kind:?}\n");
        if role == "predictor" && kind == "nominal" {
            text += &format!("values = {values:?}\n");
        }
    }
    text
}

/// What a command says in JSON about a data set as the schema declares it.
fn asked(data_set: &str, arguments: &[&str]) -> Option<Value> {
    let data = shared(&format!("data/uci/{data_set}.data"))?;
    let scratch = Scratch::with("d.toml", declaration(&schema(data_set)?));
    let common = [data.to_str().unwrap(), "--declare", "d.toml", "--format", "json", "--quiet"];
    Some(scratch.run(&[arguments, &common].concat()).json())
}

const MINE: [&str; 3] = ["mine", "--preset", "paper-table"];

/// Mines a data set as the schema declares it, with the preset of the paper's table.
fn mined(data_set: &str, more: &[&str]) -> Option<Value> {
    asked(data_set, &[&MINE, more].concat())
}

#[track_caller]
fn assert_numbers(document: &Value, columns: usize, single: usize, combined: usize) {
    let level = |wanted: usize| {
        let causes = document["causes"].as_array().unwrap().iter();
        causes.filter(|cause| cause["level"] == wanted).count()
    };
    assert_eq!(document["data"]["columns"], columns);
    assert_eq!((level(1), level(2)), (single, combined), "{:?}", causes(document));
}

#[track_caller]
fn assert_found(document: &Value, names: &[&str]) {
    let found = causes(document);
    names.iter().for_each(|name| assert!(found.contains(name), "{name} is not among {found:?}"));
}

#[test]
fn contraceptive_method_choice() {
    let target = ["--target", "contraceptive_method=1", "--drop-continuous"];
    let Some(found) = mined("cmc", &target) else { return };
    assert_numbers(&found, 22, 2, 0);
}

#[test]
fn german_credit() {
    let Some(found) = mined("german", &["--target", "credit_risk=2"]) else { return };
    assert_numbers(&found, 60, 1, 13);
    assert_found(&found, &["property=A121&other_installment_plans=A143"]);
    // The other pair that the paper names is not to be had from UCI's file: where there is no checking account,
    // low savings tell nothing about the risk, so that Definition 2 calls the pair redundant.
    let ask = ["test", "--target", "credit_risk=2", "--x", "savings_account=A61", "--within"];
    let Some(answer) = asked("german", &[&ask[..], &["checking_account=A14"]].concat()) else { return };
    assert_eq!((&answer["n"], &answer["outcome"]), (&394.into(), &"independent".into()));
    assert!(answer["p_value"].as_f64().unwrap() > 0.2, "{answer}");
}

#[test]
fn hypothyroid() {
    let Some(found) = mined("hypothyroid", &["--target", "class=hypothyroid"]) else { return };
    assert_numbers(&found, 51, 3, 4);
}

#[test]
fn sick() {
    let (Some(data), Some(schema)) = (shared("data/uci/sick.data"), schema("sick")) else { return };
    let text = std::fs::read_to_string(data).unwrap();
    // The class is written `sick.|id`.
    let cut = |line: &str| line.rsplit_once(".|").map_or(line, |(row, _)| row).to_owned() + "\n";
    let scratch = Scratch::with("sick.data", text.lines().map(cut).collect::<String>());
    scratch.write("d.toml", declaration(&schema));
    let more = ["sick.data", "--declare", "d.toml", "--target", "class=sick", "--format", "json"];
    let found = scratch.run(&[&MINE[..], &more].concat()).json();
    assert_numbers(&found, 58, 3, 8);
    assert_found(&found, &["T3<1.15&TT4<87.5", "sick=t&T3<1.15"]);
}

/// With a column for yea and one for nay of every vote.
#[test]
fn house_votes() {
    let Some(found) = mined("house-votes-84", &["--target", "party=democrat"]) else { return };
    assert_numbers(&found, 32, 0, 18);
}

/// With one column for every two-valued attribute, and those of katri = n and w.
#[test]
fn king_rook_against_king_pawn() {
    let (Some(data), Some(schema)) = (shared("data/uci/kr-vs-kp.data"), schema("kr-vs-kp")) else { return };
    let columns: Vec<(usize, &str, &str)> = schema
        .iter()
        .enumerate()
        .flat_map(|(place, attribute)| {
            let values: &[&str] = match attribute.name.as_str() {
                "dwipd" => &["g"],
                "wtoeg" => &["n"],
                "katri" => &["n", "w"],
                "class" => &["nowin"],
                _ => &["t"],
            };
            values.iter().map(move |value| (place, attribute.name.as_str(), *value))
        })
        .collect();
    let names: Vec<String> = columns.iter().map(|(_, name, value)| format!("{name}={value}")).collect();
    let mut table = names.join(",") + "\n";
    for line in std::fs::read_to_string(data).unwrap().lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let bit = |&(place, _, value): &(usize, &str, &str)| ["0", "1"][usize::from(cells[place] == value)];
        table += &(columns.iter().map(bit).collect::<Vec<_>>().join(",") + "\n");
    }
    let scratch = Scratch::with("table.csv", table);
    let more = ["table.csv", "--target", "class=nowin", "--format", "json"];
    let found = scratch.run(&[&MINE[..], &more].concat()).json();
    assert_numbers(&found, 37, 7, 12);
}

/// Flaws that are known of these data sets are told, and no others.
#[test]
fn warnings_on_real_data() {
    let kinds = |data_set: &str, more: &[&str]| {
        let document = asked(data_set, &[&["mine", "--preset", "paper"], more].concat())?;
        let warnings = document["warnings"].as_array().unwrap().iter();
        Some(warnings.map(|warning| warning["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    let cmc = ["--target", "contraceptive_method=1", "--drop-continuous"];
    let Some(found) = kinds("cmc", &cmc) else { return };
    assert_eq!(found, [""; 0]);
    assert_eq!(kinds("german", &["--target", "credit_risk=2"]).unwrap(), [""; 0]);
    assert_eq!(kinds("house-votes-84", &["--target", "party=democrat"]).unwrap(), ["target-decided"]);
    let found = kinds("hypothyroid", &["--target", "class=hypothyroid"]).unwrap();
    assert_eq!(found, ["near-duplicates", "deterministic"]);
}

#[test]
fn the_synthetic_example() {
    let Some(data) = shared("data/syn7/syn-7.csv") else { return };
    let (scratch, data) = (Scratch::new(), data.to_str().unwrap());
    for method in ["mh-pc-f", "mh-pc-b"] {
        let arguments =
            ["mine", data, "--target", "Class", "--preset", "paper", "--method", method, "--format", "json"];
        let found = scratch.run(&arguments).json();
        let mut names = causes(&found);
        names.sort_unstable();
        assert_eq!(names, ["V1&V2", "V3", "V4"], "{method}");
    }
    let known =
        [("V1", 3.6599), ("V2", 3.0471), ("V3", 4.6688), ("V4", 48.3336), ("V5", 1.4688), ("V6", 0.0570)];
    for (x, expected) in known {
        let answer =
            scratch.run(&["test", data, "--target", "Class", "--x", x, "--format", "json", "-q"]).json();
        let statistic = answer["statistic"].as_f64().unwrap();
        assert!((statistic - expected).abs() < 5.1e-5, "{x}: {statistic} is not {expected}");
    }
}

/// Both parts of the Census data as one table, from gzipped text to the result.
fn census(more: &[&str]) -> Option<Value> {
    let parts = [shared("data/uci/census-income.data.gz")?, shared("data/uci/census-income.test.gz")?];
    let [train, test] = parts.each_ref().map(|part| part.to_str().unwrap());
    let scratch = Scratch::with("d.toml", declaration(&schema("census-income")?));
    let target = ["--target", "income=50000+.", "--declare", "d.toml", "--drop-continuous"];
    let how = ["--preset", "paper", "--format", "json", "--quiet"];
    Some(scratch.run(&[&["mine", train, test], &target[..], &how[..], more].concat()).json())
}

#[test]
fn census_goes_from_gzipped_text_to_single_causes() {
    let Some(document) = census(&["--max-level", "1", "--max-k", "1"]) else { return };
    assert_eq!(document["data"]["rows"], 299_285);
    assert_eq!(document["data"]["columns"], 495);
    assert_eq!(document["target"]["positive"], 18_568);
    assert!(document["levels"][0]["associated"].as_u64().unwrap() > 300);
    assert!(document["causes"].as_array().unwrap().len() > 60);
}

/// The whole search on Census; in release some ten seconds on two cores:
/// `cargo test --release -p concause-cli --test paper -- --ignored --nocapture`
#[test]
#[ignore = "a measurement, for a release build"]
fn census_measured() {
    let Some(document) = census(&[]) else { return };
    println!("{:#}\n{:#}", document["levels"], document["timing"]);
    assert_eq!(document["complete"], true);
    assert_eq!(document["levels"][1]["candidates"], 87_117);
}
