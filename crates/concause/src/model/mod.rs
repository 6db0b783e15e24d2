//! Models of the target on terms: regressions on several scales of risk, and tables.
//!
//! This module does not depend on how terms are chosen.

mod average;
pub(crate) mod changed_groups;
#[cfg(test)]
mod fixtures;
pub mod groups;
pub mod logistic;
mod matrix;
pub(crate) mod quadratic;
pub mod regression;
pub mod scale;
pub mod table;

pub use average::{ModelAverage, ModelForm, WeightedModel};
pub(crate) use quadratic::Quadratic;
pub use regression::Regression;
pub use scale::Scale;
