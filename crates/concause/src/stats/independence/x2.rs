//! Pearson's X² with 2^|S| degrees of freedom, empty strata included (bnlearn's `x2`).

use super::statistic;
use super::{IndependenceTest, TestDescriptor};
use crate::count::Stratum;

pub(super) struct X2;

impl IndependenceTest for X2 {
    fn descriptor(&self) -> &'static TestDescriptor {
        &TestDescriptor {
            name: "x2",
            title: "Pearson's X² test",
            symbol: "X²",
            help: "Pearson's X² with the full degrees of freedom",
            citation: "Pearson 1900",
        }
    }

    fn statistic(&self, table: &[Stratum]) -> f64 {
        statistic::x2(table)
    }

    fn degrees_of_freedom(&self, table: &[Stratum]) -> Option<u32> {
        Some(table.len() as u32)
    }
}
