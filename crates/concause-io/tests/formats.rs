//! The same table in every format gives the same fingerprint and the same encoding. The files are in `tests/fixtures`,
//! where `make.py` writes them with the programs that users have.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use concause_io::{
    Declaration, EncodeOptions, Encoding, Error, ReadOptions, Source, Table, encode, read, read_sources,
};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn read_with(path: &Path, options: &ReadOptions) -> Result<Table, Error> {
    let sources = [Source::Path(path.to_owned())];
    read_sources(&sources, options, &Declaration::default(), &|_| ControlFlow::Continue(()))
}

fn run(path: &Path, target: &str) -> Result<Encoding, Error> {
    let table = read_with(path, &ReadOptions::default())?;
    encode(
        table,
        &EncodeOptions { target: target.into(), ..EncodeOptions::default() },
        &Declaration::default(),
    )
}

/// All that must be equal: the fingerprint, the columns with their counts, and the rows.
fn describe(encoding: &Encoding) -> String {
    let mut rows = Vec::new();
    encoding.write_csv(&mut rows).unwrap();
    format!("{} {:#?} {}", encoding.fingerprint, encoding.legend, String::from_utf8(rows).unwrap())
}

fn notices(encoding: &Encoding) -> String {
    encoding.notices.iter().map(|notice| format!("{notice}\n")).collect()
}

#[test]
fn every_format_gives_the_same_encoding() {
    let expected = run(&fixture("table.csv"), "outcome").unwrap();
    assert!(notices(&expected).contains("\"visit\": read as dates"), "{}", notices(&expected));
    let names = [
        "r.csv",
        "r2.csv",
        "r.txt",
        "pandas.csv",
        "table.csv.gz",
        "table.zip",
        "two.zip::table.csv",
        "parts",
        "parts/part-*.csv",
        "table.jsonl",
        "table.json",
        "v114.dta",
        "v117.dta",
        "v118.dta",
        "v119.dta",
        "labels.dta",
        "table.sav",
        "packed.sav",
        "table.zsav",
        "v5.xpt",
        "v8.xpt",
        "table.db::people",
    ];
    let mut names = names.to_vec();
    if cfg!(feature = "compression") {
        names.extend(["table.csv.bz2", "table.csv.xz"]);
    }
    if cfg!(feature = "arrow") {
        names.push("table.parquet");
    }
    if cfg!(feature = "excel") {
        names.extend(["table.xlsx", "sheets.xlsx::people"]);
    }
    for name in names {
        let found = run(&fixture(name), "outcome").unwrap_or_else(|error| panic!("{error}"));
        let (found, expected) = (describe(&found), describe(&expected));
        let difference = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        assert!(found == expected, "{name}: {difference:?}");
    }
}

#[test]
fn row_names_are_left_out_and_said() {
    for name in ["r.csv", "r2.csv", "r.txt", "pandas.csv"] {
        let found = run(&fixture(name), "outcome").unwrap();
        let notices = notices(&found);
        assert!(
            notices.contains("first column has no name: it is row names and left out"),
            "{name}: {notices}"
        );
    }
    let table = concause_io::read_text("a,,T,a,\nx,0,1,2,5\ny,1,0,3,6\n").unwrap();
    assert_eq!(table.names().collect::<Vec<_>>(), ["a", "V2", "T", "a.2", "V5"]);
    let said = "columns without a name of their own get one: column 2 as \"V2\", column 4 as \"a.2\", column 5 as \"V5\"";
    assert_eq!(table.notices(), [said]);
}

#[test]
fn genotypes_agree() {
    let expected = run(&fixture("genes.raw"), "PHENOTYPE").unwrap();
    let counts: Vec<(&str, u64)> =
        expected.legend.iter().map(|entry| (entry.attribute.as_str(), entry.missing)).collect();
    assert_eq!(counts, [("SEX", 4), ("rs1_G", 1), ("rs2_T", 2), ("2:303_A", 2)]);
    // -9 is missing.
    assert_eq!((expected.rows_read, expected.rows_without_target, expected.dataset.positive()), (13, 1, 6));
    for name in ["genes", "genes.bed", "genes.bim", "genes.fam", "genes.vcf"] {
        let found = run(&fixture(name), "PHENOTYPE").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(describe(&found), describe(&expected), "{name}");
    }
}

#[test]
fn a_damaged_file_gives_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(fixture("")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !path.is_file() || name == "make.py" {
            continue;
        }
        for companion in ["genes.bim", "genes.fam"] {
            std::fs::copy(fixture(companion), folder.path().join(companion)).unwrap();
        }
        let content = std::fs::read(&path).unwrap();
        let damaged = folder.path().join(&name);
        let step = (content.len() / 50).max(1);
        let cut = (0..content.len()).step_by(step).map(|length| content[..length].to_vec());
        let flipped = (0..content.len()).step_by(step).map(|at| {
            let mut bytes = content.clone();
            bytes[at] ^= 0xff;
            bytes
        });
        for bytes in cut.chain(flipped) {
            std::fs::write(&damaged, &bytes).unwrap();
            // Some damage goes unnoticed: a shorter text, another cell.
            if let Err(error) = read(&damaged) {
                let sentence = error.to_string();
                assert!(!sentence.contains('\n') && sentence.len() < 600, "{name}: {sentence}");
                assert!(!error.is_io(), "{name}: {sentence}");
            }
        }
    }
}
