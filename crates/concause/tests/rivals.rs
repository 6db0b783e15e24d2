//! PC-select, the naïve methods and the causal rules agree with slow implementations of their definitions, including
//! the reasons.

use std::ops::AddAssign;

use concause::Error;
use concause::progress::{NoProgress, Progress};
use concause::search::{Findings, LevelSummary, Method, Preset, Settings, mine};

use crate::support::comparison::{Compared, compare_with};
use crate::support::{Matrix, Random, random_settings, repetitions, rivals};

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

/// Compares `searches` searches in random data with up to `columns` columns.
fn compare_many(method: Method, max_level: usize, columns: usize, searches: usize) -> Compared {
    let number = Method::ALL.iter().position(|&other| other == method).unwrap() as u64;
    let mut random = Random::new(2013 + number + 10 * max_level as u64);
    let mut compared = Compared::default();
    let searches = repetitions(searches);
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
fn pc_select_agrees_with_its_definition() {
    let compared = compare_many(Method::PC_SELECT, 1, 9, 500);
    assert!(compared.causes > 300 && compared.combined == 0 && compared.separated > 150, "{compared:?}");
}

#[test]
fn naive_h_agrees_with_hiton_pc_over_conjunctions() {
    for (max_level, columns) in [(1, 8), (2, 6), (3, 5)] {
        let compared = compare_many(Method::NAIVE_H, max_level, columns, 150);
        assert!(compared.causes > 100 && compared.separated > 30, "{max_level}: {compared:?}");
        assert!(max_level == 1 || compared.combined > 50, "{max_level}: {compared:?}");
    }
}

#[test]
fn naive_s_agrees_with_pc_select_over_conjunctions() {
    for (max_level, columns) in [(1, 8), (2, 6), (3, 5)] {
        let compared = compare_many(Method::NAIVE_S, max_level, columns, 150);
        assert!(compared.causes > 100 && compared.separated > 30, "{max_level}: {compared:?}");
        assert!(max_level == 1 || compared.combined > 50, "{max_level}: {compared:?}");
    }
}

#[test]
fn causal_rules_agree_with_their_definition() {
    for method in [Method::CR_PA, Method::CR_CS] {
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

/// More than ten columns are associated with the target; only the ten strongest others are controls.
#[test]
fn rules_have_at_most_ten_controls() {
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
    for method in [Method::CR_PA, Method::CR_CS] {
        let settings = Settings { method, ..Preset::Default.settings() };
        compare_with(&matrix, &settings, &rivals::mine(&matrix, &settings));
        let dataset = matrix.dataset();
        let findings = mine(&dataset, &settings, &NoProgress).unwrap();
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
    mine(&dataset, settings, &NoProgress)
}

#[test]
fn searches_with_too_many_conjunctions_are_refused() {
    let matrix = noise(30, 100);
    for method in [Method::NAIVE_H, Method::NAIVE_S] {
        let settings = Settings { method, max_level: 3, max_candidates: 4_000, ..Preset::Paper.settings() };
        let refused = search(&matrix, &settings).unwrap_err();
        assert_eq!(refused, Error::TooManyCandidates { level: 3, candidates: 4_060, budget: 4_000 });
        assert!(search(&matrix, &Settings { max_level: 2, ..settings.clone() }).is_ok());
        assert!(
            search(&matrix, &Settings { max_candidates: 4_060, max_tests: u64::MAX, ..settings }).is_ok()
        );
    }
    for method in [Method::CR_PA, Method::CR_CS] {
        let settings = Settings { method, max_candidates: 400, ..Preset::Paper.settings() };
        assert!(matches!(search(&matrix, &settings), Err(Error::TooManyCandidates { level: 2, .. })));
    }
}

/// Columns of one attribute are never joined, so the budget does not count their conjunctions.
#[test]
fn the_budget_counts_only_conjunctions_of_different_attributes() {
    let mut matrix = noise(6, 200);
    matrix.attributes = vec![0, 0, 1, 2, 2, 2];
    let matrix = matrix.exclusive();
    // 15 pairs, without 1 within the first attribute and 3 within the last.
    let refused = |budget: u64| {
        let settings =
            Settings { method: Method::NAIVE_H, max_candidates: budget, ..Preset::Paper.settings() };
        search(&matrix, &settings).err()
    };
    assert_eq!(refused(10), Some(Error::TooManyCandidates { level: 2, candidates: 11, budget: 10 }));
    assert_eq!(refused(11), None);
}

#[test]
fn searches_with_too_many_tests_are_refused() {
    let matrix = noise(40, 100);
    for (method, max_level) in [(Method::PC_SELECT, 1), (Method::NAIVE_H, 2), (Method::NAIVE_S, 2)] {
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
        assert_eq!(all, max_level == 1, "{method}: whether all candidates are counted");
        let mut candidates = singles;
        if !all {
            (candidates, tests, _) = refusal(tests).unwrap_err();
            assert!(candidates > 5 * singles);
        }
        assert!(refusal(tests - 1).is_err());
        // A search within the budget runs and needs at most the predicted number of tests.
        let findings = refusal(tests).unwrap();
        let sum = |count: fn(&LevelSummary) -> u64| findings.levels.iter().map(count).sum::<u64>();
        assert_eq!(sum(|level| level.associated), candidates);
        assert!(findings.tests() - sum(|level| level.candidates) <= tests, "{method}");
    }
}

#[test]
fn errors_about_too_many_tests_are_one_sentence() {
    let refusal = |method, all, reduce| {
        let (tests, budget) = (100_000_000_000_000, 1_000_000_000_000);
        let flag = |setting: &str| format!("--{}", setting.replace('_', "-"));
        Error::TooManyTests { method, candidates: 4950, all, tests, budget, reduce }.sentence(flag)
    };
    assert_eq!(
        refusal("naive-h", true, vec!["max_k", "max_level"]),
        "naive-h would test 4950 candidates against one another, about 1.0e14 tests in the worst case, more than the \
         budget of 1.0e12: lower --max-k or --max-level, remove columns, or raise --max-tests"
    );
    assert!(
        refusal("naive-s", false, vec!["max_k"]).starts_with("naive-s would test at least 4950 candidates")
    );
    assert!(refusal("pc-select", true, vec!["max_k"]).contains("lower --max-k, remove"));
}

#[test]
fn unsupported_levels_and_presets_are_refused() {
    for method in [Method::CR_PA, Method::CR_CS] {
        let settings = Settings { method, max_level: 3, ..Preset::Paper.settings() };
        assert!(
            settings.check().is_err_and(|error| error.to_string().contains("max_level must be at most 2"))
        );
    }
    for method in [Method::PC_SELECT, Method::NAIVE_H, Method::NAIVE_S, Method::CR_PA, Method::CR_CS] {
        let settings = Settings { method, ..Preset::PaperTable.settings() };
        assert!(
            settings.check().is_err_and(|error| error.to_string().contains("paper-table is defined for"))
        );
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
fn a_search_stopped_at_the_start_has_no_findings() {
    let dataset = Matrix::random(&mut Random::new(9), 7, 300).exclusive().dataset();
    for method in [Method::PC_SELECT, Method::NAIVE_H, Method::NAIVE_S, Method::CR_PA, Method::CR_CS] {
        let settings = Settings { method, alpha: 0.4, ..Preset::Paper.settings() };
        let findings = mine(&dataset, &settings, &Stopped).unwrap();
        assert!(!findings.complete && findings.causes.is_empty() && findings.levels.is_empty(), "{method}");
    }
}
