//! Random data for unit tests.

use super::{Dataset, DatasetBuilder, Target};
use crate::random::Random;

/// Independent fair columns. The log odds of the outcome rise with the first three, and with each of the pairs 3&4 and
/// 5&6.
pub(crate) fn random_dataset(seed: u64, rows: usize, columns: usize) -> Dataset {
    let mut random = Random::new(seed);
    let cells: Vec<Vec<bool>> =
        (0..rows).map(|_| (0..columns).map(|_| random.chance(0.5)).collect()).collect();
    let mut outcome = |row: &Vec<bool>| {
        let causes = [row[0], row[1], row[2], row[3] && row[4], row[5] && row[6]];
        let logit = causes.iter().filter(|&&holds| holds).count() as f64 - 3.0;
        random.chance(1.0 / (1.0 + libm::exp(-logit)))
    };
    let outcome = cells.iter().map(&mut outcome).collect();
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
    for column in 0..columns {
        let name = format!("V{}", column + 1);
        builder.attribute(&name, vec![name.clone()], cells.iter().map(|row| row[column].then_some(0)));
    }
    builder.finish()
}
