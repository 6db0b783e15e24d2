//! Bayesian networks from BIF files, the format of the bnlearn repository, and samples of them.
//!
//! The format (Cozman's Interchange Format for Bayesian Networks, version 0.15): one `network` block; a `variable`
//! block for each variable with its values; a `probability` block for each variable, which names it and its parents
//! and has either a row of probabilities for each configuration of the parents, `(a, b) 0.1, 0.9;`, with an
//! optional `default` row for those not listed, or one `table`. In a `table` the value of the variable changes
//! slowest and that of its last parent fastest. Commas and the bar may be left out, names may be quoted,
//! `property` entries say nothing about probabilities and are skipped.
//!
//! ```
//! use concause::dataset::Target;
//! use concause::simulate::bif::Network;
//!
//! let network = Network::parse(
//!     "network lawn { }
//!      variable Rain { type discrete [ 2 ] { yes, no }; }
//!      variable Wet { type discrete [ 2 ] { yes, no }; }
//!      probability ( Rain ) { table 0.2, 0.8; }
//!      probability ( Wet | Rain ) { (yes) 0.9, 0.1; (no) 0.05, 0.95; }",
//! )?;
//! let target = Target { name: "Wet".into(), value: None };
//! let simulated = network.sample(100, &target, 1)?;
//! assert_eq!(simulated.truth.causes, [["Rain"]]);
//!
//! let error = Network::parse("network lawn { }\nvariable Rain { type discrete [ 3 ] { yes, no }; }").unwrap_err();
//! assert_eq!(error.to_string(), "line 2: 'Rain' should have 3 values but has 2");
//! # Ok::<(), String>(())
//! ```

mod network;
mod parser;
mod tokens;

use std::fmt;

pub use network::{Network, Node};

/// What is wrong with a BIF file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl Error {
    fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Error {}

impl From<Error> for String {
    fn from(error: Error) -> String {
        error.to_string()
    }
}
