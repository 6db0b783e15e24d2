//! The bitmaps of literals. Complements of columns are computed here and nowhere else.

use std::sync::OnceLock;

use crate::dataset::{Block, Dataset, Literal, LiteralKind};

/// The bitmaps of the literals of a dataset.
#[derive(Debug)]
pub(super) struct LiteralBits {
    dataset: Dataset,
    /// The bitmap of the negation of each column, computed when it is first used.
    negations: Box<[OnceLock<Vec<Block>>]>,
    /// 1 in every row.
    rows: OnceLock<Vec<Block>>,
}

impl LiteralBits {
    pub fn new(dataset: &Dataset) -> Self {
        let negations = dataset.columns().iter().map(|_| OnceLock::new()).collect();
        Self { dataset: dataset.clone(), negations, rows: OnceLock::new() }
    }

    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// The bitmap of all rows.
    pub fn rows(&self) -> &[Block] {
        self.rows.get_or_init(|| self.dataset.layout().full())
    }

    /// The rows in which a literal holds: the blocks of the cases, then those of the controls.
    pub fn get(&self, literal: Literal) -> &[Block] {
        let column = literal.column() as usize;
        match literal.kind() {
            LiteralKind::Plain => self.dataset.bits(column),
            LiteralKind::Negated => {
                self.negations[column].get_or_init(|| and_not(self.rows(), self.dataset.bits(column)))
            }
            // An encoded column has a value in every row.
            LiteralKind::Known => self.rows(),
        }
    }
}

/// The rows of `rows` that are not in `held`.
pub(super) fn and_not(rows: &[Block], held: &[Block]) -> Vec<Block> {
    let without =
        |(rows, held): (&Block, &Block)| Block(std::array::from_fn(|word| rows.0[word] & !held.0[word]));
    rows.iter().zip(held).map(without).collect()
}
