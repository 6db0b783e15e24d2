//! What terms cost.

use rustc_hash::FxHashSet;

use crate::dataset::Candidate;
use crate::independence::critical_value;

/// The price of terms, in units of twice the log-likelihood.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    columns: usize,
    /// A term must be significant.
    term: f64,
    /// A column that is chosen among all must beat what the best of them gains by chance every other time.
    column: f64,
    /// A column that was chosen already, by tests, has been paid for as a term.
    known_column: f64,
    known: FxHashSet<u32>,
    /// Whether conjunctions are chosen as such, and not column by column.
    whole: bool,
}

impl Prices {
    /// The prices at a level of significance, with so many columns to choose from, of which some are known.
    pub fn new(alpha: f64, columns: usize, known: FxHashSet<u32>) -> Self {
        let (term, column) = (critical_value(alpha, 1), best_by_chance(columns as f64));
        Self { columns, term, column, known_column: (column - term).max(0.0), known, whole: false }
    }

    /// The price of some terms.
    pub fn of(&self, terms: &[Candidate]) -> f64 {
        let column = |column: &u32| if self.known.contains(column) { self.known_column } else { self.column };
        let term = |term: &Candidate| match self.whole {
            true => best_by_chance(combinations(self.columns, term.level())).max(self.term),
            false => self.term + term.columns().iter().map(column).sum::<f64>(),
        };
        terms.iter().map(term).sum()
    }

    /// The prices where a conjunction is chosen among all of its level at once.
    pub fn of_whole_conjunctions(&self) -> Self {
        Self { whole: true, ..self.clone() }
    }

    /// The prices where terms are judged by tables, whose likelihood pays for terms itself: that of choosing a column.
    pub fn of_choice_alone(&self) -> Self {
        Self { term: 0.0, known_column: self.column, ..self.clone() }
    }
}

/// What the best of so many candidates of noise gains every other time.
fn best_by_chance(candidates: f64) -> f64 {
    // 1 − ½^(1/n), without loss for large n.
    critical_value(-(-std::f64::consts::LN_2 / candidates.max(1.0)).exp_m1(), 1)
}

/// n choose k.
fn combinations(n: usize, k: usize) -> f64 {
    (0..k).map(|i| n.saturating_sub(i) as f64 / (i + 1) as f64).product()
}
