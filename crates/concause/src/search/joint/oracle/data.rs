//! Small random data sets of many kinds.

use crate::count::Count;
use crate::dataset::{Dataset, DatasetBuilder, Target};
use crate::random::Random;

/// What the outcome depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Logistic,
    Probit,
    Sufficient,
    Additive,
    Multiplicative,
    /// Each configuration of two columns has its own risk.
    Table,
    /// Logistic, with few cases.
    Rare,
    /// Logistic, with columns that depend on a common hidden one.
    Correlated,
    /// The outcome depends on no column.
    NoCause,
    /// A term decides the outcome.
    Separated,
    /// Logistic, with attributes of several columns and missing values.
    Attributes,
}

impl Kind {
    pub const ALL: [Kind; 11] = [
        Kind::Logistic,
        Kind::Probit,
        Kind::Sufficient,
        Kind::Additive,
        Kind::Multiplicative,
        Kind::Table,
        Kind::Rare,
        Kind::Correlated,
        Kind::NoCause,
        Kind::Separated,
        Kind::Attributes,
    ];
}

/// Columns as bits of each row, and the outcome.
pub(super) struct SmallData {
    /// The number of columns of each attribute.
    pub widths: Vec<usize>,
    pub rows: Vec<u32>,
    pub outcome: Vec<bool>,
}

/// A term of the generator: the columns that must be 1 and those that must be 0.
struct Literals {
    ones: u32,
    zeros: u32,
}

impl Literals {
    fn random(random: &mut Random, columns: usize, level: usize) -> Self {
        let mut term = Self { ones: 0, zeros: 0 };
        for _ in 0..level {
            let column = 1 << random.below(columns);
            if (term.ones | term.zeros) & column == 0 {
                *(if random.chance(0.6) { &mut term.ones } else { &mut term.zeros }) |= column;
            }
        }
        term
    }

    fn holds(&self, row: u32) -> bool {
        row & self.ones == self.ones && row & self.zeros == 0
    }
}

impl SmallData {
    pub fn random(kind: Kind, seed: u64, columns: usize, level: usize) -> Self {
        let mut random = Random::new(seed);
        let number = 100 + random.below(900);
        let widths = match kind {
            Kind::Attributes => [2].into_iter().chain((2..columns).map(|_| 1)).collect(),
            _ => vec![1; columns],
        };
        let shares: Vec<f64> = widths.iter().map(|_| 0.25 + 0.5 * random.unit()).collect();
        let rows: Vec<u32> = (0..number)
            .map(|_| random_row(&mut random, &widths, &shares, kind == Kind::Correlated))
            .collect();
        let causes = 1 + random.below(3);
        let terms: Vec<Literals> =
            (0..causes).map(|_| Literals::random(&mut random, columns, level)).collect();
        let strengths: Vec<f64> = terms.iter().map(|_| random.unit()).collect();
        let risks: Vec<f64> = (0..4).map(|_| random.unit()).collect();
        let risk = |row: u32| {
            let sum: f64 =
                terms.iter().zip(&strengths).filter(|(term, _)| term.holds(row)).map(|(_, q)| q).sum();
            match kind {
                Kind::Logistic | Kind::Correlated | Kind::Attributes => logistic(2.5 * sum - 1.5),
                Kind::Probit => 0.5 * libm::erfc((1.0 - 1.6 * sum) / std::f64::consts::SQRT_2),
                Kind::Sufficient => 1.0 - (-0.15 - 1.5 * sum).exp(),
                Kind::Additive => (0.05 + 0.5 * sum).min(1.0),
                Kind::Multiplicative => 0.05 * (1.5 * sum).exp(),
                Kind::Table => risks[(row & 3) as usize],
                Kind::Rare => logistic(2.5 * sum - 4.0),
                Kind::NoCause => 0.3,
                Kind::Separated => {
                    if terms[0].holds(row) {
                        1.0
                    } else {
                        0.3 * risks[0].round()
                    }
                }
            }
        };
        let outcome = rows.iter().map(|&row| random.chance(risk(row))).collect();
        Self { widths, rows, outcome }
    }

    pub fn dataset(&self) -> Dataset {
        let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, self.outcome.clone());
        let mut first = 0;
        for (number, &width) in self.widths.iter().enumerate() {
            let name = |column: usize| format!("V{}={column}", number + 1);
            let value = |row: &u32| (0..width).find(|column| row >> (first + column) & 1 == 1);
            let values: Vec<Option<usize>> = self.rows.iter().map(value).collect();
            builder.attribute(&format!("V{}", number + 1), (0..width).map(name).collect(), values);
            first += width;
        }
        builder.finish()
    }

    /// The distinct rows and their counts.
    pub fn cells(&self) -> Vec<(u32, Count)> {
        let mut cells: std::collections::BTreeMap<u32, Count> = Default::default();
        for (&row, &is_case) in self.rows.iter().zip(&self.outcome) {
            let count = cells.entry(row).or_default();
            *(if is_case { &mut count.positive } else { &mut count.negative }) += 1;
        }
        cells.into_iter().collect()
    }
}

/// The columns of a row. At most one column of an attribute is 1.
fn random_row(random: &mut Random, widths: &[usize], shares: &[f64], is_correlated: bool) -> u32 {
    let hidden = random.chance(0.5);
    let (mut row, mut first) = (0, 0);
    for (&width, &share) in widths.iter().zip(shares) {
        let is_set = if is_correlated && random.chance(0.6) { hidden } else { random.chance(share) };
        if width > 1 {
            // The last value is that of a missing cell.
            let value = random.below(width + 1);
            row |= if value < width { 1 << (first + value) } else { 0 };
        } else if is_set {
            row |= 1 << first;
        }
        first += width;
    }
    row
}

fn logistic(predictor: f64) -> f64 {
    1.0 / (1.0 + (-predictor).exp())
}
