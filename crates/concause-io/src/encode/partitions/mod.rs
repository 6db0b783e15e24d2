//! Encodes the partitions of a distributed table; the result is that of the same table on one machine.
//!
//! The encoding of an attribute depends only on how often each of its values occurs in cases and in controls. An
//! [`EncodingPlan`] therefore needs three passes over the partitions, and the results of all partitions are merged:
//!
//! 1. A [`Scan`] of the possible targets ([`EncodingPlan::target_scan`]) gives their values, which determine the cases.
//! 2. A [`Scan`] of all attributes gives a [`PartitionSummary`]: the values in cases and in controls, which determine
//!    the columns.
//! 3. A [`Packing`] encodes each partition as a packed block and returns its [`BlockStatistics`].
//!
//! Requests and results travel as bytes.

mod encoding_plan;
mod packing;
mod summary;
#[cfg(test)]
mod tests;

use concause_remote::codec::{CodecError, Decoder, Encoder};

pub use self::encoding_plan::EncodingPlan;
pub use self::packing::{BlockStatistics, Packing};
pub use self::summary::PartitionSummary;
use super::rows::RowClass;
use crate::declaration::Declaration;
use crate::error::{Error, PartitionError};
use crate::options::ReadOptions;
use crate::table::{Attribute, CellStore, Table};

/// The name of the table in errors.
const SOURCE_NAME: &str = "the DataFrame";

/// How a partition is read: the meaning of its cells, and which rows are cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// Missing marks in addition to the built-in ones.
    marks: Vec<String>,
    /// The declared values of attributes, which are values even if they look like a missing mark.
    declared: Vec<(String, Vec<String>)>,
    /// The attribute of the target and the definition of a case; unknown in the first pass, where no row is a case.
    target: Option<(String, CaseDefinition)>,
}

/// Which rows are cases.
#[derive(Clone, Debug, PartialEq)]
enum CaseDefinition {
    /// One of these texts in the target.
    Texts(Vec<String>),
    /// This number in the target.
    Number(f64),
}

impl Scan {
    fn new(options: &ReadOptions, declaration: &Declaration) -> Self {
        let declared = declaration.attributes.iter();
        Self {
            marks: options.missing.iter().chain(&declaration.missing).cloned().collect(),
            declared: declared.filter_map(|it| Some((it.name.clone(), it.values.clone()?))).collect(),
            target: None,
        }
    }

    /// Encodes it as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        self.encode(&mut encoder);
        encoder.into_bytes()
    }

    /// Decodes it from bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut decoder = Decoder::new(bytes, "a scan");
        let scan = Self::decode(&mut decoder)?;
        decoder.finish()?;
        Ok(scan)
    }

    fn encode(&self, encoder: &mut Encoder) {
        encode_texts(&self.marks, encoder);
        encoder.length(self.declared.len());
        for (name, values) in &self.declared {
            encoder.text(name);
            encode_texts(values, encoder);
        }
        match &self.target {
            None => encoder.number(0),
            Some((name, cases)) => {
                encoder.number(match cases {
                    CaseDefinition::Texts(_) => 1,
                    CaseDefinition::Number(_) => 2,
                });
                encoder.text(name);
                match cases {
                    CaseDefinition::Texts(texts) => encode_texts(texts, encoder),
                    CaseDefinition::Number(number) => encoder.float(*number),
                }
            }
        }
    }

    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        let marks = decoder.list(Decoder::text)?;
        let declared = decoder.list(|decoder| Ok((decoder.text()?, decoder.list(Decoder::text)?)))?;
        let target = match decoder.number()? {
            0 => None,
            1 => Some((decoder.text()?, CaseDefinition::Texts(decoder.list(Decoder::text)?))),
            2 => Some((decoder.text()?, CaseDefinition::Number(decoder.float()?))),
            _ => return Err(decoder.error()),
        };
        Ok(Self { marks, declared, target })
    }

    /// Reads a partition.
    fn read_partition(&self, batches: impl arrow_array::RecordBatchReader) -> Result<Table, Error> {
        let options = ReadOptions { missing: self.marks.clone(), ..ReadOptions::default() };
        let schema = batches.schema();
        let has_column =
            |name: &str| schema.fields().iter().any(|it| it.name().trim_matches([' ', '\t']) == name);
        let declared = self.declared.iter().filter(|(name, _)| has_column(name)).cloned();
        let declaration = Declaration::from_values(declared);
        crate::read::read_partition(SOURCE_NAME, batches, &options, &declaration)
    }

    /// The class of every row of a partition; all rows are left out before the target is known.
    fn classify_rows(&self, partition: &Table) -> Result<Vec<RowClass>, Error> {
        let Some((name, cases)) = &self.target else {
            return Ok(vec![RowClass::LeftOut; partition.rows as usize]);
        };
        let Some(target) = partition.attributes.iter().find(|attribute| attribute.name == *name) else {
            let kind = PartitionError::ColumnAbsent { name: name.clone() };
            return Err(Error::new(kind).in_source(&SOURCE_NAME));
        };
        Ok(cases.classify_cells(target))
    }
}

impl CaseDefinition {
    fn classify_cells(&self, target: &Attribute) -> Vec<RowClass> {
        let class = |is_case: bool| if is_case { RowClass::Case } else { RowClass::Control };
        let class_of_number = |number: f64| match self {
            Self::Number(wanted) => class(number == *wanted),
            Self::Texts(_) => RowClass::Control,
        };
        match &target.cells {
            CellStore::Coded(dictionary, codes) => {
                let class_of_code = |code: usize| match self {
                    Self::Texts(texts) => class(texts.iter().any(|text| text == dictionary.value(code))),
                    Self::Number(_) => class_of_number(dictionary.number(code).unwrap_or(f64::NAN)),
                };
                let codes_of_values = 1..=dictionary.len();
                let by_code: Vec<RowClass> =
                    std::iter::once(RowClass::LeftOut).chain(codes_of_values.map(class_of_code)).collect();
                let mut classes = Vec::with_capacity(codes.len());
                codes.for_each(|_, code| classes.push(by_code[code]));
                classes
            }
            CellStore::Numbers(numbers) => {
                let class_of_cell =
                    |&number: &f64| if number.is_nan() { RowClass::LeftOut } else { class_of_number(number) };
                numbers.iter().map(class_of_cell).collect()
            }
            CellStore::TooMany | CellStore::Unsupported(_) => Vec::new(),
        }
    }
}

fn encode_texts(texts: &[String], encoder: &mut Encoder) {
    encoder.length(texts.len());
    texts.iter().for_each(|text| encoder.text(text));
}
