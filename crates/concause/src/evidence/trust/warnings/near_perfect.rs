//! Near-perfect predictors of the target: columns and causes that were often recorded after it.

use super::{MOST_NAMED, Warning, WarningContext, phi};
use crate::count::{Count, Stratum};
use crate::dataset::Candidate;

/// The smallest absolute phi coefficient of a near-perfect predictor with the target. If both hold in half of the rows,
/// at most 5 % of the rows are exceptions.
pub const LEAST_PHI_OF_PREDICTOR: f64 = 0.9;

/// The share of the rows of one class that a rule without exceptions must cover.
pub const LEAST_SHARE_OF_CLASS: f64 = 0.5;

/// The smallest expected number of exceptions of a rule without exceptions. The probability of none by chance is then
/// at most about e^−20.
const LEAST_EXCEPTIONS: f64 = 20.0;

/// A column or cause that predicts the target nearly perfectly.
#[derive(Clone, Debug, PartialEq)]
pub struct NearPerfectPredictor {
    /// The column or conjunction.
    pub candidate: Candidate,
    /// Its phi coefficient with the target; below 0 if it holds where the target is 0.
    pub phi: f64,
    /// The rows with and without it, by target.
    pub table: Stratum,
}

impl NearPerfectPredictor {
    /// Whether it predicts both values of the target nearly perfectly, not only one value without exceptions.
    pub fn is_two_sided(&self) -> bool {
        self.phi.abs() >= LEAST_PHI_OF_PREDICTOR
    }

    /// The rule without exceptions, if there is one: the value of the candidate, and the target in all rows with that
    /// value.
    pub fn without_exception(&self) -> Option<(bool, bool)> {
        let sides = [(true, self.table.with), (false, self.table.without)];
        sides.into_iter().find_map(|(held, side)| {
            let target = match (side.positive, side.negative) {
                (_, 0) => true,
                (0, _) => false,
                _ => return None,
            };
            is_substantial(side, self.table.total_count(), target).then_some((held, target))
        })
    }
}

/// Whether rows that all have the same target are too many to be due to chance, and a large share of their class.
fn is_substantial(side: Count, all: Count, target: bool) -> bool {
    let (class, others) = if target { (all.positive, all.negative) } else { (all.negative, all.positive) };
    let held = side.total() as f64;
    let exceptions = held * others as f64 / all.total().max(1) as f64;
    held >= LEAST_SHARE_OF_CLASS * class as f64 && exceptions >= LEAST_EXCEPTIONS
}

pub(super) fn check_predictors(context: &WarningContext<'_>) -> Option<Warning> {
    let singles = context.free.iter().map(|&column| (Candidate::single(column), context.count(column)));
    let combined = (context.findings.causes.iter())
        .filter(|cause| cause.candidate.level() > 1)
        .map(|cause| (cause.candidate.clone(), cause.count));
    let predictor = |(candidate, count): (Candidate, Count)| {
        let (rows, positive) = (context.rows.total(), context.rows.positive);
        let phi = phi(rows, count.total(), positive, count.positive);
        let found = NearPerfectPredictor { candidate, phi, table: Stratum::marginal(count, context.rows) };
        (found.is_two_sided() || found.without_exception().is_some()).then_some(found)
    };
    let mut by: Vec<NearPerfectPredictor> = singles.chain(combined).filter_map(predictor).collect();
    by.sort_by(|a, b| b.phi.abs().total_cmp(&a.phi.abs()));
    let total = by.len() as u64;
    by.truncate(MOST_NAMED);
    (total > 0).then_some(Warning::NearPerfectPrediction { by, total })
}
