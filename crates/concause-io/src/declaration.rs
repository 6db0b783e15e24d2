//! A declaration of a table in a small TOML file: types, values, cut points, the layout of the text.
//!
//! This module reads the file only. Reading and encoding check that the table agrees with it.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use crate::error::{DeclarationError, Error};
use crate::options::Delimiter;
use crate::source::Source;
use crate::toml_text;

/// A declaration of a table. The default declares nothing.
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
    /// The index of each attribute by its name.
    indices: HashMap<String, usize>,
}

/// The declaration of one attribute.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredAttribute {
    pub name: String,
    pub kind: Option<DeclaredKind>,
    pub cuts: Option<Vec<f64>>,
    pub values: Option<Vec<String>>,
    /// The declared value that stands for all values that are not declared.
    pub others: Option<String>,
}

/// The types that can be declared.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DeclaredKind {
    Binary,
    Nominal,
    #[serde(alias = "continuous")]
    Ordered,
    Ignore,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclarationFile {
    header: Option<bool>,
    delimiter: Option<String>,
    #[serde(default)]
    missing: Vec<Scalar>,
    #[serde(default)]
    attribute: Vec<AttributeEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AttributeEntry {
    name: String,
    #[serde(rename = "type")]
    kind: Option<DeclaredKind>,
    cuts: Option<Vec<f64>>,
    values: Option<Vec<Scalar>>,
    others: Option<Scalar>,
}

/// A value as people write it: a string, or a number or Boolean without quotes.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or a number")]
enum Scalar {
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
}

impl Scalar {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text.trim_matches([' ', '\t']).to_owned(),
            Self::Integer(integer) => integer.to_string(),
            Self::Float(float) => format!("{float:?}"),
            Self::Boolean(value) => value.to_string(),
        }
    }
}

impl Declaration {
    /// Reads a declaration in TOML.
    pub fn read(source: &Source) -> Result<Self, Error> {
        toml_text::read_source(source, "declaration", Self::from_toml)
    }

    /// The markers of missing values besides the usual ones.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Reads a declaration from TOML text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::from_toml(text).map_err(|error| error.in_source(&"the declaration"))
    }

    fn from_toml(text: &str) -> Result<Self, Error> {
        let file: DeclarationFile = toml_text::parse_fields(text)?;
        let delimiter = file.delimiter.map(|text| text.parse::<Delimiter>()).transpose()?;
        let mut indices = HashMap::new();
        let mut attributes = Vec::with_capacity(file.attribute.len());
        for entry in file.attribute {
            if indices.insert(entry.name.clone(), attributes.len()).is_some() {
                return Err(DeclarationError::DuplicateAttribute { name: entry.name }.into());
            }
            attributes.push(entry.validate()?);
        }
        let missing = file.missing.into_iter().map(Scalar::into_text).collect();
        Ok(Self { header: file.header, delimiter, missing, attributes, indices })
    }

    /// Declares values of attributes and nothing else.
    #[cfg(feature = "remote")]
    pub(crate) fn from_values(values: impl Iterator<Item = (String, Vec<String>)>) -> Self {
        let attribute = |(name, values)| DeclaredAttribute {
            name,
            kind: Some(DeclaredKind::Nominal),
            cuts: None,
            values: Some(values),
            others: None,
        };
        let attributes: Vec<DeclaredAttribute> = values.map(attribute).collect();
        let indices = attributes.iter().enumerate().map(|(index, it)| (it.name.clone(), index)).collect();
        Self { attributes, indices, ..Self::default() }
    }

    /// The declaration of the attribute of this name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&DeclaredAttribute> {
        self.indices.get(name).map(|&index| &self.attributes[index])
    }
}

impl DeclaredKind {
    /// The name as it is declared.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Nominal => "nominal",
            Self::Ordered => "ordered",
            Self::Ignore => "ignore",
        }
    }
}

impl AttributeEntry {
    fn validate(self) -> Result<DeclaredAttribute, DeclarationError> {
        let Self { name, kind, cuts, values, others } = self;
        let others = others.map(Scalar::into_text);
        let values = values.map(|values| values.into_iter().map(Scalar::into_text).collect::<Vec<_>>());
        let kind = match (kind, &cuts, &values) {
            (_, Some(_), Some(_)) => return Err(DeclarationError::CutsAndValues { name }),
            (None, Some(_), None) => Some(DeclaredKind::Ordered),
            (None, None, Some(_)) => Some(DeclaredKind::Nominal),
            (Some(kind), Some(_), None) if kind != DeclaredKind::Ordered => {
                return Err(DeclarationError::CutsWithoutContinuous { name });
            }
            (Some(kind), None, Some(_)) if kind != DeclaredKind::Nominal => {
                return Err(DeclarationError::ValuesWithoutNominal { name });
            }
            (kind, _, _) => kind,
        };
        if let Some(cuts) = &cuts {
            let is_ascending = cuts.windows(2).all(|pair| pair[0] < pair[1]);
            if cuts.is_empty() || !is_ascending || !cuts.iter().all(|cut| cut.is_finite()) {
                return Err(DeclarationError::UnorderedCuts { name });
            }
        }
        if let Some(values) = &values {
            let mut seen = HashSet::new();
            if let Some(twice) = values.iter().find(|value| !seen.insert(value.as_str())) {
                return Err(DeclarationError::DuplicateValue { name, value: twice.clone() });
            }
            if values.is_empty() || values.iter().any(String::is_empty) {
                return Err(DeclarationError::EmptyValues { name });
            }
        }
        if let Some(others) = &others
            && !values.as_ref().is_some_and(|values| values.contains(others))
        {
            return Err(DeclarationError::UndeclaredOthers { name, value: others.clone() });
        }
        Ok(DeclaredAttribute { name, kind, cuts, values, others })
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
    fn errors_name_the_line_or_the_attribute() {
        let cases = [
            ("header = false\nbogus = 1\n", "line 2"),
            ("[[attribute]]\nname = \"a\"\ntypo = 1\n", "line 3"),
            ("[[attribute]]\nname = \"a\"\ntype = \"wide\"\n", "line 3"),
            ("[[attribute]]\nname = \"a\"\n[[attribute]]\nname = \"a\"\n", "declared twice"),
            ("[[attribute]]\nname = \"a\"\ncuts = [2, 1]\n", "ascending order"),
            ("[[attribute]]\nname = \"a\"\ncuts = [1]\nvalues = [1]\n", "cuts and values"),
            ("[[attribute]]\nname = \"a\"\ntype = \"binary\"\nvalues = [1]\n", "not of type \"nominal\""),
            ("[[attribute]]\nname = \"a\"\nvalues = [1, \"1\"]\n", "twice"),
            ("delimiter = \"ab\"\n", "delimiter"),
        ];
        for (text, expected) in cases {
            let error = Declaration::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected) && !error.contains('\n'), "{text:?}: {error}");
        }
    }
}
