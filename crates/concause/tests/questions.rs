//! Compares the tables and results of single hypotheses with counting row by row.

use concause::count::{LocalCounter, Strata};
use concause::dataset::Candidate;
use concause::stats::{Hypothesis, Test};

use crate::support::{Matrix, Random, repetitions};

#[test]
fn hypotheses_agree_with_counting_row_by_row() {
    let mut random = Random::new(31);
    for round in 0..repetitions(200) {
        let matrix = Matrix::random(&mut random, 6, 400).exclusive();
        let dataset = matrix.dataset();
        let mut candidate =
            |most: usize| Candidate::new((0..1 + random.below(most)).map(|_| random.below(6) as u32));
        let hypothesis = Hypothesis {
            x: candidate(2),
            given: (0..candidate(4).columns()[0]).map(|_| candidate(2)).collect(),
            within: if candidate(1).columns()[0] < 3 { Candidate::default() } else { candidate(2) },
            test: Test::ALL[round % Test::ALL.len()],
        };
        let counter = LocalCounter::new(&dataset);
        // The family lists the newest member first, which changes the order of the strata.
        let mut given = hypothesis.given.clone();
        let newest = usize::from(!given.is_empty());
        given.rotate_right(newest);
        let covariates: Vec<u32> = (0..random.below(4)).map(|_| random.below(6) as u32).collect();
        let strata = Strata::new(&counter, &covariates).unwrap();
        let table = matrix.table_beside(&covariates, &hypothesis.x, &given, &hypothesis.within);
        assert_eq!(hypothesis.table(&counter, &strata).unwrap(), table);
        let answer = hypothesis.test_in(&counter, &strata, 0.05).unwrap();
        assert_eq!(answer.rows, table.rows());
        assert_eq!(answer.outcome, hypothesis.test.assess(&table, 0.05));
    }
}
