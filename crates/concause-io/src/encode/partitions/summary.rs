//! The number of times that every value of every attribute occurs in some rows, by the class of the rows.

use std::collections::BTreeMap;

use concause_remote::codec::{CodecError, Decoder, Encoder};

use super::Scan;
use crate::encode::rows::{RowClass, Rows};
use crate::encode::weights::Weights;
use crate::error::Error;
use crate::table::cell::{MissingMarks, parse_number};
use crate::table::{Attribute, CellStore, MAX_VALUES, Table};

/// A summary of more rows than this is rejected as corrupt.
pub(super) const MOST_ROWS: u64 = 1 << 40;

/// Numbers of rows by class: controls, cases, and rows that are left out.
pub(super) type CountsByClass = [u64; 3];

/// The number of times that every value of every attribute occurs in a partition, by class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartitionSummary {
    pub(super) rows: u64,
    pub(super) attributes: Vec<ValueCounts>,
}

/// The number of times that every value of one attribute occurs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ValueCounts {
    pub name: String,
    pub missing: CountsByClass,
    pub values: CountedValues,
}

/// The values of an attribute, as far as they are stored (see [`CellStore`]).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CountedValues {
    Texts(BTreeMap<String, CountsByClass>),
    /// By their bits.
    Numbers(BTreeMap<u64, CountsByClass>),
    TooMany,
    Unsupported(String),
}

impl PartitionSummary {
    /// Scans a partition.
    pub fn scan_partition(scan: &Scan, batches: impl arrow_array::RecordBatchReader) -> Result<Self, Error> {
        let partition = scan.read_partition(batches)?;
        let classes = scan.classify_rows(&partition)?;
        Ok(Self::summarise_table(&partition, &classes))
    }

    fn summarise_table(partition: &Table, classes: &[RowClass]) -> Self {
        let attributes = partition.attributes.iter();
        let attributes = attributes.map(|attribute| ValueCounts::count(attribute, classes)).collect();
        Self { rows: partition.rows, attributes }
    }

    /// The summary of the rows of both; an error if their columns differ.
    pub fn merge(mut self, other: Self) -> Result<Self, CodecError> {
        let names = |summary: &Self| summary.attributes.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        if names(&self) != names(&other) {
            return Err(CodecError { message: "a summary" });
        }
        let rows = self.rows.checked_add(other.rows).filter(|&rows| rows <= MOST_ROWS);
        self.rows = rows.ok_or(CodecError { message: "a summary" })?;
        self.attributes.iter_mut().zip(other.attributes).for_each(|(counts, other)| counts.add(other));
        Ok(self)
    }

    /// Encodes it as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        encoder.number(self.rows);
        encoder.length(self.attributes.len());
        self.attributes.iter().for_each(|counts| counts.encode(&mut encoder));
        encoder.into_bytes()
    }

    /// Decodes it from bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut decoder = Decoder::new(bytes, "a summary");
        let summary = Self { rows: decoder.number()?, attributes: decoder.list(ValueCounts::decode)? };
        let fits = |counts: &ValueCounts| counts.total().is_some_and(|total| total <= summary.rows);
        if summary.rows > MOST_ROWS || !summary.attributes.iter().all(fits) {
            return Err(decoder.error());
        }
        decoder.finish()?;
        Ok(summary)
    }
}

impl ValueCounts {
    fn count(attribute: &Attribute, classes: &[RowClass]) -> Self {
        let mut missing = CountsByClass::default();
        let values = match &attribute.cells {
            CellStore::Coded(dictionary, codes) => {
                let mut counts = vec![CountsByClass::default(); dictionary.len() + 1];
                codes.for_each(|row, code| counts[code][classes[row] as usize] += 1);
                missing = counts[0];
                CountedValues::Texts(
                    dictionary.iter().map(|(code, text)| (text.to_owned(), counts[code])).collect(),
                )
            }
            CellStore::Numbers(numbers) => {
                let mut counts: BTreeMap<u64, CountsByClass> = BTreeMap::new();
                for (number, &class) in numbers.iter().zip(classes) {
                    let count = if number.is_nan() {
                        &mut missing
                    } else {
                        counts.entry(number.to_bits()).or_default()
                    };
                    count[class as usize] += 1;
                }
                CountedValues::Numbers(counts)
            }
            CellStore::TooMany => CountedValues::TooMany,
            CellStore::Unsupported(kind) => CountedValues::Unsupported(kind.clone()),
        };
        Self { name: attribute.name.clone(), missing, values }
    }

    /// The number of rows that are counted; `None` if it overflows.
    fn total(&self) -> Option<u64> {
        let sum = |counts: &mut dyn Iterator<Item = &CountsByClass>| {
            counts.flatten().try_fold(0u64, |sum, &count| sum.checked_add(count))
        };
        let values = match &self.values {
            CountedValues::Texts(values) => sum(&mut values.values()),
            CountedValues::Numbers(numbers) => sum(&mut numbers.values()),
            CountedValues::TooMany | CountedValues::Unsupported(_) => Some(0),
        };
        sum(&mut std::iter::once(&self.missing))?.checked_add(values?)
    }

    fn add(&mut self, other: Self) {
        add_counts(&mut self.missing, other.missing);
        let values = std::mem::replace(&mut self.values, CountedValues::TooMany);
        self.values = values.merge(other.values);
    }

    /// An attribute with one row for every value and class, and the weights of these rows.
    pub fn to_attribute(&self, scan: &Scan, marks: &MissingMarks) -> (Attribute, Rows) {
        let declared = scan.declared.iter().find(|(name, _)| *name == self.name);
        let mut attribute =
            Attribute::new(self.name.clone(), declared.map_or_else(Vec::new, |(_, values)| values.clone()));
        let (mut classes, mut weights) = (Vec::new(), Vec::new());
        let mut add_rows = |counts: CountsByClass| {
            let before = classes.len();
            for (class, mut left) in
                [RowClass::Control, RowClass::Case, RowClass::LeftOut].into_iter().zip(counts)
            {
                while left > 0 {
                    let weight = u32::try_from(left).unwrap_or(u32::MAX);
                    classes.push(class);
                    weights.push(weight);
                    left -= u64::from(weight);
                }
            }
            classes.len() - before
        };
        match &self.values {
            CountedValues::Texts(values) => {
                let missing = (&String::new(), &self.missing);
                for (text, &counts) in std::iter::once(missing).chain(values) {
                    for _ in 0..add_rows(counts) {
                        // The text was a cell before, so that it is valid.
                        let _ = attribute.push(text.as_bytes(), marks);
                    }
                }
            }
            CountedValues::Numbers(numbers) => {
                let mut cells = vec![f64::NAN; add_rows(self.missing)];
                for (&bits, &counts) in numbers {
                    cells.resize(cells.len() + add_rows(counts), f64::from_bits(bits));
                }
                attribute.cells = CellStore::Numbers(cells);
            }
            CountedValues::TooMany => attribute.cells = CellStore::TooMany,
            CountedValues::Unsupported(kind) => attribute.cells = CellStore::Unsupported(kind.clone()),
        }
        (attribute, Rows::new(classes, Weights::new(weights)))
    }

    fn encode(&self, encoder: &mut Encoder) {
        let write_counts =
            |counts: &CountsByClass, encoder: &mut Encoder| counts.iter().for_each(|&it| encoder.number(it));
        encoder.text(&self.name);
        write_counts(&self.missing, encoder);
        match &self.values {
            CountedValues::Texts(values) => {
                encoder.number(0);
                encoder.length(values.len());
                for (text, counts) in values {
                    encoder.text(text);
                    write_counts(counts, encoder);
                }
            }
            CountedValues::Numbers(numbers) => {
                encoder.number(1);
                encoder.length(numbers.len());
                for (&bits, counts) in numbers {
                    encoder.float(f64::from_bits(bits));
                    write_counts(counts, encoder);
                }
            }
            CountedValues::TooMany => encoder.number(2),
            CountedValues::Unsupported(kind) => {
                encoder.number(3);
                encoder.text(kind);
            }
        }
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        let read_counts = |decoder: &mut Decoder<'_>| -> Result<CountsByClass, CodecError> {
            Ok([decoder.number()?, decoder.number()?, decoder.number()?])
        };
        let (name, missing) = (decoder.text()?, read_counts(decoder)?);
        let values = match decoder.number()? {
            0 => CountedValues::Texts(
                decoder.list(|decoder| Ok((decoder.text()?, read_counts(decoder)?)))?.into_iter().collect(),
            ),
            1 => CountedValues::Numbers(
                decoder
                    .list(|decoder| Ok((decoder.float()?.to_bits(), read_counts(decoder)?)))?
                    .into_iter()
                    .collect(),
            ),
            2 => CountedValues::TooMany,
            3 => CountedValues::Unsupported(decoder.text()?),
            _ => return Err(decoder.error()),
        };
        Ok(Self { name, missing, values })
    }
}

impl CountedValues {
    fn merge(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unsupported(kind), _) | (_, Self::Unsupported(kind)) => Self::Unsupported(kind),
            (Self::TooMany, _) | (_, Self::TooMany) => Self::TooMany,
            (Self::Texts(one), Self::Texts(other)) => {
                Self::Texts(merge_maps(one, other)).drop_texts_if_too_many()
            }
            (Self::Numbers(one), Self::Numbers(other)) => Self::Numbers(merge_maps(one, other)),
            (Self::Numbers(numbers), Self::Texts(values)) | (Self::Texts(values), Self::Numbers(numbers)) => {
                match parse_numbers(&values) {
                    Some(others) => Self::Numbers(merge_maps(numbers, others)),
                    None => Self::TooMany,
                }
            }
        }
    }

    /// Drops the texts if they are more than a dictionary may have.
    fn drop_texts_if_too_many(self) -> Self {
        match self {
            Self::Texts(values) if values.len() > MAX_VALUES => {
                parse_numbers(&values).map_or(Self::TooMany, Self::Numbers)
            }
            values => values,
        }
    }
}

/// The numbers that the texts represent, if all are numbers.
fn parse_numbers(values: &BTreeMap<String, CountsByClass>) -> Option<BTreeMap<u64, CountsByClass>> {
    let mut numbers = BTreeMap::new();
    for (text, &counts) in values {
        add_counts(numbers.entry(parse_number(text)?.to_bits()).or_default(), counts);
    }
    Some(numbers)
}

fn merge_maps<T: Ord>(
    mut one: BTreeMap<T, CountsByClass>,
    mut other: BTreeMap<T, CountsByClass>,
) -> BTreeMap<T, CountsByClass> {
    if one.len() < other.len() {
        std::mem::swap(&mut one, &mut other);
    }
    other.into_iter().for_each(|(value, counts)| add_counts(one.entry(value).or_default(), counts));
    one
}

fn add_counts(sum: &mut CountsByClass, counts: CountsByClass) {
    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}
