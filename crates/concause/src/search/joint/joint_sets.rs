//! The sets of terms of a table that act together.
//!
//! A table gives each configuration of its terms a risk of its own and does not say which of them interact. Two terms
//! act together if their product improves the logistic model of all terms of the table, by the same score that decides
//! about terms elsewhere. Terms that act together, directly or through others, are one set.

use super::space::ModelSpace;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::groups::Groups;
use crate::model::{Regression, Scale};

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
        let ln_marginal = |kept: &[usize]| {
            let groups = Groups::of_terms(&configurations, kept);
            let fitted = Regression::fit(Scale::Logistic, &groups, kept.len(), None);
            fitted.map_or(f64::NEG_INFINITY, |fitted| fitted.ln_marginal)
        };
        let mains: Vec<usize> = (0..tabled.len()).collect();
        let additive = ln_marginal(&mains);
        for (number, &(one, other)) in pairs.iter().enumerate() {
            let product = tabled.len() + number;
            let with_product = ln_marginal(&[&mains[..], &[product]].concat());
            if with_product - additive > space.cost(&all[product], Scale::Logistic, &[]) {
                let (kept, merged) = (set_of[one].min(set_of[other]), set_of[one].max(set_of[other]));
                set_of.iter_mut().filter(|set| **set == merged).for_each(|set| *set = kept);
            }
        }
    }
    let members = |set: usize| (0..tabled.len()).filter(|&term| set_of[term] == set).collect::<Vec<_>>();
    let join = |members: Vec<usize>| {
        let terms = members.into_iter().map(|member| tabled[member].clone());
        terms.reduce(|joint, term| joint.join(&term))
    };
    Ok((0..tabled.len()).filter_map(|set| join(members(set))).collect())
}
