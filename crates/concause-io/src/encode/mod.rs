//! From a [`Table`] to the binary columns of a [`Dataset`], with a legend of what they mean.
//!
//! First every attribute gets a plan (its kind and its columns), then the rows are settled, then the
//! attributes are encoded one by one, each giving its cells free. This module knows nothing of files and
//! nothing of what will be sought in the columns.

mod apply;
mod cuts;
mod fingerprint;
mod legend;
// Parts come as batches of Arrow; without these nothing calls what is made of them.
#[cfg_attr(not(feature = "arrow"), allow(dead_code, unused_imports))]
pub mod parts;
mod plan;
mod rows;
mod target;
mod weights;
mod wishes;
mod written;

use std::collections::HashMap;
use std::io::{self, Write};

use concause::dataset::{BLOCK_BITS, Block, Dataset, DatasetBuilder, Target};
use rayon::prelude::*;

pub use apply::apply;
pub use legend::{AttributeKind, LegendColumn, LegendEntry, Notice};
pub use weights::Weighting;

use self::legend::{Guess, Reason, Remarks};
use self::plan::{Columns, Places, Plan, interval, plan};
use self::rows::{RowClass, Rows};
use self::target::Outcome;
use self::weights::Weights;
use self::wishes::Wishes;
use crate::declaration::Declaration;
use crate::error::Error;
use crate::options::{EncodeOptions, MissingAs};
use crate::table::{Attribute, Cells, Codes, Table};

/// The encoded data and all there is to say about how it came about.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The binary columns, with the rows split by the target.
    pub dataset: Dataset,
    /// What became of every attribute but the target, in data order.
    pub legend: Vec<LegendEntry>,
    /// What became of the target; its one column is 1 in the cases.
    pub target: LegendEntry,
    /// Sentences for the user about what was left out or guessed.
    pub notices: Vec<Notice>,
    /// The rows that the search may see, a bitmap in the layout of the data; none if it may see all.
    pub searched: Option<Vec<Block>>,
    /// What the weights of the rows came to, if they have any. All numbers of rows below, and in the legend and the
    /// notices, are of the rows that the rows of the table stand for.
    pub weighting: Option<Weighting>,
    /// The rows of the table.
    pub rows_read: u64,
    /// The rows left out because the target is missing.
    pub rows_without_target: u64,
    /// The rows left out because another cell is missing ([`MissingAs::Drop`]).
    pub rows_dropped: u64,
    /// The attributes of the table, the target included.
    pub attributes_read: usize,
    /// 32 hexadecimal digits that tell whether two runs saw the same table and target, whatever the order of
    /// the rows, the file format and the machine; weights are the same as repeated rows.
    pub fingerprint: String,
    /// The place of the target among the attributes of the table.
    target_place: usize,
}

impl Encoding {
    /// This encoding as a [`Declaration`] in TOML: types, values and cut points of all attributes, in data order.
    /// How the text was laid out (header, delimiter) is not part of it.
    pub fn declaration(&self) -> String {
        let (before, after) = self.legend.split_at(self.target_place.min(self.legend.len()));
        let attributes = before.iter().chain(std::iter::once(&self.target)).chain(after);
        written::declaration(attributes, &self.target.attribute)
    }

    /// Writes the encoded table as CSV of 0 and 1 with the target as its last column. The rows come in the
    /// order of the dataset: the cases first, then the controls, each in the order they were read.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        written::write_csv(&self.dataset, out)
    }
}

/// Encodes a table as binary columns.
///
/// The table is taken by value so that the cells of each attribute are freed as soon as they are encoded.
/// Cut points are found on all rows with a target value that are not held out, before [`MissingAs::Drop`] drops any, so
/// that an attribute that is left out costs no rows.
pub fn encode(
    mut table: Table,
    options: &EncodeOptions,
    declaration: &Declaration,
) -> Result<Encoding, Error> {
    if options.bins.is_some_and(|bins| bins < 2) {
        return Err(Error::request("--bins must be at least 2"));
    }
    let wishes = Wishes::new(&table, options, declaration)?;
    let (weights, weighting) = match &options.weights {
        Some(name) => {
            weights::settle(&mut table, name, &wishes).map(|(weights, found)| (weights, Some(found)))?
        }
        None => (Weights::default(), None),
    };
    let mut outcome = target::resolve(&table, weights, &wishes, options)?;
    let holds_weights = |attribute: &Attribute| options.weights.as_ref() == Some(&attribute.name);
    let hashed: Vec<&Attribute> =
        table.attributes.iter().filter(|attribute| !holds_weights(attribute)).collect();
    let fingerprint = fingerprint::fingerprint(&hashed, table.rows, &outcome.rows.weights, &options.target);
    if let Some(holdout) = options.holdout {
        outcome.rows.hold_out(holdout);
    }
    let mut remarks = Remarks::default();
    let made: Vec<_> = table
        .attributes
        .par_iter()
        .enumerate()
        .map(|(position, attribute)| {
            (position != outcome.attribute).then(|| {
                let made = if holds_weights(attribute) {
                    (Plan::LeftOut { kind: AttributeKind::Ignored, reason: Reason::Weights }, None)
                } else {
                    plan(attribute, wishes.of(&attribute.name), &outcome.rows, options)?
                };
                Ok((made, count_missing(attribute, &outcome.rows)))
            })
        })
        .collect();
    let plans = settle(table.names().zip(made), options, &mut remarks)?;
    let rows_without_target = outcome.count(RowClass::LeftOut);
    let mut rows_dropped = 0;
    if options.missing_as == MissingAs::Drop {
        rows_dropped = drop_rows(&table, &plans, &mut outcome.rows);
        outcome.check_varies()?;
    }
    if let Some(holdout) = options.holdout {
        outcome.check_holdout(holdout.share)?;
    }
    check_names(table.names().zip(&plans), &outcome.target)?;
    let (rows_read, attributes_read) = (outcome.rows.weights.total(table.rows), table.attributes.len());
    let (dataset, searched, mut legend) = build(table, plans, &outcome, options.max_memory)?;
    legend.iter_mut().for_each(|entry| entry.columns.shrink_to_fit());

    let rows = RowsFound {
        cases: outcome.count(RowClass::Case),
        controls: outcome.count(RowClass::Control),
        read: rows_read,
        without_target: rows_without_target,
        dropped: rows_dropped,
    };
    let target = target_entry(&outcome.target, &rows);
    let mut notices = notices(&remarks, &outcome.target, &rows);
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
        target_place: outcome.attribute,
    })
}

/// What becomes of each attribute but the target, and its missing cells.
type Plans = Vec<Option<(Plan, u64)>>;

/// A plan, what was guessed for it, and the missing cells of its attribute; or why there is none.
type Made = Option<Result<((Plan, Option<Guess>), u64), Error>>;

/// Takes the plans as they were made, and remarks what is to be said of them.
fn settle<'a>(
    made: impl Iterator<Item = (&'a str, Made)>,
    options: &EncodeOptions,
    remarks: &mut Remarks,
) -> Result<Plans, Error> {
    let mut plans = Vec::new();
    for (attribute, made) in made {
        let Some(((mut made, guess), missing)) = made.transpose()? else {
            plans.push(None);
            continue;
        };
        match &mut made {
            Plan::LeftOut { reason, .. } => remarks.left_out(reason, attribute),
            Plan::Columns(columns) if options.missing_as == MissingAs::Level && missing > 0 => {
                add_missing_column(attribute, columns);
            }
            Plan::Columns(_) => {}
        }
        if let Some(guess) = guess {
            remarks.guessed(guess, attribute);
        }
        plans.push(Some((made, missing)));
    }
    Ok(plans)
}

/// The numbers of rows that are told of.
struct RowsFound {
    cases: u64,
    controls: u64,
    read: u64,
    without_target: u64,
    dropped: u64,
}

/// All that is to be said of the encoding but for weights.
fn notices(remarks: &Remarks, target: &Target, rows: &RowsFound) -> Vec<Notice> {
    let RowsFound { read, without_target, dropped, .. } = rows;
    let mut notices = remarks.notices();
    notices.insert(0, target_notice(target, rows));
    if *without_target > 0 {
        let sentence = format!("{without_target} of {read} rows have no target value and are left out");
        notices.insert(1, Notice::new(sentence));
    }
    if *dropped > 0 {
        let sentence = format!("{dropped} of {read} rows have a missing value and are left out, as asked");
        notices.push(Notice::new(sentence));
    }
    notices
}

fn count_missing(attribute: &Attribute, rows: &Rows) -> u64 {
    let mut missing = 0;
    match &attribute.cells {
        Cells::Coded(_, codes) => {
            codes.for_each(|row, code| missing += if code == 0 { rows.kept(row) } else { 0 });
        }
        Cells::Numbers(numbers) => {
            let absent = numbers.iter().enumerate().filter(|(_, number)| number.is_nan());
            missing = absent.map(|(row, _)| rows.kept(row)).sum();
        }
        Cells::TooMany | Cells::Unsupported(_) => {}
    }
    missing
}

fn add_missing_column(attribute: &str, columns: &mut Columns) {
    let mut name = format!("{attribute}=missing");
    let mut number = 2;
    while columns.names.iter().any(|(taken, _)| *taken == name) {
        name = format!("{attribute}=missing {number}");
        number += 1;
    }
    let place = columns.names.len();
    columns.names.push((name, format!("{attribute} has no value")));
    match &mut columns.places {
        Places::Codes(places) => places[0] = Some(place),
        Places::Cuts(missing) => *missing = Some(place),
    }
}

/// Leaves out the rows with a missing cell in an attribute that gives columns.
fn drop_rows(table: &Table, plans: &Plans, rows: &mut Rows) -> u64 {
    let before = rows.count(RowClass::LeftOut);
    let classes = &mut rows.classes;
    for (attribute, plan) in table.attributes.iter().zip(plans) {
        if !matches!(plan, Some((Plan::Columns(_), _))) {
            continue;
        }
        match &attribute.cells {
            Cells::Coded(_, codes) => codes.for_each(|row, code| {
                if code == 0 {
                    classes[row] = RowClass::LeftOut;
                }
            }),
            Cells::Numbers(numbers) => {
                for (class, number) in classes.iter_mut().zip(numbers) {
                    if number.is_nan() {
                        *class = RowClass::LeftOut;
                    }
                }
            }
            Cells::TooMany | Cells::Unsupported(_) => {}
        }
    }
    rows.count(RowClass::LeftOut) - before
}

/// Fails if two columns have the same name or there is none.
fn check_names<'a>(
    plans: impl Iterator<Item = (&'a str, &'a Option<(Plan, u64)>)>,
    target: &'a Target,
) -> Result<(), Error> {
    let label = target.label();
    let mut owners: HashMap<&str, &str> = HashMap::from([(label.as_str(), target.name.as_str())]);
    for (attribute, plan) in plans {
        let Some((Plan::Columns(columns), _)) = plan else { continue };
        for (name, _) in &columns.names {
            if let Some(owner) = owners.insert(name, attribute) {
                return Err(Error::request(format!(
                    "columns {owner:?} and {attribute:?} both give an encoded column {name:?}; rename or ignore one of \
                     them"
                )));
            }
        }
    }
    if owners.len() == 1 {
        return Err(Error::no_columns());
    }
    Ok(())
}

/// The data, the rows of it that the search may see if not all, and what became of the attributes.
type Built = (Dataset, Option<Vec<Block>>, Vec<LegendEntry>);

/// Encodes the attributes one by one and frees each.
fn build(table: Table, plans: Plans, outcome: &Outcome, max_memory: Option<u64>) -> Result<Built, Error> {
    check_memory(&plans, outcome, max_memory)?;
    let Rows { classes, weights, .. } = &outcome.rows;
    let kept = || (0..classes.len()).filter(|&row| classes[row] != RowClass::LeftOut);
    let cases = kept().map(|row| classes[row] == RowClass::Case).collect();
    let mut builder = DatasetBuilder::weighted(outcome.target.clone(), cases, weights.some(kept()));
    let planned: Vec<(Attribute, Plan, u64)> = table
        .attributes
        .into_iter()
        .zip(plans)
        .filter_map(|(attribute, plan)| plan.map(|(plan, missing)| (attribute, plan, missing)))
        .collect();
    let bits: Vec<Option<Vec<Block>>> = planned
        .par_iter()
        .map(|(attribute, plan, _)| match plan {
            Plan::LeftOut { .. } => None,
            Plan::Columns(columns) => bits(&builder, &attribute.cells, columns, classes),
        })
        .collect();
    let mut legend = Vec::with_capacity(planned.len());
    for ((Attribute { name, .. }, plan, missing), bits) in planned.into_iter().zip(bits) {
        if let (Plan::Columns(columns), Some(bits)) = (&plan, bits) {
            builder.add(&name, columns.names.iter().map(|(column, _)| column.clone()).collect(), bits);
        }
        legend.push(entry(name, plan, missing));
    }
    let searched = outcome.rows.searched_of_kept().map(|rows| builder.mask(rows));
    let dataset = builder.finish();
    let mut entries: Vec<_> =
        legend.iter_mut().flat_map(|entry: &mut LegendEntry| &mut entry.columns).enumerate().collect();
    entries.par_iter_mut().for_each(|(number, entry)| {
        let (cases, controls) = dataset.bits(*number).split_at(dataset.layout().positive_blocks());
        entry.ones_positive = ones(cases);
        entry.ones = entry.ones_positive + ones(controls);
    });
    Ok((dataset, searched, legend))
}

/// What is to be said of an attribute; how often its columns are 1 is not yet known.
fn entry(attribute: String, plan: Plan, missing: u64) -> LegendEntry {
    match plan {
        Plan::LeftOut { kind, reason } => {
            let note = Some(reason.note());
            LegendEntry { attribute, kind, columns: Vec::new(), missing, cuts: Vec::new(), note }
        }
        Plan::Columns(Columns { kind, names, cuts, .. }) => {
            let column = |(name, meaning)| LegendColumn { name, meaning, ones: 0, ones_positive: 0 };
            let columns = names.into_iter().map(column).collect();
            LegendEntry { attribute, kind, columns, missing, cuts, note: None }
        }
    }
}

/// The bitmaps of the columns of one attribute.
fn bits(
    builder: &DatasetBuilder,
    cells: &Cells,
    columns: &Columns,
    classes: &[RowClass],
) -> Option<Vec<Block>> {
    let count = columns.names.len();
    match (cells, &columns.places) {
        (Cells::Coded(_, codes), Places::Codes(places)) => Some(match codes {
            Codes::Truths(truths) => builder
                .bits(count, kept_rows(truths.codes_from(0), classes).map(|code| places[code as usize])),
            Codes::One(codes) => {
                builder.bits(count, kept_rows(codes, classes).map(|&code| places[usize::from(code)]))
            }
            Codes::Two(codes) => {
                builder.bits(count, kept_rows(codes, classes).map(|&code| places[usize::from(code)]))
            }
            Codes::Four(codes) => {
                builder.bits(count, kept_rows(codes, classes).map(|&code| places[code as usize]))
            }
        }),
        (Cells::Numbers(numbers), Places::Cuts(absent)) => {
            let place = |&number: &f64| match number {
                number if number.is_nan() => *absent,
                number => Some(interval(&columns.cuts, number)),
            };
            Some(builder.bits(count, kept_rows(numbers, classes).map(place)))
        }
        _ => None,
    }
}

/// The cells of the rows that are not left out.
fn kept_rows<T>(cells: impl IntoIterator<Item = T>, classes: &[RowClass]) -> impl Iterator<Item = T> {
    let rows = cells.into_iter().zip(classes);
    rows.filter(|&(_, &class)| class != RowClass::LeftOut).map(|(cell, _)| cell)
}

fn ones(blocks: &[Block]) -> u64 {
    blocks.iter().flat_map(|block| block.0).map(|word| u64::from(word.count_ones())).sum()
}

/// The bytes that encoded columns may take where rows stand for several and nothing else is said: a column that
/// holds no weights could ask for anything.
const MOST_REPEATED_BYTES: u64 = 4 << 30;

fn check_memory(plans: &Plans, outcome: &Outcome, max_memory: Option<u64>) -> Result<(), Error> {
    let is_weighted = outcome.rows.weights.are_given();
    let Some(limit) = max_memory.or(is_weighted.then_some(MOST_REPEATED_BYTES)) else { return Ok(()) };
    let columns: u64 = plans
        .iter()
        .flatten()
        .map(|(plan, _)| match plan {
            Plan::Columns(columns) => columns.names.len() as u64,
            Plan::LeftOut { .. } => 0,
        })
        .sum();
    let blocks = |class| outcome.count(class).div_ceil(BLOCK_BITS);
    let bytes = columns * (blocks(RowClass::Case) + blocks(RowClass::Control)) * size_of::<Block>() as u64;
    if bytes <= limit {
        return Ok(());
    }
    let repeated = if is_weighted { " with all rows that the weights stand for" } else { "" };
    Err(Error::request(format!(
        "the {columns} encoded columns take {bytes} bytes{repeated}, more than --max-memory allows ({limit}); raise it, \
         or ignore columns with many values"
    )))
}

fn target_entry(target: &Target, rows: &RowsFound) -> LegendEntry {
    let (kind, meaning) = match &target.value {
        Some(value) => (AttributeKind::Nominal, format!("{} is {value}", target.name)),
        None => (AttributeKind::Binary, format!("{} is true", target.name)),
    };
    let column = LegendColumn { name: target.label(), meaning, ones: rows.cases, ones_positive: rows.cases };
    let (attribute, missing) = (target.name.clone(), rows.without_target);
    LegendEntry { attribute, kind, columns: vec![column], missing, cuts: Vec::new(), note: None }
}

fn target_notice(target: &Target, rows: &RowsFound) -> Notice {
    let RowsFound { cases, controls, .. } = rows;
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
    Notice::new(format!("{rows_read} rows stand for {total}, as {attribute:?} says{left_out}"))
}
