//! Finds the causes of an outcome in a table of observations: single causes, and **combined causes**,
//! conjunctions such as `smoking & gene=B` whose parts are not causes by themselves.
//!
//! ```
//! use concause::Miner;
//! use concause::dataset::{DatasetBuilder, Target};
//!
//! // Fire breaks out where a stub meets dry brush.
//! let rows = || (0..4000).map(|row| (row % 3 == 0, row % 5 < 2, row % 7 == 0));
//! let outcome = rows().map(|(stub, brush, spark)| (stub && brush) || spark).collect();
//! let mut builder = DatasetBuilder::new(Target { name: "fire".into(), value: None }, outcome);
//! builder.attribute("stub", vec!["stub".into()], rows().map(|(stub, _, _)| stub.then_some(0)));
//! builder.attribute("brush", vec!["brush".into()], rows().map(|(_, brush, _)| brush.then_some(0)));
//! let dataset = builder.finish();
//!
//! let mining = Miner::new().max_level(2).mine(&dataset)?;
//! let names: Vec<String> = mining.causes().map(|cause| cause.name()).collect();
//! assert_eq!(names, ["stub&brush"]);
//! for cause in mining.causes() {
//!     println!("{}: p = {:.1e}, RR {:.1?}", cause.name(), cause.max_p_value(), cause.adjusted_risk_ratio());
//! }
//! println!("{:?}", mining.explain("brush")?);
//! # Ok::<(), concause::Error>(())
//! ```
//!
//! A [`Miner`] holds the settings. A [`Mining`] is the result: the causes with effect sizes, the reason for every
//! candidate, warnings, and checks of how far the result can be trusted.
//!
//! The layout is the data flow. A module uses only modules to its left:
//!
//! ```text
//! dataset → count → stats → model → search → evidence → miner
//! ```
//!
//! - [`dataset`]: named binary columns as bitmaps, rows split by the target;
//! - [`count`]: counts of conjunctions, in large batches, on this machine or a remote engine;
//! - [`stats`]: tests of independence and the distributions behind them;
//! - [`model`]: regression models of the target;
//! - [`search`]: the default method `joint`, HITON-PC, MH-PC-F, MH-PC-B and methods to compare them with; every
//!   decision has a reason;
//! - [`evidence`]: effect sizes, interaction measures and checks of how far a result can be trusted.
//!
//! The crate reads no files and prints nothing: `concause-io` makes a [`dataset::Dataset`] from a file, and
//! `concause-report` renders a result. `concause-simulate` makes data with known causes.

mod combinatorics;
pub mod count;
pub mod dataset;
mod error;
pub mod evidence;
mod miner;
pub mod model;
pub mod progress;
pub mod random;
pub mod search;
pub mod stats;

pub use error::{Error, Limit};
pub use miner::{Cause, Miner, Mining};
