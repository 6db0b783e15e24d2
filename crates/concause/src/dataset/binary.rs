//! The texts that denote binary values.

/// The pairs of texts that denote false and true, in lower case; comparisons ignore case.
pub const BINARY_PAIRS: [[&str; 2]; 5] =
    [["0", "1"], ["false", "true"], ["f", "t"], ["no", "yes"], ["n", "y"]];
