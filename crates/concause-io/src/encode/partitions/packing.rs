//! Encodes the rows of a partition as a packed block, by plans made for the complete table.

use std::collections::HashMap;

use concause::dataset::{Column, Dataset, DatasetBuilder, Target};
use concause_remote::codec::{CodecError, Decoder, Encoder};

use super::summary::MOST_ROWS;
use super::{SOURCE_NAME, Scan};
use crate::encode::legend::AttributeKind;
use crate::encode::plan::{AttributePlan, ColumnLookup, PlannedColumn, PlannedColumns, interval_index};
use crate::encode::rows::{RowClass, Rows};
use crate::encode::weights::Weights;
use crate::encode::{AttributePlans, build_bits, drop_rows, fingerprint};
use crate::error::{Error, PartitionError};
use crate::table::{Attribute, CellStore, Table};

/// How the rows of every partition become columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Packing {
    pub(super) scan: Scan,
    /// By attribute, in the order of the table.
    pub(super) attributes: Vec<PackedAttribute>,
    pub(super) drop_missing: bool,
}

/// How one attribute is encoded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PackedAttribute {
    /// Whether the fingerprint includes its cells: whether they would be stored if all rows were on one machine.
    pub is_hashed: bool,
    /// `None` if it is left out.
    pub columns: Option<PackedColumns>,
}

/// Which column of an attribute is 1, by its index.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PackedColumns {
    count: usize,
    /// The number of thresholds, which are the first columns.
    thresholds: usize,
    /// For a missing cell.
    missing: Option<usize>,
    by_value: ByValue,
}

#[derive(Clone, Debug, PartialEq)]
enum ByValue {
    Text(HashMap<String, usize>),
    Cuts(Vec<f64>),
}

/// Statistics of a packed block; those of several blocks add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockStatistics {
    /// The rows that were read.
    pub rows: u64,
    /// The packed cases.
    pub cases: u64,
    /// The packed controls.
    pub controls: u64,
    /// The rows left out because a cell is missing.
    pub dropped: u64,
    pub(super) row_sums: [u64; 2],
}

impl PackedColumns {
    /// Converts a plan that was made for the cells of an attribute.
    pub fn new(columns: &PlannedColumns, cells: &CellStore) -> Self {
        let count = columns.columns.len();
        let (missing, by_value) = match (&columns.lookup, cells) {
            (ColumnLookup::Cuts(missing), _) => (*missing, ByValue::Cuts(columns.cuts.clone())),
            (ColumnLookup::Codes(indices), _) if columns.kind == AttributeKind::Ordered => {
                (indices[0], ByValue::Cuts(columns.cuts.clone()))
            }
            (ColumnLookup::Codes(indices), CellStore::Coded(dictionary, _)) => {
                let index = |(code, text): (usize, &str)| Some((text.to_owned(), indices[code]?));
                (indices[0], ByValue::Text(dictionary.iter().filter_map(index).collect()))
            }
            (ColumnLookup::Codes(_), _) => (None, ByValue::Text(HashMap::new())),
        };
        Self { count, thresholds: columns.thresholds, missing, by_value }
    }

    /// The plan for the cells of a partition.
    fn to_plan(&self, cells: &CellStore) -> PlannedColumns {
        let index = |code: usize, text: &str, number: Option<f64>| match &self.by_value {
            _ if code == 0 => self.missing,
            ByValue::Text(indices) => indices.get(text).copied(),
            ByValue::Cuts(cuts) => self.column_of_band(interval_index(cuts, number?)),
        };
        let lookup = match cells {
            CellStore::Coded(dictionary, _) => {
                let indices =
                    dictionary.iter().map(|(code, text)| index(code, text, dictionary.number(code)));
                ColumnLookup::Codes(std::iter::once(self.missing).chain(indices).collect())
            }
            _ => ColumnLookup::Cuts(self.missing),
        };
        let cuts = match &self.by_value {
            ByValue::Cuts(cuts) => cuts.clone(),
            ByValue::Text(_) => Vec::new(),
        };
        let columns = vec![PlannedColumn::new(Column::new("", ""), String::new()); self.count];
        let planned = PlannedColumns::exclusive(AttributeKind::Nominal, columns, lookup);
        PlannedColumns { cuts, thresholds: self.thresholds, ..planned }
    }

    /// The index of the column that a number in a band has.
    fn column_of_band(&self, band: usize) -> Option<usize> {
        if self.thresholds > 0 { band.checked_sub(1) } else { Some(band) }
    }

    fn encode(&self, encoder: &mut Encoder) {
        let write_index =
            |index: Option<usize>, encoder: &mut Encoder| encoder.length(index.map_or(0, |index| index + 1));
        encoder.length(self.count);
        encoder.length(self.thresholds);
        write_index(self.missing, encoder);
        match &self.by_value {
            ByValue::Text(indices) => {
                encoder.number(0);
                encoder.length(indices.len());
                for (text, &index) in indices {
                    encoder.text(text);
                    encoder.length(index);
                }
            }
            ByValue::Cuts(cuts) => {
                encoder.number(1);
                encoder.length(cuts.len());
                cuts.iter().for_each(|&cut| encoder.float(cut));
            }
        }
    }

    /// `declared` is the largest number of values that are declared for an attribute.
    fn decode(decoder: &mut Decoder<'_>, declared: usize) -> Result<Self, CodecError> {
        let (count, thresholds) = (decoder.length()?, decoder.length()?);
        let missing = decoder.length()?.checked_sub(1);
        let by_value = match decoder.number()? {
            0 => {
                let indices = decoder.list(|decoder| Ok((decoder.text()?, decoder.length()?)))?;
                ByValue::Text(indices.into_iter().collect())
            }
            1 => ByValue::Cuts(decoder.list(Decoder::float)?),
            _ => return Err(decoder.error()),
        };
        let fits = |index: usize| index < count;
        // Each column has a value, which may be declared only, an interval or the missing cells.
        let most = match &by_value {
            ByValue::Text(indices) => indices.len() + declared + 1,
            ByValue::Cuts(cuts) => cuts.len() + 2,
        };
        let all_fit = match &by_value {
            ByValue::Text(indices) => thresholds == 0 && indices.values().all(|&index| fits(index)),
            ByValue::Cuts(cuts) if thresholds > 0 => cuts.len() == thresholds && thresholds <= count,
            ByValue::Cuts(cuts) => fits(cuts.len()),
        };
        if count > most || !all_fit || !missing.is_none_or(fits) {
            return Err(decoder.error());
        }
        Ok(Self { count, thresholds, missing, by_value })
    }
}

impl Packing {
    /// Encodes a partition as a packed block.
    pub fn pack(
        &self,
        batches: impl arrow_array::RecordBatchReader,
    ) -> Result<(BlockStatistics, Vec<u8>), Error> {
        let partition = self.scan.read_partition(batches)?;
        let (statistics, dataset) = self.encode_partition(partition)?;
        Ok((statistics, dataset.pack()))
    }

    fn encode_partition(&self, mut partition: Table) -> Result<(BlockStatistics, Dataset), Error> {
        if partition.attributes.len() != self.attributes.len() {
            return Err(Error::new(PartitionError::ColumnsDiffer).in_source(&SOURCE_NAME));
        }
        let mut rows = Rows::new(self.scan.classify_rows(&partition)?, Weights::default());
        for (attribute, packed) in partition.attributes.iter_mut().zip(&self.attributes) {
            if !packed.is_hashed {
                attribute.cells = CellStore::TooMany;
            }
        }
        let attributes: Vec<&Attribute> = partition.attributes.iter().collect();
        let row_sums = fingerprint::sum_rows(&attributes, partition.rows, &rows.weights);
        let plan = |(attribute, packed): (&Attribute, &PackedAttribute)| {
            let columns = packed.columns.as_ref()?;
            Some((AttributePlan::Columns(columns.to_plan(&attribute.cells)), 0))
        };
        let plans: AttributePlans = partition.attributes.iter().zip(&self.attributes).map(plan).collect();
        let dropped = if self.drop_missing { drop_rows(&partition, &plans, &mut rows) } else { 0 };
        let kept = rows.classes.iter().filter(|&&class| class != RowClass::LeftOut);
        let target = Target { name: String::new(), value: None };
        let mut builder = DatasetBuilder::new(target, kept.map(|&class| class == RowClass::Case).collect());
        for (attribute, plan) in partition.attributes.iter().zip(&plans) {
            let Some((AttributePlan::Columns(planned), _)) = plan else { continue };
            let bits = build_bits(&builder, &attribute.cells, planned, &rows.classes);
            let bits =
                bits.ok_or_else(|| Error::new(PartitionError::ColumnsDiffer).in_source(&SOURCE_NAME))?;
            builder.add("", planned.data_columns(), bits);
        }
        let (cases, controls) = (rows.count(RowClass::Case), rows.count(RowClass::Control));
        let statistics = BlockStatistics { rows: partition.rows, cases, controls, dropped, row_sums };
        Ok((statistics, builder.finish()))
    }

    /// Encodes it as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        self.scan.encode(&mut encoder);
        encoder.number(self.drop_missing.into());
        encoder.length(self.attributes.len());
        for PackedAttribute { is_hashed, columns } in &self.attributes {
            encoder.number((*is_hashed).into());
            encoder.number(columns.is_some().into());
            columns.iter().for_each(|columns| columns.encode(&mut encoder));
        }
        encoder.into_bytes()
    }

    /// Decodes it from bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut decoder = Decoder::new(bytes, "a packing");
        let scan = Scan::decode(&mut decoder)?;
        let drop_missing = decoder.number()? == 1;
        let declared = scan.declared.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let attributes = decoder.list(|decoder| {
            let is_hashed = decoder.number()? == 1;
            let columns =
                if decoder.number()? == 1 { Some(PackedColumns::decode(decoder, declared)?) } else { None };
            Ok(PackedAttribute { is_hashed, columns })
        })?;
        decoder.finish()?;
        Ok(Self { scan, attributes, drop_missing })
    }
}

impl BlockStatistics {
    /// The statistics of both blocks together.
    pub fn merge(self, other: Self) -> Self {
        Self {
            rows: self.rows.saturating_add(other.rows),
            cases: self.cases.saturating_add(other.cases),
            controls: self.controls.saturating_add(other.controls),
            dropped: self.dropped.saturating_add(other.dropped),
            row_sums: fingerprint::add_sums(self.row_sums, other.row_sums),
        }
    }

    /// Encodes it as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        let [one, two] = self.row_sums;
        [self.rows, self.cases, self.controls, self.dropped, one, two]
            .iter()
            .for_each(|&it| encoder.number(it));
        encoder.into_bytes()
    }

    /// Decodes it from bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut decoder = Decoder::new(bytes, "the statistics of a block");
        let mut number = || decoder.number();
        let statistics = Self {
            rows: number()?,
            cases: number()?,
            controls: number()?,
            dropped: number()?,
            row_sums: [number()?, number()?],
        };
        let Self { rows, cases, controls, dropped, .. } = statistics;
        let largest = rows.max(cases).max(controls).max(dropped);
        if largest > MOST_ROWS {
            return Err(decoder.error());
        }
        decoder.finish()?;
        Ok(statistics)
    }
}
