//! Random data, and slow reference implementations for comparison with the fast ones.
#![allow(dead_code, unused_imports, clippy::needless_range_loop)] // each test file uses only some of these items

pub mod comparison;
pub mod matrix;
pub mod rivals;
pub mod sequential;

pub use concause::random::Random;
use concause::search::{Duplicates, Method, Overlap, Preset, Settings};
use concause::stats::{FalseDiscovery, Test};
pub use matrix::Matrix;

/// `None` more often than not, otherwise one of the procedures that control the false discovery rate.
pub fn random_fdr(random: &mut Random) -> Option<FalseDiscovery> {
    let ways = FalseDiscovery::ALL;
    ways.get(random.below(3 * ways.len())).copied()
}

/// A random test of independence. G² is more frequent than the others because it is the default and has its own code
/// path.
pub fn random_test(random: &mut Random) -> Test {
    if random.chance(0.5) { Test::G2 } else { Test::ALL[random.below(Test::ALL.len())] }
}

/// Random settings of a method, based on the preset of the paper.
pub fn random_settings(random: &mut Random, method: Method, max_level: usize) -> Settings {
    Settings {
        method,
        max_level,
        overlap: if random.chance(0.7) { Overlap::Allow } else { Overlap::Skip },
        max_k: random.below(4),
        fdr: random_fdr(random),
        alpha: [0.05, 0.05, 0.2, 0.4][random.below(4)],
        redundancy_alpha: [0.1, 0.5, 0.9][random.below(3)],
        test: random_test(random),
        duplicates: if random.chance(0.5) { Duplicates::Merge } else { Duplicates::Ordinary },
        seed: random.next_u64(),
        ..Preset::Paper.settings()
    }
}

/// The number of repetitions of a random comparison: `usual`, multiplied by `CONCAUSE_TEST_EFFORT` if that is set. The
/// usual number takes a few seconds and is large enough for each kind of cause and reason to occur, which the tests
/// assert. A larger effort finds rarer disagreements.
pub fn repetitions(usual: usize) -> usize {
    let effort = std::env::var("CONCAUSE_TEST_EFFORT").map_or(1, |effort| {
        effort.parse().unwrap_or_else(|_| panic!("CONCAUSE_TEST_EFFORT is a whole number, not {effort:?}"))
    });
    usual * effort
}
