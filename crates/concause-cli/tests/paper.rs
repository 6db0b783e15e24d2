//! The command reproduces the results of the paper: the table of real data sets, the causes it names, and its
//! synthetic example. The data are not part of the project; see `tests/shared_data.rs`.

use concause_bench::uci::{
    CENSUS, PaperEncoding, RESULT_TABLE_DATA_SETS, SchemaAttribute, UciDataSet, one_column_per_attribute,
    strip_identifiers,
};
use serde_json::Value;

use crate::shared_data::shared_data;
use crate::support::{Scratch, causes};

/// The data set with this name in the folder of the data.
fn find_data_set(file: &str) -> UciDataSet {
    let mut data_sets = RESULT_TABLE_DATA_SETS.into_iter().chain([CENSUS]);
    data_sets.find(|data_set| data_set.file == file).unwrap()
}

/// The attributes of a data set in `schema.tsv`.
fn schema(file: &str) -> Option<Vec<SchemaAttribute>> {
    shared_data("uci/schema.tsv")?;
    Some(find_data_set(file).read_schema(&shared_data("uci")?).unwrap())
}

/// The types and declared values as TOML, without cut points. The class is declared as nominal, without values.
fn declaration(file: &str) -> Option<String> {
    Some(find_data_set(file).declaration(&schema(file)?, PaperEncoding::ResultTable))
}

/// The JSON output of a command for a data set encoded as the schema declares it.
fn run_on(data_set: &str, arguments: &[&str]) -> Option<Value> {
    let data = shared_data(&format!("uci/{data_set}.data"))?;
    let scratch = Scratch::with("d.toml", declaration(data_set)?);
    let common = [data.to_str().unwrap(), "--declare", "d.toml", "--format", "json", "--quiet"];
    Some(scratch.run(&[arguments, &common].concat()).json())
}

const MINE: [&str; 3] = ["mine", "--preset", "paper-table"];

/// Mines a data set as the schema declares it, with the preset of the paper's table.
fn mined(data_set: &str, more: &[&str]) -> Option<Value> {
    run_on(data_set, &[&MINE, more].concat())
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
    // The other pair that the paper names does not result from UCI's file: among people without a checking account,
    // low savings are not associated with the risk, so the pair is redundant by Definition 2.
    let ask = ["test", "--target", "credit_risk=2", "--x", "savings_account=A61", "--within"];
    let Some(answer) = run_on("german", &[&ask[..], &["checking_account=A14"]].concat()) else { return };
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
    let (Some(data), Some(declaration)) = (shared_data("uci/sick.data"), declaration("sick")) else { return };
    let scratch = Scratch::with("sick.data", strip_identifiers(&std::fs::read_to_string(data).unwrap()));
    scratch.write("d.toml", declaration);
    let more = ["sick.data", "--declare", "d.toml", "--target", "class=sick", "--format", "json"];
    let found = scratch.run(&[&MINE[..], &more].concat()).json();
    assert_numbers(&found, 58, 3, 8);
    assert_found(&found, &["T3<1.15&TT4<87.5", "sick=t&T3<1.15"]);
}

/// Every vote has a column for yea and one for nay.
#[test]
fn house_votes() {
    let Some(found) = mined("house-votes-84", &["--target", "party=democrat"]) else { return };
    assert_numbers(&found, 32, 0, 18);
}

/// Every two-valued attribute has one column, and katri has columns for n and w.
#[test]
fn king_rook_against_king_pawn() {
    let (Some(data), Some(schema)) = (shared_data("uci/kr-vs-kp.data"), schema("kr-vs-kp")) else { return };
    let table = one_column_per_attribute(&std::fs::read_to_string(data).unwrap(), &schema);
    let scratch = Scratch::with("table.csv", table);
    let more = ["table.csv", "--target", "class=nowin", "--format", "json"];
    let found = scratch.run(&[&MINE[..], &more].concat()).json();
    assert_numbers(&found, 37, 7, 12);
}

/// The known problems of these data sets are reported, and no others.
#[test]
fn warnings_on_real_data() {
    let kinds = |data_set: &str, more: &[&str]| {
        let document = run_on(data_set, &[&["mine", "--preset", "paper"], more].concat())?;
        let warnings = document["warnings"].as_array().unwrap().iter();
        Some(warnings.map(|warning| warning["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
    };
    let cmc = ["--target", "contraceptive_method=1", "--drop-continuous"];
    let Some(found) = kinds("cmc", &cmc) else { return };
    assert_eq!(found, [""; 0]);
    assert_eq!(kinds("german", &["--target", "credit_risk=2"]).unwrap(), [""; 0]);
    assert_eq!(kinds("house-votes-84", &["--target", "party=democrat"]).unwrap(), ["near-perfect-predictor"]);
    let found = kinds("hypothyroid", &["--target", "class=hypothyroid"]).unwrap();
    assert_eq!(found, ["near-duplicates", "deterministic"]);
}

#[test]
fn the_synthetic_example() {
    let Some(data) = shared_data("syn7/syn-7.csv") else { return };
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
    let parts = [shared_data("uci/census-income.data.gz")?, shared_data("uci/census-income.test.gz")?];
    let [train, test] = parts.each_ref().map(|part| part.to_str().unwrap());
    let scratch = Scratch::with("d.toml", declaration("census-income")?);
    let target = ["--target", "income=50000+.", "--declare", "d.toml", "--drop-continuous"];
    let how = ["--preset", "paper", "--format", "json", "--quiet"];
    Some(scratch.run(&[&["mine", train, test], &target[..], &how[..], more].concat()).json())
}

#[test]
fn single_causes_of_census_from_gzipped_text() {
    let Some(document) = census(&["--max-level", "1", "--max-k", "1"]) else { return };
    assert_eq!(document["data"]["rows"], 299_285);
    assert_eq!(document["data"]["columns"], 495);
    assert_eq!(document["target"]["positive"], 18_568);
    assert!(document["levels"][0]["associated"].as_u64().unwrap() > 300);
    assert!(document["causes"].as_array().unwrap().len() > 60);
}

/// The complete search on Census. A release build takes about ten seconds on two cores:
/// `cargo test --release -p concause-cli --test all paper:: -- --ignored --nocapture`
#[test]
#[ignore = "a measurement, for a release build"]
fn census_measured() {
    let Some(document) = census(&[]) else { return };
    println!("{:#}\n{:#}", document["levels"], document["timing"]);
    assert_eq!(document["complete"], true);
    assert_eq!(document["levels"][1]["candidates"], 87_117);
}
