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
    /// candidate and each set, `all` those of each set alone.
    pub fn fill(&mut self, family: &Family, set: usize, with: &[Count], all: &[Count]) {
        let faces = family.faces(set);
        self.strata.clear();
        self.strata.extend(faces.iter().map(|&face| Stratum {
            with: with[face as usize],
            without: all[face as usize] - with[face as usize],
        }));
        exclude_supersets(&mut self.strata);
    }
}

/// Inclusion and exclusion in place: from the counts of "at least these members are 1" to those of "exactly
/// these are 1".
fn exclude_supersets(strata: &mut [Stratum]) {
    let mut bit = 1;
    while bit < strata.len() {
        for mask in (0..strata.len()).filter(|mask| mask & bit == 0) {
            let more = strata[mask | bit];
            let here = &mut strata[mask];
            here.with = here.with - more.with;
            here.without = here.without - more.without;
        }
        bit <<= 1;
    }
}
