//! How many rows each row of the table stands for.
//!
//! Everything that counts rows counts them by these weights, so that a table with weights gives what the table with
//! its rows written out so many times gives.

use super::wishes::Wishes;
use crate::declaration::DeclaredKind;
use crate::error::Error;
use crate::names::suggestion;
use crate::table::{Attribute, Cells, Table};

/// The rows that weights may add up to.
const MOST_ROWS: u64 = u32::MAX as u64;

/// What the weights of a table came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighting {
    /// The attribute that holds them.
    pub attribute: String,
    /// The rows of the table.
    pub rows_read: u64,
    /// Those left out because their weight is 0.
    pub rows_left_out: u64,
    /// The rows that the others stand for.
    pub total: u64,
}

/// The weight of every row; 1 if there are none.
#[derive(Debug, Default)]
pub(crate) struct Weights(Option<Vec<u32>>);

impl Weights {
    /// These weights.
    pub fn new(weights: Vec<u32>) -> Self {
        Self(Some(weights))
    }

    /// Whether there are any.
    pub fn are_given(&self) -> bool {
        self.0.is_some()
    }

    /// How many rows a row of the table stands for.
    #[inline]
    pub fn of(&self, row: usize) -> u32 {
        self.0.as_ref().map_or(1, |weights| weights[row])
    }

    /// The weights of some of the rows, if there are any weights.
    pub fn some(&self, rows: impl Iterator<Item = usize>) -> Option<Vec<u32>> {
        self.0.as_ref().map(|weights| rows.map(|row| weights[row]).collect())
    }

    /// The rows that so many rows of the table stand for.
    pub fn total(&self, rows: u64) -> u64 {
        self.0.as_ref().map_or(rows, |weights| weights.iter().copied().map(u64::from).sum())
    }
}

/// Takes the weights from the attribute of this name, and the rows with a weight of 0 out of the table.
pub(crate) fn settle(
    table: &mut Table,
    name: &str,
    wishes: &Wishes<'_>,
) -> Result<(Weights, Weighting), Error> {
    let Some(attribute) = table.attributes.iter().find(|attribute| attribute.name == name) else {
        let near = suggestion(name, table.names());
        return Err(Error::request(format!("the table has no column {name:?} for the weights{near}")));
    };
    if let Some(kind) = wishes.listed(name).filter(|&kind| kind != DeclaredKind::Ignore) {
        let kind = format!("{kind:?}").to_lowercase();
        return Err(Error::request(format!(
            "column {name:?} holds the weights and cannot be {kind} as well"
        )));
    }
    let weights = read(attribute)?;
    let rows_read = table.rows;
    let total = weights.iter().fold(0u64, |sum, &weight| sum.saturating_add(weight));
    if total > MOST_ROWS {
        return Err(Error::request(format!(
            "the weights in column {name:?} add up to {total} rows, but at most {MOST_ROWS} can be counted; is it a \
             column of frequencies?"
        )));
    }
    if total == 0 && rows_read > 0 {
        return Err(Error::request(format!(
            "all weights in column {name:?} are 0: there is no row to count"
        )));
    }
    table.keep(|row| weights[row] > 0);
    // None is larger than their sum, which a u32 can hold.
    let weights = weights.into_iter().filter(|&weight| weight > 0).map(|weight| weight as u32).collect();
    let rows_left_out = rows_read - table.rows;
    let weighting = Weighting { attribute: name.to_owned(), rows_read, rows_left_out, total };
    Ok((Weights::new(weights), weighting))
}

fn read(attribute: &Attribute) -> Result<Vec<u64>, Error> {
    let wrong = |row: usize, value: Option<&str>| {
        let name = &attribute.name;
        let value = value.map_or_else(|| "missing".to_owned(), |value| format!("{value:?}"));
        Error::request(format!(
            "the weight in row {} is {value} (column {name:?}); weights must be whole numbers, the rows that each row \
             stands for: survey and other sampling weights are not supported, because the tests need counts",
            row + 1
        ))
    };
    match &attribute.cells {
        Cells::Coded(dictionary, codes) => {
            let of_code: Vec<Option<u64>> = std::iter::once(None)
                .chain((1..=dictionary.len()).map(|code| dictionary.number(code).and_then(whole)))
                .collect();
            let mut weights = Vec::with_capacity(codes.len());
            let mut fault = None;
            codes.for_each(|row, code| match of_code[code] {
                Some(weight) => weights.push(weight),
                None => fault = fault.or(Some((row, code))),
            });
            match fault {
                Some((row, code)) => Err(wrong(row, (code > 0).then(|| dictionary.value(code)))),
                None => Ok(weights),
            }
        }
        Cells::Numbers(numbers) => (numbers.iter().enumerate())
            .map(|(row, &number)| {
                let value = (!number.is_nan()).then(|| number.to_string());
                whole(number).ok_or_else(|| wrong(row, value.as_deref()))
            })
            .collect(),
        Cells::TooMany | Cells::Unsupported(_) => Err(Error::request(format!(
            "column {:?} does not hold numbers only, and so no weights; weights must be whole numbers, the rows that \
             each row stands for",
            attribute.name
        ))),
    }
}

/// A weight: a whole number. One that is too large is found out by the sum.
fn whole(number: f64) -> Option<u64> {
    (number >= 0.0 && number.fract() == 0.0).then_some(number as u64)
}
