//! Columns and causes that all but give the target away: often they were recorded after it.

use super::{MOST_NAMED, Scene, Warning, phi};
use crate::count::{Count, Stratum};
use crate::dataset::Candidate;

/// The correlation with the target from which on it counts as decided: with a target in half of the rows, 5 % of them
/// are exceptions.
pub const LEAST_PHI_OF_DECIDER: f64 = 0.9;

/// The share of the rows of one class that a relation without exception must account for.
pub const LEAST_SHARE_OF_CLASS: f64 = 0.5;

/// What is without exception is so by chance with e^−20 if so many exceptions were to be expected.
const LEAST_EXCEPTIONS: f64 = 20.0;

/// A column or cause that all but gives the target away.
#[derive(Clone, Debug, PartialEq)]
pub struct Decider {
    /// Which.
    pub candidate: Candidate,
    /// Its correlation with the target; below 0 if it holds where the target is 0.
    pub phi: f64,
    /// The rows with and without it.
    pub table: Stratum,
}

impl Decider {
    /// Whether the target goes with it almost everywhere, not only without exception in one direction.
    pub fn is_two_sided(&self) -> bool {
        self.phi.abs() >= LEAST_PHI_OF_DECIDER
    }

    /// Where the target is the same without exception, and which: whether the candidate holds there, and the target.
    pub fn without_exception(&self) -> Option<(bool, bool)> {
        let sides = [(true, self.table.with), (false, self.table.without)];
        sides.into_iter().find_map(|(held, side)| {
            let target = match (side.positive, side.negative) {
                (_, 0) => true,
                (0, _) => false,
                _ => return None,
            };
            is_telling(side, self.table.all(), target).then_some((held, target))
        })
    }
}

/// Whether rows that all have the same target are so many of their class that this is neither chance nor a trifle.
fn is_telling(side: Count, all: Count, target: bool) -> bool {
    let (class, others) = if target { (all.positive, all.negative) } else { (all.negative, all.positive) };
    let held = side.total() as f64;
    let exceptions = held * others as f64 / all.total().max(1) as f64;
    held >= LEAST_SHARE_OF_CLASS * class as f64 && exceptions >= LEAST_EXCEPTIONS
}

pub(super) fn warning(scene: &Scene<'_>) -> Option<Warning> {
    let singles = scene.free.iter().map(|&column| (Candidate::single(column), scene.count(column)));
    let combined = (scene.findings.causes.iter())
        .filter(|cause| cause.candidate.level() > 1)
        .map(|cause| (cause.candidate.clone(), cause.count));
    let decider = |(candidate, count): (Candidate, Count)| {
        let (rows, positive) = (scene.rows.total(), scene.rows.positive);
        let phi = phi(rows, count.total(), positive, count.positive);
        let found = Decider { candidate, phi, table: Stratum::marginal(count, scene.rows) };
        (found.is_two_sided() || found.without_exception().is_some()).then_some(found)
    };
    let mut by: Vec<Decider> = singles.chain(combined).filter_map(decider).collect();
    by.sort_by(|a, b| b.phi.abs().total_cmp(&a.phi.abs()));
    let total = by.len() as u64;
    by.truncate(MOST_NAMED);
    (total > 0).then_some(Warning::TargetDecided { by, total })
}
