//! What the text of a cell says: a number, a truth value, a mark of absence.

/// The number a text says; infinities count, "not a number" does not.
pub(crate) fn number(text: &str) -> Option<f64> {
    // Letters other than those of an exponent or an infinity are the common case of text: fail fast on them.
    let first = *text.as_bytes().first()?;
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.' | b'i' | b'I')) {
        return None;
    }
    text.parse::<f64>().ok().filter(|number| !number.is_nan())
}

/// Pairs of words that people write for false and true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TruthPair {
    ZeroOne,
    FalseTrue,
    FT,
    NoYes,
    NY,
}

/// The truth value a text says, and the pair of words it belongs to.
pub(crate) fn truth(text: &str) -> Option<(TruthPair, bool)> {
    let words = [
        ("false", TruthPair::FalseTrue, false),
        ("true", TruthPair::FalseTrue, true),
        ("f", TruthPair::FT, false),
        ("t", TruthPair::FT, true),
        ("no", TruthPair::NoYes, false),
        ("yes", TruthPair::NoYes, true),
        ("n", TruthPair::NY, false),
        ("y", TruthPair::NY, true),
    ];
    for (word, pair, value) in words {
        if text.eq_ignore_ascii_case(word) {
            return Some((pair, value));
        }
    }
    match number(text) {
        Some(0.0) => Some((TruthPair::ZeroOne, false)),
        Some(1.0) => Some((TruthPair::ZeroOne, true)),
        _ => None,
    }
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
        let word = |mark: &str| text.eq_ignore_ascii_case(mark);
        text.is_empty() || text == "?" || word("NA") || word("NaN") || word("null") || {
            self.added.iter().any(|mark| mark == text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_words() {
        let cases = [("1", Some(1.0)), ("-1.5e3", Some(-1500.0)), (".5", Some(0.5)), ("+2", Some(2.0))];
        for (text, expected) in cases {
            assert_eq!(number(text), expected, "{text}");
        }
        assert_eq!(number("inf"), Some(f64::INFINITY));
        for text in ["", "nan", "A11", "1,5", "1 2", "-", "0x10", "1_000", "e5"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn truth_is_read_in_any_case_and_by_number() {
        assert_eq!(truth("YES"), Some((TruthPair::NoYes, true)));
        assert_eq!(truth("1.0"), Some((TruthPair::ZeroOne, true)));
        assert_eq!(truth("0"), Some((TruthPair::ZeroOne, false)));
        assert_eq!(truth("2"), None);
        assert_eq!(truth("maybe"), None);
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
