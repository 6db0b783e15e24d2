//! Tables in parts are held against the same tables in one piece.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, RecordBatch, RecordBatchIterator,
    StringArray,
};
use concause::dataset::{Block, Dataset};
use concause::simulate::Random;

use super::*;
use crate::encode::{Encoding, encode};
use crate::options::{EncodeOptions, MissingAs};
use crate::read::read_batches;

/// A column of each kind; `rows` may be few.
fn batch(random: &mut Random, rows: usize, target_values: &[&str]) -> RecordBatch {
    let mut text = |values: &[&str], rate: usize| -> ArrayRef {
        let cell = |_| (random.below(rate) > 0).then(|| values[random.below(values.len())].to_owned());
        Arc::new(StringArray::from_iter((0..rows).map(cell)))
    };
    let nominal = text(&["red", "green", "blue", "NA", "12"], 9);
    let truth = text(&["yes", "No", "YES"], 20);
    let target = text(target_values, 11);
    let mixed = text(&["1", "1.0", "2", "-9", "?", "7"], 50);
    let empty = text(&["NA", "?"], 4);
    let binary: ArrayRef = Arc::new(BooleanArray::from_iter((0..rows).map(|_| Some(random.below(3) == 0))));
    let number: ArrayRef = Arc::new(Float64Array::from_iter(
        (0..rows).map(|row| (random.below(30) > 0).then(|| (random.below(500) + row % 3) as f64 / 8.0)),
    ));
    let identifier: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..rows).map(|row| format!("no {row}"))));
    let count: ArrayRef =
        Arc::new(Int64Array::from_iter_values((0..rows).map(|_| random.below(40) as i64 - 9)));
    let list: ArrayRef =
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>((0..rows).map(|_| Some(vec![Some(1)]))));
    RecordBatch::try_from_iter_with_nullable([
        ("colour", nominal, true),
        ("truth", truth, true),
        ("T", target, true),
        ("mixed", mixed, true),
        ("empty", empty, true),
        ("binary", binary, true),
        ("number", number, true),
        ("id", identifier, true),
        (" count ", count, true),
        ("list", list, true),
    ])
    .unwrap()
}

fn reader(batch: RecordBatch) -> impl arrow_array::RecordBatchReader {
    let schema = batch.schema();
    RecordBatchIterator::new([Ok(batch)], schema)
}

/// The encoding of a table in parts, and the packed parts.
fn in_parts(
    parts: &[RecordBatch],
    reading: &ReadOptions,
    options: &EncodeOptions,
    declaration: &Declaration,
) -> Result<(Encoding, Vec<Dataset>), Error> {
    let schema = parts[0].schema();
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let mut outline = Outline::new(&names, reading, options.clone(), declaration.clone())?;
    let meant = outline.target_attributes();
    let places: Vec<usize> = (0..names.len()).filter(|&place| meant.contains(&names[place].trim())).collect();
    let projected: Vec<RecordBatch> = parts.iter().map(|part| part.project(&places).unwrap()).collect();
    let summary = |look: &Look, parts: &[RecordBatch]| -> Result<Summary, Error> {
        let look = Look::from_bytes(&look.to_bytes()).unwrap();
        let mut sum: Option<Summary> = None;
        for part in parts.iter().filter(|part| part.num_rows() > 0 && part.num_columns() > 0) {
            let found = Summary::of(&look, reader(part.clone()))?;
            let found = Summary::from_bytes(&found.to_bytes()).unwrap();
            sum = Some(match sum {
                Some(sum) => sum.and(found).unwrap(),
                None => found,
            });
        }
        Ok(sum.unwrap_or_default())
    };
    let first = summary(outline.first_look(), &projected)?;
    let look = outline.resolve(&first)?.clone();
    let packing = outline.plan(&summary(&look, parts)?)?;
    let packing = Packing::from_bytes(&packing.to_bytes()).unwrap();
    let (mut facts, mut packed) = (Facts::default(), Vec::new());
    for part in parts.iter().filter(|part| part.num_rows() > 0) {
        let (of_part, block) = packing.pack(reader(part.clone()))?;
        facts = facts.and(Facts::from_bytes(&of_part.to_bytes()).unwrap());
        packed.push(Dataset::unpack(&block).unwrap());
    }
    Ok((outline.finish(&facts)?, packed))
}

fn split(random: &mut Random, whole: &RecordBatch) -> Vec<RecordBatch> {
    let (mut parts, mut start) = (Vec::new(), 0);
    while start < whole.num_rows() {
        let rows = random.below(whole.num_rows() / 2 + 1).min(whole.num_rows() - start);
        parts.push(whole.slice(start, rows));
        start += rows;
    }
    // The order of parts does not matter.
    let first = random.below(parts.len());
    parts.rotate_left(first);
    parts
}

/// The ones of a column in cases and in controls.
fn ones(data: &Dataset, column: usize) -> [u32; 2] {
    let (cases, controls) = data.bits(column).split_at(data.layout().positive_blocks());
    [cases, controls].map(|class| Block::words(class).iter().map(|word| word.count_ones()).sum())
}

#[test]
fn parts_give_the_encoding_of_the_whole_or_its_refusal() {
    let mut random = Random::new(5);
    let targets: [(&str, &[&str]); 6] = [
        ("T", &["0", "1"]),
        ("T=yes", &["yes", "no"]),
        ("T=2", &["1", "2", "3", "2.0"]),
        ("T", &["a", "b", "c"]),
        ("T=d", &["a", "b", "c"]),
        ("U", &["0", "1"]),
    ];
    let (mut encoded, mut refused) = (0, 0);
    for round in 0..120 {
        let (target, values) = targets[round % targets.len()];
        let rows = 1 + random.below(400);
        let whole = batch(&mut random, rows, values);
        let reading = ReadOptions {
            missing: if random.below(2) == 0 { vec!["-9".into()] } else { Vec::new() },
            ..ReadOptions::default()
        };
        let options = EncodeOptions {
            target: target.into(),
            missing_as: [MissingAs::Zero, MissingAs::Level, MissingAs::Drop][random.below(3)],
            bins: (random.below(4) == 0).then_some(3),
            negate: random.below(2) == 0,
            nominal: if random.below(3) == 0 { vec!["count".into(), "mixed".into()] } else { Vec::new() },
            ignore: if random.below(4) == 0 { vec!["truth".into()] } else { Vec::new() },
            ..EncodeOptions::default()
        };
        let declaration = match random.below(3) {
            0 => {
                "[[attribute]]\nname = \"colour\"\nvalues = [\"red\", \"green\", \"blue\", \"NA\", \"12\", \"grey\"]"
            }
            1 => "[[attribute]]\nname = \"number\"\ncuts = [3, 7.5]",
            _ => "",
        };
        let declaration = Declaration::parse(declaration).unwrap();
        let go_on = |_| ControlFlow::Continue(());
        let expected = read_batches(NAME, reader(whole.clone()), &reading, &declaration, &go_on)
            .and_then(|table| encode(table, &options, &declaration));
        let found = in_parts(&split(&mut random, &whole), &reading, &options, &declaration);
        let (expected, (found, blocks)) = match (expected, found) {
            (Ok(expected), Ok(found)) => (expected, found),
            (Err(expected), Err(found)) => {
                assert_eq!(found.to_string(), expected.to_string(), "{round}");
                refused += 1;
                continue;
            }
            (expected, found) => panic!("{round}: {:?} but {:?}", expected.err(), found.err()),
        };
        encoded += 1;
        assert_eq!(found.fingerprint, expected.fingerprint, "{round}");
        assert_eq!(found.notices, expected.notices, "{round}");
        assert_eq!(found.dataset.columns(), expected.dataset.columns(), "{round}");
        assert_eq!(found.dataset.attributes(), expected.dataset.attributes(), "{round}");
        assert_eq!(found.dataset.target(), expected.dataset.target(), "{round}");
        assert_eq!(found.target, expected.target, "{round}");
        assert_eq!(found.declaration(), expected.declaration(), "{round}");
        let numbers =
            |it: &Encoding| (it.rows_read, it.rows_without_target, it.rows_dropped, it.attributes_read);
        assert_eq!(numbers(&found), numbers(&expected), "{round}");
        for column in 0..expected.dataset.columns().len() {
            let sum = blocks
                .iter()
                .map(|block| ones(block, column))
                .fold([0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
            assert_eq!(
                sum,
                ones(&expected.dataset, column),
                "{round}: {:?}",
                expected.dataset.columns()[column]
            );
        }
    }
    assert!(encoded > 40 && refused > 40, "{encoded} encoded, {refused} refused");
}

/// Neither a part nor the whole keeps a dictionary of so many values.
#[test]
fn more_values_than_a_dictionary_holds() {
    let rows = 150_000;
    let numbers: ArrayRef =
        Arc::new(Float64Array::from_iter_values((0..rows).map(|row| f64::from(row) / 7.0)));
    let words: ArrayRef = Arc::new(StringArray::from_iter_values(
        (0..rows).map(|row| if row == 3 { "word".to_owned() } else { row.to_string() }),
    ));
    let target: ArrayRef =
        Arc::new(Int64Array::from_iter_values((0..i64::from(rows)).map(|row| row / 1000 % 2)));
    let whole = RecordBatch::try_from_iter([("numbers", numbers), ("words", words), ("T", target)]).unwrap();
    let (reading, declaration) = (ReadOptions::default(), Declaration::default());
    let options = EncodeOptions { target: "T".into(), ..EncodeOptions::default() };
    let table =
        read_batches(NAME, reader(whole.clone()), &reading, &declaration, &|_| ControlFlow::Continue(()));
    let expected = encode(table.unwrap(), &options, &declaration).unwrap();
    for cuts in [vec![0, 50_000, 100_000, 150_000], vec![0, 2, 80_000, 150_000]] {
        let parts: Vec<RecordBatch> =
            cuts.windows(2).map(|ends| whole.slice(ends[0], ends[1] - ends[0])).collect();
        let (found, _) = in_parts(&parts, &reading, &options, &declaration).unwrap();
        assert_eq!(found.fingerprint, expected.fingerprint);
        assert_eq!(found.notices, expected.notices);
        assert_eq!(found.dataset.columns(), expected.dataset.columns());
    }
}

#[test]
fn what_travels_is_refused_where_it_is_cut() {
    let whole = batch(&mut Random::new(1), 50, &["0", "1"]);
    let look = Look {
        marks: vec!["x".into()],
        declared: Vec::new(),
        target: Some(("T".into(), Cases::Number(2.0))),
    };
    let summary = Summary::of(&look, reader(whole.clone())).unwrap().to_bytes();
    for end in 0..summary.len() {
        assert!(Summary::from_bytes(&summary[..end]).is_err());
    }
    let look = look.to_bytes();
    assert!((0..look.len()).all(|end| Look::from_bytes(&look[..end]).is_err()));
    let one = Summary::of(&Look::from_bytes(&look).unwrap(), reader(whole.project(&[0]).unwrap()));
    // The target is none of its columns.
    assert!(one.is_err());
}
