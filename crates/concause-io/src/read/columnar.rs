//! Appends Arrow record batches to a table, the columns of a batch in parallel.
//!
//! Cells pass through the same text as those of a CSV file, so that the same table gives the same result in any
//! format. Only cells are read here; [`TableBuilder`] is responsible for names and memory.

use std::fmt::Display;
use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch, RecordBatchReader};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use rayon::prelude::*;

use super::binary::number_text;
use super::builder::TableBuilder;
use super::decoding::{catch_panics, with_decoding_flag};
use super::text::record::trim;
use crate::error::{Error, SourceError};
use crate::source::{OpenedSource, Source};
use crate::table::cell::{MissingMarks, boolean_text};
use crate::table::{Attribute, Bits, BooleanRun, CellError, CellStore, UNKNOWN_CODE};

/// The number of decoded cells in memory at a time, unless the table is very wide.
pub(crate) const CELLS_PER_BATCH: usize = 1 << 21;
pub(crate) const MIN_ROWS_PER_BATCH: usize = 1024;

/// A stream of record batches.
pub(crate) type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// The columns of a file in groups that are decoded independently, in the order of the schema.
pub(crate) struct ColumnGroups {
    pub schema: SchemaRef,
    pub groups: Vec<Batches>,
}

/// The content of a columnar file, which decoders must be able to seek in.
pub(crate) enum Content {
    File(PathBuf),
    Bytes(bytes::Bytes),
}

/// Appends the rows of a columnar file; `open` starts to decode its content for a number of threads.
pub(crate) fn read_columnar(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    mut opened: OpenedSource,
    format: &'static str,
    open: impl FnOnce(Content, usize) -> Result<ColumnGroups, ArrowError>,
) -> Result<(), Error> {
    let content = match &opened.file {
        Some(path) => Content::File(path.clone()),
        None => Content::Bytes(opened.read_to_memory(source, builder.options.max_memory)?.into()),
    };
    let corrupt = |detail: &dyn Display| corrupt_file(source, format, detail);
    let read = catch_panics(|| {
        let groups = open(content, builder.division.threads).map_err(|error| corrupt(&error))?;
        read_groups(builder, source, groups, &corrupt)
    });
    read.unwrap_or_else(|| Err(corrupt(&"its content is inconsistent")))
}

fn read_groups(
    builder: &mut TableBuilder<'_>,
    source: &Source,
    ColumnGroups { schema, mut groups }: ColumnGroups,
    corrupt: &dyn Fn(&dyn Display) -> Error,
) -> Result<(), Error> {
    begin_columns(builder, source, &schema)?;
    let rows_before = builder.table.rows;
    loop {
        let batches: Vec<_> =
            groups.par_iter_mut().map(|group| with_decoding_flag(|| group.next())).collect();
        let batches: Vec<RecordBatch> =
            batches.into_iter().flatten().collect::<Result<_, _>>().map_err(|error| corrupt(&error))?;
        let Some(rows) = batches.first().map(RecordBatch::num_rows) else { break };
        if batches.len() != groups.len() || batches.iter().any(|batch| batch.num_rows() != rows) {
            return Err(corrupt(&"its columns differ in length"));
        }
        push_batches(builder, source, &batches, false)?;
        builder.end_rows(rows)?;
    }
    if builder.table.rows == rows_before {
        return Err(Error::new(SourceError::NoRows { header_assumed: false }).in_source(source));
    }
    Ok(())
}

/// Appends the rows of batches that are in memory.
pub(crate) fn read_frame(
    builder: &mut TableBuilder<'_>,
    name: &dyn Display,
    batches: impl RecordBatchReader,
) -> Result<(), Error> {
    begin_columns(builder, name, &batches.schema())?;
    for batch in batches {
        let batch = batch.map_err(|error| {
            Error::new(SourceError::Batches { detail: error.to_string() }).in_source(name)
        })?;
        let share_memory = is_sharing_cheaper(&batch);
        // Few rows at a time, so that the caller can interrupt soon.
        let rows_per_slice = (CELLS_PER_BATCH / batch.num_columns().max(1)).max(MIN_ROWS_PER_BATCH);
        for first in (0..batch.num_rows()).step_by(rows_per_slice) {
            let rows = rows_per_slice.min(batch.num_rows() - first);
            push_batches(builder, name, &[batch.slice(first, rows)], share_memory)?;
            builder.end_rows(rows)?;
        }
    }
    if builder.table.rows == 0 {
        return Err(Error::new(SourceError::NoRows { header_assumed: false }).in_source(name));
    }
    Ok(())
}

/// Whether sharing the Boolean arrays of a batch takes less memory than copying them: sharing one of them keeps the
/// whole batch alive.
fn is_sharing_cheaper(batch: &RecordBatch) -> bool {
    let booleans = batch.columns().iter().filter(|column| column.data_type() == &DataType::Boolean).count();
    batch.get_array_memory_size() <= batch.num_rows() * booleans
}

/// Gives the names of the columns to the table.
fn begin_columns(builder: &mut TableBuilder<'_>, source: &dyn Display, schema: &Schema) -> Result<(), Error> {
    let names: Vec<String> =
        schema.fields().iter().map(|field| field.name().trim_matches([' ', '\t']).to_owned()).collect();
    if names.is_empty() {
        return Err(Error::new(SourceError::Empty).in_source(source));
    }
    builder.begin_named(source, names)
}

/// Appends the cells of batches of the same rows that together have all columns. Boolean arrays are not copied if
/// `share_memory`.
fn push_batches(
    builder: &mut TableBuilder<'_>,
    source: &dyn Display,
    batches: &[RecordBatch],
    share_memory: bool,
) -> Result<(), Error> {
    let marks = &builder.marks;
    let columns: Vec<&ArrayRef> = batches.iter().flat_map(RecordBatch::columns).collect();
    let pushed: Vec<_> = builder
        .table
        .attributes
        .par_iter_mut()
        .zip(columns)
        .map(|(attribute, column)| {
            let push =
                |attribute: &mut Attribute| match share_memory && push_booleans(attribute, column, marks)? {
                    true => Ok(()),
                    false => push_column(attribute, column, marks),
                };
            (with_decoding_flag(|| push(attribute)), &attribute.name)
        })
        .collect();
    for (result, name) in pushed {
        result.map_err(|error| {
            let kind = match error {
                CellError::Nul => SourceError::CellNul,
                CellError::NotUtf8 => SourceError::CellNotUtf8,
            };
            Error::new(kind).in_source(source).in_column(name)
        })?;
    }
    Ok(())
}

fn corrupt_file(source: &Source, format: &'static str, detail: &dyn Display) -> Error {
    let detail = detail.to_string();
    let detail = detail.lines().next().unwrap_or_default().trim_end_matches('.').to_owned();
    Error::new(SourceError::Corrupt { format, detail }).in_source(source)
}

/// Appends the cells of one column of a batch.
fn push_column(attribute: &mut Attribute, column: &ArrayRef, marks: &MissingMarks) -> Result<(), CellError> {
    if push_dictionary(attribute, column, marks) {
        return Ok(());
    }
    let as_type = |wanted: &DataType| cast(column, wanted);
    let readable = match column.data_type() {
        DataType::Null => Ok(column.clone()),
        DataType::Boolean | DataType::Float64 => Ok(column.clone()),
        kind if kind.is_integer() => Ok(column.clone()),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(column.clone()),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => as_type(&DataType::LargeBinary),
        DataType::Float16 | DataType::Float32 => as_type(&DataType::Float32),
        DataType::Dictionary(_, values) => as_type(values),
        DataType::RunEndEncoded(_, values) => as_type(values.data_type()),
        kind if kind.is_temporal() || kind.is_decimal() => as_type(&DataType::LargeUtf8),
        kind => Err(ArrowError::NotYetImplemented(kind.to_string())),
    };
    let Ok(readable) = readable else {
        attribute.cells = CellStore::Unsupported(column.data_type().to_string());
        return Ok(());
    };
    if matches!(column.data_type(), DataType::Dictionary(..) | DataType::RunEndEncoded(..)) {
        return push_column(attribute, &readable, marks);
    }
    push_cells(attribute, &readable, marks)
}

/// Appends a Boolean array without a copy; false if this is impossible.
fn push_booleans(
    attribute: &mut Attribute,
    column: &ArrayRef,
    marks: &MissingMarks,
) -> Result<bool, CellError> {
    let Some(booleans) = column.as_boolean_opt() else { return Ok(false) };
    let present = booleans.nulls().map(|nulls| Bits::new(nulls.buffer().clone(), nulls.offset()));
    let (values, rows) = (booleans.values(), booleans.len());
    let values = Bits::new(values.inner().clone(), values.offset());
    attribute.push_booleans(BooleanRun { values, present, rows }, marks)
}

/// Appends cells that are codes into a dictionary and interprets each of its values once; false if the dictionary does
/// not help.
fn push_dictionary(attribute: &mut Attribute, column: &ArrayRef, marks: &MissingMarks) -> bool {
    let Some(coded) = column.as_any_dictionary_opt() else { return false };
    let values = coded.values();
    if values.is_empty() || values.len() > column.len() {
        return false;
    }
    let mut interpreted = attribute.without_rows();
    if push_column(&mut interpreted, values, marks).is_err() {
        // The error counts only if a cell has it.
        return false;
    }
    let keys = coded.normalized_keys().into_iter().enumerate();
    attribute.push_codes(keys.map(|(row, key)| coded.keys().is_valid(row).then_some(key)), &interpreted)
}

fn push_cells(attribute: &mut Attribute, cells: &ArrayRef, marks: &MissingMarks) -> Result<(), CellError> {
    let mut push = |cell: Option<&[u8]>| attribute.push(trim(cell.unwrap_or_default()), marks);
    match cells.data_type() {
        DataType::Boolean => {
            for cell in cells.as_boolean() {
                push(cell.map(|value| boolean_text(value).as_bytes()))?;
            }
        }
        DataType::Int8 => return push_integers::<Int8Type>(attribute, cells, marks),
        DataType::Int16 => return push_integers::<Int16Type>(attribute, cells, marks),
        DataType::Int32 => return push_integers::<Int32Type>(attribute, cells, marks),
        DataType::Int64 => return push_integers::<Int64Type>(attribute, cells, marks),
        DataType::UInt8 => return push_integers::<UInt8Type>(attribute, cells, marks),
        DataType::UInt16 => return push_integers::<UInt16Type>(attribute, cells, marks),
        DataType::UInt32 => return push_integers::<UInt32Type>(attribute, cells, marks),
        DataType::UInt64 => return push_integers::<UInt64Type>(attribute, cells, marks),
        DataType::Float64 => {
            let numbers = cells.as_primitive::<Float64Type>().iter();
            return push_recent(attribute, numbers, f64::to_bits, number_text, marks);
        }
        // In single precision: 0.1 must become the text 0.1 and not that of the nearest double.
        DataType::Float32 => {
            let numbers = cells.as_primitive::<Float32Type>().iter();
            return push_recent(attribute, numbers, |number| number.to_bits().into(), write_single, marks);
        }
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
                attribute.cells = CellStore::Unsupported("Binary".into());
            }
        }
        _ => (0..cells.len()).try_for_each(|_| push(None))?,
    }
    Ok(())
}

/// The span of the whole numbers that are looked up in a table.
const TABLE_SPAN: u64 = 4096;

/// Appends whole numbers. Those of a small span are looked up in a table, others among those that occurred lately; the
/// text of each is interpreted once.
fn push_integers<Type>(
    attribute: &mut Attribute,
    column: &ArrayRef,
    marks: &MissingMarks,
) -> Result<(), CellError>
where
    Type: ArrowPrimitiveType,
    Type::Native: Copy + Ord + Display + AsPrimitive,
{
    let array = column.as_primitive::<Type>();
    let values = array.values();
    let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else { return Ok(()) };
    // Two's complement: the difference is right for signed numbers too.
    let (first, span) = (least.bits(), most.bits().wrapping_sub(least.bits()));
    if span >= TABLE_SPAN {
        let write = |number: Type::Native| number.to_string();
        return push_recent(attribute, array.iter(), |number| number.bits(), write, marks);
    }
    let by_number = |number: Type::Native| number.bits().wrapping_sub(first) as usize;
    let write = |number: usize| match (first as i64).checked_add(number as i64) {
        Some(number) if Type::Native::IS_SIGNED => number.to_string(),
        _ => first.wrapping_add(number as u64).to_string(),
    };
    let mut known = vec![UNKNOWN_CODE; span as usize + 1];
    if array.null_count() == 0 {
        let cells = values.iter().map(|&number| Some(by_number(number)));
        attribute.push_numbers(cells, &mut known, write, marks)
    } else {
        attribute.push_numbers(array.iter().map(|cell| cell.map(by_number)), &mut known, write, marks)
    }
}

/// A whole number as 64 bits.
trait AsPrimitive {
    const IS_SIGNED: bool;

    fn bits(self) -> u64;
}

macro_rules! as_primitive {
    ($($kind:ty: $signed:expr),*) => {
        $(
            impl AsPrimitive for $kind {
                const IS_SIGNED: bool = $signed;

                fn bits(self) -> u64 {
                    self as u64
                }
            }
        )*
    };
}

as_primitive!(i8: true, i16: true, i32: true, i64: true, u8: false, u16: false, u32: false, u64: false);

/// The numbers that occurred lately, by a hash of their bits.
const RECENT_NUMBERS: usize = 4096;

/// Appends numbers; the text of those that occurred lately is not written again.
fn push_recent<Number: Copy>(
    attribute: &mut Attribute,
    cells: impl Iterator<Item = Option<Number>>,
    bits: impl Fn(Number) -> u64,
    write: impl Fn(Number) -> String,
    marks: &MissingMarks,
) -> Result<(), CellError> {
    let mut recent: Vec<Option<(u64, u32)>> = vec![None; RECENT_NUMBERS];
    let mut cells = cells.peekable();
    let mut found = Vec::new();
    while cells.peek().is_some() {
        found.clear();
        for cell in cells.by_ref().take(RECENT_NUMBERS) {
            let Some(number) = cell else {
                found.push(0);
                continue;
            };
            let bits = bits(number);
            let place = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
            let code = match recent[place] {
                Some((known, code)) if known == bits => code,
                _ => {
                    let Some(code) = attribute.code(write(number).as_bytes(), marks)? else {
                        // There are no codes any more.
                        attribute.push_codes_of(&found);
                        attribute.push(write(number).as_bytes(), marks)?;
                        return cells.try_for_each(|cell| {
                            attribute.push(cell.map(&write).unwrap_or_default().as_bytes(), marks)
                        });
                    };
                    recent[place] = Some((bits, code));
                    code
                }
            };
            found.push(code);
        }
        attribute.push_codes_of(&found);
    }
    Ok(())
}

fn write_single(cell: f32) -> String {
    match cell.abs() {
        0.0 | 1e-5..1e16 => cell.to_string(),
        _ if cell.is_finite() => format!("{cell:e}"),
        _ => cell.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use arrow_array::{BooleanArray, Int64Array, RecordBatchIterator, StringArray};

    use super::*;
    use crate::declaration::Declaration;
    use crate::options::ReadOptions;
    use crate::table::{Codes, Table};

    fn read(batches: Vec<RecordBatch>) -> Table {
        let schema = batches[0].schema();
        let batches = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
        let proceed = |_| ControlFlow::Continue(());
        super::super::read_batches(
            "table",
            batches,
            &ReadOptions::default(),
            &Declaration::default(),
            &proceed,
        )
        .unwrap()
    }

    fn booleans(rows: usize) -> BooleanArray {
        (0..rows).map(|row| (row % 7 != 0).then_some(row % 3 == 0)).collect()
    }

    fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
        RecordBatch::try_from_iter(columns).unwrap()
    }

    #[test]
    fn booleans_in_memory_are_not_copied() {
        let (all, rest) = (booleans(10_000), booleans(10_000).slice(9, 5_000));
        let addresses = [&all, &rest].map(|array| array.values().inner().as_ptr());
        let table = read([&all, &rest].map(|array| batch(vec![("a", Arc::new(array.clone()))])).into());
        let CellStore::Coded(_, Codes::Booleans(shared)) = &table.attributes[0].cells else {
            panic!("they were copied")
        };
        assert_eq!(shared.runs().iter().map(|run| run.values.address()).collect::<Vec<_>>(), addresses);
        assert_eq!((shared.len(), table.rows), (15_000, 15_000));
        assert!(table.bytes() < 1000, "{}", table.bytes());
    }

    #[test]
    fn shared_booleans_equal_a_copy() {
        // Text in the same batch makes a copy cheaper.
        let words: ArrayRef =
            Arc::new(StringArray::from_iter_values((0..10_000).map(|row| format!("word {row}"))));
        let shared = read(vec![batch(vec![("a", Arc::new(booleans(10_000)))])]);
        let copied = read(vec![batch(vec![("a", Arc::new(booleans(10_000))), ("b", words)])]);
        let codes = |table: &Table| {
            let CellStore::Coded(dictionary, codes) = &table.attributes[0].cells else { panic!("no codes") };
            let mut found = Vec::new();
            codes.for_each(|_, code| found.push(code));
            let is_shared = matches!(codes, Codes::Booleans(_));
            (
                is_shared,
                found,
                (1..=dictionary.len()).map(|code| dictionary.value(code).to_owned()).collect::<Vec<_>>(),
            )
        };
        let ((is_shared, shared, words), (is_also_shared, copied, same_words)) =
            (codes(&shared), codes(&copied));
        assert!(is_shared && !is_also_shared);
        assert_eq!((shared, words), (copied, same_words));
    }

    #[test]
    fn whole_numbers_are_read_like_their_text() {
        let marks = MissingMarks::new(&["7".to_owned()]);
        // Beyond the most values with a dictionary, too.
        for rows in [2_000, 140_000] {
            let cells: Vec<Option<i64>> =
                (0..rows).map(|row| (row % 11 != 0).then_some(row * 7919 % rows - 300)).collect();
            let (mut quick, mut textual) =
                (Attribute::new("a".into(), Vec::new()), Attribute::new("a".into(), Vec::new()));
            push_column(&mut quick, &(Arc::new(Int64Array::from(cells.clone())) as ArrayRef), &marks)
                .unwrap();
            let text = |cell: &Option<i64>| cell.map(|cell| cell.to_string()).unwrap_or_default();
            cells.iter().for_each(|cell| textual.push(text(cell).as_bytes(), &marks).unwrap());
            match (&quick.cells, &textual.cells) {
                (CellStore::Coded(_, quick), CellStore::Coded(_, textual)) => {
                    textual.for_each(|row, code| assert_eq!(quick.get(row), code, "row {row}"));
                    assert_eq!((quick.len(), rows), (textual.len(), 2_000));
                }
                (CellStore::Numbers(quick), CellStore::Numbers(textual)) => {
                    assert_eq!((quick.len(), rows), (textual.len(), 140_000));
                    assert!(quick.iter().zip(textual).all(|(a, b)| a == b || a.is_nan() && b.is_nan()));
                }
                _ => panic!("they are stored differently"),
            }
        }
    }

    #[test]
    fn other_cells_may_follow_shared_booleans() {
        let first = batch(vec![("a", Arc::new(booleans(100)))]);
        let mut attribute = read(vec![first]).attributes.remove(0);
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![5, 6]));
        push_column(&mut attribute, &numbers, &MissingMarks::default()).unwrap();
        let CellStore::Coded(dictionary, codes) = &attribute.cells else { panic!("no codes") };
        assert!(matches!(codes, Codes::One(_)));
        assert_eq!(
            (codes.len(), codes.get(1), codes.get(3), dictionary.value(codes.get(101))),
            (102, 1, 2, "6")
        );
    }
}
