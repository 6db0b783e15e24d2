//! Invariants of every search: the order of rows and columns, names and threads do not matter, and statistics scale
//! with the number of rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use concause::Error;
use concause::count::{Count, Counter, LocalCounter};
use concause::dataset::{Candidate, Literal};
use concause::progress::{NoProgress, Progress};
use concause::search::{Findings, Method, Overlap, Preset, Settings, mine, mine_counted};
use concause::stats::{Test, upper_tail};

use crate::support::sequential::combinations;
use crate::support::{Matrix, Random};

fn search(matrix: &Matrix, settings: &Settings) -> Findings {
    let dataset = matrix.dataset();
    mine(&dataset, settings, &NoProgress).unwrap()
}

/// Random data that rarely has ties: every column has independent noise.
fn untied(random: &mut Random, columns: usize, rows: usize) -> Matrix {
    let mut matrix = Matrix::random(random, columns, rows).exclusive();
    matrix.attributes = (0..columns).collect();
    for column in &mut matrix.columns {
        for bit in column.iter_mut() {
            *bit ^= random.chance(0.05);
        }
    }
    matrix
}

/// Whether two columns or pairs of columns have the same strength of association with the target.
fn has_ties(matrix: &Matrix) -> bool {
    let columns = matrix.columns.len();
    let candidates = combinations(columns, 1).into_iter().chain(combinations(columns, 2));
    let mut strengths: Vec<f64> = candidates
        .map(|candidate| matrix.table(&candidate, &[], &Candidate::default()))
        .filter_map(|table| Test::G2.assess(&table, 0.05).tested())
        .map(|tested| tested.strength())
        .collect();
    strengths.sort_by(f64::total_cmp);
    strengths.windows(2).any(|pair| pair[0] == pair[1])
}

fn all_settings() -> Vec<Settings> {
    let mut all = Vec::new();
    for preset in Preset::ALL {
        for method in [Method::MH_PC_F, Method::MH_PC_B] {
            for overlap in [Overlap::Allow, Overlap::Skip] {
                let settings =
                    Settings { method, overlap, redundancy_alpha: 0.3, alpha: 0.2, ..preset.settings() };
                all.push(settings);
            }
        }
    }
    for &method in Method::ALL {
        all.push(Settings { method, alpha: 0.2, ..Preset::Default.settings() });
    }
    all
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let mut random = Random::new(21);
    for settings in all_settings() {
        for _ in 0..10 {
            let matrix = Matrix::random(&mut random, 8, 300).exclusive();
            let mut order: Vec<usize> = (0..matrix.rows()).collect();
            random.shuffle(&mut order);
            let pick = |bits: &Vec<bool>| order.iter().map(|&row| bits[row]).collect();
            let shuffled = Matrix {
                columns: matrix.columns.iter().map(pick).collect(),
                attributes: matrix.attributes.clone(),
                outcome: pick(&matrix.outcome),
            };
            assert_eq!(search(&matrix, &settings), search(&shuffled, &settings));
        }
    }
}

#[test]
fn the_order_of_columns_does_not_matter_without_ties() {
    let mut random = Random::new(22);
    let mut found = 0;
    for settings in all_settings() {
        // pcSelect tests in the order of the columns and removes columns immediately.
        if [Method::PC_SELECT, Method::NAIVE_S].contains(&settings.method) {
            continue;
        }
        for _ in 0..10 {
            let matrix = untied(&mut random, 8, 700);
            if has_ties(&matrix) {
                continue;
            }
            let mut order: Vec<usize> = (0..8).collect();
            random.shuffle(&mut order);
            let moved = Matrix {
                columns: order.iter().map(|&column| matrix.columns[column].clone()).collect(),
                attributes: (0..8).collect(),
                outcome: matrix.outcome.clone(),
            };
            let original = |candidate: &Candidate| {
                Candidate::new(candidate.literals().iter().map(|literal| {
                    let column = order[literal.column() as usize] as u32;
                    Literal::signs(column)[usize::from(literal.is_negated())]
                }))
            };
            let one = search(&matrix, &settings);
            let other = search(&moved, &settings);
            let causes: BTreeSet<Candidate> =
                one.causes.iter().map(|cause| cause.candidate.clone()).collect();
            found += causes.iter().filter(|candidate| candidate.level() > 1).count();
            assert_eq!(causes, other.causes.iter().map(|cause| original(&cause.candidate)).collect());
        }
    }
    assert!(found > 10, "only {found} combined causes to compare");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let mut random = Random::new(23);
    for settings in all_settings() {
        for _ in 0..3 {
            let matrix = Matrix::random(&mut random, 12, 400).exclusive();
            let runs: Vec<Findings> = [1, 2, 5]
                .into_iter()
                .map(|threads| {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                    pool.install(|| search(&matrix, &settings))
                })
                .collect();
            assert!(runs.iter().all(|run| *run == runs[0]));
        }
    }
}

#[test]
fn doubled_rows_double_the_statistics() {
    let mut random = Random::new(24);
    let double = |bits: &Vec<bool>| bits.iter().chain(bits).copied().collect::<Vec<bool>>();
    for _ in 0..20 {
        let matrix = Matrix::random(&mut random, 6, 200).exclusive();
        let doubled = Matrix {
            columns: matrix.columns.iter().map(double).collect(),
            attributes: matrix.attributes.clone(),
            outcome: double(&matrix.outcome),
        };
        // Without conditioning sets, every associated candidate is a cause.
        let settings = Settings { max_k: 0, alpha: 0.9, ..Preset::Paper.settings() };
        let (one, two) = (search(&matrix, &settings), search(&doubled, &settings));
        for cause in &one.causes {
            let Some(same) = two.causes.iter().find(|other| other.candidate == cause.candidate) else {
                continue;
            };
            let twice = 2.0 * cause.association.statistic;
            assert!((same.association.statistic - twice).abs() <= 1e-9 * twice);
            assert_eq!(same.count, cause.count + cause.count);
        }
        assert!(one.causes.iter().any(|cause| two.is_cause(&cause.candidate)) || one.causes.is_empty());
    }
}

#[test]
fn names_do_not_matter() {
    let mut random = Random::new(25);
    let matrix = Matrix::random(&mut random, 8, 300).exclusive();
    let named = matrix.dataset_named(|column| format!("a&b=\"{}\",\n🔥", 99 - column));
    let settings = Settings { redundancy_alpha: 0.3, alpha: 0.2, ..Preset::Default.settings() };
    let findings = mine(&named, &settings, &NoProgress).unwrap();
    assert_eq!(findings, search(&matrix, &settings));
}

#[test]
fn complementing_columns_changes_neither_statistics_nor_single_causes() {
    let mut random = Random::new(26);
    let mut found = 0;
    for _ in 0..40 {
        let matrix = untied(&mut random, 8, 400);
        let mut turned = matrix.clone();
        for (column, bits) in turned.columns.iter_mut().enumerate() {
            if column % 2 == 0 {
                bits.iter_mut().for_each(|bit| *bit = !*bit);
            }
        }
        for method in [Method::HITON_PC, Method::MH_PC_B] {
            let settings = Settings { method, alpha: 0.2, max_level: 1, ..Preset::Paper.settings() };
            let (one, other) = (search(&matrix, &settings), search(&turned, &settings));
            assert_eq!(one.causes.len(), other.causes.len());
            for (a, b) in one.causes.iter().zip(&other.causes) {
                assert_eq!((&a.candidate, &a.challenger), (&b.candidate, &b.challenger));
                assert_eq!(a.association.strength(), b.association.strength());
                assert_eq!(a.max_p.strength(), b.max_p.strength());
            }
            found += one.causes.len();
        }
    }
    assert!(found > 40, "only {found} causes to compare");
}

/// Under independence, p-values are uniform (by the Kolmogorov-Smirnov distance), with and without a conditioning set.
#[test]
fn p_values_are_uniform_when_the_target_is_shuffled() {
    let mut random = Random::new(27);
    let rows = 4000;
    let columns: Vec<Vec<bool>> = (0..3).map(|_| (0..rows).map(|_| random.chance(0.4)).collect()).collect();
    let mut outcome: Vec<bool> = (0..rows).map(|row| row % 5 < 2).collect();
    for given in 0..=2 {
        let mut p_values: Vec<f64> = (0..600)
            .map(|_| {
                random.shuffle(&mut outcome);
                let matrix =
                    Matrix { columns: columns.clone(), attributes: vec![0, 1, 2], outcome: outcome.clone() };
                let set: Vec<Candidate> = (1..=given).map(Candidate::single).collect();
                let table = matrix.table(&Candidate::single(0), &set, &Candidate::default());
                Test::G2.assess(&table, 0.05).tested().unwrap().p_value
            })
            .collect();
        p_values.sort_by(f64::total_cmp);
        let n = p_values.len() as f64;
        let distance = p_values
            .iter()
            .enumerate()
            .map(|(i, p)| ((i as f64 + 1.0) / n - p).abs().max((p - i as f64 / n).abs()))
            .fold(0.0, f64::max);
        // One in a thousand uniform samples exceeds a distance of 1.95/√n.
        assert!(distance < 1.95 / n.sqrt(), "given {given}: {distance}");
    }
}

/// The counter multiplies the counts of few rows, so that the test needs no memory for 2^32 rows.
#[test]
fn counts_beyond_32_bits_are_exact() {
    struct Many(LocalCounter);
    const EACH: u64 = 1 << 33;
    let times = |count: Count| Count { positive: count.positive * EACH, negative: count.negative * EACH };
    impl Counter for Many {
        fn rows(&self) -> Count {
            let rows = self.0.rows();
            Count { positive: rows.positive * EACH, negative: rows.negative * EACH }
        }
        fn count(
            &self,
            batch: &concause::count::Batch<'_>,
            on_counts: &concause::count::OnCounts<'_>,
        ) -> Result<(), concause::Error> {
            self.0.count(batch, &|base, from, counts| {
                let many: Vec<Count> = counts
                    .iter()
                    .map(|count| Count { positive: count.positive * EACH, negative: count.negative * EACH })
                    .collect();
                on_counts(base, from, &many)
            })
        }
        fn grids(
            &self,
            grids: &[concause::count::Grid<'_>],
            on_grid: &concause::count::OnGrid<'_>,
        ) -> Result<(), concause::Error> {
            self.0.grids(grids, &|number, counts| {
                let many: Vec<Count> = counts
                    .iter()
                    .map(|count| Count { positive: count.positive * EACH, negative: count.negative * EACH })
                    .collect();
                on_grid(number, &many)
            })
        }
        fn configurations(
            &self,
            terms: &[Candidate],
            further: &[Candidate],
            on_configurations: &concause::count::OnConfigurations<'_>,
        ) -> Result<concause::count::Configurations, concause::Error> {
            self.0.configurations(terms, further, on_configurations)
        }
        fn weighted_sums(
            &self,
            weights: &concause::count::RowWeights,
            left: &[(Candidate, usize)],
            right: &[Literal],
            on_sums: &concause::count::OnSums<'_>,
        ) -> Result<(), concause::Error> {
            self.0.weighted_sums(weights, left, right, on_sums)
        }
    }
    let mut random = Random::new(28);
    let matrix = Matrix::random(&mut random, 5, 200).exclusive();
    let dataset = matrix.dataset();
    let counter = Many(LocalCounter::new(&dataset));
    let settings = Preset::Paper.settings();
    let findings = mine_counted(Arc::new(counter), &dataset, &settings, &NoProgress).unwrap();
    assert!(!findings.causes.is_empty());
    for cause in &findings.causes {
        assert_eq!(cause.count, times(matrix.count(&cause.candidate)));
        let table = matrix.table(&cause.candidate, &[], &Candidate::default());
        let small = Test::G2.assess(&table, 0.05).tested().unwrap().statistic;
        assert!((cause.association.statistic / (small * EACH as f64) - 1.0).abs() < 1e-9);
        assert!(cause.association.ln_p < -1e6 && upper_tail(cause.association.statistic, 1) == 0.0);
    }
}

#[test]
fn a_level_beyond_the_budget_is_rejected_before_the_search_begins() {
    struct Idle;
    impl Progress for Idle {
        fn begin(&self, stage: &str, _: u64) {
            panic!("the stage {stage} began");
        }
    }
    let mut random = Random::new(29);
    let columns: Vec<Vec<bool>> = (0..30).map(|_| (0..200).map(|_| random.chance(0.5)).collect()).collect();
    let outcome = (0..200).map(|_| random.chance(0.5)).collect();
    let matrix = Matrix { columns, attributes: (0..30).collect(), outcome };
    let dataset = matrix.dataset();
    let settings = Settings { max_candidates: 100, ..Preset::Paper.settings() };
    let refused = mine(&dataset, &settings, &Idle).unwrap_err();
    assert_eq!(refused, Error::TooManyCandidates { level: 2, candidates: 435, budget: 100 });
    let settings = Settings { max_level: 1, ..settings };
    assert!(mine(&dataset, &settings, &NoProgress).is_ok());
}
