//! Random samples of the columns and rows of a dataset.

use concause::dataset::{BLOCK_BITS, Block, Dataset, DatasetBuilder};
use concause::random::Random;

/// Draws columns and rows at random. The columns stay in data order.
pub fn draw_sample(dataset: &Dataset, columns: usize, rows: usize, seed: u64) -> Dataset {
    let mut random = Random::new(seed);
    let columns = draw_indices(dataset.columns().len(), columns, &mut random);
    let rows = draw_indices(dataset.rows() as usize, rows, &mut random);
    select(dataset, &columns, &rows)
}

/// Draws columns and rows at random, so that a larger sample with the same seed contains the smaller ones.
pub fn draw_nested_sample(dataset: &Dataset, columns: usize, rows: usize, seed: u64) -> Dataset {
    let columns = draw_indices(dataset.columns().len(), columns, &mut Random::new(seed));
    let rows = draw_indices(dataset.rows() as usize, rows, &mut Random::new(seed + 1));
    select(dataset, &columns, &rows)
}

/// Draws distinct indices below `all`, in increasing order.
fn draw_indices(all: usize, count: usize, random: &mut Random) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..all).collect();
    random.shuffle(&mut indices);
    indices.truncate(count);
    indices.sort_unstable();
    indices
}

/// The dataset of some columns and rows, both in increasing order.
fn select(dataset: &Dataset, columns: &[usize], rows: &[usize]) -> Dataset {
    let cases = dataset.positive() as usize;
    let outcome = rows.iter().map(|&row| row < cases).collect();
    let padding = dataset.layout().positive_blocks() * BLOCK_BITS as usize - cases;
    let bit = |column: usize, row: usize| {
        let place = if row < cases { row } else { row + padding };
        Block::words(dataset.bits(column))[place / 64] >> (place % 64) & 1 == 1
    };
    let mut builder = DatasetBuilder::new(dataset.target().clone(), outcome);
    let attribute = |column: &usize| dataset.columns()[*column].attribute;
    for group in columns.chunk_by(|a, b| attribute(a) == attribute(b)) {
        let names = group.iter().map(|&column| dataset.columns()[column].name.clone()).collect();
        let cells = rows.iter().map(|&row| group.iter().position(|&column| bit(column, row)));
        builder.attribute(&dataset.attributes()[attribute(&group[0])], names, cells);
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_everything_equals_the_dataset() {
        let data = crate::synthetic::nominal(2, 1_000, 5);
        for draw in [draw_sample, draw_nested_sample] {
            let all = draw(&data, 30, 1_000, 1);
            assert_eq!((all.layout(), all.columns()), (data.layout(), data.columns()));
            assert!((0..30).all(|column| all.bits(column) == data.bits(column)));
            let some = draw(&data, 7, 100, 1);
            assert_eq!((some.columns().len(), some.rows()), (7, 100));
        }
    }

    #[test]
    fn larger_nested_samples_contain_the_smaller_ones() {
        let data = crate::synthetic::logistic(49, 5_000, 1);
        let names = |columns: usize| -> Vec<String> {
            let drawn = draw_nested_sample(&data, columns, 100, 1);
            drawn.columns().iter().map(|column| column.name.clone()).collect()
        };
        let (few, more) = (names(5), names(9));
        assert!(few.iter().all(|name| more.contains(name)));
    }
}
