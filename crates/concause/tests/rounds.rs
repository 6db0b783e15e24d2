//! The search in rounds agrees with the listings of the paper, including the reasons.

use concause::Miner;
use concause::progress::Progress;
use concause::search::{Duplicates, Method, Overlap, Preset, Reason, Settings};

use crate::support::comparison::{Compared, compare_with};
use crate::support::sequential::{self, combinations};
use crate::support::{Matrix, Random, random_fdr, random_test, repetitions};

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
        test: random_test(random),
        duplicates: if random.chance(0.5) { Duplicates::Merge } else { Duplicates::Ordinary },
        ..Preset::Paper.settings()
    }
}

#[test]
fn rounds_agree_with_the_listings_on_random_data() {
    let mut random = Random::new(2016);
    for method in [Method::MH_PC_F, Method::MH_PC_B] {
        for overlap in [Overlap::Allow, Overlap::Skip] {
            for max_level in 1..=3 {
                let (mut combined, mut separated, mut undiscovered) = (0, 0, 0);
                for _ in 0..repetitions(150) {
                    let columns = 3 + random.below(5);
                    let rows = 30 + random.below(300);
                    let matrix = Matrix::random(&mut random, columns, rows).exclusive();
                    let settings = random_settings(&mut random, method, overlap, max_level);
                    let compared = compare(&matrix, &settings);
                    combined += compared.combined;
                    separated += compared.separated;
                    undiscovered += compared.undiscovered;
                }
                assert!(
                    undiscovered > 10,
                    "{method} {overlap:?} {max_level}: only {undiscovered} above the FDR threshold"
                );
                assert!(separated > 20, "{method} {overlap:?} {max_level}: only {separated} separated");
                assert!(
                    max_level == 1 || combined > 10,
                    "{method} {overlap:?} {max_level}: only {combined} combined causes"
                );
            }
        }
    }
}

#[test]
fn level_four_joins_two_pairs() {
    let mut random = Random::new(4);
    for _ in 0..30 {
        let matrix = Matrix::random(&mut random, 6, 200).exclusive();
        let settings = Settings {
            redundancy_alpha: 0.9,
            alpha: 0.3,
            ..random_settings(&mut random, Method::MH_PC_F, Overlap::Allow, 4)
        };
        compare(&matrix, &settings);
    }
}

#[test]
fn hiton_pc_searches_only_level_one() {
    let mut random = Random::new(1);
    for _ in 0..30 {
        let matrix = Matrix::random(&mut random, 7, 200).exclusive();
        let settings = random_settings(&mut random, Method::HITON_PC, Overlap::Allow, 1);
        compare(&matrix, &settings);
    }
}

/// Requests to stop from the start.
struct Stopped;

impl Progress for Stopped {
    fn stopped(&self) -> bool {
        true
    }
}

#[test]
fn a_search_stopped_at_the_start_gives_no_reasons_for_conjunctions() {
    let matrix = Matrix::random(&mut Random::new(9), 7, 300).exclusive();
    let dataset = matrix.dataset();
    let settings = Settings { max_level: 3, alpha: 0.4, ..Preset::Paper.settings() };
    let mining = Miner::from(settings).search(&dataset, &Stopped).unwrap();
    let findings = mining.findings();
    assert!(!findings.complete && findings.causes.is_empty() && findings.levels.is_empty());
    for level in 2..=3 {
        for candidate in combinations(7, level) {
            let reason = mining.explain_all(std::slice::from_ref(&candidate)).unwrap().remove(0);
            let of_columns = matches!(reason, Reason::SameAttribute | Reason::Constant);
            assert!(of_columns || reason == Reason::NotReached, "{candidate:?}: {reason:?}");
        }
    }
}
