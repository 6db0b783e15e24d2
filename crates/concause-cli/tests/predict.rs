//! `concause predict`: risks of further rows by a saved result.

use serde_json::Value;

use crate::support::{Scratch, fire};

/// The risks that a result predicts.
fn risks(scratch: &Scratch, arguments: &[&str]) -> Vec<f64> {
    let written = scratch.run(&[&["predict"], arguments].concat()).good();
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some("risk"));
    lines.map(|line| line.parse().unwrap()).collect()
}

fn mine(scratch: &Scratch, data: &str, target: &str, more: &[&str]) {
    let words = [&["mine", data, "-q", "--target", target, "-o", "result.json"], more].concat();
    scratch.run(&words).good();
}

/// The mean of predicted risks within groups of rows is near the share of cases there.
#[test]
fn risks_are_calibrated() {
    let scratch = Scratch::with("fire.csv", fire());
    mine(&scratch, "fire.csv", "fire", &[]);
    let risks = risks(&scratch, &["result.json", "fire.csv"]);
    let text = fire();
    let (header, rows) = text.split_once('\n').unwrap();
    let place = header.trim_end().split(',').position(|name| name == "fire").unwrap();
    let cases: Vec<f64> =
        rows.lines().map(|line| line.split(',').nth(place).unwrap().trim().parse().unwrap()).collect();
    assert_eq!(risks.len(), cases.len());
    let mut distinct = risks.clone();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    assert!(distinct.len() > 3, "{distinct:?}");
    for risk in distinct {
        let group: Vec<f64> =
            risks.iter().zip(&cases).filter(|(other, _)| **other == risk).map(|(_, case)| *case).collect();
        let share = group.iter().sum::<f64>() / group.len() as f64;
        let error = 4.0 * (risk * (1.0 - risk) / group.len() as f64).sqrt() + 0.02;
        assert!((share - risk).abs() < error, "{risk}: {share} of {}", group.len());
    }
    let json = scratch.run(&["predict", "result.json", "fire.csv", "--format", "json"]).json();
    let json: Vec<f64> = json.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert_eq!(json, risks);
}

/// An outcome that depends on a number, on a value with rare others, and on an attribute with two values.
fn mixed() -> String {
    let mut text = String::from("age,town,sex,sick\n");
    for row in 0..4000u32 {
        let hash = row.wrapping_mul(2_654_435_761) >> 8;
        let (age, sex) = (20 + hash % 60, if hash / 60 % 2 == 0 { "f" } else { "m" });
        let town = match hash / 120 % 50 {
            0 => ["x", "y", "z"][row as usize % 3],
            low if low < 25 => "north",
            _ => "south",
        };
        let mut risk = if age >= 50 { 60 } else { 10 };
        risk += if town == "north" { 30 } else { 0 };
        let is_sick = hash / 6000 % 100 < risk;
        text += &format!("{age},{town},{sex},{}\n", u8::from(is_sick));
    }
    text
}

#[test]
fn unseen_values_follow_the_rule() {
    let scratch = Scratch::with("train.csv", mixed());
    mine(&scratch, "train.csv", "sick", &[]);
    let lines = [
        "age,town",
        "30,north",
        "-5,north",
        "60,north",
        "999,north",
        "60,south",
        "60,nowhere",
        "60,x",
        "60,",
        ",north",
    ];
    scratch.write("new.csv", lines.join("\n"));
    let found = risks(&scratch, &["result.json", "new.csv"]);
    assert_eq!(found.len(), 9);
    // Numbers beyond the range are in the outermost bands.
    assert_eq!((found[0], found[2]), (found[1], found[3]));
    assert!(found[2] > found[0] + 0.3 && found[2] > found[4] + 0.1, "{found:?}");
    // Unseen values are like the rare ones.
    assert_eq!(found[5], found[6]);
    // A missing number is in no band from a cut on.
    assert_eq!(found[8], found[0]);
    let read = scratch.run_with(&["predict", "result.json", "-"], lines.join("\n").as_bytes()).good();
    assert_eq!(read.lines().count(), 10);
}

#[test]
fn what_cannot_be_predicted_is_said() {
    let scratch = Scratch::with("train.csv", mixed());
    mine(&scratch, "train.csv", "sick", &[]);
    scratch.write("new.csv", "town\nnorth\nsouth\n");
    let refused = |arguments: &[&str], words: &str| {
        let run = scratch.run(&[&["predict"], arguments].concat());
        assert!(run.code == Some(2) && run.stderr.contains(words), "{}", run.stderr);
        assert!(run.stdout.is_empty() && !run.stderr.contains("panicked"));
    };
    refused(
        &["result.json", "new.csv"],
        "result.json: predicts from the column \"age\", which the data lack",
    );
    refused(&["new.csv", "new.csv"], "not JSON");
    refused(&["-", "-"], "standard input (-) can be read only once");
    mine(&scratch, "train.csv", "sick", &["--method", "mh-pc-f"]);
    refused(&["result.json", "train.csv"], "a result of the method mh-pc-f does not predict");
    mine(&scratch, "train.csv", "sick", &[]);
    let mut result: Value = serde_json::from_str(&scratch.read("result.json")).unwrap();
    result["model"]["models"][0]["coefficients"] = serde_json::json!([[99, 1.0]]);
    scratch.write("damaged.json", result.to_string());
    refused(&["damaged.json", "train.csv"], "damaged");
}

/// Encodings that are not the usual ones are part of the result.
#[test]
fn a_result_holds_all_that_its_encoding_needs() {
    let scratch = Scratch::with("train.csv", mixed().replace(",south,", ",-,"));
    for more in [
        &["--columns", "values"][..],
        &["--missing", "-"],
        &["--missing", "-", "--missing-as", "level"],
        &["--negate"],
        &["--cuts", "age=30,50"],
    ] {
        mine(&scratch, "train.csv", "sick", more);
        let found = risks(&scratch, &["result.json", "train.csv"]);
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        let text = mixed();
        let share = text.lines().filter(|line| line.ends_with(",1")).count() as f64 / 4000.0;
        assert!((mean - share).abs() < 0.01, "{more:?}: {mean} and not {share}");
    }
}

/// Without causes, the risk of every row is the share of cases.
#[test]
fn a_result_without_causes_predicts_the_share_of_cases() {
    let text: String = (0..400).map(|row| format!("{},{}\n", row / 2 % 2, row % 2)).collect();
    let scratch = Scratch::with("train.csv", format!("x,y\n{text}"));
    mine(&scratch, "train.csv", "y", &[]);
    let found = risks(&scratch, &["result.json", "train.csv"]);
    assert!(found.len() == 400 && found.iter().all(|risk| (risk - 0.5).abs() < 0.01), "{found:?}");
}
