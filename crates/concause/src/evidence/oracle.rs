//! Data of which every row can be looked at, for the tests of this module.

use crate::dataset::{Block, Dataset, DatasetBuilder, Target, ones};
use crate::simulate::Random;

/// Ten columns, two of them of one attribute, and an outcome that follows V1, and V4 together with V5.
pub fn made(seed: u64, rows: usize) -> Dataset {
    let mut random = Random::new(seed);
    let held: Vec<Vec<bool>> = (0..9).map(|_| (0..rows).map(|_| random.chance(0.4)).collect()).collect();
    let outcome = (0..rows)
        .map(|row| {
            let risk = 0.1 + 0.4 * f64::from(u8::from(held[0][row]));
            random.chance(risk + 0.4 * f64::from(u8::from(held[3][row] && held[4][row])))
        })
        .collect();
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
    for (place, held) in held.iter().enumerate() {
        let name = format!("V{}", place + 1);
        if place == 8 {
            let values = vec!["V9=a".into(), "V9=b".into()];
            builder.attribute(&name, values, held.iter().map(|&held| Some(usize::from(held))));
        } else {
            builder.attribute(&name, vec![name.clone()], held.iter().map(|&held| held.then_some(0)));
        }
    }
    builder.finish()
}

/// The rows of a bitmap, each with its outcome and which columns hold in it.
pub fn rows(dataset: &Dataset, mask: &[Block]) -> Vec<(bool, Vec<bool>)> {
    let cases = dataset.layout().positive_blocks() * 512;
    ones(Block::words(mask))
        .map(|row| {
            let holds = |column| Block::words(dataset.bits(column))[row / 64] >> (row % 64) & 1 == 1;
            (row < cases, (0..dataset.columns().len()).map(holds).collect())
        })
        .collect()
}

/// The same data from rows, one at a time.
pub fn copied(like: &Dataset, rows: &[(bool, Vec<bool>)]) -> Dataset {
    let outcome = rows.iter().map(|(outcome, _)| *outcome).collect();
    let mut builder = DatasetBuilder::new(like.target().clone(), outcome);
    for (attribute, name) in like.attributes().iter().enumerate() {
        let own = (0..like.columns().len()).filter(|&column| like.columns()[column].attribute == attribute);
        let own: Vec<usize> = own.collect();
        let names = own.iter().map(|&column| like.columns()[column].name.clone()).collect();
        let held = rows.iter().map(|(_, held)| own.iter().position(|&column| held[column]));
        builder.attribute(name, names, held);
    }
    builder.finish()
}
