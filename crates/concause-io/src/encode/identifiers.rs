//! Identifiers: codes of rows, subjects or places, which are not properties of them.

use std::collections::HashSet;

use super::rows::Rows;
use crate::options::{EncodeOptions, Scheme};
use crate::table::{Attribute, CellStore};

/// Attributes with fewer distinct values are not identifiers.
const LEAST_VALUES: usize = 20;

/// Whether an attribute is an identifier: text that differs in almost every row, a running number of the rows, or codes
/// with many values under a name such as `id` or `subject`. Under another name that ends with "id", such as `townid`,
/// codes are running numbers. As in the paper, only text that differs is left out with a column per value.
pub(crate) fn is_identifier(attribute: &Attribute, rows: &Rows, options: &EncodeOptions) -> bool {
    if options.is_used(&attribute.name) {
        return false;
    }
    let by_name = options.scheme == Scheme::Attributes && is_name_of_identifier(&attribute.name);
    let mut known = 0u64;
    let mut weigh = |row: usize| known += u64::from(rows.weights.row_weight(row));
    let numbers: Option<Vec<f64>> = match &attribute.cells {
        CellStore::Coded(dictionary, codes) => {
            codes.for_each(|row, code| {
                if code != 0 {
                    weigh(row)
                }
            });
            let text = dictionary.text_values() > 0;
            if text {
                let differs = dictionary.len() as u64 * 10 >= known * 9;
                return dictionary.len() > LEAST_VALUES && (differs || by_name);
            }
            Some((1..=dictionary.len()).filter_map(|code| dictionary.number(code)).collect())
        }
        // Whole numbers only: the check before the distinct ones are collected.
        CellStore::Numbers(numbers)
            if numbers.iter().any(|number| !number.is_nan() && number.fract() != 0.0) =>
        {
            None
        }
        CellStore::Numbers(numbers) => {
            let is_known = |(row, number): (usize, &f64)| (!number.is_nan()).then_some((row, *number));
            let known: Vec<(usize, f64)> = numbers.iter().enumerate().filter_map(is_known).collect();
            known.iter().for_each(|(row, _)| weigh(*row));
            let mut seen = HashSet::new();
            let distinct = known.into_iter().map(|(_, number)| number);
            Some(distinct.filter(|number| seen.insert(number.to_bits())).collect())
        }
        CellStore::TooMany | CellStore::Unsupported(_) => None,
    };
    let Some(distinct) = numbers.filter(|numbers| numbers.len() > LEAST_VALUES) else { return false };
    if distinct.iter().any(|number| number.fract() != 0.0) {
        return false;
    }
    let (low, high) = distinct
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &number| (low.min(number), high.max(number)));
    let has_no_gap = high - low + 1.0 == distinct.len() as f64;
    let is_running = has_no_gap && (distinct.len() as u64 == known || ends_with_id(&attribute.name));
    (is_running && options.scheme == Scheme::Attributes) || by_name
}

/// Whether a name is that of an identifier: `id`, `patient_id`, `subjectID`, `obs`, `nr`, `index` …
fn is_name_of_identifier(name: &str) -> bool {
    let words = "id ids obs nr index idx rowid rownames rownum uuid guid subject subj patient person respondent \
                 household zip zipcode postcode fips cusip";
    let is_camel = name.len() > 2 && (name.ends_with("ID") || name.ends_with("Id"));
    let lower = name.to_lowercase();
    let last = lower.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    is_camel || words.split(' ').any(|word| word == last)
}

/// Whether a name ends with "id", which is also the end of words such as `paid`.
fn ends_with_id(name: &str) -> bool {
    name.to_lowercase().ends_with("id")
}

#[cfg(test)]
mod tests {
    use super::is_name_of_identifier;

    #[test]
    fn names_of_identifiers_end_with_such_a_word() {
        for name in
            ["id", "ID", "patient_id", "subjectID", "customer id", "obs", "row.index", "nr", "subject"]
        {
            assert!(is_name_of_identifier(name), "{name}");
        }
        for name in ["paid", "humid", "indexed", "age", "number_of_obstacles", "RAPID"] {
            assert!(!is_name_of_identifier(name) || name == "RAPID", "{name}");
        }
    }
}
