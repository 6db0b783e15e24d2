//! Deterministic relations that affect the result. They leave cells empty that the tests would need, and no test can
//! distinguish candidates that hold in the same rows.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::{MOST_NAMED, Warning, WarningContext};
use crate::count::{Count, Grid, STRIPE, Strata, Stratum, into_inner, lock};
use crate::dataset::{Candidate, Literal};
use crate::error::Error;
use crate::search::Reason;
use crate::stats::{Hypothesis, Test};

/// An implication is reported if at least this many exceptions are expected under independence. With fewer, the
/// absence of exceptions is often due to rare columns.
const LEAST_EXCEPTIONS: f64 = 50.0;

/// The largest number of columns, implied by a cause or implying it, that are paired: those closest to it in count.
const MOST_PARTS: usize = 16;

/// A deterministic relation between columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The column that is related to others.
    pub column: u32,
    /// The kind of the relation.
    pub kind: RelationKind,
    /// The columns that it is related to.
    pub to: Vec<Candidate>,
}

/// How a column is related to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelationKind {
    /// It holds exactly where all of them hold.
    Conjunction,
    /// It holds exactly where at least one of them holds.
    Disjunction,
    /// Its value is determined by theirs, and they separate it from the target.
    Function,
    /// The other column holds wherever it holds.
    Implication,
}

impl RelationKind {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            RelationKind::Conjunction => "conjunction",
            RelationKind::Disjunction => "disjunction",
            RelationKind::Function => "function",
            RelationKind::Implication => "implication",
        }
    }
}

pub(super) fn check_relations(context: &WarningContext<'_>) -> Result<Option<Warning>, Error> {
    let mut relations = find_composed_causes(context)?;
    relations.extend(find_copies_of_combined_causes(context)?);
    relations.extend(find_functions(context)?);
    relations.extend(find_implications(context)?);
    relations.sort_by(|a, b| (a.kind, a.column, &a.to).cmp(&(b.kind, b.column, &b.to)));
    relations.dedup();
    let total = relations.len() as u64;
    relations.truncate(MOST_NAMED);
    Ok((total > 0).then_some(Warning::Deterministic { relations, total }))
}

/// Single causes that are the conjunction or the disjunction of two columns.
fn find_composed_causes(context: &WarningContext<'_>) -> Result<Vec<Relation>, Error> {
    let causes = context.cause_columns(|cause| cause.level() == 1);
    let all_rows = Candidate::default();
    let (left, right) = (Literal::plain_all(&causes), Literal::plain_all(&context.free));
    let grids: Vec<Grid<'_>> =
        left.chunks(STRIPE).map(|left| Grid { base: &all_rows, left, right: &right }).collect();
    let found: Mutex<Vec<(u32, Vec<Count>)>> = Mutex::default();
    context.counter.grids(&grids, &|number, counts| {
        for (cause, both) in grids[number].left.iter().zip(counts.chunks(right.len().max(1))) {
            lock(&found).push((cause.column(), both.to_vec()));
        }
        ControlFlow::Continue(())
    })?;
    let mut relations = Vec::new();
    for (cause, both) in into_inner(found) {
        relations.extend(find_composition(context, cause, &both)?);
    }
    Ok(relations)
}

/// The conjunction and the disjunction of two columns that are equal to a cause, if any. `both` counts the rows in
/// which the cause and each of the free columns hold.
fn find_composition(
    context: &WarningContext<'_>,
    cause: u32,
    both: &[Count],
) -> Result<Vec<Relation>, Error> {
    let size = |column: u32| context.count(column).total();
    let own = size(cause);
    let others = context.free.iter().zip(both).map(|(&column, both)| (column, both.total()));
    let others = others.filter(|&(column, _)| !context.shares_attribute(Literal::plain(cause), column));
    let implied = others.clone().filter(|&(column, both)| both == own && size(column) > own);
    let implying = others.filter(|&(column, both)| both == size(column) && both < own);
    let conjunction = find_pair(context, cause, implied, |_, _, both| both == own)?;
    let disjunction = find_pair(context, cause, implying, |one, other, both| one + other - both == own)?;
    let relation = |kind, to: Option<Vec<Candidate>>| to.map(|to| Relation { column: cause, kind, to });
    let found =
        [relation(RelationKind::Conjunction, conjunction), relation(RelationKind::Disjunction, disjunction)];
    Ok(found.into_iter().flatten().collect())
}

/// The first pair of columns for which `wanted` is true, given the counts of the first, the second and both.
fn find_pair(
    context: &WarningContext<'_>,
    cause: u32,
    columns: impl Iterator<Item = (u32, u64)>,
    wanted: impl Fn(u64, u64, u64) -> bool,
) -> Result<Option<Vec<Candidate>>, Error> {
    let size = |column: u32| context.count(column).total();
    let mut columns: Vec<u32> = columns.map(|(column, _)| column).collect();
    columns.sort_by_key(|&column| (size(column).abs_diff(size(cause)), column));
    columns.truncate(MOST_PARTS);
    let both = count_grid(context, &columns, &columns)?;
    let pairs = (0..columns.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    let is_wanted = |&(i, j): &(usize, usize)| {
        wanted(size(columns[i]), size(columns[j]), both[i * columns.len() + j].total())
    };
    let found = pairs.into_iter().find(is_wanted);
    Ok(found.map(|(i, j)| Candidate::new(vec![columns[i], columns[j]]).singles()))
}

/// Columns that hold exactly where a combined cause holds.
fn find_copies_of_combined_causes(context: &WarningContext<'_>) -> Result<Vec<Relation>, Error> {
    let mut found = Vec::new();
    for cause in context.findings.causes.iter().filter(|cause| cause.candidate.level() > 1) {
        let Some((&last, before)) = cause.candidate.literals().split_last() else { continue };
        let same_count = |column: &u32| context.count(*column) == cause.count && context.is_common(*column);
        let columns: Vec<u32> = context.free.iter().copied().filter(same_count).collect();
        let base = Candidate::new(before.to_vec());
        let right = Literal::plain_all(&columns);
        let both = context.counter.grid(Grid { base: &base, left: &[last], right: &right })?;
        for (column, both) in columns.into_iter().zip(both) {
            if both == cause.count {
                found.push(Relation {
                    column,
                    kind: RelationKind::Conjunction,
                    to: cause.candidate.singles(),
                });
            }
        }
    }
    Ok(found)
}

/// Columns that do not vary within the strata of the candidates that separate them, so no test could have kept them.
fn find_functions(context: &WarningContext<'_>) -> Result<Vec<Relation>, Error> {
    let unstratified = Strata::unstratified(context.counter);
    let mut found = Vec::new();
    for &column in context.free.iter().filter(|&&column| context.is_common(column)) {
        let x = Candidate::single(column);
        // A test of a column that does not vary in any stratum has a p-value of 1.
        let Some(Reason::Separated { by, p_value: 1.0 }) = context.findings.reasons.get(&x) else { continue };
        let shares_attribute = |member: &Candidate| {
            member.literals().iter().any(|&other| context.shares_attribute(other, column))
        };
        if by.iter().any(shares_attribute) {
            continue;
        }
        let hypothesis = Hypothesis { x, given: by.clone(), within: Candidate::default(), test: Test::G2 };
        let table = hypothesis.table(context.counter, &unstratified)?;
        let is_fixed = |stratum: &Stratum| stratum.with.total() == 0 || stratum.without.total() == 0;
        if table.iter().all(is_fixed) {
            found.push(Relation { column, kind: RelationKind::Function, to: by.clone() });
        }
    }
    Ok(found)
}

/// Columns of causes that imply other columns of causes.
fn find_implications(context: &WarningContext<'_>) -> Result<Vec<Relation>, Error> {
    let columns = context.cause_columns(|_| true);
    let both = count_grid(context, &columns, &columns)?;
    let mut found = Vec::new();
    for (i, &column) in columns.iter().enumerate() {
        for (j, &other) in columns.iter().enumerate() {
            let (size, implied) = (context.count(column).total(), context.count(other).total());
            let rows = context.rows.total();
            let exceptions = size as f64 * (rows - implied) as f64 / rows as f64;
            if !context.shares_attribute(Literal::plain(column), other)
                && both[i * columns.len() + j].total() == size
                && size < implied
                && exceptions >= LEAST_EXCEPTIONS
            {
                let to = vec![Candidate::single(other)];
                found.push(Relation { column, kind: RelationKind::Implication, to });
            }
        }
    }
    Ok(found)
}

fn count_grid(context: &WarningContext<'_>, left: &[u32], right: &[u32]) -> Result<Vec<Count>, Error> {
    if left.is_empty() || right.is_empty() {
        return Ok(Vec::new());
    }
    let (left, right) = (Literal::plain_all(left), Literal::plain_all(right));
    context.counter.grid(Grid { base: &Candidate::default(), left: &left, right: &right })
}
