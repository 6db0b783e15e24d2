//! Causes found compared with the true causes: precision, recall and F1.

use std::collections::BTreeSet;

/// The numbers of causes found, of true causes, and of causes that are both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Causes found that are true.
    pub hits: usize,
    /// Causes found.
    pub found: usize,
    /// True causes.
    pub truth: usize,
}

impl Rates {
    fn from_sets<T: Ord>(found: &BTreeSet<T>, truth: &BTreeSet<T>) -> Self {
        Self { hits: found.intersection(truth).count(), found: found.len(), truth: truth.len() }
    }

    /// The share of the causes found that are true. If nothing was found, it is 1 if there was nothing to find and 0
    /// otherwise.
    pub fn precision(&self) -> f64 {
        self.hits_per(self.found)
    }

    /// The share of the true causes that were found. If there is nothing to find, it is 1 if nothing was found and 0
    /// otherwise.
    pub fn recall(&self) -> f64 {
        self.hits_per(self.truth)
    }

    /// The harmonic mean of precision and recall, 2·hits/(found + truth); 1 if there was nothing to find and nothing
    /// was found.
    pub fn f1(&self) -> f64 {
        match self.found + self.truth {
            0 => 1.0,
            all => 2.0 * self.hits as f64 / all as f64,
        }
    }

    fn hits_per(&self, all: usize) -> f64 {
        match (all, self.found + self.truth) {
            (_, 0) => 1.0,
            (0, _) => 0.0,
            _ => self.hits as f64 / all as f64,
        }
    }
}

/// One measure for several sets of causes. All but `exact` compare causes by their sets of columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByCauseKind<T> {
    /// Causes of one column.
    pub single: T,
    /// Causes of two columns or more; one that differs in any column is wrong.
    pub combined: T,
    /// All causes.
    pub all: T,
    /// The parts of combined causes: columns that occur in any combined cause found, compared with columns that occur
    /// in any true one. Each column counts once.
    pub parts: T,
    /// All causes, compared by their literals: `A&!B` is not `A&B`. A single column and its negation are the same
    /// cause.
    pub exact: T,
}

/// How well the causes were found.
pub type Score = ByCauseKind<Rates>;

/// Compares the causes found with the true causes, each a list of columns. `!A` is the negation of the column A, and
/// causes over the same columns are one finding. The order of columns and causes does not matter.
///
/// ```
/// let names = |causes: &[&[&str]]| -> Vec<Vec<String>> {
///     causes.iter().map(|cause| cause.iter().map(|&name| name.to_owned()).collect()).collect()
/// };
/// let truth = names(&[&["V3"], &["V4"], &["V1", "V2"]]);
/// let found = names(&[&["V3"], &["!V2", "V1"], &["V1", "V5"]]);
/// let score = concause_simulate::score(&found, &truth);
/// assert_eq!((score.single.precision(), score.single.recall()), (1.0, 0.5));
/// assert_eq!((score.combined.precision(), score.combined.recall()), (0.5, 1.0));
/// assert_eq!(score.all.f1(), 2.0 / 3.0);
/// // V1, V2 and V5 were found as parts; V1 and V2 are.
/// assert_eq!((score.parts.hits, score.parts.found, score.parts.truth), (2, 3, 2));
/// // V1&!V2 has the columns of V1&V2, but another literal.
/// assert_eq!((score.exact.hits, score.exact.found, score.exact.truth), (1, 3, 3));
/// ```
pub fn score(found: &[Vec<String>], truth: &[Vec<String>]) -> Score {
    let (found, truth) = (parse_causes(found), parse_causes(truth));
    score_literals(&found, &truth)
}

/// A column or its negation in a cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredLiteral<'a> {
    /// What is compared: the column, or the attribute to which it belongs.
    pub column: &'a str,
    /// The value of the attribute that the column stands for; empty for a binary column.
    pub value: &'a str,
    pub negated: bool,
}

impl<'a> ScoredLiteral<'a> {
    /// The literal of a binary column.
    pub fn parse(text: &'a str) -> Self {
        let (column, negated) = split_negation(text);
        Self { column, value: "", negated }
    }
}

/// The column of a literal, and whether it is negated.
pub(crate) fn split_negation(literal: &str) -> (&str, bool) {
    literal.strip_prefix('!').map_or((literal, false), |column| (column, true))
}

fn parse_causes(causes: &[Vec<String>]) -> Vec<Vec<ScoredLiteral<'_>>> {
    causes.iter().map(|cause| cause.iter().map(|literal| ScoredLiteral::parse(literal)).collect()).collect()
}

type ColumnSet<'a> = BTreeSet<&'a str>;

pub(crate) fn score_literals(found: &[Vec<ScoredLiteral<'_>>], truth: &[Vec<ScoredLiteral<'_>>]) -> Score {
    let exact = Rates::from_sets(&literal_sets(found), &literal_sets(truth));
    let (found, truth) = (column_sets(found), column_sets(truth));
    let rates = |is_counted: fn(&ColumnSet<'_>) -> bool| {
        let select =
            |causes: &BTreeSet<ColumnSet<'_>>| causes.iter().filter(|cause| is_counted(cause)).count();
        let hits = found.intersection(&truth).filter(|cause| is_counted(cause)).count();
        Rates { hits, found: select(&found), truth: select(&truth) }
    };
    ByCauseKind {
        single: rates(|cause| cause.len() == 1),
        combined: rates(|cause| cause.len() > 1),
        all: rates(|_| true),
        parts: Rates::from_sets(&parts(&found), &parts(&truth)),
        exact,
    }
}

fn column_sets<'a>(causes: &[Vec<ScoredLiteral<'a>>]) -> BTreeSet<ColumnSet<'a>> {
    causes.iter().map(|cause| cause.iter().map(|literal| literal.column).collect()).collect()
}

fn literal_sets<'a>(causes: &[Vec<ScoredLiteral<'a>>]) -> BTreeSet<BTreeSet<ScoredLiteral<'a>>> {
    let set = |cause: &Vec<ScoredLiteral<'a>>| {
        let mut literals: BTreeSet<ScoredLiteral<'a>> = cause.iter().cloned().collect();
        if literals.len() == 1 {
            literals =
                literals.into_iter().map(|literal| ScoredLiteral { negated: false, ..literal }).collect();
        }
        literals
    };
    causes.iter().map(set).collect()
}

fn parts<'a>(causes: &BTreeSet<ColumnSet<'a>>) -> ColumnSet<'a> {
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
    fn from_numbers(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let count = numbers.clone().count() as f64;
        let mean = numbers.clone().sum::<f64>() / count;
        let squares: f64 = numbers.map(|number| (number - mean) * (number - mean)).sum();
        Self { mean, deviation: if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 } }
    }
}

/// Mean and standard deviation of the precision, recall and F1 of several scores. Each data set has the same weight,
/// regardless of its number of causes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreSummary {
    /// The number of scores.
    pub scores: usize,
    /// Their precision.
    pub precision: ByCauseKind<Spread>,
    /// Their recall.
    pub recall: ByCauseKind<Spread>,
    /// Their F1.
    pub f1: ByCauseKind<Spread>,
}

impl ScoreSummary {
    /// Summarises at least one score.
    pub fn from_scores(scores: &[Score]) -> Option<Self> {
        if scores.is_empty() {
            return None;
        }
        let levels = |measure: fn(&Rates) -> f64| ByCauseKind {
            single: Spread::from_numbers(scores.iter().map(|score| measure(&score.single))),
            combined: Spread::from_numbers(scores.iter().map(|score| measure(&score.combined))),
            all: Spread::from_numbers(scores.iter().map(|score| measure(&score.all))),
            parts: Spread::from_numbers(scores.iter().map(|score| measure(&score.parts))),
            exact: Spread::from_numbers(scores.iter().map(|score| measure(&score.exact))),
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
        for rates in [nothing.single, nothing.combined, nothing.all, nothing.parts, nothing.exact] {
            assert_eq!(measures(rates), [1.0; 3]);
        }
        let missed = score(&[], &named("a b&c"));
        let invented = score(&named("a b&c"), &[]);
        for score in [missed, invented] {
            for rates in [score.single, score.combined, score.all, score.parts, score.exact] {
                assert_eq!(measures(rates), [0.0; 3]);
            }
        }
        // There are only single causes: the combined score is that of nothing to find.
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
    fn causes_over_the_same_columns_are_one_finding() {
        let score = score(&named("a&b !a&!b c !d e&f"), &named("a&b !c d e&!f"));
        assert_eq!(score.single, Rates { hits: 2, found: 2, truth: 2 });
        assert_eq!(score.combined, Rates { hits: 2, found: 2, truth: 2 });
        assert_eq!(score.parts, Rates { hits: 4, found: 4, truth: 4 });
        // The sign counts in a combination only.
        assert_eq!(score.exact, Rates { hits: 3, found: 5, truth: 4 });
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
        let summary = ScoreSummary::from_scores(&[half, full, none]).unwrap();
        assert_eq!(summary.scores, 3);
        assert_eq!(summary.f1.single, Spread { mean: 0.5, deviation: 0.5 });
        assert_eq!(summary.f1.combined, Spread { mean: 1.0, deviation: 0.0 });
        assert_eq!(
            ScoreSummary::from_scores(&[half]).unwrap().recall.all,
            Spread { mean: 0.5, deviation: 0.0 }
        );
        assert_eq!(ScoreSummary::from_scores(&[]), None);
    }
}
