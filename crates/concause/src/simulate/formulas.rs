//! Boolean formulas with noise: the kind of data on which coincidence analysis is evaluated.

use super::unnamed::{SignedVariable, UnnamedData};
use super::{AllowedRange, SimulateError, Variable};
use crate::random::Random;

/// Two outcomes that follow Boolean formulas, one of them the target, among many columns with a share of one half.
///
/// Each formula is a disjunction of conjunctions of columns and negated columns, such as `a&!b | c&d&e`. The seed
/// determines which columns occur and which are negated; each formula has at least one negated and one positive
/// column. The formulas share one column, which is positive in one formula and negated in the other. The other
/// outcome is a member of the last term of the target's formula, so that its causes are indirect causes of the target.
/// The data `d.highdim` of the R package cna has the same structure with other formulas.
///
/// The causes of the target are the terms of its formula; `!V3` is the negation of V3.
#[derive(Clone, Debug, PartialEq)]
pub struct Formulas {
    /// The number of columns in each term of the target's formula.
    pub terms: Vec<usize>,
    /// The same for the other outcome.
    pub other_terms: Vec<usize>,
    /// The share of rows that break a formula, exact up to rounding. In such a row the two outcomes have one of the
    /// three pairs of values that contradict the formulas, all equally likely.
    pub noise: f64,
}

impl Default for Formulas {
    fn default() -> Self {
        Self { terms: vec![2, 3, 2], other_terms: vec![2, 3], noise: 0.2 }
    }
}

/// A disjunction of conjunctions.
type Formula = Vec<Vec<SignedVariable>>;

impl Formulas {
    /// The number of distinct columns in the formulas, including the other outcome. The shared column counts once.
    fn count_columns(&self) -> usize {
        let sum = |terms: &[usize]| terms.iter().fold(0usize, |sum, &size| sum.saturating_add(size));
        sum(&self.terms).saturating_add(sum(&self.other_terms)).saturating_sub(1)
    }

    pub(super) fn check(&self, predictors: usize) -> Result<(), SimulateError> {
        for (parameter, terms) in [("terms", &self.terms), ("other-terms", &self.other_terms)] {
            if terms.is_empty() || terms.iter().any(|&size| size < 2) {
                return Err(SimulateError::TermTooShort { parameter });
            }
        }
        let needed = self.count_columns();
        if needed > predictors {
            return Err(SimulateError::FormulasTooLarge { needed, predictors });
        }
        AllowedRange::HALF_OPEN_UNIT.check("noise", self.noise)
    }

    pub(super) fn generate(&self, rows: usize, predictors: usize, random: &mut Random) -> UnnamedData {
        // Column 0 is the other outcome.
        let (other, target) = self.draw_formulas(random);
        let mut columns: Vec<Vec<bool>> = (0..predictors)
            .map(|column| {
                if column == 0 { vec![false; rows] } else { (0..rows).map(|_| random.chance(0.5)).collect() }
            })
            .collect();
        let mut noisy: Vec<bool> = vec![false; rows];
        let broken = libm::round(self.noise * rows as f64) as usize;
        noisy.iter_mut().take(broken).for_each(|row| *row = true);
        random.shuffle(&mut noisy);
        let mut outcome = Vec::with_capacity(rows);
        for (row, &noisy) in noisy.iter().enumerate() {
            // Noise breaks the formula of the other outcome, that of the target, or both.
            let breaks = if noisy { 1 + random.below(3) } else { 0 };
            columns[0][row] = holds(&other, &columns, row) ^ (breaks & 1 == 1);
            outcome.push(holds(&target, &columns, row) ^ (breaks & 2 == 2));
        }
        let columns = columns.iter().map(|bits| Variable::binary(String::new(), bits)).collect();
        UnnamedData { columns, causes: target, outcome }
    }

    /// Draws the formulas of the other outcome and of the target. Columns are numbered from 1; naming shuffles them.
    fn draw_formulas(&self, random: &mut Random) -> (Formula, Formula) {
        let mut unused = 2..;
        let mut fresh = || SignedVariable::positive(unused.next().unwrap_or(0));
        let mut formula = |sizes: &[usize]| -> Formula {
            sizes.iter().map(|&size| (0..size).map(|_| fresh()).collect()).collect()
        };
        let (mut other, mut target) = (formula(&self.other_terms), formula(&self.terms));
        let shared = 1;
        other[0][0].column = shared;
        target[0][0].column = shared;
        if let Some(literal) = target.last_mut().and_then(|term| term.last_mut()) {
            literal.column = 0;
        }
        close_gaps(&mut other, &mut target);
        let negated = random.chance(0.5);
        draw_signs(&mut other, negated, random);
        draw_signs(&mut target, !negated, random);
        (other, target)
    }
}

/// Renumbers the columns 0, 1, 2, … without gaps, in their order.
fn close_gaps(other: &mut Formula, target: &mut Formula) {
    let mut used: Vec<usize> = other.iter().chain(&*target).flatten().map(|literal| literal.column).collect();
    used.sort_unstable();
    used.dedup();
    for literal in other.iter_mut().chain(target).flatten() {
        literal.column = used.binary_search(&literal.column).unwrap_or(0);
    }
}

/// Draws which columns are negated; the sign of the first is given. At least one is negated and one is not.
fn draw_signs(formula: &mut Formula, first: bool, random: &mut Random) {
    loop {
        let mut negated = 0;
        let mut all = 0;
        for (place, literal) in formula.iter_mut().flatten().enumerate() {
            literal.negated = if place == 0 { first } else { random.chance(0.5) };
            negated += usize::from(literal.negated);
            all += 1;
        }
        if negated > 0 && negated < all {
            return;
        }
    }
}

fn holds(formula: &Formula, columns: &[Vec<bool>], row: usize) -> bool {
    formula.iter().any(|term| term.iter().all(|literal| columns[literal.column][row] != literal.negated))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_of_the_kind_described() {
        let kind = Formulas::default();
        let mut random = Random::new(16);
        for _ in 0..200 {
            let (other, target) = kind.draw_formulas(&mut random);
            assert_eq!(other.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3]);
            assert_eq!(target.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3, 2]);
            let columns = |formula: &Formula| -> Vec<usize> {
                formula.iter().flatten().map(|literal| literal.column).collect()
            };
            assert_eq!(columns(&other), [1, 2, 3, 4, 5]);
            assert_eq!(columns(&target), [1, 6, 7, 8, 9, 10, 0]);
            assert_ne!(other[0][0].negated, target[0][0].negated);
            for formula in [&other, &target] {
                let signs: Vec<bool> = formula.iter().flatten().map(|literal| literal.negated).collect();
                assert!(signs.contains(&true) && signs.contains(&false));
            }
        }
        assert_eq!(kind.count_columns(), 11);
    }

    #[test]
    fn noise_breaks_the_requested_share_of_rows_in_three_ways() {
        let (rows, predictors) = (60_000, 12);
        let kind = Formulas::default();
        // The same seed draws the same formulas first.
        let (other, target) = kind.draw_formulas(&mut Random::new(17));
        let data = kind.generate(rows, predictors, &mut Random::new(17));
        let columns: Vec<Vec<bool>> = data
            .columns
            .iter()
            .map(|variable| variable.codes.iter().map(|&code| code == 1).collect())
            .collect();
        let mut broken = [0i32; 4];
        for row in 0..rows {
            let other_broken = holds(&other, &columns, row) != columns[0][row];
            let target_broken = holds(&target, &columns, row) != data.outcome[row];
            broken[usize::from(other_broken) + 2 * usize::from(target_broken)] += 1;
        }
        assert_eq!(broken[0], 48_000);
        assert!(broken[1..].iter().all(|&count| (count - 4000).abs() < 6 * 52), "{broken:?}");
        assert_eq!(data.causes, target);
        // Shares of one half, within six standard deviations.
        for column in &columns[1..] {
            let ones = column.iter().filter(|&&one| one).count() as f64;
            assert!((ones - 30_000.0).abs() < 6.0 * 122.5, "{ones}");
        }
    }

    #[test]
    fn impossible_formulas_are_rejected() {
        let rejected = |change: fn(&mut Formulas)| {
            let mut formulas = Formulas::default();
            change(&mut formulas);
            formulas.check(49).unwrap_err().to_string()
        };
        assert_eq!(
            rejected(|formulas| formulas.terms = vec![]),
            "terms must list the number of columns of each term, each at least 2"
        );
        assert_eq!(
            rejected(|formulas| formulas.other_terms = vec![2, 1]),
            "other-terms must list the number of columns of each term, each at least 2"
        );
        assert_eq!(
            rejected(|formulas| formulas.terms = vec![40, 6]),
            "the formulas need 50 predictors, but there are 49"
        );
        assert_eq!(
            rejected(|formulas| formulas.noise = 1.0),
            "noise must be at least 0 and less than 1, but is 1"
        );
        let smallest = Formulas { terms: vec![2], other_terms: vec![2], noise: 0.0 };
        assert_eq!((smallest.check(3), smallest.check(2).is_err()), (Ok(()), true));
        assert_eq!(smallest.generate(10, 3, &mut Random::new(1)).columns.len(), 3);
    }
}
