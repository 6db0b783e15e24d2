//! Stability: how often each cause is found in random halves of the rows.
//!
//! This is stability selection (Meinshausen and Bühlmann 2010) with the complementary pairs of Shah and Samworth
//! (2013): the rows are repeatedly split at random into two halves, and both are searched. The bound of Shah and
//! Samworth on candidates that are often selected by chance holds without assumptions about the method. Each class of
//! the target is halved separately, so all halves have the same share of cases. A cause is found again if a half has a
//! cause over the same attributes: halves often choose another level or threshold of an attribute.
//!
//! A half is copied into a dataset of its own before it is searched. At most one copy per thread is in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::draw::{difference, draw_rows};
use super::repeat::repeat_search;
use crate::count::LocalCounter;
use crate::dataset::{Block, Candidate, Column};
use crate::error::Error;
use crate::progress::Progress;
use crate::random::{Purpose, Random};
use crate::search::{Findings, FoundCause, Settings, mine_counted};

/// The causes found in the half-samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stability {
    /// The number of half-samples requested.
    pub requested: usize,
    /// The number of half-samples searched; smaller if the run was stopped.
    pub samples: usize,
    /// The total number of causes found in them.
    pub causes: u64,
    /// For each set of columns, the number of half-samples in which it was a cause, with any signs, or equivalent to
    /// one.
    pub selected: BTreeMap<Candidate, usize>,
    /// The same for sets of attributes.
    pub selected_attributes: BTreeMap<BTreeSet<usize>, usize>,
}

impl Stability {
    /// The share of half-samples with a cause over the same attributes; `None` without half-samples.
    pub fn frequency(&self, cause: &Candidate, columns: &[Column]) -> Option<f64> {
        self.frequency_of_attributes(&cause.attributes(columns))
    }

    fn frequency_of_attributes(&self, attributes: &BTreeSet<usize>) -> Option<f64> {
        let selected = self.selected_attributes.get(attributes).copied().unwrap_or_default();
        (self.samples > 0).then(|| selected as f64 / self.samples as f64)
    }

    /// The mean number of causes per half-sample; `None` without half-samples.
    pub fn mean_causes(&self) -> Option<f64> {
        (self.samples > 0).then(|| self.causes as f64 / self.samples as f64)
    }

    /// The sets of attributes with causes in at least this share of the half-samples but not in these findings, the
    /// most frequent first; each as its most frequent columns.
    pub fn others(&self, findings: &Findings, columns: &[Column], least: f64) -> Vec<(Candidate, f64)> {
        let sets = findings.causes.iter().flat_map(column_sets);
        let found: BTreeSet<BTreeSet<usize>> = sets.map(|set| set.attributes(columns)).collect();
        let mut most_frequent: BTreeMap<BTreeSet<usize>, (&Candidate, usize)> = BTreeMap::new();
        for (set, &times) in &self.selected {
            let known = most_frequent.entry(set.attributes(columns)).or_insert((set, times));
            if times > known.1 {
                *known = (set, times);
            }
        }
        let mut others: Vec<(Candidate, f64)> = most_frequent
            .into_iter()
            .filter(|(attributes, _)| !found.contains(attributes))
            .filter_map(|(attributes, (set, _))| {
                Some((set.clone(), self.frequency_of_attributes(&attributes)?))
            })
            .filter(|(_, frequency)| *frequency >= least)
            .collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        others
    }
}

/// Searches `samples` half-samples of the rows of the counter with the same settings, including the seed. Required
/// causes are not counted.
pub fn stability(
    counter: &LocalCounter,
    settings: &Settings,
    samples: usize,
    progress: &dyn Progress,
) -> Result<Stability, Error> {
    let pairs = Purpose::HalfSamples.streams(settings.seed, samples.div_ceil(2));
    let found = repeat_search(
        "half-samples",
        samples,
        progress,
        |sample, progress| {
            let half = draw_half(counter, &mut pairs[sample / 2].clone(), sample % 2 == 1);
            let half = counter.within(&half).to_dataset();
            mine_counted(
                Arc::new(LocalCounter::with_kernel(&half, counter.kernel())),
                &half,
                settings,
                progress,
            )
        },
        |findings| {
            let found = findings.causes.into_iter();
            found.filter(|cause| !settings.knowledge.requires(&cause.candidate)).collect::<Vec<FoundCause>>()
        },
    )?;
    let mut stability = Stability { requested: samples, samples: found.len(), ..Stability::default() };
    for causes in found {
        stability.causes += causes.len() as u64;
        // Conjunctions of the same columns with other signs are the same finding.
        let columns = counter.dataset().columns();
        let sets: BTreeSet<Candidate> = causes.iter().flat_map(column_sets).collect();
        let attributes: BTreeSet<BTreeSet<usize>> = sets.iter().map(|set| set.attributes(columns)).collect();
        for set in sets {
            *stability.selected.entry(set).or_default() += 1;
        }
        for set in attributes {
            *stability.selected_attributes.entry(set).or_default() += 1;
        }
    }
    Ok(stability)
}

/// The columns of a cause and of the candidates that are equivalent to it.
fn column_sets(cause: &FoundCause) -> Vec<Candidate> {
    let all = std::iter::once(&cause.candidate).chain(&cause.equivalent);
    all.map(|candidate| candidate.unsigned()).collect()
}

/// A random half of each class or, if `other` is set, the complementary half.
fn draw_half(counter: &LocalCounter, random: &mut Random, other: bool) -> Vec<Block> {
    let all = counter.counted();
    let mut half = all.clone();
    let (cases, controls) = half.split_at_mut(counter.dataset().layout().positive_blocks());
    for class in [cases, controls] {
        let rows = counter.kernel().count(class);
        draw_rows(class, rows / 2, random);
    }
    if other { difference(&all, &half) } else { half }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::oracle::{extract_rows, random_data, rebuild};
    use super::*;
    use crate::dataset::{DatasetBuilder, Target};
    use crate::progress::NoProgress;
    use crate::search::Method;
    use crate::search::mine;

    fn settings(method: Method) -> Settings {
        Settings { method, max_level: 2, seed: 5, ..Settings::default() }
    }

    #[test]
    fn complementary_halves_partition_the_rows() {
        let data = random_data(1, 1201);
        let counter = LocalCounter::new(&data);
        let all = extract_rows(&data, &counter.counted()).len();
        for mut random in Purpose::HalfSamples.streams(1, 5) {
            let one = draw_half(&counter, &mut random.clone(), false);
            let other = draw_half(&counter, &mut random, true);
            let halves = [&one, &other].map(|half| counter.within(half));
            let [one, other] = halves.map(|half| crate::count::Counter::rows(&half));
            assert_eq!((one + other).total() as usize, all);
            assert!(other.positive - one.positive <= 1 && other.negative - one.negative <= 1);
        }
    }

    /// For every method, the result equals that of searches in data rebuilt from single rows and in masked data.
    /// Counters of all rows and of some rows are tested.
    #[test]
    fn frequencies_equal_those_of_rebuilt_halves() {
        let data = random_data(2, 900);
        let full = LocalCounter::new(&data);
        let mut some = full.counted();
        draw_rows(&mut some, 800, &mut Random::new(1));
        for &method in Method::ALL {
            let settings = settings(method);
            for counter in [full.clone(), full.within(&some)] {
                let found = stability(&counter, &settings, 7, &NoProgress).unwrap();
                let mut selected: BTreeMap<Candidate, usize> = BTreeMap::new();
                let mut selected_attributes: BTreeMap<BTreeSet<usize>, usize> = BTreeMap::new();
                for sample in 0..7 {
                    let stream = &Purpose::HalfSamples.streams(5, 4)[sample / 2];
                    let half = draw_half(&counter, &mut stream.clone(), sample % 2 == 1);
                    let copy = rebuild(&data, &extract_rows(&data, &half));
                    let findings = mine(&copy, &settings, &NoProgress).unwrap();
                    let masked = mine_counted(Arc::new(counter.within(&half)), &data, &settings, &NoProgress);
                    assert_eq!(masked.unwrap(), findings, "{method}");
                    let mut sets: Vec<Candidate> = Vec::new();
                    for cause in &findings.causes {
                        for candidate in [&cause.candidate].into_iter().chain(&cause.equivalent) {
                            let set = candidate.unsigned();
                            if !sets.contains(&set) {
                                sets.push(set);
                            }
                        }
                    }
                    // V9 has two columns, 8 and 9; the others have one each.
                    let attributes = |set: &Candidate| {
                        set.literals().iter().map(|literal| literal.column().min(8) as usize).collect()
                    };
                    let attributes: BTreeSet<BTreeSet<usize>> = sets.iter().map(attributes).collect();
                    attributes.into_iter().for_each(|set| *selected_attributes.entry(set).or_default() += 1);
                    sets.into_iter().for_each(|set| *selected.entry(set).or_default() += 1);
                }
                assert_eq!((found.requested, found.samples), (7, 7));
                assert_eq!(found.selected, selected, "{method}");
                assert_eq!(found.selected_attributes, selected_attributes, "{method}");
                assert!(!selected.is_empty(), "{method}");
            }
        }
    }

    #[test]
    fn strong_causes_are_stable_and_noise_is_not() {
        let data = random_data(3, 4000);
        let found = stability(&LocalCounter::new(&data), &settings(Method::JOINT), 30, &NoProgress).unwrap();
        assert_eq!(found.frequency(&Candidate::single(0), data.columns()), Some(1.0));
        assert!(found.frequency(&Candidate::new(vec![3, 4]), data.columns()) > Some(0.9), "{found:?}");
        assert!(found.frequency(&Candidate::single(6), data.columns()) < Some(0.3), "{found:?}");
        let nothing = Findings::default();
        let others = found.others(&nothing, data.columns(), 0.5);
        assert_eq!(others[0], (Candidate::single(0), 1.0));
        assert!(others.iter().all(|(_, frequency)| *frequency >= 0.5));
    }

    /// Halves differ in the level of an attribute that they choose, and each level has a low frequency.
    #[test]
    fn another_column_of_the_same_attribute_is_the_same_cause() {
        let columns = ["a=1", "a=2", "b"].map(str::to_owned);
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, vec![true, false]);
        builder.attribute("a", columns[..2].to_vec(), [Some(0), Some(1)]);
        builder.attribute("b", columns[2..].to_vec(), [Some(0), None]);
        let data = builder.finish();
        let set = |columns: &[u32]| Candidate::new(columns.to_vec());
        let found = Stability {
            requested: 10,
            samples: 10,
            causes: 10,
            selected: [(set(&[0]), 3), (set(&[1]), 4), (set(&[0, 2]), 1), (set(&[1, 2]), 2)].into(),
            selected_attributes: [([0].into(), 7), ([0, 1].into(), 3)].into(),
        };
        assert_eq!(found.frequency(&set(&[0]), data.columns()), Some(0.7));
        assert_eq!(found.frequency(&set(&[0, 2]), data.columns()), Some(0.3));
        let others = found.others(&Findings::default(), data.columns(), 0.1);
        assert_eq!(others, [(set(&[1]), 0.7), (set(&[1, 2]), 0.3)]);
    }

    #[test]
    fn results_depend_on_the_seed_but_not_on_the_number_of_threads() {
        let data = random_data(4, 300);
        let run = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let settings = Settings { seed, ..settings(Method::MH_PC_B) };
            pool.install(|| stability(&LocalCounter::new(&data), &settings, 21, &NoProgress).unwrap())
        };
        let one = run(1, 1);
        assert_eq!(run(2, 1), one);
        assert_eq!(run(7, 1), one);
        assert_ne!(run(1, 2).selected, one.selected);
    }

    /// Stops after a number of searches.
    struct StopAfter(AtomicUsize);

    impl Progress for StopAfter {
        fn advance(&self, _: u64) {
            let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        }

        fn stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    #[test]
    fn stopped_runs_report_the_finished_searches() {
        let data = random_data(5, 300);
        let counter = LocalCounter::new(&data);
        let run =
            |searches| stability(&counter, &settings(Method::MH_PC_B), 500, &StopAfter(searches)).unwrap();
        let none = run(AtomicUsize::new(0));
        assert_eq!((none.requested, none.samples, none.mean_causes()), (500, 0, None));
        assert_eq!(none.frequency(&Candidate::single(0), data.columns()), None);
        let some = run(AtomicUsize::new(3));
        assert!((1..500).contains(&some.samples), "{some:?}");
    }

    #[test]
    fn data_with_few_or_no_rows_is_not_an_error() {
        for rows in [0, 1, 2, 3] {
            let data = random_data(1, rows);
            for &method in Method::ALL {
                let found = stability(&LocalCounter::new(&data), &settings(method), 3, &NoProgress).unwrap();
                assert_eq!(found.samples, 3);
            }
        }
    }
}
