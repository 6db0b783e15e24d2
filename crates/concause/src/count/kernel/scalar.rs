//! Portable Rust for every machine. The other kernels are tested against it.

use super::{Kernel, Pick};
use crate::dataset::Block;

/// The portable kernel, which defines the contract of the others.
pub const SCALAR: Kernel = Kernel { name: "scalar", grid, and, squeeze, count_runs };

fn grid(left: &[&[Block]], right: &[&[Block]], counts: &mut [u64]) {
    let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
    for (count, (left, right)) in counts.iter_mut().zip(pairs) {
        *count += count_both(left, right);
    }
}

fn count_both(a: &[Block], b: &[Block]) -> u64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| a.0.iter().zip(&b.0).map(|(a, b)| u64::from((a & b).count_ones())).sum::<u64>())
        .sum()
}

#[inline(always)]
pub fn and(a: &[Block], b: &[Block], out: &mut [Block]) {
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        for ((a, b), out) in a.0.iter().zip(&b.0).zip(&mut out.0) {
            *out = a & b;
        }
    }
}

fn squeeze(picks: &[Pick], bits: &[Block], out: &mut [Block]) {
    squeeze_by(picks, bits, out, |word, mut picked| {
        let (mut squeezed, mut position) = (0, 1);
        while picked != 0 {
            if word & picked & picked.wrapping_neg() != 0 {
                squeezed |= position;
            }
            position <<= 1;
            picked &= picked - 1;
        }
        squeezed
    });
}

/// Squeezes a bitmap, with `extract(word, picked)` to squeeze one word.
#[inline(always)]
pub fn squeeze_by(picks: &[Pick], bits: &[Block], out: &mut [Block], extract: impl Fn(u64, u64) -> u64) {
    let (bits, out) = (Block::words(bits), Block::words_mut(out));
    let (mut pending, mut filled, mut next) = (0u64, 0u32, 0);
    for pick in picks {
        let squeezed = extract(bits[pick.word as usize], pick.bits);
        pending |= squeezed << filled;
        let free = 64 - filled;
        filled += pick.bits.count_ones();
        if filled >= 64 {
            out[next] = pending;
            next += 1;
            filled -= 64;
            // A shift by 64 means that no bits are left over; it must give 0.
            pending = squeezed.checked_shr(free).unwrap_or(0);
        }
    }
    if filled > 0 {
        out[next] = pending;
        next += 1;
    }
    out[next..].fill(0);
}

#[inline(always)]
pub fn count_runs(bits: &[Block], ends: &[usize], counts: &mut [u64]) {
    let words = Block::words(bits);
    // The ones before `word`, and before the start of the run.
    let (mut word, mut ones, mut before) = (0, 0, 0);
    for (&end, count) in ends.iter().zip(counts) {
        ones += words[word..end / 64].iter().map(|bits| u64::from(bits.count_ones())).sum::<u64>();
        word = end / 64;
        let first = (1u64 << (end % 64)) - 1;
        let ones_before_end = match first {
            0 => ones,
            first => ones + u64::from((words[word] & first).count_ones()),
        };
        *count = ones_before_end - before;
        before = ones_before_end;
    }
}
