//! n ln n for whole numbers, fast: every G² is a sum of these.

/// Numbers below this are looked up; 128 KB of them stay in the caches, more would not.
const LOOKED_UP: u64 = 1 << 14;

/// Bits of the fraction of a number that tell its segment: 1024 segments from one power of 2 to the next.
const SEGMENT_BITS: u32 = 10;
const SHIFT: u32 = f64::MANTISSA_DIGITS - 1 - SEGMENT_BITS;

/// A table of n ln n up to some number.
///
/// Small numbers have an entry each. Larger ones fall into segments, so short beside the numbers in them that four
/// terms of the Taylor series around the first number are exact to rounding.
#[derive(Clone, Debug)]
pub struct NLnN {
    small: Vec<f64>,
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    /// n ln n of its first number.
    value: f64,
    /// ln n + 1 there.
    slope: f64,
    /// 1 / 2n there.
    bend: f64,
}

impl NLnN {
    /// For all numbers up to `largest`; larger ones are worked out when asked for.
    pub fn new(largest: u64) -> Self {
        let small = (0..=largest.min(LOOKED_UP - 1)).map(plain).collect();
        let last = if largest < LOOKED_UP { 0 } else { segment(largest) + 1 };
        let segments = (segment(LOOKED_UP)..last)
            .map(|number| {
                let n = start(number);
                Segment { value: n * n.ln(), slope: n.ln() + 1.0, bend: 0.5 / n }
            })
            .collect();
        Self { small, segments }
    }

    /// n ln n, and 0 for n = 0.
    #[inline]
    pub fn of(&self, n: u64) -> f64 {
        if let Some(&value) = self.small.get(n as usize) {
            return value;
        }
        let number = segment(n);
        let Some(segment) = self.segments.get(number.wrapping_sub(segment(LOOKED_UP)) as usize) else {
            return plain(n);
        };
        let further = n as f64 - start(number);
        let t = further * segment.bend;
        segment.value + further * (segment.slope + t * (1.0 + (t - 1.0) * t * (2.0 / 3.0)))
    }
}

/// The number of the segment that n falls into: its exponent and the first bits of its fraction.
fn segment(n: u64) -> u64 {
    (n as f64).to_bits() >> SHIFT
}

/// The first number of a segment.
fn start(number: u64) -> f64 {
    f64::from_bits(number << SHIFT)
}

fn plain(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::Random;

    #[test]
    fn it_is_exact_to_rounding() {
        let mut random = Random::new(17);
        for largest in [0, 1, 100, LOOKED_UP - 1, LOOKED_UP, 300_000, 1 << 40] {
            let table = NLnN::new(largest);
            let near =
                [0, 1, 2, LOOKED_UP - 1, LOOKED_UP, LOOKED_UP + 1, largest, largest + 1, 2 * largest + 9];
            let any = (0..20_000).map(|i| random.next_u64() >> (14 + i % 50));
            for n in near.into_iter().chain(any) {
                let (found, wanted) = (table.of(n), plain(n));
                assert!((found - wanted).abs() <= 4.0 * f64::EPSILON * wanted, "{n}: {found} {wanted}");
            }
        }
    }
}
