//! Columns that differ in few rows.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{MOST_CAUSE_COLUMNS, MOST_NAMED, STRIPE, Scene, Warning, phi};
use crate::count::{Count, Grid, into_inner, lock};
use crate::dataset::Candidate;

/// The correlation from which on two columns are near-duplicates: with columns that hold in half of the rows, they
/// differ in 2.5 % of them.
pub const LEAST_PHI_OF_DUPLICATES: f64 = 0.95;

/// The words of bitmaps that may be read to compare all columns with one another: some tenth of a second.
const MOST_WORDS: u128 = 2_000_000_000;

/// Two columns, or a combined cause and a column, that differ in few rows.
#[derive(Clone, Debug, PartialEq)]
pub struct NearDuplicate {
    /// The earlier in data order, or the cause.
    pub one: Candidate,
    /// The other.
    pub other: Candidate,
    /// Their correlation; below 0 if the one holds where the other does not.
    pub phi: f64,
    /// The rows in which they differ, or, with a correlation below 0, agree.
    pub exceptions: u64,
    /// Whether the one, or a column of either, is in a cause.
    pub in_cause: bool,
}

/// Columns, or a combined cause and columns, of which each left is compared with each right one.
struct Sheet {
    base: Candidate,
    left: Vec<u32>,
    right: Vec<u32>,
}

pub(super) fn warning(scene: &Scene<'_>) -> Option<Warning> {
    let common: Vec<u32> = scene.free.iter().copied().filter(|&column| scene.is_common(column)).collect();
    let pairs = common.len() as u128 * common.len() as u128 / 2;
    let all_pairs = pairs * u128::from(scene.rows.total() / 64 + 1) <= MOST_WORDS;
    let compared = if all_pairs { common.clone() } else { scene.cause_columns(|_| true) };
    let mut sheets = Vec::new();
    for left in compared.chunks(STRIPE) {
        // Of two columns that are both compared with all others, the later need not meet the earlier.
        let from = if all_pairs { common.partition_point(|column| *column < left[0]) } else { 0 };
        sheets.push(Sheet {
            base: Candidate::default(),
            left: left.to_vec(),
            right: common[from..].to_vec(),
        });
    }
    let combined = scene.findings.causes.iter().filter(|cause| cause.candidate.level() > 1);
    for cause in combined.take(MOST_CAUSE_COLUMNS) {
        let Some((&last, before)) = cause.candidate.columns().split_last() else { continue };
        let alike = |&column: &u32| may_be_alike(scene, cause.count.total(), scene.count(column).total());
        let right: Vec<u32> = common.iter().copied().filter(alike).collect();
        if !right.is_empty() {
            sheets.push(Sheet { base: Candidate::new(before.to_vec()), left: vec![last], right });
        }
    }
    let grids: Vec<Grid<'_>> = sheets
        .iter()
        .map(|sheet| Grid { base: &sheet.base, left: &sheet.left, right: &sheet.right })
        .collect();
    let found: Mutex<Found> = Mutex::default();
    scene.counter.grids(&grids, &|number, counts| {
        let pairs = compare(scene, &sheets[number], &compared, counts);
        lock(&found).take(pairs);
        ControlFlow::Continue(())
    });
    let Found { pairs, total } = into_inner(found);
    (total > 0).then_some(Warning::NearDuplicates { pairs, total, all_pairs })
}

/// Whether two events that hold in so many rows could be near-duplicates: if the rarer never holds without the other, or
/// never with it.
fn may_be_alike(scene: &Scene<'_>, one: u64, other: u64) -> bool {
    let rows = scene.rows.total();
    let together = phi(rows, one, other, one.min(other));
    let apart = phi(rows, one, other, (one + other).saturating_sub(rows));
    together.max(-apart) >= LEAST_PHI_OF_DUPLICATES
}

/// The near-duplicates of one sheet; the columns in `compared` meet all others.
fn compare(scene: &Scene<'_>, sheet: &Sheet, compared: &[u32], counts: &[Count]) -> Vec<NearDuplicate> {
    let rows = scene.rows.total();
    let mut pairs = Vec::new();
    for (l, &left) in sheet.left.iter().enumerate() {
        let one = sheet.base.join(&Candidate::single(left));
        let with = if one.level() > 1 {
            let cause = scene.findings.causes.iter().find(|cause| cause.candidate == one);
            cause.map_or(0, |cause| cause.count.total())
        } else {
            scene.count(left).total()
        };
        for (r, &right) in sheet.right.iter().enumerate() {
            let own = |&column: &u32| scene.attribute(column) == scene.attribute(right);
            // Pairs of columns that come up both ways count once.
            let again = || one.level() == 1 && right < left && compared.binary_search(&right).is_ok();
            if one.columns().iter().any(own) || again() {
                continue;
            }
            let (other, both) = (scene.count(right).total(), counts[l * sheet.right.len() + r].total());
            let phi = phi(rows, with, other, both);
            if phi.abs() < LEAST_PHI_OF_DUPLICATES {
                continue;
            }
            let differing = with + other - 2 * both;
            let in_cause = one.level() > 1 || [left, right].iter().any(|&it| scene.in_cause[it as usize]);
            let exceptions = if phi > 0.0 { differing } else { rows - differing };
            // A combined cause that is a column is told as a relation without exception.
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

/// The first of those found, and how many there are.
#[derive(Default)]
struct Found {
    pairs: Vec<NearDuplicate>,
    total: u64,
}

impl Found {
    fn take(&mut self, pairs: Vec<NearDuplicate>) {
        self.total += pairs.len() as u64;
        self.pairs.extend(pairs);
        self.pairs.sort_by(order);
        self.pairs.truncate(MOST_NAMED);
    }
}

/// Those with a cause first, then the most alike, then in data order.
fn order(a: &NearDuplicate, b: &NearDuplicate) -> Ordering {
    (b.in_cause.cmp(&a.in_cause))
        .then(b.phi.abs().total_cmp(&a.phi.abs()))
        .then_with(|| (&a.one, &a.other).cmp(&(&b.one, &b.other)))
}
