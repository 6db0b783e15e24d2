//! G² and X² of a table.

use crate::count::Stratum;

/// G² = 2 Σ O ln(O/E) over all cells; empty cells contribute nothing.
pub fn g2(table: &[Stratum]) -> f64 {
    let sum: f64 = table
        .iter()
        .map(|stratum| {
            sum_cells(stratum, |cell| {
                if cell.observed == 0 {
                    return 0.0;
                }
                let (excess, expected) = cell.excess();
                cell.observed as f64 * (excess / expected).ln_1p()
            })
        })
        .sum();
    // An independent table can come out a rounding error below zero.
    (2.0 * sum).max(0.0)
}

/// Pearson's X² = Σ (O − E)²/E over the cells with E > 0.
pub fn x2(table: &[Stratum]) -> f64 {
    let term = |cell: Cell| {
        let (excess, expected) = cell.excess();
        if expected > 0.0 { excess / cell.all as f64 * (excess / expected) } else { 0.0 }
    };
    table.iter().map(|stratum| sum_cells(stratum, term)).sum()
}

/// One cell of a 2×2 table, with its margins.
#[derive(Clone, Copy)]
struct Cell {
    observed: u64,
    row: u64,
    column: u64,
    all: u64,
}

impl Cell {
    /// (O − E)·n and E·n, where E·n = row·column: both are whole numbers, and exact until they are rounded here.
    /// Near independence, where the terms of a statistic all but cancel, quotients of O and E would lose half of
    /// the digits.
    fn excess(&self) -> (f64, f64) {
        let expected = u128::from(self.row) * u128::from(self.column);
        let observed = u128::from(self.observed) * u128::from(self.all);
        ((observed as i128 - expected as i128) as f64, expected as f64)
    }
}

/// Adds a term over the four cells of a stratum; an empty stratum adds nothing.
fn sum_cells(stratum: &Stratum, term: impl Fn(Cell) -> f64) -> f64 {
    let columns = stratum.all();
    let all = columns.total();
    if all == 0 {
        return 0.0;
    }
    [stratum.with, stratum.without]
        .iter()
        .map(|rows| {
            let row = rows.total();
            term(Cell { observed: rows.positive, row, column: columns.positive, all })
                + term(Cell { observed: rows.negative, row, column: columns.negative, all })
        })
        .sum()
}

/// Σ over the strata of (non-empty rows − 1)(non-empty columns − 1).
pub fn adjusted_degrees_of_freedom(table: &[Stratum]) -> u32 {
    let full = |stratum: &&Stratum| {
        let columns = stratum.all();
        stratum.with.total() > 0
            && stratum.without.total() > 0
            && columns.positive > 0
            && columns.negative > 0
    };
    table.iter().filter(full).count() as u32
}
