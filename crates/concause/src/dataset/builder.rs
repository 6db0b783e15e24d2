//! Builds a [`Dataset`] attribute by attribute, each in one pass over its rows.

use super::{BLOCK_BITS, Block, Column, Dataset, Layout, Target};

/// Collects the columns of a [`Dataset`], one attribute at a time.
///
/// ```
/// use concause::dataset::{DatasetBuilder, Target};
///
/// let target = Target { name: "fire".into(), value: None };
/// let mut builder = DatasetBuilder::new(target, vec![true, false, true]);
/// // A binary attribute is one column: `Some(0)` where it is 1.
/// builder.attribute("stub", vec!["stub".into()], [Some(0), None, None]);
/// // A nominal attribute is one column per value: which one holds, if any.
/// builder.attribute("wind", vec!["wind=low".into(), "wind=high".into()], [Some(0), Some(1), None]);
/// let dataset = builder.finish();
/// assert_eq!((dataset.positive(), dataset.negative(), dataset.columns().len()), (2, 1, 3));
/// ```
#[derive(Debug)]
pub struct DatasetBuilder {
    outcome: Vec<bool>,
    weights: Option<Vec<u32>>,
    dataset: Dataset,
}

impl DatasetBuilder {
    /// Starts from the outcome of every row.
    pub fn new(target: Target, outcome: Vec<bool>) -> Self {
        Self::weighted(target, outcome, None)
    }

    /// Starts from the outcome of every row and how many rows each stands for, one if that is not said. The data is
    /// that of as many rows, one after the other.
    pub fn weighted(target: Target, outcome: Vec<bool>, weights: Option<Vec<u32>>) -> Self {
        let weight = |row: usize| weights.as_ref().map_or(1, |weights| u64::from(weights[row]));
        let mut layout = Layout { positive: 0, negative: 0 };
        for (row, &is_case) in outcome.iter().enumerate() {
            *(if is_case { &mut layout.positive } else { &mut layout.negative }) += weight(row);
        }
        let dataset = Dataset {
            target,
            attributes: Vec::new(),
            columns: Vec::new(),
            layout,
            blocks: Vec::new(),
            places: Vec::new(),
        };
        Self { outcome, weights, dataset }
    }

    /// The number of columns so far.
    pub fn columns(&self) -> usize {
        self.dataset.columns.len()
    }

    /// Adds the columns of one attribute. `rows` says for every row, in the order of the outcome, which of
    /// `columns` is 1 there; `None`, and any row beyond the end of `rows`, is 0 in all of them.
    pub fn attribute(
        &mut self,
        name: &str,
        columns: Vec<String>,
        rows: impl IntoIterator<Item = Option<usize>>,
    ) {
        let bits = self.bits(columns.len(), rows);
        self.add(name, columns, bits);
    }

    /// The bitmaps of so many columns of one attribute, to be handed to [`DatasetBuilder::add`]: those of different
    /// attributes can be worked out side by side.
    pub fn bits(&self, columns: usize, rows: impl IntoIterator<Item = Option<usize>>) -> Vec<Block> {
        let layout = self.dataset.layout;
        let words = 8 * layout.blocks();
        let mut bits = vec![Block::ZERO; columns * layout.blocks()];
        let out = Block::words_mut(&mut bits);
        for (held, (place, weight)) in rows.into_iter().zip(self.places()) {
            if let Some(column) = held {
                debug_assert!(column < columns);
                fill(&mut out[column * words..], place, weight);
            }
        }
        bits
    }

    /// A bitmap that is 1 in so many of the rows that each row stands for, the first of them, or in all.
    pub fn mask(&self, ones: impl IntoIterator<Item = u32>) -> Vec<Block> {
        let mut bits = vec![Block::ZERO; self.dataset.layout.blocks()];
        for (ones, (place, weight)) in ones.into_iter().zip(self.places()) {
            fill(Block::words_mut(&mut bits), place, weight.min(ones as usize));
        }
        bits
    }

    /// For every row its place in a bitmap, and how many places it takes.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut next = [self.dataset.layout.positive_blocks() * BLOCK_BITS as usize, 0];
        self.outcome.iter().enumerate().map(move |(row, &is_case)| {
            let weight = self.weights.as_ref().map_or(1, |weights| weights[row] as usize);
            let place = next[usize::from(is_case)];
            next[usize::from(is_case)] += weight;
            (place, weight)
        })
    }

    /// Adds the columns of one attribute, whose bitmaps were worked out before.
    ///
    /// # Panics
    ///
    /// If the bitmaps are not those of as many columns.
    pub fn add(&mut self, name: &str, columns: Vec<String>, bits: Vec<Block>) {
        let dataset = &mut self.dataset;
        assert_eq!(bits.len(), columns.len() * dataset.layout.blocks(), "a bitmap for every column");
        let store = dataset.blocks.len();
        dataset.blocks.push(bits);
        dataset.places.extend((0..columns.len()).map(|place| (store, place)));
        let attribute = dataset.attributes.len();
        dataset.attributes.push(name.to_owned());
        dataset.columns.extend(columns.into_iter().map(|name| Column { name, attribute }));
    }

    /// The finished data.
    pub fn finish(self) -> Dataset {
        self.dataset
    }
}

/// Sets so many bits from a place on.
#[inline]
fn fill(words: &mut [u64], mut place: usize, ones: usize) {
    let end = place + ones;
    while place < end {
        let run = (end - place).min(64 - place % 64);
        words[place / 64] |= u64::MAX >> (64 - run) << (place % 64);
        place += run;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::ones;

    #[test]
    fn rows_are_split_by_target_and_padded() {
        let outcome: Vec<bool> = (0..1500).map(|row| row % 3 == 0).collect();
        let target = Target { name: "T".into(), value: None };
        let mut builder = DatasetBuilder::new(target, outcome);
        builder.attribute("A", vec!["A".into()], (0..1500).map(|row| (row % 2 == 0).then_some(0)));
        let dataset = builder.finish();
        assert_eq!((dataset.positive(), dataset.negative()), (500, 1000));
        assert_eq!((dataset.layout().positive_blocks(), dataset.layout().blocks()), (1, 3));
        let ones =
            |blocks: &[Block]| -> u32 { blocks.iter().flat_map(|block| block.0).map(u64::count_ones).sum() };
        let (cases, controls) = dataset.bits(0).split_at(1);
        assert_eq!((ones(cases), ones(controls)), (250, 500));
    }

    #[test]
    fn no_rows_and_no_columns_are_legal() {
        let dataset = DatasetBuilder::new(Target { name: "T".into(), value: None }, Vec::new()).finish();
        assert_eq!((dataset.rows(), dataset.bytes()), (0, 0));
    }
    /// A row that stands for several is the same as these rows one after the other, across words and blocks.
    #[test]
    fn a_row_may_stand_for_several() {
        let rows = [
            (true, Some(0), 1),
            (false, Some(1), 700),
            (true, None, 3),
            (false, Some(0), 64),
            (true, Some(1), 1200),
            (true, Some(0), 5),
        ];
        let target = || Target { name: "T".into(), value: None };
        let (outcome, weights) = rows.iter().map(|&(outcome, _, weight)| (outcome, weight)).unzip();
        let weighted = DatasetBuilder::weighted(target(), outcome, Some(weights));
        let repeated: Vec<_> = rows.iter().flat_map(|row| vec![row; row.2 as usize]).collect();
        let plain = DatasetBuilder::new(target(), repeated.iter().map(|row| row.0).collect());
        let held = |row: &(bool, Option<usize>, u32)| row.1;
        assert_eq!(weighted.bits(2, rows.iter().map(held)), plain.bits(2, repeated.into_iter().map(held)));
        assert_eq!(weighted.finish().layout(), plain.finish().layout());
    }

    #[test]
    fn a_mask_holds_so_many_of_the_rows_that_a_row_stands_for() {
        let target = Target { name: "T".into(), value: None };
        let builder = DatasetBuilder::weighted(target, vec![false, true, true], Some(vec![70, 3, 2]));
        let mask = builder.mask([69, 0, 5]);
        let places: Vec<usize> = ones(Block::words(&mask)).collect();
        assert_eq!(places, [3, 4].into_iter().chain(512..581).collect::<Vec<_>>());
    }
}
