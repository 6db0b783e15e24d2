//! A set of columns read as their conjunction.

use std::borrow::Borrow;

use super::Column;

/// A set of columns read as their conjunction, in data order; the empty one holds in every row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Candidate(Box<[u32]>);

impl Candidate {
    /// The candidate of these columns, in any order, repeats allowed.
    pub fn new(mut columns: Vec<u32>) -> Self {
        columns.sort_unstable();
        columns.dedup();
        Self(columns.into())
    }

    /// A single column.
    pub fn single(column: u32) -> Self {
        Self(Box::new([column]))
    }

    /// The columns in data order.
    pub fn columns(&self) -> &[u32] {
        &self.0
    }

    /// Its columns, each by itself.
    pub fn singles(&self) -> Vec<Candidate> {
        self.0.iter().map(|&column| Candidate::single(column)).collect()
    }

    /// How many columns it joins.
    pub fn level(&self) -> usize {
        self.0.len()
    }

    /// Whether a column of this one is also a column of the other.
    pub fn overlaps(&self, other: &Candidate) -> bool {
        self.0.iter().any(|column| other.0.contains(column))
    }

    /// Whether its columns are some of the other's, but not all of them.
    pub fn is_part_of(&self, other: &Candidate) -> bool {
        self.level() < other.level() && self.0.iter().all(|column| other.0.contains(column))
    }

    /// The conjunction of both.
    pub fn join(&self, other: &Candidate) -> Candidate {
        Candidate::new([&*self.0, &*other.0].concat())
    }

    /// The columns of this one that `part` lacks.
    pub fn without(&self, part: &Candidate) -> Candidate {
        Candidate(self.0.iter().copied().filter(|column| !part.0.contains(column)).collect())
    }

    /// Every way to split the columns into two non-empty parts, the smaller part first, in the order of
    /// `split_masks`.
    pub fn splits(&self) -> Vec<(Candidate, Candidate)> {
        let all = (1u32 << self.level().min(MOST_SPLIT)) - 1;
        let part = |mask: u32| Candidate(pick(&self.0, mask).collect());
        split_masks(self.level()).into_iter().map(|mask| (part(mask), part(all ^ mask))).collect()
    }

    /// The name people read: the columns' names joined by `&`.
    pub fn name(&self, columns: &[Column]) -> String {
        let names: Vec<&str> = self.0.iter().map(|&column| columns[column as usize].name.as_str()).collect();
        names.join("&")
    }
}

/// Candidates are looked up by their columns.
impl Borrow<[u32]> for Candidate {
    fn borrow(&self) -> &[u32] {
        &self.0
    }
}

/// Candidates of more columns than this are never split.
const MOST_SPLIT: usize = 20;

/// Every way to split so many columns into two non-empty parts, by bit mask over the columns of the smaller part,
/// or of the one without the first column; each way comes once. The single last column comes first, so that
/// splits into a single column and the rest lead.
pub(crate) fn split_masks(level: usize) -> Vec<u32> {
    if !(2..=MOST_SPLIT).contains(&level) {
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
    fn splits_come_once_and_singles_lead() {
        let splits = |level: u32| Candidate::new((0..level).collect()).splits();
        assert_eq!(splits(1).len(), 0);
        assert_eq!(splits(2), [(Candidate::single(1), Candidate::single(0))]);
        assert_eq!(splits(3).len(), 3);
        assert_eq!(splits(4).len(), 7);
        assert!(splits(4)[..4].iter().all(|(part, rest)| part.level() == 1 && rest.level() == 3));
        assert!(splits(5).iter().all(|(part, rest)| part.join(rest).level() == 5 && !part.overlaps(rest)));
    }
}
