//! Single questions are answered from the same table as counting row by row gives.

mod support;

use concause::count::{LocalCounter, Strata};
use concause::dataset::Candidate;
use concause::independence::{Question, Test};
use support::{Matrix, Random};

#[test]
fn questions_agree_with_counting_row_by_row() {
    let mut random = Random::new(31);
    for _ in 0..200 {
        let matrix = Matrix::random(&mut random, 6, 400).exclusive();
        let dataset = matrix.dataset();
        let mut candidate = |most: usize| {
            Candidate::new((0..1 + random.below(most)).map(|_| random.below(6) as u32).collect())
        };
        let question = Question {
            x: candidate(2),
            given: (0..candidate(4).columns()[0]).map(|_| candidate(2)).collect(),
            within: if candidate(1).columns()[0] < 3 { Candidate::default() } else { candidate(2) },
            test: Test::ALL[candidate(1).columns()[0] as usize % 4],
        };
        let counter = LocalCounter::new(&dataset);
        // The family lists the newest member first, so its strata are numbered in another order.
        let mut given = question.given.clone();
        let newest = usize::from(!given.is_empty());
        given.rotate_right(newest);
        let covariates: Vec<u32> = (0..random.below(4)).map(|_| random.below(6) as u32).collect();
        let strata = Strata::new(&counter, &covariates).unwrap();
        let table = matrix.table_beside(&covariates, &question.x, &given, &question.within);
        assert_eq!(question.table(&counter, &strata), table);
        let answer = question.ask(&counter, &strata);
        assert_eq!(answer.rows, table.rows());
        assert_eq!(answer.outcome, question.test.assess(&table));
    }
}
