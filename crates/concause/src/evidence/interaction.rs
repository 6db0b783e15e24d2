//! Measures of the interaction of the parts of a conjunction.

use super::crude::estimate_risk;
use super::estimate::{Estimate, Measure, Unknown, normal_tail};
use crate::count::{Count, exclude_supersets};
use crate::dataset::{Candidate, Column};

/// For conjunctions with more parts, only the configurations with all parts or all but one are reported.
const MOST_PARTS: usize = 4;

/// The interaction of the parts of a conjunction.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// The rows by which of the parts hold in them: every configuration for up to four parts, otherwise those with all
    /// parts or all but one. Sorted by bit mask.
    pub cells: Vec<InteractionCell>,
    /// The parts, by number, with an estimated risk below that of rows without any part, possibly by chance. If
    /// there is such a part, interpret the measures below with caution.
    pub preventive: Vec<usize>,
    /// How far the parts together exceed what they do apart.
    pub measures: InteractionMeasures,
}

/// A measure of interaction on the additive scale, which compares the risks of two parts.
#[derive(Clone, Copy, Debug)]
pub struct AdditiveMeasure {
    /// The name in results.
    pub key: &'static str,
    /// The name in running text.
    pub title: &'static str,
    estimate: fn(&Additivity) -> Measure,
}

/// All measures of interaction on the additive scale. A new measure is a new entry.
///
/// The relative excess risk is RR₁₁ − RR₁₀ − RR₀₁ + 1, above 0 if the effect of both parts exceeds the sum of their
/// single effects; the attributable proportion is the relative excess risk divided by RR₁₁; Rothman's synergy index is
/// (RR₁₁ − 1)/(RR₁₀ + RR₀₁ − 2).
pub static ADDITIVE_MEASURES: [AdditiveMeasure; 3] = [
    AdditiveMeasure {
        key: "reri",
        title: "relative excess risk (RERI)",
        estimate: Additivity::relative_excess_risk,
    },
    AdditiveMeasure {
        key: "attributable_proportion",
        title: "attributable proportion",
        estimate: Additivity::attributable_proportion,
    },
    AdditiveMeasure { key: "synergy_index", title: "synergy index", estimate: Additivity::synergy_index },
];

/// A contrast of the risks with and without the parts.
#[derive(Clone, Copy, Debug)]
pub struct RiskContrast {
    /// The name in results.
    pub key: &'static str,
    /// The name in running text.
    pub title: &'static str,
    estimate: fn(usize, &[InteractionCell]) -> ContrastTest,
}

/// All contrasts. A new contrast is a new entry.
///
/// The first is p₁₁ − p₁₀ − p₀₁; with more parts, the risk with all parts minus the risks with all but one. If it is
/// above 0, there are rows in which the target occurs only if all parts hold (VanderWeele and Robins 2008). If the
/// second, p₁₁ − p₁₀ − p₀₁ + p₀₀, is above 0, the same follows under the assumption that no part ever prevents the
/// target.
pub static RISK_CONTRASTS: [RiskContrast; 2] = [
    RiskContrast { key: "sufficient_cause", title: "sufficient-cause contrast", estimate: sufficient_cause },
    RiskContrast {
        key: "monotone_sufficient_cause",
        title: "the same, if no part is preventive",
        estimate: monotone_sufficient_cause,
    },
];

/// One estimate per measure of interaction, in the order of [`ADDITIVE_MEASURES`] and [`RISK_CONTRASTS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InteractionMeasures {
    pub(super) additive: [Measure; ADDITIVE_MEASURES.len()],
    pub(super) contrasts: [ContrastTest; RISK_CONTRASTS.len()],
}

/// A contrast, or the reason why there is none.
pub type ContrastTest = Result<Contrast, Unknown>;

impl InteractionMeasures {
    /// Every measure on the additive scale with its estimate.
    pub fn additive(&self) -> impl Iterator<Item = (&'static AdditiveMeasure, Measure)> {
        ADDITIVE_MEASURES.iter().zip(self.additive)
    }

    /// Every contrast with its test.
    pub fn contrasts(&self) -> impl Iterator<Item = (&'static RiskContrast, ContrastTest)> {
        RISK_CONTRASTS.iter().zip(self.contrasts)
    }

    /// The relative excess risk due to interaction.
    pub fn relative_excess_risk(&self) -> Measure {
        self.additive[0]
    }

    /// The test of sufficient-cause interaction.
    pub fn sufficient_cause(&self) -> ContrastTest {
        self.contrasts[0]
    }

    fn from_cells(level: usize, cells: &[InteractionCell]) -> Self {
        let additive = two_parts(cells).and_then(|four| Additivity::new(four, RiskLevel::risk));
        Self {
            additive: ADDITIVE_MEASURES
                .each_ref()
                .map(|measure| additive.as_ref().map_err(|reason| *reason).and_then(measure.estimate)),
            contrasts: RISK_CONTRASTS.each_ref().map(|contrast| (contrast.estimate)(level, cells)),
        }
    }
}

/// The rows in which exactly these parts hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InteractionCell {
    /// The parts that hold, as a bit mask.
    pub held: u32,
    /// The number of these rows by target.
    pub count: Count,
    /// The share of target 1 among them.
    pub risk: Measure,
}

/// A contrast of risks with the one-sided test that it is above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// The contrast.
    pub value: f64,
    /// The contrast divided by its standard error.
    pub z: f64,
    /// The probability of a z at least this large if the true contrast is 0.
    pub p_value: f64,
    /// Whether ½ was added to every count because one of them is 0.
    pub corrected: bool,
}

/// The conjunctions of parts whose counts an [`Interaction`] is computed from.
pub(super) fn list_subsets(cause: &Candidate, columns: &[Column]) -> Vec<Candidate> {
    let parts = cause.part_candidates(columns);
    let join = |mask: u32| {
        let held = parts.iter().enumerate().filter(|(part, _)| mask >> part & 1 == 1);
        held.fold(Candidate::default(), |joint, (_, part)| joint.join(part))
    };
    subset_masks(parts.len()).into_iter().map(join).collect()
}

/// The bit masks of non-empty proper subsets of the parts: all for up to [`MOST_PARTS`] parts, otherwise those that
/// lack one part.
fn subset_masks(level: usize) -> Vec<u32> {
    match level {
        0 | 1 => Vec::new(),
        2..=MOST_PARTS => (1..(1 << level) - 1).collect(),
        _ => (0..level).rev().map(|part| full_mask(level) ^ 1 << part).collect(),
    }
}

/// The bit mask of all parts.
fn full_mask(level: usize) -> u32 {
    u32::MAX >> (32 - level.clamp(1, 32))
}

impl Interaction {
    /// Takes the counts of all rows, of the rows with the conjunction, and of the rows with each of [`list_subsets`].
    pub(super) fn new(level: usize, rows: Count, with: Count, subsets: &[Count]) -> Option<Self> {
        let cells = match level {
            0 | 1 => return None,
            2..=MOST_PARTS => {
                let mut counts = [&[rows], subsets, &[with]].concat();
                exclude_supersets(&mut counts);
                (0..).zip(counts).map(|(held, count)| make_cell(held, count)).collect()
            }
            _ => {
                let lacking =
                    subset_masks(level).into_iter().zip(subsets).map(|(mask, &count)| (mask, count - with));
                lacking
                    .chain([(full_mask(level), with)])
                    .map(|(held, count)| make_cell(held, count))
                    .collect()
            }
        };
        Some(Self::from_cells(level, cells))
    }

    fn from_cells(level: usize, cells: Vec<InteractionCell>) -> Self {
        let value = |held: u32| {
            cells.iter().find(|cell| cell.held == held).and_then(|cell| cell.risk.ok()).map(|risk| risk.value)
        };
        let preventive = (0..level)
            .filter(|part| value(1 << part).zip(value(0)).is_some_and(|(alone, none)| alone < none));
        Interaction {
            preventive: preventive.collect(),
            measures: InteractionMeasures::from_cells(level, &cells),
            cells,
        }
    }
}

/// The counts with no part, the first, the second and both.
fn two_parts(cells: &[InteractionCell]) -> Result<[Count; 4], Unknown> {
    match cells {
        [none, first, second, both] => Ok([none.count, first.count, second.count, both.count]),
        _ => Err(Unknown::MoreThanTwoParts),
    }
}

fn sufficient_cause(level: usize, cells: &[InteractionCell]) -> ContrastTest {
    let full = full_mask(level);
    let signed = |cell: &InteractionCell| match full.count_ones() - cell.held.count_ones() {
        0 => Some((1.0, cell.count)),
        1 => Some((-1.0, cell.count)),
        _ => None,
    };
    test_contrast(&cells.iter().filter_map(signed).collect::<Vec<_>>())
}

fn monotone_sufficient_cause(_: usize, cells: &[InteractionCell]) -> ContrastTest {
    let [none, first, second, both] = two_parts(cells)?;
    test_contrast(&[(1.0, both), (-1.0, first), (-1.0, second), (1.0, none)])
}

fn make_cell(held: u32, count: Count) -> InteractionCell {
    InteractionCell { held, count, risk: estimate_risk(count) }
}

/// The continuity correction of cells: ½, to be added to every count, if a count is 0, otherwise 0.
fn zero_correction(cells: impl IntoIterator<Item = Count>) -> Result<f64, Unknown> {
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

/// Tests a signed sum of risks, whose variance is Σ p(1 − p)/n.
fn test_contrast(cells: &[(f64, Count)]) -> ContrastTest {
    let add = zero_correction(cells.iter().map(|(_, count)| *count))?;
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

/// A risk or odds with the variance of its logarithm.
#[derive(Clone, Copy, Debug)]
struct RiskLevel {
    value: f64,
    variance: f64,
}

impl RiskLevel {
    fn risk(positive: f64, negative: f64) -> Self {
        let total = positive + negative;
        RiskLevel { value: positive / total, variance: negative / (positive * total) }
    }
}

/// Measures of departure from additivity. The levels are the risks (or odds) with neither part, the first, the second
/// and both; they are independent. Intervals are computed by the delta method (Hosmer and Lemeshow 1992).
///
/// The measures are defined by the ratios RR = level / level with neither part.
#[derive(Clone, Copy, Debug)]
struct Additivity {
    levels: [RiskLevel; 4],
    corrected: bool,
}

impl Additivity {
    fn new(cells: [Count; 4], level: fn(f64, f64) -> RiskLevel) -> Result<Self, Unknown> {
        let add = zero_correction(cells)?;
        let levels = cells.map(|cell| level(cell.positive as f64 + add, cell.negative as f64 + add));
        Ok(Additivity { levels, corrected: add > 0.0 })
    }

    fn values(&self) -> [f64; 4] {
        self.levels.map(|level| level.value)
    }

    /// The variance of a function of the levels, given its derivatives with respect to their logarithms.
    fn variance(&self, gradient: [f64; 4]) -> f64 {
        self.levels.iter().zip(gradient).map(|(level, slope)| slope * slope * level.variance).sum()
    }

    fn relative_excess_risk(&self) -> Measure {
        let [none, first, second, both] = self.values();
        let [r10, r01, r11] = [first / none, second / none, both / none];
        let variance = self.variance([r10 + r01 - r11, -r10, -r01, r11]);
        Ok(Estimate::with_normal_interval(r11 - r10 - r01 + 1.0, variance).mark_corrected(self.corrected))
    }

    fn attributable_proportion(&self) -> Measure {
        let [none, first, second, both] = self.values();
        let expected = (first + second - none) / both;
        let variance = self.variance([none / both, -first / both, -second / both, expected]);
        Ok(Estimate::with_normal_interval(1.0 - expected, variance).mark_corrected(self.corrected))
    }

    fn synergy_index(&self) -> Measure {
        let [none, first, second, both] = self.values();
        let (joint_excess, sum_of_excesses) = (both - none, first + second - 2.0 * none);
        if joint_excess <= 0.0 || sum_of_excesses <= 0.0 {
            return Err(Unknown::NoExcess);
        }
        let variance = self.variance([
            2.0 * none / sum_of_excesses - none / joint_excess,
            -first / sum_of_excesses,
            -second / sum_of_excesses,
            both / joint_excess,
        ]);
        Ok(Estimate::with_log_normal_interval(joint_excess / sum_of_excesses, variance)
            .mark_corrected(self.corrected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(cells: [[u64; 2]; 4]) -> [Count; 4] {
        cells.map(|[positive, negative]| Count { positive, negative })
    }

    /// Rothman and Keller (1972) on oral cancer, alcohol and smoking, with the measures and intervals of Hosmer and
    /// Lemeshow (1992), Epidemiology 3. It is a case-control study, so odds are used instead of risks.
    #[test]
    fn additivity_measures_match_hosmer_and_lemeshow_1992() {
        let odds = |positive: f64, negative: f64| RiskLevel {
            value: positive / negative,
            variance: 1.0 / positive + 1.0 / negative,
        };
        let additive = Additivity::new(counts([[3, 20], [8, 18], [6, 12], [225, 166]]), odds).unwrap();
        let rounded = |estimate: Estimate| {
            [estimate.value, estimate.low, estimate.high].map(|figure| (figure * 100.0).round() / 100.0)
        };
        assert_eq!(rounded(additive.relative_excess_risk().unwrap()), [3.74, -1.84, 9.32]);
        assert_eq!(rounded(additive.attributable_proportion().unwrap()), [0.41, -0.07, 0.90]);
        assert_eq!(rounded(additive.synergy_index().unwrap()), [1.87, 0.65, 5.42]);
    }

    #[test]
    fn contrasts_match_hand_computed_values() {
        // Risks 0.1, 0.2, 0.3 and 0.9, with 100 rows each.
        let [none, first, second, both] = counts([[10, 90], [20, 80], [30, 70], [90, 10]]);
        let rows = none + first + second + both;
        let found = Interaction::new(2, rows, both, &[first + both, second + both]).unwrap();
        let sufficient = found.measures.sufficient_cause().unwrap();
        assert!((sufficient.value - 0.4).abs() < 1e-12);
        let z = 0.4 / ((0.09 + 0.16 + 0.21) / 100.0f64).sqrt();
        assert!((sufficient.z - z).abs() < 1e-12);
        // scipy.stats.norm.sf(0.4/0.0046**0.5)
        assert!((sufficient.p_value / 1.843_259_707_316_394_5e-9 - 1.0).abs() < 1e-12, "{sufficient:?}");
        let monotone = found.measures.contrasts[1].unwrap();
        assert!((monotone.value - 0.5).abs() < 1e-12);
        assert!((monotone.z - 0.5 / ((0.09 + 0.16 + 0.21 + 0.09) / 100.0f64).sqrt()).abs() < 1e-12);
        assert_eq!(found.preventive, []);
        assert_eq!(
            found.cells.iter().map(|cell| cell.count).collect::<Vec<_>>(),
            [none, first, second, both]
        );
    }

    #[test]
    fn three_parts_have_one_contrast_and_no_additivity_measures() {
        // The risk is 0.8 with all three parts and 0.1 otherwise.
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
        assert!((found.measures.sufficient_cause().unwrap().value - 0.5).abs() < 1e-12);
        assert_eq!(found.measures.contrasts[1], Err(Unknown::MoreThanTwoParts));
        assert_eq!(found.measures.additive, [Err(Unknown::MoreThanTwoParts); 3]);
    }

    #[test]
    fn parts_that_lower_the_risk_are_reported() {
        let [none, first, second, both] = counts([[20, 80], [10, 90], [30, 70], [90, 10]]);
        let rows = none + first + second + both;
        let found = Interaction::new(2, rows, both, &[first + both, second + both]).unwrap();
        assert_eq!(found.preventive, [0]);
    }

    #[test]
    fn a_missing_cell_does_not_affect_the_risks_of_other_cells() {
        let [none, second, both] =
            [[10, 90], [30, 70], [90, 10]].map(|[positive, negative]| Count { positive, negative });
        let found = Interaction::new(2, none + second + both, both, &[both, second + both]).unwrap();
        assert_eq!(found.measures.relative_excess_risk(), Err(Unknown::MissingCell));
        assert_eq!(found.measures.sufficient_cause(), Err(Unknown::MissingCell));
        assert_eq!(found.cells[1].risk, Err(Unknown::MissingCell));
        assert!(found.cells[2].risk.is_ok());
    }
}
