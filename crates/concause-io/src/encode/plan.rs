//! Which columns an attribute gives: its kind, declared or told from its values, and what each column means.

use super::cuts::{Group, grouped, mdl_cuts, quantile_cuts};
use super::legend::{AttributeKind, Guess, Reason};
use super::rows::{RowClass, Rows};
use super::target::truth_of_codes;
use super::wishes::Wish;
use crate::declaration::DeclaredKind;
use crate::error::Error;
use crate::names::list;
use crate::options::EncodeOptions;
use crate::table::{Attribute, Cells, Codes, Dictionary};

/// More distinct values than this, almost one per row, make text an identifier.
const IDENTIFIER_VALUES: usize = 20;
/// Fewer distinct numbers than this look like codes.
const FEW_NUMBERS: usize = 10;

/// What becomes of an attribute.
#[derive(Debug)]
pub(crate) enum Plan {
    LeftOut { kind: AttributeKind, reason: Reason },
    Columns(Columns),
}

/// The columns of an attribute.
#[derive(Debug)]
pub(crate) struct Columns {
    pub kind: AttributeKind,
    /// Name and meaning.
    pub names: Vec<(String, String)>,
    pub places: Places,
    pub cuts: Vec<f64>,
}

/// Which column is 1 for a cell.
#[derive(Debug)]
pub(crate) enum Places {
    /// By the code of the cell.
    Codes(Vec<Option<usize>>),
    /// By the number in the cell; the second is the column of missing cells.
    Cuts(Option<usize>),
}

/// Decides what becomes of an attribute.
pub(crate) fn plan(
    attribute: &Attribute,
    wish: Wish<'_>,
    rows: &Rows,
    options: &EncodeOptions,
) -> Result<(Plan, Option<Guess>), Error> {
    let name = &attribute.name;
    let left_out = |kind, reason| Ok((Plan::LeftOut { kind, reason }, None));
    if wish.kind == Some(DeclaredKind::Ignore) {
        return left_out(AttributeKind::Ignored, Reason::Ignored);
    }
    let (dictionary, codes) = match &attribute.cells {
        Cells::Unsupported(kind) => {
            return left_out(AttributeKind::Unsupported, Reason::Unsupported(kind.clone()));
        }
        Cells::TooMany => return too_many(name, wish),
        Cells::Numbers(_) => match wish.kind {
            Some(DeclaredKind::Nominal | DeclaredKind::Binary) => return too_many(name, wish),
            _ => return Ok((continuous(attribute, wish, rows, options), None)),
        },
        Cells::Coded(dictionary, codes) => (dictionary, codes),
    };
    if dictionary.len() == 0 && wish.values.is_none() && !wish.others_are_zero {
        return left_out(AttributeKind::Empty, Reason::Empty);
    }
    match wish.kind {
        Some(DeclaredKind::Binary) => match binary(name, dictionary, options.negate) {
            Some(columns) => Ok((Plan::Columns(columns), None)),
            None => Err(not_binary(name, dictionary)),
        },
        Some(DeclaredKind::Nominal) => Ok((Plan::Columns(nominal(name, dictionary, wish)?), None)),
        Some(DeclaredKind::Continuous) => {
            if let Some((_, word)) = dictionary.iter().find(|&(code, _)| dictionary.number(code).is_none()) {
                return Err(Error::request(format!(
                    "column {name:?} is declared continuous but holds {word:?}; mend it, declare that word as a \
                     missing mark, or declare the column nominal"
                )));
            }
            Ok((continuous(attribute, wish, rows, options), None))
        }
        Some(DeclaredKind::Ignore) => left_out(AttributeKind::Ignored, Reason::Ignored),
        None => {
            if let Some(columns) = binary(name, dictionary, options.negate) {
                return Ok((Plan::Columns(columns), None));
            }
            if dictionary.words() == 0 {
                let guess = (dictionary.len() <= FEW_NUMBERS).then_some(Guess::FewNumbers);
                return Ok((continuous(attribute, wish, rows, options), guess));
            }
            if is_identifier(dictionary, codes, rows) {
                return left_out(AttributeKind::Nominal, Reason::Identifier);
            }
            let guess = (dictionary.words() < dictionary.len()).then_some(Guess::Mixed);
            Ok((Plan::Columns(nominal(name, dictionary, Wish::default())?), guess))
        }
    }
}

/// The codes of all values: numbers rising, then text by its bytes. Independent of the order of rows.
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
    codes.for_each(|row, code| known += u64::from(code != 0) * u64::from(rows.weights.of(row)));
    dictionary.len() as u64 * 10 >= known * 9
}

fn too_many(name: &str, wish: Wish<'_>) -> Result<(Plan, Option<Guess>), Error> {
    let declared = match wish.kind {
        Some(DeclaredKind::Continuous) => "continuous but holds text",
        Some(DeclaredKind::Binary) => "binary but has more than two values",
        Some(DeclaredKind::Nominal) if wish.values.is_some() => {
            "nominal but has values that are not declared"
        }
        _ => return Ok((Plan::LeftOut { kind: AttributeKind::Nominal, reason: Reason::TooMany }, None)),
    };
    Err(Error::request(format!("column {name:?} is declared {declared}; mend the column or the declaration")))
}

fn not_binary(name: &str, dictionary: &Dictionary) -> Error {
    let values = ordered_codes(dictionary).into_iter().map(|code| dictionary.value(code));
    Error::request(format!(
        "column {name:?} is declared binary but has the values {}; binary values are 0/1, true/false, t/f, yes/no \
         or y/n: declare it nominal",
        list(values)
    ))
}

fn binary(name: &str, dictionary: &Dictionary, negate: bool) -> Option<Columns> {
    let truths = if dictionary.len() == 0 { Vec::new() } else { truth_of_codes(dictionary)? };
    let words = |side: bool| {
        let mut codes = ordered_codes(dictionary);
        codes.retain(|&code| truths[code - 1] == side);
        let words: Vec<&str> = codes.into_iter().map(|code| dictionary.value(code)).collect();
        if words.is_empty() { side.to_string() } else { words.join(" or ") }
    };
    let mut names = vec![(name.to_owned(), format!("{name} is {}", words(true)))];
    if negate {
        names.push((format!("!{name}"), format!("{name} is {}", words(false))));
    }
    let place = |truth: bool| if truth { Some(0) } else { negate.then_some(1) };
    let places = std::iter::once(None).chain(truths.iter().map(|&truth| place(truth))).collect();
    Some(Columns { kind: AttributeKind::Binary, names, places: Places::Codes(places), cuts: Vec::new() })
}

fn nominal(name: &str, dictionary: &Dictionary, wish: Wish<'_>) -> Result<Columns, Error> {
    let mut places = vec![None; dictionary.len() + 1];
    let values: Vec<&str> = match wish.values {
        Some(values) => {
            let order: std::collections::HashMap<&str, usize> =
                values.iter().enumerate().map(|(place, value)| (value.as_str(), place)).collect();
            for code in ordered_codes(dictionary) {
                let value = dictionary.value(code);
                let Some(&place) = order.get(value) else {
                    if wish.others_are_zero {
                        continue;
                    }
                    return Err(Error::request(format!(
                        "column {name:?} holds {value:?}, which is not among its declared values {}; mend the cell \
                         or declare the value",
                        list(values.iter().map(String::as_str))
                    )));
                };
                places[code] = Some(place);
            }
            values.iter().map(String::as_str).collect()
        }
        None => {
            let ordered = ordered_codes(dictionary);
            ordered.iter().enumerate().for_each(|(place, &code)| places[code] = Some(place));
            ordered.into_iter().map(|code| dictionary.value(code)).collect()
        }
    };
    let names =
        values.iter().map(|value| (format!("{name}={value}"), format!("{name} is {value}"))).collect();
    Ok(Columns { kind: AttributeKind::Nominal, names, places: Places::Codes(places), cuts: Vec::new() })
}

fn continuous(attribute: &Attribute, wish: Wish<'_>, rows: &Rows, options: &EncodeOptions) -> Plan {
    let kind = AttributeKind::Continuous;
    if options.drop_continuous {
        return Plan::LeftOut { kind, reason: Reason::Dropped };
    }
    let cuts = match (wish.cuts, options.bins) {
        (Some(cuts), _) => cuts.to_vec(),
        (None, Some(bins)) => quantile_cuts(&groups(attribute, rows), bins),
        (None, None) => mdl_cuts(&groups(attribute, rows)),
    };
    if cuts.is_empty() {
        return Plan::LeftOut { kind, reason: Reason::NoCut };
    }
    let places = match &attribute.cells {
        Cells::Coded(dictionary, _) => {
            let place = |code| dictionary.number(code).map(|number| interval(&cuts, number));
            Places::Codes(std::iter::once(None).chain((1..=dictionary.len()).map(place)).collect())
        }
        _ => Places::Cuts(None),
    };
    Plan::Columns(Columns { kind, names: interval_names(&attribute.name, &cuts), places, cuts })
}

/// The number of the interval that a number falls in.
pub(crate) fn interval(cuts: &[f64], number: f64) -> usize {
    cuts.partition_point(|&cut| cut <= number)
}

fn interval_names(name: &str, cuts: &[f64]) -> Vec<(String, String)> {
    let (first, last) = (cuts[0], cuts[cuts.len() - 1]);
    let mut names = vec![(format!("{name}<{first}"), format!("{name} is below {first}"))];
    for pair in cuts.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        names.push((format!("{low}<={name}<{high}"), format!("{name} is at least {low} and below {high}")));
    }
    names.push((format!("{name}>={last}"), format!("{name} is at least {last}")));
    names
}

/// The distinct numbers of the known cells with their controls and cases. Rows that are held out do not count: where to cut
/// is found out by looking at the target.
fn groups(attribute: &Attribute, rows: &Rows) -> Vec<Group> {
    match &attribute.cells {
        Cells::Coded(dictionary, codes) => {
            let mut counts = vec![[0u64; 3]; dictionary.len() + 1];
            codes.for_each(|row, code| counts[code][rows.classes[row] as usize] += rows.searched(row));
            let group = |code: usize| {
                let [controls, cases, _] = counts[code];
                let value = dictionary.number(code).filter(|_| controls + cases > 0)?;
                Some(Group { value, counts: [controls, cases] })
            };
            grouped((1..=dictionary.len()).filter_map(group).collect())
        }
        Cells::Numbers(numbers) => {
            let known = numbers.iter().enumerate().filter(|(_, number)| !number.is_nan());
            let group = |(row, &value): (usize, &f64)| match rows.classes[row] {
                RowClass::Control => Some(Group { value, counts: [rows.searched(row), 0] }),
                RowClass::Case => Some(Group { value, counts: [0, rows.searched(row)] }),
                RowClass::LeftOut => None,
            };
            let is_counted = |group: &Group| group.counts != [0, 0];
            grouped(known.filter_map(group).filter(is_counted).collect())
        }
        Cells::TooMany | Cells::Unsupported(_) => Vec::new(),
    }
}
