//! Output on a terminal: the table cut to its width, colours, progress bars; and standard error without a terminal.

use std::io::Write as _;
use std::process::Command;

use crate::support::{Scratch, fire};

/// The output of a command on a terminal of this width; `None` without the program `script`, which emulates one.
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
            // The test runner captures `eprintln!` but not this.
            let _ =
                writeln!(std::io::stderr(), "skipped: `script`, which emulates a terminal, is not installed");
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
fn html_is_not_written_to_a_terminal() {
    let scratch = Scratch::with("fire.csv", fire());
    let line = "mine fire.csv --target fire --format html --quiet || test $? = 2";
    if let Some(shown) = at_terminal(&scratch, 80, &[], line) {
        assert_eq!(
            shown,
            "concause: an HTML report cannot be shown in a terminal; give a file: -o report.html\n"
        );
    }
}

#[test]
fn only_terminals_get_progress_bars() {
    let scratch = Scratch::new();
    scratch.run(&["simulate", "wide", "-o", "made"]).good();
    let run = scratch.run(&["mine", "made/data.csv", "--target", "T", "-o", "found.txt"]);
    assert!(!run.stderr.contains('['), "{}", run.stderr);
    if let Some(shown) = at_terminal(&scratch, 120, &[], "mine made/data.csv --target T -o found.txt") {
        assert!(shown.contains("a second") && shown.contains("left"), "{shown}");
    }
}

#[test]
fn a_run_is_summarised_unless_quiet() {
    let scratch = Scratch::with("fire.csv", fire());
    let asked = ["mine", "fire.csv", "--target", "fire", "--method", "mh-pc-f"];
    let mine = |more: &[&str]| scratch.run(&[&asked[..], more].concat());
    let usual = mine(&[]).stderr;
    let last = usual.lines().last().unwrap();
    assert!(
        last.starts_with("concause: 3,000 rows, 8 columns, 49 tests, ") && last.ends_with(" s"),
        "{usual}"
    );
    let verbose = mine(&["--verbose"]).stderr;
    assert!(
        verbose.contains("concause: level 2: 15 candidates → 2 not redundant → 2 associated → 1 cause\n"),
        "{verbose}"
    );
    assert!(verbose.contains("concause: level 1: rejected: 5 not associated, 1 separated\n"), "{verbose}");
    assert_eq!(mine(&["--quiet"]).stderr, "");
    assert_eq!(mine(&["--quiet", "--verbose"]).code, Some(2));
    assert_eq!(mine(&["--verbose"]).stdout, mine(&[]).stdout);
}

/// A file from others must not move the cursor, hide text or set the title of the window.
#[test]
fn names_in_errors_cannot_control_the_terminal() {
    let scratch = Scratch::with("fire.csv", fire());
    scratch.write("\u{1b}[31m.csv", "x\n");
    scratch.write("queries.csv", "x,given,\u{1b}]0;title\u{7}\nwind,,\n");
    scratch.write("test.csv", "x,test\nwind,\u{1b}[2J\u{202e}\n");
    scratch.write("names.csv", "a\u{1b}[2Jb,T\n1,1\n0\n");
    let requests: [&[&str]; 6] = [
        &["test", "fire.csv", "--target", "fire", "--queries", "queries.csv"],
        &["test", "fire.csv", "--target", "fire", "--queries", "test.csv"],
        &["mine", "\u{1b}[31m.csv", "--target", "fire"],
        &["mine", "fire.csv", "--target", "\u{1b}[2J"],
        &["mine", "names.csv", "--target", "T", "--missing", "\u{1b}[2J"],
        &["evaluate", "\u{1b}[31m.csv", "\u{1b}[32m"],
    ];
    for request in requests {
        let run = scratch.run(request);
        assert_eq!(run.code, Some(2), "{request:?}: {}", run.stderr);
        let is_safe =
            |text: &str| text.chars().all(|it| it == '\n' || !(it.is_control() || it == '\u{202e}'));
        assert!(is_safe(&run.stderr) && is_safe(&run.stdout), "{request:?}: {:?}", run.stderr);
    }
    // A mark is quoted in notices too.
    let run = scratch.run(&["encode", "fire.csv", "--target", "fire", "--missing", "\u{1b}[2J"]);
    assert!(!(run.stderr + &run.stdout).contains('\u{1b}'));
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
