//! Compares the counts of blocks that answer requests with a local counter of all rows.

use std::collections::BTreeMap;

use super::*;
use crate::count::{LocalCounter, into_inner};
use crate::dataset::{Dataset, DatasetBuilder, Target};
use crate::progress::NoProgress;
use crate::random::Random;
use crate::search::{Method, Settings, mine};
use crate::{Error, Miner};

/// Rows of an outcome and of columns that depend on it and on each other. Some columns are rare, and one is the
/// complement of another.
fn rows(random: &mut Random, rows: usize, columns: usize) -> Vec<(bool, Vec<bool>)> {
    let row = |_| {
        let mut cells: Vec<bool> = (0..columns).map(|column| random.below(2 + column % 5) == 0).collect();
        if columns > 5 {
            cells[3] = cells[3] && cells[1];
            cells[5] = !cells[2];
        }
        let outcome = (columns > 1 && cells[0] && cells[1]) != (random.below(4) == 0);
        (outcome, cells)
    };
    (0..rows).map(row).collect()
}

fn data(rows: &[(bool, Vec<bool>)], columns: usize) -> Dataset {
    let target = Target { name: "T".into(), value: None };
    let mut builder = DatasetBuilder::new(target, rows.iter().map(|row| row.0).collect());
    for column in 0..columns {
        let values = rows.iter().map(|row| row.1[column].then_some(0));
        builder.attribute(&format!("V{column}"), vec![format!("V{column}")], values);
    }
    builder.finish()
}

/// The rows in packed blocks of random size. The first block has no rows, and some have rows of one class only.
fn blocks(random: &mut Random, rows: &[(bool, Vec<bool>)], columns: usize) -> Vec<Vec<u8>> {
    let mut left = rows;
    let mut blocks = vec![data(&[], columns).pack()];
    while !left.is_empty() {
        let (block, rest) = left.split_at((1 + random.below(700)).min(left.len()));
        blocks.push(data(block, columns).pack());
        left = rest;
    }
    blocks
}

/// Sends an encoded request to every block and adds the decoded responses.
fn send_to_blocks(blocks: &[Vec<u8>], request: &[u8]) -> Result<Vec<u8>, RemoteError> {
    let response = |block: &Vec<u8>| {
        let request = Request::from_bytes(request).unwrap();
        let response = answer_request(&Dataset::unpack(block).unwrap(), &request).unwrap();
        Response::from_bytes(&response.to_bytes()).unwrap()
    };
    let sum = blocks.iter().map(response).reduce(|one, other| one.merge(other).unwrap());
    Ok(sum.unwrap().to_bytes())
}

fn random_candidate(random: &mut Random, columns: usize, most: usize) -> Candidate {
    Candidate::new((0..random.below(most + 1)).map(|_| random.below(columns) as u32).collect())
}

/// Limits so small that the test data exceeds them.
fn small_limits(random: &mut Random) -> Limits {
    let mut most = || 1 + random.below(40);
    Limits {
        first_round: most() as u128,
        largest_round: 4 * most() as u128,
        stored: 8 * most(),
        looked_up: most(),
        prefetched: most() as u128,
    }
}

#[test]
fn counts_of_blocks_add_up_to_the_counts_of_all_rows() {
    let mut random = Random::new(1);
    for round in 0..60 {
        let columns = 2 + random.below(9);
        let number = 1 + random.below(2500);
        let rows = rows(&mut random, number, columns);
        let (data, blocks) = (data(&rows, columns), blocks(&mut random, &rows, columns));
        let local = LocalCounter::new(&data);
        let mut remote =
            RemoteCounter::new(local.rows(), Box::new(|request| send_to_blocks(&blocks, request)));
        if round % 2 == 0 {
            remote.limits = small_limits(&mut random);
        }
        let pool: Vec<Candidate> =
            (0..random.below(7)).map(|_| random_candidate(&mut random, columns, 2)).collect();
        let start = random.below(pool.len() + 1);
        let family = Family::new(start..pool.len(), random.below(4));
        let candidates: Vec<Candidate> = (0..12).map(|_| random_candidate(&mut random, columns, 2)).collect();
        let without: Vec<Vec<bool>> =
            candidates.iter().map(|_| pool.iter().map(|_| random.below(5) == 0).collect()).collect();
        let bases: Vec<Base<'_>> = candidates
            .iter()
            .zip(&without)
            .map(|(candidate, without)| Base { candidate, without, from: random.below(pool.len() + 1) })
            .collect();
        let batch = Batch { bases: &bases, pool: &pool, family: &family };
        assert_eq!(remote.tabulate(&batch), local.tabulate(&batch), "{round}");
        assert_eq!(remote.counts(&candidates), local.counts(&candidates), "{round}");
        let left: Vec<u32> = (0..columns as u32).step_by(2).collect();
        let right: Vec<u32> = (0..columns as u32).collect();
        for base in &candidates[..3] {
            let grid = Grid { base, left: &left, right: &right };
            assert_eq!(remote.grid(grid), local.grid(grid), "{round}");
        }
        for most in [1, 3, 5] {
            let terms = &candidates[..most];
            for further in [&candidates[most..most], &candidates[most..most + 1], &candidates[4..]] {
                assert_eq!(table(&remote, terms, further), table(&local, terms, further), "{round}");
            }
        }
    }
}

type Counted = (Configurations, BTreeMap<usize, Vec<Count>>);

fn table(counter: &dyn Counter, terms: &[Candidate], further: &[Candidate]) -> Counted {
    let counted: Mutex<BTreeMap<usize, Vec<Count>>> = Mutex::default();
    let found = counter.configurations(terms, further, &|number, _, counts| {
        lock(&counted).insert(number, counts.to_vec());
    });
    let found = found.unwrap();
    (found, into_inner(counted))
}

/// The keys of more than 64 terms have two words.
#[test]
fn configurations_of_many_terms_are_merged() {
    let mut random = Random::new(2);
    let rows = rows(&mut random, 900, 70);
    let (data, blocks) = (data(&rows, 70), blocks(&mut random, &rows, 70));
    let local = LocalCounter::new(&data);
    let remote = RemoteCounter::new(local.rows(), Box::new(|request| send_to_blocks(&blocks, request)));
    let terms: Vec<Candidate> = (0..70).map(Candidate::single).collect();
    assert_eq!(table(&remote, &terms, &terms[..3]), table(&local, &terms, &terms[..3]));
    assert_eq!(table(&remote, &terms[60..70], &terms[..3]), table(&local, &terms[60..70], &terms[..3]));
    assert_eq!(remote.rounds(), 1, "the table of a subset of the terms follows from the cached table");
}

#[test]
fn every_method_finds_the_same_causes_in_few_rounds() {
    let mut random = Random::new(3);
    for _ in 0..6 {
        let columns = 6 + random.below(6);
        let rows = rows(&mut random, 1500, columns);
        let (data, blocks) = (data(&rows, columns), blocks(&mut random, &rows, columns));
        let local = LocalCounter::new(&data);
        for &method in Method::ALL.iter().filter(|method| method.descriptor().counts_remotely) {
            let miner = Miner::from(Settings { method, ..Settings::default() });
            let remote =
                RemoteCounter::new(local.rows(), Box::new(|request| send_to_blocks(&blocks, request)));
            let there =
                miner.search_counted(Box::new(&remote), data.columns(), data.target(), &NoProgress).unwrap();
            let here = miner.search(&data, &NoProgress).unwrap();
            assert_eq!(there.findings(), here.findings(), "{method}");
            let rounds = remote.rounds();
            assert_eq!(there.rejections(100), here.rejections(100), "{method}");
            // With so few rows, MH-PC-X runs the table search too.
            let most = if method == Method::MH_PC_X { 40 } else { 20 };
            assert!(rounds <= most, "{method}: {rounds} rounds");
            assert!(remote.rounds() - rounds <= 2, "{method}: {} rounds with reasons", remote.rounds());
            let pairs: Vec<Candidate> =
                (1..columns as u32).map(|column| Candidate::new(vec![0, column])).collect();
            assert_eq!(there.explain_all(&pairs), here.explain_all(&pairs), "{method}");
        }
    }
}

#[test]
fn every_method_finds_the_same_causes_in_many_small_rounds() {
    let mut random = Random::new(4);
    let rows = rows(&mut random, 2000, 14);
    let (data, blocks) = (data(&rows, 14), blocks(&mut random, &rows, 14));
    let local = LocalCounter::new(&data);
    for &method in Method::ALL.iter().filter(|method| method.descriptor().counts_remotely) {
        let settings = Settings { method, ..Settings::default() };
        let mut remote =
            RemoteCounter::new(local.rows(), Box::new(|request| send_to_blocks(&blocks, request)));
        remote.limits = small_limits(&mut random);
        let found = mine(&remote, data.columns(), &settings, &NoProgress).unwrap();
        assert_eq!(found, mine(&local, data.columns(), &settings, &NoProgress).unwrap(), "{method}");
    }
}

#[test]
fn a_failed_request_ends_the_search_with_an_error() {
    let answers = [
        Err(RemoteError("the cluster is gone".into())),
        Ok(vec![9]),
        Ok(Response::Counts(Vec::new()).to_bytes()),
    ];
    for (answer, expected) in answers.into_iter().zip(["the cluster is gone", "a response", "a response"]) {
        let rows = Count { positive: 10, negative: 20 };
        let remote = RemoteCounter::new(rows, Box::new(move |_| answer.clone()));
        let columns = data(&[], 3).columns().to_vec();
        let error = mine(&remote, &columns, &Settings::default(), &NoProgress).unwrap_err();
        assert!(matches!(&error, Error::Remote { reason } if reason.contains(expected)), "{error:?}");
    }
}

#[test]
fn requests_round_trip_and_invalid_ones_are_rejected() {
    let pair = Candidate::new(vec![1, 300]);
    let base = OwnedBase { candidate: pair.clone(), without: vec![false, true], from: 1 };
    let sets = SetsRequest {
        bases: vec![base, OwnedBase { candidate: Candidate::default(), without: Vec::new(), from: 0 }],
        pool: vec![Candidate::single(2), pair.clone()],
        tested_from: 1,
        max_size: 2,
        newest: 0..2,
        empty_set: true,
    };
    let grids = vec![OwnedGrid { base: pair.clone(), left: vec![0], right: vec![1, 2] }];
    let terms = vec![pair.clone(), Candidate::default()];
    for request in [
        Request::Sets(sets),
        Request::Grids(grids),
        Request::Configurations { further: terms.clone(), terms },
    ] {
        let bytes = request.to_bytes();
        assert_eq!(Request::from_bytes(&bytes).unwrap(), request);
        for end in 0..bytes.len() {
            assert!(Request::from_bytes(&bytes[..end]).is_err());
        }
        // The data has no column 300.
        assert!(answer_request(&data(&[], 3), &request).is_err());
    }
}
