//! The search in rounds returns what the listings return, reasons included.

mod support;

use concause::count::LocalCounter;
use concause::independence::Test;
use concause::search::{Method, Overlap, Preset, Reason, Settings, Twins, Watch, explain, mine};
use support::comparison::{Compared, compare_with};
use support::sequential::{self, combinations};
use support::{Matrix, Random, random_fdr};

fn compare(matrix: &Matrix, settings: &Settings) -> Compared {
    compare_with(matrix, settings, &sequential::mine(matrix, settings))
}

fn random_settings(random: &mut Random, method: Method, overlap: Overlap, max_level: usize) -> Settings {
    Settings {
        method,
        overlap,
        max_level,
        max_k: random.below(4),
        fdr: random_fdr(random),
        alpha: [0.05, 0.05, 0.2, 0.4][random.below(4)],
        redundancy_alpha: [0.01, 0.1, 0.5, 0.9][random.below(4)],
        test: if random.chance(0.6) { Test::G2 } else { Test::ALL[random.below(4)] },
        twins: if random.chance(0.5) { Twins::Merge } else { Twins::Ordinary },
        ..Preset::Paper.settings()
    }
}

#[test]
fn rounds_agree_with_the_listings_by_the_hundred() {
    let mut random = Random::new(2016);
    for method in [Method::MhPcF, Method::MhPcB] {
        for overlap in [Overlap::Allow, Overlap::Skip] {
            for max_level in 1..=3 {
                let (mut combined, mut separated, mut undiscovered) = (0, 0, 0);
                for _ in 0..150 {
                    let columns = 3 + random.below(5);
                    let rows = 30 + random.below(300);
                    let matrix = Matrix::random(&mut random, columns, rows).exclusive();
                    let settings = random_settings(&mut random, method, overlap, max_level);
                    let compared = compare(&matrix, &settings);
                    combined += compared.combined;
                    separated += compared.separated;
                    undiscovered += compared.undiscovered;
                }
                assert!(undiscovered > 10, "{method} {overlap:?} {max_level}: only {undiscovered}");
                assert!(separated > 20, "{method} {overlap:?} {max_level}: only {separated} separated");
                assert!(max_level == 1 || combined > 10, "{method} {overlap:?} {max_level}: only {combined}");
            }
        }
    }
}

#[test]
fn level_four_joins_pairs_with_pairs() {
    let mut random = Random::new(4);
    for _ in 0..30 {
        let matrix = Matrix::random(&mut random, 6, 200).exclusive();
        let settings = Settings {
            redundancy_alpha: 0.9,
            alpha: 0.3,
            ..random_settings(&mut random, Method::MhPcF, Overlap::Allow, 4)
        };
        compare(&matrix, &settings);
    }
}

#[test]
fn hiton_pc_stops_at_level_one() {
    let mut random = Random::new(1);
    for _ in 0..30 {
        let matrix = Matrix::random(&mut random, 7, 200).exclusive();
        let settings = random_settings(&mut random, Method::HitonPc, Overlap::Allow, 1);
        compare(&matrix, &settings);
    }
}

/// Stops a search as soon as it is asked.
struct Stopped;

impl Watch for Stopped {
    fn stopped(&self) -> bool {
        true
    }
}

#[test]
fn a_search_stopped_at_once_claims_nothing_of_conjunctions() {
    let matrix = Matrix::random(&mut Random::new(9), 7, 300).exclusive();
    let dataset = matrix.dataset();
    let counter = LocalCounter::new(&dataset);
    let settings = Settings { max_level: 3, alpha: 0.4, ..Preset::Paper.settings() };
    let findings = mine(&counter, dataset.columns(), &settings, &Stopped).unwrap();
    assert!(!findings.complete && findings.causes.is_empty() && findings.levels.is_empty());
    for level in 2..=3 {
        for candidate in combinations(7, level) {
            let reason = explain(&counter, dataset.columns(), &settings, &findings, &candidate);
            let of_columns = matches!(reason, Reason::SameAttribute | Reason::Constant);
            assert!(of_columns || reason == Reason::NotReached, "{candidate:?}: {reason:?}");
        }
    }
}
