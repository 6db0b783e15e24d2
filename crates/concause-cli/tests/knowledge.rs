//! Background knowledge, from the flags to the result.

use serde_json::{Value, json};

use crate::support::{Scratch, causes, fire, patients};

fn mine(scratch: &Scratch, flags: &[&str]) -> Value {
    let fixed = ["mine", "data.csv", "--target", "fire", "--format", "json", "--method", "mh-pc-f"];
    scratch.run(&[&fixed, flags].concat()).json()
}

#[test]
fn flags_are_enforced_and_recorded() {
    let scratch = Scratch::with("data.csv", fire());
    let plain = mine(&scratch, &[]);
    assert_eq!(causes(&plain), ["lightning", "power_line_fault", "burning_stub&dry_brush"]);
    let empty = json!({"after": [], "covariates": [], "forbidden": [], "required": []});
    assert_eq!(plain["settings"]["knowledge"], empty);
    // Without lightning, thunder is the strongest remaining candidate.
    let after = mine(&scratch, &["--after", "lightning"]);
    assert!(causes(&after).contains(&"thunder_heard") && !causes(&after).contains(&"lightning"));
    assert_eq!(after["settings"]["knowledge"]["after"], json!(["lightning"]));
    // Forbidden or held fixed, lightning still explains thunder.
    let forbidden = mine(&scratch, &["--forbid", "lightning"]);
    assert_eq!(causes(&forbidden), ["power_line_fault", "burning_stub&dry_brush"]);
    let fixed = mine(&scratch, &["--covariates", "lightning"]);
    assert!(causes(&fixed).contains(&"power_line_fault"));
    assert!(!causes(&fixed).contains(&"thunder_heard") && !causes(&fixed).contains(&"lightning"));
    let required = mine(&scratch, &["--require", "wind&weekend,thunder_heard"]);
    assert!(causes(&required).contains(&"weekend&wind") || causes(&required).contains(&"wind&weekend"));
    assert!(causes(&required).contains(&"thunder_heard"));
}

#[test]
fn a_temporal_order_excludes_later_attributes() {
    let scratch = Scratch::with("data.csv", fire());
    let order = "tiers = [[\"weekend\"], [\"wind\", \"dry_brush\"], [\"fire\"], [\"lightning\", \"thunder_heard\"]]\n";
    scratch.write("order.toml", order);
    let found = mine(&scratch, &["--order", "order.toml", "--after", "wind"]);
    assert_eq!(found["settings"]["knowledge"]["after"].as_array().map(Vec::len), Some(3));
    assert!(!causes(&found).contains(&"lightning") && !causes(&found).contains(&"thunder_heard"));
    let text =
        scratch.run(&["mine", "data.csv", "--target", "fire", "--order", "order.toml", "--forbid", "wind"]);
    let text = text.good();
    assert!(text.contains("\nExcluded because they come after fire: "), "{text}");
    assert!(text.contains("\nNot allowed as causes: wind.\n"), "{text}");
}

#[test]
fn an_attribute_name_selects_all_its_columns() {
    let scratch = Scratch::with("data.csv", patients(3000));
    let run = |flags: &[&str]| {
        let fixed =
            ["mine", "data.csv", "--target", "class=sick", "--format", "json", "--method", "hiton-pc"];
        scratch.run(&[&fixed, flags].concat()).json()
    };
    let whole = run(&["--covariates", "gene"]);
    assert_eq!(whole["settings"]["knowledge"]["covariates"], json!(["gene=A", "gene=B", "gene=C"]));
    // Three values make three strata, not eight.
    assert_eq!(whole["causes"][0]["df"], json!(3));
    let one = run(&["--covariates", "gene=B"]);
    assert_eq!(one["causes"][0]["df"], json!(2));
    // A test on the command line gives the same figures.
    let cause = whole["causes"][0].clone();
    let name = cause["name"].as_str().unwrap();
    let arguments = ["test", "data.csv", "--target", "class=sick", "--x", name, "--format", "json"];
    let test = scratch.run(&[&arguments[..], &["--covariates", "gene"]].concat()).json();
    assert_eq!(test["statistic"], cause["statistic"]);
    assert_eq!((&test["df"], &test["covariates"]), (&json!(3), &json!(["gene=A", "gene=B", "gene=C"])));
}

#[test]
fn reasons_name_the_background_knowledge() {
    let scratch = Scratch::with("data.csv", fire());
    let explain = |x: &str, flags: &[&str]| {
        let fixed = ["explain", "data.csv", "--target", "fire", "--method", "mh-pc-f", "--x", x];
        scratch.run(&[&fixed, flags].concat()).good()
    };
    for (x, flags, says) in [
        ("wind", ["--after", "wind"], "wind comes after fire, so it was not considered as a cause"),
        (
            "wind&weekend",
            ["--after", "wind"],
            "weekend&wind cannot be a combined cause: wind comes after fire",
        ),
        ("wind", ["--covariates", "wind"], "wind is a covariate, held fixed in every test, so it was not"),
        (
            "lightning",
            ["--forbid", "lightning"],
            "lightning is forbidden as a cause, although no set of other causes",
        ),
        ("wind", ["--require", "wind"], "wind is a cause of fire because it was required to be one"),
    ] {
        let told = explain(x, &flags);
        let told = told.replace("wind&weekend", "weekend&wind");
        assert!(told.starts_with(says), "{told}");
    }
}

#[test]
fn contradictions_and_unknown_names_are_rejected() {
    let scratch = Scratch::with("data.csv", fire());
    scratch.write("no-target.toml", "tiers = [[\"wind\"]]");
    scratch.write("twice.toml", "tiers = [[\"wind\"], [\"fire\", \"wind\"]]");
    scratch.write("unknown.toml", "tiers = [[\"winds\"], [\"fire\"]]");
    scratch.write("later.toml", "tiers = [[\"fire\"], [\"wind\"]]");
    for (flags, says) in [
        (vec!["--after", "winds"], r#"--after: there is no column "winds"; did you mean "wind"?"#),
        (vec!["--after", "wind,fire"], r#"--after names "fire", which is the target"#),
        (vec!["--require", "fire"], r#"--require names "fire", which is the target"#),
        (vec!["--after", "wind", "--forbid", "wind"], r#""wind" is named by both --after and --forbid"#),
        (
            vec!["--order", "later.toml", "--require", "wind"],
            r#""wind" is named by both --require and --after"#,
        ),
        (
            vec!["--forbid", "wind", "--require", "lightning&wind"],
            r#"is named by both --require and --forbid"#,
        ),
        (vec!["--order", "no-target.toml"], r#"--order has no tier with the target "fire""#),
        (vec!["--order", "twice.toml"], r#"twice.toml: "wind" is in tier 1 and again in tier 2"#),
        (vec!["--order", "unknown.toml"], r#"--order: there is no column "winds"; did you mean "wind"?"#),
        (vec!["--order", "nowhere.toml"], "there is no such order file"),
        (vec!["--require", "wind", "--method", "cr-pa"], "--method cr-pa does not support --require"),
        (vec!["--require", "wind&weekend&dry_brush"], "joins 3 columns, but --max-level is 2"),
    ] {
        let method = if flags.contains(&"--method") { &[][..] } else { &["--method", "mh-pc-f"] };
        let run = scratch.run(&[&["mine", "data.csv", "--target", "fire"], method, &flags].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{flags:?}: {}", run.stderr);
        let error = run.stderr.lines().last().unwrap_or_default();
        assert!(error.starts_with("concause: ") && error.contains(says), "{flags:?}: {}", run.stderr);
    }
}
