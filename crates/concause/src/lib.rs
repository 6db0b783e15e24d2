//! Finds the causes of an outcome in a table of observations.

pub mod count;
pub mod dataset;
pub mod independence;
#[cfg(test)]
mod testing;
