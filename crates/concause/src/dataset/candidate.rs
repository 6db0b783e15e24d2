//! Candidates: conjunctions of literals.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use super::{Column, Literal, LiteralKind};

/// A set of literals read as their conjunction. The empty candidate holds in every row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Candidate(Box<[Literal]>);

impl Candidate {
    /// The conjunction of these literals, which may be in any order and repeated. A number stands for its column.
    pub fn new<L: Into<Literal>>(literals: impl IntoIterator<Item = L>) -> Self {
        let mut literals: Vec<Literal> = literals.into_iter().map(Into::into).collect();
        literals.sort_unstable();
        literals.dedup();
        Self(literals.into())
    }

    /// The candidate of a single literal.
    pub fn single(literal: impl Into<Literal>) -> Self {
        Self(Box::new([literal.into()]))
    }

    /// The literals in their order: columns first, then negations.
    pub fn literals(&self) -> &[Literal] {
        &self.0
    }

    /// The numbers of the columns, in the order of the literals.
    pub fn columns(&self) -> Vec<u32> {
        self.0.iter().map(|literal| literal.column()).collect()
    }

    /// The literals in the order of their columns.
    pub fn in_data_order(&self) -> Vec<Literal> {
        let mut literals = self.0.to_vec();
        literals.sort_by_key(|literal| (literal.column(), *literal));
        literals
    }

    /// One candidate for each literal.
    pub fn singles(&self) -> Vec<Candidate> {
        self.0.iter().map(|&literal| Candidate::single(literal)).collect()
    }

    /// The number of literals.
    pub fn level(&self) -> usize {
        self.0.len()
    }

    /// Whether the two candidates share a literal.
    pub fn overlaps(&self, other: &Candidate) -> bool {
        self.0.iter().any(|literal| other.0.contains(literal))
    }

    /// Whether the literals are a proper subset of the other candidate's literals.
    pub fn is_part_of(&self, other: &Candidate) -> bool {
        self.level() < other.level() && self.0.iter().all(|literal| other.0.contains(literal))
    }

    /// The conjunction of both candidates.
    pub fn join(&self, other: &Candidate) -> Candidate {
        Candidate::new([&*self.0, &*other.0].concat())
    }

    /// The literals that are not literals of `part`.
    pub fn without(&self, part: &Candidate) -> Candidate {
        Candidate(self.0.iter().copied().filter(|literal| !part.0.contains(literal)).collect())
    }

    /// All splits of the literals into two non-empty parts, the smaller part first, in the order of `split_masks`.
    pub fn splits(&self) -> Vec<(Candidate, Candidate)> {
        let all = (1u32 << self.level().min(MAX_SPLIT_LEVEL)) - 1;
        let part = |mask: u32| Candidate(pick(&self.0, mask).collect());
        split_masks(self.level()).into_iter().map(|mask| (part(mask), part(all ^ mask))).collect()
    }

    /// The candidate of the columns, without negations.
    pub fn unsigned(&self) -> Candidate {
        Candidate::new(self.0.iter().map(|literal| literal.column()))
    }

    /// The attributes of the columns.
    pub fn attributes(&self, columns: &[Column]) -> BTreeSet<usize> {
        self.0.iter().map(|literal| literal.attribute(columns)).collect()
    }

    /// The parts of the conjunction, one for each attribute, in the order of their first literals. `None` if two
    /// literals of an attribute are not the bounds of an interval.
    pub fn parts(&self, columns: &[Column]) -> Option<Vec<Part>> {
        let mut parts: Vec<Part> = Vec::with_capacity(self.level());
        for &literal in self.literals() {
            let attribute = literal.attribute(columns);
            match parts.iter_mut().find(|part| part.attribute == attribute) {
                Some(part) if part.end.is_none() && is_interval(part.literal, literal, columns) => {
                    part.end = Some(literal);
                }
                Some(_) => return None,
                None => parts.push(Part { attribute, literal, end: None }),
            }
        }
        Some(parts)
    }

    /// The parts as candidates; the literals of what is not a conjunction of parts.
    pub fn part_candidates(&self, columns: &[Column]) -> Vec<Candidate> {
        match self.parts(columns) {
            Some(parts) => parts.iter().map(Part::candidate).collect(),
            None => self.singles(),
        }
    }

    /// The number of attributes, of which each has one part of the conjunction.
    pub fn attribute_level(&self, columns: &[Column]) -> usize {
        let literals = self.literals();
        let is_new = |&place: &usize| {
            let attribute = literals[place].attribute(columns);
            literals[..place].iter().all(|other| other.attribute(columns) != attribute)
        };
        (0..literals.len()).filter(is_new).count()
    }

    /// The name in results: the names of the literals in data order, joined by `&`. Two thresholds of an attribute are
    /// an interval.
    pub fn name(&self, columns: &[Column]) -> String {
        self.part_names(columns).join("&")
    }

    /// The names of the literals in data order, with one name for an interval.
    pub fn part_names(&self, columns: &[Column]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let literals = self.in_data_order();
        let mut place = 0;
        while place < literals.len() {
            let (literal, next) = (literals[place], literals.get(place + 1));
            let interval = next.and_then(|&next| interval_name(literal, next, columns));
            place += if interval.is_some() { 2 } else { 1 };
            names.push(interval.unwrap_or_else(|| literal.name(columns)));
        }
        names
    }
}

/// What a conjunction says of one attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The attribute.
    pub attribute: usize,
    /// The literal, or the lower bound of an interval.
    pub literal: Literal,
    /// The upper bound of an interval: the negation of a higher threshold.
    pub end: Option<Literal>,
}

impl Part {
    /// The literals as a candidate.
    pub fn candidate(&self) -> Candidate {
        Candidate::new([self.literal].into_iter().chain(self.end))
    }
}

/// Whether two literals of one attribute are the bounds of an interval.
fn is_interval(low: Literal, high: Literal, columns: &[Column]) -> bool {
    let is_threshold = |literal: Literal| columns[literal.column() as usize].is_threshold();
    low.kind() == LiteralKind::Plain
        && high.kind() == LiteralKind::Negated
        && low.column() < high.column()
        && is_threshold(low)
        && is_threshold(high)
}

/// The name of the interval between two thresholds of one attribute.
fn interval_name(low: Literal, high: Literal, columns: &[Column]) -> Option<String> {
    let column = |literal: Literal| &columns[literal.column() as usize];
    let is_one = low.attribute(columns) == high.attribute(columns) && is_interval(low, high, columns);
    let is_next = high.column() == low.column() + 1;
    if is_one { column(low).interval_name(column(high), is_next) } else { None }
}

/// Allows look-up of candidates by their literals in maps.
impl Borrow<[Literal]> for Candidate {
    fn borrow(&self) -> &[Literal] {
        &self.0
    }
}

/// Candidates with more columns than this have no splits: there would be too many.
const MAX_SPLIT_LEVEL: usize = 20;

/// All splits of `level` columns into two non-empty parts, each once, as bit masks over the columns of the smaller
/// part. If both parts have the same size, the mask is that of the part without the first column. Smaller parts come
/// first, and among the single columns the last one.
pub(crate) fn split_masks(level: usize) -> Vec<u32> {
    if !(2..=MAX_SPLIT_LEVEL).contains(&level) {
        return Vec::new();
    }
    let all = (1u32 << level) - 1;
    let mut masks: Vec<u32> = (1..all)
        .filter(|mask| {
            let (small, large) = (mask.count_ones(), (all ^ mask).count_ones());
            small < large || (small == large && mask & 1 == 0)
        })
        .collect();
    masks.sort_by_key(|mask| (mask.count_ones(), std::cmp::Reverse(*mask)));
    masks
}

/// The literals whose bits are 1 in the mask.
pub(crate) fn pick(literals: &[Literal], mask: u32) -> impl Iterator<Item = Literal> {
    literals.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1).map(|(_, &literal)| literal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_split_is_listed_once_and_single_columns_come_first() {
        let splits = |level: u32| Candidate::new(0..level).splits();
        assert_eq!(splits(1).len(), 0);
        assert_eq!(splits(2), [(Candidate::single(1), Candidate::single(0))]);
        assert_eq!(splits(3).len(), 3);
        assert_eq!(splits(4).len(), 7);
        assert!(splits(4)[..4].iter().all(|(part, rest)| part.level() == 1 && rest.level() == 3));
        assert!(splits(5).iter().all(|(part, rest)| part.join(rest).level() == 5 && !part.overlaps(rest)));
    }
}
