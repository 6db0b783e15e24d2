//! Contingency tables, computed from the counts of conjunctions.

use std::ops::{Deref, Range};

use super::{Count, Family};

/// The 2×2 table of a candidate and the target in one stratum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stratum {
    /// Rows in which the candidate holds.
    pub with: Count,
    /// Rows in which it does not.
    pub without: Count,
}

/// From the cells in reading order: positive and negative with the candidate, then without it.
impl From<[u64; 4]> for Stratum {
    fn from(cells: [u64; 4]) -> Self {
        Stratum {
            with: Count { positive: cells[0], negative: cells[1] },
            without: Count { positive: cells[2], negative: cells[3] },
        }
    }
}

impl Stratum {
    /// The table of `all` rows, of which the candidate holds in `with`.
    pub fn marginal(with: Count, all: Count) -> Self {
        Stratum { with, without: all - with }
    }

    /// The rows of the stratum, by class.
    pub fn total_count(&self) -> Count {
        self.with + self.without
    }
}

/// The 2×2×2^|S| table of a candidate, the target and the members of a conditioning set S: one stratum for each
/// configuration of the members, empty ones included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContingencyTable {
    /// The strata, by bit mask over the members that are 1.
    pub strata: Vec<Stratum>,
}

impl Deref for ContingencyTable {
    type Target = [Stratum];
    fn deref(&self) -> &[Stratum] {
        &self.strata
    }
}

impl ContingencyTable {
    /// The table without a conditioning set; the candidate holds in `with` of `all` rows.
    pub fn marginal(with: Count, all: Count) -> Self {
        ContingencyTable { strata: vec![Stratum::marginal(with, all)] }
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.strata.iter().map(|stratum| stratum.total_count().total()).sum()
    }

    /// The table without a conditioning set in the strata of covariates; the candidate holds in `with` of the `all`
    /// rows of each stratum.
    pub fn in_strata(with: &[Count], all: &[Count]) -> Self {
        let stratum = |(&with, &all): (&Count, &Count)| Stratum::marginal(with, all);
        ContingencyTable { strata: with.iter().zip(all).map(stratum).collect() }
    }

    /// Fills this table with that of a candidate given one set of a family, one stratum of covariates after the other.
    /// `with` has the counts of the candidate with each set. `cells` has the counts of the configurations of the sets,
    /// which are the same for all candidates.
    pub fn fill(&mut self, family: &Family, set: usize, with: &[&[Count]], cells: &SetCells) {
        let faces = family.faces(set);
        let cells = cells.set_cells(family, set);
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

    /// The common case of small sets, computed in registers.
    #[inline]
    fn push_sized<const N: usize>(&mut self, faces: &[u32], with: &[Count], cells: &[Count]) {
        let mut with: [Count; N] = std::array::from_fn(|mask| with[faces[mask] as usize]);
        exclude_supersets(&mut with);
        let strata: [Stratum; N] = std::array::from_fn(|mask| Stratum::marginal(with[mask], cells[mask]));
        self.strata.extend_from_slice(&strata);
    }
}

/// The counts of every configuration of every set of a family, in each stratum of covariates. All candidates share
/// them.
#[derive(Clone, Debug, Default)]
pub struct SetCells {
    /// Ordered by set, then by stratum of covariates.
    counts: Vec<Count>,
    strata: usize,
}

impl SetCells {
    /// Computes the cells from the counts of the sets in every stratum.
    pub fn new(family: &Family, set_counts: &[&[Count]]) -> Self {
        let mut counts = Vec::new();
        for set in 0..family.len() {
            for counts_here in set_counts {
                let start = counts.len();
                counts.extend(family.faces(set).iter().map(|&face| counts_here[face as usize]));
                exclude_supersets(&mut counts[start..]);
            }
        }
        SetCells { counts, strata: set_counts.len() }
    }

    /// The range of one set's configurations in [`SetCells::all_cells`]. They are ordered by stratum, then by bit
    /// mask over the members that are 1.
    pub fn range(&self, family: &Family, set: usize) -> Range<usize> {
        let faces = family.face_range(set);
        self.strata * faces.start..self.strata * faces.end
    }

    fn set_cells(&self, family: &Family, set: usize) -> &[Count] {
        &self.counts[self.range(family, set)]
    }

    /// The counts of the configurations of all sets.
    pub fn all_cells(&self) -> &[Count] {
        &self.counts
    }
}

/// Inclusion and exclusion in place: turns the counts of "at least these members are 1" into counts of "exactly these
/// members are 1".
#[inline(always)]
pub fn exclude_supersets(cells: &mut [Count]) {
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
