//! Parquet and Arrow files give the same result as the same table in CSV.
#![cfg(feature = "arrow")]

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, UInt8Builder};
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
    Int32Array, LargeStringArray, NullArray, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use concause_io::{
    AttributeKind, Declaration, EncodeOptions, Encoding, Error, ReadOptions, Scheme, Source, encode,
    read_batches, read_sources,
};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

const ROWS: usize = 20_000;

fn batch() -> RecordBatch {
    let rows = || 0..ROWS as i32;
    let colour = |row: i32| ["red", "blue", "a, b"][row as usize % 3];
    let whole = rows().map(|row| (row % 7 != 0).then_some(row % 13 - 5));
    let size = rows().map(|row| (row % 11 != 0).then_some(f64::from(row % 400) / 8.0));
    let single = rows().map(|row| (row % 9 != 0).then_some(row as f32 % 30.0 / 10.0));
    let kept: DictionaryArray<Int8Type> =
        rows().map(|row| (row % 5 != 0).then_some(colour(row / 3))).collect();
    let cents = Decimal128Array::from_iter_values(rows().map(|row| i128::from(row % 50) * 25));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("flag", Arc::new(BooleanArray::from_iter(rows().map(|row| (row % 6 != 0).then_some(row % 4 == 1))))),
        ("colour", Arc::new(StringArray::from_iter(rows().map(|row| (row % 8 != 0).then_some(colour(row)))))),
        ("large", Arc::new(LargeStringArray::from_iter_values(rows().map(|row| colour(row + 1))))),
        ("whole", Arc::new(Int32Array::from_iter(whole))),
        ("size", Arc::new(Float64Array::from_iter(size))),
        ("single", Arc::new(Float32Array::from_iter(single))),
        ("kept", Arc::new(kept)),
        ("cents", Arc::new(cents.with_precision_and_scale(10, 2).unwrap())),
        ("day", Arc::new(Date32Array::from_iter_values(rows().map(|row| row % 3)))),
        ("none", Arc::new(NullArray::new(ROWS))),
        ("outcome", Arc::new(Int32Array::from_iter_values(rows().map(|row| i32::from(row % 400 > 250))))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .unwrap()
}

fn csv(batch: &RecordBatch) -> String {
    let mut text: Vec<String> = vec![
        batch.schema().fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>().join(",")
            + "\n",
    ];
    let options = arrow_cast::display::FormatOptions::default();
    let columns: Vec<_> = batch
        .columns()
        .iter()
        .map(|column| arrow_cast::display::ArrayFormatter::try_new(column, &options).unwrap())
        .collect();
    for row in 0..batch.num_rows() {
        let cells = columns.iter().map(|column| format!("\"{}\"", column.value(row)));
        text.push(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    text.concat()
}

fn run(path: &Path) -> Result<Encoding, Error> {
    let declaration = Declaration::default();
    let sources = [Source::Path(path.to_owned())];
    let table =
        read_sources(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()))?;
    encode(
        table,
        &EncodeOptions { target: "outcome".into(), scheme: Scheme::Values, ..EncodeOptions::default() },
        &declaration,
    )
}

/// The table as batches of `rows` rows in memory.
fn run_frame(batch: &RecordBatch, rows: usize) -> Result<Encoding, Error> {
    let starts = (0..batch.num_rows()).step_by(rows);
    let batches = starts.map(|first| Ok(batch.slice(first, rows.min(batch.num_rows() - first))));
    let batches = RecordBatchIterator::new(batches.collect::<Vec<_>>(), batch.schema());
    let declaration = Declaration::default();
    let progress = |_| ControlFlow::Continue(());
    let table = read_batches("the frame", batches, &ReadOptions::default(), &declaration, &progress)?;
    encode(
        table,
        &EncodeOptions { target: "outcome".into(), scheme: Scheme::Values, ..EncodeOptions::default() },
        &declaration,
    )
}

fn write_parquet(path: &Path, batch: &RecordBatch) {
    write_parquet_with(path, batch, WriterProperties::default());
}

fn write_parquet_with(path: &Path, batch: &RecordBatch, properties: WriterProperties) {
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn write_arrow(path: &Path, batch: &RecordBatch) {
    let mut writer = FileWriter::try_new(File::create(path).unwrap(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
}

#[test]
fn all_formats_agree() {
    let (folder, batch) = (tempfile::tempdir().unwrap(), batch());
    let place = |name: &str| folder.path().join(name);
    std::fs::write(place("t.csv"), csv(&batch)).unwrap();
    write_parquet(&place("t.parquet"), &batch);
    write_parquet(&place("parquet-without-extension"), &batch);
    write_arrow(&place("t.feather"), &batch);
    let mut stream = StreamWriter::try_new(File::create(place("t.arrow")).unwrap(), &batch.schema()).unwrap();
    stream.write(&batch).unwrap();
    stream.finish().unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(1700));
    write_parquet_with(&place("groups.parquet"), &batch, properties.build());
    let properties = WriterProperties::builder().set_dictionary_enabled(false);
    write_parquet_with(&place("plain.parquet"), &batch, properties.build());
    let packed = zstd::encode_all(File::open(place("t.parquet")).unwrap(), 3).unwrap();
    std::fs::write(place("t.parquet.zst"), packed).unwrap();

    let expected = run(&place("t.csv")).unwrap();
    assert!(expected.legend.iter().any(|entry| !entry.cuts.is_empty()));
    let names =
        ["t.parquet", "parquet-without-extension", "groups.parquet", "plain.parquet", "t.feather", "t.arrow"];
    let files = names.into_iter().chain(["t.parquet.zst"]).map(|name| (name, run(&place(name)).unwrap()));
    let frame = ["in memory"].into_iter().map(|name| (name, run_frame(&batch, 7_000).unwrap()));
    for (name, encoding) in files.chain(frame) {
        assert_eq!(encoding.legend, expected.legend, "{name}");
        assert_eq!(encoding.notices, expected.notices, "{name}");
        assert_eq!(encoding.fingerprint, expected.fingerprint, "{name}");
        for column in 0..expected.dataset.columns().len() {
            assert_eq!(encoding.dataset.bits(column), expected.dataset.bits(column), "{name}");
        }
    }
}

#[test]
fn nested_columns_are_left_out_with_a_notice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nested.parquet");
    let mut lists = ListBuilder::new(UInt8Builder::new());
    for row in 0..4 {
        lists.values().append_value(row);
        lists.append(true);
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("list", Arc::new(lists.finish())),
        ("a", Arc::new(Int32Array::from(vec![0, 1, 1, 0]))),
        ("outcome", Arc::new(Int32Array::from(vec![0, 1, 0, 1]))),
    ];
    write_parquet(&path, &RecordBatch::try_from_iter(columns).unwrap());
    let encoding = run(&path).unwrap();
    assert_eq!(encoding.legend[0].kind, AttributeKind::Unsupported);
    assert!(
        encoding.notices.iter().any(|notice| notice.to_string().contains("List")),
        "{:?}",
        encoding.notices
    );
}

#[test]
fn damaged_files_give_an_error_and_no_panic() {
    let (folder, batch) = (tempfile::tempdir().unwrap(), batch());
    for (name, write) in [("t.parquet", write_parquet as fn(&Path, &RecordBatch)), ("t.arrow", write_arrow)] {
        let path = folder.path().join(name);
        write(&path, &batch);
        let content = std::fs::read(&path).unwrap();
        for share in [3, 10, 50, 90, 99] {
            std::fs::write(&path, &content[..content.len() * share / 100]).unwrap();
            let error = run(&path).unwrap_err();
            assert!(error.to_string().contains("corrupt") && !error.is_io(), "{name}: {error}");
        }
        let empty = batch.slice(0, 0);
        write(&path, &empty);
        assert!(run(&path).unwrap_err().to_string().contains("no rows"), "{name}");
    }
}

/// The length of a compressed buffer was believed, and the allocation of 3.7e18 bytes ended the program.
#[test]
fn a_damaged_compressed_arrow_file_gives_an_error() {
    let (folder, batch) = (tempfile::tempdir().unwrap(), batch());
    let path = folder.path().join("t.arrow");
    for codec in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let options = IpcWriteOptions::default().try_with_compression(Some(codec)).unwrap();
        let write_file = || {
            let file = File::create(&path).unwrap();
            let mut writer =
                FileWriter::try_new_with_options(file, &batch.schema(), options.clone()).unwrap();
            writer.write(&batch).unwrap();
            writer.finish().unwrap();
        };
        let write_stream = || {
            let file = File::create(&path).unwrap();
            let mut writer =
                StreamWriter::try_new_with_options(file, &batch.schema(), options.clone()).unwrap();
            writer.write(&batch).unwrap();
            writer.finish().unwrap();
        };
        for write in [&write_file as &dyn Fn(), &write_stream] {
            write();
            run(&path).unwrap();
            let content = std::fs::read(&path).unwrap();
            // A frame of the codec follows the length of its content.
            let start: [u8; 4] = match codec {
                CompressionType::ZSTD => [0x28, 0xb5, 0x2f, 0xfd],
                _ => [0x04, 0x22, 0x4d, 0x18],
            };
            let frames: Vec<usize> =
                (8..content.len() - 4).filter(|&place| content[place..].starts_with(&start)).collect();
            assert!(frames.len() > 5, "{codec:?}: {frames:?}");
            for &frame in &frames {
                for claimed in [3_700_000_000_000_000_000i64, 1 << 40, i64::MAX] {
                    let mut damaged = content.clone();
                    damaged[frame - 8..frame].copy_from_slice(&claimed.to_le_bytes());
                    std::fs::write(&path, &damaged).unwrap();
                    let error = run(&path).unwrap_err();
                    assert!(error.to_string().contains("corrupt") && !error.is_io(), "{error}");
                }
            }
            let mut random = concause::random::Random::new(1);
            for _ in 0..200 {
                let mut damaged = content.clone();
                for _ in 0..3 {
                    let place = random.below(damaged.len());
                    damaged[place] = [0, 0x7f, 0xff, random.below(256) as u8][random.below(4)];
                }
                std::fs::write(&path, &damaged).unwrap();
                let _ = run(&path);
            }
        }
    }
}

#[test]
fn a_frame_without_rows_gives_an_error_and_a_duplicate_name_another_name() {
    let batch = batch();
    let sentence = |batch: &RecordBatch| run_frame(batch, 100).unwrap_err().to_string();
    assert_eq!(sentence(&batch.slice(0, 0)), "the frame: has names but no rows");
    let twice = batch.project(&[0, 10, 0]).unwrap();
    let encoding = run_frame(&twice, 100).unwrap();
    let names: Vec<&str> = encoding.legend.iter().map(|entry| entry.attribute.as_str()).collect();
    assert_eq!(names, ["flag", "flag.2"]);
    assert!(encoding.notices.iter().any(|notice| notice.to_string().contains("column 3 as \"flag.2\"")));
}
