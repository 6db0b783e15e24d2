//! Control of the false discovery rate: how small a p-value must be where many hypotheses are tested at once.

/// A way to keep the expected share of false ones among the discoveries below a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FalseDiscovery {
    /// For independent tests, and for those that are positively dependent (Benjamini and Hochberg 1995; Benjamini and
    /// Yekutieli 2001).
    BenjaminiHochberg,
    /// For tests that depend on one another in any way (Benjamini and Yekutieli 2001).
    BenjaminiYekutieli,
}

/// Up to so many terms the harmonic sum is added up; beyond, its expansion is exact to rounding.
const SUMMED: u64 = 1000;

impl FalseDiscovery {
    /// Both ways.
    pub const ALL: [FalseDiscovery; 2] =
        [FalseDiscovery::BenjaminiHochberg, FalseDiscovery::BenjaminiYekutieli];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            FalseDiscovery::BenjaminiHochberg => "bh",
            FalseDiscovery::BenjaminiYekutieli => "by",
        }
    }

    /// The threshold for a false discovery rate of `q` over so many hypotheses: those with p up to it are discoveries,
    /// the others are not.
    ///
    /// With the p-values in ascending order and s = q / hypotheses, it is s·k for the largest k with p_k ≤ s·k; s
    /// itself if there is none, which no p-value meets then. Benjamini and Yekutieli divide s by Σ 1/i over
    /// i = 1 … hypotheses. Only p-values up to `q` matter, so others need not be given.
    pub fn threshold(self, q: f64, mut p_values: Vec<f64>, hypotheses: u64) -> f64 {
        let step = q / hypotheses.max(1) as f64 / self.penalty(hypotheses);
        p_values.sort_by(f64::total_cmp);
        let mut ranked = p_values.iter().enumerate().map(|(place, p)| (place as f64 + 1.0, p));
        let discoveries = ranked.rfind(|(rank, p)| **p <= step * rank);
        step * discoveries.map_or(1.0, |(rank, _)| rank)
    }

    fn penalty(self, hypotheses: u64) -> f64 {
        match self {
            FalseDiscovery::BenjaminiHochberg => 1.0,
            FalseDiscovery::BenjaminiYekutieli => harmonic(hypotheses.max(1)),
        }
    }
}

/// Σ 1/i over i = 1 … n.
fn harmonic(n: u64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    let size = n as f64;
    if n <= SUMMED {
        (1..=n).rev().map(|i| 1.0 / i as f64).sum()
    } else {
        // Abramowitz and Stegun 1964, 6.3.18.
        libm::log(size) + EULER + 0.5 / size - 1.0 / (12.0 * size * size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::Random;

    /// The fifteen p-values of the example in Benjamini and Hochberg (1995, section 3.2), of which they reject the
    /// first four at q = .05: p₄ = .0095 ≤ 4/15·.05 = .0133.
    const PUBLISHED: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
        0.6528, 0.7590, 1.0,
    ];

    #[test]
    fn the_published_example() {
        let threshold = FalseDiscovery::BenjaminiHochberg.threshold(0.05, PUBLISHED.to_vec(), 15);
        assert!((threshold - 0.05 * 4.0 / 15.0).abs() < 1e-15);
        assert_eq!(PUBLISHED.iter().filter(|p| **p <= threshold).count(), 4);
        // Divided by 1 + 1/2 + … + 1/15 = 3.318…, the steps leave three.
        let threshold = FalseDiscovery::BenjaminiYekutieli.threshold(0.05, PUBLISHED.to_vec(), 15);
        assert!((threshold - 0.05 * 3.0 / 15.0 / 3.318_228_993).abs() < 1e-9);
        assert_eq!(PUBLISHED.iter().filter(|p| **p <= threshold).count(), 3);
    }

    /// The other way to say it: the adjusted p-value of each is the least of m·p_j/j over all j from its rank on.
    #[test]
    fn the_discoveries_are_those_with_adjusted_p_values_up_to_q() {
        let mut random = Random::new(1995);
        let mut some = 0;
        for round in 0..400 {
            let m = 1 + random.below(40);
            let p: Vec<f64> = (0..m).map(|_| random.unit().powi(1 + round % 4)).collect();
            for way in FalseDiscovery::ALL {
                let penalty: f64 =
                    if way.name() == "bh" { 1.0 } else { (1..=m).map(|i| 1.0 / i as f64).sum() };
                let mut order: Vec<usize> = (0..m).collect();
                order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
                let q = [0.05, 0.2][random.below(2)];
                // Those above q are not told.
                let known = p.iter().copied().filter(|p| *p <= q).collect();
                let threshold = way.threshold(q, known, m as u64);
                for rank in 0..m {
                    let adjusted = (rank..m)
                        .map(|j| p[order[j]] * m as f64 * penalty / (j as f64 + 1.0))
                        .fold(f64::INFINITY, f64::min);
                    assert_eq!(p[order[rank]] <= threshold, adjusted <= q, "{way:?} {q} {p:?}");
                    some += usize::from(adjusted <= q);
                }
                assert!(threshold <= q);
            }
        }
        assert!(some > 1000, "{some}");
    }

    #[test]
    fn nothing_tested_and_nothing_found_are_legal() {
        for way in FalseDiscovery::ALL {
            assert_eq!(way.threshold(0.05, Vec::new(), 0), 0.05);
            assert!(way.threshold(0.05, Vec::new(), 10) > 0.0);
            assert!(way.threshold(0.05, vec![0.04], 10) < 0.04);
        }
    }

    #[test]
    fn the_expansion_of_the_harmonic_sum_meets_the_sum() {
        for n in [SUMMED + 1, 5_000, 100_000] {
            let sum: f64 = (1..=n).rev().map(|i| 1.0 / i as f64).sum();
            assert!((harmonic(n) - sum).abs() < 1e-13 * sum, "{n}");
        }
    }
}
