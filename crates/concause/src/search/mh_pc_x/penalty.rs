//! The penalty of terms in the objective of the local search, in units of twice the log-likelihood.
//!
//! Let c be the chi-square critical value at alpha (one degree of freedom), and let m be the median gain of the best of
//! all n columns if all are noise: the chi-square quantile of ½^(1/n). A term costs, per column,
//!
//! - c + m for a column that no test has selected yet,
//! - max(c, m) for a *known* column, which HITON-PC has selected.
//!
//! The penalty is a sum over columns, not over terms. A conjunction costs as much as its parts do as single terms, so
//! the better fit decides between them. There are three exceptions. A conjunction of k columns costs (k − 1) c less if
//! few terms are favoured, or if every two of its columns cover all rows. With [`Penalty::per_conjunction`], a term of
//! k columns costs max(c, m) with m over all conjunctions of k columns. With [`Penalty::selection_only`], c is 0.

use rustc_hash::FxHashSet;

use crate::combinatorics::choose;
use crate::dataset::Candidate;
use crate::stats::critical_value;

/// The penalty of terms; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Penalty {
    columns: usize,
    /// c: the chi-square critical value at alpha, one degree of freedom.
    term: f64,
    /// m: the median gain of the best of all columns if all are noise.
    choice: f64,
    /// The columns that tests have already selected.
    known: FxHashSet<u32>,
    /// Pairs of columns of which at least one holds in every row.
    covering: FxHashSet<Candidate>,
    /// Whether few terms are favoured.
    few: bool,
    /// Whether a conjunction is penalised as one choice among all of its level, not column by column.
    per_conjunction: bool,
}

impl Penalty {
    /// The penalty at significance level alpha with this many columns to choose from, some of which are known.
    pub fn new(alpha: f64, columns: usize, known: FxHashSet<u32>) -> Self {
        Self {
            columns,
            term: critical_value(alpha, 1),
            choice: median_best_of_noise(columns as f64),
            known,
            covering: FxHashSet::default(),
            few: false,
            per_conjunction: false,
        }
    }

    /// The same penalty, given pairs of columns of which at least one holds in every row. A table of such a pair has
    /// three cells, which a conjunction describes with one term less than its parts do. If both fit, the simpler is
    /// preferred.
    pub fn with_covering(self, covering: FxHashSet<Candidate>) -> Self {
        Self { covering, ..self }
    }

    /// The penalty of a set of terms.
    pub fn total(&self, terms: &[Candidate]) -> f64 {
        terms.iter().map(|term| self.term_penalty(term)).sum()
    }

    fn term_penalty(&self, term: &Candidate) -> f64 {
        if self.per_conjunction {
            return median_best_of_noise(choose(self.columns, term.level()) as f64).max(self.term);
        }
        let column_penalty = |column: &u32| match self.known.contains(column) {
            true => self.choice.max(self.term),
            false => self.choice + self.term,
        };
        let columns: f64 = term.columns().iter().map(column_penalty).sum();
        let saved =
            if self.few || self.is_covering(term) { (term.level() - 1) as f64 * self.term } else { 0.0 };
        columns - saved
    }

    /// Whether, for every two columns of a term, at least one holds in every row. True for single columns.
    fn is_covering(&self, term: &Candidate) -> bool {
        let columns = term.columns();
        let mut pairs =
            columns.iter().enumerate().flat_map(|(i, &x)| columns[..i].iter().map(move |&y| [y, x]));
        pairs.all(|columns| self.covering.contains(&Candidate::new(columns.to_vec())))
    }

    /// The penalty that favours few terms: a conjunction of k columns costs (k − 1) c less.
    pub fn favouring_few_terms(&self) -> Self {
        Self { few: true, ..self.clone() }
    }

    /// The penalty of a conjunction as one choice among all conjunctions of its level, not column by column.
    pub fn per_conjunction(&self) -> Self {
        Self { per_conjunction: true, ..self.clone() }
    }

    /// The penalty for scores by tables, whose marginal likelihood already accounts for the number of parameters. Only
    /// the choice among the columns is penalised.
    pub fn selection_only(&self) -> Self {
        Self { term: 0.0, ..self.clone() }
    }
}

/// The median gain of the best of n candidates that are all noise.
fn median_best_of_noise(candidates: f64) -> f64 {
    // The tail probability is 1 − ½^(1/n), computed without loss of precision for large n.
    critical_value(-(-std::f64::consts::LN_2 / candidates.max(1.0)).exp_m1(), 1)
}
