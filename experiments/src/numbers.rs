//! Numbers and names as text in the tables of the experiments.

use concause_simulate::Spread;

/// A number with two decimals.
pub fn two_decimals(number: f64) -> String {
    format!("{number:.2}")
}

/// Mean and standard deviation with two decimals.
pub fn mean_and_deviation(spread: Spread) -> String {
    format!("{:.2} ± {:.2}", spread.mean, spread.deviation)
}

/// A share in per cent with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Seconds with the digits that are meaningful on a busy machine.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.2} ms", 1000.0 * s),
        s if s < 0.1 => format!("{:.1} ms", 1000.0 * s),
        s if s < 1.0 => format!("{:.0} ms", 1000.0 * s),
        s => format!("{s:.1} s"),
    }
}

/// Names of causes as code, separated by commas; a dash if there are none.
pub fn code_list<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() {
        return "–".into();
    }
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_fixed_number_of_digits() {
        assert_eq!(mean_and_deviation(Spread { mean: 0.98765, deviation: 0.0449 }), "0.99 ± 0.04");
        assert_eq!((percent(0.0619), two_decimals(1.0)), ("6.2 %".into(), "1.00".into()));
        assert_eq!([0.000_123, 0.0123, 0.5, 12.34].map(seconds), ["0.12 ms", "12.3 ms", "500 ms", "12.3 s"]);
        assert_eq!(code_list(&["V1&V2", "V3"]), "`V1&V2`, `V3`");
        assert_eq!(code_list::<&str>(&[]), "–");
    }
}
