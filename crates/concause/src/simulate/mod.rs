//! Data made to order, from a seed.

mod random;

pub use random::Random;
