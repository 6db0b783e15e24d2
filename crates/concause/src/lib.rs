//! Finds the causes of an outcome in a table of observations: single causes, and **combined causes**,
//! conjunctions such as `smoking & gene=B` whose parts are not causes by themselves.
//!
//! The layout is the data flow, left to right, and nothing looks to its right:
//!
//! ```text
//! dataset → count → independence → search | rules → evidence
//! ```
//!
//! - [`dataset`]: named binary columns as bitmaps, rows split by the target;
//! - [`count`]: how many rows satisfy a conjunction, in large batches;
//! - [`independence`]: from a contingency table to a p-value, or *not testable*;
//! - [`search`]: HITON-PC, MH-PC-F and MH-PC-B, and PC-select and the naïve methods beside them, with the reason for
//!   every decision;
//! - [`rules`]: the causal rules CR-PA and CR-CS, called like a search and with the same result;
//! - [`evidence`]: effect sizes with intervals, adjusted ones, how the parts of a combined cause work together,
//!   and how far a result is to be trusted;
//! - [`simulate`]: data made to order with known causes, and scores of what was found in it.
//!
//! The crate reads no files and prints nothing: `concause-io` makes a [`dataset::Dataset`] from a file,
//! `concause-report` prints a [`search::Findings`].

pub mod count;
pub mod dataset;
mod error;
pub mod evidence;
pub mod independence;
pub mod rules;
pub mod search;
pub mod simulate;

pub use error::Error;
