//! A set of columns read as their conjunction.

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

    /// How many columns it joins.
    pub fn level(&self) -> usize {
        self.0.len()
    }

    /// Whether a column of this one is also a column of the other.
    pub fn overlaps(&self, other: &Candidate) -> bool {
        self.0.iter().any(|column| other.0.contains(column))
    }

    /// The conjunction of both.
    pub fn join(&self, other: &Candidate) -> Candidate {
        Candidate::new([&*self.0, &*other.0].concat())
    }

    /// The columns of this one that `part` lacks.
    pub fn without(&self, part: &Candidate) -> Candidate {
        Candidate(self.0.iter().copied().filter(|column| !part.0.contains(column)).collect())
    }

    /// Every way to split the columns into two non-empty parts, the one without the first column first;
    /// each way comes once. The single last column comes first, so that splits into a single and the rest lead.
    pub fn splits(&self) -> Vec<(Candidate, Candidate)> {
        let level = self.level();
        let pick = |mask: u32| -> Candidate {
            Candidate(
                self.0
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| mask >> i & 1 == 1)
                    .map(|(_, &column)| column)
                    .collect(),
            )
        };
        if !(2..=20).contains(&level) {
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
        masks.into_iter().map(|mask| (pick(mask), pick(all ^ mask))).collect()
    }

    /// The name people read: the columns' names joined by `&`.
    pub fn name(&self, columns: &[Column]) -> String {
        let names: Vec<&str> = self.0.iter().map(|&column| columns[column as usize].name.as_str()).collect();
        names.join("&")
    }
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
