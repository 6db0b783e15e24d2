//! Builds a [`Dataset`] attribute by attribute, each in one pass over its rows.

use super::{Block, Column, Dataset, Layout, Target};

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
    dataset: Dataset,
}

impl DatasetBuilder {
    /// Starts from the outcome of every row.
    pub fn new(target: Target, outcome: Vec<bool>) -> Self {
        let positive = outcome.iter().filter(|&&case| case).count() as u64;
        let layout = Layout { positive, negative: outcome.len() as u64 - positive };
        let dataset = Dataset {
            target,
            attributes: Vec::new(),
            columns: Vec::new(),
            layout,
            blocks: Vec::new(),
            places: Vec::new(),
        };
        Self { outcome, dataset }
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
        let mut next = [8 * layout.positive_blocks() * 64, 0];
        for (held, &is_case) in rows.into_iter().zip(&self.outcome) {
            let row = next[usize::from(is_case)];
            next[usize::from(is_case)] += 1;
            if let Some(column) = held {
                debug_assert!(column < columns);
                out[column * words + row / 64] |= 1 << (row % 64);
            }
        }
        bits
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
