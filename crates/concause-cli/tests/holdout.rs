//! Rows that the search does not see, from the command line.

mod support;

use serde_json::{Value, json};
use support::{Scratch, causes, fire, settled};

fn mine(scratch: &Scratch, more: &[&str]) -> Value {
    let asked = ["mine", "fire.csv", "--target", "fire", "--format", "json"];
    scratch.run(&[&asked[..], more].concat()).json()
}

fn total(rows: &Value) -> u64 {
    rows["positive"].as_u64().unwrap() + rows["negative"].as_u64().unwrap()
}

#[test]
fn searched_and_held_out_rows_are_all_rows() {
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
fn true_causes_hold_up_and_the_page_says_so() {
    let scratch = Scratch::with("fire.csv", fire());
    let document = mine(&scratch, &["--holdout", "0.4"]);
    assert_eq!(causes(&document), ["lightning", "power_line_fault", "burning_stub&dry_brush"]);
    assert_eq!(document["holdout"]["confirmed"], 3);
    for cause in document["causes"].as_array().unwrap() {
        let confirmation = &cause["confirmation"];
        assert!(confirmation["test"]["p_value"].as_f64().unwrap() < 0.05);
        assert_eq!(
            (&confirmation["same_direction"], &confirmation["confirmed"]),
            (&json!(true), &json!(true))
        );
    }
    let page = scratch.run(&["mine", "fire.csv", "--target", "fire", "--holdout", "0.4"]).good();
    for words in ["  held-out p  ", "; 3 of 3 causes hold up there, in the same direction", "did not see"] {
        assert!(page.contains(words), "{page}");
    }
    let csv =
        scratch.run(&["mine", "fire.csv", "--target", "fire", "--holdout", "0.4", "--format", "csv"]).good();
    assert!(csv.lines().next().unwrap().ends_with(",estimated_on,held_out_p_value,confirmed"), "{csv}");
    assert_eq!(csv.matches(",held-out-rows,").count(), 3);
}

/// What noise a search takes for causes at a careless alpha does not hold up at an honest one: of 10 columns that have
/// nothing to do with the outcome, in 40 data sets.
#[test]
fn what_chance_chose_does_not_hold_up() {
    let mut random = concause::simulate::Random::new(11);
    let (mut found, mut confirmed) = (0, 0);
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
        let document = mine(&scratch, &asked);
        for cause in document["causes"].as_array().unwrap() {
            let confirmation = &cause["confirmation"];
            found += 1;
            let p = confirmation["test"]["p_value"].as_f64().unwrap();
            assert_eq!(confirmation["confirmed"], confirmation["same_direction"] == true && p <= 0.2);
            confirmed += i32::from(confirmation["confirmed"] == true);
        }
    }
    // Some 80 are found (400 columns at alpha 0.2), of which a tenth holds up by chance, with a standard deviation of 2.7.
    assert!((50..110).contains(&found) && (1..18).contains(&confirmed), "{confirmed} of {found}");
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
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
        settled(mine(&scratch, &asked))
    };
    let one = run("1", "1");
    assert_eq!((&one["stability"]["samples"], &one["calibration"]["shuffles"]), (&json!(7), &json!(5)));
    assert_eq!(run("1", "2"), one);
    assert_eq!(run("1", "7"), one);
    assert_ne!(run("2", "1")["causes"], one["causes"]);
}

/// `explain` with the same flags speaks of the same search.
#[test]
fn explain_sees_the_same_rows() {
    let scratch = Scratch::with("fire.csv", fire());
    let asked = ["explain", "fire.csv", "--target", "fire", "--x", "dry_brush", "--format", "json"];
    let explained = scratch.run(&[&asked[..], &["--holdout", "0.3"]].concat()).json();
    let document = mine(&scratch, &["--holdout", "0.3"]);
    let listed = document["candidates"]["listed"].as_array().unwrap();
    let told = listed.iter().find(|candidate| candidate["name"] == "dry_brush").unwrap();
    assert_eq!(explained["p_value"], told["association"]["p_value"]);
    assert_ne!(scratch.run(&asked).json()["p_value"], explained["p_value"]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let scratch = Scratch::with("fire.csv", fire());
    for wrong in ["0", "1", "-0.1", "1.5", "NaN", "inf", "half", ""] {
        let run = scratch.run(&["mine", "fire.csv", "--target", "fire", &format!("--holdout={wrong}")]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{wrong:?}");
        assert!(run.stderr.contains("--holdout"), "{}", run.stderr);
    }
    for (share, side) in [("0.0001", "held out"), ("0.9999", "searched")] {
        let run = scratch.run(&["mine", "fire.csv", "--target", "fire", "--holdout", share]);
        let sentence = format!("with --holdout {share} none of the 838 rows with fire is left to be {side}");
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{share}");
        assert!(run.stderr.contains(&sentence), "{}", run.stderr);
    }
}
