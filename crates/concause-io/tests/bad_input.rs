//! Every kind of bad input gives one clear error and no panic.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use concause_io::{
    Declaration, Delimiter, EncodeOptions, Encoding, Error, ReadOptions, Scheme, Source, TextEncoding,
    encode, read_sources,
};

struct Case {
    /// Name and content of each file.
    files: Vec<(&'static str, Vec<u8>)>,
    options: ReadOptions,
    encode: EncodeOptions,
    declaration: &'static str,
    /// Texts that the error must contain.
    says: &'static [&'static str],
}

fn case(
    file: &'static str,
    content: impl Into<Vec<u8>>,
    target: &str,
    says: &'static [&'static str],
) -> Case {
    let encode = EncodeOptions { target: target.into(), scheme: Scheme::Values, ..EncodeOptions::default() };
    let files = vec![(file, content.into())];
    Case { files, options: ReadOptions::default(), encode, declaration: "", says }
}

impl Case {
    fn and(mut self, file: &'static str, content: &str) -> Self {
        self.files.push((file, content.into()));
        self
    }

    fn declared(mut self, text: &'static str) -> Self {
        self.declaration = text;
        self
    }

    fn with(mut self, change: impl FnOnce(&mut ReadOptions, &mut EncodeOptions)) -> Self {
        change(&mut self.options, &mut self.encode);
        self
    }

    fn run(&self, folder: &Path) -> Result<Encoding, Error> {
        let mut sources = Vec::new();
        for (name, content) in &self.files {
            let path = folder.join(name);
            std::fs::write(&path, content).unwrap();
            sources.push(Source::Path(path));
        }
        let declaration = Declaration::parse(self.declaration)?;
        let table = read_sources(&sources, &self.options, &declaration, &|_| ControlFlow::Continue(()))?;
        encode(table, &self.encode, &declaration)
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn check(cases: Vec<Case>) {
    let folder = tempfile::tempdir().unwrap();
    for case in cases {
        let shown: Vec<_> =
            case.files.iter().map(|(name, content)| (name, String::from_utf8_lossy(content))).collect();
        let shown = format!("{shown:?}").chars().take(300).collect::<String>();
        let error = match case.run(folder.path()) {
            Ok(_) => panic!("no error for {shown}"),
            Err(error) => error,
        };
        assert!(!error.is_io(), "{shown}: {error}");
        let sentence = error.to_string();
        assert!(!sentence.contains('\n'), "{shown}: {sentence}");
        for part in case.says {
            assert!(sentence.contains(part), "{shown}: {sentence:?} does not say {part:?}");
        }
    }
}

#[test]
fn files_that_are_not_tables() {
    let rows = "a,b,T\n1,0,1\n0,1,0\n";
    let many: String =
        std::iter::once("a,T\n".to_owned()).chain((0..2000).map(|row| format!("{row},1\n"))).collect();
    let packed = gzip(many.as_bytes());
    let zst = zstd::encode_all(many.as_bytes(), 3).unwrap();
    let mut damaged = packed.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    check(vec![
        case("empty.csv", "", "T", &["empty.csv", "is empty"]),
        case("blank.csv", "\n\n  \n", "T", &["is empty"]),
        case("empty.csv.gz", gzip(b""), "T", &["is empty"]),
        case("header.csv", "a,b,T\n", "T", &["header.csv", "no rows"]),
        case("ragged.csv", "a,b,T\n1,0,1\n\n0,1\n", "T", &["line 4", "2 fields", "3 are expected"]),
        case("ragged.txt", "a b c\n1 2 3\n1 2 3 4\n1 2 3\n", "c", &["line 3", "4 fields", "3 are expected"]),
        case("quote.csv", "a,b,T\n1,0,1\n\"0,1,0\n1,1,1\n", "T", &["line 3", "quote", "never closed"]),
        case(
            "latin.csv",
            b"a,b,T\n1,0,1\ncaf\xe9,1,0\n".as_slice(),
            "T",
            &["line 3", "\"a\"", "encoding latin1"],
        ),
        case("latin.csv", b"caf\xe9,b,T\n1,0,1\n".as_slice(), "T", &["line 1", "encoding latin1"]),
        case("nul.csv", "a,b,T\n1,0,1\n0\0,1,0\n", "T", &["line 3", "NUL"]),
        case("wide.csv", [&[0xff, 0xfe], utf16(rows).as_slice()].concat(), "T", &["UTF-16", "convert"]),
        case("wide.csv", utf16(rows), "T", &["UTF-16", "convert"]),
        case("cut.csv.gz", &packed[..packed.len() / 2], "T", &["cut.csv.gz", "gzip", "corrupt"]),
        case("damaged.csv.gz", damaged, "T", &["gzip", "corrupt"]),
        case("cut.csv.zst", &zst[..zst.len() / 2], "T", &["Zstandard", "corrupt"]),
        case("plain.csv.gz", rows, "T", &["not gzip"]),
        case("not.parquet", rows, "T", &["not.parquet"]),
        case("not.feather", rows, "T", &["not.feather"]),
        case("cut.parquet", "PAR1....PAR1", "T", &["cut.parquet"]),
        case("cut.arrow", "ARROW1..", "T", &["cut.arrow"]),
    ]);
}

#[test]
fn paths_that_are_not_files() {
    let read_path = |path: PathBuf| {
        let options = ReadOptions::default();
        read_sources(&[Source::Path(path)], &options, &Declaration::default(), &|_| ControlFlow::Continue(()))
    };
    let folder = tempfile::tempdir().unwrap();
    let error = read_path(folder.path().join("absent.csv")).unwrap_err();
    assert!(error.to_string().contains("no such file") && !error.is_io(), "{error}");
    let error = read_path(folder.path().to_owned()).unwrap_err();
    assert!(error.to_string().contains("is a folder without files") && !error.is_io(), "{error}");
    for name in ["a.csv", "b.xyz"] {
        std::fs::write(folder.path().join(name), "a,b\n1,0\n").unwrap();
    }
    let error = read_path(folder.path().to_owned()).unwrap_err().to_string();
    assert!(error.contains("several kinds (.csv, .xyz)") && error.contains("/*.csv'"), "{error}");
    let error = read_path(folder.path().join("*.parquet")).unwrap_err().to_string();
    assert!(error.contains("no file has such a name"), "{error}");
    let error = read_path("https://example.org/data.csv".into()).unwrap_err().to_string();
    assert!(error.contains("is an address") && error.contains("download"), "{error}");
    let error = Declaration::read(&Source::Path(folder.path().join("absent.toml"))).unwrap_err();
    assert!(error.to_string().contains("no such declaration file"), "{error}");
    let error =
        read_sources(&[], &ReadOptions::default(), &Declaration::default(), &|_| ControlFlow::Continue(()));
    assert!(error.unwrap_err().to_string().contains("no input"));
}

#[test]
fn files_that_do_not_agree() {
    let first = || case("one.csv", "a,b,T\n1,0,1\n", "T", &["two.csv"]);
    let says = |mut case: Case, says: &'static [&'static str]| {
        case.says = says;
        case
    };
    check(vec![
        says(first().and("two.csv", "a,c,T\n1,0,1\n"), &["two.csv", "column 2", "\"c\"", "\"b\""]),
        says(first().and("two.csv", "a,b\n1,0\n"), &["two.csv", "2 columns", "\"T\" is missing"]),
        says(first().and("two.csv", "1,0,1\n"), &["two.csv", "\"1\"", "\"a\""]),
        case("one.csv", "1,0\n0,1\n", "V1", &["two.csv", "3 columns"]).and("two.csv", "1,0,1\n"),
    ]);
}

#[test]
fn targets_that_cannot_be_used() {
    let words = "class,a\nsick,1\nwell,0\nwell,1\n";
    let numbers: String = std::iter::once("x,a\n".to_owned())
        .chain((0..30).map(|row| format!("{row},{}\n", row % 2)))
        .collect();
    let texts: String = std::iter::once("x,a\n".to_owned())
        .chain((0..70_000).map(|row| format!("w{row},{}\n", row % 2)))
        .collect();
    check(vec![
        case("t.csv", words, "clas", &["no column \"clas\"", "did you mean \"class\"?"]),
        case("t.csv", words, "CLASS=sick", &["did you mean \"class\"?"]),
        case("t.csv", words, "class=dead", &["no value \"dead\"", "\"sick\", \"well\""]),
        case("t.csv", "T,a\n1,0\n1,1\n", "T", &["\"T\"", "1 in all 2 rows"]),
        case("t.csv", "T,a\n1,0\n1,1\n", "T=1", &["1 in all 2 rows"]),
        case("t.csv", "T,a\n0,0\n0,1\n", "T", &["0 in all 2 rows"]),
        case("t.csv", "T,a\n,0\nNA,1\n", "T", &["no value in any row"]),
        case("t.csv", numbers, "x", &["too many distinct numbers", "NAME=VALUE"]),
        case("t.csv", texts, "x=w1", &["too many distinct values"]),
        case("t.csv", "T,a\n1,0\n0,1\n", "T", &["cannot be ignored"])
            .with(|_, encode| encode.ignore = vec!["T".into()]),
        case("t.csv", "T,a\n1,\n0,1\n", "T", &["0 in all 1 rows"])
            .with(|_, encode| encode.missing_as = concause_io::MissingAs::Drop),
    ]);
}

#[test]
fn columns_that_cannot_be_used() {
    let identifiers: String = std::iter::once("id,T\n".to_owned())
        .chain((0..30).map(|row| format!("w{row},{}\n", row % 2)))
        .collect();
    check(vec![
        case("c.csv", identifiers, "T", &["no column but the target"]),
        case("c.csv", "T\n1\n0\n", "T", &["no column but the target"]),
        case("c.csv", "a,a=x,T\nx,1,1\ny,0,0\n", "T", &["\"a\"", "\"a=x\"", "both give"]),
        case("c.csv", "a,a=0,T\n1,1,1\n0,0,0\n", "T", &["\"a=0\"", "both give"])
            .with(|_, encode| encode.negate = true),
        case("c.csv", "a,T\n1,1\n0,0\n", "T", &["no column \"b\""])
            .with(|_, encode| encode.nominal = vec!["b".into()]),
        case("c.csv", "a,T\n1,1\n0,0\n", "T", &["two types"]).with(|_, encode| {
            (encode.nominal, encode.binary) = (vec!["a".into()], vec!["a".into()]);
        }),
        case("c.csv", "a,T\nx,1\ny,0\n", "T", &["\"a\"", "declared binary", "\"x\", \"y\""])
            .with(|_, encode| encode.binary = vec!["a".into()]),
        case("c.csv", "a,T\nx,1\n2,0\n", "T", &["\"a\"", "declared continuous", "\"x\""])
            .with(|_, encode| encode.continuous = vec!["a".into()]),
        case("c.csv", "a,T\n1,1\n0,0\n", "T", &["bands must"]).with(|_, encode| encode.bands = Some(1)),
    ]);
}

#[test]
fn declarations_that_do_not_fit() {
    let attributes = "[[attribute]]\nname = \"a\"\nvalues = [\"x\", \"y\"]\n";
    check(vec![
        case("d.csv", "b,T\nx,1\ny,0\n", "T", &["d.csv", "\"a\"", "declared"])
            .declared(attributes)
            .with(|options, _| options.header = Some(true)),
        case("d.csv", "a,T\nx,1\nz,0\n", "T", &["\"z\"", "declared values", "\"x\", \"y\""])
            .declared(attributes),
        case("d.csv", "x,1\ny,0\n", "a", &["2 columns", "1 attributes are declared"])
            .declared(attributes)
            .with(|options, _| options.header = Some(false)),
        case("d.csv", "a,T\nx,1\n", "T", &["line 2", "unknown field"]).declared("header = true\nwidth = 3\n"),
    ]);
}

#[test]
fn tables_beyond_the_memory() {
    let limit = |case: Case, bytes: u64| case.with(|options, _| options.max_memory = Some(bytes));
    let wide: Vec<u8> = b"a,T\n\"".iter().copied().chain(std::iter::repeat_n(b'x', 3 << 20)).collect();
    let bomb = gzip(&[b"a,T\n".as_slice(), &b"1,0\n".repeat(1 << 20)].concat());
    let encoded = case("m.csv", "a,T\nx,1\ny,0\n", "T", &["max_memory", "2 encoded columns"]);
    let endless: Vec<u8> = b"a,T\n\"".iter().copied().chain(std::iter::repeat_n(b'x', 70 << 20)).collect();
    check(vec![
        limit(case("m.csv", wide, "T", &["max_memory", "line 2"]), 1 << 20),
        limit(case("m.csv.gz", bomb, "T", &["max_memory", "rows"]), 1 << 20),
        encoded.with(|_, encode| encode.max_memory = Some(10)),
        case("m.csv", endless, "T", &["64 MB", "line 2"]),
    ]);
}

#[test]
fn delimiters_outside_ascii_are_rejected_and_reading_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let mut bad = case("x.csv", "a,T\n1,1\n0,0\n", "T", &[]);
    bad.options.delimiter = Some(Delimiter::Byte(0xe9));
    assert!(bad.run(folder.path()).unwrap_err().to_string().contains("ASCII"));
    let source = Source::Path(folder.path().join("x.csv"));
    std::fs::write(folder.path().join("x.csv"), "a,T\n1,1\n0,0\n").unwrap();
    let stopped =
        read_sources(
            &[source],
            &ReadOptions::default(),
            &Declaration::default(),
            &|_| ControlFlow::Break(()),
        );
    assert!(stopped.unwrap_err().is_cancelled());
}

#[test]
fn latin1_is_read_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let mut latin = case("l.csv", b"caf\xe9,T\n\xfcber,1\nunter,0\n".as_slice(), "T", &[]);
    latin.options.encoding = TextEncoding::Latin1;
    let encoding = latin.run(folder.path()).unwrap();
    assert_eq!(encoding.dataset.columns()[1].name, "café=über");
}

#[test]
fn no_bytes_cause_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let words: [&[u8]; 22] = [
        b"a",
        b"T",
        b"1",
        b"0",
        b",",
        b",",
        b",",
        b"\n",
        b"\n",
        b"\r\n",
        b"\"",
        b"\"\"",
        b" ",
        b"\t",
        b";",
        b"NA",
        b"?",
        b"-1.5e3",
        b"inf",
        b"\xe9",
        b"\xef\xbb\xbf",
        b"\0",
    ];
    let mut stream = concause::random::Random::new(5);
    let mut random = |bound: usize| stream.below(bound);
    let (mut good, mut bad) = (0, 0);
    for round in 0..2000 {
        let reach = if round % 2 == 0 { words.len() - 3 } else { words.len() };
        let mut content = if round % 4 == 0 { Vec::new() } else { b"T,b\n1,x\n0,y\n".to_vec() };
        (0..random(30)).for_each(|_| content.extend_from_slice(words[random(reach)]));
        let target = ["T", "V1", "a=1", "T=1"][random(4)];
        let mut case = case("noise.csv", content, target, &[]);
        case.options.quote = [Some(b'"'), None][random(2)];
        case.options.delimiter = [None, Some(Delimiter::Blank), Some(Delimiter::Byte(b','))][random(3)];
        case.encode.negate = random(2) == 0;
        case.encode.bands = [None, Some(3)][random(2)];
        case.encode.missing_as = [concause_io::MissingAs::Zero, concause_io::MissingAs::Level][random(2)];
        match case.run(folder.path()) {
            Ok(_) => good += 1,
            Err(error) => {
                assert!(!error.to_string().contains('\n') && !error.is_io(), "{error}");
                bad += 1;
            }
        }
    }
    assert!(good > 20 && bad > 50, "{good} read, {bad} refused");
}
