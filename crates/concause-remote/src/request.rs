//! Requests for counts and sums, sent to every block of rows.

use std::ops::Range;

use concause::count::{Base, Configurations, Count, Grid, RowWeights, Weight};
use concause::dataset::{Candidate, Literal};

use super::wire::{
    decode_candidate, decode_candidates, decode_literals, decode_weight, encode_candidates, encode_literals,
    encode_weight,
};
use crate::codec::{CodecError, Decoder, Encoder};

/// A request for more counts or sums than this is rejected as corrupt.
const MOST_COUNTS: u128 = 1 << 30;

/// A request for counts or sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The counts of sets of a pool within bases.
    Sets(SetsRequest),
    /// The counts of left literals with right literals within bases.
    Grids(Vec<OwnedGrid>),
    /// The configurations of the terms, and the counts of the further candidates in each of them.
    Configurations {
        /// The terms.
        terms: Vec<Candidate>,
        /// The further candidates.
        further: Vec<Candidate>,
    },
    /// The sums of row weights over the rows of conjunctions.
    WeightedSums(WeightedSumsRequest),
}

/// A request for the sets of a family whose newest members are in a range, within several bases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetsRequest {
    /// The bases.
    pub bases: Vec<OwnedBase>,
    /// The candidates that are the members of the sets.
    pub pool: Vec<Candidate>,
    /// Sets with an older newest member have at most `max_size` − 1 members, as in [`Family`](concause::count::Family).
    pub tested_from: usize,
    /// The largest size of a set; with 0, only the empty set is requested.
    pub max_size: usize,
    /// The newest members of the requested sets.
    pub newest: Range<usize>,
    /// Whether the empty set is requested too, before all others.
    pub empty_set: bool,
}

/// A [`Base`] that owns its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedBase {
    /// The conjunction that selects the rows.
    pub candidate: Candidate,
    /// The members of the pool whose sets are excluded, in ascending order.
    pub without: Vec<u32>,
    /// Sets of the largest size are excluded if their newest member is older than this.
    pub from: usize,
}

/// A [`Grid`] that owns its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedGrid {
    /// The conjunction that selects the rows.
    pub base: Candidate,
    /// The left literals: one row of the grid each.
    pub left: Vec<Literal>,
    /// The right literals: one column of the grid each.
    pub right: Vec<Literal>,
}

/// A request for the sums of the weights of the rows in which a left candidate and a right literal hold. A left
/// candidate is combined with the right literals from the given position on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedSumsRequest {
    /// The terms whose configurations determine the weight of a row.
    pub terms: Vec<Candidate>,
    /// The concatenated keys of the configurations, in ascending order. Rows of other configurations have weight 0.
    pub keys: Vec<u64>,
    /// The weight of a case and of a control of each configuration.
    pub weights: Vec<[Weight; 2]>,
    /// The left candidates, each with the position of its first right literal.
    pub left: Vec<(Candidate, usize)>,
    /// The right literals.
    pub right: Vec<Literal>,
}

impl OwnedBase {
    /// A copy of the base for sets of the first `members` members of the pool.
    pub(crate) fn new(base: &Base<'_>, members: usize) -> Self {
        let places = (0..).zip(base.without).take(members).filter(|(_, without)| **without);
        let without = places.map(|(place, _)| place).collect();
        Self { candidate: base.candidate.clone(), without, from: base.from }
    }

    /// Whether sets with this member of the pool are excluded.
    pub(crate) fn excludes(&self, member: usize) -> bool {
        u32::try_from(member).is_ok_and(|member| self.without.binary_search(&member).is_ok())
    }
}

impl From<&Grid<'_>> for OwnedGrid {
    fn from(grid: &Grid<'_>) -> Self {
        Self { base: grid.base.clone(), left: grid.left.to_vec(), right: grid.right.to_vec() }
    }
}

impl SetsRequest {
    /// The largest number of sets of a base; `None` if all bases together have more than `limit`.
    fn sets_of_base(&self, limit: u128) -> Option<u128> {
        let bases = self.bases.len().max(1) as u128;
        let mut sets = 1u128;
        for newest in self.newest.clone() {
            // The number of ways to choose the other members of the set.
            let mut choices = 1u128;
            for others in 0..self.max_size.min(newest + 1) {
                sets = sets.saturating_add(choices);
                if sets.saturating_mul(bases) > limit {
                    return None;
                }
                choices = choices.saturating_mul((newest - others) as u128) / (others as u128 + 1);
            }
        }
        Some(sets)
    }

    /// The largest size of the sets with this newest member that are requested for a base.
    pub fn largest(&self, base: &OwnedBase, newest: usize) -> usize {
        let is_covered = newest < self.tested_from || newest < base.from;
        if is_covered { self.max_size - 1 } else { self.max_size }
    }
}

impl WeightedSumsRequest {
    pub(crate) fn new(weights: &RowWeights, left: &[(Candidate, usize)], right: &[Literal]) -> Self {
        let configurations = &weights.configurations;
        Self {
            terms: weights.terms.clone(),
            keys: (0..configurations.len()).flat_map(|number| configurations.key(number)).copied().collect(),
            weights: weights.weights.clone(),
            left: left.to_vec(),
            right: right.to_vec(),
        }
    }

    /// The weights of the rows. The configurations have no counts: sums of weights do not need them.
    pub(crate) fn row_weights(&self) -> RowWeights {
        let counts = vec![Count::default(); self.weights.len()];
        RowWeights {
            terms: self.terms.clone(),
            configurations: Configurations::new(self.terms.len(), self.keys.clone(), counts),
            weights: self.weights.clone(),
        }
    }

    /// Whether each weight has a key, the keys are in ascending order and all positions exist.
    fn is_consistent(&self) -> bool {
        let width = Configurations::words_for(self.terms.len());
        Some(self.keys.len()) == self.weights.len().checked_mul(width)
            && self.keys.chunks(width).is_sorted_by(|one, other| one < other)
            && self.left.iter().all(|(_, from)| *from <= self.right.len())
    }
}

impl Request {
    /// Encodes the request.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        match self {
            Self::Sets(sets) => {
                encoder.number(0);
                encode_sets(sets, &mut encoder);
            }
            Self::Grids(grids) => {
                encoder.number(1);
                encoder.length(grids.len());
                for grid in grids {
                    [grid.base.literals(), &grid.left, &grid.right]
                        .iter()
                        .for_each(|literals| encode_literals(&mut encoder, literals));
                }
            }
            Self::Configurations { terms, further } => {
                encoder.number(2);
                encode_candidates(&mut encoder, terms);
                encode_candidates(&mut encoder, further);
            }
            Self::WeightedSums(sums) => {
                encoder.number(3);
                encode_sums_request(sums, &mut encoder);
            }
        }
        encoder.into_bytes()
    }

    /// Decodes a request.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut decoder = Decoder::new(bytes, "a request");
        let request = match decoder.number()? {
            0 => Self::Sets(decode_sets(&mut decoder)?),
            1 => Self::Grids(decoder.list(|decoder| {
                let base = decode_candidate(decoder)?;
                Ok(OwnedGrid { base, left: decode_literals(decoder)?, right: decode_literals(decoder)? })
            })?),
            2 => Self::Configurations {
                terms: decode_candidates(&mut decoder)?,
                further: decode_candidates(&mut decoder)?,
            },
            3 => Self::WeightedSums(decode_sums_request(&mut decoder)?),
            _ => return Err(decoder.error()),
        };
        decoder.finish()?;
        Ok(request)
    }

    /// Whether the request is valid for data with this number of columns.
    pub(crate) fn fits(&self, columns: usize) -> bool {
        let known =
            |literals: &[Literal]| literals.iter().all(|literal| (literal.column() as usize) < columns);
        let all_known =
            |candidates: &[Candidate]| candidates.iter().all(|candidate| known(candidate.literals()));
        match self {
            Self::Sets(sets) => {
                let pool = sets.pool.len();
                let has_sets = !sets.newest.is_empty();
                all_known(&sets.pool)
                    && sets.bases.iter().all(|base| known(base.candidate.literals()))
                    && sets.newest.end <= pool
                    && (sets.max_size > 0 || !has_sets)
                    && self.responses(MOST_COUNTS).is_some()
            }
            Self::Grids(grids) => {
                let is_known =
                    |grid: &OwnedGrid| known(grid.base.literals()) && known(&grid.left) && known(&grid.right);
                grids.iter().all(is_known) && self.responses(MOST_COUNTS).is_some()
            }
            Self::Configurations { terms, further } => all_known(terms) && all_known(further),
            Self::WeightedSums(sums) => {
                all_known(&sums.terms)
                    && sums.left.iter().all(|(candidate, _)| known(candidate.literals()))
                    && known(&sums.right)
                    && sums.is_consistent()
                    && self.responses(MOST_COUNTS).is_some()
            }
        }
    }

    /// How many counts or sums are requested, at most; `None` if more than `limit`. Configurations are as many as occur
    /// in the rows.
    pub(crate) fn responses(&self, limit: u128) -> Option<u128> {
        let product = |one: usize, other: usize| one as u128 * other as u128;
        let number = match self {
            Self::Sets(sets) => sets.sets_of_base(limit)? * sets.bases.len() as u128,
            Self::Grids(grids) => grids.iter().map(|grid| product(grid.left.len(), grid.right.len())).sum(),
            Self::Configurations { further, .. } => further.len() as u128,
            Self::WeightedSums(sums) => product(sums.left.len(), sums.right.len()),
        };
        (number <= limit).then_some(number)
    }
}

fn encode_sets(sets: &SetsRequest, encoder: &mut Encoder) {
    encoder.length(sets.bases.len());
    for base in &sets.bases {
        encode_literals(encoder, base.candidate.literals());
        encoder.numbers(&base.without);
        encoder.length(base.from);
    }
    encode_candidates(encoder, &sets.pool);
    [sets.tested_from, sets.max_size, sets.newest.start, sets.newest.end, usize::from(sets.empty_set)]
        .into_iter()
        .for_each(|number| encoder.length(number));
}

fn decode_sets(decoder: &mut Decoder<'_>) -> Result<SetsRequest, CodecError> {
    let bases: Vec<OwnedBase> = decoder.list(|decoder| {
        let (candidate, without) = (decode_candidate(decoder)?, decoder.numbers()?);
        Ok(OwnedBase { candidate, without, from: decoder.length()? })
    })?;
    let pool = decode_candidates(decoder)?;
    let is_valid = |base: &OwnedBase| {
        let without = &base.without;
        without.is_sorted_by(|one, other| one < other)
            && without.last().is_none_or(|&last| (last as usize) < pool.len())
    };
    if !bases.iter().all(is_valid) {
        return Err(decoder.error());
    }
    Ok(SetsRequest {
        bases,
        tested_from: decoder.length()?,
        max_size: decoder.length()?,
        newest: decoder.length()?..decoder.length()?,
        empty_set: decoder.number()? == 1,
        pool,
    })
}

fn encode_sums_request(sums: &WeightedSumsRequest, encoder: &mut Encoder) {
    encode_candidates(encoder, &sums.terms);
    encoder.length(sums.weights.len());
    sums.keys.iter().for_each(|&word| encoder.number(word));
    sums.weights.iter().flatten().for_each(|&weight| encode_weight(encoder, weight));
    encoder.length(sums.left.len());
    for (candidate, from) in &sums.left {
        encode_literals(encoder, candidate.literals());
        encoder.length(*from);
    }
    encode_literals(encoder, &sums.right);
}

fn decode_sums_request(decoder: &mut Decoder<'_>) -> Result<WeightedSumsRequest, CodecError> {
    let terms = decode_candidates(decoder)?;
    // A configuration has its key and four numbers.
    let width = Configurations::words_for(terms.len());
    let length = decoder.length_of_at_least(width + 4)?;
    let keys = length * width;
    let sums = WeightedSumsRequest {
        keys: (0..keys).map(|_| decoder.number()).collect::<Result<_, _>>()?,
        weights: (0..length)
            .map(|_| Ok([decode_weight(decoder)?, decode_weight(decoder)?]))
            .collect::<Result<_, CodecError>>()?,
        left: decoder.list(|decoder| Ok((decode_candidate(decoder)?, decoder.length()?)))?,
        right: decode_literals(decoder)?,
        terms,
    };
    if sums.is_consistent() { Ok(sums) } else { Err(decoder.error()) }
}
