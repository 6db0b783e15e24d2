//! The design matrix of a neighbour of a model: some of its terms are left out, and one or two are added.
//!
//! The groups of the model are not copied. A term that is left out has the coefficient 0. Added terms split groups, and
//! their sums are added to those of the groups.

use super::groups::{Design, Groups};
use super::matrix::Matrix;

/// Some rows of a group, in which added terms hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitCell {
    pub group: usize,
    /// A bit for each added term that holds.
    pub held: usize,
    pub positive: f64,
    pub total: f64,
}

/// The groups of a model with other terms: those that stay, in their order, then the added ones.
pub(crate) struct ChangedGroups<'a> {
    groups: &'a Groups,
    /// Whether each term of the groups stays, and the terms that stay.
    stays: Vec<bool>,
    kept: Vec<usize>,
    added: usize,
    /// The cases and the rows of each group in which no added term holds.
    rest: Vec<(f64, f64)>,
    split: Vec<SplitCell>,
}

impl<'a> ChangedGroups<'a> {
    /// The groups of a model with this number of terms, of which some are kept, and with added terms, which hold in
    /// some cells.
    pub fn new(
        groups: &'a Groups,
        terms: usize,
        kept: Vec<usize>,
        added: usize,
        split: Vec<SplitCell>,
    ) -> Self {
        let mut stays = vec![false; terms];
        kept.iter().for_each(|&term| stays[term] = true);
        let mut rest: Vec<(f64, f64)> = (0..groups.cells()).map(|group| groups.rows(group)).collect();
        for cell in &split {
            let (positive, total) = &mut rest[cell.group];
            *positive -= cell.positive;
            *total -= cell.total;
        }
        Self { groups, stays, kept, added, rest, split }
    }

    /// The sum of the weights of all cells of each group.
    fn add_up(&self, weights: &[f64]) -> Vec<f64> {
        let (rest, split) = weights.split_at(self.groups.cells());
        let mut sums = rest.to_vec();
        self.split.iter().zip(split).for_each(|(cell, weight)| sums[cell.group] += weight);
        sums
    }

    /// The cells in which an added term holds, with their weights.
    fn with_added<'b>(
        &'b self,
        added: usize,
        weights: &'b [f64],
    ) -> impl Iterator<Item = (&'b SplitCell, f64)> {
        let cells = self.split.iter().zip(weights[self.groups.cells()..].iter().copied());
        cells.filter(move |(cell, _)| cell.held >> added & 1 == 1)
    }

    /// The entries of the intercept and of the terms that stay.
    fn kept_entries(&self) -> impl Iterator<Item = usize> {
        std::iter::once(0).chain(self.kept.iter().map(|&term| term + 1))
    }
}

impl Design for ChangedGroups<'_> {
    fn cells(&self) -> usize {
        self.groups.cells() + self.split.len()
    }

    fn rows(&self, cell: usize) -> (f64, f64) {
        match cell.checked_sub(self.groups.cells()) {
            None => self.rest[cell],
            Some(place) => (self.split[place].positive, self.split[place].total),
        }
    }

    fn holds_none(&self, cell: usize) -> bool {
        cell < self.groups.cells() && self.groups.holds_none_of(cell, &self.stays)
    }

    fn predictors(&self, coefficients: &[f64]) -> impl Iterator<Item = f64> {
        let mut of_groups = vec![0.0; self.stays.len() + 1];
        let (kept, added) = coefficients.split_at(self.kept.len() + 1);
        self.kept_entries().zip(kept).for_each(|(entry, &beta)| of_groups[entry] = beta);
        let predictors: Vec<f64> = self.groups.predictors(&of_groups).collect();
        let added = |cell: &SplitCell| {
            let holds = |(place, &beta): (usize, &f64)| if cell.held >> place & 1 == 1 { beta } else { 0.0 };
            added.iter().enumerate().map(holds).sum::<f64>()
        };
        let split: Vec<f64> = self.split.iter().map(|cell| predictors[cell.group] + added(cell)).collect();
        predictors.into_iter().chain(split)
    }

    fn sums(&self, weights: &[f64], terms: usize) -> Vec<f64> {
        let of_groups = self.groups.sums(&self.add_up(weights), self.stays.len());
        let kept = self.kept_entries().map(|entry| of_groups[entry]);
        let added =
            (0..self.added).map(|added| self.with_added(added, weights).map(|(_, weight)| weight).sum());
        let sums: Vec<f64> = kept.chain(added).collect();
        debug_assert_eq!(sums.len(), terms + 1);
        sums
    }

    fn cross_products(&self, weights: &[f64], terms: usize) -> Matrix {
        let of_groups = self.groups.cross_products(&self.add_up(weights), self.stays.len());
        let mut matrix = Matrix::new(terms + 1);
        for (row, i) in self.kept_entries().enumerate() {
            for (column, j) in self.kept_entries().take(row + 1).enumerate() {
                *matrix.at(row, column) = of_groups.get(i, j);
            }
        }
        for added in 0..self.added {
            let row = self.kept.len() + 1 + added;
            let cells = self.with_added(added, weights).map(|(cell, weight)| (cell.group, weight));
            let shared = self.groups.sums_over(cells, self.stays.len());
            self.kept_entries()
                .enumerate()
                .for_each(|(column, entry)| *matrix.at(row, column) = shared[entry]);
            for other in 0..=added {
                let both = self.with_added(added, weights).filter(|(cell, _)| cell.held >> other & 1 == 1);
                *matrix.at(row, self.kept.len() + 1 + other) = both.map(|(_, weight)| weight).sum();
            }
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The same operations on groups that are made anew for the terms that stay and the added ones.
    #[test]
    fn changed_groups_agree_with_new_groups() {
        let mut random = Random::new(3);
        for (terms, kept, added) in
            [(4, vec![0, 1, 2, 3], 1), (4, vec![1, 3], 1), (3, vec![0, 2], 0), (3, vec![1], 2)]
        {
            for _ in 0..5 {
                let usual: Vec<bool> = (0..terms).map(|_| random.chance(0.5)).collect();
                let mut groups = Groups::with_usual(usual.clone());
                let all = kept.len() + added;
                let (mut cells, mut split) = (Vec::new(), Vec::new());
                for key in 0..1usize << terms {
                    let mut sum = (0.0, 0.0);
                    for held in 0..1usize << added {
                        let total = (random.next_u64() % 50) as f64;
                        let positive = (total * random.unit()).floor();
                        sum = (sum.0 + positive, sum.1 + total);
                        let stay = kept.iter().enumerate().filter(|(_, term)| key >> **term & 1 == 1);
                        let new = (0..added).filter(|place| held >> place & 1 == 1);
                        let listed: Vec<usize> =
                            stay.map(|(place, _)| place).chain(new.map(|place| kept.len() + place)).collect();
                        cells.push((listed, positive, total));
                        if held > 0 {
                            split.push(SplitCell { group: key, held, positive, total });
                        }
                    }
                    let unusual = (0..terms).filter(|&term| (key >> term & 1 == 1) != usual[term]);
                    groups.push(unusual, sum.0, sum.1);
                }
                let changed = ChangedGroups::new(&groups, terms, kept.clone(), added, split);
                let mut new = Groups::default();
                for (listed, positive, total) in &cells {
                    new.push(listed.iter().copied(), *positive, *total);
                }
                let coefficients: Vec<f64> = (0..=all).map(|_| random.unit() - 0.5).collect();
                let found = describe(&changed, &coefficients);
                for (found, expected) in found.iter().zip(describe(&new, &coefficients)) {
                    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
                }
            }
        }
    }

    /// Numbers that do not depend on the order of the cells.
    fn describe(design: &impl Design, coefficients: &[f64]) -> Vec<f64> {
        let terms = coefficients.len() - 1;
        let mut found = vec![0.0; 4];
        let mut weights = Vec::new();
        for (cell, predictor) in design.predictors(coefficients).enumerate() {
            let (positive, total) = design.rows(cell);
            found[0] += positive * predictor;
            found[1] += total * predictor * predictor;
            if design.holds_none(cell) {
                found[2] += positive;
                found[3] += total;
            }
            weights.push(total * (1.0 + predictor * predictor));
        }
        found.extend(design.sums(&weights, terms));
        let products = design.cross_products(&weights, terms);
        found.extend(
            (0..=terms).flat_map(|i| (0..=terms).map(move |j| (i, j))).map(|(i, j)| products.get(i, j)),
        );
        found
    }
}
