//! Tests that every division of the work among threads and chunks gives the result of reading record by record.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use concause::random::Random;

use super::ChunkSize;
use crate::declaration::Declaration;
use crate::options::{Delimiter, ReadOptions, TextEncoding};
use crate::read::{WorkDivision, read_divided};
use crate::source::Source;
use crate::table::{Attribute, CellStore, Codes, Table};

/// One thread and no chunks: the simple reader that serves as the oracle.
const RECORD_BY_RECORD: WorkDivision =
    WorkDivision { threads: 1, chunk_size: ChunkSize { usual: 64, longest: 0 } };

/// The full state of an attribute as text.
fn describe(attribute: &Attribute) -> String {
    let cells = match &attribute.cells {
        CellStore::Coded(dictionary, codes) => {
            let width = match codes {
                Codes::Booleans(_) => 0,
                Codes::One(_) => 1,
                Codes::Two(_) => 2,
                Codes::Four(_) => 4,
            };
            let values: Vec<_> = dictionary
                .iter()
                .map(|(code, _)| (dictionary.value(code), dictionary.number(code)))
                .collect();
            let mut rows = Vec::new();
            codes.for_each(|_, code| rows.push(code));
            format!("{width} bytes, {} texts, {values:?}, {rows:?}", dictionary.text_values())
        }
        CellStore::Numbers(numbers) => {
            format!("{:?}", numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>())
        }
        other => format!("{other:?}"),
    };
    format!("{}: {cells}", attribute.name)
}

/// The full state of a table as text, or the error.
fn read_and_describe(
    paths: &[PathBuf],
    options: &ReadOptions,
    declaration: &Declaration,
    division: WorkDivision,
) -> String {
    let sources: Vec<Source> = paths.iter().map(|path| Source::Path(path.clone())).collect();
    match read_divided(&sources, options, declaration, &|_| ControlFlow::Continue(()), division) {
        Ok(Table { attributes, rows, .. }) => {
            let attributes: Vec<String> = attributes.iter().map(describe).collect();
            format!("{rows} rows\n{}", attributes.join("\n"))
        }
        Err(error) => format!("error: {error}"),
    }
}

/// Reads files in many divisions and checks that all results are equal; returns the result.
fn check_divisions(
    paths: &[PathBuf],
    options: &ReadOptions,
    declaration: &Declaration,
    sizes: &[usize],
) -> String {
    let expected = read_and_describe(paths, options, declaration, RECORD_BY_RECORD);
    for &usual in sizes {
        for (threads, longest) in [(1, 1 << 20), (2, 1 << 20), (5, 1 << 20), (2, 2 * usual)] {
            let division = WorkDivision { threads, chunk_size: ChunkSize { usual, longest } };
            let found = read_and_describe(paths, options, declaration, division);
            assert!(found == expected, "{division:?} {options:?}\nfound {found}\nexpected {expected}");
        }
    }
    expected
}

fn write(folder: &Path, name: &str, text: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A text of some rows, with quotes, marks and line ends as in real tables, and sometimes with errors.
fn random_text(random: &mut Random, delimiter: u8) -> Vec<u8> {
    let quotes = random.below(3);
    let has_errors = random.below(4) == 0;
    let columns = 1 + random.below(5);
    // More than the sample for detection, or the file would not be divided.
    let rows = 1 + random.below(4000);
    let cells: [&[u8]; 14] = [
        b"",
        b"NA",
        b" x ",
        b"1",
        b"-2.5",
        b"yes",
        b"a longer cell than sixteen bytes",
        b"a longer cell than sixteen bites",
        b"sixteen bytes 16",
        b"seventeen bytes 7",
        "žlutá".as_bytes(),
        b"mid\"dle",
        b"\xef\xbb\xbfmark",
        b"\t?",
    ];
    let quoted: [&[u8]; 8] = [
        b"\"\"",
        b"\"a,b\"",
        b"\"two\nlines\"",
        b"\"say \"\"so\"\"\"",
        b"\"x\"y",
        b"\"\r\n\"",
        b"\"\"\"\"",
        b"\"q\"\"\nz\"",
    ];
    let line_ends: [&[u8]; 6] = [b"\n", b"\n", b"\r\n", b"\n\n", b"\n  \r\n", b"\r"];
    let line_end_choice = 1 + random.below(line_ends.len());
    let mut text = Vec::new();
    for column in 0..columns {
        text.extend_from_slice(format!("{}c{column}", if column == 0 { "" } else { " " }).as_bytes());
        text.push(if column + 1 == columns { b'\n' } else { delimiter });
    }
    for row in 0..rows {
        for column in 0..columns {
            if column > 0 {
                text.push(delimiter);
            }
            if quotes > 0 && random.below(if quotes == 1 { 400 } else { 3 }) == 0 {
                text.extend_from_slice(quoted[random.below(quoted.len())]);
            } else if random.below(3) == 0 {
                text.extend_from_slice(random.below(1000).to_string().as_bytes());
            } else {
                text.extend_from_slice(cells[random.below(cells.len())]);
            }
        }
        if has_errors && random.below(rows) == 0 {
            let errors: [&[u8]; 5] = [b"\xe9", b"\0", b",", b"\n\"open", b"\nshort\n"];
            text.extend_from_slice(errors[random.below(errors.len())]);
        }
        if row + 1 < rows || random.below(2) == 0 {
            text.extend_from_slice(line_ends[random.below(line_end_choice)]);
        }
    }
    text
}

#[test]
fn any_division_gives_the_same_table_or_the_same_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(20);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..60 {
        let delimiter = [b',', b',', b';', b' '][random.below(4)];
        let files: Vec<PathBuf> = (0..1 + random.below(2))
            .map(|file| write(folder.path(), &format!("{file}.csv"), &random_text(&mut random, delimiter)))
            .collect();
        let options = ReadOptions {
            delimiter: Some(if delimiter == b' ' { Delimiter::Blank } else { Delimiter::Byte(delimiter) }),
            header: Some(true),
            quote: [Some(b'"'), Some(b'"'), None][random.below(3)],
            encoding: [TextEncoding::Utf8, TextEncoding::Utf8, TextEncoding::Latin1][random.below(3)],
            ..ReadOptions::default()
        };
        let found = check_divisions(&files, &options, &Declaration::default(), &[64, 1000, 1 << 20]);
        if found.starts_with("error") { bad += 1 } else { good += 1 }
    }
    assert!(good > 10 && bad > 10, "{good} read, {bad} refused");
}

#[test]
fn dictionaries_are_given_up_in_any_division() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |count: usize, cell: &dyn Fn(usize) -> String| -> Vec<u8> {
        let mut text = b"few,many,T\n".to_vec();
        (0..count).for_each(|row| text.extend(format!("{},{},{}\n", row % 300, cell(row), row % 2).bytes()));
        text
    };
    let number =
        |row: usize| if row.is_multiple_of(9) { "NA".to_owned() } else { (row * 7 % 90_001).to_string() };
    let late_word = |row: usize| if row == 99_000 { "word".to_owned() } else { number(row) };
    let early_word = |row: usize| if row == 3 { "word".to_owned() } else { number(row) };
    let cases: [(&dyn Fn(usize) -> String, usize); 4] =
        [(&number, 100_000), (&late_word, 100_000), (&early_word, 100_000), (&number, 60_000)];
    for (cell, count) in cases {
        let path = write(folder.path(), "many.csv", &rows(count, cell));
        check_divisions(&[path], &ReadOptions::default(), &Declaration::default(), &[20_000, 1 << 18]);
    }
}

#[test]
fn declared_values_and_marks_are_honoured_in_any_division() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = b"a,b\n".to_vec();
    (0..30_000usize)
        .for_each(|row| text.extend(format!("{},{}\n", ["NA", "-9", "x"][row % 3], row % 7).bytes()));
    let path = write(folder.path(), "t.csv", &text);
    let declaration =
        Declaration::parse("missing = [\"-9\"]\n[[attribute]]\nname = \"a\"\nvalues = [\"NA\", \"x\"]\n")
            .unwrap();
    let found = check_divisions(&[path], &ReadOptions::default(), &declaration, &[64, 5000]);
    assert!(found.contains("[(\"NA\", None), (\"x\", None)]"), "{}", &found[..200]);
}

#[test]
fn a_failing_stream_is_reported_after_earlier_errors() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    for error in ["", "1,2,3\n"] {
        let mut text: String = (0..40_000).map(|row| format!("{row},{}\n", row * 37 % 1000)).collect();
        text.insert_str(text.len() / 2, &format!("\n{error}1,"));
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        let mut packed = encoder.finish().unwrap();
        packed.truncate(packed.len() * 9 / 10);
        let path = write(folder.path(), "cut.csv.gz", &packed);
        let found = check_divisions(
            &[path],
            &ReadOptions::default(),
            &Declaration::default(),
            &[64, 10_000, 1 << 20],
        );
        assert!(found.starts_with("error"), "{}", &found[..100]);
        assert!(found.contains("corrupt") || found.contains("line"), "{found}");
    }
}

#[test]
fn cells_of_one_byte_are_read_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(17);
    for round in 0..40 {
        let columns = 1 + random.below(40);
        let (line_end, others) = (["\n", "\r\n"][random.below(2)], [0, 0, 3, 200][random.below(4)]);
        let letters: &[u8] = [b"01".as_slice(), b"0123456789?", b"NYny01TF-.;"][random.below(3)];
        let mut text: Vec<u8> =
            (0..columns).map(|column| format!("c{column}")).collect::<Vec<_>>().join(",").into();
        text.extend_from_slice(line_end.as_bytes());
        // More than the sample for detection, or the text would not be divided.
        while text.len() < 200 << 10 {
            for column in 0..columns {
                if column > 0 {
                    text.push(b',');
                }
                match random.below(1 + others * columns) {
                    1 => text.extend_from_slice(
                        ["", "12", " 1", "NA", "\u{e9}", "x y"][random.below(6)].as_bytes(),
                    ),
                    _ => text.push(letters[random.below(letters.len())]),
                }
            }
            text.extend_from_slice(if random.below(500) == 0 { b"\n\n" } else { line_end.as_bytes() });
        }
        if random.below(2) == 0 {
            text.truncate(text.trim_ascii_end().len());
        }
        if random.below(5) == 0 {
            // One field too many.
            text.extend_from_slice(b",1\n");
        }
        let path = write(folder.path(), "bytes.csv", &text);
        let options = ReadOptions { delimiter: Some(Delimiter::Byte(b',')), ..ReadOptions::default() };
        let found = check_divisions(&[path], &options, &Declaration::default(), &[1000, 50_000]);
        assert!(found.len() > 20, "{round}: {found}");
    }
}
