//! Builds a [`Dataset`] one attribute at a time, with one pass over the rows for each.

use std::sync::Arc;

use super::{BLOCK_BITS, Block, Column, Contents, Dataset, Layout, Target};

/// Collects the columns of a [`Dataset`], one attribute at a time.
///
/// ```
/// use concause::dataset::{DatasetBuilder, Target};
///
/// let target = Target { name: "fire".into(), value: None };
/// let mut builder = DatasetBuilder::new(target, vec![true, false, true]);
/// // A binary attribute is one column: `Some(0)` where it is 1.
/// builder.attribute("stub", vec!["stub".into()], [Some(0), None, None]);
/// // A nominal attribute is one column per value: the column that is 1, if any.
/// builder.attribute("wind", vec!["wind=low".into(), "wind=high".into()], [Some(0), Some(1), None]);
/// let dataset = builder.finish();
/// assert_eq!((dataset.positive(), dataset.negative(), dataset.columns().len()), (2, 1, 3));
/// ```
#[derive(Debug)]
pub struct DatasetBuilder {
    outcome: Vec<bool>,
    weights: Option<Vec<u32>>,
    contents: Contents,
}

impl DatasetBuilder {
    /// Creates a builder from the outcome of every row.
    pub fn new(target: Target, outcome: Vec<bool>) -> Self {
        Self::weighted(target, outcome, None)
    }

    /// Creates a builder from the outcome and the frequency weight of every row; without weights each row counts once.
    /// A row of weight w is stored as w identical rows.
    pub fn weighted(target: Target, outcome: Vec<bool>, weights: Option<Vec<u32>>) -> Self {
        let weight = |row: usize| weights.as_ref().map_or(1, |weights| u64::from(weights[row]));
        let mut layout = Layout { positive: 0, negative: 0 };
        for (row, &is_case) in outcome.iter().enumerate() {
            *(if is_case { &mut layout.positive } else { &mut layout.negative }) += weight(row);
        }
        let contents = Contents {
            target,
            attributes: Vec::new(),
            columns: Vec::new(),
            layout,
            blocks: Vec::new(),
            positions: Vec::new(),
        };
        Self { outcome, weights, contents }
    }

    /// The number of columns so far.
    pub fn columns(&self) -> usize {
        self.contents.columns.len()
    }

    /// Adds the columns of one attribute. For every row, in the order of the outcome, `rows` gives the index in
    /// `columns` of the column that is 1. All columns are 0 where it is `None` and beyond the end of `rows`.
    pub fn attribute(
        &mut self,
        name: &str,
        columns: Vec<String>,
        rows: impl IntoIterator<Item = Option<usize>>,
    ) {
        let bits = self.bits(columns.len(), rows);
        self.add(name, columns.into_iter().map(|column| Column::named(name, column)).collect(), bits);
    }

    /// Adds the thresholds of an ordered attribute at some cuts, in ascending order. For every row, `rows` gives its
    /// band: the number of cuts that it reaches; `None` and 0 are the same.
    pub fn ordered(&mut self, name: &str, cuts: &[&str], rows: impl IntoIterator<Item = Option<usize>>) {
        let highest = rows.into_iter().map(|band| band.and_then(|band| band.checked_sub(1)));
        let mut bits = self.bits(cuts.len(), highest);
        self.accumulate(&mut bits, cuts.len());
        self.add(name, cuts.iter().map(|cut| Column::threshold(name, *cut)).collect(), bits);
    }

    /// Turns the first bitmaps, each of the rows whose highest threshold it is, into those of the thresholds: a row
    /// reaches its highest threshold and all before it.
    pub fn accumulate(&self, bits: &mut [Block], thresholds: usize) {
        let blocks = self.contents.layout.blocks();
        for place in (0..thresholds.saturating_sub(1) * blocks).rev() {
            let higher = bits[place + blocks].0;
            bits[place].0.iter_mut().zip(higher).for_each(|(word, higher)| *word |= higher);
        }
    }

    /// The bitmaps of the columns of one attribute, for [`DatasetBuilder::add`]. Separate from it, so that the bitmaps
    /// of several attributes can be computed in parallel.
    pub fn bits(&self, columns: usize, rows: impl IntoIterator<Item = Option<usize>>) -> Vec<Block> {
        let layout = self.contents.layout;
        let words = 8 * layout.blocks();
        let mut bits = vec![Block::ZERO; columns * layout.blocks()];
        let out = Block::words_mut(&mut bits);
        for (column, (position, weight)) in rows.into_iter().zip(self.positions()) {
            if let Some(column) = column {
                debug_assert!(column < columns);
                set_ones(&mut out[column * words..], position, weight);
            }
        }
        bits
    }

    /// A bitmap that selects the first `ones` copies of each row, at most its weight.
    pub fn mask(&self, ones: impl IntoIterator<Item = u32>) -> Vec<Block> {
        let mut bits = vec![Block::ZERO; self.contents.layout.blocks()];
        for (ones, (position, weight)) in ones.into_iter().zip(self.positions()) {
            set_ones(Block::words_mut(&mut bits), position, weight.min(ones as usize));
        }
        bits
    }

    /// For every row, its first position in a bitmap and its weight.
    fn positions(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut next = [self.contents.layout.positive_blocks() * BLOCK_BITS as usize, 0];
        self.outcome.iter().enumerate().map(move |(row, &is_case)| {
            let weight = self.weights.as_ref().map_or(1, |weights| weights[row] as usize);
            let position = next[usize::from(is_case)];
            next[usize::from(is_case)] += weight;
            (position, weight)
        })
    }

    /// Adds the columns of one attribute with the bitmaps that [`DatasetBuilder::bits`] returned.
    ///
    /// # Panics
    ///
    /// If the number of blocks does not match the number of columns.
    pub fn add(&mut self, name: &str, columns: Vec<Column>, bits: Vec<Block>) {
        let contents = &mut self.contents;
        assert_eq!(bits.len(), columns.len() * contents.layout.blocks(), "one bitmap per column");
        let store = contents.blocks.len();
        contents.blocks.push(bits);
        contents.positions.extend((0..columns.len()).map(|position| (store, position)));
        let attribute = contents.attributes.len();
        contents.attributes.push(name.to_owned());
        contents.columns.extend(columns.into_iter().map(|column| column.of_attribute(attribute)));
    }

    /// The finished data.
    pub fn finish(self) -> Dataset {
        Dataset(Arc::new(self.contents))
    }
}

/// Sets `ones` consecutive bits, starting at `position`.
#[inline]
fn set_ones(words: &mut [u64], mut position: usize, ones: usize) {
    let end = position + ones;
    while position < end {
        let run = (end - position).min(64 - position % 64);
        words[position / 64] |= u64::MAX >> (64 - run) << (position % 64);
        position += run;
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
    fn a_row_reaches_the_thresholds_up_to_its_band() {
        let bands: Vec<usize> = (0..1300).map(|row| row % 4).collect();
        let outcome = bands.iter().map(|band| band % 2 == 0).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        builder.ordered("age", &["30", "45", "60"], bands.iter().map(|&band| Some(band)));
        let dataset = builder.finish();
        let names: Vec<&str> = dataset.columns().iter().map(|column| &*column.name).collect();
        assert_eq!(names, ["age>=30", "age>=45", "age>=60"]);
        let counts: Vec<usize> =
            (0..3).map(|column| ones(Block::words(dataset.bits(column))).count()).collect();
        let reached = |threshold: usize| bands.iter().filter(|&&band| band > threshold).count();
        assert_eq!(counts, (0..3).map(reached).collect::<Vec<_>>());
    }

    #[test]
    fn a_dataset_may_have_no_rows_and_no_columns() {
        let dataset = DatasetBuilder::new(Target { name: "T".into(), value: None }, Vec::new()).finish();
        assert_eq!((dataset.rows(), dataset.bytes()), (0, 0));
    }

    /// The weights make runs of bits that cross words and blocks.
    #[test]
    fn a_weighted_row_equals_repeated_rows() {
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
        let unweighted = DatasetBuilder::new(target(), repeated.iter().map(|row| row.0).collect());
        let column = |row: &(bool, Option<usize>, u32)| row.1;
        assert_eq!(
            weighted.bits(2, rows.iter().map(column)),
            unweighted.bits(2, repeated.into_iter().map(column))
        );
        assert_eq!(weighted.finish().layout(), unweighted.finish().layout());
    }

    #[test]
    fn a_mask_selects_the_first_copies_of_each_weighted_row() {
        let target = Target { name: "T".into(), value: None };
        let builder = DatasetBuilder::weighted(target, vec![false, true, true], Some(vec![70, 3, 2]));
        let mask = builder.mask([69, 0, 5]);
        let positions: Vec<usize> = ones(Block::words(&mask)).collect();
        assert_eq!(positions, [3, 4].into_iter().chain(512..581).collect::<Vec<_>>());
    }
}
