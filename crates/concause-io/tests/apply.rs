//! Further rows are encoded like the table.

use std::ops::ControlFlow;
use std::path::Path;

use concause_io::{
    Declaration, EncodeOptions, MissingAs, ReadOptions, Scheme, Source, Table, apply_declaration, encode,
    read_sources,
};

fn table(path: &Path, text: &str) -> Table {
    std::fs::write(path, text).unwrap();
    let sources = [Source::Path(path.to_owned())];
    read_sources(&sources, &ReadOptions::default(), &Declaration::default(), &|_| ControlFlow::Continue(()))
        .unwrap()
}

/// Cases first, so that the rows of the dataset are those of the table.
fn text() -> String {
    let mut text = String::from("flag,colour,size,many,t\n");
    for row in 0..70_000u32 {
        let cell = |present: bool, value: String| if present { value } else { String::new() };
        let flag = cell(row % 11 != 0, if row % 3 == 0 { "yes".into() } else { "no".into() });
        let colour = cell(row % 13 != 0, ["red", "blue", "a=b"][row as usize % 3].into());
        let size = cell(row % 7 != 0, format!("{}", if row < 30_000 { row % 50 } else { row % 60 + 30 }));
        text += &format!("{flag},{colour},{size},{}.5,{}\n", row * 7 % 70_001, u8::from(row < 30_000));
    }
    text
}

#[test]
fn the_rows_of_the_table_get_their_own_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let schemes = [Scheme::Attributes, Scheme::Values];
    let ways = schemes.into_iter().flat_map(|scheme| [(scheme, MissingAs::Zero), (scheme, MissingAs::Level)]);
    for (scheme, missing_as) in ways {
        let options = EncodeOptions {
            scheme,
            target: "t".into(),
            negate: true,
            missing_as,
            bands: Some(3),
            ..Default::default()
        };
        let encoding = encode(table(&path, &text()), &options, &Declaration::default()).unwrap();
        let names: Vec<String> =
            encoding.dataset.columns().iter().map(|column| column.name.clone()).collect();
        assert!(names.len() > 8, "{names:?}");
        let (attributes, written) = encoding.declaration_of(&names);
        assert_eq!(attributes, ["flag", "colour", "size", "many"]);
        let declaration = Declaration::parse(&written).unwrap();
        let applied = apply_declaration(&table(&path, &text()), &declaration, &options, &names).unwrap();
        let mut csv = Vec::new();
        encoding.write_csv(&mut csv).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        for (row, line) in csv.lines().skip(1).enumerate() {
            let bits: String = applied.iter().map(|column| if column[row] { "1," } else { "0," }).collect();
            assert!(line.starts_with(&bits), "row {row}: {line} and not {bits}");
        }
    }
}

#[test]
fn unknown_values_are_zero() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let options = EncodeOptions { target: "t".into(), ..Default::default() };
    let encoding = encode(table(&path, &text()), &options, &Declaration::default()).unwrap();
    let names = ["colour=red", "flag"].map(str::to_owned);
    let (attributes, written) = encoding.declaration_of(&names);
    assert_eq!(attributes, ["flag", "colour"]);
    let declaration = Declaration::parse(&written).unwrap();
    let rows = |text: &str| apply_declaration(&table(&path, text), &declaration, &options, &names);
    let found = rows("size,colour,flag\nx,red,yes\ny,green,no\nz,,\n").unwrap();
    assert_eq!(found, [[true, false, false], [true, false, false]]);
    assert_eq!(rows("colour,flag\nred,\nblue,\n").unwrap(), [[true, false], [false, false]]);
    let sentence = rows("colour,size\nred,1\n").unwrap_err().to_string();
    assert!(sentence.contains("no column \"flag\""), "{sentence}");
}
