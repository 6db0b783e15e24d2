//! `concause report` and `--format html`: the same page, from a run or from a saved result.

use crate::support::{Scratch, fire};

fn saved() -> Scratch {
    let scratch = Scratch::with("fire.csv", fire());
    let run = scratch.run(&["mine", "fire.csv", "--target", "fire", "--format", "json", "-o", "result.json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    scratch
}

#[test]
fn a_run_and_a_saved_result_give_the_same_page() {
    let scratch = saved();
    let mine = ["mine", "fire.csv", "--target", "fire", "--format", "html", "--threads", "1", "-o", "a.html"];
    assert_eq!(scratch.run(&mine).code, Some(0));
    assert_eq!(scratch.run(&["report", "result.json", "-o", "b.html"]).code, Some(0));
    let page = scratch.read("a.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    assert_eq!(page, scratch.read("b.html"));
    let piped = scratch.run_with(&["report", "-"], scratch.read("result.json").as_bytes());
    assert_eq!(piped.stdout, page);
}

#[test]
fn a_saved_result_is_rendered_in_every_format() {
    let scratch = saved();
    for format in ["table", "csv", "markdown", "dot"] {
        let mined = scratch.run(&["mine", "fire.csv", "--target", "fire", "--format", format]);
        let told = scratch.run(&["report", "result.json", "--format", format]);
        assert_eq!(told.stdout, mined.stdout, "{format}");
        assert!(told.stdout.contains("lightning"));
    }
    let again = scratch.run(&["report", "result.json", "--format", "json"]);
    assert_eq!(again.stdout, scratch.read("result.json"));
}

#[test]
fn the_command_on_the_page_explains_a_candidate() {
    let scratch = Scratch::with("fire.csv", fire());
    let more = ["--stability", "2", "--calibrate", "2", "--reasons", "5", "--method", "mh-pc-f"];
    let mine = [&["mine", "fire.csv", "--target", "fire", "--format", "html"][..], &more].concat();
    let page = scratch.run(&mine).stdout;
    let command = page.split("data-command=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(command, "concause explain fire.csv --target fire --method mh-pc-f --x");
    let words: Vec<&str> = command.split(' ').skip(1).chain(["wind"]).collect();
    assert!(scratch.run(&words).stdout.starts_with("wind is not associated with fire"));
}

#[test]
fn invalid_results_are_rejected_and_leave_no_file() {
    let scratch = Scratch::with("notes.txt", "not JSON");
    for (file, words) in [
        ("notes.txt", "not JSON"),
        ("missing.json", "missing.json"),
        ("other.json", "no field \"schema\""),
        ("later.json", "concause/9"),
    ] {
        scratch.write("other.json", "{}");
        scratch.write("later.json", "{\"schema\": \"concause/9\"}");
        let run = scratch.run(&["report", file, "-o", "page.html"]);
        assert_eq!(run.code, Some(2), "{file}: {}", run.stderr);
        assert!(run.stderr.contains(words) && run.stderr.lines().count() == 1, "{file}: {}", run.stderr);
        assert!(!scratch.path("page.html").exists());
    }
}
