//! Parses the names of columns and candidates.
//!
//! Names may contain the separators `&` and `,`. The parser therefore tries all splits into known names, longest names
//! first.

use super::{Candidate, Column, Literal};

impl Candidate {
    /// Parses a name such as `V1`, `V1&V2` or `V1&!V2`. Returns `None` if a column is unknown.
    pub fn parse(text: &str, columns: &[Column]) -> Option<Candidate> {
        let column = |name: &str| Some(columns.iter().position(|column| column.name == name)? as u32);
        let negation = |name: &str| Some(Literal::negation(column(name.strip_prefix('!')?.trim_start())?));
        let literal = |name: &str| column(name).map(Literal::plain).or_else(|| negation(name));
        Some(Candidate::new(split_names(text, &['&'], &literal)?))
    }
}

/// Splits a text at separators into known names, longest names first. Returns `None` if there is no such split.
pub fn split_names<T>(text: &str, separators: &[char], known: &dyn Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    // Remembering the positions without a solution makes the run time at most quadratic.
    fn split_from<T>(
        text: &str,
        start: usize,
        separators: &[char],
        known: &dyn Fn(&str) -> Option<T>,
        dead_ends: &mut Vec<usize>,
    ) -> Option<Vec<T>> {
        if dead_ends.contains(&start) {
            return None;
        }
        let rest = &text[start..];
        let ends = rest.match_indices(separators).map(|(end, mark)| (end, end + mark.len()));
        let mut ends: Vec<(usize, usize)> = ends.collect();
        ends.push((rest.len(), rest.len() + 1));
        for (end, next) in ends.into_iter().rev() {
            let name = &rest[..end];
            let Some(found) = known(name).or_else(|| known(name.trim())) else { continue };
            if next > rest.len() {
                return Some(vec![found]);
            }
            if let Some(mut others) = split_from(text, start + next, separators, known, dead_ends) {
                others.insert(0, found);
                return Some(others);
            }
        }
        dead_ends.push(start);
        None
    }
    split_from(text, 0, separators, known, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_contain_separators_are_recognised() {
        let columns: Vec<Column> = ["a", "a&b", "c", "b"]
            .into_iter()
            .map(|name| Column { name: name.into(), attribute: 0 })
            .collect();
        let parse = |text| {
            Candidate::parse(text, &columns)
                .map(|found| found.literals().iter().map(|literal| literal.column()).collect::<Vec<_>>())
        };
        assert_eq!(parse("a"), Some(vec![0]));
        assert_eq!(parse("a&b"), Some(vec![1]), "longest names are tried first");
        assert_eq!(parse("a & c"), Some(vec![0, 2]));
        assert_eq!(parse("a&b&c"), Some(vec![1, 2]));
        assert_eq!(parse("b&a"), Some(vec![0, 3]));
        assert_eq!((parse("d"), parse("a&"), parse("")), (None, None, None));
        let negated = Candidate::parse("c & !a", &columns).unwrap();
        assert_eq!(
            (negated.literals(), &*negated.name(&columns)),
            (&[Literal::plain(2), Literal::negation(0)][..], "!a&c")
        );
        assert_eq!(negated.unsigned(), Candidate::new(vec![0, 2]));
    }
}
