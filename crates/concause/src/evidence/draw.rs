//! Rows drawn at random.

use crate::dataset::Block;
use crate::simulate::Random;

/// What random numbers are drawn for: each has a stream of its own, so that asking for one thing changes nothing of
/// another.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    HalfSamples = 1,
    Shuffles = 2,
}

/// The streams of several repeats, one for each, whatever is drawn in the others.
pub(super) fn streams(seed: u64, purpose: Purpose, number: usize) -> Vec<Random> {
    let mut seeds = Random::new(seed);
    for _ in 0..purpose as u64 {
        seeds = Random::new(seeds.next_u64());
    }
    (0..number).map(|_| Random::new(seeds.next_u64())).collect()
}

/// Draws so many of the rows in which a bitmap is 1, all choices being equally likely, and sets the others to 0
/// (selection sampling: Knuth 1997, algorithm S of section 3.4.2).
pub(super) fn draw(bits: &mut [Block], wanted: u64, random: &mut Random) {
    let words = Block::words_mut(bits);
    let mut left: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
    let mut wanted = wanted.min(left);
    for word in words {
        let mut rest = *word;
        while rest != 0 {
            let row = rest & rest.wrapping_neg();
            rest ^= row;
            if (random.below(left as usize) as u64) < wanted {
                wanted -= 1;
            } else {
                *word ^= row;
            }
            left -= 1;
        }
    }
}

/// The rows of `all` that are not among `some`.
pub(super) fn without(all: &[Block], some: &[Block]) -> Vec<Block> {
    let pairs = all.iter().zip(some);
    pairs.map(|(all, some)| Block(std::array::from_fn(|word| all.0[word] & !some.0[word]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Layout, ones};

    #[test]
    fn every_row_is_as_likely_as_any_other() {
        let all = Layout { positive: 9, negative: 3 }.full();
        let rows: Vec<usize> = ones(Block::words(&all)).collect();
        let mut drawn = vec![0u32; 1024];
        for mut random in streams(1, Purpose::HalfSamples, 6000) {
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

    #[test]
    fn purposes_and_seeds_have_streams_of_their_own() {
        let first = |seed, purpose| streams(seed, purpose, 2)[0].next_u64();
        let drawn = [
            first(1, Purpose::HalfSamples),
            first(1, Purpose::Shuffles),
            first(2, Purpose::HalfSamples),
            first(2, Purpose::Shuffles),
        ];
        for (place, one) in drawn.iter().enumerate() {
            assert!(!drawn[..place].contains(one));
        }
        // More repeats leave the first ones as they are.
        assert_eq!(streams(1, Purpose::Shuffles, 9)[0].next_u64(), drawn[1]);
    }
}
