//! Checks of how far a result can be trusted: `--stability`, `--calibrate` and `--fdr`.

use serde_json::Value;

use crate::support::{Scratch, causes, fire, without_timing};

fn mine(scratch: &Scratch, more: &[&str]) -> Value {
    let asked = ["mine", "fire.csv", "--target", "fire", "--format", "json"];
    scratch.run(&[&asked[..], more].concat()).json()
}

#[test]
fn the_result_depends_on_the_seed_but_not_on_threads() {
    let scratch = Scratch::with("fire.csv", fire());
    for method in ["joint", "mh-pc-f"] {
        let run = |seed, threads| {
            let asked = ["--stability", "15", "--calibrate", "9", "--fdr", "bh", "--method", method];
            without_timing(mine(&scratch, &[&asked[..], &["--seed", seed, "--threads", threads]].concat()))
        };
        let one = run("1", "1");
        assert_eq!(one["stability"]["samples"], 15);
        assert_eq!(one["calibration"]["shuffles"], 9);
        assert_eq!(run("1", "2"), one);
        assert_eq!(run("1", "7"), one);
        // The joint method finds the same three causes in every half.
        if method == "mh-pc-f" {
            assert_ne!(run("2", "1")["stability"], one["stability"]);
        }
    }
}

#[test]
fn trust_checks_do_not_change_the_causes() {
    let scratch = Scratch::with("fire.csv", fire());
    let plain = mine(&scratch, &[]);
    assert!(plain["stability"].is_null() && plain["calibration"].is_null());
    assert!(plain["causes"][0]["stability"].is_null());
    let asked = mine(&scratch, &["--stability", "10", "--calibrate", "5"]);
    assert_eq!(causes(&asked), causes(&plain));
    for cause in asked["causes"].as_array().unwrap() {
        let stability = cause["stability"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&stability));
    }
    // Half of the rows suffice to find a strong cause.
    assert_eq!(asked["causes"][0]["name"], "lightning");
    assert_eq!(asked["causes"][0]["stability"], 1.0);
    let calibration = &asked["calibration"];
    let mean = |part: &str| calibration[part]["mean"].as_f64().unwrap();
    assert!((mean("single") + mean("combined") - mean("all")).abs() < 1e-12);
}

#[test]
fn every_method_supports_the_trust_checks() {
    let scratch = Scratch::with("fire.csv", fire());
    for method in ["hiton-pc", "mh-pc-f", "mh-pc-b", "pc-select", "naive-h", "naive-s", "cr-pa", "cr-cs"] {
        let asked = ["--method", method, "--stability", "4", "--calibrate", "3", "--fdr", "by"];
        let document = mine(&scratch, &asked);
        assert_eq!(document["stability"]["samples"], 4, "{method}");
        assert_eq!(document["calibration"]["shuffles"], 3, "{method}");
        assert!(document["levels"][0]["threshold"].as_f64().unwrap() < 0.05, "{method}");
    }
}

#[test]
fn the_table_reports_the_trust_checks() {
    let scratch = Scratch::with("fire.csv", fire());
    let asked = ["mine", "fire.csv", "--target", "fire", "--stability", "10", "--calibrate", "8"];
    let page = scratch.run(&asked).good();
    for words in ["  stability  ", "Stability: 10 half-samples, ", "a shuffled outcome yields "] {
        assert!(page.contains(words), "{page}");
    }
}

#[test]
fn candidates_above_the_fdr_threshold_are_not_associated() {
    let scratch = Scratch::with("fire.csv", fire());
    // At this large alpha, some columns are associated by chance.
    let loose = ["--method", "hiton-pc", "--alpha", "0.4", "--max-level", "1", "--max-k", "0"];
    let plain = mine(&scratch, &loose);
    let strict = mine(&scratch, &[&loose[..], &["--fdr", "by"]].concat());
    assert_eq!((&plain["settings"]["fdr"], &strict["settings"]["fdr"]), (&Value::Null, &"by".into()));
    assert_eq!(plain["levels"][0]["threshold"], 0.4);
    let threshold = strict["levels"][0]["threshold"].as_f64().unwrap();
    assert!(threshold < 0.4);
    assert!(strict["levels"][0]["associated"].as_u64() < plain["levels"][0]["associated"].as_u64());
    let names = plain["causes"].as_array().unwrap().iter().filter(|cause| {
        let p = cause["association"]["p_value"].as_f64().unwrap();
        p > threshold
    });
    let left_out: Vec<&str> = names.map(|cause| cause["name"].as_str().unwrap()).collect();
    assert!(!left_out.is_empty() && left_out.iter().all(|name| !causes(&strict).contains(name)));
    let explain = ["explain", "fire.csv", "--target", "fire", "--x", left_out[0], "--fdr", "by"];
    let words = scratch.run(&[&explain[..], &loose].concat()).good();
    assert!(words.contains("is not associated with fire"), "{words}");
}

#[test]
fn a_time_limit_reports_the_number_of_finished_searches() {
    let scratch = Scratch::with("fire.csv", fire());
    let document = mine(&scratch, &["--stability", "100000", "--calibrate", "50", "--time-limit", "500ms"]);
    let stability = &document["stability"];
    assert_eq!(stability["requested"], 100_000);
    assert!(stability["samples"].as_u64().unwrap() < 100_000);
    assert_eq!(document["calibration"]["shuffles"], 0);
    assert!(document["calibration"]["all"].is_null());
}

#[test]
fn invalid_combinations_are_rejected() {
    let scratch = Scratch::with("fire.csv", fire());
    for wrong in [
        ["--stability", "0"],
        ["--stability", "many"],
        ["--calibrate", "0"],
        ["--calibrate", "1.5"],
        ["--fdr", "maybe"],
    ] {
        let run = scratch.run(&[&["mine", "fire.csv", "--target", "fire"], &wrong[..]].concat());
        assert_eq!(run.code, Some(2), "{wrong:?}");
        assert!(run.stderr.contains(wrong[0]) && run.stdout.is_empty(), "{}", run.stderr);
    }
}

#[test]
fn settings_without_effect_are_reported() {
    let scratch = Scratch::with("fire.csv", fire());
    let stderr = |more: &[&str]| {
        let run = scratch.run(&[&["mine", "fire.csv", "--target", "fire"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stderr
    };
    let note = "concause: note: --redundancy-alpha has no effect with --method joint\n";
    assert!(stderr(&["--redundancy-alpha", "0.02"]).contains(note));
    assert!(!stderr(&["--redundancy-alpha", "0.02", "--method", "mh-pc-f"]).contains("note:"));
    assert!(!stderr(&["--max-level", "2"]).contains("note:"));
    assert_eq!(stderr(&["--redundancy-alpha", "0.02", "--quiet"]), "");
    let compare = ["compare", "fire.csv", "--target", "fire", "--max-tests", "1000000", "--methods"];
    let compare = |methods| scratch.run(&[&compare[..], &[methods]].concat()).stderr;
    assert!(compare("mh-pc-f,cr-pa").contains("note: --max-tests has no effect with these methods\n"));
    assert!(!compare("mh-pc-f,pc-select").contains("note:"));
}
