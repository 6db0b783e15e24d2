//! Whether causes hold up in rows that the search did not see.
//!
//! What a search has found was chosen for looking strong in its rows. In others it is tested anew, and once: the test of
//! Mantel and Haenszel (1959) over the strata of all other causes and the covariates, which stays valid where strata are
//! many and small, and belongs to the adjusted effects.

use std::cmp::Ordering;

use super::adjusted::informative;
use crate::count::Counter;
use crate::dataset::Candidate;
use crate::independence::Tested;
use crate::rules::partial_association::{PartialAssociation, mantel_haenszel};

/// How a cause fared in rows that the search did not see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confirmation {
    /// The test in these rows; none if no stratum of the other causes has anything to compare.
    pub tested: Option<Tested>,
    /// Whether its association has the same direction there as in the rows searched, where both have one.
    pub same_direction: bool,
}

impl Confirmation {
    /// Whether the cause holds up: tested at alpha, and in the same direction.
    pub fn is_confirmed(&self, alpha: f64) -> bool {
        self.same_direction && self.tested.is_some_and(|tested| tested.p_value <= alpha)
    }
}

/// Tests causes in the rows held out, each beside all the others and what else is to be held fixed (covariates).
pub fn confirm(
    searched: &dyn Counter,
    held_out: &dyn Counter,
    causes: &[Candidate],
    fixed: &[Candidate],
) -> Vec<Confirmation> {
    let terms = [causes, fixed].concat();
    let [searched, held_out] = [searched, held_out].map(|counter| {
        let configurations = counter.configurations(&terms, &[], &|_, _, _| ());
        let test = |number| mantel_haenszel(&informative(&configurations, number));
        (0..causes.len()).map(test).collect::<Vec<_>>()
    });
    let direction = |found: &Option<PartialAssociation>| found.map_or(Ordering::Equal, |it| it.direction());
    searched
        .iter()
        .zip(&held_out)
        .map(|(before, now)| Confirmation {
            tested: now.map(|now| now.tested),
            same_direction: direction(now) != Ordering::Equal && direction(before) == direction(now),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::draw::draw;
    use super::super::oracle::{copied, made, rows};
    use super::*;
    use crate::count::{LocalCounter, Stratum};
    use crate::simulate::Random;

    fn conjunction(columns: &[u32]) -> Candidate {
        Candidate::new(columns.to_vec())
    }

    /// The strata of the other terms, row by row.
    fn strata(rows: &[(bool, Vec<bool>)], terms: &[Candidate], number: usize) -> Vec<Stratum> {
        let holds =
            |term: &Candidate, held: &[bool]| term.columns().iter().all(|&column| held[column as usize]);
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
    fn causes_are_tested_in_the_strata_of_the_others() {
        let data = made(1, 3000);
        let counter = LocalCounter::new(&data);
        let mut mask = counter.counted();
        draw(&mut mask, 2000, &mut Random::new(2));
        let (searched, held_out) = (counter.within(&mask), counter.outside(&mask));
        assert_eq!((searched.rows() + held_out.rows()).total(), 3000);
        let causes = [conjunction(&[0]), conjunction(&[3, 4]), conjunction(&[6]), conjunction(&[3, 7])];
        let fixed = [Candidate::single(1)];
        let found = confirm(&searched, &held_out, &causes, &fixed);
        let terms = [&causes[..], &fixed].concat();
        let unseen = rows(&data, &held_out.counted());
        let copy = copied(&data, &unseen);
        assert_eq!(found, confirm(&searched, &LocalCounter::new(&copy), &causes, &fixed));
        for (number, confirmation) in found.iter().enumerate() {
            let expected = mantel_haenszel(&strata(&unseen, &terms, number)).unwrap().tested;
            let tested = confirmation.tested.unwrap();
            assert!((tested.statistic - expected.statistic).abs() < 1e-9 * expected.statistic.max(1.0));
        }
        assert!(found[0].is_confirmed(1e-6) && found[1].is_confirmed(1e-6), "{found:?}");
        assert!(!found[2].is_confirmed(0.01) && !found[3].is_confirmed(0.01), "{found:?}");
    }

    /// What raises the risk in one set of rows and lowers it in the other is not confirmed, however small its p-value.
    #[test]
    fn the_other_direction_is_no_confirmation() {
        let data = made(1, 2000);
        let flip = |rows: Vec<(bool, Vec<bool>)>| -> Vec<(bool, Vec<bool>)> {
            rows.into_iter()
                .map(|(outcome, mut held)| {
                    held[0] = !held[0];
                    (outcome, held)
                })
                .collect()
        };
        let counter = LocalCounter::new(&data);
        let flipped = copied(&data, &flip(rows(&data, &counter.counted())));
        let causes = [Candidate::single(0)];
        let [found] = confirm(&counter, &LocalCounter::new(&flipped), &causes, &[])[..] else { panic!() };
        assert!(found.tested.unwrap().p_value < 1e-9 && !found.same_direction && !found.is_confirmed(0.05));
        let [same] = confirm(&counter, &counter, &causes, &[])[..] else { panic!() };
        assert!(same.is_confirmed(0.05));
    }

    #[test]
    fn without_anything_to_compare_nothing_is_confirmed() {
        let data = made(1, 400);
        let counter = LocalCounter::new(&data);
        let nowhere = counter.within(&vec![crate::dataset::Block::ZERO; data.layout().blocks()]);
        let found = confirm(&counter, &nowhere, &[Candidate::single(0)], &[]);
        assert_eq!(found, [Confirmation { tested: None, same_direction: false }]);
        assert!(!found[0].is_confirmed(0.99));
        assert!(confirm(&counter, &counter, &[], &[]).is_empty());
    }
}
