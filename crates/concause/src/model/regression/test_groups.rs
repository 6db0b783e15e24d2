//! Small groups of rows, for the tests of regressions.

use crate::model::groups::Groups;
use crate::random::Random;

/// Two groups: without the term and with it.
pub(super) fn two_groups(without: (f64, f64), with: (f64, f64)) -> Groups {
    let mut groups = Groups::default();
    groups.push(std::iter::empty(), without.0, without.1);
    groups.push(std::iter::once(0), with.0, with.1);
    groups
}

/// Groups of three terms with random counts, and the same without the last term.
pub(super) fn random_groups(random: &mut Random) -> (Groups, Groups, Vec<(f64, f64)>) {
    let (mut larger, mut smaller, mut counts) = (Groups::default(), Groups::default(), Vec::new());
    for key in 0..4usize {
        let held = || (0..2).filter(move |term| key >> term & 1 == 1);
        let risk = 0.2 + 0.1 * (key & 1) as f64 + 0.15 * (key >> 1) as f64;
        let cells = [0.0, 0.08].map(|more| {
            let total = 200.0 + (200.0 * random.unit()).floor();
            ((total * (risk + more)).round(), total)
        });
        larger.push(held(), cells[0].0, cells[0].1);
        larger.push(held().chain([2]), cells[1].0, cells[1].1);
        smaller.push(held(), cells[0].0 + cells[1].0, cells[0].1 + cells[1].1);
        counts.push((cells[1].0, cells[1].1 - cells[1].0));
    }
    (larger, smaller, counts)
}
