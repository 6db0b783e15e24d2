//! The plan of the encoding of a distributed table.

use concause::dataset::{DatasetBuilder, Target};

use super::packing::{BlockStatistics, PackedAttribute, PackedColumns, Packing};
use super::summary::{CountedValues, PartitionSummary, ValueCounts};
use super::{CaseDefinition, SOURCE_NAME, Scan};
use crate::declaration::Declaration;
use crate::encode::legend::NoticeCollector;
use crate::encode::overrides::Overrides;
use crate::encode::plan::{AttributePlan, plan_attribute};
use crate::encode::rows::RowClass;
use crate::encode::target::{ResolvedTarget, check_varies, resolve_target};
use crate::encode::weights::Weights;
use crate::encode::{
    AttributePlans, Encoding, RowCounts, check_column_names, collect_notices, count_missing, finalise_plans,
    fingerprint, legend_entry, target_entry,
};
use crate::error::{Error, OptionError, PartitionError};
use crate::options::{EncodeOptions, MissingAs, ReadOptions};
use crate::table::cell::{MissingMarks, parse_number};
use crate::table::{Attribute, CellStore, Table};

/// The plan of the encoding of a distributed table, completed pass by pass.
#[derive(Debug)]
pub struct EncodingPlan {
    /// The attributes, without cells.
    names: Table,
    options: EncodeOptions,
    declaration: Declaration,
    scan: Scan,
    marks: MissingMarks,
    target: Option<(usize, Target)>,
    plans: AttributePlans,
    collector: NoticeCollector,
    rows_without_target: u64,
}

impl EncodingPlan {
    /// A plan for attributes with these names.
    pub fn new(
        names: &[String],
        reading: &ReadOptions,
        options: EncodeOptions,
        declaration: Declaration,
    ) -> Result<Self, Error> {
        for (option, is_given) in
            [("holdout", options.holdout.is_some()), ("weights", options.weights.is_some())]
        {
            if is_given {
                return Err(PartitionError::NeedsAllRows { option }.into());
            }
        }
        if options.bands.is_some_and(|bands| bands < 2) {
            return Err(OptionError::Bands.into());
        }
        let names = crate::read::table_without_rows(&SOURCE_NAME, names, &declaration)?;
        Overrides::new(&names, &options, &declaration)?;
        let scan = Scan::new(reading, &declaration);
        let marks = MissingMarks::new(&scan.marks);
        let (plans, collector) = Default::default();
        Ok(Self {
            names,
            options,
            declaration,
            scan,
            marks,
            target: None,
            plans,
            collector,
            rows_without_target: 0,
        })
    }

    /// The scan of the attributes that may be the target ([`EncodingPlan::target_attributes`]).
    pub fn target_scan(&self) -> &Scan {
        &self.scan
    }

    /// The names of the attributes that may be the target.
    pub fn target_attributes(&self) -> Vec<&str> {
        let written = self.options.target.as_str();
        let is_meant = |name: &&str| {
            written
                .strip_prefix(*name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['=', '>', '<']))
        };
        self.names.names().filter(is_meant).collect()
    }

    /// Determines which rows are cases, from a summary of the attributes that may be the target; returns the scan of
    /// all attributes.
    pub fn resolve_target(&mut self, summary: &PartitionSummary) -> Result<&Scan, Error> {
        if summary.attributes.len() > self.target_attributes().len() {
            return Err(Error::new(PartitionError::ColumnsDiffer).in_source(&SOURCE_NAME));
        }
        let (table, weights) = self.tabulate_target_values(summary);
        let overrides = Overrides::new(&table, &self.options, &self.declaration)?;
        let ResolvedTarget { attribute, target, rows } =
            resolve_target(&table, weights, &overrides, &self.options)?;
        let found = &table.attributes[attribute];
        let cases = match &found.cells {
            CellStore::Coded(dictionary, codes) => {
                let mut texts = Vec::new();
                codes.for_each(|row, code| {
                    if rows.classes[row] == RowClass::Case {
                        texts.push(dictionary.value(code).to_owned());
                    }
                });
                CaseDefinition::Texts(texts)
            }
            _ => CaseDefinition::Number(target.value.as_deref().and_then(parse_number).unwrap_or(f64::NAN)),
        };
        let counts = summary.attributes.iter().find(|counts| counts.name == found.name);
        self.rows_without_target = counts.map_or(0, |counts| counts.missing.iter().sum());
        self.scan.target = Some((found.name.clone(), cases));
        self.target = Some((attribute, target));
        Ok(&self.scan)
    }

    /// A table of all attributes. Those that may be the target have a weighted row for each of their values; these rows
    /// are missing in all other attributes.
    fn tabulate_target_values(&self, summary: &PartitionSummary) -> (Table, Weights) {
        let mut weights = Vec::new();
        let mut lengths = Vec::new();
        let mut found: Vec<(String, Attribute)> = Vec::new();
        for counts in &summary.attributes {
            let (attribute, rows) = counts.to_attribute(&self.scan, &self.marks);
            lengths.push(rows.classes.len());
            weights.extend((0..rows.classes.len()).map(|row| rows.weights.row_weight(row)));
            found.push((counts.name.clone(), attribute));
        }
        let mut table = self.names.without_rows();
        table.rows = weights.len() as u64;
        for (index, (name, attribute)) in found.into_iter().enumerate() {
            let before: usize = lengths[..index].iter().sum();
            let after: usize = lengths[index + 1..].iter().sum();
            let padded = attribute.pad(before, after);
            if let Some(empty) = table.attributes.iter_mut().find(|empty| empty.name == name) {
                *empty = padded;
            }
        }
        (table, Weights::new(weights))
    }

    /// Plans the columns, from a summary of all attributes; returns how to encode the rows.
    pub fn plan_columns(&mut self, summary: &PartitionSummary) -> Result<Packing, Error> {
        let Some((target_index, target)) = &self.target else {
            return Err(PartitionError::UnresolvedTarget.into());
        };
        let overrides = Overrides::new(&self.names, &self.options, &self.declaration)?;
        if summary.attributes.len() != self.names.attributes.len() {
            return Err(Error::new(PartitionError::ColumnsDiffer).in_source(&SOURCE_NAME));
        }
        let initial_plan = |(index, counts): (usize, &ValueCounts)| {
            let (attribute, rows) = counts.to_attribute(&self.scan, &self.marks);
            let initial_plan = (index != *target_index).then(|| {
                let requested = overrides.for_attribute(&attribute.name);
                let initial_plan = plan_attribute(&attribute, requested, &rows, &self.options)?;
                Ok((initial_plan, count_missing(&attribute, &rows)))
            });
            (attribute, initial_plan)
        };
        let (attributes, initial_plans): (Vec<Attribute>, Vec<_>) =
            summary.attributes.iter().enumerate().map(initial_plan).unzip();
        let plans =
            finalise_plans(self.names.names().zip(initial_plans), &self.options, &mut self.collector)?;
        check_column_names(self.names.names().zip(&plans), target)?;
        let packed = |index: usize| PackedAttribute {
            is_hashed: !matches!(
                summary.attributes[index].values,
                CountedValues::TooMany | CountedValues::Unsupported(_)
            ),
            columns: match &plans[index] {
                Some((AttributePlan::Columns(columns), _)) => {
                    Some(PackedColumns::new(columns, &attributes[index].cells))
                }
                _ => None,
            },
        };
        let attributes = (0..plans.len()).map(packed).collect();
        self.plans = plans;
        Ok(Packing {
            scan: self.scan.clone(),
            attributes,
            drop_missing: self.options.missing_as == MissingAs::Drop,
        })
    }

    /// The encoding, with a dataset without rows: these are in the packed blocks. The legend has no counts of columns.
    pub fn finish(self, statistics: &BlockStatistics) -> Result<Encoding, Error> {
        let Some((target_index, target)) = self.target else {
            return Err(PartitionError::UnresolvedTarget.into());
        };
        let BlockStatistics { cases, controls, dropped, .. } = *statistics;
        if statistics.rows != cases + controls + dropped + self.rows_without_target {
            return Err(Error::new(PartitionError::RowsDiffer).in_source(&SOURCE_NAME));
        }
        check_varies(&target, statistics.cases, statistics.controls)?;
        let names = self.names.names();
        let fingerprint = fingerprint::finish_fingerprint(
            statistics.row_sums,
            statistics.rows,
            names,
            &self.options.target,
        );
        let rows = RowCounts {
            cases: statistics.cases,
            controls: statistics.controls,
            read: statistics.rows,
            without_target: self.rows_without_target,
            dropped: statistics.dropped,
        };
        let mut builder = DatasetBuilder::new(target.clone(), Vec::new());
        let attributes_read = self.names.attributes.len();
        let target_attribute = self.names.attributes[target_index].name.clone();
        let mut legend = Vec::new();
        for (attribute, plan) in self.names.attributes.into_iter().zip(self.plans) {
            let Some((plan, missing)) = plan else { continue };
            if let AttributePlan::Columns(planned) = &plan {
                builder.add(&attribute.name, planned.data_columns(), Vec::new());
            }
            legend.push(legend_entry(attribute.name, plan, missing));
        }
        Ok(Encoding {
            dataset: builder.finish(),
            legend,
            notices: collect_notices(&self.collector, &target, &rows),
            target: target_entry(target_attribute, &target, &rows),
            searched: None,
            weighting: None,
            rows_read: statistics.rows,
            rows_without_target: self.rows_without_target,
            rows_dropped: statistics.dropped,
            attributes_read,
            fingerprint,
            target_index,
        })
    }
}
