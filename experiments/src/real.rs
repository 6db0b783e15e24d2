//! The paper's seven real data sets from the UCI repository, read and encoded as the paper must have done.
//!
//! The files are not part of the project. A data set that is not in the folder is left out, and the page says so and where it
//! is to be had.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use concause::dataset::{BLOCK_BITS, Block, Dataset, DatasetBuilder};
use concause::simulate::Random;
use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, encode, read};

/// A real data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Real {
    /// The paper's name.
    pub name: &'static str,
    /// Its name in the folder and in `schema.tsv`.
    file: &'static str,
    /// The target and its value.
    target: &'static str,
    /// Whether continuous attributes are left out, and not cut.
    drops_continuous: bool,
    /// Where to get it.
    pub address: &'static str,
}

/// How the attributes become columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// As many as in the paper's table of data sets.
    OfDataTable,
    /// So that the preset `paper-table` gives the paper's numbers of causes: House-votes-84 with a column for yea and one
    /// for nay, Kr-vs-kp with one column for each two-valued attribute. Otherwise the same.
    OfResultTable,
}

/// The data sets of the table of results, in its order.
pub const SIX: [Real; 6] = [
    real("CMC", "cmc", "contraceptive_method=1", true, "https://doi.org/10.24432/C59W2D"),
    real("German", "german", "credit_risk=2", false, "https://doi.org/10.24432/C5NC77"),
    real("House-votes-84", "house-votes-84", "party=democrat", false, "https://doi.org/10.24432/C5C01P"),
    real("Hypothyroid", "hypothyroid", "class=hypothyroid", false, "https://doi.org/10.24432/C5D010"),
    real("Kr-vs-kp", "kr-vs-kp", "class=nowin", false, "https://doi.org/10.24432/C5DK5C"),
    real("Sick", "sick", "class=sick", false, "https://doi.org/10.24432/C5D010"),
];

/// The data set of the figures of scalability.
pub const CENSUS: Real =
    real("Census", "census-income", "income=50000+.", true, "https://doi.org/10.24432/C5N30T");

const fn real(
    name: &'static str,
    file: &'static str,
    target: &'static str,
    drops_continuous: bool,
    address: &'static str,
) -> Real {
    Real { name, file, target, drops_continuous, address }
}

/// An attribute of `schema.tsv`.
struct Attribute {
    name: String,
    role: String,
    kind: String,
    values: Vec<String>,
}

impl Real {
    fn sources(&self, folder: &Path) -> Vec<PathBuf> {
        match self.file {
            "census-income" => {
                vec![folder.join("census-income.data.gz"), folder.join("census-income.test.gz")]
            }
            file => vec![folder.join(format!("{file}.data"))],
        }
    }

    /// Why the data set cannot be read, if it is not there: a sentence that says where to get it.
    pub fn missing(&self, folder: &Path) -> Option<String> {
        let mut files = self.sources(folder);
        files.push(folder.join("schema.tsv"));
        let file = files.into_iter().find(|file| !file.exists())?;
        Some(format!(
            "{} is left out: {} is not there; get the data from {} and name its folder with --data",
            self.name,
            file.display(),
            self.address
        ))
    }

    fn schema(&self, folder: &Path) -> Result<Vec<Attribute>, String> {
        let path = folder.join("schema.tsv");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let mut attributes = Vec::new();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[data_set, _, name, role, kind, values, ..] = fields.as_slice() else { continue };
            if data_set == self.file {
                attributes.push(Attribute {
                    name: name.into(),
                    role: role.into(),
                    kind: kind.into(),
                    values: values.split('|').filter(|value| !value.is_empty()).map(str::to_owned).collect(),
                });
            }
        }
        Ok(attributes)
    }

    /// The types and declared values as `concause --declare` reads them.
    fn declaration(&self, schema: &[Attribute], columns: Columns) -> String {
        let mut toml = String::from("header = false\n");
        let one_a_vote = self.file == "house-votes-84" && columns == Columns::OfDataTable;
        for Attribute { name, role, kind, values } in schema {
            let kind = match role.as_str() {
                "ignored" => "ignore",
                "predictor" if one_a_vote => "binary",
                _ => kind,
            };
            // Writing to a string cannot fail.
            let _ = write!(toml, "[[attribute]]\nname = {name:?}\ntype = {kind:?}\n");
            if role == "predictor" && kind == "nominal" {
                let _ = writeln!(toml, "values = {values:?}");
            }
        }
        toml
    }

    /// Reads and encodes the data set.
    pub fn read(&self, folder: &Path, columns: Columns) -> Result<Dataset, String> {
        let schema = self.schema(folder)?;
        let mut sources = self.sources(folder);
        let mut declaration = self.declaration(&schema, columns);
        let rewritten =
            std::env::temp_dir().join(format!("experiments-{}-{}.csv", std::process::id(), self.file));
        let text = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
        };
        let new_text = match (self.file, columns) {
            ("sick", _) => Some(without_identifiers(&text(&sources[0])?)),
            ("kr-vs-kp", Columns::OfResultTable) => {
                declaration.clear();
                Some(one_column_each(&text(&sources[0])?, &schema))
            }
            _ => None,
        };
        if let Some(new_text) = &new_text {
            std::fs::write(&rewritten, new_text)
                .map_err(|error| format!("cannot write {}: {error}", rewritten.display()))?;
            sources = vec![rewritten.clone()];
        }
        let dataset = self.encoded(&sources, &declaration);
        if new_text.is_some() {
            // A scratch file that stays behind does no harm.
            let _ = std::fs::remove_file(&rewritten);
        }
        dataset
    }

    fn encoded(&self, sources: &[PathBuf], declaration: &str) -> Result<Dataset, String> {
        let declaration = Declaration::parse(declaration).map_err(|error| error.to_string())?;
        let sources: Vec<Source> = sources.iter().cloned().map(Source::Path).collect();
        let options = ReadOptions { target: Some(self.target.into()), ..ReadOptions::default() };
        let table = read(&sources, &options, &declaration, &|_| ControlFlow::Continue(()));
        let options = EncodeOptions {
            target: self.target.into(),
            drop_continuous: self.drops_continuous,
            ..EncodeOptions::default()
        };
        let encoding = table.and_then(|table| encode(table, &options, &declaration));
        encoding.map(|encoding| encoding.dataset).map_err(|error| format!("{}: {error}", self.name))
    }
}

/// The class of Sick is written `sick.|id`.
fn without_identifiers(text: &str) -> String {
    let cut = |line: &str| line.rsplit_once(".|").map_or(line, |(row, _)| row).to_owned() + "\n";
    text.lines().map(cut).collect()
}

/// Kr-vs-kp as a table of 0 and 1 with one column for every two-valued attribute, and those of katri = n and w.
fn one_column_each(text: &str, schema: &[Attribute]) -> String {
    let columns: Vec<(usize, &str, &str)> = schema
        .iter()
        .enumerate()
        .flat_map(|(place, attribute)| {
            let values: &[&str] = match attribute.name.as_str() {
                "dwipd" => &["g"],
                "wtoeg" => &["n"],
                "katri" => &["n", "w"],
                "class" => &["nowin"],
                _ => &["t"],
            };
            values.iter().map(move |value| (place, attribute.name.as_str(), *value))
        })
        .collect();
    let names: Vec<String> = columns.iter().map(|(_, name, value)| format!("{name}={value}")).collect();
    let mut table = names.join(",") + "\n";
    for line in text.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let bit = |&(place, _, value): &(usize, &str, &str)| {
            ["0", "1"][usize::from(cells.get(place).copied() == Some(value))]
        };
        table += &(columns.iter().map(bit).collect::<Vec<_>>().join(",") + "\n");
    }
    table
}

/// So many columns and rows of the data, drawn at random; the columns stay in data order. More of them, with the same
/// seed, include those of fewer.
pub fn sample(dataset: &Dataset, columns: usize, rows: usize, seed: u64) -> Dataset {
    let draw = |all: usize, wanted: usize, seed: u64| {
        let mut places: Vec<usize> = (0..all).collect();
        Random::new(seed).shuffle(&mut places);
        places.truncate(wanted);
        places.sort_unstable();
        places
    };
    let drawn = draw(dataset.columns().len(), columns, seed);
    let places = draw(dataset.rows() as usize, rows, seed + 1);
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
    fn what_is_missing_is_said_with_its_address() {
        let sentence = SIX[0].missing(Path::new("/nowhere")).unwrap();
        assert!(
            sentence.contains("/nowhere/cmc.data") && sentence.contains("https://doi.org/"),
            "{sentence}"
        );
    }

    #[test]
    fn files_are_rewritten_as_the_paper_needs_them() {
        assert_eq!(without_identifiers("1,f,sick.|12\n2,t,negative.|3\n"), "1,f,sick\n2,t,negative\n");
        let attribute = |name: &str| Attribute {
            name: name.into(),
            role: "predictor".into(),
            kind: "nominal".into(),
            values: vec![],
        };
        let schema = ["bkblk", "katri", "class"].map(attribute);
        assert_eq!(
            one_column_each("f,n,won\nt,w,nowin\n", &schema),
            "bkblk=t,katri=n,katri=w,class=nowin\n0,1,0,0\n1,0,1,1\n"
        );
    }

    #[test]
    fn larger_samples_hold_the_smaller_ones() {
        let data =
            concause::simulate::Recipe::named("syn-50").unwrap().simulate(1).unwrap().dataset().unwrap();
        let all = sample(&data, 49, 5000, 1);
        assert_eq!((all.columns(), all.positive()), (data.columns(), data.positive()));
        assert!((0..49).all(|column| all.bits(column) == data.bits(column)));
        let names = |columns: usize| -> Vec<String> {
            let drawn = sample(&data, columns, 100, 1);
            assert_eq!((drawn.columns().len(), drawn.rows()), (columns, 100));
            drawn.columns().iter().map(|column| column.name.clone()).collect()
        };
        let (few, more) = (names(5), names(9));
        assert!(few.iter().all(|name| more.contains(name)));
    }
}
