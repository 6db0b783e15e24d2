//! The source of all randomness: the same numbers for the same seed on every machine.

/// A seeded stream of random numbers: SplitMix64 (Steele, Lea and Flood 2014).
///
/// The stream of a seed never changes, so that data made from a seed can be cited.
///
/// ```
/// let mut random = concause::simulate::Random::new(1);
/// assert_eq!(random.next_u64(), 0x910a_2dec_8902_5cc1);
/// assert!(random.unit() < 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
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

    /// A number in [0, 1), one of 2^53 evenly spaced ones.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A whole number in 0..bound, without bias; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        // Numbers from the incomplete last round of 0..bound are drawn again.
        let fair = u64::MAX - u64::MAX.checked_rem(bound).unwrap_or(0);
        loop {
            let drawn = self.next_u64();
            if drawn < fair || bound == 0 {
                return drawn.checked_rem(bound).unwrap_or(0) as usize;
            }
        }
    }

    /// Puts the items into a random order, all orders being equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A number of the standard normal distribution (Box and Muller 1958, the first of the two).
    pub fn normal(&mut self) -> f64 {
        // `libm` gives the same bits on every machine, the functions of the platform do not.
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(2.0 * std::f64::consts::PI * self.unit())
    }

    /// A place among the weights, each as likely as its share of their sum; 0 if there are none.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        let mut heavy = 0;
        for (place, &weight) in weights.iter().enumerate() {
            if weight > 0.0 {
                heavy = place;
                if left < weight {
                    break;
                }
            }
            left -= weight;
        }
        // Rounding may leave a remnant behind the last weight: the last one that is not 0 takes it.
        heavy
    }
}

/// What random numbers are drawn for beside simulating: each has streams of its own, so that asking for one thing
/// changes nothing of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Halves of the rows, to search each.
    HalfSamples = 1,
    /// Outcomes that have nothing to do with the columns.
    Shuffles = 2,
    /// Rows that a search is not to see.
    HeldOutRows = 3,
}

impl Purpose {
    /// So many streams of a seed; more of them leave the first ones as they are.
    pub fn streams(self, seed: u64, number: usize) -> Vec<Random> {
        let mut seeds = Random::new(seed);
        for _ in 0..self as u64 {
            seeds = Random::new(seeds.next_u64());
        }
        (0..number).map(|_| Random::new(seeds.next_u64())).collect()
    }
}

/// Draws so many of a number of things, one after the other, all choices being equally likely
/// (selection sampling: Knuth 1997, algorithm S of section 3.4.2).
#[derive(Clone, Debug)]
pub struct Selection {
    left: u64,
    wanted: u64,
}

impl Selection {
    /// Draws `wanted` of `all`.
    pub fn new(all: u64, wanted: u64) -> Self {
        Self { left: all, wanted: wanted.min(all) }
    }

    /// Whether the next one is drawn.
    #[inline]
    pub fn draws(&mut self, random: &mut Random) -> bool {
        let is_drawn = (random.below(self.left as usize) as u64) < self.wanted;
        self.left = self.left.saturating_sub(1);
        self.wanted -= u64::from(is_drawn);
        is_drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_and_seeds_have_streams_of_their_own() {
        let first = |seed, purpose: Purpose| purpose.streams(seed, 2)[0].next_u64();
        let purposes = [Purpose::HalfSamples, Purpose::Shuffles, Purpose::HeldOutRows];
        let drawn = [1, 2].map(|seed| purposes.map(|purpose| first(seed, purpose))).concat();
        for (place, one) in drawn.iter().enumerate() {
            assert!(!drawn[..place].contains(one));
        }
        // More repeats leave the first ones as they are.
        assert_eq!(Purpose::Shuffles.streams(1, 9)[0].next_u64(), drawn[1]);
    }

    #[test]
    fn a_selection_has_its_size_and_ends() {
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
    fn the_stream_is_the_published_one() {
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
    fn shares_are_as_asked() {
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
    fn places_come_by_their_weights() {
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
