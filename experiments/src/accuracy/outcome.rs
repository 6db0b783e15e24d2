//! What a contestant found in the data of one seed.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use concause::simulate::{Levels, Rates, Score, Summary, Truth};
use serde::{Deserialize, Serialize};

/// What a contestant found in the data of one seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The seed.
    pub seed: u64,
    /// Hits, found and true single causes; none if the search was refused.
    single: Option<[usize; 3]>,
    /// The same of combined causes.
    combined: Option<[usize; 3]>,
    /// A number that tells whether two contestants found the same.
    pub fingerprint: u64,
    /// The independence tests made.
    pub tests: u64,
}

impl Outcome {
    /// The outcome of a search that ran.
    pub fn of(seed: u64, found: &[Vec<String>], truth: &Truth, tests: u64) -> Self {
        let score = truth.score(found);
        let numbers = |rates: Rates| Some([rates.hits, rates.found, rates.truth]);
        let mut sorted: Vec<Vec<String>> = found.to_vec();
        sorted.iter_mut().for_each(|cause| cause.sort());
        sorted.sort();
        let mut hasher = DefaultHasher::new();
        sorted.hash(&mut hasher);
        Outcome {
            seed,
            single: numbers(score.single),
            combined: numbers(score.combined),
            fingerprint: hasher.finish(),
            tests,
        }
    }

    /// The outcome of a search that was refused before it began.
    pub fn refused(seed: u64) -> Self {
        Outcome { seed, single: None, combined: None, fingerprint: 0, tests: 0 }
    }

    /// The score; none if the search was refused.
    pub fn score(&self) -> Option<Score> {
        let rates = |[hits, found, truth]: [usize; 3]| Rates { hits, found, truth };
        let (single, combined) = (rates(self.single?), rates(self.combined?));
        let all = Rates {
            hits: single.hits + combined.hits,
            found: single.found + combined.found,
            truth: single.truth + combined.truth,
        };
        Some(Levels { single, combined, all, parts: Rates::default() })
    }
}

/// The summary of outcomes, without those that were refused.
pub fn summary(outcomes: &[Outcome]) -> Option<Summary> {
    let scores: Vec<Score> = outcomes.iter().filter_map(Outcome::score).collect();
    Summary::of(&scores)
}

/// The mean number of combined causes found that are none.
pub fn false_combined(outcomes: &[Outcome]) -> f64 {
    let scores: Vec<Score> = outcomes.iter().filter_map(Outcome::score).collect();
    let wrong: usize = scores.iter().map(|score| score.combined.found - score.combined.hits).sum();
    wrong as f64 / scores.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_causes_does_not_matter() {
        let of = |text: &str| -> Vec<Vec<String>> {
            text.split(' ').map(|cause| cause.split('&').map(str::to_owned).collect()).collect()
        };
        let truth = Truth { causes: of("V3 V1&V2"), ..Truth::default() };
        let (one, other) =
            (Outcome::of(1, &of("V3 V1&V2"), &truth, 5), Outcome::of(1, &of("V2&V1 V3"), &truth, 5));
        assert_eq!(one, other);
        let worse = Outcome::of(2, &of("V3 V2&V4"), &truth, 5);
        assert_ne!(one.fingerprint, worse.fingerprint);
        let outcomes = [one, worse, Outcome::refused(3)];
        let summary = summary(&outcomes).unwrap();
        assert_eq!((summary.scores, summary.f1.combined.mean, summary.f1.single.mean), (2, 0.5, 1.0));
        assert_eq!(false_combined(&outcomes), 0.5);
        assert!(super::summary(&[Outcome::refused(3)]).is_none());
    }
}
