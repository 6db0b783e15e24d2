//! Measures how fast tables are read and encoded, compared with the `csv` crate on one thread.
//!
//! `cargo bench -p concause-io --bench reading`. All measurements of a table alternate, several times, so that
//! a temporary load on the machine slows all of them; ratios compare the fastest times.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use concause::random::Random;
use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, Table, encode, read_sources};
use flate2::read::MultiGzDecoder;

const ROUNDS: usize = 9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{} threads, {ROUNDS} rounds", rayon::current_num_threads());
    let folder = tempfile::tempdir()?;
    census(folder.path())?;
    simulated(folder.path())?;
    wide(folder.path())?;
    #[cfg(feature = "arrow")]
    integers(folder.path())?;
    genotypes(folder.path())
}

/// 60,000 rows of 495 columns of 0 and 1. The same cells with a blank after each comma are read by the way of all other
/// text, so that the ratio of the two is what cells of one byte gain.
fn wide(scratch: &Path) -> Result<(), Box<dyn std::error::Error>> {
    const ROWS: usize = 60_000;
    const COLUMNS: usize = 495;
    let mut random = Random::new(2);
    let names: Vec<String> = (1..=COLUMNS).map(|column| format!("V{column}")).collect();
    let mut text = (names.join(",") + "\n").into_bytes();
    for _ in 0..ROWS {
        for column in 0..COLUMNS {
            text.extend_from_slice(&[
                b'0' + random.below(2) as u8,
                if column + 1 < COLUMNS { b',' } else { b'\n' },
            ]);
        }
    }
    let (plain, blank) = (scratch.join("wide.csv"), scratch.join("blank.csv"));
    std::fs::write(&plain, &text)?;
    let split = text.iter().flat_map(|&byte| [Some(byte), (byte == b',').then_some(b' ')]).flatten();
    std::fs::write(&blank, split.collect::<Vec<u8>>())?;
    let mut bench = Bench::new("Wide 0 and 1", text.len());
    for _ in 0..ROUNDS {
        bench.measure("csv crate, in memory", || csv_records(text.as_slice()));
        bench.measure("read, plain file", || {
            read_table(std::slice::from_ref(&plain), &ReadOptions::default())
        });
        bench.measure("read, with blanks", || {
            read_table(std::slice::from_ref(&blank), &ReadOptions::default())
        });
    }
    bench.print();
    Ok(())
}

/// 1,000,000 rows of 20 columns of whole numbers in Parquet, beside the same numbers as text.
#[cfg(feature = "arrow")]
fn integers(scratch: &Path) -> Result<(), Box<dyn std::error::Error>> {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

    const ROWS: usize = 1_000_000;
    let mut random = Random::new(3);
    let numbers: Vec<Vec<i64>> =
        (0..20).map(|column| (0..ROWS).map(|_| random.below(2 + 50 * column) as i64).collect()).collect();
    let write = |name: &str,
                 column: &dyn Fn(&Vec<i64>) -> ArrayRef|
     -> Result<PathBuf, Box<dyn std::error::Error>> {
        let columns = numbers.iter().enumerate().map(|(number, cells)| (format!("c{number}"), column(cells)));
        let batch = RecordBatch::try_from_iter(columns)?;
        let path = scratch.join(name);
        let mut writer = parquet::arrow::ArrowWriter::try_new(File::create(&path)?, batch.schema(), None)?;
        writer.write(&batch)?;
        writer.close()?;
        Ok(path)
    };
    let typed = write("typed.parquet", &|cells| Arc::new(Int64Array::from(cells.clone())))?;
    let texts = write("texts.parquet", &|cells| {
        Arc::new(StringArray::from_iter_values(cells.iter().map(i64::to_string)))
    })?;
    let mut bench = Bench::new("Whole numbers in Parquet", numbers.len() * ROWS * 8);
    for _ in 0..ROUNDS {
        bench.measure("text columns", || read_table(std::slice::from_ref(&texts), &ReadOptions::default()));
        bench
            .measure("integer columns", || read_table(std::slice::from_ref(&typed), &ReadOptions::default()));
    }
    bench.print();
    Ok(())
}

/// 1,000 variants of 10,000 people as PLINK's binary files.
fn genotypes(scratch: &Path) -> Result<(), Box<dyn std::error::Error>> {
    const PEOPLE: usize = 10_000;
    const VARIANTS: usize = 1_000;
    let mut random = Random::new(4);
    let mut bed = b"\x6c\x1b\x01".to_vec();
    bed.extend((0..VARIANTS * PEOPLE / 4).map(|_| random.below(256) as u8));
    let path = scratch.join("genes.bed");
    std::fs::write(&path, &bed)?;
    let fam: String = (0..PEOPLE)
        .map(|person| format!("f p{person} 0 0 {} {}\n", 1 + person % 2, 1 + person % 3 / 2))
        .collect();
    let bim: String = (0..VARIANTS).map(|variant| format!("1 rs{variant} 0 {variant} A G\n")).collect();
    std::fs::write(path.with_extension("fam"), fam)?;
    std::fs::write(path.with_extension("bim"), bim)?;
    let mut bench = Bench::new("Genotypes", bed.len());
    for _ in 0..ROUNDS {
        bench.measure("bytes of the file alone", || {
            std::fs::read(&path).map(|bytes| bytes.len()).unwrap_or(0)
        });
        bench.measure("read, bed", || read_table(std::slice::from_ref(&path), &ReadOptions::default()));
    }
    bench.print();
    Ok(())
}

/// The Census-Income data of the UCI repository, if it is available.
fn census(scratch: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/uci");
    let files = ["census-income.data.gz", "census-income.test.gz"].map(|name| folder.join(name));
    if !files.iter().all(|file| file.exists()) {
        println!("\nCensus: NOT MEASURED, {} is absent", files[0].display());
        return Ok(());
    }
    let mut text = Vec::new();
    for file in &files {
        MultiGzDecoder::new(File::open(file)?).read_to_end(&mut text)?;
    }
    let plain = scratch.join("census.csv");
    std::fs::write(&plain, &text)?;
    let quoted = scratch.join("quoted.csv");
    std::fs::write(&quoted, quoted_text(&text))?;
    let options = ReadOptions { header: Some(false), ..ReadOptions::default() };
    const CONTINUOUS: [usize; 7] = [1, 6, 17, 18, 19, 25, 40];
    let nominal = (1..=41).filter(|column| !CONTINUOUS.contains(column));
    let nominal = nominal.map(|column| format!("V{column}")).collect();
    let encode_options = EncodeOptions {
        target: "V42=50000+.".into(),
        nominal,
        drop_continuous: true,
        ..EncodeOptions::default()
    };
    let mut bench = Bench::new("Census", text.len());
    for _ in 0..ROUNDS {
        bench.measure("csv crate, in memory", || csv_records(text.as_slice()));
        bench.measure("csv crate, from gzip", || {
            files.iter().map(|file| csv_records(unpacked(file))).sum::<u64>()
        });
        bench.measure("gzip alone", || files.iter().map(|file| drained(unpacked(file))).sum::<u64>());
        let table = bench.measure("read, from gzip", || read_table(&files, &options));
        bench.measure("encode", || encoded(table, &encode_options));
        bench.measure("read, plain file", || read_table(std::slice::from_ref(&plain), &options));
        bench.measure("read, all cells quoted", || read_table(std::slice::from_ref(&quoted), &options));
    }
    bench.print();
    Ok(())
}

/// 300,000 rows of 40 nominal columns, some with few and some with many values, and an outcome.
fn simulated(scratch: &Path) -> Result<(), Box<dyn std::error::Error>> {
    const ROWS: usize = 300_000;
    const COLUMNS: usize = 40;
    let mut random = Random::new(1);
    let mut cells: Vec<Vec<String>> = (0..COLUMNS)
        .map(|column| (0..ROWS).map(|_| format!("value {}", random.below(2 + column * 2))).collect())
        .collect();
    cells.push((0..ROWS).map(|_| random.below(2).to_string()).collect());
    let names: Vec<String> = (0..COLUMNS).map(|column| format!("c{column}")).chain(["T".into()]).collect();
    let mut text = (names.join(",") + "\n").into_bytes();
    for row in 0..ROWS {
        let row: Vec<&str> = cells.iter().map(|column| column[row].as_str()).collect();
        writeln!(text, "{}", row.join(","))?;
    }
    let plain = scratch.join("simulated.csv");
    std::fs::write(&plain, &text)?;
    let options = EncodeOptions { target: "T".into(), ..EncodeOptions::default() };
    #[cfg(feature = "arrow")]
    let parquet = parquet_file(scratch, &names, &cells)?;
    drop(cells);
    let mut bench = Bench::new("Simulated", text.len());
    for _ in 0..ROUNDS {
        bench.measure("csv crate, in memory", || csv_records(text.as_slice()));
        let table = bench.measure("read, plain file", || {
            read_table(std::slice::from_ref(&plain), &ReadOptions::default())
        });
        bench.measure("encode", || encoded(table, &options));
        #[cfg(feature = "arrow")]
        bench
            .measure("read, Parquet", || read_table(std::slice::from_ref(&parquet), &ReadOptions::default()));
    }
    bench.print();
    Ok(())
}

#[cfg(feature = "arrow")]
fn parquet_file(
    scratch: &Path,
    names: &[String],
    cells: &[Vec<String>],
) -> Result<PathBuf, Box<dyn std::error::Error>> {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};

    let columns = names.iter().zip(cells).map(|(name, cells)| {
        let column: ArrayRef = Arc::new(StringArray::from_iter_values(cells));
        (name, column)
    });
    let batch = RecordBatch::try_from_iter(columns)?;
    let path = scratch.join("simulated.parquet");
    let mut writer = parquet::arrow::ArrowWriter::try_new(File::create(&path)?, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(path)
}

/// The same cells, each in quotes.
fn quoted_text(text: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(text.len() * 5 / 4);
    for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        for (column, cell) in line.split(|&byte| byte == b',').enumerate() {
            quoted.extend_from_slice(if column == 0 { b"\"" } else { b",\"" });
            quoted.extend_from_slice(cell.trim_ascii());
            quoted.push(b'"');
        }
        quoted.push(b'\n');
    }
    quoted
}

fn unpacked(file: &Path) -> Box<dyn Read> {
    match File::open(file) {
        Ok(file) => Box::new(MultiGzDecoder::new(file)),
        Err(error) => panic!("{}: {error}", file.display()),
    }
}

fn drained(mut bytes: Box<dyn Read>) -> u64 {
    io::copy(&mut bytes, &mut io::sink()).expect("the file can be read")
}

fn csv_records(text: impl Read) -> u64 {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text);
    let (mut record, mut bytes) = (csv::ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record).expect("the table can be read") {
        bytes += record.as_slice().len() as u64;
    }
    bytes
}

fn read_table(files: &[PathBuf], options: &ReadOptions) -> Table {
    let sources: Vec<Source> = files.iter().cloned().map(Source::Path).collect();
    read_sources(&sources, options, &Declaration::default(), &|_| ControlFlow::Continue(()))
        .expect("the table can be read")
}

fn encoded(table: Table, options: &EncodeOptions) -> u64 {
    let encoding = encode(table, options, &Declaration::default()).expect("the table can be encoded");
    encoding.dataset.bytes() as u64
}

/// The times of all measurements of one table.
struct Bench {
    table: &'static str,
    bytes: usize,
    times: Vec<(&'static str, Vec<f64>)>,
}

impl Bench {
    fn new(table: &'static str, bytes: usize) -> Self {
        Self { table, bytes, times: Vec::new() }
    }

    fn measure<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = black_box(work());
        let seconds = start.elapsed().as_secs_f64();
        match self.times.iter_mut().find(|(known, _)| *known == name) {
            Some((_, times)) => times.push(seconds),
            None => self.times.push((name, vec![seconds])),
        }
        result
    }

    /// Prints all times; the first is the baseline of the others.
    fn print(&mut self) {
        let megabytes = self.bytes as f64 / 1e6;
        println!("\n{}, {megabytes:.0} MB of text", self.table);
        println!("{:24} {:>9} {:>9} {:>7} {:>11}", "", "fastest s", "median s", "MB/s", "x first");
        let mut baseline = None;
        for (name, times) in &mut self.times {
            times.sort_unstable_by(f64::total_cmp);
            let (fastest, median) = (times[0], times[times.len() / 2]);
            let ratio = fastest / *baseline.get_or_insert(fastest);
            println!("{name:24} {fastest:9.3} {median:9.3} {:7.0} {ratio:11.2}", megabytes / fastest);
        }
    }
}
