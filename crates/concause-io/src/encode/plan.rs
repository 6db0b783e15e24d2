//! Plans the columns of an attribute: its kind, declared or detected from its values, and the meaning of each column.

use concause::dataset::Column;

use super::bands::{find_bands, smallest_part};
use super::cut_points::{DistinctValue, find_mdl_cuts, find_quantile_cuts, merge_equal_values};
use super::identifiers::is_identifier;
use super::legend::{AttributeKind, OmissionReason, TypeGuess};
use super::overrides::AttributeOverride;
use super::rows::{RowClass, Rows};
use super::target::parse_binary_codes;
use crate::declaration::DeclaredKind;
use crate::error::{ColumnError, Error};
use crate::options::{EncodeOptions, Scheme};
use crate::table::{Attribute, CellStore, Codes, Dictionary};

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
    /// The number of thresholds, which are the first columns. A row in which one of them is 1 has 1 in all before it.
    pub thresholds: usize,
    pub lookup: ColumnLookup,
    pub cuts: Vec<f64>,
    /// All values, if a column of each value is not among the columns: of an attribute with two values.
    pub values: Vec<String>,
    /// The values in the column of all rare ones.
    pub pooled: Vec<String>,
}

impl PlannedColumns {
    /// Columns that exclude each other.
    pub fn exclusive(kind: AttributeKind, columns: Vec<PlannedColumn>, lookup: ColumnLookup) -> Self {
        let (cuts, values, pooled) = (Vec::new(), Vec::new(), Vec::new());
        Self { kind, columns, thresholds: 0, lookup, cuts, values, pooled }
    }

    /// The columns without their meanings.
    pub fn data_columns(&self) -> Vec<Column> {
        self.columns.iter().map(|planned| planned.column.clone()).collect()
    }

    /// The index of the column that a number in a band has, the highest threshold or the interval.
    pub fn column_of_band(&self, band: usize) -> Option<usize> {
        if self.thresholds > 0 { band.checked_sub(1) } else { Some(band) }
    }
}

/// One column of an attribute.
#[derive(Clone, Debug)]
pub(crate) struct PlannedColumn {
    pub column: Column,
    pub meaning: String,
    /// The value of a nominal attribute for which the column is 1.
    pub value: Option<String>,
}

impl PlannedColumn {
    /// A column of no nominal value.
    pub fn new(column: Column, meaning: String) -> Self {
        Self { column, meaning, value: None }
    }

    /// The column of a nominal value.
    fn of_value(attribute: &str, value: &str) -> Self {
        let meaning = format!("{attribute} is {value}");
        Self { column: Column::of_value(attribute, value), meaning, value: Some(value.to_owned()) }
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
    let dictionary = match &attribute.cells {
        CellStore::Unsupported(kind) => {
            return left_out(AttributeKind::Unsupported, OmissionReason::Unsupported(kind.clone()));
        }
        CellStore::TooMany => return plan_too_many(name, requested),
        CellStore::Numbers(_) => match requested.kind {
            Some(DeclaredKind::Nominal | DeclaredKind::Binary) => return plan_too_many(name, requested),
            None if is_identifier(attribute, rows, options) => {
                return left_out(AttributeKind::Nominal, OmissionReason::Identifier);
            }
            _ => return Ok((plan_continuous(attribute, requested, rows, options), None)),
        },
        CellStore::Coded(dictionary, _) => dictionary,
    };
    if dictionary.len() == 0 && requested.values.is_none() && !requested.others_are_zero {
        return left_out(AttributeKind::Empty, OmissionReason::Empty);
    }
    match requested.kind {
        Some(DeclaredKind::Binary) => match plan_binary(name, dictionary, options) {
            Some(columns) => Ok((AttributePlan::Columns(columns), None)),
            None => {
                let values = ordered_values(dictionary);
                Err(Error::new(ColumnError::NotBinary { values: Some(values) }).in_column(name))
            }
        },
        Some(DeclaredKind::Nominal) => {
            Ok((AttributePlan::Columns(plan_nominal(attribute, requested, rows, options)?), None))
        }
        Some(DeclaredKind::Ordered) => {
            if let Some((_, text)) = dictionary.iter().find(|&(code, _)| dictionary.number(code).is_none()) {
                let kind = ColumnError::NotContinuous { value: Some(text.to_owned()) };
                return Err(Error::new(kind).in_column(name));
            }
            Ok((plan_continuous(attribute, requested, rows, options), None))
        }
        Some(DeclaredKind::Ignore) => left_out(AttributeKind::Ignored, OmissionReason::Ignored),
        None => {
            if let Some(columns) = plan_binary(name, dictionary, options) {
                return Ok((AttributePlan::Columns(columns), None));
            }
            if options.scheme == Scheme::Attributes && dictionary.len() == 2 {
                return Ok((AttributePlan::Columns(plan_both_values(name, dictionary, options)), None));
            }
            if is_identifier(attribute, rows, options) {
                return left_out(AttributeKind::Nominal, OmissionReason::Identifier);
            }
            if dictionary.text_values() == 0 {
                let guess = (dictionary.len() <= FEW_NUMBERS).then_some(TypeGuess::FewNumbers);
                return Ok((plan_continuous(attribute, requested, rows, options), guess));
            }
            let guess = (dictionary.text_values() < dictionary.len()).then_some(TypeGuess::Mixed);
            let plan = plan_nominal(attribute, AttributeOverride::default(), rows, options)?;
            Ok((AttributePlan::Columns(plan), guess))
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

fn plan_too_many(
    name: &str,
    requested: AttributeOverride<'_>,
) -> Result<(AttributePlan, Option<TypeGuess>), Error> {
    let kind = match requested.kind {
        Some(DeclaredKind::Ordered) => ColumnError::NotContinuous { value: None },
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

fn plan_binary(name: &str, dictionary: &Dictionary, options: &EncodeOptions) -> Option<PlannedColumns> {
    let values = if dictionary.len() == 0 { Vec::new() } else { parse_binary_codes(dictionary)? };
    let texts = |side: bool| {
        let mut codes = ordered_codes(dictionary);
        codes.retain(|&code| values[code - 1] == side);
        let texts: Vec<&str> = codes.into_iter().map(|code| dictionary.value(code)).collect();
        if texts.is_empty() { side.to_string() } else { texts.join(" or ") }
    };
    let negation = match texts(false) {
        text if values.contains(&false) && !text.contains(" or ") => format!("{name}={text}"),
        _ => format!("{name}=0"),
    };
    let column = Column::new(name, negation.clone());
    let mut columns = vec![PlannedColumn::new(column, format!("{name} is {}", texts(true)))];
    if options.negate {
        columns.push(PlannedColumn::new(Column::new(negation, name), format!("{name} is {}", texts(false))));
    }
    let index = |value: bool| if value { Some(0) } else { options.negate.then_some(1) };
    let indices = std::iter::once(None).chain(values.iter().map(|&value| index(value))).collect();
    Some(PlannedColumns::exclusive(AttributeKind::Binary, columns, ColumnLookup::Codes(indices)))
}

/// One column for an attribute with two values: the last one is 1, the other one its negation. `indices` are the places
/// of the values by code.
fn plan_two_values(name: &str, values: [&str; 2], indices: &[Option<usize>], negate: bool) -> PlannedColumns {
    let [first, last] = values;
    let column = |value: &str, other: &str| PlannedColumn {
        column: Column::new(format!("{name}={value}"), format!("{name}={other}")),
        ..PlannedColumn::of_value(name, value)
    };
    let mut columns = vec![column(last, first)];
    if negate {
        columns.push(column(first, last));
    }
    let place = |place: &Option<usize>| (*place)?.checked_sub(1).or(negate.then_some(1));
    PlannedColumns {
        values: values.map(str::to_owned).to_vec(),
        ..PlannedColumns::exclusive(
            AttributeKind::Nominal,
            columns,
            ColumnLookup::Codes(indices.iter().map(place).collect()),
        )
    }
}

/// The same for an attribute that has two values, in their order.
fn plan_both_values(name: &str, dictionary: &Dictionary, options: &EncodeOptions) -> PlannedColumns {
    let codes = ordered_codes(dictionary);
    let mut indices = vec![None; 3];
    codes.iter().enumerate().for_each(|(place, &code)| indices[code] = Some(place));
    let values = [codes[0], codes[1]].map(|code| dictionary.value(code));
    plan_two_values(name, values, &indices, options.negate)
}

fn plan_nominal(
    attribute: &Attribute,
    requested: AttributeOverride<'_>,
    rows: &Rows,
    options: &EncodeOptions,
) -> Result<PlannedColumns, Error> {
    let name = &attribute.name;
    let CellStore::Coded(dictionary, codes) = &attribute.cells else {
        let lookup = ColumnLookup::Codes(Vec::new());
        return Ok(PlannedColumns::exclusive(AttributeKind::Nominal, Vec::new(), lookup));
    };
    let mut indices = vec![None; dictionary.len() + 1];
    let Some(values) = requested.values else {
        if options.scheme == Scheme::Attributes && dictionary.len() == 2 {
            return Ok(plan_both_values(name, dictionary, options));
        }
        let ordered = ordered_codes(dictionary);
        let rare = match options.scheme {
            Scheme::Attributes => find_rare_values(dictionary, codes, rows),
            Scheme::Values => Vec::new(),
        };
        let is_rare = |code: &usize| rare.contains(code);
        let mut columns: Vec<PlannedColumn> = Vec::new();
        for &code in ordered.iter().filter(|code| !is_rare(code)) {
            indices[code] = Some(columns.len());
            columns.push(PlannedColumn::of_value(name, dictionary.value(code)));
        }
        let pooled: Vec<String> = ordered
            .iter()
            .filter(|code| is_rare(code))
            .map(|&code| dictionary.value(code).to_owned())
            .collect();
        if !pooled.is_empty() {
            let is_taken = |value: &str| columns.iter().any(|column| column.value.as_deref() == Some(value));
            let mut value = "other".to_owned();
            while is_taken(&value) {
                value.push('*');
            }
            rare.iter().for_each(|&code| indices[code] = Some(columns.len()));
            let meaning = format!("{name} is {}", crate::names::list(pooled.iter().cloned()));
            columns.push(PlannedColumn { meaning, ..PlannedColumn::of_value(name, &value) });
        }
        let lookup = ColumnLookup::Codes(indices);
        return Ok(PlannedColumns {
            pooled,
            ..PlannedColumns::exclusive(AttributeKind::Nominal, columns, lookup)
        });
    };
    let order: std::collections::HashMap<&str, usize> =
        values.iter().enumerate().map(|(index, value)| (value.as_str(), index)).collect();
    for code in ordered_codes(dictionary) {
        let value = dictionary.value(code);
        let others = || requested.others.and_then(|others| order.get(others));
        let Some(&index) = order.get(value).or_else(others) else {
            if requested.others_are_zero {
                continue;
            }
            let (value, declared) = (value.to_owned(), values.to_vec());
            return Err(Error::new(ColumnError::UndeclaredValue { value, declared }).in_column(name));
        };
        indices[code] = Some(index);
    }
    if let (Scheme::Attributes, [first, last]) = (options.scheme, values) {
        return Ok(plan_two_values(name, [first, last], &indices, options.negate));
    }
    let columns = values.iter().map(|value| PlannedColumn::of_value(name, value)).collect();
    Ok(PlannedColumns::exclusive(AttributeKind::Nominal, columns, ColumnLookup::Codes(indices)))
}

/// The codes of the values that are too rare for a column of their own, if there are at least two.
fn find_rare_values(dictionary: &Dictionary, codes: &Codes, rows: &Rows) -> Vec<usize> {
    let mut counts = vec![0u64; dictionary.len() + 1];
    codes.for_each(|row, code| counts[code] += rows.searched_weight(row));
    let least = smallest_part(counts[1..].iter().sum(), 10);
    let rare: Vec<usize> = (1..=dictionary.len()).filter(|&code| counts[code] < least).collect();
    if rare.len() > 1 { rare } else { Vec::new() }
}

fn plan_continuous(
    attribute: &Attribute,
    requested: AttributeOverride<'_>,
    rows: &Rows,
    options: &EncodeOptions,
) -> AttributePlan {
    let kind = AttributeKind::Ordered;
    if options.drop_continuous {
        return AttributePlan::LeftOut { kind, reason: OmissionReason::Dropped };
    }
    let cuts = match (requested.cuts, options.scheme, options.bands) {
        (Some(cuts), ..) => cuts.to_vec(),
        (None, Scheme::Attributes, bands) => {
            find_bands(&count_numbers(attribute, |row| rows.searched_weight(row), rows), bands)
        }
        (None, Scheme::Values, Some(bands)) => {
            find_quantile_cuts(&count_numbers(attribute, |row| rows.searched_weight(row), rows), bands)
        }
        (None, Scheme::Values, None) => {
            find_mdl_cuts(&count_numbers(attribute, |row| rows.searched_weight(row), rows))
        }
    };
    if cuts.is_empty() {
        let reason = match options.scheme {
            Scheme::Attributes => OmissionReason::OneBand,
            Scheme::Values => OmissionReason::NoCut,
        };
        return AttributePlan::LeftOut { kind, reason };
    }
    let (columns, thresholds) = match options.scheme {
        Scheme::Attributes => {
            let values = count_numbers(attribute, |row| rows.kept_weight(row), rows);
            (plan_thresholds(attribute, &cuts, &values), cuts.len())
        }
        Scheme::Values => (plan_intervals(attribute, &cuts), 0),
    };
    let lookup = ColumnLookup::Cuts(None);
    let mut planned = PlannedColumns { cuts, thresholds, ..PlannedColumns::exclusive(kind, columns, lookup) };
    if let CellStore::Coded(dictionary, _) = &attribute.cells {
        let index = |code| {
            let number = dictionary.number(code)?;
            planned.column_of_band(interval_index(&planned.cuts, number))
        };
        planned.lookup =
            ColumnLookup::Codes(std::iter::once(None).chain((1..=dictionary.len()).map(index)).collect());
    }
    AttributePlan::Columns(planned)
}

/// A cut as people write the values of the attribute.
fn write_cut(attribute: &Attribute, cut: f64) -> String {
    attribute.notation().map_or_else(|| cut.to_string(), |notation| notation.format(cut))
}

/// `values` are the distinct values, in ascending order.
fn plan_thresholds(attribute: &Attribute, cuts: &[f64], values: &[DistinctValue]) -> Vec<PlannedColumn> {
    let name = &attribute.name;
    let threshold = |(place, &cut): (usize, &f64)| {
        let end = cuts.get(place + 1).copied().unwrap_or(f64::INFINITY);
        let inside = &values[values.partition_point(|value| value.value < cut)..];
        let inside = &inside[..inside.partition_point(|value| value.value < end)];
        let written = write_cut(attribute, cut);
        let only_value = match inside {
            [only] if only.value == cut => Some(written.clone()),
            _ => None,
        };
        let column = Column { only_value, ..Column::threshold(name, written.clone()) };
        PlannedColumn::new(column, format!("{name} is at least {written}"))
    };
    cuts.iter().enumerate().map(threshold).collect()
}

/// The index of the interval that contains a number.
pub(crate) fn interval_index(cuts: &[f64], number: f64) -> usize {
    cuts.partition_point(|&cut| cut <= number)
}

fn plan_intervals(attribute: &Attribute, cuts: &[f64]) -> Vec<PlannedColumn> {
    let name = &attribute.name;
    let write = |cut: f64| write_cut(attribute, cut);
    let (first, last) = (write(cuts[0]), write(cuts[cuts.len() - 1]));
    let below = Column::new(format!("{name}<{first}"), format!("{name}>={first}"));
    let mut columns = vec![PlannedColumn::new(below, format!("{name} is below {first}"))];
    for pair in cuts.windows(2) {
        let (low, high) = (write(pair[0]), write(pair[1]));
        let meaning = format!("{name} is at least {low} and below {high}");
        let interval = format!("{low}<={name}<{high}");
        columns.push(PlannedColumn::new(Column::new(interval.clone(), format!("not {interval}")), meaning));
    }
    let above = Column::new(format!("{name}>={last}"), format!("{name}<{last}"));
    columns.push(PlannedColumn::new(above, format!("{name} is at least {last}")));
    columns
}

/// The distinct numbers of the known cells with their controls and cases, each row with its weight.
fn count_numbers(attribute: &Attribute, weight: impl Fn(usize) -> u64, rows: &Rows) -> Vec<DistinctValue> {
    match &attribute.cells {
        CellStore::Coded(dictionary, codes) => {
            let mut counts = vec![[0u64; 3]; dictionary.len() + 1];
            codes.for_each(|row, code| counts[code][rows.classes[row] as usize] += weight(row));
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
                RowClass::Control => Some(DistinctValue { value, counts: [weight(row), 0] }),
                RowClass::Case => Some(DistinctValue { value, counts: [0, weight(row)] }),
                RowClass::LeftOut => None,
            };
            let is_counted = |distinct: &DistinctValue| distinct.counts != [0, 0];
            merge_equal_values(known.filter_map(distinct).filter(is_counted).collect())
        }
        CellStore::TooMany | CellStore::Unsupported(_) => Vec::new(),
    }
}
