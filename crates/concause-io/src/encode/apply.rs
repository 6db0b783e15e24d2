//! Encodes further rows as a table was encoded before: by its declaration, without a target.

use std::collections::HashMap;

use rayon::prelude::*;

use super::plan::{Columns, Places, Plan, interval, plan};
use super::rows::Rows;
use super::weights::Weights;
use super::wishes::{Wish, Wishes};
use super::{Encoding, add_missing_column, written};
use crate::declaration::Declaration;
use crate::error::Error;
use crate::options::{EncodeOptions, MissingAs};
use crate::table::{Attribute, Cells, Table};

impl Encoding {
    /// The attributes that these columns came from, in data order, and their part of the
    /// [declaration](Encoding::declaration).
    pub fn declaration_of(&self, columns: &[String]) -> (Vec<String>, String) {
        let has_one =
            |entry: &&super::LegendEntry| entry.columns.iter().any(|column| columns.contains(&column.name));
        let entries: Vec<_> = self.legend.iter().filter(has_one).collect();
        let attributes = entries.iter().map(|entry| entry.attribute.clone()).collect();
        (attributes, written::declaration(entries.into_iter(), &self.target.attribute))
    }
}

/// The named columns of the rows of a table, encoded as declared. Only declared attributes are looked at. Values that are
/// not declared are 0 in all columns of their attribute; of the options only `negate` and `missing_as` matter.
pub fn apply(
    table: &Table,
    declaration: &Declaration,
    options: &EncodeOptions,
    columns: &[String],
) -> Result<Vec<Vec<bool>>, Error> {
    let wishes = Wishes::new(table, options, declaration)?;
    let declared =
        table.attributes.iter().filter(|attribute| declaration.attribute(&attribute.name).is_some());
    let made: Vec<_> = declared
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|attribute| encoded(attribute, wishes.of(&attribute.name), options))
        .collect::<Result<_, _>>()?;
    let found: HashMap<String, Vec<bool>> = made.into_iter().flatten().collect();
    let wanted = columns.iter().map(|column| {
        let absent = || Error::request(format!("no declared attribute gives the column {column:?}"));
        found.get(column).cloned().ok_or_else(absent)
    });
    wanted.collect()
}

/// The columns of one attribute, by name.
fn encoded(
    attribute: &Attribute,
    wish: Wish<'_>,
    options: &EncodeOptions,
) -> Result<Vec<(String, Vec<bool>)>, Error> {
    // What is declared needs no look at the classes of the rows.
    let rows = Rows::new(Vec::new(), Weights::default());
    let (plan, _) = plan(attribute, Wish { others_are_zero: true, ..wish }, &rows, options)?;
    let Plan::Columns(mut columns) = plan else { return Ok(Vec::new()) };
    if options.missing_as == MissingAs::Level {
        add_missing_column(&attribute.name, &mut columns);
    }
    let places = places(&attribute.cells, &columns);
    let named = columns.names.into_iter().enumerate();
    Ok(named.map(|(place, (name, _))| (name, places.iter().map(|&of| of == Some(place)).collect())).collect())
}

/// Which column of the attribute is 1, row by row.
fn places(cells: &Cells, columns: &Columns) -> Vec<Option<usize>> {
    match (cells, &columns.places) {
        (Cells::Coded(_, codes), Places::Codes(places)) => {
            let mut found = Vec::with_capacity(codes.len());
            codes.for_each(|_, code| found.push(places[code]));
            found
        }
        (Cells::Numbers(numbers), Places::Cuts(absent)) => {
            let place =
                |number: &f64| if number.is_nan() { *absent } else { Some(interval(&columns.cuts, *number)) };
            numbers.iter().map(place).collect()
        }
        _ => Vec::new(),
    }
}
