//! Test data of this module, with access to every row.

use crate::dataset::{Block, Dataset, DatasetBuilder, Target, ones};
use crate::random::Random;

/// Random data with ten columns, two of them of one attribute. The outcome depends on V1 and on V4&V5.
pub fn random_data(seed: u64, rows: usize) -> Dataset {
    let mut random = Random::new(seed);
    let held: Vec<Vec<bool>> = (0..9).map(|_| (0..rows).map(|_| random.chance(0.4)).collect()).collect();
    let outcome = (0..rows)
        .map(|row| {
            let risk = 0.1 + 0.4 * f64::from(u8::from(held[0][row]));
            random.chance(risk + 0.4 * f64::from(u8::from(held[3][row] && held[4][row])))
        })
        .collect();
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
    for (number, held) in held.iter().enumerate() {
        let name = format!("V{}", number + 1);
        if number == 8 {
            let values = vec!["V9=a".into(), "V9=b".into()];
            builder.attribute(&name, values, held.iter().map(|&held| Some(usize::from(held))));
        } else {
            builder.attribute(&name, vec![name.clone()], held.iter().map(|&held| held.then_some(0)));
        }
    }
    builder.finish()
}

/// The rows of a bitmap, each with its outcome and the values of its columns.
pub fn extract_rows(dataset: &Dataset, mask: &[Block]) -> Vec<(bool, Vec<bool>)> {
    let cases = dataset.layout().positive_blocks() * 512;
    ones(Block::words(mask))
        .map(|row| {
            let holds = |column| Block::words(dataset.bits(column))[row / 64] >> (row % 64) & 1 == 1;
            (row < cases, (0..dataset.columns().len()).map(holds).collect())
        })
        .collect()
}

/// Builds a dataset with the same columns from single rows.
pub fn rebuild(template: &Dataset, rows: &[(bool, Vec<bool>)]) -> Dataset {
    let outcome = rows.iter().map(|(outcome, _)| *outcome).collect();
    let mut builder = DatasetBuilder::new(template.target().clone(), outcome);
    for (attribute, name) in template.attributes().iter().enumerate() {
        let own =
            (0..template.columns().len()).filter(|&column| template.columns()[column].attribute == attribute);
        let own: Vec<usize> = own.collect();
        let names = own.iter().map(|&column| template.columns()[column].name.clone()).collect();
        let held = rows.iter().map(|(_, held)| own.iter().position(|&column| held[column]));
        builder.attribute(name, names, held);
    }
    builder.finish()
}
