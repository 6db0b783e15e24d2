//! The evidence for a cause: risks and effect sizes with 95 % intervals, crude and adjusted for the other causes, and
//! for conjunctions measures of the interaction of their parts.
//!
//! All estimates follow from counts. To estimate the evidence in other rows than those searched, pass a [`Counter`] of
//! those rows. Formulas and sources are in `docs/method.md`. No estimate is infinite or NaN; if a measure cannot be
//! estimated, it is [`Unknown`], with the reason. [`trust`] checks how reliable a result is as a whole.
//!
//! The estimates do not depend on how the causes were found.

mod adjusted;
mod crude;
mod effects;
mod estimate;
mod interaction;
mod pooled;
#[cfg(feature = "serde")]
mod serialised;
pub mod trust;

use rayon::prelude::*;

pub use adjusted::Adjusted;
pub use effects::{EFFECT_MEASURES, EffectMeasure, EffectScale, Effects};
pub use estimate::{Estimate, Measure, Unknown};
pub use interaction::{
    ADDITIVE_MEASURES, AdditiveMeasure, Contrast, ContrastTest, Interaction, InteractionCell,
    InteractionMeasures, RISK_CONTRASTS, RiskContrast,
};
#[cfg(feature = "serde")]
pub use serialised::measure;

use crate::count::{Count, Counter, Stratum};
use crate::dataset::{Candidate, Column};
use crate::error::Error;

/// The evidence for one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The rows with and without the cause, by target.
    pub table: Stratum,
    /// The share of target 1 among the rows with the cause.
    pub risk_with: Measure,
    /// The share of target 1 among the rows without the cause.
    pub risk_without: Measure,
    /// The crude effects.
    pub effects: Effects,
    /// The effects adjusted for the other causes.
    pub adjusted: Adjusted,
    /// The interaction of its parts, if the cause is a conjunction.
    pub interaction: Option<Interaction>,
}

/// Estimates the evidence for each cause in the rows of the counter, adjusted for all other causes and for the `fixed`
/// terms (covariates). The columns are those of the data.
///
/// It makes two requests: for the configurations of the causes, and for the counts of the parts of conjunctions.
pub fn estimate_evidence(
    counter: &dyn Counter,
    causes: &[Candidate],
    fixed: &[Candidate],
    columns: &[Column],
) -> Result<Vec<Evidence>, Error> {
    if causes.is_empty() {
        return Ok(Vec::new());
    }
    let rows = counter.rows();
    let configurations = counter.configurations_of(&[causes, fixed].concat())?;
    let parts: Vec<Vec<Candidate>> =
        causes.iter().map(|cause| interaction::list_subsets(cause, columns)).collect();
    let counts = counter.counts(&parts.concat())?;
    let mut rest = &counts[..];
    let counts: Vec<&[Count]> = parts
        .iter()
        .map(|parts| {
            let (own, others) = rest.split_at(parts.len());
            rest = others;
            own
        })
        .collect();
    let evidence = (0..causes.len())
        .into_par_iter()
        .map(|number| {
            let with = configurations.total(number);
            let table = Stratum::marginal(with, rows);
            Evidence {
                table,
                risk_with: crude::estimate_risk(table.with).map_err(|_| Unknown::NeverHolds),
                risk_without: crude::estimate_risk(table.without).map_err(|_| Unknown::AlwaysHolds),
                effects: Effects::from_table(&table),
                adjusted: Adjusted::estimate(&configurations, number),
                interaction: Interaction::new(
                    causes[number].part_candidates(columns).len(),
                    rows,
                    with,
                    counts[number],
                ),
            }
        })
        .collect();
    Ok(evidence)
}
