//! What terms cost.

use rustc_hash::FxHashSet;

use crate::dataset::Candidate;
use crate::independence::critical_value;

/// The price of terms, in units of twice the log-likelihood. Columns are paid for, not terms: a conjunction costs what
/// its parts cost one by one, so the better fit decides between them.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    columns: usize,
    /// What is significant.
    term: f64,
    /// A column that is chosen among all must beat what the best of them gains by chance every other time, …
    choice: f64,
    /// … and be significant beyond that, unless tests have chosen it already.
    known: FxHashSet<u32>,
    /// Pairs of columns of which every row has one.
    covering: FxHashSet<Candidate>,
    /// Whether each term costs too.
    few: bool,
    /// Whether conjunctions are chosen as such, and not column by column.
    whole: bool,
}

impl Prices {
    /// The prices at a level of significance, with so many columns to choose from, of which some are known.
    pub fn new(alpha: f64, columns: usize, known: FxHashSet<u32>) -> Self {
        Self {
            columns,
            term: critical_value(alpha, 1),
            choice: best_by_chance(columns as f64),
            known,
            covering: FxHashSet::default(),
            few: false,
            whole: false,
        }
    }

    /// The same, where every row has one of the columns of each of these pairs: a table of both has three cells, which a
    /// conjunction describes with one term less than its parts do. If both fit, the simpler is preferred.
    pub fn with_covering(self, covering: FxHashSet<Candidate>) -> Self {
        Self { covering, ..self }
    }

    /// The price of some terms.
    pub fn of(&self, terms: &[Candidate]) -> f64 {
        terms.iter().map(|term| self.of_term(term)).sum()
    }

    fn of_term(&self, term: &Candidate) -> f64 {
        if self.whole {
            return best_by_chance(combinations(self.columns, term.level())).max(self.term);
        }
        let column = |column: &u32| match self.known.contains(column) {
            true => self.choice.max(self.term),
            false => self.choice + self.term,
        };
        let columns: f64 = term.columns().iter().map(column).sum();
        let saved =
            if self.few || self.is_covering(term) { (term.level() - 1) as f64 * self.term } else { 0.0 };
        columns - saved
    }

    /// Whether no row lacks two columns of a conjunction.
    fn is_covering(&self, term: &Candidate) -> bool {
        let columns = term.columns();
        let mut pairs =
            columns.iter().enumerate().flat_map(|(i, &x)| columns[..i].iter().map(move |&y| [y, x]));
        pairs.all(|pair| self.covering.contains(&Candidate::new(pair.to_vec())))
    }

    /// The prices where few terms are preferred: a conjunction saves in any case what a term costs.
    pub fn of_few_terms(&self) -> Self {
        Self { few: true, ..self.clone() }
    }

    /// The prices where a conjunction is chosen among all of its level at once.
    pub fn of_whole_conjunctions(&self) -> Self {
        Self { whole: true, ..self.clone() }
    }

    /// The prices where terms are judged by tables, whose likelihood pays for terms itself: that of choosing a column.
    pub fn of_choice_alone(&self) -> Self {
        Self { term: 0.0, ..self.clone() }
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
