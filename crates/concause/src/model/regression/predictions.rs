//! Predictions of how a fitted regression changes if terms are removed or added, from the quadratic approximation of
//! its log posterior at the mode. No model is fitted.
//!
//! A further term is described by its slope, its information and what it shares with the terms of the regression
//! ([`FurtherTerm`]).

use super::Regression;
use crate::model::groups::Groups;
use crate::model::matrix::Matrix;

/// A term that is not in a regression, and how it would change the coefficients.
#[derive(Clone, Debug)]
pub struct FurtherTerm {
    /// The slope of the log posterior in the direction of the new coefficient.
    slope: f64,
    /// The precision of the new coefficient, given all others.
    precision: f64,
    /// The change of each coefficient if the new one is 1, with the opposite sign.
    shift: Vec<f64>,
    /// The information of the term, and the part that it shares with each coefficient.
    information: f64,
    shared: Vec<f64>,
}

impl FurtherTerm {
    /// The information of the term.
    pub fn information(&self) -> f64 {
        self.information
    }
}

/// A predicted change of the log marginal likelihood.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// The gain.
    pub gain: f64,
    /// The loss in log posterior from the removed terms plus the gain from the added ones. The error of the prediction
    /// grows with it, even if the two nearly cancel.
    pub size: f64,
    /// The largest of the coefficients of these terms. The approximation is close if it is small.
    pub coefficient: f64,
}

impl Prediction {
    /// A change that is not possible.
    pub const IMPOSSIBLE: Prediction = Prediction { gain: f64::NEG_INFINITY, size: 0.0, coefficient: 0.0 };
}

/// An added term, and the shifts of the removed coefficients.
struct NewTerm {
    slope: f64,
    precision: f64,
    shift: [f64; 2],
}

impl Regression {
    /// Prepares for predictions.
    pub fn prepare_predictions(&mut self) {
        let size = self.coefficients.len();
        self.covariance = vec![0.0; size * size];
        for (place, row) in self.covariance.chunks_mut(size).enumerate() {
            row[place] = 1.0;
            self.factor.solve(row);
        }
    }

    /// A further term. `counts` has, for each group, the number of cases and of controls in which the term holds.
    /// `None` if the data say nothing of it.
    pub fn addition(&self, groups: &Groups, counts: impl Iterator<Item = (f64, f64)>) -> Option<FurtherTerm> {
        let mut slope = 0.0;
        let mut weights = Vec::new();
        for (group, (positive, negative)) in counts.enumerate() {
            if positive + negative == 0.0 {
                continue;
            }
            let [case, control] = &self.classes[group];
            slope += positive * case.slope + negative * control.slope;
            weights.push((group, positive * case.curvature + negative * control.curvature));
        }
        let terms = self.coefficients.len() - 1;
        let mut shared = groups.sums_over(weights.into_iter(), terms);
        let information = shared[0];
        if information <= 0.0 {
            return None;
        }
        if self.is_bound {
            shared[0] = 0.0;
        }
        let mut shift = shared.clone();
        self.factor.solve(&mut shift);
        let explained: f64 = shift.iter().zip(&shared).map(|(shift, shared)| shift * shared).sum();
        let prior = &self.prior_at_zero;
        let precision = self.precision(information, explained);
        Some(FurtherTerm { slope: slope + prior.slope, precision, shift, information, shared })
    }

    /// Whether the squared correlation of a further term with a term of the regression, in rows weighted by their
    /// information, is at least this.
    pub fn are_correlated(&self, new: &FurtherTerm, term: usize, least: f64) -> bool {
        let (all, own) = (self.information(None), self.information(Some(term)));
        let covariance = new.shared[term + 1] * all - own * new.information;
        let variances = own * (all - own) * new.information * (all - new.information);
        covariance * covariance > least * variances
    }

    /// The predicted gain in log marginal likelihood from removing up to two terms and adding up to one, from the
    /// quadratic approximation of the log posterior at the mode.
    pub fn predict_change(&self, removed: &[usize], added: Option<&FurtherTerm>) -> Prediction {
        let size = self.coefficients.len();
        let mut beta = [0.0; 2];
        let mut covariance = [[0.0; 2]; 2];
        for (row, &i) in removed.iter().enumerate() {
            beta[row] = self.coefficients[i + 1];
            for (column, &j) in removed.iter().enumerate() {
                covariance[row][column] = self.covariance[(i + 1) * size + j + 1];
            }
        }
        let shift = |new: &FurtherTerm| {
            let mut shift = [0.0; 2];
            removed.iter().zip(&mut shift).for_each(|(&term, shift)| *shift = new.shift[term + 1]);
            shift
        };
        let added =
            added.map(|new| NewTerm { slope: new.slope, precision: new.precision, shift: shift(new) });
        self.predict(removed.len(), beta, covariance, added)
    }

    /// The predicted coefficients if some terms are removed and one is added: those of the terms that stay, then the
    /// new one.
    pub fn predict_mode(&self, removed: &[usize], added: Option<&FurtherTerm>) -> Vec<f64> {
        let size = self.coefficients.len();
        let mut mode = self.coefficients.clone();
        let mut covariance = self.covariance.clone();
        if let Some(added) = added {
            let change = added.slope / added.precision;
            mode.iter_mut().zip(&added.shift).for_each(|(beta, shift)| *beta -= shift * change);
            // The new coefficient is one more row of the covariance.
            covariance = vec![0.0; (size + 1) * (size + 1)];
            let shift = |i: usize| added.shift.get(i).copied().unwrap_or(-1.0);
            for i in 0..=size {
                for j in 0..=size {
                    let known = if i < size && j < size { self.covariance[i * size + j] } else { 0.0 };
                    covariance[i * (size + 1) + j] = known + shift(i) * shift(j) / added.precision;
                }
            }
            mode.push(change);
        }
        let size = mode.len();
        for &term in removed {
            // Conditions on a coefficient of 0.
            let place = term + 1;
            let row: Vec<f64> = covariance[place * size..(place + 1) * size].to_vec();
            let pull = mode[place] / row[place];
            mode.iter_mut().zip(&row).for_each(|(beta, shared)| *beta -= shared * pull);
            for (i, shared) in row.iter().enumerate() {
                let factor = shared / row[place];
                let entries = &mut covariance[i * size..(i + 1) * size];
                entries.iter_mut().zip(&row).for_each(|(entry, other)| *entry -= factor * other);
            }
        }
        let stays = |(place, _): &(usize, f64)| *place == 0 || !removed.contains(&(place - 1));
        mode.into_iter().enumerate().filter(stays).map(|(_, beta)| beta).collect()
    }

    /// The predicted gain from replacing a term by two others that share `overlap` of their information.
    pub fn predict_split(
        &self,
        term: usize,
        one: &FurtherTerm,
        two: &FurtherTerm,
        overlap: f64,
    ) -> Prediction {
        let size = self.coefficients.len();
        let explained: f64 = one.shift.iter().zip(&two.shared).map(|(shift, shared)| shift * shared).sum();
        let share = (overlap - explained) / one.precision;
        let (place, change) = (term + 1, one.slope / one.precision);
        let beta = [self.coefficients[place] - one.shift[place] * change, 0.0];
        let variance = self.covariance[place * size + place] + one.shift[place].powi(2) / one.precision;
        let second = NewTerm {
            slope: two.slope - share * one.slope,
            precision: (two.precision - share * share * one.precision).max(1e-6 * two.precision),
            shift: [two.shift[place] - share * one.shift[place], 0.0],
        };
        let first = 0.5 * (one.slope * change - one.precision.ln()) + self.scale.ln_unit();
        let rest = self.predict(1, beta, [[variance, 0.0], [0.0; 2]], Some(second));
        Prediction {
            gain: first + rest.gain,
            size: 0.5 * one.slope * change + rest.size,
            coefficient: rest.coefficient.max(change.abs()),
        }
    }

    /// Wald's statistic of a term: the square of its coefficient over its variance.
    pub fn wald(&self, term: usize) -> f64 {
        let size = self.coefficients.len();
        self.coefficients[term + 1].powi(2) / self.covariance[(term + 1) * (size + 1)]
    }

    /// The information of a term of the regression, or that of all rows.
    pub fn information(&self, term: Option<usize>) -> f64 {
        let Some(place) = term.map(|term| term + 1) else { return self.all_information };
        let prior = self.scale.coefficient_prior(self.coefficients[place]);
        self.hessian.get(place, place) - prior.curvature
    }

    fn predict(
        &self,
        removed: usize,
        mut beta: [f64; 2],
        mut covariance: [[f64; 2]; 2],
        added: Option<NewTerm>,
    ) -> Prediction {
        let mut gain = -(removed as f64) * self.scale.ln_unit();
        if let Some(new) = &added {
            // The removed coefficients after the addition, and their covariance.
            for (row, &shift) in new.shift.iter().enumerate().take(removed) {
                beta[row] -= shift * new.slope / new.precision;
                for (cell, &other) in covariance[row].iter_mut().zip(&new.shift).take(removed) {
                    *cell += shift * other / new.precision;
                }
            }
        }
        // `pull` solves covariance · pull = beta.
        let (pull, determinant) = match removed {
            0 => ([0.0; 2], 1.0),
            1 => ([beta[0] / covariance[0][0], 0.0], covariance[0][0]),
            _ => {
                let determinant = covariance[0][0] * covariance[1][1] - covariance[0][1] * covariance[1][0];
                let solve = |one: usize, two: usize| {
                    (covariance[two][two] * beta[one] - covariance[one][two] * beta[two]) / determinant
                };
                ([solve(0, 1), solve(1, 0)], determinant)
            }
        };
        let mut coefficient = beta[0].abs().max(beta[1].abs());
        let mut size = 0.5 * (beta[0] * pull[0] + beta[1] * pull[1]);
        gain -= size + 0.5 * determinant.max(f64::MIN_POSITIVE).ln();
        if let Some(new) = added {
            let back = new.shift[0] * pull[0] + new.shift[1] * pull[1];
            if !self.scale.is_signed() && new.slope + back <= 0.0 {
                return Prediction::IMPOSSIBLE;
            }
            let added = 0.5 * new.slope * new.slope / new.precision;
            size += added;
            coefficient = coefficient.max((new.slope / new.precision).abs());
            gain += added - 0.5 * new.precision.ln() + self.scale.ln_unit();
        }
        Prediction { gain, size, coefficient }
    }

    /// Minus the Hessian after a change, at the present coefficients.
    pub(super) fn predict_hessian(&self, removed: &[usize], added: Option<&FurtherTerm>) -> Matrix {
        let stays = |place: &usize| *place == 0 || !removed.contains(&(place - 1));
        let kept: Vec<usize> = (0..self.coefficients.len()).filter(stays).collect();
        let mut hessian = Matrix::new(kept.len() + usize::from(added.is_some()));
        self.copy_hessian(&kept, &mut hessian);
        if let Some(added) = added {
            let last = kept.len();
            for (column, &j) in kept.iter().enumerate() {
                *hessian.at(last, column) = added.shared[j];
            }
            *hessian.at(last, last) = added.information + self.prior_at_zero.curvature;
        }
        hessian
    }

    /// Copies the rows and columns of some coefficients from the Hessian to the first ones of a matrix.
    pub(super) fn copy_hessian(&self, places: &[usize], matrix: &mut Matrix) {
        for (row, &i) in places.iter().enumerate() {
            for (column, &j) in places[..=row].iter().enumerate() {
                *matrix.at(row, column) = self.hessian.get(i, j);
            }
        }
    }

    /// The precision of a new coefficient, given all others, if they explain a part of the information of its term.
    pub(super) fn precision(&self, information: f64, explained: f64) -> f64 {
        (information - explained).max(1e-6 * information) + self.prior_at_zero.curvature
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_groups::random_groups;
    use super::*;
    use crate::model::scale::Scale;
    use crate::random::Random;

    #[test]
    fn predicted_coefficients_are_close_to_fitted_ones() {
        let mut random = Random::new(4);
        for scale in Scale::REGRESSIONS {
            let (larger, smaller, counts) = random_groups(&mut random);
            let mut base = Regression::fit(scale, &smaller, 2, None).unwrap();
            let mut full = Regression::fit(scale, &larger, 3, None).unwrap();
            base.prepare_predictions();
            full.prepare_predictions();
            let addition = base.addition(&smaller, counts.iter().copied());
            let close = |found: &[f64], fitted: &[f64]| {
                assert_eq!(found.len(), fitted.len());
                let error = found.iter().zip(fitted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error < 0.05, "{scale:?}: {found:?} {fitted:?}");
            };
            close(&base.predict_mode(&[], addition.as_ref()), &full.coefficients);
            close(&full.predict_mode(&[2], None), &base.coefficients);
            // The third term in place of the second.
            let swapped = base.predict_mode(&[1], addition.as_ref());
            close(&swapped, &full.predict_mode(&[1], None));
        }
    }

    #[test]
    fn predicted_gains_are_close_to_fitted_ones() {
        let mut random = Random::new(3);
        for scale in Scale::REGRESSIONS {
            for _ in 0..20 {
                let (larger, smaller, counts) = random_groups(&mut random);
                let base = Regression::fit(scale, &smaller, 2, None).unwrap();
                let mut full = Regression::fit(scale, &larger, 3, None).unwrap();
                let addition = base.addition(&smaller, counts.iter().copied());
                let gain = full.ln_marginal - base.ln_marginal;
                let predicted = base.predict_change(&[], addition.as_ref()).gain;
                assert!((predicted - gain).abs() < 1.0, "{scale:?}: {predicted} {gain}");
                full.prepare_predictions();
                let removed = full.predict_change(&[2], None).gain;
                assert!((removed + gain).abs() < 1.0, "{scale:?}: {removed} {gain}");
            }
        }
    }
}
