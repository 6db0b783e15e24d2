//! Pure epistasis: two loci of a genome that affect a disease only in combination.

use std::ops::Bound;

use super::unnamed::{SignedVariable, UnnamedData};
use super::{AllowedRange, SimulateError, Uniform, Variable};
use crate::random::Random;

/// Pure epistasis of two loci: neither has a marginal effect.
///
/// The genotypes of every locus are in Hardy-Weinberg proportions: with minor allele frequency p, the genotypes AA,
/// Aa and aa have the probabilities (1−p)², 2p(1−p) and p². Let h = 2p(1−p), the share of heterozygotes, and u = 1 − h
/// for Aa and −h for AA and aa; u has mean 0 and variance h(1−h). Let v be the same for the second locus. The
/// penetrance is
///
/// ```text
/// P(T=1 | genotypes) = prevalence + θ·u·v
/// ```
///
/// Given the genotype of one locus, its mean is the prevalence, because the other factor has mean 0: there are no
/// marginal effects. Its variance is θ²·h₁(1−h₁)·h₂(1−h₂). The heritability is this variance divided by
/// prevalence·(1 − prevalence), which determines |θ|. The sign of θ is the one that allows the larger heritability. At
/// frequencies of 0.5 both signs allow the same, and θ is negative: the risk is high where exactly one locus is
/// heterozygous (XOR).
///
/// The values are AA, Aa and aa rather than 0, 1 and 2, which readers would take for numbers. The cause is the pair
/// of loci.
#[derive(Clone, Debug, PartialEq)]
pub struct Epistasis {
    /// The minor allele frequencies of the two loci.
    pub frequencies: [f64; 2],
    /// The minor allele frequency of each of the other loci, which have no effect.
    pub other_frequencies: Uniform,
    /// The heritability in the broad sense: the share of the variance of T that the two loci explain.
    pub heritability: f64,
    /// The share of T=1 in the population.
    pub prevalence: f64,
    /// Whether half of the rows (rounded down) are cases and each class is drawn separately. Otherwise rows are drawn
    /// from the population.
    pub balanced: bool,
}

impl Default for Epistasis {
    fn default() -> Self {
        Self {
            frequencies: [0.3; 2],
            other_frequencies: Uniform { low: 0.05, high: 0.5 },
            heritability: 0.1,
            prevalence: 0.3,
            balanced: true,
        }
    }
}

impl Epistasis {
    pub(super) fn check(&self, predictors: usize) -> Result<(), SimulateError> {
        AllowedRange::at_least(2.0).check_count("predictors", predictors)?;
        let minor = AllowedRange { low: Bound::Excluded(0.0), high: Bound::Included(0.5) };
        for (parameter, frequency) in ["frequency-1", "frequency-2"].into_iter().zip(self.frequencies) {
            minor.check(parameter, frequency)?;
        }
        self.other_frequencies.check("other-frequencies", 0.0, 1.0)?;
        AllowedRange::OPEN_UNIT.check("prevalence", self.prevalence)?;
        AllowedRange::CLOSED_UNIT.check("heritability", self.heritability)?;
        self.penetrance().map(|_| ())
    }

    /// P(T=1) for each pair of genotypes AA, Aa and aa; rows belong to the first locus. It fails if no table of
    /// probabilities has the requested heritability.
    ///
    /// ```
    /// let table = concause::simulate::Epistasis::default().penetrance()?;
    /// let weights = [0.7 * 0.7, 2.0 * 0.3 * 0.7, 0.3 * 0.3];
    /// for row in table {
    ///     let marginal: f64 = row.iter().zip(weights).map(|(risk, weight)| risk * weight).sum();
    ///     assert!((marginal - 0.3).abs() < 1e-12);
    /// }
    /// # Ok::<(), concause::simulate::SimulateError>(())
    /// ```
    pub fn penetrance(&self) -> Result<[[f64; 3]; 3], SimulateError> {
        let [first, second] = self.frequencies.map(|p| 2.0 * p * (1.0 - p));
        let products = [
            (1.0 - first) * (1.0 - second),
            -first * (1.0 - second),
            -(1.0 - first) * second,
            first * second,
        ];
        // The largest |θ| of a sign for which all risks lie between 0 and 1.
        let largest_theta = |sign: f64| {
            let limit = |product: &f64| {
                let step = sign * product;
                if step > 0.0 { (1.0 - self.prevalence) / step } else { self.prevalence / -step }
            };
            products.iter().map(limit).fold(f64::INFINITY, f64::min)
        };
        // At frequencies of 0.5 the two differ only by rounding.
        let sign = if largest_theta(1.0) > largest_theta(-1.0) * (1.0 + 1e-9) { 1.0 } else { -1.0 };
        let explained = first * (1.0 - first) * second * (1.0 - second);
        let variance = self.prevalence * (1.0 - self.prevalence);
        let theta = libm::sqrt(self.heritability * variance / explained);
        if theta > largest_theta(sign) * (1.0 + 1e-9) {
            return Err(SimulateError::UnreachableHeritability {
                prevalence: self.prevalence,
                heritability: self.heritability,
                limit: largest_theta(sign) * largest_theta(sign) * explained / variance,
            });
        }
        let factor = |genotype: usize, heterozygous: f64| f64::from(u8::from(genotype == 1)) - heterozygous;
        Ok(std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let risk = self.prevalence + sign * theta * factor(row, first) * factor(column, second);
                risk.clamp(0.0, 1.0)
            })
        }))
    }

    pub(super) fn generate(
        &self,
        rows: usize,
        predictors: usize,
        random: &mut Random,
    ) -> Result<UnnamedData, SimulateError> {
        let penetrance = self.penetrance()?;
        let [first, second] = self.frequencies.map(hardy_weinberg);
        let pairs: [(f64, f64); 9] =
            std::array::from_fn(|pair| (first[pair / 3] * second[pair % 3], penetrance[pair / 3][pair % 3]));
        let (mut loci, mut outcome) = ([Vec::with_capacity(rows), Vec::with_capacity(rows)], Vec::new());
        if self.balanced {
            outcome = (0..rows).map(|row| row < rows / 2).collect();
            random.shuffle(&mut outcome);
            let cases = pairs.map(|(share, risk)| share * risk);
            let controls = pairs.map(|(share, risk)| share * (1.0 - risk));
            for &case in &outcome {
                let pair = random.weighted(if case { &cases } else { &controls });
                loci[0].push((pair / 3) as u16);
                loci[1].push((pair % 3) as u16);
            }
        } else {
            let shares = pairs.map(|(share, _)| share);
            for _ in 0..rows {
                let pair = random.weighted(&shares);
                outcome.push(random.chance(pairs[pair].1));
                loci[0].push((pair / 3) as u16);
                loci[1].push((pair % 3) as u16);
            }
        }
        let mut columns: Vec<Variable> = loci.into_iter().map(locus).collect();
        for _ in 2..predictors {
            let shares = hardy_weinberg(self.other_frequencies.draw(random));
            columns.push(locus((0..rows).map(|_| random.weighted(&shares) as u16).collect()));
        }
        let causes = vec![vec![SignedVariable::positive(0), SignedVariable::positive(1)]];
        Ok(UnnamedData { columns, causes, outcome })
    }
}

/// The shares of AA, Aa and aa at a frequency of the allele a.
fn hardy_weinberg(frequency: f64) -> [f64; 3] {
    let other = 1.0 - frequency;
    [other * other, 2.0 * frequency * other, frequency * frequency]
}

fn locus(codes: Vec<u16>) -> Variable {
    Variable::nominal(String::new(), ["AA", "Aa", "aa"].map(str::to_owned).to_vec(), codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(frequencies: [f64; 2], heritability: f64, prevalence: f64) -> Epistasis {
        Epistasis { frequencies, heritability, prevalence, ..Epistasis::default() }
    }

    #[test]
    fn tables_have_the_heritability_and_no_marginal_effects() {
        for (frequencies, heritability, prevalence) in
            [([0.5, 0.5], 0.2, 0.5), ([0.3, 0.3], 0.1, 0.3), ([0.1, 0.4], 0.01, 0.05), ([0.2, 0.5], 0.0, 0.9)]
        {
            let table = model(frequencies, heritability, prevalence).penetrance().unwrap();
            let [first, second] = frequencies.map(hardy_weinberg);
            for (genotype, risks) in table.iter().enumerate() {
                let row: f64 = risks.iter().zip(second).map(|(risk, share)| risk * share).sum();
                let column: f64 = table.iter().zip(first).map(|(risks, share)| risks[genotype] * share).sum();
                assert!((row - prevalence).abs() < 1e-12 && (column - prevalence).abs() < 1e-12);
            }
            let mut variance = 0.0;
            for (row, risks) in table.iter().enumerate() {
                for (column, risk) in risks.iter().enumerate() {
                    assert!((0.0..=1.0).contains(risk));
                    variance += first[row] * second[column] * (risk - prevalence) * (risk - prevalence);
                }
            }
            let seen = variance / (prevalence * (1.0 - prevalence));
            assert!((seen - heritability).abs() < 1e-12, "{frequencies:?}: {seen}");
        }
    }

    #[test]
    fn at_equal_alleles_it_is_xor() {
        // θ/4 = √(h²·K(1−K)) = √(.16·.25) = .2 away from one half.
        let table = model([0.5, 0.5], 0.16, 0.5).penetrance().unwrap();
        let expected = [[0.3, 0.7, 0.3], [0.7, 0.3, 0.7], [0.3, 0.7, 0.3]];
        for (risk, wanted) in table.iter().flatten().zip(expected.iter().flatten()) {
            assert!((risk - wanted).abs() < 1e-12, "{table:?}");
        }
    }

    #[test]
    fn the_largest_heritability_is_reported_and_possible() {
        let error = model([0.5, 0.5], 0.5, 0.2).penetrance().unwrap_err();
        // θ/4 is at most .2: .04/.16.
        assert_eq!(
            error.to_string(),
            "no two loci with these frequencies and prevalence 0.2 have heritability 0.5: the maximum is 0.2500"
        );
        let table = model([0.5, 0.5], 0.25, 0.2).penetrance().unwrap();
        assert!(table[0][0].abs() < 1e-9 && (table[0][1] - 0.4).abs() < 1e-9, "{table:?}");
    }

    /// Counts of each pair of genotypes of the two loci, controls and cases.
    fn counts(data: &UnnamedData) -> [[f64; 2]; 9] {
        let mut counts = [[0.0; 2]; 9];
        for (row, &case) in data.outcome.iter().enumerate() {
            let pair = 3 * data.columns[0].codes[row] + data.columns[1].codes[row];
            counts[usize::from(pair)][usize::from(case)] += 1.0;
        }
        counts
    }

    #[test]
    fn samples_follow_the_table() {
        let rows = 200_000;
        for balanced in [false, true] {
            let model = Epistasis { balanced, ..model([0.3, 0.4], 0.15, 0.25) };
            let table = model.penetrance().unwrap();
            let [first, second] = model.frequencies.map(hardy_weinberg);
            let data = model.generate(rows, 2, &mut Random::new(18)).unwrap();
            for (pair, seen) in counts(&data).iter().enumerate() {
                let (share, risk) = (first[pair / 3] * second[pair % 3], table[pair / 3][pair % 3]);
                let [control, case] = if balanced {
                    [share * (1.0 - risk) / 0.75 / 2.0, share * risk / 0.25 / 2.0]
                } else {
                    [share * (1.0 - risk), share * risk]
                };
                for (count, p) in seen.iter().zip([control, case]) {
                    let expected = p * f64::from(rows as u32);
                    assert!(
                        (count - expected).abs() < 6.0 * expected.sqrt() + 1.0,
                        "{pair}: {count} {expected}"
                    );
                }
            }
            let cases = data.outcome.iter().filter(|&&case| case).count();
            assert!(if balanced { cases == rows / 2 } else { cases.abs_diff(rows / 4) < 6 * 194 }, "{cases}");
        }
    }

    #[test]
    fn other_loci_have_their_proportions_and_no_effect() {
        let model = Epistasis { other_frequencies: Uniform::always(0.2), ..Epistasis::default() };
        let data = model.generate(100_000, 5, &mut Random::new(19)).unwrap();
        for variable in &data.columns[2..] {
            for (genotype, share) in [0.64, 0.32, 0.04].into_iter().enumerate() {
                for class in [false, true] {
                    let rows = data.outcome.iter().zip(&variable.codes).filter(|(case, _)| **case == class);
                    let seen = rows.filter(|(_, code)| usize::from(**code) == genotype).count() as f64;
                    let bound = 6.0 * (50_000f64 * share * (1.0 - share)).sqrt();
                    assert!((seen - 50_000.0 * share).abs() < bound, "{genotype}: {seen}");
                }
            }
        }
    }

    #[test]
    fn impossible_models_are_rejected() {
        let rejected = |change: fn(&mut Epistasis)| {
            let mut model = Epistasis::default();
            change(&mut model);
            model.check(100).unwrap_err().to_string()
        };
        assert_eq!(
            rejected(|model| model.frequencies[1] = 0.6),
            "frequency-2 must be greater than 0 and at most 0.5, but is 0.6"
        );
        assert_eq!(
            rejected(|model| model.prevalence = 1.0),
            "prevalence must be greater than 0 and less than 1, but is 1"
        );
        assert_eq!(
            rejected(|model| model.heritability = -0.1),
            "heritability must be at least 0 and at most 1, but is -0.1"
        );
        assert!(rejected(|model| model.heritability = 0.9).contains("the maximum is"));
        let error = Epistasis::default().check(1).unwrap_err();
        assert_eq!(error.to_string(), "predictors must be at least 2, but is 1");
    }
}
