//! Random data and the slow, obvious forms that the fast ones are compared with.
#![allow(dead_code, unused_imports, clippy::needless_range_loop)] // each test file uses its own part of this

pub mod comparison;
pub mod matrix;
pub mod rivals;
pub mod sequential;

use concause::independence::FalseDiscovery;
pub use concause::simulate::Random;
pub use matrix::Matrix;

/// Each candidate tested by itself more often than not, and both ways to control the false discovery rate.
pub fn random_fdr(random: &mut Random) -> Option<FalseDiscovery> {
    let ways = FalseDiscovery::ALL;
    ways.get(random.below(3 * ways.len())).copied()
}
