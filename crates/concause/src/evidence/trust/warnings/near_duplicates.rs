//! Columns that differ in few rows.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{MOST_CAUSE_COLUMNS, MOST_NAMED, Warning, WarningContext, phi};
use crate::count::{Count, Grid, STRIPE, into_inner, lock};
use crate::dataset::{Candidate, Literal};
use crate::error::Error;

/// The smallest absolute phi coefficient of near-duplicates. Near-duplicates that hold in half of the rows differ in at
/// most 2.5 % of the rows.
pub const LEAST_PHI_OF_DUPLICATES: f64 = 0.95;

/// The largest number of bitmap words that are read to compare all pairs of columns, a few tenths of a second. The
/// counts of a pair take about as long as this many words.
const MOST_WORDS: u128 = 2_000_000_000;
const WORDS_PER_PAIR: u64 = 16;

/// Two columns, or a combined cause and a column, that differ in few rows.
#[derive(Clone, Debug, PartialEq)]
pub struct NearDuplicate {
    /// The first column in data order, or the cause.
    pub one: Candidate,
    /// The other column.
    pub other: Candidate,
    /// Their phi coefficient; below 0 if one holds where the other does not.
    pub phi: f64,
    /// The number of rows in which they differ; if phi is below 0, the number of rows in which they agree.
    pub exceptions: u64,
    /// Whether one of them is a cause or part of one.
    pub in_cause: bool,
}

/// Pairs to be compared: the base joined with each left literal against each right literal.
struct PairGrid {
    base: Candidate,
    left: Vec<Literal>,
    right: Vec<Literal>,
}

pub(super) fn check_duplicates(context: &WarningContext<'_>) -> Result<Option<Warning>, Error> {
    let common: Vec<u32> = context.free.iter().copied().filter(|&column| context.is_common(column)).collect();
    let pairs = common.len() as u128 * common.len() as u128 / 2;
    let all_pairs = pairs * u128::from(context.rows.total() / 64 + WORDS_PER_PAIR) <= MOST_WORDS;
    let compared = if all_pairs { common.clone() } else { context.cause_columns(|_| true) };
    let mut pair_grids = Vec::new();
    for left in compared.chunks(STRIPE) {
        // If all columns are compared, each needs to be compared with later ones only.
        let from = if all_pairs { common.partition_point(|column| *column < left[0]) } else { 0 };
        pair_grids.push(PairGrid {
            base: Candidate::default(),
            left: Literal::plain_all(left),
            right: Literal::plain_all(&common[from..]),
        });
    }
    let combined = context.findings.causes.iter().filter(|cause| cause.candidate.level() > 1);
    for cause in combined.take(MOST_CAUSE_COLUMNS) {
        let Some((&last, before)) = cause.candidate.literals().split_last() else { continue };
        let is_similar = |&column: &u32| {
            can_be_near_duplicates(context, cause.count.total(), context.count(column).total())
        };
        let right: Vec<Literal> = common.iter().copied().filter(is_similar).map(Literal::plain).collect();
        if !right.is_empty() {
            pair_grids.push(PairGrid { base: Candidate::new(before.to_vec()), left: vec![last], right });
        }
    }
    let grids: Vec<Grid<'_>> = pair_grids
        .iter()
        .map(|pair_grid| Grid { base: &pair_grid.base, left: &pair_grid.left, right: &pair_grid.right })
        .collect();
    let found: Mutex<NearDuplicates> = Mutex::default();
    context.counter.grids(&grids, &|number, counts| {
        let pairs = find_near_duplicates(context, &pair_grids[number], &compared, counts);
        lock(&found).add(pairs);
        ControlFlow::Continue(())
    })?;
    let NearDuplicates { pairs, total } = into_inner(found);
    Ok((total > 0).then_some(Warning::NearDuplicates { pairs, total, all_pairs }))
}

/// Whether two events with these counts can be near-duplicates, given the largest and the smallest possible overlap.
fn can_be_near_duplicates(context: &WarningContext<'_>, one: u64, other: u64) -> bool {
    let rows = context.rows.total();
    let largest_phi = phi(rows, one, other, one.min(other));
    let smallest_phi = phi(rows, one, other, (one + other).saturating_sub(rows));
    largest_phi.max(-smallest_phi) >= LEAST_PHI_OF_DUPLICATES
}

/// The near-duplicates among the pairs of one grid. The columns in `compared` are compared with all others.
fn find_near_duplicates(
    context: &WarningContext<'_>,
    pair_grid: &PairGrid,
    compared: &[u32],
    counts: &[Count],
) -> Vec<NearDuplicate> {
    let rows = context.rows.total();
    let mut pairs = Vec::new();
    for (l, &left) in pair_grid.left.iter().enumerate() {
        let one = pair_grid.base.join(&Candidate::single(left));
        let with = if one.level() > 1 {
            let cause = context.findings.causes.iter().find(|cause| cause.candidate == one);
            cause.map_or(0, |cause| cause.count.total())
        } else {
            context.count(left.column()).total()
        };
        for (r, right) in pair_grid.right.iter().map(|right| right.column()).enumerate() {
            let shares_attribute = |&literal: &Literal| context.shares_attribute(literal, right);
            // A pair of compared columns occurs twice and is counted once.
            let is_repeated =
                || one.level() == 1 && right < left.column() && compared.binary_search(&right).is_ok();
            if one.literals().iter().any(shares_attribute) || is_repeated() {
                continue;
            }
            let (other, both) = (context.count(right).total(), counts[l * pair_grid.right.len() + r].total());
            let phi = phi(rows, with, other, both);
            if phi.abs() < LEAST_PHI_OF_DUPLICATES {
                continue;
            }
            let differing = with + other - 2 * both;
            let in_cause = one.level() > 1
                || [left.column(), right].iter().any(|&column| context.in_cause[column as usize]);
            let exceptions = if phi > 0.0 { differing } else { rows - differing };
            // A combined cause that is equal to a column is reported as a deterministic relation.
            if one.level() == 1 || exceptions > 0 {
                pairs.push(NearDuplicate {
                    one: one.clone(),
                    other: Candidate::single(right),
                    phi,
                    exceptions,
                    in_cause,
                });
            }
        }
    }
    pairs
}

/// The first near-duplicates in the order of the report, and the number of all.
#[derive(Default)]
struct NearDuplicates {
    pairs: Vec<NearDuplicate>,
    total: u64,
}

impl NearDuplicates {
    fn add(&mut self, pairs: Vec<NearDuplicate>) {
        self.total += pairs.len() as u64;
        self.pairs.extend(pairs);
        self.pairs.sort_by(compare_for_report);
        self.pairs.truncate(MOST_NAMED);
    }
}

/// The order of the report: pairs with a cause first, then the most similar, then in data order.
fn compare_for_report(a: &NearDuplicate, b: &NearDuplicate) -> Ordering {
    (b.in_cause.cmp(&a.in_cause))
        .then(b.phi.abs().total_cmp(&a.phi.abs()))
        .then_with(|| (&a.one, &a.other).cmp(&(&b.one, &b.other)))
}
