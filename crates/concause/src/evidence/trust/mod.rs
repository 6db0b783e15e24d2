//! Checks of how reliable a result is.
//!
//! [`stability`] computes the share of random half-samples in which each cause is found, [`calibration`] the number of
//! causes that the same settings find with shuffled outcomes. [`holdout`] tests each cause in rows that the search did
//! not use. [`warnings`] lists problems of the data that affect the result.

pub mod calibration;
mod draw;
pub mod holdout;
#[cfg(test)]
mod oracle;
mod repeat;
pub mod stability;
pub mod warnings;
