//! Control of the false discovery rate in multiple testing.

/// A procedure that controls the expected share of false discoveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FalseDiscovery {
    /// For independent or positively dependent tests (Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001).
    BenjaminiHochberg,
    /// For tests with any dependence (Benjamini and Yekutieli 2001).
    BenjaminiYekutieli,
}

/// The largest harmonic number that is computed as a sum. For larger ones, the asymptotic expansion is exact to
/// rounding.
const MAX_SUMMED: u64 = 1000;

impl FalseDiscovery {
    /// Both procedures.
    pub const ALL: [FalseDiscovery; 2] =
        [FalseDiscovery::BenjaminiHochberg, FalseDiscovery::BenjaminiYekutieli];

    /// The name in settings and results.
    pub fn name(self) -> &'static str {
        match self {
            FalseDiscovery::BenjaminiHochberg => "bh",
            FalseDiscovery::BenjaminiYekutieli => "by",
        }
    }

    /// The p-value threshold for a false discovery rate of `q`: hypotheses with p ≤ threshold are discoveries.
    ///
    /// With the p-values in ascending order and s = q / hypotheses, the threshold is s·k for the largest k with p_k ≤
    /// s·k. If there is no such k, it is s, and all p-values are larger. Benjamini and Yekutieli divide s by Σ 1/i
    /// over i = 1 … hypotheses. P-values above `q` have no effect and may be omitted.
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
    if n <= MAX_SUMMED {
        (1..=n).rev().map(|i| 1.0 / i as f64).sum()
    } else {
        // Abramowitz and Stegun 1964, 6.3.18.
        libm::log(size) + EULER + 0.5 / size - 1.0 / (12.0 * size * size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The fifteen p-values of the example in Benjamini and Hochberg (1995, section 3.2), of which they reject the
    /// first four at q = .05: p₄ = .0095 ≤ 4/15·.05 = .0133.
    const PUBLISHED: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
        0.6528, 0.7590, 1.0,
    ];

    #[test]
    fn the_published_example_is_reproduced() {
        let threshold = FalseDiscovery::BenjaminiHochberg.threshold(0.05, PUBLISHED.to_vec(), 15);
        assert!((threshold - 0.05 * 4.0 / 15.0).abs() < 1e-15);
        assert_eq!(PUBLISHED.iter().filter(|p| **p <= threshold).count(), 4);
        // Divided by 1 + 1/2 + … + 1/15 = 3.318…, the threshold leaves three discoveries.
        let threshold = FalseDiscovery::BenjaminiYekutieli.threshold(0.05, PUBLISHED.to_vec(), 15);
        assert!((threshold - 0.05 * 3.0 / 15.0 / 3.318_228_993).abs() < 1e-9);
        assert_eq!(PUBLISHED.iter().filter(|p| **p <= threshold).count(), 3);
    }

    /// An equivalent definition: the adjusted p-value is the minimum of m·p_j/j over all j from its rank on.
    #[test]
    fn discoveries_are_the_hypotheses_with_adjusted_p_values_up_to_q() {
        let mut random = Random::new(1995);
        let mut discoveries = 0;
        for round in 0..400 {
            let m = 1 + random.below(40);
            let p: Vec<f64> = (0..m).map(|_| random.unit().powi(1 + round % 4)).collect();
            for procedure in FalseDiscovery::ALL {
                let penalty: f64 =
                    if procedure.name() == "bh" { 1.0 } else { (1..=m).map(|i| 1.0 / i as f64).sum() };
                let mut order: Vec<usize> = (0..m).collect();
                order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
                let q = [0.05, 0.2][random.below(2)];
                // P-values above q are omitted.
                let small = p.iter().copied().filter(|p| *p <= q).collect();
                let threshold = procedure.threshold(q, small, m as u64);
                for rank in 0..m {
                    let adjusted = (rank..m)
                        .map(|j| p[order[j]] * m as f64 * penalty / (j as f64 + 1.0))
                        .fold(f64::INFINITY, f64::min);
                    assert_eq!(p[order[rank]] <= threshold, adjusted <= q, "{procedure:?} {q} {p:?}");
                    discoveries += usize::from(adjusted <= q);
                }
                assert!(threshold <= q);
            }
        }
        assert!(discoveries > 1000, "{discoveries}");
    }

    #[test]
    fn there_may_be_no_hypotheses_and_no_discoveries() {
        for procedure in FalseDiscovery::ALL {
            assert_eq!(procedure.threshold(0.05, Vec::new(), 0), 0.05);
            assert!(procedure.threshold(0.05, Vec::new(), 10) > 0.0);
            assert!(procedure.threshold(0.05, vec![0.04], 10) < 0.04);
        }
    }

    #[test]
    fn the_expansion_of_the_harmonic_sum_agrees_with_the_sum() {
        for n in [MAX_SUMMED + 1, 5_000, 100_000] {
            let sum: f64 = (1..=n).rev().map(|i| 1.0 / i as f64).sum();
            assert!((harmonic(n) - sum).abs() < 1e-13 * sum, "{n}");
        }
    }
}
