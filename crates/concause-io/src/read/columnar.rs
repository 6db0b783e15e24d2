//! Reads Parquet and Arrow files into a table under way, batch by batch.
//!
//! Cells go through the same text as those of a CSV file would, so that the same table gives the same result
//! in any format. Only the cells are read here; names and memory are the business of [`Reading`].

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;

use super::record::trim;
use super::{DECODING, Reading};
use crate::error::Error;
use crate::options::Format;
use crate::source::{Opened, Source, failure};
use crate::table::word::MissingMarks;
use crate::table::{Attribute, CellFault, Cells};

const ROWS_AT_ONCE: usize = 8192;

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// Appends the rows of a Parquet or Arrow file.
pub(crate) fn read_columnar(reading: &mut Reading<'_>, source: &Source, opened: Opened) -> Result<(), Error> {
    let format = opened.format;
    // The decoders are not proof against every damaged file; a damaged file must not end the program.
    DECODING.set(true);
    let read = catch_unwind(AssertUnwindSafe(|| read_batches(reading, source, opened)));
    DECODING.set(false);
    read.unwrap_or_else(|_| Err(corrupt(source, format, "its content contradicts itself")))
}

fn read_batches(reading: &mut Reading<'_>, source: &Source, opened: Opened) -> Result<(), Error> {
    let format = opened.format;
    let (schema, batches) = match (source, opened.compression) {
        (Source::Path(path), None) => {
            let file = File::open(path).map_err(|error| Error::system(source, error))?;
            match format {
                Format::Parquet => parquet_batches(file).map_err(|error| corrupt(source, format, error))?,
                _ => arrow_batches(BufReader::new(file)).map_err(|error| corrupt(source, format, error))?,
            }
        }
        _ => {
            let bytes = bytes::Bytes::from(whole(reading, source, opened)?);
            match format {
                Format::Parquet => parquet_batches(bytes).map_err(|error| corrupt(source, format, error))?,
                _ => arrow_batches(Cursor::new(bytes)).map_err(|error| corrupt(source, format, error))?,
            }
        }
    };
    let names: Vec<String> =
        schema.fields().iter().map(|field| field.name().trim_matches([' ', '\t']).to_owned()).collect();
    if names.is_empty() {
        return Err(Error::source(source, "is empty; a table needs names and at least one row"));
    }
    reading.begin_named(source, names)?;
    let rows_before = reading.table.rows;
    for batch in batches {
        let batch = batch.map_err(|error| corrupt(source, format, error))?;
        for (attribute, column) in reading.table.attributes.iter_mut().zip(batch.columns()) {
            push_column(attribute, column, &reading.marks).map_err(|fault| {
                let what = match fault {
                    CellFault::Nul => "a NUL character",
                    CellFault::NotUtf8 => "bytes that are not UTF-8 text",
                };
                Error::source(
                    source,
                    format!("column {:?} holds {what}; mend it or leave it out", attribute.name),
                )
            })?;
        }
        reading.end_rows(batch.num_rows())?;
    }
    if reading.table.rows == rows_before {
        return Err(Error::source(source, "has names but no rows"));
    }
    Ok(())
}

fn parquet_batches(file: impl ChunkReader + 'static) -> Result<(SchemaRef, Batches), ArrowError> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
    let schema = builder.schema().clone();
    let reader = builder.with_batch_size(ROWS_AT_ONCE).build()?;
    Ok((schema, Box::new(reader)))
}

fn arrow_batches(mut file: impl Read + Seek + 'static) -> Result<(SchemaRef, Batches), ArrowError> {
    let mut magic = Vec::new();
    file.by_ref().take(6).read_to_end(&mut magic)?;
    file.seek(SeekFrom::Start(0))?;
    if magic == b"ARROW1" {
        let reader = FileReader::try_new(file, None)?;
        Ok((reader.schema(), Box::new(reader)))
    } else {
        let reader = StreamReader::try_new(file, None)?;
        Ok((reader.schema(), Box::new(reader)))
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
        DataType::Int64 => {
            push_written!(cells.as_primitive::<Int64Type>(), |text: &mut String, cell: i64| write!(
                text,
                "{cell}"
            ));
        }
        DataType::UInt64 => {
            push_written!(cells.as_primitive::<UInt64Type>(), |text: &mut String, cell: u64| write!(
                text,
                "{cell}"
            ));
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
