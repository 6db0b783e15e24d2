//! How often every value of every attribute occurs in some rows, by the class of the rows.

use std::collections::BTreeMap;

use concause::count::elsewhere::Damaged;
use concause::count::elsewhere::bytes::{Reader, Writer};

use super::Look;
use crate::encode::rows::{RowClass, Rows};
use crate::encode::weights::Weights;
use crate::error::Error;
use crate::table::word::{MissingMarks, number};
use crate::table::{Attribute, Cells, MOST_VALUES, Table};

/// Rows by class: controls, cases, and those that are neither.
pub(super) type Counts = [u64; 3];

/// How often every value of every attribute occurs in some rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub(super) rows: u64,
    pub(super) attributes: Vec<Tally>,
}

/// How often every value of one attribute occurs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tally {
    pub name: String,
    pub missing: Counts,
    pub held: Held,
}

/// The values of an attribute, as far as they are held (see [`Cells`]).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Held {
    Values(BTreeMap<String, Counts>),
    /// By their bits.
    Numbers(BTreeMap<u64, Counts>),
    TooMany,
    Unsupported(String),
}

impl Summary {
    /// Looks at a part.
    #[cfg(feature = "arrow")]
    pub fn of(look: &Look, batches: impl arrow_array::RecordBatchReader) -> Result<Self, Error> {
        let part = look.read(batches)?;
        let classes = look.classes(&part)?;
        Ok(Self::of_table(&part, &classes))
    }

    pub(super) fn of_table(part: &Table, classes: &[RowClass]) -> Self {
        let attributes = part.attributes.iter().map(|attribute| Tally::of(attribute, classes)).collect();
        Self { rows: part.rows, attributes }
    }

    /// The summary of the rows of both.
    pub fn and(mut self, other: Self) -> Result<Self, Damaged> {
        let names = |summary: &Self| summary.attributes.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        if names(&self) != names(&other) {
            return Err(Damaged("a summary"));
        }
        self.rows += other.rows;
        self.attributes.iter_mut().zip(other.attributes).for_each(|(tally, other)| tally.add(other));
        Ok(self)
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.number(self.rows);
        writer.length(self.attributes.len());
        self.attributes.iter().for_each(|tally| tally.write(&mut writer));
        writer.0
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut reader = Reader::new(bytes, "a summary");
        let summary = Self { rows: reader.number()?, attributes: reader.list(Tally::read)? };
        reader.end()?;
        Ok(summary)
    }
}

impl Tally {
    fn of(attribute: &Attribute, classes: &[RowClass]) -> Self {
        let mut missing = Counts::default();
        let held = match &attribute.cells {
            Cells::Coded(dictionary, codes) => {
                let mut counts = vec![Counts::default(); dictionary.len() + 1];
                codes.for_each(|row, code| counts[code][classes[row] as usize] += 1);
                missing = counts[0];
                Held::Values(dictionary.iter().map(|(code, text)| (text.to_owned(), counts[code])).collect())
            }
            Cells::Numbers(numbers) => {
                let mut counts: BTreeMap<u64, Counts> = BTreeMap::new();
                for (number, &class) in numbers.iter().zip(classes) {
                    let count = if number.is_nan() {
                        &mut missing
                    } else {
                        counts.entry(number.to_bits()).or_default()
                    };
                    count[class as usize] += 1;
                }
                Held::Numbers(counts)
            }
            Cells::TooMany => Held::TooMany,
            Cells::Unsupported(kind) => Held::Unsupported(kind.clone()),
        };
        Self { name: attribute.name.clone(), missing, held }
    }

    fn add(&mut self, other: Self) {
        add(&mut self.missing, other.missing);
        let held = std::mem::replace(&mut self.held, Held::TooMany);
        self.held = held.and(other.held);
    }

    /// An attribute with a row for every value and class, of as many rows as that occurs in.
    pub fn attribute(&self, look: &Look, marks: &MissingMarks) -> (Attribute, Rows) {
        let declared = look.declared.iter().find(|(name, _)| *name == self.name);
        let mut attribute =
            Attribute::new(self.name.clone(), declared.map_or_else(Vec::new, |(_, values)| values.clone()));
        let (mut classes, mut weights) = (Vec::new(), Vec::new());
        let mut weigh = |counts: Counts| {
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
        match &self.held {
            Held::Values(values) => {
                let missing = (&String::new(), &self.missing);
                for (text, &counts) in std::iter::once(missing).chain(values) {
                    for _ in 0..weigh(counts) {
                        // It was a cell before.
                        let _ = attribute.push(text.as_bytes(), marks);
                    }
                }
            }
            Held::Numbers(numbers) => {
                let mut cells = vec![f64::NAN; weigh(self.missing)];
                for (&bits, &counts) in numbers {
                    cells.resize(cells.len() + weigh(counts), f64::from_bits(bits));
                }
                attribute.cells = Cells::Numbers(cells);
            }
            Held::TooMany => attribute.cells = Cells::TooMany,
            Held::Unsupported(kind) => attribute.cells = Cells::Unsupported(kind.clone()),
        }
        (attribute, Rows::new(classes, Weights::new(weights)))
    }

    fn write(&self, writer: &mut Writer) {
        let write_counts =
            |counts: &Counts, writer: &mut Writer| counts.iter().for_each(|&it| writer.number(it));
        writer.text(&self.name);
        write_counts(&self.missing, writer);
        match &self.held {
            Held::Values(values) => {
                writer.number(0);
                writer.length(values.len());
                for (text, counts) in values {
                    writer.text(text);
                    write_counts(counts, writer);
                }
            }
            Held::Numbers(numbers) => {
                writer.number(1);
                writer.length(numbers.len());
                for (&bits, counts) in numbers {
                    writer.float(f64::from_bits(bits));
                    write_counts(counts, writer);
                }
            }
            Held::TooMany => writer.number(2),
            Held::Unsupported(kind) => {
                writer.number(3);
                writer.text(kind);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Damaged> {
        let read_counts = |reader: &mut Reader<'_>| -> Result<Counts, Damaged> {
            Ok([reader.number()?, reader.number()?, reader.number()?])
        };
        let (name, missing) = (reader.text()?, read_counts(reader)?);
        let held = match reader.number()? {
            0 => Held::Values(
                reader.list(|reader| Ok((reader.text()?, read_counts(reader)?)))?.into_iter().collect(),
            ),
            1 => Held::Numbers(
                reader
                    .list(|reader| Ok((reader.float()?.to_bits(), read_counts(reader)?)))?
                    .into_iter()
                    .collect(),
            ),
            2 => Held::TooMany,
            3 => Held::Unsupported(reader.text()?),
            _ => return Err(reader.damaged()),
        };
        Ok(Self { name, missing, held })
    }
}

impl Held {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unsupported(kind), _) | (_, Self::Unsupported(kind)) => Self::Unsupported(kind),
            (Self::TooMany, _) | (_, Self::TooMany) => Self::TooMany,
            (Self::Values(one), Self::Values(other)) => Self::Values(merged(one, other)).given_up(),
            (Self::Numbers(one), Self::Numbers(other)) => Self::Numbers(merged(one, other)),
            (Self::Numbers(numbers), Self::Values(values))
            | (Self::Values(values), Self::Numbers(numbers)) => match as_numbers(&values) {
                Some(others) => Self::Numbers(merged(numbers, others)),
                None => Self::TooMany,
            },
        }
    }

    /// Without the texts if they are more than a dictionary may have.
    fn given_up(self) -> Self {
        match self {
            Self::Values(values) if values.len() > MOST_VALUES => {
                as_numbers(&values).map_or(Self::TooMany, Self::Numbers)
            }
            held => held,
        }
    }
}

/// The numbers that the texts say, if all say one.
fn as_numbers(values: &BTreeMap<String, Counts>) -> Option<BTreeMap<u64, Counts>> {
    let mut numbers = BTreeMap::new();
    for (text, &counts) in values {
        add(numbers.entry(number(text)?.to_bits()).or_default(), counts);
    }
    Some(numbers)
}

fn merged<T: Ord>(mut one: BTreeMap<T, Counts>, mut other: BTreeMap<T, Counts>) -> BTreeMap<T, Counts> {
    if one.len() < other.len() {
        std::mem::swap(&mut one, &mut other);
    }
    other.into_iter().for_each(|(value, counts)| add(one.entry(value).or_default(), counts));
    one
}

fn add(sum: &mut Counts, counts: Counts) {
    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}
