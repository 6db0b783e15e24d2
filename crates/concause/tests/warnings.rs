//! Warnings: each fires where its fault was put into the data, and on data without it nothing does.

mod support;

use concause::count::LocalCounter;
use concause::dataset::Candidate;
use concause::evidence::warnings::{LEAST_PHI_OF_DUPLICATES, Relation, Shortage, Tie, Warning, warnings};
use concause::independence::Test;
use concause::search::{Findings, Knowledge, Method, Settings, Twins, Unwatched, mine};
use support::{Matrix, Random};

fn warned(matrix: &Matrix, settings: &Settings) -> (Findings, Vec<Warning>) {
    let data = matrix.dataset();
    let counter = LocalCounter::new(&data);
    let findings = mine(&counter, data.columns(), settings, &Unwatched).unwrap();
    let found = warnings(&counter, data.columns(), settings, &findings);
    (findings, found)
}

fn of(matrix: &Matrix) -> Vec<Warning> {
    warned(matrix, &Settings::default()).1
}

/// Fair columns that are independent of one another, each of its own attribute; the outcome has the probability that
/// `risk` gives to a row.
fn clean(seed: u64, columns: usize, rows: usize, risk: impl Fn(&[bool]) -> f64) -> Matrix {
    let mut random = Random::new(seed);
    let data: Vec<Vec<bool>> =
        (0..columns).map(|_| (0..rows).map(|_| random.chance(0.5)).collect()).collect();
    let row = |row: usize| data.iter().map(|column| column[row]).collect::<Vec<bool>>();
    let outcome = (0..rows).map(|number| random.chance(risk(&row(number)))).collect();
    Matrix { attributes: (0..columns).collect(), columns: data, outcome }
}

/// The outcome follows the first column, and the second and third together.
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
    /// Adds a column of its own attribute.
    fn column(self, make: impl Fn(&Matrix, usize) -> bool) -> Matrix;
}

/// Every so many rows one is an exception.
fn except(bit: bool, row: usize, every: usize) -> bool {
    bit ^ row.is_multiple_of(every)
}

#[test]
fn clean_data_gives_no_warning() {
    for seed in 0..10 {
        for method in
            [Method::HitonPc, Method::MhPcF, Method::MhPcB, Method::MhPcX, Method::PcSelect, Method::CrPa]
        {
            let settings = Settings { method, ..Settings::default() };
            let (findings, found) = warned(&clean(seed, 12, 2000, usual), &settings);
            assert!(!findings.causes.is_empty());
            assert_eq!(found, [], "{method} {seed}");
        }
    }
}

fn deciders(matrix: &Matrix, settings: &Settings) -> Vec<Candidate> {
    let found = warned(matrix, settings).1.into_iter().find_map(|warning| match warning {
        Warning::TargetDecided { by, total } => {
            assert_eq!(by.len() as u64, total);
            Some(by)
        }
        _ => None,
    });
    found.unwrap_or_default().into_iter().map(|decider| decider.candidate).collect()
}

#[test]
fn a_column_that_all_but_decides_the_target_is_told() {
    let data = clean(1, 6, 1000, usual);
    let leak = |every: usize| data.clone().column(|it, row| except(it.outcome[row], row, every));
    let default = Settings::default();
    assert_eq!(deciders(&leak(50), &default), [Candidate::single(6)]);
    assert_eq!(deciders(&leak(8), &default), []);
    let negated = data.clone().column(|it, row| !except(it.outcome[row], row, 50));
    assert_eq!(deciders(&negated, &default), [Candidate::single(6)]);
    // … but not if it is known to come later.
    let knowledge = Knowledge { after: vec![6], ..Knowledge::default() };
    assert_eq!(deciders(&leak(50), &Settings { knowledge, ..default }), []);
}

#[test]
fn a_column_that_decides_half_of_a_class_without_exception_is_told() {
    let data = clean(2, 6, 1000, usual);
    let default = Settings::default();
    let holds = |share: usize| data.clone().column(move |it, row| it.outcome[row] && row % 10 < share);
    assert_eq!(deciders(&holds(6), &default), [Candidate::single(6)]);
    assert_eq!(deciders(&holds(4), &default), []);
    // The target is 0 wherever it does not hold.
    let lacks = data.clone().column(|it, row| it.outcome[row] || row % 10 < 4);
    assert_eq!(deciders(&lacks, &default), [Candidate::single(6)]);
    let lacks_more = data.clone().column(|it, row| it.outcome[row] || row % 10 < 6);
    assert_eq!(deciders(&lacks_more, &default), []);
    // One exception is enough.
    let first = data.outcome.iter().position(|case| !case).unwrap();
    let exception = data.clone().column(|it, row| it.outcome[row] && row % 10 < 6 || row == first);
    assert_eq!(deciders(&exception, &default), []);
    // So few rows may be chance.
    let few = clean(2, 6, 30, |row| if row[0] { 0.95 } else { 0.5 });
    assert_eq!(deciders(&few, &default), []);
}

#[test]
fn a_conjunction_that_decides_the_target_is_told() {
    // The parts alone say nothing: where neither holds the outcome is certain too.
    let data = clean(3, 5, 4000, |row| if row[1] == row[2] { 0.99 } else { 0.01 });
    let matrix = Matrix {
        outcome: (0..data.rows()).map(|row| data.columns[1][row] && data.columns[2][row]).collect(),
        ..data
    };
    let settings = Settings { method: Method::MhPcX, ..Settings::default() };
    let (findings, _) = warned(&matrix, &settings);
    let conjunction = Candidate::new(vec![1, 2]);
    assert!(findings.is_cause(&conjunction), "{:?}", findings.causes);
    assert!(deciders(&matrix, &settings).contains(&conjunction));
}

/// The near-duplicates by counting rows: the columns and the exceptions.
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
fn near_duplicates_are_those_found_by_counting_rows() {
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
        // Ordinary columns, so that none stands for another; without two-valued attributes, whose second column is passed over.
        let settings = Settings { twins: Twins::Ordinary, method: Method::HitonPc, ..Settings::default() };
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
    // Columns that differ in every tenth row are two.
    let apart = clean(6, 6, 1000, usual).column(|it, row| except(it.columns[0][row], row, 10));
    assert_eq!(of(&apart), []);
}

#[test]
fn equal_columns_are_told_where_they_are_not_merged() {
    let data = clean(7, 6, 1000, usual).column(|it, row| it.columns[0][row]);
    assert_eq!(of(&data), []);
    let settings = Settings { twins: Twins::Ordinary, ..Settings::default() };
    let found = warned(&data, &settings).1;
    assert_eq!(duplicates(&found), [(&Candidate::single(0), &Candidate::single(6), true)]);
}

#[test]
fn a_column_that_is_almost_a_combined_cause_is_told() {
    let data = clean(8, 6, 4000, |row| if row[1] && row[2] { 0.8 } else { 0.1 });
    let settings = Settings { method: Method::MhPcX, ..Settings::default() };
    let conjunction = Candidate::new(vec![1, 2]);
    let near = data.column(|it, row| {
        let both = it.columns[1][row] && it.columns[2][row];
        // Exceptions at the expense of the column, so that the conjunction remains the better cause.
        if row % 100 == 0 { it.columns[3][row] } else { both }
    });
    let (findings, found) = warned(&near, &settings);
    assert!(findings.is_cause(&conjunction), "{:?}", findings.causes);
    assert!(duplicates(&found).contains(&(&conjunction, &Candidate::single(6), true)), "{found:?}");
}

/// Where comparing all pairs takes too long, those with a column of a cause are compared.
#[test]
fn in_very_many_columns_those_of_causes_are_compared() {
    let mut data = clean(9, 30_000, 300, |row| if row[7] { 0.9 } else { 0.1 });
    data = data
        .column(|it, row| except(it.columns[7][row], row, 200))
        .column(|it, row| except(it.columns[8][row], row, 200));
    let settings = Settings { method: Method::HitonPc, alpha: 1e-9, ..Settings::default() };
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

fn relation(column: u32, tie: Tie, to: &[u32]) -> Relation {
    Relation { column, tie, to: Candidate::new(to.to_vec()).singles() }
}

#[test]
fn a_cause_that_is_a_conjunction_or_disjunction_of_columns_is_told() {
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
    assert_eq!(relations(&found), [&relation(6, Tie::Conjunction, &[1, 2])]);
    let disjunction = with_outcome(base.clone().column(either), 6);
    assert_eq!(relations(&of(&disjunction)), [&relation(6, Tie::Disjunction, &[1, 2])]);
    // One exception, and it is none.
    let exception = with_outcome(base.column(|it, row| both(it, row) ^ (row == 17)), 6);
    assert!(relations(&of(&exception)).is_empty());
}

#[test]
fn a_column_that_is_a_combined_cause_is_told() {
    // Of two candidates that hold in the same rows the search takes the column, unless it is forbidden.
    let data = clean(11, 6, 2000, |row| if row[1] && row[2] { 0.8 } else { 0.1 })
        .column(|it, row| it.columns[1][row] && it.columns[2][row]);
    let knowledge = Knowledge { required: vec![Candidate::new(vec![1, 2])], ..Knowledge::default() };
    let found = warned(&data, &Settings { knowledge, ..Settings::default() }).1;
    assert!(relations(&found).contains(&&relation(6, Tie::Conjunction, &[1, 2])), "{found:?}");
}

#[test]
fn a_column_that_could_not_vary_where_it_was_explained_away_is_told() {
    let risk = |row: &[bool]| match (row[1], row[2]) {
        (false, false) => 0.1,
        (true, false) => 0.3,
        (false, true) => 0.4,
        (true, true) => 0.9,
    };
    let exclusive = |it: &Matrix, row: usize| it.columns[1][row] ^ it.columns[2][row];
    let data = clean(12, 6, 2000, risk);
    let (findings, found) = warned(&data.clone().column(exclusive), &Settings::default());
    assert!(!findings.is_cause(&Candidate::single(6)));
    assert_eq!(
        relations(&found),
        [&Relation { to: [2, 1].map(Candidate::single).into(), ..relation(6, Tie::Function, &[1]) }]
    );
    let noisy = data.column(|it, row| except(exclusive(it, row), row, 100));
    assert!(relations(&of(&noisy)).is_empty());
}

#[test]
fn a_cause_that_implies_another_is_told() {
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
    assert_eq!(relations(&found), [&relation(6, Tie::Implication, &[0])]);
    let apart = data.column(|it, row| except(it.columns[6][row], row, 50));
    let columns = [&apart.columns[..6], &apart.columns[7..]].concat();
    let apart = Matrix { columns, attributes: (0..7).collect(), outcome: apart.outcome };
    let apart = Matrix { outcome: outcome(&apart), ..apart };
    let (findings, found) = warned(&apart, &Settings { max_level: 1, ..Settings::default() });
    assert_eq!((findings.causes.len(), relations(&found).len()), (2, 0));
}

#[test]
fn too_few_cases_are_told_with_what_they_are_enough_for() {
    let shortage = |rows: usize, settings: &Settings| {
        let (_, found) = warned(&clean(14, 8, rows, |row| if row[0] { 0.7 } else { 0.3 }), settings);
        found.into_iter().find_map(|warning| match warning {
            Warning::TooFewCases(shortage) => Some(shortage),
            _ => None,
        })
    };
    let deep = Settings { max_level: 3, ..Settings::default() };
    let found = shortage(60, &deep).expect("60 rows are few");
    assert!((20..40).contains(&found.cases), "{found:?}");
    let expected =
        Shortage { level: 3, affordable_level: 2, max_k: Some(3), affordable_max_k: Some(1), ..found };
    assert_eq!(found, expected);
    assert_eq!(shortage(500, &deep), None);
    // Fewer levels and smaller sets need fewer cases.
    assert_eq!(shortage(60, &Settings { max_level: 2, max_k: 1, ..Settings::default() }), None);
    let rules = shortage(60, &Settings { method: Method::CrPa, max_level: 2, ..Settings::default() });
    assert_eq!(rules, None);
    assert_eq!(
        shortage(8, &deep).map(|found| (found.affordable_level, found.affordable_max_k)),
        Some((0, Some(0)))
    );
}

#[test]
fn tests_that_could_not_tell_are_told_if_they_are_many() {
    let settings = Settings { test: Test::G2Adjusted, max_k: 3, ..Settings::default() };
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
