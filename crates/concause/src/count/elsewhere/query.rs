//! What is asked of every block of rows: a batch of queries as it travels.

use std::ops::Range;

use super::bytes::{Damaged, Reader, Writer};
use crate::count::{Base, Grid};
use crate::dataset::Candidate;

/// A batch of queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// The counts of bases together with sets of a pool.
    Sets(Sets),
    /// The counts of left columns with right columns within bases.
    Grids(Vec<WithinBase>),
    /// The rows by which of the terms hold, and in how many of each the further candidates do.
    Configurations {
        /// The terms.
        terms: Vec<Candidate>,
        /// The further candidates.
        further: Vec<Candidate>,
    },
}

/// Some of the sets of a family within bases: those whose newest members are in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sets {
    /// What to count within.
    pub bases: Vec<OwnedBase>,
    /// What the members stand for.
    pub pool: Vec<Candidate>,
    /// Sets with a newest member before this have a member less, as in [`Family`](crate::count::Family).
    pub tested_from: usize,
    /// The most members of a set; with 0 there is the empty set only.
    pub max_size: usize,
    /// The newest members of the sets that are wanted.
    pub newest: Range<usize>,
    /// Whether the empty set is wanted too, before all others.
    pub empty_set: bool,
}

/// A [`Base`] of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedBase {
    /// The conjunction that holds in the rows.
    pub candidate: Candidate,
    /// The members whose sets are not wanted, by place in the pool.
    pub without: Vec<bool>,
    /// Sets of the largest size are wanted only if their newest member is not older than this.
    pub from: usize,
}

/// A [`Grid`] of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithinBase {
    /// The conjunction that holds in the rows.
    pub base: Candidate,
    /// The columns of the rows of the grid.
    pub left: Vec<u32>,
    /// The columns of its columns.
    pub right: Vec<u32>,
}

impl OwnedBase {
    /// A base whose sets are made of the first members of a pool.
    pub(super) fn new(base: &Base<'_>, members: usize) -> Self {
        let without = base.without.iter().take(members).copied().collect();
        Self { candidate: base.candidate.clone(), without, from: base.from }
    }

    pub(super) fn borrowed(&self) -> Base<'_> {
        Base { candidate: &self.candidate, without: &self.without, from: self.from }
    }
}

impl From<&Grid<'_>> for WithinBase {
    fn from(grid: &Grid<'_>) -> Self {
        Self { base: grid.base.clone(), left: grid.left.to_vec(), right: grid.right.to_vec() }
    }
}

impl Sets {
    /// The most members of the sets with a newest member that a base asks for.
    pub fn largest(&self, base: &OwnedBase, newest: usize) -> usize {
        let is_met = newest < self.tested_from || newest < base.from;
        if is_met { self.max_size - 1 } else { self.max_size }
    }
}

impl Query {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Self::Sets(sets) => {
                writer.number(0);
                write_sets(sets, &mut writer);
            }
            Self::Grids(grids) => {
                writer.number(1);
                writer.length(grids.len());
                for grid in grids {
                    [grid.base.columns(), &grid.left, &grid.right]
                        .iter()
                        .for_each(|columns| writer.columns(columns));
                }
            }
            Self::Configurations { terms, further } => {
                writer.number(2);
                writer.candidates(terms);
                writer.candidates(further);
            }
        }
        writer.0
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut reader = Reader::new(bytes, "a query");
        let query = match reader.number()? {
            0 => Self::Sets(read_sets(&mut reader)?),
            1 => Self::Grids(reader.list(|reader| {
                let base = Candidate::new(reader.columns()?);
                Ok(WithinBase { base, left: reader.columns()?, right: reader.columns()? })
            })?),
            2 => Self::Configurations { terms: reader.candidates()?, further: reader.candidates()? },
            _ => return Err(reader.damaged()),
        };
        reader.end()?;
        Ok(query)
    }

    /// Whether it asks only for what so many columns have.
    pub(super) fn fits(&self, columns: usize) -> bool {
        let known = |of: &[u32]| of.iter().all(|&column| (column as usize) < columns);
        let all_known = |of: &[Candidate]| of.iter().all(|candidate| known(candidate.columns()));
        match self {
            Self::Sets(sets) => {
                let pool = sets.pool.len();
                let has_sets = !sets.newest.is_empty();
                all_known(&sets.pool)
                    && sets.bases.iter().all(|base| known(base.candidate.columns()))
                    && sets.newest.end <= pool
                    && (sets.max_size > 0 || !has_sets)
            }
            Self::Grids(grids) => {
                let is_known =
                    |grid: &WithinBase| known(grid.base.columns()) && known(&grid.left) && known(&grid.right);
                grids.iter().all(is_known)
            }
            Self::Configurations { terms, further } => all_known(terms) && all_known(further),
        }
    }
}

fn write_sets(sets: &Sets, writer: &mut Writer) {
    writer.length(sets.bases.len());
    for base in &sets.bases {
        writer.columns(base.candidate.columns());
        let without: Vec<u32> =
            (0..).zip(&base.without).filter(|(_, without)| **without).map(|(place, _)| place).collect();
        writer.columns(&without);
        writer.length(base.from);
    }
    writer.candidates(&sets.pool);
    [sets.tested_from, sets.max_size, sets.newest.start, sets.newest.end, usize::from(sets.empty_set)]
        .into_iter()
        .for_each(|number| writer.length(number));
}

fn read_sets(reader: &mut Reader<'_>) -> Result<Sets, Damaged> {
    let bases =
        reader.list(|reader| Ok((Candidate::new(reader.columns()?), reader.columns()?, reader.length()?)))?;
    let pool = reader.candidates()?;
    let base = |(candidate, places, from): (Candidate, Vec<u32>, usize)| {
        let mut without = vec![false; places.last().map_or(0, |_| pool.len())];
        for place in places {
            *without.get_mut(place as usize).ok_or(Damaged("a query"))? = true;
        }
        Ok(OwnedBase { candidate, without, from })
    };
    Ok(Sets {
        bases: bases.into_iter().map(base).collect::<Result<_, Damaged>>()?,
        tested_from: reader.length()?,
        max_size: reader.length()?,
        newest: reader.length()?..reader.length()?,
        empty_set: reader.number()? == 1,
        pool,
    })
}
