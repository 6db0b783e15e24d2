//! Likelihoods, tests and marginal likelihoods compared with those of statsmodels and scipy.

use super::groups::{Design, Groups};
use super::logistic::LogisticModel;
use super::regression::LogPosterior;
use super::table::TableModel;
use super::{Regression, Scale};
use crate::count::Count;

/// The lines of a kind, split at semicolons.
fn lines(kind: &str) -> Vec<Vec<&'static str>> {
    let lines = include_str!("../../tests/fixtures/models.csv").lines();
    let found: Vec<Vec<&str>> =
        lines.map(|line| line.split(';').collect()).filter(|fields: &Vec<&str>| fields[0] == kind).collect();
    assert!(!found.is_empty());
    found
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(',').map(|number| number.parse().unwrap()).collect()
}

fn scale(name: &str) -> Scale {
    Scale::ALL.into_iter().find(|scale| scale.name() == name).unwrap()
}

/// The bits of the terms, the cases and the rows of each group.
fn cells(text: &str) -> Vec<(Vec<bool>, u64, u64)> {
    let cell = |group: &str| {
        let (bits, counts) = group.split_once(':').unwrap();
        let (cases, rows) = counts.split_once('/').unwrap();
        (bits.chars().map(|bit| bit == '1').collect(), cases.parse().unwrap(), rows.parse().unwrap())
    };
    text.split(' ').map(cell).collect()
}

fn groups(text: &str) -> (Groups, usize) {
    let cells = cells(text);
    let mut groups = Groups::default();
    for (bits, cases, rows) in &cells {
        groups.push((0..bits.len()).filter(|&term| bits[term]), *cases as f64, *rows as f64);
    }
    (groups, cells[0].0.len())
}

fn assert_close(found: f64, expected: f64, error: f64, context: &[&str]) {
    assert!((found - expected).abs() <= error, "{found}, expected {expected}: {context:?}");
}

/// At the maximum the slope is 0 in the direction of each coefficient.
#[test]
fn likelihoods_agree_with_statsmodels() {
    for fields in lines("likelihood") {
        let (scale, (groups, terms), beta) = (scale(fields[1]), groups(fields[2]), numbers(fields[3]));
        let mut log_likelihood = 0.0;
        let mut slopes = Vec::new();
        for (group, predictor) in groups.predictors(&beta).enumerate() {
            let [case, control] = scale.classes(predictor).unwrap();
            let (cases, rows) = groups.rows(group);
            log_likelihood += cases * case.value + (rows - cases) * control.value;
            slopes.push((group, cases * case.slope + (rows - cases) * control.slope));
        }
        let gradient = groups.sums_over(slopes.into_iter(), terms);
        assert_close(log_likelihood, numbers(fields[4])[0], 1e-10, &fields);
        gradient.iter().for_each(|&slope| assert_close(slope, 0.0, 1e-8, &fields));
        if scale == Scale::Logistic {
            let model = LogisticModel::fit(&groups, terms, None);
            assert_close(model.log_likelihood, log_likelihood, 1e-9, &fields);
            let pairs = model.coefficients.iter().zip(&beta);
            pairs.for_each(|(&found, &expected)| assert_close(found, expected, 1e-6, &fields));
        }
    }
}

#[test]
fn tests_of_terms_agree_with_statsmodels() {
    for fields in lines("tests") {
        let (all, terms) = groups(fields[1]);
        let model = LogisticModel::fit(&all, terms, None);
        for (term, ratio) in numbers(fields[2]).into_iter().enumerate() {
            assert_close(model.likelihood_ratio(&all, term), ratio, 1e-8 * ratio, &fields);
        }
        // The groups without the last term, and the counts of those with it.
        let (mut smaller, mut with) = (Groups::default(), Vec::new());
        let (without, held): (Vec<_>, Vec<_>) =
            cells(fields[1]).into_iter().partition(|(bits, ..)| !bits[terms - 1]);
        for ((bits, cases, rows), (_, more_cases, more_rows)) in without.into_iter().zip(held) {
            let terms = (0..terms).filter(|&term| bits[term]);
            smaller.push(terms, (cases + more_cases) as f64, (rows + more_rows) as f64);
            with.push((more_cases as f64, more_rows as f64));
        }
        let model = LogisticModel::fit(&smaller, terms - 1, None);
        let score = numbers(fields[3])[0];
        assert_close(model.score_statistic(&smaller, with.into_iter()), score, 1e-6 * score, &fields);
    }
}

/// Separated and quasi-separated data are among them.
#[test]
fn posteriors_agree_with_scipy() {
    for fields in lines("posterior") {
        let (scale, (groups, terms)) = (scale(fields[1]), groups(fields[2]));
        let found = Regression::fit(scale, &groups, terms, None);
        if fields[3] == "none" {
            assert!(found.is_none(), "{fields:?}");
            continue;
        }
        let found = found.unwrap();
        // If a group has no cases or no controls, the posterior is flat and less like a normal density.
        let is_ordinary = cells(fields[2]).iter().all(|(_, cases, rows)| *cases > 0 && cases < rows);
        let (error, error_of_approximation) = if is_ordinary { (2e-7, 0.1) } else { (5e-6, 1.25) };
        for (&found, expected) in found.coefficients.iter().zip(numbers(fields[3])) {
            assert_close(found, expected, error, &fields);
        }
        let at_mode = LogPosterior::new(scale, &groups, &found.coefficients).unwrap();
        assert_close(at_mode.value, numbers(fields[4])[0], error, &fields);
        assert_close(found.ln_marginal, numbers(fields[5])[0], error, &fields);
        if !fields[6].is_empty() {
            assert_close(found.ln_marginal, numbers(fields[6])[0], error_of_approximation, &fields);
        }
    }
}

#[test]
fn tables_agree_with_scipy() {
    for fields in lines("table") {
        let count =
            |(_, cases, rows): (Vec<bool>, u64, u64)| Count { positive: cases, negative: rows - cases };
        let counts: Vec<Count> = cells(fields[1]).into_iter().map(count).collect();
        let expected = numbers(fields[2])[0];
        for rows in [10, 10_000] {
            let found = TableModel::new(rows).ln_marginal_likelihood(&counts);
            assert_close(found, expected, 1e-11 * expected.abs(), &fields);
        }
    }
}
