//! Vectors of 512 bits, one per block, with an instruction that counts ones (VPOPCNTDQ) and one that computes any
//! function of three vectors (VPTERNLOG).
//!
//! AND, count and add would take three instructions per block on two ports. Combining two blocks by a carry-save adder
//! (Harley and Seal) takes five instructions for two blocks: with s the parity so far, t = s ^ (x₁ & y₁),
//! s' = t ^ (x₂ & y₂), carry = t ? ~s' : s. Only the carry is counted, with weight 2.

use std::arch::x86_64::*;

use super::{Kernel, avx2};
use crate::dataset::Block;

/// The kernel, if this machine supports it.
pub fn detect() -> Option<Kernel> {
    let runs = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq");
    let others = avx2::detect()?;
    runs.then_some(Kernel {
        name: "avx512",
        // SAFETY: this kernel is returned only if the machine has avx512f and avx512vpopcntdq.
        grid: |left, right, counts| unsafe { grid(left, right, counts) },
        ..others
    })
}

/// The numbers of left and right columns of a tile. Sums and parities take 16 of the 32 registers, and two blocks of
/// each column take 12 more.
const LEFT: usize = 4;
const RIGHT: usize = 2;

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn grid(left: &[&[Block]], right: &[&[Block]], counts: &mut [u64]) {
    let width = right.len().max(1);
    for (left, counts) in left.chunks(LEFT).zip(counts.chunks_mut(LEFT * width)) {
        let mut add = |from: usize, found: [[u64; LEFT]; RIGHT], columns: usize| {
            for (r, found) in found.iter().take(columns).enumerate() {
                for (l, found) in found.iter().take(left.len()).enumerate() {
                    counts[l * width + from + r] += found;
                }
            }
        };
        // A tile with a repeated column takes less time than its columns one by one.
        if let &[a, b, ..] = left {
            let (c, d) = (left.get(2).copied().unwrap_or(a), left.get(3).copied().unwrap_or(a));
            let (pairs, last) = right.as_chunks::<RIGHT>();
            for (pair, &both) in pairs.iter().enumerate() {
                let next = pairs.get(pair + 1).copied().unwrap_or(both);
                add(RIGHT * pair, tile([a, b, c, d], both, next), RIGHT);
            }
            if let &[bits] = last {
                add(RIGHT * pairs.len(), [tile([a, b, c, d], [bits], [bits])[0], [0; LEFT]], 1);
            }
        } else {
            for (l, bits) in left.iter().enumerate() {
                for (right, count) in right.iter().zip(&mut counts[l * width..]) {
                    *count += tile([bits], [right], [right])[0][0];
                }
            }
        }
    }
}

/// The number of ones that each left bitmap has in common with each right one. Prefetches the `next` right bitmaps
/// meanwhile.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
#[inline]
fn tile<const L: usize, const R: usize>(
    left: [&[Block]; L],
    right: [&[Block]; R],
    next: [&[Block]; R],
) -> [[u64; L]; R] {
    const ODD: i32 = 0x78; // a ^ (b & c)
    const CARRY: i32 = 0x3a; // a ? ~b : c
    let zero = _mm512_setzero_si512();
    let length = left.iter().chain(&right).map(|bits| bits.len()).min().unwrap_or(0);
    let (mut odd, mut carried) = ([[zero; L]; R], [[zero; L]; R]);
    for pair in 0..length / 2 {
        let mut y = [[zero; 2]; R];
        for (y, bits) in y.iter_mut().zip(right) {
            // SAFETY: 2 * pair + 1 is below the length of all bitmaps.
            *y = unsafe { load_two(bits, 2 * pair) };
        }
        for bits in next {
            for block in [2 * pair, 2 * pair + 1] {
                _mm_prefetch::<_MM_HINT_T0>(bits.as_ptr().wrapping_add(block).cast());
            }
        }
        for l in 0..L {
            // SAFETY: as above.
            let x = unsafe { load_two(left[l], 2 * pair) };
            for r in 0..R {
                let once = _mm512_ternarylogic_epi64::<ODD>(odd[r][l], x[0], y[r][0]);
                let twice = _mm512_ternarylogic_epi64::<ODD>(once, x[1], y[r][1]);
                let carry = _mm512_ternarylogic_epi64::<CARRY>(once, twice, odd[r][l]);
                odd[r][l] = twice;
                carried[r][l] = _mm512_add_epi64(carried[r][l], _mm512_popcnt_epi64(carry));
            }
        }
    }
    let mut found = [[0; L]; R];
    for r in 0..R {
        for l in 0..L {
            let carried = _mm512_add_epi64(carried[r][l], carried[r][l]);
            let mut ones = _mm512_add_epi64(carried, _mm512_popcnt_epi64(odd[r][l]));
            if length % 2 == 1 {
                let both = _mm512_and_si512(load(&left[l][length - 1]), load(&right[r][length - 1]));
                ones = _mm512_add_epi64(ones, _mm512_popcnt_epi64(both));
            }
            found[r][l] = _mm512_reduce_add_epi64(ones) as u64;
        }
    }
    found
}

/// Two consecutive blocks.
///
/// # Safety
///
/// `first` + 1 must be below the length.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn load_two(bits: &[Block], first: usize) -> [__m512i; 2] {
    // SAFETY: the caller guarantees that both are in bounds.
    unsafe { [load(bits.get_unchecked(first)), load(bits.get_unchecked(first + 1))] }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load(block: &Block) -> __m512i {
    // SAFETY: a block has 64 bytes and is aligned to 64.
    unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
}
