//! Random data and the slow, obvious forms that the fast ones are compared with.
#![allow(dead_code, unused_imports, clippy::needless_range_loop)] // each test file uses its own part of this

pub mod comparison;
pub mod matrix;
pub mod rivals;
pub mod sequential;

pub use concause::simulate::Random;
pub use matrix::Matrix;
