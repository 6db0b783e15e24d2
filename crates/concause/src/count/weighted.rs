//! Sums of row weights over the rows of conjunctions, for the score tests of a model.
//!
//! All rows of one class and one configuration of the terms have the same weight. Weights are whole numbers, so the
//! sums are exact: they do not depend on the order of the rows, and sums over disjoint subsets of the rows add up.

use std::ops::{Add, AddAssign, Sub};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::kernel::{Kernel, PIECE};
use super::{Configurations, LocalCounter};
use crate::dataset::{BLOCK_BITS, Block, Candidate, Literal, ones};

/// The score and the information of a row, or of all rows of a conjunction, in fixed-point numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Weight {
    /// The slope of the log-likelihood.
    pub score: i64,
    /// Minus its second derivative.
    pub information: i64,
}

impl Weight {
    /// The sum, unless it overflows.
    pub fn checked_add(self, other: Weight) -> Option<Weight> {
        Some(Weight {
            score: self.score.checked_add(other.score)?,
            information: self.information.checked_add(other.information)?,
        })
    }

    /// The larger of the absolute values of the score and of the information.
    pub fn magnitude(self) -> u64 {
        self.score.unsigned_abs().max(self.information.unsigned_abs())
    }
}

impl Add for Weight {
    type Output = Weight;
    fn add(self, other: Weight) -> Weight {
        Weight { score: self.score + other.score, information: self.information + other.information }
    }
}

impl AddAssign for Weight {
    fn add_assign(&mut self, other: Weight) {
        *self = *self + other;
    }
}

impl Sub for Weight {
    type Output = Weight;
    fn sub(self, other: Weight) -> Weight {
        Weight { score: self.score - other.score, information: self.information - other.information }
    }
}

/// The weights of the rows: for each configuration of the terms, the weight of a case and of a control.
#[derive(Clone, Debug)]
pub struct RowWeights {
    /// The terms.
    pub terms: Vec<Candidate>,
    /// Their configurations.
    pub configurations: Configurations,
    /// The weight of a case and of a control of each configuration.
    pub weights: Vec<[Weight; 2]>,
}

impl RowWeights {
    /// The sum of the weights of all rows.
    pub fn total(&self) -> Weight {
        let mut total = Weight::default();
        for (count, weights) in self.configurations.counts().iter().zip(&self.weights) {
            for (rows, weight) in [count.positive, count.negative].into_iter().zip(weights) {
                total.score += rows as i64 * weight.score;
                total.information += rows as i64 * weight.information;
            }
        }
        total
    }

    /// No sum over this many rows has a larger magnitude.
    pub fn largest_sum(&self, rows: u64) -> u128 {
        let largest = self.weights.iter().flatten().map(|weight| weight.magnitude()).max();
        u128::from(largest.unwrap_or(0)) * u128::from(rows)
    }
}

/// Receives the sums of a left candidate with each right literal: `on_sums(left, sums)`. Calls come in any order and
/// from any thread.
pub type OnSums<'a> = dyn Fn(usize, &[Weight]) + Sync + 'a;

impl LocalCounter {
    /// The weight of each row, by position in a bitmap.
    fn weigh_rows(&self, weights: &RowWeights) -> Vec<Weight> {
        let counted = self.counted();
        let grouped = self.group(&weights.terms, true);
        let local = &grouped.configurations;
        let of_configuration: Vec<[Weight; 2]> = (0..local.len())
            .map(|place| {
                weights
                    .configurations
                    .find(local.key(place))
                    .map_or_else(Default::default, |at| weights.weights[at])
            })
            .collect();
        let split = self.layout().positive_blocks() * BLOCK_BITS as usize;
        let mut by_row = vec![Weight::default(); 64 * Block::words(&counted).len()];
        for position in ones(Block::words(&counted)) {
            by_row[position] =
                of_configuration[grouped.configuration(position)][usize::from(position >= split)];
        }
        by_row
    }

    /// Sums the weights of the rows in which a left candidate and a right literal hold. A left candidate is combined
    /// with the right literals from the given position on. If few rows are expected in a sum, they are added one by
    /// one; otherwise the rows in each of some slices are counted.
    pub(super) fn sum_weights(
        &self,
        weights: &RowWeights,
        left: &[(Candidate, usize)],
        right: &[Literal],
        on_sums: &OnSums<'_>,
    ) {
        let by_row = self.weigh_rows(weights);
        let counted = self.counted();
        let slices = Slices::new(&by_row, &counted);
        let share =
            |rows: &[Block]| self.kernel().count(rows) as f64 / (BLOCK_BITS as usize * rows.len()) as f64;
        let right: Vec<(&[Block], f64)> =
            right.iter().map(|&literal| (self.bits(literal), share(self.bits(literal)))).collect();
        left.par_iter().enumerate().for_each(|(number, (candidate, from))| {
            let rows = self.rows_of(candidate, Some(&counted));
            let rows = rows.as_deref().unwrap_or(&counted);
            let right = &right[*from..];
            let most = slices.most_expected() / share(rows);
            let mut sums = vec![Weight::default(); right.len()];
            let (sliced, added): (Vec<usize>, Vec<usize>) =
                (0..right.len()).partition(|&place| right[place].1 > most);
            for place in added {
                sums[place] = add_rows(&by_row, rows, right[place].0);
            }
            let bitmaps: Vec<&[Block]> = sliced.iter().map(|&place| right[place].0).collect();
            for (place, sum) in sliced.iter().zip(slices.sum(self.kernel(), rows, &bitmaps)) {
                sums[*place] = sum;
            }
            on_sums(number, &sums);
        });
    }
}

/// The sum of the weights of the rows in both bitmaps, row by row.
fn add_rows(by_row: &[Weight], one: &[Block], two: &[Block]) -> Weight {
    let mut sum = Weight::default();
    for (word, (&one, &two)) in Block::words(one).iter().zip(Block::words(two)).enumerate() {
        let mut both = one & two;
        while both != 0 {
            sum += by_row[64 * word + both.trailing_zeros() as usize];
            both &= both - 1;
        }
    }
    sum
}

/// Bitmaps with factors: the weight of a row is the sum of the factors of the slices that contain it. The slices are
/// the rows of equal weight if there are few weights, and otherwise the binary digits of the weights.
struct Slices {
    bitmaps: Vec<Vec<Block>>,
    factors: Vec<Weight>,
}

/// The time in which one row is added, as a multiple of the time in which 512 rows of a slice are counted.
const ROW_PER_BLOCK: f64 = 1.0;

impl Slices {
    fn new(by_row: &[Weight], counted: &[Block]) -> Self {
        let rows = || ones(Block::words(counted)).map(|position| (position, by_row[position]));
        let least = |part: fn(Weight) -> i64| rows().map(|(_, weight)| part(weight)).min().unwrap_or(0);
        let least =
            Weight { score: least(|weight| weight.score), information: least(|weight| weight.information) };
        let most =
            |part: fn(Weight) -> i64| rows().map(|(_, weight)| part(weight - least)).max().unwrap_or(0);
        let digits = |most: i64| i64::BITS - most.leading_zeros();
        let score = (0..digits(most(|weight| weight.score)))
            .map(|digit| Weight { score: 1 << digit, information: 0 });
        let information = (0..digits(most(|weight| weight.information)))
            .map(|digit| Weight { score: 0, information: 1 << digit });
        let mut factors: Vec<Weight> = std::iter::once(least).chain(score).chain(information).collect();
        let mut numbers: FxHashMap<Weight, usize> = FxHashMap::default();
        for (_, weight) in rows() {
            let next = numbers.len();
            numbers.entry(weight).or_insert(next);
            if numbers.len() > factors.len() {
                break;
            }
        }
        let is_listed = numbers.len() <= factors.len();
        if is_listed {
            factors = vec![Weight::default(); numbers.len()];
            numbers.iter().for_each(|(&weight, &number)| factors[number] = weight);
        }
        let mut bitmaps = vec![vec![Block::ZERO; counted.len()]; factors.len()];
        for (position, weight) in rows() {
            let mut put =
                |slice: usize| Block::words_mut(&mut bitmaps[slice])[position / 64] |= 1 << (position % 64);
            if is_listed {
                put(numbers[&weight]);
                continue;
            }
            put(0);
            let weight = weight - least;
            let has_digit =
                |factor: &Weight| weight.score & factor.score | weight.information & factor.information != 0;
            (1..factors.len()).filter(|&slice| has_digit(&factors[slice])).for_each(put);
        }
        Self { bitmaps, factors }
    }

    /// The expected share of the rows in a sum up to which rows are added one by one.
    fn most_expected(&self) -> f64 {
        self.factors.len() as f64 / (ROW_PER_BLOCK * BLOCK_BITS as f64)
    }

    /// The sum of the weights of the rows that each right bitmap shares with `rows`.
    fn sum(&self, kernel: Kernel, rows: &[Block], right: &[&[Block]]) -> Vec<Weight> {
        if right.is_empty() {
            return Vec::new();
        }
        let mut counts = vec![0u64; self.factors.len() * right.len()];
        let mut shared = vec![[Block::ZERO; PIECE]; self.factors.len()];
        for start in (0..rows.len()).step_by(PIECE) {
            let piece = start..rows.len().min(start + PIECE);
            for (slice, shared) in self.bitmaps.iter().zip(&mut shared) {
                kernel.and(&slice[piece.clone()], &rows[piece.clone()], &mut shared[..piece.len()]);
            }
            let left: Vec<&[Block]> = shared.iter().map(|shared| &shared[..piece.len()]).collect();
            let right: Vec<&[Block]> = right.iter().map(|bits| &bits[piece.clone()]).collect();
            kernel.grid(&left, &right, &mut counts);
        }
        let sum = |place: usize| {
            let mut sum = Weight::default();
            for (slice, factor) in self.factors.iter().enumerate() {
                let count = counts[slice * right.len() + place] as i64;
                sum += Weight { score: factor.score * count, information: factor.information * count };
            }
            sum
        };
        (0..right.len()).map(sum).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::kernel::SCALAR;
    use crate::count::{Count, Counter};
    use crate::dataset::{DatasetBuilder, Target};
    use crate::random::Random;

    #[test]
    fn sums_agree_with_adding_row_by_row() {
        let mut random = Random::new(5);
        let rows: Vec<(bool, [bool; 5])> =
            (0..1500).map(|_| (random.chance(0.3), std::array::from_fn(|_| random.chance(0.4)))).collect();
        let outcome = rows.iter().map(|row| row.0).collect();
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
        for column in 0..5 {
            let held = rows.iter().map(|row| row.1[column].then_some(0));
            builder.attribute("V", vec![format!("V{column}")], held);
        }
        let data = builder.finish();
        let counter = LocalCounter::new(&data);
        let terms = vec![Candidate::single(0), Candidate::new([Literal::plain(1), Literal::negation(2)])];
        let configurations = counter.configurations_of(&terms).unwrap();
        let weight = |place: i64, class: i64| Weight { score: 3 * place - 7 * class, information: 1 + place };
        let weights =
            (0..configurations.len() as i64).map(|place| [weight(place, 0), weight(place, 1)]).collect();
        let weights = RowWeights { terms, configurations: configurations.clone(), weights };
        let left = [
            (Candidate::default(), 0),
            (Candidate::new([Literal::plain(2), Literal::negation(3)]), 1),
            (Candidate::single(4), 2),
        ];
        let right = [Literal::plain(0), Literal::plain(3), Literal::negation(4)];
        let holds =
            |row: &[bool; 5], literal: Literal| row[literal.column() as usize] != literal.is_negated();
        let found = std::sync::Mutex::new(Vec::new());
        counter
            .weighted_sums(&weights, &left, &right, &|number, sums| {
                found.lock().unwrap().push((number, sums.to_vec()));
            })
            .unwrap();
        let mut found = found.into_inner().unwrap();
        found.sort_by_key(|(number, _)| *number);
        for (number, sums) in found {
            let (candidate, from) = &left[number];
            for (&literal, &sum) in right[*from..].iter().zip(&sums) {
                let mut wanted = Weight::default();
                for (is_case, row) in &rows {
                    if holds(row, literal) && candidate.literals().iter().all(|&other| holds(row, other)) {
                        let key = u64::from(row[0]) | u64::from(row[1] && !row[2]) << 1;
                        let place = configurations.find(&[key]).unwrap();
                        wanted += weights.weights[place][usize::from(!is_case)];
                    }
                }
                assert_eq!(sum, wanted);
            }
        }
        assert_eq!(counter.rows(), Count { positive: data.positive(), negative: data.negative() });
    }

    #[test]
    fn slices_agree_with_adding_row_by_row() {
        let mut random = Random::new(6);
        for weights in [1, 2, 5, 1000, 1_000_000] {
            for blocks in [1, 3, PIECE + 1] {
                let mut bitmap = |share: f64| -> Vec<Block> {
                    let mut word =
                        || (0..64).fold(0, |word, bit| word | u64::from(random.chance(share)) << bit);
                    (0..blocks).map(|_| Block(std::array::from_fn(|_| word()))).collect()
                };
                let (counted, one) = (bitmap(0.9), bitmap(0.5));
                let right = [bitmap(0.5), bitmap(0.01), bitmap(1.0), bitmap(0.0)];
                let right: Vec<&[Block]> = right.iter().map(|bits| &**bits).collect();
                let mut weight = || {
                    let kind = random.next_u64() as i64 % weights;
                    Weight { score: (kind * 31 % 2001) - 1000, information: (kind * 17 % 501) + 3 }
                };
                let by_row: Vec<Weight> = (0..512 * blocks).map(|_| weight()).collect();
                let slices = Slices::new(&by_row, &counted);
                let mut rows = counted.clone();
                SCALAR.and(&counted, &one, &mut rows);
                for kernel in Kernel::available() {
                    for (bits, found) in right.iter().zip(slices.sum(kernel, &rows, &right)) {
                        assert_eq!(found, add_rows(&by_row, &rows, bits), "{weights} {blocks}");
                    }
                }
            }
        }
    }
}
