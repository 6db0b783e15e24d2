//! Tests causes in rows that the search did not use.
//!
//! A search selects the causes that look strong in its rows, so their p-values there are too small. In held-out
//! rows, each cause is tested once, by the test of Mantel and Haenszel (1959) over the strata of all other causes and
//! the covariates. The test is valid for many small strata and corresponds to the adjusted effects.

use std::cmp::Ordering;

use crate::count::Counter;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::evidence::adjusted::informative_strata;
use crate::stats::{MantelHaenszel, TestResult, mantel_haenszel};

/// The test of a cause in held-out rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldoutTest {
    /// The test in these rows; `None` if no stratum of the other causes is informative.
    pub result: Option<TestResult>,
    /// Whether the association has the same direction as in the searched rows; `false` if there is none.
    pub same_direction: bool,
}

impl HoldoutTest {
    /// Whether the cause is replicated: significant at alpha, and in the same direction.
    pub fn is_replicated(&self, alpha: f64) -> bool {
        self.same_direction && self.result.is_some_and(|result| result.p_value <= alpha)
    }
}

/// Tests each cause in held-out rows, stratified by all other causes and the `fixed` terms (covariates).
pub fn test_holdout(
    searched: &dyn Counter,
    held_out: &dyn Counter,
    causes: &[Candidate],
    fixed: &[Candidate],
) -> Result<Vec<HoldoutTest>, Error> {
    let terms = [causes, fixed].concat();
    let partial_associations = |counter: &dyn Counter| -> Result<Vec<_>, Error> {
        let configurations = counter.configurations_of(&terms)?;
        let test = |number| mantel_haenszel(&informative_strata(&configurations, number));
        Ok((0..causes.len()).map(test).collect())
    };
    let (searched, held_out) = (partial_associations(searched)?, partial_associations(held_out)?);
    let direction =
        |found: &Option<MantelHaenszel>| found.map_or(Ordering::Equal, |result| result.direction());
    let tests = searched
        .iter()
        .zip(&held_out)
        .map(|(searched, held_out)| HoldoutTest {
            result: held_out.map(|test| test.result),
            same_direction: direction(held_out) != Ordering::Equal
                && direction(searched) == direction(held_out),
        })
        .collect();
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use super::super::draw::draw_rows;
    use super::super::oracle::{extract_rows, random_data, rebuild};
    use super::*;
    use crate::count::{LocalCounter, Stratum};
    use crate::random::Random;

    fn conjunction(columns: &[u32]) -> Candidate {
        Candidate::new(columns.to_vec())
    }

    /// The strata of the other terms, counted row by row.
    fn strata(rows: &[(bool, Vec<bool>)], terms: &[Candidate], number: usize) -> Vec<Stratum> {
        let holds = |term: &Candidate, held: &[bool]| {
            term.literals().iter().all(|literal| held[literal.column() as usize])
        };
        let mut strata: std::collections::BTreeMap<Vec<bool>, Stratum> = Default::default();
        for (outcome, held) in rows {
            let others = terms.iter().enumerate().filter(|(other, _)| *other != number);
            let stratum = strata.entry(others.map(|(_, term)| holds(term, held)).collect()).or_default();
            let side = if holds(&terms[number], held) { &mut stratum.with } else { &mut stratum.without };
            *(if *outcome { &mut side.positive } else { &mut side.negative }) += 1;
        }
        strata.into_values().collect()
    }

    #[test]
    fn tests_match_strata_counted_row_by_row() {
        let data = random_data(1, 3000);
        let counter = LocalCounter::new(&data);
        let mut mask = counter.counted();
        draw_rows(&mut mask, 2000, &mut Random::new(2));
        let (searched, held_out) = (counter.within(&mask), counter.outside(&mask));
        assert_eq!((searched.rows() + held_out.rows()).total(), 3000);
        let causes = [conjunction(&[0]), conjunction(&[3, 4]), conjunction(&[6]), conjunction(&[3, 7])];
        let fixed = [Candidate::single(1)];
        let found = test_holdout(&searched, &held_out, &causes, &fixed).unwrap();
        let terms = [&causes[..], &fixed].concat();
        let unseen = extract_rows(&data, &held_out.counted());
        let copy = rebuild(&data, &unseen);
        assert_eq!(found, test_holdout(&searched, &LocalCounter::new(&copy), &causes, &fixed).unwrap());
        for (number, test) in found.iter().enumerate() {
            let expected = mantel_haenszel(&strata(&unseen, &terms, number)).unwrap().result;
            let result = test.result.unwrap();
            assert!((result.statistic - expected.statistic).abs() < 1e-9 * expected.statistic.max(1.0));
        }
        assert!(found[0].is_replicated(1e-6) && found[1].is_replicated(1e-6), "{found:?}");
        assert!(!found[2].is_replicated(0.01) && !found[3].is_replicated(0.01), "{found:?}");
    }

    /// A cause that raises the risk in one set of rows and lowers it in the other is not replicated, however small its
    /// p-value is.
    #[test]
    fn causes_with_opposite_directions_are_not_replicated() {
        let data = random_data(1, 2000);
        let flip = |rows: Vec<(bool, Vec<bool>)>| -> Vec<(bool, Vec<bool>)> {
            rows.into_iter()
                .map(|(outcome, mut held)| {
                    held[0] = !held[0];
                    (outcome, held)
                })
                .collect()
        };
        let counter = LocalCounter::new(&data);
        let flipped = rebuild(&data, &flip(extract_rows(&data, &counter.counted())));
        let causes = [Candidate::single(0)];
        let [found] = test_holdout(&counter, &LocalCounter::new(&flipped), &causes, &[]).unwrap()[..] else {
            panic!()
        };
        assert!(found.result.unwrap().p_value < 1e-9 && !found.same_direction && !found.is_replicated(0.05));
        let [same] = test_holdout(&counter, &counter, &causes, &[]).unwrap()[..] else { panic!() };
        assert!(same.is_replicated(0.05));
    }

    #[test]
    fn causes_without_informative_strata_are_not_replicated() {
        let data = random_data(1, 400);
        let counter = LocalCounter::new(&data);
        let empty = counter.within(&vec![crate::dataset::Block::ZERO; data.layout().blocks()]);
        let found = test_holdout(&counter, &empty, &[Candidate::single(0)], &[]).unwrap();
        assert_eq!(found, [HoldoutTest { result: None, same_direction: false }]);
        assert!(!found[0].is_replicated(0.99));
        assert!(test_holdout(&counter, &counter, &[], &[]).unwrap().is_empty());
    }
}
