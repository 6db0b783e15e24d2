//! The instructions of the SIMD tiles on registers only: the throughput limit of the processor's ports.
//!
//! Each loop performs the operations of a tile of `concause::count::kernel` on a block of every pair: AND,
//! carry-save adder, population count and sum. It takes its operands from registers: no loads, no sums across a
//! vector, no ends of bitmaps. The operands are the odd bits of the neighbouring pairs. They change in every step,
//! so that the compiler cannot move anything out of the loop. The difference between such a loop and a kernel is
//! memory access and bookkeeping. (The AVX-512 loop also copies registers, because VPTERNLOG overwrites one; the
//! processor does this by register renaming.)

use std::hint::black_box;

/// The loop that belongs to a kernel.
pub struct Limit {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// Processes a number of pairs of blocks.
    pub run: fn(u64),
}

impl Limit {
    /// The loops that this machine can run.
    #[cfg(target_arch = "x86_64")]
    pub fn available() -> Vec<Limit> {
        let mut limits = Vec::new();
        if is_x86_feature_detected!("avx2") {
            // SAFETY: avx2 was detected.
            limits.push(Limit { kernel: "avx2", run: |blocks| unsafe { x86::avx2(blocks) } });
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
            // SAFETY: avx512f and avx512vpopcntdq were detected.
            limits.push(Limit { kernel: "avx512", run: |blocks| unsafe { x86::avx512(blocks) } });
        }
        limits
    }

    /// There is no loop for this architecture.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn available() -> Vec<Limit> {
        Vec::new()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::black_box;

    /// The number of pairs in a tile, and of blocks between two sums of bytes, as in the kernel.
    const PAIRS: usize = 4;
    const BLOCKS_PER_SUM: u64 = 31;

    #[target_feature(enable = "avx2")]
    pub fn avx2(pair_blocks: u64) {
        let zero = _mm256_setzero_si256();
        let low = black_box(_mm256_set1_epi64x(0x5a5a_a5a5_3c3c_c3c3));
        let high = black_box(_mm256_set1_epi64x(0x0ff0_f00f_55aa_aa55));
        let mut odd: [__m256i; PAIRS] =
            std::array::from_fn(|pair| black_box(_mm256_set1_epi64x(pair as i64 - 2)));
        let mut carried = [zero; PAIRS];
        let mut left = pair_blocks / PAIRS as u64;
        while left > 0 {
            let run = left.min(BLOCKS_PER_SUM);
            let mut bytes = [zero; PAIRS];
            for _ in 0..run {
                for pair in 0..PAIRS {
                    let first = _mm256_and_si256(odd[(pair + 1) % PAIRS], low);
                    let second = _mm256_and_si256(odd[(pair + 2) % PAIRS], high);
                    let unequal = _mm256_xor_si256(odd[pair], first);
                    let carry = _mm256_or_si256(
                        _mm256_and_si256(odd[pair], first),
                        _mm256_and_si256(unequal, second),
                    );
                    odd[pair] = _mm256_xor_si256(unequal, second);
                    bytes[pair] = _mm256_add_epi8(bytes[pair], ones_by_byte(carry));
                }
            }
            for pair in 0..PAIRS {
                carried[pair] = _mm256_add_epi64(carried[pair], _mm256_sad_epu8(bytes[pair], zero));
            }
            left -= run;
        }
        black_box((odd, carried));
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn ones_by_byte(bits: __m256i) -> __m256i {
        let ones_of_half = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let half = _mm256_set1_epi8(0x0f);
        let lower = _mm256_shuffle_epi8(ones_of_half, _mm256_and_si256(bits, half));
        let upper = _mm256_shuffle_epi8(ones_of_half, _mm256_and_si256(_mm256_srli_epi16(bits, 4), half));
        _mm256_add_epi8(lower, upper)
    }

    /// The number of pairs in a tile, as in the kernel: four left and two right columns, two blocks at a time.
    const TILE: usize = 8;

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub fn avx512(pair_blocks: u64) {
        const ODD: i32 = 0x78; // a ^ (b & c)
        const CARRY: i32 = 0x3a; // a ? ~b : c
        let zero = _mm512_setzero_si512();
        let first = black_box(_mm512_set1_epi64(0x5a5a_a5a5_3c3c_c3c3));
        let second = black_box(_mm512_set1_epi64(0x0ff0_f00f_55aa_aa55));
        let mut odd: [__m512i; TILE] =
            std::array::from_fn(|pair| black_box(_mm512_set1_epi64(pair as i64 - 2)));
        let mut carried = [zero; TILE];
        for _ in 0..pair_blocks / (2 * TILE as u64) {
            for pair in 0..TILE {
                let once = _mm512_ternarylogic_epi64::<ODD>(odd[pair], odd[(pair + 1) % TILE], first);
                let twice = _mm512_ternarylogic_epi64::<ODD>(once, odd[(pair + 3) % TILE], second);
                let carry = _mm512_ternarylogic_epi64::<CARRY>(once, twice, odd[pair]);
                odd[pair] = twice;
                carried[pair] = _mm512_add_epi64(carried[pair], _mm512_popcnt_epi64(carry));
            }
        }
        black_box((odd, carried));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_work_takes_longer() {
        for limit in Limit::available() {
            let time = |blocks: u64| concause_bench::timing::time_task(|| (limit.run)(blocks)).0;
            let few = (0..5).map(|_| time(1 << 10)).fold(f64::INFINITY, f64::min);
            let many = (0..5).map(|_| time(1 << 16)).fold(f64::INFINITY, f64::min);
            assert!(many > 8.0 * few, "{}: {few} {many}", limit.kernel);
        }
    }
}
