//! Data made to order, from a seed, with the causes that were built into it; and how well a search found them.
//!
//! - [`Recipe`]: how data is made. The [named ones](Recipe::NAMES) are those of the paper, harder variants of them,
//!   and two of other fields; every parameter can be set.
//! - [`Simulated`]: the data and its [`Truth`].
//! - [`bif`]: Bayesian networks from files, sampled.
//! - [`score`]: what was found against the truth, as precision, recall and F1.
//!
//! ```
//! use concause::simulate::{Recipe, score};
//!
//! let mut recipe = Recipe::named("syn-100").unwrap();
//! recipe.set("split", "blind")?;
//! let simulated = recipe.simulate(1)?;
//! assert_eq!(simulated.dataset()?.columns().len(), 99);
//! assert_eq!(simulated.truth.causes.len(), 10);
//!
//! let found = vec![simulated.truth.causes[0].clone(), vec!["V1".into(), "V2".into()]];
//! assert_eq!(score(&found, &simulated.truth.causes).single.recall(), 0.2);
//! # Ok::<(), String>(())
//! ```
//!
//! The same recipe and seed give the same bytes on every machine: all functions beyond the four operations and the
//! square root come from `libm`, nothing is done in parallel, and nothing hangs on the order of a hash table.
//! Whatever changes the bytes of a seed must raise [`GENERATOR`].

pub mod bif;
mod draft;
mod epistasis;
mod formulas;
mod logistic;
mod named;
mod parameters;
mod planted;
mod random;
mod random_network;
mod recipe;
mod score;
mod simulated;
mod split;
mod truth;

pub use epistasis::Epistasis;
pub use formulas::Formulas;
pub use logistic::Logistic;
pub use parameters::Uniform;
pub use planted::{Parents, Planted};
pub use random::{Purpose, Random, Selection};
pub use random_network::RandomNetwork;
pub use recipe::{Kind, Recipe};
pub use score::{Levels, Rates, Score, Spread, Summary, score};
pub use simulated::{Simulated, Variable};
pub use split::Split;
pub use truth::Truth;

/// The version of the generator: raised whenever a recipe and a seed give other bytes than before.
pub const GENERATOR: u32 = 1;
