//! How many bytes of the page each long list may use. Together with the fixed contents the page stays under two
//! megabytes.

use maud::Markup;

/// The descriptions of the findings.
pub(super) const FINDINGS: usize = 800_000;

/// The table of causes.
pub(super) const CAUSES: usize = 330_000;

/// The candidates that are not causes.
pub(super) const CANDIDATES: usize = 600_000;

/// Notices, warnings and sources.
pub(super) const NOTICES: usize = 60_000;

/// The first items that fit into the budget.
pub(super) fn take_within(budget: usize, items: impl Iterator<Item = Markup>) -> Vec<Markup> {
    let mut left = budget;
    let fits_budget = |item: &Markup| {
        let fits = item.0.len() <= left;
        left = left.saturating_sub(item.0.len());
        fits
    };
    items.take_while(fits_budget).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maud::PreEscaped;

    #[test]
    fn items_after_the_first_that_does_not_fit_are_omitted() {
        let items = ["12", "345", "6789", "0"].map(|text| PreEscaped(text.to_owned()));
        assert_eq!(take_within(6, items.clone().into_iter()).len(), 2);
        assert_eq!(take_within(100, items.into_iter()).len(), 4);
    }
}
