//! How a parent of the target is replaced by parts whose conjunction equals the parent.

use concause::random::Random;

/// How the parts of a parent A are filled in the rows where A is 0. Where A is 1 all parts are 1, so that their
/// conjunction equals A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Split {
    /// With knowledge of the target, as in the paper's own data, so that no part is associated with the target.
    ///
    /// Let a_t = P(A=1 | T=t) in the sample, and let `hi` be the class in which it is larger. In class `hi`, a row
    /// with A=0 has 0 in two parts with probability (a_hi − a_lo) / (1 − a_hi). In every other row with A=0 one
    /// part is 0. All choices of these parts are equally likely. Then P(part=1 | T) = (k − 1 + a_lo) / k in both
    /// classes, for any number k of parts. The conjunction of two parts out of three is associated with the target,
    /// a third as strongly as A.
    ///
    /// If A is so strong that the probability would exceed 1, it is set to 1. In that case no way of filling two parts
    /// makes both independent of the target, and this one comes closest.
    #[default]
    Aware,
    /// All combinations of values of the parts except all ones are equally likely.
    Blind,
    /// Exactly one part is 0; all parts are equally likely.
    BlindHalf,
}

impl Split {
    /// All splits.
    pub const ALL: [Split; 3] = [Split::Aware, Split::Blind, Split::BlindHalf];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Split::Aware => "aware",
            Split::Blind => "blind",
            Split::BlindHalf => "blind-half",
        }
    }

    /// Replaces a column by its parts.
    pub(crate) fn split_column(
        self,
        column: &[bool],
        outcome: &[bool],
        parts: usize,
        random: &mut Random,
    ) -> Vec<Vec<bool>> {
        let all_ones = (1usize << parts) - 1;
        let (high, two_zeros) = match self {
            Split::Aware => two_zeros_probability(column, outcome),
            Split::Blind | Split::BlindHalf => (true, 0.0),
        };
        let mut split = vec![column.to_vec(); parts];
        for (row, &case) in outcome.iter().enumerate().filter(|(row, _)| !column[*row]) {
            // The bits of the parts in this row.
            let bits = match self {
                Split::Blind => random.below(all_ones),
                Split::Aware if case == high && random.chance(two_zeros) => {
                    let first = random.below(parts);
                    let second = (first + 1 + random.below(parts - 1)) % parts;
                    all_ones ^ (1 << first) ^ (1 << second)
                }
                Split::Aware | Split::BlindHalf => all_ones ^ (1 << random.below(parts)),
            };
            for (part, filled) in split.iter_mut().enumerate() {
                filled[row] = bits >> part & 1 == 1;
            }
        }
        split
    }
}

/// The class in which the column is 1 more often, and the probability of two zeros there (see [`Split::Aware`]).
fn two_zeros_probability(column: &[bool], outcome: &[bool]) -> (bool, f64) {
    let share = |class: bool| {
        let rows = outcome.iter().filter(|&&case| case == class).count();
        let ones = column.iter().zip(outcome).filter(|&(&one, &case)| one && case == class).count();
        if rows == 0 { 0.0 } else { ones as f64 / rows as f64 }
    };
    let (cases, controls) = (share(true), share(false));
    let (high, low) = if cases >= controls { (cases, controls) } else { (controls, cases) };
    // A class without a 0 never uses the probability.
    (cases >= controls, if high < 1.0 { ((high - low) / (1.0 - high)).min(1.0) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: usize = 200_000;

    /// A column that is 1 in `ones[t]` of the rows with T=t, and T, which is 1 in 30 % of the rows.
    fn column(random: &mut Random, ones: [f64; 2]) -> (Vec<bool>, Vec<bool>) {
        let outcome: Vec<bool> = (0..ROWS).map(|_| random.chance(0.3)).collect();
        let column = outcome.iter().map(|&case| random.chance(ones[usize::from(case)])).collect();
        (column, outcome)
    }

    fn share(rows: impl Iterator<Item = bool>) -> f64 {
        let (mut all, mut ones) = (0.0, 0.0);
        rows.for_each(|one| {
            all += 1.0;
            ones += f64::from(u8::from(one));
        });
        ones / all
    }

    /// The share of a column's ones in a class.
    fn in_class(column: &[bool], outcome: &[bool], class: bool) -> f64 {
        share(column.iter().zip(outcome).filter(|&(_, &case)| case == class).map(|(&one, _)| one))
    }

    #[test]
    fn the_conjunction_of_the_parts_is_the_column() {
        let mut random = Random::new(1);
        let (column, outcome) = column(&mut random, [0.3, 0.6]);
        for split in Split::ALL {
            for parts in [2, 3, 4] {
                let filled = split.split_column(&column, &outcome, parts, &mut random);
                assert_eq!(filled.len(), parts);
                let and = |row: usize| filled.iter().all(|part| part[row]);
                assert!((0..ROWS).all(|row| and(row) == column[row]), "{split:?} {parts}");
            }
        }
    }

    #[test]
    fn aware_parts_are_independent_of_the_target() {
        let mut random = Random::new(2);
        for ones in [[0.4, 0.55], [0.55, 0.4], [0.2, 0.6], [0.5, 0.5]] {
            let (column, outcome) = column(&mut random, ones);
            let low = in_class(&column, &outcome, false).min(in_class(&column, &outcome, true));
            for parts in [2, 3, 4] {
                for part in Split::Aware.split_column(&column, &outcome, parts, &mut random) {
                    let expected = (parts as f64 - 1.0 + low) / parts as f64;
                    for class in [false, true] {
                        let share = in_class(&part, &outcome, class);
                        // Six standard errors of the smaller class.
                        assert!((share - expected).abs() < 6.0 * 0.5 / 60_000f64.sqrt(), "{ones:?} {share}");
                    }
                }
            }
        }
    }

    #[test]
    fn aware_combinations_are_as_described() {
        let mut random = Random::new(3);
        // P(A=1 | T) is .4 and .55: the probability of two zeros is .15/.45 in the cases and 0 in the controls.
        let (column, outcome) = column(&mut random, [0.4, 0.55]);
        for parts in [2, 3, 4] {
            let filled = Split::Aware.split_column(&column, &outcome, parts, &mut random);
            let zeros = |row: &usize| filled.iter().filter(|part| !part[*row]).count();
            for (class, expected) in [(false, 0.0), (true, 1.0 / 3.0)] {
                let rows: Vec<usize> =
                    (0..ROWS).filter(|&row| !column[row] && outcome[row] == class).collect();
                assert!(rows.iter().all(|row| matches!(zeros(row), 1 | 2)));
                let two: Vec<&usize> = rows.iter().filter(|row| zeros(row) == 2).collect();
                let seen = two.len() as f64 / rows.len() as f64;
                assert!((seen - expected).abs() < 0.03, "{parts} {class}: {seen}");
                // All pairs of zeros are equally likely.
                let pairs = (parts * (parts - 1) / 2) as f64;
                for left in 0..parts {
                    for right in 0..left {
                        let both = |row: &&&usize| !filled[left][***row] && !filled[right][***row];
                        let seen = two.iter().filter(both).count() as f64;
                        let even = two.len() as f64 / pairs;
                        assert!((seen - even).abs() <= 6.0 * even.sqrt(), "{parts}: {seen} of {even}");
                    }
                }
            }
        }
    }

    #[test]
    fn pairs_of_three_aware_parts_keep_a_third_of_the_association() {
        let mut random = Random::new(3);
        let (column, outcome) = column(&mut random, [0.4, 0.55]);
        let parts = Split::Aware.split_column(&column, &outcome, 3, &mut random);
        let pair: Vec<bool> = parts[0].iter().zip(&parts[2]).map(|(&left, &right)| left && right).collect();
        let difference = in_class(&pair, &outcome, true) - in_class(&pair, &outcome, false);
        assert!((difference - 0.05).abs() < 0.015, "{difference}");
    }

    #[test]
    fn a_column_too_strong_to_hide_gets_only_zeros_in_its_class() {
        let mut random = Random::new(4);
        let (column, outcome) = column(&mut random, [0.1, 0.9]);
        let parts = Split::Aware.split_column(&column, &outcome, 2, &mut random);
        let zeros = (0..ROWS).filter(|&row| outcome[row] && !column[row]);
        assert!(zeros.clone().count() > 0 && zeros.clone().all(|row| !parts[0][row] && !parts[1][row]));
        let outcome = vec![true; 3];
        assert_eq!(Split::Aware.split_column(&[true; 3], &outcome, 2, &mut random), vec![vec![true; 3]; 2]);
    }

    #[test]
    fn blind_combinations_are_equally_likely() {
        let mut random = Random::new(5);
        let (column, outcome) = column(&mut random, [0.5, 0.5]);
        for (split, parts, combinations) in [
            (Split::Blind, 2, vec![0b00, 0b01, 0b10]),
            (Split::Blind, 3, (0..7).collect()),
            (Split::BlindHalf, 2, vec![0b01, 0b10]),
            (Split::BlindHalf, 3, vec![0b011, 0b101, 0b110]),
        ] {
            let filled = split.split_column(&column, &outcome, parts, &mut random);
            for class in [false, true] {
                let rows: Vec<usize> =
                    (0..ROWS).filter(|&row| !column[row] && outcome[row] == class).collect();
                let mut seen = vec![0.0; 1 << parts];
                for &row in &rows {
                    let bits: usize = (0..parts).map(|part| usize::from(filled[part][row]) << part).sum();
                    seen[bits] += 1.0;
                }
                for (bits, &count) in seen.iter().enumerate() {
                    let p = if combinations.contains(&bits) { 1.0 / combinations.len() as f64 } else { 0.0 };
                    let n = rows.len() as f64;
                    assert!((count - n * p).abs() <= 6.0 * (n * p * (1.0 - p)).sqrt(), "{split:?} {seen:?}");
                }
            }
        }
    }
}
