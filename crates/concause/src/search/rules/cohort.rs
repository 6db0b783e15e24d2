//! CR-CS: a cohort study within the data. Rows with the candidate (exposed) are matched at random with rows without it
//! in the same stratum, and the pairs in which exactly one row has the target are counted.
//!
//! Rows of a stratum with the same candidate and target values are exchangeable, so it suffices to draw *how many* of
//! each kind are matched with each kind. Three hypergeometric draws per stratum have the distribution of a random
//! matching of rows, and they do not depend on the order of the rows.

use super::LEAST_ODDS_RATIO;
use crate::count::Stratum;
use crate::random::Random;
use crate::stats::TestResult;

/// The smallest number of discordant pairs of a causal rule.
pub const LEAST_DISCORDANT: u64 = 10;

/// The discordant pairs among matched pairs of an exposed and an unexposed row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// n10: pairs in which only the exposed row has the target.
    pub exposed: u64,
    /// n01: pairs in which only the unexposed row has the target.
    pub unexposed: u64,
}

impl Pairs {
    /// The number of discordant pairs.
    pub fn discordant(&self) -> u64 {
        self.exposed + self.unexposed
    }

    /// The odds ratio of matched pairs, n10/n01; infinite if only n01 is 0, `None` if both are 0.
    pub fn odds_ratio(&self) -> Option<f64> {
        (self.discordant() > 0).then(|| self.exposed as f64 / self.unexposed as f64)
    }

    /// Whether there are enough discordant pairs, and the odds ratio or its inverse is large enough.
    pub fn is_causal(&self) -> bool {
        let (exposed, unexposed) = (self.exposed as f64, self.unexposed as f64);
        self.discordant() >= LEAST_DISCORDANT
            && (exposed > LEAST_ODDS_RATIO * unexposed || unexposed > LEAST_ODDS_RATIO * exposed)
    }

    /// McNemar's test (1947) with continuity correction, max(|n10 − n01| − 1, 0)² / (n10 + n01); `None`
    /// without discordant pairs.
    pub fn mc_nemar(&self) -> Option<TestResult> {
        let difference = self.exposed.abs_diff(self.unexposed).saturating_sub(1) as f64;
        let discordant = self.discordant();
        (discordant > 0).then(|| TestResult::new(difference / discordant as f64 * difference, 1))
    }
}

/// Matches exposed with unexposed rows at random in each stratum, as many as the smaller group has.
pub fn matched_pairs(strata: &[Stratum], random: &mut Random) -> Pairs {
    let mut found = Pairs::default();
    for Stratum { with, without } in strata {
        let pairs = with.total().min(without.total());
        // The matched rows of each side that have the target, …
        let exposed = draw_hypergeometric(with.positive, with.negative, pairs, random);
        let unexposed = draw_hypergeometric(without.positive, without.negative, pairs, random);
        // … and the pairs in which both rows have it.
        let both = draw_hypergeometric(unexposed, pairs - unexposed, exposed, random);
        found.exposed += exposed - both;
        found.unexposed += unexposed - both;
    }
    found
}

/// Draws a hypergeometric number: the successes among `drawn` items, drawn without replacement from `successes` and
/// `failures`.
///
/// Inversion from the mode outwards, using the simple ratio of the probabilities of neighbouring numbers. The number
/// of steps is proportional to the standard deviation. Only the four basic operations are used, so all machines draw
/// the same numbers. Numbers with less than 10^−18 of the probability of the mode are neglected.
fn draw_hypergeometric(successes: u64, failures: u64, drawn: u64, random: &mut Random) -> u64 {
    let (least, most) = (drawn.saturating_sub(failures), successes.min(drawn));
    if least >= most {
        return least;
    }
    let mode = (u128::from(drawn) + 1) * (u128::from(successes) + 1)
        / (u128::from(successes) + u128::from(failures) + 2);
    let mode = (mode as u64).clamp(least, most);
    // P(k + 1) / P(k).
    let ratio = |k: u64| {
        let (up, down) = ((successes - k) as f64, (k + 1) as f64);
        up / down * ((drawn - k) as f64 / (failures - (drawn - k) + 1) as f64)
    };
    const NEGLIGIBLE: f64 = 1e-18;
    let visit = |visitor: &mut dyn FnMut(u64, f64) -> bool| {
        let mut weight = 1.0;
        for k in mode..=most {
            if weight < NEGLIGIBLE || visitor(k, weight) {
                break;
            }
            if k < most {
                weight *= ratio(k);
            }
        }
        let mut weight = 1.0;
        for k in (least..mode).rev() {
            weight /= ratio(k);
            if weight < NEGLIGIBLE || visitor(k, weight) {
                break;
            }
        }
    };
    let mut sum = 0.0;
    visit(&mut |_, weight| {
        sum += weight;
        false
    });
    let mut left = random.unit() * sum;
    let mut found = None;
    visit(&mut |k, weight| {
        left -= weight;
        found = found.or((left < 0.0).then_some(k));
        found.is_some()
    });
    // Rounding errors may leave a small positive rest.
    found.unwrap_or(mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binomial(n: u64, k: u64) -> f64 {
        (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
    }

    #[test]
    fn draws_have_the_hypergeometric_distribution() {
        let mut random = Random::new(5);
        for (successes, failures, drawn) in [(5, 7, 6), (1, 9, 3), (10, 2, 8), (3, 3, 1), (30, 20, 25)] {
            let draws = 40_000;
            let mut seen = vec![0u64; successes as usize + 1];
            for _ in 0..draws {
                seen[draw_hypergeometric(successes, failures, drawn, &mut random) as usize] += 1;
            }
            for (k, &seen) in (0..).zip(&seen) {
                let possible = k <= drawn && drawn - k <= failures;
                let chance = if possible {
                    binomial(successes, k) * binomial(failures, drawn - k)
                        / binomial(successes + failures, drawn)
                } else {
                    0.0
                };
                // Five standard deviations, and 1 for numbers with small expectations.
                let error = 5.0 * (draws as f64 * chance).sqrt() + 1.0;
                assert!(
                    (seen as f64 - draws as f64 * chance).abs() <= error,
                    "{successes} {failures} {drawn}: {k} {seen}"
                );
                assert!(possible || seen == 0);
            }
        }
    }

    #[test]
    fn draws_are_valid_for_empty_and_large_populations() {
        let mut random = Random::new(6);
        assert_eq!(draw_hypergeometric(0, 0, 0, &mut random), 0);
        assert_eq!(draw_hypergeometric(7, 0, 4, &mut random), 4);
        assert_eq!(draw_hypergeometric(0, 7, 4, &mut random), 0);
        assert_eq!(draw_hypergeometric(3, 5, 8, &mut random), 3);
        let large = 1u64 << 40;
        let half = draw_hypergeometric(large, large, large, &mut random);
        // The standard deviation is √(2^40/8), about 370,000.
        assert!(half.abs_diff(large / 2) < 6 * 370_728, "{half}");
    }

    /// Strata in which the number of pairs of each kind does not depend on the draws.
    #[test]
    fn pairs_that_are_certain_match_hand_counts() {
        let pairs = |strata: &[[u64; 4]]| {
            let strata: Vec<Stratum> = strata.iter().map(|&cells| cells.into()).collect();
            matched_pairs(&strata, &mut Random::new(1))
        };
        // 12 exposed rows with the target and 20 unexposed rows without it: 12 pairs (1, 0).
        // 3 exposed rows without the target and 2 unexposed rows with it: 2 pairs (0, 1).
        // 5 exposed and 4 unexposed rows, all with the target: 4 concordant pairs.
        let found = pairs(&[[12, 0, 0, 20], [0, 3, 2, 0], [5, 0, 4, 0], [7, 7, 0, 0], [0, 0, 1, 2]]);
        assert_eq!(found, Pairs { exposed: 12, unexposed: 2 });
        assert_eq!(found.odds_ratio(), Some(6.0));
        assert!(found.is_causal());
        // McNemar: (|12 − 2| − 1)²/14
        let tested = found.mc_nemar().unwrap();
        assert!((tested.statistic - 81.0 / 14.0).abs() < 1e-12 && tested.df == 1);
    }

    #[test]
    fn causal_rules_need_enough_pairs_and_a_large_odds_ratio() {
        let causal = |exposed, unexposed| Pairs { exposed, unexposed }.is_causal();
        assert!(causal(10, 0) && causal(0, 10) && causal(16, 10) && causal(10, 16) && causal(7, 3));
        assert!(!causal(9, 0), "only nine discordant pairs");
        assert!(!causal(15, 10) && !causal(10, 15) && !causal(100, 100), "the odds ratio is at most 1.5");
        assert_eq!(Pairs::default().odds_ratio(), None);
        assert_eq!(Pairs::default().mc_nemar(), None);
        assert_eq!(Pairs { exposed: 3, unexposed: 0 }.odds_ratio(), Some(f64::INFINITY));
        assert_eq!(Pairs { exposed: 3, unexposed: 3 }.mc_nemar().unwrap().p_value, 1.0);
    }

    /// Drawing from counts is equivalent to matching rows: means and variances equal those of pairs of shuffled rows.
    #[test]
    fn pairs_drawn_from_counts_are_distributed_like_matched_rows() {
        let strata: [Stratum; 2] = [[30, 20, 15, 60].into(), [12, 40, 9, 11].into()];
        let by_rows = |random: &mut Random| {
            let mut found = Pairs::default();
            for stratum in &strata {
                let mut rows = |count: crate::count::Count| {
                    let mut rows = vec![true; count.positive as usize];
                    rows.resize(count.total() as usize, false);
                    random.shuffle(&mut rows);
                    rows
                };
                for (exposed, unexposed) in rows(stratum.with).into_iter().zip(rows(stratum.without)) {
                    found.exposed += u64::from(exposed && !unexposed);
                    found.unexposed += u64::from(!exposed && unexposed);
                }
            }
            found
        };
        let runs = 20_000;
        let moments = |draw: &mut dyn FnMut(&mut Random) -> Pairs, seed: u64| {
            let mut random = Random::new(seed);
            let (mut sums, mut squares) = ([0.0; 3], [0.0; 3]);
            for _ in 0..runs {
                let Pairs { exposed, unexposed } = draw(&mut random);
                let values = [exposed as f64, unexposed as f64, exposed as f64 - unexposed as f64];
                for (i, value) in values.into_iter().enumerate() {
                    sums[i] += value;
                    squares[i] += value * value;
                }
            }
            let n = f64::from(runs);
            [0, 1, 2].map(|i| (sums[i] / n, squares[i] / n - (sums[i] / n).powi(2)))
        };
        let counts = moments(&mut |random| matched_pairs(&strata, random), 7);
        let rows = moments(&mut |random| by_rows(random), 8);
        for ((mean, variance), (other_mean, other_variance)) in counts.into_iter().zip(rows) {
            let error = (2.0 * variance / f64::from(runs)).sqrt();
            assert!((mean - other_mean).abs() < 5.0 * error, "{counts:?} {rows:?}");
            assert!((variance / other_variance - 1.0).abs() < 0.07, "{counts:?} {rows:?}");
        }
        // The mean is that of independent partners: 50·(30/50)·(60/75) + 20·(12/52)·(11/20).
        let mean = 50.0 * (30.0 / 50.0) * (60.0 / 75.0) + 20.0 * (12.0 / 52.0) * (11.0 / 20.0);
        assert!((counts[0].0 - mean).abs() < 0.1, "{counts:?} {mean}");
    }
}
