//! Weighted rows are equivalent to repeated rows in every command.

use serde_json::Value;

use crate::support::{self, Scratch, patients, without_timing};

/// The patients with weights from 0 to 3 in a column `n`, and the same rows repeated by their weights.
fn both() -> Scratch {
    let text = patients(900);
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let (mut weighted, mut repeated) = (format!("n,{header}\n"), format!("{header}\n"));
    for (row, line) in lines.enumerate() {
        let weight = row % 4;
        weighted += &format!("{weight},{line}\n");
        repeated += &format!("{line}\n").repeat(weight);
    }
    let scratch = Scratch::with("weighted.csv", weighted);
    scratch.write("repeated.csv", repeated);
    scratch
}

fn run(scratch: &Scratch, command: &str, more: &[&str]) -> [support::Run; 2] {
    let asked = |data| [&[command, data, "--target", "class=sick"], more].concat();
    [
        scratch.run(&[&asked("weighted.csv")[..], &["--weights", "n"]].concat()),
        scratch.run(&asked("repeated.csv")),
    ]
}

#[test]
fn weights_equal_repeated_rows_in_every_command() {
    let scratch = both();
    for more in [
        &["--format", "json", "--stability", "6", "--calibrate", "4"][..],
        &["--format", "json", "--missing-as", "drop", "--covariates", "smoker", "--method", "mh-pc-f"],
        &["--format", "json", "--missing-as", "level", "--method", "mh-pc-b"],
    ] {
        let [weighted, repeated] = run(&scratch, "mine", more).map(|run| without_timing(run.json()));
        let told = &weighted["data"]["weights"];
        let mut as_if_repeated = weighted.clone();
        as_if_repeated["data"]["weights"] = Value::Null;
        let first = as_if_repeated["notices"].as_array_mut().unwrap().remove(0);
        assert_eq!(
            first,
            "900 rows represent 1350 rows by the weights in \"n\"; left out with a weight of 0: 225"
        );
        assert_eq!(told["total"], 1350);
        assert_eq!(as_if_repeated, repeated);
        assert!(repeated["causes"].as_array().unwrap().len() > 1);
    }
    let test = ["--x", "gene=B&diet=meat", "--given", "smoker", "--format", "json"];
    let explain = ["--x", "gene=B", "--x", "blood=A"];
    for (command, more) in [("test", &test[..]), ("explain", &explain)] {
        let [weighted, repeated] = run(&scratch, command, more).map(support::Run::good);
        assert_eq!(weighted, repeated, "{command}");
    }
    let [weighted, repeated] = run(&scratch, "compare", &["--methods", "hiton-pc,cr-pa", "--format", "json"])
        .map(support::Run::json);
    assert_eq!(weighted["causes"], repeated["causes"]);
}

#[test]
fn the_encoded_table_repeats_weighted_rows() {
    let scratch = both();
    let table = |data: &str, more: &[&str]| {
        let asked = ["encode", data, "--target", "class=sick", "--table", "table.csv", "--format", "json"];
        let legend = scratch.run(&[&asked[..], more].concat()).json();
        (scratch.read("table.csv"), legend)
    };
    let (weighted, legend) = table("weighted.csv", &["--weights", "n"]);
    let (repeated, _) = table("repeated.csv", &[]);
    assert_eq!(weighted, repeated);
    assert_eq!((&legend["weights"]["rows_read"], &legend["rows_read"]), (&900.into(), &1350.into()));
    assert_eq!(legend["attributes"][0]["left_out"], "not a candidate: it holds the weights of the rows");
}

#[test]
fn the_table_reports_both_numbers_of_rows() {
    let scratch = both();
    let [weighted, _] = run(&scratch, "mine", &[]);
    let page = weighted.good();
    assert!(page.starts_with("Causes of class=sick (1,350 rows (weighted, 900 read), "), "{page}");
}

#[test]
fn invalid_weights_are_rejected() {
    let scratch = Scratch::with("t.csv", "a,n,T\n1,1,1\n0,0.25,0\n1,3,0\n");
    for command in ["mine", "encode"] {
        let run = scratch.run(&[command, "t.csv", "--target", "T", "--weights", "n"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        assert!(run.stderr.contains("the weight in row 2 is \"0.25\" (column \"n\")"), "{}", run.stderr);
        assert!(run.stderr.contains("sampling weights are not supported"), "{}", run.stderr);
    }
}
