//! The sets of a batch: subsets of a pool, in the order in which a search meets them.

use std::ops::Range;

/// Subsets of a pool of members 0, 1, … (in the order of their entry), closed under taking subsets.
///
/// The sets come by their newest member, then by size, then lexicographically, the empty set first. Those to be
/// *tested* have their newest member in a given range; before them come the smaller sets that are only needed
/// to work out their tables.
#[derive(Clone, Debug)]
pub struct Family {
    newest: Range<usize>,
    max_size: usize,
    tested: usize,
    /// Where the sets with a given newest member begin, and the end of all.
    first: Vec<usize>,
    /// The members of each set, newest first and then ascending: sets in a row share long prefixes.
    members: Vec<u32>,
    member_start: Vec<u32>,
    /// For each set the numbers of its 2^size subsets, by bit mask over its members.
    faces: Vec<u32>,
    face_start: Vec<u32>,
}

impl Family {
    /// The sets of up to `max_size` members whose newest member is in `newest`, and their subsets.
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

    /// The sets of exactly one member each, and the empty set.
    pub fn singles(members: usize) -> Self {
        Self::new(0..members, 1)
    }

    /// The empty set alone.
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

    /// How many tested sets `new` would make; what is too many can be refused before it is tried.
    pub fn size(newest: Range<usize>, max_size: usize) -> u128 {
        newest.map(|z| (0..max_size.min(z + 1)).map(|others| binomial(z, others)).sum::<u128>()).sum()
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

    /// The number of sets, tested or not.
    pub fn len(&self) -> usize {
        self.face_start.len() - 1
    }

    /// Never true: the empty set is in every family.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of the first set to be tested; all after it are too.
    pub fn tested(&self) -> usize {
        self.tested
    }

    /// The members are numbered below this.
    pub fn members_end(&self) -> usize {
        self.first.len() - 1
    }

    /// The first newest member of the sets to be tested.
    pub(super) fn tested_from(&self) -> usize {
        self.newest.start
    }

    /// The most members of a set.
    pub fn max_size(&self) -> usize {
        self.max_size
    }

    /// The most members of a set with this newest member.
    pub fn largest(&self, newest: usize) -> usize {
        if newest < self.newest.start { self.max_size - 1 } else { self.max_size }
    }

    /// The numbers of the sets with this newest member: by size, then lexicographically.
    pub fn with_newest(&self, newest: usize) -> Range<usize> {
        self.first[newest]..self.first[newest + 1]
    }

    /// The members of a set, the newest first, the others ascending.
    pub fn members(&self, set: usize) -> &[u32] {
        &self.members[self.member_start[set] as usize..self.member_start[set + 1] as usize]
    }

    /// The numbers of the subsets of a set: entry `mask` is the one with the members whose bits are 1 in it.
    pub fn faces(&self, set: usize) -> &[u32] {
        &self.faces[self.face_range(set)]
    }

    /// Where the faces of a set lie among those of all sets.
    pub fn face_range(&self, set: usize) -> Range<usize> {
        self.face_start[set] as usize..self.face_start[set + 1] as usize
    }
}

/// The place of {newest} ∪ others among the sets with that newest member: smaller sets first, then
/// lexicographically.
fn rank(newest: usize, others: &[usize]) -> usize {
    let smaller: u128 = (0..others.len()).map(|size| binomial(newest, size)).sum();
    let mut later = 0;
    for (i, &member) in others.iter().enumerate() {
        later += binomial(newest - 1 - member, others.len() - i);
    }
    (smaller + binomial(newest, others.len()) - 1 - later) as usize
}

pub(super) fn binomial(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    (0..k).fold(1u128, |product, i| product.saturating_mul((n - i) as u128) / (i as u128 + 1))
}

/// The lexicographically next subset of 0..bound of the same size, if there is one.
fn next_combination(subset: &mut [usize], bound: usize) -> bool {
    let size = subset.len();
    let Some(grow) = (0..size).rev().find(|&i| subset[i] + size - i < bound) else {
        return false;
    };
    subset[grow] += 1;
    for i in grow + 1..size {
        subset[i] = subset[i - 1] + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newest first and then ascending, as the family lists them, from a plain enumeration of all subsets.
    fn obvious(newest: Range<usize>, max_size: usize) -> Vec<Vec<u32>> {
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
    fn tested_sets_are_all_subsets_in_order() {
        for max_size in 0..=4 {
            for start in 0..6 {
                for end in start..=7 {
                    let family = Family::new(start..end, max_size);
                    let sets: Vec<Vec<u32>> =
                        (family.tested()..family.len()).map(|set| family.members(set).to_vec()).collect();
                    assert_eq!(sets, obvious(start..end, max_size), "{start}..{end} up to {max_size}");
                    assert_eq!(sets.len() as u128, Family::size(start..end, max_size));
                }
            }
        }
    }

    #[test]
    fn faces_are_earlier_sets_with_the_right_members() {
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
