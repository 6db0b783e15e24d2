//! Data made to order, from a seed, with the causes that were built into it; and how well a search found them.

mod random;
mod score;
mod simulated;
mod truth;

pub use random::Random;
pub use score::{Levels, Rates, Score, Spread, Summary, score};
pub use simulated::{Simulated, Variable};
pub use truth::Truth;

/// The version of the generator: raised whenever a recipe and a seed give other bytes than before.
pub const GENERATOR: u32 = 1;
