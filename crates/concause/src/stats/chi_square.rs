//! The upper tail of the chi-square distribution, in closed form for integer degrees of freedom (Abramowitz and Stegun
//! 1964, 26.4.4 and 26.4.5). One minus the lower tail would lose all digits of small p-values. The functions therefore
//! compute the upper tail, or its logarithm, directly.

/// Up to this y, neither e^−y nor the tail underflows, so logarithms are not needed.
const DIRECT_RANGE: f64 = 600.0;

/// The probability that a chi-square variable with `df` degrees of freedom is at least `statistic`.
pub fn upper_tail(statistic: f64, df: u32) -> f64 {
    if df == 0 || statistic <= 0.0 {
        return 1.0;
    }
    let y = statistic / 2.0;
    if y > DIRECT_RANGE || df > 100 {
        return ln_upper_tail(statistic, df).exp().min(1.0);
    }
    let tail = if df.is_multiple_of(2) {
        (-y).exp() * even_sum(y, df)
    } else {
        libm::erfc(y.sqrt()) + (-y).exp() * odd_sum(y, df)
    };
    tail.min(1.0)
}

/// The natural logarithm of [`upper_tail`]. It stays accurate where the tail underflows to 0.
pub fn ln_upper_tail(statistic: f64, df: u32) -> f64 {
    if df == 0 || statistic <= 0.0 {
        return 0.0;
    }
    let y = statistic / 2.0;
    if y <= DIRECT_RANGE && df <= 100 {
        return upper_tail(statistic, df).ln();
    }
    let ln_sum = if df.is_multiple_of(2) {
        ln_add_terms(0.0, 0.0, 1.0, y, df / 2 - 1)
    } else {
        let first = 0.5 * y.ln() - libm::lgamma(1.5);
        let ln_scaled_erfc = ln_scaled_erfc(y.sqrt());
        match (df - 1) / 2 {
            0 => ln_scaled_erfc,
            terms => ln_add_terms(ln_scaled_erfc, first, 1.5, y, terms),
        }
    };
    (ln_sum - y).min(0.0)
}

/// Σ_{i=0}^{df/2−1} y^i / i!
fn even_sum(y: f64, df: u32) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for i in 1..df / 2 {
        term *= y / f64::from(i);
        sum += term;
    }
    sum
}

/// Σ_{i=1}^{(df−1)/2} y^(i−1/2) / Γ(i+1/2)
fn odd_sum(y: f64, df: u32) -> f64 {
    let mut term = 2.0 * (y / std::f64::consts::PI).sqrt();
    let mut sum = 0.0;
    for i in 1..=(df - 1) / 2 {
        sum += term;
        term *= y / (f64::from(i) + 0.5);
    }
    sum
}

/// ln(e^start + Σ of terms). The first term is e^first, which is included only if it differs from e^start. Each
/// further term is the previous one times y / divisor, and the divisor increases by one.
fn ln_add_terms(start: f64, first: f64, divisor: f64, y: f64, terms: u32) -> f64 {
    let add = |a: f64, b: f64| {
        let (small, large) = if a < b { (a, b) } else { (b, a) };
        large + (small - large).exp().ln_1p()
    };
    let starts_with_first = divisor == 1.0;
    let mut sum = if starts_with_first { start } else { add(start, first) };
    let (mut term, mut divisor) = (first, divisor);
    for _ in 0..if starts_with_first { terms } else { terms - 1 } {
        term += (y / divisor).ln();
        sum = add(sum, term);
        divisor += 1.0;
    }
    sum
}

/// ln(e^(z²) erfc(z)) for z ≥ 0, by a continued fraction where erfc is very small.
fn ln_scaled_erfc(z: f64) -> f64 {
    if z < 5.0 {
        return libm::erfc(z).ln() + z * z;
    }
    // √π e^(z²) erfc(z) = 1/(z + (1/2)/(z + (2/2)/(z + (3/2)/(z + …)))), Abramowitz and Stegun 7.1.14
    let fraction = (1..=60).rev().fold(z, |rest, k| z + f64::from(k) / 2.0 / rest);
    -fraction.ln() - 0.5 * std::f64::consts::PI.ln()
}

/// The statistic whose upper tail probability is `alpha`.
pub fn critical_value(alpha: f64, df: u32) -> f64 {
    if df == 0 || alpha >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, f64::from(df) + 10.0);
    let ln_alpha = alpha.ln();
    while ln_upper_tail(high, df) > ln_alpha {
        high *= 2.0;
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if ln_upper_tail(middle, df) > ln_alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logarithms of the regularised upper incomplete gamma function Q(df/2, x/2), computed with 40 digits by mpmath's
    /// `gammainc(df/2, x/2, regularized=True)`.
    const EXPECTED: &[(f64, u32, f64)] = &[
        (1e-06, 1, -0.0007982029070198693),
        (0.5, 1, -0.7350111298370844),
        (3.84, 1, -2.994862227180027),
        (20.0, 1, -11.768564260156875),
        (100.0, 1, -52.53813796995252),
        (700.0, 1, -353.50275502514864),
        (1300.0, 1, -653.8116188814319),
        (5000.0, 1, -2504.484587848451),
        (250000.0, 1, -125006.44040345102),
        (1e-06, 2, -5e-07),
        (0.5, 2, -0.25),
        (3.84, 2, -1.92),
        (20.0, 2, -10.0),
        (100.0, 2, -50.0),
        (700.0, 2, -350.0),
        (1300.0, 2, -650.0),
        (5000.0, 2, -2500.0),
        (250000.0, 2, -125000.0),
        (1e-06, 3, -2.659614405145477e-10),
        (0.5, 3, -0.08458732285189934),
        (3.84, 3, -1.2755847557582498),
        (20.0, 3, -8.681228354799241),
        (100.0, 3, -47.91335211199012),
        (700.0, 3, -346.9488256623668),
        (1300.0, 3, -646.6399632357592),
        (5000.0, 3, -2495.966994816902),
        (250000.0, 3, -124994.01117925424),
        (1e-06, 4, -1.2499995833334896e-13),
        (0.5, 4, -0.026856448685790246),
        (3.84, 4, -0.8484163837198095),
        (20.0, 4, -7.602104727201629),
        (100.0, 4, -46.068174367275674),
        (700.0, 4, -344.1392137765341),
        (1300.0, 4, -643.5214903577914),
        (5000.0, 4, -2492.1755540691224),
        (250000.0, 4, -124988.26392298375),
        (1e-06, 5, -5.31922850562766e-17),
        (0.5, 5, -0.007907891887427028),
        (3.84, 5, -0.5574378566443541),
        (20.0, 5, -6.684827300476975),
        (100.0, 5, -44.386801168872644),
        (700.0, 5, -341.49350049434906),
        (1300.0, 5, -640.5669175227631),
        (5000.0, 5, -2488.5480139142123),
        (250000.0, 5, -124982.68056734608),
        (1e-06, 7, -7.598897623947508e-24),
        (0.5, 7, -0.000553671857553622),
        (3.84, 7, -0.2256330036358459),
        (20.0, 7, -5.190417125594323),
        (100.0, 7, -41.37068424595461),
        (700.0, 7, -336.5489928103362),
        (1300.0, 7, -635.0046950703257),
        (5000.0, 7, -2481.639858475353),
        (250000.0, 7, -124971.8607810616),
        (1e-06, 8, -2.6041656250002166e-27),
        (0.5, 8, -0.0001333785450367499),
        (3.84, 8, -0.13781152025081758),
        (20.0, 8, -4.57211742909732),
        (100.0, 8, -39.995114773501314),
        (700.0, 8, -334.2093764024267),
        (1300.0, 8, -632.3562234565843),
        (5000.0, 8, -2478.3184211968514),
        (250000.0, 8, -124966.58352842028),
        (1e-06, 16, 0.0),
        (0.5, 16, -3.0312747233440214e-10),
        (3.84, 16, -0.0008483137634983703),
        (20.0, 16, -1.5131252961385335),
        (100.0, 16, -30.993768270690783),
        (700.0, 16, -317.49948571878275),
        (1300.0, 16, -613.1755440598054),
        (5000.0, 16, -2453.7540364831316),
        (250000.0, 16, -124926.37262224595),
        (1e-06, 31, 0.0),
        (0.5, 31, -7.095026309872735e-23),
        (3.84, 31, -7.86077022141915e-10),
        (20.0, 31, -0.06634963141756778),
        (100.0, 31, -19.48073496831422),
        (700.0, 31, -291.5547005712021),
        (1300.0, 31, -582.5982907448149),
        (5000.0, 31, -2413.0824327936257),
        (250000.0, 31, -124856.36379774919),
        (1e-06, 64, 0.0),
        (0.5, 64, 0.0),
        (3.84, 64, -6.880289341132191e-28),
        (20.0, 64, -2.4625955433402007e-08),
        (100.0, 64, -5.919596864515284),
        (700.0, 64, -246.40385622925405),
        (1300.0, 64, -527.2572938431483),
        (5000.0, 64, -2335.534324776415),
        (250000.0, 64, -124714.27383601973),
        (1e-06, 256, 0.0),
        (0.5, 256, 0.0),
        (3.84, 256, 0.0),
        (20.0, 256, 0.0),
        (100.0, 256, -2.3929589723294028e-20),
        (700.0, 256, -97.1476918556473),
        (1300.0, 256, -318.76102924341274),
        (5000.0, 256, -1997.8474916230803),
        (250000.0, 256, -124001.07166664684),
    ];

    #[test]
    fn the_tail_agrees_with_reference_values() {
        for &(statistic, df, ln_p) in EXPECTED {
            let found = ln_upper_tail(statistic, df);
            assert!((found - ln_p).abs() < 4e-14 * ln_p.abs().max(1.0), "{statistic} {df}: {found} {ln_p}");
            if ln_p > -700.0 {
                let (p, found) = (ln_p.exp(), upper_tail(statistic, df));
                assert!((found - p).abs() < 2e-13 * p, "{statistic} {df}: {found} {p}");
            }
        }
    }

    #[test]
    fn direct_and_logarithmic_computations_agree_at_the_boundary() {
        for df in [1, 2, 3, 4, 7, 8, 16, 99, 100] {
            let (below, above) = (2.0 * DIRECT_RANGE * (1.0 - 1e-13), 2.0 * DIRECT_RANGE * (1.0 + 1e-13));
            let (below, above) = (ln_upper_tail(below, df), ln_upper_tail(above, df));
            assert!((below - above).abs() < 1e-9, "{df}: {below} {above}");
        }
    }

    #[test]
    fn the_tail_at_a_critical_value_is_alpha() {
        assert!((critical_value(0.05, 1) - 3.841_458_820_694_124).abs() < 1e-12);
        assert!((critical_value(0.01, 8) - 20.090_235_029_663_24).abs() < 1e-11);
        for df in [1, 2, 4, 8, 16, 1024] {
            for alpha in [0.5, 0.05, 0.01, 1e-9, 1e-300] {
                let found = ln_upper_tail(critical_value(alpha, df), df);
                assert!((found - alpha.ln()).abs() < 1e-11 * alpha.ln().abs());
            }
        }
        assert_eq!(critical_value(1.0, 3), 0.0);
    }
}
