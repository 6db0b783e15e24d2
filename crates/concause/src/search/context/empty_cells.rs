//! The pairs of columns with an empty cell: no row has a certain value of one and a certain value of the other.
//!
//! Each pair takes half a byte, and columns without an empty cell take none, so that the pairs of tens of thousands of
//! sparse columns fit into memory.

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::count::{Count, Counter, Grid, PairCells, into_inner, lock, pair_grids};
use crate::dataset::{Candidate, Column, Literal};
use crate::error::Error;

/// The empty cells of pairs of columns of different attributes.
#[derive(Debug)]
pub(crate) struct EmptyCells {
    /// The columns, in ascending order.
    columns: Vec<u32>,
    /// For each column and each later one, a bit for each cell in the order of [`PairCells::SIGNS`]; nothing if the
    /// column has no empty cell with a later one.
    later: Vec<Box<[u8]>>,
}

impl EmptyCells {
    /// Counts all pairs of some columns, which are in ascending order. `counts` has the count of every column.
    pub fn find(
        counter: &dyn Counter,
        of_attributes: &[Column],
        counts: &[Count],
        columns: Vec<u32>,
    ) -> Result<Self, Error> {
        let all_rows = Candidate::default();
        let literals = Literal::plain_all(&columns);
        let grids = pair_grids(&all_rows, &literals);
        let rows = counter.rows().total();
        let total = |literal: Literal| counts[literal.column() as usize].total();
        let later: Mutex<Vec<Box<[u8]>>> = Mutex::new(vec![Box::default(); columns.len()]);
        counter.grids(&grids, &|number, both| {
            let Grid { left, right, .. } = grids[number];
            let pairs = left.iter().flat_map(|&x| right.iter().map(move |&y| (x, y)));
            let mut found: Vec<(usize, usize, u8)> = Vec::new();
            for ((x, y), both) in pairs.zip(both) {
                if x.attribute(of_attributes) == y.attribute(of_attributes) {
                    continue;
                }
                let (x, y) = (x.min(y), x.max(y));
                let cells = PairCells::new(both.total(), total(x), total(y), rows).cells;
                let empty = (0..4).fold(0, |bits, cell| bits | u8::from(cells[cell] == 0) << cell);
                let place = |literal: Literal| columns.binary_search(&literal.column());
                if let (1.., Ok(x), Ok(y)) = (empty, place(x), place(y)) {
                    found.push((x, y, empty));
                }
            }
            let mut later = lock(&later);
            for (x, y, empty) in found {
                let bytes = &mut later[x];
                if bytes.is_empty() {
                    *bytes = vec![0; (columns.len() - x - 1).div_ceil(2)].into();
                }
                bytes[(y - x - 1) / 2] |= empty << (4 * ((y - x - 1) % 2));
            }
            ControlFlow::Continue(())
        })?;
        Ok(Self { later: into_inner(later), columns })
    }

    /// Whether no pair has an empty cell.
    pub fn is_empty(&self) -> bool {
        self.later.iter().all(|bytes| bytes.is_empty())
    }

    /// Whether every row has at least one of two literals.
    pub fn has_every_row(&self, one: Literal, two: Literal) -> bool {
        let (one, two) = if one.column() < two.column() { (one, two) } else { (two, one) };
        let place = |literal: Literal| self.columns.binary_search(&literal.column());
        let (Ok(x), Ok(y)) = (place(one), place(two)) else { return false };
        let signs = [one.is_negated(), two.is_negated()];
        let cell = PairCells::<u64>::SIGNS.iter().position(|own| *own == signs);
        let bytes = &self.later[x];
        x < y
            && !bytes.is_empty()
            && cell.is_some_and(|cell| bytes[(y - x - 1) / 2] >> (4 * ((y - x - 1) % 2) + cell) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::LocalCounter;
    use crate::dataset::{DatasetBuilder, Target};
    use crate::random::Random;

    /// The rows without both literals, row by row.
    #[test]
    fn empty_cells_agree_with_counting_row_by_row() {
        let mut random = Random::new(8);
        for rows in [5, 20, 60] {
            let mut values: Vec<Vec<bool>> = Vec::new();
            let mut builder = DatasetBuilder::new(
                Target { name: "T".into(), value: None },
                (0..rows).map(|row| row % 2 == 0).collect(),
            );
            for attribute in 0..12 {
                let share = [0.1, 0.5, 0.9][attribute % 3];
                let own: Vec<Option<usize>> =
                    (0..rows).map(|_| random.chance(share).then(|| random.below(2))).collect();
                let names: Vec<String> = (0..2).map(|value| format!("A{attribute}={value}")).collect();
                builder.attribute(&format!("A{attribute}"), names, own.iter().copied());
                for value in 0..2 {
                    values.push(own.iter().map(|own| *own == Some(value)).collect());
                }
            }
            let data = builder.finish();
            let counter = LocalCounter::new(&data);
            let columns: Vec<u32> = (0..24).filter(|column| column % 5 != 0).collect();
            let singles: Vec<Candidate> = (0..24).map(Candidate::single).collect();
            let counts = counter.counts(&singles).unwrap();
            let found = EmptyCells::find(&counter, data.columns(), &counts, columns.clone()).unwrap();
            assert!(!found.is_empty());
            let pairs = (0..24).flat_map(|one| (0..24).map(move |two| (one, two)));
            for (one, two) in pairs.filter(|(one, two)| one / 2 != two / 2) {
                for (one, two) in
                    Literal::signs(one).into_iter().flat_map(|one| Literal::signs(two).map(|two| (one, two)))
                {
                    let holds = |literal: Literal, row: usize| {
                        values[literal.column() as usize][row] != literal.is_negated()
                    };
                    let is_known = [one, two].iter().all(|literal| columns.contains(&literal.column()));
                    let expected = is_known && (0..rows).all(|row| holds(one, row) || holds(two, row));
                    assert_eq!(found.has_every_row(one, two), expected, "{one:?} {two:?}");
                }
            }
        }
    }
}
