//! The rival methods return what their plain readings return, reasons included.

mod support;

use std::ops::AddAssign;

use concause::Error;
use concause::count::LocalCounter;
use concause::independence::Test;
use concause::search::{Findings, Level, Method, Overlap, Preset, Settings, Twins, Unwatched, Watch, mine};
use support::comparison::{Compared, compare_with};
use support::{Matrix, Random, random_fdr, rivals};

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.causes += other.causes;
        self.combined += other.combined;
        self.separated += other.separated;
        self.without_effect += other.without_effect;
        self.rare += other.rare;
        self.undiscovered += other.undiscovered;
    }
}

fn random_settings(random: &mut Random, method: Method, max_level: usize) -> Settings {
    Settings {
        method,
        max_level,
        overlap: if random.chance(0.7) { Overlap::Allow } else { Overlap::Skip },
        max_k: random.below(4),
        fdr: random_fdr(random),
        alpha: [0.05, 0.05, 0.2, 0.4][random.below(4)],
        test: if random.chance(0.6) { Test::G2 } else { Test::ALL[random.below(4)] },
        twins: if random.chance(0.5) { Twins::Merge } else { Twins::Ordinary },
        seed: random.next_u64(),
        ..Preset::Paper.settings()
    }
}

/// Compares so many searches in random data of up to so many columns.
fn compare_many(method: Method, max_level: usize, columns: usize, searches: usize) -> Compared {
    let mut random = Random::new(2013 + method as u64 + 10 * max_level as u64);
    let mut compared = Compared::default();
    for _ in 0..searches {
        let (columns, rows) = (3 + random.below(columns - 2), 30 + random.below(300));
        let matrix = Matrix::random(&mut random, columns, rows).exclusive();
        let settings = random_settings(&mut random, method, max_level);
        compared += compare_with(&matrix, &settings, &rivals::mine(&matrix, &settings));
    }
    assert!(compared.undiscovered > searches / 20, "{compared:?}");
    compared
}

#[test]
fn pc_select_is_pc_select() {
    let compared = compare_many(Method::PcSelect, 1, 9, 500);
    assert!(compared.causes > 300 && compared.combined == 0 && compared.separated > 150, "{compared:?}");
}

#[test]
fn naive_h_is_hiton_pc_over_conjunctions() {
    for (max_level, columns) in [(1, 8), (2, 6), (3, 5)] {
        let compared = compare_many(Method::NaiveH, max_level, columns, 150);
        assert!(compared.causes > 100 && compared.separated > 30, "{max_level}: {compared:?}");
        assert!(max_level == 1 || compared.combined > 50, "{max_level}: {compared:?}");
    }
}

#[test]
fn naive_s_is_pc_select_over_conjunctions() {
    for (max_level, columns) in [(1, 8), (2, 6), (3, 5)] {
        let compared = compare_many(Method::NaiveS, max_level, columns, 150);
        assert!(compared.causes > 100 && compared.separated > 30, "{max_level}: {compared:?}");
        assert!(max_level == 1 || compared.combined > 50, "{max_level}: {compared:?}");
    }
}

#[test]
fn causal_rules_are_as_told() {
    for method in [Method::CrPa, Method::CrCs] {
        for max_level in 1..=2 {
            let compared = compare_many(method, max_level, 9, 300);
            assert!(
                compared.causes > 100 && compared.without_effect > 50,
                "{method} {max_level}: {compared:?}"
            );
            assert!(max_level == 1 || compared.combined > 50, "{method}: {compared:?}");
            assert!(max_level == 1 || compared.rare > 5, "{method}: {compared:?}");
        }
    }
}

/// More than ten columns are associated with the target: only the ten strongest others are held fixed.
#[test]
fn no_more_than_ten_controls() {
    let mut random = Random::new(12);
    let rows = 900;
    let outcome: Vec<bool> = (0..rows).map(|_| random.chance(0.4)).collect();
    let columns = (0..14)
        .map(|column| {
            let agrees = 0.55 + 0.015 * f64::from(column);
            outcome.iter().map(|&outcome| outcome == random.chance(agrees)).collect()
        })
        .collect();
    let matrix = Matrix { columns, attributes: (0..14).collect(), outcome };
    for method in [Method::CrPa, Method::CrCs] {
        let settings = Settings { method, ..Preset::Default.settings() };
        compare_with(&matrix, &settings, &rivals::mine(&matrix, &settings));
        let dataset = matrix.dataset();
        let findings = mine(&LocalCounter::new(&dataset), dataset.columns(), &settings, &Unwatched).unwrap();
        assert!(findings.controls.len() > 11, "{}", findings.controls.len());
        let challengers = findings.causes.iter().map(|cause| cause.challenger.len());
        assert_eq!(challengers.max(), Some(10), "{method}");
    }
}

fn noise(columns: usize, rows: usize) -> Matrix {
    let mut random = Random::new(29);
    let mut bits = || (0..rows).map(|_| random.chance(0.5)).collect::<Vec<bool>>();
    Matrix {
        columns: (0..columns).map(|_| bits()).collect(),
        attributes: (0..columns).collect(),
        outcome: bits(),
    }
}

fn search(matrix: &Matrix, settings: &Settings) -> Result<Findings, Error> {
    let dataset = matrix.dataset();
    mine(&LocalCounter::new(&dataset), dataset.columns(), settings, &Unwatched)
}

#[test]
fn more_conjunctions_than_the_budget_are_refused() {
    let matrix = noise(30, 100);
    for method in [Method::NaiveH, Method::NaiveS] {
        let settings = Settings { method, max_level: 3, max_candidates: 4_000, ..Preset::Paper.settings() };
        let refused = search(&matrix, &settings).unwrap_err();
        assert_eq!(refused, Error::TooManyCandidates { level: 3, candidates: 4_060, budget: 4_000 });
        assert!(search(&matrix, &Settings { max_level: 2, ..settings.clone() }).is_ok());
        assert!(
            search(&matrix, &Settings { max_candidates: 4_060, max_tests: u64::MAX, ..settings }).is_ok()
        );
    }
    for method in [Method::CrPa, Method::CrCs] {
        let settings = Settings { method, max_candidates: 400, ..Preset::Paper.settings() };
        assert!(matches!(search(&matrix, &settings), Err(Error::TooManyCandidates { level: 2, .. })));
    }
}

/// Columns of one attribute are never joined, and so are not counted as if they were.
#[test]
fn the_budget_counts_conjunctions_of_different_attributes() {
    let mut matrix = noise(6, 200);
    matrix.attributes = vec![0, 0, 1, 2, 2, 2];
    let matrix = matrix.exclusive();
    // 15 pairs, but for 1 within the first attribute and 3 within the last.
    let refused = |budget: u64| {
        let settings =
            Settings { method: Method::NaiveH, max_candidates: budget, ..Preset::Paper.settings() };
        search(&matrix, &settings).err()
    };
    assert_eq!(refused(10), Some(Error::TooManyCandidates { level: 2, candidates: 11, budget: 10 }));
    assert_eq!(refused(11), None);
}

#[test]
fn more_tests_than_the_budget_are_refused() {
    let matrix = noise(40, 100);
    for (method, max_level) in [(Method::PcSelect, 1), (Method::NaiveH, 2), (Method::NaiveS, 2)] {
        let settings = Settings { method, alpha: 0.5, max_tests: 500, max_k: 2, ..Preset::Paper.settings() };
        let refusal = |max_tests: u64| match search(&matrix, &Settings { max_tests, ..settings.clone() }) {
            Err(Error::TooManyTests { candidates, tests, budget, all, .. }) => {
                let others = u128::from(candidates) - 1;
                assert_eq!(tests, u128::from(candidates) * (1 + others + others * (others - 1) / 2));
                assert_eq!(budget, max_tests);
                Err((candidates, tests as u64, all))
            }
            found => Ok(found.unwrap()),
        };
        let (singles, mut tests, all) = refusal(500).unwrap_err();
        assert_eq!(all, max_level == 1, "{method} counts the conjunctions too");
        let mut candidates = singles;
        if !all {
            (candidates, tests, _) = refusal(tests).unwrap_err();
            assert!(candidates > 5 * singles);
        }
        assert!(refusal(tests - 1).is_err());
        // What is within the budget is done, and needs no more tests than were told.
        let findings = refusal(tests).unwrap();
        let sum = |count: fn(&Level) -> u64| findings.levels.iter().map(count).sum::<u64>();
        assert_eq!(sum(|level| level.associated), candidates);
        assert!(findings.tests() - sum(|level| level.candidates) <= tests, "{method}");
    }
}

#[test]
fn the_refusals_are_one_sentence_each() {
    let refusal = |method, all| {
        let (tests, budget) = (100_000_000_000_000, 1_000_000_000_000);
        Error::TooManyTests { method, candidates: 4950, all, tests, budget }.to_string()
    };
    assert_eq!(
        refusal("naive-h", true),
        "naive-h would hold 4950 candidates against one another, some 1.0e14 tests at worst, more than the budget of \
         1.0e12: lower --max-k or --max-level, leave out columns, or raise --max-tests"
    );
    assert!(refusal("naive-s", false).starts_with("naive-s would hold at least 4950 candidates"));
    assert!(refusal("pc-select", true).contains("lower --max-k, leave out"));
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for method in [Method::CrPa, Method::CrCs] {
        let settings = Settings { method, max_level: 3, ..Preset::Paper.settings() };
        assert!(settings.check().is_err_and(|sentence| sentence.contains("--max-level 1 and 2 only")));
    }
    for method in [Method::PcSelect, Method::NaiveH, Method::NaiveS, Method::CrPa, Method::CrCs] {
        let settings = Settings { method, ..Preset::PaperTable.settings() };
        assert!(settings.check().is_err_and(|sentence| sentence.contains("paper-table is defined for")));
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
fn a_search_stopped_at_once_claims_nothing() {
    let dataset = Matrix::random(&mut Random::new(9), 7, 300).exclusive().dataset();
    for method in [Method::PcSelect, Method::NaiveH, Method::NaiveS, Method::CrPa, Method::CrCs] {
        let settings = Settings { method, alpha: 0.4, ..Preset::Paper.settings() };
        let counter = LocalCounter::new(&dataset);
        let findings = mine(&counter, dataset.columns(), &settings, &Stopped).unwrap();
        assert!(!findings.complete && findings.causes.is_empty() && findings.levels.is_empty(), "{method}");
    }
}
