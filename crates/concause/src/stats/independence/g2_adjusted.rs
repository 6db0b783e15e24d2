//! G² with the degrees of freedom of the non-empty rows and columns (bnlearn's `mi-adf`).

use super::statistic;
use super::{IndependenceTest, TestDescriptor};
use crate::count::Stratum;

pub(super) struct G2Adjusted;

impl IndependenceTest for G2Adjusted {
    fn descriptor(&self) -> &'static TestDescriptor {
        &TestDescriptor {
            name: "g2-adjusted",
            title: "G² test with adjusted degrees of freedom",
            symbol: "G²",
            help: "G² with the degrees of freedom of the non-empty rows and columns",
            citation: "Wilks 1938",
        }
    }

    fn statistic(&self, table: &[Stratum]) -> f64 {
        statistic::g2(table)
    }

    fn degrees_of_freedom(&self, table: &[Stratum]) -> Option<u32> {
        statistic::adjusted_degrees_of_freedom(table)
    }

    fn statistic_is_g2(&self) -> bool {
        true
    }
}
