//! Blocks of rows that answer queries are held against the counter of this machine in all rows.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
use crate::count::{LocalCounter, into_inner};
use crate::dataset::{Dataset, DatasetBuilder, Target};
use crate::search::{Method, Settings, Unwatched, explain_all, mine, rejected};
use crate::simulate::Random;

/// Rows of the outcome and of columns that depend on it and on each other, some of them rare; two are alike.
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

/// The rows in packed blocks, split anyhow; some blocks have no row, or rows of one class only.
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

/// Every block answers, through bytes, and the answers are added.
fn asked(blocks: &[Vec<u8>], query: &[u8]) -> Result<Vec<u8>, String> {
    let reply = |block: &Vec<u8>| {
        let query = Query::from_bytes(query).unwrap();
        let reply = answer(&Dataset::unpack(block).unwrap(), &query).unwrap();
        Reply::from_bytes(&reply.to_bytes()).unwrap()
    };
    let sum = blocks.iter().map(reply).reduce(|one, other| one.and(other).unwrap());
    Ok(sum.unwrap().to_bytes())
}

fn some_candidate(random: &mut Random, columns: usize, most: usize) -> Candidate {
    Candidate::new((0..random.below(most + 1)).map(|_| random.below(columns) as u32).collect())
}

/// Limits that small data reaches.
fn few(random: &mut Random) -> Limits {
    let mut most = || 1 + random.below(40);
    Limits {
        first_round: most() as u128,
        largest_round: 4 * most() as u128,
        held: 8 * most(),
        looked_up: most(),
        foreseen: most() as u128,
    }
}

#[test]
fn blocks_give_the_counts_of_all_rows() {
    let mut random = Random::new(1);
    for round in 0..60 {
        let columns = 2 + random.below(9);
        let number = 1 + random.below(2500);
        let rows = rows(&mut random, number, columns);
        let (data, blocks) = (data(&rows, columns), blocks(&mut random, &rows, columns));
        let local = LocalCounter::new(&data);
        let mut elsewhere = Elsewhere::new(local.rows(), Box::new(|query| asked(&blocks, query)));
        if round % 2 == 0 {
            elsewhere.limits = few(&mut random);
        }
        let pool: Vec<Candidate> =
            (0..random.below(7)).map(|_| some_candidate(&mut random, columns, 2)).collect();
        let start = random.below(pool.len() + 1);
        let family = Family::new(start..pool.len(), random.below(4));
        let candidates: Vec<Candidate> = (0..12).map(|_| some_candidate(&mut random, columns, 2)).collect();
        let without: Vec<Vec<bool>> =
            candidates.iter().map(|_| pool.iter().map(|_| random.below(5) == 0).collect()).collect();
        let bases: Vec<Base<'_>> = candidates
            .iter()
            .zip(&without)
            .map(|(candidate, without)| Base { candidate, without, from: random.below(pool.len() + 1) })
            .collect();
        let batch = Batch { bases: &bases, pool: &pool, family: &family };
        assert_eq!(elsewhere.tabulate(&batch), local.tabulate(&batch), "{round}");
        assert_eq!(elsewhere.counts(&candidates), local.counts(&candidates), "{round}");
        let left: Vec<u32> = (0..columns as u32).step_by(2).collect();
        let right: Vec<u32> = (0..columns as u32).collect();
        for base in &candidates[..3] {
            let grid = Grid { base, left: &left, right: &right };
            assert_eq!(elsewhere.grid(grid), local.grid(grid), "{round}");
        }
        for most in [1, 3, 5] {
            let terms = &candidates[..most];
            for further in [&candidates[most..most], &candidates[most..most + 1], &candidates[4..]] {
                assert_eq!(table(&elsewhere, terms, further), table(&local, terms, further), "{round}");
            }
        }
    }
}

type Told = (Configurations, BTreeMap<usize, Vec<Count>>);

fn table(counter: &dyn Counter, terms: &[Candidate], further: &[Candidate]) -> Told {
    let told: Mutex<BTreeMap<usize, Vec<Count>>> = Mutex::default();
    let found = counter.configurations(terms, further, &|number, _, counts| {
        lock(&told).insert(number, counts.to_vec());
    });
    (found, into_inner(told))
}

/// More than 64 terms take two words for each configuration.
#[test]
fn configurations_of_many_terms_are_added_too() {
    let mut random = Random::new(2);
    let rows = rows(&mut random, 900, 70);
    let (data, blocks) = (data(&rows, 70), blocks(&mut random, &rows, 70));
    let local = LocalCounter::new(&data);
    let elsewhere = Elsewhere::new(local.rows(), Box::new(|query| asked(&blocks, query)));
    let terms: Vec<Candidate> = (0..70).map(Candidate::single).collect();
    assert_eq!(table(&elsewhere, &terms, &terms[..3]), table(&local, &terms, &terms[..3]));
    assert_eq!(table(&elsewhere, &terms[60..70], &terms[..3]), table(&local, &terms[60..70], &terms[..3]));
    assert_eq!(elsewhere.rounds(), 1, "a part of the terms follows from all of them");
}

#[test]
fn every_method_finds_the_same_in_few_rounds() {
    let mut random = Random::new(3);
    for _ in 0..6 {
        let columns = 6 + random.below(6);
        let rows = rows(&mut random, 1500, columns);
        let (data, blocks) = (data(&rows, columns), blocks(&mut random, &rows, columns));
        let local = LocalCounter::new(&data);
        for method in Method::ALL {
            let settings = Settings { method, ..Settings::default() };
            let elsewhere = Elsewhere::new(local.rows(), Box::new(|query| asked(&blocks, query)));
            let found = mine(&elsewhere, data.columns(), &settings, &Unwatched).unwrap();
            assert_eq!(found, mine(&local, data.columns(), &settings, &Unwatched).unwrap(), "{method}");
            let rounds = elsewhere.rounds();
            let told = |counter: &dyn Counter| rejected(counter, data.columns(), &settings, &found, 100);
            assert_eq!(told(&elsewhere), told(&local), "{method}");
            // MH-PC-X searches so few rows by tables too.
            let most = if method == Method::MhPcX { 40 } else { 20 };
            assert!(rounds <= most, "{method}: {rounds} rounds");
            assert!(elsewhere.rounds() - rounds <= 2, "{method}: {} rounds with reasons", elsewhere.rounds());
            let pairs: Vec<Candidate> =
                (1..columns as u32).map(|column| Candidate::new(vec![0, column])).collect();
            let why = |counter: &dyn Counter| explain_all(counter, data.columns(), &settings, &found, &pairs);
            assert_eq!(why(&elsewhere), why(&local), "{method}");
        }
    }
}

#[test]
fn every_method_finds_the_same_in_many_small_rounds() {
    let mut random = Random::new(4);
    let rows = rows(&mut random, 2000, 14);
    let (data, blocks) = (data(&rows, 14), blocks(&mut random, &rows, 14));
    let local = LocalCounter::new(&data);
    for method in Method::ALL {
        let settings = Settings { method, ..Settings::default() };
        let mut elsewhere = Elsewhere::new(local.rows(), Box::new(|query| asked(&blocks, query)));
        elsewhere.limits = few(&mut random);
        let found = mine(&elsewhere, data.columns(), &settings, &Unwatched).unwrap();
        assert_eq!(found, mine(&local, data.columns(), &settings, &Unwatched).unwrap(), "{method}");
    }
}

#[test]
fn a_question_without_an_answer_ends_the_search_with_its_reason() {
    let answers =
        [Err("the cluster is gone".to_owned()), Ok(vec![9]), Ok(Reply::Counts(Vec::new()).to_bytes())];
    for (answer, expected) in answers.into_iter().zip(["the cluster is gone", "an answer", "an answer"]) {
        let rows = Count { positive: 10, negative: 20 };
        let elsewhere = Elsewhere::new(rows, Box::new(move |_| answer.clone()));
        let columns = data(&[], 3).columns().to_vec();
        let searched = catch_unwind(AssertUnwindSafe(|| {
            mine(&elsewhere, &columns, &Settings::default(), &Unwatched).is_ok()
        }));
        let unanswered = searched.unwrap_err().downcast::<Unanswered>().unwrap();
        assert!(unanswered.0.contains(expected), "{unanswered:?}");
    }
}

#[test]
fn queries_come_back_from_bytes_and_wrong_ones_are_refused() {
    let pair = Candidate::new(vec![1, 300]);
    let base = OwnedBase { candidate: pair.clone(), without: vec![false, true], from: 1 };
    let sets = Sets {
        bases: vec![base, OwnedBase { candidate: Candidate::default(), without: Vec::new(), from: 0 }],
        pool: vec![Candidate::single(2), pair.clone()],
        tested_from: 1,
        max_size: 2,
        newest: 0..2,
        empty_set: true,
    };
    let grids = vec![WithinBase { base: pair.clone(), left: vec![0], right: vec![1, 2] }];
    let terms = vec![pair.clone(), Candidate::default()];
    for query in
        [Query::Sets(sets), Query::Grids(grids), Query::Configurations { further: terms.clone(), terms }]
    {
        let bytes = query.to_bytes();
        assert_eq!(Query::from_bytes(&bytes).unwrap(), query);
        for end in 0..bytes.len() {
            assert!(Query::from_bytes(&bytes[..end]).is_err());
        }
        // Column 300 is none of three.
        assert!(answer(&data(&[], 3), &query).is_err());
    }
}
