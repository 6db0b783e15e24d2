//! Single causes that only appear to be causes given an effect of the target.
//!
//! A model of the target given all columns contains not only its causes and effects but also the other causes of its
//! effects (the Markov blanket). Such a column is independent of the target unless the model contains the common
//! effect. It is therefore found by leaving out one term of the model at a time.

use rayon::prelude::*;

use super::model_search::ModelSearch;
use super::neighbours::Expansion;
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
    let (space, scale, terms) = (search.space, model.scale, search.terms_of(model));
    // The configurations without one of the terms follow from those of all terms.
    space.context.counter().prefetch(&terms, &[]);
    let best = Expansion::new(space, scale, terms.clone(), Vec::new(), None)?.regression;
    let Some(best) = best else { return Ok(found) };
    let is_free = |term: &&Candidate| !space.fixed.contains(term);
    let left_out: Vec<(usize, &Candidate)> =
        terms.iter().enumerate().filter(|(_, term)| is_free(term)).collect();
    let without = |&(number, left_out): &(usize, &Candidate)| -> Result<Vec<(Candidate, Reason)>, Error> {
        let others = terms.iter().filter(|term| *term != left_out);
        let rest: Vec<Candidate> = others.cloned().collect();
        let start = best.predict_mode(&[number], None);
        let fitted = Expansion::new(space, scale, rest.clone(), Vec::new(), Some(&start))?;
        let Some(regression) = fitted.regression else { return Ok(Vec::new()) };
        let mut separated = Vec::new();
        for (place, term) in rest.iter().enumerate().filter(|(_, term)| is_free(term) && term.level() == 1) {
            let column = term.unsigned(space.context.columns);
            let is_related = left_out.unsigned(space.context.columns).overlaps(&column);
            if !is_related && regression.predict_change(&[place], None) > 0.0 {
                let by = rest.iter().filter(|other| *other != term).cloned().collect();
                let p_value = TestResult::new(regression.wald(place), 1).p_value;
                separated.push((column, Reason::Separated { by, p_value }));
            }
        }
        Ok(separated)
    };
    let separated: Vec<_> = left_out.par_iter().map(without).collect::<Result<_, Error>>()?;
    for (column, reason) in separated.into_iter().flatten() {
        if found.iter().all(|(other, _)| *other != column) {
            found.push((column, reason));
        }
    }
    Ok(found)
}
