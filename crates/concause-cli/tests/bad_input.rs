//! Every bad input gets exit code 2 and one clear sentence; there is no panic and no file is left behind.

use std::io::Write as _;

use crate::support::Scratch;

/// Valid rows.
const GOOD: &str = "V1,V2,T\n1,0,1\n0,1,0\n1,1,1\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n0,0,0\n";

struct Case {
    files: Vec<(&'static str, Vec<u8>)>,
    arguments: Vec<&'static str>,
    /// Texts that the sentence must contain.
    says: &'static [&'static str],
}

/// A file that cannot be mined.
fn file(name: &'static str, content: impl Into<Vec<u8>>, says: &'static [&'static str]) -> Case {
    Case { files: vec![(name, content.into())], arguments: vec!["mine", name, "--target", "T"], says }
}

/// A table that is rejected.
fn table(content: impl Into<Vec<u8>>, says: &'static [&'static str]) -> Case {
    file("data.csv", content, says)
}

/// A valid table mined with flags that are rejected.
fn flags(more: &[&'static str], says: &'static [&'static str]) -> Case {
    table(GOOD, says).and(more)
}

/// Arguments that are rejected although `good.csv` exists.
fn command(arguments: &[&'static str], says: &'static [&'static str]) -> Case {
    Case { files: vec![("good.csv", GOOD.into())], arguments: arguments.to_vec(), says }
}

impl Case {
    fn and(mut self, more: &[&'static str]) -> Self {
        self.arguments.extend(more);
        self
    }

    fn beside(mut self, name: &'static str, content: &str) -> Self {
        self.files.push((name, content.into()));
        self
    }

    fn check(&self) {
        let scratch = Scratch::new();
        self.files.iter().for_each(|(name, content)| scratch.write(name, content));
        let before = scratch.names();
        for more in [&[][..], &["-o", "out.json"]] {
            let arguments = [&self.arguments, more].concat();
            let run = scratch.run(&arguments);
            let shown = format!("{arguments:?}\n{}{}", run.stdout, run.stderr);
            assert_eq!(run.code, Some(2), "{shown}");
            assert_eq!(run.stdout, "", "{shown}");
            assert_eq!(scratch.names(), before, "{shown}");
            assert!(!run.stderr.contains("panicked"), "{shown}");
            let sentence = match run.stderr.strip_prefix("error: ") {
                // Below the sentence, clap prints the usage of the command.
                Some(told) => told.split_once("\n\n").map_or(told, |(sentence, _)| sentence),
                None => {
                    // Notices about the data precede the error.
                    assert!(run.stderr.lines().all(|line| line.starts_with("concause: ")), "{shown}");
                    run.stderr.lines().last().unwrap_or_else(|| panic!("{shown}"))
                }
            };
            for part in self.says {
                assert!(sentence.contains(part), "{part:?} is not said: {shown}");
            }
        }
    }
}

fn check(cases: impl IntoIterator<Item = Case>) {
    cases.into_iter().for_each(|case| case.check());
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn damaged(packed: &[u8], place: usize) -> Vec<u8> {
    let mut packed = packed.to_vec();
    packed[place] ^= 0xff;
    packed
}

/// A table that hardly compresses.
fn many_rows() -> Vec<u8> {
    let rows = (0u64..3000).map(|row| format!("{},{}\n", row.wrapping_mul(0x9e37_79b9_7f4a_7c15), row % 2));
    std::iter::once("a,T\n".to_owned()).chain(rows).collect::<String>().into_bytes()
}

#[test]
fn missing_files() {
    check([
        command(&["mine", "absent.csv", "--target", "T"], &["absent.csv", "no such file"]),
        command(&["mine", "https://example.org/t.csv", "--target", "T"], &["is an address", "download"]),
        command(&["mine", "good.csv", "absent.csv", "--target", "T"], &["absent.csv", "no such file"]),
        command(&["mine", "-", "-", "--target", "T"], &["standard input", "only once"]),
        command(&["mine", "-", "--target", "T"], &["standard input", "is empty"]),
        command(&["test", "absent.csv", "--target", "T", "--x", "V1"], &["absent.csv", "no such file"]),
        command(&["explain", "absent.csv", "--target", "T", "--x", "V1"], &["absent.csv", "no such file"]),
        command(&["encode", "absent.csv", "--target", "T"], &["absent.csv", "no such file"]),
    ]);
}

#[test]
fn texts_that_are_not_tables() {
    let wide = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.iter().copied().chain(GOOD.encode_utf16().flat_map(bytes)).collect()
    };
    check([
        table("", &["data.csv", "is empty"]),
        table("\n \n", &["is empty"]),
        table("V1,V2,T\n", &["data.csv", "no rows"]),
        table("V1,V2,T\n1,0,1\n0,1\n", &["data.csv, line 3", "2 fields", "3 are expected"]),
        table("V1,V2,T\n1,0,1\n0,1,1,1\n", &["data.csv, line 3", "4 fields"]),
        table("V1,V2,T\n1,0,1\n\"0,1,0\n1,1,1\n", &["line 3", "quote", "never closed"]),
        table(b"V1,V2,T\ncaf\xe9,0,1\n0,1,0\n", &["line 2", "not UTF-8", "--encoding latin1"]),
        table(b"caf\xe9,V2,T\n1,0,1\n0,1,0\n", &["line 1", "--encoding latin1"]),
        table("V1,V2,T\n1,0,1\n0\0,1,0\n", &["line 3", "NUL"]),
        table(wide(&[0xff, 0xfe], u16::to_le_bytes), &["UTF-16", "convert it to UTF-8"]),
        table(wide(&[0xfe, 0xff], u16::to_be_bytes), &["UTF-16"]),
        table(wide(&[], u16::to_le_bytes), &["UTF-16"]),
        table("V1,T\n1,1\n0,0\n", &["two.csv", "column 1", "\"V2\"", "\"V1\""])
            .beside("two.csv", "V2,T\n1,1\n0,0\n")
            .and(&["two.csv"]),
    ]);
}

#[test]
fn damaged_compressed_files() {
    let rows = many_rows();
    let (gz, zst) = (gzip(&rows), zstd::encode_all(rows.as_slice(), 3).unwrap());
    let half = |packed: &[u8]| packed[..packed.len() / 2].to_vec();
    check([
        file("data.csv.gz", half(&gz), &["data.csv.gz", "gzip", "cut short"]),
        // In the checksum at the end, in the header, and in the rows, where the damage may be read as rows first.
        file("data.csv.gz", damaged(&gz, gz.len() - 6), &["data.csv.gz", "gzip", "corrupt"]),
        file("data.csv.gz", damaged(&gz, 2), &["data.csv.gz", "gzip", "corrupt"]),
        file("data.csv.gz", damaged(&gz, gz.len() / 2), &["data.csv.gz"]),
        file("data.csv.gz", GOOD, &["data.csv.gz", "is not gzip"]),
        file("data.csv.zst", half(&zst), &["data.csv.zst", "Zstandard", "cut short"]),
        file("data.csv.zst", damaged(&zst, 4), &["data.csv.zst", "Zstandard", "corrupt"]),
        file("data.csv.zst", GOOD, &["data.csv.zst", "is not Zstandard"]),
    ]);
}

/// Parquet and Arrow files with one damaged bit: rejected, or read as a different table, but never a panic.
#[test]
fn damaged_columnar_files() {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};

    let number: ArrayRef = Arc::new(Int32Array::from_iter_values((0..500).map(|row| row % 7)));
    let word: ArrayRef = Arc::new(StringArray::from_iter_values((0..500).map(|row| format!("w{}", row % 5))));
    let target: ArrayRef = Arc::new(Int32Array::from_iter_values((0..500).map(|row| row % 2)));
    let batch = RecordBatch::try_from_iter([("a", number), ("b", word), ("T", target)]).unwrap();
    let (mut parquet, mut arrow) = (Vec::new(), Vec::new());
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut parquet, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(&mut arrow, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);

    let half = |whole: &[u8]| whole[..whole.len() / 2].to_vec();
    check([
        file("data.parquet", half(&parquet), &["data.parquet", "corrupt or cut short"]),
        file("data.parquet", GOOD, &["data.parquet", "not a Parquet file"]),
        file("data.arrow", half(&arrow), &["data.arrow", "corrupt or cut short"]),
        file("data.arrow", GOOD, &["data.arrow", "not an Arrow file"]),
    ]);
    let scratch = Scratch::new();
    let mut refused = 0;
    for (name, whole) in [("data.parquet", parquet), ("data.arrow", arrow)] {
        scratch.write(name, &whole);
        scratch.run(&["mine", name, "--target", "T"]).good();
        for place in (0..whole.len()).step_by(whole.len() / 70) {
            let mut broken = whole.clone();
            broken[place] ^= 0xff;
            scratch.write(name, &broken);
            let run = scratch.run(&["mine", name, "--target", "T", "--quiet", "--max-memory", "1G"]);
            let shown = format!("{name}, byte {place}: {:?} {}", run.code, run.stderr);
            assert!(matches!(run.code, Some(0 | 2)) && !run.stderr.contains("panicked"), "{shown}");
            if run.code == Some(2) {
                refused += 1;
                assert!(run.stderr.starts_with("concause: ") && run.stderr.lines().count() == 1, "{shown}");
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn tables_beyond_the_memory_or_the_budget() {
    let bomb = gzip(&[b"a,T\n".as_slice(), &b"1,0\n".repeat(1 << 20)].concat());
    check([
        file("bomb.csv.gz", bomb, &["--max-memory", "rows"]).and(&["--max-memory", "1M"]),
        table(many_rows(), &["--max-memory"]).and(&["--max-memory", "1K"]),
        table(
            "a,b,c,T\n1,1,0,1\n0,1,1,0\n1,0,0,0\n0,0,1,1\n",
            &["level 2 has up to 3 candidates", "the budget of 1", "--max-level to 1", "--max-candidates"],
        )
        .and(&["--max-candidates", "1"]),
    ]);
}

#[test]
fn targets_that_cannot_be_used() {
    let classes = "class,a\nsick,1\nwell,0\ndead,1\nwell,0\n";
    let numbers: String = (0..40).map(|row| format!("{row},{}\n", row % 2)).collect();
    let mine = |content: String, target, says| Case {
        files: vec![("data.csv", content.into())],
        arguments: vec!["mine", "data.csv", "--header", "--target", target],
        says,
    };
    check([
        mine(classes.into(), "clas", &["no column \"clas\"", "did you mean \"class\"?"]),
        mine(classes.into(), "clas=sick", &["did you mean \"class\"?"]),
        mine(classes.into(), "weather", &["the columns are \"class\", \"a\""]),
        mine(classes.into(), "class", &["\"dead\", \"sick\", \"well\"", "--target class=dead"]),
        mine(classes.into(), "class=ill", &["no value \"ill\"", "\"dead\", \"sick\", \"well\""]),
        mine(format!("T,a\n{numbers}"), "T", &["too many distinct numbers", "NAME=VALUE"]),
        mine("T,a\n1,0\n1,1\n".into(), "T", &["\"T\"", "1 in all 2 rows", "varies"]),
        mine("T,a\n0,0\n0,1\n".into(), "T", &["0 in all 2 rows"]),
        mine("T,a\n1,0\n".into(), "T", &["1 in all 1 rows"]),
        mine("T,a\n,0\nNA,1\n?,1\n".into(), "T", &["\"T\"", "no value in any row"]),
        mine("T,a\n1,0\n0,1\n".into(), "", &["no column \"\""]),
        mine("T,a\n1,0\n0,1\n".into(), "a\nb", &["no column \"a\\nb\""]),
    ]);
}

#[test]
fn tables_without_a_usable_column() {
    let identifiers: String = (0..40).map(|row| format!("person {row},{}\n", row % 2)).collect();
    check([
        table("T\n1\n0\n", &["no column but the target"]),
        table("a,T\n,1\n,0\n", &["no column but the target"]),
        table(format!("id,T\n{identifiers}"), &["no column but the target"]),
        flags(&["--ignore", "V1,V2"], &["no column but the target"]),
        flags(&["--ignore", "V1,V3"], &["no column \"V3\"", "did you mean \"V"]),
        flags(&["--nominal", "V1", "--binary", "V1"], &["\"V1\"", "two types"]),
    ]);
}

#[test]
fn flags_with_unknown_values() {
    let test = ["test", "good.csv", "--target", "T", "--x", "V1"];
    let with = |more: &[&'static str], says| command(&[&test, more].concat(), says);
    check([
        flags(&["--format", "xml"], &["'xml'", "--format", "table, json, csv"]),
        with(&["--format", "xml"], &["'xml'", "--format", "table, json"]),
        flags(&["--input-format", "xml"], &["'xml'", "text, parquet, arrow"]),
        flags(
            &["--method", "magic"],
            &["'magic'", "hiton-pc, mh-pc-f, mh-pc-b, joint, pc-select, naive-h, naive-s, cr-pa, cr-cs"],
        ),
        flags(&["--preset", "magic"], &["'magic'", "default, paper, paper-table"]),
        flags(&["--test", "t"], &["'t'", "g2"]),
        with(&["--test", "t"], &["'t'", "g2"]),
        flags(&["--overlap", "maybe"], &["'maybe'", "allow, skip"]),
        flags(&["--duplicates", "maybe"], &["'maybe'", "merge, ordinary"]),
        flags(&["--twins", "maybe"], &["'maybe'", "--duplicates", "merge, ordinary"]),
        flags(&["--missing-as", "maybe"], &["'maybe'", "zero, level, drop"]),
        flags(&["--encoding", "ebcdic"], &["'ebcdic'", "utf8, latin1"]),
        flags(&["--delimiter", "::"], &["'::'", "one ASCII character"]),
        flags(&["--delimiter", "é"], &["'é'", "one ASCII character"]),
        flags(&["--quote", "''"], &["one ASCII character"]),
        flags(&["--delimiter", ",", "--quote", ","], &["not the quote"]),
        flags(&["--max-memory", "lots"], &["500M"]),
        flags(&["--time-limit", "soon"], &["90s"]),
        flags(&["--bands", "1"], &["'1'", "2 to 1000"]),
        flags(&["--threads", "many"], &["'many'", "whole number"]),
        flags(&["--threads", "99999"], &["--threads", "4096"]),
        flags(&["--max-level", "0"], &["--max-level", "at least 1"]),
        flags(&["--max-level", "-1"], &["'-1'"]),
        flags(&["--max-level", "21"], &["--max-level", "at most 20"]),
        flags(&["--max-k", "11"], &["--max-k", "at most 10"]),
        flags(&["--preset", "paper-table", "--max-level", "3"], &["paper-table", "--max-level"]),
        flags(&["--preset", "paper-table", "--method", "naive-h"], &["paper-table", "naive-h"]),
        flags(&["--method", "cr-pa", "--max-level", "3"], &["cr-pa", "--max-level", "at most 2"]),
        flags(&["--colour"], &["unexpected argument '--colour'"]),
    ]);
    for alpha in ["0", "1", "-1", "nan", "abc", "inf", ""] {
        let between = &["between 0 and 1"][..];
        for flag in ["--alpha", "--redundancy-alpha"] {
            // Joined by `=`, because a separate negative number would be read as a flag.
            let joined: &'static str = format!("{flag}={alpha}").leak();
            flags(&[joined], between).check();
        }
        with(&[format!("--alpha={alpha}").leak()], between).check();
    }
}

#[test]
fn commands_without_required_arguments() {
    let refused = |arguments: &[&str], part: &str| {
        let run = Scratch::with("good.csv", GOOD).run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.contains(part), "{arguments:?}: {}", run.stderr);
    };
    refused(&["mine", "good.csv"], "--target");
    refused(&["mine", "--target", "T"], "DATA");
    refused(&["test", "good.csv", "--target", "T"], "--x");
    refused(&["explain", "good.csv", "--target", "T"], "--x");
    refused(&["dig"], "unrecognized subcommand 'dig'");
    refused(&["completions", "dos"], "'dos'");
}

#[test]
fn queries_about_unknown_columns() {
    let test =
        |more: &[&'static str], says| command(&[&["test", "good.csv", "--target", "T"], more].concat(), says);
    let explain = |x, says| command(&["explain", "good.csv", "--target", "T", "--x", x], says);
    check([
        test(&["--x", "v1"], &["no column", "v1", "did you mean", "V1"]),
        test(&["--x", "V1&V22"], &["no column", "V1&V22"]),
        test(&["--x", ""], &["no column"]),
        test(&["--x", "a\nb"], &["no column"]),
        test(&["--x", "V1", "--given", "V2,VV2"], &["no column", "VV2", "did you mean", "V2"]),
        test(&["--x", "V1", "--within", "V3"], &["no column", "V3", "did you mean"]),
        test(&["--x", "V1", "--given", "V2,V2,V2,V2,V2,V2,V2,V2,V2,V2,V2,V2,V2,V2,V2,V2,V2"], &["16", "17"]),
        explain("V11", &["no column", "V11", "did you mean", "V1"]),
        explain("T", &["no column", "T"]),
    ]);
}

#[test]
fn invalid_files_of_queries() {
    let ask = |content: &str, says| {
        command(&["test", "good.csv", "--target", "T", "--queries", "q.csv"], says).beside("q.csv", content)
    };
    check([
        command(&["test", "good.csv", "--target", "T", "--queries", "absent.csv"], &["absent.csv"]),
        command(&["test", "good.csv", "--target", "T", "--queries", "."], &["cannot be read"]),
        command(&["test", "good.csv", "--target", "T", "--queries", "q.csv", "--x", "V1"], &["--queries"]),
        ask("", &["q.csv", "x,given,within,test"]),
        ask("V1,V2\n", &["q.csv", "x,given,within,test"]),
        ask("x,alpha\nV1,0.1\n", &["q.csv", "'alpha'"]),
        ask("x,given\nV1,V2\nV9,V2\n", &["q.csv, line 3", "V9"]),
        ask("x,given\nV1,V2;V9\n", &["q.csv, line 2", "V9"]),
        ask("x,within\nV1,V9\n", &["q.csv, line 2", "V9"]),
        ask("x,test\nV1,t\n", &["q.csv, line 2", "g2"]),
    ]);
}

#[test]
fn invalid_declarations() {
    let declare = |content: &str, says| flags(&["--declare", "d.toml"], says).beside("d.toml", content);
    let attribute = |lines: &str| format!("[[attribute]]\nname = \"V1\"\n{lines}");
    check([
        flags(&["--declare", "absent.toml"], &["absent.toml", "no such"]),
        flags(&["--declare", "."], &["directory"]),
        declare("header = \n", &["d.toml, line 1"]),
        declare("header = true\nwidth = 3\n", &["d.toml, line 2", "width"]),
        declare(&attribute("sort = \"binary\"\n"), &["d.toml, line 3", "sort"]),
        declare(&attribute("type = \"wide\"\n"), &["d.toml, line 3", "wide"]),
        declare("[[attribute]]\nname = \"V11\"\n", &["\"V11\"", "declared", "did you mean \"V1\"?"]),
        declare(&attribute("cuts = [2, 1]\n"), &["d.toml", "\"V1\"", "ascending order"]),
        declare(&attribute("values = [\"x\"]\n"), &["\"V1\"", "declared values", "\"x\""]),
    ]);
}
