//! What blocks of rows answer: counts that add up.

use std::cmp::Ordering;

use super::bytes::{Damaged, Reader, Writer};
use crate::count::configurations::words;
use crate::count::{Configurations, Count};

/// The answer to a [`Query`](super::Query) from some of the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The counts that were asked for, in the order of the query.
    Counts(Vec<Count>),
    /// The configurations that occur, and the counts of every further candidate in each.
    Configurations(Configurations, Vec<Vec<Count>>),
}

impl Reply {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        match self {
            Self::Counts(counts) => {
                writer.number(0);
                writer.counts(counts);
            }
            Self::Configurations(configurations, further) => {
                writer.number(1);
                writer.length(configurations.terms());
                writer.counts(configurations.counts());
                for number in 0..configurations.len() {
                    configurations.key(number).iter().for_each(|&word| writer.number(word));
                }
                writer.length(further.len());
                further.iter().for_each(|counts| writer.counts(counts));
            }
        }
        writer.0
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut reader = Reader::new(bytes, "an answer");
        let reply = match reader.number()? {
            0 => Self::Counts(reader.counts()?),
            1 => {
                let terms = reader.length()?;
                let counts = reader.counts()?;
                let length = counts.len().checked_mul(words(terms)).ok_or(reader.damaged())?;
                let keys = (0..length).map(|_| reader.number()).collect::<Result<_, _>>()?;
                let configurations = Configurations::new(terms, keys, counts);
                let further = reader.list(Reader::counts)?;
                if further.iter().any(|counts| counts.len() != configurations.len()) {
                    return Err(reader.damaged());
                }
                Self::Configurations(configurations, further)
            }
            _ => return Err(reader.damaged()),
        };
        reader.end()?;
        Ok(reply)
    }

    /// The answer from the rows of both.
    pub fn and(self, other: Self) -> Result<Self, Damaged> {
        match (self, other) {
            (Self::Counts(mut one), Self::Counts(other)) if one.len() == other.len() => {
                one.iter_mut().zip(other).for_each(|(sum, count)| *sum = *sum + count);
                Ok(Self::Counts(one))
            }
            (Self::Configurations(one, one_further), Self::Configurations(other, other_further))
                if one.terms() == other.terms() && one_further.len() == other_further.len() =>
            {
                let merged = Merged::new(&one, &other);
                let sum = |(one, other): (&Vec<Count>, &Vec<Count>)| merged.sum(one, other);
                let further = one_further.iter().zip(&other_further).map(sum).collect();
                let counts = merged.sum(one.counts(), other.counts());
                Ok(Self::Configurations(Configurations::new(one.terms(), merged.keys, counts), further))
            }
            _ => Err(Damaged("an answer")),
        }
    }
}

/// The configurations of two lists, in ascending order.
struct Merged {
    keys: Vec<u64>,
    /// Where each was in the lists.
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

    fn sum(&self, one: &[Count], other: &[Count]) -> Vec<Count> {
        let at =
            |counts: &[Count], place: Option<usize>| place.map_or(Count::default(), |place| counts[place]);
        self.places.iter().map(|&[left, right]| at(one, left) + at(other, right)).collect()
    }
}
