//! `simulate` generates data with known causes, and `evaluate` scores the causes found in it.

use concause_simulate::Recipe;
use serde_json::{Value, json};

use crate::support::{Run, Scratch};

fn simulate(scratch: &Scratch, more: &[&str]) -> Run {
    scratch.run(&[&["simulate"], more].concat())
}

fn truth(scratch: &Scratch, folder: &str) -> Value {
    serde_json::from_str(&scratch.read(&format!("{folder}/truth.json"))).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let scratch = Scratch::new();
    let run = simulate(&scratch, &["syn-20", "--seed", "7", "-o", "a/b"]);
    assert_eq!(run.stderr, "concause: wrote data.csv and truth.json in a/b: 2000 rows and 8 causes\n");
    assert_eq!(run.good(), "");
    assert_eq!(simulate(&scratch, &["syn-20", "--seed", "7", "-o", "again", "-q"]).stderr, "");
    simulate(&scratch, &["syn-20", "--seeds", "7..8", "-o", "many"]).good();
    for folder in ["again", "many/7"] {
        for file in ["data.csv", "truth.json"] {
            assert_eq!(scratch.read(&format!("a/b/{file}")), scratch.read(&format!("{folder}/{file}")));
        }
    }
    assert_ne!(scratch.read("many/7/data.csv"), scratch.read("many/8/data.csv"));
    let truth = truth(&scratch, "a/b");
    assert_eq!((&truth["target"], &truth["seed"]), (&json!("T"), &json!(7)));
    assert_eq!((&truth["recipe"], &truth["generator"]), (&json!("syn-20"), &json!(1)));
    let levels: Vec<usize> =
        truth["causes"].as_array().unwrap().iter().map(|cause| cause.as_array().unwrap().len()).collect();
    assert_eq!(levels, [1, 1, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn parameters_can_be_set() {
    let scratch = Scratch::new();
    let flags =
        ["weak", "--rows", "300", "--split", "blind", "--set", "singles=2", "--set", "share=0.4", "-o", "x"];
    simulate(&scratch, &flags).good();
    assert_eq!(scratch.read("x/data.csv").lines().count(), 301);
    let truth = truth(&scratch, "x");
    let parameters = &truth["parameters"];
    assert_eq!((&parameters["rows"], &parameters["split"]), (&json!(300), &json!("blind")));
    assert_eq!((&parameters["singles"], &parameters["share"]), (&json!(2), &json!(0.4)));
    assert_eq!(truth["causes"].as_array().map(Vec::len), Some(7));
}

#[test]
fn recipes_and_their_parameters_are_listed() {
    let scratch = Scratch::new();
    let recipes = simulate(&scratch, &["--list"]).good();
    let names: Vec<&str> = recipes.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, Recipe::NAMES.map(|(name, _)| name));
    assert!(recipes.starts_with("syn-7 ") && recipes.contains("  random network: 6 predictors"), "{recipes}");
    let parameters = simulate(&scratch, &["corr", "--list", "--rows", "70"]).good();
    assert!(parameters.starts_with("rows          70\n"), "{parameters}");
    assert!(parameters.contains("\ncorrelation   0.5\n"), "{parameters}");
}

#[test]
fn parquet_holds_the_same_data() {
    let scratch = Scratch::new();
    simulate(&scratch, &["syn-10", "-o", "csv"]).good();
    simulate(&scratch, &["syn-10", "-o", "parquet", "--format", "parquet"]).good();
    assert_eq!(scratch.read("csv/truth.json"), scratch.read("parquet/truth.json"));
    let fingerprint = |data: &str| {
        let document = scratch.run(&["mine", data, "--target", "T", "--format", "json"]).json();
        document["data"]["fingerprint"].clone()
    };
    assert_eq!(fingerprint("csv/data.csv"), fingerprint("parquet/data.parquet"));
}

#[test]
fn existing_data_are_replaced_only_with_force() {
    let scratch = Scratch::new();
    simulate(&scratch, &["syn-7", "-o", "x"]).good();
    let before = scratch.read("x/data.csv");
    let refused = |more: &[&str], part: &str| {
        let run = simulate(&scratch, &[&["syn-7", "--seed", "2", "-o", "x"], more].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(part), "{}", run.stderr);
        assert_eq!(scratch.read("x/data.csv"), before);
    };
    refused(&[], "x/data.csv: already exists; give another directory, or replace it with --force");
    refused(&["--format", "parquet"], "already exists");
    refused(&["--format", "parquet", "--force"], "does not match the new truth.json; remove it first");
    simulate(&scratch, &["syn-7", "--seed", "2", "-o", "x", "--force"]).good();
    assert_ne!(scratch.read("x/data.csv"), before);
    assert_eq!(truth(&scratch, "x")["seed"], 2);
}

#[test]
fn impossible_data_give_one_sentence_and_no_files() {
    let scratch = Scratch::with("a file", "");
    let before = scratch.names();
    let cases: [(&[&str], &str); 10] = [
        (&["syn-51"], "there is no recipe \"syn-51\"; did you mean \"syn-50\"?"),
        (&["weather-data"], "the recipes are \"syn-7\", \"syn-10\""),
        (&["syn-7", "--set", "speed=3"], "the recipe 'syn-7' has no parameter 'speed'; it has rows,"),
        (&["syn-7", "--set", "rows"], "must be NAME=VALUE, e.g. rows=20000"),
        (&["syn-7", "--set", "combined=9"], "need 20 predictors, but there are 6"),
        (&["syn-7", "--rows", "0"], "rows must be at least 1"),
        (&["syn-7", "--rows", "5"], "no random network out of 2000 had"),
        (&["syn-7", "--split", "bind"], "invalid value 'bind'"),
        (&["hegel", "--split", "blind"], "has no parameter 'split'"),
        (&["syn-7", "--seeds", "9..1"], "must be the first and the last seed, e.g. 1..100"),
    ];
    for (more, part) in cases {
        let run = simulate(&scratch, &[more, &["-o", "made"]].concat());
        let shown = format!("{more:?}\n{}{}", run.stdout, run.stderr);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{shown}");
        assert!(run.stderr.contains(part), "{shown}");
        assert_eq!(scratch.names(), before, "{shown}");
    }
    let run = simulate(&scratch, &["syn-7", "-o", "a file"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("a file: is not a directory; give a directory for the data"),
        "{}",
        run.stderr
    );
    assert!(simulate(&scratch, &["syn-7"]).stderr.contains("--output <DIR>"));
}

fn evaluate(scratch: &Scratch, more: &[&str]) -> Run {
    scratch.run(&[&["evaluate"], more].concat())
}

/// Generates data, mines it and writes `FOLDER/found.json` next to the true causes.
fn found(scratch: &Scratch, recipe: &str, seed: &str, folder: &str) {
    simulate(scratch, &[recipe, "--seed", seed, "-o", folder]).good();
    let (data, result) = (format!("{folder}/data.csv"), format!("{folder}/found.json"));
    let mine =
        ["mine", &data, "--target", "T", "--method", "mh-pc-f", "--format", "json", "-q", "-o", &result];
    scratch.run(&mine).good();
}

#[test]
fn the_true_causes_are_found() {
    let scratch = Scratch::new();
    found(&scratch, "syn-50", "1", "x");
    let document = evaluate(&scratch, &["x/found.json", "x/truth.json", "--format", "json"]).json();
    assert_eq!(document["schema"], "concause-evaluation/1");
    let pair = &document["pairs"][0];
    assert_eq!((&pair["found"], &pair["truth"]), (&json!("x/found.json"), &json!("x/truth.json")));
    for (level, number) in [("single", 5), ("combined", 5), ("all", 10), ("parts", 10), ("exact", 10)] {
        assert_eq!(pair[level]["truth"], number, "{level}");
        assert!(pair[level]["f1"].as_f64().unwrap() >= 0.9, "{level}: {pair}");
        assert_eq!(document["summary"][level]["f1"], json!({ "mean": pair[level]["f1"], "deviation": 0.0 }));
    }
}

/// A result with these causes; all other fields are those of a real search.
fn result(scratch: &Scratch, name: &str, causes: &[&[&str]]) {
    let rows = "1,0,1,1\n0,1,0,0\n1,1,1,1\n0,0,0,0\n1,0,1,1\n0,1,0,1\n".repeat(5);
    scratch.write("tiny.csv", format!("V1,V2,V3,T\n{rows}"));
    let mut document = scratch.run(&["mine", "tiny.csv", "--target", "T", "--format", "json"]).json();
    let one = document["causes"][0].clone();
    assert!(one.is_object(), "{document}");
    let causes = causes.iter().map(|columns| {
        let mut cause = one.clone();
        cause["columns"] = json!(columns);
        cause
    });
    document["causes"] = causes.collect();
    scratch.write(name, document.to_string());
}

#[test]
fn scores_are_written_in_every_format() {
    let scratch = Scratch::new();
    result(&scratch, "half.json", &[&["V1"], &["V9"]]);
    result(&scratch, "all.json", &[&["V3", "V2"], &["V1"]]);
    scratch.write("truth.json", r#"{"target": "T", "causes": [["V1"], ["V2", "V3"]]}"#);
    let pairs = ["half.json", "truth.json", "all.json", "truth.json"];
    assert_eq!(
        evaluate(&scratch, &pairs).good(),
        "\
half.json against truth.json

causes    hits  found  true  precision  recall     F1
single       1      2     1      0.500   1.000  0.667
combined     0      0     1      0.000   0.000  0.000
all          1      2     2      0.500   0.500  0.500
parts        0      0     2      0.000   0.000  0.000
exact        1      2     2      0.500   0.500  0.500

all.json against truth.json

causes    hits  found  true  precision  recall     F1
single       1      1     1      1.000   1.000  1.000
combined     1      1     1      1.000   1.000  1.000
all          2      2     2      1.000   1.000  1.000
parts        2      2     2      1.000   1.000  1.000
exact        2      2     2      1.000   1.000  1.000

Mean ± standard deviation of 2 results

causes        precision         recall             F1
single    0.750 ± 0.354  1.000 ± 0.000  0.833 ± 0.236
combined  0.500 ± 0.707  0.500 ± 0.707  0.500 ± 0.707
all       0.750 ± 0.354  0.750 ± 0.354  0.750 ± 0.354
parts     0.500 ± 0.707  0.500 ± 0.707  0.500 ± 0.707
exact     0.750 ± 0.354  0.750 ± 0.354  0.750 ± 0.354

A cause counts as found only if all of its columns match; parts are the columns of combined causes, regardless of the combination; exact also compares negations and values.
"
    );
    let lists = ["half.json", "all.json", "--truth", "truth.json", "truth.json"];
    for format in ["table", "json", "csv", "markdown"] {
        let [by_pairs, by_lists] = [&pairs[..], &lists]
            .map(|files| evaluate(&scratch, &[files, &["--format", format]].concat()).good());
        assert_eq!(by_pairs, by_lists);
    }
    let lines = evaluate(&scratch, &["all.json", "truth.json", "--format", "csv", "-o", "x.csv"]);
    assert_eq!(lines.good(), "");
    let lines = scratch.read("x.csv");
    assert!(lines.starts_with("found,truth,causes,hits,n_found,n_truth,precision,recall,f1\n"), "{lines}");
    assert!(lines.contains("\nall.json,truth.json,all,2,2,2,1.0,1.0,1.0\n"), "{lines}");
    let page = evaluate(&scratch, &["all.json", "truth.json", "--format", "markdown"]).good();
    assert!(page.starts_with("## `all.json` against `truth.json`\n\n| causes | hits |"), "{page}");
    assert!(page.contains("\n| `parts` | 2 | 2 | 2 | 1.000 | 1.000 | 1.000 |\n"), "{page}");
}

#[test]
fn invalid_results_and_truths_give_one_sentence() {
    let scratch = Scratch::with("truth.json", r#"{"target": "T", "causes": [["V1"]]}"#);
    result(&scratch, "found.json", &[&["V1"]]);
    scratch.write("other.json", r#"{"target": "T2", "causes": [["V1"]]}"#);
    scratch.write("binary.json", b"\xff\xfe");
    let cases: [(&[&str], &str); 9] = [
        (&["found.json"], "1 files do not form pairs; give FOUND TRUTH"),
        (&["found.json", "--truth", "truth.json", "truth.json"], "1 results cannot be paired with 2 truths"),
        (&["absent.json", "truth.json"], "absent.json: there is no such file"),
        (&["found.json", "absent.json"], "absent.json: there is no such file"),
        (&["truth.json", "found.json"], "truth.json: this JSON is not a concause result"),
        (&["tiny.csv", "truth.json"], "tiny.csv: this is not JSON"),
        (&["found.json", "found.json"], "found.json: this is not a truth but has the format \"concause/1\""),
        (
            &["found.json", "other.json"],
            "other.json: holds the causes of \"T2\", but found.json those of \"T\"",
        ),
        (&["found.json", "binary.json"], "binary.json: is not text in UTF-8"),
    ];
    for (files, part) in cases {
        let run = evaluate(&scratch, files);
        let shown = format!("{files:?}\n{}{}", run.stdout, run.stderr);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.lines().count()), (Some(2), "", 1), "{shown}");
        assert!(run.stderr.contains(part), "{shown}");
    }
}
