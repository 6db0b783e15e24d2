//! The encodings of the seven UCI data sets of the paper: numbers of columns, and the MDL cut points.

use std::fmt::Write as _;
use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use concause_io::{Declaration, EncodeOptions, Encoding, ReadOptions, Scheme, Source, encode, read_sources};

use crate::shared_data::shared_data;

struct SchemaColumn {
    name: String,
    role: String,
    kind: String,
    values: Vec<String>,
    cuts: Vec<f64>,
}

/// The folder of the data sets, if this machine has it.
fn folder() -> Option<PathBuf> {
    let schema = shared_data("uci/schema.tsv")?;
    schema.parent().map(Path::to_path_buf)
}

fn schema(folder: &Path, data_set: &str) -> Vec<SchemaColumn> {
    let text = std::fs::read_to_string(folder.join("schema.tsv")).unwrap();
    let parts = |field: &str| field.split('|').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    text.lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|fields| fields[0] == data_set)
        .map(|fields| {
            let cuts: Vec<String> = parts(fields[6]);
            SchemaColumn {
                name: fields[2].to_owned(),
                role: fields[3].to_owned(),
                kind: fields[4].to_owned(),
                values: parts(fields[5]),
                cuts: cuts.iter().map(|cut| cut.parse().unwrap()).collect(),
            }
        })
        .collect()
}

/// Types and declared values, without the cuts.
fn declaration(schema: &[SchemaColumn], values: bool) -> Declaration {
    let mut text = String::from("header = false\n");
    for column in schema {
        let kind = if column.role == "ignored" { "ignore" } else { &column.kind };
        write!(text, "[[attribute]]\nname = {:?}\n", column.name).unwrap();
        if column.role != "class" && values {
            writeln!(text, "type = {kind:?}").unwrap();
            if column.kind == "nominal" && column.role == "predictor" {
                writeln!(text, "values = {:?}", column.values).unwrap();
            }
        }
    }
    Declaration::parse(&text).unwrap()
}

fn encoded(paths: &[PathBuf], declaration: &Declaration, target: &str, drop_continuous: bool) -> Encoding {
    let sources: Vec<Source> = paths.iter().cloned().map(Source::Path).collect();
    let table =
        read_sources(&sources, &ReadOptions::default(), declaration, &|_| ControlFlow::Continue(())).unwrap();
    let options = EncodeOptions {
        target: target.into(),
        drop_continuous,
        scheme: Scheme::Values,
        ..EncodeOptions::default()
    };
    encode(table, &options, declaration).unwrap()
}

fn check(data_set: &str, file: &Path, target: &str, drop_continuous: bool, columns: usize, cases: u64) {
    let Some(folder) = folder() else { return };
    let schema = schema(&folder, data_set);
    let encoding = encoded(&[folder.join(file)], &declaration(&schema, true), target, drop_continuous);
    assert_eq!(encoding.dataset.columns().len(), columns, "{data_set}");
    assert_eq!(encoding.dataset.positive(), cases, "{data_set}");
    if drop_continuous {
        return;
    }
    for column in schema.iter().filter(|column| column.role == "predictor") {
        let entry = encoding.legend.iter().find(|entry| entry.attribute == column.name).unwrap();
        assert_eq!(entry.cuts, column.cuts, "{data_set} {}", column.name);
    }
}

#[test]
fn cmc_has_22_columns() {
    check("cmc", Path::new("cmc.data"), "contraceptive_method=1", true, 22, 629);
}

#[test]
fn german_has_60_columns() {
    check("german", Path::new("german.data"), "credit_risk=2", false, 60, 300);
}

#[test]
fn hypothyroid_has_51_columns() {
    check("hypothyroid", Path::new("hypothyroid.data"), "class=hypothyroid", false, 51, 151);
}

#[test]
fn kr_vs_kp_has_74_columns() {
    check("kr-vs-kp", Path::new("kr-vs-kp.data"), "class=nowin", false, 74, 1527);
}

#[test]
fn sick_has_58_columns() {
    let Some(folder) = folder() else { return };
    let text = std::fs::read_to_string(folder.join("sick.data")).unwrap();
    let cut = |line: &str| line.rsplit_once(".|").map_or(line, |(row, _)| row).to_owned() + "\n";
    let copy = tempfile::Builder::new().suffix(".data").tempfile().unwrap();
    std::fs::write(copy.path(), text.lines().map(cut).collect::<String>()).unwrap();
    check("sick", copy.path(), "class=sick", false, 58, 171);
}

#[test]
fn house_votes_has_16_columns_with_types_guessed() {
    let Some(folder) = folder() else { return };
    let declaration = declaration(&schema(&folder, "house-votes-84"), false);
    let encoding = encoded(&[folder.join("house-votes-84.data")], &declaration, "party=democrat", false);
    assert_eq!((encoding.dataset.columns().len(), encoding.dataset.positive()), (16, 267));
    assert_eq!(encoding.legend.iter().map(|entry| entry.missing).sum::<u64>(), 392);
    // Without any declaration the file is still seen to have no header.
    let bare = encoded(&[folder.join("house-votes-84.data")], &Declaration::default(), "V1=democrat", false);
    assert_eq!((bare.rows_read, bare.dataset.columns()[0].name.as_str()), (435, "V2"));
}

fn census_sources(folder: &Path) -> [PathBuf; 2] {
    [folder.join("census-income.data.gz"), folder.join("census-income.test.gz")]
}

#[test]
fn census_has_495_columns() {
    let Some(folder) = folder() else { return };
    let declaration = declaration(&schema(&folder, "census-income"), true);
    let encoding = encoded(&census_sources(&folder), &declaration, "income=50000+.", true);
    assert_eq!(encoding.rows_read, 299_285);
    assert_eq!(encoding.dataset.columns().len(), 495);
    assert_eq!((encoding.dataset.positive(), encoding.rows_without_target), (18_568, 0));
    let constant = encoding.legend.iter().flat_map(|entry| &entry.columns).filter(|column| column.ones == 0);
    assert_eq!(constant.count(), 0);
}

/// Run alone, in release: prints the time and the peak memory of reading and encoding the Census.
#[test]
#[ignore = "a measurement"]
fn census_time_and_memory() {
    let Some(folder) = folder() else { return };
    let declaration = declaration(&schema(&folder, "census-income"), true);
    let start = std::time::Instant::now();
    let sources: Vec<Source> = census_sources(&folder).into_iter().map(Source::Path).collect();
    let table = read_sources(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))
        .unwrap();
    let (read_time, table_bytes) = (start.elapsed(), table.bytes());
    let options =
        EncodeOptions { target: "income=50000+.".into(), scheme: Scheme::Values, ..EncodeOptions::default() };
    let encoding = encode(table, &options, &declaration).unwrap();
    let mut status = String::new();
    if let Ok(mut file) = std::fs::File::open("/proc/self/status") {
        file.read_to_string(&mut status).unwrap();
    }
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!(
        "read {read_time:?}, {table_bytes} bytes; read and encoded {:?}, {} columns, {} bytes; peak {peak}",
        start.elapsed(),
        encoding.dataset.columns().len(),
        encoding.dataset.bytes()
    );
}
