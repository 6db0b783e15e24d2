//! G² and X² of a table.

use crate::count::{Stratum, Table};

/// G² = 2 Σ O ln(O/E) over all cells; empty cells contribute nothing.
pub fn g2(table: &Table) -> f64 {
    let term = |observed: u64, row: u64, column: u64, all: u64| {
        if observed == 0 {
            return 0.0;
        }
        // Products of counts are exact in f64 only up to 2^53, so divide first: each quotient is at most 1.
        let observed = observed as f64;
        observed * ((observed / row as f64) / (column as f64 / all as f64)).ln()
    };
    let sum: f64 = table.strata.iter().map(|stratum| sum_cells(stratum, term)).sum();
    // An independent table can come out a rounding error below zero.
    (2.0 * sum).max(0.0)
}

/// Pearson's X² = Σ (O − E)²/E over the cells with E > 0.
pub fn x2(table: &Table) -> f64 {
    let term = |observed: u64, row: u64, column: u64, all: u64| {
        let expected = row as f64 * (column as f64 / all as f64);
        if expected > 0.0 { (observed as f64 - expected).powi(2) / expected } else { 0.0 }
    };
    table.strata.iter().map(|stratum| sum_cells(stratum, term)).sum()
}

/// Adds `term(observed, row, column, all)` over the four cells of a stratum; an empty stratum adds nothing.
fn sum_cells(stratum: &Stratum, term: impl Fn(u64, u64, u64, u64) -> f64) -> f64 {
    let columns = stratum.all();
    let all = columns.total();
    if all == 0 {
        return 0.0;
    }
    [stratum.with, stratum.without]
        .iter()
        .map(|row| {
            term(row.positive, row.total(), columns.positive, all)
                + term(row.negative, row.total(), columns.negative, all)
        })
        .sum()
}

/// Σ over the strata of (non-empty rows − 1)(non-empty columns − 1).
pub fn adjusted_degrees_of_freedom(table: &Table) -> u32 {
    let full = |stratum: &&Stratum| {
        let columns = stratum.all();
        stratum.with.total() > 0
            && stratum.without.total() > 0
            && columns.positive > 0
            && columns.negative > 0
    };
    table.strata.iter().filter(full).count() as u32
}
