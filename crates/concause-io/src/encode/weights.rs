//! Frequency weights: the number of rows that each row of the table stands for.
//!
//! All counts of rows use these weights, so that a weighted table gives the same result as the table with repeated
//! rows.

pub use concause::dataset::Weighting;

use super::overrides::Overrides;
use crate::declaration::DeclaredKind;
use crate::error::{Error, WeightsError};
use crate::names::Suggestion;
use crate::table::{Attribute, CellStore, Table};

/// The largest sum of weights.
const MAX_ROWS: u64 = u32::MAX as u64;

/// The weight of every row; 1 if there are none.
#[derive(Debug, Default)]
pub(crate) struct Weights(Option<Vec<u32>>);

impl Weights {
    /// These weights.
    pub fn new(weights: Vec<u32>) -> Self {
        Self(Some(weights))
    }

    /// Whether there are weights.
    pub fn are_given(&self) -> bool {
        self.0.is_some()
    }

    /// The weight of a row.
    #[inline]
    pub fn row_weight(&self, row: usize) -> u32 {
        self.0.as_ref().map_or(1, |weights| weights[row])
    }

    /// The weights of some rows, if there are weights.
    pub fn select(&self, rows: impl Iterator<Item = usize>) -> Option<Vec<u32>> {
        self.0.as_ref().map(|weights| rows.map(|row| weights[row]).collect())
    }

    /// The sum of the weights; the number of `rows` of the table without weights.
    pub fn total(&self, rows: u64) -> u64 {
        self.0.as_ref().map_or(rows, |weights| weights.iter().copied().map(u64::from).sum())
    }
}

/// Extracts the weights from the attribute of this name and removes the rows with a weight of 0 from the table.
pub(crate) fn extract_weights(
    table: &mut Table,
    name: &str,
    overrides: &Overrides<'_>,
) -> Result<(Weights, Weighting), Error> {
    let Some(attribute) = table.attributes.iter().find(|attribute| attribute.name == name) else {
        let suggestion = Suggestion::among_columns(name, table.names());
        return Err(WeightsError::Absent { name: name.to_owned(), suggestion }.into());
    };
    if let Some(kind) = overrides.listed_kind(name).filter(|&kind| kind != DeclaredKind::Ignore) {
        return Err(Error::new(WeightsError::Typed { kind: kind.name() }).in_column(name));
    }
    let weights = parse_weights(attribute)?;
    let rows_read = table.rows;
    let total = weights.iter().fold(0u64, |sum, &weight| sum.saturating_add(weight));
    if total > MAX_ROWS {
        return Err(WeightsError::TooManyRows { name: name.to_owned(), total, limit: MAX_ROWS }.into());
    }
    if total == 0 && rows_read > 0 {
        return Err(WeightsError::AllZero { name: name.to_owned() }.into());
    }
    table.retain_rows(|row| weights[row] > 0);
    // The sum fits into u32, and so does every weight.
    let weights = weights.into_iter().filter(|&weight| weight > 0).map(|weight| weight as u32).collect();
    let rows_left_out = rows_read - table.rows;
    let weighting = Weighting { attribute: name.to_owned(), rows_read, rows_left_out, total };
    Ok((Weights::new(weights), weighting))
}

fn parse_weights(attribute: &Attribute) -> Result<Vec<u64>, Error> {
    let not_whole = |row: usize, value: Option<String>| {
        Error::new(WeightsError::NotWhole { name: attribute.name.clone(), row: row + 1, value })
    };
    match &attribute.cells {
        CellStore::Coded(dictionary, codes) => {
            let by_code: Vec<Option<u64>> = std::iter::once(None)
                .chain((1..=dictionary.len()).map(|code| dictionary.number(code).and_then(whole_weight)))
                .collect();
            let mut weights = Vec::with_capacity(codes.len());
            let mut first_wrong = None;
            codes.for_each(|row, code| match by_code[code] {
                Some(weight) => weights.push(weight),
                None => first_wrong = first_wrong.or(Some((row, code))),
            });
            match first_wrong {
                Some((row, code)) => {
                    Err(not_whole(row, (code > 0).then(|| dictionary.value(code).to_owned())))
                }
                None => Ok(weights),
            }
        }
        CellStore::Numbers(numbers) => (numbers.iter().enumerate())
            .map(|(row, &number)| {
                let value = (!number.is_nan()).then(|| number.to_string());
                whole_weight(number).ok_or_else(|| not_whole(row, value))
            })
            .collect(),
        CellStore::TooMany | CellStore::Unsupported(_) => {
            Err(Error::new(WeightsError::NotNumeric).in_column(&attribute.name))
        }
    }
}

/// A weight if the number is whole; one that is too large is detected by the sum.
fn whole_weight(number: f64) -> Option<u64> {
    (number >= 0.0 && number.fract() == 0.0).then_some(number as u64)
}
