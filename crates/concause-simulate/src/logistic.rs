//! Independent or correlated columns, and a target that depends on some of them through a logistic model.

use concause::random::Random;

use super::bisection::bisect;
use super::planted::{Planted, Sample, logistic, shift_to_share};
use super::unnamed::UnnamedData;
use super::{AllowedRange, SimulateError, Uniform};

/// A target with logit P(T=1) = intercept + Σ coefficient·parent, whose parents are drawn first.
///
/// The intercept is solved for the requested share ([`Planted::share`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Logistic {
    /// The target and its causes.
    pub planted: Planted,
    /// The coefficient of each parent.
    pub coefficients: Uniform,
    /// Whether each coefficient is negative with probability one half.
    pub signed: bool,
    /// The share of ones in each column before any is split.
    pub shares: Uniform,
    /// The correlation ρ within a group of a Gaussian copula: a column is 1 where its normal variable lies below a
    /// threshold. Columns with shares of one half have the correlation 2/π · asin ρ.
    pub correlation: f64,
    /// The approximate size of a group of correlated columns.
    pub group: usize,
}

impl Logistic {
    pub(crate) fn check(&self, predictors: usize) -> Result<(), SimulateError> {
        self.planted.check(predictors)?;
        self.coefficients.check("coefficients", -50.0, 50.0)?;
        self.shares.check("shares", 0.0, 1.0)?;
        AllowedRange::HALF_OPEN_UNIT.check("correlation", self.correlation)?;
        AllowedRange::at_least(1.0).check_count("group", self.group)
    }

    pub(crate) fn generate(
        &self,
        rows: usize,
        predictors: usize,
        random: &mut Random,
    ) -> Result<UnnamedData, SimulateError> {
        self.planted.generate(predictors, random, |columns, random| self.sample(rows, columns, random))
    }

    fn sample(&self, rows: usize, columns: usize, random: &mut Random) -> Sample {
        let shares: Vec<f64> = (0..columns).map(|_| self.shares.draw(random)).collect();
        let data = if self.correlation > 0.0 {
            self.draw_correlated(rows, &shares, random)
        } else {
            shares.iter().map(|&share| (0..rows).map(|_| random.chance(share)).collect()).collect()
        };
        // Parents are random, and naming shuffles all columns, so that groups of neighbours become random groups.
        let mut parents: Vec<usize> = (0..columns).collect();
        random.shuffle(&mut parents);
        parents.truncate(self.planted.causes());
        let outcome = self.outcome(rows, &data, &parents, random);
        Sample { columns: data, parents, outcome }
    }

    /// The columns of a group share a normal factor: x = 1 where √ρ·factor + √(1−ρ)·own is below the quantile of the
    /// column's share.
    fn draw_correlated(&self, rows: usize, shares: &[f64], random: &mut Random) -> Vec<Vec<bool>> {
        let groups = ((shares.len() + self.group / 2) / self.group).max(1);
        let (shared, own) = (libm::sqrt(self.correlation), libm::sqrt(1.0 - self.correlation));
        let mut data: Vec<Vec<bool>> = Vec::with_capacity(shares.len());
        for group in 0..groups {
            let members = group * shares.len() / groups..(group + 1) * shares.len() / groups;
            let factor: Vec<f64> = (0..rows).map(|_| shared * random.normal()).collect();
            for &share in &shares[members] {
                let threshold = normal_quantile(share);
                data.push(factor.iter().map(|factor| factor + own * random.normal() < threshold).collect());
            }
        }
        data
    }

    fn outcome(&self, rows: usize, data: &[Vec<bool>], parents: &[usize], random: &mut Random) -> Vec<bool> {
        let mut logits = vec![(0.0, 1.0); rows];
        for &parent in parents {
            let mut coefficient = self.coefficients.draw(random);
            if self.signed && random.chance(0.5) {
                coefficient = -coefficient;
            }
            for ((logit, _), &one) in logits.iter_mut().zip(&data[parent]) {
                *logit += if one { coefficient } else { 0.0 };
            }
        }
        let intercept = shift_to_share(&logits, self.planted.share);
        logits.iter().map(|(logit, _)| random.chance(logistic(logit + intercept))).collect()
    }
}

/// The number below which a standard normal variable lies with the given probability.
pub(crate) fn normal_quantile(probability: f64) -> f64 {
    if probability == 0.5 {
        return 0.0;
    }
    // The quantiles of 1e-300 and of the double nearest to 1 lie within these limits.
    bisect(-40.0, 40.0, 70, |z| 0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2) < probability)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recipe, RecipeKind};

    fn logistic_recipe(name: &str) -> Logistic {
        let RecipeKind::Logistic(logistic) = Recipe::named(name).unwrap().kind else {
            panic!("not logistic")
        };
        logistic
    }

    fn share(bits: &[bool]) -> f64 {
        bits.iter().filter(|&&bit| bit).count() as f64 / bits.len() as f64
    }

    fn correlation(left: &[bool], right: &[bool]) -> f64 {
        let both = left.iter().zip(right).filter(|(left, right)| **left && **right).count() as f64;
        let (p, q) = (share(left), share(right));
        (both / left.len() as f64 - p * q) / (p * (1.0 - p) * q * (1.0 - q)).sqrt()
    }

    #[test]
    fn quantiles_are_those_of_the_normal_distribution() {
        for (probability, quantile) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.05, -1.644_853_626_951_472_7),
            (0.3, -0.524_400_512_708_041),
        ] {
            assert!((normal_quantile(probability) - quantile).abs() < 1e-12);
        }
    }

    #[test]
    fn groups_are_correlated_by_the_arcsine_law() {
        let recipe = logistic_recipe("corr");
        let rows = 40_000;
        // 13 columns in groups of about 5: three groups, of 4, 4 and 5.
        let columns = recipe.draw_correlated(rows, &[0.5; 13], &mut Random::new(12));
        let group = |column: usize| usize::from(column >= 4) + usize::from(column >= 8);
        let expected = 2.0 / std::f64::consts::PI * 0.5f64.asin();
        assert!((expected - 1.0 / 3.0).abs() < 1e-12);
        for left in 0..13 {
            assert!((share(&columns[left]) - 0.5).abs() < 6.0 * 0.5 / (rows as f64).sqrt());
            for right in 0..left {
                let wanted = if group(left) == group(right) { expected } else { 0.0 };
                let seen = correlation(&columns[left], &columns[right]);
                assert!((seen - wanted).abs() < 6.0 / (rows as f64).sqrt(), "{left} {right}: {seen}");
            }
        }
    }

    #[test]
    fn correlated_columns_keep_their_shares() {
        let recipe = logistic_recipe("corr");
        let shares = [0.05, 0.2, 0.5, 0.8, 0.95];
        let columns = recipe.draw_correlated(40_000, &shares, &mut Random::new(13));
        for (column, expected) in columns.iter().zip(shares) {
            let error = (expected * (1.0 - expected) / 40_000f64).sqrt();
            assert!((share(column) - expected).abs() < 6.0 * error, "{expected}: {}", share(column));
        }
    }

    #[test]
    fn the_outcome_follows_the_model() {
        // Two parents with coefficient 1 and share .3: the risks of 0, 1, 2 ones are logistic, one apart.
        let mut recipe = logistic_recipe("syn-100");
        (recipe.planted.singles, recipe.planted.combined) = (2, 0);
        let rows = 200_000;
        let sample = recipe.sample(rows, 3, &mut Random::new(14));
        assert!((share(&sample.outcome) - 0.3).abs() < 6.0 * 0.46 / (rows as f64).sqrt());
        let ones = |row: usize| sample.parents.iter().filter(|&&parent| sample.columns[parent][row]).count();
        let logit = |wanted: usize| {
            let chosen: Vec<bool> =
                (0..rows).filter(|&row| ones(row) == wanted).map(|row| sample.outcome[row]).collect();
            (share(&chosen) / (1.0 - share(&chosen))).ln()
        };
        // The standard error of each logit is about .011.
        assert!((logit(1) - logit(0) - 1.0).abs() < 0.08, "{}", logit(1) - logit(0));
        assert!((logit(2) - logit(1) - 1.0).abs() < 0.08, "{}", logit(2) - logit(1));
    }

    #[test]
    fn signed_coefficients_have_both_signs() {
        let mut recipe = logistic_recipe("mixed");
        (recipe.planted.singles, recipe.planted.combined) = (8, 0);
        let sample = recipe.sample(20_000, 8, &mut Random::new(15));
        let signs: Vec<bool> =
            (0..8).map(|column| correlation(&sample.columns[column], &sample.outcome) > 0.0).collect();
        assert!(signs.contains(&true) && signs.contains(&false), "{signs:?}");
    }
}
