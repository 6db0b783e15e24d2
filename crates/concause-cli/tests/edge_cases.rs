//! Unusual but valid input, and the behaviour of the command with pipes, signals, files and permissions.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use concause::random::Random;
use serde_json::{Value, json};

use crate::support::{Run, Scratch, causes, command, fire, patients, without_timing};

const MINE: [&str; 6] = ["mine", "data.csv", "--target", "T", "--format", "json"];

fn mine(content: impl AsRef<[u8]>, more: &[&str]) -> Run {
    Scratch::with("data.csv", content).run(&[&MINE, more].concat())
}

/// Rows of independent fair coin tosses, with the outcome last.
fn coins(columns: usize, rows: usize) -> String {
    let mut random = Random::new(3);
    let mut text: String = (0..columns).map(|column| format!("c{column},")).collect();
    text += "T\n";
    for row in 0..rows {
        (0..columns).for_each(|_| text += if random.chance(0.5) { "1," } else { "0," });
        text += &format!("{}\n", row % 2);
    }
    text
}

/// Fails on null, which JSON has for numbers that are not finite, unless the field allows null.
fn assert_whole(value: &Value, place: &str) {
    match value {
        Value::Null => {
            assert!(
                [
                    "value",
                    "risk_with",
                    "risk_without",
                    "interaction",
                    "fdr",
                    "alternative",
                    "max_k",
                    "feasible_max_k",
                    "stability",
                    "calibration",
                    "weights",
                    "holdout",
                    "holdout_test"
                ]
                .contains(&place),
                "{place} is null"
            );
        }
        // An estimate has either all of its numbers or a reason.
        Value::Object(fields) if fields.contains_key("corrected") => {
            let is_known = fields["reason"].is_null();
            let figures = fields.iter().filter(|(name, _)| !["reason", "corrected"].contains(&name.as_str()));
            figures.for_each(|(name, figure)| assert_eq!(figure.is_number(), is_known, "{place} {name}"));
        }
        Value::Array(items) => items.iter().for_each(|item| assert_whole(item, place)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| assert_whole(field, name)),
        _ => {}
    }
}

#[test]
fn the_smallest_tables() {
    let one_row = mine("a,T\n1,1\n", &[]);
    assert_eq!(one_row.code, Some(2), "a target that cannot vary is an error");
    assert_eq!(mine("T\n1\n0\n", &[]).code, Some(2), "and so is a table of nothing but the target");
    let two_rows = mine("a,T\n1,1\n0,0\n", &[]).json();
    assert_eq!((&two_rows["complete"], &two_rows["data"]["rows"]), (&json!(true), &json!(2)));
    assert_whole(&two_rows, "");
    let constant = mine("a,b,T\n1,1,1\n1,0,0\n1,1,0\n", &["--max-level", "3"]).json();
    assert_eq!(constant["data"]["columns"], 2);
    assert_whole(&constant, "");
    let one_column = mine("a,T\n".to_owned() + &"1,1\n0,0\n".repeat(10), &[]).json();
    assert_eq!(causes(&one_column), ["a"]);
}

#[test]
fn a_hundred_thousand_columns() {
    let wide = coins(100_000, 20);
    let found = mine(&wide, &["--max-level", "1", "--quiet"]).json();
    assert_eq!((&found["complete"], &found["data"]["columns"]), (&json!(true), &json!(100_000)));
    assert_eq!(found["levels"][0]["candidates"], 100_000);
    let refused = mine(&wide, &["--quiet"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
    assert!(refused.stderr.contains("level 2 has up to") && refused.stderr.contains("--max-level to 1"));
    assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
}

#[test]
fn all_columns_equal() {
    let rows = "1,1,1,1,1\n0,0,0,0,0\n1,1,1,1,0\n".repeat(40);
    let content = format!("a,b,c,d,T\n{rows}");
    let merged = mine(&content, &[]).json();
    assert_eq!(causes(&merged), ["a"]);
    assert_eq!(merged["causes"][0]["equivalent"], json!(["b", "c", "d"]));
    for more in [&["--preset", "paper"], &["--preset", "paper-table"], &["--max-level", "3"]] {
        assert_whole(&mine(&content, more).json(), "");
    }
    let table = Scratch::with("data.csv", &content).run(&["mine", "data.csv", "--target", "T"]).good();
    assert!(table.contains('a'), "{table}");
}

#[test]
fn a_perfect_predictor() {
    let mut random = Random::new(1);
    let mut content = String::from("same,other,T\n");
    for row in 0..5000 {
        content += &format!("{},{},{}\n", row % 2, u8::from(random.chance(0.5)), row % 2);
    }
    for more in [&[][..], &["--preset", "paper"], &["--test", "x2-adjusted"], &["--negate"]] {
        let found = mine(&content, more).json();
        assert_whole(&found, "");
        assert_eq!(causes(&found), ["same"], "{more:?}");
        let cause = &found["causes"][0];
        assert!(cause["p_value"].as_f64().unwrap() < 1e-300, "{cause}");
        assert!(cause["association"]["ln_p_value"].as_f64().unwrap() < -700.0, "{cause}");
        assert_eq!((&cause["risk_with"], &cause["risk_without"]), (&json!(1.0), &json!(0.0)));
    }
    for format in ["table", "csv", "markdown"] {
        let text = Scratch::with("data.csv", &content)
            .run(&["mine", "data.csv", "--target", "T", "--format", format])
            .good();
        assert!(text.contains("same") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}

#[test]
fn any_name_is_preserved_in_every_format() {
    let names = ["a&b", "c=d", "say \"hi\"", "x,y", "line\nbreak", "🦀 crab", "a|b", "it's", "<i>"];
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let mut content: String = names.map(quoted).join(",") + ",\"T,\n&=\"\n";
    let mut random = Random::new(5);
    for _ in 0..6000 {
        let cells: Vec<bool> = names.iter().map(|_| random.chance(0.3)).collect();
        let outcome = random.chance(0.1) || cells.iter().any(|&cell| cell && random.chance(0.2));
        let cells = cells.into_iter().chain([outcome]).map(|cell| u8::from(cell).to_string());
        content += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    let scratch = Scratch::with("data.csv", content);
    let run = |format| {
        let arguments = ["mine", "data.csv", "--header", "--target", "T,\n&=", "--format", format];
        scratch.run(&arguments)
    };
    let document = run("json").json();
    assert_eq!(document["target"]["name"], "T,\n&=");
    let mut found = causes(&document);
    found.sort_unstable();
    let mut expected = names.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);

    let table = run("csv").good();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let mut read: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
    read.sort_unstable();
    assert_eq!(read, expected);

    let text = run("table").good();
    for shown in ["a&b", "c=d", "say \"hi\"", "x,y", "line\\nbreak", "🦀 crab", "a|b", "it's", "<i>"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    let markdown = run("markdown").good();
    for shown in ["`a&b`", "`c=d`", "`x,y`", "`line\\nbreak`", "`🦀 crab`", "a&#124;b", "`it's`", "`<i>`"] {
        assert!(markdown.contains(shown), "{shown}: {markdown}");
    }
    let bars = |line: &&str| line.matches('|').count();
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| ")).collect();
    assert!(rows.len() > names.len(), "{markdown}");
    let first = rows.iter().take(names.len() + 1);
    assert!(first.clone().all(|row| bars(row) == bars(&rows[0])), "{markdown}");

    let ask = ["test", "data.csv", "--header", "--target", "T,\n&=", "--format", "json"];
    let answer = scratch.run(&[&ask[..], &["--x", "a&b&c=d", "--given", "x,y,line\nbreak"]].concat()).json();
    assert_eq!((&answer["x"], &answer["given"]), (&json!("a&b&c=d"), &json!(["x,y", "line\nbreak"])));
}

#[test]
fn all_encodings_of_the_same_table_agree() {
    let plain = patients(600);
    let whole = Scratch::with("data.csv", &plain);
    let ask = |scratch: &Scratch, files: &[&str], more: &[&str], stdin: &str| {
        let common = ["--target", "class=sick", "--format", "json"];
        without_timing(scratch.run_with(&[&["mine"], files, &common, more].concat(), stdin.as_bytes()).json())
    };
    let expected = ask(&whole, &["data.csv"], &[], "");
    assert!(!causes(&expected).is_empty());
    let same = |name: &str, content: Vec<u8>| {
        let scratch = Scratch::with(name, content);
        assert_eq!(ask(&scratch, &[name], &[], ""), expected, "{name}");
    };
    same("crlf.csv", plain.replace('\n', "\r\n").into());
    same("mark.csv", format!("\u{feff}{plain}").into());
    same("tabs.tsv", plain.replace(',', "\t").into());
    same("tabs.txt", plain.replace(',', "\t").into());
    same("semicolons.csv", plain.replace(',', ";").into());
    same("no-last-newline.csv", plain.trim_end().into());
    same("quoted.csv", plain.replace("meat", "\"meat\"").into());
    // Blank-separated text cannot represent an empty cell.
    same("blanks.txt", plain.replace(",,", ",NA,").replace(',', "  ").into());
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(plain.as_bytes()).unwrap();
    same("data.csv.gz", gz.finish().unwrap());
    same("data.csv.zst", zstd::encode_all(plain.as_bytes(), 3).unwrap());
    assert_eq!(ask(&whole, &["-"], &[], &plain), expected);

    let (names, rows) = plain.split_once('\n').unwrap();
    let lines: Vec<&str> = rows.lines().collect();
    let part = |lines: &[&str]| format!("{names}\n{}\n", lines.join("\n"));
    let parts = Scratch::with("one.csv", part(&lines[..250]));
    parts.write("two.csv", part(&lines[250..]));
    assert_eq!(ask(&parts, &["one.csv", "two.csv"], &[], ""), expected);
    assert_eq!(ask(&parts, &["two.csv", "-"], &[], &part(&lines[..250])), expected);

    let mut shuffled = lines.clone();
    Random::new(9).shuffle(&mut shuffled);
    same("shuffled.csv", part(&shuffled).into());

    let bare = Scratch::with("bare.csv", rows);
    let unnamed = ask_for(&bare, "V6=sick", &["--no-header"]);
    let renamed = |name: &str| {
        let places = ["age", "smoker", "gene", "diet", "blood"].iter().enumerate();
        places.fold(name.to_owned(), |name, (place, word)| name.replace(word, &format!("V{}", place + 1)))
    };
    let expected: Vec<String> = causes(&expected).into_iter().map(renamed).collect();
    assert_eq!(causes(&unnamed), expected);
    assert_eq!(causes(&ask_for(&bare, "V6=sick", &[])), expected, "a missing header is noticed");
}

fn ask_for(scratch: &Scratch, target: &str, more: &[&str]) -> Value {
    scratch.run(&[&["mine", "bare.csv", "--target", target, "--format", "json"], more].concat()).json()
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let scratch = Scratch::with("fire.csv", fire());
    let mine = |threads| {
        let arguments = ["mine", "fire.csv", "--target", "fire", "--format", "json", "--max-level", "3"];
        let text = scratch.run(&[&arguments[..], &["--threads", threads]].concat()).good();
        let (before, timing) = text.split_once("\"timing\"").unwrap();
        assert!(timing.contains("search_seconds"));
        before.to_owned()
    };
    let one = mine("1");
    assert!(one.contains("\"burning_stub&dry_brush\""), "{one}");
    assert_eq!(mine("2"), one);
    assert_eq!(mine("8"), one);
}

#[test]
fn only_terminals_get_colour() {
    let scratch = Scratch::with("fire.csv", fire());
    let arguments = ["mine", "fire.csv", "--target", "fire"];
    let plain = scratch.run(&arguments);
    assert!(!plain.stdout.contains('\u{1b}') && !plain.stderr.contains('\u{1b}'));
    let run = command(scratch.folder(), &arguments).env("NO_COLOR", "1").output().unwrap();
    assert_eq!(String::from_utf8(run.stdout).unwrap(), plain.stdout);
}

#[test]
fn quiet_silences_standard_error() {
    let scratch = Scratch::with("data.csv", patients(300));
    let target = ["data.csv", "--target", "class=sick"];
    for command in [&["mine"][..], &["encode"], &["explain", "--x", "smoker"], &["test", "--x", "smoker"]] {
        let loud = [command, &target].concat();
        let quiet = scratch.run(&[&loud[..], &["--quiet"]].concat());
        assert_eq!(quiet.stderr, "", "{command:?}");
        assert_eq!(quiet.good(), scratch.run(&loud).good(), "{command:?}");
    }
    let notices = scratch.run(&[&["mine"], &target[..]].concat()).stderr;
    assert!(notices.lines().all(|line| line.starts_with("concause: ")), "{notices}");
    assert!(notices.contains("the target is 1 where"), "{notices}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let scratch = Scratch::with("wide.csv", coins(8000, 10));
    let arguments = ["encode", "wide.csv", "--target", "T", "--format", "json"];
    let mut child = command(scratch.folder(), &arguments).spawn().unwrap();
    let mut line = String::new();
    // The output exceeds the capacity of a pipe, so the command writes to the closed pipe.
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "{\n");
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(!told.contains("panicked") && !told.contains("pipe"), "{told}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_time_limit_marks_the_result_as_incomplete() {
    for limit in ["0s", "1ms"] {
        let found = mine(coins(300, 3000), &["--time-limit", limit, "--alpha", "0.5"]).json();
        assert_eq!(found["complete"], false, "{limit}");
        assert_eq!(found["data"]["rows"], 3000);
    }
    let found = mine(coins(3, 20), &["--time-limit", "1h"]).json();
    assert_eq!(found["complete"], true);
}

/// Columns that all depend on the outcome, so that each is tested given sets of all the others.
#[cfg(unix)]
fn endless() -> String {
    let mut random = Random::new(11);
    let mut text: String = (0..300).map(|column| format!("c{column},")).collect();
    text += "T\n";
    for row in 0..2000 {
        let outcome = row % 2 == 0;
        (0..300)
            .for_each(|_| text += if random.chance(if outcome { 0.6 } else { 0.4 }) { "1," } else { "0," });
        text += if outcome { "1\n" } else { "0\n" };
    }
    text
}

/// The output of the command when it is interrupted after some seconds: none if the search had not begun.
#[cfg(unix)]
fn interrupted_after(seconds: u64, scratch: &Scratch, more: &[&str]) -> Option<String> {
    let mut child = command(scratch.folder(), &[&MINE, more].concat()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(seconds));
    let process = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    let (mut text, mut told) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    // There is no exit code if the signal came before the command had installed its handler.
    let code = child.wait().unwrap().code()?;
    assert_eq!(code, 130, "{told}");
    assert!(told.contains("interrupted") && !told.contains("panicked"), "{told}");
    if more.is_empty() {
        return (!text.is_empty()).then_some(text);
    }
    std::fs::read_to_string(scratch.path("out.json")).ok()
}

#[cfg(unix)]
#[test]
fn an_interrupt_returns_the_result_so_far() {
    let scratch = Scratch::with("data.csv", endless());
    for more in [&[][..], &["-o", "out.json"]] {
        // The command does not report when the search begins, and on a loaded machine it begins later.
        let mut waits = [1, 5, 25, 125, 625].into_iter();
        let known = waits.find_map(|seconds| interrupted_after(seconds, &scratch, more));
        let found: Value = serde_json::from_str(&known.expect("a search that was interrupted")).unwrap();
        assert_eq!(found["complete"], false);
        assert_whole(&found, "");
    }
    assert_eq!(scratch.names(), ["data.csv", "out.json"]);
}

#[test]
fn a_file_is_replaced_atomically() {
    let scratch = Scratch::with("data.csv", coins(3, 40));
    scratch.write("out.json", "x".repeat(1 << 20));
    let run = scratch.run(&[&MINE[..], &["-o", "out.json"]].concat());
    assert_eq!(run.good(), "");
    let written: Value = serde_json::from_str(&scratch.read("out.json")).unwrap();
    assert_eq!(without_timing(written), without_timing(scratch.run(&MINE).json()));
    assert_eq!(scratch.names(), ["data.csv", "out.json"]);
    // A run that fails does not change the file.
    scratch.write("out.json", "before");
    let failed = scratch.run(&["mine", "data.csv", "--target", "U", "-o", "out.json"]);
    assert_eq!((failed.code, scratch.read("out.json").as_str()), (Some(2), "before"));
    assert_eq!(scratch.names(), ["data.csv", "out.json"]);
}

#[test]
fn unwritable_outputs_are_rejected_up_front() {
    let scratch = Scratch::with("data.csv", coins(3, 40));
    let refused = |output: &str| {
        let run = scratch.run(&[&MINE[..], &["-o", output]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{output}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{output}: {}", run.stderr);
        assert!(run.stderr.contains(output), "{}", run.stderr);
    };
    refused(".");
    refused("absent/out.json");
    refused("data.csv/out.json");
    assert_eq!(scratch.names(), ["data.csv"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let locked = scratch.path("locked");
        std::fs::create_dir(&locked).unwrap();
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
        // The superuser may write everywhere.
        if std::fs::write(locked.join("trial"), "").is_err() {
            refused("locked/out.json");
        }
    }
    #[cfg(target_os = "linux")]
    refused("/proc/out.json");
}

#[cfg(target_os = "linux")]
#[test]
fn output_follows_links_and_named_pipes() {
    use std::os::unix::fs::FileTypeExt as _;
    let scratch = Scratch::with("data.csv", coins(3, 40));
    scratch.write("real.json", "before");
    std::os::unix::fs::symlink("real.json", scratch.path("link.json")).unwrap();
    scratch.run(&[&MINE[..], &["-o", "link.json"]].concat()).good();
    assert!(std::fs::symlink_metadata(scratch.path("link.json")).unwrap().is_symlink());
    assert!(scratch.read("real.json").starts_with('{'));

    let pipe = scratch.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Open at both ends, so that neither the command nor the test blocks.
    let mut end = std::fs::File::options().read(true).write(true).open(&pipe).unwrap();
    scratch.run(&[&MINE[..], &["-o", "pipe"]].concat()).good();
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    let mut first = [0];
    end.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"{");
}
