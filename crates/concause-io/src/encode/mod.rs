//! From a [`Table`] to the binary columns of a [`Dataset`], with a legend.
//!
//! First every attribute gets a plan (its kind and its columns), then the rows to keep are determined, then the
//! attributes are encoded one by one. This module knows nothing of files and nothing of the search.

mod apply;
mod bands;
mod cut_points;
mod fingerprint;
mod identifiers;
mod legend;
// Partitions arrive as Arrow batches; without the feature nothing calls this module.
mod export;
mod overrides;
#[cfg(feature = "remote")]
pub mod partitions;
mod plan;
mod rows;
mod target;
mod weights;

use std::collections::HashMap;
use std::io::{self, Write};

use concause::dataset::{BLOCK_BITS, Block, Column, Dataset, DatasetBuilder, Target};
use rayon::prelude::*;

pub use apply::apply_declaration;
pub use legend::{AttributeKind, LegendColumn, LegendEntry, Notice};
pub use weights::Weighting;

use self::legend::{NoticeCollector, OmissionReason, TypeGuess};
use self::overrides::Overrides;
use self::plan::{
    AttributePlan, ColumnLookup, PlannedColumn, PlannedColumns, interval_index, plan_attribute,
};
use self::rows::{RowClass, Rows};
use self::target::{ResolvedTarget, resolve_target};
use self::weights::{Weights, extract_weights};
use crate::declaration::Declaration;
use crate::error::{ColumnError, Error, ErrorKind, LimitError, OptionError};
use crate::options::{EncodeOptions, MissingAs};
use crate::table::{Attribute, CellStore, Codes, Table};

/// The encoded data, and how it was encoded.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The binary columns, with the rows split by the target.
    pub dataset: Dataset,
    /// How every attribute except the target was encoded, in data order.
    pub legend: Vec<LegendEntry>,
    /// How the target was encoded; its single column is 1 in the cases.
    pub target: LegendEntry,
    /// Sentences for the user about what was left out or guessed.
    pub notices: Vec<Notice>,
    /// The rows that the search may use, a bitmap in the layout of the data; `None` if it may use all.
    pub searched: Option<Vec<Block>>,
    /// The totals of the weights, if the rows have weights. All numbers of rows below, in the legend and in the notices
    /// are weighted.
    pub weighting: Option<Weighting>,
    /// The rows of the table.
    pub rows_read: u64,
    /// The rows left out because the target is missing.
    pub rows_without_target: u64,
    /// The rows left out because another cell is missing ([`MissingAs::Drop`]).
    pub rows_dropped: u64,
    /// The attributes of the table, the target included.
    pub attributes_read: usize,
    /// 32 hexadecimal digits that are equal for two runs on the same table and target. They do not depend on the order
    /// of the rows, the file format or the machine; weights are equivalent to repeated rows.
    pub fingerprint: String,
    /// The index of the target among the attributes of the table.
    target_index: usize,
}

impl Encoding {
    /// This encoding as a [`Declaration`] in TOML: types, values and cut points of all attributes, in data order.
    /// It does not include the layout of the text (header, delimiter).
    pub fn declaration(&self) -> String {
        let (before, after) = self.legend.split_at(self.target_index.min(self.legend.len()));
        let attributes = before.iter().chain(std::iter::once(&self.target)).chain(after);
        export::write_declaration(attributes, &self.target.attribute)
    }

    /// Writes the encoded table as CSV of 0 and 1 with the target as its last column. The rows are in the order of the
    /// dataset: the cases first, then the controls, each in the order of reading.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        export::write_csv(&self.dataset, out)
    }
}

impl Table {
    /// Encodes the table as binary columns with default options. The target is `NAME` of a binary attribute, or
    /// `NAME=VALUE`.
    ///
    /// ```
    /// let table = concause_io::read_text("smoker,wind,fire\nyes,low,1\nno,high,0\nyes,high,1\n")?;
    /// let encoding = table.encode_for("fire")?;
    /// assert_eq!(encoding.dataset.rows(), 3);
    /// # Ok::<(), concause_io::Error>(())
    /// ```
    pub fn encode_for(self, target: &str) -> Result<Encoding, Error> {
        let options = EncodeOptions { target: target.to_owned(), ..EncodeOptions::default() };
        encode(self, &options, &Declaration::default())
    }
}

/// Encodes a table as binary columns.
///
/// Cut points are determined on all rows with a target value that are not held out, before [`MissingAs::Drop`] drops
/// any row. An attribute that is left out therefore costs no rows.
pub fn encode(
    mut table: Table,
    options: &EncodeOptions,
    declaration: &Declaration,
) -> Result<Encoding, Error> {
    if options.bands.is_some_and(|bands| bands < 2) {
        return Err(OptionError::Bands.into());
    }
    let overrides = Overrides::new(&table, options, declaration)?;
    let (weights, weighting) = match &options.weights {
        Some(name) => {
            extract_weights(&mut table, name, &overrides).map(|(weights, totals)| (weights, Some(totals)))?
        }
        None => (Weights::default(), None),
    };
    let mut resolved = resolve_target(&table, weights, &overrides, options)?;
    let holds_weights = |attribute: &Attribute| options.weights.as_ref() == Some(&attribute.name);
    let hashed: Vec<&Attribute> =
        table.attributes.iter().filter(|attribute| !holds_weights(attribute)).collect();
    let fingerprint =
        fingerprint::compute_fingerprint(&hashed, table.rows, &resolved.rows.weights, &options.target);
    if let Some(holdout) = options.holdout {
        resolved.rows.hold_out(holdout);
    }
    let mut collector = NoticeCollector::default();
    let plan_with = |options: &EncodeOptions| -> Vec<InitialPlan> {
        let plan = |(position, attribute): (usize, &Attribute)| {
            (position != resolved.attribute).then(|| {
                let initial_plan = if holds_weights(attribute) {
                    let (kind, reason) = (AttributeKind::Ignored, OmissionReason::Weights);
                    (AttributePlan::LeftOut { kind, reason }, None)
                } else {
                    let requested = overrides.for_attribute(&attribute.name);
                    plan_attribute(attribute, requested, &resolved.rows, options)?
                };
                Ok((initial_plan, count_missing(attribute, &resolved.rows)))
            })
        };
        table.attributes.par_iter().enumerate().map(plan).collect()
    };
    let mut initial_plans = plan_with(options);
    if let Some(bands) = affordable_bands(&initial_plans).filter(|_| options.bands.is_none()) {
        collector.set_fewer_bands(bands);
        initial_plans = plan_with(&EncodeOptions { bands: Some(bands), ..options.clone() });
    }
    let plans = finalise_plans(table.names().zip(initial_plans), options, &mut collector)?;
    let rows_without_target = resolved.count(RowClass::LeftOut);
    let mut rows_dropped = 0;
    if options.missing_as == MissingAs::Drop {
        rows_dropped = drop_rows(&table, &plans, &mut resolved.rows);
        resolved.check_varies()?;
    }
    if let Some(holdout) = options.holdout {
        resolved.check_holdout(holdout.share)?;
    }
    check_column_names(table.names().zip(&plans), &resolved.target)?;
    let reading_notices: Vec<Notice> = table.notices.drain(..).map(Notice::new).collect();
    let attribute_names: Vec<String> = table.names().map(str::to_owned).collect();
    let (rows_read, attributes_read) = (resolved.rows.weights.total(table.rows), table.attributes.len());
    let (dataset, searched, mut legend) = build_dataset(table, plans, &resolved, options.max_memory)?;
    legend.iter_mut().for_each(|entry| entry.columns.shrink_to_fit());

    let rows = RowCounts {
        cases: resolved.count(RowClass::Case),
        controls: resolved.count(RowClass::Control),
        read: rows_read,
        without_target: rows_without_target,
        dropped: rows_dropped,
    };
    let target = target_entry(attribute_names[resolved.attribute].clone(), &resolved.target, &rows);
    let mut notices = collect_notices(&collector, &resolved.target, &rows);
    notices.splice(1..1, reading_notices);
    if let Some(weighting) = &weighting {
        notices.insert(0, weights_notice(weighting));
    }
    Ok(Encoding {
        dataset,
        legend,
        target,
        notices,
        searched,
        weighting,
        rows_read,
        rows_without_target,
        rows_dropped,
        attributes_read,
        fingerprint,
        target_index: resolved.attribute,
    })
}

/// With more columns than this, ordered attributes have fewer bands: the search counts all pairs of columns.
const MANY_COLUMNS: usize = 4_000;

/// The fewest bands to which the number of columns reduces them.
const FEWEST_BANDS: usize = 4;

/// The largest number of bands with which the columns of ordered attributes are not too many; `None` if they are not.
fn affordable_bands(plans: &[InitialPlan]) -> Option<usize> {
    let columns = plans.iter().filter_map(|plan| match plan {
        Some(Ok(((AttributePlan::Columns(planned), _), _))) => {
            Some((planned.columns.len(), planned.thresholds))
        }
        _ => None,
    });
    let (mut others, mut thresholds, mut ordered) = (0, 0, 0);
    for (all, own) in columns {
        others += all - own;
        thresholds += own;
        ordered += usize::from(own > 0);
    }
    let is_many = ordered > 0 && thresholds > FEWEST_BANDS * ordered && others + thresholds > MANY_COLUMNS;
    is_many.then(|| (MANY_COLUMNS.saturating_sub(others) / ordered + 1).max(FEWEST_BANDS))
}

/// The plan of each attribute except the target, with the number of its missing cells.
type AttributePlans = Vec<Option<(AttributePlan, u64)>>;

/// A plan with the guess about the type and the number of missing cells of its attribute; nothing for the target.
type InitialPlan = Option<Result<((AttributePlan, Option<TypeGuess>), u64), Error>>;

/// Adds columns of missing cells to the plans and collects the notices about them.
fn finalise_plans<'a>(
    initial_plans: impl Iterator<Item = (&'a str, InitialPlan)>,
    options: &EncodeOptions,
    collector: &mut NoticeCollector,
) -> Result<AttributePlans, Error> {
    let mut plans = Vec::new();
    for (attribute, initial_plan) in initial_plans {
        let Some(((mut plan, guess), missing)) = initial_plan.transpose()? else {
            plans.push(None);
            continue;
        };
        match &mut plan {
            AttributePlan::LeftOut { reason, .. } => collector.add_omission(reason, attribute),
            AttributePlan::Columns(columns) if options.missing_as == MissingAs::Level && missing > 0 => {
                add_missing_column(attribute, columns);
            }
            AttributePlan::Columns(_) if options.missing_as == MissingAs::Zero && missing > 0 => {
                collector.add_missing_as_zero(attribute, missing);
            }
            AttributePlan::Columns(_) => {}
        }
        if let AttributePlan::Columns(PlannedColumns { columns, pooled, .. }) = &plan
            && let (Some(other), false) =
                (columns.last().and_then(|column| column.value.as_deref()), pooled.is_empty())
        {
            collector.add_pooled(attribute, pooled.len(), other);
        }
        if let Some(guess) = guess {
            collector.add_guess(guess, attribute);
        }
        plans.push(Some((plan, missing)));
    }
    Ok(plans)
}

/// The reported numbers of rows.
struct RowCounts {
    cases: u64,
    controls: u64,
    read: u64,
    without_target: u64,
    dropped: u64,
}

/// All notices except that about weights.
fn collect_notices(collector: &NoticeCollector, target: &Target, rows: &RowCounts) -> Vec<Notice> {
    let RowCounts { read, without_target, dropped, .. } = rows;
    let mut notices = collector.notices();
    notices.insert(0, target_notice(target, rows));
    if *without_target > 0 {
        let sentence = format!("{without_target} of {read} rows have no target value and are left out");
        notices.insert(1, Notice::new(sentence));
    }
    notices.extend(collector.missing_notice(read - without_target));
    if *dropped > 0 {
        let sentence =
            format!("{dropped} of {read} rows have a missing value and are left out, as requested");
        notices.push(Notice::new(sentence));
    }
    notices
}

fn count_missing(attribute: &Attribute, rows: &Rows) -> u64 {
    let mut missing = 0;
    match &attribute.cells {
        CellStore::Coded(_, codes) => {
            codes.for_each(|row, code| missing += if code == 0 { rows.kept_weight(row) } else { 0 });
        }
        CellStore::Numbers(numbers) => {
            let absent = numbers.iter().enumerate().filter(|(_, number)| number.is_nan());
            missing = absent.map(|(row, _)| rows.kept_weight(row)).sum();
        }
        CellStore::TooMany | CellStore::Unsupported(_) => {}
    }
    missing
}

fn add_missing_column(attribute: &str, planned: &mut PlannedColumns) {
    let mut name = format!("{attribute}=missing");
    let mut number = 2;
    while planned.columns.iter().any(|planned| planned.column.name == name) {
        name = format!("{attribute}=missing {number}");
        number += 1;
    }
    let index = planned.columns.len();
    let column = Column::new(name, format!("{attribute} is known"));
    planned.columns.push(PlannedColumn::new(column, format!("{attribute} has no value")));
    match &mut planned.lookup {
        ColumnLookup::Codes(indices) => indices[0] = Some(index),
        ColumnLookup::Cuts(missing) => *missing = Some(index),
    }
}

/// Leaves out the rows with a missing cell in an encoded attribute; returns their number.
fn drop_rows(table: &Table, plans: &AttributePlans, rows: &mut Rows) -> u64 {
    let before = rows.count(RowClass::LeftOut);
    let classes = &mut rows.classes;
    for (attribute, plan) in table.attributes.iter().zip(plans) {
        if !matches!(plan, Some((AttributePlan::Columns(_), _))) {
            continue;
        }
        match &attribute.cells {
            CellStore::Coded(_, codes) => codes.for_each(|row, code| {
                if code == 0 {
                    classes[row] = RowClass::LeftOut;
                }
            }),
            CellStore::Numbers(numbers) => {
                for (class, number) in classes.iter_mut().zip(numbers) {
                    if number.is_nan() {
                        *class = RowClass::LeftOut;
                    }
                }
            }
            CellStore::TooMany | CellStore::Unsupported(_) => {}
        }
    }
    rows.count(RowClass::LeftOut) - before
}

/// Fails if two columns have the same name or there is no column.
fn check_column_names<'a>(
    plans: impl Iterator<Item = (&'a str, &'a Option<(AttributePlan, u64)>)>,
    target: &'a Target,
) -> Result<(), Error> {
    let label = target.label();
    let mut owners: HashMap<&str, &str> = HashMap::from([(label.as_str(), target.name.as_str())]);
    for (attribute, plan) in plans {
        let Some((AttributePlan::Columns(planned), _)) = plan else { continue };
        for column in &planned.columns {
            let name = &column.column.name;
            if let Some(owner) = owners.insert(name, attribute) {
                let (first, second) = (owner.to_owned(), attribute.to_owned());
                return Err(ColumnError::DuplicateName { first, second, column: name.clone() }.into());
            }
        }
    }
    if owners.len() == 1 {
        return Err(ErrorKind::NoUsableColumns.into());
    }
    Ok(())
}

/// The data, the rows that the search may use unless it may use all, and the legend.
type BuiltDataset = (Dataset, Option<Vec<Block>>, Vec<LegendEntry>);

/// Encodes the attributes.
fn build_dataset(
    table: Table,
    plans: AttributePlans,
    resolved: &ResolvedTarget,
    max_memory: Option<u64>,
) -> Result<BuiltDataset, Error> {
    check_memory(&plans, resolved, max_memory)?;
    let Rows { classes, weights, .. } = &resolved.rows;
    let kept = || (0..classes.len()).filter(|&row| classes[row] != RowClass::LeftOut);
    let cases = kept().map(|row| classes[row] == RowClass::Case).collect();
    let mut builder = DatasetBuilder::weighted(resolved.target.clone(), cases, weights.select(kept()));
    let planned: Vec<(Attribute, AttributePlan, u64)> = table
        .attributes
        .into_iter()
        .zip(plans)
        .filter_map(|(attribute, plan)| plan.map(|(plan, missing)| (attribute, plan, missing)))
        .collect();
    let bits: Vec<Option<Vec<Block>>> = planned
        .par_iter()
        .map(|(attribute, plan, _)| match plan {
            AttributePlan::LeftOut { .. } => None,
            AttributePlan::Columns(planned) => build_bits(&builder, &attribute.cells, planned, classes),
        })
        .collect();
    let mut legend = Vec::with_capacity(planned.len());
    for ((Attribute { name, .. }, plan, missing), bits) in planned.into_iter().zip(bits) {
        if let (AttributePlan::Columns(planned), Some(bits)) = (&plan, bits) {
            builder.add(&name, planned.data_columns(), bits);
        }
        legend.push(legend_entry(name, plan, missing));
    }
    let searched = resolved.rows.searched_weights().map(|rows| builder.mask(rows));
    let dataset = builder.finish();
    let mut entries: Vec<_> =
        legend.iter_mut().flat_map(|entry: &mut LegendEntry| &mut entry.columns).enumerate().collect();
    entries.par_iter_mut().for_each(|(number, entry)| {
        let (cases, controls) = dataset.bits(*number).split_at(dataset.layout().positive_blocks());
        entry.ones_positive = count_ones(cases);
        entry.ones = entry.ones_positive + count_ones(controls);
    });
    Ok((dataset, searched, legend))
}

/// The legend of an attribute; the counts of its columns are still 0.
fn legend_entry(attribute: String, plan: AttributePlan, missing: u64) -> LegendEntry {
    match plan {
        AttributePlan::LeftOut { kind, reason } => {
            LegendEntry { missing, note: Some(reason.note()), ..LegendEntry::new(attribute, kind) }
        }
        AttributePlan::Columns(PlannedColumns { kind, columns, cuts, values, pooled, .. }) => {
            let column = |PlannedColumn { column, meaning, value }| LegendColumn {
                name: column.name,
                meaning,
                value,
                ones: 0,
                ones_positive: 0,
            };
            let columns = columns.into_iter().map(column).collect();
            LegendEntry { columns, missing, cuts, values, pooled, ..LegendEntry::new(attribute, kind) }
        }
    }
}

/// The bitmaps of the columns of one attribute.
fn build_bits(
    builder: &DatasetBuilder,
    cells: &CellStore,
    planned: &PlannedColumns,
    classes: &[RowClass],
) -> Option<Vec<Block>> {
    let count = planned.columns.len();
    let mut bits = match (cells, &planned.lookup) {
        (CellStore::Coded(_, codes), ColumnLookup::Codes(indices)) => match codes {
            Codes::Booleans(booleans) => builder
                .bits(count, kept_rows(booleans.codes_from(0), classes).map(|code| indices[code as usize])),
            Codes::One(codes) => {
                builder.bits(count, kept_rows(codes, classes).map(|&code| indices[usize::from(code)]))
            }
            Codes::Two(codes) => {
                builder.bits(count, kept_rows(codes, classes).map(|&code| indices[usize::from(code)]))
            }
            Codes::Four(codes) => {
                builder.bits(count, kept_rows(codes, classes).map(|&code| indices[code as usize]))
            }
        },
        (CellStore::Numbers(numbers), ColumnLookup::Cuts(missing)) => {
            let index = |&number: &f64| match number {
                number if number.is_nan() => *missing,
                number => planned.column_of_band(interval_index(&planned.cuts, number)),
            };
            builder.bits(count, kept_rows(numbers, classes).map(index))
        }
        _ => return None,
    };
    builder.accumulate(&mut bits, planned.thresholds);
    Some(bits)
}

/// The cells of the rows that are not left out.
fn kept_rows<T>(cells: impl IntoIterator<Item = T>, classes: &[RowClass]) -> impl Iterator<Item = T> {
    let rows = cells.into_iter().zip(classes);
    rows.filter(|&(_, &class)| class != RowClass::LeftOut).map(|(cell, _)| cell)
}

fn count_ones(blocks: &[Block]) -> u64 {
    blocks.iter().flat_map(|block| block.0).map(|word| u64::from(word.count_ones())).sum()
}

/// The bytes that weighted rows may take without an explicit limit: a wrong column of weights could request any amount
/// of memory, and a search of hours.
const MAX_WEIGHTED_BYTES: u64 = 1 << 30;

/// The bytes that a search needs for each row that a weight stands for, besides the encoded columns.
const BYTES_PER_WEIGHTED_ROW: u64 = 4;

fn check_memory(
    plans: &AttributePlans,
    resolved: &ResolvedTarget,
    max_memory: Option<u64>,
) -> Result<(), Error> {
    let is_weighted = resolved.rows.weights.are_given();
    let Some(limit) = max_memory.or(is_weighted.then_some(MAX_WEIGHTED_BYTES)) else { return Ok(()) };
    let columns: u64 = plans
        .iter()
        .flatten()
        .map(|(plan, _)| match plan {
            AttributePlan::Columns(planned) => planned.columns.len() as u64,
            AttributePlan::LeftOut { .. } => 0,
        })
        .sum();
    let blocks = |class| resolved.count(class).div_ceil(BLOCK_BITS);
    let blocks = blocks(RowClass::Case) + blocks(RowClass::Control);
    let mut bytes = columns * blocks * size_of::<Block>() as u64;
    if is_weighted {
        bytes += blocks * BLOCK_BITS * BYTES_PER_WEIGHTED_ROW;
    }
    if bytes <= limit {
        return Ok(());
    }
    Err(LimitError::Columns { columns, bytes, limit, weighted: is_weighted }.into())
}

fn target_entry(attribute: String, target: &Target, rows: &RowCounts) -> LegendEntry {
    let (kind, meaning) = match &target.value {
        Some(value) => (AttributeKind::Nominal, format!("{} is {value}", target.name)),
        None => (AttributeKind::Binary, format!("{} is true", target.name)),
    };
    let column = LegendColumn {
        name: target.label(),
        meaning,
        value: target.value.clone(),
        ones: rows.cases,
        ones_positive: rows.cases,
    };
    LegendEntry { columns: vec![column], missing: rows.without_target, ..LegendEntry::new(attribute, kind) }
}

fn target_notice(target: &Target, rows: &RowCounts) -> Notice {
    let RowCounts { cases, controls, .. } = rows;
    let meaning = match &target.value {
        Some(value) => format!("{:?} is {value:?}", target.name),
        None => format!("{:?} is true", target.name),
    };
    Notice::new(format!("the target is 1 where {meaning}: {cases} rows with 1, {controls} with 0"))
}

fn weights_notice(weighting: &Weighting) -> Notice {
    let Weighting { attribute, rows_read, rows_left_out, total } = weighting;
    let left_out = match rows_left_out {
        0 => String::new(),
        rows => format!("; left out with a weight of 0: {rows}"),
    };
    Notice::new(format!("{rows_read} rows represent {total} rows by the weights in {attribute:?}{left_out}"))
}
