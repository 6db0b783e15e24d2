//! Counts all pairs of a file of packed bits, so that other programs can be compared on the same data.
//!
//! The file holds the number of columns and of rows as two little-endian u64, then column after column of bits,
//! eight to a byte, the first row in the lowest bit, each column padded to a whole byte.

use std::path::Path;

use concause::count::LocalCounter;
use concause::count::kernel::Kernel;
use concause::dataset::{Dataset, DatasetBuilder, Target};
use concause_bench::machine;
use concause_bench::race::time;
use serde_json::json;

use crate::kernels::{kernel_counts, sweep_only};
use crate::part::threads;

const REPETITIONS: usize = 7;

/// `pairs --bits FILE [--threads N]`: prints the seconds, by the clock and of the processors, the
/// fewest of several, and a checksum of the counts.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut file, mut number) = (None, machine::threads());
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--bits" => file = Some(value),
            "--threads" => {
                number = value.parse().map_err(|_| format!("--threads {value} is not a number"))?
            }
            _ => return Err(format!("{argument} is not known here: pairs --bits FILE [--threads N]")),
        }
    }
    let file = file.ok_or("pairs needs --bits FILE")?;
    let bytes = std::fs::read(Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
    let dataset = read_bits(&bytes).map_err(|sentence| format!("{file}: {sentence}"))?;
    let (columns, counter) = (dataset.columns().len(), LocalCounter::new(&dataset));
    let pool = threads(number)?;
    let (mut seconds, mut processor_seconds) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..=REPETITIONS {
        let before = machine::processor_seconds();
        seconds = seconds.min(time(|| pool.install(|| sweep_only(&counter, columns))));
        if let Some((after, before)) = machine::processor_seconds().zip(before) {
            processor_seconds = processor_seconds.min(after - before);
        }
    }
    let answer = json!({
        "columns": columns,
        "rows": dataset.rows(),
        "threads": number,
        "kernel": Kernel::fastest().name(),
        "seconds": seconds,
        // Infinity, where it is not known, becomes null.
        "processor_seconds": processor_seconds,
        "checksum": checksum(&dataset),
    });
    println!("{answer}");
    Ok(())
}

/// The sum over all pairs i < j of their count times (i · columns + j), modulo 2^64.
fn checksum(dataset: &Dataset) -> u64 {
    let columns = dataset.columns().len() as u64;
    let pairs = (0..columns).flat_map(|i| (i + 1..columns).map(move |j| i * columns + j));
    let counts = kernel_counts(dataset, Kernel::fastest());
    pairs.zip(counts).fold(0, |sum, (weight, count)| sum.wrapping_add(weight.wrapping_mul(count.total())))
}

/// The columns of a file; every row is a control, so that only totals are counted.
fn read_bits(bytes: &[u8]) -> Result<Dataset, String> {
    let (header, rest) = bytes.as_chunks::<8>();
    let &[columns, rows, ..] = header else {
        return Err("is shorter than its header of two 64-bit numbers".into());
    };
    let (columns, rows) = (u64::from_le_bytes(columns), u64::from_le_bytes(rows));
    let length = rows.div_ceil(8);
    let wanted = columns.checked_mul(length).and_then(|bits| bits.checked_add(16));
    if wanted != Some(bytes.len() as u64) {
        let found = 8 * header.len() + rest.len();
        return Err(format!("has {found} bytes, which is not right for {columns} columns of {rows} rows"));
    }
    if columns == 0 || rows == 0 {
        return Err("has no columns or no rows".into());
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
    fn bits_are_read_from_the_lowest() {
        // Rows 0, 1 and 9; rows 1, 8 and 9; rows 0 and 9.
        let bits = [0b0000_0011, 0b10, 0b0000_0010, 0b11, 0b0000_0001, 0b10];
        let dataset = read_bits(&file(3, 10, &bits)).unwrap();
        assert_eq!((dataset.columns().len(), dataset.rows(), dataset.positive()), (3, 10, 0));
        let counts: Vec<u64> =
            kernel_counts(&dataset, Kernel::fastest()).iter().map(|count| count.total()).collect();
        assert_eq!(counts, [2, 2, 1]);
        assert_eq!(checksum(&dataset), 2 + 2 * 2 + 5);
    }

    #[test]
    fn damaged_files_are_refused() {
        assert!(read_bits(&[1, 2, 3]).unwrap_err().contains("shorter than its header"));
        assert!(read_bits(&file(3, 10, &[0; 5])).unwrap_err().contains("not right for 3 columns"));
        assert!(read_bits(&file(u64::MAX, u64::MAX, &[])).unwrap_err().contains("not right"));
        assert!(read_bits(&file(0, 0, &[])).unwrap_err().contains("no columns"));
    }
}
