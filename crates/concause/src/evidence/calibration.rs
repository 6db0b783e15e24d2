//! How many causes the same settings find where there are none.
//!
//! The outcome is shuffled over the rows, so that no column has anything to do with it while the columns keep all that
//! they have to do with one another; and the same search is run. What it finds is false, all of it. Covariates, which
//! every test holds fixed, keep what they have to do with the outcome: it is shuffled within their strata.

use super::draw::{both, draw, either, without};
use super::repeat::repeat;
use crate::count::{LocalCounter, Strata};
use crate::dataset::{Block, Dataset};
use crate::error::Error;
use crate::search::{Findings, Settings, Watch, mine};
use crate::simulate::{Purpose, Random};

/// What was found with shuffled outcomes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    /// The shuffles asked for.
    pub asked: usize,
    /// For each that was searched to the end, the number of single and of combined causes.
    pub found: Vec<[u64; 2]>,
}

/// How many causes of a kind the shuffles gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yield {
    /// On average.
    pub mean: f64,
    /// At most.
    pub most: u64,
}

impl Calibration {
    /// The single causes; none if there are no shuffles.
    pub fn single(&self) -> Option<Yield> {
        self.of(|[single, _]| *single)
    }

    /// The combined causes; none if there are no shuffles.
    pub fn combined(&self) -> Option<Yield> {
        self.of(|[_, combined]| *combined)
    }

    /// All causes; none if there are no shuffles.
    pub fn all(&self) -> Option<Yield> {
        self.of(|counts| counts.iter().sum())
    }

    /// The share of shuffles that gave any cause; none if there are no shuffles.
    pub fn any(&self) -> Option<f64> {
        let some = self.found.iter().filter(|counts| **counts != [0, 0]).count();
        (!self.found.is_empty()).then(|| some as f64 / self.found.len() as f64)
    }

    fn of(&self, count: impl Fn(&[u64; 2]) -> u64) -> Option<Yield> {
        let most = self.found.iter().map(&count).max()?;
        let sum: u64 = self.found.iter().map(&count).sum();
        Some(Yield { mean: sum as f64 / self.found.len() as f64, most })
    }
}

/// Searches the rows of the counter with so many shuffled outcomes and the same settings, the seed among them. Causes that
/// are required are no finding, and do not count.
pub fn calibrate(
    counter: &LocalCounter<'_>,
    settings: &Settings,
    shuffles: usize,
    watch: &dyn Watch,
) -> Result<Calibration, Error> {
    let strata = strata(counter, &settings.knowledge.covariates)?;
    let streams = Purpose::Shuffles.streams(settings.seed, shuffles);
    let found = repeat(
        "shuffled outcomes",
        shuffles,
        watch,
        |place, watch| {
            let shuffled = shuffled(counter, &strata, &mut streams[place].clone());
            let counter = LocalCounter::with_kernel(&shuffled, counter.kernel());
            mine(&counter, shuffled.columns(), settings, watch)
        },
        |findings: Findings| {
            let found = findings.causes.iter().map(|cause| &cause.candidate);
            let found = found.filter(|candidate| !settings.knowledge.requires(candidate));
            let (single, combined): (Vec<_>, Vec<_>) = found.partition(|candidate| candidate.level() == 1);
            [single.len() as u64, combined.len() as u64]
        },
    )?;
    Ok(Calibration { asked: shuffles, found })
}

/// The counted rows of each combination of covariates, unless there are too many of these to search.
fn strata(counter: &LocalCounter<'_>, covariates: &[u32]) -> Result<Vec<Vec<Block>>, Error> {
    Strata::new(counter, covariates)?;
    let mut strata = vec![counter.counted()];
    for &column in covariates {
        let bits = counter.dataset().bits(column as usize);
        strata = strata.iter().flat_map(|rows| [both(rows, bits), without(rows, bits)]).collect();
        strata.retain(|rows| rows.iter().any(|block| *block != Block::ZERO));
    }
    Ok(strata)
}

/// The counted rows with another outcome: as many cases in each stratum as before, but any rows of it.
fn shuffled(counter: &LocalCounter<'_>, strata: &[Vec<Block>], random: &mut Random) -> Dataset {
    let split = counter.dataset().layout().positive_blocks();
    let mut cases = vec![Block::ZERO; counter.dataset().layout().blocks()];
    for rows in strata {
        let mut drawn = rows.clone();
        draw(&mut drawn, counter.kernel().count(&rows[..split]), random);
        cases = either(&cases, &drawn);
    }
    counter.with_outcome(&cases, &without(&counter.counted(), &cases))
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{copied, made, rows};
    use super::super::stability::stability;
    use super::*;
    use crate::dataset::Candidate;
    use crate::independence::FalseDiscovery;
    use crate::search::{Knowledge, Method, Unwatched};

    /// The same rows but for the outcome, which as many of them have as before, and others.
    #[test]
    fn shuffled_data_has_the_same_rows_with_another_outcome() {
        let data = made(1, 1300);
        let whole = LocalCounter::new(&data);
        let mut some = whole.counted();
        draw(&mut some, 700, &mut Random::new(1));
        for counter in [whole.clone(), whole.within(&some)] {
            let shuffled = shuffled(&counter, &[counter.counted()], &mut Random::new(8));
            let before = rows(&data, &counter.counted());
            let after = rows(&shuffled, &shuffled.layout().full());
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
            // What the outcome followed it follows no longer.
            let both =
                |rows: &[(bool, Vec<bool>)]| rows.iter().filter(|(case, held)| *case && held[0]).count();
            let expected = cases(&before) * before.iter().filter(|(_, held)| held[0]).count() / before.len();
            assert!(both(&after).abs_diff(expected) < 40 && both(&before) > expected + 60);
        }
    }

    /// What the outcome has to do with the covariates it keeps, to the row; with others it has nothing to do any more.
    #[test]
    fn outcomes_are_shuffled_within_the_strata_of_covariates() {
        let data = made(1, 1300);
        let counter = LocalCounter::new(&data);
        let strata = strata(&counter, &[0, 8, 9]).unwrap();
        assert_eq!(strata.len(), 4, "V9=b is the complement of V9=a");
        let shuffled = shuffled(&counter, &strata, &mut Random::new(8));
        let cases = |data: &Dataset, held: [bool; 2]| {
            let rows = rows(data, &data.layout().full());
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
        assert!(matches!(super::strata(&counter, &many), Err(Error::TooManyStrata { .. })));
    }

    /// Every number is that of a search in a copy of the shuffled rows.
    #[test]
    fn the_yields_are_those_of_copied_rows() {
        let data = made(2, 400);
        let counter = LocalCounter::new(&data);
        for method in Method::ALL {
            // MH-PC-X asks more of a cause than alpha.
            let alpha = if method == Method::MhPcX { 0.5 } else { 0.2 };
            let settings = Settings { method, alpha, redundancy_alpha: 0.2, seed: 3, ..Settings::default() };
            let found = calibrate(&counter, &settings, 6, &Unwatched).unwrap();
            assert_eq!((found.asked, found.found.len()), (6, 6));
            for (mut stream, counts) in Purpose::Shuffles.streams(3, 6).into_iter().zip(&found.found) {
                let shuffled = shuffled(&counter, &[counter.counted()], &mut stream);
                let copy = copied(&data, &rows(&shuffled, &shuffled.layout().full()));
                let findings =
                    mine(&LocalCounter::new(&copy), copy.columns(), &settings, &Unwatched).unwrap();
                let levels: Vec<usize> =
                    findings.causes.iter().map(|cause| cause.candidate.level()).collect();
                let single = levels.iter().filter(|level| **level == 1).count();
                assert_eq!(*counts, [single as u64, (levels.len() - single) as u64], "{method}");
            }
            assert!(found.all().unwrap().most > 0, "{method}");
        }
    }

    /// Without conditioning sets each of nine independent columns is found with probability alpha (V9=b is the
    /// complement of V9=a); with the false discovery rate at alpha, any is found with about that probability.
    #[test]
    fn chance_finds_what_it_must() {
        let data = made(6, 2000);
        let counter = LocalCounter::new(&data);
        let run = |fdr| {
            let settings = Settings { method: Method::HitonPc, max_k: 0, fdr, ..Settings::default() };
            calibrate(&counter, &settings, 600, &Unwatched).unwrap()
        };
        let plain = run(None);
        let single = plain.single().unwrap();
        // 0.45 expected, with a standard deviation of 0.027.
        assert!((0.35..0.55).contains(&single.mean), "{single:?}");
        assert_eq!(plain.combined(), Some(Yield { mean: 0.0, most: 0 }));
        assert!(plain.any().unwrap() > 0.25);
        let controlled = run(Some(FalseDiscovery::BenjaminiHochberg));
        // 0.045 expected (nine of ten hypotheses are tested), with a standard deviation of 0.0085.
        assert!((0.015..0.08).contains(&controlled.any().unwrap()), "{:?}", controlled.any());
        let cautious = run(Some(FalseDiscovery::BenjaminiYekutieli));
        assert!(cautious.any() < controlled.any());
    }

    #[test]
    fn the_number_of_threads_changes_nothing_and_the_seed_does() {
        let data = made(4, 300);
        let run = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let settings = Settings { seed, alpha: 0.2, ..Settings::default() };
            pool.install(|| calibrate(&LocalCounter::new(&data), &settings, 21, &Unwatched).unwrap())
        };
        let one = run(1, 1);
        assert_eq!(run(2, 1), one);
        assert_eq!(run(7, 1), one);
        assert_ne!(run(1, 2), one);
    }

    #[test]
    fn what_is_required_is_no_finding() {
        let data = made(4, 300);
        let counter = LocalCounter::new(&data);
        let required = vec![Candidate::single(6), Candidate::new(vec![1, 2])];
        let knowledge = Knowledge { required: required.clone(), ..Knowledge::default() };
        let settings = Settings { knowledge, alpha: 1e-9, ..Settings::default() };
        let found = calibrate(&counter, &settings, 5, &Unwatched).unwrap();
        assert_eq!(found.found, [[0, 0]; 5]);
        let stability = stability(&counter, &settings, 5, &Unwatched).unwrap();
        assert!(required.iter().all(|candidate| !stability.selected.contains_key(candidate)));
    }

    #[test]
    fn nothing_is_told_of_no_shuffle() {
        let none = Calibration { asked: 5, found: Vec::new() };
        assert_eq!((none.all(), none.single(), none.combined(), none.any()), (None, None, None, None));
    }
}
