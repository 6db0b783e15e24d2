//! Compares the fast computations of the search over terms with simple, slow ones.

use rustc_hash::FxHashSet;

use super::local_search::LocalSearch;
use super::logistic_score::LogisticScore;
use super::penalty::Penalty;
use super::score::{ModelScore, Move};
use super::table_score::TableScore;
use super::{Screened, TermSearch, table_search};
use crate::count::{Count, LocalCounter};
use crate::dataset::{Candidate, Dataset};
use crate::error::Error;
use crate::progress::NoProgress;
use crate::search::context::Context;
use crate::search::findings::LevelSummary;
use crate::search::{Method, Settings};
use crate::simulate::Recipe;

/// A slow score that fits, or counts, the terms after every move from scratch.
struct SlowScore<'a>(&'a dyn ModelScore);

impl ModelScore for SlowScore<'_> {
    fn score(&self, terms: &[Candidate]) -> Result<f64, Error> {
        self.0.score(terms)
    }

    fn gains(&self, terms: &[Candidate], moves: &[Move], savings: &[f64]) -> Result<Vec<f64>, Error> {
        let before = self.score(terms)?;
        let gain =
            |step: &Move| -> Result<f64, Error> { Ok(self.score(&Move::apply(&[step], terms))? - before) };
        moves.iter().zip(savings).map(|(step, saving)| Ok(gain(step)? + saving)).collect()
    }
}

fn simulated(recipe: &str, split: &str, seed: u64) -> Dataset {
    let mut recipe = Recipe::named(recipe).unwrap();
    recipe.set("split", split).unwrap();
    recipe.simulate(seed).unwrap().dataset().unwrap()
}

/// Calls a function with the search context of a dataset, the columns that conjunctions may use, and the screened
/// pairs.
fn with_context<T>(dataset: &Dataset, check: impl FnOnce(&Context<'_>, &[u32], &[Candidate]) -> T) -> T {
    let counter = LocalCounter::new(dataset);
    let settings = Settings { method: Method::MH_PC_X, ..Settings::default() };
    let context = Context::new(Box::new(counter), dataset.columns(), settings, &NoProgress).unwrap();
    let offered: Vec<u32> = context.offered().collect();
    let mut pairs: Vec<Screened> =
        TermSearch { context: &context }.screen_pairs(&offered, &mut LevelSummary::default()).unwrap();
    pairs.truncate(60);
    let screened: Vec<Candidate> = pairs.into_iter().map(|pair| pair.candidate).collect();
    check(&context, &offered, &screened)
}

fn search<'a>(
    score: &'a dyn ModelScore,
    penalty: &'a Penalty,
    screened: &'a [Candidate],
    singles: &'a FxHashSet<u32>,
) -> LocalSearch<'a> {
    LocalSearch { score, progress: &NoProgress, penalty, screened, singles, pair_moves: &[], fixed: &[] }
}

#[test]
fn table_gains_equal_the_difference_of_recounted_scores() {
    let dataset = simulated("syn-12", "blind", 3);
    with_context(&dataset, |context, offered, screened| {
        let tables = TableScore::new(context);
        let singles: FxHashSet<u32> = offered.iter().copied().collect();
        let penalty = Penalty::new(0.05, offered.len(), FxHashSet::default());
        let search = search(&tables, &penalty, screened, &singles);
        let (a, b) = (Candidate::single(offered[0]), screened[0].clone());
        let terms = vec![a, b, Candidate::single(offered[2])];
        let moves = search.all_moves(&terms);
        assert!(moves.len() > 20, "{}", moves.len());
        let savings: Vec<f64> = (0..moves.len()).map(|number| number as f64).collect();
        let fast = tables.gains(&terms, &moves, &savings).unwrap();
        let slow = SlowScore(&tables).gains(&terms, &moves, &savings).unwrap();
        for ((fast, slow), step) in fast.iter().zip(&slow).zip(&moves) {
            assert!((fast - slow).abs() < 1e-6, "{step:?}: {fast} {slow}");
        }
    });
}

#[test]
fn only_the_best_moves_of_a_logistic_model_are_fitted_and_gain() {
    let dataset = simulated("syn-50", "blind", 4);
    with_context(&dataset, |context, offered, screened| {
        let logistic = LogisticScore::new(context);
        let singles: FxHashSet<u32> = offered.iter().copied().collect();
        let penalty = Penalty::new(0.05, offered.len(), FxHashSet::default());
        let search = search(&logistic, &penalty, screened, &singles);
        let terms: Vec<Candidate> = offered[..6].iter().copied().map(Candidate::single).collect();
        let moves = search.all_moves(&terms);
        let savings = vec![0.0; moves.len()];
        let fast = logistic.gains(&terms, &moves, &savings).unwrap();
        let slow = SlowScore(&logistic).gains(&terms, &moves, &savings).unwrap();
        let best = slow.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut fitted = 0;
        for ((&fast, &slow), step) in fast.iter().zip(&slow).zip(&moves) {
            // A fit of few steps is close to the maximum and never above it.
            if fast > 0.0 {
                assert!(
                    fast <= slow + 1e-6 && fast > slow - 0.01 * slow.abs() - 0.01,
                    "{step:?}: {fast} {slow}"
                );
                fitted += 1;
            }
        }
        assert!((1..=24).contains(&fitted), "{fitted}");
        assert!(
            fast.iter().any(|&fast| fast > 0.99 * best),
            "no fitted gain is close to the best gain {best}"
        );
    });
}

#[test]
fn search_with_approximate_gains_reaches_the_terms_of_the_slow_search() {
    for (recipe, split, seed) in [("syn-20", "aware", 1), ("syn-50", "blind", 2), ("syn-50", "aware", 3)] {
        let dataset = simulated(recipe, split, seed);
        with_context(&dataset, |context, offered, screened| {
            let singles: FxHashSet<u32> = offered.iter().copied().collect();
            let penalty = Penalty::new(0.05, offered.len(), FxHashSet::default());
            let logistic = LogisticScore::new(context);
            let slow_score = SlowScore(&logistic);
            let start: Vec<Candidate> = offered[..4].iter().copied().map(Candidate::single).collect();
            let mut fast = search(&logistic, &penalty, screened, &singles).run(&start).unwrap();
            let mut slow = search(&slow_score, &penalty, screened, &singles).run(&start).unwrap();
            fast.sort_unstable();
            slow.sort_unstable();
            assert_eq!(fast, slow, "{recipe} {split} {seed}");
        });
    }
}

#[test]
fn terms_that_gain_no_more_than_noise_are_dropped() {
    let dataset = simulated("syn-20", "blind", 2);
    with_context(&dataset, |context, offered, screened| {
        let logistic = LogisticScore::new(context);
        let singles: FxHashSet<u32> = offered.iter().copied().collect();
        let penalty = Penalty::new(0.05, offered.len(), FxHashSet::default());
        let fixed = [Candidate::single(offered[0])];
        let search = LocalSearch { fixed: &fixed, ..search(&logistic, &penalty, screened, &singles) };
        let with = |column: u32| vec![fixed[0].clone(), Candidate::single(column)];
        let gain = |column: u32| search.objective(&with(column)).unwrap() - search.objective(&fixed).unwrap();
        let mut columns = offered[1..].to_vec();
        columns.sort_by(|&a, &b| gain(a).total_cmp(&gain(b)));
        let (weakest, strongest) = (columns[0], columns[columns.len() - 1]);
        // 2 ln (3 · ½ / .05) = 6.802.
        assert!(gain(weakest) < 6.8 && gain(strongest) > 6.81);
        assert_eq!(search.drop_if_noise(with(weakest), 0.05).unwrap(), fixed);
        assert_eq!(search.drop_if_noise(with(strongest), 0.05).unwrap(), with(strongest));
    });
}

#[test]
fn fixed_terms_are_kept_and_share_no_columns() {
    let dataset = simulated("syn-20", "blind", 2);
    with_context(&dataset, |context, offered, screened| {
        let tables = TableScore::new(context);
        let singles: FxHashSet<u32> = offered.iter().copied().collect();
        let penalty = Penalty::new(0.05, offered.len(), FxHashSet::default());
        let fixed = [screened[screened.len() - 1].clone()];
        let search = LocalSearch { fixed: &fixed, ..search(&tables, &penalty, screened, &singles) };
        let start: Vec<Candidate> = offered.iter().copied().map(Candidate::single).collect();
        let terms = search.run(&start[..4]).unwrap();
        assert_eq!(terms[0], fixed[0]);
        assert!(terms.len() > 1);
        assert!(terms[1..].iter().all(|term| !term.overlaps(&fixed[0])), "{terms:?}");
    });
}

#[test]
fn penalties_match_hand_computed_values() {
    let penalty = Penalty::new(0.05, 100, [0, 1].into_iter().collect());
    let pair = |x, y| Candidate::new(vec![x, y]);
    let singles = penalty.total(&[Candidate::single(0), Candidate::single(1)]);
    assert_eq!(penalty.total(&[pair(0, 1)]), singles);
    // If few terms are favoured, one term instead of two saves the critical value, 3.84 at alpha = 0.05. The same
    // holds if every row has at least one of the two columns.
    assert!((singles - penalty.favouring_few_terms().total(&[pair(0, 1)]) - 3.8415).abs() < 1e-3);
    let covering = penalty.clone().with_covering([pair(0, 1), pair(1, 2)].into_iter().collect());
    assert_eq!(covering.total(&[pair(0, 1)]), penalty.favouring_few_terms().total(&[pair(0, 1)]));
    assert_eq!(covering.total(&[pair(0, 2)]), penalty.total(&[pair(0, 2)]));
    // A triple saves only if every two of its columns are a covering pair.
    let triple = [Candidate::new(vec![0, 1, 2])];
    assert_eq!(covering.total(&triple), penalty.total(&triple));
    let all = penalty.clone().with_covering([pair(0, 1), pair(1, 2), pair(0, 2)].into_iter().collect());
    assert!((penalty.total(&triple) - all.total(&triple) - 2.0 * 3.8415).abs() < 1e-3);
    // Columns that are not known cost more.
    assert!(penalty.total(&[pair(2, 3)]) > singles);
    // A pair chosen among all 4950 costs less than two columns chosen one by one: the square of the normal quantile of
    // 1 − (1 − ½^(1/4950))/2.
    let per_conjunction = penalty.per_conjunction().total(&[pair(2, 3)]);
    assert!(
        (per_conjunction - 14.50).abs() < 0.1 && per_conjunction < penalty.total(&[pair(2, 3)]),
        "{per_conjunction}"
    );
    // If all hundred columns are noise, the best one exceeds this penalty half the time: the square of the normal
    // quantile of 1 − (1 − ½^(1/100))/2.
    let choice = penalty.selection_only();
    assert!(
        (choice.total(&[Candidate::single(0)]) - 7.2913).abs() < 0.01,
        "{}",
        choice.total(&[Candidate::single(0)])
    );
}

#[test]
fn stratified_test_sums_over_strata_and_skips_uninformative_ones() {
    let count = |positive, negative| Count { positive, negative };
    // By hand: in each stratum (a − E)²/V with E = (a+b)(a+c)/n, V = (a+b)(c+d)(a+c)(b+d)/(n²(n−1)).
    let one = table_search::test_in_strata(&[count(15, 5)], &[count(25, 25)]);
    assert!((one.statistic - 25.0 / (20.0 * 30.0 * 25.0 * 25.0 / (2500.0 * 49.0))).abs() < 1e-9);
    let two = table_search::test_in_strata(&[count(15, 5), count(15, 5)], &[count(25, 25), count(25, 25)]);
    assert!((two.statistic - 2.0 * one.statistic).abs() < 1e-9 && two.df == 2);
    // A stratum in which the candidate holds in every row is not informative.
    let same = table_search::test_in_strata(&[count(15, 5), count(3, 4)], &[count(25, 25), count(3, 4)]);
    assert_eq!((same.statistic, same.df), (one.statistic, 1));
}
