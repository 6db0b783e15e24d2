//! Vectors of 256 bits. A carry-save adder (Harley and Seal) combines two vectors; the ones of the result are counted
//! by table look-up of each half byte (Muła, Kurz and Lemire 2018).

use std::arch::x86_64::*;

use super::{Kernel, Pick, scalar};
use crate::dataset::Block;

/// The kernel, if this machine supports it.
pub fn detect() -> Option<Kernel> {
    let runs = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    runs.then_some(KERNEL)
}

const KERNEL: Kernel = Kernel {
    name: "avx2",
    // SAFETY: `detect` returns this kernel only if the machine has avx2, bmi2 and popcnt.
    grid: |left, right, counts| unsafe { grid(left, right, counts) },
    // SAFETY: as above.
    and: |a, b, out| unsafe { and(a, b, out) },
    // SAFETY: as above.
    squeeze: |picks, bits, out| unsafe { squeeze(picks, bits, out) },
    // SAFETY: as above.
    count_runs: |bits, ends, counts| unsafe { count_runs(bits, ends, counts) },
};

/// The number of left columns that are combined with one right column at a time. Their sums and carries take eight of
/// the sixteen registers. This was the fastest in measurements against 1×1, 2×1, 2×2 and 4×2 tiles, with carries over
/// one, two, four and eight vectors.
const LEFT: usize = 4;

#[target_feature(enable = "avx2,popcnt")]
fn grid(left: &[&[Block]], right: &[&[Block]], counts: &mut [u64]) {
    for (left, counts) in left.chunks(LEFT).zip(counts.chunks_mut(LEFT * right.len().max(1))) {
        // A tile with a repeated column takes less time than its columns one by one.
        if let &[a, b, ..] = left {
            let (c, d) = (left.get(2).copied().unwrap_or(a), left.get(3).copied().unwrap_or(a));
            for (r, bits) in right.iter().enumerate() {
                let found = sum_each(tile([a, b, c, d], bits));
                for (l, found) in found.into_iter().enumerate().take(left.len()) {
                    counts[l * right.len() + r] += found;
                }
            }
        } else {
            for (left, counts) in left.iter().zip(counts.chunks_mut(right.len().max(1))) {
                for (right, count) in right.iter().zip(counts) {
                    *count += sum(tile([left], right)[0]);
                }
            }
        }
    }
}

/// The number of blocks whose carries fit into one byte: each block adds at most 8, and 31 · 8 < 256.
const BLOCKS_PER_SUM: usize = 31;

/// The number of ones that each left bitmap has in common with the right one, as four partial sums.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn tile<const L: usize>(left: [&[Block]; L], right: &[Block]) -> [__m256i; L] {
    let zero = _mm256_setzero_si256();
    let length = left.iter().fold(right.len(), |length, bits| length.min(bits.len()));
    let (mut odd, mut carried) = ([zero; L], [zero; L]);
    let mut start = 0;
    while start < length {
        let end = length.min(start + BLOCKS_PER_SUM);
        let mut bytes = [zero; L];
        for block in start..end {
            // SAFETY: `block` is below the length of all bitmaps.
            let [low, high] = halves(unsafe { right.get_unchecked(block) });
            for l in 0..L {
                // SAFETY: as above.
                let [first, second] = halves(unsafe { left[l].get_unchecked(block) });
                let (first, second) = (_mm256_and_si256(first, low), _mm256_and_si256(second, high));
                let unequal = _mm256_xor_si256(odd[l], first);
                let carry =
                    _mm256_or_si256(_mm256_and_si256(odd[l], first), _mm256_and_si256(unequal, second));
                odd[l] = _mm256_xor_si256(unequal, second);
                bytes[l] = _mm256_add_epi8(bytes[l], ones_by_byte(carry));
            }
        }
        for l in 0..L {
            carried[l] = _mm256_add_epi64(carried[l], _mm256_sad_epu8(bytes[l], zero));
        }
        start = end;
    }
    std::array::from_fn(|l| {
        let odd = _mm256_sad_epu8(ones_by_byte(odd[l]), zero);
        _mm256_add_epi64(_mm256_add_epi64(carried[l], carried[l]), odd)
    })
}

#[target_feature(enable = "avx2")]
#[inline]
fn halves(block: &Block) -> [__m256i; 2] {
    let vectors: *const __m256i = block.0.as_ptr().cast();
    // SAFETY: a block has 64 bytes and is aligned to 64, so both halves are aligned and inside it.
    unsafe { [_mm256_load_si256(vectors), _mm256_load_si256(vectors.add(1))] }
}

#[target_feature(enable = "avx2")]
#[inline]
fn ones_by_byte(bits: __m256i) -> __m256i {
    let half_byte_ones = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let half = _mm256_set1_epi8(0x0f);
    let lower = _mm256_shuffle_epi8(half_byte_ones, _mm256_and_si256(bits, half));
    let upper = _mm256_shuffle_epi8(half_byte_ones, _mm256_and_si256(_mm256_srli_epi16(bits, 4), half));
    _mm256_add_epi8(lower, upper)
}

/// The sums of the four words of each of four vectors.
#[target_feature(enable = "avx2")]
#[inline]
fn sum_each([a, b, c, d]: [__m256i; 4]) -> [u64; 4] {
    let a_b = _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let c_d = _mm256_add_epi64(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    let lower = _mm256_permute2x128_si256::<0x20>(a_b, c_d);
    let upper = _mm256_permute2x128_si256::<0x31>(a_b, c_d);
    let mut sums = [0; 4];
    // SAFETY: the array is as long as a vector, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), _mm256_add_epi64(lower, upper)) };
    sums
}

#[target_feature(enable = "avx2")]
#[inline]
fn sum(words: __m256i) -> u64 {
    (_mm256_extract_epi64::<0>(words)
        + _mm256_extract_epi64::<1>(words)
        + _mm256_extract_epi64::<2>(words)
        + _mm256_extract_epi64::<3>(words)) as u64
}

#[target_feature(enable = "avx2")]
pub(super) fn and(a: &[Block], b: &[Block], out: &mut [Block]) {
    scalar::and(a, b, out);
}

#[target_feature(enable = "bmi2,popcnt")]
pub(super) fn squeeze(picks: &[Pick], bits: &[Block], out: &mut [Block]) {
    scalar::squeeze_by(picks, bits, out, |word, picked| _pext_u64(word, picked));
}

#[target_feature(enable = "popcnt")]
fn count_runs(bits: &[Block], ends: &[usize], counts: &mut [u64]) {
    scalar::count_runs(bits, ends, counts);
}
