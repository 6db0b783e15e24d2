//! Contingency tables, and how they follow from the counts of conjunctions.

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

impl Table {
    /// The table without a conditioning set: `with` rows have the candidate, `all` is every row.
    pub fn marginal(with: Count, all: Count) -> Self {
        Table { strata: vec![Stratum { with, without: all - with }] }
    }

    /// The number of rows in it.
    pub fn rows(&self) -> u64 {
        self.strata.iter().map(|stratum| stratum.all().total()).sum()
    }

    /// Fills this table with that of a candidate given one set of a family: `with` are the counts of the
    /// candidate and each set, `cells` those of the set's configurations, whatever the candidate ([`Cells`]).
    pub fn fill(&mut self, family: &Family, set: usize, with: &[Count], cells: &Cells) {
        let faces = family.faces(set);
        let cells = cells.of(family, set);
        self.strata.clear();
        self.strata
            .extend(faces.iter().map(|&face| Stratum { with: with[face as usize], ..Stratum::default() }));
        exclude_supersets(&mut self.strata, |stratum| &mut stratum.with);
        for (stratum, &all) in self.strata.iter_mut().zip(cells) {
            stratum.without = all - stratum.with;
        }
    }
}

/// The rows of every configuration of every set of a family: shared by all candidates.
#[derive(Clone, Debug, Default)]
pub struct Cells(Vec<Count>);

impl Cells {
    /// From the counts of the sets themselves.
    pub fn new(family: &Family, all: &[Count]) -> Self {
        let mut cells = Vec::new();
        for set in 0..family.len() {
            let start = cells.len();
            cells.extend(family.faces(set).iter().map(|&face| all[face as usize]));
            exclude_supersets(&mut cells[start..], |cell| cell);
        }
        Cells(cells)
    }

    fn of(&self, family: &Family, set: usize) -> &[Count] {
        &self.0[family.face_range(set)]
    }
}

/// Inclusion and exclusion in place: from the counts of "at least these members are 1" to those of "exactly
/// these are 1".
fn exclude_supersets<T: Copy>(cells: &mut [T], count: impl Fn(&mut T) -> &mut Count) {
    let mut bit = 1;
    while bit < cells.len() {
        for mask in (0..cells.len()).filter(|mask| mask & bit == 0) {
            let mut more = cells[mask | bit];
            let more = *count(&mut more);
            let here = count(&mut cells[mask]);
            *here = *here - more;
        }
        bit <<= 1;
    }
}
