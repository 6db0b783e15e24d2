//! The innermost loops over bitmaps, one contract and several implementations.
//!
//! ADVICE FOR HACKERS: a kernel is a set of functions with one meaning, given by [`SCALAR`]; the others must
//! return the same numbers for the same blocks. A new one is added to [`Kernel::available`], behind the
//! run-time check for the instructions it uses, and is then compared with the scalar one by the tests of this
//! file and by the tests of the counter.

use crate::dataset::Block;

/// One implementation of the loops, chosen at run time.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    name: &'static str,
    count: fn(&[Block]) -> u64,
    count_both: fn(&[Block], &[Block]) -> u64,
    and_assign: fn(&mut [Block], &[Block]),
    project: fn(&[Block], &[Block], &mut [Block]),
}

/// Plain Rust for every machine, and the oracle of the others.
pub const SCALAR: Kernel = Kernel {
    name: "scalar",
    count: scalar::count,
    count_both: scalar::count_both,
    and_assign: scalar::and_assign,
    project: scalar::project,
};

impl Kernel {
    /// The kernels this machine can run, slowest first.
    pub fn available() -> Vec<Kernel> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut kernels = vec![SCALAR];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            kernels.push(avx2::KERNEL);
        }
        kernels
    }

    /// The fastest kernel of this machine, or the one named by the environment variable `CONCAUSE_KERNEL` if
    /// this machine can run it.
    pub fn fastest() -> Kernel {
        let available = Self::available();
        let wanted = std::env::var("CONCAUSE_KERNEL").ok();
        let named = available.iter().find(|kernel| wanted.as_deref() == Some(kernel.name));
        named.or(available.last()).copied().unwrap_or(SCALAR)
    }

    /// What `CONCAUSE_KERNEL` calls it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The ones of a bitmap.
    pub fn count(&self, bits: &[Block]) -> u64 {
        (self.count)(bits)
    }

    /// The ones that two bitmaps of the same length have in common.
    pub fn count_both(&self, a: &[Block], b: &[Block]) -> u64 {
        (self.count_both)(a, b)
    }

    /// Keeps in `a` only the ones that `b` has too.
    pub fn and_assign(&self, a: &mut [Block], b: &[Block]) {
        (self.and_assign)(a, b);
    }

    /// Squeezes the bits of `bits` at the ones of `mask` together, in order, from the first bit of `out` on;
    /// `out` must have room for the ones of the mask, and what is left of it becomes 0.
    pub fn project(&self, mask: &[Block], bits: &[Block], out: &mut [Block]) {
        (self.project)(mask, bits, out);
    }
}

mod scalar {
    use super::Block;

    pub fn count(bits: &[Block]) -> u64 {
        bits.iter().flat_map(|block| block.0).map(|word| u64::from(word.count_ones())).sum()
    }

    pub fn count_both(a: &[Block], b: &[Block]) -> u64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| a.0.iter().zip(&b.0).map(|(a, b)| u64::from((a & b).count_ones())).sum::<u64>())
            .sum()
    }

    #[inline(always)]
    pub fn and_assign(a: &mut [Block], b: &[Block]) {
        for (a, b) in a.iter_mut().zip(b) {
            for (a, b) in a.0.iter_mut().zip(&b.0) {
                *a &= b;
            }
        }
    }

    pub fn project(mask: &[Block], bits: &[Block], out: &mut [Block]) {
        project_by(mask, bits, out, |word, mut mask| {
            let (mut squeezed, mut place) = (0, 1);
            while mask != 0 {
                if word & mask & mask.wrapping_neg() != 0 {
                    squeezed |= place;
                }
                place <<= 1;
                mask &= mask - 1;
            }
            squeezed
        });
    }

    /// The loop around the squeezing of one word, `extract(word, mask)`.
    #[inline(always)]
    pub fn project_by(mask: &[Block], bits: &[Block], out: &mut [Block], extract: impl Fn(u64, u64) -> u64) {
        let mut words = out.iter_mut().flat_map(|block| block.0.iter_mut());
        let (mut pending, mut filled) = (0u64, 0u32);
        for (mask, bits) in mask.iter().zip(bits) {
            for (&mask, &word) in mask.0.iter().zip(&bits.0) {
                if mask == 0 {
                    continue;
                }
                let squeezed = extract(word, mask);
                let added = mask.count_ones();
                pending |= squeezed << filled;
                if filled + added >= 64 {
                    if let Some(place) = words.next() {
                        *place = pending;
                    }
                    // A shift by 64 (nothing left over) must give 0.
                    pending = squeezed.checked_shr(64 - filled).unwrap_or(0);
                    filled = filled + added - 64;
                } else {
                    filled += added;
                }
            }
        }
        if filled > 0
            && let Some(place) = words.next()
        {
            *place = pending;
        }
        for rest in words {
            *rest = 0;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Block, Kernel, scalar};

    /// Only to be handed out after the run-time check in [`Kernel::available`].
    pub const KERNEL: Kernel = Kernel {
        name: "avx2",
        // SAFETY: `Kernel::available` hands this kernel out only where avx2, bmi2 and popcnt were detected.
        count: |bits| unsafe { count(bits) },
        // SAFETY: as above.
        count_both: |a, b| unsafe { count_both(a, b) },
        // SAFETY: as above.
        and_assign: |a, b| unsafe { and_assign(a, b) },
        // SAFETY: as above.
        project: |mask, bits, out| unsafe { project(mask, bits, out) },
    };

    /// A byte counts at most 8 ones per vector and two vectors a block: 15 blocks stay below 256.
    const BLOCKS_PER_SUM: usize = 15;

    #[target_feature(enable = "avx2,popcnt")]
    fn count(bits: &[Block]) -> u64 {
        sum(bits, bits)
    }

    #[target_feature(enable = "avx2,popcnt")]
    fn count_both(a: &[Block], b: &[Block]) -> u64 {
        sum(a, b)
    }

    /// Counts the ones of a & b by looking up each half byte (Muła, Kurz, Lemire 2018).
    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    fn sum(a: &[Block], b: &[Block]) -> u64 {
        let ones_of_half = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let low = _mm256_set1_epi8(0x0f);
        let mut total = _mm256_setzero_si256();
        for (a, b) in a.chunks(BLOCKS_PER_SUM).zip(b.chunks(BLOCKS_PER_SUM)) {
            let mut bytes = _mm256_setzero_si256();
            for (a, b) in a.iter().zip(b) {
                for half in [0, 4] {
                    // SAFETY: a block is 64 bytes, aligned to 64, so both halves are aligned loads inside it.
                    let both = unsafe {
                        _mm256_and_si256(
                            _mm256_load_si256(a.0.as_ptr().add(half).cast()),
                            _mm256_load_si256(b.0.as_ptr().add(half).cast()),
                        )
                    };
                    let lower = _mm256_shuffle_epi8(ones_of_half, _mm256_and_si256(both, low));
                    let upper =
                        _mm256_shuffle_epi8(ones_of_half, _mm256_and_si256(_mm256_srli_epi16(both, 4), low));
                    bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(lower, upper));
                }
            }
            total = _mm256_add_epi64(total, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
        }
        (_mm256_extract_epi64::<0>(total)
            + _mm256_extract_epi64::<1>(total)
            + _mm256_extract_epi64::<2>(total)
            + _mm256_extract_epi64::<3>(total)) as u64
    }

    #[target_feature(enable = "avx2")]
    fn and_assign(a: &mut [Block], b: &[Block]) {
        scalar::and_assign(a, b);
    }

    #[target_feature(enable = "bmi2,popcnt")]
    fn project(mask: &[Block], bits: &[Block], out: &mut [Block]) {
        scalar::project_by(mask, bits, out, |word, mask| _pext_u64(word, mask));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::Random;

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

    #[test]
    fn every_kernel_agrees_with_the_scalar_one() {
        let mut random = Random::new(7);
        for kernel in Kernel::available() {
            for length in [0, 1, 2, 14, 15, 16, 31, 100] {
                for density in 0..4 {
                    let a = random_blocks(&mut random, length, density);
                    let b = random_blocks(&mut random, length, 2);
                    assert_eq!(kernel.count(&a), SCALAR.count(&a), "{}", kernel.name());
                    assert_eq!(kernel.count_both(&a, &b), SCALAR.count_both(&a, &b), "{}", kernel.name());
                    let (mut one, mut other) = (a.clone(), a.clone());
                    kernel.and_assign(&mut one, &b);
                    SCALAR.and_assign(&mut other, &b);
                    assert_eq!(one, other);
                    let room = SCALAR.count(&a).div_ceil(512) as usize + 1;
                    let mut one = vec![Block([u64::MAX; 8]); room];
                    let mut other = one.clone();
                    kernel.project(&a, &b, &mut one);
                    SCALAR.project(&a, &b, &mut other);
                    assert_eq!(one, other);
                }
            }
        }
    }

    #[test]
    fn scalar_projection_keeps_the_bits_under_the_mask_in_order() {
        let mut random = Random::new(8);
        let bit = |blocks: &[Block], i: usize| blocks[i / 512].0[i % 512 / 64] >> (i % 64) & 1;
        for density in 0..4 {
            let mask = random_blocks(&mut random, 5, density);
            let bits = random_blocks(&mut random, 5, 2);
            let mut out = vec![Block::ZERO; 5];
            SCALAR.project(&mask, &bits, &mut out);
            let kept = (0..5 * 512).filter(|&i| bit(&mask, i) == 1).map(|i| bit(&bits, i));
            for (i, kept) in kept.chain(std::iter::repeat(0)).take(5 * 512).enumerate() {
                assert_eq!(bit(&out, i), kept, "bit {i}");
            }
        }
    }
}
