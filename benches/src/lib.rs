//! What the benchmarks stand on: charts, timing, data made to order and the Census data.
//!
//! The benchmarks themselves are the program `concause-bench`; see `docs/benchmarks.md`.

pub mod census;
pub mod chart;
pub mod data;
pub mod machine;
pub mod page;
pub mod race;
