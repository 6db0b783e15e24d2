//! Finds the target: its attribute and the value that counts as 1.

use concause::dataset::Target;

use super::overrides::Overrides;
use super::plan::{ordered_codes, ordered_values};
use super::rows::{RowClass, Rows};
use super::weights::Weights;
use crate::declaration::DeclaredKind;
use crate::error::{Error, TargetError};
use crate::names::Suggestion;
use crate::options::EncodeOptions;
use crate::table::cell::{parse_binary, parse_number};
use crate::table::{Attribute, CellStore, Dictionary, MAX_VALUES, Table};

/// A target with more distinct numbers is continuous; the values of others are listed.
const MAX_LISTED_NUMBERS: usize = 10;

/// The target and the class of every row.
#[derive(Debug)]
pub(crate) struct ResolvedTarget {
    /// The index of the attribute of the target.
    pub attribute: usize,
    pub target: Target,
    pub rows: Rows,
}

impl ResolvedTarget {
    /// The rows of a class.
    pub fn count(&self, class: RowClass) -> u64 {
        self.rows.count(class)
    }

    /// Fails unless both classes have searched rows and held-out rows.
    pub fn check_holdout(&self, share: f64) -> Result<(), Error> {
        for class in [RowClass::Case, RowClass::Control] {
            let (rows, searched) = (self.rows.count(class), self.rows.count_searched(class));
            if searched == 0 || searched == rows {
                let label = self.target.label();
                let (cases, all_held_out) = (class == RowClass::Case, searched == 0);
                let kind = TargetError::OneSidedHoldout { label, share, rows, cases, all_held_out };
                return Err(kind.into());
            }
        }
        Ok(())
    }

    /// Fails unless both classes have rows.
    pub fn check_varies(&self) -> Result<(), Error> {
        check_varies(&self.target, self.count(RowClass::Case), self.count(RowClass::Control))
    }
}

/// Fails unless both classes have rows.
pub(crate) fn check_varies(target: &Target, cases: u64, controls: u64) -> Result<(), Error> {
    let label = target.label();
    let kind = match (cases, controls) {
        (0, 0) => TargetError::NoRows { label },
        (0, rows) => TargetError::Constant { label, value: false, rows },
        (rows, 0) => TargetError::Constant { label, value: true, rows },
        _ => return Ok(()),
    };
    Err(kind.into())
}

/// Finds the target that the user wrote, `NAME` or `NAME=VALUE`, and the class of every row.
pub(crate) fn resolve_target(
    table: &Table,
    weights: Weights,
    overrides: &Overrides<'_>,
    options: &EncodeOptions,
) -> Result<ResolvedTarget, Error> {
    let written = options.target.as_str();
    let position = |name: &str| table.attributes.iter().position(|attribute| attribute.name == name);
    let mut missed = None;
    let (attribute, target, classes) = if let Some(attribute) = position(written) {
        let (target, classes) = classify_by_binary(&table.attributes[attribute], &weights)?;
        (attribute, target, classes)
    } else if let Some((attribute, target, classes)) = classify_by_comparison(table, written)? {
        (attribute, target, classes)
    } else {
        let mut found = None;
        for (equals, _) in written.rmatch_indices('=') {
            let (name, value) = (&written[..equals], &written[equals + 1..]);
            let Some(attribute) = position(name) else { continue };
            let declared = overrides.for_attribute(name).kind == Some(DeclaredKind::Nominal);
            if let Some((target, classes)) = classify_by_value(&table.attributes[attribute], value, declared)?
            {
                found = Some((attribute, target, classes));
                break;
            }
            missed = missed.or(Some((attribute, value)));
        }
        match (found, missed) {
            (Some(found), _) => found,
            (None, Some((attribute, value))) => {
                return Err(no_such_value(&table.attributes[attribute], value));
            }
            (None, None) => {
                let name = written.split('=').next().unwrap_or(written);
                let suggestion = Suggestion::among_columns(name, table.names());
                return Err(TargetError::Absent { target: written.to_owned(), suggestion }.into());
            }
        }
    };
    let name = &table.attributes[attribute].name;
    if overrides.listed_kind(name) == Some(DeclaredKind::Ignore) {
        return Err(Error::new(TargetError::Ignored).in_column(name));
    }
    if options.weights.as_ref() == Some(name) {
        return Err(Error::new(TargetError::HoldsWeights).in_column(name));
    }
    let resolved = ResolvedTarget { attribute, target, rows: Rows::new(classes, weights) };
    resolved.check_varies()?;
    Ok(resolved)
}

/// The classes by a target without a value, which must be binary.
fn classify_by_binary(attribute: &Attribute, weights: &Weights) -> Result<(Target, Vec<RowClass>), Error> {
    let name = &attribute.name;
    let dictionary = match &attribute.cells {
        CellStore::Coded(dictionary, _) => dictionary,
        CellStore::Numbers(_) => return Err(TargetError::Continuous { name: name.clone() }.into()),
        CellStore::TooMany | CellStore::Unsupported(_) => return Err(not_stored(attribute)),
    };
    if dictionary.len() == 0 {
        return Err(TargetError::NoValues { name: name.clone() }.into());
    }
    if parse_binary_codes(dictionary).is_none() {
        let name = name.clone();
        if dictionary.len() == 2 {
            let last = ordered_codes(dictionary)[1];
            let target = Target { name, value: Some(dictionary.value(last).to_owned()) };
            return Ok((target, classify_rows(attribute, |text, _| text == dictionary.value(last))));
        }
        if dictionary.text_values() == 0 && dictionary.len() > MAX_LISTED_NUMBERS {
            return Err(TargetError::Continuous { name }.into());
        }
        let example = rarest_value(attribute, dictionary, weights).to_owned();
        return Err(TargetError::NotBinary { name, values: ordered_values(dictionary), example }.into());
    }
    let target = Target { name: name.clone(), value: None };
    Ok((target, classify_rows(attribute, |text, _| parse_binary(text).is_some_and(|(_, value)| value))))
}

/// The classes by a target `NAME>=NUMBER` or `NAME<NUMBER`, if the table has this attribute.
fn classify_by_comparison(
    table: &Table,
    written: &str,
) -> Result<Option<(usize, Target, Vec<RowClass>)>, Error> {
    for (sign, is_case) in [(">=", f64::ge as fn(&f64, &f64) -> bool), ("<", f64::lt)] {
        let Some((name, cut)) = written.rsplit_once(sign) else { continue };
        let Some(cut) = parse_number(cut.trim()) else { continue };
        let is_named = |attribute: &Attribute| attribute.name == name.trim_end();
        let Some(position) = table.attributes.iter().position(is_named) else { continue };
        let attribute = &table.attributes[position];
        match &attribute.cells {
            CellStore::TooMany | CellStore::Unsupported(_) => return Err(not_stored(attribute)),
            CellStore::Coded(dictionary, _) if dictionary.text_values() > 0 => {
                return Err(no_such_value(attribute, &format!("{sign}{cut}")));
            }
            CellStore::Coded(..) | CellStore::Numbers(_) => {}
        }
        let target = Target { name: format!("{}{sign}{cut}", attribute.name), value: None };
        return Ok(Some((position, target, classify_rows(attribute, |_, number| is_case(&number, &cut)))));
    }
    Ok(None)
}

/// The classes by a target with a value, if the attribute has the value.
fn classify_by_value(
    attribute: &Attribute,
    value: &str,
    exact: bool,
) -> Result<Option<(Target, Vec<RowClass>)>, Error> {
    let value_number = parse_number(value);
    let classes = match &attribute.cells {
        CellStore::TooMany | CellStore::Unsupported(_) => return Err(not_stored(attribute)),
        CellStore::Numbers(_) => classify_rows(attribute, |_, number| Some(number) == value_number),
        CellStore::Coded(dictionary, _) => {
            let occurs = dictionary.iter().any(|(_, text)| text == value);
            let is_binary = || parse_binary_codes(dictionary).is_some();
            let binary = parse_binary(value).filter(|_| is_binary() && !(exact && occurs));
            if let Some((_, wanted)) = binary {
                classify_rows(attribute, |text, _| {
                    parse_binary(text).is_some_and(|(_, value)| value == wanted)
                })
            } else if occurs && (exact || value_number.is_none()) {
                classify_rows(attribute, |text, _| text == value)
            } else if value_number.is_some() {
                classify_rows(attribute, |_, number| Some(number) == value_number)
            } else {
                return Ok(None);
            }
        }
    };
    let target = Target { name: attribute.name.clone(), value: Some(value.to_owned()) };
    Ok(classes.contains(&RowClass::Case).then_some((target, classes)))
}

/// The class of every row by the text and number of its cell.
fn classify_rows(attribute: &Attribute, is_case: impl Fn(&str, f64) -> bool) -> Vec<RowClass> {
    let class = |case: bool| if case { RowClass::Case } else { RowClass::Control };
    match &attribute.cells {
        CellStore::Coded(dictionary, codes) => {
            let class_of_value =
                |code| class(is_case(dictionary.value(code), dictionary.number(code).unwrap_or(f64::NAN)));
            let by_code: Vec<RowClass> = std::iter::once(RowClass::LeftOut)
                .chain((1..=dictionary.len()).map(class_of_value))
                .collect();
            let mut classes = Vec::with_capacity(codes.len());
            codes.for_each(|_, code| classes.push(by_code[code]));
            classes
        }
        CellStore::Numbers(numbers) => {
            let class_of_number =
                |&number: &f64| if number.is_nan() { RowClass::LeftOut } else { class(is_case("", number)) };
            numbers.iter().map(class_of_number).collect()
        }
        CellStore::TooMany | CellStore::Unsupported(_) => Vec::new(),
    }
}

/// The binary value of every code, if all values belong to one pair of texts.
pub(crate) fn parse_binary_codes(dictionary: &Dictionary) -> Option<Vec<bool>> {
    let (pair, _) = parse_binary(dictionary.iter().next()?.1)?;
    let parse = |(_, text)| parse_binary(text).filter(|&(other, _)| other == pair).map(|(_, value)| value);
    dictionary.iter().map(parse).collect()
}

fn rarest_value<'a>(attribute: &Attribute, dictionary: &'a Dictionary, weights: &Weights) -> &'a str {
    let mut counts = vec![0u64; dictionary.len() + 1];
    if let CellStore::Coded(_, codes) = &attribute.cells {
        codes.for_each(|row, code| counts[code] += u64::from(weights.row_weight(row)));
    }
    let rarest = ordered_codes(dictionary).into_iter().min_by_key(|&code| counts[code]);
    rarest.map_or("", |code| dictionary.value(code))
}

fn no_such_value(attribute: &Attribute, value: &str) -> Error {
    let values = match &attribute.cells {
        CellStore::Coded(dictionary, _) => Some(ordered_values(dictionary)),
        _ => None,
    };
    TargetError::NoSuchValue { name: attribute.name.clone(), value: value.to_owned(), values }.into()
}

/// The error for a target whose cells are not stored.
fn not_stored(attribute: &Attribute) -> Error {
    let name = attribute.name.clone();
    let kind = match &attribute.cells {
        CellStore::Unsupported(data_type) => {
            TargetError::UnsupportedType { name, data_type: data_type.clone() }
        }
        _ => TargetError::TooManyValues { name, limit: MAX_VALUES },
    };
    kind.into()
}
