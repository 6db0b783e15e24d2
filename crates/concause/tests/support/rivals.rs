//! Slow reference implementations of PC-select, the naïve methods and the causal rules: one test at a time, every table
//! counted row by row, every reason recorded.

use std::collections::BTreeMap;

use concause::dataset::Candidate;
use concause::random::Random;
use concause::search::rules::cohort;
use concause::search::{Method, Reason, Settings};
use concause::stats::TestResult;

use super::Matrix;
use super::sequential::{Columns, Entry, Result, Sequential, combinations, in_data_order, subsets};

pub fn mine(matrix: &Matrix, settings: &Settings) -> Result {
    let mut search = Sequential { matrix, settings, reasons: BTreeMap::new(), formed: BTreeMap::new() };
    let columns = search.columns();
    match settings.method {
        method if method == Method::NAIVE_H => {
            let candidates = all_candidates(&mut search, &columns);
            let mut causes = search.required(&columns);
            let required: Vec<Candidate> = causes.iter().map(|entry| entry.0.clone()).collect();
            causes.extend(search.eliminate(candidates, &required, true));
            search.result(causes)
        }
        method if method == Method::NAIVE_S => {
            let candidates = all_candidates(&mut search, &columns);
            pc_select(search, &columns, candidates)
        }
        method if method == Method::PC_SELECT => pc_select(search, &columns, columns.singles.clone()),
        method if [Method::CR_PA, Method::CR_CS].contains(&method) => rules(search, &columns),
        method => panic!("{method} has no reference implementation here"),
    }
}

/// The single columns and every conjunction of columns of different attributes that is not constant.
fn all_candidates(search: &mut Sequential<'_>, columns: &Columns) -> Vec<Candidate> {
    let mut candidates = columns.singles.clone();
    for level in 2..=search.settings.max_level {
        candidates.extend(conjunctions(search, &columns.offered, level));
    }
    candidates
}

/// The conjunctions of these columns that can be candidates.
fn conjunctions(search: &mut Sequential<'_>, offered: &[usize], level: usize) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut formed = 0;
    for candidate in combinations(search.matrix.columns.len(), level) {
        if search.settings.knowledge.required.contains(&candidate) {
            // It is already a cause.
        } else if let Some(reason) = search.exclusion(&candidate) {
            search.reasons.insert(candidate, reason);
        } else if search.same_attribute(&candidate) {
            search.reasons.insert(candidate, Reason::SameAttribute);
        } else if candidate.columns().iter().any(|&column| !offered.contains(&(column as usize))) {
            // It contains a constant or a merged column and is not formed.
        } else {
            formed += 1;
            if search.constant(&candidate) {
                search.reasons.insert(candidate, Reason::Constant);
            } else {
                found.push(candidate);
            }
        }
    }
    search.formed.insert(level, formed);
    found
}

/// R's `pcSelect` of the package pcalg, line by line:
///
/// ```text
/// G <- all TRUE; ord <- 0
/// while (!done && any(G))
///   done <- TRUE
///   for (x in which(G))                     # as it is when the order begins
///     nbrs <- which(G) without x            # as it is now
///     if (length(nbrs) >= ord)
///       if (length(nbrs) > ord) done <- FALSE
///       for (S in subsets of nbrs of size ord)
///         if (independent(x, y | S)) { G[x] <- FALSE; break }
///   ord <- ord + 1
/// ```
///
/// except for the limit max_k and the order of the subsets.
///
/// Required causes come first and are never removed.
fn pc_select(mut search: Sequential<'_>, columns: &Columns, candidates: Vec<Candidate>) -> Result {
    // OPEN contains the candidates that pass the tests with sets of size 0.
    let mut entries = search.required(columns);
    let required = entries.len();
    let mut open: Vec<Entry> = search.open(candidates);
    open.sort_by(|a, b| in_data_order(&a.0, &b.0));
    entries.extend(open);
    let mut is_neighbour = vec![true; entries.len()];
    let mut order = 1;
    loop {
        let mut done = true;
        let start: Vec<usize> = (required..entries.len()).filter(|&x| is_neighbour[x]).collect();
        for x in start {
            let others: Vec<Candidate> = (0..entries.len())
                .filter(|&z| z != x && is_neighbour[z])
                .map(|z| entries[z].0.clone())
                .collect();
            if others.len() < order || order > search.settings.max_k {
                continue;
            }
            if others.len() > order {
                done = false;
            }
            let sets = subsets(&others, order).into_iter().filter(|set| set.len() == order).collect();
            if let Some(reason) = search.separated_by(&mut entries[x], sets) {
                is_neighbour[x] = false;
                search.reasons.insert(entries[x].0.clone(), reason);
            }
        }
        order += 1;
        if done {
            break;
        }
    }
    let causes: Vec<Entry> =
        entries.into_iter().zip(is_neighbour).filter(|(_, is)| *is).map(|(entry, _)| entry).collect();
    causes[required..].iter().for_each(|cause| search.note_cause(&cause.0));
    search.result(causes)
}

/// Causal rules from single columns, then from pairs of columns that are not causes.
fn rules(mut search: Sequential<'_>, columns: &Columns) -> Result {
    let singles = search.open(columns.singles.clone());
    let controls: Vec<Candidate> = singles.iter().map(|entry| entry.0.clone()).collect();
    let mut causes = rules_of_level(&mut search, columns, &controls, singles);
    if search.settings.max_level > 1 {
        let cause = |column: usize| Candidate::single(columns.stands_for[column] as u32);
        let is_cause = |entry: &&Entry| search.reasons[&entry.0] == Reason::Cause;
        let single_causes: Vec<Candidate> =
            causes.iter().filter(is_cause).map(|entry| entry.0.clone()).collect();
        let is_free = |&column: &usize| !single_causes.contains(&cause(column));
        let free: Vec<usize> = columns.offered.iter().copied().filter(is_free).collect();
        let pairs = conjunctions(&mut search, &free, 2);
        for pair in combinations(search.matrix.columns.len(), 2) {
            let part = pair.columns().into_iter().find(|&column| !is_free(&(column as usize)));
            let is_known = search.exclusion(&pair).is_some() || search.same_attribute(&pair);
            if let Some(column) = part.filter(|_| !is_known) {
                let cause = cause(column as usize);
                search.reasons.insert(pair, Reason::PartOfCause { cause });
            }
        }
        let open = search.open(pairs);
        causes.extend(rules_of_level(&mut search, columns, &controls, open));
    }
    search.result(causes)
}

fn rules_of_level(
    search: &mut Sequential<'_>,
    columns: &Columns,
    controls: &[Candidate],
    open: Vec<Entry>,
) -> Vec<Entry> {
    let matrix = search.matrix;
    let covariates = &search.settings.knowledge.covariates;
    let mut causes = Vec::new();
    for mut entry in open {
        let rule = entry.0.clone();
        let cases = matrix.outcome.iter().filter(|outcome| **outcome).count();
        let support = matrix.count(&rule).positive as f64 / cases as f64;
        if support < 0.05 {
            search.reasons.insert(rule, Reason::LowSupport { support });
            continue;
        }
        let mut given: Vec<Candidate> = controls
            .iter()
            .filter(|control| {
                let control = control.columns()[0] as usize;
                rule.columns().iter().all(|&column| {
                    let column = column as usize;
                    columns.stands_for[column] != control
                        && matrix.attributes[column] != matrix.attributes[control]
                })
            })
            .cloned()
            .collect();
        given.truncate(10);
        // The strata are ordered as in a `Family`, the last member first, because random draws depend on their order.
        let mut members = given.clone();
        members.rotate_right(usize::from(!given.is_empty()));
        let strata: Vec<[f64; 4]> = matrix
            .table_beside(covariates, &rule, &members, &Candidate::default())
            .iter()
            .map(|stratum| {
                let (with, without) = (stratum.with, stratum.without);
                [with.positive, with.negative, without.positive, without.negative].map(|count| count as f64)
            })
            .collect();
        let (is_causal, tested, odds_ratio, discordant) = if search.settings.method == Method::CR_PA {
            let (tested, odds_ratio) = mantel_haenszel(&strata);
            let is_strong = odds_ratio.is_some_and(|ratio| ratio > 1.5 + 1e-9 || 1.0 / ratio > 1.5 + 1e-9);
            let is_clear = tested.is_some_and(|tested| tested.p_value <= search.settings.alpha);
            (is_strong && is_clear, tested, odds_ratio, None)
        } else {
            let table = matrix.table_beside(covariates, &rule, &members, &Candidate::default());
            let pairs = cohort::matched_pairs(&table, &mut Random::new(search.settings.seed));
            let (n10, n01) = (pairs.exposed as f64, pairs.unexposed as f64);
            let all = n10 + n01;
            let odds_ratio = (all > 0.0).then_some(n10 / n01);
            let is_strong = odds_ratio.is_some_and(|ratio| ratio > 1.5 || 1.0 / ratio > 1.5);
            let statistic = ((n10 - n01).abs() - 1.0).max(0.0).powi(2) / all;
            let tested = (all > 0.0).then(|| TestResult::new(statistic, 1));
            (is_strong && all >= 10.0, tested, odds_ratio, Some(all as u64))
        };
        match tested {
            Some(tested) if is_causal => {
                search.note_cause(&rule);
                entry.2.record(tested, || given);
                causes.push(entry);
            }
            tested => {
                let p_value = tested.map_or(1.0, |tested| tested.p_value);
                search
                    .reasons
                    .insert(rule, Reason::NoEffect { controls: given, odds_ratio, p_value, discordant });
            }
        }
    }
    causes
}

/// The Mantel-Haenszel test with continuity correction and the pooled odds ratio, by definition.
fn mantel_haenszel(strata: &[[f64; 4]]) -> (Option<TestResult>, Option<f64>) {
    let sum = |term: &dyn Fn(&[f64; 4], f64) -> f64| -> f64 {
        strata
            .iter()
            .map(|cells| (cells, cells.iter().sum()))
            .filter(|(_, n)| *n > 1.0)
            .map(|(c, n)| term(c, n))
            .sum()
    };
    let observed = sum(&|[a, ..], _| *a);
    let expected = sum(&|[a, b, c, _], n| (a + b) * (a + c) / n);
    let variance = sum(&|[a, b, c, d], n| (a + b) * (c + d) * (a + c) * (b + d) / (n * n * (n - 1.0)));
    if variance == 0.0 {
        return (None, None);
    }
    let statistic = ((observed - expected).abs() - 0.5).max(0.0).powi(2) / variance;
    let (ad, bc) = (sum(&|[a, _, _, d], n| a * d / n), sum(&|[_, b, c, _], n| b * c / n));
    (Some(TestResult::new(statistic, 1)), (ad > 0.0 || bc > 0.0).then_some(ad / bc))
}
