//! Random samples of rows, and set operations on bitmaps of rows.

use crate::dataset::Block;
use crate::random::{Random, Selection};

/// Draws `wanted` of the rows in which a bitmap is 1, all choices with equal probability, and sets the others to 0.
pub(super) fn draw_rows(bits: &mut [Block], wanted: u64, random: &mut Random) {
    let words = Block::words_mut(bits);
    let available = words.iter().map(|word| u64::from(word.count_ones())).sum();
    let mut selection = Selection::new(available, wanted);
    for word in words {
        let mut rest = *word;
        while rest != 0 {
            let row = rest & rest.wrapping_neg();
            rest ^= row;
            if !selection.draws(random) {
                *word ^= row;
            }
        }
    }
}

/// The rows of `all` that are not in `some`.
pub(super) fn difference(all: &[Block], some: &[Block]) -> Vec<Block> {
    combine_words(all, some, |all, some| all & !some)
}

/// The rows that are in both bitmaps.
pub(super) fn intersection(one: &[Block], other: &[Block]) -> Vec<Block> {
    combine_words(one, other, |one, other| one & other)
}

/// The rows that are in at least one bitmap.
pub(super) fn union(one: &[Block], other: &[Block]) -> Vec<Block> {
    combine_words(one, other, |one, other| one | other)
}

fn combine_words(one: &[Block], other: &[Block], combine: impl Fn(u64, u64) -> u64) -> Vec<Block> {
    let pairs = one.iter().zip(other);
    pairs.map(|(one, other)| Block(std::array::from_fn(|word| combine(one.0[word], other.0[word])))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Layout, ones};
    use crate::random::Purpose;

    #[test]
    fn all_rows_are_drawn_with_equal_probability() {
        let all = Layout { positive: 9, negative: 3 }.full();
        let rows: Vec<usize> = ones(Block::words(&all)).collect();
        let mut drawn = vec![0u32; 1024];
        for mut random in Purpose::HalfSamples.streams(1, 6000) {
            let mut some = all.clone();
            draw_rows(&mut some, 4, &mut random);
            let places: Vec<usize> = ones(Block::words(&some)).collect();
            assert_eq!(places.len(), 4);
            places.into_iter().for_each(|row| drawn[row] += 1);
            let rest = difference(&all, &some);
            assert_eq!(ones(Block::words(&rest)).count(), 8);
        }
        // Each row is drawn 2,000 times in expectation, with a standard deviation of 36.5.
        assert!(rows.iter().all(|&row| (1840..2160).contains(&drawn[row])), "{drawn:?}");
        assert_eq!(drawn.iter().sum::<u32>(), 24_000);
    }

    #[test]
    fn draws_of_none_all_and_too_many_rows_are_valid() {
        let all = Layout { positive: 700, negative: 1 }.full();
        let draws = [0, 701, u64::MAX].map(|wanted| {
            let mut some = all.clone();
            draw_rows(&mut some, wanted, &mut Random::new(3));
            ones(Block::words(&some)).count()
        });
        assert_eq!(draws, [0, 701, 701]);
    }
}
