//! Encodes further rows as a table was encoded: by its declaration, without a target.

use std::collections::HashMap;

use rayon::prelude::*;

use super::overrides::{AttributeOverride, Overrides};
use super::plan::{AttributePlan, ColumnLookup, PlannedColumns, interval_index, plan_attribute};
use super::rows::{RowClass, Rows};
use super::weights::Weights;
use super::{Encoding, add_missing_column, export};
use crate::declaration::Declaration;
use crate::error::{ColumnError, Error};
use crate::options::{EncodeOptions, MissingAs};
use crate::table::{Attribute, CellStore, Table};

impl Encoding {
    /// The attributes of these columns in data order, and the [declaration](Encoding::declaration) of these attributes.
    pub fn declaration_of(&self, columns: &[String]) -> (Vec<String>, String) {
        let has_column =
            |entry: &&super::LegendEntry| entry.columns.iter().any(|column| columns.contains(&column.name));
        let entries: Vec<_> = self.legend.iter().filter(has_column).collect();
        let attributes = entries.iter().map(|entry| entry.attribute.clone()).collect();
        (attributes, export::write_declaration(entries.into_iter(), &self.target.attribute))
    }
}

/// Encodes the named columns of a table by a declaration. Attributes that are not declared are ignored. Values that are
/// not declared are 0 in all columns of their attribute. Only the options `scheme`, `negate` and `missing_as` apply.
pub fn apply_declaration(
    table: &Table,
    declaration: &Declaration,
    options: &EncodeOptions,
    columns: &[String],
) -> Result<Vec<Vec<bool>>, Error> {
    let overrides = Overrides::new(table, options, declaration)?;
    let declared =
        table.attributes.iter().filter(|attribute| declaration.attribute(&attribute.name).is_some());
    // Without an outcome all rows are alike.
    let rows = Rows::new(vec![RowClass::Control; table.rows as usize], Weights::default());
    let encoded: Vec<_> = declared
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|attribute| {
            encode_attribute(attribute, overrides.for_attribute(&attribute.name), &rows, options)
        })
        .collect::<Result<_, _>>()?;
    let by_name: HashMap<String, Vec<bool>> = encoded.into_iter().flatten().collect();
    let requested = columns.iter().map(|column| {
        let absent = || Error::new(ColumnError::NotDeclared { column: column.clone() });
        by_name.get(column).cloned().ok_or_else(absent)
    });
    requested.collect()
}

/// The columns of one attribute, by name.
fn encode_attribute(
    attribute: &Attribute,
    requested: AttributeOverride<'_>,
    rows: &Rows,
    options: &EncodeOptions,
) -> Result<Vec<(String, Vec<bool>)>, Error> {
    let requested = AttributeOverride { others_are_zero: true, ..requested };
    let (plan, _) = plan_attribute(attribute, requested, rows, options)?;
    let AttributePlan::Columns(mut planned) = plan else { return Ok(Vec::new()) };
    if options.missing_as == MissingAs::Level {
        add_missing_column(&attribute.name, &mut planned);
    }
    let ones = find_ones(&attribute.cells, &planned);
    let columns = planned.columns.iter().cloned().enumerate();
    let thresholds = planned.thresholds;
    let holds = |one: usize, index: usize| one == index || (index < one && one < thresholds);
    let bits = |index: usize| ones.iter().map(|&one| one.is_some_and(|one| holds(one, index))).collect();
    Ok(columns.map(|(index, planned)| (planned.column.name, bits(index))).collect())
}

/// The index of the column that is 1 in each row.
fn find_ones(cells: &CellStore, planned: &PlannedColumns) -> Vec<Option<usize>> {
    match (cells, &planned.lookup) {
        (CellStore::Coded(_, codes), ColumnLookup::Codes(indices)) => {
            let mut ones = Vec::with_capacity(codes.len());
            codes.for_each(|_, code| ones.push(indices[code]));
            ones
        }
        (CellStore::Numbers(numbers), ColumnLookup::Cuts(missing)) => {
            let index = |number: &f64| match number.is_nan() {
                true => *missing,
                false => planned.column_of_band(interval_index(&planned.cuts, *number)),
            };
            numbers.iter().map(index).collect()
        }
        _ => Vec::new(),
    }
}
