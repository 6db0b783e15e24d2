//! Random data and the slow, obvious forms that the fast ones are compared with.
#![allow(dead_code, unused_imports)] // each test file uses its own part of this

pub mod matrix;
pub mod sequential;

pub use matrix::{Matrix, Random};
