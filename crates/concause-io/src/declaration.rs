//! What a user declares of a table in a small TOML file: types, values, cut points, how the text is laid out.
//!
//! Only what the file says; whether the table agrees is checked where the table is read and encoded.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;

use crate::error::Error;
use crate::options::Delimiter;
use crate::toml_file;

/// What is declared of a table. The default declares nothing.
///
/// ```
/// let text = r#"
/// missing = ["unknown"]
/// [[attribute]]
/// name = "age"
/// cuts = [43.5, 71.5]
/// [[attribute]]
/// name = "sex"
/// values = ["M", "F"]
/// "#;
/// assert!(concause_io::Declaration::parse(text).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Declaration {
    pub(crate) header: Option<bool>,
    pub(crate) delimiter: Option<Delimiter>,
    pub(crate) missing: Vec<String>,
    pub(crate) attributes: Vec<DeclaredAttribute>,
    places: HashMap<String, usize>,
}

/// What is declared of one attribute.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredAttribute {
    pub name: String,
    pub kind: Option<DeclaredKind>,
    pub cuts: Option<Vec<f64>>,
    pub values: Option<Vec<String>>,
}

/// The types that can be declared.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DeclaredKind {
    Binary,
    Nominal,
    Continuous,
    Ignore,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    header: Option<bool>,
    delimiter: Option<String>,
    #[serde(default)]
    missing: Vec<Word>,
    #[serde(default)]
    attribute: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    #[serde(rename = "type")]
    kind: Option<DeclaredKind>,
    cuts: Option<Vec<f64>>,
    values: Option<Vec<Word>>,
}

/// A value as people write it: a string, or a number without quotes.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or a number")]
enum Word {
    Text(String),
    Integer(i64),
    Float(f64),
    Truth(bool),
}

impl Word {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text.trim_matches([' ', '\t']).to_owned(),
            Self::Integer(integer) => integer.to_string(),
            Self::Float(float) => format!("{float:?}"),
            Self::Truth(truth) => truth.to_string(),
        }
    }
}

impl Declaration {
    /// Reads a declaration from a TOML file.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        Self::interpret(&toml_file::text(path, "declaration")?).map_err(|fault| toml_file::at(path, fault))
    }

    /// Reads a declaration from TOML text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::interpret(text).map_err(|(line, sentence)| match line {
            Some(line) => Error::request(format!("the declaration, line {line}: {sentence}")),
            None => Error::request(format!("the declaration: {sentence}")),
        })
    }

    fn interpret(text: &str) -> Result<Self, toml_file::Fault> {
        let file: File = toml_file::fields(text)?;
        let delimiter = file.delimiter.map(|text| text.parse::<Delimiter>()).transpose();
        let delimiter = delimiter.map_err(|error| (None, error.to_string()))?;
        let mut places = HashMap::new();
        let mut attributes = Vec::with_capacity(file.attribute.len());
        for entry in file.attribute {
            if places.insert(entry.name.clone(), attributes.len()).is_some() {
                return Err((
                    None,
                    format!("attribute {:?} is declared twice; keep one of them", entry.name),
                ));
            }
            attributes.push(entry.check().map_err(|sentence| (None, sentence))?);
        }
        let missing = file.missing.into_iter().map(Word::into_text).collect();
        Ok(Self { header: file.header, delimiter, missing, attributes, places })
    }

    /// Declares values of attributes and nothing else.
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    pub(crate) fn of_values(values: impl Iterator<Item = (String, Vec<String>)>) -> Self {
        let attribute = |(name, values)| DeclaredAttribute {
            name,
            kind: Some(DeclaredKind::Nominal),
            cuts: None,
            values: Some(values),
        };
        let attributes: Vec<DeclaredAttribute> = values.map(attribute).collect();
        let places = attributes.iter().enumerate().map(|(place, it)| (it.name.clone(), place)).collect();
        Self { attributes, places, ..Self::default() }
    }

    /// What is declared of the attribute of this name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&DeclaredAttribute> {
        self.places.get(name).map(|&place| &self.attributes[place])
    }
}

impl Entry {
    fn check(self) -> Result<DeclaredAttribute, String> {
        let Self { name, kind, cuts, values } = self;
        let values = values.map(|words| words.into_iter().map(Word::into_text).collect::<Vec<_>>());
        let kind = match (kind, &cuts, &values) {
            (_, Some(_), Some(_)) => {
                return Err(format!(
                    "attribute {name:?} has cuts and values; a continuous one has cuts, a nominal one values"
                ));
            }
            (None, Some(_), None) => Some(DeclaredKind::Continuous),
            (None, None, Some(_)) => Some(DeclaredKind::Nominal),
            (Some(kind), Some(_), None) if kind != DeclaredKind::Continuous => {
                return Err(format!("attribute {name:?} has cuts but is not of type \"continuous\""));
            }
            (Some(kind), None, Some(_)) if kind != DeclaredKind::Nominal => {
                return Err(format!("attribute {name:?} has values but is not of type \"nominal\""));
            }
            (kind, _, _) => kind,
        };
        if let Some(cuts) = &cuts {
            let rising = cuts.windows(2).all(|pair| pair[0] < pair[1]);
            if cuts.is_empty() || !rising || !cuts.iter().all(|cut| cut.is_finite()) {
                return Err(format!("the cuts of attribute {name:?} must be finite numbers in rising order"));
            }
        }
        if let Some(values) = &values {
            let mut seen = HashSet::new();
            if let Some(twice) = values.iter().find(|value| !seen.insert(value.as_str())) {
                return Err(format!("attribute {name:?} declares the value {twice:?} twice"));
            }
            if values.is_empty() || values.iter().any(String::is_empty) {
                return Err(format!(
                    "the values of attribute {name:?} must be one or more words, none empty"
                ));
            }
        }
        Ok(DeclaredAttribute { name, kind, cuts, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_declaration_is_read() {
        let text = "header = false\ndelimiter = \"\\t\"\nmissing = [\"-\", -9]\n[[attribute]]\nname = \"a\"\n\
                    values = [\"M\", 1, 2.5]\n[[attribute]]\nname = \"b\"\ntype = \"ignore\"\n";
        let declaration = Declaration::parse(text).unwrap();
        assert_eq!(declaration.header, Some(false));
        assert_eq!(declaration.delimiter, Some(Delimiter::Byte(b'\t')));
        assert_eq!(declaration.missing, ["-", "-9"]);
        assert_eq!(declaration.attributes[0].values.as_deref().unwrap(), ["M", "1", "2.5"]);
        assert_eq!(declaration.attributes[0].kind, Some(DeclaredKind::Nominal));
        assert_eq!(declaration.attribute("b").unwrap().kind, Some(DeclaredKind::Ignore));
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let cases = [
            ("header = false\nbogus = 1\n", "line 2"),
            ("[[attribute]]\nname = \"a\"\ntypo = 1\n", "line 3"),
            ("[[attribute]]\nname = \"a\"\ntype = \"wide\"\n", "line 3"),
            ("[[attribute]]\nname = \"a\"\n[[attribute]]\nname = \"a\"\n", "declared twice"),
            ("[[attribute]]\nname = \"a\"\ncuts = [2, 1]\n", "rising order"),
            ("[[attribute]]\nname = \"a\"\ncuts = [1]\nvalues = [1]\n", "cuts and values"),
            ("[[attribute]]\nname = \"a\"\ntype = \"binary\"\nvalues = [1]\n", "not of type \"nominal\""),
            ("[[attribute]]\nname = \"a\"\nvalues = [1, \"1\"]\n", "twice"),
            ("delimiter = \"ab\"\n", "delimiter"),
        ];
        for (text, part) in cases {
            let error = Declaration::parse(text).unwrap_err().to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{text:?}: {error}");
        }
    }
}
