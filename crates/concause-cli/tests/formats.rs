//! Tables in the formats that people have, the mistakes they make with them, and the format of the result.

use std::path::Path;

use crate::support::Scratch;

/// Rows as R's `write.csv` writes them.
const R_TABLE: &str = "\"\",\"dose\",\"sex\",\"ill\"\n\"1\",1.5,\"m\",\"yes\"\n\"2\",NA,\"f\",\"no\"\n\"3\",2.5,\"m\",\"yes\"\n\
                       \"4\",1.5,\"f\",\"no\"\n\"5\",3.5,\"m\",\"yes\"\n\"6\",1.5,\"f\",\"no\"\n";

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../concause-io/tests/fixtures");
    folder.join(name).display().to_string()
}

#[test]
fn a_table_of_r_is_mined_and_its_row_names_are_said() {
    let scratch = Scratch::with("r.csv", R_TABLE);
    let run = scratch.run(&["mine", "r.csv", "--target", "ill"]);
    assert!(run.stderr.contains("first column has no name: it is row names and left out"), "{}", run.stderr);
    assert!(run.good().contains("Causes of ill"));
}

#[test]
fn the_same_table_gives_the_same_result_in_all_formats() {
    let scratch = Scratch::new();
    let result = |name: &str| {
        let mut json =
            scratch.run(&["mine", &fixture(name), "--target", "outcome", "--format", "json"]).json();
        for varying in ["command", "sources", "seconds", "timing", "notices"] {
            if let Some(data) = json.as_object_mut() {
                data.remove(varying);
                if let Some(data) = data.get_mut("data").and_then(|data| data.as_object_mut()) {
                    data.remove(varying);
                }
            }
        }
        json
    };
    let expected = result("table.csv");
    for name in [
        "r.csv",
        "r2.csv",
        "pandas.csv",
        "v118.dta",
        "table.sav",
        "table.jsonl",
        "table.db::people",
        "table.zip",
        "parts",
    ] {
        assert_eq!(result(name), expected, "{name}");
    }
}

#[test]
fn labels_name_values() {
    let scratch = Scratch::with("t.csv", "sex,arm,ill\n1,0,1\n2,1,0\n1,2,1\n2,0,0\n1,1,1\n2,2,0\n");
    scratch.write("labels.toml", "[arm]\n0 = \"placebo\"\n1 = \"low, old\"\n2 = \"high\"\n");
    scratch.write("labels.csv", "attribute,value,label\narm,0,placebo\narm,1,\"low, old\"\narm,2,high\n");
    scratch.write("wrong.csv", "arms,0,placebo\n");
    for labels in ["labels.toml", "labels.csv"] {
        let legend = scratch.run(&["encode", "t.csv", "--target", "ill", "--labels", labels]).good();
        for name in ["arm=placebo", "arm=low, old", "arm=high"] {
            assert!(legend.contains(name), "{legend}");
        }
    }
    let run = scratch.run(&["encode", "t.csv", "--target", "ill", "--labels", "wrong.csv"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("\"arms\", which is no column of the table; did you mean \"arm\"?"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_output_file_decides_the_format() {
    let scratch = Scratch::with("r.csv", R_TABLE);
    for (file, format) in [
        ("report.htm", "html"),
        ("r.json", "json"),
        ("t.csv", "csv"),
        ("t.md", "markdown"),
        ("g.dot", "dot"),
        ("t.txt", "table"),
        ("result", "table"),
    ] {
        scratch.run(&["mine", "r.csv", "--target", "ill", "-o", file]).good();
        let expected = scratch.run(&["mine", "r.csv", "--target", "ill", "--format", format]).good();
        if format != "json" && format != "html" {
            // These two hold the time of the run.
            assert_eq!(scratch.read(file), expected, "{file}");
        }
        assert_eq!(scratch.read(file).get(..9), expected.get(..9), "{file}");
    }
    scratch.run(&["report", "r.json", "-o", "again.md"]).good();
    assert_eq!(scratch.read("again.md"), scratch.read("t.md"));
    scratch.run(&["explain", "r.csv", "--target", "ill", "--x", "sex=m", "-o", "e.json"]).good();
    assert!(scratch.read("e.json").starts_with('{'));
}

#[test]
fn natural_mistakes_get_one_sentence_that_leads_on() {
    let scratch = Scratch::with("r.csv", R_TABLE);
    let gzip = |content: &[u8]| {
        use std::io::Write as _;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    };
    scratch.write("model.rds", gzip(b"X\n\0\0\0\x03\0\x04\x02\x01"));
    scratch.write("work.RData", gzip(b"RDX3\nX\n\0\0\0\x03"));
    scratch.write("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n");
    scratch.write("frame.pkl", b"\x80\x05\x95\x10\0\0\0\0\0\0\0");
    scratch.write("page.csv", "<!DOCTYPE html>\n<html><body>404</body></html>\n");
    scratch.write("unknown.dat", [[0u8, 1, 2, 0xff].as_slice(), &[7; 60]].concat());
    scratch.write("data.h5", b"\x89HDF\r\n\x1a\n\0\0\0\0");
    scratch.write("comment.csv", "# made by a machine\na,b,ill\n1,2,yes\n3,4,no\n");
    let (two, database) = (fixture("two.zip"), fixture("table.db"));
    let people = format!("{database}::persons");
    let sheets = fixture("sheets.xlsx") + "::peple";
    let cases: [(&[&str], &[&str]); 16] = [
        (&["model.rds"], &["an R object", "write.csv(readRDS("]),
        (&["work.RData"], &["an R workspace", "load("]),
        (&["paper.pdf"], &["a PDF document"]),
        (&["frame.pkl"], &["a Python pickle", "read_pickle"]),
        (&["page.csv"], &["a web page", "download"]),
        (&["data.h5"], &["HDF5", "read_hdf"]),
        (&["unknown.dat"], &["binary file of an unknown format", "CSV or Parquet"]),
        (&["https://example.org/t.csv"], &["an address on the network", "download the file first"]),
        (&["*.tsv"], &["no file has such a name"]),
        (&[two.as_str()], &["holds several files: \"a.csv\", \"table.csv\"", "FILE::a.csv"]),
        (&[database.as_str()], &["holds several tables: \"notes\", \"people\"", "FILE::notes"]),
        (&[people.as_str()], &["has no part \"persons\""]),
        (&[sheets.as_str()], &["has no part \"peple\"; did you mean \"people\"?"]),
        (&["comment.csv"], &["line 2", "1 is expected", "--comment '#'"]),
        (
            &["r.csv", "--format", "csv", "-o", "report.html"],
            &["asks for the format html, but --format is csv"],
        ),
        (
            &["r.csv", "-o", "report.pdf"],
            &["this command writes no .pdf files; name the file with .txt, .json"],
        ),
    ];
    for (arguments, says) in cases {
        let run = scratch.run(&[&["mine", "--target", "ill"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("NUL"), "{arguments:?}: {}", run.stderr);
        for part in says {
            assert!(run.stderr.contains(part), "{arguments:?}: {part:?} is not in {}", run.stderr);
        }
    }
    scratch.run(&["mine", "--target", "ill", "comment.csv", "--comment", "#", "--missing", "-99"]).good();
}
