//! The encoding of a table whose rows lie in many places, as it comes about.

use concause::dataset::{DatasetBuilder, Target};

use super::packing::{Facts, Packed, PackedColumns, Packing};
use super::summary::{Held, Summary, Tally};
use super::{Cases, Look, NAME};
use crate::declaration::Declaration;
use crate::encode::legend::Remarks;
use crate::encode::plan::{Plan, plan};
use crate::encode::rows::RowClass;
use crate::encode::target::{Outcome, check_varies, resolve};
use crate::encode::wishes::Wishes;
use crate::encode::{
    Encoding, Plans, RowsFound, check_names, count_missing, entry, fingerprint, notices, settle, target_entry,
};
use crate::error::Error;
use crate::options::{EncodeOptions, MissingAs, ReadOptions};
use crate::table::word::{MissingMarks, number};
use crate::table::{Attribute, Cells, Table};

/// The encoding of a table whose rows lie in many places: what is known of it so far.
#[derive(Debug)]
pub struct Outline {
    /// The attributes, without cells.
    names: Table,
    options: EncodeOptions,
    declaration: Declaration,
    look: Look,
    marks: MissingMarks,
    target: Option<(usize, Target)>,
    plans: Plans,
    remarks: Remarks,
    rows_without_target: u64,
}

impl Outline {
    /// Begins with the names of the attributes and what is wanted of them.
    pub fn new(
        names: &[String],
        reading: &ReadOptions,
        options: EncodeOptions,
        declaration: Declaration,
    ) -> Result<Self, Error> {
        for (wish, is_there) in
            [("holdout", options.holdout.is_some()), ("weights", options.weights.is_some())]
        {
            if is_there {
                return Err(Error::request(format!(
                    "--{wish} needs all rows on one machine; leave it out, or use a sample of the rows"
                )));
            }
        }
        if options.bins.is_some_and(|bins| bins < 2) {
            return Err(Error::request("--bins must be at least 2"));
        }
        let names = crate::read::named(&NAME, names, &declaration)?;
        Wishes::new(&names, &options, &declaration)?;
        let look = Look::new(reading, &declaration);
        let marks = MissingMarks::new(&look.marks);
        let (plans, remarks) = Default::default();
        Ok(Self {
            names,
            options,
            declaration,
            look,
            marks,
            target: None,
            plans,
            remarks,
            rows_without_target: 0,
        })
    }

    /// How to look at the attributes that may be the target ([`Outline::target_attributes`]).
    pub fn first_look(&self) -> &Look {
        &self.look
    }

    /// The names of the attributes that the target may mean.
    pub fn target_attributes(&self) -> Vec<&str> {
        let written = self.options.target.as_str();
        let is_meant = |name: &&str| {
            written.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        self.names.names().filter(is_meant).collect()
    }

    /// Finds out which rows are cases, from a summary of the attributes that the target may mean; returns how to look at all
    /// attributes.
    pub fn resolve(&mut self, summary: &Summary) -> Result<&Look, Error> {
        let (table, classes) = self.values_of_target(summary);
        let wishes = Wishes::new(&table, &self.options, &self.declaration)?;
        let Outcome { attribute, target, rows } = resolve(&table, classes, &wishes, &self.options)?;
        let found = &table.attributes[attribute];
        let cases = match &found.cells {
            Cells::Coded(dictionary, codes) => {
                let mut texts = Vec::new();
                codes.for_each(|row, code| {
                    if rows.classes[row] == RowClass::Case {
                        texts.push(dictionary.value(code).to_owned());
                    }
                });
                Cases::Texts(texts)
            }
            _ => Cases::Number(target.value.as_deref().and_then(number).unwrap_or(f64::NAN)),
        };
        let tally = summary.attributes.iter().find(|tally| tally.name == found.name);
        self.rows_without_target = tally.map_or(0, |tally| tally.missing.iter().sum());
        self.look.target = Some((found.name.clone(), cases));
        self.target = Some((attribute, target));
        Ok(&self.look)
    }

    /// All attributes, of which those that the target may mean have a row for each of their values, one after the other.
    fn values_of_target(&self, summary: &Summary) -> (Table, crate::encode::weights::Weights) {
        let mut weights = Vec::new();
        let mut lengths = Vec::new();
        let mut found: Vec<(String, Attribute)> = Vec::new();
        for tally in &summary.attributes {
            let (attribute, rows) = tally.attribute(&self.look, &self.marks);
            lengths.push(rows.classes.len());
            weights.extend((0..rows.classes.len()).map(|row| rows.weights.of(row)));
            found.push((tally.name.clone(), attribute));
        }
        let mut table = self.names.without_rows();
        table.rows = weights.len() as u64;
        for (place, (name, attribute)) in found.into_iter().enumerate() {
            let before: usize = lengths[..place].iter().sum();
            let after: usize = lengths[place + 1..].iter().sum();
            let padded = attribute.padded(before, after);
            if let Some(held) = table.attributes.iter_mut().find(|held| held.name == name) {
                *held = padded;
            }
        }
        (table, crate::encode::weights::Weights::new(weights))
    }

    /// Settles the columns, from a summary of all attributes; returns how to encode the rows.
    pub fn plan(&mut self, summary: &Summary) -> Result<Packing, Error> {
        let Some((target_place, target)) = &self.target else {
            return Err(Error::request("the target is not known yet"));
        };
        let wishes = Wishes::new(&self.names, &self.options, &self.declaration)?;
        if summary.attributes.len() != self.names.attributes.len() {
            return Err(Error::source(&NAME, "a part has other columns than the others"));
        }
        let made = |(place, tally): (usize, &Tally)| {
            let (attribute, rows) = tally.attribute(&self.look, &self.marks);
            let made = (place != *target_place).then(|| {
                let made = plan(&attribute, wishes.of(&attribute.name), &rows, &self.options)?;
                Ok((made, count_missing(&attribute, &rows)))
            });
            (attribute, made)
        };
        let (attributes, made): (Vec<Attribute>, Vec<_>) =
            summary.attributes.iter().enumerate().map(made).unzip();
        let plans = settle(self.names.names().zip(made), &self.options, &mut self.remarks)?;
        check_names(self.names.names().zip(&plans), target)?;
        let packed = |place: usize| Packed {
            is_hashed: !matches!(summary.attributes[place].held, Held::TooMany | Held::Unsupported(_)),
            columns: match &plans[place] {
                Some((Plan::Columns(columns), _)) => {
                    Some(PackedColumns::new(columns, &attributes[place].cells))
                }
                _ => None,
            },
        };
        let attributes = (0..plans.len()).map(packed).collect();
        self.plans = plans;
        Ok(Packing {
            look: self.look.clone(),
            attributes,
            drop_missing: self.options.missing_as == MissingAs::Drop,
        })
    }

    /// The encoding, with a dataset that has no rows: these are where they were packed. How often columns are 1 is not told.
    pub fn finish(self, facts: &Facts) -> Result<Encoding, Error> {
        let Some((target_place, target)) = self.target else {
            return Err(Error::request("the target is not known yet"));
        };
        check_varies(&target, facts.cases, facts.controls)?;
        let names = self.names.names();
        let fingerprint = fingerprint::finish(facts.lanes, facts.rows, names, &self.options.target);
        let rows = RowsFound {
            cases: facts.cases,
            controls: facts.controls,
            read: facts.rows,
            without_target: self.rows_without_target,
            dropped: facts.dropped,
        };
        let mut builder = DatasetBuilder::new(target.clone(), Vec::new());
        let attributes_read = self.names.attributes.len();
        let mut legend = Vec::new();
        for (attribute, plan) in self.names.attributes.into_iter().zip(self.plans) {
            let Some((plan, missing)) = plan else { continue };
            if let Plan::Columns(columns) = &plan {
                let names = columns.names.iter().map(|(name, _)| name.clone()).collect();
                builder.add(&attribute.name, names, Vec::new());
            }
            legend.push(entry(attribute.name, plan, missing));
        }
        Ok(Encoding {
            dataset: builder.finish(),
            legend,
            notices: notices(&self.remarks, &target, &rows),
            target: target_entry(&target, &rows),
            searched: None,
            weighting: None,
            rows_read: facts.rows,
            rows_without_target: self.rows_without_target,
            rows_dropped: facts.dropped,
            attributes_read,
            fingerprint,
            target_place,
        })
    }
}
