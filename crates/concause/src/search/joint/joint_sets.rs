//! The sets of terms of a table that act together.
//!
//! A table gives each configuration of its terms a risk of its own and does not say which of them interact. Two terms
//! act together if their product improves the logistic model of all terms of the table, by the same score that decides
//! about terms elsewhere. Terms that act together, directly or through others, are one set.

use super::effort::LEAST_CORRELATION;
use super::space::ModelSpace;
use crate::dataset::{Candidate, Column};
use crate::error::Error;
use crate::model::groups::Groups;
use crate::model::{Quadratic, Regression, Scale};

/// Tabled terms, with one conjunction in place of those that act together.
pub(super) fn find_joint_sets(space: &ModelSpace<'_>, tabled: &[Candidate]) -> Result<Vec<Candidate>, Error> {
    // The set of each term, by the number of its first term.
    let mut set_of: Vec<usize> = (0..tabled.len()).collect();
    let pairs = (0..tabled.len()).flat_map(|one| (one + 1..tabled.len()).map(move |other| (one, other)));
    let pairs: Vec<(usize, usize)> =
        pairs.filter(|&(one, other)| space.allows(&tabled[one].join(&tabled[other]))).collect();
    if !pairs.is_empty() {
        let products = pairs.iter().map(|&(one, other)| tabled[one].join(&tabled[other]));
        let all: Vec<Candidate> = tabled.iter().cloned().chain(products).collect();
        let configurations = space.context.counter().configurations_of(&all)?;
        let mains: Vec<usize> = (0..tabled.len()).collect();
        let of_mains = Groups::of_terms(&configurations, &mains);
        let groups = Groups::from(&configurations);
        // One fit: the gain of each product is that of the quadratic approximation at the mode without products.
        let additive = Regression::fit(Scale::Logistic, &of_mains, mains.len(), None);
        let quadratic = additive.and_then(|fitted| {
            Quadratic::new(
                Scale::Logistic,
                &groups,
                all.len(),
                &mains,
                &fitted.coefficients,
                LEAST_CORRELATION,
            )
        });
        for (number, &(one, other)) in pairs.iter().enumerate() {
            let product = tabled.len() + number;
            let gain =
                quadratic.as_ref().map_or(f64::NEG_INFINITY, |quadratic| quadratic.predict(&[product]));
            if gain > space.cost(&all[product], Scale::Logistic, &[]) {
                let (kept, merged) = (set_of[one].min(set_of[other]), set_of[one].max(set_of[other]));
                set_of.iter_mut().filter(|set| **set == merged).for_each(|set| *set = kept);
            }
        }
    }
    let members = |set: usize| (0..tabled.len()).filter(|&term| set_of[term] == set).collect::<Vec<_>>();
    let columns = space.context.columns();
    let join = |members: Vec<usize>| join_parts(members.into_iter().map(|member| &tabled[member]), columns);
    Ok((0..tabled.len()).filter_map(|set| join(members(set))).collect())
}

/// One conjunction of all terms, with one part for each attribute: a threshold or value of an attribute after the first
/// is left out, unless it is the end of an interval.
fn join_parts<'a>(terms: impl Iterator<Item = &'a Candidate>, columns: &[Column]) -> Option<Candidate> {
    terms.flat_map(Candidate::literals).fold(None, |joint: Option<Candidate>, &literal| {
        let single = Candidate::single(literal);
        let longer = joint.as_ref().map_or(single.clone(), |joint| joint.join(&single));
        if longer.parts(columns).is_some() { Some(longer) } else { joint }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Literal;

    #[test]
    fn a_conjunction_has_one_part_for_each_attribute() {
        let ages = ["25", "30", "44"].map(|cut| Column::threshold("age", cut));
        let others = ["A", "B"].map(|value| Column::of_value("town", value).of_attribute(1));
        let columns: Vec<Column> = ages.into_iter().chain(others).collect();
        let name = |terms: &[Candidate]| join_parts(terms.iter(), &columns).unwrap().name(&columns);
        let middle = Candidate::new([Literal::plain(1), Literal::negation(2)]);
        let [young, town, other] = [0, 3, 4].map(|column| Candidate::single(Literal::plain(column)));
        assert_eq!(name(&[middle.clone(), town.clone(), other.clone()]), "30<=age<44&town=A");
        assert_eq!(name(&[young.clone(), middle, town]), "25<=age<44&town=A");
        assert_eq!(name(&[young, Candidate::single(Literal::plain(2))]), "age>=25");
        assert!(join_parts([].iter(), &columns).is_none());
    }
}
