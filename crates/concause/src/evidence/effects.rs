//! The measures of effect, in one table that estimates, results and outputs iterate.

use super::crude;
use super::estimate::Measure;
use super::pooled::PooledSums;
use crate::count::Stratum;

/// A measure of effect: what it is called, and how it is estimated.
#[derive(Clone, Copy, Debug)]
pub struct EffectMeasure {
    /// The name in results.
    pub key: &'static str,
    /// The name in running text.
    pub title: &'static str,
    /// The name in narrow tables.
    pub abbreviation: &'static str,
    /// Whether tables of causes show it; all measures are among the details of a cause.
    pub is_leading: bool,
    /// What no effect is on its scale.
    pub scale: EffectScale,
    /// The estimate from one table.
    crude: fn(&Stratum) -> Measure,
    /// The estimate pooled over strata.
    adjusted: fn(&PooledSums) -> Measure,
}

/// The scale of a measure of effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectScale {
    /// No effect is 0.
    Difference,
    /// No effect is 1.
    Ratio,
}

/// All measures of effect. A new measure is a new entry.
pub static EFFECT_MEASURES: [EffectMeasure; 3] = [
    EffectMeasure {
        key: "risk_difference",
        title: "risk difference",
        abbreviation: "RD",
        is_leading: false,
        scale: EffectScale::Difference,
        crude: crude::risk_difference,
        adjusted: PooledSums::risk_difference,
    },
    EffectMeasure {
        key: "risk_ratio",
        title: "risk ratio",
        abbreviation: "RR",
        is_leading: true,
        scale: EffectScale::Ratio,
        crude: crude::risk_ratio,
        adjusted: PooledSums::risk_ratio,
    },
    EffectMeasure {
        key: "odds_ratio",
        title: "odds ratio",
        abbreviation: "OR",
        is_leading: false,
        scale: EffectScale::Ratio,
        crude: crude::odds_ratio,
        adjusted: PooledSums::odds_ratio,
    },
];

const RISK_DIFFERENCE: usize = 0;
const RISK_RATIO: usize = 1;
const ODDS_RATIO: usize = 2;

/// The effect of a cause: one estimate per measure, in the order of [`EFFECT_MEASURES`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effects(pub(super) [Measure; EFFECT_MEASURES.len()]);

impl Effects {
    /// The crude effects in one table.
    pub fn from_table(table: &Stratum) -> Self {
        Self(EFFECT_MEASURES.each_ref().map(|measure| (measure.crude)(table)))
    }

    /// The effects pooled over strata.
    pub(super) fn from_strata(sums: &PooledSums) -> Self {
        Self(EFFECT_MEASURES.each_ref().map(|measure| (measure.adjusted)(sums)))
    }

    /// Every measure with its estimate.
    pub fn iter(&self) -> impl Iterator<Item = (&'static EffectMeasure, Measure)> {
        EFFECT_MEASURES.iter().zip(self.0)
    }

    /// The risk with the cause minus the risk without it.
    pub fn risk_difference(&self) -> Measure {
        self.0[RISK_DIFFERENCE]
    }

    /// The risk with the cause divided by the risk without it.
    pub fn risk_ratio(&self) -> Measure {
        self.0[RISK_RATIO]
    }

    /// The odds with the cause divided by the odds without it.
    pub fn odds_ratio(&self) -> Measure {
        self.0[ODDS_RATIO]
    }
}

#[cfg(test)]
mod tests {
    use super::super::estimate::{Estimate, Unknown};
    use super::*;

    #[test]
    fn every_measure_has_its_name() {
        let keys = EFFECT_MEASURES.each_ref().map(|measure| measure.key);
        assert_eq!(
            (keys[RISK_DIFFERENCE], keys[RISK_RATIO], keys[ODDS_RATIO]),
            ("risk_difference", "risk_ratio", "odds_ratio")
        );
    }

    /// The eight contrasts of Newcombe (1998), Statistics in Medicine 17, table II, method 10.
    #[test]
    fn risk_differences_match_newcombe_1998() {
        for (cells, low, high) in [
            ([56, 14, 48, 32], 0.0524, 0.3339),
            ([9, 1, 3, 7], 0.1705, 0.8090),
            ([6, 1, 2, 5], 0.0582, 0.8062),
            ([5, 51, 0, 29], -0.0381, 0.1926),
            ([0, 10, 0, 20], -0.1611, 0.2775),
            ([0, 10, 0, 10], -0.2775, 0.2775),
            ([10, 0, 0, 20], 0.6791, 1.0),
            ([10, 0, 0, 10], 0.6075, 1.0),
        ] {
            let found = Effects::from_table(&cells.into()).risk_difference().unwrap();
            assert!(
                (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5,
                "{cells:?}: {found:?}"
            );
        }
    }

    #[test]
    fn measures_that_cannot_be_estimated_have_a_reason() {
        let effects = |cells: [u64; 4]| Effects::from_table(&cells.into());
        let all_unknown = |reason: Unknown| Effects([Err(reason); 3]);
        assert_eq!(effects([0, 0, 3, 4]), all_unknown(Unknown::NeverHolds));
        assert_eq!(effects([3, 4, 0, 0]), all_unknown(Unknown::AlwaysHolds));
        for cells in [[0, 5, 0, 5], [5, 0, 5, 0]] {
            assert_eq!(effects(cells).risk_ratio(), Err(Unknown::OneOutcome));
            assert_eq!(effects(cells).odds_ratio(), Err(Unknown::OneOutcome));
            assert_eq!(effects(cells).risk_difference().unwrap().value, 0.0);
        }
        // A risk of 1 needs no correction, but infinite odds do.
        let certain = effects([5, 0, 3, 5]);
        assert!(!certain.risk_ratio().unwrap().corrected && certain.odds_ratio().unwrap().corrected);
    }

    #[test]
    fn estimates_are_finite_for_counts_of_any_size() {
        let large = 1u64 << 60;
        for cells in [[large, 1, 1, large], [large, 0, 0, large], [1, 0, 0, 1], [large, large, large, large]]
        {
            for estimate in Effects::from_table(&cells.into()).0.map(Result::unwrap) {
                let Estimate { value, low, high, .. } = estimate;
                assert!(low.is_finite() && high.is_finite() && low <= value && value <= high, "{estimate:?}");
            }
        }
    }
}
