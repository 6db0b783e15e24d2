//! What was found against the truth: precision, recall and F1.

use std::collections::BTreeSet;

/// How many were found, how many there are to find, and how many of both are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Those found that are true.
    pub hits: usize,
    /// Those found.
    pub found: usize,
    /// Those there are to find.
    pub truth: usize,
}

impl Rates {
    fn of<T: Ord>(found: &BTreeSet<T>, truth: &BTreeSet<T>) -> Self {
        Self { hits: found.intersection(truth).count(), found: found.len(), truth: truth.len() }
    }

    /// The share of what was found that is true. If nothing was found it is 1 where there was nothing to find and
    /// 0 otherwise.
    pub fn precision(&self) -> f64 {
        self.share_of(self.found)
    }

    /// The share of what there is to find that was found. If there is nothing to find it is 1 where nothing was found
    /// and 0 otherwise.
    pub fn recall(&self) -> f64 {
        self.share_of(self.truth)
    }

    /// The harmonic mean of precision and recall, 2·hits/(found + truth); 1 if there was nothing to find and nothing
    /// was found.
    pub fn f1(&self) -> f64 {
        match self.found + self.truth {
            0 => 1.0,
            all => 2.0 * self.hits as f64 / all as f64,
        }
    }

    fn share_of(&self, all: usize) -> f64 {
        match (all, self.found + self.truth) {
            (_, 0) => 1.0,
            (0, _) => 0.0,
            _ => self.hits as f64 / all as f64,
        }
    }
}

/// The same measure for four sets of causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels<T> {
    /// Causes of one column, each right or wrong as a whole.
    pub single: T,
    /// Causes of two columns or more, each right or wrong as a whole.
    pub combined: T,
    /// All causes, each right or wrong as a whole.
    pub all: T,
    /// The parts of combined causes: the columns that occur in a combined cause found, against those that occur in a
    /// true one, whatever they are combined with; each column counts once.
    pub parts: T,
}

/// How well the causes were found.
pub type Score = Levels<Rates>;

/// Compares causes found with the true ones, each a list of columns. Neither the order of the columns in a cause nor
/// that of the causes matters, and repeats do not count.
///
/// ```
/// let names = |causes: &[&[&str]]| -> Vec<Vec<String>> {
///     causes.iter().map(|cause| cause.iter().map(|&name| name.to_owned()).collect()).collect()
/// };
/// let truth = names(&[&["V3"], &["V4"], &["V1", "V2"]]);
/// let found = names(&[&["V3"], &["V2", "V1"], &["V1", "V5"]]);
/// let score = concause::simulate::score(&found, &truth);
/// assert_eq!((score.single.precision(), score.single.recall()), (1.0, 0.5));
/// assert_eq!((score.combined.precision(), score.combined.recall()), (0.5, 1.0));
/// assert_eq!(score.all.f1(), 2.0 / 3.0);
/// // V1, V2 and V5 were found as parts; V1 and V2 are.
/// assert_eq!((score.parts.hits, score.parts.found, score.parts.truth), (2, 3, 2));
/// ```
pub fn score(found: &[Vec<String>], truth: &[Vec<String>]) -> Score {
    let (found, truth) = (causes(found), causes(truth));
    let level = |keep: fn(&BTreeSet<&str>) -> bool| {
        let kept = |causes: &BTreeSet<BTreeSet<&str>>| -> BTreeSet<BTreeSet<String>> {
            let owned = |cause: &BTreeSet<&str>| cause.iter().map(|&name| name.to_owned()).collect();
            causes.iter().filter(|cause| keep(cause)).map(owned).collect()
        };
        Rates::of(&kept(&found), &kept(&truth))
    };
    Levels {
        single: level(|cause| cause.len() == 1),
        combined: level(|cause| cause.len() > 1),
        all: level(|_| true),
        parts: Rates::of(&parts(&found), &parts(&truth)),
    }
}

fn causes(causes: &[Vec<String>]) -> BTreeSet<BTreeSet<&str>> {
    causes.iter().map(|cause| cause.iter().map(String::as_str).collect()).collect()
}

fn parts<'a>(causes: &BTreeSet<BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    causes.iter().filter(|cause| cause.len() > 1).flatten().copied().collect()
}

/// Mean and standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of one score, with n − 1 in the denominator; 0 for a single one.
    pub deviation: f64,
}

impl Spread {
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let count = numbers.clone().count() as f64;
        let mean = numbers.clone().sum::<f64>() / count;
        let squares: f64 = numbers.map(|number| (number - mean) * (number - mean)).sum();
        Self { mean, deviation: if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 } }
    }
}

/// Several scores in one: the mean of their precisions, recalls and F1s (each data set counts alike, whatever the number of its
/// causes), and how far they scatter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// The number of scores.
    pub scores: usize,
    /// Their precision.
    pub precision: Levels<Spread>,
    /// Their recall.
    pub recall: Levels<Spread>,
    /// Their F1.
    pub f1: Levels<Spread>,
}

impl Summary {
    /// The summary of at least one score.
    pub fn of(scores: &[Score]) -> Option<Self> {
        if scores.is_empty() {
            return None;
        }
        let levels = |measure: fn(&Rates) -> f64| Levels {
            single: Spread::of(scores.iter().map(|score| measure(&score.single))),
            combined: Spread::of(scores.iter().map(|score| measure(&score.combined))),
            all: Spread::of(scores.iter().map(|score| measure(&score.all))),
            parts: Spread::of(scores.iter().map(|score| measure(&score.parts))),
        };
        Some(Self {
            scores: scores.len(),
            precision: levels(Rates::precision),
            recall: levels(Rates::recall),
            f1: levels(Rates::f1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(causes: &str) -> Vec<Vec<String>> {
        causes.split_whitespace().map(|cause| cause.split('&').map(str::to_owned).collect()).collect()
    }

    fn measures(rates: Rates) -> [f64; 3] {
        [rates.precision(), rates.recall(), rates.f1()]
    }

    #[test]
    fn empty_sets_have_scores() {
        let nothing = score(&[], &[]);
        for rates in [nothing.single, nothing.combined, nothing.all, nothing.parts] {
            assert_eq!(measures(rates), [1.0; 3]);
        }
        let missed = score(&[], &named("a b&c"));
        let invented = score(&named("a b&c"), &[]);
        for score in [missed, invented] {
            for rates in [score.single, score.combined, score.all, score.parts] {
                assert_eq!(measures(rates), [0.0; 3]);
            }
        }
        // Singles are all there is: the combined score is that of nothing to find.
        assert_eq!(measures(score(&named("a"), &named("a")).combined), [1.0; 3]);
    }

    #[test]
    fn order_and_repeats_do_not_matter() {
        let score = score(&named("c&b b&c a a&a d&e"), &named("a b&c e&f"));
        assert_eq!(score.single, Rates { hits: 1, found: 1, truth: 1 });
        assert_eq!(score.combined, Rates { hits: 1, found: 2, truth: 2 });
        assert_eq!(score.all, Rates { hits: 2, found: 3, truth: 3 });
        assert_eq!(score.parts, Rates { hits: 3, found: 4, truth: 4 });
    }

    #[test]
    fn a_part_found_as_a_single_cause_is_no_part() {
        let score = score(&named("b c"), &named("b&c"));
        assert_eq!(score.parts, Rates { hits: 0, found: 0, truth: 2 });
        assert_eq!(measures(score.all), [0.0; 3]);
    }

    #[test]
    fn summaries_are_means_and_deviations() {
        let half = score(&named("a x"), &named("a b"));
        let full = score(&named("a b"), &named("a b"));
        let none = score(&named("x"), &named("a b"));
        let summary = Summary::of(&[half, full, none]).unwrap();
        assert_eq!(summary.scores, 3);
        assert_eq!(summary.f1.single, Spread { mean: 0.5, deviation: 0.5 });
        assert_eq!(summary.f1.combined, Spread { mean: 1.0, deviation: 0.0 });
        assert_eq!(Summary::of(&[half]).unwrap().recall.all, Spread { mean: 0.5, deviation: 0.0 });
        assert_eq!(Summary::of(&[]), None);
    }
}
