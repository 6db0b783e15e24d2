//! G² with 2^|S| degrees of freedom, empty strata included (bnlearn's `mi`).

use super::statistic;
use super::{IndependenceTest, TestDescriptor};
use crate::count::Stratum;

pub(super) struct G2;

impl IndependenceTest for G2 {
    fn descriptor(&self) -> &'static TestDescriptor {
        &TestDescriptor {
            name: "g2",
            title: "G² test",
            symbol: "G²",
            help: "likelihood-ratio G² with the full degrees of freedom",
            citation: "Wilks 1938",
        }
    }

    fn statistic(&self, table: &[Stratum]) -> f64 {
        statistic::g2(table)
    }

    fn degrees_of_freedom(&self, table: &[Stratum]) -> Option<u32> {
        Some(table.len() as u32)
    }

    fn statistic_is_g2(&self) -> bool {
        true
    }
}
