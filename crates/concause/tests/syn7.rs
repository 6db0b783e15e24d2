//! The Syn-7 data of the paper, from a fixture with the number of rows of each combination of values.
//! `fixtures/syn7.py` generates the fixture.

use std::collections::BTreeMap;

use concause::count::ContingencyTable;
use concause::dataset::{Candidate, Dataset, DatasetBuilder, Target};
use concause::progress::NoProgress;
use concause::search::{Method, Preset, Settings, mine};
use concause::stats::Test;

use crate::shared_data::shared_data;
use crate::support::Matrix;

/// A group of equal rows: their values, their outcome and their number.
type Group = (Vec<bool>, bool, u32);

/// The non-empty groups of rows.
fn groups() -> Vec<Group> {
    let mut groups = Vec::new();
    for line in include_str!("fixtures/syn7.csv").lines().skip(1) {
        let fields: Vec<u32> = line.split(',').map(|field| field.parse().unwrap()).collect();
        let [values @ .., rows, cases] = &fields[..] else { panic!("{line}") };
        let values: Vec<bool> = values.iter().map(|&value| value == 1).collect();
        groups.push((values.clone(), true, *cases));
        groups.push((values, false, rows - cases));
    }
    groups.retain(|(_, _, rows)| *rows > 0);
    groups
}

/// Syn-7 with a weight for each group.
fn dataset() -> Dataset {
    let groups = groups();
    let target = Target { name: "Class".into(), value: None };
    let outcome = groups.iter().map(|(_, outcome, _)| *outcome).collect();
    let weights = groups.iter().map(|(_, _, rows)| *rows).collect();
    let mut builder = DatasetBuilder::weighted(target, outcome, Some(weights));
    for column in 0..6 {
        let name = format!("V{}", column + 1);
        builder.attribute(
            &name,
            vec![name.clone()],
            groups.iter().map(|(values, ..)| values[column].then_some(0)),
        );
    }
    builder.finish()
}

/// Syn-7 with single rows.
fn matrix() -> Matrix {
    let rows: Vec<(Vec<bool>, bool)> = groups()
        .into_iter()
        .flat_map(|(values, outcome, rows)| vec![(values, outcome); rows as usize])
        .collect();
    Matrix {
        columns: (0..6).map(|column| rows.iter().map(|(values, _)| values[column]).collect()).collect(),
        attributes: (0..6).collect(),
        outcome: rows.iter().map(|(_, outcome)| *outcome).collect(),
    }
}

#[test]
fn the_fixture_matches_the_original_file() {
    let expected: BTreeMap<(Vec<bool>, bool), u32> =
        groups().into_iter().map(|(values, outcome, rows)| ((values, outcome), rows)).collect();
    assert_eq!(
        (expected.values().sum::<u32>(), dataset().positive(), dataset().negative()),
        (1000, 391, 609)
    );
    let Some(path) = shared_data("syn7/syn-7.csv") else { return };
    let mut counted: BTreeMap<(Vec<bool>, bool), u32> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines().skip(1) {
        let mut values: Vec<bool> = line.split(',').map(|cell| cell.trim() == "1").collect();
        let outcome = values.pop().unwrap();
        *counted.entry((values, outcome)).or_default() += 1;
    }
    assert_eq!(counted, expected);
}

#[test]
fn marginal_g2_statistics_match_expected_values() {
    let matrix = matrix();
    let expected = [3.6599, 3.0471, 4.6688, 48.3336, 1.4688, 0.0570];
    let all = matrix.count(&Candidate::default());
    for (column, expected) in (0..).zip(expected) {
        let table = ContingencyTable::marginal(matrix.count(&Candidate::single(column)), all);
        let found = Test::G2.assess(&table, 0.05).tested().unwrap().statistic;
        assert!((found - expected).abs() < 5e-5, "V{}: {found}", column + 1);
    }
}

#[test]
fn multi_level_methods_find_the_true_causes_with_both_presets() {
    let dataset = dataset();
    for preset in [Preset::Paper, Preset::Default] {
        for method in [Method::MH_PC_F, Method::MH_PC_B] {
            let settings = Settings { method, ..preset.settings() };
            assert_eq!(names(&dataset, &settings), ["V4", "V3", "V1&V2"], "{method} {preset:?}");
        }
    }
}

fn names(dataset: &Dataset, settings: &Settings) -> Vec<String> {
    let findings = mine(dataset, settings, &NoProgress).unwrap();
    findings.causes.iter().map(|cause| cause.candidate.name(dataset.columns())).collect()
}

/// In the paper's table, both naïve methods find V4&V5 and V3&V5 in addition to the true causes, and Naïve-S does not
/// find V1&V2. Here neither method finds V3, because it is independent of the class given V1&V2 (p = 0.099).
#[test]
fn naive_methods_add_redundant_combinations() {
    let dataset = dataset();
    for (method, max_k, found) in [
        (Method::NAIVE_H, 3, &["V4", "V4&V5", "V1&V2", "V2&V3"][..]),
        (Method::NAIVE_H, 1, &["V4", "V4&V5", "V1&V2", "V3&V5"]),
        (Method::NAIVE_S, 3, &["V4", "V4&V5", "V1&V2"]),
        (Method::NAIVE_S, 1, &["V4", "V4&V5", "V1&V2", "V3&V5"]),
    ] {
        let settings = Settings { method, max_k, ..Preset::Paper.settings() };
        let names = names(&dataset, &settings);
        assert_eq!(names, found, "{method} {max_k}");
        // V4 is a cause by itself, so V4&V5 is redundant; the multi-level methods never consider it.
        assert!(names.contains(&"V4".to_owned()) && names.contains(&"V4&V5".to_owned()));
    }
}

#[test]
fn pc_select_finds_the_single_causes() {
    let settings = Settings { method: Method::PC_SELECT, ..Preset::Paper.settings() };
    assert_eq!(names(&dataset(), &settings), ["V4", "V3"]);
}
