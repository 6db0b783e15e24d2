//! How often a cause is found again in random halves of the rows.
//!
//! Stability selection (Meinshausen and Bühlmann 2010) with the complementary pairs of Shah and Samworth (2013): the
//! rows are split at random into two halves, again and again, and both are searched. Every row is then in as many
//! halves as any other, and the bound of the latter on what is selected often by chance holds without assumptions on
//! the method. Each class of the target is halved by itself, so that rare outcomes are as rare in every half.
//!
//! A half is copied together before it is searched, so that as many halves are held at a time as there are threads.

use std::collections::BTreeMap;

use super::draw::{draw, without};
use super::repeat::repeat;
use crate::count::LocalCounter;
use crate::dataset::{Block, Candidate};
use crate::error::Error;
use crate::search::{Cause, Findings, Settings, Watch, mine};
use crate::simulate::{Purpose, Random};

/// What was found in the half-samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stability {
    /// The half-samples asked for.
    pub asked: usize,
    /// Those searched to the end: fewer if the search was stopped.
    pub samples: usize,
    /// The causes found in all of them together.
    pub causes: u64,
    /// In how many half-samples each candidate was a cause, or could not be told from one.
    pub selected: BTreeMap<Candidate, usize>,
}

impl Stability {
    /// The share of half-samples in which a candidate was a cause; none if there are no half-samples.
    pub fn frequency(&self, candidate: &Candidate) -> Option<f64> {
        let selected = self.selected.get(candidate).copied().unwrap_or_default();
        (self.samples > 0).then(|| selected as f64 / self.samples as f64)
    }

    /// The mean number of causes in a half-sample; none if there are no half-samples.
    pub fn mean_causes(&self) -> Option<f64> {
        (self.samples > 0).then(|| self.causes as f64 / self.samples as f64)
    }

    /// What was a cause in at least this share of the half-samples, but is none of these findings and can be told from
    /// all of them; the most frequent first.
    pub fn others(&self, findings: &Findings, least: f64) -> Vec<(Candidate, f64)> {
        let is_found = |candidate: &Candidate| {
            findings.causes.iter().any(|cause| selected(cause).any(|found| found == candidate))
        };
        let mut others: Vec<(Candidate, f64)> = self
            .selected
            .keys()
            .filter(|candidate| !is_found(candidate))
            .filter_map(|candidate| Some((candidate.clone(), self.frequency(candidate)?)))
            .filter(|(_, frequency)| *frequency >= least)
            .collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1));
        others
    }
}

/// Searches so many half-samples of the rows of the counter with the same settings, the seed among them. Causes that are
/// required are no finding, and do not count.
pub fn stability(
    counter: &LocalCounter<'_>,
    settings: &Settings,
    samples: usize,
    watch: &dyn Watch,
) -> Result<Stability, Error> {
    let pairs = Purpose::HalfSamples.streams(settings.seed, samples.div_ceil(2));
    let found = repeat(
        "half-samples",
        samples,
        watch,
        |sample, watch| {
            let half = half(counter, &mut pairs[sample / 2].clone(), sample % 2 == 1);
            let half = counter.within(&half).copied();
            mine(&LocalCounter::with_kernel(&half, counter.kernel()), half.columns(), settings, watch)
        },
        |findings| {
            let found = findings.causes.into_iter();
            found.filter(|cause| !settings.knowledge.requires(&cause.candidate)).collect::<Vec<Cause>>()
        },
    )?;
    let mut stability = Stability { asked: samples, samples: found.len(), ..Stability::default() };
    for causes in found {
        stability.causes += causes.len() as u64;
        for candidate in causes.iter().flat_map(selected) {
            *stability.selected.entry(candidate.clone()).or_default() += 1;
        }
    }
    Ok(stability)
}

/// A cause, and what cannot be told from it.
fn selected(cause: &Cause) -> impl Iterator<Item = &Candidate> {
    std::iter::once(&cause.candidate).chain(&cause.equivalent)
}

/// A random half of each class, or the other half of each.
fn half(counter: &LocalCounter<'_>, random: &mut Random, other: bool) -> Vec<Block> {
    let all = counter.counted();
    let mut half = all.clone();
    let (cases, controls) = half.split_at_mut(counter.dataset().layout().positive_blocks());
    for class in [cases, controls] {
        let rows = counter.kernel().count(class);
        draw(class, rows / 2, random);
    }
    if other { without(&all, &half) } else { half }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::oracle::{copied, made, rows};
    use super::*;
    use crate::search::{Method, Unwatched};

    fn settings(method: Method) -> Settings {
        Settings { method, max_level: 2, seed: 5, ..Settings::default() }
    }

    #[test]
    fn two_halves_are_the_whole_and_share_no_row() {
        let data = made(1, 1201);
        let counter = LocalCounter::new(&data);
        let all = rows(&data, &counter.counted()).len();
        for mut random in Purpose::HalfSamples.streams(1, 5) {
            let one = half(&counter, &mut random.clone(), false);
            let other = half(&counter, &mut random, true);
            let halves = [&one, &other].map(|half| counter.within(half));
            let [one, other] = halves.map(|half| crate::count::Counter::rows(&half));
            assert_eq!((one + other).total() as usize, all);
            assert!(other.positive - one.positive <= 1 && other.negative - one.negative <= 1);
        }
    }

    /// Every half is searched as rows copied one by one, or counted by a mask, are; for every method, also within some
    /// of the rows.
    #[test]
    fn the_frequencies_are_those_of_copied_halves() {
        let data = made(2, 900);
        let whole = LocalCounter::new(&data);
        let mut some = whole.counted();
        draw(&mut some, 800, &mut Random::new(1));
        for method in Method::ALL {
            let settings = settings(method);
            for counter in [whole.clone(), whole.within(&some)] {
                let found = stability(&counter, &settings, 7, &Unwatched).unwrap();
                let mut selected: BTreeMap<Candidate, usize> = BTreeMap::new();
                for sample in 0..7 {
                    let stream = &Purpose::HalfSamples.streams(5, 4)[sample / 2];
                    let half = half(&counter, &mut stream.clone(), sample % 2 == 1);
                    let copy = copied(&data, &rows(&data, &half));
                    let findings =
                        mine(&LocalCounter::new(&copy), copy.columns(), &settings, &Unwatched).unwrap();
                    let masked = mine(&counter.within(&half), data.columns(), &settings, &Unwatched);
                    assert_eq!(masked.unwrap(), findings, "{method}");
                    for cause in &findings.causes {
                        *selected.entry(cause.candidate.clone()).or_default() += 1;
                        cause
                            .equivalent
                            .iter()
                            .for_each(|twin| *selected.entry(twin.clone()).or_default() += 1);
                    }
                }
                assert_eq!((found.asked, found.samples), (7, 7));
                assert_eq!(found.selected, selected, "{method}");
                assert!(!selected.is_empty(), "{method}");
            }
        }
    }

    #[test]
    fn strong_causes_are_stable_and_chance_is_not() {
        let data = made(3, 4000);
        let found = stability(&LocalCounter::new(&data), &settings(Method::MhPcX), 30, &Unwatched).unwrap();
        assert_eq!(found.frequency(&Candidate::single(0)), Some(1.0));
        assert!(found.frequency(&Candidate::new(vec![3, 4])) > Some(0.9), "{found:?}");
        assert!(found.frequency(&Candidate::single(6)) < Some(0.3), "{found:?}");
        let nothing = Findings::default();
        let others = found.others(&nothing, 0.5);
        assert_eq!(others[0], (Candidate::single(0), 1.0));
        assert!(others.iter().all(|(_, frequency)| *frequency >= 0.5));
    }

    #[test]
    fn the_number_of_threads_changes_nothing_and_the_seed_does() {
        let data = made(4, 300);
        let run = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let settings = Settings { seed, ..settings(Method::MhPcB) };
            pool.install(|| stability(&LocalCounter::new(&data), &settings, 21, &Unwatched).unwrap())
        };
        let one = run(1, 1);
        assert_eq!(run(2, 1), one);
        assert_eq!(run(7, 1), one);
        assert_ne!(run(1, 2).selected, one.selected);
    }

    /// Stops after so many searches.
    struct After(AtomicUsize);

    impl Watch for After {
        fn advance(&self, _: u64) {
            let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        }

        fn stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    #[test]
    fn what_is_known_is_told_when_stopped() {
        let data = made(5, 300);
        let counter = LocalCounter::new(&data);
        let run = |searches| stability(&counter, &settings(Method::MhPcB), 500, &After(searches)).unwrap();
        let none = run(AtomicUsize::new(0));
        assert_eq!((none.asked, none.samples, none.mean_causes()), (500, 0, None));
        assert_eq!(none.frequency(&Candidate::single(0)), None);
        let some = run(AtomicUsize::new(3));
        assert!((1..500).contains(&some.samples), "{some:?}");
    }

    #[test]
    fn a_single_case_or_no_row_is_no_error() {
        for rows in [0, 1, 2, 3] {
            let data = made(1, rows);
            for method in Method::ALL {
                let found = stability(&LocalCounter::new(&data), &settings(method), 3, &Unwatched).unwrap();
                assert_eq!(found.samples, 3);
            }
        }
    }
}
