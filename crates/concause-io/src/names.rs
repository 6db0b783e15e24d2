//! How names and values are put before a reader: quoted, listed, and the nearest one suggested.

/// At most this many names or values are listed in one sentence.
const MOST_LISTED: usize = 10;

/// Quoted words separated by commas, cut after ten.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words = words.into_iter();
    let shown: Vec<String> = words.by_ref().take(MOST_LISTED).map(|word| format!("{word:?}")).collect();
    match words.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The end of a sentence about a name that is not there: the nearest name, or the first few.
pub fn suggestion<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    suggestion_among("columns", wanted, names)
}

/// The same for names of other things than columns: `kind` says what they are.
pub fn suggestion_among<'a>(
    kind: &str,
    wanted: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> String {
    let wanted_small = wanted.to_lowercase();
    let near = names
        .clone()
        .map(|name| (edit_distance(&wanted_small, &name.to_lowercase()), name))
        .min_by_key(|&(distance, _)| distance);
    match near {
        Some((distance, name)) if distance <= 1 + wanted.chars().count() / 3 => {
            format!("; did you mean {name:?}?")
        }
        _ => format!("; the {kind} are {}", list(names)),
    }
}

/// A word as an argument of a shell.
pub(crate) fn shell_word(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-=.+,:/%@".contains(&byte);
    if word.bytes().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Levenshtein's distance in characters.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (place, one) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = place + 1;
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
    fn lists_are_cut_and_words_quoted() {
        let words: Vec<String> = (0..12).map(|number| number.to_string()).collect();
        assert!(list(words.iter().map(String::as_str)).ends_with("\"9\" and 2 more"));
        assert_eq!(shell_word("class=sick"), "class=sick");
        assert_eq!(shell_word("a b=it's"), "'a b=it'\\''s'");
    }
}
