//! The fast ways of the search over terms against the obvious ones.

use rustc_hash::FxHashSet;

use super::additive::Additive;
use super::measure::{Measure, Move};
use super::prices::Prices;
use super::rearrange::Rearrange;
use super::tables::Tables;
use super::{MhPcX, Promising, together};
use crate::count::{Count, LocalCounter};
use crate::dataset::{Candidate, Dataset};
use crate::search::context::Context;
use crate::search::findings::Level;
use crate::search::settings::{Method, Settings};
use crate::search::watch::Unwatched;
use crate::simulate::Recipe;

/// Fits, or counts, the terms after every move from the beginning.
struct Plain<'a>(&'a dyn Measure);

impl Measure for Plain<'_> {
    fn value(&self, terms: &[Candidate]) -> f64 {
        self.0.value(terms)
    }

    fn gains(&self, terms: &[Candidate], moves: &[Move], savings: &[f64]) -> Vec<f64> {
        let before = self.value(terms);
        let gain = |it: &Move| self.value(&Move::apply(&[it], terms)) - before;
        moves.iter().zip(savings).map(|(it, saving)| gain(it) + saving).collect()
    }
}

fn simulated(recipe: &str, split: &str, seed: u64) -> Dataset {
    let mut recipe = Recipe::named(recipe).unwrap();
    recipe.set("split", split).unwrap();
    recipe.simulate(seed).unwrap().dataset().unwrap()
}

/// Looks at a data set with the columns on offer and the promising pairs.
fn look<T>(dataset: &Dataset, at: impl FnOnce(&Context<'_>, &[u32], &[Candidate]) -> T) -> T {
    let counter = LocalCounter::new(dataset);
    let settings = Settings { method: Method::MhPcX, ..Settings::default() };
    let context = Context::new(&counter, dataset.columns(), &settings, &Unwatched).unwrap();
    let offered: Vec<u32> = context.offered().collect();
    let mut pairs: Vec<Promising> =
        MhPcX { context: &context }.pairs(&offered, &mut Level::default()).unwrap();
    pairs.truncate(60);
    let promising: Vec<Candidate> = pairs.into_iter().map(|it| it.candidate).collect();
    at(&context, &offered, &promising)
}

fn search<'a>(
    measure: &'a dyn Measure,
    prices: &'a Prices,
    promising: &'a [Candidate],
    singles: &'a FxHashSet<u32>,
) -> Rearrange<'a> {
    Rearrange { measure, watch: &Unwatched, prices, promising, singles, twos: &[], fixed: &[] }
}

#[test]
fn moves_gain_in_tables_what_counting_from_the_beginning_shows() {
    let dataset = simulated("syn-12", "blind", 3);
    look(&dataset, |context, offered, promising| {
        let tables = Tables::new(context);
        let singles: FxHashSet<u32> = offered.iter().copied().collect();
        let prices = Prices::new(0.05, offered.len(), FxHashSet::default());
        let search = search(&tables, &prices, promising, &singles);
        let (a, b) = (Candidate::single(offered[0]), promising[0].clone());
        let terms = vec![a, b, Candidate::single(offered[2])];
        let moves = search.all_moves(&terms);
        assert!(moves.len() > 20, "{}", moves.len());
        let savings: Vec<f64> = (0..moves.len()).map(|number| number as f64).collect();
        let fast = tables.gains(&terms, &moves, &savings);
        let plain = Plain(&tables).gains(&terms, &moves, &savings);
        for ((fast, plain), it) in fast.iter().zip(&plain).zip(&moves) {
            assert!((fast - plain).abs() < 1e-6, "{it:?}: {fast} {plain}");
        }
    });
}

#[test]
fn the_best_moves_of_a_logistic_model_are_fitted_and_the_others_not_taken() {
    let dataset = simulated("syn-50", "blind", 4);
    look(&dataset, |context, offered, promising| {
        let additive = Additive::new(context);
        let singles: FxHashSet<u32> = offered.iter().copied().collect();
        let prices = Prices::new(0.05, offered.len(), FxHashSet::default());
        let search = search(&additive, &prices, promising, &singles);
        let terms: Vec<Candidate> = offered[..6].iter().copied().map(Candidate::single).collect();
        let moves = search.all_moves(&terms);
        let savings = vec![0.0; moves.len()];
        let fast = additive.gains(&terms, &moves, &savings);
        let plain = Plain(&additive).gains(&terms, &moves, &savings);
        let best = plain.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut fitted = 0;
        for ((&fast, &plain), it) in fast.iter().zip(&plain).zip(&moves) {
            // Few steps from a near start, and never more than the maximum.
            if fast > 0.0 {
                assert!(
                    fast <= plain + 1e-6 && fast > plain - 0.01 * plain.abs() - 0.01,
                    "{it:?}: {fast} {plain}"
                );
                fitted += 1;
            }
        }
        assert!((1..=24).contains(&fitted), "{fitted}");
        assert!(fast.iter().any(|&fast| fast > 0.99 * best), "the best gains {best}");
    });
}

#[test]
fn foretold_moves_lead_where_fitting_all_of_them_leads() {
    for (recipe, split, seed) in [("syn-20", "aware", 1), ("syn-50", "blind", 2), ("syn-50", "aware", 3)] {
        let dataset = simulated(recipe, split, seed);
        look(&dataset, |context, offered, promising| {
            let singles: FxHashSet<u32> = offered.iter().copied().collect();
            let prices = Prices::new(0.05, offered.len(), FxHashSet::default());
            let additive = Additive::new(context);
            let plain = Plain(&additive);
            let start: Vec<Candidate> = offered[..4].iter().copied().map(Candidate::single).collect();
            let mut fast = search(&additive, &prices, promising, &singles).run(&start).unwrap();
            let mut slow = search(&plain, &prices, promising, &singles).run(&start).unwrap();
            fast.sort_unstable();
            slow.sort_unstable();
            assert_eq!(fast, slow, "{recipe} {split} {seed}");
        });
    }
}

#[test]
fn what_chance_gains_is_given_up() {
    let dataset = simulated("syn-20", "blind", 2);
    look(&dataset, |context, offered, promising| {
        let additive = Additive::new(context);
        let singles: FxHashSet<u32> = offered.iter().copied().collect();
        let prices = Prices::new(0.05, offered.len(), FxHashSet::default());
        let fixed = [Candidate::single(offered[0])];
        let search = Rearrange { fixed: &fixed, ..search(&additive, &prices, promising, &singles) };
        let with = |column: u32| vec![fixed[0].clone(), Candidate::single(column)];
        let gain = |column: u32| search.value(&with(column)) - search.value(&fixed);
        let mut columns = offered[1..].to_vec();
        columns.sort_by(|&a, &b| gain(a).total_cmp(&gain(b)));
        let (weakest, strongest) = (columns[0], columns[columns.len() - 1]);
        // 2 ln (3 · ½ / .05) = 6.802.
        assert!(gain(weakest) < 6.8 && gain(strongest) > 6.81);
        assert_eq!(search.unless_by_chance(with(weakest), 0.05), fixed);
        assert_eq!(search.unless_by_chance(with(strongest), 0.05), with(strongest));
    });
}

#[test]
fn fixed_terms_stay_and_lend_no_columns() {
    let dataset = simulated("syn-20", "blind", 2);
    look(&dataset, |context, offered, promising| {
        let tables = Tables::new(context);
        let singles: FxHashSet<u32> = offered.iter().copied().collect();
        let prices = Prices::new(0.05, offered.len(), FxHashSet::default());
        let fixed = [promising[promising.len() - 1].clone()];
        let search = Rearrange { fixed: &fixed, ..search(&tables, &prices, promising, &singles) };
        let start: Vec<Candidate> = offered.iter().copied().map(Candidate::single).collect();
        let terms = search.run(&start[..4]).unwrap();
        assert_eq!(terms[0], fixed[0]);
        assert!(terms.len() > 1);
        assert!(terms[1..].iter().all(|term| !term.overlaps(&fixed[0])), "{terms:?}");
    });
}

#[test]
fn a_column_known_to_be_a_cause_costs_no_more_as_part_of_a_conjunction() {
    let prices = Prices::new(0.05, 100, [0, 1].into_iter().collect());
    let pair = |x, y| Candidate::new(vec![x, y]);
    let singles = prices.of(&[Candidate::single(0), Candidate::single(1)]);
    assert_eq!(prices.of(&[pair(0, 1)]), singles);
    // Where few terms are preferred, one for two saves what a term costs: 3.84 at alpha = .05. So it does where each row
    // has one of the two.
    assert!((singles - prices.of_few_terms().of(&[pair(0, 1)]) - 3.8415).abs() < 1e-3);
    let covering = prices.clone().with_covering([pair(0, 1), pair(1, 2)].into_iter().collect());
    assert_eq!(covering.of(&[pair(0, 1)]), prices.of_few_terms().of(&[pair(0, 1)]));
    assert_eq!(covering.of(&[pair(0, 2)]), prices.of(&[pair(0, 2)]));
    // A triple saves only if each two of its columns do.
    let triple = [Candidate::new(vec![0, 1, 2])];
    assert_eq!(covering.of(&triple), prices.of(&triple));
    let all = prices.clone().with_covering([pair(0, 1), pair(1, 2), pair(0, 2)].into_iter().collect());
    assert!((prices.of(&triple) - all.of(&triple) - 2.0 * 3.8415).abs() < 1e-3);
    // Nobody has paid for the columns of other pairs.
    assert!(prices.of(&[pair(2, 3)]) > singles);
    // A pair that is chosen among all 4950 at once costs less than two columns that are chosen one by one: the square of
    // the normal quantile of 1 − (1 − ½^(1/4950))/2.
    let whole = prices.of_whole_conjunctions().of(&[pair(2, 3)]);
    assert!((whole - 14.50).abs() < 0.1 && whole < prices.of(&[pair(2, 3)]), "{whole}");
    // Where all hundred columns are noise, one of them passes its price every other time: the square of the normal
    // quantile of 1 − (1 − ½^(1/100))/2.
    let choice = prices.of_choice_alone();
    assert!(
        (choice.of(&[Candidate::single(0)]) - 7.2913).abs() < 0.01,
        "{}",
        choice.of(&[Candidate::single(0)])
    );
}

#[test]
fn strata_add_up_to_one_test() {
    let count = |positive, negative| Count { positive, negative };
    // Hand-worked: in each stratum (a − E)²/V with E = (a+b)(a+c)/n, V = (a+b)(c+d)(a+c)(b+d)/(n²(n−1)).
    let one = together::tested(&[count(15, 5)], &[count(25, 25)]);
    assert!((one.statistic - 25.0 / (20.0 * 30.0 * 25.0 * 25.0 / (2500.0 * 49.0))).abs() < 1e-9);
    let two = together::tested(&[count(15, 5), count(15, 5)], &[count(25, 25), count(25, 25)]);
    assert!((two.statistic - 2.0 * one.statistic).abs() < 1e-9 && two.df == 2);
    // A stratum in which all are alike tells nothing.
    let same = together::tested(&[count(15, 5), count(3, 4)], &[count(25, 25), count(3, 4)]);
    assert_eq!((same.statistic, same.df), (one.statistic, 1));
}
