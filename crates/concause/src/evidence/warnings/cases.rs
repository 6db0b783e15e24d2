//! Whether there are enough cases for what was asked.

use super::{Scene, Warning};
use crate::independence::convolution;
use crate::search::{Method, Settings};

/// The rows of the rarer class that a cell should have to be expected (Cochran 1954).
const LEAST_EXPECTED: f64 = 5.0;

/// The share of conjunctions for which there must be that many; in data with hundreds of rare columns a few are enough.
const LEAST_SHARE: f64 = 0.1;

/// The width of the classes into which logarithms of shares are sorted.
const WIDTH: f64 = 0.01;

/// What was asked for, and what there are cases enough for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// The rows of the rarer class.
    pub cases: u64,
    /// Whether these are the rows with target 1.
    pub positive: bool,
    /// The deepest level asked for.
    pub level: usize,
    /// The deepest for which there are enough; 0 if not even for single columns.
    pub affordable_level: usize,
    /// The largest conditioning set asked for; none if the method has no conditioning sets.
    pub max_k: Option<usize>,
    /// The largest for which there are enough.
    pub affordable_max_k: Option<usize>,
}

pub(super) fn warning(scene: &Scene<'_>) -> Option<Warning> {
    let Settings { max_k, method, .. } = *scene.settings;
    let rows = scene.rows;
    let cases = rows.positive.min(rows.negative);
    let level = scene.settings.deepest_level();
    let share = |&column: &u32| scene.count(column).total() as f64 / rows.total() as f64;
    let shares: Vec<f64> = scene.free.iter().map(share).collect();
    let max_k = (!matches!(method, Method::CrPa | Method::CrCs)).then_some(max_k);
    let shortage = Shortage {
        cases,
        positive: rows.positive <= rows.negative,
        level,
        affordable_level: affordable_level(cases as f64, &shares, level),
        max_k,
        affordable_max_k: max_k.map(|max_k| affordable_max_k(cases as f64, max_k)),
    };
    let enough = shares.is_empty()
        || shortage.affordable_level == shortage.level && shortage.affordable_max_k == shortage.max_k;
    (!enough).then_some(Warning::TooFewCases(shortage))
}

/// The deepest level at which enough conjunctions of independent columns with these shares are to be expected in
/// enough of the cases.
fn affordable_level(cases: f64, shares: &[f64], level: usize) -> usize {
    // cases · Π shares ≥ 5 if and only if Σ −ln share ≤ ln(cases/5).
    let room = (cases / LEAST_EXPECTED).ln();
    if room < 0.0 {
        return 0;
    }
    let classes = (room / WIDTH) as usize + 1;
    let mut single = vec![0.0; classes];
    for share in shares {
        if let Some(class) = single.get_mut((-share.ln() / WIDTH) as usize) {
            *class += 1.0 / shares.len() as f64;
        }
    }
    let mut joined = single.clone();
    let mut reached = 0;
    while reached < level && joined.iter().sum::<f64>() >= LEAST_SHARE {
        reached += 1;
        joined = convolution(&joined, &single);
        joined.truncate(classes);
    }
    reached
}

/// The largest conditioning set of columns that hold in every other row, for which a column that does so too is to be
/// expected in enough of the cases of each stratum.
fn affordable_max_k(cases: f64, max_k: usize) -> usize {
    (0..=max_k).rev().find(|&k| cases / 2f64.powi(k as i32 + 1) >= LEAST_EXPECTED).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_from_shares() {
        let fair = [0.5; 10];
        // 5 · 2^level cases are needed; the classes of logarithms are rounded in favour of more.
        assert_eq!(affordable_level(4.9, &fair, 3), 0);
        assert_eq!(affordable_level(9.8, &fair, 3), 0);
        assert_eq!(affordable_level(10.1, &fair, 3), 1);
        assert_eq!(affordable_level(39.0, &fair, 3), 2);
        assert_eq!(affordable_level(41.0, &fair, 3), 3);
        assert_eq!(affordable_level(1e9, &fair, 3), 3);
        // Of pairs of columns of which a half is rare, a quarter is common.
        let mixed = [0.5, 0.5, 0.5, 0.001, 0.001, 0.001];
        assert_eq!(affordable_level(100.0, &mixed, 2), 2);
        // … and of conjunctions of four 1/16, which is too few.
        assert_eq!(affordable_level(100.0, &mixed, 4), 3);
        assert_eq!(affordable_level(100.0, &[0.01; 4], 2), 0);
    }

    /// The share of pairs by counting them.
    #[test]
    fn the_share_of_pairs_is_that_of_all_pairs() {
        let shares: Vec<f64> = (1..=60).map(|i| (i as f64 / 61.0).powi(3)).collect();
        for cases in [20.0, 50.0, 100.0, 200.0, 400.0, 1000.0] {
            let enough = |a: &f64| shares.iter().filter(|b| cases * a * *b >= LEAST_EXPECTED).count();
            let share = shares.iter().map(enough).sum::<usize>() as f64 / 3600.0;
            if (share - LEAST_SHARE).abs() > 0.02 {
                assert_eq!(affordable_level(cases, &shares, 2) == 2, share >= LEAST_SHARE, "{cases} {share}");
            }
        }
    }

    #[test]
    fn strata_need_cases() {
        assert_eq!(
            [9.0, 10.0, 20.0, 79.0, 80.0, 1e6].map(|cases| affordable_max_k(cases, 3)),
            [0, 0, 1, 2, 3, 3]
        );
    }
}
