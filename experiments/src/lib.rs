//! The tables and figures of *Mining Combined Causes in Large Data Sets* (Ma, Li, Liu, Le 2016), and ours beside them:
//! `cargo run --release -p experiments` writes them to `docs/experiments/`.
//!
//! Every part turns results into a [`Section`](run::Section): a page and the files beside it. Results are kept in a [`Store`](store::Store) as
//! they come, so that an interrupted run goes on. [`paper`] holds the paper's numbers; no other file does.

pub mod accuracy;
pub mod arguments;
pub mod contestant;
pub mod data_sets;
pub mod defaults;
pub mod index;
pub mod naive;
pub mod paper;
pub mod provenance;
pub mod real;
pub mod results;
pub mod run;
pub mod scale;
pub mod store;
pub mod table;
