//! Seeded random numbers: the same seed gives the same numbers on every machine.
//!
//! This module depends on no other module of the crate.

/// A seeded stream of random numbers: SplitMix64 (Steele, Lea and Flood 2014).
///
/// The stream of a seed never changes between versions, so simulated data can be cited by its seed.
///
/// ```
/// let mut random = concause::random::Random::new(1);
/// assert_eq!(random.next_u64(), 0x910a_2dec_8902_5cc1);
/// assert!(random.unit() < 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A uniform number in [0, 1) with a resolution of 2^−53.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A uniform integer in 0..bound, without bias; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        // The largest numbers do not fill a complete cycle of 0..bound. They are rejected, because they would bias
        // the result.
        let accepted = u64::MAX - u64::MAX.checked_rem(bound).unwrap_or(0);
        loop {
            let drawn = self.next_u64();
            if drawn < accepted || bound == 0 {
                return drawn.checked_rem(bound).unwrap_or(0) as usize;
            }
        }
    }

    /// Shuffles the items; all orders are equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A standard normal number (the first of the pair of Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        // `libm` returns the same bits on every machine; the functions of the platform do not.
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(2.0 * std::f64::consts::PI * self.unit())
    }

    /// An index drawn with probability proportional to its weight; 0 if no weight is positive.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut remaining = self.unit() * weights.iter().sum::<f64>();
        let mut drawn = 0;
        for (index, &weight) in weights.iter().enumerate() {
            if weight > 0.0 {
                drawn = index;
                if remaining < weight {
                    break;
                }
            }
            remaining -= weight;
        }
        // After rounding, something may remain beyond the last weight. Then this is the last index with a positive
        // weight.
        drawn
    }
}

/// The purpose of random numbers other than simulation. Each purpose has its own streams, so that adding a check to a
/// run does not change the results of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Half-samples of the rows.
    HalfSamples = 1,
    /// Shuffled outcomes.
    Shuffles = 2,
    /// Rows held out from the search.
    HeldOutRows = 3,
}

impl Purpose {
    /// The first `number` streams of a seed. A stream does not depend on how many are requested.
    pub fn streams(self, seed: u64, number: usize) -> Vec<Random> {
        let mut seeds = Random::new(seed);
        for _ in 0..self as u64 {
            seeds = Random::new(seeds.next_u64());
        }
        (0..number).map(|_| Random::new(seeds.next_u64())).collect()
    }
}

/// Draws a simple random sample of given size from a sequence of items, in one pass (selection sampling: Knuth 1997,
/// algorithm S of section 3.4.2).
#[derive(Clone, Debug)]
pub struct Selection {
    remaining: u64,
    wanted: u64,
}

impl Selection {
    /// A sample of `wanted` of `all` items.
    pub fn new(all: u64, wanted: u64) -> Self {
        Self { remaining: all, wanted: wanted.min(all) }
    }

    /// Whether the next item is in the sample.
    #[inline]
    pub fn draws(&mut self, random: &mut Random) -> bool {
        let is_drawn = (random.below(self.remaining as usize) as u64) < self.wanted;
        self.remaining = self.remaining.saturating_sub(1);
        self.wanted -= u64::from(is_drawn);
        is_drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_and_seed_has_its_own_stream() {
        let first = |seed, purpose: Purpose| purpose.streams(seed, 2)[0].next_u64();
        let purposes = [Purpose::HalfSamples, Purpose::Shuffles, Purpose::HeldOutRows];
        let drawn = [1, 2].map(|seed| purposes.map(|purpose| first(seed, purpose))).concat();
        for (place, one) in drawn.iter().enumerate() {
            assert!(!drawn[..place].contains(one));
        }
        // A stream does not depend on how many are requested.
        assert_eq!(Purpose::Shuffles.streams(1, 9)[0].next_u64(), drawn[1]);
    }

    #[test]
    fn a_selection_has_the_requested_size() {
        let drawn = |all: u64, wanted: u64| {
            let (mut selection, mut random) = (Selection::new(all, wanted), Random::new(4));
            (0..all).filter(|_| selection.draws(&mut random)).count() as u64
        };
        for (all, wanted) in [(0, 0), (5, 0), (5, 5), (5, 9), (1000, 1), (1000, 300)] {
            assert_eq!(drawn(all, wanted), wanted.min(all));
        }
        assert!(!Selection::new(0, 3).draws(&mut Random::new(1)));
    }

    #[test]
    fn the_stream_matches_the_reference_implementation() {
        // The first numbers of seed 1234567 in Vigna's reference implementation.
        let mut random = Random::new(1_234_567);
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(published.map(|_| random.next_u64()), published);
    }

    #[test]
    fn integers_are_uniform_and_chances_have_the_requested_probability() {
        let mut random = Random::new(3);
        let mut seen = [0; 7];
        for _ in 0..70_000 {
            seen[random.below(7)] += 1;
        }
        // Six standard deviations of a count of 10,000.
        assert!(seen.iter().all(|&count: &i32| (count - 10_000).abs() < 6 * 93), "{seen:?}");
        let hits = (0..100_000).filter(|_| random.chance(0.3)).count() as f64;
        assert!((hits - 30_000.0).abs() < 6.0 * 145.0, "{hits}");
        assert_eq!((random.below(0), random.below(1)), (0, 0));
    }

    #[test]
    fn normals_have_the_moments_and_quantiles_of_the_normal_distribution() {
        let mut random = Random::new(5);
        let count = 100_000;
        let drawn: Vec<f64> = (0..count).map(|_| random.normal()).collect();
        let moment = |power: i32| drawn.iter().map(|z| z.powi(power)).sum::<f64>() / f64::from(count);
        // Six standard errors: the variances of z, z², z³ and z⁴ are 1, 2, 15 and 96.
        for (power, expected, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0f64)] {
            let bound = 6.0 * (variance / f64::from(count)).sqrt();
            assert!((moment(power) - expected).abs() < bound, "moment {power}: {}", moment(power));
        }
        let beyond = drawn.iter().filter(|&&z| z > 1.959_963_985).count() as f64;
        assert!((beyond - 2500.0).abs() < 6.0 * 49.4, "{beyond}");
    }

    #[test]
    fn indices_are_drawn_in_proportion_to_their_weights() {
        let mut random = Random::new(8);
        let mut seen = [0i32; 4];
        for _ in 0..80_000 {
            seen[random.weighted(&[1.0, 0.0, 2.0, 5.0])] += 1;
        }
        assert!((seen[0] - 10_000).abs() < 6 * 94, "{seen:?}");
        assert_eq!(seen[1], 0);
        assert!((seen[2] - 20_000).abs() < 6 * 123, "{seen:?}");
        assert_eq!((random.weighted(&[]), random.weighted(&[0.0, 0.0])), (0, 0));
    }
}
