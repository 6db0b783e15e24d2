//! Contingency tables, and how they follow from the counts of conjunctions.

use std::ops::{Deref, Range};

use super::{Count, Family};

/// The 2×2 table of a candidate and the target in one stratum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stratum {
    /// Rows in which the candidate holds.
    pub with: Count,
    /// Rows in which it does not.
    pub without: Count,
}

/// The cells in reading order: with the candidate positive and negative, then without it.
impl From<[u64; 4]> for Stratum {
    fn from(cells: [u64; 4]) -> Self {
        Stratum {
            with: Count { positive: cells[0], negative: cells[1] },
            without: Count { positive: cells[2], negative: cells[3] },
        }
    }
}

impl Stratum {
    /// Of `all` rows the candidate holds in some.
    pub fn marginal(with: Count, all: Count) -> Self {
        Stratum { with, without: all - with }
    }

    /// All rows of the stratum.
    pub fn all(&self) -> Count {
        self.with + self.without
    }
}

/// The 2×2×2^|S| table of a candidate, the target and the members of a conditioning set S: one stratum for each
/// configuration of the members, empty ones included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The strata, by bit mask over the members that are 1.
    pub strata: Vec<Stratum>,
}

impl Deref for Table {
    type Target = [Stratum];
    fn deref(&self) -> &[Stratum] {
        &self.strata
    }
}

impl Table {
    /// The table without a conditioning set: `with` rows have the candidate, `all` is every row.
    pub fn marginal(with: Count, all: Count) -> Self {
        Table { strata: vec![Stratum::marginal(with, all)] }
    }

    /// The number of rows in it.
    pub fn rows(&self) -> u64 {
        self.strata.iter().map(|stratum| stratum.all().total()).sum()
    }

    /// The table without a conditioning set, in the strata of covariates: `with` rows of each have the candidate, `all`
    /// are its rows.
    pub fn in_strata(with: &[Count], all: &[Count]) -> Self {
        let stratum = |(&with, &all): (&Count, &Count)| Stratum::marginal(with, all);
        Table { strata: with.iter().zip(all).map(stratum).collect() }
    }

    /// Fills this table with that of a candidate given one set of a family, in the strata of covariates one after the
    /// other: `with` are the counts of the candidate and each set, `cells` those of the set's configurations,
    /// whatever the candidate ([`Cells`]).
    pub fn fill(&mut self, family: &Family, set: usize, with: &[&[Count]], cells: &Cells) {
        let faces = family.faces(set);
        let cells = cells.of(family, set);
        self.strata.clear();
        for (with, cells) in with.iter().zip(cells.chunks_exact(faces.len())) {
            match faces.len() {
                1 => self.push_sized::<1>(faces, with, cells),
                2 => self.push_sized::<2>(faces, with, cells),
                4 => self.push_sized::<4>(faces, with, cells),
                8 => self.push_sized::<8>(faces, with, cells),
                _ => {
                    let mut with: Vec<Count> = faces.iter().map(|&face| with[face as usize]).collect();
                    exclude_supersets(&mut with);
                    self.strata
                        .extend(with.into_iter().zip(cells).map(|(with, &all)| Stratum::marginal(with, all)));
                }
            }
        }
    }

    /// The same for the small sets that searches are made of, in registers.
    #[inline]
    fn push_sized<const N: usize>(&mut self, faces: &[u32], with: &[Count], cells: &[Count]) {
        let mut held: [Count; N] = std::array::from_fn(|mask| with[faces[mask] as usize]);
        exclude_supersets(&mut held);
        let strata: [Stratum; N] = std::array::from_fn(|mask| Stratum::marginal(held[mask], cells[mask]));
        self.strata.extend_from_slice(&strata);
    }
}

/// The rows of every configuration of every set of a family, in each stratum of covariates: shared by all candidates.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// Set by set, and for each set stratum by stratum.
    counts: Vec<Count>,
    strata: usize,
}

impl Cells {
    /// From the counts of the sets themselves in every stratum.
    pub fn new(family: &Family, all: &[&[Count]]) -> Self {
        let mut counts = Vec::new();
        for set in 0..family.len() {
            for all in all {
                let start = counts.len();
                counts.extend(family.faces(set).iter().map(|&face| all[face as usize]));
                exclude_supersets(&mut counts[start..]);
            }
        }
        Cells { counts, strata: all.len() }
    }

    /// Where the configurations of one set lie among all: by stratum, then by bit mask over the members that are 1.
    pub fn range(&self, family: &Family, set: usize) -> Range<usize> {
        let faces = family.face_range(set);
        self.strata * faces.start..self.strata * faces.end
    }

    fn of(&self, family: &Family, set: usize) -> &[Count] {
        &self.counts[self.range(family, set)]
    }

    /// The rows of every configuration of all sets.
    pub fn all(&self) -> &[Count] {
        &self.counts
    }
}

/// Inclusion and exclusion in place: from the counts of "at least these members are 1" to those of "exactly
/// these are 1".
#[inline(always)]
pub(crate) fn exclude_supersets(cells: &mut [Count]) {
    let mut bit = 1;
    while bit < cells.len() {
        for mask in 0..cells.len() {
            if mask & bit == 0 {
                cells[mask] = cells[mask] - cells[mask | bit];
            }
        }
        bit <<= 1;
    }
}
