//! What terms cost.

use rustc_hash::FxHashSet;

use crate::dataset::Candidate;
use crate::independence::critical_value;

/// The price of a term and of each of its columns, in units of twice the log-likelihood.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    /// A term must be significant.
    term: f64,
    /// A column that is chosen among all must beat what the best of them gains by chance every other time.
    column: f64,
    /// A column that was chosen already, by tests, has been paid for as a term.
    known_column: f64,
    known: FxHashSet<u32>,
}

impl Prices {
    /// The prices at a level of significance, with so many columns to choose from, of which some are known.
    pub fn new(alpha: f64, columns: usize, known: FxHashSet<u32>) -> Self {
        let even_chance = 1.0 - 0.5f64.powf(1.0 / columns.max(1) as f64);
        let (term, column) = (critical_value(alpha, 1), critical_value(even_chance, 1));
        Self { term, column, known_column: (column - term).max(0.0), known }
    }

    /// The price of some terms.
    pub fn of(&self, terms: &[Candidate]) -> f64 {
        let column = |column: &u32| if self.known.contains(column) { self.known_column } else { self.column };
        terms.iter().map(|term| self.term + term.columns().iter().map(column).sum::<f64>()).sum()
    }

    /// The prices where terms are judged by tables, whose likelihood pays for terms itself: that of choosing a column.
    pub fn of_choice_alone(&self) -> Self {
        Self { term: 0.0, known_column: self.column, ..self.clone() }
    }
}
