//! Rows that the search does not use: `--holdout`.

use serde_json::{Value, json};

use crate::support::{Scratch, causes, fire, without_timing};

fn mine(scratch: &Scratch, more: &[&str]) -> Value {
    let asked = ["mine", "fire.csv", "--target", "fire", "--format", "json"];
    scratch.run(&[&asked[..], more].concat()).json()
}

fn total(rows: &Value) -> u64 {
    rows["positive"].as_u64().unwrap() + rows["negative"].as_u64().unwrap()
}

#[test]
fn searched_and_held_out_rows_add_up_to_all_rows() {
    let scratch = Scratch::with("fire.csv", fire());
    let document = mine(&scratch, &["--holdout", "0.3"]);
    let (target, holdout) = (&document["target"], &document["holdout"]);
    assert_eq!(holdout["share"], 0.3);
    assert_eq!((total(target), total(&holdout["rows"])), (2100, 900));
    assert_eq!((&target["positive"], &holdout["rows"]["positive"]), (&json!(587), &json!(251)));
    assert_eq!(document["data"]["rows"], 2100);
    for cause in document["causes"].as_array().unwrap() {
        let rows = |counts: &Value| total(&counts["with"]) + total(&counts["without"]);
        assert_eq!((rows(&cause["counts"]), rows(&cause["evidence"]["counts"])), (2100, 900));
        assert_eq!(cause["evidence"]["estimated_on"], "held-out-rows");
    }
}

#[test]
fn true_causes_replicate_and_the_table_reports_it() {
    let scratch = Scratch::with("fire.csv", fire());
    let document = mine(&scratch, &["--holdout", "0.4"]);
    assert_eq!(causes(&document), ["lightning", "power_line_fault", "burning_stub&dry_brush"]);
    assert_eq!(document["holdout"]["replicated"], 3);
    for cause in document["causes"].as_array().unwrap() {
        let holdout_test = &cause["holdout_test"];
        assert!(holdout_test["test"]["p_value"].as_f64().unwrap() < 0.05);
        assert_eq!(
            (&holdout_test["same_direction"], &holdout_test["replicated"]),
            (&json!(true), &json!(true))
        );
    }
    let page = scratch.run(&["mine", "fire.csv", "--target", "fire", "--holdout", "0.4"]).good();
    for words in [
        "  held-out p  ",
        "; 3 of 3 causes replicated there (same direction and p ≤ ",
        "held out from the search",
    ] {
        assert!(page.contains(words), "{page}");
    }
    let csv =
        scratch.run(&["mine", "fire.csv", "--target", "fire", "--holdout", "0.4", "--format", "csv"]).good();
    assert!(csv.lines().next().unwrap().ends_with(",estimated_on,held_out_p_value,replicated"), "{csv}");
    assert_eq!(csv.matches(",held-out-rows,").count(), 3);
}

/// False causes found at a large alpha rarely replicate at a small one: 40 data sets with 10 columns that are
/// independent of the outcome.
#[test]
fn false_causes_rarely_replicate() {
    let mut random = concause::random::Random::new(11);
    let (mut found, mut replicated) = (0, 0);
    for seed in 0..40 {
        let names: Vec<String> = (0..10).map(|column| format!("c{column}")).collect();
        let mut text = names.join(",") + ",fire\n";
        for _ in 0..300 {
            let cells: Vec<String> = (0..11).map(|_| random.below(2).to_string()).collect();
            text += &(cells.join(",") + "\n");
        }
        let scratch = Scratch::with("fire.csv", text);
        let seed = seed.to_string();
        let asked =
            ["--holdout", "0.5", "--seed", &seed, "--max-level", "1", "--max-k", "0", "--alpha", "0.2"];
        let document = mine(&scratch, &[&["--method", "hiton-pc"], &asked[..]].concat());
        for cause in document["causes"].as_array().unwrap() {
            let holdout_test = &cause["holdout_test"];
            found += 1;
            let p = holdout_test["test"]["p_value"].as_f64().unwrap();
            assert_eq!(holdout_test["replicated"], holdout_test["same_direction"] == true && p <= 0.2);
            replicated += i32::from(holdout_test["replicated"] == true);
        }
    }
    // About 80 are found (400 columns at alpha 0.2), and a tenth of them replicates by chance, with a standard
    // deviation of 2.7.
    assert!((50..110).contains(&found) && (1..18).contains(&replicated), "{replicated} of {found}");
}

#[test]
fn the_result_depends_on_the_seed_but_not_on_threads() {
    let scratch = Scratch::with("fire.csv", fire());
    let run = |seed, threads| {
        let asked = [
            "--holdout",
            "0.3",
            "--stability",
            "7",
            "--calibrate",
            "5",
            "--seed",
            seed,
            "--threads",
            threads,
        ];
        without_timing(mine(&scratch, &asked))
    };
    let one = run("1", "1");
    assert_eq!((&one["stability"]["samples"], &one["calibration"]["shuffles"]), (&json!(7), &json!(5)));
    assert_eq!(run("1", "2"), one);
    assert_eq!(run("1", "7"), one);
    assert_ne!(run("2", "1")["causes"], one["causes"]);
}

/// `explain` with the same flags explains the same search.
#[test]
fn explain_uses_the_same_rows() {
    let scratch = Scratch::with("fire.csv", fire());
    let method = ["--method", "mh-pc-f"];
    let asked = ["explain", "fire.csv", "--target", "fire", "--x", "dry_brush", "--format", "json"];
    let asked = [&asked[..], &method].concat();
    let explained = scratch.run(&[&asked[..], &["--holdout", "0.3"]].concat()).json();
    let document = mine(&scratch, &[&method[..], &["--holdout", "0.3"]].concat());
    let listed = document["candidates"]["listed"].as_array().unwrap();
    let told = listed.iter().find(|candidate| candidate["name"] == "dry_brush").unwrap();
    assert_eq!(explained["p_value"], told["association"]["p_value"]);
    assert_ne!(scratch.run(&asked).json()["p_value"], explained["p_value"]);
}

#[test]
fn invalid_combinations_are_rejected() {
    let scratch = Scratch::with("fire.csv", fire());
    for wrong in ["0", "1", "-0.1", "1.5", "NaN", "inf", "half", ""] {
        let run = scratch.run(&["mine", "fire.csv", "--target", "fire", &format!("--holdout={wrong}")]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong:?}");
        assert!(run.stderr.contains("--holdout"), "{}", run.stderr);
    }
    for (share, side) in [("0.0001", "held out"), ("0.9999", "searched")] {
        let run = scratch.run(&["mine", "fire.csv", "--target", "fire", "--holdout", share]);
        let sentence = format!("--holdout {share} leaves none of the 838 rows with fire to be {side}");
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{share}");
        assert!(run.stderr.contains(&sentence), "{}", run.stderr);
    }
}
