//! Names and values in sentences: quoted, listed, and the nearest one suggested.

use std::fmt;

/// At most this many names or values are listed in one sentence.
const MAX_LISTED: usize = 10;

/// Quoted texts separated by commas, cut after ten.
pub(crate) fn quote_list<Text: AsRef<str>>(texts: &[Text]) -> String {
    list(texts.iter().map(|text| format!("{:?}", text.as_ref())))
}

/// The first texts, and the number of the others.
pub(crate) fn list(texts: impl ExactSizeIterator<Item = String>) -> String {
    let all = texts.len();
    let shown: Vec<String> = texts.take(MAX_LISTED).collect();
    match all - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The end of a sentence about an unknown column: the nearest name, or the first few.
pub fn suggestion<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    Suggestion::new("columns", wanted, names).to_string()
}

/// The same for other names than those of columns; `kind` is the plural of what they name.
pub fn suggestion_among<'a>(
    kind: &'static str,
    wanted: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> String {
    Suggestion::new(kind, wanted, names).to_string()
}

/// What a user may have meant by an unknown name; its `Display` is the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// This name is near the unknown one.
    Nearest(String),
    /// No name is near; these are the known ones.
    Known {
        /// What the names are, such as `columns`.
        kind: &'static str,
        /// All of them.
        names: Vec<String>,
    },
}

impl Suggestion {
    /// Compares an unknown name with the known ones.
    pub(crate) fn new<'a>(
        kind: &'static str,
        wanted: &str,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        let wanted_lower = wanted.to_lowercase();
        let near = names
            .clone()
            .map(|name| (edit_distance(&wanted_lower, &name.to_lowercase()), name))
            .min_by_key(|&(distance, _)| distance);
        match near {
            Some((distance, name)) if distance <= 1 + wanted.chars().count() / 3 => {
                Self::Nearest(name.to_owned())
            }
            _ => Self::Known { kind, names: names.map(str::to_owned).collect() },
        }
    }

    /// Compares an unknown name with those of columns.
    pub(crate) fn among_columns<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> Self {
        Self::new("columns", wanted, names)
    }
}

impl fmt::Display for Suggestion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nearest(name) => write!(out, "; did you mean {name:?}?"),
            Self::Known { kind, names } => write!(out, "; the {kind} are {}", quote_list(names)),
        }
    }
}

/// A text as an argument of a shell.
pub(crate) fn quote_shell_argument(text: &str) -> String {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-=.+,:/%@".contains(&byte);
    if text.bytes().all(is_safe) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// The Levenshtein distance in characters.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (row_number, one) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = row_number + 1;
        for (column, &other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(one != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let names = || ["Class", "age", "sex"].into_iter();
        assert_eq!(suggestion("clas", names()), "; did you mean \"Class\"?");
        assert_eq!(suggestion("CLASS", names()), "; did you mean \"Class\"?");
        assert_eq!(suggestion("aeg", names()), "; did you mean \"age\"?");
        assert_eq!(suggestion("weather", names()), "; the columns are \"Class\", \"age\", \"sex\"");
    }

    #[test]
    fn lists_are_cut_and_arguments_quoted() {
        let words: Vec<String> = (0..12).map(|number| number.to_string()).collect();
        assert!(quote_list(&words).ends_with("\"9\" and 2 more"));
        assert_eq!(quote_shell_argument("class=sick"), "class=sick");
        assert_eq!(quote_shell_argument("a b=it's"), "'a b=it'\\''s'");
    }
}
