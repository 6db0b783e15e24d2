//! Rows drawn at random.

use crate::dataset::Block;
use crate::simulate::{Random, Selection};

/// Draws so many of the rows in which a bitmap is 1, all choices being equally likely, and sets the others to 0.
pub(super) fn draw(bits: &mut [Block], wanted: u64, random: &mut Random) {
    let words = Block::words_mut(bits);
    let all = words.iter().map(|word| u64::from(word.count_ones())).sum();
    let mut selection = Selection::new(all, wanted);
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

/// The rows of `all` that are not among `some`.
pub(super) fn without(all: &[Block], some: &[Block]) -> Vec<Block> {
    joined(all, some, |all, some| all & !some)
}

/// The rows that are in both.
pub(super) fn both(one: &[Block], other: &[Block]) -> Vec<Block> {
    joined(one, other, |one, other| one & other)
}

/// The rows that are in either.
pub(super) fn either(one: &[Block], other: &[Block]) -> Vec<Block> {
    joined(one, other, |one, other| one | other)
}

fn joined(one: &[Block], other: &[Block], join: impl Fn(u64, u64) -> u64) -> Vec<Block> {
    let pairs = one.iter().zip(other);
    pairs.map(|(one, other)| Block(std::array::from_fn(|word| join(one.0[word], other.0[word])))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Layout, ones};
    use crate::simulate::Purpose;

    #[test]
    fn every_row_is_as_likely_as_any_other() {
        let all = Layout { positive: 9, negative: 3 }.full();
        let rows: Vec<usize> = ones(Block::words(&all)).collect();
        let mut drawn = vec![0u32; 1024];
        for mut random in Purpose::HalfSamples.streams(1, 6000) {
            let mut some = all.clone();
            draw(&mut some, 4, &mut random);
            let places: Vec<usize> = ones(Block::words(&some)).collect();
            assert_eq!(places.len(), 4);
            places.into_iter().for_each(|row| drawn[row] += 1);
            let rest = without(&all, &some);
            assert_eq!(ones(Block::words(&rest)).count(), 8);
        }
        // 2,000 each, with a standard deviation of 36.5.
        assert!(rows.iter().all(|&row| (1840..2160).contains(&drawn[row])), "{drawn:?}");
        assert_eq!(drawn.iter().sum::<u32>(), 24_000);
    }

    #[test]
    fn all_and_none_can_be_drawn() {
        let all = Layout { positive: 700, negative: 1 }.full();
        let draws = [0, 701, u64::MAX].map(|wanted| {
            let mut some = all.clone();
            draw(&mut some, wanted, &mut Random::new(3));
            ones(Block::words(&some)).count()
        });
        assert_eq!(draws, [0, 701, 701]);
    }
}
