//! The seven real data sets of the paper, from the UCI repository, encoded so that the paper's numbers result.
//!
//! The files are not included in the project. A folder has the files of the data sets and `schema.tsv`, which lists
//! their attributes.

use std::fmt;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use concause::dataset::Dataset;
use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, encode, read_sources};

use crate::error::ToolError;

/// A data set of the UCI repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UciDataSet {
    /// The name in the paper.
    pub name: &'static str,
    /// The target and its value.
    pub target: &'static str,
    /// Where to get the data.
    pub address: &'static str,
    /// The name in the folder and in `schema.tsv`.
    pub file: &'static str,
    /// Whether continuous attributes are dropped instead of discretised.
    drops_continuous: bool,
}

/// How attributes become columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperEncoding {
    /// The numbers of columns are those of the paper's table of data sets.
    DataTable,
    /// The preset `paper-table` gives the paper's numbers of causes: House-votes-84 has a column for yea and one for
    /// nay of every vote, and Kr-vs-kp has one column for each two-valued attribute. The other data sets are the same.
    ResultTable,
}

/// The data sets of the paper's table of results, in its order.
pub const RESULT_TABLE_DATA_SETS: [UciDataSet; 6] = [
    data_set("CMC", "cmc", "contraceptive_method=1", true, "https://doi.org/10.24432/C59W2D"),
    data_set("German", "german", "credit_risk=2", false, "https://doi.org/10.24432/C5NC77"),
    data_set("House-votes-84", "house-votes-84", "party=democrat", false, "https://doi.org/10.24432/C5C01P"),
    data_set("Hypothyroid", "hypothyroid", "class=hypothyroid", false, "https://doi.org/10.24432/C5D010"),
    data_set("Kr-vs-kp", "kr-vs-kp", "class=nowin", false, "https://doi.org/10.24432/C5DK5C"),
    data_set("Sick", "sick", "class=sick", false, "https://doi.org/10.24432/C5D010"),
];

/// The data set of the figures of scalability: 299,285 rows and 495 columns.
pub const CENSUS: UciDataSet =
    data_set("Census", "census-income", "income=50000+.", true, "https://doi.org/10.24432/C5N30T");

const fn data_set(
    name: &'static str,
    file: &'static str,
    target: &'static str,
    drops_continuous: bool,
    address: &'static str,
) -> UciDataSet {
    UciDataSet { name, target, address, file, drops_continuous }
}

/// The folder beside the project in which the data is expected.
pub fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/uci")
}

/// A data set that is not available, and how to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingData {
    /// The name in the paper.
    pub name: &'static str,
    /// The file that does not exist.
    pub file: PathBuf,
    /// Where to get the data.
    pub address: &'static str,
}

impl fmt::Display for MissingData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, file, address } = self;
        write!(f, "{name} is left out: {} does not exist; get the data from {address}", file.display())
    }
}

/// An attribute in `schema.tsv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaAttribute {
    /// The name.
    pub name: String,
    /// `predictor`, `target` or `ignored`.
    pub role: String,
    /// The type, as `concause --declare` names it.
    pub kind: String,
    /// The declared values of a nominal attribute.
    pub values: Vec<String>,
}

impl UciDataSet {
    /// The files of the data set.
    pub fn files(&self, folder: &Path) -> Vec<PathBuf> {
        match self.file {
            "census-income" => {
                vec![folder.join("census-income.data.gz"), folder.join("census-income.test.gz")]
            }
            file => vec![folder.join(format!("{file}.data"))],
        }
    }

    /// Checks that all files exist.
    pub fn check_files(&self, folder: &Path) -> Result<(), MissingData> {
        let mut files = self.files(folder);
        files.push(folder.join("schema.tsv"));
        match files.into_iter().find(|file| !file.exists()) {
            None => Ok(()),
            Some(file) => Err(MissingData { name: self.name, file, address: self.address }),
        }
    }

    /// Reads the attributes from `schema.tsv`.
    pub fn read_schema(&self, folder: &Path) -> Result<Vec<SchemaAttribute>, ToolError> {
        let text = read_text(&folder.join("schema.tsv"))?;
        let mut attributes = Vec::new();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[data_set, _, name, role, kind, values, ..] = fields.as_slice() else { continue };
            if data_set == self.file {
                attributes.push(SchemaAttribute {
                    name: name.into(),
                    role: role.into(),
                    kind: kind.into(),
                    values: values.split('|').filter(|value| !value.is_empty()).map(str::to_owned).collect(),
                });
            }
        }
        Ok(attributes)
    }

    /// The types and declared values of the attributes in the format of `concause --declare`.
    pub fn declaration(&self, schema: &[SchemaAttribute], encoding: PaperEncoding) -> String {
        let mut toml = String::from("header = false\n");
        let one_column_per_vote = self.file == "house-votes-84" && encoding == PaperEncoding::DataTable;
        for SchemaAttribute { name, role, kind, values } in schema {
            let kind = match role.as_str() {
                "ignored" => "ignore",
                "predictor" if one_column_per_vote => "binary",
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
    pub fn read(&self, folder: &Path, encoding: PaperEncoding) -> Result<Dataset, ToolError> {
        self.check_files(folder)?;
        let schema = self.read_schema(folder)?;
        let mut files = self.files(folder);
        let mut declaration = self.declaration(&schema, encoding);
        let rewritten =
            std::env::temp_dir().join(format!("experiments-{}-{}.csv", std::process::id(), self.file));
        let new_text = match (self.file, encoding) {
            ("sick", _) => Some(strip_identifiers(&read_text(&files[0])?)),
            ("kr-vs-kp", PaperEncoding::ResultTable) => {
                declaration.clear();
                Some(one_column_per_attribute(&read_text(&files[0])?, &schema))
            }
            _ => None,
        };
        if let Some(new_text) = &new_text {
            std::fs::write(&rewritten, new_text).map_err(ToolError::file(&rewritten))?;
            files = vec![rewritten.clone()];
        }
        let dataset = self.encode_files(&files, &declaration);
        if new_text.is_some() {
            // A temporary file that remains does no harm.
            let _ = std::fs::remove_file(&rewritten);
        }
        dataset
    }

    fn encode_files(&self, files: &[PathBuf], declaration: &str) -> Result<Dataset, ToolError> {
        let declaration = Declaration::parse(declaration)?;
        let sources: Vec<Source> = files.iter().cloned().map(Source::Path).collect();
        let options = ReadOptions { target: Some(self.target.into()), ..ReadOptions::default() };
        let table = read_sources(&sources, &options, &declaration, &|_| ControlFlow::Continue(()))?;
        let options = EncodeOptions {
            target: self.target.into(),
            drop_continuous: self.drops_continuous,
            ..EncodeOptions::default()
        };
        Ok(encode(table, &options, &declaration)?.dataset)
    }
}

fn read_text(path: &Path) -> Result<String, ToolError> {
    std::fs::read_to_string(path).map_err(ToolError::file(path))
}

/// Removes the identifiers from Sick, whose class is written `sick.|id`.
pub fn strip_identifiers(text: &str) -> String {
    let strip = |line: &str| line.rsplit_once(".|").map_or(line, |(row, _)| row).to_owned() + "\n";
    text.lines().map(strip).collect()
}

/// Kr-vs-kp as a table of 0 and 1: one column for every two-valued attribute, and two for katri = n and katri = w.
pub fn one_column_per_attribute(text: &str, schema: &[SchemaAttribute]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_files_are_reported_with_an_address() {
        let missing = RESULT_TABLE_DATA_SETS[0].check_files(Path::new("/nowhere")).unwrap_err();
        assert_eq!(
            missing.to_string(),
            "CMC is left out: /nowhere/cmc.data does not exist; get the data from https://doi.org/10.24432/C59W2D"
        );
    }

    #[test]
    fn files_are_rewritten_for_the_papers_numbers() {
        assert_eq!(strip_identifiers("1,f,sick.|12\n2,t,negative.|3\n"), "1,f,sick\n2,t,negative\n");
        let attribute = |name: &str| SchemaAttribute {
            name: name.into(),
            role: "predictor".into(),
            kind: "nominal".into(),
            values: vec![],
        };
        let schema = ["bkblk", "katri", "class"].map(attribute);
        assert_eq!(
            one_column_per_attribute("f,n,won\nt,w,nowin\n", &schema),
            "bkblk=t,katri=n,katri=w,class=nowin\n0,1,0,0\n1,0,1,1\n"
        );
    }
}
