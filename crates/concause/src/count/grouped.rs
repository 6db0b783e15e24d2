//! The rows of a dataset grouped by configuration.

use super::configurations::words;
use super::{Configurations, Count};
use crate::dataset::{BLOCK_BITS, Block, Layout, ones};

/// The configurations of some terms, and which of them each row has.
pub(super) struct Grouped {
    pub configurations: Configurations,
    split: usize,
    /// By place in a bitmap, for the rows that count.
    of_row: Vec<u32>,
}

impl Grouped {
    /// Groups the rows of `counted` by the bitmaps of the terms, which must be within these rows.
    pub fn new(layout: Layout, counted: &[Block], terms: &[impl AsRef<[Block]>]) -> Self {
        let places = layout.blocks() * BLOCK_BITS as usize;
        let split = layout.positive_blocks() * BLOCK_BITS as usize;
        let width = words(terms.len());
        let mut keys = vec![0u64; places * width];
        for (term, bits) in terms.iter().enumerate() {
            let (word, bit) = (term / 64, 1 << (term % 64));
            ones(Block::words(bits.as_ref())).for_each(|place| keys[place * width + word] |= bit);
        }
        let key = |place: usize| &keys[place * width..(place + 1) * width];
        let mut order: Vec<u32> = ones(Block::words(counted)).map(|place| place as u32).collect();
        order.sort_unstable_by(|&a, &b| key(a as usize).cmp(key(b as usize)));
        let mut of_row = vec![0; places];
        let (mut found, mut counts): (Vec<u64>, Vec<Count>) = (Vec::new(), Vec::new());
        for place in order.into_iter().map(|place| place as usize) {
            if counts.is_empty() || found[found.len() - width..] != *key(place) {
                found.extend_from_slice(key(place));
                counts.push(Count::default());
            }
            let number = counts.len() - 1;
            add(&mut counts[number], place < split);
            of_row[place] = number as u32;
        }
        Self { configurations: Configurations::new(terms.len(), found, counts), split, of_row }
    }

    /// The ones of a bitmap, which must be within the rows that count, in each configuration.
    pub fn count(&self, bits: &[Block], counts: &mut Vec<Count>) {
        counts.clear();
        counts.resize(self.configurations.len(), Count::default());
        for place in ones(Block::words(bits)) {
            add(&mut counts[self.of_row[place] as usize], place < self.split);
        }
    }
}

fn add(count: &mut Count, is_case: bool) {
    count.positive += u64::from(is_case);
    count.negative += u64::from(!is_case);
}
