//! Synthetic data from a seed.

use concause::dataset::{Dataset, DatasetBuilder, Target};
use concause::random::Random;

/// The number of causes in [`logistic`] data.
pub const CAUSES: usize = 10;

/// Independent columns with a share of one half, and an outcome that is independent of them.
pub fn independent(columns: usize, rows: usize, share_of_cases: f64, seed: u64) -> Dataset {
    let mut random = Random::new(seed);
    let outcome = (0..rows).map(|_| random.chance(share_of_cases)).collect();
    fair_columns(outcome, columns, seed)
}

/// Independent columns with a share of one half. Ten of them, evenly spaced, raise the log odds of the outcome by 1
/// each. The outcome is 1 in three rows of ten.
pub fn logistic(columns: usize, rows: usize, seed: u64) -> Dataset {
    let risks = solve_risks(0.3);
    let mut sums = vec![0u8; rows];
    for cause in 0..CAUSES.min(columns) {
        let bits = fair_bits(seed, cause * columns / CAUSES);
        sums.iter_mut().zip(bits).for_each(|(sum, bit)| *sum += u8::from(bit));
    }
    let mut random = Random::new(seed);
    let outcome = sums.into_iter().map(|sum| random.chance(risks[usize::from(sum)])).collect();
    fair_columns(outcome, columns, seed)
}

/// The risk of the outcome by the number of causes that are 1, for a given share of the outcome.
fn solve_risks(share: f64) -> [f64; CAUSES + 1] {
    let risks = |intercept: f64| {
        std::array::from_fn::<f64, { CAUSES + 1 }, _>(|sum| 1.0 / (1.0 + (-intercept - sum as f64).exp()))
    };
    let mut weight = 0.5f64.powi(CAUSES as i32);
    let weights: [f64; CAUSES + 1] = std::array::from_fn(|sum| {
        let binomial = weight;
        weight *= (CAUSES - sum) as f64 / (sum + 1) as f64;
        binomial
    });
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let mean: f64 = risks(middle).iter().zip(&weights).map(|(risk, weight)| risk * weight).sum();
        if mean < share { low = middle } else { high = middle }
    }
    risks(low)
}

/// Nominal attributes of 15 values, of which the first are the most frequent, as in Census. The first values of the
/// first attributes raise the risk of the outcome.
pub fn nominal(attributes: usize, rows: usize, seed: u64) -> Dataset {
    const VALUES: usize = 15;
    let weights: [f64; VALUES] = std::array::from_fn(|value| (value as f64 + 1.0).powf(-1.5));
    let total: f64 = weights.iter().sum();
    let draw = |random: &mut Random| {
        let mut left = random.unit() * total;
        weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        })
    };
    let stream = |attribute: usize| Random::new(stream_seed(seed, attribute));
    let mut random = Random::new(seed);
    let mut firsts: Vec<Random> = (0..CAUSES.min(attributes)).map(stream).collect();
    let outcome = (0..rows)
        .map(|_| {
            let causes = firsts.iter_mut().filter_map(draw).filter(|&value| value == 0).count();
            random.chance(0.02 * causes as f64)
        })
        .collect();
    let mut builder = DatasetBuilder::new(target(), outcome);
    for attribute in 0..attributes {
        let mut random = stream(attribute);
        let name = format!("A{}", attribute + 1);
        let columns = (0..VALUES).map(|value| format!("{name}={value}")).collect();
        builder.attribute(&name, columns, (0..rows).map(|_| draw(&mut random)));
    }
    builder.finish()
}

fn target() -> Target {
    Target { name: "T".into(), value: None }
}

fn fair_columns(outcome: Vec<bool>, columns: usize, seed: u64) -> Dataset {
    let rows = outcome.len();
    let mut builder = DatasetBuilder::new(target(), outcome);
    for column in 0..columns {
        let name = format!("V{}", column + 1);
        let bits = fair_bits(seed, column).take(rows).map(|bit| bit.then_some(0));
        builder.attribute(&name, vec![name.clone()], bits);
    }
    builder.finish()
}

/// The bits of a column. Every call gives the same bits.
fn fair_bits(seed: u64, column: usize) -> impl Iterator<Item = bool> {
    let mut random = Random::new(stream_seed(seed, column));
    let (mut word, mut left) = (0, 0);
    std::iter::repeat_with(move || {
        if left == 0 {
            (word, left) = (random.next_u64(), 64);
        }
        let bit = word & 1 == 1;
        word >>= 1;
        left -= 1;
        bit
    })
}

/// The seed of the random stream of a column.
fn stream_seed(seed: u64, column: usize) -> u64 {
    Random::new(seed ^ (column as u64 + 1) << 32).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_as_requested() {
        let data = logistic(20, 50_000, 1);
        assert_eq!((data.columns().len(), data.rows()), (20, 50_000));
        let share = data.positive() as f64 / data.rows() as f64;
        assert!((share - 0.3).abs() < 0.02, "{share}");
        let data = independent(3, 50_000, 0.3, 1);
        assert!((data.positive() as f64 / 50_000.0 - 0.3).abs() < 0.02);
    }

    #[test]
    fn values_of_an_attribute_exclude_one_another() {
        let data = nominal(3, 2_000, 1);
        let words = |column: usize| concause::dataset::Block::words(data.bits(column));
        assert_eq!(data.columns().len(), 45);
        assert!(words(0).iter().zip(words(1)).all(|(a, b)| a & b == 0));
        assert!(data.positive() > 20);
    }
}
