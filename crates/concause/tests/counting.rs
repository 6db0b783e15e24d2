//! Every kernel counts what a plain loop over the rows counts.

mod support;

use std::ops::ControlFlow;
use std::sync::Mutex;

use concause::count::kernel::Kernel;
use concause::count::{Batch, Cells, Counter, Family, LocalCounter, Table};
use concause::dataset::Candidate;
use support::{Matrix, Random};

fn random_candidate(random: &mut Random, columns: usize) -> Candidate {
    Candidate::new((0..random.below(4)).map(|_| random.below(columns) as u32).collect())
}

#[test]
fn batches_agree_with_counting_row_by_row() {
    let mut random = Random::new(3);
    for round in 0..60 {
        let rows = [1, 5, 63, 64, 500, 513, 1300, 5000][round % 8];
        let columns = 2 + random.below(6);
        let mut matrix = Matrix::random(&mut random, columns, rows).exclusive();
        if round % 7 == 0 {
            matrix.outcome = vec![round % 2 == 0; rows];
        }
        let dataset = matrix.dataset();
        let pool: Vec<Candidate> =
            (0..random.below(7)).map(|_| random_candidate(&mut random, columns)).collect();
        let start = random.below(pool.len() + 1);
        let family = Family::new(start..pool.len(), random.below(4));
        let bases: Vec<Candidate> = (0..5).map(|_| random_candidate(&mut random, columns)).collect();
        for kernel in Kernel::available() {
            let counter = LocalCounter::with_kernel(&dataset, kernel);
            let found = counter.tabulate(&Batch { bases: &bases, pool: &pool, family: &family });
            for (base, found) in bases.iter().zip(found) {
                assert_eq!(found.len(), family.len());
                for (set, found) in found.into_iter().enumerate() {
                    let joined = family
                        .members(set)
                        .iter()
                        .fold(base.clone(), |joined, &member| joined.join(&pool[member as usize]));
                    assert_eq!(found, matrix.count(&joined), "{} {joined:?}", kernel.name());
                }
            }
        }
    }
}

#[test]
fn tables_by_inclusion_and_exclusion_agree_with_tables_counted_row_by_row() {
    let mut random = Random::new(5);
    for _ in 0..40 {
        let matrix = Matrix::random(&mut random, 6, 300).exclusive();
        let dataset = matrix.dataset();
        let counter = LocalCounter::new(&dataset);
        let pool: Vec<Candidate> = (0..4).map(|_| random_candidate(&mut random, 6)).collect();
        let family = Family::new(0..4, 3);
        let candidate = random_candidate(&mut random, 6);
        let bases = [candidate.clone(), Candidate::default()];
        let counts = counter.tabulate(&Batch { bases: &bases, pool: &pool, family: &family });
        let (with, all) = (&counts[0], &counts[1]);
        let cells = Cells::new(&family, all);
        let mut table = Table::default();
        for set in 0..family.len() {
            table.fill(&family, set, with, &cells);
            let given: Vec<Candidate> =
                family.members(set).iter().map(|&member| pool[member as usize].clone()).collect();
            assert_eq!(table, matrix.table(&candidate, &given, &Candidate::default()));
        }
    }
}

#[test]
fn a_base_that_needs_no_more_is_left_alone() {
    let mut random = Random::new(6);
    let matrix = Matrix::random(&mut random, 40, 400).exclusive();
    let dataset = matrix.dataset();
    let pool: Vec<Candidate> = (0..40).map(Candidate::single).collect();
    let family = Family::new(0..40, 2);
    let longest = Mutex::new(0);
    LocalCounter::new(&dataset).count(
        &Batch { bases: &[Candidate::single(0)], pool: &pool, family: &family },
        &|_, _, counts| {
            *longest.lock().unwrap() = counts.len();
            ControlFlow::Break(())
        },
    );
    let longest = longest.into_inner().unwrap();
    assert!(longest > 1 && longest < family.len() / 2, "{longest} of {}", family.len());
}
