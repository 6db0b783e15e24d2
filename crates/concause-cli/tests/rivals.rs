//! The methods for comparison, run by the command.

use serde_json::Value;

use crate::support::{Run, Scratch, causes, fire};

const RIVALS: [&str; 5] = ["pc-select", "naive-h", "naive-s", "cr-pa", "cr-cs"];

fn run(scratch: &Scratch, command: &str, method: &str, more: &[&str]) -> Run {
    scratch.run(&[&[command, "fire.csv", "--target", "fire", "--method", method], more].concat())
}

#[test]
fn every_method_gives_a_result_of_the_same_form() {
    let scratch = Scratch::with("fire.csv", fire());
    for method in RIVALS {
        let document = run(&scratch, "mine", method, &["--format", "json"]).json();
        assert_eq!((&document["complete"], &document["settings"]["method"]), (&true.into(), &method.into()));
        let levels = if method == "pc-select" { 1 } else { 2 };
        assert_eq!(document["levels"].as_array().map(Vec::len), Some(levels), "{method}");
        assert!(causes(&document).contains(&"lightning"), "{method}: {document}");
        let holds_fixed =
            document["notices"].to_string().contains("held fixed the columns associated with fire");
        assert_eq!(holds_fixed, method.starts_with("cr-"), "{method}");
        for format in ["table", "csv", "markdown"] {
            assert!(run(&scratch, "mine", method, &["--format", format]).good().contains("lightning"));
        }
    }
}

#[test]
fn every_candidate_of_every_method_has_a_reason() {
    let scratch = Scratch::with("fire.csv", fire());
    let explained = |method: &str, more: &[&str]| {
        let names = ["lightning", "dry_brush", "thunder_heard", "wind&burning_stub", "lightning&dry_brush"];
        let asked: Vec<&str> = names.into_iter().flat_map(|name| ["--x", name]).collect();
        run(&scratch, "explain", method, &[&asked[..], more].concat())
    };
    let tags = |method: &str| -> Vec<String> {
        let lines = explained(method, &["--format", "json"]).json_lines();
        lines.iter().map(|line: &Value| line["reason"].as_str().unwrap().to_owned()).collect()
    };
    for method in RIVALS {
        assert_eq!(tags(method)[..2], ["cause", "not-associated"], "{method}");
        assert_eq!(explained(method, &[]).good().lines().count(), 5);
    }
    assert_eq!(tags("pc-select")[2..], ["separated", "not-reached", "part-of-cause"]);
    assert_eq!(tags("cr-pa")[2..], ["no-effect", "not-associated", "part-of-cause"]);
    let words = explained("cr-cs", &[]).good();
    let thunder = words.lines().nth(2).unwrap();
    for part in ["thunder_heard has no clear effect", "held fixed", "odds ratio", "discordant pairs"] {
        assert!(thunder.contains(part), "{part}: {thunder}");
    }
}

#[test]
fn cr_cs_depends_on_the_seed_but_not_on_threads() {
    let scratch = Scratch::with("fire.csv", fire());
    let pairs = |more: &[&str]| {
        let ask = ["--x", "thunder_heard", "--format", "json"];
        run(&scratch, "explain", "cr-cs", &[&ask[..], more].concat()).json()["discordant"].as_u64().unwrap()
    };
    assert_eq!(pairs(&["--threads", "1"]), pairs(&["--threads", "3"]));
    let seeds: std::collections::BTreeSet<u64> =
        ["1", "2", "3", "4", "5", "6"].into_iter().map(|seed| pairs(&["--seed", seed])).collect();
    assert!(seeds.len() > 1, "{seeds:?}");
}

#[test]
fn infeasible_searches_are_rejected_with_the_estimate() {
    let scratch = Scratch::with("fire.csv", fire());
    let refused = |method: &str, more: &[&str]| {
        let run = run(&scratch, "mine", method, more);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        run.stderr.lines().last().unwrap_or_default().to_owned()
    };
    let sentence = refused("naive-h", &["--max-tests", "1000"]);
    for part in [
        "naive-h would test",
        "tests in the worst case",
        "budget of 1.0e3",
        "--max-level",
        "raise --max-tests",
    ] {
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
    assert!(refused("pc-select", &["--max-tests", "2"]).contains("pc-select would test 3 candidates"));
    let sentence = refused("naive-s", &["--max-level", "3", "--max-candidates", "50"]);
    assert!(sentence.contains("level 3 has up to 56 candidates"), "{sentence}");
    assert!(refused("cr-pa", &["--max-candidates", "5"]).contains("--max-candidates"));
}
