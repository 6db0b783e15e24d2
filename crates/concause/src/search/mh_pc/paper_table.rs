//! The deviations from the listings that reproduce the paper's table of real data sets.
//!
//! The numbers of that table do not follow from the listings. All twelve are reproduced as follows. There is no forward
//! stage. The backward stage conditions on up to two candidates, chosen from all associated ones of the level and the
//! causes of level 1, that share no column with the tested candidate. Separated candidates are removed together at the
//! end ([`Elimination::simultaneous`]). The redundancy test is the one below.
//!
//! [`Elimination::simultaneous`]: crate::search::elimination::Elimination::simultaneous

use crate::count::{Count, Stratum};
use crate::search::candidates::RedundancyTest;
use crate::stats::{Decision, fisher_z};

/// The share of the rows with one part in which the other part must be 0.
const LEAST_SHARE_OF_ZEROS: f64 = 0.05;

/// Keeps a pair only if, in the rows where either part holds, the other part is correlated with the target (Fisher's z)
/// and is 0 often enough. It ignores the strata of covariates, which the preset does not support.
pub(crate) struct TableRedundancy {
    pub alpha: f64,
}

impl RedundancyTest for TableRedundancy {
    fn decide(&self, both: &[Count], within: &[Count]) -> Decision {
        let rows: Count = within.iter().sum();
        let zeros = (rows - both.iter().sum()).total() as f64;
        let varies = zeros >= LEAST_SHARE_OF_ZEROS * rows.total() as f64;
        if varies && self.p_value(both, within) <= self.alpha {
            Decision::Dependent
        } else {
            Decision::Independent
        }
    }

    fn p_value(&self, both: &[Count], within: &[Count]) -> f64 {
        fisher_z(&Stratum::marginal(both.iter().sum(), within.iter().sum())).unwrap_or(1.0)
    }
}
