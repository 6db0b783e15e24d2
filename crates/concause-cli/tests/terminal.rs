//! What people see at a terminal: the table cut to its width, colour, bars; and what is said on standard error elsewhere.

mod support;

use std::process::Command;

use support::{Scratch, fire};

/// What a command prints at a terminal of so many columns; none where there is no `script` to make one.
fn at_terminal(
    scratch: &Scratch,
    columns: usize,
    environment: &[(&str, &str)],
    arguments: &str,
) -> Option<String> {
    let concause = env!("CARGO_BIN_EXE_concause");
    let line = format!("stty rows 24 cols {columns}; '{concause}' {arguments}");
    let run = Command::new("script")
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .envs(environment.iter().copied())
        .current_dir(scratch.folder())
        .output();
    match run {
        Ok(run) => {
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
            Some(String::from_utf8(run.stdout).unwrap().replace('\r', ""))
        }
        Err(_) => {
            println!("skipped: there is no command script, which makes a terminal");
            None
        }
    }
}

#[test]
fn a_table_is_cut_to_the_terminal_and_coloured() {
    let scratch = Scratch::with("fire.csv", fire());
    let Some(shown) = at_terminal(&scratch, 72, &[], "mine fire.csv --target fire --quiet") else { return };
    assert!(shown.contains("\u{1b}[1m"), "{shown}");
    let Some(plain) = at_terminal(&scratch, 72, &[("NO_COLOR", "1")], "mine fire.csv --target fire --quiet")
    else {
        return;
    };
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let table: Vec<&str> = plain.lines().skip_while(|line| !line.starts_with("cause")).take(4).collect();
    assert_eq!(table.len(), 4);
    assert!(table.iter().all(|line| line.chars().count() <= 72), "{table:?}");
    assert!(table.iter().any(|line| line.contains("9.01 (7.56–10.7)")), "intervals are told: {table:?}");
}

#[test]
fn a_page_is_not_poured_onto_a_terminal() {
    let scratch = Scratch::with("fire.csv", fire());
    let line = "mine fire.csv --target fire --format html --quiet || test $? = 2";
    if let Some(shown) = at_terminal(&scratch, 80, &[], line) {
        assert_eq!(shown, "concause: a page is not for a terminal; name a file: -o report.html\n");
    }
}

#[test]
fn bars_are_drawn_at_a_terminal_only() {
    let scratch = Scratch::new();
    scratch.run(&["simulate", "wide", "-o", "made"]).good();
    let run = scratch.run(&["mine", "made/data.csv", "--target", "T", "-o", "found.txt"]);
    assert!(!run.stderr.contains('['), "{}", run.stderr);
    if let Some(shown) = at_terminal(&scratch, 120, &[], "mine made/data.csv --target T -o found.txt") {
        assert!(shown.contains("a second") && shown.contains("left"), "{shown}");
    }
}

#[test]
fn a_run_is_summed_up_unless_quiet() {
    let scratch = Scratch::with("fire.csv", fire());
    let mine = |more: &[&str]| scratch.run(&[&["mine", "fire.csv", "--target", "fire"], more].concat());
    let usual = mine(&[]).stderr;
    let last = usual.lines().last().unwrap();
    assert!(
        last.starts_with("concause: 3,000 rows, 8 columns, 63 tests, ") && last.ends_with(" s"),
        "{usual}"
    );
    let verbose = mine(&["--verbose"]).stderr;
    assert!(
        verbose.contains("concause: level 2: 28 candidates → 4 not redundant → 4 associated → 1 cause\n"),
        "{verbose}"
    );
    assert!(verbose.contains("concause: level 1: of which 5 not associated, 1 separated\n"), "{verbose}");
    assert_eq!(mine(&["--quiet"]).stderr, "");
    assert_eq!(mine(&["--quiet", "--verbose"]).code, Some(2));
    assert_eq!(mine(&["--verbose"]).stdout, mine(&[]).stdout);
}

#[test]
fn short_help_is_shorter_than_long_help() {
    let scratch = Scratch::new();
    let program = scratch.run(&["--help"]).good();
    let commands =
        program.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> =
        commands.filter_map(|line| line.split_whitespace().next()).filter(|&name| name != "help").collect();
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands {
        let (short, long) = (scratch.run(&[command, "-h"]).good(), scratch.run(&[command, "--help"]).good());
        assert!(short.lines().count() < long.lines().count(), "{command}");
        assert!(long.contains("Example"), "{command}");
    }
}
