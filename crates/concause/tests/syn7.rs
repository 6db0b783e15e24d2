//! The paper's own Syn-7. The file is not part of the project: without it these tests say so and pass.

mod support;

use std::io::Write as _;

use concause::count::{LocalCounter, Table};
use concause::dataset::Candidate;
use concause::independence::Test;
use concause::search::{Method, Preset, Settings, Unwatched, mine};
use support::Matrix;

fn syn7() -> Option<Matrix> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/syn7/syn-7.csv");
    let Ok(text) = std::fs::read_to_string(path) else {
        // Written past the capture of the test runner, so that it is seen.
        let _ = writeln!(std::io::stderr(), "skipped: ../shared/data/syn7/syn-7.csv is not here");
        return None;
    };
    let rows: Vec<Vec<bool>> =
        text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.trim() == "1").collect()).collect();
    Some(Matrix {
        columns: (0..6).map(|column| rows.iter().map(|row| row[column]).collect()).collect(),
        attributes: (0..6).collect(),
        outcome: rows.iter().map(|row| row[6]).collect(),
    })
}

#[test]
fn marginal_statistics() {
    let Some(matrix) = syn7() else { return };
    let expected = [3.6599, 3.0471, 4.6688, 48.3336, 1.4688, 0.0570];
    let all = matrix.count(&Candidate::default());
    for (column, expected) in (0..).zip(expected) {
        let table = Table::marginal(matrix.count(&Candidate::single(column)), all);
        let found = Test::G2.assess(&table).tested().unwrap().statistic;
        assert!((found - expected).abs() < 5e-5, "V{}: {found}", column + 1);
    }
}

#[test]
fn every_preset_and_method_finds_the_truth() {
    let Some(matrix) = syn7() else { return };
    let dataset = matrix.dataset();
    for preset in [Preset::Paper, Preset::Default] {
        for method in [Method::MhPcF, Method::MhPcB] {
            let settings = Settings { method, ..preset.settings() };
            let findings =
                mine(&LocalCounter::new(&dataset), dataset.columns(), &settings, &Unwatched).unwrap();
            let names: Vec<String> =
                findings.causes.iter().map(|cause| cause.candidate.name(dataset.columns())).collect();
            assert_eq!(names, ["V4", "V3", "V1&V2"], "{method} {preset:?}");
        }
    }
}
