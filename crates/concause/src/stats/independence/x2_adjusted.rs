//! Pearson's X² with the degrees of freedom of the non-empty rows and columns (bnlearn's `x2-adf`).

use super::statistic;
use super::{IndependenceTest, TestDescriptor};
use crate::count::Stratum;

pub(super) struct X2Adjusted;

impl IndependenceTest for X2Adjusted {
    fn descriptor(&self) -> &'static TestDescriptor {
        &TestDescriptor {
            name: "x2-adjusted",
            title: "Pearson's X² test with adjusted degrees of freedom",
            symbol: "X²",
            help: "X² with the degrees of freedom of the non-empty rows and columns",
            citation: "Pearson 1900",
        }
    }

    fn statistic(&self, table: &[Stratum]) -> f64 {
        statistic::x2(table)
    }

    fn degrees_of_freedom(&self, table: &[Stratum]) -> Option<u32> {
        statistic::adjusted_degrees_of_freedom(table)
    }
}
