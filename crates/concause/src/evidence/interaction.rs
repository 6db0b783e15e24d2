//! What the parts of a conjunction do together that they do not do alone.

use super::effects::risk;
use super::estimate::{Estimate, Measure, Unknown, normal_tail};
use crate::count::{Count, exclude_supersets};
use crate::dataset::{Candidate, pick};

/// Conjunctions of more parts are told of with all their parts and with all but one of them only.
const MOST_PARTS: usize = 4;

/// How the parts of a conjunction work together.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// The rows by which of the parts hold in them: every configuration for up to four parts, beyond that those with all
    /// parts or all but one. By ascending bit mask.
    pub cells: Vec<Cell>,
    /// The parts, by number, with which alone the risk is lower than with none, be it by chance: what follows is then
    /// not to be taken at its word.
    pub preventive: Vec<usize>,
    /// The relative excess risk due to interaction, RR₁₁ − RR₁₀ − RR₀₁ + 1: above 0 if both together do more than the
    /// sum of what each does.
    pub relative_excess_risk: Measure,
    /// The share of the risk with both that is due to interaction: the former by RR₁₁.
    pub attributable_proportion: Measure,
    /// Rothman's synergy index, (RR₁₁ − 1)/(RR₁₀ + RR₀₁ − 2).
    pub synergy_index: Measure,
    /// p₁₁ − p₁₀ − p₀₁ > 0, or with more parts the risk with all of them less those with all but one: then there are
    /// rows in which it takes all parts together (VanderWeele and Robins 2008).
    pub sufficient_cause: Result<Contrast, Unknown>,
    /// p₁₁ − p₁₀ − p₀₁ + p₀₀ > 0: the same if no part ever prevents the target.
    pub monotone_sufficient_cause: Result<Contrast, Unknown>,
}

/// The rows in which just some of the parts hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// By bit, the parts that hold.
    pub held: u32,
    /// These rows.
    pub count: Count,
    /// The share of target 1 among them.
    pub risk: Measure,
}

/// A contrast of risks, and the one-sided test that it is above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// The contrast.
    pub value: f64,
    /// The contrast in units of its standard error.
    pub z: f64,
    /// The chance of at least this z if the contrast is 0 in truth.
    pub p_value: f64,
    /// Whether ½ was added to every count because one of them is 0.
    pub corrected: bool,
}

/// The conjunctions of parts whose counts an [`Interaction`] is made from.
pub(super) fn subsets(cause: &Candidate) -> Vec<Candidate> {
    let columns = cause.columns();
    masks(columns.len()).into_iter().map(|mask| Candidate::new(pick(columns, mask).collect())).collect()
}

/// The proper and non-empty subsets of so many parts, by bit mask: all of them, or those that lack one part.
fn masks(level: usize) -> Vec<u32> {
    match level {
        0 | 1 => Vec::new(),
        2..=MOST_PARTS => (1..(1 << level) - 1).collect(),
        _ => (0..level).rev().map(|part| all(level) ^ 1 << part).collect(),
    }
}

fn all(level: usize) -> u32 {
    u32::MAX >> (32 - level.clamp(1, 32))
}

impl Interaction {
    /// From the number of all rows, of those with the conjunction, and of those with each of its [`subsets`].
    pub(super) fn new(level: usize, rows: Count, with: Count, subsets: &[Count]) -> Option<Self> {
        let cells = match level {
            0 | 1 => return None,
            2..=MOST_PARTS => {
                let mut counts = [&[rows], subsets, &[with]].concat();
                exclude_supersets(&mut counts);
                (0..).zip(counts).map(|(held, count)| cell(held, count)).collect()
            }
            _ => {
                let lacking =
                    masks(level).into_iter().zip(subsets).map(|(mask, &count)| (mask, count - with));
                lacking.chain([(all(level), with)]).map(|(held, count)| cell(held, count)).collect()
            }
        };
        Some(Self::of(level, cells))
    }

    fn of(level: usize, cells: Vec<Cell>) -> Self {
        let value = |held: u32| {
            cells.iter().find(|cell| cell.held == held).and_then(|cell| cell.risk.ok()).map(|risk| risk.value)
        };
        let preventive = (0..level)
            .filter(|part| value(1 << part).zip(value(0)).is_some_and(|(alone, none)| alone < none));
        let all = all(level);
        let signed = |cell: &Cell| match all.count_ones() - cell.held.count_ones() {
            0 => Some((1.0, cell.count)),
            1 => Some((-1.0, cell.count)),
            _ => None,
        };
        let sufficient: Vec<(f64, Count)> = cells.iter().filter_map(signed).collect();
        let four: Result<[Count; 4], Unknown> = match &cells[..] {
            [none, first, second, both] => Ok([none.count, first.count, second.count, both.count]),
            _ => Err(Unknown::MoreThanTwoParts),
        };
        let monotone = four.and_then(|[none, first, second, both]| {
            contrast(&[(1.0, both), (-1.0, first), (-1.0, second), (1.0, none)])
        });
        let additive = four.and_then(|four| Additive::of(four, Level::risk));
        Interaction {
            preventive: preventive.collect(),
            relative_excess_risk: additive.map(|additive| additive.relative_excess_risk()),
            attributable_proportion: additive.map(|additive| additive.attributable_proportion()),
            synergy_index: additive.and_then(|additive| additive.synergy_index()),
            sufficient_cause: contrast(&sufficient),
            monotone_sufficient_cause: monotone,
            cells,
        }
    }
}

fn cell(held: u32, count: Count) -> Cell {
    Cell { held, count, risk: risk(count) }
}

/// What is to be added to every count of some cells so that no count is 0.
fn correction(cells: impl IntoIterator<Item = Count>) -> Result<f64, Unknown> {
    let mut add = 0.0;
    for cell in cells {
        if cell.total() == 0 {
            return Err(Unknown::MissingCell);
        }
        if cell.positive == 0 || cell.negative == 0 {
            add = 0.5;
        }
    }
    Ok(add)
}

/// A signed sum of risks; its variance is the sum of p(1 − p)/n.
fn contrast(cells: &[(f64, Count)]) -> Result<Contrast, Unknown> {
    let add = correction(cells.iter().map(|(_, count)| *count))?;
    let (mut value, mut variance) = (0.0, 0.0);
    for (sign, count) in cells {
        let n = count.total() as f64 + 2.0 * add;
        let p = (count.positive as f64 + add) / n;
        value += sign * p;
        variance += p * (1.0 - p) / n;
    }
    let z = value / variance.sqrt();
    Ok(Contrast { value, z, p_value: normal_tail(z), corrected: add > 0.0 })
}

/// A risk, or odds, and the variance of its logarithm.
#[derive(Clone, Copy, Debug)]
struct Level {
    value: f64,
    variance: f64,
}

impl Level {
    fn risk(positive: f64, negative: f64) -> Self {
        let total = positive + negative;
        Level { value: positive / total, variance: negative / (positive * total) }
    }
}

/// Departure from additivity over the levels with none of two parts, the first, the second and both, with
/// intervals by the delta method (Hosmer and Lemeshow 1992) from independent levels.
///
/// The measures are those of ratios RR = level/level with none; that level is divided out wherever it can be.
#[derive(Clone, Copy, Debug)]
struct Additive {
    levels: [Level; 4],
    corrected: bool,
}

impl Additive {
    fn of(cells: [Count; 4], level: fn(f64, f64) -> Level) -> Result<Self, Unknown> {
        let add = correction(cells)?;
        let levels = cells.map(|cell| level(cell.positive as f64 + add, cell.negative as f64 + add));
        Ok(Additive { levels, corrected: add > 0.0 })
    }

    fn values(&self) -> [f64; 4] {
        self.levels.map(|level| level.value)
    }

    /// The variance of a function of the levels from its derivatives by their logarithms.
    fn variance(&self, gradient: [f64; 4]) -> f64 {
        self.levels.iter().zip(gradient).map(|(level, slope)| slope * slope * level.variance).sum()
    }

    fn relative_excess_risk(&self) -> Estimate {
        let [none, first, second, both] = self.values();
        let [r10, r01, r11] = [first / none, second / none, both / none];
        let variance = self.variance([r10 + r01 - r11, -r10, -r01, r11]);
        Estimate::normal(r11 - r10 - r01 + 1.0, variance).corrected_if(self.corrected)
    }

    fn attributable_proportion(&self) -> Estimate {
        let [none, first, second, both] = self.values();
        let expected = (first + second - none) / both;
        let variance = self.variance([none / both, -first / both, -second / both, expected]);
        Estimate::normal(1.0 - expected, variance).corrected_if(self.corrected)
    }

    fn synergy_index(&self) -> Measure {
        let [none, first, second, both] = self.values();
        let (together, apart) = (both - none, first + second - 2.0 * none);
        if together <= 0.0 || apart <= 0.0 {
            return Err(Unknown::NoExcess);
        }
        let variance = self.variance([
            2.0 * none / apart - none / together,
            -first / apart,
            -second / apart,
            both / together,
        ]);
        Ok(Estimate::logarithmic(together / apart, variance).corrected_if(self.corrected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(cells: [[u64; 2]; 4]) -> [Count; 4] {
        cells.map(|[positive, negative]| Count { positive, negative })
    }

    /// Rothman and Keller (1972) on oral cancer, alcohol and smoking, with the measures and intervals that Hosmer and
    /// Lemeshow (1992), Epidemiology 3, give. A case-control study, so odds stand for risks.
    #[test]
    fn oral_cancer() {
        let odds = |positive: f64, negative: f64| Level {
            value: positive / negative,
            variance: 1.0 / positive + 1.0 / negative,
        };
        let additive = Additive::of(counts([[3, 20], [8, 18], [6, 12], [225, 166]]), odds).unwrap();
        let rounded = |estimate: Estimate| {
            [estimate.value, estimate.low, estimate.high].map(|figure| (figure * 100.0).round() / 100.0)
        };
        assert_eq!(rounded(additive.relative_excess_risk()), [3.74, -1.84, 9.32]);
        assert_eq!(rounded(additive.attributable_proportion()), [0.41, -0.07, 0.90]);
        assert_eq!(rounded(additive.synergy_index().unwrap()), [1.87, 0.65, 5.42]);
    }

    #[test]
    fn contrasts_by_hand() {
        // Risks .1, .2, .3 and .9 of 100 rows each.
        let [none, first, second, both] = counts([[10, 90], [20, 80], [30, 70], [90, 10]]);
        let rows = none + first + second + both;
        let found = Interaction::new(2, rows, both, &[first + both, second + both]).unwrap();
        let sufficient = found.sufficient_cause.unwrap();
        assert!((sufficient.value - 0.4).abs() < 1e-12);
        let z = 0.4 / ((0.09 + 0.16 + 0.21) / 100.0f64).sqrt();
        assert!((sufficient.z - z).abs() < 1e-12);
        // scipy.stats.norm.sf(0.4/0.0046**0.5)
        assert!((sufficient.p_value / 1.843_259_707_316_394_5e-9 - 1.0).abs() < 1e-12, "{sufficient:?}");
        let monotone = found.monotone_sufficient_cause.unwrap();
        assert!((monotone.value - 0.5).abs() < 1e-12);
        assert!((monotone.z - 0.5 / ((0.09 + 0.16 + 0.21 + 0.09) / 100.0f64).sqrt()).abs() < 1e-12);
        assert_eq!(found.preventive, []);
        assert_eq!(
            found.cells.iter().map(|cell| cell.count).collect::<Vec<_>>(),
            [none, first, second, both]
        );
    }

    #[test]
    fn three_parts_have_one_contrast() {
        // Rows of each configuration: the risk is .8 with all three parts, .1 otherwise.
        let cells: Vec<Count> = (0..8)
            .map(|held| if held == 7 { [80, 20] } else { [10, 90] })
            .map(|[positive, negative]| Count { positive, negative })
            .collect();
        let at_least = |mask: usize| {
            let held = (0..8).filter(|held| held & mask == mask);
            held.fold(Count::default(), |sum, held| sum + cells[held])
        };
        let subsets: Vec<Count> = (1..7).map(at_least).collect();
        let found = Interaction::new(3, at_least(0), at_least(7), &subsets).unwrap();
        assert_eq!(found.cells.iter().map(|cell| cell.count).collect::<Vec<_>>(), cells);
        assert!((found.sufficient_cause.unwrap().value - 0.5).abs() < 1e-12);
        assert_eq!(found.monotone_sufficient_cause, Err(Unknown::MoreThanTwoParts));
        assert_eq!(found.relative_excess_risk, Err(Unknown::MoreThanTwoParts));
        assert_eq!(found.synergy_index, Err(Unknown::MoreThanTwoParts));
    }

    #[test]
    fn a_part_that_lowers_the_risk_is_named() {
        let [none, first, second, both] = counts([[20, 80], [10, 90], [30, 70], [90, 10]]);
        let rows = none + first + second + both;
        let found = Interaction::new(2, rows, both, &[first + both, second + both]).unwrap();
        assert_eq!(found.preventive, [0]);
    }

    #[test]
    fn a_missing_cell_leaves_the_others() {
        let [none, second, both] =
            [[10, 90], [30, 70], [90, 10]].map(|[positive, negative]| Count { positive, negative });
        let found = Interaction::new(2, none + second + both, both, &[both, second + both]).unwrap();
        assert_eq!(found.relative_excess_risk, Err(Unknown::MissingCell));
        assert_eq!(found.sufficient_cause, Err(Unknown::MissingCell));
        assert_eq!(found.cells[1].risk, Err(Unknown::MissingCell));
        assert!(found.cells[2].risk.is_ok());
    }
}
