//! The innermost loops over bitmaps: one contract, several implementations.
//!
//! ADVICE FOR HACKERS: [`SCALAR`] defines the contract. Every other kernel must return the same numbers for the same
//! blocks. To add a kernel, add it to [`Kernel::available`] with a run-time check for its instructions. The tests of
//! this file and of the counter then compare it with the scalar kernel.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

pub use scalar::SCALAR;

use crate::dataset::Block;

/// Bitmaps of one length.
type Bitmaps<'a> = &'a [&'a [Block]];

/// An implementation of the loops, chosen at run time.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    name: &'static str,
    grid: fn(Bitmaps<'_>, Bitmaps<'_>, &mut [u64]),
    and: fn(&[Block], &[Block], &mut [Block]),
    squeeze: fn(&[Pick], &[Block], &mut [Block]),
    count_runs: fn(&[Block], &[usize], &mut [u64]),
}

/// A word of a bitmap and the bits to extract from it; see [`Kernel::squeeze`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The index of the word in the bitmap.
    pub word: u32,
    /// The bits to extract, at least one.
    pub bits: u64,
}

impl Kernel {
    /// The kernels that this machine supports, slowest first.
    pub fn available() -> Vec<Kernel> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut kernels = vec![SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            kernels.extend(avx2::detect());
            kernels.extend(avx512::detect());
        }
        kernels
    }

    /// The fastest kernel of this machine, or the one that the environment variable `CONCAUSE_KERNEL` names, if this
    /// machine supports it.
    pub fn fastest() -> Kernel {
        let available = Self::available();
        let wanted = std::env::var("CONCAUSE_KERNEL").ok();
        let named = available.iter().find(|kernel| wanted.as_deref() == Some(kernel.name));
        named.or(available.last()).copied().unwrap_or(SCALAR)
    }

    /// The name, as in `CONCAUSE_KERNEL`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Adds to `counts[l * right.len() + r]` the number of ones that the bitmaps `left[l]` and `right[r]` have in
    /// common. All bitmaps must have the same length. For speed, a few dozen of them should fit into the caches:
    /// split long bitmaps into chunks of about [`PIECE`] blocks.
    ///
    /// # Panics
    ///
    /// If the bitmaps differ in length, or `counts` is too short.
    pub fn grid(&self, left: &[&[Block]], right: &[&[Block]], counts: &mut [u64]) {
        let Some(length) = left.first().map(|bits| bits.len()) else { return };
        assert!(left.iter().chain(right).all(|bits| bits.len() == length), "bitmaps differ in length");
        assert!(counts.len() >= left.len() * right.len(), "the slice of counts is too short");
        (self.grid)(left, right, counts);
    }

    /// The number of ones of a bitmap.
    pub fn count(&self, bits: &[Block]) -> u64 {
        self.count_both(bits, bits)
    }

    /// The number of ones that two bitmaps of the same length have in common.
    pub fn count_both(&self, a: &[Block], b: &[Block]) -> u64 {
        let mut count = 0;
        self.grid(&[a], &[b], std::slice::from_mut(&mut count));
        count
    }

    /// Writes the bitwise AND of two bitmaps to `out`.
    pub fn and(&self, a: &[Block], b: &[Block], out: &mut [Block]) {
        (self.and)(a, b, out);
    }

    /// Extracts the picked bits of a bitmap and packs them, in order, into the first bits of `out`. `out` must be
    /// long enough for them. The rest of it becomes 0.
    pub fn squeeze(&self, picks: &[Pick], bits: &[Block], out: &mut [Block]) {
        (self.squeeze)(picks, bits, out);
    }

    /// Writes the number of ones of a bitmap in each run of bits. A run starts where the one before ends, the first at
    /// 0; `ends` has the positions after their last bits, in ascending order.
    pub fn count_runs(&self, bits: &[Block], ends: &[usize], counts: &mut [u64]) {
        (self.count_runs)(bits, ends, counts);
    }
}

/// The recommended number of blocks per chunk of a bitmap: 4 KB.
pub const PIECE: usize = 64;

/// Picks of the positions at which a bitmap is 1, for [`Kernel::squeeze`].
pub fn picks(bits: &[Block]) -> impl Iterator<Item = Pick> {
    (0..)
        .zip(bits.iter().flat_map(|block| block.0))
        .filter(|(_, bits)| *bits != 0)
        .map(|(word, bits)| Pick { word, bits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn random_blocks(random: &mut Random, length: usize, density: u64) -> Vec<Block> {
        (0..length)
            .map(|_| {
                Block(std::array::from_fn(|_| match density {
                    0 => 0,
                    1 => random.next_u64() & random.next_u64() & random.next_u64() & random.next_u64(),
                    2 => random.next_u64(),
                    _ => u64::MAX,
                }))
            })
            .collect()
    }

    fn bit(blocks: &[Block], i: usize) -> u64 {
        blocks[i / 512].0[i % 512 / 64] >> (i % 64) & 1
    }

    #[test]
    fn every_kernel_agrees_with_the_scalar_kernel() {
        let mut random = Random::new(7);
        for kernel in Kernel::available() {
            for length in [0, 1, 2, 15, 16, 31, 32, 62, 63, 100] {
                let columns: Vec<Vec<Block>> =
                    (0..12).map(|i| random_blocks(&mut random, length, i % 4)).collect();
                let columns: Vec<&[Block]> = columns.iter().map(|bits| &**bits).collect();
                for (left, right) in [(1, 1), (4, 1), (4, 2), (5, 3), (6, 6), (0, 4), (3, 0)] {
                    let (left, right) = (&columns[..left], &columns[6..6 + right]);
                    let mut found = vec![3; left.len() * right.len()];
                    let mut wanted = found.clone();
                    kernel.grid(left, right, &mut found);
                    SCALAR.grid(left, right, &mut wanted);
                    assert_eq!(found, wanted, "{} {length}", kernel.name());
                }
                for (a, b) in columns.iter().zip(&columns[1..]) {
                    let (mut found, mut wanted) = (a.to_vec(), a.to_vec());
                    kernel.and(a, b, &mut found);
                    SCALAR.and(a, b, &mut wanted);
                    assert_eq!(found, wanted);
                    let blocks = SCALAR.count(a).div_ceil(512) as usize + 1;
                    let (mut found, mut wanted) =
                        (vec![Block([u64::MAX; 8]); blocks], vec![Block([1; 8]); blocks]);
                    let picks: Vec<Pick> = picks(a).collect();
                    kernel.squeeze(&picks, b, &mut found);
                    SCALAR.squeeze(&picks, b, &mut wanted);
                    assert_eq!(found, wanted);
                    let ends: Vec<usize> = (0..512 * length).filter(|&i| bit(b, i) == 1).collect();
                    let (mut found, mut wanted) = (vec![7; ends.len()], vec![8; ends.len()]);
                    kernel.count_runs(a, &ends, &mut found);
                    SCALAR.count_runs(a, &ends, &mut wanted);
                    assert_eq!(found, wanted);
                }
            }
        }
    }

    #[test]
    fn the_scalar_kernel_agrees_with_counting_bit_by_bit() {
        let mut random = Random::new(8);
        for density in 0..4 {
            let a = random_blocks(&mut random, 5, density);
            let b = random_blocks(&mut random, 5, 2);
            let rows = 0..5 * 512;
            let both: u64 = rows.clone().map(|i| bit(&a, i) & bit(&b, i)).sum();
            assert_eq!(SCALAR.count_both(&a, &b), both);
            let ends = [0, 1, 64, 64, 100, 640, 641, 5 * 512];
            let mut counts = [9; 8];
            SCALAR.count_runs(&a, &ends, &mut counts);
            let starts = [0].into_iter().chain(ends);
            for ((start, end), count) in starts.zip(ends).zip(counts) {
                assert_eq!(count, (start..end).map(|i| bit(&a, i)).sum::<u64>(), "{start}..{end}");
            }
            let mut out = vec![Block::ZERO; 5];
            SCALAR.squeeze(&picks(&a).collect::<Vec<_>>(), &b, &mut out);
            let picked = rows.filter(|&i| bit(&a, i) == 1).map(|i| bit(&b, i));
            for (i, picked) in picked.chain(std::iter::repeat(0)).take(5 * 512).enumerate() {
                assert_eq!(bit(&out, i), picked, "bit {i}");
            }
        }
    }
}
