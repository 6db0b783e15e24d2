//! From the names people type to columns and candidates.
//!
//! Names may themselves contain `&` and `,`, so a text is taken apart in every way that gives known names, the
//! longest names first.

use concause::dataset::{Candidate, Column};
use concause_io::suggestion;

use crate::failure::Failure;

/// The candidate of a name such as `V1` or `V1&V2`.
pub(crate) fn candidate(text: &str, columns: &[Column]) -> Result<Candidate, Failure> {
    let numbers = pieces(text, &['&'], &|name| {
        columns.iter().position(|column| column.name == name).map(|number| number as u32)
    });
    numbers.map(Candidate::new).ok_or_else(|| unknown(text, columns))
}

/// The candidates of a list such as `V3,V1&V2`; semicolons separate too.
pub(crate) fn candidates(text: &str, columns: &[Column]) -> Result<Vec<Candidate>, Failure> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    pieces(text, &[',', ';'], &|name| candidate(name, columns).ok()).ok_or_else(|| {
        // Blame the first piece that is not known by itself.
        let piece = text.split([',', ';']).find(|piece| candidate(piece.trim(), columns).is_err());
        unknown(piece.unwrap_or(text).trim(), columns)
    })
}

/// The names of columns.
pub(crate) fn of_columns(numbers: &[u32], columns: &[Column]) -> Vec<String> {
    numbers.iter().map(|&number| Candidate::single(number).name(columns)).collect()
}

/// Takes a text apart at separators so that every piece is known, with as few pieces as possible from the left.
pub(crate) fn pieces<T>(
    text: &str,
    separators: &[char],
    known: &dyn Fn(&str) -> Option<T>,
) -> Option<Vec<T>> {
    // Pieces that did not lead to an end are not tried again, so that this stays quadratic.
    fn take<T>(
        text: &str,
        start: usize,
        separators: &[char],
        known: &dyn Fn(&str) -> Option<T>,
        dead: &mut Vec<usize>,
    ) -> Option<Vec<T>> {
        if dead.contains(&start) {
            return None;
        }
        let rest = &text[start..];
        let ends = rest.match_indices(separators).map(|(end, mark)| (end, end + mark.len()));
        let mut ends: Vec<(usize, usize)> = ends.collect();
        ends.push((rest.len(), rest.len() + 1));
        for (end, next) in ends.into_iter().rev() {
            let piece = &rest[..end];
            let Some(found) = known(piece).or_else(|| known(piece.trim())) else { continue };
            if next > rest.len() {
                return Some(vec![found]);
            }
            if let Some(mut others) = take(text, start + next, separators, known, dead) {
                others.insert(0, found);
                return Some(others);
            }
        }
        dead.push(start);
        None
    }
    take(text, 0, separators, known, &mut Vec::new())
}

fn unknown(text: &str, columns: &[Column]) -> Failure {
    let names = columns.iter().map(|column| column.name.as_str());
    Failure::Input(format!("there is no column {text:?}{}", suggestion(text, names)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &[&str]) -> Vec<Column> {
        names
            .iter()
            .enumerate()
            .map(|(attribute, name)| Column { name: (*name).to_owned(), attribute })
            .collect()
    }

    #[test]
    fn names_may_hold_the_separators() {
        let columns = columns(&["a", "b", "a&b=x,y", "c;d"]);
        let find = |text: &str| candidate(text, &columns).ok();
        assert_eq!(find("a"), Some(Candidate::single(0)));
        assert_eq!(find("b&a"), Some(Candidate::new(vec![0, 1])));
        assert_eq!(find("b & a"), Some(Candidate::new(vec![0, 1])));
        assert_eq!(find("a&b=x,y&b"), Some(Candidate::new(vec![1, 2])));
        assert_eq!(find("a&"), None);
        let list = candidates("a&b=x,y,b&a;c;d", &columns).ok();
        assert_eq!(list, Some(vec![Candidate::single(2), Candidate::new(vec![0, 1]), Candidate::single(3)]));
        assert_eq!(candidates(" ", &columns).ok(), Some(vec![]));
    }

    #[test]
    fn unknown_names_get_the_nearest_one() {
        let columns = columns(&["smoking", "gene=B"]);
        let sentence = candidates("gene=B,smokng", &columns).err().map(|failure| failure.to_string());
        assert_eq!(sentence.as_deref(), Some(r#"there is no column "smokng"; did you mean "smoking"?"#));
    }
}
