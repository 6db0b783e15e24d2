//! Warnings: each is raised for data with its problem, and none for clean data.

use concause::count::LocalCounter;
use concause::dataset::Candidate;
use concause::evidence::trust::warnings::{
    CaseShortage, LEAST_PHI_OF_DUPLICATES, Relation, RelationKind, Warning, warnings,
};
use concause::progress::NoProgress;
use concause::search::{Duplicates, Findings, Knowledge, Method, Settings, mine};
use concause::stats::Test;

use crate::support::{Matrix, Random};

fn warned(matrix: &Matrix, settings: &Settings) -> (Findings, Vec<Warning>) {
    let data = matrix.dataset();
    let counter = LocalCounter::new(&data);
    let findings = mine(&data, settings, &NoProgress).unwrap();
    let found = warnings(&counter, data.columns(), settings, &findings);
    (findings, found.unwrap())
}

fn default_warnings(matrix: &Matrix) -> Vec<Warning> {
    warned(matrix, &Settings::default()).1
}

/// Independent columns that hold with probability ½, each from its own attribute. `risk` gives the probability of the
/// outcome in a row.
fn clean(seed: u64, columns: usize, rows: usize, risk: impl Fn(&[bool]) -> f64) -> Matrix {
    let mut random = Random::new(seed);
    let data: Vec<Vec<bool>> =
        (0..columns).map(|_| (0..rows).map(|_| random.chance(0.5)).collect()).collect();
    let row = |row: usize| data.iter().map(|column| column[row]).collect::<Vec<bool>>();
    let outcome = (0..rows).map(|number| random.chance(risk(&row(number)))).collect();
    Matrix { attributes: (0..columns).collect(), columns: data, outcome }
}

/// The risk depends on the first column and on the conjunction of the second and third.
fn usual(row: &[bool]) -> f64 {
    0.1 + if row[0] { 0.3 } else { 0.0 } + if row[1] && row[2] { 0.4 } else { 0.0 }
}

impl Add for Matrix {
    fn column(mut self, make: impl Fn(&Matrix, usize) -> bool) -> Matrix {
        let bits = (0..self.rows()).map(|row| make(&self, row)).collect();
        self.columns.push(bits);
        self.attributes.push(self.attributes.last().map_or(0, |last| last + 1));
        self
    }
}

trait Add {
    /// Adds a column with its own attribute.
    fn column(self, make: impl Fn(&Matrix, usize) -> bool) -> Matrix;
}

/// Flips the value in every `every`-th row.
fn except(bit: bool, row: usize, every: usize) -> bool {
    bit ^ row.is_multiple_of(every)
}

#[test]
fn clean_data_gives_no_warning() {
    for seed in 0..10 {
        for method in [Method::HITON_PC, Method::MH_PC_F, Method::MH_PC_B, Method::PC_SELECT, Method::CR_PA] {
            let settings = Settings { method, ..Settings::default() };
            let (findings, found) = warned(&clean(seed, 12, 2000, usual), &settings);
            assert!(!findings.causes.is_empty());
            assert_eq!(found, [], "{method} {seed}");
        }
    }
}

fn near_perfect_predictors(matrix: &Matrix, settings: &Settings) -> Vec<Candidate> {
    let found = warned(matrix, settings).1.into_iter().find_map(|warning| match warning {
        Warning::NearPerfectPrediction { by, total } => {
            assert_eq!(by.len() as u64, total);
            Some(by)
        }
        _ => None,
    });
    found.unwrap_or_default().into_iter().map(|predictor| predictor.candidate).collect()
}

#[test]
fn near_perfect_predictors_are_reported() {
    let data = clean(1, 6, 1000, usual);
    let leak = |every: usize| data.clone().column(|it, row| except(it.outcome[row], row, every));
    let default = Settings::default();
    assert_eq!(near_perfect_predictors(&leak(50), &default), [Candidate::single(6)]);
    assert_eq!(near_perfect_predictors(&leak(8), &default), []);
    let negated = data.clone().column(|it, row| !except(it.outcome[row], row, 50));
    assert_eq!(near_perfect_predictors(&negated, &default), [Candidate::single(6)]);
    // No warning if background knowledge places the column after the target.
    let knowledge = Knowledge { after: vec![6], ..Knowledge::default() };
    assert_eq!(near_perfect_predictors(&leak(50), &Settings { knowledge, ..default }), []);
}

#[test]
fn rules_without_exceptions_for_half_of_a_class_are_reported() {
    let data = clean(2, 6, 1000, usual);
    let default = Settings::default();
    let holds = |share: usize| data.clone().column(move |it, row| it.outcome[row] && row % 10 < share);
    assert_eq!(near_perfect_predictors(&holds(6), &default), [Candidate::single(6)]);
    assert_eq!(near_perfect_predictors(&holds(4), &default), []);
    // The target is 0 wherever the column does not hold.
    let lacks = data.clone().column(|it, row| it.outcome[row] || row % 10 < 4);
    assert_eq!(near_perfect_predictors(&lacks, &default), [Candidate::single(6)]);
    let lacks_more = data.clone().column(|it, row| it.outcome[row] || row % 10 < 6);
    assert_eq!(near_perfect_predictors(&lacks_more, &default), []);
    // One exception suffices to avoid the warning.
    let first = data.outcome.iter().position(|case| !case).unwrap();
    let exception = data.clone().column(|it, row| it.outcome[row] && row % 10 < 6 || row == first);
    assert_eq!(near_perfect_predictors(&exception, &default), []);
    // With few rows, the absence of exceptions may be due to chance.
    let few = clean(2, 6, 30, |row| if row[0] { 0.95 } else { 0.5 });
    assert_eq!(near_perfect_predictors(&few, &default), []);
}

#[test]
fn conjunctions_that_predict_the_target_perfectly_are_reported() {
    // The outcome equals the conjunction; the parts alone do not determine it.
    let data = clean(3, 5, 4000, |row| if row[1] == row[2] { 0.99 } else { 0.01 });
    let matrix = Matrix {
        outcome: (0..data.rows()).map(|row| data.columns[1][row] && data.columns[2][row]).collect(),
        ..data
    };
    let settings = Settings { method: Method::JOINT, ..Settings::default() };
    let (findings, _) = warned(&matrix, &settings);
    let conjunction = Candidate::new(vec![1, 2]);
    assert!(findings.is_cause(&conjunction), "{:?}", findings.causes);
    assert!(near_perfect_predictors(&matrix, &settings).contains(&conjunction));
}

/// The near-duplicates, found by counting rows: two columns and the number of exceptions.
fn near_duplicates_by_hand(matrix: &Matrix) -> Vec<(Candidate, Candidate, u64)> {
    let rows = matrix.rows();
    let mut found = Vec::new();
    for i in 0..matrix.columns.len() {
        for j in 0..i {
            let (x, y) = (&matrix.columns[j], &matrix.columns[i]);
            let mean = |bits: &[bool]| bits.iter().filter(|bit| **bit).count() as f64 / rows as f64;
            let (a, b) = (mean(x), mean(y));
            let rare = [a, b].into_iter().any(|share| share.min(1.0 - share) * (rows as f64) < 9.5);
            let both = x.iter().zip(y).filter(|(x, y)| **x && **y).count() as f64 / rows as f64;
            let phi = (both - a * b) / (a * (1.0 - a) * b * (1.0 - b)).sqrt();
            if rare || matrix.attributes[i] == matrix.attributes[j] || phi.abs() < LEAST_PHI_OF_DUPLICATES {
                continue;
            }
            let differ = x.iter().zip(y).filter(|(x, y)| x != y).count();
            let exceptions = if phi > 0.0 { differ } else { rows - differ };
            found.push((Candidate::single(j as u32), Candidate::single(i as u32), exceptions as u64));
        }
    }
    found.sort();
    found
}

#[test]
fn near_duplicates_match_counts_of_single_rows() {
    let mut random = Random::new(5);
    let mut some = 0;
    for round in 0..60 {
        let mut matrix = Matrix::random(&mut random, 8, 400).exclusive();
        for _ in 0..3 {
            let (other, negate) = (random.below(8), random.chance(0.5));
            let noise = random.unit() * 0.05;
            matrix = matrix.column(|it, row| {
                it.columns[other][row] ^ negate ^ (((row * 7919 + round) % 1000) as f64 <= 1000.0 * noise)
            });
        }
        // Duplicates are not merged, and no attribute has two values, so every column is compared.
        let settings =
            Settings { duplicates: Duplicates::Ordinary, method: Method::HITON_PC, ..Settings::default() };
        matrix.attributes = (0..11).collect();
        let expected = near_duplicates_by_hand(&matrix);
        let found = warned(&matrix, &settings).1;
        let found = found.iter().find_map(|warning| match warning {
            Warning::NearDuplicates { pairs, total, all_pairs: true } => Some((pairs, *total)),
            _ => None,
        });
        let Some((pairs, total)) = found else {
            assert_eq!(expected, []);
            continue;
        };
        assert_eq!(total, expected.len() as u64);
        assert_eq!(pairs.len(), expected.len().min(10));
        let told = pairs.iter().map(|pair| (pair.one.clone(), pair.other.clone(), pair.exceptions));
        assert!(told.clone().all(|pair| expected.contains(&pair)), "{pairs:?} {expected:?}");
        some += told.count();
    }
    assert!(some > 50, "{some}");
}

fn duplicates(warnings: &[Warning]) -> Vec<(&Candidate, &Candidate, bool)> {
    let pairs = warnings.iter().find_map(|warning| match warning {
        Warning::NearDuplicates { pairs, .. } => Some(pairs),
        _ => None,
    });
    pairs.into_iter().flatten().map(|pair| (&pair.one, &pair.other, pair.in_cause)).collect()
}

#[test]
fn near_duplicates_with_a_cause_come_first() {
    let data = clean(6, 6, 1000, usual)
        .column(|it, row| except(it.columns[5][row], row, 500))
        .column(|it, row| !except(it.columns[0][row], row, 60));
    let (findings, found) = warned(&data, &Settings::default());
    assert!(findings.is_cause(&Candidate::single(0)));
    let [one, five, six, seven] = [0, 5, 6, 7].map(Candidate::single);
    assert_eq!(duplicates(&found), [(&one, &seven, true), (&five, &six, false)]);
    // Columns that differ in every tenth row are not near-duplicates.
    let apart = clean(6, 6, 1000, usual).column(|it, row| except(it.columns[0][row], row, 10));
    assert_eq!(default_warnings(&apart), []);
}

#[test]
fn equal_columns_are_reported_unless_they_are_merged() {
    let data = clean(7, 6, 1000, usual).column(|it, row| it.columns[0][row]);
    assert_eq!(default_warnings(&data), []);
    let settings = Settings { duplicates: Duplicates::Ordinary, ..Settings::default() };
    let found = warned(&data, &settings).1;
    assert_eq!(duplicates(&found), [(&Candidate::single(0), &Candidate::single(6), true)]);
}

#[test]
fn columns_that_nearly_equal_a_combined_cause_are_reported() {
    let data = clean(8, 6, 4000, |row| if row[1] && row[2] { 0.8 } else { 0.1 });
    let settings = Settings { method: Method::JOINT, ..Settings::default() };
    let conjunction = Candidate::new(vec![1, 2]);
    let near = data.column(|it, row| {
        let both = it.columns[1][row] && it.columns[2][row];
        // The exceptions make the column a worse predictor, so the conjunction remains the cause.
        if row % 100 == 0 { it.columns[3][row] } else { both }
    });
    let (findings, found) = warned(&near, &settings);
    assert!(findings.is_cause(&conjunction), "{:?}", findings.causes);
    assert!(duplicates(&found).contains(&(&conjunction, &Candidate::single(6), true)), "{found:?}");
}

/// If comparing all pairs would take too long, only pairs with a column of a cause are compared.
#[test]
fn with_many_columns_only_columns_of_causes_are_compared() {
    let mut data = clean(9, 30_000, 300, |row| if row[7] { 0.9 } else { 0.1 });
    data = data
        .column(|it, row| except(it.columns[7][row], row, 200))
        .column(|it, row| except(it.columns[8][row], row, 200));
    let settings = Settings { method: Method::HITON_PC, alpha: 1e-9, ..Settings::default() };
    let (findings, found) = warned(&data, &settings);
    assert_eq!(findings.causes.len(), 1);
    assert_eq!(duplicates(&found), [(&Candidate::single(7), &Candidate::single(30_000), true)]);
    assert!(matches!(found[..], [Warning::NearDuplicates { all_pairs: false, .. }]), "{found:?}");
}

fn relations(warnings: &[Warning]) -> Vec<&Relation> {
    let relations = warnings.iter().find_map(|warning| match warning {
        Warning::Deterministic { relations, .. } => Some(relations),
        _ => None,
    });
    relations.into_iter().flatten().collect()
}

fn relation(column: u32, kind: RelationKind, to: &[u32]) -> Relation {
    Relation { column, kind, to: Candidate::new(to.to_vec()).singles() }
}

#[test]
fn causes_equal_to_a_conjunction_or_disjunction_are_reported() {
    let base = clean(10, 6, 2000, |_| 0.5);
    let with_outcome = |matrix: Matrix, cause: usize| {
        let outcome = (0..matrix.rows()).map(|row| matrix.columns[cause][row] ^ (row % 4 == 0)).collect();
        Matrix { outcome, ..matrix }
    };
    let both = |it: &Matrix, row: usize| it.columns[1][row] && it.columns[2][row];
    let either = |it: &Matrix, row: usize| it.columns[1][row] || it.columns[2][row];
    let conjunction = with_outcome(base.clone().column(both), 6);
    let (findings, found) = warned(&conjunction, &Settings::default());
    assert!(findings.is_cause(&Candidate::single(6)));
    assert_eq!(relations(&found), [&relation(6, RelationKind::Conjunction, &[1, 2])]);
    let disjunction = with_outcome(base.clone().column(either), 6);
    assert_eq!(
        relations(&default_warnings(&disjunction)),
        [&relation(6, RelationKind::Disjunction, &[1, 2])]
    );
    // With one exception, it is not a deterministic relation.
    let exception = with_outcome(base.column(|it, row| both(it, row) ^ (row == 17)), 6);
    assert!(relations(&default_warnings(&exception)).is_empty());
}

#[test]
fn columns_equal_to_a_combined_cause_are_reported() {
    // Of two candidates that hold in the same rows, the search selects the single column, so the conjunction is
    // required.
    let data = clean(11, 6, 2000, |row| if row[1] && row[2] { 0.8 } else { 0.1 })
        .column(|it, row| it.columns[1][row] && it.columns[2][row]);
    let knowledge = Knowledge { required: vec![Candidate::new(vec![1, 2])], ..Knowledge::default() };
    let found = warned(&data, &Settings { knowledge, ..Settings::default() }).1;
    assert!(relations(&found).contains(&&relation(6, RelationKind::Conjunction, &[1, 2])), "{found:?}");
}

#[test]
fn columns_determined_by_their_separating_set_are_reported() {
    let risk = |row: &[bool]| match (row[1], row[2]) {
        (false, false) => 0.1,
        (true, false) => 0.3,
        (false, true) => 0.4,
        (true, true) => 0.9,
    };
    let exclusive = |it: &Matrix, row: usize| it.columns[1][row] ^ it.columns[2][row];
    let data = clean(12, 6, 2000, risk);
    let settings = Settings { method: Method::MH_PC_F, ..Settings::default() };
    let (findings, found) = warned(&data.clone().column(exclusive), &settings);
    assert!(!findings.is_cause(&Candidate::single(6)));
    assert_eq!(
        relations(&found),
        [&Relation { to: [2, 1].map(Candidate::single).into(), ..relation(6, RelationKind::Function, &[1]) }]
    );
    let noisy = data.column(|it, row| except(exclusive(it, row), row, 100));
    assert!(relations(&warned(&noisy, &settings).1).is_empty());
}

#[test]
fn causes_that_imply_another_cause_are_reported() {
    let data = clean(13, 6, 3000, |_| 0.5).column(|it, row| it.columns[0][row] && row % 3 == 0);
    let random = Random::new(99);
    let outcome = |matrix: &Matrix| {
        let mut random = random.clone();
        (0..matrix.rows())
            .map(|row| {
                let held = [0, 6].map(|column: usize| u8::from(matrix.columns[column][row]));
                random.chance(0.1 + 0.3 * f64::from(held[0]) + 0.4 * f64::from(held[1]))
            })
            .collect()
    };
    let implied = Matrix { outcome: outcome(&data), ..data.clone() };
    let (findings, found) = warned(&implied, &Settings { max_level: 1, ..Settings::default() });
    assert_eq!(findings.causes.len(), 2);
    assert_eq!(relations(&found), [&relation(6, RelationKind::Implication, &[0])]);
    let apart = data.column(|it, row| except(it.columns[6][row], row, 50));
    let columns = [&apart.columns[..6], &apart.columns[7..]].concat();
    let apart = Matrix { columns, attributes: (0..7).collect(), outcome: apart.outcome };
    let apart = Matrix { outcome: outcome(&apart), ..apart };
    let (findings, found) = warned(&apart, &Settings { max_level: 1, ..Settings::default() });
    assert_eq!((findings.causes.len(), relations(&found).len()), (2, 0));
}

#[test]
fn too_few_cases_are_reported_with_the_affordable_settings() {
    let shortage = |rows: usize, settings: &Settings| {
        let (_, found) = warned(&clean(14, 8, rows, |row| if row[0] { 0.7 } else { 0.3 }), settings);
        found.into_iter().find_map(|warning| match warning {
            Warning::TooFewCases(shortage) => Some(shortage),
            _ => None,
        })
    };
    let tests = Settings { method: Method::MH_PC_F, ..Settings::default() };
    let deep = Settings { max_level: 3, ..tests.clone() };
    let found = shortage(60, &deep).expect("60 rows should be too few");
    assert!((20..40).contains(&found.cases), "{found:?}");
    let expected =
        CaseShortage { level: 3, affordable_level: 2, max_k: Some(3), affordable_max_k: Some(1), ..found };
    assert_eq!(found, expected);
    assert_eq!(shortage(500, &deep), None);
    // Fewer levels and smaller conditioning sets need fewer cases.
    assert_eq!(shortage(60, &Settings { max_level: 2, max_k: 1, ..tests }), None);
    let rules = shortage(60, &Settings { method: Method::CR_PA, max_level: 2, ..Settings::default() });
    assert_eq!(rules, None);
    assert_eq!(
        shortage(8, &deep).map(|found| (found.affordable_level, found.affordable_max_k)),
        Some((0, Some(0)))
    );
}

#[test]
fn impossible_tests_are_reported_if_they_are_frequent() {
    let settings =
        Settings { method: Method::MH_PC_F, test: Test::G2_ADJUSTED, max_k: 3, ..Settings::default() };
    let not_testable = |rows: usize| {
        let (findings, found) = warned(&clean(15, 8, rows, usual), &settings);
        let told = found.iter().find_map(|warning| match warning {
            Warning::NotTestable { tests, not_testable } => Some((*tests, *not_testable)),
            _ => None,
        });
        (findings.tests(), told)
    };
    let (tests, told) = not_testable(18);
    assert!(told.is_some_and(|(all, some)| all == tests && some > 0 && some <= all), "{told:?} {tests}");
    assert_eq!(not_testable(3000).1, None);
}
