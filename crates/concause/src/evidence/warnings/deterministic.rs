//! Relations without exception that bear on the result: they leave some rows empty that the tests would need, and no
//! test can tell apart what holds in the same rows.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{MOST_NAMED, STRIPE, Scene, Warning};
use crate::count::{Count, Grid, Strata, Stratum, into_inner, lock};
use crate::dataset::Candidate;
use crate::independence::{Question, Test};
use crate::search::Reason;

/// An implication is worth a word if so many exceptions were to be expected: fewer are often just rare.
const LEAST_EXCEPTIONS: f64 = 50.0;

/// The columns implied by, or implying, a cause of which pairs are formed: the ones nearest in size.
const MOST_PARTS: usize = 16;

/// A relation without exception.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The column that it is about.
    pub column: u32,
    /// What it is.
    pub tie: Tie,
    /// The columns that it is tied to.
    pub to: Vec<Candidate>,
}

/// How a column is tied to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tie {
    /// It holds just where all of them hold.
    Conjunction,
    /// It holds just where at least one of them holds.
    Disjunction,
    /// It is the same in all rows that are the same in all of them, and was explained away by them.
    Function,
    /// Wherever it holds, the other holds.
    Implication,
}

impl Tie {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Tie::Conjunction => "conjunction",
            Tie::Disjunction => "disjunction",
            Tie::Function => "function",
            Tie::Implication => "implication",
        }
    }
}

pub(super) fn warning(scene: &Scene<'_>) -> Option<Warning> {
    let mut relations = composed(scene);
    relations.extend(combined_causes(scene));
    relations.extend(functions(scene));
    relations.extend(implications(scene));
    relations.sort_by(|a, b| (a.tie, a.column, &a.to).cmp(&(b.tie, b.column, &b.to)));
    relations.dedup();
    let total = relations.len() as u64;
    relations.truncate(MOST_NAMED);
    (total > 0).then_some(Warning::Deterministic { relations, total })
}

/// Single causes that are the conjunction or the disjunction of two columns.
fn composed(scene: &Scene<'_>) -> Vec<Relation> {
    let causes = scene.cause_columns(|cause| cause.level() == 1);
    let everywhere = Candidate::default();
    let chunks: Vec<&[u32]> = causes.chunks(STRIPE).collect();
    let grids: Vec<Grid<'_>> =
        chunks.iter().map(|left| Grid { base: &everywhere, left, right: &scene.free }).collect();
    let found: Mutex<Vec<Relation>> = Mutex::default();
    scene.counter.grids(&grids, &|number, counts| {
        for (&cause, both) in chunks[number].iter().zip(counts.chunks(scene.free.len().max(1))) {
            let relations = composition(scene, cause, both);
            lock(&found).extend(relations);
        }
        ControlFlow::Continue(())
    });
    into_inner(found)
}

/// The ways in which a cause is put together from two columns; it holds in `both` with each of the free ones.
fn composition(scene: &Scene<'_>, cause: u32, both: &[Count]) -> Vec<Relation> {
    let size = |column: u32| scene.count(column).total();
    let own = size(cause);
    let others = scene.free.iter().zip(both).map(|(&column, both)| (column, both.total()));
    let others = others.filter(|&(column, _)| scene.attribute(column) != scene.attribute(cause));
    let implied = others.clone().filter(|&(column, both)| both == own && size(column) > own);
    let implying = others.filter(|&(column, both)| both == size(column) && both < own);
    let conjunction = pair(scene, cause, implied, |_, _, both| both == own);
    let disjunction = pair(scene, cause, implying, |one, other, both| one + other - both == own);
    let relation = |tie, to: Option<Vec<Candidate>>| to.map(|to| Relation { column: cause, tie, to });
    [relation(Tie::Conjunction, conjunction), relation(Tie::Disjunction, disjunction)]
        .into_iter()
        .flatten()
        .collect()
}

/// The first two of some columns whose sizes, and that of both together, are as wanted.
fn pair(
    scene: &Scene<'_>,
    cause: u32,
    columns: impl Iterator<Item = (u32, u64)>,
    wanted: impl Fn(u64, u64, u64) -> bool,
) -> Option<Vec<Candidate>> {
    let size = |column: u32| scene.count(column).total();
    let mut columns: Vec<u32> = columns.map(|(column, _)| column).collect();
    columns.sort_by_key(|&column| (size(column).abs_diff(size(cause)), column));
    columns.truncate(MOST_PARTS);
    let both = grid(scene, &columns, &columns);
    let pairs = (0..columns.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    let is_wanted = |&(i, j): &(usize, usize)| {
        wanted(size(columns[i]), size(columns[j]), both[i * columns.len() + j].total())
    };
    let (i, j) = pairs.into_iter().find(is_wanted)?;
    Some(Candidate::new(vec![columns[i], columns[j]]).singles())
}

/// Columns that hold just where a combined cause holds.
fn combined_causes(scene: &Scene<'_>) -> Vec<Relation> {
    let mut found = Vec::new();
    for cause in scene.findings.causes.iter().filter(|cause| cause.candidate.level() > 1) {
        let Some((&last, before)) = cause.candidate.columns().split_last() else { continue };
        let alike = |column: &u32| scene.count(*column) == cause.count && scene.is_common(*column);
        let columns: Vec<u32> = scene.free.iter().copied().filter(alike).collect();
        let base = Candidate::new(before.to_vec());
        let both = scene.counter.grid(Grid { base: &base, left: &[last], right: &columns });
        for (column, both) in columns.into_iter().zip(both) {
            if both == cause.count {
                found.push(Relation { column, tie: Tie::Conjunction, to: cause.candidate.singles() });
            }
        }
    }
    found
}

/// Columns that do not vary where those that explained them away are held fixed, so that no test could have kept them.
fn functions(scene: &Scene<'_>) -> Vec<Relation> {
    let whole = Strata::whole(scene.counter);
    let mut found = Vec::new();
    for &column in scene.free.iter().filter(|&&column| scene.is_common(column)) {
        let x = Candidate::single(column);
        // A test of what does not vary gives a p-value of 1.
        let Some(Reason::Separated { by, p_value: 1.0 }) = scene.findings.reasons.get(&x) else { continue };
        let own = |member: &Candidate| {
            member.columns().iter().any(|&other| scene.attribute(other) == scene.attribute(column))
        };
        if by.iter().any(own) {
            continue;
        }
        let question = Question { x, given: by.clone(), within: Candidate::default(), test: Test::G2 };
        let table = question.table(scene.counter, &whole);
        let is_fixed = |stratum: &Stratum| stratum.with.total() == 0 || stratum.without.total() == 0;
        if table.iter().all(is_fixed) {
            found.push(Relation { column, tie: Tie::Function, to: by.clone() });
        }
    }
    found
}

/// Columns of causes that imply those of others.
fn implications(scene: &Scene<'_>) -> Vec<Relation> {
    let columns = scene.cause_columns(|_| true);
    let both = grid(scene, &columns, &columns);
    let mut found = Vec::new();
    for (i, &column) in columns.iter().enumerate() {
        for (j, &other) in columns.iter().enumerate() {
            let (size, implied) = (scene.count(column).total(), scene.count(other).total());
            let rows = scene.rows.total();
            let exceptions = size as f64 * (rows - implied) as f64 / rows as f64;
            if scene.attribute(column) != scene.attribute(other)
                && both[i * columns.len() + j].total() == size
                && size < implied
                && exceptions >= LEAST_EXCEPTIONS
            {
                let to = vec![Candidate::single(other)];
                found.push(Relation { column, tie: Tie::Implication, to });
            }
        }
    }
    found
}

fn grid(scene: &Scene<'_>, left: &[u32], right: &[u32]) -> Vec<Count> {
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    scene.counter.grid(Grid { base: &Candidate::default(), left, right })
}
