//! A search with the default method that is stopped returns the result so far.

use std::sync::atomic::{AtomicU64, Ordering};

use concause::dataset::{Candidate, Dataset, DatasetBuilder, Target};
use concause::progress::{NoProgress, Progress};
use concause::random::Random;
use concause::search::{Findings, Settings, mine};

/// Requests to stop after a number of questions whether to, and counts the steps of every stage.
struct StopAfter {
    polls: AtomicU64,
    most: u64,
    steps: AtomicU64,
}

impl StopAfter {
    fn new(most: u64) -> Self {
        Self { polls: AtomicU64::new(0), most, steps: AtomicU64::new(0) }
    }
}

impl Progress for StopAfter {
    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.polls.fetch_add(1, Ordering::Relaxed) >= self.most
    }
}

/// Two single causes and a conjunction among twelve columns.
fn data() -> Dataset {
    let mut random = Random::new(5);
    let values: Vec<Vec<bool>> = (0..12).map(|_| (0..3000).map(|_| random.chance(0.4)).collect()).collect();
    let outcome = (0..3000)
        .map(|row| {
            let risk = [0.1, 0.3][usize::from(values[0][row])] + [0.0, 0.15][usize::from(values[1][row])];
            random.chance(risk + if values[2][row] && values[3][row] { 0.4 } else { 0.0 })
        })
        .collect();
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
    for (number, values) in values.iter().enumerate() {
        let name = format!("V{number}");
        builder.attribute(&name, vec![name.clone()], values.iter().map(|&value| value.then_some(0)));
    }
    builder.finish()
}

fn assert_valid(findings: &Findings, data: &Dataset) {
    let posterior = findings.posterior.as_ref().unwrap();
    let scales: f64 = posterior.scales.iter().map(|(_, probability)| probability).sum();
    assert!((scales - 1.0).abs() < 1e-6, "{posterior:?}");
    for set in &posterior.attribute_sets {
        assert!((0.0..=1.0).contains(&set.probability), "{set:?}");
        let is_reported =
            findings.causes.iter().any(|cause| cause.candidate.attributes(data.columns()) == set.attributes);
        assert_eq!(is_reported, set.is_cause, "{set:?}");
    }
    for column in 0..12 {
        assert!(findings.reasons.contains_key(&Candidate::single(column)), "V{column}");
    }
}

#[test]
fn a_time_limit_returns_the_best_models_so_far() {
    let data = data();
    let full = mine(&data, &Settings::default(), &NoProgress).unwrap();
    assert!(full.complete);
    let names = |findings: &Findings| -> Vec<Candidate> {
        findings.causes.iter().map(|cause| cause.candidate.clone()).collect()
    };
    let expected = [Candidate::new(vec![0]), Candidate::new(vec![1]), Candidate::new(vec![2, 3])];
    assert!(expected.iter().all(|cause| names(&full).contains(cause)), "{:?}", names(&full));
    let patient = StopAfter::new(u64::MAX);
    assert_eq!(mine(&data, &Settings::default(), &patient).unwrap(), full);
    let all = patient.polls.into_inner();
    assert!(all > 100, "the search asks only {all} times whether to stop");
    assert!(patient.steps.into_inner() > 20, "the search reports its steps");
    let mut found = Vec::new();
    for polls in [0, 1, 2, 5, 10, 20, 50, 100, all / 2, all - 1] {
        let stopped = mine(&data, &Settings::default(), &StopAfter::new(polls)).unwrap();
        assert!(!stopped.complete, "{polls} of {all}");
        match &stopped.posterior {
            Some(_) => assert_valid(&stopped, &data),
            None => assert!(stopped.causes.is_empty() && polls < 5, "{polls} of {all}"),
        }
        found.push(names(&stopped).len());
    }
    assert_eq!(found[0], 0);
    assert!(found[4] > 0, "{found:?}");
    assert_eq!(found.last(), Some(&names(&full).len()), "{found:?}");
    assert_eq!(mine(&data, &Settings::default(), &StopAfter::new(all)).unwrap(), full);
}
