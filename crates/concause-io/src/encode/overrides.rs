//! What the user requests for each attribute: the declaration, overridden by the lists in the options.

use std::collections::HashMap;

use crate::declaration::{Declaration, DeclaredKind};
use crate::error::{ColumnError, DeclarationError, Error};
use crate::names::Suggestion;
use crate::options::EncodeOptions;
use crate::table::Table;

/// What is requested for one attribute; nothing by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AttributeOverride<'a> {
    pub kind: Option<DeclaredKind>,
    pub values: Option<&'a [String]>,
    pub cuts: Option<&'a [f64]>,
    /// The declared value that stands for all values that are not declared.
    pub others: Option<&'a str>,
    /// Values that are not declared are 0 in all columns, instead of an error.
    pub others_are_zero: bool,
}

/// What is requested for all attributes.
#[derive(Debug)]
pub(crate) struct Overrides<'a> {
    declaration: &'a Declaration,
    listed: HashMap<&'a str, DeclaredKind>,
    cuts: HashMap<&'a str, &'a [f64]>,
}

impl<'a> Overrides<'a> {
    /// Collects the overrides and checks that the table has their attributes.
    pub fn new(
        table: &Table,
        options: &'a EncodeOptions,
        declaration: &'a Declaration,
    ) -> Result<Self, Error> {
        let names: std::collections::HashSet<&str> = table.names().collect();
        let absent = |name: &str| {
            let suggestion = Suggestion::among_columns(name, table.names());
            Error::new(ColumnError::Absent { name: name.to_owned(), suggestion })
        };
        let lists = [
            (&options.nominal, DeclaredKind::Nominal),
            (&options.binary, DeclaredKind::Binary),
            (&options.continuous, DeclaredKind::Ordered),
            (&options.ignore, DeclaredKind::Ignore),
        ];
        let mut cuts: HashMap<&str, &[f64]> = HashMap::new();
        for (name, values) in &options.cuts {
            if !names.contains(name.as_str()) {
                return Err(absent(name));
            }
            let is_ascending = values.windows(2).all(|pair| pair[0] < pair[1]);
            if values.is_empty() || !is_ascending || !values.iter().all(|cut| cut.is_finite()) {
                return Err(DeclarationError::UnorderedCuts { name: name.clone() }.into());
            }
            cuts.insert(name, values);
        }
        if let Some(name) = options.used.iter().find(|name| !names.contains(name.as_str())) {
            return Err(absent(name));
        }
        let mut listed = HashMap::new();
        for (list, kind) in lists {
            for name in list {
                if !names.contains(name.as_str()) {
                    return Err(absent(name));
                }
                if listed.insert(name.as_str(), kind).is_some_and(|before| before != kind) {
                    return Err(Error::new(ColumnError::ListedTwice).in_column(name));
                }
            }
        }
        match declaration.attributes.iter().find(|attribute| !names.contains(attribute.name.as_str())) {
            Some(attribute) => Err(absent(&attribute.name)),
            None => Ok(Self { declaration, listed, cuts }),
        }
    }

    /// The override of the attribute of this name.
    pub fn for_attribute(&self, name: &str) -> AttributeOverride<'a> {
        let declared = self.declaration.attribute(name);
        let mut requested = declared.map_or(AttributeOverride::default(), |declared| AttributeOverride {
            kind: declared.kind,
            values: declared.values.as_deref(),
            cuts: declared.cuts.as_deref(),
            others: declared.others.as_deref(),
            others_are_zero: false,
        });
        if let Some(&kind) = self.listed.get(name) {
            requested.kind = Some(kind);
            requested.values = requested.values.filter(|_| kind == DeclaredKind::Nominal);
            requested.cuts = requested.cuts.filter(|_| kind == DeclaredKind::Ordered);
        }
        if let Some(cuts) = self.cuts.get(name) {
            requested =
                AttributeOverride { kind: Some(DeclaredKind::Ordered), cuts: Some(cuts), ..requested };
            requested.values = None;
        }
        requested
    }

    /// The type under which the options list the attribute.
    pub fn listed_kind(&self, name: &str) -> Option<DeclaredKind> {
        self.listed.get(name).copied()
    }
}
