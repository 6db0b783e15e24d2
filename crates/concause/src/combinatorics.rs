//! Counts and enumerates subsets. This module depends on no other module of the crate.

/// The binomial coefficient of `n` and `k`. Saturates where an intermediate product exceeds `u128::MAX`.
pub(crate) fn choose(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    (0..k).fold(1u128, |product, i| product.saturating_mul((n - i) as u128) / (i as u128 + 1))
}

/// Replaces a subset of 0..bound by the lexicographically next one of the same size. Returns false if there is none.
pub(crate) fn next_combination(subset: &mut [usize], bound: usize) -> bool {
    let size = subset.len();
    let Some(position) = (0..size).rev().find(|&i| subset[i] + size - i < bound) else {
        return false;
    };
    subset[position] += 1;
    for i in position + 1..size {
        subset[i] = subset[i - 1] + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn binomial_coefficients_satisfy_pascals_rule() {
        for n in 1..40 {
            for k in 1..=n {
                assert_eq!(choose(n, k), choose(n - 1, k - 1) + choose(n - 1, k), "{n} choose {k}");
            }
        }
        assert_eq!((choose(0, 0), choose(3, 4), choose(500, 3)), (1, 0, 20_708_500));
    }
}
