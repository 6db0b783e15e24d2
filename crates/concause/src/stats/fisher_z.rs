//! Fisher's z-test of the correlation of two binary variables.

use crate::count::Stratum;

/// The two-sided p-value 2Φ(−|atanh r| √(n−3)) of Pearson's r in a 2×2 table. `None` if r is undefined, because a
/// variable is constant, or if there are at most three rows. The `paper-table` preset applies it within a stratum.
pub fn fisher_z(stratum: &Stratum) -> Option<f64> {
    let columns = stratum.total_count();
    let n = columns.total();
    let (with, without) = (stratum.with.total(), stratum.without.total());
    if n <= 3 || with == 0 || without == 0 || columns.positive == 0 || columns.negative == 0 {
        return None;
    }
    let products = |a: u64, b: u64| a as f64 * b as f64;
    let covariance = products(stratum.with.positive, stratum.without.negative)
        - products(stratum.with.negative, stratum.without.positive);
    let scale = products(with, without).sqrt() * products(columns.positive, columns.negative).sqrt();
    // Rounding could give a perfect correlation a value above 1.
    let r = (covariance / scale).clamp(-1.0, 1.0);
    let z = r.atanh().abs() * ((n - 3) as f64).sqrt();
    Some(libm::erfc(z / std::f64::consts::SQRT_2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_p_value_agrees_with_a_calculation_by_hand() {
        // r = (10·5 − 20·30)/√(30·35·40·25) = −550/√1050000
        let r: f64 = -550.0 / 1_050_000f64.sqrt();
        let z = r.atanh().abs() * 62f64.sqrt();
        let found = fisher_z(&Stratum::from([10, 20, 30, 5])).unwrap();
        assert!((found - libm::erfc(z / 2f64.sqrt())).abs() < 1e-15);
    }

    #[test]
    fn perfect_correlation_has_p_value_zero_and_constants_are_not_testable() {
        assert_eq!(fisher_z(&Stratum::from([10, 0, 0, 10])), Some(0.0));
        assert_eq!(fisher_z(&Stratum::from([10, 10, 0, 0])), None);
        assert_eq!(fisher_z(&Stratum::from([1, 0, 1, 1])), None);
    }
}
