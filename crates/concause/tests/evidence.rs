//! The evidence for causes, compared with another implementation (see the fixture) and with textbook formulas applied
//! to single rows.

use std::collections::BTreeMap;

use concause::count::{Count, LocalCounter, Stratum};
use concause::dataset::{Candidate, Dataset, DatasetBuilder, Target};
use concause::evidence::{Estimate, Evidence, Measure, Unknown, estimate_evidence};

use crate::support::{Matrix, Random};

const Z: f64 = 1.959963984540054;

/// A dataset from groups of equal rows: the columns that hold, as a bit mask, and the number of rows by target.
fn dataset(columns: usize, groups: &[(u32, Count)]) -> Dataset {
    let mut rows: Vec<(u32, bool)> = Vec::new();
    for &(held, count) in groups {
        rows.extend((0..count.positive).map(|_| (held, true)));
        rows.extend((0..count.negative).map(|_| (held, false)));
    }
    let outcome = rows.iter().map(|row| row.1).collect();
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
    for column in 0..columns {
        let name = format!("V{column}");
        let held = rows.iter().map(|row| (row.0 >> column & 1 == 1).then_some(0));
        builder.attribute(&name, vec![name.clone()], held);
    }
    builder.finish()
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split([',', ' ']).filter(|number| !number.is_empty()).map(|number| number.parse().unwrap()).collect()
}

fn close(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1e-3)
}

#[track_caller]
fn assert_estimate(found: Measure, expected: &[f64], tolerance: f64) {
    let Estimate { value, low, high, .. } = found.expect("the measure should have an estimate");
    let all = [value, low, high].into_iter().zip(expected).all(|(found, &it)| close(found, it, tolerance));
    assert!(all, "{found:?} is not {expected:?}");
}

fn fixture(kind: &str) -> impl Iterator<Item = Vec<&'static str>> {
    include_str!("fixtures/effects.csv")
        .lines()
        .map(|line| line.split(';').collect::<Vec<_>>())
        .filter(move |fields| fields[0] == kind)
}

/// The evidence for three causes. Column 0 has these cells in each stratum; the strata are the configurations of the
/// other two columns.
fn in_strata(cells: &[u64]) -> Vec<Evidence> {
    let count = |pair: &[u64]| Count { positive: pair[0], negative: pair[1] };
    let groups: Vec<(u32, Count)> = (0..)
        .zip(cells.chunks(4))
        .flat_map(|(stratum, cells)| {
            [(stratum << 1 | 1, count(&cells[..2])), (stratum << 1, count(&cells[2..]))]
        })
        .collect();
    let data = dataset(3, &groups);
    estimate_evidence(
        &LocalCounter::new(&data),
        &(0..3).map(Candidate::single).collect::<Vec<_>>(),
        &[],
        data.columns(),
    )
    .unwrap()
}

#[test]
fn effects_agree_with_statsmodels() {
    let mut compared = 0;
    for fields in fixture("effects") {
        let (expected, pooled): (Vec<f64>, Vec<f64>) = (numbers(fields[2]), numbers(fields[3]));
        let evidence = &in_strata(&numbers(fields[1]))[0];
        assert_estimate(evidence.effects.risk_difference(), &expected[..3], 1e-10);
        assert_estimate(evidence.effects.risk_ratio(), &expected[3..6], 1e-10);
        assert_estimate(evidence.effects.odds_ratio(), &expected[6..], 1e-10);
        if !pooled.is_empty() {
            assert_estimate(evidence.adjusted.effects.odds_ratio(), &pooled[..3], 1e-10);
            assert_estimate(evidence.adjusted.effects.risk_ratio(), &pooled[3..], 1e-10);
        }
        compared += 1;
    }
    assert!(compared > 50);
}

#[test]
fn interactions_agree_with_statsmodels() {
    let mut compared = 0;
    for fields in fixture("interaction") {
        let cells: Vec<u64> = numbers(fields[1]);
        let expected: Vec<f64> = numbers(fields[2]);
        let groups: Vec<(u32, Count)> = (0..)
            .zip(cells.chunks(2))
            .map(|(held, cell)| (held, Count { positive: cell[0], negative: cell[1] }))
            .collect();
        let data = dataset(2, &groups);
        let evidence =
            estimate_evidence(&LocalCounter::new(&data), &[Candidate::new(vec![0, 1])], &[], data.columns())
                .unwrap();
        let interaction = evidence[0].interaction.as_ref().unwrap();
        let ends = |value: f64, error: f64| [value, value - Z * error, value + Z * error];
        let additive: Vec<Measure> = interaction.measures.additive().map(|(_, it)| it).collect();
        assert_estimate(additive[0], &ends(expected[0], expected[1]), 1e-5);
        assert_estimate(additive[1], &ends(expected[2], expected[3]), 1e-5);
        if expected[4].is_nan() {
            assert_eq!(additive[2], Err(Unknown::NoExcess));
        } else {
            let expected = ends(expected[4], expected[5]).map(f64::exp);
            assert_estimate(additive[2], &expected, 1e-5);
        }
        let corrected = cells.contains(&0);
        assert_eq!(additive[0].unwrap().corrected, corrected);
        compared += 1;
    }
    assert_eq!(compared, 30);
}

/// The strata of the other causes, counted row by row.
fn strata(matrix: &Matrix, causes: &[Candidate], number: usize) -> Vec<Stratum> {
    let mut strata: BTreeMap<Vec<bool>, Stratum> = BTreeMap::new();
    for row in 0..matrix.rows() {
        let others = causes.iter().enumerate().filter(|(other, _)| *other != number);
        let key = others.map(|(_, other)| matrix.holds(other, row)).collect();
        let stratum = strata.entry(key).or_default();
        let cell = if matrix.holds(&causes[number], row) { &mut stratum.with } else { &mut stratum.without };
        let class = if matrix.outcome[row] { &mut cell.positive } else { &mut cell.negative };
        *class += 1;
    }
    strata.into_values().collect()
}

/// The formulas of Rothman, Greenland and Lash (2008, chapter 15) and Sato (1989).
fn by_the_book(strata: &[Stratum]) -> [Option<[f64; 3]>; 3] {
    let (mut w, mut rd, mut p, mut q) = (0.0, 0.0, 0.0, 0.0);
    let (mut rr1, mut rr0, mut rrv) = (0.0, 0.0, 0.0);
    let (mut g, mut h, mut gp, mut mixed, mut hq) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for stratum in strata {
        let [a, b, c, d] = [
            stratum.with.positive,
            stratum.with.negative,
            stratum.without.positive,
            stratum.without.negative,
        ]
        .map(|count| count as f64);
        let (n1, n0, m1, n) = (a + b, c + d, a + c, a + b + c + d);
        w += n1 * n0 / n;
        rd += (a * n0 - c * n1) / n;
        p += (n1 * n1 * c - n0 * n0 * a + n1 * n0 * (n0 - n1) / 2.0) / (n * n);
        q += (a * (n0 - c) + c * (n1 - a)) / (2.0 * n);
        rr1 += a * n0 / n;
        rr0 += c * n1 / n;
        rrv += (m1 * n1 * n0 - a * c * n) / (n * n);
        g += a * d / n;
        h += b * c / n;
        gp += a * d / n * (a + d) / n;
        mixed += a * d / n * (b + c) / n + b * c / n * (a + d) / n;
        hq += b * c / n * (b + c) / n;
    }
    let ratio = |upper: f64, lower: f64, variance: f64| {
        let reach = (Z * variance.sqrt()).exp();
        let value = upper / lower;
        (upper > 0.0 && lower > 0.0).then_some([value, value / reach, value * reach])
    };
    let (one, other) = (rd / w * p, q);
    let difference = (w > 0.0 && one + other > 1e-9 * (one.abs() + other)).then(|| {
        let reach = Z * ((rd / w * p + q) / (w * w)).max(0.0).sqrt();
        [rd / w, (rd / w - reach).max(-1.0), (rd / w + reach).min(1.0)]
    });
    let or_variance = gp / (2.0 * g * g) + mixed / (2.0 * g * h) + hq / (2.0 * h * h);
    [difference, ratio(rr1, rr0, rrv / (rr1 * rr0)), ratio(g, h, or_variance)]
}

#[test]
fn strata_cells_and_pooled_effects_match_counts_of_single_rows() {
    let mut random = Random::new(2016);
    let (mut compared, mut unknown) = (0, 0);
    for round in 0..150 {
        let rows = 5 + random.below(400);
        let matrix = Matrix::random(&mut random, 7, rows).exclusive();
        let data = matrix.dataset();
        if data.positive() == 0 || data.negative() == 0 {
            continue;
        }
        // Causes of up to six columns, which may share columns or be parts of one another.
        let mut causes: Vec<Candidate> = (0..1 + random.below(5))
            .map(|_| Candidate::new((0..1 + random.below(6)).map(|_| random.below(7) as u32)))
            .collect();
        causes.sort();
        causes.dedup();
        // Some of them are not causes but fixed terms.
        let (causes, fixed) = causes.split_at(1 + random.below(causes.len()));
        let gathered = estimate_evidence(&LocalCounter::new(&data), causes, fixed, data.columns()).unwrap();
        for (number, (cause, evidence)) in causes.iter().zip(&gathered).enumerate() {
            assert_eq!(evidence.table.with, matrix.count(cause), "round {round}");
            let strata = strata(&matrix, &[causes, fixed].concat(), number);
            let varies = |it: &&Stratum| it.with.total() > 0 && it.without.total() > 0;
            let informative: Vec<Stratum> = strata.iter().filter(varies).copied().collect();
            let adjusted = &evidence.adjusted;
            assert_eq!(adjusted.strata, strata.len() as u64);
            assert_eq!(adjusted.informative_strata, informative.len() as u64);
            let rows: u64 = informative.iter().map(|stratum| stratum.total_count().total()).sum();
            assert_eq!(adjusted.informative_rows, rows);
            let effects = [
                adjusted.effects.risk_difference(),
                adjusted.effects.risk_ratio(),
                adjusted.effects.odds_ratio(),
            ];
            for (found, expected) in effects.into_iter().zip(by_the_book(&strata)) {
                match expected {
                    Some(expected) => assert_estimate(found, &expected, 1e-9),
                    None => {
                        assert!(found.is_err());
                        unknown += 1;
                    }
                }
                compared += 1;
            }
            assert_eq!(evidence.interaction.is_some(), cause.level() > 1);
            for cell in evidence.interaction.iter().flat_map(|interaction| &interaction.cells) {
                let mut count = Count::default();
                for row in 0..matrix.rows() {
                    let is_here = cause.columns().iter().enumerate().all(|(part, &column)| {
                        matrix.columns[column as usize][row] == (cell.held >> part & 1 == 1)
                    });
                    count.positive += u64::from(is_here && matrix.outcome[row]);
                    count.negative += u64::from(is_here && !matrix.outcome[row]);
                }
                assert_eq!(cell.count, count, "{cause:?} {cell:?}");
            }
        }
    }
    assert!(compared > 500 && unknown > 20, "{compared} {unknown}");
}

#[test]
fn evidence_from_masked_rows_equals_that_of_a_copy() {
    let matrix = Matrix::random(&mut Random::new(7), 5, 300);
    let data = matrix.dataset();
    let causes = [Candidate::single(0), Candidate::new(vec![1, 2])];
    let mask = data.bits(3);
    let within =
        estimate_evidence(&LocalCounter::new(&data).within(mask), &causes, &[], data.columns()).unwrap();
    let kept: Vec<usize> = (0..matrix.rows()).filter(|&row| matrix.columns[3][row]).collect();
    let pick = |bits: &Vec<bool>| kept.iter().map(|&row| bits[row]).collect();
    let part = Matrix {
        columns: matrix.columns.iter().map(pick).collect(),
        attributes: matrix.attributes.clone(),
        outcome: pick(&matrix.outcome),
    };
    let data = part.dataset();
    assert!(!kept.is_empty() && kept.len() < 300);
    assert_eq!(within, estimate_evidence(&LocalCounter::new(&data), &causes, &[], data.columns()).unwrap());
}

#[test]
fn without_causes_there_is_no_evidence() {
    let data = dataset(1, &[(0, Count { positive: 3, negative: 4 })]);
    assert_eq!(
        estimate_evidence(&LocalCounter::new(&data), &[], &[Candidate::single(0)], data.columns()).unwrap(),
        []
    );
}
