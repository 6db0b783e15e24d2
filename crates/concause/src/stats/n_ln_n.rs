//! Fast evaluation of n ln n for integers: every G² is a sum of such terms.

/// Numbers below this are looked up. The table has 128 KB, so that it stays in the caches.
const TABULATED: u64 = 1 << 14;

/// The number of leading fraction bits that identify a segment: 1024 segments between successive powers of 2.
const SEGMENT_BITS: u32 = 10;
const SHIFT: u32 = f64::MANTISSA_DIGITS - 1 - SEGMENT_BITS;

/// A table of n ln n.
///
/// Small numbers have one entry each. Larger numbers are divided into segments that are short relative to the numbers
/// in them, so that four terms of the Taylor series at the first number are exact to rounding.
#[derive(Clone, Debug)]
pub struct NLnN {
    small: Vec<f64>,
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    /// n ln n of the first number n.
    value: f64,
    /// ln n + 1.
    slope: f64,
    /// 1 / 2n.
    half_curvature: f64,
}

impl NLnN {
    /// A table for numbers up to `largest`; for larger ones, [`NLnN::get`] computes the logarithm.
    pub fn new(largest: u64) -> Self {
        let small = (0..=largest.min(TABULATED - 1)).map(compute).collect();
        let last = if largest < TABULATED { 0 } else { segment(largest) + 1 };
        let segments = (segment(TABULATED)..last)
            .map(|number| {
                let n = start(number);
                Segment { value: n * n.ln(), slope: n.ln() + 1.0, half_curvature: 0.5 / n }
            })
            .collect();
        Self { small, segments }
    }

    /// n ln n, and 0 for n = 0.
    #[inline]
    pub fn get(&self, n: u64) -> f64 {
        if let Some(&value) = self.small.get(n as usize) {
            return value;
        }
        let number = segment(n);
        let Some(segment) = self.segments.get(number.wrapping_sub(segment(TABULATED)) as usize) else {
            return compute(n);
        };
        let offset = n as f64 - start(number);
        let t = offset * segment.half_curvature;
        segment.value + offset * (segment.slope + t * (1.0 + (t - 1.0) * t * (2.0 / 3.0)))
    }
}

/// The segment of n: its exponent and the first bits of its fraction.
fn segment(n: u64) -> u64 {
    (n as f64).to_bits() >> SHIFT
}

/// The first number of a segment.
fn start(number: u64) -> f64 {
    f64::from_bits(number << SHIFT)
}

/// n ln n without the table.
fn compute(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn table_look_up_is_exact_to_rounding() {
        let mut random = Random::new(17);
        for largest in [0, 1, 100, TABULATED - 1, TABULATED, 300_000, 1 << 40] {
            let table = NLnN::new(largest);
            let near =
                [0, 1, 2, TABULATED - 1, TABULATED, TABULATED + 1, largest, largest + 1, 2 * largest + 9];
            let any = (0..20_000).map(|i| random.next_u64() >> (14 + i % 50));
            for n in near.into_iter().chain(any) {
                let (found, wanted) = (table.get(n), compute(n));
                assert!((found - wanted).abs() <= 4.0 * f64::EPSILON * wanted, "{n}: {found} {wanted}");
            }
        }
    }
}
