//! Turns rows into packed blocks by plans that were made for the whole table.

use std::collections::HashMap;

use concause::count::elsewhere::Damaged;
use concause::count::elsewhere::bytes::{Reader, Writer};
use concause::dataset::{Dataset, DatasetBuilder, Target};

use super::Look;
use crate::encode::legend::AttributeKind;
use crate::encode::plan::{Columns, Places, Plan, interval};
use crate::encode::rows::{RowClass, Rows};
use crate::encode::weights::Weights;
use crate::encode::{Plans, bits, drop_rows, fingerprint};
use crate::error::Error;
use crate::table::{Attribute, Cells, Table};

/// How the rows of every part become columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Packing {
    pub(super) look: Look,
    /// By attribute, in the order of the table.
    pub(super) attributes: Vec<Packed>,
    pub(super) drop_missing: bool,
}

/// What becomes of one attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Packed {
    /// Whether its cells are part of the fingerprint: whether they would be held if all rows were in one place.
    pub is_hashed: bool,
    /// None if it gives no columns.
    pub columns: Option<PackedColumns>,
}

/// Which column of an attribute is 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PackedColumns {
    count: usize,
    /// For a missing cell.
    missing: Option<usize>,
    by: By,
}

#[derive(Clone, Debug, PartialEq)]
enum By {
    Text(HashMap<String, usize>),
    Cuts(Vec<f64>),
}

/// What is to be known of blocks beside their bits; those of all blocks add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The rows that were read.
    pub rows: u64,
    /// The cases and the controls among those that were packed.
    pub cases: u64,
    /// The controls.
    pub controls: u64,
    /// The rows left out because a cell is missing.
    pub dropped: u64,
    pub(super) lanes: [u64; 2],
}

impl PackedColumns {
    /// From a plan that was made for the cells of an attribute.
    pub fn new(columns: &Columns, cells: &Cells) -> Self {
        let count = columns.names.len();
        let (missing, by) = match (&columns.places, cells) {
            (Places::Cuts(missing), _) => (*missing, By::Cuts(columns.cuts.clone())),
            (Places::Codes(places), _) if columns.kind == AttributeKind::Continuous => {
                (places[0], By::Cuts(columns.cuts.clone()))
            }
            (Places::Codes(places), Cells::Coded(dictionary, _)) => {
                let place = |(code, text): (usize, &str)| Some((text.to_owned(), places[code]?));
                (places[0], By::Text(dictionary.iter().filter_map(place).collect()))
            }
            (Places::Codes(_), _) => (None, By::Text(HashMap::new())),
        };
        Self { count, missing, by }
    }

    /// The plan for the cells of a part.
    fn plan(&self, cells: &Cells) -> Columns {
        let place = |code: usize, text: &str, number: Option<f64>| match &self.by {
            _ if code == 0 => self.missing,
            By::Text(places) => places.get(text).copied(),
            By::Cuts(cuts) => number.map(|number| interval(cuts, number)),
        };
        let places = match cells {
            Cells::Coded(dictionary, _) => {
                let of_values =
                    dictionary.iter().map(|(code, text)| place(code, text, dictionary.number(code)));
                Places::Codes(std::iter::once(self.missing).chain(of_values).collect())
            }
            _ => Places::Cuts(self.missing),
        };
        let cuts = match &self.by {
            By::Cuts(cuts) => cuts.clone(),
            By::Text(_) => Vec::new(),
        };
        let names = vec![(String::new(), String::new()); self.count];
        Columns { kind: AttributeKind::Nominal, names, places, cuts }
    }

    fn write(&self, writer: &mut Writer) {
        let write_place =
            |place: Option<usize>, writer: &mut Writer| writer.length(place.map_or(0, |place| place + 1));
        writer.length(self.count);
        write_place(self.missing, writer);
        match &self.by {
            By::Text(places) => {
                writer.number(0);
                writer.length(places.len());
                for (text, &place) in places {
                    writer.text(text);
                    writer.length(place);
                }
            }
            By::Cuts(cuts) => {
                writer.number(1);
                writer.length(cuts.len());
                cuts.iter().for_each(|&cut| writer.float(cut));
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Damaged> {
        let count = reader.length()?;
        let missing = reader.length()?.checked_sub(1);
        let by = match reader.number()? {
            0 => {
                let places = reader.list(|reader| Ok((reader.text()?, reader.length()?)))?;
                By::Text(places.into_iter().collect())
            }
            1 => By::Cuts(reader.list(Reader::float)?),
            _ => return Err(reader.damaged()),
        };
        let fits = |place: usize| place < count;
        let all_fit = match &by {
            By::Text(places) => places.values().all(|&place| fits(place)),
            By::Cuts(cuts) => fits(cuts.len()),
        };
        if !all_fit || !missing.is_none_or(fits) {
            return Err(reader.damaged());
        }
        Ok(Self { count, missing, by })
    }
}

impl Packing {
    /// Packs a part.
    #[cfg(feature = "arrow")]
    pub fn pack(&self, batches: impl arrow_array::RecordBatchReader) -> Result<(Facts, Vec<u8>), Error> {
        let part = self.look.read(batches)?;
        let (facts, rows) = self.encode(part)?;
        Ok((facts, rows.pack()))
    }

    pub(super) fn encode(&self, mut part: Table) -> Result<(Facts, Dataset), Error> {
        if part.attributes.len() != self.attributes.len() {
            return Err(Error::source(&super::NAME, "a part has other columns than the others"));
        }
        let mut rows = Rows::new(self.look.classes(&part)?, Weights::default());
        for (attribute, packed) in part.attributes.iter_mut().zip(&self.attributes) {
            if !packed.is_hashed {
                attribute.cells = Cells::TooMany;
            }
        }
        let attributes: Vec<&Attribute> = part.attributes.iter().collect();
        let lanes = fingerprint::lanes(&attributes, part.rows, &rows.weights);
        let plan = |(attribute, packed): (&Attribute, &Packed)| {
            packed.columns.as_ref().map(|columns| (Plan::Columns(columns.plan(&attribute.cells)), 0))
        };
        let plans: Plans = part.attributes.iter().zip(&self.attributes).map(plan).collect();
        let dropped = if self.drop_missing { drop_rows(&part, &plans, &mut rows) } else { 0 };
        let kept = rows.classes.iter().filter(|&&class| class != RowClass::LeftOut);
        let target = Target { name: String::new(), value: None };
        let mut builder = DatasetBuilder::new(target, kept.map(|&class| class == RowClass::Case).collect());
        for (attribute, plan) in part.attributes.iter().zip(&plans) {
            let Some((Plan::Columns(columns), _)) = plan else { continue };
            let names = vec![String::new(); columns.names.len()];
            let bits = bits(&builder, &attribute.cells, columns, &rows.classes).unwrap_or_default();
            builder.add("", names, bits);
        }
        let (cases, controls) = (rows.count(RowClass::Case), rows.count(RowClass::Control));
        Ok((Facts { rows: part.rows, cases, controls, dropped, lanes }, builder.finish()))
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.look.write(&mut writer);
        writer.number(self.drop_missing.into());
        writer.length(self.attributes.len());
        for Packed { is_hashed, columns } in &self.attributes {
            writer.number((*is_hashed).into());
            writer.number(columns.is_some().into());
            columns.iter().for_each(|columns| columns.write(&mut writer));
        }
        writer.0
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut reader = Reader::new(bytes, "a packing");
        let look = Look::read_from(&mut reader)?;
        let drop_missing = reader.number()? == 1;
        let attributes = reader.list(|reader| {
            let is_hashed = reader.number()? == 1;
            let columns = if reader.number()? == 1 { Some(PackedColumns::read(reader)?) } else { None };
            Ok(Packed { is_hashed, columns })
        })?;
        reader.end()?;
        Ok(Self { look, attributes, drop_missing })
    }
}

impl Facts {
    /// Those of the blocks of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            cases: self.cases + other.cases,
            controls: self.controls + other.controls,
            dropped: self.dropped + other.dropped,
            lanes: fingerprint::add(self.lanes, other.lanes),
        }
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        let [one, two] = self.lanes;
        [self.rows, self.cases, self.controls, self.dropped, one, two]
            .iter()
            .for_each(|&it| writer.number(it));
        writer.0
    }

    /// From bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut reader = Reader::new(bytes, "facts of a block");
        let mut number = || reader.number();
        let facts = Self {
            rows: number()?,
            cases: number()?,
            controls: number()?,
            dropped: number()?,
            lanes: [number()?, number()?],
        };
        reader.end()?;
        Ok(facts)
    }
}
