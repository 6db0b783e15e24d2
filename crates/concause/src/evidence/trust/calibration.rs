//! Calibration: the number of causes that the same settings find if there are none.
//!
//! The outcome is shuffled over the rows, and the same search is run. Shuffling makes all columns independent of the
//! outcome but preserves the dependencies among the columns, so every cause found is false. With covariates, the
//! outcome is shuffled within their strata, which preserves their association with the outcome.

use super::draw::{difference, draw_rows, intersection, union};
use super::repeat::repeat_search;
use std::sync::Arc;

use crate::count::{LocalCounter, Strata};
use crate::dataset::{Block, Dataset};
use crate::error::Error;
use crate::progress::Progress;
use crate::random::{Purpose, Random};
use crate::search::{Findings, Settings, mine_counted};

/// The causes found with shuffled outcomes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    /// The number of shuffles requested.
    pub requested: usize,
    /// For each finished search, the numbers of single and combined causes.
    pub found: Vec<[u64; 2]>,
}

/// A summary of the number of causes found per shuffle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Yield {
    /// The mean number.
    pub mean: f64,
    /// The largest number.
    #[cfg_attr(feature = "serde", serde(rename = "max", alias = "most"))]
    pub most: u64,
}

impl Calibration {
    /// The single causes; `None` without shuffles.
    pub fn single(&self) -> Option<Yield> {
        self.summarise(|[single, _]| *single)
    }

    /// The combined causes; `None` without shuffles.
    pub fn combined(&self) -> Option<Yield> {
        self.summarise(|[_, combined]| *combined)
    }

    /// Single and combined causes; `None` without shuffles.
    pub fn total(&self) -> Option<Yield> {
        self.summarise(|counts| counts.iter().sum())
    }

    /// The share of shuffles with at least one cause; `None` without shuffles.
    pub fn any(&self) -> Option<f64> {
        let some = self.found.iter().filter(|counts| **counts != [0, 0]).count();
        (!self.found.is_empty()).then(|| some as f64 / self.found.len() as f64)
    }

    fn summarise(&self, count: impl Fn(&[u64; 2]) -> u64) -> Option<Yield> {
        let most = self.found.iter().map(&count).max()?;
        let sum: u64 = self.found.iter().map(&count).sum();
        Some(Yield { mean: sum as f64 / self.found.len() as f64, most })
    }
}

/// Searches the rows of the counter with `shuffles` shuffled outcomes and the same settings, including the seed.
/// Required causes are not counted.
pub fn calibrate(
    counter: &LocalCounter,
    settings: &Settings,
    shuffles: usize,
    progress: &dyn Progress,
) -> Result<Calibration, Error> {
    let strata = covariate_strata(counter, &settings.knowledge.covariates)?;
    let streams = Purpose::Shuffles.streams(settings.seed, shuffles);
    let found = repeat_search(
        "shuffled outcomes",
        shuffles,
        progress,
        |place, progress| {
            let shuffled = shuffle_outcome(counter, &strata, &mut streams[place].clone());
            let counter = LocalCounter::with_kernel(&shuffled, counter.kernel());
            mine_counted(Arc::new(counter), &shuffled, settings, progress)
        },
        |findings: Findings| {
            let found = findings.causes.iter().map(|cause| &cause.candidate);
            let found = found.filter(|candidate| !settings.knowledge.requires(candidate));
            let (single, combined): (Vec<_>, Vec<_>) = found.partition(|candidate| candidate.level() == 1);
            [single.len() as u64, combined.len() as u64]
        },
    )?;
    Ok(Calibration { requested: shuffles, found })
}

/// The counted rows of each stratum of the covariates; fails if there are too many strata.
fn covariate_strata(counter: &LocalCounter, covariates: &[u32]) -> Result<Vec<Vec<Block>>, Error> {
    Strata::new(counter, covariates)?;
    let mut strata = vec![counter.counted()];
    for &column in covariates {
        let bits = counter.dataset().bits(column as usize);
        strata = strata.iter().flat_map(|rows| [intersection(rows, bits), difference(rows, bits)]).collect();
        strata.retain(|rows| rows.iter().any(|block| *block != Block::ZERO));
    }
    Ok(strata)
}

/// The counted rows with a shuffled outcome: each stratum keeps its number of cases.
fn shuffle_outcome(counter: &LocalCounter, strata: &[Vec<Block>], random: &mut Random) -> Dataset {
    let split = counter.dataset().layout().positive_blocks();
    let mut cases = vec![Block::ZERO; counter.dataset().layout().blocks()];
    for rows in strata {
        let mut drawn = rows.clone();
        draw_rows(&mut drawn, counter.kernel().count(&rows[..split]), random);
        cases = union(&cases, &drawn);
    }
    counter.with_outcome(&cases, &difference(&counter.counted(), &cases))
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{extract_rows, random_data, rebuild};
    use super::super::stability::stability;
    use super::*;
    use crate::dataset::Candidate;
    use crate::progress::NoProgress;
    use crate::search::mine;
    use crate::search::{Knowledge, Method};
    use crate::stats::FalseDiscovery;

    /// Columns and the number of cases are unchanged; only the association with the outcome is lost.
    #[test]
    fn shuffling_changes_only_the_outcome() {
        let data = random_data(1, 1300);
        let full = LocalCounter::new(&data);
        let mut some = full.counted();
        draw_rows(&mut some, 700, &mut Random::new(1));
        for counter in [full.clone(), full.within(&some)] {
            let shuffled = shuffle_outcome(&counter, &[counter.counted()], &mut Random::new(8));
            let before = extract_rows(&data, &counter.counted());
            let after = extract_rows(&shuffled, &shuffled.layout().full());
            let held = |rows: &[(bool, Vec<bool>)]| {
                let mut held: Vec<Vec<bool>> = rows.iter().map(|(_, held)| held.clone()).collect();
                held.sort();
                held
            };
            let cases = |rows: &[(bool, Vec<bool>)]| rows.iter().filter(|(outcome, _)| *outcome).count();
            assert_eq!(held(&before), held(&after));
            assert_eq!(cases(&before), cases(&after));
            assert_eq!(shuffled.columns(), data.columns());
            assert_eq!(shuffled.attributes(), data.attributes());
            // The first column is no longer associated with the outcome.
            let both =
                |rows: &[(bool, Vec<bool>)]| rows.iter().filter(|(case, held)| *case && held[0]).count();
            let expected = cases(&before) * before.iter().filter(|(_, held)| held[0]).count() / before.len();
            assert!(both(&after).abs_diff(expected) < 40 && both(&before) > expected + 60);
        }
    }

    /// The association of the outcome with the covariates is preserved exactly; that with other columns is lost.
    #[test]
    fn outcomes_are_shuffled_within_the_strata_of_covariates() {
        let data = random_data(1, 1300);
        let counter = LocalCounter::new(&data);
        let strata = covariate_strata(&counter, &[0, 8, 9]).unwrap();
        assert_eq!(strata.len(), 4, "V9=b is the complement of V9=a");
        let shuffled = shuffle_outcome(&counter, &strata, &mut Random::new(8));
        let cases = |data: &Dataset, held: [bool; 2]| {
            let rows = extract_rows(data, &data.layout().full());
            let own = rows.into_iter().filter(|(_, row)| [row[0], row[8]] == held);
            let own: Vec<(bool, Vec<bool>)> = own.collect();
            let cases = own.iter().filter(|(outcome, _)| *outcome).count();
            let both = own.iter().filter(|(outcome, row)| *outcome && row[3] && row[4]).count();
            (own.len(), cases, both)
        };
        let mut lost = 0;
        for held in [[false, false], [false, true], [true, false], [true, true]] {
            let (before, after) = (cases(&data, held), cases(&shuffled, held));
            assert_eq!((before.0, before.1), (after.0, after.1));
            lost += before.2 - after.2.min(before.2);
        }
        assert!(lost > 30, "{lost}");
        let many: Vec<u32> = (0..8).collect();
        assert!(matches!(covariate_strata(&counter, &many), Err(Error::TooManyStrata { .. })));
    }

    /// Every number equals that of a search in a dataset rebuilt from the shuffled rows.
    #[test]
    fn yields_equal_those_of_rebuilt_data() {
        let data = random_data(2, 400);
        let counter = LocalCounter::new(&data);
        for &method in Method::ALL {
            let settings =
                Settings { method, alpha: 0.2, redundancy_alpha: 0.2, seed: 3, ..Settings::default() };
            let found = calibrate(&counter, &settings, 6, &NoProgress).unwrap();
            assert_eq!((found.requested, found.found.len()), (6, 6));
            for (mut stream, counts) in Purpose::Shuffles.streams(3, 6).into_iter().zip(&found.found) {
                let shuffled = shuffle_outcome(&counter, &[counter.counted()], &mut stream);
                let copy = rebuild(&data, &extract_rows(&shuffled, &shuffled.layout().full()));
                let findings = mine(&copy, &settings, &NoProgress).unwrap();
                let levels: Vec<usize> =
                    findings.causes.iter().map(|cause| cause.candidate.level()).collect();
                let single = levels.iter().filter(|level| **level == 1).count();
                assert_eq!(*counts, [single as u64, (levels.len() - single) as u64], "{method}");
            }
            // A method without a significance level finds nothing in so few shuffles.
            assert!(found.total().unwrap().most > 0 || !method.descriptor().honours("alpha"), "{method}");
        }
    }

    /// Without conditioning sets each of nine independent columns is found with probability alpha (V9=b is the
    /// complement of V9=a). With the false discovery rate controlled at alpha, at least one is found with about that
    /// probability.
    #[test]
    fn yields_without_conditioning_match_their_expectation() {
        let data = random_data(6, 2000);
        let counter = LocalCounter::new(&data);
        let run = |fdr| {
            let settings = Settings { method: Method::HITON_PC, max_k: 0, fdr, ..Settings::default() };
            calibrate(&counter, &settings, 600, &NoProgress).unwrap()
        };
        let uncontrolled = run(None);
        let single = uncontrolled.single().unwrap();
        // The expectation is 0.45, with a standard deviation of 0.027.
        assert!((0.35..0.55).contains(&single.mean), "{single:?}");
        assert_eq!(uncontrolled.combined(), Some(Yield { mean: 0.0, most: 0 }));
        assert!(uncontrolled.any().unwrap() > 0.25);
        let controlled = run(Some(FalseDiscovery::BenjaminiHochberg));
        // The expectation is 0.045 (nine of ten hypotheses are tested), with a standard deviation of 0.0085.
        assert!((0.015..0.08).contains(&controlled.any().unwrap()), "{:?}", controlled.any());
        let conservative = run(Some(FalseDiscovery::BenjaminiYekutieli));
        assert!(conservative.any() < controlled.any());
    }

    #[test]
    fn results_depend_on_the_seed_but_not_on_the_number_of_threads() {
        let data = random_data(4, 300);
        let run = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let settings = Settings { seed, alpha: 0.2, ..Settings::default() };
            pool.install(|| calibrate(&LocalCounter::new(&data), &settings, 21, &NoProgress).unwrap())
        };
        let one = run(1, 1);
        assert_eq!(run(2, 1), one);
        assert_eq!(run(7, 1), one);
        assert_ne!(run(1, 2), one);
    }

    #[test]
    fn required_causes_are_not_counted() {
        let data = random_data(4, 300);
        let counter = LocalCounter::new(&data);
        let required = vec![Candidate::single(6), Candidate::new(vec![1, 2])];
        let knowledge = Knowledge { required: required.clone(), ..Knowledge::default() };
        let settings = Settings { knowledge, alpha: 1e-9, seed: 2, ..Settings::default() };
        let found = calibrate(&counter, &settings, 5, &NoProgress).unwrap();
        assert_eq!(found.found, [[0, 0]; 5]);
        let stability = stability(&counter, &settings, 5, &NoProgress).unwrap();
        assert!(required.iter().all(|candidate| !stability.selected.contains_key(candidate)));
    }

    #[test]
    fn summaries_are_none_without_shuffles() {
        let none = Calibration { requested: 5, found: Vec::new() };
        assert_eq!((none.total(), none.single(), none.combined(), none.any()), (None, None, None, None));
    }
}
