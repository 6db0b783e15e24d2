//! Single causes that only appear to be causes given an effect of the target.
//!
//! A model of the target given all columns contains not only its causes and effects but also the other causes of its
//! effects (the Markov blanket). Such a column is independent of the target unless the model contains the common
//! effect. It is therefore found by leaving out one term of the model at a time.

use rayon::prelude::*;

use super::model_search::ModelSearch;
use crate::dataset::Candidate;
use crate::error::Error;
use crate::model::Scale;
use crate::search::findings::Reason;
use crate::stats::TestResult;

/// The single terms of the best model that are independent of the target given all other terms but one: the marginal
/// likelihood without the column exceeds that with it.
pub(super) fn find_separated(search: &ModelSearch<'_>) -> Result<Vec<(Candidate, Reason)>, Error> {
    let mut found: Vec<(Candidate, Reason)> = Vec::new();
    let Some((model, _)) = search.best(None).filter(|(model, _)| model.scale != Scale::Table) else {
        return Ok(found);
    };
    let (space, terms) = (search.space, search.terms_of(model));
    let expansion = search.expansion(model, Vec::new())?;
    let is_free = |term: &&Candidate| !space.fixed.contains(term);
    let without = |left_out: usize| -> Vec<(Candidate, Reason)> {
        let Some(mut regression) = expansion.fit_without(left_out) else { return Vec::new() };
        regression.prepare_predictions();
        let left_out = &terms[left_out];
        let rest: Vec<&Candidate> = terms.iter().filter(|term| *term != left_out).collect();
        let mut separated = Vec::new();
        let is_single = |(_, term): &(usize, &&Candidate)| is_free(term) && space.level(term) == 1;
        for (place, &term) in rest.iter().enumerate().filter(is_single) {
            let column = term.unsigned();
            let is_related = left_out.unsigned().overlaps(&column);
            if !is_related && regression.predict_change(&[place], None).gain > 0.0 {
                let by = rest.iter().copied().filter(|other| *other != term).cloned().collect();
                let p_value = TestResult::new(regression.wald(place), 1).p_value;
                separated.push((column, Reason::Separated { by, p_value }));
            }
        }
        separated
    };
    let free: Vec<usize> = (0..terms.len()).filter(|&place| is_free(&&terms[place])).collect();
    let separated: Vec<_> = free.into_par_iter().flat_map_iter(without).collect();
    for (column, reason) in separated {
        if found.iter().all(|(other, _)| *other != column) {
            found.push((column, reason));
        }
    }
    Ok(found)
}
