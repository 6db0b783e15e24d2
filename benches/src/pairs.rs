//! Counts all pairs of columns in a file of packed bits, to compare other programs on the same data.
//!
//! The file has the number of columns and of rows as two little-endian u64, followed by the bits of each column. A
//! byte holds eight rows, the first in its lowest bit. Each column is padded to whole bytes.

use std::fmt;
use std::path::Path;

use concause::count::kernel::Kernel;
use concause::count::{Count, LocalCounter};
use concause::dataset::{Dataset, DatasetBuilder, Target};
use concause_bench::error::ToolError;
use concause_bench::machine;
use concause_bench::timing::time_task;
use serde_json::json;

use crate::kernels::{count_and_discard, kernel_counts};
use crate::scope::start_threads;

const REPETITIONS: usize = 7;

/// `pairs --bits FILE [--threads N]`: prints the shortest wall-clock and processor time, and a checksum of the counts.
pub fn run(arguments: &[String]) -> Result<(), ToolError> {
    let usage = |problem: String| ToolError::Usage(problem);
    let (mut file, mut number) = (None, machine::thread_count());
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or_else(|| usage(format!("{argument} needs a value")))?;
        match argument.as_str() {
            "--bits" => file = Some(value),
            "--threads" => {
                number = value.parse().map_err(|_| usage(format!("--threads: {value} is not a number")))?
            }
            _ => {
                return Err(usage(format!(
                    "unknown option {argument}; usage: pairs --bits FILE [--threads N]"
                )));
            }
        }
    }
    let file = Path::new(file.ok_or_else(|| usage("pairs needs --bits FILE".into()))?);
    let bytes = std::fs::read(file).map_err(ToolError::file(file))?;
    let dataset = parse_bits(&bytes)
        .map_err(|error| ToolError::InvalidFile { path: file.into(), problem: error.to_string() })?;
    let (columns, counter) = (dataset.columns().len(), LocalCounter::new(&dataset));
    let pool = start_threads(number)?;
    let (mut seconds, mut processor_seconds) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..=REPETITIONS {
        let before = machine::processor_seconds();
        let (taken, result) = time_task(|| pool.install(|| count_and_discard(&counter, columns)));
        result?;
        seconds = seconds.min(taken);
        if let Some((after, before)) = machine::processor_seconds().zip(before) {
            processor_seconds = processor_seconds.min(after - before);
        }
    }
    let result = json!({
        "columns": columns,
        "rows": dataset.rows(),
        "threads": number,
        "kernel": Kernel::fastest().name(),
        "seconds": seconds,
        // Infinity, if it is unknown, becomes null.
        "processor_seconds": processor_seconds,
        "checksum": checksum(&dataset)?,
    });
    println!("{result}");
    Ok(())
}

/// The sum over all pairs i < j of their count times (i · columns + j), modulo 2^64.
fn checksum(dataset: &Dataset) -> Result<u64, ToolError> {
    let columns = dataset.columns().len() as u64;
    let pairs = (0..columns).flat_map(|i| (i + 1..columns).map(move |j| i * columns + j));
    let counts = kernel_counts(dataset, Kernel::fastest())?;
    let add = |sum: u64, (weight, count): (u64, Count)| sum.wrapping_add(weight.wrapping_mul(count.total()));
    Ok(pairs.zip(counts).fold(0, add))
}

/// Why a file of bits is not valid.
#[derive(Debug, PartialEq, Eq)]
enum BitsError {
    /// The header of two numbers is incomplete.
    NoHeader,
    /// The file does not have the length that its header implies.
    WrongLength { bytes: usize, columns: u64, rows: u64 },
    /// There are no columns or no rows.
    Empty,
}

impl fmt::Display for BitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader => f.write_str("the file is shorter than its header of two 64-bit numbers"),
            Self::WrongLength { bytes, columns, rows } => {
                write!(f, "{bytes} bytes are the wrong length for {columns} columns of {rows} rows")
            }
            Self::Empty => f.write_str("the file has no columns or no rows"),
        }
    }
}

/// The columns of a file. Every row is a control, so that only totals are counted.
fn parse_bits(bytes: &[u8]) -> Result<Dataset, BitsError> {
    let (header, _) = bytes.as_chunks::<8>();
    let &[columns, rows, ..] = header else {
        return Err(BitsError::NoHeader);
    };
    let (columns, rows) = (u64::from_le_bytes(columns), u64::from_le_bytes(rows));
    let length = rows.div_ceil(8);
    let expected = columns.checked_mul(length).and_then(|bits| bits.checked_add(16));
    if expected != Some(bytes.len() as u64) {
        return Err(BitsError::WrongLength { bytes: bytes.len(), columns, rows });
    }
    if columns == 0 || rows == 0 {
        return Err(BitsError::Empty);
    }
    let target = Target { name: "none".into(), value: None };
    let mut builder = DatasetBuilder::new(target, vec![false; rows as usize]);
    for (number, column) in bytes[16..].chunks_exact(length as usize).enumerate() {
        let name = format!("V{}", number + 1);
        let bits = (0..rows as usize).map(|row| (column[row / 8] >> (row % 8) & 1 == 1).then_some(0));
        builder.attribute(&name, vec![name.clone()], bits);
    }
    Ok(builder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(columns: u64, rows: u64, bits: &[u8]) -> Vec<u8> {
        [&columns.to_le_bytes()[..], &rows.to_le_bytes(), bits].concat()
    }

    #[test]
    fn the_first_row_is_the_lowest_bit() {
        // Rows 0, 1 and 9; rows 1, 8 and 9; rows 0 and 9.
        let bits = [0b0000_0011, 0b10, 0b0000_0010, 0b11, 0b0000_0001, 0b10];
        let dataset = parse_bits(&file(3, 10, &bits)).unwrap();
        assert_eq!((dataset.columns().len(), dataset.rows(), dataset.positive()), (3, 10, 0));
        let counts: Vec<u64> =
            kernel_counts(&dataset, Kernel::fastest()).unwrap().iter().map(|count| count.total()).collect();
        assert_eq!(counts, [2, 2, 1]);
        assert_eq!(checksum(&dataset).unwrap(), 2 + 2 * 2 + 5);
    }

    #[test]
    fn damaged_files_are_rejected() {
        let error = |bytes: &[u8]| parse_bits(bytes).map(|_| ()).unwrap_err();
        assert_eq!(error(&[1, 2, 3]), BitsError::NoHeader);
        let short = error(&file(3, 10, &[0; 5]));
        assert_eq!(short, BitsError::WrongLength { bytes: 21, columns: 3, rows: 10 });
        assert!(matches!(error(&file(u64::MAX, u64::MAX, &[])), BitsError::WrongLength { .. }));
        assert_eq!(error(&file(0, 0, &[])), BitsError::Empty);
    }
}
