//! What the user requests for each attribute: the declaration, overridden by the lists in the options.

use std::collections::HashMap;

use crate::declaration::{Declaration, DeclaredKind};
use crate::error::{ColumnError, Error};
use crate::names::Suggestion;
use crate::options::EncodeOptions;
use crate::table::Table;

/// What is requested for one attribute; nothing by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AttributeOverride<'a> {
    pub kind: Option<DeclaredKind>,
    pub values: Option<&'a [String]>,
    pub cuts: Option<&'a [f64]>,
    /// Values that are not declared are 0 in all columns, instead of an error.
    pub others_are_zero: bool,
}

/// What is requested for all attributes.
#[derive(Debug)]
pub(crate) struct Overrides<'a> {
    declaration: &'a Declaration,
    listed: HashMap<&'a str, DeclaredKind>,
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
            (&options.continuous, DeclaredKind::Continuous),
            (&options.ignore, DeclaredKind::Ignore),
        ];
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
            None => Ok(Self { declaration, listed }),
        }
    }

    /// The override of the attribute of this name.
    pub fn for_attribute(&self, name: &str) -> AttributeOverride<'a> {
        let declared = self.declaration.attribute(name);
        let mut requested = declared.map_or(AttributeOverride::default(), |declared| AttributeOverride {
            kind: declared.kind,
            values: declared.values.as_deref(),
            cuts: declared.cuts.as_deref(),
            others_are_zero: false,
        });
        if let Some(&kind) = self.listed.get(name) {
            requested.kind = Some(kind);
            requested.values = requested.values.filter(|_| kind == DeclaredKind::Nominal);
            requested.cuts = requested.cuts.filter(|_| kind == DeclaredKind::Continuous);
        }
        requested
    }

    /// The type under which the options list the attribute.
    pub fn listed_kind(&self, name: &str) -> Option<DeclaredKind> {
        self.listed.get(name).copied()
    }
}
