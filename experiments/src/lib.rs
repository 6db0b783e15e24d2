//! Reproduces the tables and figures of *Mining Combined Causes in Large Data Sets* (Ma, Li, Liu, Le 2016) and adds
//! experiments on harder data: `cargo run --release -p experiments` writes them to `docs/experiments/`.
//!
//! Every experiment produces an [`ExperimentPage`](experiment_run::ExperimentPage): a page and the files beside it. A
//! [`Store`](store::Store) saves results as they are computed, so that an interrupted run continues. [`paper`] has the
//! paper's numbers; no other file does.

pub mod accuracy;
pub mod alternatives;
pub mod arguments;
pub mod data_sets;
pub mod default_method;
pub mod experiment_run;
pub mod families;
pub mod index;
pub mod logic;
pub mod mbic2;
pub mod method_under_test;
pub mod naive;
pub mod numbers;
pub mod paper;
pub mod provenance;
pub mod real_data;
pub mod scale;
pub mod store;
