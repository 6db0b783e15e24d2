//! Symmetric matrices and their Cholesky factors.

/// The ridge that keeps a matrix non-singular if terms sum to a constant, as a share of its diagonal.
const RIDGE: f64 = 1e-9;

/// A pivot below this share of the diagonal is 0 apart from rounding.
const SINGULAR: f64 = 1e-8;

/// A symmetric matrix; only the lower triangle is stored. [`Matrix::factorise`] turns it into its Cholesky factor.
#[derive(Clone, Debug)]
pub struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub(super) fn new(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    pub(super) fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.size..(row + 1) * self.size]
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[row.max(column) * self.size + row.min(column)]
    }

    /// Replaces a row and its column by those of the identity matrix.
    pub(super) fn isolate(&mut self, place: usize) {
        for other in 0..self.size {
            *self.at(place.max(other), place.min(other)) = 0.0;
        }
        *self.at(place, place) = 1.0;
    }

    /// Replaces the matrix by its Cholesky factor; whether the matrix was regular.
    pub(super) fn factorise(&mut self) -> bool {
        let size = self.size;
        let mut is_regular = true;
        for i in 0..size {
            let diagonal = self.entries[i * size + i];
            for j in 0..=i {
                let (row, other) =
                    (&self.entries[i * size..i * size + j], &self.entries[j * size..j * size + j]);
                let sum: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
                let rest = self.entries[i * size + j] - sum;
                is_regular &= i != j || rest > SINGULAR * diagonal;
                self.entries[i * size + j] = match i == j {
                    true => rest.max(RIDGE * diagonal).max(f64::MIN_POSITIVE).sqrt(),
                    false => rest / self.entries[j * size + j],
                };
            }
        }
        is_regular
    }

    /// The log determinant of the matrix whose Cholesky factor this is.
    pub(super) fn ln_determinant(&self) -> f64 {
        2.0 * (0..self.size).map(|i| self.entries[i * self.size + i].ln()).sum::<f64>()
    }

    /// The precision of the intercept given the other coefficients. `shared` is its row of the matrix, from which the
    /// factor isolates it.
    pub(super) fn intercept_precision(&self, shared: Vec<f64>) -> f64 {
        let mut solved = shared.clone();
        solved[0] = 0.0;
        self.solve(&mut solved);
        let explained: f64 = solved.iter().zip(&shared).map(|(solved, shared)| solved * shared).sum();
        (shared[0] - explained).max(0.0)
    }

    /// Solves L y = b in place.
    pub(super) fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.size {
            let row = &self.entries[i * self.size..];
            let sum: f64 = row[..i].iter().zip(&*b).map(|(a, b)| a * b).sum();
            b[i] = (b[i] - sum) / row[i];
        }
    }

    /// Solves L Lᵀ x = b in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        for i in (0..self.size).rev() {
            let sum: f64 = (i + 1..self.size).map(|k| self.entries[k * self.size + i] * b[k]).sum();
            b[i] = (b[i] - sum) / self.entries[i * self.size + i];
        }
    }
}
