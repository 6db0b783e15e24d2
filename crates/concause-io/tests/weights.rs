//! Weights are equivalent to repeated rows: the encoding, the counts and the notices are the same.

use std::ops::ControlFlow;
use std::path::Path;

use concause::random::Random;
use concause_io::{
    Declaration, EncodeOptions, Encoding, Error, MissingAs, ReadOptions, Source, encode, read_sources,
};

fn encode_text(text: &str, declaration: &str, options: &EncodeOptions) -> Result<Encoding, Error> {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    encode_file(file.path(), declaration, options)
}

fn encode_file(path: &Path, declaration: &str, options: &EncodeOptions) -> Result<Encoding, Error> {
    let declaration = Declaration::parse(declaration)?;
    let sources = [Source::Path(path.to_owned())];
    let table =
        read_sources(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))?;
    encode(table, options, &declaration)
}

fn options(target: &str) -> EncodeOptions {
    EncodeOptions { target: target.into(), ..EncodeOptions::default() }
}

fn weighted(options: &EncodeOptions) -> EncodeOptions {
    EncodeOptions { weights: Some("w".into()), ..options.clone() }
}

/// Rows of all kinds of attribute with missing cells, missing targets and weights. The weights are in the middle.
/// Some values are in rows of weight 0 only.
fn rows(seed: u64, count: usize) -> Vec<(usize, [String; 6])> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let weight = [0, 1, 1, 2, 3, 40, 1000][random.below(if count > 200 { 6 } else { 7 })];
            let outcome = random.below(3) == 0;
            let colour = if weight == 0 { "never" } else { ["red", "blue", "3"][random.below(3)] };
            let size = random.below(300) + if outcome { 120 } else { 0 };
            let id = format!("id{}", random.below(if count > 200 { 25 } else { 10_000 }));
            let mut cells = [
                random.below(2).to_string(),
                colour.to_owned(),
                (size as f64 / 8.0).to_string(),
                id,
                random.below(4).to_string(),
                ["no", "yes"][usize::from(outcome)].to_owned(),
            ];
            cells.iter_mut().filter(|_| random.below(15) == 0).for_each(String::clear);
            (weight, cells)
        })
        .collect()
}

/// The same rows with their weights, and repeated.
fn both(rows: &[(usize, [String; 6])]) -> [String; 2] {
    let (mut weighted, mut repeated) =
        ("flag,colour,w,size,id,code,T\n".to_owned(), "flag,colour,size,id,code,T\n".to_owned());
    for (weight, cells) in rows {
        let (before, after) = cells.split_at(2);
        weighted += &format!("{},{weight},{}\n", before.join(","), after.join(","));
        repeated += &format!("{}\n", cells.join(",")).repeat(*weight);
    }
    [weighted, repeated]
}

fn assert_same(weighted: &Encoding, repeated: &Encoding, what: &str) {
    let legend: Vec<_> = weighted.legend.iter().filter(|entry| entry.attribute != "w").collect();
    assert_eq!(legend, repeated.legend.iter().collect::<Vec<_>>(), "{what}");
    assert_eq!(weighted.target, repeated.target, "{what}");
    assert_eq!(weighted.notices[1..], repeated.notices[..], "{what}");
    assert_eq!(weighted.fingerprint, repeated.fingerprint, "{what}");
    let told = |it: &Encoding| (it.rows_read, it.rows_without_target, it.rows_dropped);
    assert_eq!(told(weighted), told(repeated), "{what}");
    let (one, other) = (&weighted.dataset, &repeated.dataset);
    assert_eq!((one.layout(), one.attributes()), (other.layout(), other.attributes()), "{what}");
    let names = |encoding: &Encoding| {
        encoding.dataset.columns().iter().map(|column| column.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(weighted), names(repeated), "{what}");
    for column in 0..one.columns().len() {
        assert_eq!(one.bits(column), other.bits(column), "{what}");
    }
}

#[test]
fn weights_equal_repeated_rows() {
    let all = [
        options("T"),
        EncodeOptions { missing_as: MissingAs::Drop, negate: true, ..options("T=no") },
        EncodeOptions { missing_as: MissingAs::Level, bands: Some(3), ..options("colour=3") },
        EncodeOptions { nominal: vec!["code".into()], ignore: vec!["id".into()], ..options("flag") },
    ];
    let mut cuts = 0;
    for (seed, count) in [(1, 600), (2, 600), (3, 60), (4, 25)] {
        let [with_weights, written_out] = both(&rows(seed, count));
        for (number, plain) in all.iter().enumerate() {
            let what = format!("seed {seed}, options {number}");
            let repeated = encode_text(&written_out, "", plain).unwrap();
            let weighted = encode_text(&with_weights, "", &weighted(plain)).unwrap();
            assert_same(&weighted, &repeated, &what);
            cuts += weighted.legend.iter().map(|entry| entry.cuts.len()).sum::<usize>();
        }
    }
    assert!(cuts > 10, "{cuts}");
}

/// More distinct numbers than a dictionary holds, some of them in rows of weight 0.
#[test]
fn many_weighted_numbers_equal_repeated_rows() {
    let line = |row: usize, weight: usize| format!("{row}.5,{weight},{}\n", u8::from(row % 7000 < 3000));
    let weight = |row: usize| [1, 0, 2][row % 3];
    let with_weights: String = (0..110_000).map(|row| line(row, weight(row))).collect();
    let written_out: String =
        (0..110_000).map(|row| line(row, 9).replace(",9,", ",").repeat(weight(row))).collect();
    let weighted = encode_text(&format!("x,w,T\n{with_weights}"), "", &weighted(&options("T"))).unwrap();
    let repeated = encode_text(&format!("x,T\n{written_out}"), "", &options("T")).unwrap();
    assert_same(&weighted, &repeated, "many numbers");
    assert!(weighted.legend[0].cuts.len() > 3);
}

#[test]
fn the_total_of_the_weights_is_reported() {
    let text = "a,w,T\n1,3,1\n0,2.0,0\n1,0,1\n0,1e2,1\n";
    let encoding = encode_text(text, "", &weighted(&options("T"))).unwrap();
    let found = encoding.weighting.clone().unwrap();
    assert_eq!((found.rows_read, found.rows_left_out, found.total), (4, 1, 105));
    assert_eq!((encoding.dataset.positive(), encoding.dataset.negative()), (103, 2));
    assert_eq!(
        encoding.notices[0].to_string(),
        "4 rows represent 105 rows by the weights in \"w\"; left out with a weight of 0: 1"
    );
    // The declaration of this encoding names the weights too, as columns without a header need.
    let again = encode_text(text, &encoding.declaration(), &weighted(&options("T"))).unwrap();
    assert_eq!(again.legend, encoding.legend);
}

#[test]
fn invalid_weights_are_rejected_with_row_and_value() {
    let refusal = |weights: &[&str]| {
        let rows =
            weights.iter().enumerate().map(|(row, weight)| format!("{},{weight},{}\n", row % 2, row / 2 % 2));
        let text = format!("a,w,T\n{}", rows.collect::<String>());
        encode_text(&text, "", &weighted(&options("T"))).unwrap_err().to_string()
    };
    for (weights, expected) in [
        (
            ["1", "-2", "1", "1"],
            "the weight in row 2 is \"-2\" (column \"w\"); weights must be whole numbers",
        ),
        (["1", "1", "0.5", "1"], "the weight in row 3 is \"0.5\""),
        (["", "1", "1", "1"], "the weight in row 1 is missing"),
        (["1", "1", "1", "many"], "the weight in row 4 is \"many\""),
        (["1", "1", "inf", "1"], "the weight in row 3 is \"inf\""),
        (["0", "0", "0", "0"], "all weights in column \"w\" are 0"),
        (["1", "4294967295", "0", "1"], "add up to 4294967297 rows"),
        (["1e300", "1e300", "1", "1"], "add up to 18446744073709551615 rows"),
        (["4294967295", "0", "0", "0"], "is 0 in all 4294967295 rows"),
    ] {
        let sentence = refusal(&weights);
        assert!(sentence.contains(expected), "{sentence}");
    }
    assert!(refusal(&["1", "1", "1", "1.5"]).contains("survey and other sampling weights are not supported"));
}

#[test]
fn the_weights_are_not_encoded_as_columns() {
    let text = "a,w,T\n1,1,1\n0,0,0\n1,0,1\n0,1,0\n";
    let refusal = |options: &EncodeOptions| encode_text(text, "", options).unwrap_err().to_string();
    let listed = EncodeOptions { nominal: vec!["w".into()], ..weighted(&options("T")) };
    assert_eq!(refusal(&listed), "column \"w\" holds the weights and cannot be nominal as well");
    assert_eq!(
        refusal(&weighted(&options("w"))),
        "column \"w\" is the target and cannot hold the weights as well"
    );
    let absent = EncodeOptions { weights: Some("ww".into()), ..options("T") };
    assert!(
        refusal(&absent).starts_with("the table has no column \"ww\" for the weights"),
        "{}",
        refusal(&absent)
    );
    let ignored = EncodeOptions { ignore: vec!["w".into()], ..weighted(&options("T")) };
    assert_eq!(encode_text(text, "", &ignored).unwrap().dataset.rows(), 2);
}

#[test]
fn too_many_repeated_rows_are_rejected_up_front() {
    let text = "a,b,w,T\n1,0,2000000000,1\n0,1,2000000000,0\n1,1,1,0\n";
    let refusal = |options: &EncodeOptions| encode_text(text, "", options).unwrap_err().to_string();
    let small = EncodeOptions { max_memory: Some(1 << 20), ..weighted(&options("T")) };
    assert!(refusal(&small).contains("with all rows that the weights stand for"), "{}", refusal(&small));
    // Two columns of four billion rows would be encoded and searched for hours.
    let large = refusal(&weighted(&options("T")));
    assert!(large.contains("more than max_memory allows (1073741824); raise it, or check that"), "{large}");
    let columns: String = (0..9).map(|column| format!("c{column},")).collect();
    let cells = |bit: usize| (0..9).map(|column| format!("{},", (column + bit) % 2)).collect::<String>();
    let wide = format!("{columns}w,T\n{}2000000000,1\n{}2000000000,0\n", cells(0), cells(1));
    let sentence = encode_text(&wide, "", &weighted(&options("T"))).unwrap_err().to_string();
    assert!(sentence.contains("more than max_memory allows (1073741824)"), "{sentence}");
}
