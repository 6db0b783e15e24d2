//! What differs when the numbers of the paper's table of real data sets are to be met.
//!
//! They do not follow from the listings. What gives all twelve of them: no forward stage; a backward stage
//! with up to two conditioning candidates from all associated ones of the level and the causes of level 1,
//! none of which shares a column with the candidate, removals taken together at the end
//! ([`Elimination::together`](super::elimination::Elimination::together)); and the redundancy test below.

use super::candidates::RedundancyTest;
use crate::count::{Count, Stratum};
use crate::independence::{Verdict, fisher_z};

/// The other part must be 0 in at least this share of the stratum.
const LEAST_SHARE_OF_ZEROS: f64 = 0.05;

/// Keeps a pair only if, where either part holds, the other is correlated with the target (Fisher's z) and is
/// 0 often enough. There are no covariates to it.
pub(super) struct TableRedundancy {
    pub alpha: f64,
}

impl RedundancyTest for TableRedundancy {
    fn verdict(&self, both: &[Count], within: &[Count]) -> Verdict {
        let all: Count = within.iter().sum();
        let zeros = (all - both.iter().sum()).total() as f64;
        let varies = zeros >= LEAST_SHARE_OF_ZEROS * all.total() as f64;
        if varies && self.p_value(both, within) <= self.alpha {
            Verdict::Dependent
        } else {
            Verdict::Independent
        }
    }

    fn p_value(&self, both: &[Count], within: &[Count]) -> f64 {
        fisher_z(&Stratum::marginal(both.iter().sum(), within.iter().sum())).unwrap_or(1.0)
    }
}
