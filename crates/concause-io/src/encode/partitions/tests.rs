//! The encoding of partitions is compared with that of the same table on one machine.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, RecordBatch, RecordBatchIterator,
    StringArray,
};
use concause::dataset::{Block, Dataset};
use concause::random::Random;

use super::summary::{CountedValues, ValueCounts};
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
    let binary_text = text(&["yes", "No", "YES"], 20);
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
        ("binary text", binary_text, true),
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

/// The encoding of a partitioned table, and the packed blocks.
fn encode_partitions(
    partitions: &[RecordBatch],
    reading: &ReadOptions,
    options: &EncodeOptions,
    declaration: &Declaration,
) -> Result<(Encoding, Vec<Dataset>), Error> {
    let schema = partitions[0].schema();
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let mut plan = EncodingPlan::new(&names, reading, options.clone(), declaration.clone())?;
    let meant = plan.target_attributes();
    let indices: Vec<usize> =
        (0..names.len()).filter(|&index| meant.contains(&names[index].trim())).collect();
    let projected: Vec<RecordBatch> =
        partitions.iter().map(|partition| partition.project(&indices).unwrap()).collect();
    let summarise = |scan: &Scan, partitions: &[RecordBatch]| -> Result<PartitionSummary, Error> {
        let scan = Scan::from_bytes(&scan.to_bytes()).unwrap();
        let mut sum: Option<PartitionSummary> = None;
        for partition in
            partitions.iter().filter(|partition| partition.num_rows() > 0 && partition.num_columns() > 0)
        {
            let found = PartitionSummary::scan_partition(&scan, reader(partition.clone()))?;
            let found = PartitionSummary::from_bytes(&found.to_bytes()).unwrap();
            sum = Some(match sum {
                Some(sum) => sum.merge(found).unwrap(),
                None => found,
            });
        }
        Ok(sum.unwrap_or_default())
    };
    let first = summarise(plan.target_scan(), &projected)?;
    let scan = plan.resolve_target(&first)?.clone();
    let packing = plan.plan_columns(&summarise(&scan, partitions)?)?;
    let packing = Packing::from_bytes(&packing.to_bytes()).unwrap();
    let (mut statistics, mut packed) = (BlockStatistics::default(), Vec::new());
    for partition in partitions.iter().filter(|partition| partition.num_rows() > 0) {
        let (of_block, block) = packing.pack(reader(partition.clone()))?;
        statistics = statistics.merge(BlockStatistics::from_bytes(&of_block.to_bytes()).unwrap());
        packed.push(Dataset::unpack(&block).unwrap());
    }
    Ok((plan.finish(&statistics)?, packed))
}

fn split(random: &mut Random, complete: &RecordBatch) -> Vec<RecordBatch> {
    let (mut partitions, mut start) = (Vec::new(), 0);
    while start < complete.num_rows() {
        let rows = random.below(complete.num_rows() / 2 + 1).min(complete.num_rows() - start);
        partitions.push(complete.slice(start, rows));
        start += rows;
    }
    // The order of partitions does not matter.
    let first = random.below(partitions.len());
    partitions.rotate_left(first);
    partitions
}

/// The ones of a column in cases and in controls.
fn ones(data: &Dataset, column: usize) -> [u32; 2] {
    let (cases, controls) = data.bits(column).split_at(data.layout().positive_blocks());
    [cases, controls].map(|class| Block::words(class).iter().map(|word| word.count_ones()).sum())
}

#[test]
fn partitions_give_the_encoding_of_the_table_or_its_error() {
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
        let complete = batch(&mut random, rows, values);
        let reading = ReadOptions {
            missing: if random.below(2) == 0 { vec!["-9".into()] } else { Vec::new() },
            ..ReadOptions::default()
        };
        let options = EncodeOptions {
            target: target.into(),
            missing_as: [MissingAs::Zero, MissingAs::Level, MissingAs::Drop][random.below(3)],
            bands: (random.below(4) == 0).then_some(3),
            negate: random.below(2) == 0,
            nominal: if random.below(3) == 0 { vec!["count".into(), "mixed".into()] } else { Vec::new() },
            ignore: if random.below(4) == 0 { vec!["binary text".into()] } else { Vec::new() },
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
        let proceed = |_| ControlFlow::Continue(());
        let expected = read_batches(SOURCE_NAME, reader(complete.clone()), &reading, &declaration, &proceed)
            .and_then(|table| encode(table, &options, &declaration));
        let found = encode_partitions(&split(&mut random, &complete), &reading, &options, &declaration);
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

/// Neither a partition nor the complete table keeps a dictionary of this many values.
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
    let complete =
        RecordBatch::try_from_iter([("numbers", numbers), ("words", words), ("T", target)]).unwrap();
    let (reading, declaration) = (ReadOptions::default(), Declaration::default());
    let options = EncodeOptions { target: "T".into(), ..EncodeOptions::default() };
    let table = read_batches(SOURCE_NAME, reader(complete.clone()), &reading, &declaration, &|_| {
        ControlFlow::Continue(())
    });
    let expected = encode(table.unwrap(), &options, &declaration).unwrap();
    for cuts in [vec![0, 50_000, 100_000, 150_000], vec![0, 2, 80_000, 150_000]] {
        let partitions: Vec<RecordBatch> =
            cuts.windows(2).map(|ends| complete.slice(ends[0], ends[1] - ends[0])).collect();
        let (found, _) = encode_partitions(&partitions, &reading, &options, &declaration).unwrap();
        assert_eq!(found.fingerprint, expected.fingerprint);
        assert_eq!(found.notices, expected.notices);
        assert_eq!(found.dataset.columns(), expected.dataset.columns());
    }
}

#[test]
fn truncated_bytes_are_refused() {
    let complete = batch(&mut Random::new(1), 50, &["0", "1"]);
    let scan = Scan {
        marks: vec!["x".into()],
        declared: Vec::new(),
        target: Some(("T".into(), CaseDefinition::Number(2.0))),
    };
    let summary = PartitionSummary::scan_partition(&scan, reader(complete.clone())).unwrap().to_bytes();
    for end in 0..summary.len() {
        assert!(PartitionSummary::from_bytes(&summary[..end]).is_err());
    }
    let scan = scan.to_bytes();
    assert!((0..scan.len()).all(|end| Scan::from_bytes(&scan[..end]).is_err()));
    let one = PartitionSummary::scan_partition(
        &Scan::from_bytes(&scan).unwrap(),
        reader(complete.project(&[0]).unwrap()),
    );
    // The partition lacks the column of the target.
    assert!(one.is_err());
}

/// Replaces, inserts or removes some bytes.
fn damage(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        let place = random.below(bytes.len() + 1);
        let byte = [0, 1, 2, 0x7f, 0x80, 0xff, random.below(256) as u8][random.below(7)];
        match random.below(5) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, byte),
            2 => drop(bytes.splice(place..place, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])),
            _ if place < bytes.len() => bytes[place] = byte,
            _ => {}
        }
    }
    bytes
}

/// A panic, a loop over a corrupt number or an allocation without bound ends the test.
#[test]
fn damaged_remote_bytes_are_rejected_or_used_without_a_panic() {
    let mut random = Random::new(2);
    let complete = batch(&mut random, 60, &["0", "1"]);
    let names: Vec<String> =
        complete.schema().fields().iter().map(|field| field.name().trim().to_owned()).collect();
    let options = EncodeOptions { target: "T".into(), ..EncodeOptions::default() };
    let new_plan = || {
        EncodingPlan::new(&names, &ReadOptions::default(), options.clone(), Declaration::default()).unwrap()
    };
    let summarise = |scan: &Scan, batch: &RecordBatch| {
        PartitionSummary::scan_partition(scan, reader(batch.clone())).unwrap()
    };
    let mut plan = new_plan();
    let first = summarise(plan.target_scan(), &complete.project(&[2]).unwrap());
    let scan = plan.resolve_target(&first).unwrap().clone();
    let all = summarise(&scan, &complete);
    let packing = plan.plan_columns(&all).unwrap();
    let (statistics, _) = packing.pack(reader(complete.clone())).unwrap();
    let mut decoded = [0; 5];
    for _ in 0..1500 {
        if let Ok(scan) = Scan::from_bytes(&damage(&mut random, &scan.to_bytes())) {
            decoded[0] += 1;
            let _ = PartitionSummary::scan_partition(&scan, reader(complete.clone()));
        }
        if let Ok(first) = PartitionSummary::from_bytes(&damage(&mut random, &first.to_bytes())) {
            decoded[1] += 1;
            let _ = first.clone().merge(first.clone());
            let _ = new_plan().resolve_target(&first);
        }
        if let Ok(all) = PartitionSummary::from_bytes(&damage(&mut random, &all.to_bytes())) {
            decoded[2] += 1;
            let _ = all.clone().merge(all.clone());
            let mut plan = new_plan();
            plan.resolve_target(&first).unwrap();
            let _ = plan.plan_columns(&all);
        }
        if let Ok(packing) = Packing::from_bytes(&damage(&mut random, &packing.to_bytes())) {
            decoded[3] += 1;
            let _ = packing.pack(reader(complete.clone()));
        }
        if let Ok(statistics) = BlockStatistics::from_bytes(&damage(&mut random, &statistics.to_bytes())) {
            decoded[4] += 1;
            let mut plan = new_plan();
            plan.resolve_target(&first).unwrap();
            plan.plan_columns(&all).unwrap();
            let _ = plan.finish(&statistics.merge(statistics));
        }
    }
    assert!(decoded.iter().all(|&decoded| decoded > 50), "some changes must remain decodable: {decoded:?}");
}

#[test]
fn small_messages_with_large_numbers_are_rejected_at_once() {
    let counts = |rows: u64, count: u64| {
        let values = CountedValues::Texts([("1".to_owned(), [count, 0, 0])].into());
        let attribute = ValueCounts { name: "T".into(), missing: [0; 3], values };
        PartitionSummary { rows, attributes: vec![attribute] }
    };
    let decode = |summary: PartitionSummary| PartitionSummary::from_bytes(&summary.to_bytes());
    assert!(decode(counts(7, 7)).is_ok());
    // Counts of more rows than there are would become as many weighted rows; so would counts whose sum overflows.
    assert!(decode(counts(7, 1 << 62)).is_err());
    assert!(decode(counts(u64::MAX, u64::MAX)).is_err());
    assert!(counts(u64::MAX, 1).merge(counts(1, 1)).is_err());
    let statistics = BlockStatistics { cases: u64::MAX, ..BlockStatistics::default() };
    assert!(BlockStatistics::from_bytes(&statistics.to_bytes()).is_err());
    // A packing with 2^40 columns of an attribute without values.
    let mut encoder = Encoder::default();
    [0, 0, 0, 0, 1, 1, 1, 1 << 40, 0, 0, 0].iter().for_each(|&number| encoder.number(number));
    assert!(Packing::from_bytes(&encoder.into_bytes()).is_err());
}
