//! What can be said of a cause besides that it is one: risks and effect sizes with 95 % intervals, plain and adjusted
//! for the other causes, and for a conjunction what its parts do together that they do not do alone.
//!
//! Everything follows from counts, so it can be worked out in other rows than those searched: whoever holds rows
//! back passes a [`Counter`] of these. Formulas and sources are in `docs/method.md`. No figure is ever infinite or not
//! a number: what cannot be estimated is [`Unknown`], with the reason.
//!
//! And how far the result as a whole is to be trusted: [`stability`] tells how often each cause is found again in random
//! halves of the rows, [`calibration`] how many causes the same settings find where there are none, [`confirmation`]
//! whether causes hold up in rows that the search did not see, [`warnings`] what in the data speaks against relying on it.
//!
//! This module knows nothing of how the causes were found.

mod adjusted;
pub mod calibration;
pub mod confirmation;
mod draw;
mod effects;
mod estimate;
mod interaction;
#[cfg(test)]
mod oracle;
mod repeat;
pub mod stability;
pub mod warnings;

use rayon::prelude::*;

pub use adjusted::Adjusted;
pub use effects::Effects;
pub use estimate::{Estimate, Measure, Unknown};
pub use interaction::{Cell, Contrast, Interaction};

use crate::count::{Count, Counter, Stratum};
use crate::dataset::Candidate;

/// What the data says of one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The rows with and without it.
    pub table: Stratum,
    /// The share of target 1 among the rows with it.
    pub risk_with: Measure,
    /// The share of target 1 among the rows without it.
    pub risk_without: Measure,
    /// What it does, the other causes left aside.
    pub effects: Effects,
    /// What it does where the other causes are held fixed.
    pub adjusted: Adjusted,
    /// How its parts work together, if it has more than one.
    pub interaction: Option<Interaction>,
}

/// The evidence for each of some causes, each beside all the others and what else is to be held fixed (covariates),
/// in the rows of the counter.
///
/// It takes two questions: the rows by which of the causes hold in them, and the counts of the parts of conjunctions.
pub fn gather(counter: &dyn Counter, causes: &[Candidate], fixed: &[Candidate]) -> Vec<Evidence> {
    if causes.is_empty() {
        return Vec::new();
    }
    let rows = counter.rows();
    let configurations = counter.configurations(&[causes, fixed].concat(), &[], &|_, _, _| ());
    let parts: Vec<Vec<Candidate>> = causes.iter().map(interaction::subsets).collect();
    let counts = counter.counts(&parts.concat());
    let mut rest = &counts[..];
    let counts: Vec<&[Count]> = parts
        .iter()
        .map(|parts| {
            let (own, others) = rest.split_at(parts.len());
            rest = others;
            own
        })
        .collect();
    (0..causes.len())
        .into_par_iter()
        .map(|number| {
            let with = configurations.total(number);
            let table = Stratum::marginal(with, rows);
            Evidence {
                table,
                risk_with: effects::risk(table.with).map_err(|_| Unknown::NeverHolds),
                risk_without: effects::risk(table.without).map_err(|_| Unknown::AlwaysHolds),
                effects: Effects::of(&table),
                adjusted: Adjusted::over(&configurations, number),
                interaction: Interaction::new(causes[number].level(), rows, with, counts[number]),
            }
        })
        .collect()
}
