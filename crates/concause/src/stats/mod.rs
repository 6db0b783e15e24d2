//! Statistics on contingency tables: tests of independence, the distributions behind them, exact tests,
//! Mantel-Haenszel, and control of the false discovery rate.
//!
//! This module does not depend on the search, which decides what follows from a p-value.

mod chi_square;
mod decision;
mod false_discovery;
mod fisher_z;
mod hypothesis;
mod independence;
mod mantel_haenszel;
mod max_p;
mod n_ln_n;
mod result;

pub use chi_square::{critical_value, ln_upper_tail, upper_tail};
pub use decision::{Decision, DecisionRule};
pub use false_discovery::FalseDiscovery;
pub use fisher_z::fisher_z;
pub use hypothesis::{Hypothesis, HypothesisResult};
pub(crate) use independence::convolve;
pub use independence::{IndependenceTest, Test, TestDescriptor, UnknownTest};
pub use mantel_haenszel::{MantelHaenszel, mantel_haenszel};
pub use max_p::MaxP;
pub use result::{TestOutcome, TestResult, round_to_ten_digits};
