//! Simulated data with known causes, and scores of the causes that a search finds in it.
//!
//! - [`Recipe`]: how data is generated. The [named recipes](Recipe::NAMES) reproduce the paper's data sets, harder
//!   variants of them, causes that act on several scales and share columns, and data sets of other authors. Every
//!   parameter can be set.
//! - [`Simulated`]: the data and its [`Truth`].
//! - [`score`]: precision, recall and F1 of the causes found.
//!
//! ```
//! use concause_simulate::{Recipe, score};
//!
//! let mut recipe = Recipe::named("syn-100").unwrap();
//! recipe.set("split", "blind")?;
//! let simulated = recipe.simulate(1)?;
//! assert_eq!(simulated.dataset().columns().len(), 99);
//! assert_eq!(simulated.truth.causes.len(), 10);
//!
//! let found = vec![simulated.truth.causes[0].clone(), vec!["V1".into(), "V2".into()]];
//! assert_eq!(score(&found, &simulated.truth.causes).single.recall(), 0.2);
//! # Ok::<(), concause_simulate::SimulateError>(())
//! ```
//!
//! The same recipe and seed give the same bytes on every machine: all functions other than the four basic operations
//! and the square root come from `libm`, nothing runs in parallel, and nothing depends on the order of a hash table.
//! A change that alters the bytes of a seed must increase [`GENERATOR`].

mod bisection;
mod causes;
mod complete_table;
mod error;
mod logistic;
mod named;
mod parameters;
mod planted;
mod predictors;
mod random_network;
mod recipe;
mod risk_model;
mod risk_recipes;
mod scale;
mod score;
mod simulated;
mod split;
mod truth;
mod unnamed;

pub use causes::{PlantedCause, PlantedCauses, PlantedCondition, PlantedLiteral};
pub use complete_table::{CompleteTable, Concept};
pub use error::{AllowedRange, ExpectedValue, SimulateError};
pub use logistic::Logistic;
pub use parameters::Uniform;
pub use planted::{Parents, Planted};
pub use predictors::Predictors;
pub use random_network::RandomNetwork;
pub use recipe::{Recipe, RecipeKind};
pub use risk_model::RiskModel;
pub use scale::RiskScale;
pub use score::{ByCauseKind, Rates, Score, ScoreSummary, Spread, score};
pub use simulated::{Simulated, Variable, quote_csv_field};
pub use split::Split;
pub use truth::Truth;

/// The version of the generator. It increases whenever a recipe and a seed give different bytes than before.
pub const GENERATOR: u32 = 1;
