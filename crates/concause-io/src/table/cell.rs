//! The interpretation of the text of a cell: a number, a binary value, a missing mark.

use concause::dataset::BINARY_PAIRS;

/// Parses a number; infinities are numbers, "not a number" is not.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    // Most text begins with another letter than a number or an infinity: fail fast.
    let first = *text.as_bytes().first()?;
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.' | b'i' | b'I')) {
        return None;
    }
    text.parse::<f64>().ok().filter(|number| !number.is_nan())
}

/// The index of a pair in [`BINARY_PAIRS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BinaryPair(usize);

/// Parses a binary value, a text or a number; returns the pair of texts it belongs to and its value.
pub(crate) fn parse_binary(text: &str) -> Option<(BinaryPair, bool)> {
    for (index, [no, yes]) in BINARY_PAIRS.iter().enumerate() {
        if text.eq_ignore_ascii_case(yes) || text.eq_ignore_ascii_case(no) {
            return Some((BinaryPair(index), text.eq_ignore_ascii_case(yes)));
        }
    }
    // The first pair is that of numbers: `1.0` is the same value as `1`.
    match parse_number(text) {
        Some(0.0) => Some((BinaryPair(0), false)),
        Some(1.0) => Some((BinaryPair(0), true)),
        _ => None,
    }
}

/// The text of a Boolean cell.
pub(crate) fn boolean_text(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// The texts that stand for a missing value.
#[derive(Clone, Debug, Default)]
pub(crate) struct MissingMarks {
    added: Vec<String>,
}

impl MissingMarks {
    /// The built-in marks and the given ones.
    pub fn new<'a>(added: impl IntoIterator<Item = &'a String>) -> Self {
        let added = added.into_iter().map(|mark| mark.trim_matches([' ', '\t']).to_owned());
        Self { added: added.collect() }
    }

    /// True if the text stands for a missing value.
    pub fn contains(&self, text: &str) -> bool {
        let is = |mark: &str| text.eq_ignore_ascii_case(mark);
        text.is_empty() || text == "?" || is("NA") || is("NaN") || is("null") || {
            self.added.iter().any(|mark| mark == text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_distinguished_from_text() {
        let cases = [("1", Some(1.0)), ("-1.5e3", Some(-1500.0)), (".5", Some(0.5)), ("+2", Some(2.0))];
        for (text, expected) in cases {
            assert_eq!(parse_number(text), expected, "{text}");
        }
        assert_eq!(parse_number("inf"), Some(f64::INFINITY));
        for text in ["", "nan", "A11", "1,5", "1 2", "-", "0x10", "1_000", "e5"] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn binary_values_are_parsed_in_any_case_and_by_number() {
        assert_eq!(parse_binary("YES"), Some((BinaryPair(3), true)));
        assert_eq!(parse_binary("1.0"), Some((BinaryPair(0), true)));
        assert_eq!(parse_binary("0"), Some((BinaryPair(0), false)));
        assert_eq!(parse_binary("2"), None);
        assert_eq!(parse_binary("maybe"), None);
    }

    #[test]
    fn missing_marks_can_be_added() {
        let marks = MissingMarks::new(&["-9".to_owned()]);
        for text in ["", "?", "na", "NaN", "NULL", "-9"] {
            assert!(marks.contains(text), "{text}");
        }
        assert!(!marks.contains("none"));
    }
}
