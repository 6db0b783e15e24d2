//! CR-CS: a cohort study within the data. Rows with the candidate (exposed) are matched at random with rows without it
//! of the same stratum, and pairs are counted in which one has the target and the other has not.
//!
//! Rows of a stratum that agree in candidate and target are all alike, so it is enough to draw *how many* of each kind
//! are matched with each kind: three hypergeometric draws a stratum have the distribution of a random matching of rows,
//! whatever the order of the rows.

use super::LEAST_ODDS_RATIO;
use crate::count::Stratum;
use crate::independence::Tested;
use crate::simulate::Random;

/// The fewest discordant pairs a causal rule must have.
pub const LEAST_DISCORDANT: u64 = 10;

/// The discordant ones among matched pairs of an exposed and an unexposed row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// n10: the exposed row has the target, the other has not.
    pub exposed: u64,
    /// n01: the unexposed row has the target, the other has not.
    pub unexposed: u64,
}

impl Pairs {
    /// How many pairs are discordant.
    pub fn discordant(&self) -> u64 {
        self.exposed + self.unexposed
    }

    /// The odds ratio of matched pairs, n10/n01; infinite if only n01 is 0, none if both are.
    pub fn odds_ratio(&self) -> Option<f64> {
        (self.discordant() > 0).then(|| self.exposed as f64 / self.unexposed as f64)
    }

    /// Whether there are enough discordant pairs, and the odds ratio or its inverse is large enough.
    pub fn is_causal(&self) -> bool {
        let (exposed, unexposed) = (self.exposed as f64, self.unexposed as f64);
        self.discordant() >= LEAST_DISCORDANT
            && (exposed > LEAST_ODDS_RATIO * unexposed || unexposed > LEAST_ODDS_RATIO * exposed)
    }

    /// McNemar's test (1947) with continuity correction, max(|n10 − n01| − 1, 0)² / (n10 + n01); none without
    /// discordant pairs.
    pub fn mc_nemar(&self) -> Option<Tested> {
        let difference = self.exposed.abs_diff(self.unexposed).saturating_sub(1) as f64;
        let discordant = self.discordant();
        (discordant > 0).then(|| Tested::new(difference / discordant as f64 * difference, 1))
    }
}

/// Matches as many exposed with as many unexposed rows of each stratum as there are, at random.
pub fn matched_pairs(strata: &[Stratum], random: &mut Random) -> Pairs {
    let mut found = Pairs::default();
    for Stratum { with, without } in strata {
        let pairs = with.total().min(without.total());
        // How many of the rows that find a partner have the target …
        let exposed = hypergeometric(with.positive, with.negative, pairs, random);
        let unexposed = hypergeometric(without.positive, without.negative, pairs, random);
        // … and how many of those meet each other.
        let both = hypergeometric(unexposed, pairs - unexposed, exposed, random);
        found.exposed += exposed - both;
        found.unexposed += unexposed - both;
    }
    found
}

/// How many good ones there are among some drawn from good and bad ones, without putting back.
///
/// By inversion from the most likely number outwards: the chances of neighbouring numbers have a simple ratio. The
/// steps grow with the standard deviation only, and only with the four rules of arithmetic, so that every machine
/// draws the same. Numbers less likely than 1 in 10^18 of the most likely are left out.
fn hypergeometric(good: u64, bad: u64, drawn: u64, random: &mut Random) -> u64 {
    let (least, most) = (drawn.saturating_sub(bad), good.min(drawn));
    if least >= most {
        return least;
    }
    let mode = (u128::from(drawn) + 1) * (u128::from(good) + 1) / (u128::from(good) + u128::from(bad) + 2);
    let mode = (mode as u64).clamp(least, most);
    // The chance of k + 1 over that of k.
    let ratio = |k: u64| {
        let (up, down) = ((good - k) as f64, (k + 1) as f64);
        up / down * ((drawn - k) as f64 / (bad - (drawn - k) + 1) as f64)
    };
    const NEGLIGIBLE: f64 = 1e-18;
    let visit = |visitor: &mut dyn FnMut(u64, f64) -> bool| {
        let mut chance = 1.0;
        for k in mode..=most {
            if chance < NEGLIGIBLE || visitor(k, chance) {
                break;
            }
            if k < most {
                chance *= ratio(k);
            }
        }
        let mut chance = 1.0;
        for k in (least..mode).rev() {
            chance /= ratio(k);
            if chance < NEGLIGIBLE || visitor(k, chance) {
                break;
            }
        }
    };
    let mut sum = 0.0;
    visit(&mut |_, chance| {
        sum += chance;
        false
    });
    let mut left = random.unit() * sum;
    let mut found = None;
    visit(&mut |k, chance| {
        left -= chance;
        found = found.or((left < 0.0).then_some(k));
        found.is_some()
    });
    // Rounding may leave a trifle.
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
        for (good, bad, drawn) in [(5, 7, 6), (1, 9, 3), (10, 2, 8), (3, 3, 1), (30, 20, 25)] {
            let draws = 40_000;
            let mut seen = vec![0u64; good as usize + 1];
            for _ in 0..draws {
                seen[hypergeometric(good, bad, drawn, &mut random) as usize] += 1;
            }
            for (k, &seen) in (0..).zip(&seen) {
                let possible = k <= drawn && drawn - k <= bad;
                let chance = if possible {
                    binomial(good, k) * binomial(bad, drawn - k) / binomial(good + bad, drawn)
                } else {
                    0.0
                };
                // Five standard deviations, and a little for the rare ones.
                let error = 5.0 * (draws as f64 * chance).sqrt() + 1.0;
                assert!(
                    (seen as f64 - draws as f64 * chance).abs() <= error,
                    "{good} {bad} {drawn}: {k} {seen}"
                );
                assert!(possible || seen == 0);
            }
        }
    }

    #[test]
    fn draws_of_any_size() {
        let mut random = Random::new(6);
        assert_eq!(hypergeometric(0, 0, 0, &mut random), 0);
        assert_eq!(hypergeometric(7, 0, 4, &mut random), 4);
        assert_eq!(hypergeometric(0, 7, 4, &mut random), 0);
        assert_eq!(hypergeometric(3, 5, 8, &mut random), 3);
        let large = 1u64 << 40;
        let half = hypergeometric(large, large, large, &mut random);
        // The standard deviation is √(2^40/8), some 370,000.
        assert!(half.abs_diff(large / 2) < 6 * 370_728, "{half}");
    }

    /// If the two draws of a stratum are certain, so is the number of pairs of each kind.
    #[test]
    fn certain_pairs_by_hand() {
        let pairs = |strata: &[[u64; 4]]| {
            let strata: Vec<Stratum> = strata.iter().map(|&cells| cells.into()).collect();
            matched_pairs(&strata, &mut Random::new(1))
        };
        // 12 exposed rows, all with the target, and 20 without, none of which has it: 12 pairs (1, 0).
        // Then 3 exposed without the target and 2 others with it: 2 pairs (0, 1).
        // Then 5 exposed with it and 4 others with it: 4 pairs that agree.
        let found = pairs(&[[12, 0, 0, 20], [0, 3, 2, 0], [5, 0, 4, 0], [7, 7, 0, 0], [0, 0, 1, 2]]);
        assert_eq!(found, Pairs { exposed: 12, unexposed: 2 });
        assert_eq!(found.odds_ratio(), Some(6.0));
        assert!(found.is_causal());
        // McNemar: (|12 − 2| − 1)²/14
        let tested = found.mc_nemar().unwrap();
        assert!((tested.statistic - 81.0 / 14.0).abs() < 1e-12 && tested.df == 1);
    }

    #[test]
    fn the_odds_ratio_and_the_pairs_must_both_suffice() {
        let causal = |exposed, unexposed| Pairs { exposed, unexposed }.is_causal();
        assert!(causal(10, 0) && causal(0, 10) && causal(16, 10) && causal(10, 16) && causal(7, 3));
        assert!(!causal(9, 0), "only nine pairs");
        assert!(!causal(15, 10) && !causal(10, 15) && !causal(100, 100), "no more than 1.5");
        assert_eq!(Pairs::default().odds_ratio(), None);
        assert_eq!(Pairs::default().mc_nemar(), None);
        assert_eq!(Pairs { exposed: 3, unexposed: 0 }.odds_ratio(), Some(f64::INFINITY));
        assert_eq!(Pairs { exposed: 3, unexposed: 3 }.mc_nemar().unwrap().p_value, 1.0);
    }

    /// Drawing from the counts is matching rows: the same means and spreads as when the rows of each side are shuffled
    /// and laid side by side.
    #[test]
    fn pairs_from_counts_are_like_pairs_of_rows() {
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
        // And the mean is that of independent partners: 50·(30/50)·(60/75) + 20·(12/52)·(11/20).
        let mean = 50.0 * (30.0 / 50.0) * (60.0 / 75.0) + 20.0 * (12.0 / 52.0) * (11.0 / 20.0);
        assert!((counts[0].0 - mean).abs() < 0.1, "{counts:?} {mean}");
    }
}
