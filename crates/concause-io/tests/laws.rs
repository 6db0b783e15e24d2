//! Laws of every encoding: it does not depend on the order of the rows or on the file format, and it follows the rules
//! of names, types, missing cells and targets.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use concause::random::Random;
use concause_io::{
    AttributeKind, Declaration, Delimiter, EncodeOptions, Encoding, Error, LegendColumn, MissingAs,
    ReadOptions, Scheme, Source, encode, read_sources,
};

fn encode_file(path: &Path, declaration: &str, options: &EncodeOptions) -> Result<Encoding, Error> {
    let declaration = Declaration::parse(declaration)?;
    let sources = [Source::Path(path.to_owned())];
    let table =
        read_sources(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))?;
    encode(table, options, &declaration)
}

fn encode_text(text: &str, declaration: &str, options: &EncodeOptions) -> Result<Encoding, Error> {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    encode_file(file.path(), declaration, options)
}

fn target(target: &str) -> EncodeOptions {
    EncodeOptions { target: target.into(), scheme: Scheme::Values, ..EncodeOptions::default() }
}

fn names(encoding: &Encoding) -> Vec<&str> {
    encoding.dataset.columns().iter().map(|column| column.name.as_str()).collect()
}

/// All that must agree between two encodings of the same table.
fn assert_same(left: &Encoding, right: &Encoding, what: &str) {
    assert_eq!(left.legend, right.legend, "{what}");
    assert_eq!(left.target, right.target, "{what}");
    assert_eq!(left.notices, right.notices, "{what}");
    assert_eq!(left.fingerprint, right.fingerprint, "{what}");
    assert_eq!(left.dataset.layout(), right.dataset.layout(), "{what}");
    assert_eq!(left.dataset.columns(), right.dataset.columns(), "{what}");
}

/// Rows of flag (binary), colour (text), size (number), code (integer), outcome (boolean); some cells missing.
fn rows(count: usize) -> Vec<[Option<String>; 5]> {
    let mut random = Random::new(3);
    let row = |_| {
        let outcome = random.below(3) == 0;
        let size = random.below(400) as f64 / 8.0 + if outcome { 30.0 } else { 0.0 };
        let colour = ["red", "blue, light", "say \"green\"", "žlutá"][random.below(4)];
        let mut row = [
            Some(random.below(2).to_string()),
            Some(colour.to_owned()),
            Some(size.to_string()),
            Some((random.below(5) as i64 - 2).to_string()),
            Some(outcome.to_string()),
        ];
        row.iter_mut().take(4).for_each(|cell| {
            if random.below(12) == 0 {
                *cell = None;
            }
        });
        row
    };
    (0..count).map(row).collect()
}

const NAMES: [&str; 5] = ["flag", "colour", "size", "code", "outcome"];

fn written(rows: &[[Option<String>; 5]], delimiter: char) -> String {
    let mut text = NAMES.join(&delimiter.to_string()) + "\n";
    for row in rows {
        let quoted = |cell: &Option<String>| match cell {
            None => String::new(),
            Some(cell) => format!("\"{}\"", cell.replace('"', "\"\"")),
        };
        text += &(row.iter().map(quoted).collect::<Vec<_>>().join(&delimiter.to_string()) + "\n");
    }
    text
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let mut rows = rows(700);
    let expected = encode_text(&written(&rows, ','), "", &target("outcome")).unwrap();
    assert!(!expected.legend[2].cuts.is_empty(), "the size must have been cut");
    let mut random = Random::new(11);
    for _ in 0..5 {
        random.shuffle(&mut rows);
        let shuffled = encode_text(&written(&rows, ','), "", &target("outcome")).unwrap();
        assert_same(&expected, &shuffled, "shuffled rows");
    }
    rows[0][1] = Some("changed".into());
    let changed = encode_text(&written(&rows, ','), "", &target("outcome")).unwrap();
    assert_ne!(expected.fingerprint, changed.fingerprint);
    let other = encode_text(&written(&rows, ','), "", &target("flag")).unwrap();
    assert_ne!(other.fingerprint, changed.fingerprint);
}

#[test]
fn the_text_formats_agree() {
    let rows = rows(700);
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        encode_file(&path, "", &target("outcome")).unwrap()
    };
    let csv = written(&rows, ',');
    let expected = put("t.csv", csv.as_bytes());
    let gzip = |content: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    };
    let (head, tail) = csv.as_bytes().split_at(csv.len() / 2);
    assert_same(&expected, &put("t.tsv", written(&rows, '\t').as_bytes()), "tsv");
    assert_same(&expected, &put("t.txt", written(&rows, ';').as_bytes()), "semicolons");
    assert_same(&expected, &put("t.csv.gz", &gzip(csv.as_bytes())), "gzip");
    assert_same(&expected, &put("members.csv.gz", &[gzip(head), gzip(tail)].concat()), "two gzip members");
    assert_same(&expected, &put("unnamed", &gzip(csv.as_bytes())), "gzip without extension");
    assert_same(&expected, &put("t.csv.zst", &zstd::encode_all(csv.as_bytes(), 3).unwrap()), "Zstandard");
    assert_same(&expected, &put("crlf.csv", csv.replace('\n', "\r\n").as_bytes()), "CRLF");
    assert_same(&expected, &put("bom.csv", &[b"\xef\xbb\xbf".as_slice(), csv.as_bytes()].concat()), "BOM");
}

#[test]
fn several_files_are_one_table() {
    let rows = rows(300);
    let folder = tempfile::tempdir().unwrap();
    let expected = encode_text(&written(&rows, ','), "", &target("outcome")).unwrap();
    let parts = [("one.csv", &rows[..120]), ("two.csv", &rows[120..])];
    let sources = parts.map(|(name, rows)| {
        std::fs::write(folder.path().join(name), written(rows, ',')).unwrap();
        Source::Path(folder.path().join(name))
    });
    let declaration = Declaration::default();
    let table = read_sources(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))
        .unwrap();
    assert_same(&expected, &encode(table, &target("outcome"), &declaration).unwrap(), "two files");
}

#[test]
fn kinds_are_detected_and_columns_named() {
    let text = "a,b,c,d,e,T\n1.0,Yes,F,x,1,1\n0,no,t,y=z,2,0\n1,NO,,\"q \"\"&\",1,0\n?,null,f,x,2,1\n";
    let encoding = encode_text(text, "", &target("T")).unwrap();
    assert_eq!(names(&encoding), ["a", "b", "c", "d=q \"&", "d=x", "d=y=z"]);
    let kinds: Vec<AttributeKind> = encoding.legend.iter().map(|entry| entry.kind).collect();
    use AttributeKind::{Binary, Nominal, Ordered};
    assert_eq!(kinds, [Binary, Binary, Binary, Nominal, Ordered]);
    let missing: Vec<u64> = encoding.legend.iter().map(|entry| entry.missing).collect();
    assert_eq!(missing, [1, 1, 1, 0, 0]);
    let column = &encoding.legend[0].columns[0];
    assert_eq!((column.ones, column.ones_positive, column.meaning.as_str()), (2, 1, "a is 1 or 1.0"));
    assert!(encoding.legend[4].note.is_some());
    assert!(encoding.notices.iter().any(|notice| notice.to_string().contains("\"e\"")));
    assert_eq!((encoding.attributes_read, encoding.rows_read), (6, 4));
    assert_eq!(encoding.fingerprint.len(), 32);
}

#[test]
fn declared_values_fix_columns_and_marks() {
    let declaration = "[[attribute]]\nname = \"origin\"\nvalues = [\"NA\", \"00\", \"0\", \"never\"]\n\
                       [[attribute]]\nname = \"flag\"\ntype = \"nominal\"\nvalues = [0, 1]\n";
    let text = "origin,flag,T\nNA,0,1\n0,1,0\n00,1,0\n?,,1\n";
    let encoding = encode_text(text, declaration, &target("T")).unwrap();
    assert_eq!(names(&encoding), ["origin=NA", "origin=00", "origin=0", "origin=never", "flag=0", "flag=1"]);
    let ones: Vec<u64> = encoding.legend[0].columns.iter().map(|column| column.ones).collect();
    assert_eq!(ones, [1, 1, 1, 0]);
    assert_eq!(encoding.legend[0].missing, 1);
}

#[test]
fn missing_cells_become_zero_a_level_or_no_row() {
    let text = "a,b,b=other,T\nx,1,0,1\n,0,0,0\nmissing,,0,0\ny,1,0,\ny,1,1,1\nx,0,0,0\n";
    let run = |missing_as| encode_text(text, "", &EncodeOptions { missing_as, ..target("T") }).unwrap();
    let zero = run(MissingAs::Zero);
    assert_eq!((zero.dataset.rows(), zero.rows_without_target, zero.rows_dropped), (5, 1, 0));
    assert_eq!(names(&zero), ["a=missing", "a=x", "a=y", "b", "b=other"]);
    let level = run(MissingAs::Level);
    assert_eq!(names(&level), ["a=missing", "a=x", "a=y", "a=missing 2", "b", "b=missing", "b=other"]);
    assert_eq!(level.legend[0].columns[3].ones, 1);
    let dropped = run(MissingAs::Drop);
    assert_eq!((dropped.dataset.rows(), dropped.rows_without_target, dropped.rows_dropped), (3, 1, 2));
}

#[test]
fn targets_are_found_by_name_and_value() {
    let text = "Class,k=v,n,word,a\n1.0,p,3,Yes,0\n0.0,q,4,no,1\n1,p,3.0,YES,1\n";
    let cases = [
        ("Class", 2, None),
        ("Class=1", 2, Some("1")),
        ("Class=0", 1, Some("0")),
        ("Class=true", 2, Some("true")),
        ("k=v=p", 2, Some("p")),
        ("n=3", 2, Some("3")),
        ("word=yes", 2, Some("yes")),
        ("word", 2, None),
    ];
    for (written, cases, value) in cases {
        let encoding = encode_text(text, "", &target(written)).unwrap();
        assert_eq!(encoding.dataset.positive(), cases, "{written}");
        assert_eq!(encoding.dataset.target().value.as_deref(), value, "{written}");
    }
}

#[test]
fn negations_bins_and_declared_cuts() {
    let text: String = std::iter::once("x,f,T\n".to_owned())
        .chain((0..40).map(|row| format!("{row},{},{}\n", if row % 5 == 0 { "" } else { "1" }, row % 2)))
        .collect();
    let options = EncodeOptions { negate: true, bands: Some(4), ..target("T") };
    let encoding = encode_text(&text, "", &options).unwrap();
    assert_eq!(names(&encoding), ["x<9.5", "9.5<=x<19.5", "19.5<=x<29.5", "x>=29.5", "f", "f=0"]);
    let ones: Vec<u64> = encoding.legend[1].columns.iter().map(|column| column.ones).collect();
    assert_eq!(ones, [32, 0], "a missing cell is not a negation");
    let declaration = "[[attribute]]\nname = \"x\"\ncuts = [1, 20.25]\n";
    let encoding = encode_text(&text, declaration, &target("T")).unwrap();
    assert_eq!(names(&encoding), ["x<1", "1<=x<20.25", "x>=20.25", "f"]);
    assert_eq!(encoding.legend[0].columns[1].ones, 20);
}

#[test]
fn the_encoded_table_is_written_with_cases_first() {
    let text = "\"a,b\",c,T\n0,x,0\n1,\"say \"\"y\"\"\",1\n0,x,1\n";
    let encoding = encode_text(text, "", &target("T")).unwrap();
    let mut out = Vec::new();
    encoding.write_csv(&mut out).unwrap();
    let expected = "\"a,b\",\"c=say \"\"y\"\"\",c=x,T\n1,1,0,1\n0,0,1,1\n0,0,1,0\n";
    assert_eq!(String::from_utf8(out.clone()).unwrap(), expected);
    let again = encode_text(expected, "", &target("T")).unwrap();
    assert_eq!(names(&again), names(&encoding));
}

#[test]
fn odd_names_and_shapes_survive() {
    let text = "\"line\nbreak\",a&b,a=b,😀,\"q\"\"q\",T\n1,0,x,1,0,1\n0,1,y,0,1,0\n";
    let encoding = encode_text(text, "", &target("T")).unwrap();
    assert_eq!(names(&encoding), ["line\nbreak", "a&b", "a=b=x", "a=b=y", "😀", "q\"q"]);
    let wide = 100_000;
    let header: Vec<String> = (0..wide).map(|column| format!("c{column}")).collect();
    let row =
        |bit: usize| (0..wide).map(|column| ((column + bit) % 2).to_string()).collect::<Vec<_>>().join(",");
    let text = format!("{}\n{}\n{}\n", header.join(","), row(0), row(1));
    let encoding = encode_text(&text, "", &target("c0")).unwrap();
    assert_eq!(encoding.dataset.columns().len(), wide - 1);
}

#[test]
fn many_distinct_values_are_coded_in_wider_codes() {
    for count in [255usize, 256, 65_535, 65_536, 70_000] {
        let text: String = std::iter::once("x,T\n".to_owned())
            .chain((0..count * 2).map(|row| format!("{},{}\n", row / 2 * 2, u8::from(row >= count))))
            .collect();
        let encoding = encode_text(&text, "", &target("T")).unwrap();
        let ones: Vec<u64> = encoding.legend[0].columns.iter().map(|column| column.ones).collect();
        let positive: Vec<u64> =
            encoding.legend[0].columns.iter().map(|column| column.ones_positive).collect();
        let below = count.div_ceil(2) as u64 * 2 - if count % 2 == 1 { 2 } else { 0 };
        assert!(
            ones == [below, count as u64 * 2 - below] || ones == [below + 2, count as u64 * 2 - below - 2],
            "{count}: {ones:?}"
        );
        assert!(positive[1] >= count as u64 - 1, "{count}: {positive:?}");
    }
}

#[test]
fn text_with_too_many_values_is_left_out() {
    let text: String = std::iter::once("x,a,T\n".to_owned())
        .chain((0..70_000).map(|row| format!("w{row},{},{}\n", row % 3 / 2, row % 2)))
        .collect();
    let encoding = encode_text(&text, "", &target("T")).unwrap();
    assert_eq!(names(&encoding), ["a"]);
    assert!(encoding.notices.iter().any(|notice| notice.to_string().contains("65536")));
}

#[test]
fn blank_separated_and_headerless_files_are_read() {
    let options =
        ReadOptions { delimiter: Some(Delimiter::Blank), header: Some(false), ..ReadOptions::default() };
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "a  1\t0\n\"b c\" 0 1\n").unwrap();
    let sources = [Source::Path(file.path().to_owned())];
    let declaration = Declaration::default();
    let table = read_sources(&sources, &options, &declaration, &|_| ControlFlow::Continue(())).unwrap();
    assert_eq!(table.names().collect::<Vec<_>>(), ["V1", "V2", "V3"]);
    let encoding = encode(table, &target("V3"), &declaration).unwrap();
    assert_eq!(names(&encoding), ["V1=a", "V1=b c", "V2"]);
}

#[test]
fn a_first_line_of_numbers_is_a_header_if_it_names_the_target() {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), "1990,1991,y\n0,1,1\n1,1,0\n1,0,1\n0,0,0\n").unwrap();
    let (sources, declaration) = ([Source::Path(file.path().to_owned())], Declaration::default());
    for (written, expected) in [("y", 4), ("y=1", 4), ("x", 5)] {
        let options = ReadOptions { target: Some(written.into()), ..ReadOptions::default() };
        let table = read_sources(&sources, &options, &declaration, &|_| ControlFlow::Continue(())).unwrap();
        assert_eq!(table.rows(), expected, "{written}");
    }
}

/// The shares refer to the rows with a target value. A request for another encoding needs no notice.
#[test]
fn missing_values_that_become_zero_are_reported_with_their_shares() {
    let text = "a,b,c,t\n1,x,0,1\n,x,1,0\n0,,1,1\n,y,0,0\n,,1,\n1,y,0,1\n0,x,1,0\n";
    let about_missing = |missing_as: MissingAs| -> Vec<String> {
        let options = EncodeOptions { missing_as, ..target("t") };
        let notices = encode_text(text, "", &options).unwrap().notices;
        notices
            .iter()
            .map(ToString::to_string)
            .filter(|notice| notice.starts_with("missing values"))
            .collect()
    };
    let zero = about_missing(MissingAs::Zero);
    assert_eq!(zero.len(), 1);
    assert!(zero[0].contains("attribute: \"a\" (33.3 %), \"b\" (16.7 %); if"), "{zero:?}");
    assert_eq!(about_missing(MissingAs::Level), [""; 0]);
    assert_eq!(about_missing(MissingAs::Drop), [""; 0]);
}

/// Without the paper's scheme: one column for two values, thresholds of numbers, rare values pooled, identifiers left
/// out.
#[test]
fn attributes_have_as_few_columns_as_say_everything() {
    let mut text = "nr,patient_id,townid,sex,flag,age,dose,town,T\n".to_owned();
    for row in 0..400usize {
        let sex = ["male", "female"][row % 2];
        let flag = ["no", "yes"][row / 2 % 2];
        let town = if row < 8 { format!("town {}", row / 2) } else { ["A", "B", "C"][row % 3].into() };
        let (age, dose) = (row * 37 % 80 + 10, row % 3);
        text += &format!(
            "{},{},{},{sex},{flag},{age},{dose},{town},{}\n",
            row + 1,
            row % 40 * 9,
            row / 9,
            row % 5 / 4
        );
    }
    let options = || EncodeOptions { scheme: Scheme::Attributes, ..target("T") };
    let encoding = encode_text(&text, "", &options()).unwrap();
    let columns = encoding.dataset.columns();
    let names: Vec<[&str; 2]> = columns.iter().map(|column| [&*column.name, &*column.negation]).collect();
    let is_age = |name: &&[&str; 2]| name[0].starts_with("age");
    let others: Vec<&[&str; 2]> = names.iter().filter(|name| !is_age(name)).collect();
    assert_eq!(
        others,
        [
            &["sex=male", "sex=female"],
            &["flag", "flag=no"],
            &["dose>=1", "dose<1"],
            &["dose>=2", "dose<2"],
            &["town=A", "town≠A"],
            &["town=B", "town≠B"],
            &["town=C", "town≠C"],
            &["town=other", "town≠other"],
        ]
    );
    let ages: Vec<&[&str; 2]> = names.iter().filter(is_age).collect();
    assert!(ages.len() == 15 && ages.iter().all(|name| name[0].starts_with("age>=")), "{ages:?}");
    // Every row reaches the thresholds up to its band.
    let reached = |column: usize| {
        let LegendColumn { ones, .. } =
            &encoding.legend.iter().flat_map(|entry| &entry.columns).nth(column).unwrap();
        *ones
    };
    for (number, column) in columns.iter().enumerate().filter(|(_, column)| column.name.starts_with("age")) {
        let cut: usize = column.cut.as_deref().unwrap().parse().unwrap();
        assert_eq!(reached(number), (0..400usize).filter(|row| row * 37 % 80 + 10 >= cut).count() as u64);
    }
    let notices: Vec<String> = encoding.notices.iter().map(ToString::to_string).collect();
    for part in [
        "\"nr\", \"patient_id\", \"townid\": left out as an identifier",
        "rare values are pooled: 4 of \"town\" as \"other\"",
    ] {
        assert!(notices.iter().any(|notice| notice.contains(part)), "{part}: {notices:?}");
    }
    let used =
        EncodeOptions { used: vec!["nr".into()], cuts: vec![("age".into(), vec![30.0, 60.0])], ..options() };
    let encoding = encode_text(&text, "", &used).unwrap();
    let names: Vec<&str> = encoding.dataset.columns().iter().map(|column| &*column.name).collect();
    assert!(names.contains(&"nr>=200") || names.iter().any(|name| name.starts_with("nr>=")), "{names:?}");
    assert_eq!(
        names.iter().filter(|name| name.starts_with("age")).collect::<Vec<_>>(),
        [&"age>=30", &"age>=60"]
    );
    // The declaration gives the same columns.
    let declaration = encode_text(&text, &encoding.declaration(), &options()).unwrap();
    assert_eq!(declaration.dataset.columns().len(), names.len());
}

/// Cutting looks at the values alone: the thresholds do not depend on the outcome.
#[test]
fn bands_do_not_depend_on_the_outcome() {
    let table = |outcome: fn(usize) -> usize| {
        let rows = (0..300).map(|row| format!("{},{}\n", (row * 7919) % 1000, outcome(row)));
        format!("x,T\n{}", rows.collect::<String>())
    };
    let names = |text: &str| -> Vec<String> {
        let options = EncodeOptions { scheme: Scheme::Attributes, ..target("T") };
        let encoding = encode_text(text, "", &options).unwrap();
        encoding.dataset.columns().iter().map(|column| column.name.clone()).collect()
    };
    let found = names(&table(|row| row % 2));
    assert!(found.len() > 5, "{found:?}");
    assert_eq!(found, names(&table(|row| usize::from(row * 7919 % 1000 > 600))));
}

#[test]
fn two_words_and_comparisons_are_targets() {
    let text = "outcome,score,x\nwell,3,1\nsick,7,0\nwell,9,1\nsick,2,0\n";
    for (written, label, cases) in [
        ("outcome", "outcome=well", 2),
        ("outcome=sick", "outcome=sick", 2),
        ("score>=7", "score>=7", 2),
        ("score<3", "score<3", 1),
    ] {
        let encoding = encode_text(text, "", &target(written)).unwrap();
        assert_eq!((encoding.dataset.target().label().as_str(), encoding.dataset.positive()), (label, cases));
        assert!(encoding.legend.iter().all(|entry| !written.starts_with(&entry.attribute)));
    }
}

#[test]
fn many_ordered_attributes_have_fewer_bands() {
    let mut random = Random::new(4);
    let names: Vec<String> = (0..500).map(|number| format!("x{number}")).collect();
    let mut text = names.join(",") + ",T\n";
    for row in 0..300 {
        let cells: Vec<String> = names.iter().map(|_| (random.unit() * 1e4).round().to_string()).collect();
        text += &format!("{},{}\n", cells.join(","), row % 2);
    }
    let options = EncodeOptions { scheme: Scheme::Attributes, ..target("T") };
    let encoding = encode_text(&text, "", &options).unwrap();
    let columns = encoding.dataset.columns().len();
    assert!((2_000..=4_000).contains(&columns), "{columns}");
    assert!(encoding.notices.iter().any(|notice| notice.to_string().contains("at most 9 bands each")));
    let asked = EncodeOptions { bands: Some(12), ..options };
    assert!(encode_text(&text, "", &asked).unwrap().dataset.columns().len() > 5_000);
}
