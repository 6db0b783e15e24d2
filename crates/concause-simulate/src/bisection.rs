//! Roots of increasing functions by bisection.

/// The point at which `is_below` changes from true to false, after a number of halvings of the interval.
pub(crate) fn bisect(low: f64, high: f64, halvings: usize, is_below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..halvings {
        let middle = 0.5 * (low + high);
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_root_is_found() {
        let root = bisect(0.0, 2.0, 60, |number| number * number < 2.0);
        assert!((root - std::f64::consts::SQRT_2).abs() < 1e-15, "{root}");
    }
}
