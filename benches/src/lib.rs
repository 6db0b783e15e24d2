//! What the benchmarks and the experiments share: charts, tables, timing, synthetic data and the UCI data sets.
//!
//! The program `concause-bench` runs the benchmarks; see `docs/benchmarks.md`.

pub mod chart;
pub mod error;
pub mod machine;
pub mod markdown;
pub mod numbers;
pub mod sampling;
pub mod synthetic;
pub mod text_table;
pub mod timing;
pub mod uci;
