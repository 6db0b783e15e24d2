//! A table of bits with slow counts row by row, and random tables.

use concause::count::{ContingencyTable, Count};
use concause::dataset::{Candidate, Dataset, DatasetBuilder, Target};
use concause::random::Random;

/// Columns of bits, the attribute of each column, and the outcome.
#[derive(Clone, Debug)]
pub struct Matrix {
    pub columns: Vec<Vec<bool>>,
    pub attributes: Vec<usize>,
    pub outcome: Vec<bool>,
}

impl Matrix {
    /// Random data: columns that may be correlated, equal, complementary, constant or of one attribute, and an outcome
    /// that depends on a single column, on a conjunction, on an exclusive or, on several of these, or on nothing.
    pub fn random(random: &mut Random, columns: usize, rows: usize) -> Self {
        let shares: Vec<f64> = (0..columns).map(|_| 0.1 + 0.8 * random.unit()).collect();
        let mut data: Vec<Vec<bool>> = Vec::new();
        let mut attributes: Vec<usize> = Vec::new();
        for column in 0..columns {
            let kind = if column == 0 { 9 } else { random.below(10) };
            let other = random.below(column.max(1));
            let bits: Vec<bool> = match kind {
                0 => data[other].clone(),
                1 => data[other].iter().map(|bit| !bit).collect(),
                2 => vec![random.chance(0.5); rows],
                // Another value of the same attribute, with some missing values.
                3 => data[other].iter().map(|&bit| !bit && random.chance(0.8)).collect(),
                4 | 5 => data[other].iter().map(|&bit| bit ^ random.chance(0.2)).collect(),
                _ => (0..rows).map(|_| random.chance(shares[column])).collect(),
            };
            attributes.push(if kind == 3 { attributes[other] } else { column });
            data.push(bits);
        }
        // Sort by attribute, so that the columns of an attribute are adjacent, and number the attributes in order.
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by_key(|&column| attributes[column]);
        let data: Vec<Vec<bool>> = order.iter().map(|&column| data[column].clone()).collect();
        let mut attributes: Vec<usize> = order.iter().map(|&column| attributes[column]).collect();
        let mut seen = attributes.clone();
        seen.dedup();
        for attribute in &mut attributes {
            *attribute = seen.iter().position(|other| other == attribute).unwrap();
        }
        let (a, b, c) = (random.below(columns), random.below(columns), random.below(columns));
        let strength = random.unit();
        let kind = random.below(5);
        let outcome = (0..rows)
            .map(|row| {
                let base = 0.3;
                let (a, b, c) = (data[a][row], data[b][row], data[c][row]);
                let p = match kind {
                    0 => base,
                    1 => base + if a { 0.5 * strength } else { 0.0 },
                    2 => base + if a && b { 0.6 * strength } else { 0.0 },
                    3 => base + if a ^ b { 0.5 * strength } else { 0.0 },
                    _ => {
                        base + if a && b { 0.4 * strength } else { 0.0 }
                            + if c { 0.2 * strength } else { 0.0 }
                    }
                };
                random.chance(p)
            })
            .collect();
        Matrix { columns: data, attributes, outcome }
    }

    pub fn rows(&self) -> usize {
        self.outcome.len()
    }

    /// The table as a dataset with column names given by `name`.
    pub fn dataset_named(&self, name: impl Fn(usize) -> String) -> Dataset {
        let target = Target { name: "T".into(), value: None };
        let mut builder = DatasetBuilder::new(target, self.outcome.clone());
        let mut first = 0;
        while first < self.columns.len() {
            let last = (first..self.columns.len())
                .take_while(|&column| self.attributes[column] == self.attributes[first])
                .last()
                .unwrap();
            // In a dataset, the columns of an attribute are mutually exclusive.
            let held =
                (0..self.rows()).map(|row| (first..=last).find(|&c| self.columns[c][row]).map(|c| c - first));
            builder.attribute(&format!("A{first}"), (first..=last).map(&name).collect(), held);
            first = last + 1;
        }
        builder.finish()
    }

    pub fn dataset(&self) -> Dataset {
        self.dataset_named(|column| format!("V{}", column + 1))
    }

    /// Makes the columns of each attribute mutually exclusive, as in a dataset.
    pub fn exclusive(mut self) -> Self {
        for row in 0..self.rows() {
            for column in 0..self.columns.len() {
                let taken = (0..column).any(|other| {
                    self.attributes[other] == self.attributes[column] && self.columns[other][row]
                });
                if taken {
                    self.columns[column][row] = false;
                }
            }
        }
        self
    }

    pub fn holds(&self, candidate: &Candidate, row: usize) -> bool {
        candidate.columns().iter().all(|&column| self.columns[column as usize][row])
    }

    pub fn count(&self, candidate: &Candidate) -> Count {
        let mut count = Count::default();
        for row in (0..self.rows()).filter(|&row| self.holds(candidate, row)) {
            if self.outcome[row] {
                count.positive += 1;
            } else {
                count.negative += 1;
            }
        }
        count
    }

    /// The contingency table of a candidate given others in the rows where `within` holds, counted row by row.
    pub fn table(&self, candidate: &Candidate, given: &[Candidate], within: &Candidate) -> ContingencyTable {
        self.table_beside(&[], candidate, given, within)
    }

    /// The same table, also stratified by covariates: one stratum for each combination of their values in the data.
    pub fn table_beside(
        &self,
        covariates: &[u32],
        candidate: &Candidate,
        given: &[Candidate],
        within: &Candidate,
    ) -> ContingencyTable {
        let values = |row: usize| -> Vec<bool> {
            covariates.iter().rev().map(|&column| self.columns[column as usize][row]).collect()
        };
        let mut occurring: Vec<Vec<bool>> = (0..self.rows()).map(values).collect();
        occurring.sort();
        occurring.dedup();
        let mut table = ContingencyTable { strata: vec![Default::default(); occurring.len() << given.len()] };
        for row in (0..self.rows()).filter(|&row| self.holds(within, row)) {
            let mask: usize =
                given.iter().enumerate().map(|(i, member)| usize::from(self.holds(member, row)) << i).sum();
            let stratum = occurring.iter().position(|held| *held == values(row)).unwrap();
            let stratum = &mut table.strata[(stratum << given.len()) + mask];
            let cell = if self.holds(candidate, row) { &mut stratum.with } else { &mut stratum.without };
            if self.outcome[row] {
                cell.positive += 1;
            } else {
                cell.negative += 1;
            }
        }
        table
    }
}
