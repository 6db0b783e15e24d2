//! What the user wants of each attribute: the declaration, overridden by the lists of the command.

use std::collections::HashMap;

use crate::declaration::{Declaration, DeclaredKind};
use crate::error::Error;
use crate::names::suggestion;
use crate::options::EncodeOptions;
use crate::table::Table;

/// What is wanted of one attribute; nothing by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wish<'a> {
    pub kind: Option<DeclaredKind>,
    pub values: Option<&'a [String]>,
    pub cuts: Option<&'a [f64]>,
    /// Values that are not declared are 0 in all columns, and no fault.
    pub others_are_zero: bool,
}

/// What is wanted of all attributes.
#[derive(Debug)]
pub(crate) struct Wishes<'a> {
    declaration: &'a Declaration,
    listed: HashMap<&'a str, DeclaredKind>,
}

impl<'a> Wishes<'a> {
    /// Collects the wishes and checks that they are about attributes of the table.
    pub fn new(
        table: &Table,
        options: &'a EncodeOptions,
        declaration: &'a Declaration,
    ) -> Result<Self, Error> {
        let names: std::collections::HashSet<&str> = table.names().collect();
        let absent = |name: &str| {
            let near = suggestion(name, table.attributes.iter().map(|attribute| attribute.name.as_str()));
            Error::request(format!("the table has no column {name:?}{near}"))
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
                    let sentence = format!("column {name:?} is listed under two types; keep one of them");
                    return Err(Error::request(sentence));
                }
            }
        }
        match declaration.attributes.iter().find(|attribute| !names.contains(attribute.name.as_str())) {
            Some(attribute) => Err(absent(&attribute.name)),
            None => Ok(Self { declaration, listed }),
        }
    }

    /// What is wanted of the attribute of this name.
    pub fn of(&self, name: &str) -> Wish<'a> {
        let declared = self.declaration.attribute(name);
        let mut wish = declared.map_or(Wish::default(), |declared| Wish {
            kind: declared.kind,
            values: declared.values.as_deref(),
            cuts: declared.cuts.as_deref(),
            others_are_zero: false,
        });
        if let Some(&kind) = self.listed.get(name) {
            wish.kind = Some(kind);
            wish.values = wish.values.filter(|_| kind == DeclaredKind::Nominal);
            wish.cuts = wish.cuts.filter(|_| kind == DeclaredKind::Continuous);
        }
        wish
    }

    /// What the lists of the command say of the attribute.
    pub fn listed(&self, name: &str) -> Option<DeclaredKind> {
        self.listed.get(name).copied()
    }
}
