//! Which attribute is the outcome, and which of its values counts as 1.

use concause::dataset::Target;

use super::plan::ordered_codes;
use super::rows::{RowClass, Rows};
use super::weights::Weights;
use super::wishes::Wishes;
use crate::declaration::DeclaredKind;
use crate::error::Error;
use crate::names::{list, shell_word, suggestion};
use crate::options::EncodeOptions;
use crate::table::word::{number, truth};
use crate::table::{Attribute, Cells, Dictionary, Table};

/// The outcome of every row.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The number of the target's attribute.
    pub attribute: usize,
    pub target: Target,
    pub rows: Rows,
}

impl Outcome {
    /// The rows of a class.
    pub fn count(&self, class: RowClass) -> u64 {
        self.rows.count(class)
    }

    /// Fails unless both classes have rows that are searched and rows that are held out.
    pub fn check_holdout(&self, share: f64) -> Result<(), Error> {
        let label = self.target.label();
        for (class, with) in [(RowClass::Case, "with"), (RowClass::Control, "without")] {
            let (all, searched) = (self.rows.count(class), self.rows.count_searched(class));
            let left = match searched {
                0 => "to be searched",
                searched if searched == all => "to be held out",
                _ => continue,
            };
            return Err(Error::request(format!(
                "with --holdout {share} none of the {all} rows {with} {label} is left {left}; give another share"
            )));
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
    let sentence = match (cases, controls) {
        (0, 0) => {
            format!("no row with a value of the target {label:?} is left; fill it in or name another")
        }
        (0, _) => format!("the target {label:?} is 0 in all {controls} rows; name one that varies"),
        (_, 0) => format!("the target {label:?} is 1 in all {cases} rows; name one that varies"),
        _ => return Ok(()),
    };
    Err(Error::request(sentence))
}

/// Finds the target that the user wrote, `NAME` or `NAME=VALUE`, and the outcome of every row.
pub(crate) fn resolve(
    table: &Table,
    weights: Weights,
    wishes: &Wishes<'_>,
    options: &EncodeOptions,
) -> Result<Outcome, Error> {
    let written = options.target.as_str();
    let position = |name: &str| table.attributes.iter().position(|attribute| attribute.name == name);
    let mut missed = None;
    let (attribute, target, classes) = if let Some(attribute) = position(written) {
        let (target, classes) = by_truth(&table.attributes[attribute], &weights)?;
        (attribute, target, classes)
    } else {
        let mut found = None;
        for (equals, _) in written.rmatch_indices('=') {
            let (name, value) = (&written[..equals], &written[equals + 1..]);
            let Some(attribute) = position(name) else { continue };
            let declared = wishes.of(name).kind == Some(DeclaredKind::Nominal);
            if let Some((target, classes)) = by_value(&table.attributes[attribute], value, declared)? {
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
                let near = suggestion(name, table.attributes.iter().map(|attribute| attribute.name.as_str()));
                return Err(Error::request(format!(
                    "the table has no column {written:?} for the target{near}"
                )));
            }
        }
    };
    if wishes.listed(&target.name) == Some(DeclaredKind::Ignore) {
        let sentence = format!("column {:?} is the target and cannot be ignored as well", target.name);
        return Err(Error::request(sentence));
    }
    if options.weights.as_ref() == Some(&target.name) {
        let sentence = format!("column {:?} is the target and cannot hold the weights as well", target.name);
        return Err(Error::request(sentence));
    }
    let outcome = Outcome { attribute, target, rows: Rows::new(classes, weights) };
    outcome.check_varies()?;
    Ok(outcome)
}

/// The outcome of a target without a value: it must be binary.
fn by_truth(attribute: &Attribute, weights: &Weights) -> Result<(Target, Vec<RowClass>), Error> {
    let name = &attribute.name;
    let dictionary = match &attribute.cells {
        Cells::Coded(dictionary, _) => dictionary,
        Cells::Numbers(_) => return Err(continuous(name)),
        Cells::TooMany | Cells::Unsupported(_) => return Err(not_held(attribute)),
    };
    if dictionary.len() == 0 {
        let sentence = format!("the target {name:?} has no value in any row; fill it in or name another");
        return Err(Error::request(sentence));
    }
    if truth_of_codes(dictionary).is_none() {
        if dictionary.words() == 0 && dictionary.len() > 10 {
            return Err(continuous(name));
        }
        let values: Vec<&str> =
            ordered_codes(dictionary).into_iter().map(|code| dictionary.value(code)).collect();
        let example = format!("{name}={}", rarest_value(attribute, dictionary, weights));
        return Err(Error::request(format!(
            "the target {name:?} has the {} {}; say which counts as 1, e.g. --target {}",
            if values.len() == 1 { "single value" } else { "values" },
            list(values),
            shell_word(&example)
        )));
    }
    let target = Target { name: name.clone(), value: None };
    Ok((target, classes(attribute, |text, _| truth(text).is_some_and(|(_, value)| value))))
}

/// The outcome of a target with a value, if the attribute has the value.
fn by_value(
    attribute: &Attribute,
    value: &str,
    exact: bool,
) -> Result<Option<(Target, Vec<RowClass>)>, Error> {
    let value_number = number(value);
    let classes = match &attribute.cells {
        Cells::TooMany | Cells::Unsupported(_) => return Err(not_held(attribute)),
        Cells::Numbers(_) => classes(attribute, |_, number| Some(number) == value_number),
        Cells::Coded(dictionary, _) => {
            let written = dictionary.iter().any(|(_, text)| text == value);
            let by_truth =
                truth(value).filter(|_| truth_of_codes(dictionary).is_some() && !(exact && written));
            if let Some((_, wanted)) = by_truth {
                classes(attribute, |text, _| truth(text).is_some_and(|(_, value)| value == wanted))
            } else if written && (exact || value_number.is_none()) {
                classes(attribute, |text, _| text == value)
            } else if value_number.is_some() {
                classes(attribute, |_, number| Some(number) == value_number)
            } else {
                return Ok(None);
            }
        }
    };
    let target = Target { name: attribute.name.clone(), value: Some(value.to_owned()) };
    Ok(classes.contains(&RowClass::Case).then_some((target, classes)))
}

/// The class of every row by the text and number of its cell.
fn classes(attribute: &Attribute, is_case: impl Fn(&str, f64) -> bool) -> Vec<RowClass> {
    let class = |case: bool| if case { RowClass::Case } else { RowClass::Control };
    match &attribute.cells {
        Cells::Coded(dictionary, codes) => {
            let of_value =
                |code| class(is_case(dictionary.value(code), dictionary.number(code).unwrap_or(f64::NAN)));
            let of_code: Vec<RowClass> =
                std::iter::once(RowClass::LeftOut).chain((1..=dictionary.len()).map(of_value)).collect();
            let mut classes = Vec::with_capacity(codes.len());
            codes.for_each(|_, code| classes.push(of_code[code]));
            classes
        }
        Cells::Numbers(numbers) => {
            let of_number =
                |&number: &f64| if number.is_nan() { RowClass::LeftOut } else { class(is_case("", number)) };
            numbers.iter().map(of_number).collect()
        }
        Cells::TooMany | Cells::Unsupported(_) => Vec::new(),
    }
}

/// The truth of every code from 1 on, if all values belong to one pair of words.
pub(crate) fn truth_of_codes(dictionary: &Dictionary) -> Option<Vec<bool>> {
    let (pair, _) = truth(dictionary.iter().next()?.1)?;
    let of_value = |(_, text)| truth(text).filter(|&(other, _)| other == pair).map(|(_, value)| value);
    dictionary.iter().map(of_value).collect()
}

fn rarest_value<'a>(attribute: &Attribute, dictionary: &'a Dictionary, weights: &Weights) -> &'a str {
    let mut counts = vec![0u64; dictionary.len() + 1];
    if let Cells::Coded(_, codes) = &attribute.cells {
        codes.for_each(|row, code| counts[code] += u64::from(weights.of(row)));
    }
    let rarest = ordered_codes(dictionary).into_iter().min_by_key(|&code| counts[code]);
    rarest.map_or("", |code| dictionary.value(code))
}

fn no_such_value(attribute: &Attribute, value: &str) -> Error {
    let name = &attribute.name;
    let known = match &attribute.cells {
        Cells::Coded(dictionary, _) => {
            let values = ordered_codes(dictionary).into_iter().map(|code| dictionary.value(code));
            format!("; its values are {}", list(values))
        }
        _ => String::new(),
    };
    Error::request(format!("the target column {name:?} has no value {value:?}{known}"))
}

fn continuous(name: &str) -> Error {
    Error::request(format!(
        "the target {name:?} has too many distinct numbers to be an outcome; give NAME=VALUE if one of them \
         counts as 1, or make a column of 0 and 1 from it first"
    ))
}

fn not_held(attribute: &Attribute) -> Error {
    let name = &attribute.name;
    Error::request(match &attribute.cells {
        Cells::Unsupported(kind) => {
            format!("the target {name:?} is of type {kind}, which cannot be an outcome")
        }
        _ => format!(
            "the target {name:?} has too many distinct values (over 65536) to be an outcome; name another"
        ),
    })
}
