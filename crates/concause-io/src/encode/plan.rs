//! Plans the columns of an attribute: its kind, declared or detected from its values, and the meaning of each column.

use super::cut_points::{DistinctValue, find_mdl_cuts, find_quantile_cuts, merge_equal_values};
use super::legend::{AttributeKind, OmissionReason, TypeGuess};
use super::overrides::AttributeOverride;
use super::rows::{RowClass, Rows};
use super::target::parse_binary_codes;
use crate::declaration::DeclaredKind;
use crate::error::{ColumnError, Error};
use crate::options::EncodeOptions;
use crate::table::{Attribute, CellStore, Codes, Dictionary};

/// More distinct values than this, almost one per row, make text an identifier.
const IDENTIFIER_VALUES: usize = 20;
/// Fewer distinct numbers than this look like codes.
const FEW_NUMBERS: usize = 10;

/// How an attribute is encoded.
#[derive(Debug)]
pub(crate) enum AttributePlan {
    LeftOut { kind: AttributeKind, reason: OmissionReason },
    Columns(PlannedColumns),
}

/// The columns of an attribute.
#[derive(Debug)]
pub(crate) struct PlannedColumns {
    pub kind: AttributeKind,
    pub columns: Vec<PlannedColumn>,
    pub lookup: ColumnLookup,
    pub cuts: Vec<f64>,
}

impl PlannedColumns {
    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }
}

/// One column of an attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlannedColumn {
    pub name: String,
    pub meaning: String,
    /// The value of a nominal attribute for which the column is 1.
    pub value: Option<String>,
}

impl PlannedColumn {
    /// A column of no nominal value.
    pub fn new(name: String, meaning: String) -> Self {
        Self { name, meaning, value: None }
    }
}

/// Which column is 1 for a cell, by its index among those of the attribute.
#[derive(Debug)]
pub(crate) enum ColumnLookup {
    /// By the code of the cell.
    Codes(Vec<Option<usize>>),
    /// By the number in the cell; missing cells have a column of their own or none.
    Cuts(Option<usize>),
}

/// Plans the columns of an attribute.
pub(crate) fn plan_attribute(
    attribute: &Attribute,
    requested: AttributeOverride<'_>,
    rows: &Rows,
    options: &EncodeOptions,
) -> Result<(AttributePlan, Option<TypeGuess>), Error> {
    let name = &attribute.name;
    let left_out = |kind, reason| Ok((AttributePlan::LeftOut { kind, reason }, None));
    if requested.kind == Some(DeclaredKind::Ignore) {
        return left_out(AttributeKind::Ignored, OmissionReason::Ignored);
    }
    let (dictionary, codes) = match &attribute.cells {
        CellStore::Unsupported(kind) => {
            return left_out(AttributeKind::Unsupported, OmissionReason::Unsupported(kind.clone()));
        }
        CellStore::TooMany => return plan_too_many(name, requested),
        CellStore::Numbers(_) => match requested.kind {
            Some(DeclaredKind::Nominal | DeclaredKind::Binary) => return plan_too_many(name, requested),
            _ => return Ok((plan_continuous(attribute, requested, rows, options), None)),
        },
        CellStore::Coded(dictionary, codes) => (dictionary, codes),
    };
    if dictionary.len() == 0 && requested.values.is_none() && !requested.others_are_zero {
        return left_out(AttributeKind::Empty, OmissionReason::Empty);
    }
    match requested.kind {
        Some(DeclaredKind::Binary) => match plan_binary(name, dictionary, options.negate) {
            Some(columns) => Ok((AttributePlan::Columns(columns), None)),
            None => {
                let values = ordered_values(dictionary);
                Err(Error::new(ColumnError::NotBinary { values: Some(values) }).in_column(name))
            }
        },
        Some(DeclaredKind::Nominal) => {
            Ok((AttributePlan::Columns(plan_nominal(name, dictionary, requested)?), None))
        }
        Some(DeclaredKind::Continuous) => {
            if let Some((_, text)) = dictionary.iter().find(|&(code, _)| dictionary.number(code).is_none()) {
                let kind = ColumnError::NotContinuous { value: Some(text.to_owned()) };
                return Err(Error::new(kind).in_column(name));
            }
            Ok((plan_continuous(attribute, requested, rows, options), None))
        }
        Some(DeclaredKind::Ignore) => left_out(AttributeKind::Ignored, OmissionReason::Ignored),
        None => {
            if let Some(columns) = plan_binary(name, dictionary, options.negate) {
                return Ok((AttributePlan::Columns(columns), None));
            }
            if dictionary.text_values() == 0 {
                let guess = (dictionary.len() <= FEW_NUMBERS).then_some(TypeGuess::FewNumbers);
                return Ok((plan_continuous(attribute, requested, rows, options), guess));
            }
            if is_identifier(dictionary, codes, rows) {
                return left_out(AttributeKind::Nominal, OmissionReason::Identifier);
            }
            let guess = (dictionary.text_values() < dictionary.len()).then_some(TypeGuess::Mixed);
            Ok((AttributePlan::Columns(plan_nominal(name, dictionary, AttributeOverride::default())?), guess))
        }
    }
}

/// The codes of all values: numbers in ascending order, then text by its bytes. Independent of the order of rows.
pub(crate) fn ordered_codes(dictionary: &Dictionary) -> Vec<usize> {
    let mut codes: Vec<usize> = (1..=dictionary.len()).collect();
    codes.sort_unstable_by(|&left, &right| {
        let number = |code: usize| dictionary.number(code).unwrap_or(f64::NAN);
        let rank = |code: usize| dictionary.number(code).is_none();
        let by_number = number(left).partial_cmp(&number(right)).unwrap_or(std::cmp::Ordering::Equal);
        let by_text = dictionary.value(left).cmp(dictionary.value(right));
        rank(left).cmp(&rank(right)).then(by_number).then(by_text)
    });
    codes
}

fn is_identifier(dictionary: &Dictionary, codes: &Codes, rows: &Rows) -> bool {
    if dictionary.len() <= IDENTIFIER_VALUES {
        return false;
    }
    let mut known = 0u64;
    codes.for_each(|row, code| known += u64::from(code != 0) * u64::from(rows.weights.row_weight(row)));
    dictionary.len() as u64 * 10 >= known * 9
}

fn plan_too_many(
    name: &str,
    requested: AttributeOverride<'_>,
) -> Result<(AttributePlan, Option<TypeGuess>), Error> {
    let kind = match requested.kind {
        Some(DeclaredKind::Continuous) => ColumnError::NotContinuous { value: None },
        Some(DeclaredKind::Binary) => ColumnError::NotBinary { values: None },
        Some(DeclaredKind::Nominal) if requested.values.is_some() => ColumnError::UndeclaredValues,
        _ => {
            return Ok((
                AttributePlan::LeftOut {
                    kind: AttributeKind::Nominal,
                    reason: OmissionReason::TooManyValues,
                },
                None,
            ));
        }
    };
    Err(Error::new(kind).in_column(name))
}

/// All values in the order of [`ordered_codes`].
pub(crate) fn ordered_values(dictionary: &Dictionary) -> Vec<String> {
    ordered_codes(dictionary).into_iter().map(|code| dictionary.value(code).to_owned()).collect()
}

fn plan_binary(name: &str, dictionary: &Dictionary, negate: bool) -> Option<PlannedColumns> {
    let values = if dictionary.len() == 0 { Vec::new() } else { parse_binary_codes(dictionary)? };
    let texts = |side: bool| {
        let mut codes = ordered_codes(dictionary);
        codes.retain(|&code| values[code - 1] == side);
        let texts: Vec<&str> = codes.into_iter().map(|code| dictionary.value(code)).collect();
        if texts.is_empty() { side.to_string() } else { texts.join(" or ") }
    };
    let mut columns = vec![PlannedColumn::new(name.to_owned(), format!("{name} is {}", texts(true)))];
    if negate {
        columns.push(PlannedColumn::new(format!("!{name}"), format!("{name} is {}", texts(false))));
    }
    let index = |value: bool| if value { Some(0) } else { negate.then_some(1) };
    let indices = std::iter::once(None).chain(values.iter().map(|&value| index(value))).collect();
    let lookup = ColumnLookup::Codes(indices);
    Some(PlannedColumns { kind: AttributeKind::Binary, columns, lookup, cuts: Vec::new() })
}

fn plan_nominal(
    name: &str,
    dictionary: &Dictionary,
    requested: AttributeOverride<'_>,
) -> Result<PlannedColumns, Error> {
    let mut indices = vec![None; dictionary.len() + 1];
    let values: Vec<&str> = match requested.values {
        Some(values) => {
            let order: std::collections::HashMap<&str, usize> =
                values.iter().enumerate().map(|(index, value)| (value.as_str(), index)).collect();
            for code in ordered_codes(dictionary) {
                let value = dictionary.value(code);
                let Some(&index) = order.get(value) else {
                    if requested.others_are_zero {
                        continue;
                    }
                    let (value, declared) = (value.to_owned(), values.to_vec());
                    return Err(Error::new(ColumnError::UndeclaredValue { value, declared }).in_column(name));
                };
                indices[code] = Some(index);
            }
            values.iter().map(String::as_str).collect()
        }
        None => {
            let ordered = ordered_codes(dictionary);
            ordered.iter().enumerate().for_each(|(index, &code)| indices[code] = Some(index));
            ordered.into_iter().map(|code| dictionary.value(code)).collect()
        }
    };
    let column = |value: &&str| PlannedColumn {
        name: format!("{name}={value}"),
        meaning: format!("{name} is {value}"),
        value: Some((*value).to_owned()),
    };
    let columns = values.iter().map(column).collect();
    let lookup = ColumnLookup::Codes(indices);
    Ok(PlannedColumns { kind: AttributeKind::Nominal, columns, lookup, cuts: Vec::new() })
}

fn plan_continuous(
    attribute: &Attribute,
    requested: AttributeOverride<'_>,
    rows: &Rows,
    options: &EncodeOptions,
) -> AttributePlan {
    let kind = AttributeKind::Continuous;
    if options.drop_continuous {
        return AttributePlan::LeftOut { kind, reason: OmissionReason::Dropped };
    }
    let cuts = match (requested.cuts, options.bins) {
        (Some(cuts), _) => cuts.to_vec(),
        (None, Some(bins)) => find_quantile_cuts(&count_numbers(attribute, rows), bins),
        (None, None) => find_mdl_cuts(&count_numbers(attribute, rows)),
    };
    if cuts.is_empty() {
        return AttributePlan::LeftOut { kind, reason: OmissionReason::NoCut };
    }
    let lookup = match &attribute.cells {
        CellStore::Coded(dictionary, _) => {
            let index = |code| dictionary.number(code).map(|number| interval_index(&cuts, number));
            ColumnLookup::Codes(std::iter::once(None).chain((1..=dictionary.len()).map(index)).collect())
        }
        _ => ColumnLookup::Cuts(None),
    };
    let columns = plan_intervals(attribute, &cuts);
    AttributePlan::Columns(PlannedColumns { kind, columns, lookup, cuts })
}

/// The index of the interval that contains a number.
pub(crate) fn interval_index(cuts: &[f64], number: f64) -> usize {
    cuts.partition_point(|&cut| cut <= number)
}

fn plan_intervals(attribute: &Attribute, cuts: &[f64]) -> Vec<PlannedColumn> {
    let name = &attribute.name;
    let write =
        |cut: f64| attribute.notation().map_or_else(|| cut.to_string(), |notation| notation.format(cut));
    let (first, last) = (write(cuts[0]), write(cuts[cuts.len() - 1]));
    let mut columns = vec![PlannedColumn::new(format!("{name}<{first}"), format!("{name} is below {first}"))];
    for pair in cuts.windows(2) {
        let (low, high) = (write(pair[0]), write(pair[1]));
        let meaning = format!("{name} is at least {low} and below {high}");
        columns.push(PlannedColumn::new(format!("{low}<={name}<{high}"), meaning));
    }
    columns.push(PlannedColumn::new(format!("{name}>={last}"), format!("{name} is at least {last}")));
    columns
}

/// The distinct numbers of the known cells with their controls and cases. Rows that are held out do not count, because
/// the cut points depend on the target.
fn count_numbers(attribute: &Attribute, rows: &Rows) -> Vec<DistinctValue> {
    match &attribute.cells {
        CellStore::Coded(dictionary, codes) => {
            let mut counts = vec![[0u64; 3]; dictionary.len() + 1];
            codes.for_each(|row, code| counts[code][rows.classes[row] as usize] += rows.searched_weight(row));
            let distinct = |code: usize| {
                let [controls, cases, _] = counts[code];
                let value = dictionary.number(code).filter(|_| controls + cases > 0)?;
                Some(DistinctValue { value, counts: [controls, cases] })
            };
            merge_equal_values((1..=dictionary.len()).filter_map(distinct).collect())
        }
        CellStore::Numbers(numbers) => {
            let known = numbers.iter().enumerate().filter(|(_, number)| !number.is_nan());
            let distinct = |(row, &value): (usize, &f64)| match rows.classes[row] {
                RowClass::Control => Some(DistinctValue { value, counts: [rows.searched_weight(row), 0] }),
                RowClass::Case => Some(DistinctValue { value, counts: [0, rows.searched_weight(row)] }),
                RowClass::LeftOut => None,
            };
            let is_counted = |distinct: &DistinctValue| distinct.counts != [0, 0];
            merge_equal_values(known.filter_map(distinct).filter(is_counted).collect())
        }
        CellStore::TooMany | CellStore::Unsupported(_) => Vec::new(),
    }
}
