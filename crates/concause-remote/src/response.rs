//! Responses to requests: counts and sums that add up over blocks of rows.

use std::cmp::Ordering;

use concause::count::{Configurations, Count, Weight};

use super::wire::{
    add_counts, decode_counts, decode_sums, encode_counts, encode_sums, is_part_of, sum_counts,
};
use crate::codec::{CodecError, Decoder, Encoder};

/// The response to a [`Request`](super::Request) from one or more blocks of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// The requested counts, in the order of the request.
    Counts(Vec<Count>),
    /// The configurations that occur, and for every further candidate its count in each of them.
    Configurations(Configurations, Vec<Vec<Count>>),
    /// The requested sums of weights, in the order of the request.
    WeightedSums(Vec<Weight>),
}

impl Response {
    /// Encodes the response.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        match self {
            Self::Counts(counts) => {
                encoder.number(0);
                encode_counts(&mut encoder, counts);
            }
            Self::Configurations(configurations, further) => {
                encoder.number(1);
                encoder.length(configurations.terms());
                encode_counts(&mut encoder, configurations.counts());
                for number in 0..configurations.len() {
                    configurations.key(number).iter().for_each(|&word| encoder.number(word));
                }
                encoder.length(further.len());
                further.iter().for_each(|counts| encode_counts(&mut encoder, counts));
            }
            Self::WeightedSums(sums) => {
                encoder.number(2);
                encode_sums(&mut encoder, sums);
            }
        }
        encoder.into_bytes()
    }

    /// Decodes a response.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut decoder = Decoder::new(bytes, "a response");
        let response = match decoder.number()? {
            0 => Self::Counts(decode_counts(&mut decoder)?),
            1 => {
                let terms = decoder.length()?;
                let counts = decode_counts(&mut decoder)?;
                let length =
                    counts.len().checked_mul(Configurations::words_for(terms)).ok_or(decoder.error())?;
                let keys = (0..length).map(|_| decoder.number()).collect::<Result<_, _>>()?;
                let configurations = Configurations::new(terms, keys, counts);
                let further = decoder.list(decode_counts)?;
                let fits = |counts: &Vec<Count>| {
                    counts.len() == configurations.len()
                        && counts.iter().zip(configurations.counts()).all(|(one, all)| is_part_of(one, all))
                };
                let is_ascending = (1..configurations.len())
                    .all(|number| configurations.key(number - 1) < configurations.key(number));
                let has_sum = sum_counts(configurations.counts()).is_some();
                if !(has_sum && is_ascending && further.iter().all(fits)) {
                    return Err(decoder.error());
                }
                Self::Configurations(configurations, further)
            }
            2 => Self::WeightedSums(decode_sums(&mut decoder)?),
            _ => return Err(decoder.error()),
        };
        decoder.finish()?;
        Ok(response)
    }

    /// The response from the rows of both responses.
    pub fn merge(self, other: Self) -> Result<Self, CodecError> {
        let error = CodecError { message: "a response" };
        match (self, other) {
            (Self::Counts(one), Self::Counts(other)) if one.len() == other.len() => {
                let sums = one.into_iter().zip(other).map(|(one, other)| add_counts(one, other));
                Ok(Self::Counts(sums.collect::<Option<_>>().ok_or(error)?))
            }
            (Self::Configurations(one, one_further), Self::Configurations(other, other_further))
                if one.terms() == other.terms() && one_further.len() == other_further.len() =>
            {
                let merged = Merged::new(&one, &other);
                let sum = |(one, other): (&Vec<Count>, &Vec<Count>)| merged.sum(one, other);
                let further = one_further.iter().zip(&other_further).map(sum).collect::<Option<_>>();
                let further = further.ok_or(error)?;
                let counts = merged.sum(one.counts(), other.counts()).ok_or(error)?;
                Ok(Self::Configurations(Configurations::new(one.terms(), merged.keys, counts), further))
            }
            (Self::WeightedSums(one), Self::WeightedSums(other)) if one.len() == other.len() => {
                let sums = one.into_iter().zip(other).map(|(one, other)| one.checked_add(other));
                Ok(Self::WeightedSums(sums.collect::<Option<_>>().ok_or(error)?))
            }
            _ => Err(error),
        }
    }
}

/// The union of two lists of configurations, in ascending order.
struct Merged {
    keys: Vec<u64>,
    /// The index of each configuration in the two lists.
    places: Vec<[Option<usize>; 2]>,
}

impl Merged {
    fn new(one: &Configurations, other: &Configurations) -> Self {
        let mut merged = Self { keys: Vec::new(), places: Vec::new() };
        let (mut left, mut right) = (0, 0);
        while left < one.len() || right < other.len() {
            let order = match (left < one.len(), right < other.len()) {
                (true, true) => one.key(left).cmp(other.key(right)),
                (true, false) => Ordering::Less,
                _ => Ordering::Greater,
            };
            merged.keys.extend(if order == Ordering::Greater { other.key(right) } else { one.key(left) });
            let places =
                [(order != Ordering::Greater).then_some(left), (order != Ordering::Less).then_some(right)];
            left += usize::from(places[0].is_some());
            right += usize::from(places[1].is_some());
            merged.places.push(places);
        }
        merged
    }

    fn sum(&self, one: &[Count], other: &[Count]) -> Option<Vec<Count>> {
        let at =
            |counts: &[Count], place: Option<usize>| place.map_or(Count::default(), |place| counts[place]);
        self.places.iter().map(|&[left, right]| add_counts(at(one, left), at(other, right))).collect()
    }
}
