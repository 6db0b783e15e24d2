//! Reads Parquet and Arrow files into a table under way, batch by batch and the columns of a batch beside each other.
//!
//! Cells go through the same text as those of a CSV file would, so that the same table gives the same result
//! in any format. Only the cells are read here; names and memory are the business of [`Reading`].

use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_cast::cast;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;

use super::record::trim;
use super::{DECODING, Reading};
use crate::error::Error;
use crate::options::Format;
use crate::source::{Opened, Source, failure};
use crate::table::word::MissingMarks;
use crate::table::{Attribute, Bits, CellFault, Cells, Run};

/// Cells that are in memory as the file has them, unless the table is very wide.
const CELLS_AT_ONCE: usize = 1 << 21;
const LEAST_ROWS_AT_ONCE: usize = 1024;
const MOST_ROWS_AT_ONCE: usize = 65_536;
/// Groups of columns for each thread, so that those of slow columns do not keep the others waiting.
const GROUPS_PER_THREAD: usize = 4;

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// The columns of a file in groups that follow each other, each read by itself.
struct Groups {
    schema: SchemaRef,
    groups: Vec<Batches>,
}

/// Appends the rows of a Parquet or Arrow file.
pub(crate) fn read_columnar(reading: &mut Reading<'_>, source: &Source, opened: Opened) -> Result<(), Error> {
    let format = opened.format;
    // The decoders are not proof against every damaged file; a damaged file must not end the program.
    let read = catch_unwind(AssertUnwindSafe(|| decoding(|| read_batches(reading, source, opened))));
    read.unwrap_or_else(|_| Err(corrupt(source, format, "its content contradicts itself")))
}

/// Does what may panic, with a sign of it for the panic hook.
fn decoding<T>(work: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            DECODING.set(self.0);
        }
    }
    let _restore = Restore(DECODING.replace(true));
    work()
}

fn read_batches(reading: &mut Reading<'_>, source: &Source, opened: Opened) -> Result<(), Error> {
    let format = opened.format;
    let threads = reading.division.threads;
    let opened_groups = match (source, opened.compression) {
        (Source::Path(path), None) => {
            let open = || File::open(path);
            match format {
                Format::Parquet => parquet_groups(open, threads),
                _ => open().map_err(ArrowError::from).and_then(|file| arrow_batches(BufReader::new(file))),
            }
        }
        _ => {
            let bytes = bytes::Bytes::from(whole(reading, source, opened)?);
            match format {
                Format::Parquet => parquet_groups(|| Ok(bytes.clone()), threads),
                _ => arrow_batches(Cursor::new(bytes)),
            }
        }
    };
    let Groups { schema, mut groups } = opened_groups.map_err(|error| corrupt(source, format, error))?;
    begin(reading, source, &schema)?;
    let rows_before = reading.table.rows;
    loop {
        let batches: Vec<_> = groups.par_iter_mut().map(|group| decoding(|| group.next())).collect();
        let batches: Vec<RecordBatch> = batches
            .into_iter()
            .flatten()
            .collect::<Result<_, _>>()
            .map_err(|error| corrupt(source, format, error))?;
        let Some(rows) = batches.first().map(RecordBatch::num_rows) else { break };
        if batches.len() != groups.len() || batches.iter().any(|batch| batch.num_rows() != rows) {
            return Err(corrupt(source, format, "its columns differ in length"));
        }
        push_batches(reading, source, &batches, false)?;
        reading.end_rows(rows)?;
    }
    if reading.table.rows == rows_before {
        return Err(Error::source(source, "has names but no rows"));
    }
    Ok(())
}

/// Appends the rows of batches that are in memory.
pub(crate) fn read_frame(
    reading: &mut Reading<'_>,
    name: &dyn Display,
    batches: impl RecordBatchReader,
) -> Result<(), Error> {
    begin(reading, name, &batches.schema())?;
    for batch in batches {
        let batch = batch.map_err(|error| Error::source(name, format!("cannot be read ({error})")))?;
        let hold = is_cheaper_held(&batch);
        // Few rows at a time, so that whoever waits can interrupt.
        let rows_at_once = (CELLS_AT_ONCE / batch.num_columns().max(1)).max(LEAST_ROWS_AT_ONCE);
        for first in (0..batch.num_rows()).step_by(rows_at_once) {
            let rows = rows_at_once.min(batch.num_rows() - first);
            push_batches(reading, name, &[batch.slice(first, rows)], hold)?;
            reading.end_rows(rows)?;
        }
    }
    if reading.table.rows == 0 {
        return Err(Error::source(name, "has names but no rows"));
    }
    Ok(())
}

/// Whether the truth values of a batch are better held as they are than copied: with them all of the batch is held.
fn is_cheaper_held(batch: &RecordBatch) -> bool {
    let truths = batch.columns().iter().filter(|column| column.data_type() == &DataType::Boolean).count();
    batch.get_array_memory_size() <= batch.num_rows() * truths
}

/// Takes the names of the columns.
fn begin(reading: &mut Reading<'_>, source: &dyn Display, schema: &Schema) -> Result<(), Error> {
    let names: Vec<String> =
        schema.fields().iter().map(|field| field.name().trim_matches([' ', '\t']).to_owned()).collect();
    if names.is_empty() {
        return Err(Error::source(source, "is empty; a table needs names and at least one row"));
    }
    reading.begin_named(source, names)
}

/// Appends the cells of batches of the same rows, which together have all columns; truth values without a copy if these
/// are to be held.
fn push_batches(
    reading: &mut Reading<'_>,
    source: &dyn Display,
    batches: &[RecordBatch],
    hold: bool,
) -> Result<(), Error> {
    let marks = &reading.marks;
    let columns: Vec<&ArrayRef> = batches.iter().flat_map(RecordBatch::columns).collect();
    let pushed: Vec<_> = reading
        .table
        .attributes
        .par_iter_mut()
        .zip(columns)
        .map(|(attribute, column)| {
            let push = |attribute: &mut Attribute| match hold && push_truths(attribute, column, marks)? {
                true => Ok(()),
                false => push_column(attribute, column, marks),
            };
            (decoding(|| push(attribute)), &attribute.name)
        })
        .collect();
    for (result, name) in pushed {
        result.map_err(|fault| {
            let what = match fault {
                CellFault::Nul => "a NUL character",
                CellFault::NotUtf8 => "bytes that are not UTF-8 text",
            };
            Error::source(source, format!("column {name:?} holds {what}; mend it or leave it out"))
        })?;
    }
    Ok(())
}

/// Opens a Parquet file once for each group of columns.
fn parquet_groups<File: ChunkReader + 'static>(
    open: impl Fn() -> io::Result<File>,
    threads: usize,
) -> Result<Groups, ArrowError> {
    let metadata = ArrowReaderMetadata::load(&open()?, ArrowReaderOptions::default())?;
    let columns = metadata.schema().fields().len();
    let metadata = with_dictionaries(&metadata).unwrap_or(metadata);
    let rows_at_once = (CELLS_AT_ONCE / columns.max(1)).clamp(LEAST_ROWS_AT_ONCE, MOST_ROWS_AT_ONCE);
    let wanted = if threads < 2 { 1 } else { threads * GROUPS_PER_THREAD };
    let group_size = columns.div_ceil(wanted).max(1);
    let mut groups: Vec<Batches> = Vec::new();
    for first in (0..columns).step_by(group_size) {
        let group = first..columns.min(first + group_size);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(open()?, metadata.clone());
        let mask = ProjectionMask::roots(builder.parquet_schema(), group);
        groups.push(Box::new(builder.with_projection(mask).with_batch_size(rows_at_once).build()?));
    }
    Ok(Groups { schema: metadata.schema().clone(), groups })
}

/// Asks for the text of columns that the file keeps in dictionaries as codes into these.
fn with_dictionaries(metadata: &ArrowReaderMetadata) -> Result<ArrowReaderMetadata, ArrowError> {
    let parquet = metadata.metadata();
    let types = parquet.file_metadata().schema_descr();
    let mut is_kept = vec![true; metadata.schema().fields().len()];
    for leaf in 0..types.num_columns() {
        let mut chunks = parquet.row_groups().iter().map(|group| group.column(leaf));
        let kept = chunks.all(|chunk| chunk.dictionary_page_offset().is_some());
        if let Some(is_kept) = is_kept.get_mut(types.get_column_root_idx(leaf)) {
            *is_kept &= kept;
        }
    }
    let mut fields = metadata.schema().fields().to_vec();
    for (field, is_kept) in fields.iter_mut().zip(is_kept) {
        if is_kept && matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8) {
            let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(field.data_type().clone()));
            *field = Arc::new(Field::clone(field).with_data_type(kind));
        }
    }
    let schema = Schema::new_with_metadata(fields, metadata.schema().metadata().clone());
    let options = ArrowReaderOptions::default().with_schema(Arc::new(schema));
    Ok(ArrowReaderMetadata::try_new(parquet.clone(), options)?)
}

fn arrow_batches(mut file: impl Read + Seek + Send + 'static) -> Result<Groups, ArrowError> {
    let mut magic = Vec::new();
    file.by_ref().take(6).read_to_end(&mut magic)?;
    file.seek(SeekFrom::Start(0))?;
    if magic == b"ARROW1" {
        let reader = FileReader::try_new(file, None)?;
        Ok(Groups { schema: reader.schema(), groups: vec![Box::new(reader)] })
    } else {
        let reader = StreamReader::try_new(file, None)?;
        Ok(Groups { schema: reader.schema(), groups: vec![Box::new(reader)] })
    }
}

/// All bytes of a source that cannot be sought in.
fn whole(reading: &Reading<'_>, source: &Source, opened: Opened) -> Result<Vec<u8>, Error> {
    let limit = reading.options.max_memory.unwrap_or(u64::MAX - 1);
    let mut bytes = Vec::new();
    let read = opened.bytes.take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error: io::Error| failure(source, opened.compression, error))?;
    if bytes.len() as u64 > limit {
        return Err(Error::source(source, "takes more memory unpacked than --max-memory allows; raise it"));
    }
    Ok(bytes)
}

fn corrupt(source: &Source, format: Format, detail: impl std::fmt::Display) -> Error {
    let (name, detail) =
        (if format == Format::Parquet { "a Parquet" } else { "an Arrow" }, detail.to_string());
    let detail = detail.lines().next().unwrap_or_default().trim_end_matches('.').to_owned();
    let sentence =
        format!("is not {name} file, or it is corrupt or cut short ({detail}); write or fetch it again");
    Error::source(source, sentence)
}

/// Appends the cells of one column of a batch.
fn push_column(attribute: &mut Attribute, column: &ArrayRef, marks: &MissingMarks) -> Result<(), CellFault> {
    if push_dictionary(attribute, column, marks) {
        return Ok(());
    }
    let as_type = |wanted: &DataType| cast(column, wanted);
    let readable = match column.data_type() {
        DataType::Null => Ok(column.clone()),
        DataType::Boolean | DataType::Float64 | DataType::Int64 | DataType::UInt64 => Ok(column.clone()),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(column.clone()),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => as_type(&DataType::LargeBinary),
        DataType::Int8 | DataType::Int16 | DataType::Int32 => as_type(&DataType::Int64),
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => as_type(&DataType::UInt64),
        DataType::Float16 | DataType::Float32 => as_type(&DataType::Float32),
        DataType::Dictionary(_, values) => as_type(values),
        DataType::RunEndEncoded(_, values) => as_type(values.data_type()),
        kind if kind.is_temporal() || kind.is_decimal() => as_type(&DataType::LargeUtf8),
        kind => Err(ArrowError::NotYetImplemented(kind.to_string())),
    };
    let Ok(readable) = readable else {
        attribute.cells = Cells::Unsupported(column.data_type().to_string());
        return Ok(());
    };
    if matches!(column.data_type(), DataType::Dictionary(..) | DataType::RunEndEncoded(..)) {
        return push_column(attribute, &readable, marks);
    }
    push_cells(attribute, &readable, marks)
}

/// Appends truth values without a copy; false if that cannot be.
fn push_truths(
    attribute: &mut Attribute,
    column: &ArrayRef,
    marks: &MissingMarks,
) -> Result<bool, CellFault> {
    let Some(truths) = column.as_boolean_opt() else { return Ok(false) };
    let present = truths.nulls().map(|nulls| Bits::new(nulls.buffer().clone(), nulls.offset()));
    let (values, rows) = (truths.values(), truths.len());
    attribute
        .push_truths(Run { truths: Bits::new(values.inner().clone(), values.offset()), present, rows }, marks)
}

/// Appends cells that are codes into a dictionary, each value of which is looked at only once; false if that is of no
/// use.
fn push_dictionary(attribute: &mut Attribute, column: &ArrayRef, marks: &MissingMarks) -> bool {
    let Some(coded) = column.as_any_dictionary_opt() else { return false };
    let values = coded.values();
    if values.is_empty() || values.len() > column.len() {
        return false;
    }
    let mut part = attribute.part();
    if push_column(&mut part, values, marks).is_err() {
        // The fault counts only if a cell has it.
        return false;
    }
    let keys = coded.normalized_keys().into_iter().enumerate();
    attribute.push_codes(keys.map(|(row, key)| coded.keys().is_valid(row).then_some(key)), &part)
}

fn push_cells(attribute: &mut Attribute, cells: &ArrayRef, marks: &MissingMarks) -> Result<(), CellFault> {
    let mut text = String::new();
    let mut push = |cell: Option<&[u8]>| attribute.push(trim(cell.unwrap_or_default()), marks);
    // Writing to a string cannot fail.
    macro_rules! push_written {
        ($cells:expr, $write:expr) => {
            for cell in $cells {
                text.clear();
                if let Some(cell) = cell {
                    let _ = $write(&mut text, cell);
                }
                push(Some(text.as_bytes()))?;
            }
        };
    }
    match cells.data_type() {
        DataType::Boolean => {
            for cell in cells.as_boolean() {
                push(cell.map(|truth| if truth { b"true".as_slice() } else { b"false" }))?;
            }
        }
        DataType::Int64 => return push_integers(attribute, cells.as_primitive::<Int64Type>().iter(), marks),
        DataType::UInt64 => {
            return push_integers(attribute, cells.as_primitive::<UInt64Type>().iter(), marks);
        }
        DataType::Float64 => push_written!(cells.as_primitive::<Float64Type>(), write_float),
        // As single precision, for 0.1 is to be written 0.1 and not as its nearest double.
        DataType::Float32 => push_written!(cells.as_primitive::<Float32Type>(), write_single),
        DataType::Utf8 => {
            cells.as_string::<i32>().iter().try_for_each(|cell| push(cell.map(str::as_bytes)))?
        }
        DataType::LargeUtf8 => {
            cells.as_string::<i64>().iter().try_for_each(|cell| push(cell.map(str::as_bytes)))?
        }
        DataType::Utf8View => {
            cells.as_string_view().iter().try_for_each(|cell| push(cell.map(str::as_bytes)))?
        }
        DataType::LargeBinary => {
            if cells.as_binary::<i64>().iter().try_for_each(&mut push).is_err() {
                attribute.cells = Cells::Unsupported("Binary".into());
            }
        }
        _ => (0..cells.len()).try_for_each(|_| push(None))?,
    }
    Ok(())
}

/// Appends whole numbers; the text of small ones is looked at only once.
fn push_integers<Integer: Copy + Display + TryInto<usize>>(
    attribute: &mut Attribute,
    cells: impl Iterator<Item = Option<Integer>>,
    marks: &MissingMarks,
) -> Result<(), CellFault> {
    let mut known = [None; 256];
    let mut text = String::new();
    for cell in cells {
        let place = cell.and_then(|cell| cell.try_into().ok()).filter(|&place| place < known.len());
        if place.and_then(|place| known[place]).is_some_and(|code| attribute.push_code(code)) {
            continue;
        }
        text.clear();
        if let Some(cell) = cell {
            // Writing to a string cannot fail.
            let _ = write!(text, "{cell}");
        }
        attribute.push(text.as_bytes(), marks)?;
        if let Some(place) = place {
            known[place] = attribute.last_code();
        }
    }
    Ok(())
}

fn write_float(text: &mut String, cell: f64) -> std::fmt::Result {
    match cell.abs() {
        0.0 | 1e-5..1e16 => write!(text, "{cell}"),
        _ if cell.is_finite() => write!(text, "{cell:e}"),
        _ => write!(text, "{cell}"),
    }
}

fn write_single(text: &mut String, cell: f32) -> std::fmt::Result {
    match cell.abs() {
        0.0 | 1e-5..1e16 => write!(text, "{cell}"),
        _ if cell.is_finite() => write!(text, "{cell:e}"),
        _ => write!(text, "{cell}"),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use arrow_array::{BooleanArray, Int64Array, RecordBatchIterator, StringArray};

    use super::*;
    use crate::declaration::Declaration;
    use crate::options::ReadOptions;
    use crate::table::{Codes, Table};

    fn read(batches: Vec<RecordBatch>) -> Table {
        let schema = batches[0].schema();
        let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
        let going_on = |_| ControlFlow::Continue(());
        super::super::read_batches(
            "table",
            batches,
            &ReadOptions::default(),
            &Declaration::default(),
            &going_on,
        )
        .unwrap()
    }

    fn truths(rows: usize) -> BooleanArray {
        (0..rows).map(|row| (row % 7 != 0).then_some(row % 3 == 0)).collect()
    }

    fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
        RecordBatch::try_from_iter(columns).unwrap()
    }

    #[test]
    fn truth_values_in_memory_are_not_copied() {
        let (all, rest) = (truths(10_000), truths(10_000).slice(9, 5_000));
        let addresses = [&all, &rest].map(|array| array.values().inner().as_ptr());
        let table = read([&all, &rest].map(|array| batch(vec![("a", Arc::new(array.clone()))])).into());
        let Cells::Coded(_, Codes::Truths(held)) = &table.attributes[0].cells else {
            panic!("they were copied")
        };
        assert_eq!(held.runs().iter().map(|run| run.truths.address()).collect::<Vec<_>>(), addresses);
        assert_eq!((held.len(), table.rows), (15_000, 15_000));
        assert!(table.bytes() < 1000, "{}", table.bytes());
    }

    #[test]
    fn held_truth_values_are_those_that_a_copy_has() {
        // With words beside them, the batch is not held.
        let words: ArrayRef =
            Arc::new(StringArray::from_iter_values((0..10_000).map(|row| format!("word {row}"))));
        let held = read(vec![batch(vec![("a", Arc::new(truths(10_000)))])]);
        let copied = read(vec![batch(vec![("a", Arc::new(truths(10_000))), ("b", words)])]);
        let codes = |table: &Table| {
            let Cells::Coded(dictionary, codes) = &table.attributes[0].cells else { panic!("no codes") };
            let mut found = Vec::new();
            codes.for_each(|_, code| found.push(code));
            let is_held = matches!(codes, Codes::Truths(_));
            (
                is_held,
                found,
                (1..=dictionary.len()).map(|code| dictionary.value(code).to_owned()).collect::<Vec<_>>(),
            )
        };
        let ((is_held, held, words), (is_also_held, copied, same_words)) = (codes(&held), codes(&copied));
        assert!(is_held && !is_also_held);
        assert_eq!((held, words), (copied, same_words));
    }

    #[test]
    fn whole_numbers_are_read_as_their_text_is() {
        let marks = MissingMarks::new(&["7".to_owned()]);
        // Beyond the most values with a dictionary, too.
        for rows in [2_000, 140_000] {
            let cells: Vec<Option<i64>> =
                (0..rows).map(|row| (row % 11 != 0).then_some(row * 7919 % rows - 300)).collect();
            let (mut quick, mut plain) =
                (Attribute::new("a".into(), Vec::new()), Attribute::new("a".into(), Vec::new()));
            push_column(&mut quick, &(Arc::new(Int64Array::from(cells.clone())) as ArrayRef), &marks)
                .unwrap();
            let text = |cell: &Option<i64>| cell.map(|cell| cell.to_string()).unwrap_or_default();
            cells.iter().for_each(|cell| plain.push(text(cell).as_bytes(), &marks).unwrap());
            match (&quick.cells, &plain.cells) {
                (Cells::Coded(_, quick), Cells::Coded(_, plain)) => {
                    plain.for_each(|row, code| assert_eq!(quick.get(row), code, "row {row}"));
                    assert_eq!((quick.len(), rows), (plain.len(), 2_000));
                }
                (Cells::Numbers(quick), Cells::Numbers(plain)) => {
                    assert_eq!((quick.len(), rows), (plain.len(), 140_000));
                    assert!(quick.iter().zip(plain).all(|(a, b)| a == b || a.is_nan() && b.is_nan()));
                }
                _ => panic!("they are held in different ways"),
            }
        }
    }

    #[test]
    fn other_cells_may_follow_truth_values_of_another_file() {
        let first = batch(vec![("a", Arc::new(truths(100)))]);
        let mut attribute = read(vec![first]).attributes.remove(0);
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![5, 6]));
        push_column(&mut attribute, &numbers, &MissingMarks::default()).unwrap();
        let Cells::Coded(dictionary, codes) = &attribute.cells else { panic!("no codes") };
        assert!(matches!(codes, Codes::One(_)));
        assert_eq!(
            (codes.len(), codes.get(1), codes.get(3), dictionary.value(codes.get(101))),
            (102, 1, 2, "6")
        );
    }
}
