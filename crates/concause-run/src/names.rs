//! From names to columns and candidates, with an error that suggests the nearest name.

use concause::dataset::{Candidate, Column, ColumnNames, split_names};
use concause_io::suggestion;

use crate::error::RunError;

/// The characters that separate the names of a list.
pub(crate) const SEPARATORS: [char; 2] = [',', ';'];

/// The candidate of a name such as `V1` or `V1&V2`.
pub(crate) fn find_candidate(text: &str, names: &ColumnNames<'_>) -> Result<Candidate, RunError> {
    names.candidate(text).ok_or_else(|| unknown_column(text, names))
}

/// The candidates of a list such as `V3,V1&V2`; semicolons separate too.
pub(crate) fn find_candidates(text: &str, names: &ColumnNames<'_>) -> Result<Vec<Candidate>, RunError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let ends = |rest: &str| names.candidate_ends(rest, &SEPARATORS);
    split_names(text, &SEPARATORS, &ends, &|name| names.candidate(name)).ok_or_else(|| {
        // The first piece that is not known by itself is the one to report.
        let piece = text.split(SEPARATORS).find(|piece| names.candidate(piece.trim()).is_none());
        unknown_column(piece.unwrap_or(text).trim(), names)
    })
}

/// The names of columns.
pub(crate) fn column_names(numbers: &[u32], columns: &[Column]) -> Vec<String> {
    numbers.iter().map(|&number| Candidate::single(number).name(columns)).collect()
}

fn unknown_column(text: &str, names: &ColumnNames<'_>) -> RunError {
    let names = names.columns().iter().map(|column| column.name.as_str());
    let suggestion = suggestion(text, names);
    RunError::UnknownColumn { setting: None, name: text.to_owned(), suggestion }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &[&str]) -> Vec<Column> {
        names
            .iter()
            .enumerate()
            .map(|(attribute, name)| Column::named(name, (*name).to_owned()).of_attribute(attribute))
            .collect()
    }

    #[test]
    fn names_may_contain_the_separators() {
        let columns = columns(&["a", "b", "a&b=x,y", "c;d"]);
        let find = |text: &str| find_candidate(text, &ColumnNames::new(&columns)).ok();
        assert_eq!(find("a"), Some(Candidate::single(0)));
        assert_eq!(find("b&a"), Some(Candidate::new(vec![0, 1])));
        assert_eq!(find("b & a"), Some(Candidate::new(vec![0, 1])));
        assert_eq!(find("a&b=x,y&b"), Some(Candidate::new(vec![1, 2])));
        assert_eq!(find("a&"), None);
        let list = find_candidates("a&b=x,y,b&a;c;d", &ColumnNames::new(&columns)).ok();
        assert_eq!(list, Some(vec![Candidate::single(2), Candidate::new(vec![0, 1]), Candidate::single(3)]));
        assert_eq!(find_candidates(" ", &ColumnNames::new(&columns)).ok(), Some(vec![]));
    }

    #[test]
    fn unknown_names_get_the_nearest_one() {
        let columns = columns(&["smoking", "gene=B"]);
        let sentence = find_candidates("gene=B,smokng", &ColumnNames::new(&columns))
            .err()
            .map(|error| error.to_string());
        assert_eq!(sentence.as_deref(), Some(r#"there is no column "smokng"; did you mean "smoking"?"#));
    }
}
