//! Samples of Bayesian networks from BIF files, the format of the bnlearn repository.
//!
//! A file in Cozman's Interchange Format for Bayesian Networks, version 0.15, has one `network` block, a `variable`
//! block with the values of each variable, and a `probability` block for each variable. The latter names the variable
//! and its parents. It has either a row of probabilities for each configuration of the parents, `(a, b) 0.1, 0.9;`,
//! with an optional `default` row for the configurations not listed, or one `table`. In a `table` the value of the
//! variable changes slowest and the value of its last parent fastest. Commas and the bar are optional, and names may
//! be quoted. `property` entries are skipped, because they do not describe probabilities.
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
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod network;
mod parser;
mod tokens;

pub use error::{BifError, BifErrorKind};
pub use network::{Network, Node};
