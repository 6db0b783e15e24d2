//! Parses the names of columns and candidates.
//!
//! Names may contain the separators `&` and `,`. The parser therefore tries all splits into known names, longest names
//! first. No name is longer than the longest known one, so the work grows with the length of the text.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{Candidate, Column, Literal};

/// The names of columns, indexed.
#[derive(Clone, Debug)]
pub struct ColumnNames<'a> {
    columns: &'a [Column],
    literals: FxHashMap<&'a str, Literal>,
    longest: usize,
}

impl<'a> ColumnNames<'a> {
    /// Indexes the names of all columns.
    pub fn new(columns: &'a [Column]) -> Self {
        let mut literals = FxHashMap::default();
        for (number, column) in (0..).zip(columns) {
            literals.entry(column.name.as_str()).or_insert(Literal::plain(number));
        }
        for (number, column) in (0..).zip(columns) {
            literals.entry(column.negation.as_str()).or_insert(Literal::negation(number));
        }
        let longest = literals.keys().map(|name| name.len()).max().unwrap_or(0);
        // The name of an interval has the names of its bounds.
        let has_intervals = columns.iter().any(Column::is_threshold);
        Self { columns, literals, longest: if has_intervals { 2 * longest } else { longest } }
    }

    /// The columns, in data order.
    pub fn columns(&self) -> &'a [Column] {
        self.columns
    }

    /// The number of the column with this name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.literals.get(name).filter(|literal| !literal.is_negated()).map(|literal| literal.column())
    }

    /// The literals with this name: those of a column, its negation or an interval. `!` before a name negates it, and
    /// `!=` may be typed for `≠`.
    fn literals(&self, name: &str) -> Option<Vec<Literal>> {
        let literal = |name: &str| self.literals.get(name).copied();
        let negated = || literal(name.strip_prefix('!')?.trim_start()).map(Literal::negate);
        let unequal = || literal(&name.replacen("!=", "≠", 1)).filter(|_| name.contains("!="));
        let single = literal(name).or_else(negated).or_else(unequal);
        single.map(|literal| vec![literal]).or_else(|| self.interval(name))
    }

    /// The bounds of an interval such as `30<=age<45`, or `dose=2` if it has only one value.
    fn interval(&self, name: &str) -> Option<Vec<Literal>> {
        if let Some((attribute, value)) = name.rsplit_once('=')
            && let Some(&low) = self.literals.get(format!("{attribute}>={value}").as_str())
        {
            let next = self.columns.get(low.column() as usize + 1)?;
            let is_only = self.columns[low.column() as usize].only_value.as_deref() == Some(value);
            let is_next = is_only && next.attribute == self.columns[low.column() as usize].attribute;
            return is_next.then(|| vec![low, Literal::negation(low.column() + 1)]);
        }
        let (low, rest) = name.split_once("<=")?;
        let (attribute, high) = rest.rsplit_once('<')?;
        let ends = [format!("{attribute}>={low}"), format!("{attribute}<{high}")];
        ends.iter().map(|end| self.literals.get(end.as_str()).copied()).collect()
    }

    /// The candidate with a name such as `V1`, `V1&V2`, `30<=age<45&gene≠B` or `V1&!V2`, unless a column is unknown.
    pub fn candidate(&self, text: &str) -> Option<Candidate> {
        let ends = |rest: &str| self.literal_ends(rest, &['&']);
        let parts = split_names(text, &['&'], &ends, &|name| self.literals(name))?;
        Some(Candidate::new(parts.into_iter().flatten()))
    }

    /// The ends of the candidates with which a text begins, each before a separator or at the end of the text.
    pub fn candidate_ends(&self, text: &str, separators: &[char]) -> Vec<usize> {
        let all: Vec<char> = separators.iter().copied().chain(['&']).collect();
        let (mut starts, mut ends) = (BTreeSet::from([0]), BTreeSet::new());
        while let Some(start) = starts.pop_first() {
            for end in self.literal_ends(&text[start..], &all).into_iter().map(|end| start + end) {
                match text[end..].starts_with('&') {
                    true => drop(starts.insert(end + 1)),
                    false => drop(ends.insert(end)),
                }
            }
        }
        ends.into_iter().collect()
    }

    fn literal_ends(&self, text: &str, separators: &[char]) -> Vec<usize> {
        name_ends(text, separators, self.longest, &|name| self.literals(name).is_some())
    }
}

impl Candidate {
    /// Parses a name such as `V1`, `V1&V2` or `V1&!V2`. Returns `None` if a column is unknown. For many names,
    /// [`ColumnNames`] is faster.
    pub fn parse(text: &str, columns: &[Column]) -> Option<Candidate> {
        ColumnNames::new(columns).candidate(text)
    }
}

/// The ends of the known names with which a text begins, ascending, each before a separator or at the end of the text.
/// No known name has more than `longest` bytes, without the sign and the spaces around it.
pub fn name_ends(
    text: &str,
    separators: &[char],
    longest: usize,
    is_known: &dyn Fn(&str) -> bool,
) -> Vec<usize> {
    let marks = text.match_indices(separators).map(|(end, _)| end).chain([text.len()]);
    let names = marks.map(|end| (end, &text[..end])).take_while(|(_, name)| {
        let name = name.trim();
        name.strip_prefix('!').map_or(name, str::trim_start).len() <= longest
    });
    names.filter(|(_, name)| is_known(name) || is_known(name.trim())).map(|(end, _)| end).collect()
}

/// Splits a text at separators into known names, longest names first. Returns `None` if there is no such split. `ends`
/// gives the ends of the known names with which a text begins, ascending.
pub fn split_names<T>(
    text: &str,
    separators: &[char],
    ends: &dyn Fn(&str) -> Vec<usize>,
    known: &dyn Fn(&str) -> Option<T>,
) -> Option<Vec<T>> {
    let width = |end: usize| text[end..].chars().next().map_or(0, char::len_utf8);
    let starts: Vec<usize> =
        [0].into_iter().chain(text.match_indices(separators).map(|(end, mark)| end + mark.len())).collect();
    // From the last start to the first: the end of the longest name after which the rest of the text can be split.
    let mut best: FxHashMap<usize, usize> = FxHashMap::default();
    for &start in starts.iter().rev() {
        let ends = ends(&text[start..]).into_iter().rev().map(|end| start + end);
        let is_split = |&end: &usize| end == text.len() || best.contains_key(&(end + width(end)));
        if let Some(end) = ends.into_iter().find(is_split) {
            best.insert(start, end);
        }
    }
    let (mut names, mut start) = (Vec::new(), 0);
    loop {
        let end = *best.get(&start)?;
        let name = &text[start..end];
        names.push(known(name).or_else(|| known(name.trim()))?);
        if end == text.len() {
            return Some(names);
        }
        start = end + width(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_contain_separators_are_recognised() {
        let columns: Vec<Column> =
            ["a", "a&b", "c", "b"].into_iter().map(|name| Column::named(name, name.into())).collect();
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
            (&[Literal::plain(2), Literal::negation(0)][..], "a=0&c")
        );
        assert_eq!(negated.unsigned(), Candidate::new(vec![0, 2]));
        assert_eq!(Candidate::parse("a=0 & c", &columns), Some(negated));
    }

    #[test]
    fn names_that_people_read_are_parsed_again() {
        let columns = [
            Column::threshold("age", "30"),
            Column::threshold("age", "45"),
            Column::of_value("gene", "B").of_attribute(1),
        ];
        for (text, name) in [
            ("age>=30", "age>=30"),
            ("!age>=45", "age<45"),
            ("age<45&age>=30", "30<=age<45"),
            ("30<=age<45&gene!=B", "30<=age<45&gene≠B"),
            ("!gene=B&age<30", "age<30&gene≠B"),
        ] {
            let parsed = Candidate::parse(text, &columns).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(parsed.name(&columns), name);
            assert_eq!(Candidate::parse(name, &columns), Some(parsed));
        }
        assert_eq!(Candidate::parse("30<=age<46", &columns), None);
        let dose = |cut: &str| Column { only_value: Some(cut.into()), ..Column::threshold("dose", cut) };
        let columns = [dose("1"), dose("2"), dose("3")];
        let one = Candidate::parse("dose=2", &columns).unwrap();
        assert_eq!((one.name(&columns).as_str(), one.level()), ("dose=2", 2));
        assert_eq!(Candidate::parse("1<=dose<3", &columns).unwrap().name(&columns), "1<=dose<3");
        assert_eq!(Candidate::parse("dose=3", &columns), None);
    }

    /// The slow oracle: tries the names from every start, longest first.
    fn split_slowly<T>(text: &str, separators: &[char], known: &dyn Fn(&str) -> Option<T>) -> Option<Vec<T>> {
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

    fn slow_candidate(text: &str, columns: &[Column]) -> Option<Candidate> {
        let column = |name: &str| Some(columns.iter().position(|column| column.name == name)? as u32);
        let negation = |name: &str| Some(Literal::negation(column(name.strip_prefix('!')?.trim_start())?));
        let literal = |name: &str| column(name).map(Literal::plain).or_else(|| negation(name));
        Some(Candidate::new(split_slowly(text, &['&'], &literal)?))
    }

    fn columns(names: impl IntoIterator<Item = String>) -> Vec<Column> {
        names.into_iter().map(|name| Column::named("", name)).collect()
    }

    #[test]
    fn texts_are_split_as_by_trying_all_names() {
        let mut random = crate::random::Random::new(1);
        let mut text = |letters: &[char], longest: usize| -> String {
            let length = 1 + random.below(longest);
            (0..length).map(|_| letters[random.below(letters.len())]).collect()
        };
        let mut split = 0;
        for _ in 0..20_000 {
            // Readers remove the spaces around names.
            let name = |_| text(&['a', 'b', 'é', ',', '&', '!', ' '], 4).trim().to_owned();
            let columns = columns((0..4).map(name));
            let names = ColumnNames::new(&columns);
            let marks = [",", ";", "&", " & ", ", !", "&! "];
            let some =
                (0..4).map(|place| format!("{}{}", columns[place].name, marks[text(&['a'; 2], 6).len() - 1]));
            let joined = some.collect::<String>() + &columns[0].name;
            let text = if text(&['a'], 4).len() > 1 {
                joined
            } else {
                text(&['a', 'b', 'é', ',', ';', '&', ' '], 9)
            };
            let expected = slow_candidate(&text, &columns);
            assert_eq!(names.candidate(&text), expected, "{text:?} {columns:?}");
            let marks = [',', ';'];
            let expected = split_slowly(&text, &marks, &|name| slow_candidate(name, &columns));
            let ends = |rest: &str| names.candidate_ends(rest, &marks);
            let found = split_names(&text, &marks, &ends, &|name| names.candidate(name));
            assert_eq!(found, expected, "{text:?} {columns:?}");
            split += usize::from(found.is_some_and(|found| found.len() > 1));
        }
        assert!(split > 5000, "{split}");
    }

    /// The number of names that are looked up grows with the number of names in the list.
    #[test]
    fn long_lists_of_names_are_split_in_near_linear_time() {
        let columns = columns((0..3000).map(|number| format!("column {number}, a & b")));
        let names = ColumnNames::new(&columns);
        let list = columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(",");
        for text in [list.clone(), format!("{list},unknown")] {
            let looked_up = std::cell::Cell::new(0);
            let is_known = |name: &str| {
                looked_up.set(looked_up.get() + 1);
                names.find(name).is_some()
            };
            let ends = |rest: &str| name_ends(rest, &[','], names.longest, &is_known);
            let found = split_names(&text, &[','], &ends, &|name| names.find(name));
            assert_eq!(found, (text == list).then(|| (0..3000).collect()));
            assert!(looked_up.get() < 8 * 3000, "{} names looked up", looked_up.get());
        }
    }
}
