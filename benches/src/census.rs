//! The Census-Income data of the UCI repository, if it is here: `../shared/data/uci` beside the project, or the
//! folder named by the environment variable `CONCAUSE_CENSUS`.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use concause::dataset::{BLOCK_BITS, Block, Dataset, DatasetBuilder};
use concause::simulate::Random;
use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, encode, read};

/// The outcome.
pub const TARGET: &str = "income=50000+.";

/// Where the data is.
#[derive(Clone, Debug)]
pub struct Census {
    /// Both parts of the data: 199,523 and 99,762 rows.
    pub files: [PathBuf; 2],
    schema: PathBuf,
}

impl Census {
    /// The data, or a sentence that says what is missing.
    pub fn find() -> Result<Self, String> {
        let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/uci");
        let folder = std::env::var_os("CONCAUSE_CENSUS").map_or_else(beside, PathBuf::from);
        let files = ["census-income.data.gz", "census-income.test.gz"].map(|name| folder.join(name));
        let schema = folder.join("schema.tsv");
        if let Some(file) = files.iter().chain([&schema]).find(|file| !file.exists()) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            return Err(format!("Census is not here: {name} is missing; name its folder in CONCAUSE_CENSUS"));
        }
        Ok(Self { files, schema })
    }

    /// The types and values of the attributes, as `concause --declare` reads them.
    pub fn declaration(&self) -> Result<String, String> {
        let text = std::fs::read_to_string(&self.schema).map_err(|error| format!("schema.tsv: {error}"))?;
        let mut toml = String::from("header = false\n");
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let &["census-income", _, name, role, kind, values, ..] = fields.as_slice() else { continue };
            let kind = if role == "ignored" { "ignore" } else { kind };
            // Writing to a string cannot fail.
            let _ = write!(toml, "[[attribute]]\nname = {name:?}\ntype = {kind:?}\n");
            if role == "predictor" && kind == "nominal" {
                let values: Vec<&str> = values.split('|').filter(|value| !value.is_empty()).collect();
                let _ = writeln!(toml, "values = {values:?}");
            }
        }
        Ok(toml)
    }

    /// Both parts as one table of 495 columns.
    pub fn read(&self) -> Result<Dataset, String> {
        let declaration = Declaration::parse(&self.declaration()?).map_err(|error| error.to_string())?;
        let sources = self.files.clone().map(Source::Path);
        let options = ReadOptions { target: Some(TARGET.into()), ..ReadOptions::default() };
        let table = read(&sources, &options, &declaration, &|_| ControlFlow::Continue(()));
        let options =
            EncodeOptions { target: TARGET.into(), drop_continuous: true, ..EncodeOptions::default() };
        let encoding = table.and_then(|table| encode(table, &options, &declaration));
        encoding.map(|encoding| encoding.dataset).map_err(|error| error.to_string())
    }
}

/// So many columns and rows of the data, drawn at random, the columns in data order.
pub fn sample(dataset: &Dataset, columns: usize, rows: usize, seed: u64) -> Dataset {
    let mut random = Random::new(seed);
    let mut drawn: Vec<usize> = (0..dataset.columns().len()).collect();
    random.shuffle(&mut drawn);
    drawn.truncate(columns);
    drawn.sort_unstable();
    let mut places: Vec<usize> = (0..dataset.rows() as usize).collect();
    random.shuffle(&mut places);
    places.truncate(rows);
    places.sort_unstable();
    let cases = dataset.positive() as usize;
    let outcome = places.iter().map(|&row| row < cases).collect();
    let padding = dataset.layout().positive_blocks() * BLOCK_BITS as usize - cases;
    let bit = |column: usize, row: usize| {
        let place = if row < cases { row } else { row + padding };
        Block::words(dataset.bits(column))[place / 64] >> (place % 64) & 1 == 1
    };
    let mut builder = DatasetBuilder::new(dataset.target().clone(), outcome);
    let attribute = |column: &usize| dataset.columns()[*column].attribute;
    for held in drawn.chunk_by(|a, b| attribute(a) == attribute(b)) {
        let names = held.iter().map(|&column| dataset.columns()[column].name.clone()).collect();
        let cells = places.iter().map(|&row| held.iter().position(|&column| bit(column, row)));
        builder.attribute(&dataset.attributes()[attribute(&held[0])], names, cells);
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_everything_is_everything() {
        let data = crate::data::nominal(2, 1_000, 5);
        let all = sample(&data, 30, 1_000, 1);
        assert_eq!(all.layout(), data.layout());
        assert_eq!(all.columns(), data.columns());
        assert!((0..30).all(|column| all.bits(column) == data.bits(column)));
        let some = sample(&data, 7, 100, 1);
        assert_eq!((some.columns().len(), some.rows()), (7, 100));
    }
}
