//! Held-out rows: drawn by the seed within each class, and not used to determine cut points.

use std::ops::ControlFlow;

use concause::dataset::Block;
use concause::random::Random;
use concause_io::{
    Declaration, EncodeOptions, Encoding, Error, Holdout, MissingAs, ReadOptions, Scheme, Source, encode,
    read_sources,
};

fn encode_text(text: &str, options: &EncodeOptions) -> Result<Encoding, Error> {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let sources = [Source::Path(file.path().to_owned())];
    let declaration = Declaration::default();
    let table =
        read_sources(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))?;
    encode(table, options, &declaration)
}

fn options(share: f64, seed: u64) -> EncodeOptions {
    EncodeOptions {
        target: "T".into(),
        nominal: vec!["number".into()],
        holdout: Some(Holdout { share, seed }),
        scheme: Scheme::Values,
        ..EncodeOptions::default()
    }
}

/// Rows with their number, a size that depends on the outcome, and an outcome.
fn rows(count: usize) -> Vec<String> {
    let mut random = Random::new(5);
    (0..count)
        .map(|row| {
            let outcome = random.below(4) == 0;
            let size = random.below(100) + if outcome { 30 } else { 0 };
            let size = if random.below(20) == 0 { String::new() } else { size.to_string() };
            format!("{row},{size},{}\n", u8::from(outcome))
        })
        .collect()
}

fn table<'a>(rows: impl IntoIterator<Item = &'a String>) -> String {
    std::iter::once("number,size,T\n").chain(rows.into_iter().map(String::as_str)).collect()
}

fn count(blocks: &[Block]) -> u64 {
    blocks.iter().flat_map(|block| block.0).map(|word| u64::from(word.count_ones())).sum()
}

/// The numbers of the rows that the search may use.
fn searched(encoding: &Encoding) -> Vec<usize> {
    let mask = encoding.searched.as_ref().unwrap();
    let dataset = &encoding.dataset;
    let mut found: Vec<usize> = (dataset.columns().iter().enumerate())
        .filter_map(|(column, named)| Some((column, named.name.strip_prefix("number=")?.parse().ok()?)))
        .filter(|&(column, _)| {
            dataset
                .bits(column)
                .iter()
                .zip(mask)
                .any(|(bits, mask)| bits.0.iter().zip(&mask.0).any(|(bits, mask)| bits & mask != 0))
        })
        .map(|(_, number)| number)
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn the_share_is_drawn_from_each_class_by_the_seed() {
    let rows = rows(900);
    let text = table(&rows);
    let encoding = encode_text(&text, &options(0.3, 1)).unwrap();
    let dataset = &encoding.dataset;
    let (cases, controls) = encoding.searched.as_ref().unwrap().split_at(dataset.layout().positive_blocks());
    for (mask, all) in [(cases, dataset.positive()), (controls, dataset.negative())] {
        assert_eq!(count(mask), all - (0.3 * all as f64).round() as u64);
    }
    let seen = searched(&encoding);
    assert_eq!(searched(&encode_text(&text, &options(0.3, 1)).unwrap()), seen);
    assert_ne!(searched(&encode_text(&text, &options(0.3, 2)).unwrap()), seen);
    assert!(
        encode_text(&text, &EncodeOptions { holdout: None, ..options(0.3, 1) }).unwrap().searched.is_none()
    );
}

/// The cut points are those of the searched rows alone.
#[test]
fn cuts_do_not_use_held_out_rows() {
    let rows = rows(900);
    for seed in 1..6 {
        let encoding = encode_text(&table(&rows), &options(0.4, seed)).unwrap();
        let alone = EncodeOptions { holdout: None, ..options(0.4, seed) };
        let others = encode_text(&table(searched(&encoding).into_iter().map(|number| &rows[number])), &alone);
        assert_eq!(encoding.legend[1].cuts, others.unwrap().legend[1].cuts);
        assert!(!encoding.legend[1].cuts.is_empty());
    }
}

#[test]
fn dropped_rows_are_neither_searched_nor_held_out() {
    let rows = rows(600);
    let dropping = EncodeOptions { missing_as: MissingAs::Drop, ..options(0.5, 3) };
    let [kept, dropped] =
        [options(0.5, 3), dropping].map(|options| encode_text(&table(&rows), &options).unwrap());
    assert!(dropped.rows_dropped > 10);
    let has_size = |number: &usize| !rows[*number].contains(",,");
    let expected: Vec<usize> = searched(&kept).into_iter().filter(has_size).collect();
    assert_eq!(searched(&dropped), expected);
}

/// Weighted rows are drawn like repeated rows.
#[test]
fn weights_equal_repeated_rows() {
    let rows = rows(300);
    let weighted: String = rows.iter().enumerate().map(|(row, line)| format!("{},{line}", row % 5)).collect();
    let repeated: String = rows.iter().enumerate().map(|(row, line)| line.repeat(row % 5)).collect();
    let with_weights = EncodeOptions { weights: Some("w".into()), ..options(0.35, 7) };
    let weighted = encode_text(&format!("w,number,size,T\n{weighted}"), &with_weights).unwrap();
    let repeated = encode_text(&format!("number,size,T\n{repeated}"), &options(0.35, 7)).unwrap();
    assert_eq!(weighted.legend[2].cuts, repeated.legend[1].cuts);
    assert!(!repeated.legend[1].cuts.is_empty());
    let counts = |encoding: &Encoding| {
        let mask = encoding.searched.as_ref().unwrap();
        (0..encoding.dataset.columns().len())
            .map(|column| {
                let bits = encoding.dataset.bits(column).iter().zip(mask);
                bits.map(|(bits, mask)| {
                    let both =
                        bits.0.iter().zip(&mask.0).map(|(bits, mask)| u64::from((bits & mask).count_ones()));
                    both.sum::<u64>()
                })
                .sum::<u64>()
            })
            .collect::<Vec<u64>>()
    };
    assert_eq!(counts(&weighted), counts(&repeated));
    assert_eq!(count(weighted.searched.as_ref().unwrap()), count(repeated.searched.as_ref().unwrap()));
}

#[test]
fn both_sides_need_both_classes() {
    let text = "a,T\n1,1\n0,0\n1,0\n0,0\n1,0\n";
    let refusal = |share| {
        let options = EncodeOptions { nominal: Vec::new(), ..options(share, 1) };
        encode_text(text, &options).unwrap_err().to_string()
    };
    assert_eq!(
        refusal(0.3),
        "holdout 0.3 leaves none of the 1 rows with T to be held out; give another share"
    );
    assert!(refusal(0.9).contains("leaves none of the 1 rows with T to be searched"));
    let even = "a,T\n1,1\n0,1\n1,0\n0,0\n";
    let halved = encode_text(even, &EncodeOptions { nominal: Vec::new(), ..options(0.5, 1) }).unwrap();
    assert_eq!(count(halved.searched.as_ref().unwrap()), 2);
}
