//! Logistic models of the target on binary terms, fitted to grouped rows.

/// Stops when a step gains less log-likelihood than this share of it.
const TOLERANCE: f64 = 1e-10;
const MOST_STEPS: usize = 30;

/// Keeps the information matrix regular where terms add up to a constant (the values of one attribute).
const RIDGE: f64 = 1e-7;

/// Groups of rows that agree in all terms of a model.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// The terms that hold in each group, one list after the other.
    held: Vec<u32>,
    start: Vec<u32>,
    positive: Vec<f64>,
    total: Vec<f64>,
}

impl Groups {
    /// Adds a group: the terms that hold, its cases and all of its rows.
    pub fn push(&mut self, held: impl Iterator<Item = usize>, positive: f64, total: f64) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.held.extend(held.map(|term| term as u32));
        self.start.push(self.held.len() as u32);
        self.positive.push(positive);
        self.total.push(total);
    }

    pub fn len(&self) -> usize {
        self.total.len()
    }

    pub fn rows(&self, group: usize) -> (f64, f64) {
        (self.positive[group], self.total[group])
    }

    fn held(&self, group: usize) -> impl Iterator<Item = usize> + Clone {
        let held = &self.held[self.start[group] as usize..self.start[group + 1] as usize];
        held.iter().map(|&term| term as usize)
    }
}

/// A fitted model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The intercept, then the coefficient of each term.
    pub coefficients: Vec<f64>,
    pub log_likelihood: f64,
    /// The fitted probability of each group.
    pub fitted: Vec<f64>,
    /// The Cholesky factor of the information matrix, row by row.
    factor: Vec<f64>,
}

impl Model {
    /// Fits the model of so many terms, from these coefficients on if they are given.
    pub fn fit(groups: &Groups, terms: usize, from: Option<&[f64]>) -> Model {
        Self::fit_steps(groups, terms, from, MOST_STEPS)
    }

    /// The same with at most so many steps: a lower bound of the likelihood.
    pub fn fit_steps(groups: &Groups, terms: usize, from: Option<&[f64]>, steps: usize) -> Model {
        let size = terms + 1;
        let mut model = Model {
            coefficients: vec![0.0; size],
            log_likelihood: f64::NEG_INFINITY,
            fitted: vec![0.0; groups.len()],
            factor: vec![0.0; size * size],
        };
        match from {
            Some(from) => {
                model.coefficients[..from.len().min(size)].copy_from_slice(&from[..from.len().min(size)])
            }
            None => model.coefficients[0] = log_odds(groups),
        }
        model.log_likelihood = model.assess(groups);
        for _ in 0..steps {
            let mut step = model.gradient(groups);
            model.factorise(groups);
            model.solve(&mut step);
            let before = model.clone_state();
            let mut length = 1.0;
            // A full step may overshoot; half of it, and so on, will not.
            loop {
                for (coefficient, (start, step)) in
                    model.coefficients.iter_mut().zip(before.0.iter().zip(&step))
                {
                    *coefficient = start + length * step;
                }
                model.log_likelihood = model.assess(groups);
                if model.log_likelihood >= before.1 || length < 1e-4 {
                    break;
                }
                length /= 2.0;
            }
            if (model.log_likelihood - before.1).abs() <= TOLERANCE * (model.log_likelihood.abs() + 1.0) {
                break;
            }
        }
        model.factorise(groups);
        model
    }

    fn clone_state(&self) -> (Vec<f64>, f64) {
        (self.coefficients.clone(), self.log_likelihood)
    }

    /// Works out the fitted probabilities; returns the log-likelihood.
    fn assess(&mut self, groups: &Groups) -> f64 {
        let mut log_likelihood = 0.0;
        for group in 0..groups.len() {
            let score: f64 = self.coefficients[0]
                + groups.held(group).map(|term| self.coefficients[term + 1]).sum::<f64>();
            let (positive, total) = groups.rows(group);
            // ln(1 + e^s) without overflow.
            let ln_one_plus = score.max(0.0) + (-score.abs()).exp().ln_1p();
            log_likelihood += positive * score - total * ln_one_plus;
            self.fitted[group] = (score - ln_one_plus).exp();
        }
        log_likelihood
    }

    fn gradient(&self, groups: &Groups) -> Vec<f64> {
        let mut gradient = vec![0.0; self.coefficients.len()];
        for group in 0..groups.len() {
            let (positive, total) = groups.rows(group);
            let excess = positive - total * self.fitted[group];
            gradient[0] += excess;
            groups.held(group).for_each(|term| gradient[term + 1] += excess);
        }
        gradient
    }

    /// Works out the information matrix and its Cholesky factor.
    fn factorise(&mut self, groups: &Groups) {
        let size = self.coefficients.len();
        let matrix = &mut self.factor;
        matrix.fill(0.0);
        for group in 0..groups.len() {
            let p = self.fitted[group];
            let weight = groups.total[group] * p * (1.0 - p);
            matrix[0] += weight;
            for term in groups.held(group) {
                let row = (term + 1) * size;
                matrix[row] += weight;
                groups
                    .held(group)
                    .take_while(|&other| other <= term)
                    .for_each(|other| matrix[row + other + 1] += weight);
            }
        }
        for i in 0..size {
            matrix[i * size + i] += RIDGE * (1.0 + matrix[i * size + i]);
        }
        for i in 0..size {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| matrix[i * size + k] * matrix[j * size + k]).sum();
                let rest = matrix[i * size + j] - sum;
                matrix[i * size + j] =
                    if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / matrix[j * size + j] };
            }
        }
    }

    /// Solves L y = b in place.
    fn solve_lower(&self, b: &mut [f64]) {
        let size = self.coefficients.len();
        for i in 0..size {
            let sum: f64 = (0..i).map(|k| self.factor[i * size + k] * b[k]).sum();
            b[i] = (b[i] - sum) / self.factor[i * size + i];
        }
    }

    /// Solves the information matrix times x = b in place.
    fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }

    /// Solves Lᵀ x = b in place.
    fn solve_upper(&self, b: &mut [f64]) {
        let size = self.coefficients.len();
        for i in (0..size).rev() {
            let sum: f64 = (i + 1..size).map(|k| self.factor[k * size + i] * b[k]).sum();
            b[i] = (b[i] - sum) / self.factor[i * size + i];
        }
    }

    /// How a term that holds in `held` of each group's rows (its cases there, and all of its rows) pulls at the
    /// model.
    pub fn addition(&self, groups: &Groups, held: impl Iterator<Item = (f64, f64)>) -> Addition {
        let (mut excess, mut own) = (0.0, 0.0);
        let mut half = vec![0.0; self.coefficients.len()];
        for (group, (positive, total)) in held.enumerate() {
            if total == 0.0 {
                continue;
            }
            let p = self.fitted[group];
            let weight = total * p * (1.0 - p);
            excess += positive - total * p;
            own += weight;
            half[0] += weight;
            groups.held(group).for_each(|term| half[term + 1] += weight);
        }
        self.solve_lower(&mut half);
        let mut whole = half.clone();
        self.solve_upper(&mut whole);
        Addition { excess, own, half, whole }
    }

    /// The score statistic (one degree of freedom) of adding a term that holds in `held` of each group's rows.
    pub fn score(&self, groups: &Groups, held: impl Iterator<Item = (f64, f64)>) -> f64 {
        Step::new(&[&self.addition(groups, held)], 0.0).gain
    }

    /// What twice the log-likelihood gains without the terms of these numbers and with these new ones (at most two,
    /// which share so much information), as far as the curvature at the maximum tells: the score statistic of the new ones
    /// less the Wald statistic of the old ones beside them.
    pub fn foretell(&self, gone: &[usize], new: &[&Addition], shared: f64) -> f64 {
        let step = Step::new(new, shared);
        let size = gone.len();
        // Where the gone coefficients would be with the new terms, and their covariance.
        let mut rest: Vec<f64> = gone.iter().map(|&term| self.coefficients[term + 1]).collect();
        let mut covariance = vec![0.0; size * size];
        for (i, &term) in gone.iter().enumerate() {
            let mut column = vec![0.0; self.coefficients.len()];
            column[term + 1] = 1.0;
            self.solve(&mut column);
            rest[i] -= step.taken(new).map(|(new, step)| new.whole[term + 1] * step).sum::<f64>();
            for (j, &other) in gone.iter().enumerate() {
                let at = |new: &Addition| (new.whole[term + 1], new.whole[other + 1]);
                covariance[i * size + j] = column[other + 1] + step.spread(new, at);
            }
        }
        let wald = match (&rest[..], &covariance[..]) {
            ([a], [aa]) => a * a / aa,
            ([a, b], [aa, ab, _, bb]) => {
                (a * a * bb - 2.0 * a * b * ab + b * b * aa) / (aa * bb - ab * ab).max(f64::MIN_POSITIVE)
            }
            _ => 0.0,
        };
        step.gain - wald
    }

    /// Twice the log-likelihood that the model loses without a term.
    pub fn likelihood_ratio(&self, groups: &Groups, term: usize) -> f64 {
        let mut without = Groups::default();
        for group in 0..groups.len() {
            let held = groups.held(group).filter(|&held| held != term);
            let (positive, total) = groups.rows(group);
            without.push(held.map(|held| held - usize::from(held > term)), positive, total);
        }
        let terms = self.coefficients.len() - 2;
        let model = Model::fit(&without, terms, None);
        (2.0 * (self.log_likelihood - model.log_likelihood)).max(0.0)
    }
}

/// The least share of a term's information that counts as free.
const LEAST_FREE: f64 = 1e-6;

/// How a term that is not in a model pulls at it.
#[derive(Clone, Debug)]
pub struct Addition {
    /// The cases that the model does not expect.
    excess: f64,
    /// Its information, …
    own: f64,
    /// … what it shares with each coefficient, by L⁻¹, …
    half: Vec<f64>,
    /// … and by the inverse of the information matrix.
    whole: Vec<f64>,
}

impl Addition {
    /// Its information.
    pub fn own(&self) -> f64 {
        self.own
    }

    /// Its information beside that of the model's terms. Where they determine it that is next to nothing, but not 0: beside
    /// them it gains nothing, in the place of some of them it may tell the same.
    fn free(&self) -> Option<f64> {
        let free = self.own - dot(&self.half, &self.half);
        (self.own > 0.0).then_some(free.max(LEAST_FREE * self.own))
    }
}

/// The step that leads from a model to the maximum with one or two new terms.
struct Step {
    /// What twice the log-likelihood gains by it.
    gain: f64,
    /// The coefficients of the new terms, 0 for those that add nothing.
    coefficients: [f64; 2],
    /// Their covariance.
    covariance: [[f64; 2]; 2],
}

impl Step {
    fn new(new: &[&Addition], shared: f64) -> Self {
        let none = Step { gain: 0.0, coefficients: [0.0; 2], covariance: [[0.0; 2]; 2] };
        let alone = |place: usize| {
            let mut step = Step { ..none };
            if let Some(free) = new[place].free() {
                step.coefficients[place] = new[place].excess / free;
                step.covariance[place][place] = 1.0 / free;
                step.gain = new[place].excess * step.coefficients[place];
            }
            step
        };
        let [one, two] = new else {
            return if new.is_empty() { none } else { alone(0) };
        };
        let (Some(a), Some(b)) = (one.free(), two.free()) else {
            return if one.free().is_some() { alone(0) } else { alone(1) };
        };
        let both = shared - dot(&one.half, &two.half);
        let determinant = a * b - both * both;
        if determinant <= 1e-6 * a * b {
            return if one.excess * one.excess / a >= two.excess * two.excess / b {
                alone(0)
            } else {
                alone(1)
            };
        }
        let covariance = [[b / determinant, -both / determinant], [-both / determinant, a / determinant]];
        let coefficients = covariance.map(|row| row[0] * one.excess + row[1] * two.excess);
        let gain = coefficients[0] * one.excess + coefficients[1] * two.excess;
        Step { gain, coefficients, covariance }
    }

    /// The new terms and their coefficients.
    fn taken<'a>(&self, new: &'a [&Addition]) -> impl Iterator<Item = (&'a Addition, f64)> {
        new.iter().copied().zip(self.coefficients)
    }

    /// What the covariance of the new terms adds to that of two old ones, `at` which they pull.
    fn spread(&self, new: &[&Addition], at: impl Fn(&Addition) -> (f64, f64)) -> f64 {
        let mut sum = 0.0;
        for (one, row) in new.iter().zip(&self.covariance) {
            for (two, covariance) in new.iter().zip(row) {
                sum += at(one).0 * covariance * at(two).1;
            }
        }
        sum
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The log odds of the target over all rows.
fn log_odds(groups: &Groups) -> f64 {
    let (positive, total): (f64, f64) = (groups.positive.iter().sum(), groups.total.iter().sum());
    ((positive + 0.5) / (total - positive + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups() -> Groups {
        let mut groups = Groups::default();
        for (a, b, positive, total) in
            [(0, 0, 10.0, 100.0), (1, 0, 30.0, 90.0), (0, 1, 25.0, 110.0), (1, 1, 60.0, 95.0)]
        {
            groups.push(
                [(a, 0), (b, 1)].into_iter().filter(|(held, _)| *held == 1).map(|(_, term)| term),
                positive,
                total,
            );
        }
        groups
    }

    #[test]
    fn a_saturated_model_gives_the_log_odds() {
        let mut groups = Groups::default();
        groups.push(std::iter::empty(), 20.0, 80.0);
        groups.push(std::iter::once(0), 45.0, 60.0);
        let model = Model::fit(&groups, 1, None);
        assert!((model.coefficients[0] - (20.0f64 / 60.0).ln()).abs() < 1e-5);
        assert!((model.coefficients[1] - (45.0f64 / 15.0 * 3.0).ln()).abs() < 1e-5);
        let ll = 20.0 * 0.25f64.ln() + 60.0 * 0.75f64.ln() + 45.0 * 0.75f64.ln() + 15.0 * 0.25f64.ln();
        assert!((model.log_likelihood - ll).abs() < 1e-8);
        // Without the term the model is the share of the target.
        let none = 65.0 * (65.0f64 / 140.0).ln() + 75.0 * (75.0f64 / 140.0).ln();
        assert!((model.likelihood_ratio(&groups, 0) - 2.0 * (ll - none)).abs() < 1e-6);
    }

    #[test]
    fn the_score_of_a_term_beside_nothing_is_pearsons_x2() {
        let mut groups = Groups::default();
        groups.push(std::iter::empty(), 65.0, 140.0);
        let model = Model::fit(&groups, 0, None);
        let found = model.score(&groups, std::iter::once((45.0, 60.0)));
        let by_hand = 140.0 * (45.0f64 * 60.0 - 15.0 * 20.0).powi(2) / (60.0 * 80.0 * 65.0 * 75.0);
        assert!((found - by_hand).abs() < 1e-5 * by_hand, "{found} {by_hand}");
    }

    #[test]
    fn the_fit_is_a_maximum() {
        let groups = groups();
        let model = Model::fit(&groups, 2, None);
        assert!(model.gradient(&groups).iter().all(|slope| slope.abs() < 1e-4));
        for term in 0..3 {
            for step in [-1e-3, 1e-3] {
                let mut other = model.clone();
                other.coefficients[term] += step;
                assert!(other.assess(&groups) < model.log_likelihood);
            }
        }
        // Half the way from elsewhere leads to the same place.
        let again = Model::fit(&groups, 2, Some(&[1.0, -1.0, 1.0]));
        assert!((again.log_likelihood - model.log_likelihood).abs() < 1e-6);
    }

    #[test]
    fn perfect_prediction_and_repeated_terms_do_not_break_it() {
        let mut groups = Groups::default();
        groups.push(std::iter::empty(), 0.0, 50.0);
        groups.push(0..2, 50.0, 50.0);
        let model = Model::fit(&groups, 2, None);
        assert!(model.log_likelihood > -1e-3 && model.coefficients.iter().all(|c| c.is_finite()));
        assert!(model.score(&groups, [(0.0, 0.0), (50.0, 50.0)].into_iter()) < 1e-6);
    }

    /// The groups of two terms and a third, which splits them; whether the third is asked for.
    fn split(with_third: bool) -> Groups {
        let mut split = Groups::default();
        for (a, b, c, positive, total) in [
            (0, 0, 0, 6.0, 60.0),
            (0, 0, 1, 4.0, 40.0),
            (1, 0, 0, 14.0, 50.0),
            (1, 0, 1, 16.0, 40.0),
            (0, 1, 0, 11.0, 60.0),
            (0, 1, 1, 14.0, 50.0),
            (1, 1, 0, 30.0, 50.0),
            (1, 1, 1, 30.0, 45.0),
        ] {
            let held = [(a, 0), (b, 1), (c, 2)].into_iter().filter(|&(held, _)| held == 1);
            let held = held.map(|(_, term)| term).filter(|&term| with_third || term < 2);
            split.push(held, positive, total);
        }
        split
    }

    #[test]
    fn what_a_move_gains_is_foretold() {
        let groups = split(false);
        let model = Model::fit(&groups, 2, None);
        let third = || (0..8).map(|group| if group % 2 == 1 { groups.rows(group) } else { (0.0, 0.0) });
        let addition = model.addition(&groups, third());
        let close = |foretold: f64, fitted: f64| {
            assert!((foretold - fitted).abs() < 0.15 * (1.0 + fitted.abs()), "{foretold} {fitted}");
        };
        // A new term.
        let with_third = Model::fit(&split(true), 3, None);
        close(
            model.foretell(&[], &[&addition], 0.0),
            2.0 * (with_third.log_likelihood - model.log_likelihood),
        );
        assert_eq!(model.foretell(&[], &[&addition], 0.0), model.score(&groups, third()));
        // An old one less, and both at once.
        close(model.foretell(&[1], &[], 0.0), -model.likelihood_ratio(&groups, 1));
        let without_second = with_third.likelihood_ratio(&split(true), 1);
        close(
            model.foretell(&[1], &[&addition], 0.0),
            2.0 * (with_third.log_likelihood - model.log_likelihood) - without_second,
        );
        // What the old terms determine gains nothing beside them, and in their place what it tells alone: here one of two
        // parts always holds, so that both holding is their sum less one.
        let mut halves = Groups::default();
        for (held, positive, total) in [([0, 2], 14.0, 50.0), ([1, 2], 11.0, 60.0), ([0, 1], 30.0, 50.0)] {
            halves.push(held.into_iter().filter(|&term| term < 2), positive, total);
        }
        let parts = Model::fit(&halves, 2, None);
        let both = parts.addition(&halves, [(0.0, 0.0), (0.0, 0.0), (30.0, 50.0)].into_iter());
        assert!(parts.foretell(&[], &[&both], 0.0) < 1e-6);
        let mut whole = Groups::default();
        whole.push([].into_iter(), 25.0, 110.0);
        whole.push([0].into_iter(), 30.0, 50.0);
        let whole = Model::fit(&whole, 1, None);
        close(parts.foretell(&[0, 1], &[&both], 0.0), 2.0 * (whole.log_likelihood - parts.log_likelihood));
        // A term that comes twice is one.
        let twice = model.foretell(&[], &[&addition, &addition], addition.own());
        assert!((twice - model.score(&groups, third())).abs() < 1e-9);
    }
}
