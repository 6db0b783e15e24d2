//! The statistics G² and X² of a table.

use crate::count::Stratum;

/// G² = 2 Σ O ln(O/E) over all cells; empty cells contribute nothing.
pub(super) fn g2(table: &[Stratum]) -> f64 {
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
    // Rounding could make the sum of an independent table negative.
    (2.0 * sum).max(0.0)
}

/// Pearson's X² = Σ (O − E)²/E over the cells with E > 0.
pub(super) fn x2(table: &[Stratum]) -> f64 {
    let term = |cell: CellMargins| {
        let (excess, expected) = cell.excess();
        if expected > 0.0 { excess / cell.all as f64 * (excess / expected) } else { 0.0 }
    };
    table.iter().map(|stratum| sum_cells(stratum, term)).sum()
}

/// One cell of a 2×2 table, with its margins.
#[derive(Clone, Copy)]
struct CellMargins {
    observed: u64,
    row: u64,
    column: u64,
    all: u64,
}

impl CellMargins {
    /// (O − E)·n and E·n, where E·n = row·column. Both are integers and are computed exactly before they are rounded
    /// here. Near independence, the terms of a statistic nearly cancel, and quotients of O and E would lose half of
    /// the digits.
    fn excess(&self) -> (f64, f64) {
        let expected = u128::from(self.row) * u128::from(self.column);
        let observed = u128::from(self.observed) * u128::from(self.all);
        ((observed as i128 - expected as i128) as f64, expected as f64)
    }
}

/// The sum of a term over the four cells of a stratum; 0 if the stratum is empty.
fn sum_cells(stratum: &Stratum, term: impl Fn(CellMargins) -> f64) -> f64 {
    let columns = stratum.total_count();
    let all = columns.total();
    if all == 0 {
        return 0.0;
    }
    [stratum.with, stratum.without]
        .iter()
        .map(|rows| {
            let row = rows.total();
            term(CellMargins { observed: rows.positive, row, column: columns.positive, all })
                + term(CellMargins { observed: rows.negative, row, column: columns.negative, all })
        })
        .sum()
}

/// The degrees of freedom Σ (non-empty rows − 1)(non-empty columns − 1) over the strata; `None` if they are 0 or
/// there are fewer than five rows per cell.
pub(super) fn adjusted_degrees_of_freedom(table: &[Stratum]) -> Option<u32> {
    let cells = 4 * table.len() as u64;
    let rows: u64 = table.iter().map(|stratum| stratum.total_count().total()).sum();
    Some(varying_strata(table)).filter(|df| *df > 0 && rows >= 5 * cells)
}

/// The number of strata in which both the candidate and the target vary.
pub(super) fn varying_strata(table: &[Stratum]) -> u32 {
    let varies = |stratum: &&Stratum| {
        let columns = stratum.total_count();
        stratum.with.total() > 0
            && stratum.without.total() > 0
            && columns.positive > 0
            && columns.negative > 0
    };
    table.iter().filter(varies).count() as u32
}
