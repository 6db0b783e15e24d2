//! The causes that a method found in the data of one seed, compared with the truth.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use concause_simulate::{ByCauseKind, Rates, Score, ScoreSummary, Truth};
use serde::{Deserialize, Serialize};

/// The result of a method on the data of one seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedResult {
    /// The seed.
    pub seed: u64,
    /// The numbers of hits, of single causes found and of true single causes; none if the search was refused.
    single: Option<[usize; 3]>,
    /// The same for combined causes.
    combined: Option<[usize; 3]>,
    /// A hash of the causes found, to compare two methods.
    pub fingerprint: u64,
    /// The number of independence tests.
    pub tests: u64,
}

impl SeedResult {
    /// The result of a search.
    pub fn new(seed: u64, found: &[Vec<String>], truth: &Truth, tests: u64) -> Self {
        let score = truth.score(found);
        let numbers = |rates: Rates| Some([rates.hits, rates.found, rates.truth]);
        let mut sorted: Vec<Vec<String>> = found.to_vec();
        sorted.iter_mut().for_each(|cause| cause.sort());
        sorted.sort();
        let mut hasher = DefaultHasher::new();
        sorted.hash(&mut hasher);
        SeedResult {
            seed,
            single: numbers(score.single),
            combined: numbers(score.combined),
            fingerprint: hasher.finish(),
            tests,
        }
    }

    /// The result of a search that was refused before it started.
    pub fn refused(seed: u64) -> Self {
        SeedResult { seed, single: None, combined: None, fingerprint: 0, tests: 0 }
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
        Some(ByCauseKind { single, combined, all, ..Score::default() })
    }
}

/// Summarises the results of searches that were not refused.
pub fn summarise(results: &[SeedResult]) -> Option<ScoreSummary> {
    let scores: Vec<Score> = results.iter().filter_map(SeedResult::score).collect();
    ScoreSummary::from_scores(&scores)
}

/// The mean number of false combined causes.
pub fn mean_false_combined(results: &[SeedResult]) -> f64 {
    let scores: Vec<Score> = results.iter().filter_map(SeedResult::score).collect();
    let wrong: usize = scores.iter().map(|score| score.combined.found - score.combined.hits).sum();
    wrong as f64 / scores.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_causes_does_not_matter() {
        let causes = |text: &str| -> Vec<Vec<String>> {
            text.split(' ').map(|cause| cause.split('&').map(str::to_owned).collect()).collect()
        };
        let truth = Truth { causes: causes("V3 V1&V2"), ..Truth::default() };
        let (one, other) = (
            SeedResult::new(1, &causes("V3 V1&V2"), &truth, 5),
            SeedResult::new(1, &causes("V2&V1 V3"), &truth, 5),
        );
        assert_eq!(one, other);
        let worse = SeedResult::new(2, &causes("V3 V2&V4"), &truth, 5);
        assert_ne!(one.fingerprint, worse.fingerprint);
        let results = [one, worse, SeedResult::refused(3)];
        let summary = summarise(&results).unwrap();
        assert_eq!((summary.scores, summary.f1.combined.mean, summary.f1.single.mean), (2, 0.5, 1.0));
        assert_eq!(mean_false_combined(&results), 0.5);
        assert!(summarise(&[SeedResult::refused(3)]).is_none());
    }
}
