//! Counts and sums of both values of literals, from those in which they hold.

use std::ops::{Add, Sub};

/// What holds, and what does not, of all.
pub(crate) fn both_signs<T: Copy + Sub<Output = T>>(with: T, all: T) -> [T; 2] {
    [with, all - with]
}

/// What does not hold of each.
pub(crate) fn complements<T: Copy + Sub<Output = T>>(all: &[T], with: &[T]) -> Vec<T> {
    all.iter().zip(with).map(|(&all, &with)| all - with).collect()
}

/// The four cells of the table of two literals, in the order of [`PairCells::SIGNS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PairCells<T> {
    pub cells: [T; 4],
}

impl<T: Copy + Add<Output = T> + Sub<Output = T>> PairCells<T> {
    /// Whether the first and the second literal hold in each cell.
    pub const SIGNS: [[bool; 2]; 4] = [[true, true], [true, false], [false, true], [false, false]];

    /// The cells, given what both literals, each of them, and all rows have.
    pub fn new(both: T, first: T, second: T, all: T) -> Self {
        let [first_only, second_only] = [first - both, second - both];
        Self { cells: [both, first_only, second_only, all - first - second_only] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_of_a_pair_add_up_to_its_margins() {
        let pair = PairCells::new(3u64, 10, 4, 20);
        assert_eq!(pair.cells, [3, 7, 1, 9]);
    }
}
