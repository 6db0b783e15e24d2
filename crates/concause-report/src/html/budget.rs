//! How much of what there is much of goes into the page, in bytes. Together with what is always there this stays
//! under two megabytes.

use maud::Markup;

/// The findings in words.
pub(super) const FINDINGS: usize = 800_000;

/// The table of causes.
pub(super) const CAUSES: usize = 330_000;

/// The candidates that are no causes.
pub(super) const CANDIDATES: usize = 600_000;

/// Notices, sources and what was known.
pub(super) const NOTICES: usize = 60_000;

/// As many of the items as the budget allows, from the first on.
pub(super) fn within(budget: usize, items: impl Iterator<Item = Markup>) -> Vec<Markup> {
    let mut left = budget;
    let affordable = |item: &Markup| {
        let fits = item.0.len() <= left;
        left = left.saturating_sub(item.0.len());
        fits
    };
    items.take_while(affordable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maud::PreEscaped;

    #[test]
    fn what_does_not_fit_is_left_out_and_all_after_it() {
        let items = ["12", "345", "6789", "0"].map(|text| PreEscaped(text.to_owned()));
        assert_eq!(within(6, items.clone().into_iter()).len(), 2);
        assert_eq!(within(100, items.into_iter()).len(), 4);
    }
}
