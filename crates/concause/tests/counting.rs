//! Compares the counts of every kernel with counting row by row.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use concause::count::kernel::Kernel;
use concause::count::{Base, Batch, ContingencyTable, Count, Counter, Family, Grid, LocalCounter, SetCells};
use concause::dataset::{Candidate, Literal};

use crate::support::{Matrix, Random};

fn random_candidate(random: &mut Random, columns: usize) -> Candidate {
    Candidate::new((0..random.below(4)).map(|_| random.below(columns) as u32))
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
        let max_size = random.below(5);
        let family = Family::new(start..pool.len(), max_size);
        let candidates: Vec<Candidate> = (0..5).map(|_| random_candidate(&mut random, columns)).collect();
        // Some bases exclude members, or sets that were tested before.
        let passed_over: Vec<(Vec<bool>, usize)> = (0..5)
            .map(|_| match random.below(2) {
                0 => (Vec::new(), 0),
                _ => (pool.iter().map(|_| random.chance(0.3)).collect(), random.below(pool.len() + 1)),
            })
            .collect();
        let bases: Vec<Base<'_>> = candidates
            .iter()
            .zip(&passed_over)
            .map(|(candidate, (without, from))| Base { candidate, without, from: *from })
            .collect();
        // With a mask, only the rows in which that column is 1 are counted.
        let mask = random.below(columns + 1);
        let masked = if mask < columns { Candidate::single(mask as u32) } else { Candidate::default() };
        // A single base is divided among the threads.
        for bases in [&bases[..], &bases[..1]] {
            for kernel in Kernel::available() {
                let mut counter = LocalCounter::with_kernel(&dataset, kernel);
                if mask < columns {
                    counter = counter.within(dataset.bits(mask));
                }
                assert_eq!(counter.rows(), matrix.count(&masked));
                let found = counter.tabulate(&Batch { bases, pool: &pool, family: &family }).unwrap();
                for (base, found) in bases.iter().zip(found) {
                    assert_eq!(found.len(), family.len());
                    for (set, found) in found.into_iter().enumerate() {
                        let members = family.members(set);
                        let joined = members.iter().fold(base.candidate.join(&masked), |joined, &member| {
                            joined.join(&pool[member as usize])
                        });
                        let met = members.len() == max_size
                            && members.first().is_some_and(|&newest| (newest as usize) < base.from);
                        let without =
                            members.iter().any(|&member| base.without.get(member as usize) == Some(&true));
                        let wanted = if met || without { Count::default() } else { matrix.count(&joined) };
                        assert_eq!(found, wanted, "{} {joined:?}", kernel.name());
                    }
                }
            }
        }
    }
}

#[test]
fn grids_agree_with_counting_row_by_row() {
    let mut random = Random::new(4);
    for round in 0..60 {
        let rows = [1, 63, 513, 1300, 5000, 70_000][round % 6];
        let columns = if rows > 5000 { 3 } else { 2 + random.below(12) };
        let matrix = Matrix::random(&mut random, columns, rows).exclusive();
        let dataset = matrix.dataset();
        let pick = |random: &mut Random| -> Vec<Literal> {
            (0..random.below(10)).map(|_| Literal::plain(random.below(columns) as u32)).collect()
        };
        let (base, left, right) =
            (random_candidate(&mut random, columns), pick(&mut random), pick(&mut random));
        let mask = random_candidate(&mut random, columns);
        for kernel in Kernel::available() {
            let mut counter = LocalCounter::with_kernel(&dataset, kernel);
            for column in mask.columns() {
                counter = counter.within(dataset.bits(column as usize));
            }
            let found = counter.grid(Grid { base: &base, left: &left, right: &right }).unwrap();
            assert_eq!(found.len(), left.len() * right.len());
            let pairs = left.iter().flat_map(|&l| right.iter().map(move |&r| Candidate::new(vec![l, r])));
            for (found, pair) in found.into_iter().zip(pairs) {
                let joined = pair.join(&base).join(&mask);
                assert_eq!(found, matrix.count(&joined), "{} {joined:?}", kernel.name());
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
        let bases = bases.each_ref().map(Base::from);
        let counts = counter.tabulate(&Batch { bases: &bases, pool: &pool, family: &family }).unwrap();
        let (with, all) = (&counts[0], &counts[1]);
        let cells = SetCells::new(&family, &[all]);
        let mut table = ContingencyTable::default();
        for set in 0..family.len() {
            table.fill(&family, set, &[with], &cells);
            let given: Vec<Candidate> =
                family.members(set).iter().map(|&member| pool[member as usize].clone()).collect();
            assert_eq!(table, matrix.table(&candidate, &given, &Candidate::default()));
        }
    }
}

#[test]
fn a_break_ends_the_counting_of_a_base() {
    let mut random = Random::new(6);
    let matrix = Matrix::random(&mut random, 40, 400).exclusive();
    let dataset = matrix.dataset();
    let pool: Vec<Candidate> = (0..40).map(Candidate::single).collect();
    let family = Family::new(0..40, 2);
    let longest = Mutex::new(0);
    let base = Candidate::single(0);
    LocalCounter::new(&dataset)
        .count(&Batch { bases: &[Base::from(&base)], pool: &pool, family: &family }, &|_, _, counts| {
            *longest.lock().unwrap() = counts.len();
            ControlFlow::Break(())
        })
        .unwrap();
    let longest = longest.into_inner().unwrap();
    assert!(longest > 1 && longest < family.len() / 2, "{longest} of {}", family.len());
}

#[test]
fn configurations_agree_with_grouping_row_by_row() {
    let mut random = Random::new(9);
    for round in 0..40 {
        let columns = 3 + random.below(5);
        // So many rows are grouped in several chunks.
        let rows = if round == 0 { 150_000 } else { [1, 70, 900][round % 3] };
        let matrix = Matrix::random(&mut random, columns, rows).exclusive();
        let dataset = matrix.dataset();
        // The keys of more than 64 terms have more than one word.
        let number = if round == 0 { 3 } else { [0, 3, 70][random.below(3)] };
        let terms: Vec<Candidate> = (0..number).map(|_| random_candidate(&mut random, columns)).collect();
        let further: Vec<Candidate> = (0..4).map(|_| random_candidate(&mut random, columns)).collect();
        let mask = random.below(columns + 1);
        let mut counter = LocalCounter::new(&dataset);
        let counted = |row: usize| mask == columns || matrix.columns[mask][row];
        if mask < columns {
            counter = counter.within(dataset.bits(mask));
        }
        let key = |row: usize| -> Vec<bool> { terms.iter().map(|term| matrix.holds(term, row)).collect() };
        let mut wanted: BTreeMap<Vec<bool>, Vec<Count>> = BTreeMap::new();
        for row in (0..matrix.rows()).filter(|&row| counted(row)) {
            let counts = wanted.entry(key(row)).or_insert_with(|| vec![Count::default(); 1 + further.len()]);
            let holds = std::iter::once(true).chain(further.iter().map(|it| matrix.holds(it, row)));
            for (count, _) in counts.iter_mut().zip(holds).filter(|(_, holds)| *holds) {
                count.positive += u64::from(matrix.outcome[row]);
                count.negative += u64::from(!matrix.outcome[row]);
            }
        }
        let ask = |terms: &[Candidate]| {
            let found: Mutex<Vec<Vec<Count>>> = Mutex::new(vec![Vec::new(); further.len()]);
            let configurations =
                counter.configurations(terms, &further, &|number, configurations, counts| {
                    assert_eq!(configurations.len(), counts.len());
                    found.lock().unwrap()[number] = counts.to_vec();
                });
            (configurations.unwrap(), found.into_inner().unwrap())
        };
        let others: Vec<Candidate> = (0..2).map(|_| random_candidate(&mut random, columns)).collect();
        ask(&others);
        let (configurations, found) = ask(&terms);
        assert_eq!(ask(&terms), (configurations.clone(), found.clone()));
        assert_eq!(configurations.len(), wanted.len());
        assert_eq!(counter.configurations_of(&terms).unwrap(), configurations);
        for place in 0..configurations.len() {
            let held: Vec<usize> = configurations.held(place).collect();
            let key: Vec<bool> = (0..terms.len()).map(|term| configurations.holds(place, term)).collect();
            assert_eq!(held.len(), key.iter().filter(|held| **held).count());
            let counts: Vec<Count> = std::iter::once(configurations.counts()[place])
                .chain(found.iter().map(|counts| counts[place]))
                .collect();
            assert_eq!(Some(&counts), wanted.get(&key));
        }
    }
}
