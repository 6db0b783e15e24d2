//! Copies a subset of the rows of a dataset. For many counts in the same rows, a copy is faster than a mask.

use rayon::prelude::*;

use super::LocalCounter;
use super::kernel::picks;
use crate::dataset::{BLOCK_BITS, Block, Dataset, DatasetBuilder};

impl LocalCounter {
    /// Copies the counted rows into a dataset, in the same order.
    pub fn to_dataset(&self) -> Dataset {
        let split = self.dataset().layout().positive_blocks();
        let (mut cases, mut controls) = (self.counted(), self.counted());
        cases[split..].fill(Block::ZERO);
        controls[..split].fill(Block::ZERO);
        self.with_outcome(&cases, &controls)
    }

    /// Copies the rows of two bitmaps into a dataset with a new outcome: 1 in the rows of `cases`, 0 in those of
    /// `controls`.
    pub(crate) fn with_outcome(&self, cases: &[Block], controls: &[Block]) -> Dataset {
        let (dataset, kernel) = (self.dataset(), self.kernel());
        let classes = [cases, controls].map(|rows| (picks(rows).collect::<Vec<_>>(), kernel.count(rows)));
        let [(_, positive), (_, negative)] = &classes;
        let outcome = (0..positive + negative).map(|row| row < *positive).collect();
        let attributes: Vec<_> = dataset.columns().chunk_by(|a, b| a.attribute == b.attribute).collect();
        let starts: Vec<usize> = attributes
            .iter()
            .scan(0, |next, columns| Some(std::mem::replace(next, *next + columns.len())))
            .collect();
        let squeezed = |(columns, &start): (&&[_], &usize)| {
            let mut bits = Vec::new();
            for column in start..start + columns.len() {
                for (picks, rows) in &classes {
                    let end = bits.len();
                    bits.resize(end + rows.div_ceil(BLOCK_BITS) as usize, Block::ZERO);
                    kernel.squeeze(picks, dataset.bits(column), &mut bits[end..]);
                }
            }
            bits
        };
        let bits: Vec<Vec<Block>> = attributes.par_iter().zip(&starts).map(squeezed).collect();
        let mut builder = DatasetBuilder::new(dataset.target().clone(), outcome);
        for (columns, bits) in attributes.into_iter().zip(bits) {
            builder.add(&dataset.attributes()[columns[0].attribute], columns.to_vec(), bits);
        }
        builder.finish()
    }
}
