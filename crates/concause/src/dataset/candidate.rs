//! Candidates: conjunctions of columns.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use super::Column;

/// A set of literals read as their conjunction. The empty candidate holds in every row.
///
/// A literal is a column or its negation. In data with V columns, the number c < V is column c, and V + c is its
/// negation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Candidate(Box<[u32]>);

impl Candidate {
    /// The conjunction of these columns, which may be in any order and repeated.
    pub fn new(mut columns: Vec<u32>) -> Self {
        columns.sort_unstable();
        columns.dedup();
        Self(columns.into())
    }

    /// The candidate of a single column.
    pub fn single(column: u32) -> Self {
        Self(Box::new([column]))
    }

    /// The columns in data order.
    pub fn columns(&self) -> &[u32] {
        &self.0
    }

    /// One candidate for each column.
    pub fn singles(&self) -> Vec<Candidate> {
        self.0.iter().map(|&column| Candidate::single(column)).collect()
    }

    /// The number of columns.
    pub fn level(&self) -> usize {
        self.0.len()
    }

    /// Whether the two candidates share a column.
    pub fn overlaps(&self, other: &Candidate) -> bool {
        self.0.iter().any(|column| other.0.contains(column))
    }

    /// Whether the columns are a proper subset of the other candidate's columns.
    pub fn is_part_of(&self, other: &Candidate) -> bool {
        self.level() < other.level() && self.0.iter().all(|column| other.0.contains(column))
    }

    /// The conjunction of both candidates.
    pub fn join(&self, other: &Candidate) -> Candidate {
        Candidate::new([&*self.0, &*other.0].concat())
    }

    /// The columns that are not columns of `part`.
    pub fn without(&self, part: &Candidate) -> Candidate {
        Candidate(self.0.iter().copied().filter(|column| !part.0.contains(column)).collect())
    }

    /// All splits of the columns into two non-empty parts, the smaller part first, in the order of `split_masks`.
    pub fn splits(&self) -> Vec<(Candidate, Candidate)> {
        let all = (1u32 << self.level().min(MAX_SPLIT_LEVEL)) - 1;
        let part = |mask: u32| Candidate(pick(&self.0, mask).collect());
        split_masks(self.level()).into_iter().map(|mask| (part(mask), part(all ^ mask))).collect()
    }

    /// The literals in data order: the number of the column, and whether it is negated.
    pub fn literals(&self, columns: &[Column]) -> Vec<(u32, bool)> {
        let number = columns.len() as u32;
        let literal = |&literal: &u32| match literal.checked_sub(number) {
            Some(column) => (column, true),
            None => (literal, false),
        };
        let mut literals: Vec<(u32, bool)> = self.0.iter().map(literal).collect();
        literals.sort_unstable();
        literals
    }

    /// The columns of the literals, without negations.
    pub fn unsigned(&self, columns: &[Column]) -> Candidate {
        Candidate::new(self.literals(columns).into_iter().map(|(column, _)| column).collect())
    }

    /// The attributes of the columns.
    pub fn attributes(&self, columns: &[Column]) -> BTreeSet<usize> {
        self.literals(columns).into_iter().map(|(column, _)| columns[column as usize].attribute).collect()
    }

    /// The name in results: the names of the literals in data order, joined by `&`. `!` negates a column.
    pub fn name(&self, columns: &[Column]) -> String {
        let name = |(column, negated): (u32, bool)| {
            format!("{}{}", if negated { "!" } else { "" }, columns[column as usize].name)
        };
        self.literals(columns).into_iter().map(name).collect::<Vec<_>>().join("&")
    }
}

/// Allows look-up of candidates by their columns in maps.
impl Borrow<[u32]> for Candidate {
    fn borrow(&self) -> &[u32] {
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

/// The columns whose bits are 1 in the mask.
pub(crate) fn pick(columns: &[u32], mask: u32) -> impl Iterator<Item = u32> {
    columns.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1).map(|(_, &column)| column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_split_is_listed_once_and_single_columns_come_first() {
        let splits = |level: u32| Candidate::new((0..level).collect()).splits();
        assert_eq!(splits(1).len(), 0);
        assert_eq!(splits(2), [(Candidate::single(1), Candidate::single(0))]);
        assert_eq!(splits(3).len(), 3);
        assert_eq!(splits(4).len(), 7);
        assert!(splits(4)[..4].iter().all(|(part, rest)| part.level() == 1 && rest.level() == 3));
        assert!(splits(5).iter().all(|(part, rest)| part.join(rest).level() == 5 && !part.overlaps(rest)));
    }
}
