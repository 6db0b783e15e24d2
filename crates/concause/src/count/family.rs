//! The sets of a batch: subsets of a pool, in the order in which a search tests them.

use std::ops::Range;

use crate::combinatorics::{choose, next_combination};

/// Subsets of a pool of members 0, 1, … (in order of entry). Each subset of a set is a set of the family too.
///
/// The sets are ordered by newest member, then by size, then lexicographically, with the empty set first. The *tested*
/// sets have their newest member in a given range. The sets before them are only needed to compute the tables of the
/// tested sets.
#[derive(Clone, Debug)]
pub struct Family {
    newest: Range<usize>,
    max_size: usize,
    tested: usize,
    /// The index of the first set with a given newest member, and the number of sets.
    first: Vec<usize>,
    /// The members of each set, the newest first, the others ascending: neighbouring sets share long prefixes.
    members: Vec<u32>,
    member_start: Vec<u32>,
    /// For each set, the indices of its 2^size subsets, by bit mask over its members.
    faces: Vec<u32>,
    face_start: Vec<u32>,
}

impl Family {
    /// The sets of at most `max_size` members whose newest member is in `newest`, and their subsets.
    pub fn new(newest: Range<usize>, max_size: usize) -> Self {
        let mut family = Self { newest: newest.clone(), max_size, ..Self::empty() };
        if max_size == 0 {
            return Self::empty();
        }
        for z in 0..newest.end {
            if z == newest.start {
                family.tested = family.len();
            }
            if family.largest(z) > 0 {
                family.push_newest(z, family.largest(z));
            }
            family.first.push(family.len());
        }
        if newest.start >= newest.end {
            family.tested = family.len();
        }
        family
    }

    /// The sets of one member, and the empty set.
    pub fn singles(members: usize) -> Self {
        Self::new(0..members, 1)
    }

    /// The family of the empty set only.
    pub fn empty() -> Self {
        Family {
            newest: 0..0,
            max_size: 0,
            tested: 1,
            first: vec![1],
            members: Vec::new(),
            member_start: vec![0, 0],
            faces: vec![0],
            face_start: vec![0, 1],
        }
    }

    /// The number of tested sets that `new` would create, so that callers can reject a family that is too large.
    pub fn size(newest: Range<usize>, max_size: usize) -> u128 {
        newest.map(|z| (0..max_size.min(z + 1)).map(|others| choose(z, others)).sum::<u128>()).sum()
    }

    fn push_newest(&mut self, z: usize, limit: usize) {
        let mut others: Vec<usize> = Vec::with_capacity(limit);
        for size in 1..=limit.min(z + 1) {
            others.clear();
            others.extend(0..size - 1);
            loop {
                self.push_set(z, &others);
                if !next_combination(&mut others, z) {
                    break;
                }
            }
        }
    }

    fn push_set(&mut self, z: usize, others: &[usize]) {
        self.members.push(z as u32);
        self.members.extend(others.iter().map(|&member| member as u32));
        self.member_start.push(self.members.len() as u32);
        let mut subset = Vec::with_capacity(others.len());
        for mask in 0u32..1 << (others.len() + 1) {
            subset.clear();
            subset.extend(
                others
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| mask >> (i + 1) & 1 == 1)
                    .map(|(_, &member)| member),
            );
            let newest = if mask & 1 == 1 { Some(z) } else { subset.pop() };
            self.faces.push(newest.map_or(0, |newest| (self.first[newest] + rank(newest, &subset)) as u32));
        }
        self.face_start.push(self.faces.len() as u32);
    }

    /// The number of sets, including those that are not tested.
    pub fn len(&self) -> usize {
        self.face_start.len() - 1
    }

    /// Always false, because the empty set is in every family.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The index of the first tested set. All sets after it are tested too.
    pub fn tested(&self) -> usize {
        self.tested
    }

    /// The number of members that occur in sets.
    pub fn members_end(&self) -> usize {
        self.first.len() - 1
    }

    /// The newest member of the first tested sets.
    pub fn tested_from(&self) -> usize {
        self.newest.start
    }

    /// The largest size of a set.
    pub fn max_size(&self) -> usize {
        self.max_size
    }

    /// The largest size of a set with this newest member.
    pub fn largest(&self, newest: usize) -> usize {
        if newest < self.newest.start { self.max_size - 1 } else { self.max_size }
    }

    /// The indices of the sets with this newest member, which are ordered by size, then lexicographically.
    pub fn with_newest(&self, newest: usize) -> Range<usize> {
        self.first[newest]..self.first[newest + 1]
    }

    /// The members of a set, the newest first, the others ascending.
    pub fn members(&self, set: usize) -> &[u32] {
        &self.members[self.member_start[set] as usize..self.member_start[set + 1] as usize]
    }

    /// The indices of the subsets of a set. Entry `mask` is the subset of the members whose bits are 1 in `mask`.
    pub fn faces(&self, set: usize) -> &[u32] {
        &self.faces[self.face_range(set)]
    }

    /// The range of a set's faces among the faces of all sets.
    pub fn face_range(&self, set: usize) -> Range<usize> {
        self.face_start[set] as usize..self.face_start[set + 1] as usize
    }
}

/// The rank of {newest} ∪ others among the sets with that newest member: by size, then lexicographically.
fn rank(newest: usize, others: &[usize]) -> usize {
    let smaller: u128 = (0..others.len()).map(|size| choose(newest, size)).sum();
    let mut later = 0;
    for (i, &member) in others.iter().enumerate() {
        later += choose(newest - 1 - member, others.len() - i);
    }
    (smaller + choose(newest, others.len()) - 1 - later) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same sets in the same order, by enumeration of all subsets.
    fn enumerate_sets(newest: Range<usize>, max_size: usize) -> Vec<Vec<u32>> {
        let mut sets: Vec<Vec<u32>> = (0u32..1 << newest.end)
            .map(|mask| (0..newest.end as u32).filter(|&i| mask >> i & 1 == 1).collect::<Vec<_>>())
            .filter(|set| !set.is_empty() && set.len() <= max_size)
            .filter(|set| newest.contains(&(*set.last().unwrap() as usize)))
            .collect();
        sets.sort_by_key(|set| (set.last().copied(), set.len(), set.clone()));
        for set in &mut sets {
            set.rotate_right(1);
        }
        sets
    }

    #[test]
    fn tested_sets_are_all_subsets_in_the_documented_order() {
        for max_size in 0..=4 {
            for start in 0..6 {
                for end in start..=7 {
                    let family = Family::new(start..end, max_size);
                    let sets: Vec<Vec<u32>> =
                        (family.tested()..family.len()).map(|set| family.members(set).to_vec()).collect();
                    assert_eq!(sets, enumerate_sets(start..end, max_size), "{start}..{end} up to {max_size}");
                    assert_eq!(sets.len() as u128, Family::size(start..end, max_size));
                }
            }
        }
    }

    #[test]
    fn faces_are_the_subsets_of_a_set_and_come_before_it() {
        let family = Family::new(3..7, 4);
        for set in 0..family.len() {
            let members = family.members(set);
            for (mask, &face) in family.faces(set).iter().enumerate() {
                assert!(face as usize <= set);
                let mut wanted: Vec<u32> =
                    (0..members.len()).filter(|&i| mask >> i & 1 == 1).map(|i| members[i]).collect();
                let mut found = family.members(face as usize).to_vec();
                wanted.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, wanted);
            }
        }
    }
}
